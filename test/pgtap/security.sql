--
-- security.sql
--	  What a rowset, or the one who made it, must not be able to do: run code,
--	  name types that the reader may not use, get past a domain or a typmod, or
--	  see rows that the caller may not.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
SELECT no_plan();

CREATE ROLE rt_owner;
CREATE ROLE rt_reader;

-- Run p_sql as another role: what it returned, or its SQLSTATE and message.
CREATE FUNCTION rt.as_role(p_role text, p_sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	PERFORM set_config('role', p_role, true);
	EXECUTE format('SELECT string_agg(o::text, '' '') FROM (%s) AS o', p_sql) INTO v_text;
	PERFORM set_config('role', 'none', true);
	RETURN v_text;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- All rows of a rowset through rowset_open, as text.
CREATE FUNCTION public.by_cursor(p_r bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := rowset_open(p_r);
	r record;
	v_text text := '';
BEGIN
	LOOP
		FETCH c INTO r;
		EXIT WHEN NOT FOUND;
		v_text := v_text || r::text;
	END LOOP;
	CLOSE c;
	RETURN v_text;
END $$;

--
-- Types that the rowset names need USAGE, of the schema and of the type
--
CREATE SCHEMA sec AUTHORIZATION rt_owner;
CREATE TYPE sec.mood AS ENUM ('sad', 'ok');
CREATE TYPE sec.pair AS (a int, b text);
CREATE TYPE sec.rng AS RANGE (subtype = sec.mood);
CREATE TYPE public.holder AS (m sec.mood);
CREATE TABLE packed (what text, r bytea);
GRANT SELECT ON packed TO PUBLIC;
INSERT INTO packed VALUES
('enum', query_to_rowset('SELECT ''ok''::sec.mood AS v')),
('array', query_to_rowset('SELECT ''{ok,sad}''::sec.mood[] AS v')),
('composite', query_to_rowset('SELECT ROW(1, ''x'')::sec.pair AS v')),
('range', query_to_rowset('SELECT ''[sad,ok]''::sec.rng AS v')),
('record', query_to_rowset('SELECT ROW(1, ''ok''::sec.mood) AS v'));

SELECT is(rt.as_role('rt_reader', format('SELECT by_cursor(r) FROM packed WHERE what = %L', what)),
		  '42501 permission denied for schema sec', what || ' of a schema without USAGE')
FROM packed;
GRANT USAGE ON SCHEMA sec TO rt_reader;
SELECT is(rt.as_role('rt_reader', format('SELECT by_cursor(r) AS t FROM packed WHERE what = %L', what)),
		  ROW((SELECT text FROM (VALUES ('enum', '(ok)'), ('array', '("{ok,sad}")'), ('composite', '("(1,x)")'), ('range', '("[sad,ok]")'),
										('record', '("(1,ok)")')) AS v(w, text) WHERE w = what))::text,
		  what || ' with USAGE')
FROM packed;
REVOKE USAGE ON TYPE sec.mood, sec.pair, sec.rng FROM PUBLIC;
SELECT is(rt.as_role('rt_reader', format('SELECT by_cursor(r) FROM packed WHERE what = %L', what)),
		  '42501 permission denied for type ' || CASE what WHEN 'composite' THEN 'sec.pair' WHEN 'range' THEN 'sec.rng' ELSE 'sec.mood' END,
		  what || ' of a type without USAGE')
FROM packed;
GRANT USAGE ON TYPE sec.mood, sec.pair, sec.rng TO PUBLIC;

-- The type of a column is looked up where it was, not along search_path.
CREATE SCHEMA shadow;
CREATE TYPE shadow.mood AS ENUM ('other');
CREATE TYPE shadow.text AS (a int);
CREATE TYPE shadow.int4 AS ENUM ('x');
SELECT is(rt.as_role('postgres', format('SELECT type_schema, type_name, type_oid = ''sec.mood''::regtype FROM rowset_columns(%L)', (SELECT r FROM packed WHERE what = 'enum'))),
		  '(sec,mood,t)', 'rowset_columns finds the type by its schema');
DO $$
BEGIN
	SET LOCAL search_path = shadow, pg_catalog, public;
	PERFORM public.rowset_open(r, 'shadowed') FROM public.packed WHERE what OPERATOR(pg_catalog.=) 'enum';
	SET LOCAL search_path = public, shadow;
END $$;
SELECT is(rowset_column_list(query_to_rowset('FETCH ALL FROM shadowed')), 'v sec.mood', 'rowset_open finds the type by its schema');
CLOSE shadowed;
SET LOCAL search_path = shadow, pg_catalog, public;
SELECT public.rowset_column_list(public.query_to_rowset('SELECT 1 AS a, ''x''::pg_catalog.text AS b, ''ok''::sec.mood AS c')) AS list \gset
SELECT pg_catalog.count(*) AS n FROM public.rowset_to_recordset(public.query_to_rowset('SELECT 1 AS a, ''x''::pg_catalog.text AS b, ''ok''::sec.mood AS c')) AS t(:list) \gset
SET LOCAL search_path = public;
SELECT is(:'list'::text, 'a integer, b pg_catalog.text, c sec.mood', 'the column list cannot be taken for other types');
SELECT is(:n, 1, 'and can be used along a hostile search_path');

--
-- Domains: no CHECK of somebody else's runs where the rowset names the types
--
CREATE SEQUENCE ran;
CREATE FUNCTION sec.spy(text) RETURNS bool LANGUAGE plpgsql VOLATILE AS 'BEGIN PERFORM nextval(''public.ran''); RETURN true; END';
CREATE DOMAIN sec.spied AS text CHECK (sec.spy(VALUE));
CREATE DOMAIN sec.spied2 AS sec.spied;
CREATE TYPE sec.holds AS (a sec.spied, b sec.spied2[]);
CREATE TABLE packed_spied (what text, r bytea);
INSERT INTO packed_spied VALUES
('a domain', query_to_rowset('SELECT ''x''::sec.spied AS v')),
('a domain over a domain', query_to_rowset('SELECT ''x''::sec.spied2 AS v')),
('an array of a domain', query_to_rowset('SELECT ARRAY[''x'']::sec.spied[] AS v')),
('a composite with a domain', query_to_rowset('SELECT ROW(''x'', ARRAY[''y''])::sec.holds AS v')),
('a record with a domain', query_to_rowset('SELECT ROW(1, ''x''::sec.spied) AS v'));
SELECT nextval('ran') AS before \gset
SELECT is(by_cursor(r), CASE what WHEN 'a composite with a domain' THEN '("(x,{y})")' WHEN 'a record with a domain' THEN '("(1,x)")'
							 WHEN 'an array of a domain' THEN '({x})' ELSE '(x)' END, what || ' by cursor') FROM packed_spied;
SELECT is(nextval('ran') - :before, 1::bigint, 'no CHECK has run');
SELECT nextval('ran') AS before \gset
SELECT count(rowset_check(r)) + count(rowset_column_list(r)) + count(rowset_is_valid(r)) AS ignore FROM packed_spied \gset
SELECT is(nextval('ran') - :before, 1::bigint, 'nor by looking at the rowset');
SELECT nextval('ran') AS before \gset
SELECT is((SELECT v::text FROM packed_spied, rowset_to_recordset(r) AS t(v sec.spied) WHERE what = 'a domain'), 'x', 'the caller may name the domain');
SELECT cmp_ok(nextval('ran') - :before, '>', 1::bigint, 'and then it is checked');

-- ... nor by the bounds of ranges, for which there is no type without the domain
CREATE SCHEMA bounds AUTHORIZATION rt_owner;
GRANT USAGE ON SCHEMA bounds TO PUBLIC;
SET LOCAL ROLE rt_owner;
CREATE FUNCTION bounds.spy(int) RETURNS bool LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''public.ran''); RETURN true; END';
CREATE DOMAIN bounds.spied AS int CHECK (bounds.spy(VALUE));
CREATE TYPE bounds.pair AS (a int, b bounds.spied);
CREATE TYPE bounds.span AS RANGE (subtype = bounds.spied, multirange_type_name = bounds.spans);
CREATE TYPE bounds.pairs AS RANGE (subtype = bounds.pair);
CREATE TYPE bounds.holds AS (a int, b bounds.span);
RESET ROLE;
GRANT USAGE ON SEQUENCE ran TO PUBLIC;
CREATE TABLE packed_bounds (what text, r bytea);
GRANT SELECT ON packed_bounds TO PUBLIC;
INSERT INTO packed_bounds VALUES
('a range', query_to_rowset('SELECT ''[1,2)''::bounds.span AS v')),
('a multirange', query_to_rowset('SELECT ''{[1,2)}''::bounds.spans AS v')),
('an array of ranges', query_to_rowset('SELECT ARRAY[''[1,2)'']::bounds.span[] AS v')),
('a range of composites', query_to_rowset('SELECT bounds.pairs(ROW(1, 2), ROW(1, 3)) AS v')),
('a composite with a range', query_to_rowset('SELECT ROW(1, ''[1,2)'')::bounds.holds AS v'));
CREATE TYPE bounds.plain AS (a int);
CREATE TYPE bounds.twice AS (a bounds.plain, b bounds.plain);
SELECT is(by_cursor(query_to_rowset('SELECT ROW(ROW(1), ROW(2))::bounds.twice AS v')), '("(""(1)"",""(2)"")")', 'composites twice');
SELECT nextval('ran') AS before \gset
SELECT results_eq(format('SELECT state, detail FROM rt.error(%L)', 'SELECT by_cursor(r) FROM packed_bounds WHERE what = ' || quote_literal(what)),
				  $$VALUES ('0A000', 'It has the domain bounds.spied inside, which belongs to neither a superuser nor the current user.')$$,
				  what || ' has no cursor') FROM packed_bounds;
SELECT count(rowset_check(r)) + count(rowset_to_json(r)) + count(rowset_to_xml(r)) + count(rowset_to_copy(r)) + count(rowset_to_arrow(r)) AS ignore FROM packed_bounds \gset
SELECT is(rowset_create_table(r, 'made_' || length(r)), 1::bigint, 'but it has a table') FROM packed_bounds WHERE what = 'a range';
CREATE FUNCTION pass_on() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE FUNCTION add_trigger() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
	v_table text;
BEGIN
	FOR v_table IN SELECT object_identity FROM pg_event_trigger_ddl_commands() WHERE command_tag = 'CREATE TABLE' LOOP
		EXECUTE format('CREATE TRIGGER pass_on BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION public.pass_on()', v_table);
	END LOOP;
END $$;
CREATE EVENT TRIGGER add_trigger ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION add_trigger();
SELECT is((rt.error(format('SELECT rowset_create_table(%L, ''with_trigger'')', r))).state, '0A000', 'and none where it would be filled by INSERT') FROM packed_bounds WHERE what = 'a range';
DROP EVENT TRIGGER add_trigger;
SELECT is(nextval('ran') - :before, 1::bigint, 'and no CHECK has run');
SELECT is(rt.as_role('rt_owner', 'SELECT by_cursor(r) FROM packed_bounds WHERE what = ''a range'''), '("(""[1,2)"")")', 'the owner has a cursor');

--
-- What the caller declares, holds
--
CREATE DOMAIN nn AS int NOT NULL;
CREATE DOMAIN pos AS int CHECK (VALUE > 0);
CREATE DOMAIN short AS varchar(3);
CREATE DOMAIN posarr AS int[] CHECK (0 < ALL (VALUE));
CREATE TYPE has_nn AS (a int, b nn);
CREATE TYPE has_short AS (a varchar(3), b short, c varchar(3)[]);
CREATE TYPE posrange AS RANGE (subtype = pos);
CREATE TYPE pairdom_base AS (a int, b int);
CREATE DOMAIN pairdom AS pairdom_base CHECK ((VALUE).a < (VALUE).b);

CREATE TEMP TABLE target (ord serial, query text, declared text, outcome text);
INSERT INTO target (query, declared, outcome) VALUES
-- typmods
('SELECT ''abcd''::text AS v', 'varchar(3)', '22001 value too long for type character varying(3)'),
('SELECT ''abcd''::varchar AS v', 'varchar(3)', '22001 value too long for type character varying(3)'),
('SELECT ''abcd''::varchar(4) AS v', 'varchar(3)', '22001 value too long for type character varying(3)'),
('SELECT ''abc  ''::text AS v', 'varchar(3)', '(abc)'),
('SELECT ''abc''::varchar(4) AS v', 'varchar(3)', '(abc)'),
('SELECT ''äöüß''::text AS v', 'varchar(3)', '22001 value too long for type character varying(3)'),
('SELECT ''äöü''::text AS v', 'varchar(3)', '(äöü)'),
('SELECT ''ab''::text AS v', 'char(4)', '("ab  ")'),
('SELECT ''abcde''::char(5) AS v', 'char(4)', '22001 value too long for type character(4)'),
('SELECT 123.456 AS v', 'numeric(5,2)', '(123.46)'),
('SELECT 1234.5 AS v', 'numeric(5,2)', '22003 numeric field overflow'),
('SELECT ''Infinity''::numeric AS v', 'numeric(5,2)', '22003 numeric field overflow'),
('SELECT B''1010'' AS v', 'bit(3)', '22026 bit string length 4 does not match type bit(3)'),
('SELECT B''1010''::varbit AS v', 'varbit(3)', '22001 bit string too long for type bit varying(3)'),
('SELECT timestamp ''2000-01-01 00:00:00.6'' AS v', 'timestamp(0)', '("2000-01-01 00:00:01")'),
('SELECT ARRAY[''abcd''] AS v', 'varchar(3)[]', '22001 value too long for type character varying(3)'),
('SELECT ARRAY[''abc'', NULL] AS v', 'varchar(3)[]', '("{abc,NULL}")'),
('SELECT ''abcd''::text AS v', 'short', '22001 value too long for type character varying(3)'),
('SELECT ARRAY[''abcd''] AS v', 'short[]', '22001 value too long for type character varying(3)'),
-- domains
('SELECT NULL::int AS v', 'nn', '23502 domain nn does not allow null values'),
('SELECT 1 AS v', 'nn', '(1)'),
('SELECT 1::int8 AS v', 'nn', '(1)'),
('SELECT ARRAY[1, NULL] AS v', 'nn[]', '23502 domain nn does not allow null values'),
('SELECT -1 AS v', 'pos', '23514 value for domain pos violates check constraint "pos_check"'),
('SELECT NULL::int AS v', 'pos', '()'),
('SELECT ARRAY[1, -1] AS v', 'pos[]', '23514 value for domain pos violates check constraint "pos_check"'),
('SELECT ARRAY[1, -1] AS v', 'posarr', '23514 value for domain posarr violates check constraint "posarr_check"'),
('SELECT ROW(2, 1)::pairdom_base AS v', 'pairdom', '23514 value for domain pairdom violates check constraint "pairdom_check"'),
('SELECT ROW(1, 2)::pairdom_base AS v', 'pairdom', '("(1,2)")'),
-- widths
('SELECT 40000 AS v', 'smallint', '22003 smallint out of range'),
('SELECT 3000000000 AS v', 'int', '22003 integer out of range'),
('SELECT 1e300::float8 AS v', 'real', '22003 value out of range: overflow'),
('SELECT 5::int2 AS v', 'bigint', '(5)'),
('SELECT 2.5 AS v', 'int', '(3)');
SELECT is(rt.as_role('postgres', format('SELECT * FROM rowset_to_recordset(query_to_rowset(%L)) AS t(v %s)', query, declared)),
		  outcome, format('%s AS t(v %s)', query, declared))
FROM target ORDER BY ord;
SELECT is(rt.as_role('postgres', format('SELECT * FROM rowset_to_recordset(query_to_rowset(%L), ''position'') AS t(x %s)', query, declared)),
		  outcome, format('%s AS t(v %s), by position', query, declared))
FROM target ORDER BY ord;
CREATE FUNCTION rt.populate(p_query text, p_declared text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	EXECUTE format('CREATE TYPE public.rt_target AS (v %s)', p_declared);
	v_text := rt.as_role('postgres', format('SELECT * FROM rowset_populate_recordset(NULL::public.rt_target, query_to_rowset(%L))', p_query));
	DROP TYPE public.rt_target;
	RETURN v_text;
END $$;
SELECT is(rt.populate(query, declared), outcome, format('%s into a row type of %s', query, declared))
FROM target ORDER BY ord;

SELECT throws_ok('SELECT * FROM rowset_populate_recordset(NULL::has_nn, query_to_rowset(''SELECT 1 AS a''))', '23502',
				 'domain nn does not allow null values', 'a missing column is no way past NOT NULL');
SELECT results_eq('SELECT * FROM rowset_populate_recordset(ROW(7, 8)::has_nn, query_to_rowset(''SELECT 1 AS a''))', 'VALUES (1, 8::nn)', 'a base has a value for it');
SELECT throws_ok('SELECT * FROM rowset_populate_recordset(NULL::has_nn, query_to_rowset(''SELECT 1 AS a, NULL::int AS b''))', '23502',
				 'domain nn does not allow null values', 'nor is a NULL');
SELECT throws_ok('SELECT * FROM rowset_populate_record(NULL::has_nn, query_to_rowset(''SELECT 1 AS a, NULL::int AS b''))', '23502',
				 'domain nn does not allow null values', 'nor for one record');

--
-- Casts: the reader names the target; a cast from the rowset's type runs only if
-- a superuser or the reader owns its function
--
SET LOCAL ROLE rt_owner;
CREATE TYPE sec.castable AS (a int);
CREATE FUNCTION sec.to_int(sec.castable) RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE WARNING ''ran as %'', current_user; RETURN 666; END';
CREATE CAST (sec.castable AS int) WITH FUNCTION sec.to_int(sec.castable) AS ASSIGNMENT;
RESET ROLE;
CREATE TABLE packed_castable AS SELECT query_to_rowset('SELECT ROW(1)::sec.castable AS v, ARRAY[ROW(1)::sec.castable] AS w') AS r;
GRANT SELECT ON packed_castable TO PUBLIC;
SELECT results_eq('SELECT state, message, detail FROM rt.error(''SELECT v FROM packed_castable, rowset_to_recordset(r) AS t(v int)'')',
	$$VALUES ('42804', 'cannot read column "v" as type integer', 'It is of type sec.castable, whose cast function belongs to neither a superuser nor the current user.')$$,
	'a cast function of another role does not run');
SELECT is((rt.error('SELECT w FROM packed_castable, rowset_to_recordset(r) AS t(w int[])')).state, '42804', 'nor for the elements of an array');
SET LOCAL client_min_messages = error;
SELECT is(rt.as_role('rt_owner', 'SELECT v FROM packed_castable, rowset_to_recordset(r) AS t(v int)'), '(666)', 'for its owner it does');
SET LOCAL client_min_messages = warning;

-- a typmod that the bytes give a type which can have none, but has a function for it
CREATE SCHEMA lengths AUTHORIZATION rt_owner;
GRANT USAGE ON SCHEMA lengths TO PUBLIC;
SET LOCAL ROLE rt_owner;
CREATE TYPE lengths.label AS ENUM ('x');
CREATE TYPE lengths.pair AS (a int);
CREATE TYPE lengths.span AS RANGE (subtype = int);
CREATE FUNCTION lengths.cut(lengths.label, int) RETURNS lengths.label LANGUAGE plpgsql AS 'BEGIN RAISE ''ran as %'', current_user; END';
CREATE FUNCTION lengths.cut(lengths.pair, int) RETURNS lengths.pair LANGUAGE plpgsql AS 'BEGIN RAISE ''ran as %'', current_user; END';
CREATE FUNCTION lengths.cut(lengths.span, int) RETURNS lengths.span LANGUAGE plpgsql AS 'BEGIN RAISE ''ran as %'', current_user; END';
CREATE CAST (lengths.label AS lengths.label) WITH FUNCTION lengths.cut(lengths.label, int);
CREATE CAST (lengths.pair AS lengths.pair) WITH FUNCTION lengths.cut(lengths.pair, int);
CREATE CAST (lengths.span AS lengths.span) WITH FUNCTION lengths.cut(lengths.span, int);
CREATE TABLE lengths.labels AS SELECT 'x'::lengths.label AS v;
CREATE TABLE lengths.pairs AS SELECT ROW(1)::lengths.pair AS v;
CREATE TABLE lengths.spans AS SELECT '[1,2)'::lengths.span AS v;
CREATE TABLE lengths.arrays AS SELECT '{x}'::lengths.label[] AS v;
RESET ROLE;
UPDATE pg_attribute SET atttypmod = 5 WHERE attname = 'v' AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'lengths'::regnamespace AND relkind = 'r');
CREATE TABLE packed_lengths AS
SELECT relname AS what, table_to_rowset(oid) AS r FROM pg_class WHERE relnamespace = 'lengths'::regnamespace AND relkind = 'r';
SELECT is((rt.error(format('SELECT %s(%L::bytea)', call, r))).state, '42804', format('%s of %s with a typmod runs no code', call, what))
FROM packed_lengths, unnest('{rowset_check,rowset_to_json,rowset_to_jsonb,rowset_to_xml,rowset_to_copy}'::text[]) AS call;
SELECT isnt((rt.error(format('SELECT %s(%L::bytea)', call, r))).state, 'P0001', format('nor does %s of %s', call, what))
FROM packed_lengths, unnest('{by_cursor,rowset_to_arrow}'::text[]) AS call;
SELECT isnt((rt.error(format('SELECT arrow_to_rowset(rowset_to_arrow(%L::bytea))', r))).state, 'P0001', 'nor does an Arrow stream of ' || what) FROM packed_lengths;
SELECT is((SELECT v FROM rowset_to_recordset(r) AS t(v text)), (ARRAY['{x}', 'x', '(1)', '[1,2)'])[array_position('{arrays,labels,pairs,spans}', what::text)],
		  what || ' can be read as text') FROM packed_lengths;

-- pg_node_tree: only a superuser may have trees that may not be one
SELECT is(rt.as_role('rt_reader', 'SELECT v FROM rowset_to_recordset(query_to_rowset(''SELECT ev_action AS v FROM pg_rewrite LIMIT 1'')) AS t(v pg_node_tree)'),
		  '42501 permission denied to read values of type pg_node_tree', 'pg_node_tree is for superusers');
SELECT is(rt.as_role('rt_reader', 'SELECT length(v) > 0 FROM rowset_to_recordset(query_to_rowset(''SELECT ev_action AS v FROM pg_rewrite LIMIT 1'')) AS t(v text)'),
		  '(t)', 'as text anybody may read it');
SELECT is(rt.as_role('rt_reader', 'SELECT length(by_cursor(query_to_rowset(''SELECT ROW(ev_action) AS r, ev_action AS v FROM pg_rewrite LIMIT 1''))) > 0'),
		  '(t)', 'and by cursor it is text');

--
-- Rows: the caller's rights and policies
--
CREATE TABLE owned (who name, what text);
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON owned USING (who = current_user);
INSERT INTO owned VALUES ('rt_reader', 'mine'), ('rt_owner', 'yours');
GRANT SELECT ON owned TO rt_reader, rt_owner;
SELECT is(rt.as_role(role, 'SELECT what FROM rowset_to_recordset(query_to_rowset(''SELECT * FROM owned'')) AS t(what text)'), what, 'query_to_rowset as ' || role)
FROM (VALUES ('rt_reader', '(mine)'), ('rt_owner', '(yours)'), ('rt_reader', '(mine)'), ('postgres', '(mine) (yours)')) AS v(role, what);
SELECT is(rt.as_role(role, 'SELECT what FROM rowset_to_recordset(table_to_rowset(''owned'')) AS t(what text)'), what, 'table_to_rowset as ' || role)
FROM (VALUES ('rt_reader', '(mine)'), ('rt_owner', '(yours)')) AS v(role, what);
CREATE TABLE closed (a int);
SELECT is(rt.as_role('rt_reader', 'SELECT query_to_rowset(''SELECT * FROM closed'')'), '42501 permission denied for table closed', 'no right, no rows');
SELECT is(rt.as_role('rt_reader', 'SELECT table_to_rowset(''closed'')'), '42501 permission denied for table closed', 'no right, no rows of the table');
GRANT SELECT (a) ON closed TO rt_reader;
SELECT is(rt.as_role('rt_reader', 'SELECT rowset_count(table_to_rowset(''closed''))'), '(0)', 'the right to all columns is enough');

-- A parameter is a value, never text of the statement.
SELECT is((SELECT v FROM rowset_to_recordset(query_to_rowset('SELECT $1 AS v', $$'; DROP TABLE owned; --$$::text)) AS t(v text)),
		  $$'; DROP TABLE owned; --$$, 'a parameter is bound');
CREATE TABLE "x; DROP TABLE owned" (a int);
SELECT is(rowset_count(table_to_rowset('"x; DROP TABLE owned"')), 0::bigint, 'a table''s name is quoted');
CREATE TYPE quoted AS ("a"" int, b" int, "select" text);
SELECT is(rowset_column_list(query_to_rowset('SELECT (NULL::quoted).*')), '"a"" int, b" integer, "select" text', 'so are the names of columns');

--
-- The extension itself
--
SELECT is((SELECT array_agg(p.oid::regprocedure) FROM pg_proc AS p JOIN pg_depend AS d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass
		   JOIN pg_extension AS e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
		   WHERE e.extname = 'rowser' AND (p.prosecdef OR ('internal'::regtype = ANY (p.proargtypes::oid[])) <> (p.proname LIKE 'rowset\_%agg\__%fn' OR p.proname LIKE 'rowset\_from\_packets\__%fn' OR p.proname = 'rowset_recordset_support'))),
		  NULL, 'no function is SECURITY DEFINER, none but the aggregates'' and the planner''s takes internal');
SELECT is((SELECT array_agg(p.oid::regprocedure) FROM pg_proc AS p JOIN pg_depend AS d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass
		   JOIN pg_extension AS e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
		   WHERE e.extname = 'rowser' AND p.proname NOT LIKE 'rowset\_%agg%' AND (p.provolatile, p.proparallel) <>
				 CASE WHEN p.proname = 'rowset_packets' OR p.proname LIKE 'rowset\_from\_packets%' THEN ('i'::"char", 's'::"char")
					  WHEN p.proname = 'rowset_reader_state' THEN ('v'::"char", 'r'::"char")
					  WHEN p.proname IN ('query_to_rowset', 'table_to_rowset', 'cursor_to_rowset', 'rowset_open', 'rowset_send', 'rowset_create_table', 'rowset_insert', 'query_to_rowset_chunks', 'query_to_rowset_packets', 'rowset_reader_open', 'rowset_reader_feed', 'rowset_reader_close', 'query_to_arrow') THEN ('v'::"char", 'u'::"char")
					  WHEN p.proname IN ('rowset_info', 'rowset_count', 'rowset_is_valid', 'rowset_recordset_support') THEN ('i'::"char", 's'::"char")
					  WHEN p.proname IN ('rowset_project', 'rowset_rename', 'rowset_concat', 'rowset_schema_hash') THEN ('i'::"char", 's'::"char")
					  WHEN p.proname = 'rowset_slice' THEN ('s'::"char", 's'::"char")
					  ELSE ('s'::"char", 'r'::"char") END),
		  NULL, 'volatility and parallel safety');

-- In a schema with an odd name, not on the search_path.
DROP EXTENSION rowser CASCADE;
CREATE SCHEMA "o'd""d; $x$ schema";
CREATE EXTENSION rowser SCHEMA "o'd""d; $x$ schema";
SELECT is((SELECT a FROM "o'd""d; $x$ schema".rowset_to_recordset("o'd""d; $x$ schema".query_to_rowset('SELECT 5 AS a')) AS t(a int)), 5,
		  'in a schema with an odd name');
SELECT is((SELECT array_agg(a) FROM (SELECT "o'd""d; $x$ schema".rowset_agg(s) AS r FROM (SELECT i AS a FROM generate_series(1, 3) AS i) AS s) AS s,
		   "o'd""d; $x$ schema".rowset_to_recordset(r) AS t(a int)), '{1,2,3}', 'the aggregate too');
ALTER EXTENSION rowser SET SCHEMA public;
SELECT is((SELECT a FROM rowset_to_recordset(query_to_rowset('SELECT 5 AS a')) AS t(a int)), 5, 'and after ALTER EXTENSION SET SCHEMA');

-- The script adopts nothing that is there already.
DROP EXTENSION rowser CASCADE;
CREATE FUNCTION public.rowset_count(bytea) RETURNS int8 LANGUAGE sql AS 'SELECT 666';
SELECT throws_ok('CREATE EXTENSION rowser SCHEMA public', '42723', 'function "rowset_count" already exists with same argument types', 'no function is adopted');

SELECT * FROM finish();
ROLLBACK;
