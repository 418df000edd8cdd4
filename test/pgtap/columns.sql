--
-- columns.sql
--	  Columns that lead where few others do: through the writer's choices of an
--	  encoding, and through the reader's ways from the bytes to a type.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
SELECT no_plan();

--
-- There and back
--
CREATE TEMP TABLE a_temporary_one (a int);
CREATE TABLE co_long AS SELECT repeat('1234567890', 2000 * i)::numeric AS v FROM generate_series(1, 3) AS i;
CREATE TYPE co_pair AS (a int, b text);
CREATE FUNCTION rt.either(i int) RETURNS record LANGUAGE plpgsql AS $$
DECLARE
	v_pair public.co_pair := ROW(i, 'a');
BEGIN
	IF i % 3 = 0 THEN
		RETURN v_pair;
	END IF;
	RETURN ROW(i, i * 2);
END $$;
CREATE TYPE co_composites AS (x co_pair, y co_pair[]);
SELECT is(rt.diff(query, '', '{7,0}'), NULL, name)
FROM (VALUES
	('bytes of which the last is too long for a bound', 'SELECT CASE WHEN i = 200 THEN decode(repeat(''ff'', 100), ''hex'') ELSE int4send(i) END AS v FROM generate_series(1, 200) AS i'),
	('OIDs of both halves', 'SELECT (i * 20000000::bigint)::oid AS v FROM generate_series(1, 200) AS i'),
	('xid of both halves', 'SELECT (i * 20000000::bigint)::text::xid AS v FROM generate_series(1, 200) AS i'),
	('cid of both halves', 'SELECT (i * 20000000::bigint)::text::cid AS v FROM generate_series(1, 200) AS i'),
	('xid8 of both halves', 'SELECT (i * 90000000000000000::numeric)::text::xid8 AS v FROM generate_series(1, 200) AS i'),
	('pg_lsn of both halves', 'SELECT ''0/0''::pg_lsn + i * 90000000000000000::numeric AS v FROM generate_series(1, 200) AS i'),
	('"char" of both halves', 'SELECT (i - 128)::"char" AS v FROM generate_series(0, 255) AS i'),
	('a temporary relation', 'SELECT ''a_temporary_one''::regclass AS v, ''pg_class''::regclass AS w'),
	('texts that hash alike', 'SELECT repeat(''x'', 400) || i % 50 + 100 || repeat(''y'', 1000) AS v FROM generate_series(1, 200) AS i'),
	('arrays that fill batches', 'SELECT array_fill(i, ARRAY[i]) AS v FROM generate_series(100, 1100, 100) AS i'),
	('zero of many scales', 'SELECT round(0::numeric, i) AS v FROM generate_series(0, 20) AS i'),
	('zero of 13 decimals', 'SELECT round(0::numeric, 13) AS v, round(0::numeric, 16) AS w FROM generate_series(1, 3) AS i'),
	('numerics of five groups of digits', 'SELECT round(1234 + i / 7.0, 14) AS v, round(1234 + i / 7.0, 13) AS w FROM generate_series(1, 200) AS i'),
	('numerics in the long form', 'SELECT round(i / 7.0, 70) AS v, i * 1e300 AS w FROM generate_series(1, 20) AS i'),
	('numerics, long and short', 'SELECT CASE WHEN i % 2 = 0 THEN i * 1e300 ELSE i / 8.0 END AS v FROM generate_series(1, 20) AS i'),
	('some numerics that are long', 'SELECT CASE WHEN i % 15 = 0 THEN i * 1e30 ELSE i END AS v FROM generate_series(1, 1200) AS i'),
	('a numeric at last', 'SELECT CASE WHEN i > 190 THEN i * 1e30 END AS v FROM generate_series(1, 200) AS i'),
	('numerics out of line', 'SELECT v FROM co_long'),
	('smallints without order', 'SELECT (hashint4(i) % 32768)::int2 AS v, (hashint4(i) % 128)::"char" AS w FROM generate_series(1, 300) AS i'),
	('a timetz at the edges', 'SELECT v::timetz FROM unnest(''{00:00-15:59:59,24:00+15:59:59}''::text[]) AS v'),
	('records of many shapes', 'SELECT CASE i % 4 WHEN 0 THEN ROW(i) WHEN 1 THEN ROW(i, ''a''::text) WHEN 2 THEN ROW(''a''::text, i) ELSE ROW() END AS v FROM generate_series(1, 100) AS i'),
	('records of named types', 'SELECT CASE i % 3 WHEN 0 THEN ROW(ROW(i, ''a'')::co_pair, i) WHEN 1 THEN ROW(ROW(i, ''b'')::co_pair) ELSE ROW(ARRAY[ROW(i, ''c'')::co_pair]) END AS v FROM generate_series(1, 100) AS i'),
	('records that are of named types', 'SELECT rt.either(i) AS v FROM generate_series(1, 30) AS i'),
	('composites in composites', 'SELECT ROW(ROW(i, ''a''), ARRAY[ROW(i, ''b'')::co_pair, NULL])::co_composites AS v FROM generate_series(1, 100) AS i'),
	('empty text and NULLs', 'SELECT CASE i % 3 WHEN 0 THEN '''' WHEN 1 THEN ''x'' || i END AS v FROM generate_series(1, 300) AS i'),
	('NULLs after a hundred values', 'SELECT CASE WHEN i <= 100 THEN i END AS v, CASE WHEN i > 100 THEN ''t'' END AS w FROM generate_series(1, 300) AS i')) AS v(name, query);

SELECT is((SELECT string_agg(DISTINCT pg_column_compression(v), ',') IS NOT NULL OR max(pg_column_size(v)) < 9000 FROM co_long), true, 'they are out of line, or compressed');

-- The same of what is too large to be read in every way.
CREATE FUNCTION rt.same(p_query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	v_same boolean;
BEGIN
	EXECUTE format('SELECT array_agg(v::text) = (SELECT array_agg(v::text) FROM (%1$s) AS q) FROM rowset_to_recordset(query_to_rowset(%1$L)) AS t(v %2$s)', p_query,
				   (SELECT type FROM rowset_columns(query_to_rowset(p_query)))) INTO v_same;
	RETURN v_same;
END $$;
-- Bytes that don't compress
CREATE TABLE co_noise AS SELECT string_agg(sha512(int4send(i)), NULL ORDER BY i) AS v FROM generate_series(1, 20000) AS i;
SET LOCAL rowser.row_group_rows = 1000000;
SELECT ok(rt.same(query), name)
FROM (VALUES
	('more values than a dictionary has', 'SELECT CASE WHEN i <= 1000 THEN ''x'' ELSE ''y'' || i END AS v FROM generate_series(1, 70000) AS i'),
	('an array of one numeric', 'SELECT array_fill(1.5::numeric, ''{100000}'') AS v'),
	('an array of one long numeric', 'SELECT array_fill(1e300::numeric, ''{100000}'') AS v'),
	('an array of one text', 'SELECT array_fill(''some text''::text, ''{100000}'') AS v')) AS v(name, query);
RESET rowser.row_group_rows;

-- What is compressed in steps, and does fit, or does not though its middle would
CREATE FUNCTION rt.by_steps(p_method text, p_level int, p_bytes bytea) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea;
BEGIN
	PERFORM set_config('rowser.compression', p_method, true), set_config('rowser.compression_level', p_level::text, true);
	v_rowset := query_to_rowset('SELECT $1 AS v', p_bytes);
	PERFORM set_config('rowser.compression', 'lz4', true), set_config('rowser.compression_level', '0', true);
	RETURN (SELECT v = p_bytes FROM rowset_to_recordset(v_rowset) AS t(v bytea)) AND rowset_is_valid(v_rowset);
END $$;
SELECT ok(rt.by_steps(method, level, substring(v, 1, noise) || decode(repeat('00', nothing), 'hex') || substring(v, noise + 1, noise)),
		  format('%s %s, %s bytes of nothing within %s of noise', method, level, nothing, 2 * noise))
FROM co_noise, (VALUES ('lz4', 9, 600000, 8192), ('lz4', 12, 600000, 500000), ('zstd', 19, 80000, 80000), ('zstd', 19, 100000, 8192)) AS m(method, level, noise, nothing)
WHERE method = ANY (rt.methods());

-- More row types of records than a column can have
SELECT is((SELECT ROW(state, message, detail)::text FROM rt.error(format('SELECT query_to_rowset(%L)', (SELECT string_agg(format('SELECT ROW(%L::varchar(%s)) AS v', 'x', i), ' UNION ALL ' ORDER BY i) FROM generate_series(1, n) AS i)))),
		  outcome, format('records of %s row types', n))
FROM (VALUES (1024, '(,,)'), (1025, '(54000,"records are of too many types for a rowset","A column''s records can be of 1024 row types.")')) AS v(n, outcome);

--
-- From the types that are in the bytes to those that are wanted
--
CREATE TYPE co_mood AS ENUM ('sad', 'ok');
CREATE FUNCTION rt.read(p_query text, p_list text, p_where text DEFAULT 'true') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	EXECUTE format('SELECT string_agg(v::text, '','') FROM rowset_to_recordset(query_to_rowset(%L)) AS t(v %s) WHERE %s', p_query, p_list, p_where) INTO v_text;
	RETURN v_text;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE TEMP TABLE wanted (ord serial, query text, type text, outcome text);
INSERT INTO wanted (query, type, outcome) VALUES
('SELECT ''ok''::co_mood AS v', 'text', 'ok'),
('SELECT ''ok''::co_mood AS v', 'varchar', 'ok'),
('SELECT ''ok''::co_mood AS v', 'varchar(1)', '22001 value too long for type character varying(1)'),
('SELECT ''ok''::co_mood AS v', 'char(4)', 'ok'),
('SELECT ''ok''::co_mood AS v', 'name', 'ok'),
('SELECT ''pg_class''::regclass AS v', 'name', 'pg_class'),
('SELECT ''x''::bpchar AS v', 'bpchar', 'x'),
('SELECT timestamp ''2000-01-01 00:00:00.25'' AS v', 'timestamp(6)', '2000-01-01 00:00:00.25'),
('SELECT timestamp ''2000-01-01 00:00:00.25'' AS v', 'timestamp(1)', '2000-01-01 00:00:00.3'),
('SELECT timestamp ''infinity'' AS v', 'timestamp(0)', 'infinity'),
('SELECT timestamptz ''-infinity'' AS v', 'timestamptz(0)', '-infinity'),
('SELECT time ''00:00:00.25'' AS v', 'time(6)', '00:00:00.25'),
('SELECT time ''00:00:00.25'' AS v', 'time(1)', '00:00:00.3'),
('SELECT -5000 - i::numeric AS v FROM generate_series(0, 2) AS i', 'numeric(3)', '22003 numeric field overflow'),
('SELECT 5000 - i::numeric AS v FROM generate_series(0, 2) AS i', 'numeric(3)', '22003 numeric field overflow'),
('SELECT 5000 - i::numeric AS v FROM generate_series(0, 2) AS i', 'numeric(4)', '5000,4999,4998'),
('SELECT 5000 - i::numeric AS v FROM generate_series(0, 2) AS i', 'numeric(17)', '5000,4999,4998'),
('SELECT 5000 - i::numeric AS v FROM generate_series(0, 2) AS i', 'numeric(20)', '5000,4999,4998'),
('SELECT 5000 - i::numeric AS v FROM generate_series(0, 2) AS i', 'numeric(20,2)', '5000.00,4999.00,4998.00'),
('SELECT round(5000 - i / 4.0, i) AS v FROM generate_series(0, 2) AS i', 'numeric(6,2)', '5000.00,4999.80,4999.50'),
('SELECT CASE i WHEN 1 THEN ''NaN'' ELSE i::numeric END AS v FROM generate_series(0, 2) AS i', 'numeric(6,2)', '0.00,NaN,2.00'),
('SELECT 1234567.5 AS v', 'numeric(9,-2)', '1234600'),
('SELECT i * 1e30 AS v FROM generate_series(0, 2) AS i', 'numeric(40)', '0,' || '1' || repeat('0', 30) || ',2' || repeat('0', 30)),
('SELECT ARRAY[1.25, 2] AS v', 'numeric(5,1)[]', '{1.3,2.0}'),
('SELECT ROW(1, ''x'')::co_pair AS v', 'text', '(1,x)');
SELECT is(rt.read(query, type), outcome, format('%s as %s', query, type)) FROM wanted ORDER BY ord;
SET LOCAL rowser.enable_scan = off;
SELECT is(rt.read(query, type), outcome, format('without the scan, %s as %s', query, type)) FROM wanted ORDER BY ord;
SET LOCAL rowser.enable_scan = on;

-- Bounds leave row groups out only where they are in the order of what is wanted.
SET LOCAL rowser.row_group_rows = 200;
SELECT is(rt.read(query, type, condition), outcome, format('%s as %s, where %s', query, type, condition))
FROM (VALUES
	('SELECT (i * 4000000::bigint)::oid AS v FROM generate_series(1, 1000) AS i', 'oid', 'v > 3990000000::oid', '3992000000,3996000000,4000000000'),
	('SELECT (i - 500) AS v FROM generate_series(1, 1000) AS i', 'oid', 'v > 4294967294::oid', '4294967295'),
	('SELECT (''a'' || i) COLLATE "C" AS v FROM generate_series(100, 1099) AS i', 'varchar COLLATE "C"', 'v = ''a999''', 'a999'),
	('SELECT (''a'' || i) COLLATE "C" AS v FROM generate_series(100, 1099) AS i', 'varchar(4) COLLATE "C"', 'v = ''a999''', '22001 value too long for type character varying(4)'),
	('SELECT (''a'' || i % 900)::varchar COLLATE "C" AS v FROM generate_series(100, 1099) AS i', 'text COLLATE "C"', 'v = ''a899''', 'a899'),
	('SELECT ''a  ''::char(3) AS v FROM generate_series(1, 300) AS i', 'char(3)', 'v > ''a''', NULL),
	('SELECT time ''00:00'' + i * interval ''1 second'' AS v FROM generate_series(1, 1000) AS i', 'time(0)', 'v > time ''00:16:39''', '00:16:40'),
	('SELECT timestamp ''2000-01-01'' + i * interval ''0.25 second'' AS v FROM generate_series(1, 1000) AS i', 'timestamp(0)', 'v > timestamp ''2000-01-01 00:04:09''', '2000-01-01 00:04:10,2000-01-01 00:04:10,2000-01-01 00:04:10'),
	('SELECT timestamptz ''2000-01-01 UTC'' + i * interval ''0.25 second'' AS v FROM generate_series(1, 1000) AS i', 'timestamptz(0)', 'v > timestamptz ''2001-01-01 UTC''', NULL),
	('SELECT i / 4.0 AS v FROM generate_series(1, 1000) AS i', 'numeric(9,0)', 'v > 249', '250,250,250'),
	('SELECT (''k'' || i) COLLATE "C" AS v FROM generate_series(1, 1000) AS i', 'name', 'v = ''k2''', 'k2'),
	('SELECT ''k'' || i % 2 AS v FROM generate_series(1, 1000) AS i', 'name', 'v = ''k2''', NULL)) AS v(query, type, condition, outcome);
