--
-- transactions.sql
--	  What takes several transactions or sessions: cursors over COMMIT, enum
--	  labels that are added, cancelling, memory over many calls.
--
--	  This file runs outside a transaction and cleans up behind itself.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT no_plan();
CREATE EXTENSION dblink;
CREATE SCHEMA tx;
CREATE TYPE tx.pair AS (a int, b text);

-- Another session of this database.
CREATE FUNCTION tx.connect(p_name text) RETURNS text LANGUAGE sql AS $$
SELECT public.dblink_connect(p_name, format('host=%s port=%s dbname=%s user=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
											current_setting('port'), current_database(), current_user));
$$;
-- The error of a statement there: SQLSTATE and text, or NULL.
CREATE FUNCTION tx.error(p_name text, p_sql text, OUT state text, OUT message text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM * FROM public.dblink(p_name, p_sql) AS t(x text);
EXCEPTION WHEN OTHERS OR query_canceled THEN
	state := SQLSTATE;
	message := SQLERRM;
END $$;
SELECT tx.connect('other') AS connected \gset

--
-- C057: a value made in one session is read in others
--
CREATE TABLE tx.record AS SELECT query_to_rowset('SELECT q FROM (SELECT max(i) AS m, ''x''::text AS t, ROW(1, ARRAY[ROW(2)]) AS r FROM generate_series(1, 3) AS i) AS q') AS r;
SELECT is(t, '("(3,x,""(1,""""{(2)}"""")"")")', 'C057 a record in another session')
FROM dblink('other', 'SELECT t::text FROM tx.record, rowset_to_recordset(r) AS t(q record)') AS d(t text);
SELECT dblink_disconnect('other') AS off \gset
SELECT tx.connect('other') AS connected \gset
SELECT is(t, '("(3,x,""(1,""""{(2)}"""")"")")', 'C057 and in a third')
FROM dblink('other', 'SELECT t::text FROM tx.record, rowset_to_recordset(r) AS t(q record)') AS d(t text);

--
-- C060: labels of an enum
--
CREATE TYPE tx.emut AS ENUM ('V1');
CREATE TABLE tx.enum AS SELECT query_to_rowset('SELECT ''V1''::tx.emut AS v') AS r;
SELECT is((SELECT v FROM tx.enum, rowset_to_recordset(r) AS t(v tx.emut)), 'V1'::tx.emut, 'C060 a label');
ALTER TYPE tx.emut ADD VALUE 'V0' BEFORE 'V1';
SELECT is((SELECT v FROM tx.enum, rowset_to_recordset(r) AS t(v tx.emut)), 'V1'::tx.emut, 'C060 after a label is added');
UPDATE tx.enum SET r = query_to_rowset('SELECT unnest(enum_range(NULL::tx.emut)) AS v');
ALTER TYPE tx.emut RENAME VALUE 'V0' TO 'V2';
SELECT throws_ok('SELECT v FROM tx.enum, rowset_to_recordset(r) AS t(v tx.emut)', '22P02', 'invalid input value for enum tx.emut: "V0"', 'C060 a label that is no more');
ALTER TYPE tx.emut RENAME VALUE 'V2' TO 'V0';
CREATE FUNCTION tx.v3() RETURNS tx.emut LANGUAGE plpgsql AS $$
DECLARE
	v tx.emut;
BEGIN
	SELECT t.v INTO v FROM tx.enum, rowset_to_recordset(r) AS t(v tx.emut) ORDER BY t.v DESC LIMIT 1;
	RETURN v;
END $$;
ALTER TYPE tx.emut RENAME VALUE 'V0' TO 'V3';
UPDATE tx.enum SET r = query_to_rowset('SELECT ''V3''::tx.emut AS v');
ALTER TYPE tx.emut RENAME VALUE 'V3' TO 'V0';
BEGIN;
ALTER TYPE tx.emut ADD VALUE 'V3';
SELECT throws_ok('SELECT tx.v3()', '55P04', 'unsafe use of new value "V3" of enum type tx.emut', 'C060 a label of this transaction');
COMMIT;
SELECT is(tx.v3(), 'V3'::tx.emut, 'C060 and after its COMMIT');
DROP TABLE tx.enum;

--
-- Cursors over the end of a transaction
--
CREATE TABLE tx.five AS SELECT query_to_rowset('SELECT i FROM generate_series(1, 5) AS i') AS r;
BEGIN;
SELECT rowset_open(r, 'c1') FROM tx.five \gset
MOVE 2 IN c1;
COMMIT;
SELECT is((SELECT count(*) FROM pg_cursors WHERE name = 'c1'), 0::bigint, 'T1 a cursor ends with its transaction');
BEGIN;
SELECT rowset_open(r, 'c1') AS c FROM tx.five \gset
ROLLBACK;
SELECT is((SELECT count(*) FROM pg_cursors WHERE name = 'c1'), 0::bigint, 'T1 and with ROLLBACK');
BEGIN;
DO $$
BEGIN
	PERFORM rowset_open(r, 'c2') FROM tx.five;
	RAISE division_by_zero;
EXCEPTION WHEN division_by_zero THEN
	NULL;
END $$;
SELECT is((SELECT count(*) FROM pg_cursors WHERE name = 'c2'), 0::bigint, 'T4 and with a subtransaction');
SELECT rowset_open(r, 'c2') AS c FROM tx.five \gset
MOVE 2 IN c2;
SAVEPOINT s;
MOVE 1 IN c2;
ROLLBACK TO s;
FETCH 1 FROM c2 \gset after_
SELECT is(:after_i, 4, 'T4 a cursor from before a savepoint lives on');
DROP TABLE tx.five;
FETCH 1 FROM c2 \gset after_
SELECT is(:after_i, 5, 'F102 its rows are its own, whatever becomes of the table');
ROLLBACK;

-- F099: a holdable cursor over a read, an error in between.
SELECT is(dblink_exec('other', s), tag, 'F099 ' || s)
FROM (VALUES (1, 'BEGIN', 'BEGIN'), (2, 'DECLARE h CURSOR WITH HOLD FOR SELECT i FROM tx.five, rowset_to_recordset(r) AS t(i int)', 'DECLARE CURSOR')) AS v(o, s, tag) ORDER BY o;
SELECT is(array_agg(i), '{1,2}', 'F099 rows before COMMIT') FROM dblink('other', 'FETCH 2 FROM h') AS t(i int);
SELECT is(dblink_exec('other', 'COMMIT'), 'COMMIT', 'F099 COMMIT');
SELECT is(array_agg(i), '{3}', 'F099 a row after COMMIT') FROM dblink('other', 'FETCH 1 FROM h') AS t(i int);
SELECT is((SELECT state FROM tx.error('other', 'SELECT 1 / 0')), '22012', 'F099 an error');
SELECT is(array_agg(i), '{4,5}', 'F099 rows after the error') FROM dblink('other', 'FETCH ALL FROM h') AS t(i int);
SELECT is(dblink_exec('other', 'CLOSE h'), 'CLOSE CURSOR', 'F099 CLOSE');

-- F089, T2: COMMIT and ROLLBACK between packs and reads in a procedure, and under a loop over a read.
CREATE TABLE tx.log (i int, r bytea);
CREATE PROCEDURE tx.loops() LANGUAGE plpgsql AS $$
DECLARE
	v_r bytea := query_to_rowset('SELECT i, repeat(''x'', 3000) AS v FROM generate_series(1, 1000) AS i');
	x record;
BEGIN
	FOR x IN SELECT i FROM rowset_to_recordset(v_r) AS t(i int) WHERE i <= 20 LOOP
		INSERT INTO tx.log VALUES (x.i, query_to_rowset('SELECT $1 AS i', x.i));
		IF x.i % 2 = 0 THEN
			COMMIT;
		ELSIF x.i % 5 = 0 THEN
			ROLLBACK;
		END IF;
	END LOOP;
END $$;
CALL tx.loops();
SELECT is((SELECT count(*) FROM tx.log), 18::bigint, 'F089 COMMIT and ROLLBACK in a loop over a read');
SELECT is((SELECT count(*) FROM tx.log, rowset_to_recordset(r) AS t(i int) WHERE log.i = t.i), 18::bigint, 'F089 the packs made between them');
SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'F089 no cursor is left');

