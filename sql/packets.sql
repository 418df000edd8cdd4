--
-- A rowset in packets, put together again, and read as they come
--
SET rowser.row_group_rows = 100;
-- the number of rows that a statement gives, or its error
CREATE FUNCTION p_try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
	detail text;
BEGIN
	EXECUTE statement INTO n;
	RETURN n || ' rows';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', SQLSTATE, SQLERRM, '(' || nullif(detail, '') || ')');
END $$;
CREATE TABLE p_rows AS
SELECT i AS id, CASE WHEN i % 7 > 0 THEN 'row ' || i || ' ' || repeat('.', i % 30) END AS note FROM generate_series(1, 250) AS i;
CREATE TABLE p_rowset AS SELECT query_to_rowset('SELECT * FROM p_rows ORDER BY id') AS r;
CREATE TABLE p_packets AS SELECT p.* FROM p_rowset, rowset_packets(r, 200) AS p;
CREATE TABLE p_other AS SELECT p.* FROM p_rowset, rowset_packets(r, 201) AS p;
SELECT min(seq), max(seq) = count(*) AS dense, max(octet_length(packet)) AS longest, min(octet_length(packet)) < 200 AS last_is_shorter FROM p_packets;

-- one packet when it fits, also past what a row could hold
SELECT count(*), bool_and(rowset_packets IS NOT NULL) FROM p_rowset, rowset_packets(r, 2147483647);
SELECT count(*) FROM p_rowset, rowset_packets(r, octet_length(r) + 22);
SELECT count(*) FROM p_rowset, rowset_packets(r, octet_length(r) + 21);
-- the same rowset, the same packets
SELECT count(*) = (SELECT count(*) FROM p_packets) AS same FROM (SELECT p.* FROM p_rowset, rowset_packets(r, 200) AS p INTERSECT TABLE p_packets) AS x;
-- in the SELECT list, one by one
SELECT (p).seq, octet_length((p).packet) FROM (SELECT rowset_packets(r, 200) AS p FROM p_rowset LIMIT 2) AS x;