RESET rowser.row_group_rows;

--
-- Casts that give NULL for what was none
--
CREATE TYPE co_level AS ENUM ('low', 'high');
CREATE TYPE co_levels AS RANGE (subtype = co_level);
CREATE FUNCTION rt.to_text(co_level) RETURNS text LANGUAGE sql AS 'SELECT nullif($1::pg_catalog.text, ''low'')';
CREATE FUNCTION rt.to_int(co_level) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN CASE $1 WHEN ''high'' THEN 1 END; END';
CREATE CAST (co_level AS int) WITH FUNCTION rt.to_int(co_level) AS ASSIGNMENT;
CREATE CAST (co_level AS numeric) WITH INOUT AS ASSIGNMENT;
SELECT is(rt.read('SELECT (CASE i % 2 WHEN 0 THEN ''low'' ELSE ''high'' END)::co_level AS v FROM generate_series(1, 200) AS i', 'int'), repeat('1,', 99) || '1', 'a dictionary''s entry');
SELECT is(rt.read('SELECT (CASE WHEN i > 1 THEN ''low'' ELSE ''high'' END)::co_level AS v FROM generate_series(1, 200) AS i', 'int', 'v IS NULL'), NULL, 'and as a condition');
SELECT is(rt.read('SELECT ''high''::co_level AS v', 'numeric'), '22P02 invalid input syntax for type numeric: "high"', 'a cast without a function');
CREATE TEMP TABLE ranged AS SELECT query_to_rowset('SELECT ''[low,high]''::co_levels AS v') AS r;
DROP TYPE co_levels;
CREATE TYPE co_levels AS RANGE (subtype = int);
SELECT is((SELECT ROW(state, message)::text FROM rt.error('SELECT v FROM ranged, rowset_to_recordset(r) AS t(v co_levels)')), '(22P03,"invalid rowset")', 'a range''s bound');

