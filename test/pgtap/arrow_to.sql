--
-- arrow_to.sql
--	  Arrow streams say of types what they should and hold what the query gives,
--	  whatever the row groups look like; by a reader of our own that is made from
--	  the format's description (lib/arrow.sql).  What Arrow cannot hold is an error
--	  that says where, or NULL.  Every type's values are arrow_types.sql's affair,
--	  readers that are not ours that of the suite arrow.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/samples.sql
\ir lib/arrow.sql
SELECT no_plan();

SET LOCAL TimeZone = 'UTC';
SET LOCAL rowser.arrow_unrepresentable = 'null';

--
-- Types and what a schema says of them
--
SELECT is(arrow.types(query_to_arrow(format('SELECT NULL::%s AS v', type))), 'v: ' || expected, type || ' is ' || expected)
FROM (VALUES ('boolean', 'Bool'), ('smallint', 'Int16'), ('integer', 'Int32'), ('bigint', 'Int64'), ('oid', 'UInt32'), ('xid', 'UInt32'), ('cid', 'UInt32'), ('xid8', 'UInt64'),
			 ('real', 'Float32'), ('double precision', 'Float64'), ('numeric(10,2)', 'Decimal128(10,2)'), ('numeric(38,38)', 'Decimal128(38,38)'), ('numeric(38)', 'Decimal128(38,0)'),
			 ('numeric(39,2)', 'Utf8'), ('numeric(5,-2)', 'Utf8'), ('numeric(3,5)', 'Utf8'), ('numeric', 'Utf8'), ('text', 'Utf8'), ('varchar(5)', 'Utf8'), ('char(5)', 'Utf8'), ('name', 'Utf8'),
			 ('"char"', 'Utf8'), ('bytea', 'Binary'), ('uuid', 'FixedSizeBinary(16)'), ('json', 'Utf8'), ('jsonb', 'Utf8'), ('date', 'Date32'), ('time(3)', 'Time64(us)'), ('timetz', 'Utf8'),
			 ('timestamp', 'Timestamp(us)'), ('timestamptz(0)', 'Timestamp(us, UTC)'), ('interval', 'MonthDayNano'), ('mood', 'Dictionary(Utf8)'), ('mood[]', 'List<item: Dictionary(Utf8)>'),
			 ('numeric(10,2)[]', 'List<item: Decimal128(10,2)>'), ('pair', 'Struct<a: Int32, b: Utf8>'), ('pair[]', 'List<item: Struct<a: Int32, b: Utf8>>'), ('posint', 'Int32'),
			 ('int4range', 'Utf8'), ('int4multirange', 'Utf8'), ('inet', 'Utf8'), ('bit(3)', 'Utf8'), ('money', 'Utf8'), ('regclass', 'Utf8'), ('point', 'Utf8'), ('xml', 'Utf8'), ('tsvector', 'Utf8'),
			 ('hstore', 'Utf8'), ('pg_lsn', 'Utf8'), ('tid', 'Utf8')) AS t(type, expected);

-- A field's metadata
CREATE FUNCTION arrow.metadata_of(p_query text) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM arrow.read(query_to_arrow(p_query));
	RETURN (SELECT jsonb_agg(metadata ORDER BY id) FROM arrow.field);
