# shellcheck shell=bash
#
# Reading: rows out of one value, against everything else that PostgreSQL has
# and against the table itself.

suite_measure()
{
	store_forms
	bench_sql "${BENCH_VARIABLES[@]}" -f "$SUITE/cases.sql"
	run_cases reading
	bench_sql -f "$SUITE/bytes_read.sql"
	check_answers reading
}

suite_report()
{
	local tbl

	sql_tsv bytes_read.tsv "SELECT tbl, op, form, bytes, of_bytes, round(100.0 * bytes / of_bytes, 2) AS percent
		FROM bench.bytes_read JOIN bench.subject USING (tbl) ORDER BY ordinal, op, form"
	reading_charts

	cat <<-END
		## Reading

		From a value stored out of line and uncompressed in a table, in cache. *All columns* counts each of them, *one column*
		aggregates one, *1 % range* counts all columns of a hundredth of the rows, by the column that they are sorted by,
		*first 10 rows* is LIMIT 10. COPY FROM BINARY loads a temporary table and reads nothing from it. The planner
		reads a rowset by: $(rowset_plan_node).

	END
	show_chart reading "Reading all columns of lineitem: time a row by rival"
	show_chart access "Reading lineitem: four queries"
	show_chart reading_tables "Reading: how often faster than the table, by table"
	for tbl in $(sql_rows "SELECT DISTINCT tbl, ordinal FROM bench.summary JOIN bench.subject USING (tbl)
		WHERE suite = 'reading' ORDER BY ordinal" | cut -f 1)
	do
		printf '### Reading %s\n\n' "$tbl"
		sql_markdown "SELECT op AS \"what\", form AS \"by\", to_char(rows, 'FM999,999,999') AS rows, bench.nice(median_ms) AS \"ms, median\",
				bench.nice(min_ms) AS fastest, bench.nice(max_ms) AS slowest, bench.nice(median_cpu_ms) AS \"CPU ms\",
				CASE WHEN op LIKE '%column%' THEN bench.nice(ns_a_row) END AS \"ns a row\",
				bench.nice(table_ms / median_ms) AS \"times as fast as the table\",
				bench.nice(100.0 * bytes / of_bytes) AS \"% of its bytes read\"
			FROM bench.summary s
				LEFT JOIN (SELECT tbl, op, rows, median_ms AS table_ms FROM bench.summary
					WHERE suite = 'reading' AND form = 'table') c USING (tbl, op, rows)
				LEFT JOIN (SELECT b.*, r.rows FROM bench.bytes_read b JOIN bench.relation r USING (tbl) WHERE scope = 'all') b
					USING (tbl, op, form, rows)
			WHERE suite = 'reading' AND tbl = '$tbl'
			ORDER BY array_position('{all columns,one column,1 % range,first 10 rows}', op), median_ms / rows"
		echo
	done
	if [ "$(sql_rows "SELECT count(*) FROM bench.cases WHERE suite = 'reading' AND problem IS NOT NULL")" -gt 0 ]; then
		printf 'Not measured, since it fails:\n\n'
		sql_markdown "SELECT tbl AS table, op AS \"what\", form AS \"by\", problem AS \"error\"
			FROM bench.cases WHERE suite = 'reading' AND problem IS NOT NULL ORDER BY id"
		echo
	fi
}

# What the planner makes of rowset_to_recordset in FROM.
rowset_plan_node()
{
	local statement

	statement=$(sql_rows "SELECT statement FROM bench.cases
		WHERE suite = 'reading' AND op = 'all columns' AND form = 'rowset' ORDER BY rows DESC LIMIT 1")
	sql_rows "EXPLAIN (COSTS off) $statement" | grep -oE '(Function|Custom) Scan.*' | head -n 1
}

reading_charts()
{
	sql_rows "SELECT CASE WHEN form = 'rowset' THEN 'rowset (lz4)' WHEN form = 'table' THEN 'the table itself' ELSE form END
				|| CASE WHEN rows < max(rows) OVER () THEN ' (' || to_char(rows, 'FM999,999,999') || ' rows)' ELSE '' END,
			ns_a_row, kind, bench.nice(ns_a_row)
		FROM (SELECT DISTINCT ON (form) * FROM bench.summary
			WHERE suite = 'reading' AND op = 'all columns' AND tbl = 'lineitem' ORDER BY form, rows DESC) s
		ORDER BY ns_a_row" |
		chart_bars "$RESULTS/reading.svg" "Reading all 16 columns of lineitem: nanoseconds a row (less is better)" \
			"nanoseconds a row, logarithmic" log

	sql_rows "SELECT label, value, kind, said FROM (
			SELECT DISTINCT op AS label, 'heading' AS value, '' AS kind, '' AS said, op, -1 AS ms
			FROM bench.summary WHERE suite = 'reading' AND tbl = 'lineitem'
			UNION ALL
			SELECT CASE WHEN form = 'table' THEN 'the table itself' ELSE form END, median_ms::text, kind,
				bench.nice(median_ms) || ' ms', op, median_ms
			FROM bench.summary JOIN bench.relation USING (tbl, rows)
			WHERE suite = 'reading' AND tbl = 'lineitem' AND scope = 'all'
			AND form IN ('table', 'rowset', 'rowset, scan off', 'unnest')) x
		ORDER BY array_position('{all columns,one column,1 % range,first 10 rows}', op), ms" |
		chart_bars "$RESULTS/access.svg" "Four queries on lineitem: milliseconds (less is better)" \
			"milliseconds, logarithmic" log

	sql_rows "SELECT label, value, kind, said FROM (
			SELECT DISTINCT tbl AS label, 'heading' AS value, '' AS kind, '' AS said, s.ordinal, 0 AS line
			FROM bench.figure f JOIN bench.subject s USING (tbl)
			UNION ALL
			SELECT CASE f.label WHEN 'read all columns, against the table' THEN 'all columns'
					WHEN 'read one column, against the table' THEN 'one column' ELSE '1 % range' END,
				figure::text, 'rowser', bench.nice(figure), s.ordinal, f.ordinal
			FROM bench.figure f JOIN bench.subject s USING (tbl)
			WHERE f.label LIKE 'read %, against the table' AND figure IS NOT NULL) x
		ORDER BY ordinal, line" |
		chart_bars "$RESULTS/reading_tables.svg" "Reading a rowset: times as fast as the table itself" \
			"times as fast (more is better), logarithmic" ratio
}