-- NULLs, bad sizes, what is no rowset
SELECT count(*) FROM rowset_packets(NULL, 100);
SELECT count(*) FROM p_rowset, rowset_packets(r, NULL);
SELECT p_try('SELECT count(*) FROM p_rowset, rowset_packets(r, 63)');
SELECT rowset_packets(r, -1) FROM p_rowset;
SELECT p_try('SELECT count(*) FROM rowset_packets('''', 64)');
SELECT p_try('SELECT count(*) FROM p_rowset, rowset_packets(substring(r, 1, 100), 64)') ~ '^22P03 invalid rowset' AS refused;

--
-- The packets of a query
--
SELECT rowset_from_packets(packet) = r AS same FROM query_to_rowset_packets('SELECT * FROM p_rows ORDER BY id', 200), p_rowset GROUP BY r;
SELECT rowset_from_packets(packet) = query_to_rowset('SELECT * FROM p_rows WHERE id < $1 AND note ~ $2 ORDER BY id', 50, 'row') AS same
FROM query_to_rowset_packets('SELECT * FROM p_rows WHERE id < $1 AND note ~ $2 ORDER BY id', 100, 50, 'row');
SELECT rowset_from_packets(packet) = query_to_rowset('SELECT * FROM p_rows WHERE false') AS same FROM query_to_rowset_packets('SELECT * FROM p_rows WHERE false', 64);
SELECT count(*) FROM query_to_rowset_packets(NULL, 100);
SELECT count(*) FROM query_to_rowset_packets('SELECT $1', NULL, 1);
SELECT count(*) FROM query_to_rowset_packets('SELECT $1 IS NULL', 100, VARIADIC ARRAY[NULL]::int[]);
SELECT p_try('SELECT count(*) FROM query_to_rowset_packets(''SELECT 1'', 63)');
SELECT p_try('SELECT count(*) FROM query_to_rowset_packets(''SELECT 1; SELECT 2'', 64)');
SELECT p_try('SELECT count(*) FROM query_to_rowset_packets(''CREATE TABLE never ()'', 64)');
SELECT p_try('SELECT count(*) FROM query_to_rowset_packets(''SELECT 1 / (200 - id) FROM p_rows'', 64)');
SELECT query_to_rowset_packets('SELECT * FROM nowhere', 64);
-- a statement that changes data, once
BEGIN;
SELECT rowset_count(rowset_from_packets(packet)) FROM query_to_rowset_packets('DELETE FROM p_rows WHERE id <= $1 RETURNING id', 100, 120);
SELECT count(*) FROM p_rows;
ROLLBACK;
-- in DO, where the packets come while the query runs; nothing is left open
DO $$
DECLARE
	p record;
BEGIN
	FOR p IN SELECT * FROM query_to_rowset_packets('SELECT * FROM p_rows', 1000) LOOP
		EXIT WHEN p.seq = 2;
	END LOOP;
END $$;
SELECT count(*) FROM pg_cursors;
-- a cursor WITH HOLD has them all at the end of the transaction
BEGIN;
DECLARE p_held CURSOR WITH HOLD FOR SELECT (query_to_rowset_packets('SELECT * FROM p_rows ORDER BY id', 200)).seq;
FETCH p_held;
COMMIT;
FETCH p_held;
CLOSE p_held;
BEGIN;
DECLARE p_held CURSOR WITH HOLD FOR SELECT (query_to_rowset_packets('SELECT * FROM p_rows ORDER BY id', 5000)).seq;
COMMIT;
FETCH p_held;
CLOSE p_held;

--
-- Putting together
--
SELECT rowset_from_packets(packet ORDER BY seq) = r AS same FROM p_packets, p_rowset GROUP BY r;
SELECT rowset_from_packets(packet ORDER BY seq DESC) = r AS same FROM p_packets, p_rowset GROUP BY r;
SELECT rowset_from_packets(packet ORDER BY md5(packet)) = r AS same FROM (TABLE p_packets UNION ALL TABLE p_packets) AS x, p_rowset GROUP BY r;
SELECT rowset_from_packets(packet) FILTER (WHERE seq > 0) = rowset_from_packets(packet) AS same FROM p_packets;
-- NULLs are left out; nothing is NULL
SELECT rowset_from_packets(packet) = r AS same FROM (TABLE p_packets UNION ALL SELECT NULL, NULL) AS x, p_rowset GROUP BY r;
SELECT rowset_from_packets(packet) IS NULL AS none FROM p_packets WHERE false;
SELECT rowset_from_packets(NULL) IS NULL AS none;
-- a single packet; the last one before all others, once and twice
SELECT rowset_from_packets(packet) = r AS same FROM p_rowset, rowset_packets(r, 1000000) GROUP BY r;
SELECT rowset_from_packets(packet ORDER BY seq DESC) = r AS same FROM p_rowset, (TABLE p_packets UNION ALL SELECT * FROM p_packets WHERE seq = (SELECT max(seq) FROM p_packets)) AS x GROUP BY r;
-- over a window, complete only with the last row
SELECT rowset_from_packets(packet) OVER () = r AS same FROM p_packets, p_rowset LIMIT 1;

-- what is missing
SELECT rowset_from_packets(packet) FROM p_packets WHERE seq NOT IN (1, 3, 4, 5, 9);
SELECT rowset_from_packets(packet) FROM p_packets WHERE seq < 3;
SELECT rowset_from_packets(packet) FROM p_packets WHERE seq IN (2, 4);
SELECT rowset_from_packets(packet) FROM p_rowset, rowset_packets(r, 64) WHERE seq % 2 = 1 AND seq < 50;
SELECT p_try('SELECT length(rowset_from_packets(packet)) FROM p_packets WHERE seq = (SELECT max(seq) FROM p_packets)')
	= format('22P03 packets of the rowset are missing (Missing: 1 to %s.)', max(seq) - 1) AS all_but_the_last FROM p_packets;
-- what is foreign, or does not fit
SELECT set_byte(packet, 6, 1) AS foreign_stream, set_byte(packet, 100, get_byte(packet, 100) # 1) AS damaged FROM p_packets WHERE seq = 2 \gset
SELECT rowset_from_packets(:'damaged');
SELECT rowset_from_packets(:'foreign_stream');
SELECT rowset_from_packets(set_byte(packet, 0, 1)) FROM p_packets;
SELECT rowset_from_packets(set_byte(packet, 4, 2)) FROM p_packets;
SELECT rowset_from_packets('');
SELECT rowset_from_packets(r) FROM p_rowset;
SELECT regexp_replace(p_try('SELECT length(rowset_from_packets(packet)) FROM (SELECT * FROM p_packets WHERE seq = 1 UNION ALL SELECT * FROM p_other WHERE seq = 2) AS x'), '[0-9a-f]{16}', '...', 'g');

--
-- The reader
--
BEGIN;
SELECT rowset_reader_open('r');
SELECT * FROM rowset_reader_state('r');
CREATE TEMP TABLE p_got (seq bigint, id int, note text) ON COMMIT DROP;
DO $$
DECLARE
	p record;
BEGIN
	FOR p IN SELECT * FROM p_packets ORDER BY seq LOOP
		INSERT INTO p_got SELECT p.seq, t.* FROM rowset_reader_feed('r', p.packet) AS t(id int, note text);
	END LOOP;
END $$;
SELECT count(*), count(DISTINCT seq) AS packets_with_rows, bool_and(g.note IS NOT DISTINCT FROM p.note) AS same FROM p_got AS g JOIN p_rows AS p USING (id);
SELECT hold, packets = (SELECT count(*) FROM p_packets) AS all_packets, bytes_fed = octet_length(r) AS all_bytes, bytes_parsed = bytes_fed AS once, row_groups, rows, next_seq, at_end
FROM p_rowset, rowset_reader_state('r');
SELECT p_try('SELECT count(*) FROM p_packets AS p, rowset_reader_feed(''r'', packet) AS t(id int) WHERE p.seq = 1')
	= format('55000 reader is at its end (Packet %s was the last one.)', max(seq)) AS refused FROM p_packets;
SELECT rowset_reader_close('r');
COMMIT;

-- of columns some, in another order, as other types; by position
BEGIN;
SELECT rowset_reader_open('some');
SELECT count(*), min(note), min(id), pg_typeof(min(id)) FROM p_rowset, rowset_packets(r, 100000), rowset_reader_feed('some', packet) AS t(note text, id bigint);
SELECT rowset_reader_open('position');
SELECT count(*), min(b), min(a) FROM p_rowset, rowset_packets(r, 100000), rowset_reader_feed('position', packet, match => 'position') AS t(a int, b text);
COMMIT;

-- as text: base64, or what a literal of bytea looks like
BEGIN;
SELECT rowset_reader_open('text');
SELECT packet AS first, encode(packet, 'base64') AS first64 FROM p_packets WHERE seq = 1 \gset
SELECT packet AS second FROM p_packets WHERE seq = 2 \gset
SELECT count(*) FROM rowset_reader_feed('text', :'first64') AS t(id int);
SELECT count(*) FROM rowset_reader_feed('text', :'second') AS t(id int);
SELECT packets, next_seq, at_end FROM rowset_reader_state('text');
-- a packet of 5900 bytes makes a text that NOTIFY takes
SELECT pg_notify('p_channel', encode(packet, 'base64')) IS NOT NULL AS fits
FROM rowset_packets(query_to_rowset('SELECT string_agg(md5(i::text), '''') AS v FROM generate_series(1, 400) AS i'), 5900) WHERE seq = 1;
COMMIT;

