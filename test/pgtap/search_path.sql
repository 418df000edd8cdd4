--
-- search_path.sql
--	  What others have put where names are looked up: in the schema of the
--	  extension, in one that comes first in search_path, among temporary objects.
--	  Nothing of it may be adopted, and none of it may run.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
SELECT no_plan();
DROP EXTENSION rowser CASCADE;
CREATE SCHEMA sp;
\ir lib/along.sql

-- Its error, or NULL; what it did is undone.
CREATE FUNCTION sp.error(p_query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE p_query;
	RAISE EXCEPTION USING ERRCODE = 'UNDO1';
EXCEPTION
	WHEN SQLSTATE 'UNDO1' THEN
		RETURN NULL;
	WHEN OTHERS THEN
		RETURN concat_ws(' ', SQLSTATE, SQLERRM);
END $$;

--
-- A schema full of traps: types that are called as core's are, functions and
-- operators that fit better, or as well, than core's
--
CREATE SCHEMA evil;
CREATE FUNCTION evil.trap() RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''a trap has gone off''; END';

CREATE FUNCTION sp.lay_types(p_schema text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	v_name text;
BEGIN
	FOREACH v_name IN ARRAY '{text,bytea,int4,int8,bool,record,regclass,refcursor,oid,json,jsonb,xml,any,anyelement,name,internal,numeric,timestamptz,varchar,char,bpchar,void}'::text[] LOOP
		EXECUTE format('CREATE TYPE %I.%I AS (trap pg_catalog.int4)', p_schema, v_name);
	END LOOP;
END $$;

CREATE FUNCTION sp.lay_functions() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	p record;
	v_laid bigint := 0;
BEGIN
	FOR p IN SELECT proname, oidvectortypes(proargtypes) AS arguments, prorettype::regtype AS result, proretset
			 FROM pg_proc
			 WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND provariadic = 0 AND oidvectortypes(proargtypes) !~ 'internal|cstring|any|record' AND prorettype::regtype::text !~ 'internal|cstring|any|record'
			   AND proname = ANY ('{format,quote_ident,quote_literal,quote_nullable,set_config,current_setting,to_json,to_jsonb,length,octet_length,substring,substr,textcat,byteacat,texteq,int4eq,byteaeq,nameeq,now,md5,upper,lower,
									regclass,format_type,generate_series,to_regclass,to_regtype,nextval,pg_get_expr,query_to_xml,table_to_xml,bool,int4,int8,text,varchar,bpchar,numeric,oid,encode,decode,replace,pg_trigger_depth}') LOOP
		EXECUTE format('CREATE FUNCTION evil.%I(%s) RETURNS %s %s LANGUAGE plpgsql AS ''BEGIN PERFORM evil.trap(); END''', p.proname, p.arguments,
					   CASE WHEN p.proretset THEN 'SETOF' ELSE '' END, p.result);
		v_laid := v_laid + 1;
	END LOOP;
	RETURN v_laid;
END $$;

CREATE FUNCTION sp.lay_operators() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	o record;
	v_laid bigint := 0;
BEGIN
	FOR o IN SELECT oid, oprname, oprleft::regtype AS l, oprright::regtype AS r, oprresult::regtype AS result
			 FROM pg_operator
			 WHERE oprkind = 'b' AND oprnamespace = 'pg_catalog'::regnamespace AND oprname IN ('=', '<>', '<', '>', '<=', '>=', '||', '~', '+', '-')
			   AND oprleft::regtype::text IN ('text', 'name', 'integer', 'bigint', 'bytea', 'oid', '"char"', 'boolean', 'numeric', 'smallint')
			   AND oprright::regtype::text !~ '^any' LOOP
		EXECUTE format('CREATE FUNCTION evil.op_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM evil.trap(); END''', o.oid, o.l, o.r, o.result);
		EXECUTE format('CREATE OPERATOR evil.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = evil.op_%s)', o.oprname, o.l, o.r, o.oid);
		v_laid := v_laid + 1;
	END LOOP;
	RETURN v_laid;
END $$;

SELECT cmp_ok(sp.lay_functions(), '>', 60::bigint, 'functions are laid');
SELECT cmp_ok(sp.lay_operators(), '>', 60::bigint, 'operators are laid');
SELECT sp.lay_types('evil') AS done \gset
CREATE TABLE evil.pg_class (trap int);
CREATE TABLE evil.pg_type (trap int);
CREATE TABLE evil.pg_attribute (trap int);
CREATE TABLE evil.pg_stat_activity (trap int);
CREATE TABLE evil.pg_database (trap int);
SELECT is(sp.along('evil, pg_catalog', 'SELECT ''a'' || ''b''::pg_catalog.text'), 'P0001 a trap has gone off', 'the traps work');
SELECT matches(sp.along('evil, pg_catalog', 'SELECT ''x''::text'), '^22P02 malformed record literal', 'those of types too');

--
-- CREATE EXTENSION into that schema, along that search_path
--
SET LOCAL search_path = evil, pg_catalog, public;
CREATE EXTENSION rowser SCHEMA evil;
SET LOCAL search_path = public;

CREATE TEMP TABLE member AS
SELECT d.classid, d.objid, i.type, i.identity FROM pg_depend AS d, pg_identify_object(d.classid, d.objid, d.objsubid) AS i
WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'rowser') AND d.deptype = 'e';
SELECT is((SELECT array_agg(p.oid::regprocedure::text) FROM member AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
		   WHERE EXISTS (SELECT FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]) || p.prorettype) AS t(oid) JOIN pg_type USING (oid) WHERE typnamespace <> 'pg_catalog'::regnamespace)),
		  NULL, 'every function takes and gives core''s types');
