--
-- send.sql
--	  rowset_send as a client sees it, dblink being the client: the rows are those
--	  of the query, in every isolation level and encoding; what is refused, and
--	  what is damaged, leaves the connection in order.
--
--	  This file runs outside a transaction and cleans up behind itself.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT no_plan();
CREATE EXTENSION dblink;
CREATE SCHEMA se;

SELECT dblink_connect('client', format('host=%s port=%s dbname=%s user=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
									   current_setting('port'), current_database(), current_user)) AS connected \gset

-- SQLSTATE and message of a statement of the client, or NULL.
CREATE FUNCTION se.error(p_sql text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM * FROM public.dblink('client', p_sql) AS t(x text);
	RETURN NULL;
EXCEPTION WHEN OTHERS OR query_canceled THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- All rows of a CALL of rowset_send, each as the text of a record, or the error;
-- and then whether the connection answers as it should.
CREATE FUNCTION se.sent(p_r bytea, p_list text, p_call text DEFAULT 'CALL rowset_send(%L)') RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	v_rows text[];
BEGIN
	BEGIN
		EXECUTE format('SELECT array_agg(t::text) FROM public.dblink(''client'', %L) AS t(%s)', format(p_call, p_r), p_list) INTO v_rows;
	EXCEPTION WHEN OTHERS OR query_canceled THEN
		v_rows := ARRAY[SQLSTATE || ' ' || SQLERRM];
	END;
	IF (SELECT x FROM public.dblink('client', 'SELECT 42') AS t(x int)) <> 42 THEN
		RAISE EXCEPTION 'the connection is out of order';
	END IF;
	RETURN v_rows;
END $$;

CREATE TABLE se.query (ord int GENERATED ALWAYS AS IDENTITY, name text, q text);
INSERT INTO se.query (name, q) VALUES
	('pg_proc', 'SELECT * FROM pg_catalog.pg_proc ORDER BY oid'),
	('pg_type', 'SELECT * FROM pg_catalog.pg_type WHERE oid < 10000 ORDER BY oid'),
	('no rows', 'SELECT 1 AS a, ''x'' AS b WHERE false'),
	('groups', 'SELECT i, nullif(i % 7, 0) AS n, repeat(''x'', i % 300) AS t, ARRAY[i, NULL] AS a, i * 1.10 AS d, i % 2 = 0 AS b FROM generate_series(1, 40000) AS i'),
	('types', $q$SELECT '2024-02-29 12:34:56.789012+00'::timestamptz AS t, '1 mon 2 days'::interval AS i, 'infinity'::float8 AS f, '{"a": [1, null]}'::jsonb AS j, '[1,5)'::int4range AS r,
	  'äöü€'::text AS u, '\x00ff'::bytea AS y, ROW(1, ROW('x', NULL)) AS rec, 'pg_class'::regclass AS c, 'x'::char(3) AS ch, '192.168.0.0/16'::cidr AS n, B'101' AS bits$q$);
-- Every column as text, as it goes to the client.
CREATE FUNCTION se.list(p_r bytea) RETURNS text LANGUAGE sql AS $$
SELECT string_agg(format('c%s text', ordinality), ', ') FROM public.rowset_columns(p_r)
$$;
-- All rows of the query itself, as the same client sees them.
CREATE FUNCTION se.queried(p_q text, p_list text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	v_rows text[];
BEGIN
	EXECUTE format('SELECT array_agg(t::text) FROM public.dblink(''client'', %L) AS t(%s)', p_q, p_list) INTO v_rows;
	RETURN v_rows;
END $$;
SELECT ok(se.sent(r, se.list(r), call) IS NOT DISTINCT FROM se.queried(q, se.list(r)), name || ': as the query itself, by ' || how)
FROM se.query, query_to_rowset(q) AS r, (VALUES ('CALL', 'CALL rowset_send(%L)'), ('DO', 'DO $do$ BEGIN CALL rowset_send(%L); END $do$')) AS v(how, call)
ORDER BY ord, how;

-- Isolation levels, read-only, other encodings of the client.
CREATE FUNCTION se.sent_in(p_level text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	v_rows text[];
BEGIN
	PERFORM public.dblink_exec('client', 'BEGIN ISOLATION LEVEL ' || p_level);
	v_rows := se.sent(query_to_rowset('SELECT 1 AS a, ''x'' AS b'), 'a int, b text');
	PERFORM public.dblink_exec('client', 'COMMIT');
	RETURN v_rows;
END $$;
SELECT is(se.sent_in(level), '{"(1,x)"}', 'in ' || level)
FROM unnest('{READ COMMITTED,REPEATABLE READ,SERIALIZABLE READ ONLY}'::text[]) AS level;
SELECT dblink_exec('client', 'SET client_encoding = LATIN1') AS set \gset
SELECT is(se.sent(query_to_rowset('SELECT chr(i) AS a FROM generate_series(252, 257) AS i'), 'a text'),
		  '{"22P05 character with byte sequence 0xc4 0x80 in encoding \"UTF8\" has no equivalent in encoding \"LATIN1\""}', 'a character that the encoding of the client lacks');
SELECT dblink_exec('client', 'SET client_encoding = UTF8') AS set \gset

-- A damaged rowset is an error, after the rows before the damage or not.
CREATE TABLE se.packed AS SELECT query_to_rowset('SELECT i, md5(i::text) AS m FROM generate_series(1, 20) AS i') AS r;
SELECT is(array_agg(DISTINCT left(s[1], 5)) <@ '{22P03,XX001}', true, 'each prefix is refused, and the connection is in order')
FROM se.packed, generate_series(0, length(r) - 1) AS n, se.sent(substr(r, 1, n), 'i int, m text') AS s;
SELECT is(array_agg(DISTINCT left(s[1], 5)) <@ '{22P03,XX001,0A000}', true, 'so is each change')
FROM se.packed, generate_series(0, length(r) - 1) AS n, se.sent(set_byte(r, n, get_byte(r, n) # 64), 'i int, m text') AS s;
SET rowser.row_group_rows = 1000;
SET rowser.compression = none;
WITH r AS (SELECT query_to_rowset('SELECT i, md5(i::text) AS m FROM generate_series(1, 3000) AS i') AS r)
SELECT is(se.sent(set_byte(r, length(r) * 5 / 6, 1 # get_byte(r, length(r) * 5 / 6)), 'i int, m text'), '{"XX001 rowset checksum does not match"}', 'damage in the last row group') FROM r;
RESET rowser.row_group_rows;
RESET rowser.compression;

-- NULL, and no rowset at all.
SELECT is(se.error('CALL rowset_send(NULL)'), '22004 rowset must not be NULL', 'NULL');
SELECT is(se.error('CALL rowset_send('''')'), '22P03 invalid rowset', 'nothing');
SELECT is(se.error('CALL rowset_send(1)'), '42883 procedure rowset_send(integer) does not exist', 'of another type');

-- Refused, with the hint.
CREATE FUNCTION se.sends() RETURNS int LANGUAGE plpgsql PARALLEL SAFE AS $$
BEGIN
	CALL public.rowset_send(public.query_to_rowset('SELECT 1 AS a'));
	RETURN 1;
END $$;
CREATE PROCEDURE se.outputs(INOUT a int) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM se.sends();
END $$;
SELECT is(se.error(statement), '0A000 cannot send rows to the client from here', statement)
FROM unnest(ARRAY['SELECT se.sends()', 'VALUES (se.sends())', 'CALL se.outputs(1)', 'CREATE TABLE se.t AS SELECT se.sends()', 'EXPLAIN ANALYZE SELECT se.sends()',
				  'DO $$ DECLARE x record; BEGIN FOR x IN SELECT se.sends() LOOP END LOOP; END $$']) AS statement;
CREATE FUNCTION se.details(p_sql text, OUT detail text, OUT hint text, OUT context text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM * FROM public.dblink('client', p_sql) AS t(x text);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT;
END $$;
SELECT matches(hint, 'rowset_open', 'the hint names what to use') FROM se.details('SELECT se.sends()');
-- in a parallel worker, which has no client
CREATE TABLE se.numbers AS SELECT i FROM generate_series(1, 1000) AS i;
SELECT is(dblink_exec('client', s), 'SET', s) FROM unnest('{SET parallel_setup_cost = 0,SET parallel_tuple_cost = 0,SET min_parallel_table_scan_size = 0,SET parallel_leader_participation = off}'::text[]) AS s;
SELECT is(detail, 'This process has no client.', 'in a parallel worker') FROM se.details('DO $$ BEGIN PERFORM count(*) FROM se.numbers WHERE se.sends() = i; END $$');

-- Timeouts and privileges.
SELECT is(dblink_exec('client', 'SET statement_timeout = ''100ms'''), 'SET', 'a timeout');
SELECT is(se.error('DO $$ DECLARE r bytea := query_to_rowset(''SELECT 1 AS x''); BEGIN LOOP CALL rowset_send(r); END LOOP; END $$'), '57014 canceling statement due to statement timeout', 'is heeded');
SELECT is(dblink_exec('client', 'SET statement_timeout = 0'), 'SET', 'none');
CREATE ROLE se_client;
CREATE SCHEMA se_private;
CREATE TYPE se_private.mood AS ENUM ('sad', 'ok');
SELECT is(dblink_exec('client', 'SET ROLE se_client'), 'SET', 'another role');
SELECT is(se.sent(query_to_rowset('SELECT ''ok''::se_private.mood AS m'), 'm text'), '{"42501 permission denied for schema se_private"}', 'USAGE on a type''s schema is needed');
SELECT is(dblink_exec('client', 'RESET ROLE'), 'RESET', 'and back');
SELECT is(se.sent(query_to_rowset('SELECT ''ok''::se_private.mood AS m'), 'm text'), '{(ok)}', 'with it, it goes');
-- A number with a collation: that is of no use, and no harm.
SELECT is(se.sent('\xff52530d0a0001001b045554463801017644170a70675f636174616c6f6701436468808b47090001000102a0ec867c54010b0b01d47fe6490d000000', 'v int'), '{(1)}', 'a number has no collation');
-- what may be run is decided by EXECUTE, as usual
SELECT is(dblink_exec('client', 'REVOKE EXECUTE ON PROCEDURE rowset_send FROM PUBLIC'), 'REVOKE', 'revoke');
SELECT is(dblink_exec('client', 'SET ROLE se_client'), 'SET', 'another role');
SELECT is(se.error('CALL rowset_send(NULL)'), '42501 permission denied for procedure rowset_send', 'without EXECUTE');

SELECT dblink_disconnect('client') AS off \gset
GRANT EXECUTE ON PROCEDURE rowset_send TO PUBLIC;
DROP SCHEMA se, se_private CASCADE;
DROP ROLE se_client;
DROP EXTENSION dblink;
SELECT * FROM finish();
