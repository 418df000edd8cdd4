--
-- packets.sql
--	  Packets of every size, put together and read as they come; what a reader is
--	  after errors and rollbacks; that each byte is read once, in bounded memory.
--
--	  This file runs outside a transaction and cleans up behind itself.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT no_plan();
CREATE SCHEMA pk;
SET rowser.compression = none;

-- Data that shows its own place: no two stretches of it are the same.  Lengths
-- about where a value's header grows, empty values, NULLs.
CREATE FUNCTION pk.place(p_from int, p_length int) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(substring(string_agg(to_char(n, 'FM000000') || '.', '' ORDER BY n), 1, p_length), '')
	FROM generate_series(p_from, p_from + p_length / 7) AS n
$$;
CREATE TABLE pk.row AS
SELECT i AS id, nullif(i % 11, 3) AS n,
	CASE i % 5 WHEN 0 THEN '' WHEN 1 THEN NULL ELSE pk.place(i * 1000, (ARRAY[0, 0, 3, 126, 127])[i % 5 + 1] + i % 3) END AS a,
	CASE WHEN i % 4 > 0 THEN convert_to(pk.place(i * 1000 + 500, i), 'UTF8') END AS b,
	CASE WHEN i % 20 = 7 THEN pk.place(i * 1000 + 700, 800) END AS c
FROM generate_series(1, 60) AS i;
SELECT md5(string_agg(r::text, E'\n' ORDER BY id)) AS all_rows FROM pk.row AS r \gset

CREATE TABLE pk.rowset (name text, r bytea);
SET rowser.row_group_rows = 9;
INSERT INTO pk.rowset SELECT 'groups', query_to_rowset('SELECT * FROM pk.row ORDER BY id');
SET rowser.row_group_rows = 1;
INSERT INTO pk.rowset SELECT 'rows', query_to_rowset('SELECT * FROM pk.row ORDER BY id');
RESET rowser.row_group_rows;
INSERT INTO pk.rowset SELECT 'one group', query_to_rowset('SELECT * FROM pk.row ORDER BY id');
RESET rowser.compression;
INSERT INTO pk.rowset SELECT 'compressed', query_to_rowset('SELECT * FROM pk.row ORDER BY id');

