# shellcheck shell=bash
#
# Inserting: a rowset's rows into a table, against other ways to fill it.

suite_measure()
{
	store_forms
	bench_sql "${BENCH_VARIABLES[@]}" -f "$SUITE/cases.sql"
	run_cases inserting
}

suite_report()
{
	sql_rows "SELECT label, value, kind, said FROM (
			SELECT DISTINCT op AS label, 'heading' AS value, '' AS kind, '' AS said, op, -1 AS ms
			FROM bench.summary WHERE suite = 'inserting' AND tbl = 'lineitem'
			UNION ALL
			SELECT form, ns_a_row::text, kind, bench.nice(ns_a_row), op, median_ms
			FROM bench.summary WHERE suite = 'inserting' AND tbl = 'lineitem') x
		ORDER BY op, ms" |
		chart_bars "$RESULTS/inserting.svg" "Inserting lineitem, 16 columns: nanoseconds a row (less is better)" \
			"nanoseconds a row" linear

	cat <<-END
		## Inserting

		Into a temporary table of the same columns, made for each measurement, which takes neither WAL nor locks of others.
		*INSERT from the table* is the floor of both forms of INSERT: it decodes nothing. The index is on the column that the
		rows are sorted by.

	END
	show_chart inserting "Inserting lineitem: time a row"
	sql_markdown "SELECT tbl AS table, op AS \"what\", form AS \"by\", to_char(rows, 'FM999,999,999') AS rows, bench.nice(median_ms) AS \"ms, median\",
			bench.nice(min_ms) AS fastest, bench.nice(max_ms) AS slowest, bench.nice(median_cpu_ms) AS \"CPU ms\",
			bench.nice(ns_a_row) AS \"ns a row\", bench.nice(copy_ms / median_ms) AS \"times as fast as COPY\",
			bench.nice(copy_cpu_ms / median_cpu_ms) AS \"by CPU time\"
		FROM bench.summary s
			LEFT JOIN (SELECT tbl, op, median_ms AS copy_ms, median_cpu_ms AS copy_cpu_ms FROM bench.summary
				WHERE suite = 'inserting' AND form = 'COPY FROM BINARY') c USING (tbl, op)
			JOIN bench.subject USING (tbl)
		WHERE suite = 'inserting' ORDER BY ordinal, op, median_ms"
	echo
}
