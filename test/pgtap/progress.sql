--
-- progress.sql
--	  rowset_progress as another session sees it, and by whom.
--
--	  This file runs outside a transaction and cleans up behind itself.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT no_plan();
CREATE EXTENSION dblink;
CREATE SCHEMA progress;
CREATE ROLE progress_owner;
CREATE ROLE progress_other;
CREATE ROLE progress_monitor;
GRANT pg_read_all_stats TO progress_monitor;
GRANT ALL ON SCHEMA progress TO progress_owner, progress_other, progress_monitor;
SELECT public.dblink_connect('other', format('host=%s port=%s dbname=%s user=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
											 current_setting('port'), current_database(), current_user)) AS connected \gset
SELECT pid AS other FROM dblink('other', 'SELECT pg_backend_pid()') AS t(pid int) \gset

-- Wait until the other session reports what is looked for, or half a minute.
CREATE FUNCTION progress.wait(p_pid int, p_command text, p_rows bigint) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. 3000 LOOP
		PERFORM pg_stat_clear_snapshot();
		IF EXISTS (SELECT FROM rowset_progress WHERE pid = p_pid AND command = p_command AND rows_processed >= p_rows) THEN
			RETURN true;
		END IF;
		PERFORM pg_sleep(0.01);
	END LOOP;
	RETURN false;
END $$;
-- How a wait for the end of what the other session does ends
CREATE FUNCTION progress.cancel(p_pid int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_cancel_backend(p_pid);
	PERFORM * FROM public.dblink_get_result('other') AS t(x text);
	RETURN 'no error';
EXCEPTION WHEN query_canceled THEN
	PERFORM * FROM public.dblink_get_result('other') AS t(x text);
	RETURN SQLERRM;
END $$;
CREATE TABLE progress.packed AS SELECT query_to_rowset('SELECT i, md5(i::text) AS t FROM generate_series(1, 20000) AS i') AS r;
GRANT SELECT ON progress.packed TO progress_owner;

--
-- Packing, seen by several roles
--
SELECT dblink_exec('other', 'SET ROLE progress_owner') AS x \gset
SELECT is(dblink_send_query('other', $$SELECT query_to_rowset('SELECT i, CASE WHEN i = 15000 THEN pg_sleep(60) END FROM generate_series(1, 20000) AS i')$$), 1, 'another session packs');
SELECT ok(progress.wait(:other, 'pack', 14000), 'which is seen');
SELECT is((SELECT ROW(datname, datid, command, rows_processed, rows_total, bytes_processed > 0, bytes_total)::text FROM rowset_progress WHERE pid = :other),
		  format('(%s,%s,pack,%s,,t,)', current_database(), (SELECT oid FROM pg_database WHERE datname = current_database()), 12288 + 2048), 'with its numbers');
SET ROLE progress_other;
SELECT is((SELECT ROW(pid, datname, command, rows_processed, rows_total, bytes_processed, bytes_total)::text FROM rowset_progress WHERE pid = :other),
		  format('(%s,%s,,,,,)', :other, current_database()), 'but not by everyone');
SET ROLE progress_monitor;
SELECT is((SELECT command FROM rowset_progress WHERE pid = :other), 'pack', 'by a member of pg_read_all_stats it is');
RESET ROLE;
SELECT is((SELECT count(*) FROM pg_stat_progress_copy WHERE pid = :other) + (SELECT count(*) FROM pg_stat_progress_vacuum WHERE pid = :other)
	+ (SELECT count(*) FROM pg_stat_progress_analyze WHERE pid = :other) + (SELECT count(*) FROM pg_stat_progress_create_index WHERE pid = :other)
	+ (SELECT count(*) FROM pg_stat_progress_cluster WHERE pid = :other) + (SELECT count(*) FROM pg_stat_progress_basebackup WHERE pid = :other), 0::bigint, 'core''s own views do not show it');
SELECT is(progress.cancel(:other), 'canceling statement due to user request', 'it is cancelled');
SELECT pg_stat_clear_snapshot() AS x \gset
SELECT is_empty(format('SELECT * FROM rowset_progress WHERE pid = %s', :other), 'and is seen no more');

--
-- Reading and checking
--
SELECT dblink_send_query('other', 'SELECT pg_sleep(60) FROM progress.packed, rowset_to_recordset(r) AS t(i int) WHERE i = 15000 OFFSET 0') AS x \gset
SELECT ok(progress.wait(:other, 'read', 15000), 'a scan is seen');
SELECT is((SELECT ROW(rows_total, bytes_processed = bytes_total, bytes_total < length(r))::text FROM rowset_progress, progress.packed WHERE pid = :other), '(20000,t,t)', 'with its totals');
SELECT progress.cancel(:other) AS x \gset
SELECT dblink_exec('other', 'SET rowser.enable_scan = off') AS x \gset
SELECT dblink_exec('other', 'RESET ROLE') AS x \gset
CREATE DOMAIN progress.slow AS int CHECK (VALUE < 15000 OR pg_sleep(60) IS NOT NULL);
SELECT dblink_send_query('other', 'SELECT count(*) FROM progress.packed, rowset_to_recordset(r) AS t(i progress.slow)') AS x \gset
SELECT ok(progress.wait(:other, 'read', 14000), 'the plain function is seen');
SELECT progress.cancel(:other) AS x \gset
SELECT pg_stat_clear_snapshot() AS x \gset
SELECT is_empty(format('SELECT * FROM rowset_progress WHERE pid = %s', :other), 'and is seen no more once it is cancelled');
SELECT is(t, '', 'and the session does further work') FROM dblink('other', 'SELECT rowset_check(r)::text FROM progress.packed') AS d(t text);
-- in a session that shows nothing
SELECT dblink_exec('other', 'SET track_activities = off') AS x \gset
SELECT is(t, '20000', 'without track_activities all works') FROM dblink('other', 'SELECT rowset_count(query_to_rowset(''SELECT i FROM generate_series(1, 20000) AS i''))::text') AS d(t text);
SELECT is(t, '20000', 'reading, too') FROM dblink('other', 'SELECT count(*)::text FROM progress.packed, rowset_to_recordset(r) AS t(i int)') AS d(t text);

SELECT dblink_disconnect('other') AS off \gset
DROP SCHEMA progress CASCADE;
DROP ROLE progress_owner, progress_other, progress_monitor;
DROP EXTENSION dblink;
SELECT * FROM finish();