--
-- What is refused leaves the reader where it was
--
BEGIN;
SELECT rowset_reader_open('r');
SELECT count(*) FROM rowset_reader_feed('r', :'first'::bytea) AS t(id int);
CREATE FUNCTION p_feed(packet bytea, list text DEFAULT 'id int, note text') RETURNS text LANGUAGE sql AS $$
	SELECT p_try(format('SELECT count(*) FROM rowset_reader_feed(''r'', %L::bytea) AS t(%s)', packet, list))
$$;
SELECT p_feed(:'first');
SELECT p_feed(packet) FROM p_packets WHERE seq = 4;
SELECT p_feed(:'damaged');
SELECT p_feed('\x00');
SELECT regexp_replace(p_feed(packet), '[0-9a-f]{16}', '...', 'g') FROM p_other WHERE seq = 2;
SELECT p_feed(substring(packet, 1, 100)) FROM p_packets WHERE seq = 2;
SELECT p_try('SELECT count(*) FROM rowset_reader_feed(''r'', ''no base64!'') AS t(id int)');
SELECT packets, next_seq FROM rowset_reader_state('r');
SELECT p_feed(NULL);
SELECT p_feed(packet) FROM p_packets WHERE seq = 2;
SELECT packets, next_seq FROM rowset_reader_state('r');
-- a wrong column list, found out when the first row group is complete
SELECT string_agg(DISTINCT answer, '; ' ORDER BY answer) FROM (
	SELECT p_feed(packet, 'nothing int') AS answer FROM (SELECT * FROM p_packets WHERE seq > 2 ORDER BY seq) AS x) AS y WHERE answer NOT LIKE '55000%';
