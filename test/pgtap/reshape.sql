--
-- reshape.sql
--	  Rowsets from rowsets: the rows are those that SQL would give, bytes are
--	  copied where they can be, and no value is looked at that need not be.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
CREATE EXTENSION IF NOT EXISTS hstore;
SELECT no_plan();

CREATE TYPE mood AS ENUM ('sad', 'ok', 'größer');
CREATE TYPE pair AS (a int, b text);
CREATE TYPE nest AS (p pair, l int[], m mood);
CREATE DOMAIN posint AS int CHECK (VALUE > 0);
CREATE DOMAIN cname AS text COLLATE "C";
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");

--
-- Queries that have between them every kind of type and every encoding.  Each has
-- the same rows in the same order whenever it runs.
--
CREATE TEMP TABLE specimen (ord serial, name text, query text);
INSERT INTO specimen (name, query) VALUES
('no columns', 'SELECT FROM generate_series(1, 9)'),
('integers', 'SELECT i::int2 AS a, i * 7 % 11 AS b, i::int8 * i * 1000003 AS c, i::oid AS d, i::"char" AS e FROM generate_series(1, 100) AS i'),
('integers in all encodings', 'SELECT 7 AS a, i AS b, i / 40 AS c, 100000 + i % 13 AS d, (''{5,1000000007,-3}''::int[])[i / 60 + 1] AS e, i * i AS f, (i::int8 * 2654435761) % 4294967291 AS g FROM generate_series(1, 170) AS i'),
('unsigned integers', 'SELECT (i * 100000007::int8 % 4294967296)::oid AS a, (''0/'' || i)::pg_lsn AS b, i::text::xid AS c, i::text::xid8 AS d, i::text::cid AS e, i::text::money AS f FROM generate_series(1, 150) AS i'),
('constants', 'SELECT 1::int2 AS a, true AS b, 1.5 AS c, ''x''::text AS d, 0.5::float8 AS e, ''00000000-0000-0000-0000-000000000001''::uuid AS f, repeat(''long'', 40) AS g, ''{1,2}''::int[] AS h FROM generate_series(1, 30)'),
('floats and booleans', 'SELECT i / 3.0::float8 AS a, (i / 3.0)::float4 AS b, i % 3 = 0 AS c, i * 0.25::float8 AS d, (i * 0.5)::float4 AS e, CASE i WHEN 5 THEN ''NaN'' ELSE i / 4.0::float8 END AS f FROM generate_series(1, 200) AS i'),
('NULLs', 'SELECT CASE WHEN i % 3 = 0 THEN i END AS a, NULL::text AS b, CASE WHEN i > 100 THEN ''x'' || i END AS c, nullif(i, 7) AS d, CASE WHEN i % 4 = 0 THEN ARRAY[i] END AS e FROM generate_series(1, 150) AS i'),
('numerics', 'SELECT i * 1.25 AS a, round(i * 1.25, i % 3) AS b, CASE i % 50 WHEN 3 THEN ''NaN'' WHEN 4 THEN 1e40 WHEN 5 THEN ''-Infinity'' ELSE i * 0.01 END AS c, 10::numeric ^ (i % 60) AS d, i::numeric(9,2) AS e FROM generate_series(1, 200) AS i'),
('texts', 'SELECT ''t'' || i AS a, repeat(i::text, 40) AS b, (ARRAY[''low'', ''größer'', ''very high''])[i % 3 + 1] AS c, (''n'' || i % 5)::name AS d, decode(repeat(to_hex(16 + i % 200), i % 7), ''hex'') AS e, i::text::char(5) AS f, repeat(''x'', i) AS g FROM generate_series(1, 140) AS i'),
('texts by bytes', 'SELECT (''w'' || i) COLLATE "C" AS a, (''w'' || i % 4) COLLATE "C" AS b, (''v'' || i)::varchar(9) COLLATE "C" AS c, (''d'' || i) COLLATE "POSIX" AS d FROM generate_series(1, 150) AS i'),
('dates and times', 'SELECT date ''2000-01-01'' + i AS a, time ''01:02:03'' + i * interval ''1 s'' AS b, timetz ''01:02:03+04'' + i * interval ''1 s'' AS c, timestamp ''2000-01-01'' + i * interval ''1 day'' AS d, interval ''1 mon 3 days'' * i AS e, timestamptz ''2000-01-01 00:00+00'' + i * interval ''1 h'' AS f FROM generate_series(1, 150) AS i'),
('fixed widths', 'SELECT (''00000000-0000-0000-0000-0000000000'' || 10 + i % 90)::uuid AS a, (''08:00:2b:01:02:'' || 10 + i % 80)::macaddr AS b, (''08:00:2b:01:02:03:04:'' || 10 + i % 70)::macaddr8 AS c, (''(0,'' || i || '')'')::tid AS d FROM generate_series(1, 150) AS i'),
('binary types', 'SELECT (''10.0.0.'' || i % 200)::inet AS a, (i % 32)::bit(5) AS b, point(i, 2) AS c, jsonb_build_object(''a'', i) AS d, to_tsvector(''simple'', ''a b'' || i) AS e, hstore(''k'', i::text) AS f, json_build_object(''k'', i) AS g, xmlelement(name a, i) AS h FROM generate_series(1, 60) AS i'),
('names of objects', 'SELECT (ARRAY[''pg_class'', ''pg_type'', ''pg_proc''])[i % 3 + 1]::regclass AS a, ''int4''::regtype AS b, ''{postgres=r/postgres}''::aclitem[] AS c, ''1 2''::int2vector AS d, ''now''::regproc AS e FROM generate_series(1, 40) AS i'),
('arrays', 'SELECT CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN ''{}'' WHEN 2 THEN ARRAY[i, NULL] ELSE array_fill(i, ARRAY[i % 20]) END AS a, ARRAY[''a'' || i, NULL] AS b, array_fill(''many words''::text, ARRAY[i]) AS c, array_fill(1.5, ARRAY[i % 3, 2]) AS d FROM generate_series(1, 60) AS i'),
('arrays of some dimensions', 'SELECT CASE i % 4 WHEN 0 THEN ''{1,2}'' WHEN 1 THEN ''[0:1][2:2]={{4},{5}}'' WHEN 2 THEN ''{}'' ELSE ''[-5:-4]={7,8}'' END::int[] AS v FROM generate_series(1, 30) AS i'),
('composites', 'SELECT CASE WHEN i % 4 > 0 THEN ROW(i, ''b'' || i)::pair END AS a, ROW(ROW(i, NULL), ARRAY[i, i], ''ok'')::nest AS b, ARRAY[ROW(i, ''x''), NULL]::pair[] AS c FROM generate_series(1, 40) AS i'),
('records', 'SELECT CASE i % 3 WHEN 0 THEN ROW(i) WHEN 1 THEN ROW(''x'' || i, true) END AS r, ARRAY[ROW(1), ROW(''x''::text, i), NULL] AS a, ROW(ROW(i, ROW(1.5)), ARRAY[ROW(2)]) AS b, ROW(i, ''same'') AS c FROM generate_series(1, 40) AS i'),
('enums and domains', 'SELECT (enum_range(NULL::mood))[i % 3 + 1] AS a, ARRAY[''sad'', ''ok'']::mood[] AS b, i::posint AS c, ARRAY[i, 2]::posint[] AS d FROM generate_series(1, 140) AS i'),
('ranges', 'SELECT CASE i % 5 WHEN 0 THEN ''empty'' WHEN 1 THEN int4range(NULL, i) WHEN 2 THEN int4range(i, NULL) WHEN 3 THEN NULL ELSE int4range(i, i + 5) END AS a, textrange(''a'', ''b'' || i, ''[]'') AS b, CASE i % 3 WHEN 0 THEN ''{}'' ELSE int4multirange(int4range(i, i + 2), int4range(i + 9, NULL)) END AS c, ARRAY[numrange(1.5, i + 2), ''empty''] AS d FROM generate_series(1, 40) AS i');

