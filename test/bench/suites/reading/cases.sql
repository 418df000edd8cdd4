-- What reading is timed against.  An operation is a query with a hole, a form
-- is what goes into it: the table itself, a value that gives the same rows, or
-- COPY, which has no query around it and only loads.  Wants "copy_dir".

-- The two values of the key between which a hundredth of the rows are.
CREATE TABLE bench.key_range (tbl text PRIMARY KEY, low text, high text);

SELECT format('INSERT INTO bench.key_range SELECT %L, b[1]::text, b[2]::text FROM (
	SELECT percentile_disc(ARRAY[0.5, 0.51]) WITHIN GROUP (ORDER BY %s) AS b FROM %s) AS x',
	tbl, range_key, tbl)
FROM bench.subject
\gexec

-- Is the rowset scan there, to be switched off?
LOAD 'rowser';
SELECT count(*) = 1 AS has_scan FROM pg_settings WHERE name = 'rowser.enable_scan' \gset

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, settings, setup, statement, returns)
SELECT 'reading', tbl, rows, op, form, kind, settings,
	CASE WHEN form = 'COPY FROM BINARY' THEN format('CREATE TEMPORARY TABLE arriving (LIKE %s) ON COMMIT DROP', rel) END,
	CASE WHEN form = 'COPY FROM BINARY' THEN format('COPY arriving FROM %L (FORMAT binary)', :'copy_dir' || '/' || rel || '.binary')
	ELSE format(replace(query, '{}', source), rel, bench.each_column(rel, '%1$s %2$s'),
		bench.each_column(rel, '%1$s %2$s PATH ''%1$s'''), bench.each_column(rel, 'count(%1$s)'),
		one_column, range_key, quote_literal(low), quote_literal(high)) END,
	form <> 'COPY FROM BINARY'
FROM (VALUES
	(1, 'all columns', 'SELECT ROW(%4$s)::text FROM {}'),
	(2, 'one column', 'SELECT (%5$s)::text FROM {}'),
	(3, '1 % range', 'SELECT ROW(%4$s)::text FROM {} WHERE %6$s BETWEEN %7$s AND %8$s'),
	(4, 'first 10 rows', 'SELECT ROW(%4$s)::text FROM (SELECT * FROM {} LIMIT 10) AS t')
	) AS o(op_number, op, query)
	JOIN (VALUES
	(1, '{1,2,3,4}'::int[], '{all,json,xml}'::text[], 'table', 'floor', '{}'::text[],
		'%1$s AS t'),
	(2, '{1,2,3,4}', '{all,json,xml}', 'rowset', 'rowser', '{}',
		'rowset_to_recordset((SELECT value FROM stored.%1$s_rowset)) AS t(%2$s)'),
	(3, '{1,2,3,4}', '{all}', 'rowset, zstd', 'rowser', '{}',
		'rowset_to_recordset((SELECT value FROM stored.%1$s_rowset_zstd)) AS t(%2$s)'),
	(4, '{1,2,3,4}', '{all}', 'rowset, none', 'rowser', '{}',
		'rowset_to_recordset((SELECT value FROM stored.%1$s_rowset_none)) AS t(%2$s)'),
	(5, '{1,2,3,4}', '{all}', 'rowset, scan off', 'rowser', '{rowser.enable_scan=off}',
		'rowset_to_recordset((SELECT value FROM stored.%1$s_rowset)) AS t(%2$s)'),
	(6, '{1,2,3,4}', '{all}', 'unnest', 'rival', '{}',
		'unnest((SELECT value FROM stored.%1$s_array)) AS t'),
	(7, '{1}', '{all}', 'COPY FROM BINARY', 'rival', '{}', ''),
	(8, '{1,2}', '{json}', 'json_to_recordset', 'rival', '{}',
		'json_to_recordset((SELECT value FROM stored.%1$s_json)) AS t(%2$s)'),
	(9, '{1,2}', '{json}', 'jsonb_to_recordset', 'rival', '{}',
		'jsonb_to_recordset((SELECT value FROM stored.%1$s_jsonb)) AS t(%2$s)'),
	(10, '{1,2}', '{xml}', 'xmltable', 'rival', '{}',
		'xmltable(''/table/row'' PASSING (SELECT value FROM stored.%1$s_xml) COLUMNS %3$s) AS t')
	) AS f(number, ops, scopes, form, kind, settings, source) ON op_number = ANY (ops)
	JOIN bench.relation r ON scope = ANY (scopes)
	JOIN bench.subject USING (tbl)
	JOIN bench.key_range USING (tbl)
WHERE (form <> 'rowset, scan off' OR :'has_scan')
	-- short lengths are there for the rivals that are measured on nothing else
	AND (scope = 'all' OR op_number <= 2)
ORDER BY ordinal, op_number, number, rows DESC
ON CONFLICT DO NOTHING;