SELECT packets > 2 AS further, rows, row_groups FROM rowset_reader_state('r');
-- the same packet again, now with what is right; rows that fail behind it are rows not given
SELECT p_try(format('SELECT sum(1 / (id - 50)) FROM rowset_reader_feed(''r'', %L::bytea) AS t(id int)', packet)) FROM p_packets, rowset_reader_state('r') WHERE seq = next_seq;
SELECT rows, row_groups FROM rowset_reader_state('r');
SELECT p_feed(packet) FROM p_packets, rowset_reader_state('r') WHERE seq = next_seq;
SELECT rows, row_groups FROM rowset_reader_state('r');
ROLLBACK;

--
-- The life of readers
--
SELECT rowset_reader_open('r');
SELECT rowset_reader_state('r');
BEGIN;
SELECT rowset_reader_open('r');
SAVEPOINT s;
SELECT rowset_reader_open('r');
ROLLBACK TO s;
SELECT rowset_reader_open('inner', hold => true);
ROLLBACK TO s;
SELECT rowset_reader_state('inner');
ROLLBACK TO s;
SELECT rowset_reader_close('r');
ROLLBACK TO s;
-- closing is final
SELECT rowset_reader_state('r');
COMMIT;

-- one that is held: a transaction that is rolled back has fed it nothing
SELECT rowset_reader_open('held', true);
BEGIN;
SELECT count(*) FROM rowset_reader_feed('held', :'first') AS t(id int);
SAVEPOINT s;
SELECT count(*) FROM rowset_reader_feed('held', :'second') AS t(id int);
SELECT packets, hold FROM rowset_reader_state('held');
ROLLBACK TO s;
SELECT packets FROM rowset_reader_state('held');
SELECT count(*) FROM rowset_reader_feed('held', :'second') AS t(id int);
RELEASE s;
ROLLBACK;
SELECT packets, bytes_fed, next_seq FROM rowset_reader_state('held');
SELECT count(*) FROM rowset_reader_feed('held', :'first') AS t(id int);
SELECT packets, next_seq FROM rowset_reader_state('held');
-- in a procedure that commits
CREATE PROCEDURE p_feed_all() LANGUAGE plpgsql AS $$
DECLARE
	p bytea;
	state record;
	n bigint := 0;
BEGIN
	LOOP
		SELECT * INTO state FROM rowset_reader_state('held');
		EXIT WHEN state.at_end;
		SELECT packet INTO p FROM p_packets WHERE seq = state.next_seq;
		n := n + (SELECT count(*) FROM rowset_reader_feed('held', p) AS t(id int));
		COMMIT;
	END LOOP;
	RAISE NOTICE '% rows', n;
END $$;
CALL p_feed_all();
SELECT rowset_reader_close('held');
SELECT rowset_reader_state('held');
-- one that was opened in a transaction that is rolled back is gone
BEGIN;
SELECT rowset_reader_open('held', true);
ROLLBACK;
SELECT rowset_reader_state('held');

-- a transaction that is prepared ends before it is known how
BEGIN;
SELECT rowset_reader_open('held', true);
PREPARE TRANSACTION 'p_prepared';
SELECT rowset_reader_state('held');
SELECT rowset_reader_open('held', true);
BEGIN;
SAVEPOINT s;
SELECT count(*) FROM rowset_reader_feed('held', :'first') AS t(id int);
RELEASE s;
PREPARE TRANSACTION 'p_prepared';
SELECT packets FROM rowset_reader_state('held');
SELECT rowset_reader_close('held');

-- names, NULLs, too many
SELECT rowset_reader_open('');
SELECT rowset_reader_open(repeat('n', 64));
SELECT rowset_reader_open(NULL);
SELECT rowset_reader_open('r', NULL);
SELECT rowset_reader_feed('r', '\x00'::bytea);
SELECT * FROM rowset_reader_feed('r', '\x00'::bytea) AS t(a int);
SELECT * FROM rowset_reader_feed(NULL, '\x00'::bytea) AS t(a int);
SELECT * FROM rowset_reader_feed('r', '\x00'::bytea, 'nowhere') AS t(a int);
SELECT rowset_reader_state(NULL);
SELECT rowset_reader_close(NULL);
SELECT rowset_reader_close('r');
SELECT count(rowset_reader_open('r' || i)) FROM generate_series(1, 65) AS i;
SELECT count(rowset_reader_open('r' || i)) FROM generate_series(1, 64) AS i;

DROP PROCEDURE p_feed_all;
DROP FUNCTION p_try;
DROP TABLE p_rows, p_rowset, p_packets, p_other;
RESET rowser.row_group_rows;
