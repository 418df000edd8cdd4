# shellcheck shell=bash
#
# Transfer: a table as one value, written and read, by all that PostgreSQL has
# for what the source article measured on the same table.

if [ "$QUICK" = yes ]; then
	TRANSFERS=5
else
	TRANSFERS=30
fi

suite_measure()
{
	say "  transfer: employee"
	bench_sql -f "$SUITE/cases.sql" >/dev/null
	# one run to a measurement, as often as the source did
	bench_sql -c "CALL bench.run('transfer', 'employee', $TRANSFERS, 0)"
	if [ "$(sql_rows "SELECT count(*) FROM bench.cases WHERE suite = 'transfer' AND problem IS NOT NULL")" -gt 0 ]; then
		die "$(sql_rows "SELECT op, form, problem FROM bench.cases WHERE suite = 'transfer' AND problem IS NOT NULL")"
	fi
}

suite_report()
{
	bench_sql <<-END
		CREATE VIEW transfer.figure AS
		SELECT f.number, f.form, f.kind, f.source, f.type, b.bytes, b.stored, w.min_ms AS write_min, w.median_ms AS write_median,
			r.min_ms AS read_min, r.median_ms AS read_median, w.min_ms + r.min_ms AS both_min
		FROM transfer.form f JOIN transfer.bytes b USING (form)
			JOIN bench.summary w ON (w.suite, w.op, w.form) = ('transfer', 'write', f.form)
			JOIN bench.summary r ON (r.suite, r.op, r.form) = ('transfer', 'read', f.form);
	END
	sql_tsv transfer.tsv "SELECT form, source, type, bytes, stored, round(write_min::numeric, 4) AS write_min_ms,
			round(write_median::numeric, 4) AS write_median_ms, round(read_min::numeric, 4) AS read_min_ms,
			round(read_median::numeric, 4) AS read_median_ms
		FROM transfer.figure ORDER BY number"

	sql_rows "SELECT form, bytes, kind, bench.nice(bytes) FROM transfer.figure
		UNION ALL SELECT 'the table itself', bytes, 'floor', bench.nice(bytes) FROM ($(table_bytes)) AS t
		ORDER BY bytes" |
		chart_bars "$RESULTS/transfer_bytes.svg" "employee as one value: bytes (less is better)" "bytes" linear
	sql_rows "SELECT label, value, kind, said FROM (
			SELECT op AS label, 'heading' AS value, '' AS kind, '' AS said, op, -1 AS ms FROM (VALUES ('write'), ('read')) AS o(op)
			UNION ALL
			SELECT form, min_ms::text, kind, bench.nice(min_ms) || ' ms', op, min_ms FROM bench.summary WHERE suite = 'transfer') x
		ORDER BY op DESC, ms" |
		chart_bars "$RESULTS/transfer_time.svg" "employee as one value, written and read: milliseconds, fastest of $TRANSFERS" \
			"milliseconds, logarithmic (less is better)" log
	show_report_link Transfer
}

# In SQL: the bytes of the rows of the table in its pages, without free space.
table_bytes()
{
	echo "SELECT sum(pg_column_size(t.*)) AS bytes FROM employee AS t"
}

suite_article()
{
	cat <<-END
		## Size and time of a transferred table

		The $(sql_rows "SELECT rows FROM bench.relation WHERE tbl = 'employee' AND scope = 'all'") rows and 16 columns of AdventureWorks' HumanResources.Employee become one value, and rows again, $TRANSFERS times
		each; every time is one run. *query_to_xml*, and *xmlagg*, build values of type xml, which xmltable reads with the types of
		the columns; *xml as text* joins the rows' elements as text and builds no typed value in either direction, though xmltable
		has to parse the text. JSON stands for the DataTable, a rowset for the rows of a SqlDataReader. The rows that come
		back were compared with the table's, value for value. *Stored* is what a column takes that PostgreSQL may compress.

	END
	show_chart transfer_bytes "Bytes of employee as one value"
	show_chart transfer_time "Time to write and to read employee as one value"
	sql_markdown "SELECT form AS by, source AS \"in the source\", to_char(bytes, 'FM999,999,999') AS bytes, to_char(stored, 'FM999,999,999') AS stored,
			bench.nice(write_min) AS \"write: ms, fastest\", bench.nice(write_median) AS \"write: median\",
			bench.nice(read_min) AS \"read: ms, fastest\", bench.nice(read_median) AS \"read: median\",
			bench.nice(both_min) AS \"both: fastest\"
		FROM transfer.figure ORDER BY both_min"
	say_sentences transfer_sentences
}

# The source's sizes were 116 KB of XML, 232 of a DataTable and 57 of rows for
# 56 KB of data.
transfer_sentences()
{
	sql_rows "WITH r AS (SELECT * FROM transfer.figure WHERE form = 'query_to_rowset'),
		x AS (SELECT * FROM transfer.figure WHERE source LIKE 'FOR XML%' ORDER BY both_min LIMIT 1),
		j AS (SELECT * FROM transfer.figure WHERE source = 'DataTable' ORDER BY both_min LIMIT 1),
		t AS ($(table_bytes)),
		least AS (SELECT bool_and(r.bytes <= f.bytes) AS bytes, bool_and(r.stored <= f.stored) AS stored, bool_and(r.both_min <= f.both_min) AS both_min,
			min(f.stored) AS rival_stored, (array_agg(f.form ORDER BY f.stored))[1] AS rival
			FROM transfer.figure f, r WHERE f.kind <> 'rowser')
		SELECT format('For %s bytes of rows in the table, the rowset has %s bytes (%s of them), XML %s and JSON %s; in the source, 56 KB became 57 KB of rows, '
				|| '116 KB of XML and 232 KB of a DataTable. ',
			to_char(t.bytes, 'FM999,999,999'), to_char(r.bytes, 'FM999,999,999'), bench.nice(r.bytes / t.bytes::float8),
			(SELECT bench.nice(min(bytes)) || ' to ' || bench.nice(max(bytes)) FROM transfer.figure WHERE source LIKE 'FOR XML%'),
			(SELECT bench.nice(min(bytes)) || ' to ' || bench.nice(max(bytes)) FROM transfer.figure WHERE source = 'DataTable'))
		|| format('Written and read, it takes %s ms: %s of what the fastest XML takes (%s), and %s of the fastest JSON (%s). ', bench.nice(r.both_min),
			bench.nice(r.both_min / x.both_min), x.form, bench.nice(r.both_min / j.both_min), j.form)
		|| CASE WHEN least.bytes AND least.stored AND least.both_min
			THEN format('So it is the smallest and the fastest of all, even where PostgreSQL compresses what is stored (%s bytes; %s: %s).',
				to_char(r.stored, 'FM999,999,999'), least.rival, to_char(least.rival_stored, 'FM999,999,999'))
			WHEN least.both_min THEN format('So it is the fastest of all, though stored compressed %s has %s bytes against %s.', least.rival,
				to_char(least.rival_stored, 'FM999,999,999'), to_char(r.stored, 'FM999,999,999'))
			ELSE 'So it is not the fastest of all.' END
		FROM r, x, j, t, least"
}
