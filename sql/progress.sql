--
-- rowset_progress: how far sessions have come with their rowsets
--
\d+ rowset_progress
SELECT * FROM rowset_progress;

-- what this session reports right now
CREATE FUNCTION pg_temp.seen(OUT command text, OUT rows bigint, OUT rows_total bigint, OUT has_bytes bool, OUT bytes_total bool) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_stat_clear_snapshot();
	SELECT p.command, p.rows_processed, p.rows_total, p.bytes_processed > 0, p.bytes_total >= p.bytes_processed
	INTO command, rows, rows_total, has_bytes, bytes_total FROM rowset_progress AS p WHERE p.pid = pg_backend_pid() AND p.datname = current_database();
END $$;
SET rowser.row_group_rows = 3000;
SET rowser.compression = none;

-- packing: counted once in 1,024 rows and at the end of each row group
CREATE TEMP TABLE p_seen (i int, p text);
CREATE FUNCTION pg_temp.note(i int) RETURNS int LANGUAGE sql AS $$
INSERT INTO pg_temp.p_seen SELECT $1, pg_temp.seen()::text RETURNING i;
$$;
SELECT rowset_count(query_to_rowset('SELECT CASE WHEN i % 2000 = 0 OR i < 3 THEN pg_temp.note(i) END FROM generate_series(1, 8000) AS i'));
SELECT * FROM p_seen ORDER BY i;
TRUNCATE p_seen;
CREATE TEMP VIEW p_view AS SELECT pg_temp.note(i) AS n FROM generate_series(1, 1) AS i;
SELECT rowset_count(table_to_rowset('p_view'));
SELECT * FROM p_seen;
TRUNCATE p_seen;

-- chunks: counted over all of them, reported while one is made
SELECT count(*) FROM (SELECT query_to_rowset_chunks('SELECT CASE WHEN i % 4000 = 0 THEN pg_temp.note(i) END AS n, md5(i::text) AS t FROM generate_series(1, 8000) AS i', 100000) AS c) AS s
WHERE pg_temp.note(-1) IS NOT NULL;
SELECT * FROM p_seen WHERE i > 0 ORDER BY i;
SELECT DISTINCT p FROM p_seen WHERE i < 0;
TRUNCATE p_seen;

-- reading: rows of the rowset that have been gone past
CREATE TEMP TABLE p_packed AS SELECT query_to_rowset('SELECT i FROM generate_series(1, 5000) AS i') AS r;
SELECT p.*, count(*) FROM p_packed, rowset_to_recordset(r) AS t(i int), LATERAL (SELECT (s).* FROM (SELECT pg_temp.seen() AS s WHERE i > 0 OFFSET 0) AS q) AS p
GROUP BY 1, 2, 3, 4, 5 ORDER BY rows;
BEGIN;
DECLARE p_cursor CURSOR FOR SELECT i FROM p_packed, rowset_to_recordset(r) AS t(i int);
MOVE 1 IN p_cursor;
SELECT * FROM pg_temp.seen();
-- a scan that is open yields to other work
TRUNCATE p_seen;
SELECT rowset_count(query_to_rowset('SELECT pg_temp.note(1)'));
SELECT * FROM p_seen;
MOVE 3000 IN p_cursor;
SELECT * FROM pg_temp.seen();
-- an error ends the report, the next batch resumes it
SAVEPOINT s;
SELECT 1 / 0;
ROLLBACK TO s;
SELECT * FROM pg_temp.seen();
MOVE 1900 IN p_cursor;
SELECT * FROM pg_temp.seen();
CLOSE p_cursor;
SELECT * FROM pg_temp.seen();
COMMIT;

-- only the outermost work is reported
TRUNCATE p_seen;
SELECT rowset_count(query_to_rowset('SELECT rowset_count(query_to_rowset(''SELECT pg_temp.note(i) FROM generate_series(1, 2) AS i'')), t.i FROM p_packed, rowset_to_recordset(r) AS t(i int) WHERE i = 4000'));
SELECT * FROM p_seen;

-- after an error nothing is reported
SELECT query_to_rowset('SELECT 1 / 0');
SELECT * FROM pg_temp.seen();
DO $$
BEGIN
	PERFORM query_to_rowset('SELECT 1 / 0');
EXCEPTION WHEN division_by_zero THEN
	RAISE NOTICE 'seen: %', pg_temp.seen();
END $$;

-- the progress of COPY is not disturbed, and core's views show nothing of rowser's
TRUNCATE p_seen;
CREATE FUNCTION pg_temp.copied() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM rowset_count(query_to_rowset('SELECT pg_temp.note(1) FROM generate_series(1, 5000)'));
	PERFORM pg_stat_clear_snapshot();
	RETURN (SELECT command FROM pg_stat_progress_copy WHERE pid = pg_backend_pid());
END $$;
COPY (SELECT pg_temp.copied()) TO STDOUT;
SELECT DISTINCT p FROM p_seen;
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT count(*) FROM pg_stat_progress_vacuum UNION ALL SELECT count(*) FROM pg_stat_progress_copy')) AS t(count bigint);

-- without track_activities there is nothing to see, and nothing goes wrong
SET track_activities = off;
TRUNCATE p_seen;
SELECT rowset_count(query_to_rowset('SELECT pg_temp.note(1) FROM generate_series(1, 1)'));
SELECT * FROM p_seen;
RESET track_activities;
