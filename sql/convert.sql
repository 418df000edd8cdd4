--
-- Rowsets to JSON, to XML, and to and from what COPY writes
--
CREATE TYPE v_pair AS (a int, b text);
CREATE DOMAIN v_small AS int CHECK (VALUE < 100);
CREATE TEMP TABLE packed AS
SELECT query_to_rowset($$SELECT i AS id, 'name ' || i AS "Full name", CASE WHEN i > 1 THEN i * 1.50 END AS price, date '2024-02-29' + i AS due,
	ARRAY[i, NULL] AS list, ROW(i, 'x "y" <&>')::v_pair AS pair FROM generate_series(1, 2) AS i$$) AS r;

-- JSON
SELECT rowset_to_json(r) FROM packed;
SELECT rowset_to_jsonb(r) FROM packed;
SELECT jsonb_pretty(rowset_to_jsonb(r) -> 0) FROM packed;
SELECT rowset_to_json(query_to_rowset('SELECT ''NaN''::float8 AS f, ''infinity''::date AS d, ''{"a" :  1}''::json AS j, ''2001:db8::1''::inet AS i, true AS b, ''\x01''::bytea AS y'));
SELECT rowset_to_json(query_to_rowset('SELECT 1 AS a, 2 AS a')), rowset_to_jsonb(query_to_rowset('SELECT 1 AS a, 2 AS a'));
SELECT rowset_to_json(query_to_rowset('SELECT FROM generate_series(1, 2)'));
-- no rows
SELECT rowset_to_json(query_to_rowset('SELECT 1 AS a WHERE false')) IS NULL AS json, rowset_to_jsonb(query_to_rowset('SELECT 1 AS a WHERE false')) IS NULL AS jsonb;

-- XML
\pset format unaligned
SELECT rowset_to_xml(r) FROM packed;
SELECT rowset_to_xml(r, nulls => true, tableforest => true, targetns => 'urn:example') FROM packed;
SELECT rowset_to_xml(query_to_rowset('SELECT 1 AS a WHERE false'));
SELECT rowset_to_xml(query_to_rowset('SELECT 1 AS a WHERE false'), tableforest => true);
\pset format aligned

-- COPY
SELECT encode(rowset_to_copy(query_to_rowset('SELECT 258 AS a, ''x''::text AS b, NULL::int AS c')), 'escape');
SELECT encode(rowset_to_copy(query_to_rowset('SELECT WHERE false')), 'escape');
SELECT t.* FROM rowset_populate_recordset(NULL::v_pair, copy_to_rowset(NULL::v_pair, rowset_to_copy(query_to_rowset('SELECT 1 AS any_name, ''x''::text AS other_name')))) AS t;
SELECT name, type FROM rowset_columns(copy_to_rowset(NULL::v_pair, rowset_to_copy(query_to_rowset('SELECT 1, ''x''::text WHERE false'))));

-- NULL arguments
SELECT rowset_to_json(NULL) IS NULL AS json, rowset_to_jsonb(NULL) IS NULL AS jsonb, rowset_to_xml(NULL) IS NULL AS xml, rowset_to_xml('\x', targetns => NULL) IS NULL AS targetns,
	rowset_to_copy(NULL) IS NULL AS to_copy, copy_to_rowset(NULL::v_pair, NULL) IS NULL AS from_copy;

