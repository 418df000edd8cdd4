--
-- trusted.sql
--	  The extension made by a user who is no superuser but may create in the
--	  database: what that gives, and what it doesn't.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
SELECT no_plan();
DROP EXTENSION rowser CASCADE;
CREATE ROLE tr_owner;
CREATE ROLE tr_other;

-- What p_sql raises when a role runs it, or NULL; what it did is undone.
CREATE FUNCTION public.as_role(p_role text, p_sql text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', p_role, true);
	EXECUTE p_sql;
	RAISE EXCEPTION USING ERRCODE = 'UNDO1';
EXCEPTION
	WHEN SQLSTATE 'UNDO1' THEN
		RETURN NULL;
	WHEN OTHERS THEN
		RETURN concat_ws(' ', SQLSTATE, SQLERRM);
END $$;

--
-- The right to create in the database is what it takes
--
SELECT is((SELECT trusted FROM pg_available_extension_versions AS v JOIN pg_available_extensions AS e ON (e.name, e.default_version) = (v.name, v.version) WHERE v.name = 'rowser'), true, 'the extension is trusted');
SELECT is(as_role('tr_owner', 'CREATE EXTENSION rowser'), '42501 permission denied to create extension "rowser"', 'without the right there is no extension');
SELECT format('GRANT CREATE ON DATABASE %I TO tr_owner', current_database()) \gexec
SET LOCAL ROLE tr_owner;
CREATE SCHEMA tr;
CREATE EXTENSION rowser SCHEMA tr;
RESET ROLE;
SELECT is((SELECT extowner::regrole::text FROM pg_extension WHERE extname = 'rowser'), 'tr_owner', 'who made it owns it');
CREATE TEMP TABLE member AS
SELECT d.classid, d.objid, i.type, i.identity FROM pg_depend AS d, pg_identify_object(d.classid, d.objid, d.objsubid) AS i
WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'rowser') AND d.deptype = 'e';
SELECT is((SELECT array_agg(DISTINCT o.rolsuper) FROM member AS m
		   LEFT JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
		   LEFT JOIN pg_class AS c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
		   LEFT JOIN pg_roles AS o ON o.oid = coalesce(p.proowner, c.relowner) WHERE m.type <> 'type'),
		  '{t}', 'but none of what is in it: that is a superuser''s');
SELECT is((SELECT array_agg(p.oid::regprocedure::text) FROM member AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid WHERE p.prosecdef),
		  NULL, 'and nothing of it runs with that superuser''s rights');

--
-- Every call, by its owner and by somebody else
--
GRANT USAGE, CREATE ON SCHEMA public TO tr_owner;
SET LOCAL ROLE tr_owner;
CREATE SCHEMA sp;
\set schema tr
\set path public
\ir lib/along.sql
\ir lib/calls.sql
CREATE TABLE sp.outcome AS SELECT ord, sp.along('public', replace(query, 'E.', 'tr.')) AS text FROM sp.call;
SELECT is((SELECT array_agg(text) FROM sp.outcome WHERE text ~ '^[0-9A-Z]{5} .'), NULL, 'all calls can be called');
SELECT cmp_ok((SELECT count(*) FROM sp.outcome), '>', 35::bigint, 'they are many');
GRANT USAGE ON SCHEMA sp, tr TO tr_other;
GRANT SELECT ON ALL TABLES IN SCHEMA sp TO tr_other;
GRANT INSERT ON sp.target, sp.observed TO tr_other;
RESET ROLE;
GRANT CREATE ON SCHEMA public TO tr_other;
SELECT format('GRANT TEMPORARY ON DATABASE %I TO tr_other', current_database()) \gexec
SET LOCAL ROLE tr_other;
SELECT is(sp.along('public', replace(query, 'E.', 'tr.')), text, 'by another: ' || substr(query, 1, 60))
FROM sp.call JOIN sp.outcome USING (ord) ORDER BY ord;
RESET ROLE;

-- What only a superuser may do is not done for others by the superuser who owns
-- the calls.
CREATE TABLE public.closed AS SELECT 1 AS a;
CREATE TABLE public.trees AS SELECT tr.query_to_rowset('SELECT ev_action AS v FROM pg_rewrite LIMIT 1') AS r;
GRANT SELECT ON public.trees TO PUBLIC;
SELECT is(as_role(role, query), error, format('%s: %s', role, query))
FROM (VALUES ('tr_owner'), ('tr_other')) AS r(role),
	 (VALUES ('SELECT tr.table_to_rowset(''public.closed'')', '42501 permission denied for table closed'),
			 ('SELECT tr.query_to_rowset(''TABLE public.closed'')', '42501 permission denied for table closed'),
			 ('SELECT tr.query_to_rowset(''SELECT pg_read_file(''''PG_VERSION'''')'')', '42501 permission denied for function pg_read_file'),
			 ('SELECT tr.rowset_insert(''public.closed'', tr.query_to_rowset(''SELECT 1 AS a''))', '42501 permission denied for table closed'),
			 ('SELECT tr.rowset_create_table(tr.query_to_rowset(''SELECT 1 AS a''), ''pg_catalog.made'', false)', '42501 permission denied for schema pg_catalog'),
			 ('SELECT v FROM public.trees, tr.rowset_to_recordset(r) AS t(v pg_node_tree)', '42501 permission denied to read values of type pg_node_tree')) AS q(query, error);

