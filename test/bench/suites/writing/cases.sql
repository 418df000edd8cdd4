-- What writing is timed against: all rows of a table become one value, of
-- which only the size is asked for, or a stream to nowhere.  The floors are
-- what any writer pays before it writes: the scan that deforms every row.
-- Wants "json_values" and "xml_values".

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, settings, statement, returns)
SELECT 'writing', tbl, rows, 'write', form, kind, settings,
	format(statement, rel, bench.each_column(rel, 'count(%1$s)')), form <> 'COPY BINARY'
FROM (VALUES
	(1, '{all,json,xml}'::text[], 'rowset', 'rowser', '{}'::text[],
		'SELECT pg_column_size(query_to_rowset(''SELECT * FROM %1$s''))'),
	(2, '{all}', 'rowset, zstd', 'rowser', '{rowser.compression=zstd}',
		'SELECT pg_column_size(query_to_rowset(''SELECT * FROM %1$s''))'),
	(3, '{all}', 'rowset, none', 'rowser', '{rowser.compression=none}',
		'SELECT pg_column_size(query_to_rowset(''SELECT * FROM %1$s''))'),
	(4, '{all}', 'rowset_agg', 'rowser', '{}',
		'SELECT pg_column_size(rowset_agg(t)) FROM %1$s AS t'),
	(5, '{all,json,xml}', 'COPY BINARY', 'rival', '{}',
		'COPY %1$s TO ''/dev/null'' (FORMAT binary)'),
	(6, '{all}', 'array_agg', 'rival', '{}',
		'SELECT pg_column_size(array_agg(t)) FROM %1$s AS t'),
	(7, '{json}', 'json_agg', 'rival', '{}',
		'SELECT pg_column_size(json_agg(t)) FROM %1$s AS t'),
	(8, '{json}', 'jsonb_agg', 'rival', '{}',
		'SELECT pg_column_size(jsonb_agg(t)) FROM %1$s AS t'),
	(9, '{xml}', 'query_to_xml', 'rival', '{}',
		'SELECT pg_column_size(query_to_xml(''SELECT * FROM %1$s'', false, false, ''''))'),
	(10, '{all}', 'floor: deform each row', 'floor', '{}',
		'SELECT bench.deform(''SELECT * FROM %1$s'')'),
	(11, '{all}', 'floor: count all columns', 'floor', '{}',
		'SELECT ROW(%2$s)::text FROM %1$s')
	) AS f(number, scopes, form, kind, settings, statement)
	JOIN bench.relation r ON scope = ANY (scopes)
	JOIN bench.subject USING (tbl)
ORDER BY ordinal, number, rows DESC
ON CONFLICT DO NOTHING;		-- a table that is short is the same in all lengths