END $$;
CREATE DOMAIN price AS numeric(10,2);
CREATE DOMAIN prices AS price[];
SELECT is(arrow.metadata_of('SELECT ' || expression), expected::jsonb, 'metadata of ' || expression)
FROM (VALUES ('1', '[{"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "int4"}]'),
			 ('1.5::numeric(10,2)', '[{"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "numeric", "postgresql:typmod": "655366"}]'),
			 ('ARRAY[1.5]::numeric(10,2)[]', '[{}, {"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "numeric", "postgresql:typmod": "655366"}]'),
			 ('1.5::price', '[{"postgresql:type_schema": "public", "postgresql:type_name": "price"}]'),
			 ('ARRAY[1.5]::prices', '[{"postgresql:type_schema": "public", "postgresql:type_name": "prices"}, {"postgresql:type_schema": "public", "postgresql:type_name": "price"}]'),
			 ('''sad''::mood', '[{"postgresql:type_schema": "public", "postgresql:type_name": "mood"}]'),
			 ('ROW(1, ''x'')::pair', '[{"postgresql:type_schema": "public", "postgresql:type_name": "pair"}, {"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "int4"},
				{"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "text"}]'),
			 ('ROW(true)', '[{}, {"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "bool"}]'),
			 ('''x'' COLLATE "C"', '[{"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "text", "postgresql:collation": "C", "postgresql:collation_schema": "pg_catalog"}]'),
			 ('''x'' COLLATE "od d"."C o"', '[{"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "text", "postgresql:collation": "C o", "postgresql:collation_schema": "od d"}]'),
			 ('gen_random_uuid()', '[{"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "uuid", "ARROW:extension:name": "arrow.uuid", "ARROW:extension:metadata": ""}]'),
			 ('''1''::json', '[{"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "json", "ARROW:extension:name": "arrow.json", "ARROW:extension:metadata": ""}]'),
			 ('''1''::jsonb', '[{"postgresql:type_schema": "pg_catalog", "postgresql:type_name": "jsonb", "ARROW:extension:name": "arrow.json", "ARROW:extension:metadata": ""}]')) AS m(expression, expected);

-- Types that are not here any more are none that matter, unless their values have to be printed.
CREATE TYPE gone AS ENUM ('a');
CREATE TYPE gone_pair AS (m gone, n int);
CREATE DOMAIN gone_domain AS gone_pair;
SELECT query_to_rowset('SELECT ''a''::gone AS m, ROW(''a'', 1)::gone_pair AS p, ROW(''a'', 2)::gone_pair::gone_domain AS d, ARRAY[''a'']::gone[] AS a') AS gone \gset
DROP TYPE gone CASCADE;
DROP TYPE gone_pair CASCADE;
SELECT is(arrow.types(rowset_to_arrow(:'gone')), 'm: Dictionary(Utf8), p: Struct<m: Dictionary(Utf8), n: Int32>, d: Struct<m: Dictionary(Utf8), n: Int32>, a: List<item: Dictionary(Utf8)>',
		  'types that do not exist');
SELECT is((SELECT string_agg(value, ' ' ORDER BY field) FROM arrow.value), 'a (a,1) (a,2) {a}', 'and their values');

--
-- Shapes
--
SELECT is(arrow.types(query_to_arrow('SELECT FROM generate_series(1, 3)')), NULL, 'no columns');
SELECT is(max(row), 3::bigint, 'but rows') FROM arrow.value;
SELECT is(arrow.types(query_to_arrow('SELECT WHERE false')), NULL, 'neither columns nor rows');
SELECT is(count(*), 0::bigint, 'neither of them') FROM arrow.value;
SELECT is(arrow.types(query_to_arrow('SELECT 1 AS a, ''sad''::mood AS a, NULL::int AS "größe ""x""" WHERE false')), 'a: Int32, a: Dictionary(Utf8), größe "x": Int32', 'no rows, and a name twice');
SELECT is((SELECT count(*) FROM arrow.value) + (SELECT count(*) FROM arrow.dictionary), 0::bigint, 'no values');
SELECT is(arrow.types(query_to_arrow('SELECT ' || string_agg(format('%s AS c%s', i, i), ', ') || ' FROM generate_series(1, 2)')), string_agg(format('c%s: Int32', i), ', '), '200 columns')
FROM generate_series(1, 200) AS i;
SELECT is((SELECT count(*) FROM arrow.value JOIN arrow.field ON id = field WHERE name = 'c' || value), 400::bigint, 'with their values');

--
-- Row groups, whatever their nodes look like
--
CREATE FUNCTION arrow.spread(p_expression text, p_rows int, VARIADIC p_spreads text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_query text := (SELECT format('SELECT %s FROM generate_series(1, %s) AS i', string_agg(format('(SELECT %s FROM (SELECT (%s) AS x OFFSET 0) AS x WHERE x IS NOT NULL) AS c%s', p_expression, s, o), ', '), p_rows)
					 FROM unnest(p_spreads) WITH ORDINALITY AS u(s, o));
	v_found text;
BEGIN
	PERFORM arrow.read(query_to_arrow(v_query));
	FOR i IN 1 .. cardinality(p_spreads) LOOP
		EXECUTE format('SELECT coalesce($1, arrow.differ(%L, arrow.named(%L), array_agg(translate(c%s::text, ''"'', ''''))))  FROM (%s) AS s', p_spreads[i], 'c' || i, i, v_query) INTO v_found USING v_found;
	END LOOP;
	RETURN v_found;
END $$;
CREATE TABLE kind (ord serial, expression text);
INSERT INTO kind (expression) VALUES ('x % 2 = 1'), ('x'), ('x::int8 * 30000000000007'), ('(x / 4.5 + 0.01)::numeric(12,3)'), ('(x * 1000000007.0 * 1000000007.0)::numeric(30)'), ('(x * 100000000000000000000.0)::numeric(30,1)'), ('(x * -100000000000000000000.25)::numeric(30,2)'), ('x * 1.10'), ('date ''2000-01-01'' + x'),
	('''value '' || x'), ('repeat(chr(97 + x % 26), x % 300 + 1)'), ('(enum_range(NULL::mood))[x % 3 + 2]'), ('CASE x % 4 WHEN 0 THEN ''{}'' ELSE array_fill(x, ARRAY[x % 4]) END'),
	('CASE x % 3 WHEN 0 THEN NULL ELSE ROW(x, ''c'' || x)::pair END'), ('ROW(x, x::text)'), ('int4range(x, x + 3)');
SET LOCAL rowser.row_group_rows = 16;
SELECT is(arrow.spread(expression, 40, '5', 'i % 2 + 1', 'i % 7 + 1', 'i / 50 + 1', 'i', '100000 - i', 'CASE WHEN i % 3 <> 0 THEN i % 5 END', 'CASE WHEN i > 8 THEN i END',
					   'CASE WHEN i < 9 THEN i END', 'CASE WHEN i <> 3 THEN 5 END', 'CASE WHEN i = 3 THEN 5 END', 'NULL::int'), NULL, expression || ' in small groups')
FROM kind ORDER BY ord;
SET LOCAL rowser.row_group_rows = 1100;
SELECT is(arrow.spread(expression, 1150, 'CASE WHEN i % 3 <> 0 THEN i % 5 END'), NULL, expression || ' in larger ones than batches') FROM kind WHERE ord IN (2, 10, 12, 13, 14) ORDER BY ord;
RESET rowser.row_group_rows;

--
-- Dictionaries: those of enums always, of text where every row group has one
--
CREATE FUNCTION arrow.typed(p_rowset bytea) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM arrow.types(rowset_to_arrow(p_rowset));
	RETURN format('%s of %s', (SELECT string_agg(type, ', ' ORDER BY id) FROM arrow.field), (SELECT count(*) FROM arrow.dictionary));
END $$;
SELECT query_to_rowset('SELECT ''value '' || i % 3 AS v FROM generate_series(1, 100) AS i') AS few, query_to_rowset('SELECT ''value '' || i % 3 + 2 AS v FROM generate_series(1, 100) AS i') AS other,
	query_to_rowset('SELECT ''value '' || i % 20 AS v FROM generate_series(1, 1000) AS i') AS more, query_to_rowset('SELECT ''value '' || i AS v FROM generate_series(1, 100) AS i') AS many, query_to_rowset('SELECT ''all the same'' AS v FROM generate_series(1, 100) AS i') AS same,
	query_to_rowset('SELECT NULL::text AS v FROM generate_series(1, 100) AS i') AS none \gset
SELECT is(arrow.typed(rowset), expected, name)
FROM (VALUES ('a dictionary', :'few'::bytea, 'Dictionary(Utf8) of 3'), ('two, with a value in common', rowset_concat(:'few', :'other'), 'Dictionary(Utf8) of 5'), ('a longer one behind it', rowset_concat(:'few', :'more'), 'Dictionary(Utf8) of 20'), ('none', :'many', 'Utf8 of 0'),
			 ('one of two', rowset_concat(:'few', :'many'), 'Utf8 of 0'), ('the other one', rowset_concat(:'many', :'few'), 'Utf8 of 0'), ('a constant', :'same', 'Utf8 of 0'),
			 ('a dictionary and a constant', rowset_concat(:'same', :'few'), 'Dictionary(Utf8) of 4'), ('a dictionary and NULLs', rowset_concat(:'none', :'few', :'none'), 'Dictionary(Utf8) of 3'),
			 ('NULLs', :'none', 'Utf8 of 0')) AS d(name, rowset, expected);
SELECT is(arrow.typed(r) || arrow.column(rowset_to_arrow(r))::text, 'Dictionary(Utf8) of 3' || v::text, 'a dictionary of ' || type)
FROM unnest('{varchar,varchar(10),char(7),char(10)}'::text[]) AS type, query_to_rowset(format('SELECT (''value '' || i %% 3)::%s AS v FROM generate_series(1, 100) AS i', type)) AS r,
	LATERAL (SELECT array_agg(rpad('value ' || i % 3, CASE type WHEN 'char(10)' THEN 10 ELSE 7 END) ORDER BY i) AS v FROM generate_series(1, 100) AS i) AS e;
SELECT is(arrow.column(rowset_to_arrow(rowset_concat(:'few', :'same', :'none', :'other')))::text,
		  (SELECT array_agg(v) FROM (SELECT * FROM rowset_to_recordset(:'few'::bytea) AS t(v text) UNION ALL SELECT * FROM rowset_to_recordset(:'same'::bytea) AS t(v text)
				UNION ALL SELECT * FROM rowset_to_recordset(:'none'::bytea) AS t(v text) UNION ALL SELECT * FROM rowset_to_recordset(:'other'::bytea) AS t(v text)) AS t)::text, 'the values of several dictionaries');
-- 40,000 values in one row group and 40,000 others in the next: each has a dictionary, but all are too many for one
SET LOCAL rowser.row_group_rows = 1000000;
CREATE FUNCTION arrow.many_values(p_first int) RETURNS bytea
LANGUAGE sql AS $$
SELECT query_to_rowset('SELECT lpad((i + $1)::text, 30, ''v'') AS v FROM generate_series(1, 1000) AS o, LATERAL (SELECT o % 200 OFFSET 0) AS x(i) UNION ALL SELECT lpad((i % 40000 + $1)::text, 30, ''v'') FROM generate_series(0, 119999) AS i', p_first);
$$;
CREATE FUNCTION arrow.first_type(p_stream bytea) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	-- the schema alone
	PERFORM arrow.read(substr(p_stream, 1, 8 + arrow.number(p_stream, 4, 4)::int) || '\xffffffff00000000');
	RETURN (SELECT type FROM arrow.field);
END $$;
SELECT is(arrow.first_type(rowset_to_arrow(r)), expected, name)
FROM (VALUES ('many values', arrow.many_values(0), 'Dictionary(Utf8)'), ('too many', rowset_concat(arrow.many_values(0), arrow.many_values(40000)), 'Utf8')) AS m(name, r, expected);
RESET rowser.row_group_rows;

--
-- Records: structs where all have the same fields
--
SELECT is(arrow.types(query_to_arrow(query)), expected, query)
FROM (VALUES ('SELECT ROW(1, ''x''::text) AS r FROM generate_series(1, 3)', 'r: Struct<f1: Int32, f2: Utf8>'),
			 ('SELECT CASE WHEN i > 1 THEN ROW(1) ELSE ROW(''x'') END AS r FROM generate_series(1, 3) AS i', 'r: Utf8'),
			 ('SELECT CASE WHEN i > 1 THEN ROW(1) END AS r FROM generate_series(1, 3) AS i', 'r: Struct<f1: Int32>'),
			 ('SELECT NULL::record AS r', 'r: Struct'),
			 ('SELECT ARRAY[ROW(1), ROW(1, 2)] AS r', 'r: List<item: Utf8>'),
			 ('SELECT ROW(ARRAY[ROW(1, ROW(2))], ROW(true)) AS r', 'r: Struct<f1: List<item: Struct<f1: Int32, f2: Struct<f1: Int32>>>, f2: Struct<f1: Bool>>'),
			 ('SELECT ROW(1, CASE WHEN i > 1 THEN ROW(1) ELSE ROW(''x'') END) AS r FROM generate_series(1, 3) AS i', 'r: Struct<f1: Int32, f2: Utf8>'),
			 ('SELECT ROW() AS r', 'r: Struct')) AS q(query, expected);
SET LOCAL rowser.row_group_rows = 1;
SELECT is(arrow.types(query_to_arrow('SELECT CASE WHEN i > 1 THEN ROW(1) ELSE ROW(''x'') END AS r FROM generate_series(1, 3) AS i')), 'r: Utf8', 'records that differ between row groups');
SELECT is((SELECT array_agg(value ORDER BY row) FROM arrow.value), '{(x),(1),(1)}', 'are as they are printed');
SELECT is(arrow.types(query_to_arrow(format('SELECT CASE WHEN i > 1 THEN ROW(1) ELSE %s END AS r FROM generate_series(1, 3) AS i', other))), 'r: Utf8', other || ' is another record')
FROM unnest('{"ROW(1, 2)","ROW(1.5)","ROW(NULL::bool)"}'::text[]) AS other;
SELECT is(arrow.types(query_to_arrow('SELECT NULLIF(ROW(i, ''x''::text), ROW(2, ''x''::text)) AS r FROM generate_series(1, 3) AS i')), 'r: Struct<f1: Int32, f2: Utf8>', 'records that are the same in all row groups');
SELECT is((SELECT array_agg(value ORDER BY row) FROM arrow.value), '{"(1,x)",NULL,"(3,x)"}', 'are structs');
RESET rowser.row_group_rows;

--
-- Values that Arrow cannot hold
--
CREATE TABLE bad (query text, state text, detail text);
INSERT INTO bad VALUES
('SELECT ''infinity''::date AS v', '22008', 'Column "v" of row 1 has the value infinity.'),
('SELECT ''-infinity''::date AS v', '22008', 'Column "v" of row 1 has the value -infinity.'),
('SELECT ''24:00''::time AS v', '22008', 'Column "v" of row 1 has the value 24:00:00.'),
('SELECT ''infinity''::timestamp AS v', '22008', 'Column "v" of row 1 has the value infinity.'),
('SELECT ''-infinity''::timestamptz AS v', '22008', 'Column "v" of row 1 has the value -infinity.'),
('SELECT ''294247-01-10 04:00:54.775808''::timestamptz AS v', '22008', 'Column "v" of row 1 has the value 294247-01-10 04:00:54.775808+00.'),
('SELECT ''NaN''::numeric(5,2) AS v', '22003', 'Column "v" of row 1 has the value NaN.'),
('SELECT ''9223372036.854776 seconds''::interval AS v', '22015', 'Column "v" of row 1 has the value 2562047:47:16.854776.'),
('SELECT ''{{1,2},{3,4}}''::int[] AS v', '2202E', 'Column "v" of row 1 has an array of 2 dimensions.'),
('SELECT ''[0:1]={1,2}''::int[] AS v', '2202E', 'Column "v" of row 1 has an array whose first element is number 0.'),
('SELECT CASE WHEN i = 1234 THEN ''infinity'' ELSE ''2000-01-01'' END::date AS "my column" FROM generate_series(1, 2000) AS i', '22008', 'Column "my column" of row 1234 has the value infinity.'),
('SELECT ARRAY[NULL, date ''2000-01-01'', CASE WHEN i = 700 THEN ''infinity'' END::date] AS v FROM generate_series(1, 1000) AS i', '22008', 'Column "v" of row 700 has the value infinity.'),
('SELECT CASE WHEN i % 3 > 0 THEN ROW(1, ARRAY[NULL, CASE WHEN i = 700 THEN ''infinity'' END::date]) END AS v FROM generate_series(1, 1000) AS i', '22008', 'Column "v" of row 700 has the value infinity.'),
('SELECT CASE WHEN i % 7 > 0 THEN ARRAY[ROW(1, CASE i % 5 WHEN 0 THEN ''{}'' WHEN 1 THEN NULL WHEN 2 THEN ARRAY[NULL, CASE WHEN i = 702 THEN ''infinity'' END]::date[] ELSE ''[1:1]={2000-01-01}'' END)] END AS v FROM generate_series(1, 1000) AS i',
	'22008', 'Column "v" of row 702 has the value infinity.'),
('SELECT ARRAY[ROW(i, CASE i WHEN 1 THEN ''[2:3]={1,2}'' WHEN 650 THEN ''{{1}}'' ELSE ''{1}'' END::int[])] AS v FROM generate_series(2, 1000) AS i', '2202E', 'Column "v" of row 649 has an array of 2 dimensions.');
SET LOCAL rowser.arrow_unrepresentable = 'error';
SET LOCAL rowser.row_group_rows = 512;
SELECT is((SELECT format('%s %s: %s', state, message, detail) FROM rt.error(format('SELECT query_to_arrow(%L)', query))), format('%s value cannot be represented in Arrow: %s', state, detail), query)
FROM bad;
SET LOCAL rowser.arrow_unrepresentable = 'null';
SELECT is((SELECT state FROM rt.error(format('SELECT arrow.read(query_to_arrow(%L))', query))), NULL, query || ', or NULL') FROM bad;
SELECT is(arrow.column(query_to_arrow('SELECT v FROM (VALUES (''{1,2}''::int[]), (''{{1,2},{3,4}}''), (''{5}''), (''[0:1]={1,2}''), (NULL), (''{}''), (''{{{7}}}''), (''{8,NULL}'')) AS v(v)')),
		  '{"{1,2}",NULL,"{5}",NULL,NULL,"{}",NULL,"{8,NULL}"}', 'arrays that are no lists among those that are');
SELECT is(arrow.column(query_to_arrow('SELECT ARRAY[ROW(1, v), ROW(2, v)] AS v FROM (VALUES (''{1,2}''::int[]), (''{{1,2},{3,4}}''), (''{5}'')) AS v(v)')),
		  '{"{(1,{1,2}),(2,{1,2})}","{(1,NULL),(2,NULL)}","{(1,{5}),(2,{5})}"}', 'and inside of others');
SELECT is(arrow.column(query_to_arrow('SELECT v FROM (VALUES (''infinity''::date), (''2000-01-01''), (NULL), (''-infinity'')) AS v(v)')), '{NULL,2000-01-01,NULL,NULL}', 'infinite dates');
RESET rowser.row_group_rows;
SET LOCAL rowser.arrow_unrepresentable = 'error';

--
-- Compression: the same buffers, each behind its raw size
--
CREATE FUNCTION arrow.raw_sizes(p_bytes bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_at bigint := 0;
	v_message bigint;
	v_batch bigint;
	v_buffers bigint;
	v_body bigint;
	v_offset bigint;
	v_size bigint;
	v_codec text;
	v_sizes bigint[] := '{}';
BEGIN
	WHILE arrow.number(p_bytes, v_at + 4, 4) > 0 LOOP
		v_message := arrow.target(p_bytes, v_at + 8);
		v_body := v_at + 8 + arrow.number(p_bytes, v_at + 4, 4);
		v_batch := arrow.target(p_bytes, arrow.slot(p_bytes, v_message, 2));
		IF arrow.scalar(p_bytes, v_message, 1, 1) = 3 THEN
			v_codec := coalesce(arrow.scalar(p_bytes, arrow.target(p_bytes, arrow.slot(p_bytes, v_batch, 3)), 0, 1), -1);
			v_buffers := arrow.target(p_bytes, arrow.slot(p_bytes, v_batch, 2));
			FOR i IN 0 .. arrow.number(p_bytes, v_buffers, 4) - 1 LOOP
				v_offset := v_body + arrow.number(p_bytes, v_buffers + 4 + 16 * i, 8);
				v_size := arrow.number(p_bytes, v_buffers + 12 + 16 * i, 8);
				v_sizes := v_sizes || CASE WHEN v_codec = '-1' OR v_size = 0 THEN v_size
					WHEN arrow.number(p_bytes, v_offset, 8) = -1 THEN v_size - 8 ELSE arrow.number(p_bytes, v_offset, 8) END;
			END LOOP;
		END IF;
		v_at := v_body + arrow.scalar(p_bytes, v_message, 3, 8);
	END LOOP;
	PERFORM arrow.demand(v_at + 8 = length(p_bytes), 'there are bytes behind the end');
	RETURN format('codec %s: %s', v_codec, v_sizes::text);
END $$;
SELECT query_to_rowset('SELECT i AS a, ''some text '' || i AS b, NULLIF(i % 3, 0) AS c, md5(i::text)::uuid AS d, i > 5 AS e, ARRAY[i, i] AS f FROM generate_series(1, 3000) AS i') AS mixed \gset
SELECT rowset_to_arrow(:'mixed') AS plain \gset
SELECT is(arrow.raw_sizes(:'plain') ~ '^codec -1: ', true, 'no compression');
CREATE FUNCTION arrow.compressed(p_method text, p_rowset bytea) RETURNS bytea
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('rowser.arrow_compression', p_method, true);
	RETURN rowset_to_arrow(p_rowset);
END $$;
CREATE TEMP TABLE compressed AS
SELECT method, codec, arrow.compressed(method, :'mixed') AS stream FROM (VALUES ('lz4', 0), ('zstd', 1)) AS m(method, codec) WHERE method = ANY (rt.methods());
SELECT is(replace(arrow.raw_sizes(stream), 'codec ' || codec, 'codec -1'), arrow.raw_sizes(:'plain'), 'the buffers of ' || method) FROM compressed;
SELECT cmp_ok(length(stream), '<', length(:'plain'::bytea) * 9 / 10, method || ' makes it smaller') FROM compressed;
SET LOCAL rowser.arrow_compression = none;

--
-- Calls
--
SELECT is(arrow.column(query_to_arrow('SELECT $1 + 1 AS v', 41)), '{42}', 'a parameter');
SELECT is(arrow.column(query_to_arrow('SELECT $1 AS v', NULL::int)), '{NULL}', 'one that is NULL');
SELECT is(arrow.column(query_to_arrow('SELECT $2 AS v', VARIADIC '{a,b}'::text[])), '{b}', 'VARIADIC');
SELECT is(query_to_arrow(NULL), NULL, 'a NULL query');
SELECT is(query_to_arrow(NULL, 1), NULL, 'a NULL query with a parameter');
SELECT is(rowset_to_arrow(NULL), NULL, 'a NULL rowset');
SELECT is(query_to_arrow('SELECT 1 AS a'), rowset_to_arrow(query_to_rowset('SELECT 1 AS a')), 'a query''s stream is that of its rowset');
SELECT is((rt.error(format('SELECT query_to_arrow(%L)', query))).state, '42P11', query) FROM (VALUES ('SELECT 1; SELECT 2'), ('CREATE TABLE t ()'), ('')) AS q(query);
CREATE TEMP TABLE large AS SELECT rowset_concat(VARIADIC array_fill(query_to_rowset('SELECT repeat(''x'', 100000000)'), '{11}')) AS r;
SELECT is((SELECT format('%s %s', state, message) FROM rt.error('SELECT rowset_to_arrow(r) FROM large')), '54000 Arrow stream is too large', 'more than 1 GB');

--
-- A damaged rowset is an error
--
CREATE TEMP TABLE packed AS SELECT query_to_rowset($$SELECT i AS a, 'x' || i AS b, (i * 1.5)::numeric(10,2) AS c, ARRAY[i, NULL] AS d, ROW(i, ROW('y'::text)) AS r, '{1,2}'::posint[] AS p, ROW(i, 'z')::pair AS q, 'sad'::mood AS m
	FROM generate_series(1, 3) AS i$$) AS r;
SELECT is_empty($$SELECT n FROM packed, generate_series(0, length(r) - 1) AS n, rt.error(format('SELECT rowset_to_arrow(%L)', substr(r, 1, n))) AS e WHERE e.state IS DISTINCT FROM '22P03'$$, 'each prefix is refused');
SELECT is_empty($$SELECT n, e FROM packed, generate_series(0, length(r) - 1) AS n, rt.error(format('SELECT rowset_to_arrow(%L)', set_byte(r, n, get_byte(r, n) # 1))) AS e WHERE e.state IS NULL OR e.state !~ '^(22P03|XX001|0A000)$'$$, 'each changed byte is found');

SELECT * FROM finish();
ROLLBACK;