--
-- Composite types that have changed, and records in their place
--
CREATE TYPE co_row AS (a int, b text, c int[], d int);
SET LOCAL rowser.row_group_rows = 100;
CREATE TEMP TABLE rows_before AS
SELECT query_to_rowset('SELECT ROW(i, ''b'' || i, ARRAY[i], -i)::co_row AS v, i AS w FROM generate_series(1, 300) AS i') AS r,
	   query_to_rowset('SELECT ROW(i, ''b'' || i, -i) AS v FROM generate_series(1, 300) AS i') AS records;
RESET rowser.row_group_rows;
ALTER TYPE co_row DROP ATTRIBUTE c;
SELECT is((SELECT count(*) FROM rows_before, rowset_to_recordset(r) AS t(v co_row, w int) WHERE v IS NOT DISTINCT FROM ROW(w, 'b' || w, -w)::co_row), 300::bigint, 'a field that the type has no more');
SELECT is((SELECT string_agg(v::text, ',') FROM rows_before, rowset_to_recordset(r) AS t(v co_row, w int) WHERE w % 100 = 50), '(50,b50,-50),(150,b150,-150),(250,b250,-250)', 'that is passed over');
SELECT is((SELECT count(*) FROM rows_before, rowset_to_recordset(records) AS t(v co_row) WHERE v = ROW((v).a, 'b' || (v).a, -(v).a)::co_row), 300::bigint, 'a record''s fields, one after the other');
ALTER TYPE co_row DROP ATTRIBUTE d;
SELECT is((SELECT ROW(state, message, detail)::text FROM rt.error('SELECT v FROM rows_before, rowset_to_recordset(records) AS t(v co_row)')),
		  '(42804,"cannot read a record of 3 fields as type co_row","The type has 2.")', 'too many of them');
