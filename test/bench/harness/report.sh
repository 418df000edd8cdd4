# shellcheck shell=bash
#
# How suites query, measure, and write what they found.  Sourced by
# test/bench/run.

# Run SQL in the database of the benchmarks; any error ends the run.
bench_sql()
{
	psql -X -q -v ON_ERROR_STOP=1 -d bench "$@"
}

# sql_rows QUERY: its rows as tab-separated lines without a header.
sql_rows()
{
	bench_sql -At -F $'\t' -c "$1"
}

# sql_tsv FILE QUERY: its rows as a TSV file of the results, with a header.
sql_tsv()
{
	bench_sql -c "COPY ($2) TO STDOUT (FORMAT csv, HEADER, DELIMITER E'\t')" >"$RESULTS/$1"
}

# sql_markdown QUERY: its rows as a Markdown table, columns of numbers to the
# right.  Values hold no tab and no bar.
sql_markdown()
{
	bench_sql -P footer=off -A -F $'\t' -c "$1" |
		awk -F '\t' '
			{
				for (i = 1; i <= NF; i++) {
					cell[NR, i] = $i
					if (NR > 1 && $i !~ /^[0-9.,]*$/) is_text[i] = 1
				}
				columns = NF > columns ? NF : columns
			}
			END {
				for (row = 1; row <= NR; row++) {
					for (i = 1; i <= columns; i++) printf "| %s ", cell[row, i]
					print "|"
					if (row == 1) {
						for (i = 1; i <= columns; i++) printf "|%s", is_text[i] ? "---" : "---:"
						print "|"
					}
				}
			}'
}

# show_chart NAME TEXT: a chart in what is being written.
show_chart()
{
	[ ! -e "$RESULTS/$1.svg" ] || printf '![%s](%s%s.svg)\n\n' "$2" "$CHART_FOLDER" "$1"
}

# say_sentences FUNCTION: a paragraph of what it prints; if it fails, so does
# the run.
say_sentences()
{
	local sentences

	sentences=$("$1")
	printf '\n%s\n\n' "$sentences"
}

# show_report_link TITLE: a section that sends the reader to the report.
show_report_link()
{
	printf '## %s\n\nIn [the report](%s).\n\n' "$1" "$REPORT_LINK"
}

# End the run if rivals of a suite that do the same differ in their answers.
check_answers()
{
	sql_rows "SELECT tbl, op, form, 'gives ' || result || ' instead of ' || expected
		FROM bench.wrong_answers('$1')" >"$SCRATCH/wrong"
	if [ -s "$SCRATCH/wrong" ]; then
		cat "$SCRATCH/wrong" >&2
		die "rivals differ in what they give"
	fi
}

# Store each table in each form, to be read, unless a suite before has done so.
store_forms()
{
	[ "$(sql_rows "SELECT to_regnamespace('stored') IS NULL")" = t ] || return 0
	say "  storing each form"
	bench_sql "${BENCH_VARIABLES[@]}" -f "$ROWSER_ROOT/test/bench/harness/store.sql"
}

# run_cases SUITE: time all its cases, table by table.
run_cases()
{
	local suite=$1
	local tbl

	for tbl in $(sql_rows "SELECT s.tbl FROM bench.subject s
		WHERE EXISTS (SELECT FROM bench.cases c WHERE c.suite = '$suite' AND c.tbl = s.tbl) ORDER BY ordinal")
	do
		say "  $suite: $tbl"
		bench_sql -c "CALL bench.run('$suite', '$tbl', $PASSES, $LEAST_MS)" 2>&1 |
			sed -n 's/^WARNING: */    not measured: /p; /ERROR/p' >&2
	done
}
