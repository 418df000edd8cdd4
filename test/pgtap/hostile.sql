--
-- hostile.sql
--	  Damaged rowsets: every prefix, and every change of a single byte, is found
--	  and told with an SQLSTATE that is meant for it.  The checksums are not
--	  mended here; so no change may pass unseen.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
CREATE EXTENSION IF NOT EXISTS hstore;
SELECT no_plan();

CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN posint AS int CHECK (VALUE > 0);
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");

--
-- Specimens: small rowsets that have between them every kind of type, every
-- encoding, every compression, and one, several and no groups.
--
CREATE TEMP TABLE specimen (ord serial, name text, query text, groups int DEFAULT 0, method text DEFAULT 'none', r bytea, list text);
INSERT INTO specimen (name, query, groups, method) VALUES
('no rows', 'SELECT 1 AS a, ''x''::text AS b WHERE false', 0, 'none'),
('no columns', 'SELECT FROM generate_series(1, 3)', 0, 'none'),
('integers', 'SELECT i::int2 AS a, i AS b, i::int8 AS c, i::oid AS d FROM generate_series(1, 3) AS i', 0, 'none'),
('constants', 'SELECT 1::int2 AS a, 2 AS b, 3::int8 AS c, true AS d, 1.5 AS e, ''x''::text AS f, 0.5::float8 AS g, ''00000000-0000-0000-0000-000000000001''::uuid AS h FROM generate_series(1, 3)', 0, 'none'),
('floats and booleans', 'SELECT i / 3.0::float8 AS a, (i / 3.0)::float4 AS b, i % 2 = 0 AS c FROM generate_series(1, 9) AS i', 0, 'none'),
('NULLs', 'SELECT CASE WHEN i % 2 = 0 THEN i END AS a, NULL::text AS b, CASE WHEN i > 3 THEN ''x'' END AS c FROM generate_series(1, 9) AS i', 0, 'none'),
('numerics', 'SELECT v FROM unnest(''{NaN,Infinity,-Infinity,0,1.10,-12345678.000123,1e40}''::numeric[]) AS v', 0, 'none'),
('texts', 'SELECT v, v::name AS n, v::bytea AS b FROM unnest(ARRAY['''', ''a'', ''größe'', repeat(''y'', 140)]) AS v', 0, 'none'),
('a dictionary', 'SELECT (ARRAY[''low'', ''medium'', ''very high''])[i % 3 + 1] AS v FROM generate_series(1, 60) AS i', 0, 'none'),
('dates and times', 'SELECT date ''2000-01-01'' + i AS a, time ''01:02:03'' AS b, timetz ''01:02:03+04'' AS c, now()::timestamp + i * interval ''1 day'' AS d, interval ''1 mon'' * i AS e FROM generate_series(1, 2) AS i', 0, 'none'),
('binary types', 'SELECT ''10.0.0.1''::inet AS a, ''08:00:2b:01:02:03''::macaddr AS b, B''101''::varbit AS c, point(1, 2) AS d, ''{"a": 1}''::jsonb AS e, ''a:1 b''::tsvector AS f, ''1/2''::pg_lsn AS g, ''(0,1)''::tid AS h, ''a=>1''::hstore AS i, 1::money AS j, ''1 2''::int2vector AS k', 0, 'none'),
('names of objects', 'SELECT ''pg_class''::regclass AS a, ''int4''::regtype AS b, ''{postgres=r/postgres}''::aclitem[] AS c', 0, 'none'),
('arrays', 'SELECT v FROM (VALUES (''{1,NULL,3}''::int[]), (''{}''), (NULL), (''[0:1][2:2]={{4},{5}}'')) AS s(v)', 0, 'none'),
('arrays of texts', 'SELECT ARRAY[''a'', NULL, ''bb''] AS v, ARRAY[[1.5, 2], [3, 4]] AS w', 0, 'none'),
('composites', 'SELECT v FROM (VALUES (ROW(1, ''a'')::pair), (ROW(NULL, NULL)::pair), (NULL)) AS s(v)', 0, 'none'),
('records', 'SELECT ROW(1, ''a''::text) AS r, ARRAY[ROW(1), ROW(''x''::text, true)] AS a', 0, 'none'),
('enums and domains', 'SELECT ''ok''::mood AS a, ''{sad,ok}''::mood[] AS b, 5::posint AS c, ARRAY[1, 2]::posint[] AS d', 0, 'none'),
('ranges', 'SELECT int4range(1, 5) AS a, ''empty''::int4range AS b, ''[a,b]''::textrange AS c, ''{[1,2),[5,)}''::int4multirange AS d', 0, 'none'),
('several groups', 'SELECT i AS a, ''t'' || i AS b FROM generate_series(1, 7) AS i', 2, 'none'),
('a collation and typmods', 'SELECT ''a'' COLLATE "C" AS a, ''b''::varchar(10) AS b, 1.5::numeric(5,2) AS c', 0, 'none'),
('lz4', 'SELECT repeat(i::text, 150) AS a, i AS b FROM generate_series(1, 2) AS i', 0, 'lz4'),
('zstd', 'SELECT repeat(i::text, 150) AS a, i AS b FROM generate_series(1, 2) AS i', 0, 'zstd');
DELETE FROM specimen WHERE NOT method = ANY (rt.methods());

DO $$
DECLARE
	s specimen;
BEGIN
	FOR s IN SELECT * FROM specimen LOOP
		PERFORM rt.set(s.groups, s.method);
		UPDATE specimen SET r = query_to_rowset(s.query) WHERE ord = s.ord;
	END LOOP;
	PERFORM rt.set(0, NULL);
END $$;
UPDATE specimen SET list = nullif(rowset_column_list(r), '');

SELECT ok(bool_and(rowset_is_valid(r)), 'the specimens are valid') FROM specimen;
SELECT is((SELECT array_agg(DISTINCT m ORDER BY m) FROM unnest(array_agg((rowset_info(r)).compression)) AS m), (SELECT array_agg(m ORDER BY m) FROM unnest(rt.methods()) AS m), 'every compression is among them')
FROM specimen WHERE name IN ('integers', 'lz4', 'zstd');
SELECT cmp_ok(max(length(r)), '<', 1000, 'they are small') FROM specimen;

--
-- rowset_is_valid: false for whatever is not the whole rowset, and no error
--
SELECT is((SELECT array_agg(n) FROM generate_series(0, length(r) - 1) AS n WHERE rowset_is_valid(substr(r, 1, n))),
		  NULL, name || ': no prefix is valid') FROM specimen ORDER BY ord;
SELECT is((SELECT array_agg(n) FROM generate_series(2, length(r) + 1) AS n WHERE rowset_is_valid(substr(r, n))),
		  NULL, name || ': no suffix is valid') FROM specimen ORDER BY ord;
SELECT is((SELECT array_agg(n || ' ' || x) FROM generate_series(0, length(r) - 1) AS n, generate_series(1, 255) AS x
		   WHERE rowset_is_valid(set_byte(r, n, get_byte(r, n) # x))),
		  NULL, name || ': no change of one byte is valid') FROM specimen ORDER BY ord;
SELECT is((SELECT array_agg(n) FROM generate_series(1, length(r) - 1) AS n
		   WHERE rowset_is_valid(substr(r, 1, n) || substr(r, n + 2))),
		  NULL, name || ': no loss of one byte is valid') FROM specimen ORDER BY ord;
SELECT is((SELECT array_agg(n) FROM generate_series(0, length(r)) AS n, unnest('{"\\x00","\\xff","\\x47"}'::bytea[]) AS x
		   WHERE rowset_is_valid(substr(r, 1, n) || x || substr(r, n + 1))),
		  NULL, name || ': no byte more is valid') FROM specimen ORDER BY ord;
SELECT ok(NOT rowset_is_valid(r || r), name || ': twice is not valid') FROM specimen ORDER BY ord;
SELECT is((SELECT array_agg(a.name || ', ' || b.name) FROM specimen AS a, specimen AS b, generate_series(4, 60, 7) AS n
		   WHERE a.r <> b.r AND rowset_is_valid(substr(a.r, 1, greatest(length(a.r) - n, 0)) || substr(b.r, greatest(length(b.r) - n, 0) + 1))
				 AND substr(a.r, 1, greatest(length(a.r) - n, 0)) || substr(b.r, greatest(length(b.r) - n, 0) + 1) NOT IN (a.r, b.r)),
		  NULL, 'no head of one with the tail of another is valid');

--
-- Reading: an error with one of these SQLSTATEs, never another, never rows
--
-- What each call makes of the bytes: "fn SQLSTATE", or "fn rows" for success.
CREATE FUNCTION rt.read_all(p_r bytea, p_list text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	v_call text;
	c refcursor;
	x record;
BEGIN
	BEGIN
		PERFORM rowset_check(p_r);
		RETURN NEXT 'rowset_check rows';
	EXCEPTION WHEN OTHERS THEN
		RETURN NEXT 'rowset_check ' || SQLSTATE;
	END;
	IF p_list IS NOT NULL THEN
		BEGIN
			EXECUTE format('SELECT count(t) FROM rowset_to_recordset($1, ''position'') AS t(%s)', p_list) USING p_r;
			RETURN NEXT 'rowset_to_recordset rows';
		EXCEPTION WHEN OTHERS THEN
			RETURN NEXT 'rowset_to_recordset ' || SQLSTATE;
		END;
	END IF;
	BEGIN
		c := rowset_open(p_r);
		LOOP
			FETCH c INTO x;
			EXIT WHEN NOT FOUND;
		END LOOP;
		CLOSE c;
		RETURN NEXT 'rowset_open rows';
	EXCEPTION WHEN OTHERS THEN
		RETURN NEXT 'rowset_open ' || SQLSTATE;
	END;
	-- these read a part of the bytes only, and may not see the damage
	FOREACH v_call IN ARRAY '{rowset_count,rowset_info,rowset_columns,rowset_column_list}'::text[] LOOP
		BEGIN
			EXECUTE format('SELECT count(%s) FROM %s($1) AS x', CASE v_call WHEN 'rowset_count' THEN 'x' ELSE 'x.*' END, v_call) USING p_r;
		EXCEPTION WHEN OTHERS THEN
			RETURN NEXT v_call || ' ' || SQLSTATE;
		END;
	END LOOP;
END $$;

SELECT is((SELECT array_agg(DISTINCT t) FROM rt.read_all(r, list) AS t WHERE t NOT LIKE '% rows'), NULL, name || ': whole, it can be read')
FROM specimen ORDER BY ord;
SELECT is((SELECT array_agg(DISTINCT t) FROM generate_series(0, length(r) - 1) AS n, rt.read_all(substr(r, 1, n), list) AS t
		   WHERE t NOT LIKE '% 22P03' AND t NOT LIKE '% XX001'),
		  NULL, name || ': each prefix is refused as invalid') FROM specimen ORDER BY ord;
SELECT is((SELECT array_agg(DISTINCT t) FROM generate_series(0, length(r) - 1) AS n, unnest('{1,2,4,8,16,32,64,127,128,170,240,255}'::int[]) AS x,
				  rt.read_all(set_byte(r, n, get_byte(r, n) # x), list) AS t
		   WHERE t NOT LIKE '% 22P03' AND t NOT LIKE '% XX001' AND NOT (t LIKE '% 0A000' AND n = 6)
				 -- of rows without columns, only their number is read
				 AND NOT (t = 'rowset_open rows' AND name = 'no columns')),
		  NULL, name || ': each change is refused as invalid or damaged') FROM specimen ORDER BY ord;

-- The errors by their text.
SELECT results_eq('SELECT state, message FROM rt.error(''SELECT rowset_check(''''\x'''')'')', $$VALUES ('22P03', 'invalid rowset')$$, 'no bytes at all');
SELECT results_eq('SELECT state, message FROM rt.error(''SELECT rowset_check(''''not a rowset'''')'')', $$VALUES ('22P03', 'invalid rowset')$$, 'other bytes');
SELECT results_eq(format('SELECT state, message FROM rt.error(%L)', format('SELECT rowset_check(%L)', set_byte(r, length(r) - 5, get_byte(r, length(r) - 5) # 1))),
				  $$VALUES ('XX001', 'rowset checksum does not match')$$, 'a byte of the checksum of the trailer')
FROM specimen WHERE name = 'integers';
SELECT results_eq(format('SELECT state FROM rt.error(%L)', format('SELECT rowset_check(%L)', set_byte(r, 6, 2))),
				  $$VALUES ('0A000')$$, 'a later major version')
FROM specimen WHERE name = 'integers';

-- Few bytes that name a type whose parts are many: each of its 18 row types has the one before twice.
CREATE TYPE doubled AS (z int);
CREATE TEMP TABLE names_doubled AS SELECT query_to_rowset('SELECT NULL::doubled AS v') AS r;
DROP TYPE doubled;
CREATE TYPE doubled_0 AS (a int, b int);
DO $$
BEGIN
	FOR i IN 1 .. 18 LOOP
		EXECUTE format('CREATE TYPE doubled_%s AS (a doubled_%s, b doubled_%s)', i, i - 1, i - 1);
	END LOOP;
END $$;
ALTER TYPE doubled_18 RENAME TO doubled;
CREATE FUNCTION milliseconds(p_sql text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	v_start timestamptz := clock_timestamp();
BEGIN
	EXECUTE p_sql;
	RETURN extract(epoch FROM clock_timestamp() - v_start) * 1000;
EXCEPTION WHEN undefined_column THEN
	RETURN extract(epoch FROM clock_timestamp() - v_start) * 1000;
END $$;
SELECT cmp_ok((SELECT milliseconds('SELECT ' || call || '(r) FROM names_doubled') AS ms FROM generate_series(1, 3) ORDER BY ms LIMIT 1), '<', 200::float8, call || ' of a type with many parts')
FROM unnest('{rowset_check,rowset_column_list,rowset_to_json}'::text[]) AS call;

SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'no cursor is left open');

SELECT * FROM finish();
ROLLBACK;
