-- What reading a large value from packets is timed against.  Rows are MiB here.

-- Two forms are no readers, but say what of a reader's time isn't its own: the
-- same loop over the same packets, which only counts their bytes; and a value of
-- the same size that the server makes, which is neither read nor copied.
--
-- One form follows the other, so that what is compared over the sizes is timed
-- side by side; the one that takes seconds comes last.
INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'packets', tbl, mib, op, form, kind, format(statement, tbl, mib, bench.length_of(tbl))
FROM (VALUES
	(1, 'read', 'whole', 'floor', 4,
		'SELECT (%3$s)::text FROM rowset_to_recordset((SELECT rowset FROM bench.whole WHERE (tbl, mib) = (''%1$s'', %2$s))) AS t(v %1$s)'),
	(2, 'read', 'reader', 'rowser', 4, 'SELECT bench.read_packets(''%1$s'', %2$s)'),
	(3, 'read', 'put together, then whole', 'rowser', 4,
		'SELECT (%3$s)::text FROM rowset_to_recordset((SELECT rowset_from_packets(packet) FROM bench.packets WHERE (tbl, mib) = (''%1$s'', %2$s))) AS t(v %1$s)'),
	(4, 'count', 'packets counted', 'floor', 4, 'SELECT bench.count_packets(''%1$s'', %2$s)'),
	(5, 'make', 'a value made by repeat', 'floor', 4, 'SELECT octet_length(repeat(repeat(''x'', 1024), 1024 * %2$s))::text'),
	(6, 'read', 'append and retry', 'rival', 2, 'SELECT bench.read_naively(''%1$s'', %2$s)')
	) AS f(number, op, form, kind, most_times, statement)
	JOIN bench.whole ON mib <= most_times * :packets_mib
WHERE op <> 'make' OR tbl = 'text'
ORDER BY tbl, number, mib;

INSERT INTO bench.cases (suite, tbl, rows, op, form, kind, statement)
SELECT 'packets', 'bytea', mib, 'slices', form, 'rival', format('SELECT bench.read_slices(''%s'', %s)', rel, mib)
FROM (VALUES
	(1, 'substr, stored as it is (EXTERNAL)', 'sliced_external'),
	(2, 'substr, stored compressed', 'sliced_compressed')
	) AS f(number, form, rel)
	JOIN LATERAL (SELECT mib FROM bench.sliced_external WHERE rel = 'sliced_external'
		UNION ALL SELECT mib FROM bench.sliced_compressed WHERE rel = 'sliced_compressed') AS m ON true
ORDER BY mib, number;