-- A row that the transaction changed before is packed as changed (S2); REPEATABLE READ packs its snapshot.
CREATE TABLE tx.seen (v int);
INSERT INTO tx.seen VALUES (1);
BEGIN;
UPDATE tx.seen SET v = 2;
SELECT is((SELECT v FROM rowset_to_recordset(table_to_rowset('tx.seen')) AS t(v int)), 2, 'S2 the own change is seen');
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is((SELECT v FROM rowset_to_recordset(table_to_rowset('tx.seen')) AS t(v int)), 1, 'S2 before');
SELECT dblink_exec('other', 'UPDATE tx.seen SET v = 7') AS updated \gset
SELECT is((SELECT v FROM rowset_to_recordset(table_to_rowset('tx.seen')) AS t(v int)), 1, 'S2 REPEATABLE READ keeps its snapshot');
COMMIT;
BEGIN;
SELECT is((SELECT v FROM rowset_to_recordset(table_to_rowset('tx.seen')) AS t(v int)), 7, 'S2 READ COMMITTED sees the change of another');
COMMIT;
BEGIN READ ONLY;
SELECT throws_ok('SELECT query_to_rowset(''UPDATE tx.seen SET v = 3 RETURNING v'')', '25006', 'cannot execute UPDATE in a read-only transaction', 'a read-only transaction stays so');
ROLLBACK;

