# shellcheck shell=bash
#
# Checks, counted: test/scaleout/run ends with "N passed, N failed".

passed=0
failed=0

# Compare: name, what is expected, what came.
check()
{
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAILED: %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
	fi
}

# Both of two queries must give the same rows, every one as often: name, service,
# query, query, and what to run before them.  What is expected are some rows, none
# of them on one side alone.
check_rows()
{
	check "$1" "t 0 0" "$(sql "$2" -F ' ' 2>&1 <<-END
		${5:-};
		WITH a AS MATERIALIZED ($3), b AS MATERIALIZED ($4)
		SELECT (SELECT count(*) FROM a) > 0,
			(SELECT count(*) FROM (TABLE a EXCEPT ALL TABLE b) AS only_a),
			(SELECT count(*) FROM (TABLE b EXCEPT ALL TABLE a) AS only_b);
	END
	)"
}

# Every statement that doc/scaleout.md shows must be in a file that is run here.
check_page()
{
	check "doc/scaleout.md shows what is run" "" "$(perl -0777 -e '
		my $page = <STDIN>;
		my $files = join "\n", map { open my $f, "<", $_ or die "$_: $!"; <$f> } @ARGV;
		my @blocks = $page =~ /^```sql\n(.*?)^```$/msg or die "no SQL on the page";
		for (@blocks) { print if index($files, $_) < 0 }
	' "$SCALEOUT"/*/*.sql <"$ROWSER_ROOT/doc/scaleout.md" 2>&1)"
}
