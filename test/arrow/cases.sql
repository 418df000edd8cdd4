--
-- cases.sql
--	  The rowsets that readers of Arrow are given, of every type and shape.
--
CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s "ha, ppy"', '');
CREATE TYPE pair AS (a int, b text);
CREATE TYPE tree AS (name varchar(20), moods mood[], pairs pair[], price numeric(6,2), born date);
CREATE DOMAIN positive AS int CHECK (value > 0);
CREATE DOMAIN price AS numeric(8,3);
CREATE DOMAIN short AS varchar(5) COLLATE "C";
CREATE DOMAIN ints AS int[];
CREATE SCHEMA "Odd ""schema""";
CREATE TYPE "Odd ""schema"""."Odd type" AS ENUM ('a', 'b');

-- Types, one kind a case, with their extremes
INSERT INTO arrow_case (name, query) VALUES
('boolean', 'SELECT * FROM unnest(ARRAY[true, false, NULL, true], ARRAY[false, false]) AS t(a, b)'),
('integers', 'SELECT * FROM unnest(''{0,1,-1,32767,-32768,NULL}''::int2[], ''{0,1,-1,2147483647,-2147483648,NULL}''::int4[],
	''{0,1,-1,9223372036854775807,-9223372036854775808,NULL}''::int8[]) AS t(a, b, c)'),
('unsigned', 'SELECT * FROM unnest(''{0,1,4294967295,NULL}''::oid[], ''{3,4,4294967295,NULL}''::xid[], ''{0,1,4294967295}''::cid[],
	''{0,18446744073709551615,NULL}''::xid8[]) AS t(a, b, c, d)'),
('floats', 'SELECT * FROM unnest(''{0,-0,1,-1,0.1,1e15,123456789012345,0.00001,-2.5e-7,NaN,Infinity,-Infinity,1.7976931348623157e308,5e-324,NULL}''::float8[],
	''{0,-0,1,-1,0.1,1e6,123456,0.00001,NaN,Infinity,-Infinity,3.4028235e38,1e-45,0.3,16777216}''::float4[]) AS t(a, b)'),
('decimals', 'SELECT a::numeric(10,2), b::numeric(38,0), c::numeric(38,38), d::numeric(1,0), e::numeric(38,10), f::numeric(18,4) FROM unnest(
	''{0,0.01,-0.01,99999999.99,-99999999.99,NULL,5.5}''::numeric[],
	''{0,1,-1,99999999999999999999999999999999999999,-99999999999999999999999999999999999999,NULL,18446744073709551616}''::numeric[],
	''{0,0.00000000000000000000000000000000000001,-0.99999999999999999999999999999999999999,0.5,NULL}''::numeric[],
	''{0,9,-9,NULL,1}''::numeric[],
	''{0,1234567890123456789012345678.0123456789,-9999999999999999999999999999.9999999999,NULL,0.0000000001}''::numeric[],
	''{12345678901234.5678,-0.0001,NULL,100,7}''::numeric[]) AS t(a, b, c, d, e, f)'),
('numerics', 'SELECT a, b::numeric(50,10), c::numeric(39,0), d::numeric(5,-2), e::numeric(3,5) FROM unnest(
	''{0,0.00,1,-1,10000,-123.4500,1e30,1e-30,12345678901234567890.123456789,NULL}''::numeric[], ''{1.5,-2.25}''::numeric[],
	''{999999999999999999999999999999999999999}''::numeric[], ''{12345}''::numeric[], ''{0.00123}''::numeric[]) AS t(a, b, c, d, e)'),