CREATE TYPE co_four AS (a int, b text, c int, d int);
SELECT is((SELECT detail FROM rt.error('SELECT v FROM rows_before, rowset_to_recordset(records) AS t(v co_four)')), 'The type has 4.', 'too few of them');
-- a type that the query itself alters, while rows of it are being packed
CREATE TYPE co_changing AS (a text, b varchar);
CREATE FUNCTION rt.changing() RETURNS co_changing LANGUAGE plpgsql AS $$
DECLARE
	v_row public.co_changing;
BEGIN
	-- as text, the length of 256 MB
	v_row.a := 1073741820;
	v_row.b := 1073741820;
	RETURN v_row;
END $$;
CREATE FUNCTION rt.changing(p_number int, p_how text) RETURNS co_changing LANGUAGE plpgsql AS $$
BEGIN
	IF p_number > 1 THEN
		EXECUTE 'ALTER TYPE co_changing ' || CASE p_number WHEN 2 THEN p_how ELSE 'OWNER TO CURRENT_USER' END;
	END IF;
	RETURN rt.changing();
END $$;
SELECT is((SELECT ROW(state, message, detail)::text FROM rt.error(format(form, format('rt.changing(i, %L)', how)))),
		  CASE WHEN fits THEN '(,,)' ELSE '(42804,"row type was altered while a rowset is made of its values","The row type is co_changing.")' END, concat_ws(': ', how, form))
