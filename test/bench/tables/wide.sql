-- wide: 200 columns, a key and ten kinds in turn, some with NULLs.  "wide_rows"
-- is how many rows.

SELECT format('CREATE TABLE wide AS SELECT id::int, %s FROM generate_series(1, %s) AS id',
	string_agg(format(value, c, c / 10 + 1) || ' AS c' || c, ', ' ORDER BY c), :wide_rows)
FROM generate_series(1, 199) AS c JOIN (VALUES
	(0, 'bench.draw(id, %1$s, 1000000)'),
	(1, 'bench.draw(id, %1$s, %2$s * 1000000) * 1000::bigint'),
	(2, 'bench.draw(id, %1$s, 100)::smallint'),
	(3, '(bench.draw(id, %1$s, 100000000) / 100.0)::numeric(12,2)'),
	(4, 'bench.draw(id, %1$s, 1000000000) / 7.0::float8'),
	(5, 'nullif(bench.draw(id, %1$s, 10), 0) %% 2 = 0'),
	(6, 'date ''2000-01-01'' + nullif(bench.draw(id, %1$s, 10), 0) * %2$s'),
	(7, 'timestamptz ''2020-01-01 00:00:00Z'' + bench.draw(id, %1$s, 100000000) * interval ''1 second'''),
	(8, '(ARRAY[NULL, ''open'', ''paid'', ''sent'', ''lost''])[1 + bench.draw(id, %1$s, 5)]'),
	(9, '''item '' || bench.draw(id, %1$s, %2$s * 1000)')) AS k(digit, value) ON digit = c % 10
\gexec

CALL bench.add_subject('wide', 'id', 'sum(c102)', :json_values, :xml_values);