-- what may go wrong
CREATE FUNCTION pg_temp.error(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	v_state text;
	v_message text;
	v_detail text;
	v_hint text;
	v_context text;
BEGIN
	EXECUTE statement;
	RETURN NEXT 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS v_state = RETURNED_SQLSTATE, v_message = MESSAGE_TEXT, v_detail = PG_EXCEPTION_DETAIL, v_hint = PG_EXCEPTION_HINT, v_context = PG_EXCEPTION_CONTEXT;
	RETURN NEXT v_state || ': ' || v_message;
	RETURN QUERY SELECT p || ': ' || t FROM (VALUES ('detail', v_detail), ('hint', v_hint), ('context', rtrim(split_part(v_context, 'SQL statement', 1), E'\n'))) AS v(p, t) WHERE t <> '';
END $$;
SELECT pg_temp.error('SELECT rowset_to_json(''\x00'')');
SELECT pg_temp.error('SELECT rowset_to_jsonb(''\x00'')');
SELECT pg_temp.error('SELECT rowset_to_xml(''\x00'')');
SELECT pg_temp.error('SELECT rowset_to_copy(''\x00'')');
SELECT pg_temp.error($$SELECT rowset_to_jsonb(query_to_rowset('SELECT 1 AS a, ''"\u0000"''::json AS j'))$$);
SELECT pg_temp.error($$SELECT rowset_to_xml(query_to_rowset('SELECT i AS a, CASE i WHEN 3 THEN ''infinity''::date END AS d FROM generate_series(1, 3) AS i'))$$);
SELECT pg_temp.error($$SELECT rowset_to_copy(query_to_rowset('SELECT 1 AS a, NULL::aclitem AS acl WHERE false'))$$);
-- an array of a domain over an array has no base type
CREATE DOMAIN v_list AS int[];
SELECT pg_temp.error($$SELECT rowset_to_json(query_to_rowset('SELECT ''{"{1}"}''::v_list[] AS v'))$$);
DROP DOMAIN v_list;
BEGIN;
CREATE TYPE v_gone AS ENUM ('x');
CREATE TEMP TABLE gone ON COMMIT DROP AS SELECT query_to_rowset('SELECT ''x''::v_gone AS v') AS r;
DROP TYPE v_gone;
SELECT pg_temp.error('SELECT rowset_to_json(r) FROM gone');
ROLLBACK;

-- a cast to json that belongs to somebody else
CREATE ROLE regress_rowser_convert;
CREATE SCHEMA v_owned AUTHORIZATION regress_rowser_convert;
SET ROLE regress_rowser_convert;
CREATE TYPE v_owned.mood AS ENUM ('ok');
CREATE FUNCTION v_owned.to_json(v_owned.mood) RETURNS json LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'cast as %', current_user; RETURN '"cast"'; END $$;
CREATE CAST (v_owned.mood AS json) WITH FUNCTION v_owned.to_json(v_owned.mood);
RESET ROLE;
CREATE TEMP TABLE moods AS SELECT query_to_rowset('SELECT ''ok''::v_owned.mood AS v, ROW(1, ARRAY[''ok''::v_owned.mood]) AS r') AS r;
GRANT SELECT ON moods TO regress_rowser_convert;
SELECT pg_temp.error('SELECT rowset_to_json(r) FROM moods');
SELECT pg_temp.error('SELECT rowset_to_jsonb(r) FROM moods');
SET ROLE regress_rowser_convert;
SELECT rowset_to_json(r) FROM moods;
RESET ROLE;
-- with a column list, the caller has chosen the types
SELECT json_agg(t) FROM moods, rowset_to_recordset(r) AS t(v v_owned.mood);
\set VERBOSITY terse
DROP SCHEMA v_owned CASCADE;
DROP TABLE moods;
DROP ROLE regress_rowser_convert;

-- what is not, or not quite, what COPY writes
\set header '\\x5047434f50590aff0d0a00'
SELECT pg_temp.error($$SELECT copy_to_rowset(NULL::v_pair, '1	x')$$);
SELECT pg_temp.error($$SELECT copy_to_rowset(NULL::v_pair, '')$$);
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00010000' || '00000000'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '80000000' || '00000000'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || 'ffffffff'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || '00000003' || 'aabb'));
SELECT rowset_count(copy_to_rowset(NULL::v_pair, (:'header' || '0000ffff' || '00000003' || 'aabbcc' || 'ffff')::bytea)) AS "flags and an extension that may be ignored";
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || '00000000' || '0002' || 'ffffffff' || 'ffffffff'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || '00000000' || '0002' || 'ffffffff' || 'ffffffff' || 'ffff' || '00'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || '00000000' || '0002' || 'ffffffff' || 'fffffffe'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || '00000000' || '0002' || '7fffffff' || '00'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || '00000000' || '0002' || '0000000500000000aa' || 'ffffffff' || 'ffff'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || '00000000' || '0002' || '00000001aa' || 'ffffffff' || 'ffff'));
SELECT pg_temp.error(format('SELECT copy_to_rowset(NULL::v_pair, %L)', :'header' || '00000000' || '00000000' || '0003' || 'ffff'));
SELECT pg_temp.error($$SELECT copy_to_rowset(NULL::v_pair, rowset_to_copy(query_to_rowset('SELECT 1 AS a, E''\\xff''::bytea AS b')))$$);
CREATE TABLE v_limits (a v_small, b varchar(3));
SELECT pg_temp.error($$SELECT copy_to_rowset(NULL::v_limits, rowset_to_copy(query_to_rowset('SELECT i, NULL FROM generate_series(99, 100) AS i')))$$);
SELECT pg_temp.error($$SELECT copy_to_rowset(NULL::v_limits, rowset_to_copy(query_to_rowset('SELECT 1 AS a, ''abcd''::text AS b')))$$);
SELECT pg_temp.error($$SELECT copy_to_rowset(1, '\x')$$);
SELECT pg_temp.error($$SELECT copy_to_rowset(NULL::record, '\x')$$);
SELECT pg_temp.error($$SELECT copy_to_rowset(ROW(1, 'x'), '\x')$$);
SELECT pg_temp.error($$SELECT copy_to_rowset(NULL::pg_stats, '\x')$$);
CREATE TYPE v_acl AS (a aclitem);
SELECT pg_temp.error($$SELECT copy_to_rowset(NULL::v_acl, '\x')$$);