FROM (VALUES ('ALTER ATTRIBUTE a TYPE int, ALTER ATTRIBUTE b TYPE int', false), ('ALTER ATTRIBUTE b TYPE varchar(20)', false), ('ADD ATTRIBUTE c int', false),
		('OWNER TO pg_monitor', true)) AS h(how, fits),
	unnest(ARRAY['SELECT rowset_agg(%s) FROM generate_series(1, 3) AS i', 'SELECT query_to_rowset($q$SELECT %s AS v FROM generate_series(1, 3) AS i$q$)',
		'SELECT query_to_rowset($q$SELECT ARRAY[%s] AS v FROM generate_series(1, 3) AS i$q$)', 'SELECT query_to_rowset($q$SELECT (%s)::record AS v FROM generate_series(1, 3) AS i$q$)',
		'SELECT count(*) FROM (SELECT query_to_rowset_chunks($q$SELECT %s AS v FROM generate_series(1, 3) AS i$q$, 1024) OFFSET 0) AS s']) AS form;

CREATE TYPE co_passing AS (a int);
CREATE FUNCTION rt.passing(p_number int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF p_number = 2 THEN
		DROP TYPE public.co_passing;
	END IF;
END $$;
SELECT is((SELECT ROW(state, message)::text FROM rt.error('SELECT rowset_agg(v) FROM (SELECT rt.passing(i), (SELECT ROW(1)::co_passing) AS v FROM generate_series(1, 3) AS i OFFSET 0) AS s')),
		  '(42804,"row type was altered while a rowset is made of its values")', 'a type that is dropped');
CREATE SCHEMA co_other;
CREATE TYPE co_other.co_level AS ENUM ('low', 'high');
SELECT is((SELECT ROW(state, message)::text FROM rt.error('SELECT v FROM rowset_to_recordset(query_to_rowset(''SELECT ''''high''''::co_level AS v'')) AS t(v co_other.co_level)')),
		  '(42804,"cannot read column ""v"" as type co_other.co_level")', 'a type of that name in another schema');

--
-- Types that are not what they were
--
CREATE TEMP TABLE before_it AS
SELECT query_to_rowset('SELECT ''ok''::co_mood AS v') AS mood, query_to_rowset('SELECT ARRAY[''ok'']::co_mood[] AS v') AS moods,
	   query_to_rowset('SELECT ROW(1, ''x'')::co_pair AS v') AS pair;
DROP TYPE co_mood;
DROP TYPE co_composites;
DROP TYPE co_pair;
SELECT is((rt.error('SELECT v FROM before_it, rowset_to_recordset(mood) AS t(v text)')).state, NULL, 'as text, no type need be there');
SELECT is((rt.error('SELECT rowset_open(mood) FROM before_it')).state, '42704', 'otherwise, it must');
CREATE TYPE co_mood;
SELECT is((rt.error('SELECT rowset_open(mood) FROM before_it')).message, 'invalid rowset', 'a shell is no type');
DROP TYPE co_mood;
CREATE TYPE co_mood AS (a int);
CREATE TYPE co_pair AS ENUM ('ok');
SELECT results_eq(format('SELECT state, message, detail FROM rt.error(''SELECT v FROM before_it, rowset_to_recordset(%s) AS t(v %s)'')', which, type),
	format('VALUES (''42804'', ''cannot read column "v" as type %s'', ''The type is not what it was where the rowset was written.'')', type), type || ' is another type now')
FROM (VALUES ('mood', 'co_mood'), ('pair', 'co_pair')) AS v(which, type);
SELECT is((rt.error('SELECT v FROM before_it, rowset_to_recordset(moods) AS t(v co_mood[])')).state, '42804', 'so are the elements of an array');
SELECT is((rt.error('SELECT rowset_open(mood) FROM before_it')).detail, 'Values of type co_mood are not stored as the rowset says.', 'by cursor, too');
SELECT is((rt.error('SELECT rowset_open(moods) FROM before_it')).detail, 'Values of type co_mood are not stored as the rowset says.', 'and in arrays');

-- An object that was gone when the rowset was written has its number for a name,
-- which another may have here.
CREATE TABLE co_gone (a int);
SELECT 'co_gone'::regclass::oid AS gone \gset
SAVEPOINT gone;
DROP TABLE co_gone;
SELECT query_to_rowset(format('SELECT %s::regclass AS v', :gone)) AS packed \gset
SELECT is(v, :'gone', 'its number is all that is left') FROM rowset_to_recordset(:'packed') AS t(v text);
SELECT is(v::oid, :'gone'::oid, 'and reads as what it was') FROM rowset_to_recordset(:'packed') AS t(v regclass);
ROLLBACK TO SAVEPOINT gone;
SELECT results_eq(format('SELECT state, message FROM rt.error(%L)', format('SELECT v FROM rowset_to_recordset(%L) AS t(v regclass)', :'packed')),
	format('VALUES (''42704'', ''object %s has no name in the rowset'')', :gone), 'but not where another has it');

-- A domain anywhere inside: no code of it runs where the rowset names the type.
CREATE DOMAIN co_small AS int CHECK (VALUE < 10);
CREATE TYPE co_smalls AS (a int[], b text, c co_small[]);
CREATE TYPE co_deep AS (a text, b co_smalls[]);
SELECT is(rowset_column_list(query_to_rowset(format('SELECT NULL::%s AS v', type))), 'v ' || shown, type || ' by cursor')
FROM (VALUES ('co_smalls', 'record'), ('co_deep', 'record'), ('co_deep[]', 'record[]'), ('co_small[]', 'integer[]')) AS v(type, shown);

--
-- Types that print, but can't be received
--
CREATE TYPE co_sent;
CREATE FUNCTION co_sent_in(cstring) RETURNS co_sent IMMUTABLE STRICT LANGUAGE internal AS 'textin';
CREATE FUNCTION co_sent_out(co_sent) RETURNS cstring IMMUTABLE STRICT LANGUAGE internal AS 'textout';
CREATE FUNCTION co_sent_send(co_sent) RETURNS bytea IMMUTABLE STRICT LANGUAGE internal AS 'textsend';
CREATE TYPE co_sent (INPUT = co_sent_in, OUTPUT = co_sent_out, SEND = co_sent_send);
SELECT is(rt.diff('SELECT ''x''::co_sent AS v, ARRAY[''y'', NULL]::co_sent[] AS w'), NULL, 'a type that is sent, but not received');
CREATE DOMAIN co_printed AS pg_ndistinct;
SELECT is((SELECT type FROM rowset_columns(query_to_rowset('SELECT NULL::co_printed AS v'))), 'text', 'a domain over a type that only prints');

--
-- A value that its receive function refuses, in a session of another encoding
--
SET LOCAL client_encoding = 'LATIN1';
SELECT is((SELECT ROW(state, message, context)::text FROM rt.error($$SELECT v FROM rowset_to_recordset('\xff52530d0a0001000f04555446380101760ce81f51e5a643470d030100000c3ceef6d4fd7293260702245401120f0139cfdeea0d000000') AS t(v jsonpath)$$)) ~ 'unsupported jsonpath version number: 2',
		  true, 'it is told');
SELECT is(current_setting('client_encoding'), 'LATIN1', 'and the session''s encoding is what it was');
RESET client_encoding;

--
-- Collations of rows that are cut without decoding them
--
CREATE COLLATION co_other.mine (provider = libc, locale = 'C');
CREATE COLLATION co_other."C" (provider = libc, locale = 'C');
SELECT is((SELECT string_agg(v || w, ',') FROM rowset_to_recordset(rowset_slice(query_to_rowset(format('SELECT (''a'' || i) COLLATE %s AS v, i AS w FROM generate_series(1, 300) AS i', name)), 298)) AS t(v text, w int)),
		  'a299299,a300300', 'of a column with collation ' || name)
FROM unnest('{"\"C\"",co_other.mine,"co_other.\"C\"",pg_catalog.ucs_basic}'::text[]) AS name;

SELECT * FROM finish();
ROLLBACK;
