-- The queries whose rowsets test/format/run-quick reads.  Where the reader
-- prints a type in its own way, "printed" is the query whose text it must
-- print; elsewhere that is the query itself.

\set ON_ERROR_STOP on
SET client_min_messages = warning;

CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s "ha, ppy"', '');
CREATE TYPE pair AS (a int, b text);
CREATE TYPE tree AS (name varchar(20), moods mood[], pairs pair[], span int4range);
CREATE TYPE nothing AS ();
CREATE DOMAIN positive AS int CHECK (value > 0);
CREATE DOMAIN positive_or_zero AS int8 CHECK (value >= 0);
CREATE DOMAIN very_positive AS positive CHECK (value > 100);
CREATE DOMAIN short AS varchar(5) COLLATE "C";
CREATE DOMAIN ints AS int[];
CREATE DOMAIN named_pair AS pair;
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");
CREATE TYPE pairrange AS RANGE (subtype = pair);
CREATE TABLE changed (a int, gone text, b numeric(10,2));
ALTER TABLE changed DROP COLUMN gone;
INSERT INTO changed VALUES (1, 2.5), (NULL, 0), (-7, NULL);

CREATE TABLE measured AS SELECT i % 2 AS v, i % 2 AS w FROM generate_series(1, 100) i;
CREATE STATISTICS measured_statistics (ndistinct, dependencies) ON v, w FROM measured;
ANALYZE measured;

CREATE TABLE format_case (
    name text PRIMARY KEY,
    query text NOT NULL,
    printed text
);

INSERT INTO format_case (name, query) VALUES
('no_column', 'SELECT FROM generate_series(1, 5)'),
('no_row', 'SELECT 1 AS a, ''x''::text AS b, ARRAY[1] AS c WHERE false'),
('neither', 'SELECT WHERE false'),
('null', 'SELECT NULL::int, NULL::text, NULL::int[], NULL::pair, NULL::int4range, NULL::int4multirange, NULL::record FROM generate_series(1, 4)'),
('boolean', 'SELECT * FROM unnest(ARRAY[true, false, NULL, true], ARRAY[false, false])'),
('char', 'SELECT chr(c)::"char" FROM generate_series(1, 127) c UNION ALL SELECT '''' UNION ALL SELECT NULL'),
('integers', 'SELECT * FROM unnest(
    ''{0,1,-1,32767,-32768,NULL}''::int2[],
    ''{0,1,-1,2147483647,-2147483648,NULL}''::int4[],
    ''{0,1,-1,9223372036854775807,-9223372036854775808,NULL}''::int8[],
    ''{0,1,4294967295,NULL}''::oid[], ''{3,4,4294967295,NULL}''::xid[],
    ''{0,1,4294967295}''::cid[],
    ''{0,18446744073709551615,NULL}''::xid8[],
    ''{0/10000000,16/B374D848,FFFFFFFF/FFFFFFFF}''::pg_lsn[])'),
('constant', 'SELECT i, 5::int2, -5, 5000000000, ''t''::bool, 2.5, 1.5::float4,
    ''const'', ''2020-02-29''::date, ''{}''::int[], 4294967295::oid, ''x''::"char",
    ''\x00''::bytea, ''sad''::mood, ''1 day''::interval FROM generate_series(1, 7) i'),
('float8', 'SELECT * FROM unnest(''{0,-0,1,-1,0.1,1e15,1e14,123456789012345,1234567890123456,
    0.0001,0.00001,0.00012345,-2.5e-7,NaN,Infinity,-Infinity,1.7976931348623157e308,
    5e-324,2.2250738585072014e-308,0.3,100,1e100,9007199254740993}''::float8[],
    ''{0,-0,1,-1,0.1,1e6,1e5,123456,1234567,0.0001,0.00001,NaN,Infinity,-Infinity,
    3.4028235e38,1e-45,1.1754944e-38,0.3,16777216}''::float4[])'),
('float_series', 'SELECT i / 7.0::float8, sqrt(i)::float4, exp(i)::float8, (i * 0.01)::float8,
    (i * 0.01)::float4 FROM generate_series(1, 300) i'),
('numeric', 'SELECT * FROM unnest(''{0,0.00,1,-1,10000,9999,99990000,0.1,0.0001,0.00001,
    -123.4500,1e30,1e-30,NaN,Infinity,-Infinity,12345678901234567890.123456789,
    0.00010000,100000000.00000001,NULL}''::numeric[],
    ''{1.5,-2.25}''::numeric(10,2)[]) UNION ALL SELECT repeat(''1234567890'', 100)::numeric / 3, 1'),
('numeric_series', 'SELECT i * 1.25, i::numeric, (i * 99.999)::numeric(12,2), power(10::numeric, i - 20)
    FROM generate_series(1, 60) i'),
('text', 'SELECT * FROM unnest(ARRAY['''', ''a'', NULL, E''tab\tnewline\nback\\slash\r\b\f\v'', ''\N'',
    ''äöü €'', repeat(''x'', 126), repeat(''y'', 127), repeat(''z'', 1000)],
    ARRAY[''a'', ''b'']::varchar(9)[], ARRAY[''ab'', ''c'']::char(4)[],
    ARRAY[''n'', ''name'']::name[], ARRAY[''{"a" :1}'', ''[]'']::json[], ARRAY[''x'' COLLATE "C"])'),