-- Read packets in order; the rows as text, or what is wrong.
CREATE FUNCTION pk.read(p_packets bytea[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rows text;
	v_some text;
	v_packet bytea;
	s record;
BEGIN
	PERFORM rowset_reader_open('pk');
	FOREACH v_packet IN ARRAY p_packets LOOP
		SELECT string_agg(t::text, E'\n') INTO v_some
		FROM rowset_reader_feed('pk', v_packet) AS t(id int, n int, a text, b bytea, c text);
		v_rows := coalesce(v_rows || E'\n' || v_some, v_some, v_rows);
	END LOOP;
	SELECT * INTO s FROM rowset_reader_state('pk');
	PERFORM rowset_reader_close('pk');
	IF NOT s.at_end OR s.bytes_fed <> s.bytes_parsed OR s.packets <> cardinality(p_packets) THEN
		RETURN s::text;
	END IF;
	RETURN md5(v_rows);
END $$;

--
-- Every size
--

-- The sizes at which something is wrong
CREATE FUNCTION pk.sweep(p_rowset bytea, p_expected text, p_sizes int[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_size int;
	v_wrong text;
	v_packets bytea[];
	v_lengths int[];
	v_together bytea;
BEGIN
	FOREACH v_size IN ARRAY p_sizes LOOP
		SELECT array_agg(packet ORDER BY seq), array_agg(DISTINCT octet_length(packet)) FILTER (WHERE seq < last), rowset_from_packets(packet ORDER BY hashint8(seq))
		INTO v_packets, v_lengths, v_together
		FROM (SELECT *, max(seq) OVER () AS last FROM rowset_packets(p_rowset, v_size)) AS p;
		IF v_lengths <> ARRAY[v_size] OR octet_length(v_packets[cardinality(v_packets)]) > v_size THEN
			v_wrong := concat_ws(', ', v_wrong, v_size || ' (lengths)');
		ELSIF v_together IS DISTINCT FROM p_rowset THEN
			v_wrong := concat_ws(', ', v_wrong, v_size || ' (together)');
		ELSIF pk.read(v_packets) IS DISTINCT FROM p_expected THEN
			v_wrong := concat_ws(', ', v_wrong, v_size || ' (read)');
		END IF;
	END LOOP;
	RETURN coalesce(v_wrong, 'none');
END $$;
SELECT is(pk.sweep(r, :'all_rows', (SELECT array_agg(s) FROM generate_series(64, 4096) AS s)), 'none', name || ': every packet size from 64 to 4,096')
FROM pk.rowset WHERE name = 'groups';
SELECT is(pk.sweep(r, :'all_rows', (SELECT array_agg(s) FROM generate_series(64, 700) AS s)), 'none', name || ': every packet size from 64 to 700')
FROM pk.rowset WHERE name <> 'groups';

-- The first edge at every byte: each value ends at one, each length is split.  The
-- second packet then has the rest, or is as long and not the last.
SELECT cmp_ok(octet_length(r), '>', 4096, 'a rowset that has every edge of these sizes') FROM pk.rowset WHERE name = 'rows';
SELECT is(pk.sweep(r, :'all_rows', (SELECT array_agg(s) FROM generate_series(octet_length(r) / 2, octet_length(r) + 23) AS s)), 'none', name || ': every edge in the second half')
FROM pk.rowset WHERE name = 'rows';

--
-- The packets of a query
--
CREATE FUNCTION pk.sweep_query(p_query text, p_expected text, p_sizes int[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_size int;
	v_wrong text;
	v_packets bytea[];
	v_rowset bytea := query_to_rowset(p_query);
BEGIN
	FOREACH v_size IN ARRAY p_sizes LOOP
		v_packets := array_agg(packet ORDER BY seq) FROM query_to_rowset_packets(p_query, v_size);
		IF pk.read(v_packets) IS DISTINCT FROM p_expected THEN
			v_wrong := concat_ws(', ', v_wrong, v_size || ' (read)');
		ELSIF (SELECT rowset_from_packets(p) FROM unnest(v_packets) AS p) IS DISTINCT FROM v_rowset THEN
			v_wrong := concat_ws(', ', v_wrong, v_size || ' (together)');
		ELSIF cardinality(v_packets) <> ceil(octet_length(v_rowset) / (v_size - 22)::float8) THEN
			v_wrong := concat_ws(', ', v_wrong, v_size || ' (number)');
		END IF;
	END LOOP;
	RETURN coalesce(v_wrong, 'none');
END $$;
SET rowser.compression = none;
SET rowser.row_group_rows = 9;
SELECT is(pk.sweep_query('SELECT * FROM pk.row ORDER BY id', :'all_rows', (SELECT array_agg(s) FROM generate_series(64, 4096, 7) AS s)), 'none', 'a query: packet sizes from 64 to 4,096');
SELECT is(pk.sweep_query('SELECT * FROM pk.row ORDER BY id', :'all_rows', (SELECT array_agg(octet_length(r) + i) FROM generate_series(-3, 26) AS i)), 'none', 'a query: packets about as large as the rowset')
FROM pk.rowset WHERE name = 'groups';
RESET rowser.row_group_rows;
RESET rowser.compression;
SELECT is((SELECT rowset_from_packets(packet) FROM query_to_rowset_packets('SELECT $1 AS a, $2 AS b WHERE false', 64, 1, NULL::text)), query_to_rowset('SELECT $1 AS a, $2 AS b WHERE false', 1, NULL::text), 'no rows, with parameters');
SELECT is((SELECT rowset_from_packets(packet) FROM query_to_rowset_packets('SELECT', 64)), query_to_rowset('SELECT'), 'no columns');
SELECT is((SELECT count(*) FROM query_to_rowset_packets(NULL, 64)), 0::bigint, 'no query');
SELECT is((SELECT count(*) FROM query_to_rowset_packets('SELECT $1', NULL, 1)), 0::bigint, 'no size');
SELECT isnt((SELECT packet FROM query_to_rowset_packets('SELECT 1', 1000)), (SELECT packet FROM query_to_rowset_packets('SELECT 1', 1000)), 'each run of a query is a stream of its own');

-- The first packet leaves before the query has ended, and the query stops with its caller.
CREATE SEQUENCE pk.ran;
SET rowser.row_group_rows = 100;
SELECT count(*) AS n FROM (SELECT query_to_rowset_packets('SELECT nextval(''pk.ran''), i, md5(i::text) FROM generate_series(1, 100000) AS i', 1000) LIMIT 2) AS x \gset
SELECT ok(last_value < 500, 'the first packets leave early') FROM pk.ran;
SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'no portal is left');
RESET rowser.row_group_rows;
SELECT throws_ok('SELECT count(*) FROM query_to_rowset_packets(''SELECT 1 / (5000 - i) FROM generate_series(1, 10000) AS i'', 64)', '22012', 'division by zero', 'an error in the middle');
SELECT throws_ok('SELECT count(*) FROM query_to_rowset_packets(''SELECT 1; SELECT 2'', 64)', '42P11', 'query must be exactly one statement', 'two statements');
SELECT throws_ok('SELECT count(*) FROM query_to_rowset_packets(''SELECT 1'', 63)', '22023', 'packet_size is out of range', 'a packet that is too small');

-- A subtransaction that the portal was opened in is rolled back, the cursor lives on.
BEGIN;
SAVEPOINT s;
DECLARE c NO SCROLL CURSOR FOR SELECT (query_to_rowset_packets('SELECT i, md5(i::text) FROM generate_series(1, 50000) AS i', 1000)).seq;
RELEASE s;
SAVEPOINT s;
FETCH c \gset fetched_
ROLLBACK TO s;
SELECT throws_ok('FETCH ALL FROM c', '24000', 'the query of query_to_rowset_packets is not open any more', 'the query was closed with a subtransaction');
ROLLBACK;

--
-- Large values
--
CREATE TABLE pk.large AS SELECT 1 AS id, 1 AS n, string_agg(md5(i::text), '') AS a, convert_to(string_agg(md5((-i)::text), ''), 'UTF8') AS b, string_agg(md5((i + 0.5)::text), '') AS c
FROM generate_series(1, 327680) AS i;
SELECT is((SELECT length(a) + length(b) + length(c) FROM pk.large), 3 * 10 * 1024 * 1024, 'three values of 10 MiB');
CREATE FUNCTION pk.read_large(p_size int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	p record;
	v_same bool := false;
	v_more bool;
	s record;
BEGIN
	PERFORM rowset_reader_open('large');
	FOR p IN SELECT * FROM query_to_rowset_packets('SELECT * FROM pk.large', p_size) LOOP
		v_more := bool_and(t.a = l.a AND t.b = l.b AND t.c = l.c) FROM rowset_reader_feed('large', p.packet) AS t(id int, n int, a text, b bytea, c text), pk.large AS l;
		v_same := coalesce(v_more, v_same);
	END LOOP;
	SELECT * INTO s FROM rowset_reader_state('large');
	PERFORM rowset_reader_close('large');
	RETURN concat_ws(', ', v_same, s.rows, s.bytes_fed > 3 * 5 * 1024 * 1024, s.bytes_fed = s.bytes_parsed, s.at_end);
END $$;
SELECT is(pk.read_large(size), 't, 1, t, t, t', 'three values of 10 MiB, in packets of ' || size)
FROM unnest('{4097,8000,16384,32767,65536,131072,200001,262144,524288,1048576}'::int[]) AS size;

--
-- Bounded memory: a packet and a row group
--
CREATE TABLE pk.stream (seq bigint PRIMARY KEY, packet bytea);
SET rowser.row_group_rows = 500;
SET rowser.compression = none;
INSERT INTO pk.stream SELECT * FROM query_to_rowset_packets('SELECT i AS id, md5(i::text) AS a FROM generate_series(1, 50000) AS i', 1000);
RESET rowser.row_group_rows;
RESET rowser.compression;
CREATE FUNCTION pk.memory() RETURNS bigint LANGUAGE sql AS $$
	SELECT coalesce(sum(total_bytes), 0)::bigint FROM pg_backend_memory_contexts WHERE name LIKE 'rowser%' AND name <> 'rowser readers'
$$;
CREATE FUNCTION pk.peak() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	v_peak bigint := 0;
	p record;
BEGIN
	PERFORM rowset_reader_open('peak');
	FOR p IN SELECT * FROM pk.stream ORDER BY seq LOOP
		PERFORM FROM rowset_reader_feed('peak', p.packet) AS t(id int);
		IF p.seq % 100 < 20 THEN
			v_peak := greatest(v_peak, pk.memory());
		END IF;
	END LOOP;
	RETURN v_peak;
END $$;
-- 500 rows are 20 kB
SELECT cmp_ok((SELECT sum(octet_length(packet)) FROM pk.stream), '>', 1500000::bigint, 'a long stream');
SELECT cmp_ok(pk.peak(), '<', 100000::bigint, 'a reader keeps a packet and a row group at the most');
SELECT is(pk.memory(), 0::bigint, 'and nothing after the transaction');

-- A row group larger than anything that a reader takes at once: its memory follows
-- what has come, and not what the group says of itself.
TRUNCATE pk.stream;
SET rowser.compression = none;
INSERT INTO pk.stream SELECT * FROM query_to_rowset_packets('SELECT left(a, 6000000) AS a FROM pk.large', 65536);
RESET rowser.compression;
CREATE FUNCTION pk.growth() RETURNS TABLE (fed bigint, memory bigint) LANGUAGE plpgsql AS $$
DECLARE
	p record;
BEGIN
	PERFORM rowset_reader_open('growth');
	FOR p IN SELECT * FROM pk.stream ORDER BY seq LOOP
		PERFORM FROM rowset_reader_feed('growth', p.packet) AS t(a text);
		fed := bytes_fed FROM rowset_reader_state('growth');
		memory := pk.memory();
		RETURN NEXT;
	END LOOP;
END $$;
CREATE TABLE pk.growth AS SELECT *, row_number() OVER () AS seq FROM pk.growth();
SELECT is((SELECT count(*) FROM pk.growth), 92::bigint, 'a row group of 92 packets');
SELECT is_empty('SELECT * FROM pk.growth WHERE memory > greatest(1048576, 8 * fed) + 65536', 'a reader takes no memory on trust');
SELECT is_empty('SELECT * FROM pk.growth WHERE memory > 6000000 + 2 * 65536', 'and no more than a row group and a packet');
SELECT cmp_ok((SELECT memory FROM pk.growth ORDER BY seq DESC LIMIT 1), '<', 65536::bigint, 'at its end it keeps no memory for the next');

-- Rows so large that they get their memory in another way, in tuplestores that
-- stay in memory and that don't.
CREATE TABLE pk.large_rows AS
SELECT i::int2 AS i, CASE WHEN i <> 2 THEN a END AS a, NULL::int AS n, i = 1 AS f, '1 day'::interval AS d, CASE WHEN i <> 3 THEN b END AS b,
	i * 0.1::float8 AS x, ROW(i, left(c, 5000000))::text AS c, 'end'::char(5) AS e
FROM pk.large, generate_series(1, 4) AS i;
CREATE FUNCTION pk.read_rows(p_work_mem text) RETURNS SETOF pk.large_rows LANGUAGE plpgsql AS $$
DECLARE
	p record;
BEGIN
	PERFORM set_config('work_mem', p_work_mem, true);
	PERFORM rowset_reader_open('rows');
	FOR p IN SELECT * FROM query_to_rowset_packets('SELECT * FROM pk.large_rows ORDER BY i', 1000000) LOOP
		RETURN QUERY SELECT * FROM rowset_reader_feed('rows', p.packet)
			AS t(i int2, a text, n int, f bool, d interval, b bytea, x float8, c text, e char(5));
	END LOOP;
	PERFORM rowset_reader_close('rows');
END $$;
SELECT is_empty(format('SELECT * FROM pk.read_rows(%L) AS r FULL JOIN pk.large_rows AS l ON r.i = l.i WHERE r *<> l OR r.i IS NULL OR l.i IS NULL', work_mem), 'large rows, in ' || work_mem)
FROM unnest('{64kB,1GB}'::text[]) AS work_mem;

--
-- Readers and transactions
--

-- A table and a reader are fed in subtransactions, some of which are rolled back:
-- the table always has the rows that the reader has given.
CREATE TABLE pk.got (id int, a text);
TRUNCATE pk.stream;
SET rowser.row_group_rows = 50;
INSERT INTO pk.stream SELECT * FROM query_to_rowset_packets('SELECT i AS id, md5(i::text) AS a FROM generate_series(1, 3000) AS i', 200);
RESET rowser.row_group_rows;
CREATE FUNCTION pk.agree() RETURNS bool LANGUAGE sql AS $$
	SELECT s.rows = (SELECT count(*) FROM pk.got) FROM rowset_reader_state('tx') AS s
$$;
CREATE FUNCTION pk.feed_some(p_depth int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	v_packet bytea;
	v_count int := random() * 8;
BEGIN
	FOR i IN 1 .. v_count LOOP
		SELECT packet INTO v_packet FROM pk.stream, rowset_reader_state('tx') AS s WHERE seq = s.next_seq;
		EXIT WHEN NOT FOUND;
		INSERT INTO pk.got SELECT * FROM rowset_reader_feed('tx', v_packet) AS t(id int, a text);
		IF p_depth < 4 AND random() < 0.4 THEN
			BEGIN
				PERFORM pk.feed_some(p_depth + 1);
				IF random() < 0.5 THEN
					RAISE EXCEPTION USING ERRCODE = 'P0099';
				END IF;
			EXCEPTION WHEN SQLSTATE 'P0099' THEN
				NULL;
			END;
			IF NOT pk.agree() THEN
				RAISE EXCEPTION 'the reader and the table do not agree';
			END IF;
		END IF;
	END LOOP;
END $$;
CREATE FUNCTION pk.feed_all(p_open bool) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF p_open THEN
		PERFORM rowset_reader_open('tx');
	END IF;
	WHILE NOT at_end FROM rowset_reader_state('tx') LOOP
		PERFORM pk.feed_some(0);
	END LOOP;
	RETURN (SELECT concat_ws(', ', bytes_fed = bytes_parsed, rows, pk.agree()) FROM rowset_reader_state('tx'));
END $$;
SELECT setseed(0.5);
SELECT is(pk.feed_all(true), 't, 3000, t', 'a reader, fed in subtransactions');
SELECT is((SELECT count(*) FROM pk.got WHERE a = md5(id::text)), 3000::bigint, 'each row has come once');
SELECT is((SELECT count(DISTINCT id) FROM pk.got), 3000::bigint, 'and no other');
TRUNCATE pk.got;

-- One that is held, in transactions of which some are rolled back
SELECT rowset_reader_open('tx', true) \gset
CREATE PROCEDURE pk.feed_in_transactions() LANGUAGE plpgsql AS $$
DECLARE
	v_end bool := false;
BEGIN
	WHILE NOT v_end LOOP
		PERFORM pk.feed_some(0);
		PERFORM pk.feed_some(0);
		IF random() < 0.3 THEN
			ROLLBACK;
		ELSE
			COMMIT;
		END IF;
		SELECT at_end INTO v_end FROM rowset_reader_state('tx');
	END LOOP;
END $$;
CALL pk.feed_in_transactions();
SELECT is((SELECT concat_ws(', ', bytes_fed = bytes_parsed, rows, pk.agree()) FROM rowset_reader_state('tx')), 't, 3000, t', 'a reader that is held, fed in transactions');
SELECT is((SELECT count(*) FROM pk.got WHERE a = md5(id::text)), 3000::bigint, 'each row has come once, over transactions');
SELECT rowset_reader_close('tx') \gset
SELECT is(pk.memory(), 0::bigint, 'nothing is left of it');

-- Savepoints in savepoints: what a released one has read is its parent's to give up.
CREATE FUNCTION pk.feed_one(p_seq int) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM rowset_reader_feed('nested', (SELECT packet FROM pk.stream WHERE seq = p_seq)) AS t(id int)
$$;
CREATE FUNCTION pk.fed() RETURNS bigint LANGUAGE sql AS 'SELECT packets FROM rowset_reader_state(''nested'')';
BEGIN;
SELECT rowset_reader_open('nested') \gset
SELECT pk.feed_one(1) AS x \gset
SAVEPOINT a;
SELECT pk.feed_one(2) AS x \gset
SAVEPOINT b;
SELECT pk.feed_one(3) AS x \gset
RELEASE b;
SELECT is(pk.fed(), 3::bigint, 'what a released savepoint has read stays read');
SAVEPOINT b;
SAVEPOINT c;
SELECT pk.feed_one(4) AS x \gset
RELEASE c;
SELECT is(pk.fed(), 4::bigint, 'also two levels up');
ROLLBACK TO b;
SELECT is(pk.fed(), 3::bigint, 'until that level is rolled back');
ROLLBACK TO a;
SELECT is(pk.fed(), 1::bigint, 'or the one above');
SELECT pk.feed_one(2) AS x \gset
RELEASE a;
SELECT is(pk.fed(), 2::bigint, 'from where reading goes on');
COMMIT;
BEGIN;
SELECT rowset_reader_open('nested') \gset
SAVEPOINT a;
SAVEPOINT b;
SELECT pk.feed_one(1) AS x \gset
RELEASE b;
SELECT is(pk.fed(), 1::bigint, 'what the first savepoint has read');
ROLLBACK TO a;
SELECT is(pk.fed(), 0::bigint, 'is given up by its parent');
COMMIT;

-- Isolation makes no difference.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is(pk.read(array_agg(packet ORDER BY seq)), :'all_rows', 'repeatable read') FROM pk.rowset, rowset_packets(r, 500) WHERE name = 'groups';
COMMIT;

-- An error in a group in the middle, then a fresh stream: nothing of the first is in it.
CREATE FUNCTION pk.abort_and_read(p_first bytea[], p_packets bytea[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_packet bytea;
BEGIN
	BEGIN
		PERFORM rowset_reader_open('pk');
		FOREACH v_packet IN ARRAY p_first LOOP
			PERFORM FROM rowset_reader_feed('pk', v_packet) AS t(id int);
		END LOOP;
		RAISE EXCEPTION USING ERRCODE = 'P0099';
	EXCEPTION WHEN SQLSTATE 'P0099' THEN
		NULL;
	END;
	RETURN pk.read(p_packets);
END $$;
SELECT is(pk.abort_and_read(array_agg(s.packet ORDER BY s.seq), (SELECT array_agg(packet ORDER BY seq) FROM pk.rowset, rowset_packets(r, 100) WHERE name = 'rows')), :'all_rows', 'a fresh stream after an abort')
FROM (SELECT * FROM pk.stream WHERE seq <= 100) AS s;
SELECT rowset_reader_open('left', true) \gset
SELECT throws_ok('SELECT count(*) FROM pk.stream, rowset_reader_feed(''left'', packet) AS t(id text) WHERE seq = 2', '55000', 'packet is out of order', 'a held reader after an error');
SELECT is((SELECT count(*) FROM pk.stream, rowset_reader_feed('left', packet) AS t(id int) WHERE seq = 1), 0::bigint, 'can be fed');
SELECT rowset_reader_close('left') \gset

-- A statement that fails while a group's rows are made: a domain of the caller's.
CREATE DOMAIN pk.under AS int CHECK (VALUE <> 1010);
CREATE FUNCTION pk.feed_until_error() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	p record;
	n bigint := 0;
	v_error text := '';
BEGIN
	PERFORM rowset_reader_open('err');
	FOR p IN SELECT * FROM pk.stream ORDER BY seq LOOP
		BEGIN
			n := n + count(id) FROM rowset_reader_feed('err', p.packet) AS t(id pk.under);
		EXCEPTION WHEN check_violation THEN
			v_error := concat_ws(' ', v_error, (SELECT rows || '/' || (next_seq = p.seq) FROM rowset_reader_state('err')));
			n := n + count(id) FROM rowset_reader_feed('err', p.packet) AS t(id int);
		END;
	END LOOP;
	RETURN n || v_error;
END $$;
SELECT is(pk.feed_until_error(), '3000 1000/true', 'a packet whose rows fail can be fed again');

-- A domain's check that calls the reader that is reading
CREATE FUNCTION pk.meddle(i int, how text) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE how;
	RETURN true;
END $$;
CREATE DOMAIN pk.closing AS int CHECK (pk.meddle(VALUE, 'SELECT rowset_reader_close(''busy'')'));
CREATE DOMAIN pk.feeding AS int CHECK (pk.meddle(VALUE, 'SELECT * FROM pk.stream, rowset_reader_feed(''busy'', packet) AS t(id int) WHERE seq = 2'));
CREATE DOMAIN pk.looking AS int CHECK (pk.meddle(VALUE, 'SELECT * FROM rowset_reader_state(''busy'')'));
BEGIN;
SELECT rowset_reader_open('busy') \gset
SELECT packet FROM rowset_packets(query_to_rowset('SELECT 1 AS id'), 1000) \gset
SELECT throws_ok(format('SELECT * FROM rowset_reader_feed(''busy'', %L::bytea) AS t(id pk.closing)', :'packet'), '55006', 'reader "busy" is busy', 'a reader that is reading can''t be closed');
SELECT throws_ok(format('SELECT * FROM rowset_reader_feed(''busy'', %L::bytea) AS t(id pk.feeding)', :'packet'), '55006', 'reader "busy" is busy', 'nor fed');
SELECT lives_ok(format('SELECT * FROM rowset_reader_feed(''busy'', %L::bytea) AS t(id pk.looking)', :'packet'), 'but looked at');
SELECT is((SELECT at_end FROM rowset_reader_state('busy')), true, 'and it isn''t busy any more');
COMMIT;

--
-- Damage: every prefix of a packet, and every change of a bit
--
CREATE FUNCTION pk.outcome(p_query text, p_packet bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE p_query USING p_packet;
	RETURN 'read';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
BEGIN;
SELECT rowset_reader_open('hostile') \gset
CREATE TABLE pk.damage AS
SELECT 'prefix' AS kind, substring(packet, 1, i) AS packet FROM pk.stream, generate_series(0, octet_length(packet) - 1) AS i WHERE seq = 1
UNION ALL
SELECT 'bit', set_byte(packet, i, get_byte(packet, i) # (1 << bit)) FROM pk.stream, generate_series(0, octet_length(packet) - 1) AS i, generate_series(0, 7) AS bit WHERE seq = 1;
SELECT results_eq($$
	SELECT DISTINCT kind, call, regexp_replace(pk.outcome(query, packet), 'version \d+', 'version N')
	FROM pk.damage, (VALUES ('feed', 'SELECT * FROM rowset_reader_feed(''hostile'', $1) AS t(id int)'), ('together', 'SELECT rowset_from_packets($1)')) AS q(call, query)
	ORDER BY 1, 2, 3$$, $$
	SELECT kind, call, outcome
	FROM (VALUES ('bit'), ('prefix')) AS k(kind), (VALUES ('feed'), ('together')) AS c(call),
		(VALUES ('0A000 packet format version N is not supported'), ('22P03 invalid packet'), ('XX001 packet checksum does not match')) AS o(outcome)
	WHERE kind = 'bit' OR outcome NOT LIKE '0A000%'
	ORDER BY 1, 2, 3$$, 'no damage goes unnoticed');
SELECT is((SELECT packets FROM rowset_reader_state('hostile')), 0::bigint, 'and none moves the reader');
COMMIT;

SET client_min_messages = error;
DROP SCHEMA pk CASCADE;
SELECT * FROM finish();
