# shellcheck shell=bash
#
# Writing: rows to one value, against everything else that PostgreSQL has, and
# the bytes of each.

suite_measure()
{
	bench_sql "${BENCH_VARIABLES[@]}" -f "$SUITE/cases.sql"
	run_cases writing
	bench_sql "${BENCH_VARIABLES[@]}" -f "$SUITE/bytes.sql"
}

suite_report()
{
	local tbl

	sql_tsv bytes.tsv "SELECT tbl, rows, form, bytes,
			round(bytes::numeric / rows, 2) AS bytes_a_row,
			round(100.0 * bytes / copy_bytes, 2) AS percent_of_copy_binary
		FROM bench.bytes b JOIN (SELECT tbl, rows, bytes AS copy_bytes FROM bench.bytes WHERE form = 'COPY BINARY') c
			USING (tbl, rows) JOIN bench.subject USING (tbl)
		ORDER BY ordinal, rows DESC, bytes"
	writing_charts

	cat <<-END
		## Writing

		All rows of a table become one value. Times are of one run, by the clock; CPU is the same in the server process's
		processor time. Rows of fewer than the whole table are its first, for the rivals that would take too long on all.

	END
	show_chart writing "Writing lineitem: time a row by rival"
	show_chart writing_tables "Writing: how often faster than COPY BINARY, by table"
	for tbl in $(sql_rows "SELECT DISTINCT tbl, ordinal FROM bench.summary JOIN bench.subject USING (tbl)
		WHERE suite = 'writing' ORDER BY ordinal" | cut -f 1)
	do
		printf '### Writing %s\n\n' "$tbl"
		sql_markdown "SELECT form AS \"by\", to_char(rows, 'FM999,999,999') AS rows, bench.nice(median_ms) AS \"ms, median\",
				bench.nice(min_ms) AS fastest, bench.nice(max_ms) AS slowest, bench.nice(median_cpu_ms) AS \"CPU ms\",
				bench.nice(ns_a_row) AS \"ns a row\", bench.nice(copy_ms / median_ms) AS \"times as fast as COPY BINARY\"
			FROM bench.summary s JOIN (SELECT tbl, rows, median_ms AS copy_ms FROM bench.summary
				WHERE suite = 'writing' AND form = 'COPY BINARY') c USING (tbl, rows)
			WHERE suite = 'writing' AND tbl = '$tbl' ORDER BY ns_a_row"
		echo
	done

	cat <<-END
		## Bytes

		Of a value or a file; "table" is what the heap itself takes. Percentages are of COPY BINARY's bytes for the same rows.

	END
	show_chart bytes "Bytes of lineitem by form"
	show_chart bytes_tables "Bytes by table and form"
	sql_markdown "SELECT tbl AS table, form, to_char(rows, 'FM999,999,999') AS rows, bench.nice(bytes) AS bytes, bench.nice(bytes::float8 / rows) AS \"bytes a row\",
			bench.nice(100.0 * bytes / copy_bytes) AS \"% of COPY BINARY\"
		FROM bench.bytes b JOIN (SELECT tbl, rows, bytes AS copy_bytes FROM bench.bytes WHERE form = 'COPY BINARY') c
			USING (tbl, rows) JOIN bench.subject USING (tbl)
		WHERE (tbl, form, rows) IN (SELECT tbl, form, max(rows) FROM bench.bytes GROUP BY 1, 2)
		ORDER BY ordinal, 100.0 * bytes / copy_bytes"
	echo
}

writing_charts()
{
	sql_rows "SELECT CASE WHEN form = 'rowset' THEN 'query_to_rowset (lz4)'
				WHEN kind = 'rowser' THEN replace(form, 'rowset, ', 'query_to_rowset, ') ELSE form END
				|| CASE WHEN rows < max(rows) OVER () THEN ' (' || to_char(rows, 'FM999,999,999') || ' rows)' ELSE '' END,
			ns_a_row, kind, bench.nice(ns_a_row)
		FROM (SELECT DISTINCT ON (form) * FROM bench.summary
			WHERE suite = 'writing' AND tbl = 'lineitem' ORDER BY form, rows DESC) s
		ORDER BY ns_a_row" |
		chart_bars "$RESULTS/writing.svg" "Writing lineitem, 16 columns: nanoseconds a row (less is better)" \
			"nanoseconds a row, logarithmic" log

	sql_rows "SELECT f.tbl || ' (' || to_char(f.rows, 'FM999,999,999') || ' rows)', figure, 'rowser', bench.nice(figure)
		FROM bench.figure f JOIN bench.subject s USING (tbl)
		WHERE label = 'write, against COPY BINARY' AND figure IS NOT NULL ORDER BY s.ordinal" |
		chart_bars "$RESULTS/writing_tables.svg" "Writing: times as fast as COPY BINARY to /dev/null" \
			"times as fast (more is better), logarithmic" ratio

	sql_rows "SELECT form || CASE WHEN rows < max(rows) OVER () THEN ' (' || to_char(rows, 'FM999,999,999') || ' rows)' ELSE '' END,
			percent, kind, bench.nice(percent) || ' %'
		FROM (SELECT DISTINCT ON (form) form, kind, rows, 100.0 * b.bytes / c.bytes AS percent
			FROM bench.bytes b JOIN (SELECT tbl, rows, bytes FROM bench.bytes WHERE form = 'COPY BINARY') c USING (tbl, rows)
			WHERE tbl = 'lineitem' AND form <> 'rowset_agg' ORDER BY form, rows DESC) s
		ORDER BY percent" |
		chart_bars "$RESULTS/bytes.svg" "Bytes of lineitem by form (COPY BINARY is 100 %)" \
			"% of COPY BINARY's bytes (less is better)" linear

	sql_rows "WITH percents AS (
			SELECT DISTINCT ON (tbl, form) tbl, form, kind, 100.0 * b.bytes / c.bytes AS percent
			FROM bench.bytes b JOIN (SELECT tbl, rows, bytes FROM bench.bytes WHERE form = 'COPY BINARY') c USING (tbl, rows)
			WHERE form IN ('rowset', 'rowset, zstd', 'array', 'json', 'xml') ORDER BY tbl, form, rows DESC)
		SELECT label, value, kind, said FROM (
			SELECT tbl AS label, 'heading' AS value, '' AS kind, '' AS said, ordinal, -1 AS percent FROM bench.subject
			UNION ALL
			SELECT form, percent::text, kind, bench.nice(percent) || ' %', ordinal, percent
			FROM percents JOIN bench.subject USING (tbl)) x
		ORDER BY ordinal, percent" |
		chart_bars "$RESULTS/bytes_tables.svg" "Bytes by table and form (COPY BINARY is 100 %)" \
			"% of COPY BINARY's bytes (less is better)" linear
}
