-- Rows into a table of the same shape, which is made anew for each measurement.

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, setup, statement, returns)
SELECT 'inserting', tbl, rows, op, form, kind, format(setup, rel, range_key),
	format(statement, rel, bench.each_column(rel, '%1$s %2$s'), :'copy_dir'), form = 'rowset_insert'
FROM (VALUES
	(1, 'into a table', 'CREATE TEMPORARY TABLE arriving (LIKE %1$s) ON COMMIT DROP'),
	(2, 'into a table with an index', 'CREATE TEMPORARY TABLE arriving (LIKE %1$s) ON COMMIT DROP; CREATE INDEX ON arriving (%2$s)')
	) AS o(op_number, op, setup)
	CROSS JOIN (VALUES
	(1, 'rowset_insert', 'rowser',
		'SELECT rowset_insert(''arriving'', value)::text FROM stored.%1$s_rowset'),
	(2, 'INSERT from rowset_to_recordset', 'rowser',
		'INSERT INTO arriving SELECT * FROM rowset_to_recordset((SELECT value FROM stored.%1$s_rowset)) AS t(%2$s)'),
	(3, 'COPY FROM BINARY', 'rival', 'COPY arriving FROM ''%3$s/%1$s.binary'' (FORMAT binary)'),
	(4, 'INSERT from the table', 'floor', 'INSERT INTO arriving SELECT * FROM %1$s')
	) AS f(number, form, kind, statement)
	JOIN bench.relation ON scope = 'all'
	JOIN bench.subject USING (tbl)
ORDER BY ordinal, op_number, number;