SELECT is((SELECT array_agg(p.oid::regprocedure::text) FROM member AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
		   WHERE p.prokind <> 'a' AND (p.probin <> '$libdir/rowser' OR p.proconfig IS NOT NULL OR p.prosecdef)),
		  NULL, 'every function is the library''s');
SELECT is((SELECT array_agg(DISTINCT pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid))
		   FROM member AS m JOIN pg_depend AS d ON (d.classid, d.objid) = (m.classid, m.objid) JOIN pg_identify_object(d.refclassid, d.refobjid, d.refobjsubid) AS i ON i.schema = 'evil'
		   WHERE NOT EXISTS (SELECT FROM member AS o WHERE (o.classid, o.objid) = (d.refclassid, d.refobjid))),
		  NULL, 'no member depends on what was there before');
SELECT is((SELECT array_agg(DISTINCT pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid))
		   FROM member AS m JOIN pg_rewrite AS r ON m.classid = 'pg_class'::regclass AND r.ev_class = m.objid
		   JOIN pg_depend AS d ON (d.classid, d.objid) = ('pg_rewrite'::regclass, r.oid), pg_identify_object(d.refclassid, d.refobjid, d.refobjsubid) AS i
		   WHERE i.schema = 'evil' AND NOT EXISTS (SELECT FROM member AS o WHERE (o.classid, o.objid) = (d.refclassid, d.refobjid))),
		  NULL, 'nor do the views');

--
-- Every call
--
\set schema evil
\set path 'evil, pg_catalog'
\ir lib/calls.sql
SET LOCAL track_functions = 'all';
CREATE TABLE sp.outcome AS SELECT ord, sp.along('public', replace(query, 'E.', 'evil.')) AS text FROM sp.call;
SELECT is((SELECT array_agg(text) FROM sp.outcome WHERE text ~ '^[0-9A-Z]{5} .'), NULL, 'all calls can be called');
SELECT is(sp.along('evil, pg_catalog', replace(query, 'E.', 'evil.')), text, 'along a hostile search_path: ' || substr(query, 1, 60))
FROM sp.call JOIN sp.outcome USING (ord) ORDER BY ord;
SET LOCAL rowser.enable_scan = off;
SELECT is(sp.along('evil, pg_catalog', replace(query, 'E.', 'evil.')), text, 'without the scan: ' || substr(query, 1, 60))
FROM sp.call JOIN sp.outcome USING (ord) WHERE query ~ 'recordset' ORDER BY ord;
SET LOCAL rowser.enable_scan = on;

-- Only a statement of the client can have rows sent; \gset is that, of one row.
SELECT evil.query_to_rowset('SELECT * FROM sp.source ORDER BY i LIMIT 1') AS first_row \gset
SET LOCAL search_path = evil, pg_catalog;
CALL evil.rowset_send(:'first_row') \gset sent_
SET LOCAL search_path = public;
SELECT is(concat_ws(' ', :'sent_i', :'sent_t', :'sent_n', :'sent_m', :'sent_p', :'sent_d', :'sent_a', :'sent_r', :'sent_j', :'sent_v', :'sent_c', :'sent_b'),
		  (SELECT concat_ws(' ', i, t, n, m, p, d, a, r, j, v, c, CASE WHEN b THEN 't' ELSE 'f' END) FROM sp.source ORDER BY i LIMIT 1), 'rows are sent along a hostile search_path');

-- Every call has been called by all that, each of its forms; counted by PostgreSQL,
-- which sees no procedure and, of an aggregate, none of its functions.
SELECT is((SELECT array_agg(p.oid::regprocedure::text) FROM member AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
		   WHERE p.prokind = 'f' AND p.proname !~ '_(agg|packets)_.*fn$|_support$' AND pg_stat_get_xact_function_calls(p.oid) IS NULL),
		  NULL, 'every call is called');
SELECT is((SELECT array_agg(p.proname::text) FROM member AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND p.oid = m.objid
		   WHERE p.prokind = 'a' AND NOT EXISTS (SELECT FROM sp.call WHERE query ~ ('E\.' || p.proname || '\('))),
		  NULL, 'so is every aggregate');