('text_series', 'SELECT ''word '' || i % 10, repeat(''abc'', i), CASE WHEN i % 3 = 0 THEN repeat(''q'', i) END,
    i::text FROM generate_series(1, 200) i'),
('bytea', 'SELECT * FROM unnest(ARRAY[''\x'', ''\x00ff'', NULL, decode(repeat(''00'', 500), ''hex'')]::bytea[])'),
('date', 'SELECT * FROM unnest(''{2000-01-01,1999-12-31,2024-02-29,2100-03-01,1900-02-28,0001-01-01,
    0001-12-31 BC,0044-03-15 BC,4713-01-01 BC,5874897-12-31,infinity,-infinity,NULL}''::date[])'),
('date_series', 'SELECT ''0005-01-01 BC''::date + i * 97 FROM generate_series(0, 300) i'),
('time', 'SELECT * FROM unnest(''{00:00,24:00,23:59:59.999999,01:02:03.5,12:00:00.000001}''::time[],
    ''{01:02:03+02,01:02:03.25-05:30,00:00+00,12:00+15:59:59,23:59:59-00:00:01}''::timetz[])'),
('timestamp', 'SELECT * FROM unnest(''{2000-01-01 00:00,1999-12-31 23:59:59.999999,infinity,-infinity,
    0044-03-15 12:00 BC,294276-12-31 23:59:59.999999,4713-01-01 00:00 BC,NULL}''::timestamp[],
    ''{2024-05-06 07:08:09.1+02,infinity,-infinity,0044-03-15 12:00 BC}''::timestamptz[])'),
('interval', 'SELECT * FROM unnest(''{0,1 year,2 years 1 mon,-1 mon,1 day,-2 days,1 mon -1 day,
    -1 year 3 days,-1 day 02:03:04,1 day -02:03:04.5,-00:00:01,100:00:00.000001,
    -3 years 4 mons -5 days 06:07:08,178000000 years,-1 year -13 mons,1 year -11 mons 1 day}''::interval[])'),
('fixed', 'SELECT * FROM unnest(''{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,00000000-0000-0000-0000-000000000000}''::uuid[],
    ''{08:00:2b:01:02:03}''::macaddr[], ''{08:00:2b:01:02:03:04:05}''::macaddr8[],
    ''{"(0,1)","(4294967295,65535)"}''::tid[])'),
('enum', 'SELECT * FROM unnest(''{sad,ok,"it''''s \"ha, ppy\"","",NULL,sad}''::mood[])'),
('domain', 'SELECT 5::positive, 500::positive::very_positive, ''abc''::short, ''{1,2}''::ints,
    (1, ''x'')::pair::named_pair, ARRAY[1, 2]::positive[], ARRAY[''{1}''::ints], NULL::ints'),
('array', 'SELECT * FROM unnest(ARRAY[''{}'', ''{1}'', NULL, ''{1,NULL,3}'', ''{1,2,3,4,5}'']::text[])
    CROSS JOIN LATERAL (SELECT unnest::int[] AS a, unnest::text[] AS b, unnest::numeric[] AS c, unnest::float8[] AS d) v'),
('array_text', 'SELECT ARRAY['''', ''NULL'', ''null'', NULL, ''a b'', ''a,b'', ''{}'', ''q"q'', E''b\\s'', E''\n'', E''\v'', ''plain'', ''ä'']'),
('array_dimensions', 'SELECT a FROM (VALUES (''{{1,2},{3,4}}''::int[]), (''[0:1]={5,6}''), (''{}''), (NULL),
    (''[-2:-1][3:4][1:1]={{{1},{2}},{{3},{NULL}}}''), (''{{{{{{7}}}}}}''), (''{8}'')) v(a)'),
