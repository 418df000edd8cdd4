--
-- interrupts.sql
--	  statement_timeout, and so a cancel, ends each call.
--
--	  On a quiet machine it does within 200 ms, which is what
--
--		  PGOPTIONS='-c interrupts.limit_ms=200' pg_prove ...
--
--	  tests.  Without that, within two seconds: calls that did not look for a
--	  cancel would take longer, and a busy machine is no failure.
--
--	  This file runs outside a transaction and cleans up behind itself.  What a
--	  hostile rowset can make of it is in test/hostile.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT no_plan();
CREATE EXTENSION dblink;
CREATE SCHEMA interrupts;
SELECT public.dblink_connect('other', format('host=%s port=%s dbname=%s user=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
											 current_setting('port'), current_database(), current_user)) AS connected \gset

CREATE FUNCTION interrupts.within() RETURNS float8 LANGUAGE sql AS
$$ SELECT coalesce(current_setting('interrupts.limit_ms', true), '2000')::float8 $$;

-- Milliseconds from the timeout until the statement had ended, by it or not.
-- The least of three attempts: what is slow once may have had to wait.  A
-- statement that ends before its timeout is given a shorter one.
CREATE FUNCTION interrupts.overtime(p_settings text, p_sql text, p_timeout int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	v_timeout int := p_timeout;
	v_attempts int := 0;
	v_start timestamptz;
	v_elapsed float8;
	v_over float8;
BEGIN
	PERFORM public.dblink_exec('other', 'RESET ALL; ' || p_settings);
	WHILE v_attempts < 3 LOOP
		PERFORM public.dblink_exec('other', 'SET statement_timeout = ' || v_timeout);
		v_start := clock_timestamp();
		BEGIN
			PERFORM * FROM public.dblink('other', p_sql) AS t(x text);
			v_elapsed := extract(epoch FROM clock_timestamp() - v_start) * 1000;
			IF v_elapsed <= v_timeout AND v_timeout > 1 THEN
				v_timeout := greatest(v_timeout / 4, 1);
				CONTINUE;
			END IF;
		EXCEPTION WHEN query_canceled THEN
			v_elapsed := extract(epoch FROM clock_timestamp() - v_start) * 1000;
		END;
		v_attempts := v_attempts + 1;
		v_over := least(v_over, v_elapsed - v_timeout);
		EXIT WHEN v_over < 100;
	END LOOP;
	PERFORM public.dblink_exec('other', 'SET statement_timeout = 0');
	RETURN v_over;
END $$;

-- Rowsets that are small and yet take long to read, and text that takes long to pack
CREATE TABLE interrupts.input (name text PRIMARY KEY, r bytea, v text);
ALTER TABLE interrupts.input ALTER r SET STORAGE EXTERNAL, ALTER v SET STORAGE EXTERNAL;
CREATE TYPE interrupts.number AS (i int, k int, x numeric);
INSERT INTO interrupts.input (name, r) VALUES
	('numbers', query_to_rowset('SELECT i, i % 7 AS k, i * 1.5 AS x FROM generate_series(1, 4000000) AS i')),
	('arrays', query_to_rowset('SELECT ARRAY[i, NULL, i] AS a FROM generate_series(1, 600000) AS i')),
	('records', query_to_rowset('SELECT ROW(i, 1.5) AS a FROM generate_series(1, 400000) AS i')),
	('one array', query_to_rowset('SELECT array_agg(CASE WHEN i % 2 = 0 THEN (100000000 + i)::oid::regprocedure ELSE ''json_object_agg_transfn(internal, "any", "any")''::regprocedure END) AS a FROM generate_series(1, 1000000) AS i'));
INSERT INTO interrupts.input (name, v) SELECT 'text', string_agg(md5((i % 100000)::text) || ' ' || i % 1000, ' ') FROM generate_series(1, 320000) AS i;
SELECT cmp_ok(length(v), '>', 10 * 1024 * 1024, 'a value of more than 10 MiB') FROM interrupts.input WHERE name = 'text';
CREATE TABLE interrupts.words AS SELECT string_agg('word' || i % 1000 || CASE WHEN i % 7 = 0 THEN md5(i::text) ELSE ' ' END, ' ') AS v FROM generate_series(1, 600000) AS i;
ALTER TABLE interrupts.words ALTER v SET STORAGE EXTERNAL;
UPDATE interrupts.words SET v = v || '.';
CREATE VIEW interrupts.long AS SELECT i, md5(i::text) AS t FROM generate_series(1, 20000000) AS i;

-- (The codecs' highest levels take up to 150 ms of an idle processor for a step, and seconds for all of them.)
SELECT cmp_ok(interrupts.overtime(settings, 'SELECT (' || sql || ')::text', timeout), '<', CASE WHEN name ~ '^(lz4|zstd)' THEN greatest(interrupts.within(), 1000) ELSE interrupts.within() END, name)
FROM (VALUES
	('packing a long query', '', 'SELECT rowset_count(query_to_rowset(''SELECT * FROM interrupts.long''))', 50),
	('packing a table', '', 'SELECT rowset_count(table_to_rowset(''interrupts.long''))', 300),
	('packing by chunks', '', 'SELECT count(*) FROM query_to_rowset_chunks(''SELECT * FROM interrupts.long'', 1000000)', 300),
	('packing by chunks in the SELECT list', '', 'SELECT count(*) FROM (SELECT query_to_rowset_chunks(''SELECT * FROM interrupts.long'', 1000000)) AS s', 300),
	('a query that sorts', '', 'SELECT rowset_count(query_to_rowset(''SELECT * FROM interrupts.long ORDER BY t''))', 300),
	('gathering', '', 'SELECT rowset_count(rowset_agg(l)) FROM interrupts.long AS l', 300),
	('lz4 at its highest level', 'SET rowser.compression_level = 12', 'SELECT length(query_to_rowset(''SELECT repeat(v, 4) FROM interrupts.words''))', 300),
	('zstd, begun', 'SET rowser.compression = zstd; SET rowser.compression_level = 22', 'SELECT length(record_to_rowset(i)) FROM interrupts.input AS i WHERE name = ''text''', 150),
	('zstd, well on its way', 'SET rowser.compression = zstd; SET rowser.compression_level = 22', 'SELECT length(record_to_rowset(i)) FROM interrupts.input AS i WHERE name = ''text''', 900),
	('zstd at level 15', 'SET rowser.compression = zstd; SET rowser.compression_level = 15', 'SELECT length(record_to_rowset(i)) FROM interrupts.input AS i WHERE name = ''text''', 150),
	('a scan', '', 'SELECT count(x) FROM interrupts.input, rowset_to_recordset(r) AS t(i int, k int, x numeric) WHERE name = ''numbers''', 50),
	('a scan whose filter lets nothing pass', '', 'SELECT count(x) FROM interrupts.input, rowset_to_recordset(r) AS t(i int, k int, x numeric) WHERE name = ''numbers'' AND k + i < 0', 50),
	('the plain function', 'SET rowser.enable_scan = off', 'SELECT count(x) FROM interrupts.input, rowset_to_recordset(r) AS t(i int, k int, x numeric) WHERE name = ''numbers''', 50),
	('with casts', 'SET rowser.enable_scan = off', 'SELECT count(x) FROM interrupts.input, rowset_to_recordset(r) AS t(i bigint, k text, x float8) WHERE name = ''numbers''', 50),
	('by a row type', 'SET rowser.enable_scan = off', 'SELECT count(x) FROM interrupts.input, rowset_populate_recordset(NULL::interrupts.number, r) WHERE name = ''numbers''', 50),
	('in the SELECT list', '', 'SELECT count(*) FROM (SELECT rowset_populate_recordset(NULL::interrupts.number, r) FROM interrupts.input WHERE name = ''numbers'') AS s', 50),
	('arrays', '', 'SELECT count(a) FROM interrupts.input, rowset_to_recordset(r) AS t(a int[]) WHERE name = ''arrays''', 20),
	('records', '', 'SELECT count(a) FROM interrupts.input, rowset_to_recordset(r) AS t(a record) WHERE name = ''records''', 20),
	('one array of values that take long', '', 'SELECT count(a) FROM interrupts.input, rowset_to_recordset(r) AS t(a regprocedure[]) WHERE name = ''one array''', 20),
	('checking numbers', '', 'SELECT rowset_check(r) FROM interrupts.input WHERE name = ''numbers''', 50),
	('validating', '', 'SELECT count(rowset_is_valid(r)) FROM generate_series(1, 10000), interrupts.input WHERE name = ''arrays''', 300),
	('checking arrays', '', 'SELECT rowset_check(r) FROM interrupts.input WHERE name = ''arrays''', 20)
) AS v(name, settings, sql, timeout);

-- What is compressed and decompressed in steps is the same.
SET rowser.compression = zstd;
SELECT is(md5(t.v), md5(i.v), 'zstd in steps at level ' || level)
FROM interrupts.input AS i, (VALUES (1), (9), (15)) AS l(level), LATERAL (SELECT set_config('rowser.compression_level', level::text, false) OFFSET 0) AS s(x),
	LATERAL (SELECT query_to_rowset('SELECT $1 AS v, $2 AS x', v, x) OFFSET 0) AS q(r), rowset_to_recordset(q.r) AS t(v text) WHERE name = 'text';
SET rowser.compression = lz4;
SELECT is(md5(t.v) || (length(q.r) < length(w.v) / 2), md5(w.v) || true, 'lz4 in steps at level ' || level)
FROM interrupts.words AS w, (VALUES (3), (9), (12)) AS l(level), LATERAL (SELECT set_config('rowser.compression_level', level::text, false) OFFSET 0) AS s(x),
	LATERAL (SELECT query_to_rowset('SELECT $1 AS v, $2 AS x', v, x) OFFSET 0) AS q(r), rowset_to_recordset(q.r) AS t(v text);
RESET rowser.compression_level;
SELECT is(md5(t.v) || (length(q.r) < 3 * length(w.v)), md5(repeat(w.v, 4)) || true, 'lz4 in steps')
FROM interrupts.words AS w, LATERAL (SELECT query_to_rowset('SELECT repeat($1, 4) AS v', v) OFFSET 0) AS q(r), rowset_to_recordset(q.r) AS t(v text);
SET rowser.compression = zstd;
SET rowser.compression_level = 1;
SELECT is(md5(t.v), md5(repeat(i.v, 7)), 'zstd in steps, both ways')
FROM interrupts.input AS i, LATERAL (SELECT query_to_rowset('SELECT repeat($1, 7) AS v', v) OFFSET 0) AS q(r), rowset_to_recordset(q.r) AS t(v text)
WHERE name = 'text' AND length(q.r) < 6 * length(i.v);
RESET rowser.compression;
RESET rowser.compression_level;

-- A cursor
SELECT dblink_exec('other', 'BEGIN') AS x \gset
SELECT c FROM dblink('other', 'SELECT rowset_open(r, ''c'') FROM interrupts.input WHERE name = ''numbers''') AS t(c text) \gset
SELECT dblink_exec('other', 'SET LOCAL statement_timeout = 5') AS x \gset
CREATE FUNCTION interrupts.move() RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	v_start timestamptz := clock_timestamp();
BEGIN
	PERFORM public.dblink_exec('other', 'MOVE ALL IN c');
	RETURN extract(epoch FROM clock_timestamp() - v_start) * 1000 - 5;
EXCEPTION WHEN query_canceled THEN
	RETURN extract(epoch FROM clock_timestamp() - v_start) * 1000 - 5;
END $$;
SELECT cmp_ok(interrupts.move(), '<', interrupts.within(), 'a cursor');
SELECT dblink_exec('other', 'ROLLBACK') AS x \gset

-- What is left behind by a call that was stopped: nothing.
SELECT is(t, '0', 'no portal, no progress') FROM dblink('other', 'SELECT (SELECT count(*) FROM pg_cursors) + (SELECT count(*) FROM rowset_progress WHERE pid = pg_backend_pid())') AS d(t text);
SELECT is(t, '4000000', 'and the session goes on') FROM dblink('other', 'SELECT rowset_count(r) FROM interrupts.input WHERE name = ''numbers''') AS d(t text);

SELECT dblink_disconnect('other') AS off \gset
DROP SCHEMA interrupts CASCADE;
DROP EXTENSION dblink;
SELECT * FROM finish();