-- T6: inside REFRESH MATERIALIZED VIEW.
CREATE TABLE tx.packed AS SELECT query_to_rowset('SELECT i, i::text AS t FROM generate_series(1, 3) AS i') AS r;
CREATE MATERIALIZED VIEW tx.mv AS SELECT t.* FROM tx.packed, rowset_to_recordset(r) AS t(i int, t text);
REFRESH MATERIALIZED VIEW tx.mv;
SELECT results_eq('SELECT * FROM tx.mv', $$VALUES (1, '1'), (2, '2'), (3, '3')$$, 'T6 a materialized view over a read');

--
-- rowset_agg in parallel workers: the same rows, in some order
--
CREATE TABLE tx.many AS SELECT i, 'text ' || i AS t, CASE WHEN i % 7 <> 0 THEN i * 1.10 END AS n, ARRAY[i, NULL] AS a, ROW(i, 'x'::text)::tx.pair AS p
	FROM generate_series(1, 20000) AS i;
CREATE FUNCTION tx.plan(p_sql text) RETURNS SETOF text LANGUAGE plpgsql AS 'BEGIN RETURN QUERY EXECUTE ''EXPLAIN (COSTS OFF) '' || p_sql; END';
BEGIN;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL max_parallel_workers_per_gather = 2;
SELECT is((SELECT count(*) FROM tx.plan('SELECT rowset_agg(m) FROM tx.many AS m') AS l WHERE l LIKE '%Partial Aggregate%'), 1::bigint, 'the plan is parallel');
CREATE TEMP TABLE gathered AS SELECT rowset_agg(m) AS r FROM tx.many AS m;
SELECT ok(rowset_is_valid(r), 'the rowset is valid') FROM gathered;
SELECT results_eq('SELECT g::text FROM gathered, rowset_populate_recordset(NULL::tx.many, r) AS g ORDER BY g.i', 'SELECT m::text FROM tx.many AS m ORDER BY m.i', 'all rows are in it');
SELECT is((SELECT rowset_count(rowset_agg(m)) FROM tx.many AS m WHERE i < 0), NULL, 'no rows, no rowset');
SELECT is((SELECT array_agg(rowset_count(r) ORDER BY k) FROM (SELECT i % 3 AS k, rowset_agg(m) AS r FROM tx.many AS m GROUP BY 1) AS s), '{6666,6667,6667}', 'groups of rows');
ROLLBACK;