('array_types', 'SELECT ARRAY[true, false], ARRAY[''a'']::"char"[], ''{1,2}''::int8[], ''{1.50,NULL}''::numeric[],
    ''{sad,ok}''::mood[], ARRAY[(1, ''x'')::pair, NULL, (NULL, NULL)::pair], ARRAY[''2020-01-01''::date],
    ARRAY[int4range(1, 5), ''empty''], ARRAY[''{[1,2),[5,6)}''::int4multirange], ''{\\x00,\\x}''::bytea[],
    ARRAY[''a'', ''b'']::varchar(3)[], ''{}''::uuid[], ARRAY[''a'' COLLATE "C"]'),
('composite', 'SELECT * FROM (VALUES (''(1,x)''::pair), (NULL), (''(,)''), (''(2,"a ""b"" \\ (c), d")''), (''(3,"")'')) v(p)'),
('composite_nested', 'SELECT ROW(''t'', ''{sad,ok}'', ARRAY[(1, ''a'')::pair, NULL], ''[1,5)'')::tree AS t UNION ALL
    SELECT ROW(NULL, ''{}'', NULL, ''empty'')::tree UNION ALL SELECT NULL'),
('composite_table', 'SELECT c, ARRAY[c, c] AS cc FROM changed c'),
('composite_empty', 'SELECT ROW()::nothing, ''sad''::mood'),
('record', 'SELECT x FROM (VALUES (ROW(1, ''a''::text)), (ROW(2.5, true, NULL::int)), (NULL), (ROW(7, ''b c''::text)),
    (ROW()), (ROW(ROW(1), ARRAY[2, 3]))) v(x)'),
('record_same', 'SELECT ROW(i, i::text, NULL::date) FROM generate_series(1, 9) i'),
('record_array', 'SELECT ARRAY[ROW(1, 2), ROW(''a''::text), ROW(3, 4)], ARRAY[ROW(ROW(i))] FROM generate_series(1, 3) i'),
('range', 'SELECT * FROM unnest(''{empty,"[1,5)","(,5)","[1,)","(,)",NULL}''::int4range[],
    ''{"[1.5,2.5]","(1,2)","(,0]"}''::numrange[], ''{"[2020-01-01,2020-02-01)"}''::daterange[],
    ''{"[\"2020-01-01 00:00:00\",infinity]"}''::tsrange[])'),
('range_text', 'SELECT textrange(''a'', ''b c''), textrange(''"'', E''\\'', ''[]''), textrange('''', ''x'', ''(]''),
    textrange(NULL, ''[)''), pairrange((1, ''a''), (2, ''b,c''))'),
('multirange', 'SELECT * FROM unnest(ARRAY[''{}'', ''{[1,2)}'', NULL, ''{(,0),[3,5),[9,)}'', ''{(,)}'']::int4multirange[],
    ARRAY[textmultirange(textrange(''a'', ''b''), textrange(''c d'', ''e''))])'),
('vectors', 'SELECT ''1 2 3''::int2vector, ''''::oidvector, ''23 25''::oidvector, ARRAY[''1 2''::int2vector]'),
('reg_builtin', 'SELECT ''regprocedure(int8)''::text, ''abs(int8)''::regprocedure, ''+(int4,int4)''::regoperator,
    ''int4''::regtype, ''varchar[]''::regtype, ''pg_class''::regclass, 0::regclass, ''simple''::regconfig, ''simple''::regdictionary,
    ''pg_catalog''::regnamespace, ''"C"''::regcollation, 4294967295::regclass'),
('pseudo', 'SELECT pg_sleep(0), ''c''::cstring, most_common_vals FROM pg_stats WHERE tablename = ''measured'''),
('no_input', 'SELECT stxdndistinct, stxddependencies FROM pg_statistic_ext_data'),
('units', 'SELECT i::int2, i % 2 = 0, i, NULL::int, repeat(''u'', i % 7), i::int8, 1, i::int2, i::float8, i::int2, i::int2, i % 3 = 0
    FROM generate_series(1, 130) i'),
('mixed', 'SELECT i, CASE WHEN i % 5 > 0 THEN repeat(chr(97 + i % 26), i % 300) END, ARRAY[i, NULL, i * i],
    (i, i::text)::pair, int8range(i, i + 5), i * 0.5, NOT i % 3 = 0 FROM generate_series(1, 500) i'),
('series', 'SELECT i, i * 7::int8, i * i, ''2024-01-01''::timestamp + i * ''1 min''::interval,
    ''2024-01-01''::timestamptz + i * i * ''1 s''::interval, ''2024-01-01''::date + i / 100, (i / 250)::int2,
    i % 2 = 0, i % 19 = 0, (4294967295 - i)::oid, (i - 400)::int8 * 9007199254740993,
    CASE WHEN i % 11 > 0 THEN i / 50 END FROM generate_series(1, 800) i'),
('series_random', 'SELECT i * 7919 % 1009, i * 7919 % 1009 - 500::int8, (i * 7919 % 251 - 125)::int2,
    (i * 7919 % 10007 * 0.01)::numeric(9,2), (i * 7919 % 10007 * 0.01)::float8, (i * 7919 % 10007 * 0.5)::float4,
    CASE i WHEN 77 THEN ''NaN'' WHEN 99 THEN ''-0'' ELSE i * 0.25 END::float8, CASE i WHEN 5 THEN ''NaN'' ELSE i + 0.125 END::numeric,
    CASE WHEN i % 2 = 0 THEN i ELSE i + 0.5 END::numeric, sqrt(i), i * 7919 % 3 = 0 FROM generate_series(1, 600) i'),
('minmax', 'SELECT md5(i::text)::uuid, (i * 7919 % 251)::text::bytea, (''n'' || i * 7919 % 251)::name,
    (''t'' || i * 7919 % 251)::text COLLATE "C", (''v'' || i)::varchar(9) COLLATE "C", (i * 7919 % 251)::text,
    (i * 7919 - 999)::int8, (i * 7919 - 9999)::numeric / 100, (i * 7919 % 10007 - 400) * 0.01::float8,
    sqrt(i)::float4, (i::int % 128)::"char", (i % 7)::positive_or_zero,
    (''08:00:2b:01:02:'' || lpad(to_hex(i % 256), 2, ''0''))::macaddr, (''a'' || i)::short
    FROM generate_series(1, 300::int8) i'),
('minmax_unsigned', 'SELECT (i * 16777259 % 4294967296)::oid,
    (i::numeric * 72057594037927941 % 18446744073709551616)::text::xid8 FROM generate_series(1, 300::int8) i'),
('many_columns', 'SELECT ' || (SELECT string_agg(i || ' AS c' || i, ', ') FROM generate_series(1, 400) i));

INSERT INTO format_case (name, query, printed) VALUES
('char_above_ascii', 'SELECT ''\200''::"char", ''\377''::"char"', 'SELECT ''\200'', ''\377'''),
('money', 'SELECT m::money FROM unnest(ARRAY[0, 1.25, -99999.99]) m', 'SELECT (m * 100)::int8 FROM unnest(ARRAY[0, 1.25, -99999.99]) m'),
('reg_qualified', 'SELECT ''pair''::regtype, ''changed''::regclass, ''abs(int8)''::regprocedure::oid::regproc,
    ''+(int4,int4)''::regoperator::oid::regoper, ''query_to_rowset(text)''::regprocedure',
    'SELECT ''public.pair'', ''public.changed'', ''abs(bigint)'', ''+(integer,integer)'', ''public.query_to_rowset(text)'''),
('aclitem', 'SELECT ''=r/'' || current_user AS a, (''=r/'' || quote_ident(current_user))::aclitem AS b',
    'SELECT ''=r/'' || current_user, (''=r/'' || quote_ident(current_user))::aclitem');

-- What has the shape BINARY is printed as its send function gives it.
INSERT INTO format_case (name, query, printed)
SELECT 'binary_' || type,
       format('SELECT v::%s FROM unnest(%L::text[]) v', type, inputs),
       format('SELECT %s(v::%s) FROM unnest(%L::text[]) v', typsend, type, inputs)
FROM (VALUES
    ('inet', '{127.0.0.1,::1/64,NULL}'), ('cidr', '{10.0.0.0/8}'),
    ('jsonb', '{1,"{\"a\": [1, 2]}",NULL}'), ('jsonpath', '{$.a[*]}'),
    ('bit', '{1,0}'), ('varbit', '{101,"",NULL}'),
    ('point', '{"(1,2)"}'), ('line', '{"{1,2,3}"}'), ('lseg', '{"[(1,2),(3,4)]"}'),
    ('box', '{"(1,2),(3,4)"}'), ('path', '{"[(1,2),(3,4)]"}'),
    ('polygon', '{"((1,2),(3,4))"}'), ('circle', '{"<(1,2),3>"}'),
    ('tsvector', '{"''a'':1 ''b'':2A"}'), ('tsquery', '{"''a'' & !''b''"}'),
    ('pg_snapshot', '{"10:20:10,15"}')) v(type, inputs)
JOIN pg_type ON typname = type AND typnamespace = 'pg_catalog'::regnamespace;

-- Only a server with libxml has values of xml.
INSERT INTO format_case (name, query)
SELECT 'xml', 'SELECT ''<a>b</a>''::xml'
WHERE EXISTS (SELECT FROM pg_config WHERE setting LIKE '%--with-libxml%');