-- in transactions: a procedure that commits, subtransactions that are rolled back
CREATE TABLE v_log (line text);
CREATE PROCEDURE v_work() LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea := query_to_rowset('SELECT i AS a, ''x''::text AS b FROM generate_series(1, 2) AS i');
	v_copy bytea;
BEGIN
	INSERT INTO v_log VALUES (rowset_to_json(v_rowset)::text);
	COMMIT;
	v_copy := rowset_to_copy(v_rowset);
	COMMIT;
	BEGIN
		INSERT INTO v_log VALUES (rowset_to_xml(substr(v_rowset, 1, 30))::text);
	EXCEPTION WHEN invalid_binary_representation THEN
		INSERT INTO v_log VALUES ('caught');
	END;
	BEGIN
		PERFORM copy_to_rowset(NULL::v_pair, substr(v_copy, 1, 40));
	EXCEPTION WHEN bad_copy_file_format THEN
		INSERT INTO v_log VALUES ('caught too');
	END;
	COMMIT;
	INSERT INTO v_log VALUES (rowset_to_json(v_rowset)::text);
	ROLLBACK;
	INSERT INTO v_log VALUES ((rowset_to_jsonb(copy_to_rowset(NULL::v_pair, v_copy)))::text);
END $$;
CALL v_work();
TABLE v_log;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT rowset_to_jsonb(query_to_rowset('SELECT a FROM v_limits'));
SAVEPOINT s;
INSERT INTO v_limits VALUES (1, 'x');
SELECT rowset_to_json(table_to_rowset('v_limits')) AS json, rowset_to_xml(table_to_rowset('v_limits'), tableforest => true) AS xml;
SELECT rowset_to_json('\x00');
ROLLBACK TO s;
SELECT rowset_to_json(table_to_rowset('v_limits')) IS NULL AS "rolled back";
COMMIT;
-- the settings are those of the session, where the call is run
CREATE FUNCTION v_german() RETURNS text LANGUAGE sql SET datestyle = 'German' SET bytea_output = 'escape' AS
$$SELECT rowset_to_json(query_to_rowset('SELECT date ''2024-02-29'' AS d, ''\x00''::bytea AS b, ARRAY[interval ''1 day''] AS i, ROW(timestamp ''2024-02-29 01:02:03'') AS r'))$$;
SELECT v_german();
DROP FUNCTION v_german;
DROP PROCEDURE v_work;
DROP TABLE v_log, v_limits;
DROP TYPE v_pair, v_acl;
DROP DOMAIN v_small;
