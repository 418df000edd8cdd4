-- The queries whose rowsets became golden files, written by the server; the
-- others are built by hand (test/format/*.t and faults.pl).  Each is written
-- with this compression, in row groups of this many rows, in a database of this
-- encoding.

CREATE TABLE golden_query (
	name text PRIMARY KEY,
	query text NOT NULL,
	compression text NOT NULL DEFAULT 'none',
	group_rows int NOT NULL DEFAULT 65536,
	encoding text NOT NULL DEFAULT 'UTF8'
);

-- Shapes of results
INSERT INTO golden_query (name, query) VALUES
('no_column', 'SELECT FROM generate_series(1, 5)'),
('no_row', 'SELECT 1 AS a, ''x''::text AS b, ARRAY[1] AS c WHERE false'),
('neither', 'SELECT WHERE false'),
('null_all', 'SELECT NULL::int AS a, NULL::text AS b, NULL::int[] AS c, NULL::pair AS d, NULL::int4range AS e, NULL::int4multirange AS f,
	NULL::record AS g, NULL::positive AS h, NULL::mood AS i, NULL::inet AS j FROM generate_series(1, 4)'),
('null_some', 'SELECT nullif(i, 2) AS a, NULL::int AS b, nullif(i::text, ''1'') AS c, nullif(i % 2 = 0, true) AS d FROM generate_series(1, 17) AS i'),
('names', 'SELECT 1 AS a, 2 AS a, 3, 4 AS "Straße ""5""", 5 AS "select", 6 AS "日本", 7 AS ' || quote_ident(repeat('x', 63))),
('typmods', 'SELECT ''ab''::varchar(5) AS a, ''ab''::char(4) AS b, 1.5::numeric(6,2) AS c, B''101''::bit(3) AS d, B''10''::varbit(7) AS e,
	''01:02:03.456''::time(1) AS f, ''2024-05-06 07:08:09.123456''::timestamp(3) AS g, ''1 day 02:03''::interval day to minute AS h,
	''{1.5}''::numeric(6,2)[] AS i, ''a''::"char" AS j'),
('collations', 'SELECT ''a'' COLLATE "C" AS a, ''b''::varchar(3) COLLATE "POSIX" AS b, ARRAY[''c'' COLLATE "C"] AS c, ''d''::short AS d, ''e''::name AS e'),
('columns_200', 'SELECT ' || (SELECT string_agg(i || ' AS c' || i, ', ') FROM generate_series(1, 200) AS i));

-- Types
INSERT INTO golden_query (name, query) VALUES
('boolean', 'SELECT * FROM unnest(ARRAY[true, false, NULL, true], ARRAY[false, false]) AS t(a, b)'),
('char', 'SELECT chr(c)::"char" AS a FROM generate_series(1, 127) AS c UNION ALL SELECT '''' UNION ALL SELECT NULL'),
('integers', 'SELECT * FROM unnest(''{0,1,-1,32767,-32768,NULL}''::int2[], ''{0,1,-1,2147483647,-2147483648,NULL}''::int4[],
	''{0,1,-1,9223372036854775807,-9223372036854775808,NULL}''::int8[]) AS t(a, b, c)'),
('integers_unsigned', 'SELECT * FROM unnest(''{0,1,4294967295,NULL}''::oid[], ''{3,4,4294967295,NULL}''::xid[], ''{0,1,4294967295}''::cid[],
	''{0,18446744073709551615,NULL}''::xid8[], ''{0/10000000,16/B374D848,FFFFFFFF/FFFFFFFF}''::pg_lsn[]) AS t(a, b, c, d, e)'),
('floats', 'SELECT * FROM unnest(''{0,-0,1,-1,0.1,1e15,123456789012345,0.00001,-2.5e-7,NaN,Infinity,-Infinity,1.7976931348623157e308,5e-324,0.3,NULL}''::float8[],
	''{0,-0,1,-1,0.1,1e6,123456,0.00001,NaN,Infinity,-Infinity,3.4028235e38,1e-45,0.3,16777216}''::float4[]) AS t(a, b)'),
('numeric', 'SELECT * FROM unnest(''{0,0.00,1,-1,10000,9999,99990000,0.1,0.0001,0.00001,-123.4500,1e30,1e-30,NaN,Infinity,-Infinity,
	12345678901234567890.123456789,0.00010000,100000000.00000001,NULL}''::numeric[], ''{1.5,-2.25}''::numeric(10,2)[]) AS t(a, b)
	UNION ALL SELECT repeat(''1234567890'', 20)::numeric / 3, 1'),
('text', 'SELECT * FROM unnest(ARRAY['''', ''a'', NULL, E''tab\tnewline\nback\\slash\r\b\f\x0B'', ''\N'', ''äöü €'', ''𝄞'', repeat(''x'', 126),
	repeat(''y'', 127), repeat(''z'', 300)]) AS a'),
('text_others', 'SELECT * FROM unnest(ARRAY[''a'', ''b'']::varchar[], ARRAY[''ab'', ''c'']::char(4)[], ARRAY[''n'', ''name'']::name[],
	ARRAY[''{"a" :1}'', ''[]'']::json[]) AS t(a, b, c, d)'),
('xml', 'SELECT ''<a>b</a>''::xml AS a UNION ALL SELECT ''text<b/>''::xml'),
('bytea', 'SELECT * FROM unnest(ARRAY[''\x'', ''\x00ff'', NULL, decode(repeat(''00'', 200), ''hex'')]::bytea[]) AS a'),
('date', 'SELECT * FROM unnest(''{2000-01-01,1999-12-31,2024-02-29,1900-02-28,0001-01-01,0044-03-15 BC,4713-01-01 BC,5874897-12-31,
	infinity,-infinity,NULL}''::date[]) AS a'),
('time', 'SELECT * FROM unnest(''{00:00,24:00,23:59:59.999999,01:02:03.5,12:00:00.000001}''::time[],
	''{01:02:03+02,01:02:03.25-05:30,00:00+00,12:00+15:59:59,23:59:59-00:00:01}''::timetz[]) AS t(a, b)'),
('timestamp', 'SELECT * FROM unnest(''{2000-01-01 00:00,1999-12-31 23:59:59.999999,infinity,-infinity,0044-03-15 12:00 BC,
	294276-12-31 23:59:59.999999,4713-01-01 00:00 BC,NULL}''::timestamp[],
	''{2024-05-06 07:08:09.1+02,infinity,-infinity,0044-03-15 12:00 BC}''::timestamptz[]) AS t(a, b)'),
('interval', 'SELECT * FROM unnest(''{0,1 year,2 years 1 mon,-1 mon,1 day,-2 days,1 mon -1 day,-1 day 02:03:04,1 day -02:03:04.5,-00:00:01,
	100:00:00.000001,-3 years 4 mons -5 days 06:07:08,178000000 years}''::interval[]) AS a'),
('money', 'SELECT v::numeric::money AS a FROM unnest(ARRAY[0, 1.25, -99999.99]) AS v'),
('fixed', 'SELECT * FROM unnest(''{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,00000000-0000-0000-0000-000000000000}''::uuid[],
	''{08:00:2b:01:02:03,ff:ff:ff:ff:ff:ff}''::macaddr[], ''{08:00:2b:01:02:03:04:05}''::macaddr8[], ''{"(0,1)","(4294967295,65535)"}''::tid[]) AS t(a, b, c, d)'),
('binary_network', 'SELECT * FROM unnest(''{127.0.0.1,::1/64,NULL}''::inet[], ''{10.0.0.0/8,::/0}''::cidr[]) AS t(a, b)'),
('binary_bits', 'SELECT B''1'' AS a, B''10110''::varbit AS b, ''''::varbit AS c'),
('binary_json', 'SELECT ''{"a": [1, 2.50, null, "ä"], "b": {}}''::jsonb AS a, ''1''::jsonb AS b, ''$.a[*] ? (@ > 1)''::jsonpath AS c'),
('binary_geometry', 'SELECT ''(1,2)''::point AS a, ''{1,2,3}''::line AS b, ''[(1,2),(3,4)]''::lseg AS c, ''(1,2),(3,4)''::box AS d, ''[(1,2),(3,4)]''::path AS e,
	''((1,2),(3,4),(5,6))''::polygon AS f, ''<(1,2),3>''::circle AS g'),
('binary_search', 'SELECT ''a:1 b:2A''::tsvector AS a, ''a & !b <-> c''::tsquery AS b, ''''::tsvector AS c, ''''::tsquery AS d'),
('binary_snapshot', 'SELECT ''10:20:10,15''::pg_snapshot AS a, ''10:20:10,15''::txid_snapshot AS b'),
('binary_named', 'SELECT ''a=>1, b=>NULL, "ä "=>""''::hstore AS a, ARRAY[''c=>d''::hstore] AS b'),
('output_reg', 'SELECT ''abs(int8)''::regprocedure AS a, ''+(int4,int4)''::regoperator AS b, ''varchar[]''::regtype AS c, ''pg_class''::regclass AS d, 0::regclass AS e,
	''simple''::regconfig AS f, ''simple''::regdictionary AS g, ''pg_catalog''::regnamespace AS h, ''"C"''::regcollation AS i, ''pg_monitor''::regrole AS j'),
('output_reg_qualified', 'SELECT ''public.pair''::regtype AS a, ''public.changed''::regclass AS b, ''public.noun(int4)''::regprocedure AS c'),
('output_vectors', 'SELECT ''1 2 3''::int2vector AS a, ''''::oidvector AS b, ARRAY[''1 2''::int2vector] AS c'),
('output_aclitem', 'SELECT ''pg_monitor=r*w/pg_monitor''::aclitem AS a'),
('output_nothing', 'SELECT ROW()::nothing AS a'),
('pseudo', 'SELECT pg_sleep(0) AS a, ''c''::cstring AS b'),
('label', 'SELECT a, a::text::"Odd ""schema"""."Odd type" AS b FROM unnest(''{sad,ok,"it''''s \"ha, ppy\"","",NULL,sad}''::mood[]) AS a WHERE false
	UNION ALL SELECT a, ''a'' FROM unnest(''{sad,ok,"it''''s \"ha, ppy\"","",NULL,sad}''::mood[]) AS a'),
('domain', 'SELECT 5::positive AS a, 500::positive::very_positive AS b, ''abc''::short AS c, ''{1,2}''::ints AS d, (1, ''x'')::pair::named_pair AS e,
	ARRAY[1, 2]::positive[] AS f, NULL::ints AS g, ''2024-01-01''::day AS h');

-- Nested values
INSERT INTO golden_query (name, query) VALUES
('array', 'SELECT * FROM (VALUES (''{}''::int[], ''{}''::text[], ''{}''::numeric[], ''{}''::float8[]), (''{1}'', ''{a}'', ''{1.50}'', ''{0.1}''), (NULL, NULL, NULL, NULL),
	(''{1,NULL,3}'', ''{"",NULL,"NULL","a b","q\"q"}'', ''{NULL,NaN}'', ''{-0,Infinity}'')) AS t(a, b, c, d)'),
('array_dimensions', 'SELECT * FROM (VALUES (''{{1,2},{3,4}}''::int[]), (''[0:1]={5,6}''), (''{}''), (NULL), (''[-2:-1][3:4][1:1]={{{1},{2}},{{3},{NULL}}}''),
	(''{{{{{{7}}}}}}''), (''{8}'')) AS t(a)'),
('array_types', 'SELECT ARRAY[true, false] AS a, ARRAY[''a'']::"char"[] AS b, ''{1,2}''::int8[] AS c, ''{sad,ok}''::mood[] AS d, ARRAY[(1, ''x'')::pair, NULL, (NULL, NULL)::pair] AS e,
	ARRAY[''2020-01-01''::date] AS f, ARRAY[int4range(1, 5), ''empty''] AS g, ARRAY[''{[1,2),[5,6)}''::int4multirange] AS h, ''{\\x00,\\x}''::bytea[] AS i,
	ARRAY[''a'', ''b'']::varchar(3)[] AS j, ''{}''::uuid[] AS k, ARRAY[''127.0.0.1''::inet] AS l, ARRAY[''pg_class''::regclass] AS m'),
('array_constant', 'SELECT array_fill(7, ARRAY[300]) AS a, array_fill(''x''::text, ARRAY[300]) AS b, array_fill(NULL::int, ARRAY[300]) AS c'),
('composite', 'SELECT * FROM (VALUES (''(1,x)''::pair), (NULL), (''(,)''), (''(2,"a ""b"" \\ (c), d")''), (''(3,"")'')) AS t(a)'),
('composite_nested', 'SELECT ROW(''t'', ''{sad,ok}'', ARRAY[(1, ''a'')::pair, NULL], ''[1,5)'')::tree AS a UNION ALL
	SELECT ROW(NULL, ''{}'', NULL, ''empty'')::tree UNION ALL SELECT NULL'),
('composite_table', 'SELECT c AS a, ARRAY[c, c] AS b FROM (VALUES (1, 2.5), (NULL, 0), (-7, NULL)) AS v(x, y), LATERAL (SELECT (x, y)::changed AS c) AS w'),
('record', 'SELECT a FROM (VALUES (ROW(1, ''a''::text)), (ROW(2.5, true, NULL::int)), (NULL), (ROW(7, ''b c''::text)), (ROW()), (ROW(ROW(1), ARRAY[2, 3]))) AS t(a)'),
('record_array', 'SELECT ARRAY[ROW(1, 2), ROW(''a''::text), ROW(3, 4)] AS a, ARRAY[ROW(ROW(i))] AS b FROM generate_series(1, 3) AS i'),
('range', 'SELECT * FROM unnest(''{empty,"[1,5)","(,5)","[1,)","(,)",NULL}''::int4range[], ''{"[1.5,2.5]","(1,2)","(,0]"}''::numrange[],
	''{"[2020-01-01,2020-02-01)"}''::daterange[], ''{"[\"2020-01-01 00:00:00\",infinity]"}''::tsrange[]) AS t(a, b, c, d)'),
('range_named', 'SELECT textrange(''a'', ''b c'') AS a, textrange(''"'', E''\\'', ''[]'') AS b, textrange('''', ''x'', ''(]'') AS c, textrange(NULL, ''[)'') AS d,
	pairrange((1, ''a''), (2, ''b,c'')) AS e'),
('multirange', 'SELECT * FROM unnest(ARRAY[''{}'', ''{[1,2)}'', NULL, ''{(,0),[3,5),[9,)}'', ''{(,)}'']::int4multirange[],
	ARRAY[textmultirange(textrange(''a'', ''b''), textrange(''c d'', ''e''))]) AS t(a, b)');

-- Encodings, as the writer chooses them
INSERT INTO golden_query (name, query) VALUES
('constant', 'SELECT 5::int2 AS a, -5 AS b, 5000000000 AS c, true AS d, 2.5 AS e, 1.5::float4 AS f, ''const''::text AS g, ''2020-02-29''::date AS h, 4294967295::oid AS i,
	''x''::"char" AS j, ''\x00''::bytea AS k, ''sad''::mood AS l, ''1 day''::interval AS m, ''{}''::int[] AS n FROM generate_series(1, 3)'),
('dictionary', 'SELECT ''word '' || i % 5 AS a, (i % 3 * 1000000007)::int8 AS b, (ARRAY[''sad'', ''ok''])[1 + i % 2]::mood AS c, ARRAY[''e'' || i % 3, ''f''] AS d,
	(''a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1'' || i % 4)::uuid AS e FROM generate_series(1, 60) AS i'),
('series', 'SELECT i AS a, i * 7::int8 AS b, i * i AS c, ''2024-01-01''::timestamp + i * ''1 min''::interval AS d, ''2024-01-01''::date + i / 10 AS e, (i / 25)::int2 AS f,
	i % 2 = 0 AS g, (4294967295 - i)::oid AS h, i * 7919 % 1009 AS i, CASE WHEN i % 11 > 0 THEN i / 5 END AS j FROM generate_series(1, 80) AS i'),
('scaled', 'SELECT i * 1.25 AS a, i::numeric AS b, round(i * 99.999, i % 4) AS c, (i * 0.01)::float8 AS d, (i * 0.01)::float4 AS e,
	CASE i WHEN 7 THEN ''NaN'' WHEN 9 THEN ''-0'' ELSE i * 0.25 END::float8 AS f, CASE i WHEN 5 THEN ''NaN'' ELSE i + 0.125 END::numeric AS g, ARRAY[i * 0.5, 2] AS h
	FROM generate_series(1, 40) AS i'),
('bounds', 'SELECT i AS a, (i::int8 << 33) AS b, i::int2 AS c, (4294967295 - i)::oid AS d, i / 8.0::float8 AS e, (i / 4.0)::float4 AS f, i * 0.01 AS g, md5(i::text)::uuid AS h,
	(''n'' || i)::name AS i, (''t'' || i) COLLATE "C" AS j, (i * 7919 % 251)::text::bytea AS k FROM generate_series(1, 130) AS i');

-- Row groups, compression, character sets
INSERT INTO golden_query (name, query, group_rows) VALUES
('groups_1', 'SELECT i AS a, ''t'' || i AS b, ARRAY[i, NULL] AS c FROM generate_series(1, 5) AS i', 1),
('groups_2', 'SELECT i AS a, CASE WHEN i > 2 THEN ''t'' || i END AS b FROM generate_series(1, 7) AS i', 2),
('groups_10', 'SELECT i AS a, i * 0.5 AS b, i % 7 = 0 AS c FROM generate_series(1, 100) AS i', 10),
('groups_no_column', 'SELECT FROM generate_series(1, 5)', 2),
('units', 'SELECT i AS a, repeat(''u'', i) AS b, i::int8 AS c, 1 AS d, i::float8 / 3 AS e, i::int2 AS f FROM generate_series(1, 40) AS i', 20);
INSERT INTO golden_query (name, query, compression, group_rows)
SELECT c || '_' || name, query, c, group_rows
FROM unnest('{lz4,zstd}'::text[]) AS c, (VALUES
	('text', 'SELECT i AS a, ''some words that come again, number '' || i AS b FROM generate_series(1, 40) AS i', 65536),
	('nulls', 'SELECT CASE WHEN i % 16 = 0 THEN i END AS a, ARRAY[i % 2, NULL] AS b FROM generate_series(1, 1100) AS i', 65536),
	('nested', 'SELECT (i, ''text '' || i)::pair AS a, ARRAY[i, i, i] AS b, int4range(i, i + 5) AS c, ''{"key": "value"}''::jsonb AS d FROM generate_series(1, 60) AS i', 65536),
	('groups', 'SELECT i AS a, repeat(''abc '', 30) || i AS b FROM generate_series(1, 30) AS i', 10)) AS v(name, query, group_rows);
INSERT INTO golden_query (name, query, encoding) VALUES
('encoding_latin1', 'SELECT ''größe'' AS "größe", ARRAY[''é''] AS a, ''{"ä": 1}''::jsonb AS b, ''ö=>ü''::hstore AS c, ROW(1, ''ß'')::pair AS d', 'LATIN1'),
('encoding_latin9', 'SELECT ''5 €''::text AS a', 'LATIN9'),
('encoding_win1251', 'SELECT ''слово''::text AS a', 'WIN1251'),
('encoding_euc_jp', 'SELECT ''日本語''::text AS a, ARRAY[''カナ''] AS b', 'EUC_JP'),
('encoding_sql_ascii', 'SELECT ''plain''::text AS a, ''größe''::text AS b', 'SQL_ASCII');