--
-- What the owner may do with it
--
SELECT is(as_role('tr_owner', query), error, query)
FROM (VALUES ('COMMENT ON EXTENSION rowser IS ''mine''', NULL),
			 ('ALTER EXTENSION rowser UPDATE', NULL),
			 ('DROP EXTENSION rowser', NULL),
			 ('CREATE OR REPLACE FUNCTION tr.rowset_count(rowset bytea) RETURNS int8 LANGUAGE sql AS ''SELECT 666''', '42501 must be owner of function rowset_count'),
			 ('ALTER FUNCTION tr.rowset_count(bytea) SECURITY DEFINER', '42501 must be owner of function tr.rowset_count'),
			 ('ALTER FUNCTION tr.rowset_count(bytea) OWNER TO tr_other', '42501 must be owner of function rowset_count'),
			 ('ALTER EXTENSION rowser DROP FUNCTION tr.rowset_count(bytea)', '42501 must be owner of function tr.rowset_count'),
			 ('CREATE OR REPLACE VIEW tr.rowset_progress AS SELECT 1 AS a', '42501 must be owner of view rowset_progress'),
			 ('CREATE FUNCTION tr.mine(internal, record) RETURNS internal LANGUAGE c AS ''$libdir/rowser'', ''rowset_agg_transfn''', '42501 permission denied for language c')) AS q(query, error);
-- PostgreSQL wants the owner of each function for this.
SELECT matches(as_role('tr_owner', 'CREATE SCHEMA elsewhere; ALTER EXTENSION rowser SET SCHEMA elsewhere'), '^42501 must be owner of function ', 'another schema is for a superuser to give');
SELECT is(as_role('tr_other', query), error, 'not its owner: ' || query)
FROM (VALUES ('DROP EXTENSION rowser', '42501 must be owner of extension rowser'),
			 ('ALTER EXTENSION rowser SET SCHEMA public', '42501 must be owner of extension rowser')) AS q(query, error);

--
-- What the owner has put into the schema before: the script, which a superuser
-- runs, neither adopts nor calls any of it
--
DROP EXTENSION rowser;
DROP SCHEMA sp, tr CASCADE;
SET LOCAL ROLE tr_owner;
CREATE SCHEMA tr;
CREATE FUNCTION tr.trap() RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''a trap has gone off as %'', current_user; END';
CREATE TYPE tr.text AS (a pg_catalog.int4);
CREATE TYPE tr.bytea AS (a pg_catalog.int4);
CREATE TYPE tr.record AS (a pg_catalog.int4);
CREATE FUNCTION tr.int4eq(oid, oid) RETURNS bool LANGUAGE plpgsql AS 'BEGIN PERFORM tr.trap(); END';
CREATE OPERATOR tr.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = tr.int4eq);
CREATE EXTENSION rowser SCHEMA tr;
SELECT is((SELECT count(*) FROM tr.rowset_progress), 0::bigint, 'the view is made of core''s and the extension''s');
SELECT is(tr.rowset_count(tr.query_to_rowset('SELECT 5 AS a')), 1::bigint, 'the calls are the extension''s');
DROP EXTENSION rowser;
RESET ROLE;
SELECT is(as_role('tr_owner', query || '; CREATE EXTENSION rowser SCHEMA tr'), error, 'beside it: ' || query)
FROM (VALUES ('CREATE FUNCTION tr.rowset_count(rowset pg_catalog.bytea) RETURNS int8 LANGUAGE sql AS ''SELECT 666''', '42723 function "rowset_count" already exists with same argument types'),
			 ('CREATE FUNCTION tr.rowset_progress_info(p int DEFAULT 1) RETURNS SETOF pg_database LANGUAGE plpgsql AS ''BEGIN PERFORM tr.trap(); END''', '42725 function rowset_progress_info() is not unique'),
			 ('CREATE FUNCTION tr.rowset_progress_info(VARIADIC p int[] DEFAULT ''{}'') RETURNS SETOF pg_database LANGUAGE plpgsql AS ''BEGIN PERFORM tr.trap(); END''', '42725 function rowset_progress_info() is not unique'),
			 ('CREATE TABLE tr.rowset_progress (a int)', '42P07 relation "rowset_progress" already exists')) AS q(query, error);

SELECT * FROM finish();
ROLLBACK;
