--
-- arrow_from.sql
--	  Arrow streams as rowsets: ours give the very rowset that they were made of,
--	  and others' give rows of the types that Arrow's come nearest to.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/samples.sql
SELECT no_plan();

--
-- Round trips
--
-- Make an Arrow stream of a query's rowset and a rowset of that, which must be the
-- same bytes: rowsets are canonical.  Returns NULL if so, 'null' if it is but for
-- values that Arrow can't hold, which are NULL then, or what is different.  All in a
-- subtransaction that is rolled back.
CREATE FUNCTION rt.arrow(p_query text, p_setup text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea;
	v_arrow bytea;
	v_again bytea;
	v_result text := 'same';
BEGIN
	EXECUTE p_setup;
	v_rowset := query_to_rowset(p_query);
	BEGIN
		v_arrow := rowset_to_arrow(v_rowset);
	EXCEPTION WHEN OTHERS THEN
		IF SQLERRM <> 'value cannot be represented in Arrow' THEN
			RAISE;
		END IF;
		PERFORM set_config('rowser.arrow_unrepresentable', 'null', true);
		v_arrow := rowset_to_arrow(v_rowset);
		v_result := 'null';
	END;
	v_again := arrow_to_rowset(v_arrow);
	IF rowset_schema_hash(v_again) IS DISTINCT FROM rowset_schema_hash(v_rowset) THEN
		v_result := format('columns (%s) became (%s)', rowset_column_list(v_rowset), rowset_column_list(v_again));
	ELSIF v_result = 'null' AND (rowset_count(v_again) <> rowset_count(v_rowset) OR arrow_to_rowset(rowset_to_arrow(v_again)) <> v_again) THEN
		v_result := 'the second time makes another rowset';
	ELSIF v_result = 'same' AND v_again <> v_rowset THEN
		v_result := format('rows %s became %s', left(rowset_to_json(v_rowset)::text, 200), left(rowset_to_json(v_again)::text, 200));
	END IF;
	RAISE EXCEPTION USING errcode = 'RT000', message = v_result;
EXCEPTION
	WHEN SQLSTATE 'RT000' THEN
		RETURN nullif(SQLERRM, 'same');
	WHEN OTHERS THEN
		RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- Types with a value that Arrow can't hold are those whose samples have one.
CREATE TEMP TABLE partial AS SELECT unnest('{"numeric(10,2)",date,time,timestamp,"timestamp with time zone",interval}'::text[]) AS type;
CREATE FUNCTION rt.expected(p_type text) RETURNS text LANGUAGE sql AS $$ SELECT 'null' FROM partial WHERE type = p_type $$;

-- What xml_out() prints leaves out the encoding that an XML text names.
UPDATE sample SET vals = array_replace(vals, '<?xml version="1.0" encoding="UTF-8"?><a>é</a>', '<a>é</a>') WHERE type = 'xml';

SELECT is(rt.arrow(rt.sample_query(type, vals)), rt.expected(type), type)
FROM sample ORDER BY ord;

SELECT is(rt.arrow(format($q$SELECT array_agg(v) AS a, '{}'::%1$s[] AS e, ARRAY[NULL]::%1$s[] AS n, NULL::%1$s[] AS m FROM (%2$s) AS q$q$,
						  type, rt.sample_query(type, vals))),
		  rt.expected(CASE type WHEN 'numeric(10,2)' THEN 'numeric' ELSE type END), 'arrays of ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

SELECT is(rt.arrow(format('SELECT ROW(v, 7, ARRAY[v, NULL], v)::box1 AS c, ARRAY[ROW(v, NULL, NULL, NULL)::box1, NULL] AS a, 42 AS tail FROM (%s) AS q',
						  rt.sample_query(type, vals)),
				   format('CREATE TYPE box1 AS (f1 %1$s, f2 int, "F 3" %1$s[], f4 %1$s)', type)),
		  rt.expected(type), 'composites of ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

SELECT is(rt.arrow(format($q$SELECT v::d1 AS a, v::d2 AS b, ARRAY[v]::d3 AS c, ROW(v::d1, v::d2)::d4 AS d,
								ARRAY[v::d1, NULL] AS e, ROW(v, v)::inner4 AS f FROM (%s) AS q$q$,
						  rt.sample_query(type, vals)),
				   format('CREATE DOMAIN d1 AS %1$s; CREATE DOMAIN d2 AS d1 CHECK (VALUE IS NULL OR true);
						   CREATE DOMAIN d3 AS %1$s[]; CREATE TYPE inner4 AS (x d1, y d2);
						   CREATE DOMAIN d4 AS inner4', type)),
		  rt.expected(type), 'domains over ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

SELECT is(rt.arrow(format('SELECT ROW(v, 1, ARRAY[v]) AS r, ARRAY[ROW(v), NULL] AS a FROM (%s) AS q', rt.sample_query(type, vals))),
		  rt.expected(type), 'records of ' || type)
FROM sample ORDER BY ord;

-- Every type of the catalogue: NULL, no elements, one NULL element
SELECT is(rt.arrow(format('SELECT NULL::%1$s AS n%2$s FROM generate_series(1, 3)', t.oid::regtype,
						  CASE WHEN t.typarray <> 0 THEN format(', ''{}''::%1$s[] AS e, ARRAY[NULL]::%1$s[] AS a', t.oid::regtype) ELSE '' END)),
		  NULL, format('type %s: NULL and empty', t.oid::regtype))
FROM pg_type AS t
WHERE t.typtype IN ('b', 'd', 'e', 'r', 'm', 'c') AND t.typisdefined
ORDER BY t.oid::regtype::text;

SELECT is(rt.arrow(format('SELECT r AS v FROM %s AS r LIMIT 3', c.oid::regclass)), NULL, format('a row of %s as a value', c.oid::regclass))
FROM pg_class AS c
WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r'
ORDER BY c.oid::regclass::text;

-- Shapes and sizes
CREATE TABLE gone (a int, gone text, b text);
ALTER TABLE gone DROP COLUMN gone;
INSERT INTO gone VALUES (1, 'x'), (NULL, NULL);
SELECT is(rt.arrow(query, setup), NULL, name)
FROM (VALUES
	('no columns', 'SELECT FROM generate_series(1, 3)', ''),
	('no rows', 'SELECT 1 AS a, ''x''::text AS b WHERE false', ''),
	('neither', 'SELECT WHERE false', ''),
	('names that occur twice, and odd ones', 'SELECT 1 AS a, 2 AS a, 3 AS "a ""b""", 4 AS "größe €"', ''),
	('an array of a domain over an array', 'SELECT ''{"{1,2}","{}",NULL}''::arrdom[] AS v', 'CREATE DOMAIN arrdom AS int[]'),
	('1,600 columns', (SELECT 'SELECT ' || string_agg(i || ' AS c' || i, ', ') FROM generate_series(1, 1600) AS i), ''),
	('collations and typmods', 'SELECT ''a'' COLLATE "C" AS a, ''b''::varchar(10) AS b, 1.5::numeric(5,2) AS c, ''d''::char(3) AS d, ''1.5''::numeric(50,2) AS e, ''01:02''::time(0) AS f, interval ''1 day'' AS g, B''101''::bit(3) AS h', ''),
	('a table with dropped columns', 'SELECT t AS r, ARRAY[t, NULL] AS a, a FROM gone AS t', ''),
	('NULL composites, and composites of NULLs', 'SELECT v FROM (SELECT NULL::pair UNION ALL SELECT ROW(NULL, NULL)::pair UNION ALL SELECT ROW(1, NULL)::pair) AS s(v)', ''),
	('groups of 7 rows', 'SELECT i AS a, ''t'' || i % 3 AS b, ARRAY[i, NULL] AS c FROM generate_series(1, 100) AS i', 'SET LOCAL rowser.row_group_rows = 7'),
	('dictionaries', 'SELECT (ARRAY[''low'', ''medium'', NULL, ''very high''])[i % 4 + 1] AS v, i % 5 AS w FROM generate_series(1, 5000) AS i', ''),
	('dictionaries of an enum', 'SELECT CASE WHEN i % 3 > 0 THEN ''ok''::mood END AS v FROM generate_series(1, 5000) AS i', ''),
	('many rows', 'SELECT i, i * 1.5 AS f, md5(i::text) AS m, CASE WHEN i % 3 > 0 THEN array_fill(i, ARRAY[i % 7]) END AS a, ROW(i, ''x'' || i)::pair AS p FROM generate_series(1, 30000) AS i', ''),
	('a long array in each row', 'SELECT array_agg(i * n) AS a FROM generate_series(1, 20000) AS i, generate_series(1, 100) AS n GROUP BY n', ''),
	('many rows at once', 'SELECT ''x'' || i AS a FROM generate_series(1, 70000) AS i', 'SET LOCAL rowser.row_group_rows = 100000'),
	('a text of 9 MB', 'SELECT repeat(''x'', 9000000 * i) AS a FROM generate_series(0, 1) AS i', ''),
	('long texts', 'SELECT repeat(''ä€'', i * 10000) AS a, ''x'' AS b FROM generate_series(1, 40) AS i', '')
) AS q(name, query, setup);
SELECT is(rt.arrow('SELECT i AS a, ''text '' || i % 10 AS b, repeat(''z'', i % 500) AS c FROM generate_series(1, 3000) AS i',
				   format('SET LOCAL rowser.arrow_compression = %s', method)), NULL, 'compression ' || method)
FROM unnest(rt.methods()) AS method;

--
-- Streams of pyarrow: one for each of Arrow's types, from the fuzzer's corpus
--
\set lines `for f in test/fuzz/corpus/arrow-*; do printf '%s ' "$(basename "$f")"; od -An -v -tx1 "$f" | tr -d ' \n'; echo; done`
CREATE TEMP TABLE foreign_stream AS
SELECT split_part(line, ' ', 1) AS name, decode(split_part(line, ' ', 2), 'hex') AS stream
FROM regexp_split_to_table(:'lines', E'\n') AS line;
CREATE TEMP TABLE foreign_rows (name text, types text, rows text);
INSERT INTO foreign_rows VALUES
('b', 'bytea', '["\\x", "\\x00ff", null]'),
('bool', 'boolean', '[true, false, null]'),
('bv', 'bytea', '["\\x00", "\\xffffffffffffffffffffffffffffffffffffffff", null]'),
('d128', 'numeric(38,2)', '[1.23, -99999999999999999999999999999999999.99, null]'),
('d256', 'numeric(70,1)', '[111111111111111111111111111111111111111111111111111111111111.5, -0.5, null]'),
('d32', 'numeric(5,2)', '[1.23, -9.99, null]'),
('d64', 'numeric(15,2)', '[1.23, -9.99, null]'),
('date32', 'date', '["1970-01-01", "9999-12-31", null]'),
('date64', 'date', '["1970-01-01", "9999-12-31", null]'),
('delta', 'text', '["a", "b", "c", "b", "x", null]'),
('dict', 'text', '["a", "b", null]'),
('dict-by-lz4', 'text', '["a", "b", null]'),
('dict8', 'bigint', '[null, 10, null]'),
('dneg', 'numeric(10,-2)', '[100, -5500, null]'),
('dur', 'interval', '["00:00:00", "-00:00:01.5", null]'),
('f16', 'real', '[1.5, -6.097555e-05, null]'),
('f32', 'real', '[1.5, "NaN", null]'),
('f64', 'double precision', '[1e+300, "-Infinity", null]'),
('fsb', 'bytea', '["\\x616263", "\\x000000", null]'),
('fsl', 'double precision[]', '[[1.5,2], [null,3], null]'),
('i16', 'smallint', '[-32768, 32767, null]'),
('i32', 'integer', '[-2147483648, 2147483647, null]'),
('i64', 'bigint', '[-9223372036854775808, 9223372036854775807, null]'),
('i8', 'smallint', '[-128, 127, null]'),
('lb', 'bytea', '["\\x", "\\x00ff", null]'),
('list', 'integer[]', '[[1,null,3], [], null]'),
('list-by-lz4', 'integer[]', '[[1,null,3], [], null]'),
('llist', 'text[]', '[["a",null], [], null]'),
('ls', 'text', '["x", "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", null]'),
('lstruct', 'record[]', '[[{"a":1},null], [], null]'),
('map', 'record[]', '[[{"key":"k","value":1},{"key":"l","value":null}], [], null]'),
('mdn', 'interval', '["1 mon 2 days 00:00:00.000003", "-1 mons -2 days -00:00:00.000003", null]'),
('nocols', '', 'none'),
('null', 'text', '[null, null, null]'),
('s', 'text', '["", "héllo €😀", null]'),
('struct', 'record', '[{"a":1,"b":"x"}, {"a":null,"b":null}, null]'),
('sv', 'text', '["short", "a string longer than twelve", null]'),
('sv-by-lz4', 'text', '["short", "a string longer than twelve", null]'),
('t32ms', 'time without time zone', '["00:00:00", "23:59:59.999", null]'),
('t32s', 'time without time zone', '["00:00:00", "23:59:59", null]'),
('t64ns', 'time without time zone', '["00:00:00", "23:59:59.999999", null]'),
('t64us', 'time without time zone', '["00:00:00", "23:59:59.999999", null]'),
('ts-ms', 'timestamp without time zone', '["1970-01-01T00:00:00", "1969-12-31T23:59:59.999", null]'),
('ts-ns', 'timestamp without time zone', '["1970-01-01T00:00:00", "1969-12-31T23:59:59.999999", null]'),
('ts-s', 'timestamp without time zone', '["1970-01-01T00:00:00", "1969-12-31T23:59:59", null]'),
('ts-us', 'timestamp without time zone', '["1970-01-01T00:00:00", "1969-12-31T23:59:59.999999", null]'),
('tstz', 'timestamp with time zone', '["1970-01-01T00:00:00+00:00", "1969-12-31T23:59:59.999999+00:00", null]'),
('u16', 'integer', '[0, 65535, null]'),
('u32', 'bigint', '[0, 4294967295, null]'),
('u64', 'numeric(20,0)', '[0, 18446744073709551615, null]'),
('u8', 'smallint', '[0, 255, null]');
DELETE FROM foreign_rows WHERE name LIKE '%-by-%' AND NOT substring(name from 'by-(.*)') = ANY (rt.methods());

SET LOCAL timezone = 'UTC';
SELECT is((SELECT array_agg(ARRAY[(SELECT coalesce(string_agg(type, ', '), '') FROM rowset_columns(r)),
								  coalesce((SELECT '[' || string_agg(regexp_replace(line, '^.?[{]"[^"]*":(.*)[}].?$', '\1'), ', ') || ']'
											FROM regexp_split_to_table(trim('[]' FROM rowset_to_json(r)::text), E', \n ') AS line), 'none')])
		   FROM foreign_stream AS s, arrow_to_rowset(s.stream) AS r WHERE s.name = 'arrow-' || e.name),
		  ARRAY[ARRAY[types, rows]], 'pyarrow''s ' || name)
FROM foreign_rows AS e ORDER BY name;
SELECT is(rowset_to_json(arrow_to_rowset(stream))::jsonb, '[{"d": "a", "i": 1}, {"d": "b", "i": 2}, {"d": null, "i": null}, {"d": "a", "i": 1}, {"d": "b", "i": 2}, {"d": null, "i": null}]', 'a file, with a dictionary')
FROM foreign_stream WHERE name = 'arrow-file';
SELECT is(rowset_to_json(arrow_to_rowset(stream))::jsonb, '[{"i": 1, "f": 1.5, "big": 1, "s": "x"}, {"i": 2, "f": "NaN", "big": 2, "s": "ünï"}, {"i": 3, "f": 0, "big": 3, "s": null}]', 'a file of JavaScript''s, which has its schema in its footer alone')
FROM foreign_stream WHERE name = 'arrow-file-without-schema-message';
SELECT is((SELECT count(*)::int FROM rowset_columns(arrow_to_rowset(stream))), 46, 'a stream of all types, and no rows')
FROM foreign_stream WHERE name = 'arrow-empty';

--
-- Metadata is a claim
--
CREATE FUNCTION rt.patch(p_stream bytea, p_from text, p_to text) RETURNS bytea LANGUAGE plpgsql AS $$
BEGIN
	IF length(p_from) <> length(p_to) OR position(p_from::bytea IN p_stream) = 0 THEN
		RAISE 'cannot patch "%"', p_from;
	END IF;
	RETURN overlay(p_stream PLACING p_to::bytea FROM position(p_from::bytea IN p_stream));
END $$;
CREATE FUNCTION rt.types(p_stream bytea) RETURNS text LANGUAGE sql AS $$ SELECT string_agg(type, ', ' ORDER BY ordinality) FROM rowset_columns(arrow_to_rowset(p_stream)) $$;

SELECT is(rt.types(rt.patch(query_to_arrow('SELECT 7 AS v'), 'int4', claim)), 'integer', 'an int4 that is said to be of type ' || claim)
FROM unnest('{bool,text,int2,int8,date,uuid,json,xid8,_xid}'::text[]) AS claim;
SELECT is(rt.types(rt.patch(query_to_arrow('SELECT ''x''::text AS v'), 'text', claim)), 'text', 'a text that is said to be of type ' || claim)
FROM unnest('{bool,int2,int8,date,uuid,time}'::text[]) AS claim;
SELECT throws_ok(format('SELECT arrow_to_rowset(%L)', rt.patch(query_to_arrow('SELECT ''x''::text AS v'), 'text', 'tixt')), '42704', 'type pg_catalog.tixt does not exist', 'a type that does not exist');
SELECT is((rt.error(format('SELECT arrow_to_rowset(%L)', rt.patch(query_to_arrow(format('SELECT %L::text AS v', repeat('x', n))), 'text', 'name')))).state, expected, 'a text of ' || n || ' letters that is said to be a name')
FROM (VALUES (63, NULL), (64, '22P03'), (1000, '22P03')) AS t(n, expected);
SELECT is(rt.types(stream), 'character varying(3)', 'a typmod') FROM query_to_arrow('SELECT ''abc''::varchar(3) AS v') AS stream;

-- the number of a typmod of varchar(3), 7, is the only one in the stream
CREATE FUNCTION rt.typmod(p_stream bytea, p_digit text) RETURNS bytea LANGUAGE sql AS $$
	SELECT overlay(p_stream PLACING p_digit::bytea FROM position('postgresql:typmod'::bytea IN p_stream)
				   + position('7'::bytea IN substring(p_stream FROM position('postgresql:typmod'::bytea IN p_stream))) - 1)
$$;
SELECT is(rt.types(rt.typmod(query_to_arrow('SELECT ''abc''::varchar(3) AS v'), '9')), 'character varying(5)', 'another typmod');
SELECT throws_ok(format('SELECT arrow_to_rowset(%L)', rt.typmod(query_to_arrow('SELECT ''abc''::varchar(3) AS v'), '6')), '22001', 'value too long for type character varying(2)', 'a typmod that the value has not');
SELECT is(rt.types(rt.typmod(query_to_arrow('SELECT ''abc''::varchar(3) AS v'), '1')), 'character varying', 'a typmod that cannot be');
SELECT throws_ok(format('SELECT arrow_to_rowset(%L)', rt.typmod(query_to_arrow('SELECT ''abc''::char(3) AS v'), '9')), '22P03', 'invalid Arrow stream', 'a char(n) is not made longer');

-- A domain is named, and nothing of it runs.
CREATE FUNCTION rt.explode(int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE 'it runs'; END $$;
CREATE DOMAIN quiet AS int;
CREATE TYPE quiets AS (q quiet, qs quiet[]);
SELECT query_to_arrow('SELECT 1::quiet AS a, ARRAY[2]::quiet[] AS b, ROW(3, ''{4}'')::quiets AS c, int4range(5, 6) AS d') AS quiet \gset
ALTER DOMAIN quiet ADD CHECK (rt.explode(VALUE)) NOT VALID;
SELECT is(rt.types(:'quiet'), 'quiet, quiet[], quiets, int4range', 'a domain whose check would raise an error');

-- The bounds of a range are checked by the domain that they are of, so it must be
-- one of somebody who is trusted.
CREATE ROLE regress_rowser_arrow;
CREATE TYPE posrange2 AS RANGE (subtype = posint);
SELECT query_to_arrow('SELECT ''[1,5]''::posrange2 AS r') AS ranges \gset
SELECT is(rt.types(:'ranges'), 'posrange2', 'a range over a domain of a superuser');
GRANT USAGE ON SCHEMA rt TO regress_rowser_arrow;
SET LOCAL ROLE regress_rowser_arrow;
SELECT is(rt.types(:'ranges'), 'posrange2', 'or by somebody else');
RESET ROLE;
ALTER DOMAIN posint OWNER TO regress_rowser_arrow;
SELECT throws_ok(format('SELECT arrow_to_rowset(%L)', :'ranges'), '0A000', 'cannot read column "r" as type posrange2', 'a range over a domain of somebody');
-- nor may it hide in an attribute or an array
CREATE TYPE places AS (gone int, at posint, name text);
ALTER TYPE places DROP ATTRIBUTE gone;
CREATE TYPE placerange AS RANGE (subtype = places);
CREATE TYPE listrange AS RANGE (subtype = posint[]);
CREATE TYPE names AS (a text, b text);
CREATE TYPE namerange AS RANGE (subtype = names);
SELECT query_to_arrow('SELECT ''["(1,a)","(2,b)"]''::placerange AS r') AS places, query_to_arrow('SELECT ''["(a,b)","(c,d)"]''::namerange AS r') AS names, query_to_arrow('SELECT ''["{1}","{2}"]''::listrange AS r') AS lists \gset
SELECT throws_ok(format('SELECT arrow_to_rowset(%L)', :'places'), '0A000', 'cannot read column "r" as type placerange', 'a range over a row with a domain of somebody');
SELECT throws_ok(format('SELECT arrow_to_rowset(%L)', :'lists'), '0A000', 'cannot read column "r" as type listrange', 'a range over an array of a domain of somebody');
SELECT is(rt.types(:'names'), 'namerange', 'a range over a row without a domain');
SET LOCAL ROLE regress_rowser_arrow;
SELECT is(rt.types(:'ranges'), 'posrange2', 'a range over a domain of one''s own');
RESET ROLE;
CREATE SCHEMA closed;
CREATE TYPE closed.mood AS ENUM ('sad');
SELECT query_to_arrow('SELECT ''sad''::closed.mood AS v') AS moods \gset
SET LOCAL ROLE regress_rowser_arrow;
SELECT is((rt.error(format('SELECT arrow_to_rowset(%L)', :'moods'))).state, '42501', 'a type in a schema without USAGE');
SELECT is(rt.types(query_to_arrow('SELECT ''x''::text AS v')), 'text', 'other streams are read without any right');
RESET ROLE;

--
-- Settings of the session do not matter, and those of rowsets do
--
CREATE TEMP TABLE settled AS
SELECT query_to_rowset(query) AS r, query_to_arrow(query) AS stream
FROM (VALUES ('SELECT timetz ''01:02:03+04'' AS a, 1.5::money AS b, tstzrange(''2001-02-03'', NULL) AS c, daterange(''2001-02-03'', ''2001-03-04'') AS d, ''pg_class''::regclass AS e')) AS q(query);
SET LOCAL DateStyle = 'SQL, DMY';
SET LOCAL TimeZone = 'Asia/Tokyo';
SET LOCAL search_path = rt, public;
SELECT is(arrow_to_rowset(stream), r, 'settings of the session') FROM settled;
RESET search_path;
SELECT query_to_arrow('SELECT i FROM generate_series(1, 100) AS i') AS stream \gset
SET LOCAL rowser.row_group_rows = 10;
SELECT is((SELECT row_groups::int FROM rowset_info(arrow_to_rowset(:'stream'))), 10, 'row groups are as large as the setting says');

SELECT * FROM finish();
ROLLBACK;