--
-- Aggregates whose groups are scanned again: a hash table of groups is not filled
-- anew for that, so their results are asked for more than once.
--
BEGIN;
SET LOCAL enable_sort = off;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
SET LOCAL enable_material = off;
CREATE TEMP TABLE again ON COMMIT DROP AS SELECT 'rowset_agg' AS name, 'rowset_agg(g)' AS call
UNION ALL SELECT 'rowset_concat_agg', 'rowset_concat_agg(record_to_rowset(g))'
UNION ALL SELECT 'rowset_from_packets', 'rowset_from_packets((SELECT packet FROM rowset_packets(record_to_rowset(g), 10000)))';
CREATE TABLE tx.groups AS SELECT i AS k FROM generate_series(1, 3) AS i;
ANALYZE tx.groups;
CREATE FUNCTION tx.again(p_call text) RETURNS text IMMUTABLE LANGUAGE sql AS
$$SELECT 'SELECT x, array_agg(k ORDER BY k), array_agg(rowset_to_json(r)::text ORDER BY k) FROM (VALUES (1), (2), (3)) AS v(x) LEFT JOIN (SELECT k, ' || p_call || ' AS r FROM tx.groups AS g GROUP BY k OFFSET 0) AS s ON k >= x GROUP BY x'$$;
SELECT ok((SELECT bool_or(l LIKE '%-> %HashAggregate%') AND bool_or(l LIKE '%Nested Loop%') FROM tx.plan(tx.again(call)) AS l), name || ' stands in a hash table inside a loop') FROM again;
SELECT results_eq(tx.again(call) || ' ORDER BY x',
				  $$VALUES (1, '{1,2,3}'::int[], ARRAY['[{"k":1}]', '[{"k":2}]', '[{"k":3}]']), (2, '{2,3}', ARRAY['[{"k":2}]', '[{"k":3}]']), (3, '{3}', ARRAY['[{"k":3}]'])$$,
				  name || ' gives the same each time') FROM again;
ROLLBACK;

