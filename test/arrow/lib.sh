# shellcheck shell=bash
#
# What the suites with readers and writers of Arrow share.  Sourced after
# common.sh, with the server there and SCRATCH open.
#
#   make_database                 cases.sql in a database of its own
#   tell CODEC... >FILE           its cases as lines for the readers
#   check_server                  what PostgreSQL alone can tell
#   run_reader NAME COMMAND ...   run a reader on the cases, and have
#                                 arrow_to_rowset read what it wrote
#   check_written NAME FILE       only the latter
#   conclude                      say how it ended

ARROW_TESTS=$ROWSER_ROOT/test/arrow

passed=0
failed=0
failures=()

# Run SQL in the tests' database; arguments are psql's.
sql()
{
	psql -X -A -t -q -v ON_ERROR_STOP=1 -d rowser_arrow "$@"
}

# Make the database with the cases.
make_database()
{
	psql -X -q -d postgres -c 'DROP DATABASE IF EXISTS rowser_arrow' 2>/dev/null
	createdb --template=template0 --encoding=UTF8 --locale=C rowser_arrow
	psql -X -q -d rowser_arrow -v ON_ERROR_STOP=1 <<-'EOF'
		ALTER DATABASE rowser_arrow SET TimeZone = 'UTC';
		ALTER DATABASE rowser_arrow SET DateStyle = 'ISO, MDY';
		ALTER DATABASE rowser_arrow SET IntervalStyle = 'postgres';
		ALTER DATABASE rowser_arrow SET bytea_output = 'hex';
		ALTER DATABASE rowser_arrow SET extra_float_digits = 1;
	EOF
	sql -f "$ARROW_TESTS/setup.sql" -f "$ARROW_TESTS/cases.sql"
}

# Print the cases, each under these codecs.
tell()
{
	sql -v codecs="{$(IFS=,; echo "$*")}" <<-'EOF'
		SELECT told(c, codec) FROM arrow_case AS c, unnest(:'codecs'::text[]) AS codec ORDER BY codec, name;
	EOF
}

# Count what the last line of file $2 says, which the test $1 has written; show
# the rest of it.
count()
{
	local last

	last=$(tail -n 1 "$2")
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] && [ "$last" != "0 passed, 0 failed" ]; then
		passed=$((passed + BASH_REMATCH[1]))
		failed=$((failed + BASH_REMATCH[2]))
		say "$1: $last"
		sed '$d' "$2"
		[ "${BASH_REMATCH[2]}" -eq 0 ] || failures+=("$1")
	else
		failed=$((failed + 1))
		failures+=("$1")
		say "FAILED: $1 ended early"
		cat "$2"
	fi
}

# What PostgreSQL alone can tell.
check_server()
{
	sql -f "$ARROW_TESTS/checks.sql" >"$SCRATCH/checks.log" 2>&1 || true
	count "the server alone" "$SCRATCH/checks.log"
}

# Have arrow_to_rowset read the streams of file $2, which $1 wrote.
check_written()
{
	{
		echo "TRUNCATE written;"
		# lines as they are: neither character is ever in JSON
		cat <<-'EOF'
			COPY written FROM STDIN (FORMAT csv, QUOTE e'\x01', DELIMITER e'\x02');
		EOF
		cat "$2"
		echo '\.'
		cat <<-'EOF'
			CREATE TEMP TABLE result AS SELECT line ->> 'name' AS name, written_fault(line) AS fault FROM written;
			SELECT format('FAILED: %s: %s', name, left(fault, 500)) FROM result WHERE fault IS NOT NULL ORDER BY name;
			SELECT format('%s passed, %s failed', count(*) FILTER (WHERE fault IS NULL), count(fault)) FROM result;
		EOF
	} | sql >"$SCRATCH/written.log" 2>&1 || true
	count "written by $1" "$SCRATCH/written.log"
}

# Run a reader, which takes the cases' file and another to write to.
run_reader()
{
	local name=$1
	local status=0

	shift
	rm -f "$SCRATCH/written.jsonl"
	"$@" "$SCRATCH/cases.jsonl" "$SCRATCH/written.jsonl" >"$SCRATCH/reader.log" 2>&1 </dev/null || status=$?
	count "read by $name" "$SCRATCH/reader.log"
	if [ "$status" -ne 0 ]; then
		say "$name ended with status $status"
	fi
	check_written "$name" "$SCRATCH/written.jsonl"
}

# Install packages from npm into $SCRATCH/node; arguments are npm's.
install_node_packages()
{
	mkdir -p "$SCRATCH/node"
	cp "$ARROW_TESTS"/package.json "$ARROW_TESTS"/*.js "$SCRATCH/node"
	(cd "$SCRATCH/node" && npm install --no-audit --no-fund --no-package-lock \
		--ignore-scripts --cache "$SCRATCH/npm" "$@" >"$SCRATCH/npm.log" 2>&1 </dev/null) || {
		cat "$SCRATCH/npm.log"
		die "the packages could not be installed"
	}
}

# Say how it ended; the last line is read by machines.
conclude()
{
	local name

	for name in ${failures[@]+"${failures[@]}"}; do
		say "FAILED: $name"
	done
	say "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