('text', 'SELECT * FROM unnest(ARRAY['''', ''a'', NULL, E''tab\tnewline\nback\\slash\r\b\f\x0B'', ''\N'', ''äöü €'', ''𝄞'', repeat(''x'', 126),
	repeat(''y'', 127), repeat(''z'', 300)]) AS a'),
('texts', 'SELECT a::varchar(10), b::char(6), c::name, d::"char", e::varchar FROM unnest(ARRAY[''a'', '''', NULL, ''äö''],
	ARRAY[''a'', '''', NULL, ''ä b ''], ARRAY[''n'', ''name'', NULL, ''日本''], ARRAY[''c'', '''', NULL, ''d''], ARRAY[''€'']) AS t(a, b, c, d, e)'),
('long text', 'SELECT repeat(''€x'', 100000) AS a UNION ALL SELECT '''' UNION ALL SELECT repeat(''ab'', 3)'),
('bytea', 'SELECT * FROM unnest(ARRAY[''\x'', ''\x00ff'', NULL, decode(repeat(''00'', 200), ''hex''), ''\xc3'']::bytea[]) AS a'),
('uuid', 'SELECT * FROM unnest(''{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,00000000-0000-0000-0000-000000000000,NULL,ffffffff-ffff-ffff-ffff-ffffffffffff}''::uuid[]) AS a'),
('json', 'SELECT * FROM unnest(ARRAY[''{"a" :1, "a": [2]}'', ''[]'', NULL, ''"ä"'']::json[], ARRAY[''{"b": 1.50, "a": null}'', ''[]'', NULL, ''"ä"'']::jsonb[]) AS t(a, b)'),
('date', 'SELECT * FROM unnest(''{1970-01-01,2000-01-01,1969-12-31,2024-02-29,0001-01-01,0044-03-15 BC,4714-11-24 BC,5874897-12-31,NULL}''::date[]) AS a'),
('time', 'SELECT a, b::time(1) FROM unnest(''{00:00,23:59:59.999999,01:02:03.5,12:00:00.000001,NULL}''::time[], ''{23:59:59.9,01:02:03.45}''::time[]) AS t(a, b)'),
('timestamp', 'SELECT a, b, a::timestamp(3) AS c, b::timestamptz(0) AS d FROM unnest(''{1970-01-01 00:00,1969-12-31 23:59:59.999999,0044-03-15 12:00 BC,
	294246-12-31 23:59:59.999999,4713-01-01 00:00 BC,NULL}''::timestamp[],
	''{2024-05-06 07:08:09.123456+02,0044-03-15 12:00 BC,NULL,294246-12-31 00:00+00}''::timestamptz[]) AS t(a, b)'),
('interval', 'SELECT a, b::interval year to month, c::interval second(2) FROM unnest(''{0,1 year,2 years 1 mon,-1 mon,1 day,-2 days,1 mon -1 day,-1 day 02:03:04,1 day -02:03:04.5,-00:00:01,
	100:00:00.000001,-3 years 4 mons -5 days 06:07:08,178000000 years,NULL}''::interval[], ''{3 years 2 mons,NULL}''::interval[], ''{1.234 s}''::interval[]) AS t(a, b, c)'),
('enum', 'SELECT a, ''b''::"Odd ""schema"""."Odd type" AS b FROM unnest(''{sad,ok,"it''''s \"ha, ppy\"","",NULL,sad}''::mood[]) AS a'),
('domain', 'SELECT 5::positive AS a, 1.5::price AS b, ''abc''::short AS c, ''{1,2}''::ints AS d, ARRAY[1, 2]::positive[] AS e, NULL::ints AS f'),
('arrays', 'SELECT a::int[], b::text[], c::bool[], d::float8[], e::numeric(6,2)[], f::date[], g::timestamptz[], h::uuid[], i::bytea[] FROM (VALUES
	(''{1,NULL,3}'', ''{a,"",NULL,"NULL",ä}'', ''{t,NULL,f}'', ''{0.1,NaN,NULL}'', ''{1.5,NULL}'', ''{2024-01-01,NULL}'', ''{2024-01-01 00:00+00,NULL}'',
	 ''{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,NULL}'', ''{"\\x00ff",NULL,"\\x"}''), (''{}'', ''{}'', ''{}'', ''{}'', ''{}'', ''{}'', ''{}'', ''{}'', ''{}''),
	(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (''{NULL}'', ''{NULL}'', ''{NULL}'', ''{NULL}'', ''{NULL}'', ''{NULL}'', ''{NULL}'', ''{NULL}'', ''{NULL}''),
	(''{7}'', ''{b}'', ''{t}'', ''{1}'', ''{-2}'', ''{0001-01-01}'', ''{1970-01-01 00:00+00}'', ''{00000000-0000-0000-0000-000000000000}'', ''{"\\x61"}'')) AS t(a, b, c, d, e, f, g, h, i)'),
('other arrays', 'SELECT ''{1,NULL}''::int2[] AS a, ''{1,NULL}''::int8[] AS b, ''{1.5,NULL}''::float4[] AS c, ''{12:00,NULL}''::time[] AS d,
	''{1 mon,NULL}''::interval[] AS e, ''{"{\"a\": 1}",NULL}''::jsonb[] AS f, ''{127.0.0.1,NULL}''::inet[] AS g, ''{1,NULL}''::numeric[] AS h, ''{ab,NULL}''::char(4)[] AS i,
	''{2000-01-01 00:00,NULL}''::timestamp[] AS j, ''{sad,NULL,ok}''::mood[] AS k, ''{4294967295,NULL}''::oid[] AS l'),
('composites', 'SELECT * FROM unnest(ARRAY[(1, ''x''), (NULL, ''''), NULL, (NULL, NULL), (-5, ''ä'')]::pair[]) WITH ORDINALITY AS t(a, b, i), LATERAL (SELECT CASE WHEN i <> 3 THEN (a, b)::pair END AS p) AS l'),
('nested', 'SELECT ''("n","{ok,NULL}","{\"(1,x)\",NULL,\"(,)\"}",12.30,2024-01-01)''::tree AS a, ARRAY[(1, ''x''), NULL]::pair[] AS b
	UNION ALL SELECT ''(,,,,)'', ''{}'' UNION ALL SELECT NULL, NULL UNION ALL SELECT (''m'', ''{}'', ''{}'', 0, ''0001-01-01'')::tree, ARRAY[(NULL, NULL), (2, '''')]::pair[]'),
('records', 'SELECT ROW(i, ''a'' || i, NULL::int) AS a, ROW(ROW(i), ARRAY[i, NULL]) AS b FROM generate_series(1, 3) AS i'),
('network', 'SELECT * FROM unnest(''{127.0.0.1,::1/64,NULL}''::inet[], ''{10.0.0.0/8,::/0}''::cidr[], ''{08:00:2b:01:02:03}''::macaddr[], ''{08:00:2b:01:02:03:04:05}''::macaddr8[]) AS t(a, b, c, d)'),
('ranges', 'SELECT ''[1,5)''::int4range AS a, ''empty''::numrange AS b, ''(,2024-01-01)''::daterange AS c, ''{[1,2),[5,9)}''::int4multirange AS d, NULL::tsrange AS e'),
('text alone', 'SELECT B''101'' AS a, B''10''::varbit AS b, 1.25::money AS c, ''12:00:00.5+02''::timetz AS d, ''<a>b</a>''::xml AS e, ''(1,2)''::point AS f, ''<(1,2),3>''::circle AS g,
	''a:1 b:2A''::tsvector AS h, ''a & !b''::tsquery AS i, ''$.a[*]''::jsonpath AS j, ''16/B374D848''::pg_lsn AS k, ''(0,1)''::tid AS l, ''pg_class''::regclass AS m, ''int4''::regtype AS n,
	''1 2 3''::int2vector AS o, ''((1,2),(3,4))''::polygon AS p, ''10:20:10,15''::pg_snapshot AS q'),
('null all', 'SELECT NULL::bool AS a, NULL::int AS b, NULL::text AS c, NULL::int[] AS d, NULL::pair AS e, NULL::numeric(5,2) AS f, NULL::date AS g, NULL::interval AS h,
	NULL::mood AS i, NULL::uuid AS j, NULL::bytea AS k, NULL::timestamptz AS l, NULL::inet AS m, NULL::pair[] AS n, NULL::positive AS o, NULL::float8 AS p, NULL::time AS q, NULL::json AS r
	FROM generate_series(1, 9)');

-- Shapes
INSERT INTO arrow_case (name, query) VALUES
('no row', 'SELECT 1 AS a, ''x''::text AS b, ARRAY[1] AS c, ''sad''::mood AS d, (1, ''x'')::pair AS e, 1.5::numeric(4,1) AS f WHERE false'),
('no column', 'SELECT FROM generate_series(1, 5)'),
('names', 'SELECT 1 AS a, 2 AS a, 3, 4 AS "Straße ""5""", 5 AS "select", 6 AS "日本", 7 AS ' || quote_ident(repeat('x', 63))),
('columns 200', 'SELECT ' || (SELECT string_agg(i || ' AS c' || i, ', ') FROM generate_series(1, 200) AS i)),
('many', 'SELECT i, i::bigint * 7919 % 1000003 AS b, nullif(i % 5, 0) AS c, ''row '' || i AS d, i * 1.25::numeric(12,2) AS e, date ''2000-01-01'' + i AS f, i % 3 = 0 AS g
	FROM generate_series(1, 5000) AS i');
INSERT INTO arrow_case (name, query, group_rows)
SELECT name || ' in groups', query, 1000 FROM arrow_case WHERE name = 'many';
INSERT INTO arrow_case (name, query, group_rows) VALUES
('nested in groups', 'SELECT i, CASE WHEN i % 7 <> 0 THEN ARRAY[i, NULL, i * 2] END AS a, CASE WHEN i % 5 <> 0 THEN (i, ''t'' || i)::pair END AS p,
	ARRAY[(i, NULL), NULL, (NULL, ''x'' || i)]::pair[] AS l, (ARRAY[''sad'', ''ok'', NULL])[i % 3 + 1]::mood AS m, ''{}''::text[] AS t FROM generate_series(1, 2500) AS i', 1000);

-- Dictionaries, in one row group and in several that have different ones
INSERT INTO arrow_case (name, query, dictionaries, group_rows) VALUES
('dictionary', 'SELECT i, (ARRAY[''a rather long word'', ''another word of some length'', NULL, ''äöü and so on and so forth''])[i % 4 + 1] AS word FROM generate_series(1, 3000) AS i', '{word}', 65536),
('dictionary in groups', 'SELECT i, ''a rather long word '' || i * 7 % 10 + i / 1000 * 5 AS word, ''value of a varchar '' || (i * 13 % 17)::text::varchar(30) AS other FROM generate_series(1, 4000) AS i', '{word,other}', 1000);

-- Values that Arrow can't hold are NULL where that is asked for
INSERT INTO arrow_case (name, query, unrepresentable, truth) VALUES
('unrepresentable dates', 'SELECT * FROM unnest(''{infinity,2024-01-01,-infinity}''::date[], ''{infinity,2024-01-01,-infinity}''::timestamp[], ''{-infinity,infinity,2024-01-01 00:00+00}''::timestamptz[]) AS t(a, b, c)', 'null',
	'SELECT * FROM unnest(''{NULL,2024-01-01,NULL}''::date[], ''{NULL,2024-01-01,NULL}''::timestamp[], ''{NULL,NULL,2024-01-01 00:00+00}''::timestamptz[]) AS t(a, b, c)'),
('unrepresentable times', 'SELECT * FROM unnest(''{24:00,23:59:59.999999}''::time[], ''{3000000:00:00,1 mon}''::interval[], ''{294270-01-01,2024-01-01}''::timestamp[]) AS t(a, b, c)', 'null',
	'SELECT * FROM unnest(''{NULL,23:59:59.999999}''::time[], ''{NULL,1 mon}''::interval[], ''{NULL,2024-01-01}''::timestamp[]) AS t(a, b, c)'),
('unrepresentable decimals', 'SELECT a::numeric(10,2) FROM unnest(''{NaN,1.5}''::numeric[]) AS a', 'null', 'SELECT a::numeric(10,2) FROM unnest(''{NULL,1.5}''::numeric[]) AS a'),
('unrepresentable arrays', 'SELECT * FROM unnest(ARRAY[''{{1,2},{3,4}}'', ''[0:1]={1,2}'', ''{1}'']) AS a, LATERAL (SELECT a::int[] AS b) AS l', 'null',
	'SELECT * FROM (VALUES (''{{1,2},{3,4}}'', NULL), (''[0:1]={1,2}'', NULL), (''{1}'', ''{1}''::int[])) AS t'),
('unrepresentable inside', 'SELECT ARRAY[date ''infinity'', ''2024-01-01''] AS a, ROW(date ''infinity'') AS b', 'null', 'SELECT ARRAY[NULL, date ''2024-01-01''] AS a, ROW(NULL::date) AS b');

-- What has to be refused in its second row, with its SQLSTATE, and what not
CREATE TABLE refused (name text PRIMARY KEY, good text NOT NULL, bad text NOT NULL, sqlstate text NOT NULL);
INSERT INTO refused VALUES
('infinite date', 'date ''today''', 'date ''infinity''', '22008'),
('infinite timestamp', 'timestamp ''today''', 'timestamp ''-infinity''', '22008'),
('infinite timestamptz', 'timestamptz ''today''', 'timestamptz ''infinity''', '22008'),
('late timestamp', 'timestamp ''today''', 'timestamp ''294270-01-01''', '22008'),
('24:00', 'time ''0:00''', 'time ''24:00''', '22008'),
('long interval', 'interval ''1 day''', 'interval ''3000000:00:00''', '22015'),
('NaN', '0::numeric(5,2)', '''NaN''::numeric(5,2)', '22003'),
('two dimensions', '''{1}''::int[]', '''{{1,2}}''::int[]', '2202E'),
('lower bound', '''{1}''::int[]', '''[0:0]={1}''::int[]', '2202E'),
('inside a list', 'ARRAY[date ''today'']', 'ARRAY[date ''infinity'']', '22008'),
('inside a struct', 'ROW(1.5::numeric(5,2))', 'ROW(''NaN''::numeric(5,2))', '22003');