-- The rows of a rowset, as text.
CREATE FUNCTION texts(p_rowset bytea) RETURNS text[] LANGUAGE sql AS 'SELECT (rt.read_cursor($1, false)).texts';

-- What is wrong with a reshaped rowset, or NULL.
CREATE FUNCTION wrong(p_how text, p_got bytea, p_texts text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM rowset_check(p_got);
	RETURN CASE WHEN NOT rowset_is_valid(p_got) THEN p_how || ': not valid'
				WHEN rowset_count(p_got) <> cardinality(p_texts) THEN p_how || ': ' || rowset_count(p_got) || ' rows'
				WHEN texts(p_got) <> p_texts THEN p_how || ': other rows' END;
EXCEPTION WHEN OTHERS THEN
	RETURN p_how || ': ' || SQLSTATE || ' ' || SQLERRM;
END $$;

-- The first thing that is wrong with slices of a query's result, and their whole.
CREATE FUNCTION slices_differ(p_query text, p_group int, p_method text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r bytea;
	v_texts text[];
	n int;
	o int;
	l int;
	v_slice bytea;
	v_where text;
	v_wrong text;
BEGIN
	PERFORM rt.set(p_group, p_method);
	r := query_to_rowset(p_query);
	v_texts := texts(r);
	n := cardinality(v_texts);
	FOR o, l IN SELECT * FROM (VALUES (0, n), (0, 0), (0, 1), (0, 2), (0, n - 1), (1, 1), (1, n), (2, 7), (3, n - 4), (n / 2, 3), (n / 2, n), (n - 1, 1), (n - 2, 9), (n, 1), (n + 5, NULL), (6, 8), (7, 7), (5, NULL)) AS v LOOP
		v_slice := rowset_slice(r, o, l);
		v_where := format('OFFSET %s LIMIT %s', o, l);
		v_wrong := wrong(v_where, v_slice, v_texts[o + 1:coalesce(o + l, n)]);
		IF v_wrong IS NULL AND p_group = 0 AND o < n
		   AND v_slice <> query_to_rowset(format('SELECT * FROM (%s) AS q OFFSET %s LIMIT %s', p_query, o, coalesce(l::text, 'ALL'))) THEN
			v_wrong := v_where || ': other bytes than the query''s';
		END IF;
		IF v_wrong IS NULL AND o <= n THEN
			v_wrong := wrong(v_where || ' and the rest', rowset_concat(rowset_slice(r, 0, o), v_slice, rowset_slice(r, coalesce(o + l, n))), v_texts);
		END IF;
		EXIT WHEN v_wrong IS NOT NULL;
	END LOOP;
	RETURN coalesce(v_wrong,
					CASE WHEN rowset_slice(r, 0) <> r OR rowset_slice(r, NULL, NULL) <> r OR rowset_slice(r, 0, n) <> r THEN 'the whole has other bytes' END);
END $$;

SELECT is(slices_differ(query, g, m), NULL, format('%s: slices of groups of %s by %s', name, g, m))
FROM specimen, unnest('{0,1,2,7,1000}'::int[]) AS g, unnest(rt.methods()) AS m
WHERE m = 'none' OR g IN (0, 7) ORDER BY ord, g, m;

-- Columns: each alone, all in order, all backwards and twice, none.
CREATE FUNCTION projections_differ(p_query text, p_group int, p_method text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r bytea;
	v_texts text[];
	v_names text[];
	v_list text[];
	v_project bytea;
	v_wrong text;
BEGIN
	PERFORM rt.set(p_group, p_method);
	r := query_to_rowset(p_query);
	SELECT coalesce(array_agg(name ORDER BY ordinality), '{}') INTO v_names FROM rowset_columns(r);
	IF rowset_project(r, VARIADIC v_names) <> r THEN
		RETURN 'all columns have other bytes';
	END IF;
	FOR v_list IN SELECT ARRAY[x] FROM unnest(v_names) AS x
				  UNION ALL SELECT ARRAY(SELECT x FROM unnest(v_names) WITH ORDINALITY AS u(x, o) ORDER BY o DESC)
				  UNION ALL SELECT v_names || v_names
				  UNION ALL SELECT '{}' LOOP
		v_project := rowset_project(r, VARIADIC v_list);
		v_texts := texts(query_to_rowset(format('SELECT %s FROM (%s) AS q', array_to_string(v_list, ', '), p_query)));
		v_wrong := wrong(v_list::text, v_project, v_texts);
		EXIT WHEN v_wrong IS NOT NULL;
		IF (SELECT array_agg((name, type, typmod, "collation") ORDER BY ordinality) FROM rowset_columns(v_project))
		   IS DISTINCT FROM (SELECT array_agg((c.name, c.type, c.typmod, c."collation") ORDER BY l.o)
							 FROM unnest(v_list) WITH ORDINALITY AS l(name, o) JOIN rowset_columns(r) AS c USING (name)) THEN
			RETURN v_list::text || ': other columns';
		END IF;
	END LOOP;
	RETURN v_wrong;
END $$;

SELECT is(projections_differ(query, g, m), NULL, format('%s: columns of groups of %s by %s', name, g, m))
FROM specimen, unnest('{0,1,7}'::int[]) AS g, unnest(rt.methods()) AS m
WHERE m = 'none' OR g = 0 ORDER BY ord, g, m;

-- Fixed widths need no estimate of their size, so even the bytes are the query's.
SELECT is(rowset_project(query_to_rowset(query), 'c', 'a'), query_to_rowset(format('SELECT c, a FROM (%s) AS q', query)), name || ': the bytes of a query of some columns')
FROM specimen WHERE name IN ('integers', 'integers in all encodings', 'unsigned integers', 'floats and booleans', 'dates and times', 'fixed widths') ORDER BY ord;
SELECT ok(abs(raw_bytes - (rowset_info(query_to_rowset(format('SELECT a, c FROM (%s) AS q', query)))).raw_bytes) * 10 < raw_bytes, name || ': the size of some columns is about right')
FROM specimen, rowset_info(rowset_project(query_to_rowset(query), 'a', 'c')) WHERE name IN ('texts', 'numerics', 'binary types', 'records') ORDER BY ord;

--
-- Names
--
CREATE TEMP TABLE named AS
SELECT query, query_to_rowset(query) AS r FROM (VALUES ('SELECT i AS a, ''x'' || i AS b, i % 2 = 0 AS c FROM generate_series(1, 20) AS i')) AS v(query);
SELECT is(rowset_rename(r, 'b', 'b'), r, 'the same name: the same bytes') FROM named;
SELECT is(rowset_rename(r, '{}'), r, 'no names: the same bytes') FROM named;
SELECT is(rowset_rename(r, '{a,b,c}'), r, 'the same names: the same bytes') FROM named;
SELECT is(rowset_rename(r, 'b', 'A new "name"'), query_to_rowset('SELECT a, b AS "A new ""name""", c FROM (' || query || ') AS q'), 'another name: the bytes of the query with it') FROM named;
SELECT is(rowset_rename(r, '{x,y,z}'), query_to_rowset('SELECT * FROM (' || query || ') AS q(x, y, z)'), 'other names: the bytes of the query with them') FROM named;
SELECT is(rowset_rename(r, '{x}'), query_to_rowset('SELECT * FROM (' || query || ') AS q(x)'), 'fewer names: as column aliases') FROM named;
SELECT is(rowset_rename(rowset_rename(r, 'a', 'größe'), 'größe', 'a'), r, 'and back') FROM named;
SELECT is(rowset_rename(r, 'a', 'b'), query_to_rowset('SELECT a AS b, b, c FROM (' || query || ') AS q'), 'a name twice') FROM named;
SELECT is(rowset_rename(rowset_rename(r, 'a', 'b'), '{a}'), r, 'and by position to one again') FROM named;
SET LOCAL client_min_messages = error;
SELECT is((SELECT array_agg(length(name) ORDER BY ordinality) FROM rowset_columns(rowset_rename(r, 'a', repeat('ü', 60)))), '{31,1,1}', 'a name that is too long is cut at a character') FROM named;
SELECT is(rowset_project(rowset_rename(r, 'a', repeat('n', 70)), repeat('n', 70)), rowset_rename(rowset_project(r, 'a'), 'a', repeat('n', 63)), 'and found by the long one') FROM named;
SET LOCAL client_min_messages = warning;

--
-- Putting together
--
CREATE TEMP TABLE part AS
SELECT k, CASE WHEN k % 5 > 0 THEN query_to_rowset('SELECT $1 AS k, i, repeat(''x'', i) AS t FROM generate_series(1, $1) AS i', k) END AS r FROM generate_series(0, 60) AS k;
SELECT is(texts(rowset_concat_agg(r ORDER BY k)), texts(query_to_rowset('SELECT k, i, repeat(''x'', i) AS t FROM generate_series(0, 60) AS k, generate_series(1, k) AS i WHERE k % 5 > 0')), 'the aggregate, in order') FROM part;
SELECT is(texts(rowset_concat_agg(r ORDER BY k DESC) FILTER (WHERE k < 9)), texts(query_to_rowset('SELECT k, i, repeat(''x'', i) AS t FROM generate_series(8, 0, -1) AS k, generate_series(1, k) AS i WHERE k % 5 > 0')), 'backwards and filtered') FROM part;
SELECT is(rowset_concat_agg(r ORDER BY k), (SELECT rowset_concat(VARIADIC array_agg(r ORDER BY k)) FROM part), 'the function gives the same bytes') FROM part;
SELECT is(rowset_count(rowset_concat_agg(DISTINCT r)), 5::bigint, 'each rowset once') FROM (SELECT r FROM part WHERE k IN (2, 3) UNION ALL SELECT r FROM part WHERE k IN (2, 3)) AS p;
SELECT is(rowset_concat_agg(r), NULL, 'no rowset') FROM part WHERE k > 100;
SELECT is(rowset_concat_agg(r), NULL, 'NULLs only') FROM part WHERE k % 5 = 0;
SELECT is(rowset_concat(NULL, r, NULL), r, 'one rowset: its own bytes') FROM part WHERE k = 7;
SELECT is(rowset_concat_agg(r), r, 'and from the aggregate') FROM part WHERE k = 7 GROUP BY r;
SELECT is(rowset_concat(NULL, NULL), NULL, 'no rowset at all');
SELECT is(rowset_concat(VARIADIC '{}'), NULL, 'nor any argument');
SELECT is(rowset_concat(VARIADIC NULL), NULL, 'nor an array');
SELECT is(rowset_concat(rowset_slice(r, 0, 0), r, rowset_slice(r, 99)), r, 'without rows nothing is added') FROM part WHERE k = 7;
SELECT is((rowset_info(rowset_concat(r, r, r))).row_groups, 3, 'groups are not encoded anew') FROM part WHERE k = 7;
SELECT is(rowset_concat(rowset_concat(a.r, b.r), c.r), rowset_concat(a.r, rowset_concat(b.r, c.r)), 'in whatever order they are put together')
FROM part AS a, part AS b, part AS c WHERE (a.k, b.k, c.k) = (3, 4, 6);
-- in groups, as sorted and hashed
SET LOCAL enable_hashagg = off;
CREATE TEMP TABLE sorted AS SELECT k % 3 AS g, rowset_concat_agg(r ORDER BY k) AS r FROM part GROUP BY 1;
SET LOCAL enable_hashagg = on;
SET LOCAL enable_sort = off;
SELECT is(array_agg(rowset_count(s.r) ORDER BY g), (SELECT array_agg(rowset_count(r) ORDER BY g) FROM (SELECT k % 3 AS g, rowset_concat_agg(r) AS r FROM part GROUP BY 1) AS h), 'in groups') FROM sorted AS s;
RESET enable_sort;

--
-- rowset_schema_hash: the same just when rowsets can be put together
--
CREATE TEMP TABLE shape (ord serial, query text);
INSERT INTO shape (query) VALUES
('SELECT 1 AS a'), ('SELECT 1 AS b'), ('SELECT 1::int8 AS a'), ('SELECT 1::numeric AS a'), ('SELECT 1::numeric(5,2) AS a'), ('SELECT 1::numeric(5,3) AS a'), ('SELECT 1 AS a, 2 AS b'),
('SELECT 2 AS b, 1 AS a'), ('SELECT'), ('SELECT ''x''::text AS a'), ('SELECT ''x''::varchar AS a'), ('SELECT ''x''::varchar(3) AS a'), ('SELECT ''x'' COLLATE "C" AS a'),
('SELECT ''x'' COLLATE "POSIX" AS a'), ('SELECT ''x''::cname AS a'), ('SELECT ''{1}''::int[] AS a'), ('SELECT ''{1}''::int8[] AS a'), ('SELECT ROW(1, 2) AS a'), ('SELECT ROW(1, ''x'')::pair AS a'),
('SELECT ''ok''::mood AS a'), ('SELECT 1::posint AS a'), ('SELECT int4range(1, 2) AS a'), ('SELECT ''{}''::int4multirange AS a'), ('SELECT ''{1}''::posint[] AS a'),
-- and those whose schema is one of these
('SELECT i AS a FROM generate_series(1, 2000) AS i'), ('SELECT NULL::int AS a WHERE false'), ('SELECT ROW(true) AS a'), ('SELECT repeat(''long'', 900) COLLATE "default" AS a');
CREATE FUNCTION can_concat(a bytea, b bytea) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	RETURN rowset_count(rowset_concat(a, b)) = rowset_count(a) + rowset_count(b);
EXCEPTION WHEN datatype_mismatch THEN
	RETURN false;
END $$;
CREATE TEMP TABLE shaped AS SELECT ord, query, query_to_rowset(query) AS r, rowset_schema_hash(query_to_rowset(query)) AS h FROM shape;
SELECT is((SELECT array_agg(a.query || ' / ' || b.query) FROM shaped AS a, shaped AS b WHERE (a.h = b.h) <> can_concat(a.r, b.r)), NULL, 'equal hashes are those of rowsets that can be put together');
SELECT is(count(DISTINCT h)::int, 24, 'the schemas differ') FROM shaped;
SELECT is((SELECT array_agg(query) FROM shaped WHERE h !~ '^[0-9a-f]{64}$'), NULL, 'hashes are 64 hexadecimal digits');
SELECT is(rowset_schema_hash(rowset_rename(r, 'a', 'b')), (SELECT h FROM shaped WHERE query = 'SELECT 1 AS b'), 'names count') FROM shaped WHERE query = 'SELECT 1 AS a';
-- section 3 of the format, by hand: "UTF8", 1 column, "a", shape INT4, OID 23
SELECT is(h, encode(sha256('\x0455544638'::bytea || '\x01' || '\x0161' || '\x0417'), 'hex'), 'it is the SHA-256 that the reference says') FROM shaped WHERE query = 'SELECT 1 AS a';
SELECT rt.set(1, 'none');
SELECT is(rowset_schema_hash(query_to_rowset('SELECT i AS a FROM generate_series(1, 3) AS i')), h, 'neither groups nor compression count') FROM shaped WHERE query = 'SELECT 1 AS a';
SELECT rt.set(0, NULL);
-- types of the user, by name and not by number
DROP TYPE mood CASCADE;
CREATE TYPE mood AS ENUM ('ok');
SELECT is(rowset_schema_hash(query_to_rowset('SELECT ''ok''::mood AS a')), h, 'nor a type''s OID') FROM shaped WHERE query = 'SELECT ''ok''::mood AS a';

--
-- Nothing is decoded that need not be
--
-- 1. Types that don't exist (any more) hinder nothing
CREATE TYPE gone AS ENUM ('x', 'y');
CREATE TYPE gone_row AS (a gone, b int);
SET LOCAL rowser.row_group_rows = 10;
-- A row group that claims to be of 2^64 - 1 bytes: what a column has of them is a guess.
SELECT is((SELECT string_agg(a, ',') FROM rowset_to_recordset(rowset_project('\xff52530d0a0001001204555446380201610a1901620a192381751e47180802ffffffffffffffffff01001000102364e45b33925ad005610562056305645401221a0279b2850a0d000000', 'a')) AS t(a text)),
		  'a,b', 'a column of a group that claims too much');

CREATE TEMP TABLE orphan AS SELECT query_to_rowset('SELECT i, ''y''::gone AS g, ARRAY[ROW(''x'', i)::gone_row] AS gr, ''t'' || i AS t FROM generate_series(1, 40) AS i') AS r;
CREATE TEMP TABLE orphan_7 AS SELECT query_to_rowset('SELECT i, ''y''::gone AS g, ARRAY[ROW(''x'', i)::gone_row] AS gr, ''t'' || i AS t FROM generate_series(6, 8) AS i') AS r;
RESET rowser.row_group_rows;
DROP TYPE gone_row, gone;
SELECT throws_ok('SELECT rowset_check(r) FROM orphan', '42704', NULL, 'a type that is gone can''t be read');
SELECT is(rowset_count(rowset_slice(r, 10, 20)), 20::bigint, 'but sliced at groups') FROM orphan;
SELECT is(rowset_slice(o.r, 5, 3), s.r, 'and through one, to the very bytes that a query gave') FROM orphan AS o, orphan_7 AS s;
SELECT is(rowset_project(rowset_project(r, 'gr', 'g', 't', 'i'), 'i', 'g', 'gr', 't'), r, 'its columns chosen') FROM orphan;
SELECT is(texts(rowset_project(r, 't')), ARRAY(SELECT '(t' || i || ')' FROM generate_series(1, 40) AS i), 'the others read') FROM orphan;
SELECT is(rowset_rename(rowset_rename(r, 'g', 'h'), 'h', 'g'), r, 'renamed') FROM orphan;
SELECT is(rowset_concat(rowset_slice(r, 0, 20), rowset_slice(r, 20)), r, 'and put together') FROM orphan;
SELECT is(length(rowset_schema_hash(r)), 64, 'and hashed') FROM orphan;

-- 2. Neither do bytes that can't be decoded.  CRC-32C, to mend checksums:
CREATE FUNCTION header_crc(p_bytes bytea) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	v bigint := 4294967295;
BEGIN
	FOR i IN 0 .. length(p_bytes) - 1 LOOP
		v := v # get_byte(p_bytes, i);
		FOR b IN 1 .. 8 LOOP
			v := CASE WHEN v & 1 = 1 THEN (v >> 1) # 2197175160 ELSE v >> 1 END;
		END LOOP;
	END LOOP;
	v := v # 4294967295;
	RETURN set_byte(set_byte(set_byte(set_byte('\x00000000', 0, (v & 255)::int), 1, (v >> 8 & 255)::int), 2, (v >> 16 & 255)::int), 3, (v >> 24)::int);
END $$;
SELECT is(header_crc('123456789'), '\x839206e3', 'the CRC-32C of its test input');
-- A rowset in another encoding, or with an extension of a later minor version, whose header has less than 128 bytes.
CREATE FUNCTION with_header(p_rowset bytea, p_encoding text, p_minor int DEFAULT 0, p_extensions bytea DEFAULT '') RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	h int := 9 + get_byte(p_rowset, 8);
	e int := 10 + get_byte(p_rowset, 9);
	v_header bytea := set_byte('\x00', 0, length(p_encoding)) || convert_to(p_encoding, 'UTF8') || substr(p_rowset, e + 1, h - 4 - e) || p_extensions;
BEGIN
	v_header := set_byte(substr(p_rowset, 1, 8), 7, p_minor) || set_byte('\x00', 0, length(v_header) + 4) || v_header;
	RETURN v_header || header_crc(v_header) || substr(p_rowset, h + 1);
END $$;
-- Turn the body's bytes around in a rowset of one group of one column, whose headers have less than 128 bytes.
CREATE FUNCTION spoil(p_rowset bytea) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	h int := 9 + get_byte(p_rowset, 8);
	g int := 2 + get_byte(p_rowset, h + 1);
	e int := length(p_rowset) - get_byte(p_rowset, length(p_rowset) - 4);
	v_body bytea := (SELECT string_agg(set_byte('\x00', 0, 255 - get_byte(p_rowset, i)), '' ORDER BY i) FROM generate_series(h + g, e - 1) AS i);
	v_group bytea := substr(p_rowset, h + 1, g - 8) || header_crc(v_body);
BEGIN
	RETURN substr(p_rowset, 1, h) || v_group || header_crc(v_group) || v_body || substr(p_rowset, e + 1);
END $$;
SELECT rt.set(0, 'none');
CREATE TEMP TABLE spoilt AS SELECT query_to_rowset('SELECT v FROM unnest(ARRAY[''größe'', repeat(''y'', 140), ''zz'']) AS v') AS good, NULL::bytea AS r;
UPDATE spoilt SET r = spoil(good);
SELECT is(spoil(r), good, 'to spoil is its own reverse') FROM spoilt;
SELECT throws_ok('SELECT rowset_check(r) FROM spoilt', '22P03', 'invalid rowset', 'values that can''t be decoded');
SELECT is(rowset_slice(r, 0, 3), r, 'a slice of the whole') FROM spoilt;
SELECT is(rowset_project(r, 'v'), r, 'a projection') FROM spoilt;
SELECT is(rowset_project(rowset_project(r, 'v', 'v'), VARIADIC '{}'), rowset_project(good, VARIADIC '{}'), 'several') FROM spoilt;
SELECT is(rowset_rename(r, 'v', 'v'), r, 'another name') FROM spoilt;
SELECT is(rowset_slice(rowset_concat(good, r, good), 3, 3), r, 'among others') FROM spoilt;
SELECT is(rowset_slice(rowset_concat(good, r, good), 6, 3), good, 'and they unharmed') FROM spoilt;
SELECT is(texts(rowset_slice(rowset_concat(good, r, good), 7, 1)), texts(rowset_slice(good, 1, 1)), 'also where one of them is cut') FROM spoilt;
SELECT throws_ok('SELECT rowset_slice(r, 1, 1) FROM spoilt', '22P03', 'invalid rowset', 'only to cut it fails');
SELECT rt.set(0, NULL);

-- 3. Damage is not given a new checksum
CREATE TEMP TABLE damaged AS SELECT set_byte(r, length(r) - 60, get_byte(r, length(r) - 60) # 1) AS r
FROM (SELECT query_to_rowset('SELECT md5(i::text) AS a, md5((-i)::text) AS b FROM generate_series(1, 100) AS i') AS r) AS q;
SELECT throws_ok('SELECT rowset_check(r) FROM damaged', 'XX001', 'rowset checksum does not match', 'a column is damaged');
SELECT throws_ok('SELECT rowset_project(r, ''b'') FROM damaged', 'XX001', 'rowset checksum does not match', 'chosen');
SELECT lives_ok('SELECT rowset_check(rowset_project(r, ''a'')) FROM damaged', 'left out');
SELECT throws_ok('SELECT rowset_slice(r, 1, 1) FROM damaged', 'XX001', 'rowset checksum does not match', 'cut');
SELECT throws_ok('SELECT rowset_check(rowset_slice(r, 0)) FROM damaged', 'XX001', 'rowset checksum does not match', 'whole');
SELECT throws_ok('SELECT rowset_check(rowset_rename(r, ''a'', ''c'')) FROM damaged', 'XX001', 'rowset checksum does not match', 'renamed');
SELECT throws_ok('SELECT rowset_check(rowset_concat(r, r)) FROM damaged', 'XX001', 'rowset checksum does not match', 'put together');

--
-- Encodings, and versions to come
--
CREATE TEMP TABLE foreign_one AS SELECT r, with_header(r, 'LATIN1') AS latin, with_header(r, 'UTF8', 1, '\x0203616263') AS newer, with_header(r, 'UTF8', 1, '\x0103616263') AS odd, with_header(r, 'WTF8') AS unknown
FROM (SELECT query_to_rowset('SELECT i AS a, ''t'' || i AS b FROM generate_series(1, 5) AS i') AS r) AS q;
SELECT is(with_header(r, 'UTF8'), r, 'a header by hand') FROM foreign_one;
SELECT is((rowset_info(rowset_slice(latin, 1, 2))).encoding, 'LATIN1', 'a slice keeps the encoding') FROM foreign_one;
SELECT is(rowset_slice(latin, 1, 2), with_header(rowset_slice(r, 1, 2), 'LATIN1'), 'and its text') FROM foreign_one;
SELECT is((SELECT array_agg(name ORDER BY ordinality) FROM rowset_columns(rowset_rename(latin, 'a', 'größe'))), '{größe,b}', 'a name is converted to it') FROM foreign_one;
SELECT is(length(rowset_rename(latin, 'a', 'ö')), length(rowset_rename(r, 'a', 'ö')) + 1, 'where it has one byte') FROM foreign_one;
SELECT is(rowset_rename(rowset_rename(latin, 'a', 'ö'), 'ö', 'a'), latin, 'and from it') FROM foreign_one;
SELECT throws_ok('SELECT rowset_rename(latin, ''a'', ''中'') FROM foreign_one', '22P05', NULL, 'unless it has not such a character');
SELECT is((SELECT (state, message, detail, hint)::text FROM rt.error('SELECT rowset_concat(r, latin) FROM foreign_one')),
		  (SELECT ('42804'::text, 'cannot put rowsets in different encodings together'::text, 'One is in UTF8, the other in LATIN1.'::text, 'Read the rows of one of them and write them again.'::text)::text),
		  'encodings are not mixed');
SELECT isnt(rowset_schema_hash(latin), rowset_schema_hash(r), 'which the hash tells') FROM foreign_one;
SELECT is(rowset_count(rowset_concat(latin, latin)), 10::bigint, 'two of one encoding can be put together') FROM foreign_one;
SELECT throws_ok('SELECT rowset_slice(unknown, 0) FROM foreign_one', '22P03', 'invalid rowset', 'an encoding that is not known');
-- what an extension says may not be true of the new rowset
SELECT is((rowset_info(newer)).format_version, '1.1', 'a later minor version') FROM foreign_one;
SELECT is(rowset_slice(newer, 0), r, 'a slice leaves extensions out') FROM foreign_one;
SELECT is(rowset_project(newer, 'a', 'b'), r, 'a projection') FROM foreign_one;
SELECT is(rowset_rename(newer, '{}'), r, 'other names') FROM foreign_one;
SELECT is(rowset_concat(newer), r, 'and putting together') FROM foreign_one;
SELECT is(rowset_concat(newer, r, newer), rowset_concat(r, r, r), 'which is not hindered by them') FROM foreign_one;
SELECT is(rowset_schema_hash(newer), rowset_schema_hash(r), 'they are not hashed') FROM foreign_one;
SELECT throws_ok('SELECT rowset_slice(odd, 0) FROM foreign_one', '0A000', 'rowset is not supported', 'an extension that must be understood');

--
-- Storage: of what is stored EXTERNAL only what is needed is fetched
--
CREATE TEMP TABLE stored (r bytea);
ALTER TABLE stored ALTER r SET STORAGE EXTERNAL;
SELECT rt.set(1000, 'none');
INSERT INTO stored SELECT query_to_rowset('SELECT i AS a, md5(i::text) AS b, md5((-i)::text) AS c FROM generate_series(1, 40000) AS i');
-- The blocks that a query looks at, as often as it does.
CREATE FUNCTION blocks(p_query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	v_plan json;
BEGIN
	EXECUTE p_query;			-- once for what is cached
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT json) ' || p_query INTO v_plan;
	RETURN (SELECT sum(value::int) FROM json_each_text(v_plan -> 0 -> 'Plan') WHERE key IN ('Local Hit Blocks', 'Local Read Blocks'));
END $$;
SELECT cmp_ok(blocks('SELECT length(rowset_slice(r, 0)) FROM stored'), '>', 300, 'the whole takes many blocks');
SELECT cmp_ok(blocks('SELECT length(rowset_slice(r, 3500, 10)) FROM stored'), '<', 60, 'a slice takes few');
SELECT cmp_ok(blocks('SELECT length(rowset_slice(r, 39999)) FROM stored'), '<', 60, 'at the end as well');
SELECT cmp_ok(blocks('SELECT rowset_schema_hash(r) FROM stored'), '<', 20, 'the schema''s hash takes next to none');
SELECT cmp_ok(blocks('SELECT length(rowset_project(r, ''a'')) FROM stored'), '<', blocks('SELECT length(rowset_project(r, ''a'', ''b'', ''c'')) FROM stored') / 2, 'a narrow column takes less than all');
SELECT is(rowset_slice(r, 3500, 4000), rowset_slice(r || '', 3500, 4000), 'and gives the same bytes as in memory') FROM stored;
SELECT is(rowset_project(r, 'c', 'a'), rowset_project(r || '', 'c', 'a'), 'columns too') FROM stored;
ALTER TABLE stored ALTER r SET STORAGE EXTENDED;
UPDATE stored SET r = r || '';
SELECT is(rowset_slice(r, 3500, 4000), rowset_slice(r || '', 3500, 4000), 'compressed storage') FROM stored;
SELECT rt.set(0, NULL);

--
-- Hostile: every prefix and every change of a byte is read or refused
--
CREATE TEMP TABLE hostile AS
SELECT name || ', groups of ' || g AS name, (SELECT query_to_rowset('SELECT * FROM (' || query || ') AS q LIMIT 5') FROM (SELECT rt.set(g, 'none') IS NULL OFFSET 0) AS s) AS r
FROM specimen, unnest('{2,5}'::int[]) AS g WHERE name IN ('integers', 'NULLs', 'texts', 'arrays', 'records', 'ranges');
SELECT is(array_agg(DISTINCT (rowset_info(r)).row_groups), '{1,3}', 'damaged rowsets have one group or several') FROM hostile;
SELECT rt.set(0, NULL);
CREATE FUNCTION outcomes(p_rowset bytea, p_call text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	v_states text[] := '{}';
	v_mutant bytea;
BEGIN
	FOR v_mutant IN SELECT substr(p_rowset, 1, n) FROM generate_series(0, length(p_rowset) - 1) AS n
					UNION ALL SELECT set_byte(p_rowset, n, get_byte(p_rowset, n) # x) FROM generate_series(0, length(p_rowset) - 1) AS n, unnest('{1,16,128,255}'::int[]) AS x LOOP
		BEGIN
			EXECUTE p_call USING v_mutant;
			v_states := v_states || 'read'::text;
		EXCEPTION WHEN OTHERS THEN
			v_states := v_states || SQLSTATE::text;
		END;
	END LOOP;
	RETURN ARRAY(SELECT DISTINCT x FROM unnest(v_states) AS x ORDER BY x);
END $$;
-- what is copied as it is may be damaged inside; anything else is noticed
SELECT ok(outcomes(r, call) <@ '{0A000,22P03,XX001,read}', name || ': ' || call)
FROM hostile, unnest(ARRAY['SELECT rowset_slice($1, 0)', 'SELECT rowset_concat($1, $1)', 'SELECT rowset_rename($1, ''{z}'')']) AS call ORDER BY name, call;
SELECT is(outcomes(r, 'SELECT rowset_slice($1, 0, 3), rowset_slice($1, 3)'), CASE (rowset_info(r)).row_groups WHEN 1 THEN '{0A000,22P03,XX001}' ELSE '{0A000,22P03,XX001,read}' END::text[], name || ': slices')
FROM hostile ORDER BY name;
SELECT is(outcomes(r, 'SELECT rowset_project($1, VARIADIC (SELECT array_agg(name) FROM rowset_columns($1)))'), '{0A000,22P03,XX001}', name || ': all columns') FROM hostile ORDER BY name;

--
-- In functions, blocks and transactions
--
CREATE FUNCTION survives() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r bytea := query_to_rowset('SELECT i, ''x'' || i AS t FROM generate_series(1, 50) AS i');
	v_states text := '';
BEGIN
	FOR n IN 1 .. 3 LOOP
		BEGIN
			PERFORM rowset_concat_agg(x ORDER BY o) FROM (VALUES (r, 1), (rowset_project(r, 't'), 2)) AS v(x, o);
		EXCEPTION WHEN datatype_mismatch THEN
			v_states := v_states || SQLSTATE || ' ';
		END;
		BEGIN
			PERFORM rowset_slice(r, 0, 10), rowset_slice(r, -n);
		EXCEPTION WHEN OTHERS THEN
			v_states := v_states || SQLSTATE || ' ';
		END;
	END LOOP;
	RETURN v_states || rowset_count(rowset_concat(rowset_slice(r, 0, 10), rowset_slice(r, 40)));
END $$;
SELECT is(survives(), '42804 2201X 42804 2201X 42804 2201X 20', 'after errors in subtransactions');
SAVEPOINT s;
SELECT throws_ok('SELECT rowset_project(r, ''nothing'') FROM named', '42703', 'column "nothing" does not exist in the rowset', 'an error');
ROLLBACK TO s;
SELECT is(rowset_count(rowset_project(r, 'a')), 20::bigint, 'after a rollback to a savepoint') FROM named;

SELECT * FROM finish();
ROLLBACK;
