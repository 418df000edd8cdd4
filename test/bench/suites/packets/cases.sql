-- What reading a large value from packets is timed against.  Rows are MiB here.

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'packets', tbl, mib, 'read', form, kind, format(statement, tbl, mib, bench.length_of(tbl))
FROM (VALUES
	(1, 'whole', 'floor', 4,
		'SELECT (%3$s)::text FROM rowset_to_recordset((SELECT rowset FROM bench.whole WHERE (tbl, mib) = (''%1$s'', %2$s))) AS t(v %1$s)'),
	(2, 'reader', 'rowser', 4, 'SELECT bench.read_packets(''%1$s'', %2$s)'),
	(3, 'put together, then whole', 'rowser', 4,
		'SELECT (%3$s)::text FROM rowset_to_recordset((SELECT rowset_from_packets(packet) FROM bench.packets WHERE (tbl, mib) = (''%1$s'', %2$s))) AS t(v %1$s)'),
	(4, 'append and retry', 'rival', 2, 'SELECT bench.read_naively(''%1$s'', %2$s)')
	) AS f(number, form, kind, most_times, statement)
	JOIN bench.whole ON mib <= most_times * :packets_mib
ORDER BY tbl, mib, number;

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'packets', 'bytea', mib, 'slices', form, 'rival', format('SELECT bench.read_slices(''%s'', %s)', rel, mib)
FROM (VALUES
	(1, 'substr, stored as it is (EXTERNAL)', 'sliced_external'),
	(2, 'substr, stored compressed', 'sliced_compressed')
	) AS f(number, form, rel)
	JOIN LATERAL (SELECT mib FROM bench.sliced_external WHERE rel = 'sliced_external'
		UNION ALL SELECT mib FROM bench.sliced_compressed WHERE rel = 'sliced_compressed') AS m ON true
ORDER BY mib, number;