--
-- K153: cancelling
--
CREATE TABLE tx.large AS SELECT query_to_rowset('SELECT i, i::text AS t FROM generate_series(1, 1500000) AS i') AS r;
-- Milliseconds from the timeout of 50 ms until the statement ended, if it ended by it.
CREATE FUNCTION tx.overtime(p_sql text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	v_from timestamptz;
	v_state text;
BEGIN
	PERFORM public.dblink_exec('other', 'SET statement_timeout = 50');
	v_from := clock_timestamp();
	SELECT state INTO v_state FROM tx.error('other', p_sql);
	v_from := v_from + interval '50 ms';
	PERFORM public.dblink_exec('other', 'SET statement_timeout = 0');
	IF v_state IS DISTINCT FROM '57014' THEN
		RAISE 'ended with %', v_state;
	END IF;
	RETURN extract(epoch FROM clock_timestamp() - v_from) * 1000;
END $$;
SELECT cmp_ok(tx.overtime(s), '<', 500, 'K153 statement_timeout ends ' || s)
FROM unnest(ARRAY['SELECT query_to_rowset(''SELECT i, i::text AS t FROM generate_series(1, 5000000) AS i'')',
				  'SELECT count(*) FROM tx.large, rowset_to_recordset(r) AS t(i int, t text), rowset_to_recordset(r) AS u(i int, t text)',
				  'SELECT count(t) FROM generate_series(1, 100), tx.large, rowset_to_recordset(r) AS t(i int, t text)',
				  'SELECT count(rowset_check(r)) FROM generate_series(1, 100), tx.large',
				  'SELECT count(rowset_is_valid(r)) FROM generate_series(1, 10000), tx.large',
				  'SELECT rowset_agg(s) FROM (SELECT i, i::text AS t FROM generate_series(1, 5000000) AS i) AS s']) AS s;
SELECT dblink_send_query('other', 'SELECT length(query_to_rowset(''SELECT i, i::text AS t FROM generate_series(1, 50000000) AS i''))') AS sent \gset
SELECT pg_sleep(0.2) AS slept \gset
SELECT is(dblink_cancel_query('other'), 'OK', 'K153 a cancel is sent');
CREATE FUNCTION tx.result(OUT state text, OUT message text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM * FROM public.dblink_get_result('other') AS t(x text);
EXCEPTION WHEN OTHERS OR query_canceled THEN
	state := SQLSTATE;
	message := SQLERRM;
END $$;
SELECT results_eq('SELECT * FROM tx.result()', $$VALUES ('57014', 'canceling statement due to user request')$$, 'K153 and heard');
SELECT count(*) AS drained FROM dblink_get_result('other') AS t(x text) \gset
SELECT is(n, 3::bigint, 'K153 the session goes on') FROM dblink('other', 'SELECT count(*) FROM tx.packed, rowset_to_recordset(r) AS t(i int)') AS d(n bigint);

--
-- K154, K155: memory over many calls
--
CREATE FUNCTION tx.memory() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts';
-- By how much memory grows while p_sql is run p_times, after a start of some times.
CREATE FUNCTION tx.growth(p_sql text, p_times int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	v_before bigint;
BEGIN
	FOR i IN 1 .. least(50, p_times) LOOP
		EXECUTE p_sql;
	END LOOP;
	v_before := tx.memory();
	FOR i IN 1 .. p_times LOOP
		EXECUTE p_sql;
	END LOOP;
	RETURN tx.memory() - v_before;
END $$;
CREATE FUNCTION tx.fails() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM query_to_rowset('SELECT 1 / (i - 900) FROM generate_series(1, 1000) AS i');
EXCEPTION WHEN division_by_zero THEN
	NULL;
END $$;
CREATE FUNCTION tx.fails_reading(p_r bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM rowset_check(p_r);
EXCEPTION WHEN OTHERS THEN
	NULL;
END $$;
CREATE FUNCTION tx.opens() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
	x record;
BEGIN
	SELECT rowset_open(r) INTO c FROM tx.packed;
	FETCH c INTO x;
	CLOSE c;
END $$;
-- the caches' context grows by a megabyte at once, before what is measured
SELECT tx.growth('SELECT 1', 50) AS warm \gset
SELECT cmp_ok(tx.growth(s, 1000), '<', 200000::bigint, 'K154 a thousand times: ' || s)
FROM unnest(ARRAY['SELECT count(*) FROM rowset_to_recordset(query_to_rowset(''SELECT array_agg(i) FROM generate_series(1, 10000) AS i'')) AS t(array_agg int[])',
				  'SELECT query_to_rowset(''SELECT * FROM pg_class LIMIT 100'')',
				  'SELECT query_to_rowset(''SELECT $1, $2'', 1, ''x''::text)',
				  'SELECT rowset_agg(c) FROM pg_class AS c',
				  'SELECT record_to_rowset(c) FROM pg_class AS c LIMIT 10',
				  'SELECT count(*) FROM (SELECT 1 FROM tx.packed, rowset_to_recordset(r) AS t(i int) LIMIT 1) AS s',
				  'SELECT count(*) FROM tx.packed, rowset_populate_recordset(NULL::tx.mv, r)',
				  'SELECT rowset_columns(r), rowset_info(r), rowset_check(r), rowset_is_valid(r), rowset_count(r), rowset_column_list(r) FROM tx.packed',
				  'SELECT tx.opens()', 'SELECT tx.fails()',
				  'SELECT tx.fails_reading(set_byte(query_to_rowset(''SELECT repeat(i::text, 100) AS v FROM generate_series(1, 100) AS i''), 60, 255))']) AS s;
SELECT cmp_ok(tx.growth('SELECT count(v) FROM rowset_to_recordset(query_to_rowset(''SELECT i, repeat(''''x'''', 1000) AS v FROM generate_series(1, 100000) AS i'')) AS t(v text)', 3),
			  '<', 200000::bigint, 'K155 large values');

SELECT dblink_disconnect('other') AS off \gset
DROP SCHEMA tx CASCADE;
DROP EXTENSION dblink;
SELECT * FROM finish();
