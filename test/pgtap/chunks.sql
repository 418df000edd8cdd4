--
-- chunks.sql
--	  query_to_rowset_chunks: sizes kept, rows and order kept, one snapshot, no
--	  portal and no memory left, over transactions and subtransactions.
--
--	  This file runs outside a transaction and cleans up behind itself.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT no_plan();
CREATE EXTENSION dblink;
CREATE SCHEMA chunks;
CREATE TYPE chunks.mood AS ENUM ('sad', 'rather happy indeed', 'ok');
SELECT public.dblink_connect('other', format('host=%s port=%s dbname=%s user=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
											 current_setting('port'), current_database(), current_user)) AS connected \gset

-- Portals that are open in this session, those that pg_cursors doesn't show too
CREATE FUNCTION chunks.portals() RETURNS bigint LANGUAGE sql AS $$
SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'PortalContext';
$$;
-- The error of a statement: SQLSTATE and text, or 'none'
CREATE FUNCTION chunks.error(p_sql text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE p_sql;
	RETURN 'none';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

--
-- Sizes, rows and order: shapes x settings x sizes
--
CREATE TABLE chunks.shapes (name text, query text);
INSERT INTO chunks.shapes VALUES
	('numbers', 'SELECT i AS n, i % 3 AS k, 5 AS c, i * 1.5 AS x FROM generate_series(1, 3000) AS i'),
	('text', 'SELECT i AS n, md5(i::text) AS t FROM generate_series(1, 2000) AS i'),
	('surprises', $$SELECT i AS n, CASE WHEN i % 97 = 0 THEN (SELECT string_agg(md5(i::text || j), '') FROM generate_series(1, 250) AS j) ELSE i::text END AS t
		FROM generate_series(1, 1000) AS i$$),
	('growing', $$SELECT i AS n, (SELECT string_agg(md5(i::text || j), '') FROM generate_series(1, i) AS j) AS t FROM generate_series(1, 200) AS i$$),
	('shrinking', $$SELECT i AS n, (SELECT string_agg(md5(i::text || j), '') FROM generate_series(i, 200) AS j) AS t FROM generate_series(1, 200) AS i$$),
	('nested', $$SELECT i AS n, ARRAY[i, NULL, i * 7919] AS a, ROW(i, md5(i::text)) AS r, int4range(i, i + 5) AS g FROM generate_series(1, 1000) AS i$$),
	('names', $$SELECT row_number() OVER (ORDER BY oid) AS n, oid::regprocedure AS p, (ARRAY['sad', 'rather happy indeed', 'ok'])[oid::bigint % 3 + 1]::chunks.mood AS m
		FROM pg_proc ORDER BY oid LIMIT 1500$$),
	('long texts of short values', $$SELECT i AS n, CASE WHEN i % 50 = 0 THEN 1e-3000 + i * 1e-2990 ELSE i END AS x,
		jsonb_build_object('v', CASE WHEN i % 50 = 7 THEN 1e-3000 + i * 1e-2990 ELSE i END) AS j FROM generate_series(1, 500) AS i$$),
	('values of 130 bytes', $$SELECT i AS n, decode(md5(i::text) || md5(i || 'b') || md5(i || 'c') || md5(i || 'd') || md5(i || 'e') || md5(i || 'f') || md5(i || 'g') || md5(i || 'h') || 'abcd', 'hex') AS b
		FROM generate_series(1, 2000) AS i$$),
	('pseudo-types', 'SELECT row_number() OVER (ORDER BY starelid, staattnum) AS n, s.* FROM pg_statistic AS s ORDER BY starelid, staattnum LIMIT 100'),
	('few rows', 'SELECT 1 AS n'),
	('no rows', 'SELECT 1 AS n WHERE false'),
	('no columns', 'SELECT FROM generate_series(1, 20000)');

-- What is wrong with the chunks of a query: NULL when nothing is
CREATE FUNCTION chunks.fault(p_query text, p_size int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_whole bytea := query_to_rowset(p_query);
	v_has_columns bool := EXISTS (SELECT FROM rowset_columns(v_whole));
	v_chunk record;
	v_seq bigint := 0;
	v_rows bigint := 0;
	v_wrong bigint;
BEGIN
	FOR v_chunk IN SELECT seq, chunk FROM query_to_rowset_chunks(p_query, p_size) LOOP
		v_seq := v_seq + 1;
		IF v_chunk.seq <> v_seq THEN
			RETURN 'sequence';
		ELSIF length(v_chunk.chunk) > p_size AND rowset_count(v_chunk.chunk) > 1 THEN
			RETURN format('chunk %s is too large', v_seq);
		ELSIF NOT rowset_is_valid(v_chunk.chunk) THEN
			RETURN format('chunk %s is not valid', v_seq);
		ELSIF rowset_column_list(v_chunk.chunk) <> rowset_column_list(v_whole) THEN
			RETURN 'columns';
		ELSIF rowset_count(v_chunk.chunk) = 0 AND rowset_count(v_whole) > 0 THEN
			RETURN format('chunk %s is empty', v_seq);
		END IF;
		IF v_has_columns THEN
			SELECT count(*) INTO v_wrong
			FROM (SELECT n, v_rows + row_number() OVER () AS place FROM rowset_to_recordset(v_chunk.chunk) AS t(n bigint)) AS s WHERE n <> place;
			IF v_wrong > 0 THEN
				RETURN 'order';
			END IF;
		END IF;
		v_rows := v_rows + rowset_count(v_chunk.chunk);
	END LOOP;
	IF v_rows <> rowset_count(v_whole) THEN
		RETURN format('%s rows', v_rows);
	ELSIF v_seq = 0 THEN
		RETURN 'no chunk';
	END IF;
	RETURN NULL;
END $$;
ANALYZE pg_class;
SELECT is(chunks.fault(query, size), NULL, format('%s in chunks of %s, %s, groups of %s', name, size, compression, nrows))
FROM chunks.shapes, (VALUES (1024), (4096), (7001), (30000), (1000000)) AS s(size),
	LATERAL (SELECT v.*, set_config('rowser.compression', compression, false), set_config('rowser.row_group_rows', nrows, false)
			 FROM (VALUES ('none', '12288'), ('lz4', '12288'), ('zstd', '100')) AS v(compression, nrows), (SELECT name, size OFFSET 0) AS o) AS v;
RESET rowser.compression;
RESET rowser.row_group_rows;

-- every value, not only those that number the rows
CREATE TABLE chunks.typed AS SELECT i AS n, md5(i::text) AS t, i * 1.25 AS x, ARRAY[i, NULL] AS a, CASE WHEN i % 3 > 0 THEN date '2024-01-01' + i END AS d,
	jsonb_build_object('i', i) AS j FROM generate_series(1, 3000) AS i;
SELECT is_empty($$(SELECT * FROM chunks.typed EXCEPT ALL SELECT t.* FROM query_to_rowset_chunks('SELECT * FROM chunks.typed', 5000),
	rowset_to_recordset(chunk) AS t(n int, t text, x numeric, a int[], d date, j jsonb))$$, 'every value is kept');

-- chunks are well filled
SELECT cmp_ok(avg(length(chunk)), '>', 0.7 * 200000, 'chunks are well filled, ' || compression)
FROM (VALUES ('none'), ('lz4'), ('zstd')) AS v(compression),
	LATERAL (SELECT set_config('rowser.compression', compression, false) OFFSET 0) AS s(x),
	LATERAL (SELECT seq, chunk, lead(seq) OVER (ORDER BY seq) IS NULL AS is_last
			 FROM query_to_rowset_chunks('SELECT i, md5(i::text) AS t, i % 100 AS k FROM generate_series(1, 50000) AS i WHERE $1 IS NOT NULL', 200000, x)) AS c
WHERE NOT is_last GROUP BY compression;
RESET rowser.compression;

-- the same rows give the same chunks
SELECT is((SELECT md5(string_agg(chunk, '' ORDER BY seq)) FROM query_to_rowset_chunks('SELECT * FROM chunks.typed', 5000)),
		  (SELECT md5(string_agg((c).chunk, '' ORDER BY (c).seq)) FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', 5000) AS c) AS s),
		  'in FROM and in the SELECT list, the same chunks');
SELECT is((SELECT chunk FROM query_to_rowset_chunks('SELECT * FROM chunks.typed', 1000000)), query_to_rowset('SELECT * FROM chunks.typed'),
		  'one chunk is the rowset that query_to_rowset gives');

--
-- Only as far as the caller reads
--
CREATE SEQUENCE chunks.ran;
SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT nextval(''chunks.ran''), md5(i::text) FROM generate_series(1, 100000) AS i', 8192) AS c) AS s LIMIT 1 \gset
SELECT cmp_ok(last_value, '<', 1000::bigint, 'LIMIT 1 runs the query for one chunk') FROM chunks.ran;
SELECT setval('chunks.ran', 1) AS x \gset
CREATE FUNCTION chunks.first() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	v record;
BEGIN
	FOR v IN SELECT (c).chunk FROM (SELECT query_to_rowset_chunks('SELECT 1 / (50000 - nextval(''chunks.ran'')), md5(i::text) FROM generate_series(1, 100000) AS i', 8192) AS c) AS s LOOP
		RETURN rowset_count(v.chunk);
	END LOOP;
END $$;
SELECT cmp_ok(chunks.first(), '>', 0, 'a chunk comes before the query has failed');
SELECT is(chunks.portals(), 1::bigint, 'no portal is left behind LIMIT or an exit from a loop');
BEGIN;
SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', 8192) AS c) AS s LIMIT 1 \gset
SELECT chunks.first() AS x \gset
SELECT is(chunks.portals(), 1::bigint, 'nor before the transaction ends');
SELECT is(chunks.error('SELECT * FROM query_to_rowset_chunks(''SELECT 1 / (2000 - n), t FROM chunks.typed'', 8192)'), '22012 division by zero', 'an error in the query comes through');
SELECT is(chunks.portals(), 1::bigint, 'nor after an error that is caught');
SELECT is(chunks.fault('SELECT * FROM chunks.typed', 8192), NULL, 'and the next call works');
DECLARE c CURSOR FOR SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', 8192);
MOVE 2 IN c;
SELECT is(chunks.portals(), 3::bigint, 'a cursor keeps the portal');
SELECT is((SELECT array_agg(name) FROM pg_cursors), ARRAY['c'], 'which pg_cursors does not show');
CLOSE c;
SELECT is(chunks.portals(), 1::bigint, 'until it is closed');
DECLARE c CURSOR FOR SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', 8192);
MOVE 2 IN c;
COMMIT;
SELECT is(chunks.portals(), 1::bigint, 'or COMMIT closes it');

--
-- CLOSE by the portal's name, which nothing shows but anybody can guess; the name is
-- then given to a cursor with rows of other types, which are not to be taken for the
-- query's, nor is that cursor to be closed.
--
CREATE FUNCTION chunks.take_name(p_call text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	v_caller refcursor := 'caller';
	v_name text;
	v_number bigint;
BEGIN
	OPEN v_caller FOR EXECUTE 'SELECT ' || p_call;
	MOVE FORWARD 1 FROM v_caller;
	-- the next cursor without a name has the number behind the portal's
	FOR v_name IN SELECT name FROM pg_cursors WHERE name LIKE '<unnamed portal %' LOOP
		v_number := greatest(v_number, regexp_replace(v_name, '\D', '', 'g')::bigint - 1);
	END LOOP;
	EXECUTE format('CLOSE "<unnamed portal %s>"', v_number);
	EXECUTE format('DECLARE "<unnamed portal %s>" CURSOR FOR SELECT 7::int8 AS i, 123456::int8 AS t FROM generate_series(1, 100000)', v_number);
	RETURN NEXT chunks.error('FETCH 1000 FROM caller');
	CLOSE v_caller;
	RETURN NEXT count(*) FROM pg_cursors WHERE name = format('<unnamed portal %s>', v_number);
	EXECUTE format('CLOSE "<unnamed portal %s>"', v_number);
END $$;
SELECT results_eq(format('SELECT chunks.take_name(%L)', format(c, 'SELECT i, md5(i::text) AS t FROM generate_series(1, 100000) AS i')),
				  format($$VALUES ('24000 the query of %s is not open any more'), ('1')$$, split_part(c, '(', 1)), 'a cursor that takes the name is not read by ' || split_part(c, '(', 1))
FROM (VALUES ('query_to_rowset_chunks(%L, 8192)'), ('query_to_rowset_packets(%L, 8192)')) AS v(c);

--
-- Memory
--
CREATE FUNCTION chunks.memory(p_chunk bytea) RETURNS bigint LANGUAGE sql VOLATILE AS $$
SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts WHERE p_chunk IS NOT NULL;
$$;
CREATE TABLE chunks.memories AS SELECT (c).seq AS seq, chunks.memory((c).chunk) AS bytes
FROM (SELECT query_to_rowset_chunks('SELECT i, md5(i::text) AS t FROM generate_series(1, 300000) AS i', 100000) AS c OFFSET 0) AS s;
SELECT cmp_ok(max(seq), '>', 50::bigint, 'there are many chunks') FROM chunks.memories;
SELECT cmp_ok(max(bytes) FILTER (WHERE seq > 10), '<=', max(bytes) FILTER (WHERE seq <= 10) + 100000, 'memory does not grow with the number of chunks') FROM chunks.memories;

--
-- One snapshot
--
CREATE TABLE chunks.snapped AS SELECT i AS n, md5(i::text) AS t FROM generate_series(1, 2000) AS i;
CREATE TABLE chunks.kept (level text, seq bigint, chunk bytea);
CREATE PROCEDURE chunks.snap(p_level text) LANGUAGE plpgsql AS $$
DECLARE
	v record;
BEGIN
	FOR v IN SELECT (c).* FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.snapped', 4096) AS c) AS s LOOP
		INSERT INTO chunks.kept VALUES (p_level, v.seq, v.chunk);
		PERFORM public.dblink_exec('other', 'INSERT INTO chunks.snapped SELECT 5000 + i, ''new'' FROM generate_series(1, 500) AS i; DELETE FROM chunks.snapped WHERE n <= 2000 AND n % 7 = 0');
	END LOOP;
END $$;
BEGIN ISOLATION LEVEL READ COMMITTED;
CALL chunks.snap('READ COMMITTED');
COMMIT;
SELECT results_eq('SELECT n FROM chunks.kept, rowset_to_recordset(chunk) AS t(n int) WHERE level = ''READ COMMITTED'' ORDER BY seq, n', 'SELECT generate_series(1, 2000)', 'one snapshot under READ COMMITTED');
DELETE FROM chunks.snapped;
INSERT INTO chunks.snapped SELECT i, md5(i::text) FROM generate_series(1, 2000) AS i;
BEGIN ISOLATION LEVEL REPEATABLE READ;
CALL chunks.snap('REPEATABLE READ');
COMMIT;
SELECT results_eq('SELECT n FROM chunks.kept, rowset_to_recordset(chunk) AS t(n int) WHERE level = ''REPEATABLE READ'' ORDER BY seq, n', 'SELECT generate_series(1, 2000)', 'and under REPEATABLE READ');

--
-- A procedure that commits after each chunk
--
TRUNCATE chunks.kept;
CREATE PROCEDURE chunks.commits() LANGUAGE plpgsql AS $$
DECLARE
	v record;
BEGIN
	FOR v IN SELECT (c).* FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed ORDER BY n', 8192) AS c) AS s LOOP
		INSERT INTO chunks.kept VALUES ('commits', v.seq, v.chunk);
		COMMIT;
	END LOOP;
END $$;
CALL chunks.commits();
SELECT results_eq('SELECT n FROM (SELECT * FROM chunks.kept ORDER BY seq) AS k, rowset_to_recordset(chunk) AS t(n int)', 'SELECT generate_series(1, 3000)', 'a procedure that commits reads all chunks');
SELECT is(chunks.portals(), 1::bigint, 'and leaves no portal');
-- COMMIT has the loop's portal read to its end while the table of portals is gone
-- through, so it matters which of its buckets a portal is in: the number in a
-- portal's name, which each call moves on by two, or three in between, decides.
CREATE PROCEDURE chunks.commits_often(p_query text) LANGUAGE plpgsql AS $$
DECLARE
	v record;
	w record;
BEGIN
	FOR i IN 1 .. 60 LOOP
		FOR v IN EXECUTE p_query LOOP
			COMMIT;
			EXIT WHEN v.n = 13;
		END LOOP;
		IF i = 30 THEN
			FOR w IN SELECT 1 LOOP NULL; END LOOP;
		END IF;
	END LOOP;
END $$;
CALL chunks.commits_often('SELECT query_to_rowset_chunks(''SELECT i, repeat(md5(i::text), 20) FROM generate_series(1, 900) AS i'', 1024) AS c, generate_series(1, 100) AS n');
CALL chunks.commits_often('SELECT query_to_rowset_chunks(''SELECT i, repeat(md5(i::text), 20) FROM generate_series(1, 900) AS i'', 1024) AS c, generate_series(1, 100) AS n LIMIT 30');
CALL chunks.commits_often('SELECT query_to_rowset_packets(''SELECT i, repeat(md5(i::text), 20) FROM generate_series(1, 900) AS i'', 1024) AS c, generate_series(1, 100) AS n');
CALL chunks.commits_often($$SELECT query_to_rowset_packets('SELECT query_to_rowset_chunks(''SELECT i, repeat(md5(i::text), 20) FROM generate_series(1, 400) AS i'', 1024) FROM generate_series(1, 2)', 1024) AS c, generate_series(1, 100) AS n$$);
SELECT is(chunks.portals(), 1::bigint, 'commits in many loops leave no portal');
-- But what is opened and closed meanwhile does not pile up.
TRUNCATE chunks.memories;
CREATE PROCEDURE chunks.many_calls() LANGUAGE plpgsql AS $$
DECLARE
	v record;
BEGIN
	FOR v IN SELECT i, query_to_rowset_chunks('SELECT 1', 1024 + i) AS c, CASE WHEN i % 300 = 0 THEN chunks.portals() END AS portals FROM generate_series(1, 600) AS i LOOP
		INSERT INTO chunks.memories VALUES (v.i, v.portals);
		COMMIT;
	END LOOP;
END $$;
CALL chunks.many_calls();
SELECT is((SELECT array_agg(bytes < 6 ORDER BY seq) FROM chunks.memories WHERE bytes IS NOT NULL), '{t,t}', 'calls in a loop that commits keep few portals');

--
-- Cursors WITH HOLD
--
BEGIN;
DECLARE held CURSOR WITH HOLD FOR SELECT (c).seq, (c).chunk FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed ORDER BY n', 8192) AS c) AS s;
FETCH 1 FROM held \gset first_
COMMIT;
SELECT is(:first_seq, 1, 'a cursor WITH HOLD, before COMMIT');
FETCH 1 FROM held \gset second_
SELECT is(:second_seq, 2, 'and after it');
CLOSE held;
BEGIN;
DECLARE held CURSOR WITH HOLD FOR SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed ORDER BY n', 8192, NULL::int) AS c) AS s;
COMMIT;
FETCH 1 FROM held \gset first_
SELECT is(:first_seq, 1, 'and when it is read after COMMIT only');
CLOSE held;
BEGIN;
DECLARE held CURSOR WITH HOLD FOR SELECT query_to_rowset_chunks(NULL, 8192), 1 AS x UNION ALL SELECT NULL, 2;
COMMIT;
FETCH 1 FROM held \gset first_
SELECT is(:first_x, 2, 'and without a query');
CLOSE held;
SELECT is(chunks.portals(), 1::bigint, 'and no portal is left');

--
-- Subtransactions
--
BEGIN;
DECLARE c CURSOR FOR SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', 8192) AS c) AS s;
MOVE 1 IN c;
SAVEPOINT a;
MOVE 1 IN c;
ROLLBACK TO a;
FETCH 1 FROM c \gset
SELECT is(:seq, 3, 'a portal from before a savepoint lives on behind ROLLBACK TO');
CLOSE c;
DECLARE c CURSOR FOR SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', 8192) AS c) AS s;
SAVEPOINT a;
MOVE 1 IN c;
RELEASE a;
FETCH 1 FROM c \gset
SELECT is(:seq, 2, 'one from within lives on behind RELEASE');
CLOSE c;
DECLARE c CURSOR FOR SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', 8192) AS c) AS s;
SAVEPOINT a;
MOVE 1 IN c;
ROLLBACK TO a;
SELECT is(chunks.portals(), 2::bigint, 'and is gone behind ROLLBACK TO');
SELECT is(chunks.error('FETCH 1 FROM c'), '24000 the query of query_to_rowset_chunks is not open any more', 'which the next row''s error says');
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', 8192) AS c) AS s;
MOVE 1 IN c;
SELECT is(chunks.error('CLOSE ALL'), 'none', 'CLOSE ALL closes the portal too');
SELECT is(chunks.portals(), 1::bigint, 'and nothing is left');
ROLLBACK;

--
-- Calls within calls
--
SELECT is((SELECT sum(rowset_count(i.chunk)) FROM query_to_rowset_chunks('SELECT (c).seq, (c).chunk AS inner FROM (SELECT query_to_rowset_chunks(''SELECT * FROM chunks.typed'', 8192) AS c) AS s', 20000) AS o,
		   rowset_to_recordset(o.chunk) AS t(seq bigint, "inner" bytea), LATERAL (SELECT t."inner" AS chunk) AS i), 3000::numeric, 'chunks of chunks');
SELECT is((SELECT count(*) FROM (SELECT query_to_rowset_chunks('SELECT n FROM chunks.typed', 2048), query_to_rowset_chunks('SELECT n, t FROM chunks.typed', 2048)) AS s),
		  (SELECT count(*) FROM query_to_rowset_chunks('SELECT n, t FROM chunks.typed', 2048)), 'two in one SELECT list end with the longer one');
SELECT is((SELECT count(*) FROM (VALUES (1024), (2048), (4096)) AS v(size), LATERAL (SELECT query_to_rowset_chunks('SELECT * FROM chunks.typed', size) LIMIT 2) AS s), 6::bigint, 'begun anew for each row, and never ended');
SELECT is(chunks.portals(), 1::bigint, 'leaves no portal');

--
-- Rights are the caller's
--
CREATE ROLE chunks_nobody;
GRANT USAGE ON SCHEMA chunks TO chunks_nobody;
SET ROLE chunks_nobody;
SELECT throws_ok('SELECT * FROM query_to_rowset_chunks(''SELECT * FROM chunks.typed'', 8192)', '42501', 'permission denied for table typed', 'a query runs with the rights of its caller');
RESET ROLE;

SELECT public.dblink_disconnect('other') AS off \gset
DROP SCHEMA chunks CASCADE;
DROP ROLE chunks_nobody;
DROP EXTENSION dblink;
SELECT * FROM finish();
