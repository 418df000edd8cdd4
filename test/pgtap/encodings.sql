--
-- encodings.sql
--	  How values are spread over rows decides how they are stored: all the same,
--	  few, many, sorted, with NULLs here and there, in numbers about the edges of
--	  bits, bytes, batches and groups.  The rows must not tell.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
SELECT no_plan();
CREATE TYPE rt.pair2 AS (a int, b text);
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');

-- Value number x (1, 2, ...) of a type, as an expression.
CREATE TEMP TABLE kind (ord serial, type text, expr text);
INSERT INTO kind (type, expr) VALUES
('boolean', 'x % 2 = 1'),
('"char"', '(x % 256 - 128)::"char"'),
('smallint', '(x * 7 % 65536 - 32768)::int2'),
('integer', '(x::int8 * 12345677 % 4294967296 - 2147483648)::int4'),
('bigint', '(x::int8 * 30000000000007 # 5)'),
('real', '(x / 7.0)::float4'),
('double precision', '(x / 7.0)::float8'),
('date', 'date ''2000-01-01'' + x'),
('timestamp', 'timestamp ''1999-12-31 23:59:59.999999'' + x * interval ''37 hours 1 us'''),
('interval', 'make_interval(months => x, days => -x, secs => x / 3.0)'),
('uuid', 'md5(x::text)::uuid'),
('numeric', '(x * 1.10)::numeric'),
('text', '''value '' || x'),
('text of 127 bytes', 'lpad(x::text, 127, ''p'')'),
('text of all sizes', 'repeat(chr(97 + x % 26), x % 300)'),
('bytea', 'decode(md5(x::text), ''hex'')'),
('inet', '''10.0.0.0''::inet + x'),
('enum', '(enum_range(NULL::mood))[x % 3 + 1]'),
('array', 'CASE x % 4 WHEN 0 THEN ''{}'' ELSE array_fill(x, ARRAY[x % 4]) END'),
('array of arrays', 'CASE x % 5 WHEN 0 THEN ''{}'' WHEN 1 THEN array_fill(x, ARRAY[2, x % 3 + 1], ARRAY[x, 0]) ELSE ARRAY[x, NULL] END'),
('composite', 'ROW(x, ''c'' || x)::rt.pair2'),
('record', 'CASE x % 3 WHEN 0 THEN ROW(x) WHEN 1 THEN ROW(x, x::text) ELSE ROW(ROW(x), NULL::text) END'),
('range', 'CASE x % 4 WHEN 0 THEN ''empty'' WHEN 1 THEN int4range(x, NULL) ELSE int4range(x, x + 3) END'),
('multirange', 'CASE x % 3 WHEN 0 THEN ''{}''::int4multirange ELSE int4multirange(int4range(x, x + 2), int4range(x + 5, x + 9)) END');

-- Which value stands in row i, as an expression that may be NULL.
CREATE TEMP TABLE spread (ord serial, name text, x text);
INSERT INTO spread (name, x) VALUES
('all the same', '5'),
('two, by turns', 'i % 2 + 1'),
('a few', 'i % 7 + 1'),
('long runs', 'i / 50 + 1'),
('all different', 'i'),
('backwards', '100000 - i'),
('every third NULL', 'CASE WHEN i % 3 <> 0 THEN i % 5 END'),
('NULL first', 'CASE WHEN i > 8 THEN i END'),
('NULL last', 'CASE WHEN i < 9 THEN i END'),
('one NULL', 'CASE WHEN i <> 3 THEN 5 END'),
('one value', 'CASE WHEN i = 3 THEN 5 END'),
('all NULL', 'NULL::int');

CREATE FUNCTION rt.spread_query(p_expr text, p_x text, p_rows int) RETURNS text LANGUAGE sql AS $$
SELECT format('SELECT CASE WHEN x IS NOT NULL THEN %s END AS v, i AS tail FROM (SELECT i, %s AS x FROM generate_series(1, %s) AS i) AS s', p_expr, p_x, p_rows);
$$;

-- Every kind in every spread.
SELECT is(rt.diff(rt.spread_query(k.expr, s.x, 520), '', '{100,0}', CASE WHEN k.type NOT IN ('integer', 'text') THEN '{none}'::text[] END), NULL,
		  format('%s: %s', k.type, s.name))
FROM kind AS k, spread AS s ORDER BY k.ord, s.ord;

-- Every kind in every number of rows about an edge.
SELECT is(rt.diff(rt.spread_query(k.expr, CASE WHEN n % 2 = 0 THEN 'i' ELSE 'CASE WHEN i % 11 <> 0 THEN i % 300 END' END, n), '', '{0}', '{none}'), NULL,
		  format('%s: %s rows', k.type, n))
FROM kind AS k, unnest('{0,1,2,3,7,8,9,15,16,17,63,64,65,127,128,129,255,256,257,511,512,513,1023,1024,1025}'::int[]) AS n
WHERE k.type IN ('boolean', 'integer', 'numeric', 'text', 'text of all sizes', 'array', 'composite', 'record', 'range', 'multirange')
ORDER BY k.ord, n;

-- Enough rows for more entries than a dictionary may have, and for several groups of the default size.
SELECT is(rt.diff('SELECT i::text AS a, (i % 70000)::text || repeat(''-'', 30) AS b, (i % 60000)::text || repeat(''='', 30) AS c, (i % 300)::text || ''x'' AS d FROM generate_series(1, 150000) AS i', '', '{0}', '{none}'),
		  NULL, 'dictionaries about their largest size');

-- Groups are cut by size too.
SELECT is(rt.diff('SELECT i, repeat(md5(i::text), 32768) AS v FROM generate_series(1, 40) AS i', '', '{0,7}', NULL), NULL, '40 values of 1 MB');
SELECT cmp_ok((rowset_info(query_to_rowset('SELECT repeat(md5(i::text), 32768) AS v FROM generate_series(1, 40) AS i'))).row_groups, '>', 1, 'are several groups');

-- Group sizes: as many groups as the rows need.
SELECT is((SELECT (rowset_info(query_to_rowset('SELECT i FROM generate_series(1, 10) AS i'))).row_groups
		   FROM rt.set(n, NULL)), ceil(10.0 / n)::int, format('10 rows in groups of %s', n))
FROM unnest('{1,2,3,4,5,9,10,11}'::int[]) AS n;
SELECT rt.set(0, NULL) AS reset \gset
SELECT is((rowset_info(query_to_rowset('SELECT 1 WHERE false'))).row_groups, 0, 'no rows, no group');

-- Random bits.
SELECT setseed(0.5) AS seed \gset
CREATE TABLE rt.floats AS
SELECT (random() * 2 - 1) * 10::float8 ^ (random() * 600 - 300) AS v, ((random() * 2 - 1) * 10::float8 ^ (random() * 70 - 35))::float4 AS w FROM generate_series(1, 2000);
SELECT is(rt.diff('SELECT v, w, ARRAY[v, -v] AS a, v::numeric AS n FROM rt.floats', '', '{7,1000,0}'), NULL, 'random floats');
CREATE TABLE rt.noise AS
SELECT (SELECT string_agg(decode(lpad(to_hex((random() * 255)::int), 2, '0'), 'hex'), '') FROM generate_series(1, (random() * 200)::int + i * 0)) AS b,
	   (random() * 4294967295 - 2147483648)::int AS i4, round((random() * 1e15)::numeric / 10::numeric ^ (random() * 12)::int, (random() * 20)::int) AS n
FROM generate_series(1, 500) AS i;
SELECT is(rt.diff('SELECT * FROM rt.noise', '', '{7,1000,0}'), NULL, 'random bytes and numerics');

SELECT * FROM finish();
ROLLBACK;
