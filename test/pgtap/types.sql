--
-- types.sql
--	  Every type that a query can return, at the edges of its range, makes the
--	  round trip: alone, in arrays, in composites, behind domains and in
--	  anonymous records.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/samples.sql
SELECT no_plan();

SELECT is(rt.diff(rt.sample_query(type, vals)), NULL, type)
FROM sample ORDER BY ord;

-- Arrays: all values and NULLs, none, several dimensions, lower bounds.
SELECT is(rt.diff(format($q$
	SELECT a, e FROM (
		SELECT 1 AS o, array_agg(v) AS a, NULL::%1$s[] AS e FROM (%2$s) AS q
		UNION ALL SELECT 2, '{}', ARRAY[NULL]::%1$s[]
		UNION ALL SELECT 3, NULL, '{}'
		UNION ALL (SELECT 4, array_fill(v, '{2,1,3}', '{-1,0,7}'), array_fill(v, '{2}', '{5}')
				   FROM (%2$s) AS q WHERE v IS NOT NULL LIMIT 2)
		UNION ALL SELECT 5, ARRAY[array_agg(v), array_agg(v)], '{NULL,NULL}' FROM (%2$s) AS q
	) AS u ORDER BY o$q$, type, rt.sample_query(type, vals)), '', '{1,7,0}'), NULL, 'arrays of ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

-- Composites, whole and with NULLs, and arrays of them.
SELECT is(rt.diff(format('SELECT ROW(v, 7, ARRAY[v, NULL], v)::box1 AS c, ARRAY[ROW(v, NULL, NULL, NULL)::box1, NULL] AS a, 42 AS tail FROM (%s) AS q',
						 rt.sample_query(type, vals)),
				  format('CREATE TYPE box1 AS (f1 %1$s, f2 int, "F 3" %1$s[], f4 %1$s)', type), '{1,7,0}'),
		  NULL, 'composites of ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

-- Domains: over it, over a domain over it, over an array of it, over a composite
-- of it; arrays and composites of domains.
SELECT is(rt.diff(format($q$SELECT v::d1 AS a, v::d2 AS b, ARRAY[v]::d3 AS c, ROW(v::d1, v::d2)::d4 AS d,
							   ARRAY[v::d1, NULL] AS e, ROW(v, v)::inner4 AS f FROM (%s) AS q$q$,
						 rt.sample_query(type, vals)),
				  format('CREATE DOMAIN d1 AS %1$s; CREATE DOMAIN d2 AS d1 CHECK (VALUE IS NULL OR true);
						  CREATE DOMAIN d3 AS %1$s[]; CREATE TYPE inner4 AS (x d1, y d2);
						  CREATE DOMAIN d4 AS inner4', type), '{1,7,0}'),
		  NULL, 'domains over ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

-- Anonymous records, and arrays of records that have different shapes.
SELECT is(rt.diff(format('SELECT ROW(v, 1, ARRAY[v]) AS r, ARRAY[ROW(v), ROW(1, v), NULL, ROW(ROW(v, NULL::int))] AS a FROM (%s) AS q',
						 rt.sample_query(type, vals)), '', '{1,7,0}', NULL, true, type NOT IN ('aclitem', 'query_int', 'posint')),
		  NULL, 'records of ' || type)
FROM sample ORDER BY ord;

--
-- Values that have no literal
--
CREATE TEMP TABLE nan (i int, f float8, g float4);
\copy nan FROM PROGRAM 'printf "PGCOPY\n\377\r\n\000\000\000\000\000\000\000\000\000\000\003\000\000\000\004\000\000\000\001\000\000\000\010\177\370\000\000\000\000\000\001\000\000\000\004\177\300\000\001\000\003\000\000\000\004\000\000\000\002\000\000\000\010\377\370\336\255\276\357\000\001\000\000\000\004\377\300\336\255\000\003\000\000\000\004\000\000\000\003\000\000\000\010\177\360\000\000\000\000\000\001\000\000\000\004\177\200\000\001\000\003\000\000\000\004\000\000\000\004\000\000\000\010\177\370\000\000\000\000\000\000\000\000\000\004\177\300\000\000\377\377"' (FORMAT binary)
SELECT is((SELECT array_agg(float8send(f) ORDER BY i) FROM nan),
		  '{"\\x7ff8000000000001","\\xfff8deadbeef0001","\\x7ff0000000000001","\\x7ff8000000000000"}'::bytea[],
		  'the table has NaNs of different bits');
SELECT is(rt.diff('SELECT f, g FROM nan'), NULL, 'NaN keeps its payload');
SELECT is(rt.diff('SELECT array_agg(f) AS f, array_agg(g) AS g, array_agg(ROW(f, g)) AS r FROM nan'), NULL,
		  'NaN keeps its payload in arrays and records');
SELECT is(rt.diff('SELECT f FROM nan WHERE i = 3'), NULL, 'one NaN alone (constant)');
SELECT is(rt.diff('SELECT i::"char" AS c, ARRAY[i::"char"] AS a FROM generate_series(-128, 127) AS i'), NULL, 'all 256 values of "char"');
SELECT is(rt.diff('SELECT ev_action, ev_qual, is_instead FROM pg_rewrite'), NULL, 'pg_node_tree');

CREATE TEMP TABLE stat (a int, b int, c text);
INSERT INTO stat SELECT i / 100, i / 50, i / 10 FROM generate_series(1, 1000) AS i;
CREATE STATISTICS stat_all (ndistinct, dependencies, mcv) ON a, b, c FROM stat;
ANALYZE stat;
SELECT is(rt.diff($$SELECT d.* FROM pg_statistic_ext_data AS d JOIN pg_statistic_ext AS e ON e.oid = d.stxoid
	WHERE stxname = 'stat_all'$$), NULL, 'pg_ndistinct, pg_dependencies, pg_mcv_list as text');
SELECT is(rt.diff('SELECT * FROM pg_statistic WHERE starelid = ''stat''::regclass'), NULL, 'anyarray as text: pg_statistic');
SELECT is(rt.diff('SELECT * FROM pg_stats WHERE tablename = ''stat'''), NULL, 'anyarray as text: pg_stats');
SELECT is((SELECT string_agg(type, ', ' ORDER BY ordinality)
		   FROM rowset_columns(query_to_rowset('SELECT most_common_vals, histogram_bounds FROM pg_stats'))),
		  'text, text', 'anyarray is listed as text');
SELECT is(rt.diff('SELECT pg_sleep(0) AS v, 1 AS i'), NULL, 'void as text');
SELECT is(rt.diff('SELECT textout(''x''::text) AS v, cash_out(1::text::money) AS m'), NULL, 'cstring as text');
SELECT is(rt.diff('SELECT ''x'' AS a, NULL AS b'), NULL, 'untyped literals are text');
SELECT is(rt.diff('SELECT ''x''::unknown AS a, NULL::unknown AS b'), NULL, 'unknown');

--
-- Composites and their tables
--
CREATE TABLE dropped (a int, gone1 text, b text, gone2 numeric, c int[]);
ALTER TABLE dropped DROP COLUMN gone1, DROP COLUMN gone2;
ALTER TABLE dropped ADD COLUMN d mood DEFAULT 'ok';
INSERT INTO dropped VALUES (1, 'x', '{1,2}', 'sad'), (2, NULL, NULL, NULL), (NULL, '', '{}', '');
CREATE TYPE has_dropped AS (x dropped, y dropped[]);
SELECT is(rt.diff('SELECT * FROM dropped'), NULL, 'a table with dropped columns');
SELECT is(rt.diff('SELECT t AS r, ARRAY[t, NULL] AS a FROM dropped AS t'), NULL, 'row values with dropped columns');
SELECT is(rt.diff('SELECT ROW(t, ARRAY[t])::has_dropped AS v FROM dropped AS t'), NULL, 'composites of rows with dropped columns');
SELECT is(rt.diff('SELECT ROW(t, t.a) AS v FROM dropped AS t'), NULL, 'records of rows with dropped columns');
SELECT is(rt.diff('SELECT v FROM (SELECT NULL::pair UNION ALL SELECT ROW(NULL, NULL)::pair UNION ALL SELECT ROW(1, NULL)::pair) AS s(v)'), NULL,
		  'a NULL composite is not a composite of NULLs');
CREATE TYPE empty AS ();
SELECT is(rt.diff('SELECT ROW()::empty AS e, NULL::empty AS n, ARRAY[ROW()::empty] AS a'), NULL, 'a composite without fields');

--
-- Records
--
SELECT is(rt.diff('SELECT ROW() AS r, ARRAY[ROW(), ROW(1), ROW(1, ''x''::text), ROW(NULL::int)] AS a'), NULL, 'records without fields and of several shapes');
SELECT is(rt.diff('SELECT CASE WHEN i % 3 = 0 THEN ROW(i) WHEN i % 3 = 1 THEN ROW(i::text, i) END AS r FROM generate_series(1, 50) AS i'), NULL,
		  'a record column whose rows have different shapes');
SELECT is(rt.diff('SELECT ROW(1, ROW(2, ROW(3, ARRAY[ROW(4, NULL::text), ROW(''ok''::mood)]))) AS r'), NULL, 'records in records');
CREATE FUNCTION rt.deep(p_n int) RETURNS text LANGUAGE sql AS $$ SELECT 'SELECT ' || repeat('ROW(', p_n) || '1' || repeat(')', p_n) || ' AS v' $$;
SELECT is(rt.diff(rt.deep(n), '', '{0}', '{none}'), NULL, format('records %s deep', n)) FROM unnest('{2,12}'::int[]) AS n;
-- (their text would be too long)
SELECT is((rt.error(format('SELECT rowset_check(query_to_rowset(%L))', rt.deep(31)))).state, NULL, 'records 31 deep');
SELECT is((rt.error(format('SELECT rowset_check(query_to_rowset(%L))', replace(rt.deep(31), '1)', '1.5)') || ' FROM generate_series(1, 100)'))).state, NULL,
		  'records 31 deep of scaled numerics');
SELECT is((rt.error(format('SELECT query_to_rowset(%L)', rt.deep(n)))).state, '54000', format('records %s deep are too deep', n)) FROM unnest('{32,33,34,200}'::int[]) AS n;
SELECT is(rt.diff('SELECT q FROM (SELECT i AS m, ''x''::text AS "T t" FROM generate_series(1, 3) AS i) AS q'), NULL, 'whole rows of a subquery');
SELECT is(rt.diff('SELECT ARRAY[]::record[] AS a, NULL::record AS r'), NULL, 'no record at all');
SELECT is(rt.diff('SELECT ROW(1::posint, ''sad''::mood, ROW(1, ''a'')::pair, ''[a,b)''::textrange) AS r', '', '{1,0}', NULL, true, false), NULL,
		  'user types in a record');

--
-- Domains
--
CREATE DOMAIN nn AS int NOT NULL;
CREATE DOMAIN nn2 AS nn CHECK (VALUE < 100);
CREATE DOMAIN short AS varchar(3) COLLATE "C" NOT NULL DEFAULT 'abc';
CREATE DOMAIN cents AS numeric(8,2);
CREATE DOMAIN cents2 AS cents CHECK (VALUE >= 0);
CREATE DOMAIN points AS posint[] CHECK (array_length(VALUE, 1) > 0);
CREATE DOMAIN pairdom AS pair CHECK ((VALUE).a > 0);
CREATE DOMAIN rangedom AS int4range CHECK (NOT isempty(VALUE));
CREATE TYPE holds AS (n nn, s short, p pairdom, r rangedom);
SELECT is(rt.diff($$SELECT 1::nn AS a, 2::nn2 AS b, 'abc'::short AS c, 1.10::cents AS d, 2.5::cents2 AS e, '{1,2}'::points AS f,
	ROW(1, 'x')::pairdom AS g, '[1,5)'::rangedom AS h FROM generate_series(1, 3)$$), NULL, 'domains of all kinds');
SELECT is(rt.diff($$SELECT ROW(1, 'abc', ROW(1, 'x'), '[1,5)')::holds AS c, ARRAY[1, 2]::nn[] AS d, ARRAY[ROW(1, 'x')]::pairdom[] AS e$$), NULL,
		  'domains inside composites and arrays');
SELECT is(rt.diff('SELECT 1.10::cents2 AS a'), NULL, 'typmod of a domain over a domain');
SELECT is(rt.diff('SELECT ARRAY[1.10]::cents2[] AS a, ARRAY[''abc'']::short[] AS b'), NULL, 'arrays of domains with a typmod');
-- An array of a domain over an array has no base type that a cursor could show.
CREATE DOMAIN arrdom AS int[];
CREATE TYPE has_arrdom AS (v arrdom[]);
SELECT query_to_rowset($$SELECT '{"{1,2}","{}",NULL}'::arrdom[] AS v$$) AS arrdoms \gset
SELECT results_eq(format('SELECT v::text, pg_typeof(v)::text FROM rowset_to_recordset(%L) AS t(v arrdom[])', :'arrdoms'),
				  $$VALUES ('{"{1,2}","{}",NULL}', 'arrdom[]')$$, 'an array of a domain over an array, by column list');
SELECT results_eq(format('SELECT v::text FROM rowset_populate_recordset(NULL::has_arrdom, %L)', :'arrdoms'),
				  $$VALUES ('{"{1,2}","{}",NULL}')$$, 'and by row type');
SELECT is((rt.error(format('SELECT rowset_check(%L)', :'arrdoms'))).state, NULL, 'it is valid');
SELECT is((rt.error(format('SELECT rowset_open(%L)', :'arrdoms'))).state, '0A000', 'and what cannot be done is not supported, rather than invalid');

--
-- Enums
--
SELECT is(rt.diff('SELECT (enum_range(NULL::mood))[i % 7 + 1] AS m FROM generate_series(1, 3000) AS i'), NULL, 'many rows of an enum');
SELECT is(rt.diff('SELECT enum_range(NULL::mood) AS m, ''{}''::mood[] AS e, ''{{ok},{NULL}}''::mood[] AS d'), NULL, 'arrays of an enum');

--
-- Collations and typmods stay in the metadata
--
SELECT is(rt.diff($$SELECT 'a' COLLATE "C" AS a, 'b' COLLATE "POSIX" AS b, 'c' COLLATE "od d"."C o" AS c, ARRAY['d'] COLLATE "C" AS d, 'e'::name AS e, 'f' COLLATE "default" AS f$$),
		  NULL, 'columns with collations');
SELECT results_eq($$SELECT ordinality, "collation" FROM rowset_columns(query_to_rowset(
	'SELECT ''a'' COLLATE "C" AS a, ''c'' COLLATE "od d"."C o" AS c, ''f''::text AS f, 1 AS g'))$$,
	$$VALUES (1, 'pg_catalog."C"'), (2, '"od d"."C o"'), (3, NULL), (4, NULL)$$, 'rowset_columns names the collation');
SELECT is(rt.diff($$SELECT '{a}'::varchar(10)[] AS a, NULL::numeric(5,2)[] AS b, NULL::bit(3)[] AS c, NULL::char(7)[] AS d, NULL::interval hour to minute AS e,
	NULL::timestamp(1)[] AS f$$), NULL, 'typmods of arrays');

SELECT * FROM finish();
ROLLBACK;
