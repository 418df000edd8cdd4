# shellcheck shell=bash
#
# Writes what was measured: a page for people, TSV files for anything else.
# Sourced by test/scaleout/run.

# rows_table SERVICE QUERY: a Markdown table of rows from anywhere.
rows_table()
{
	SERVICE=$1 sql_markdown "$2"
	echo
}

# rows_tsv FILE SERVICE QUERY
rows_tsv()
{
	sql "$2" -c "COPY ($3) TO STDOUT (FORMAT csv, HEADER, DELIMITER E'\t')" >"$RESULTS/$1"
}

# A file for each suite that measures something, so that a run of one leaves what
# is known of the others.
write_results()
{
	local suite

	for suite in "${SUITES[@]}"; do
		declare -F "${suite}_report" >/dev/null || continue
		{
			printf '# Results: %s\n\n' "$suite"
			printf 'Written by test/scaleout/run; doc/scaleout.md says what this is. Times are medians of %s passes, all cases of a\n' "$PASSES"
			printf 'table in turn. CPU is the processor time of the one process that asks.\n\n%s\n\n' "$MACHINE"
			"${suite}_report"
		} >"$RESULTS/$suite.md"
	done
}