-- Temporary objects are found before all others, even before core's; pgTAP would
-- trip over them, so what comes of it is looked at when they are gone.
SAVEPOINT temporary;
CREATE TEMP TABLE pg_class (trap int4range);
CREATE TEMP TABLE pg_type (trap int4range);
CREATE TEMP TABLE t (trap int4range);
SELECT sp.lay_types(nspname) AS done FROM pg_catalog.pg_namespace WHERE oid OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema() \gset
SELECT pg_catalog.string_agg(outcome, E'\n' ORDER BY ord) AS shadowed
FROM (SELECT ord, sp.along('evil, pg_catalog', pg_catalog.replace(query, 'E.', 'evil.')) AS outcome FROM sp.call OFFSET 0) AS s \gset
SET LOCAL search_path = evil, pg_catalog;
CALL evil.rowset_send(:'first_row') \gset shadowed_
SET LOCAL search_path = public;
ROLLBACK TO SAVEPOINT temporary;
SELECT is(shadowed, text, 'with temporary objects: ' || substr(query, 1, 60))
FROM sp.call JOIN sp.outcome USING (ord) JOIN string_to_table(:'shadowed', E'\n') WITH ORDINALITY AS s(shadowed, ord) USING (ord) ORDER BY ord;
SELECT is(concat_ws(' ', :'shadowed_i', :'shadowed_m', :'shadowed_p'), '1 ok (1,b)', 'rows are sent with temporary objects');

--
-- Objects that are there already, each in turn: the script takes over none
--
DROP EXTENSION rowser;
DROP SCHEMA evil CASCADE;
SELECT is(sp.error('CREATE EXTENSION rowser SCHEMA sp'), NULL, 'the extension can be made');
CREATE FUNCTION sp.occupy(p_type text, p_identity text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_name text := regexp_replace(p_identity, '^evil\.', 'sp.');
	v_create text := CASE p_type WHEN 'view' THEN format('CREATE VIEW %s AS SELECT 1 AS a', v_name)
								 WHEN 'procedure' THEN format('CREATE PROCEDURE %s LANGUAGE C AS ''$libdir/rowser'', ''rowset_send''', v_name)
								 ELSE format('CREATE FUNCTION %s RETURNS pg_catalog.int4 LANGUAGE C AS ''$libdir/rowser'', ''rowset_count''', v_name) END;
BEGIN
	EXECUTE v_create;
	CREATE EXTENSION rowser SCHEMA sp;
	RETURN 'adopted';
EXCEPTION WHEN OTHERS THEN
	RETURN concat_ws(' ', SQLSTATE, SQLERRM);
END $$;
SELECT matches(sp.occupy(type, identity), '^(42723 function ".*" already exists with same argument types|42P07 relation ".*" already exists)$', identity || ' is not adopted')
FROM member WHERE type IN ('function', 'aggregate', 'procedure', 'view') ORDER BY identity;
SELECT is((SELECT array_agg(DISTINCT type) FROM member WHERE type NOT IN ('function', 'aggregate', 'procedure', 'view', 'type')), NULL, 'there are no other members');

--
-- Schemas with odd names
--
CREATE FUNCTION sp.install(p_schema text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rows text;
BEGIN
	EXECUTE format('CREATE SCHEMA %I', p_schema);
	EXECUTE format('CREATE EXTENSION rowser SCHEMA %I', p_schema);
	-- an insert by way of SQL names the extension's calls, which are not on the search_path
	EXECUTE format('SELECT %1$I.rowset_insert(''sp.observed'', %1$I.query_to_rowset(''TABLE sp.source''))::text', p_schema) INTO v_rows;
	EXECUTE format('SELECT concat_ws('' '', $1, count(*), (SELECT count(*) FROM %1$I.rowset_progress)) FROM %1$I.rowset_to_recordset((SELECT %1$I.rowset_agg(s) FROM sp.source AS s)) AS t(i int)', p_schema) INTO v_rows USING v_rows;
	RAISE EXCEPTION USING ERRCODE = 'UNDO1';
EXCEPTION
	WHEN SQLSTATE 'UNDO1' THEN
		RETURN v_rows;
	WHEN OTHERS THEN
		RETURN concat_ws(' ', SQLSTATE, SQLERRM);
END $$;
SELECT is(sp.install(name), '20 20 0', 'in a schema called ' || to_json(name))
FROM unnest(ARRAY['a b', 'A', 'select', '1', 'a"b', 'a''b', 'x$y', '$$', '$x$', E'a\nb', E'a\\b', 'a;b', 'a--b', 'a/*b', '%s', '@extschema@', '@extowner@', 'é', repeat('x', 63)]) AS name;

SELECT * FROM finish();
ROLLBACK;
