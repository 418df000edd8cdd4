--
-- setup.sql
--	  The schema "faults": the module's calls, rows of many types, rowsets of them,
--	  and the calls that the faults befall.
--
-- Variables: module, the path of rowser_faults without its suffix; rows, how many
-- rows are many.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

CREATE EXTENSION rowser;
CREATE SCHEMA faults;

CREATE FUNCTION faults.arm(fault text, nth bigint) RETURNS void
AS :'module', 'rowser_faults_arm' LANGUAGE C STRICT;

CREATE FUNCTION faults.disarm() RETURNS bool
AS :'module', 'rowser_faults_disarm' LANGUAGE C STRICT;

--
-- Rows of many types
--
CREATE TYPE faults.mood AS ENUM ('sad', 'ok');
CREATE TYPE faults.pair AS (a int, b text);
CREATE DOMAIN faults.posint AS int CHECK (VALUE > 0);

CREATE TABLE faults.source (
	i int NOT NULL,
	t text,
	n numeric,
	m faults.mood,
	p faults.pair,
	d faults.posint,
	a text[],
	r int4range,
	ts timestamptz,
	j jsonb,
	net inet
);

-- The first texts are long enough to be compressed, the rest makes a dictionary.
INSERT INTO faults.source
SELECT i, CASE WHEN i < 10 THEN repeat(md5(i::text), 20) ELSE 'text ' || i % 5 END, nullif(i % 7, 0) / 4.0,
	   CASE WHEN i % 2 = 0 THEN 'sad' ELSE 'ok' END::faults.mood, ROW(i, 'b' || i::text)::faults.pair, i + 1,
	   ARRAY['x', NULL, i::text], int4range(i, i + 5), '2000-01-01 UTC'::timestamptz + i * interval '1 hour',
	   jsonb_build_object('i', i), '10.0.0.1'::inet + i
FROM generate_series(1, 40) AS i;

CREATE TABLE faults.given (name text PRIMARY KEY, rowset bytea NOT NULL);
ALTER TABLE faults.given ALTER rowset SET STORAGE EXTERNAL;

SET rowser.row_group_rows = 16;
INSERT INTO faults.given VALUES ('lz4', query_to_rowset('TABLE faults.source ORDER BY i'));
SET rowser.compression = 'zstd';
INSERT INTO faults.given VALUES ('zstd', query_to_rowset('TABLE faults.source ORDER BY i'));
RESET rowser.compression;
RESET rowser.row_group_rows;
INSERT INTO faults.given SELECT 'two', query_to_rowset('SELECT i, t FROM faults.source WHERE i < 3');
INSERT INTO faults.given SELECT 'copied', rowset_to_copy(rowset) FROM faults.given WHERE name = 'lz4';
INSERT INTO faults.given SELECT 'arrow', rowset_to_arrow(rowset) FROM faults.given WHERE name = 'lz4';
SET rowser.arrow_compression = 'lz4';
INSERT INTO faults.given SELECT 'arrow, lz4', rowset_to_arrow(rowset) FROM faults.given WHERE name = 'lz4';
SET rowser.arrow_compression = 'zstd';
INSERT INTO faults.given SELECT 'arrow, zstd', rowset_to_arrow(rowset) FROM faults.given WHERE name = 'lz4';
RESET rowser.arrow_compression;

CREATE FUNCTION faults.given(p_name text) RETURNS bytea LANGUAGE sql STABLE AS
	'SELECT rowset FROM faults.given WHERE name = p_name';

--
-- Where rows go: straight into pages, by way of a trigger, into partitions
--
CREATE TABLE faults.target (LIKE faults.source);
CREATE INDEX ON faults.target (i);
CREATE TABLE faults.observed (LIKE faults.source);
CREATE FUNCTION faults.observe() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER observe BEFORE INSERT ON faults.observed FOR EACH ROW EXECUTE FUNCTION faults.observe();
CREATE TABLE faults.parted (LIKE faults.source) PARTITION BY RANGE (i);
CREATE TABLE faults.parted_1 PARTITION OF faults.parted FOR VALUES FROM (0) TO (20);
CREATE TABLE faults.parted_2 PARTITION OF faults.parted FOR VALUES FROM (20) TO (1000);

--
-- What is called, each a query that gives one text
--
CREATE TABLE faults.call (
	ord int GENERATED ALWAYS AS IDENTITY,
	name text PRIMARY KEY,
	query text NOT NULL,
	settings text NOT NULL DEFAULT ''		-- SET commands before it
);

-- All rows of a rowset, by a cursor that the rowset opens.
CREATE FUNCTION faults.fetch_all(p_rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_cursor refcursor := rowset_open(p_rowset);
	v_rowset bytea := cursor_to_rowset(v_cursor, 7);
BEGIN
	v_rowset := rowset_concat(v_rowset, cursor_to_rowset(v_cursor));
	CLOSE v_cursor;
	RETURN md5(v_rowset::text);
END $$;

-- A cursor over a query, some of it, and the end.
CREATE FUNCTION faults.by_cursor() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_cursor CURSOR FOR TABLE faults.source;
	v_rowset bytea;
BEGIN
	OPEN v_cursor;
	v_rowset := rowset_concat(cursor_to_rowset(v_cursor::refcursor, 7), cursor_to_rowset(v_cursor::refcursor));
	CLOSE v_cursor;
	RETURN md5(v_rowset::text);
END $$;

-- The rows that a reader of packets gives.  One that is held outlives what is undone
-- when the call is, so it is there before, and gives them from the first one on.
CREATE FUNCTION faults.feed(p_reader text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_packet bytea;
	v_text text;
	v_row record;
BEGIN
	IF p_reader = 'own' THEN
		PERFORM rowset_reader_open(p_reader);
	END IF;
	FOR v_packet IN SELECT packet FROM rowset_packets(faults.given('lz4'), 700) ORDER BY seq LOOP
		FOR v_row IN SELECT i, t, p FROM rowset_reader_feed(p_reader, v_packet) AS t(i int, t text, p faults.pair) LOOP
			v_text := concat(v_text, v_row::text);
		END LOOP;
	END LOOP;
	v_text := md5(concat(v_text, rowset_reader_state(p_reader)::text));
	IF p_reader = 'own' THEN
		PERFORM rowset_reader_close(p_reader);
	END IF;
	RETURN v_text;
END $$;

-- The same of packets in base64.
CREATE FUNCTION faults.feed_base64(p_name text, p_size int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	PERFORM rowset_reader_open('base64');
	SELECT md5(string_agg(r::text, ',' ORDER BY i)) INTO v_text
	FROM rowset_packets(faults.given(p_name), p_size), rowset_reader_feed('base64', encode(packet, 'base64')) AS r(i int, t text);
	v_text := concat(v_text, rowset_reader_state('base64')::text);
	PERFORM rowset_reader_close('base64');
	RETURN v_text;
END $$;

\set list 'i int, t text, n numeric, m faults.mood, p faults.pair, d faults.posint, a text[], r int4range, ts timestamptz, j jsonb, net inet'

INSERT INTO faults.call (name, query, settings) VALUES
('query_to_rowset', $$SELECT md5(query_to_rowset('TABLE faults.source')::text)$$, 'SET LOCAL rowser.row_group_rows = 16'),
('query_to_rowset, zstd', $$SELECT md5(query_to_rowset('SELECT i, t FROM faults.source')::text)$$, 'SET LOCAL rowser.compression = zstd'),
('query_to_rowset, lz4 of level 9', $$SELECT md5(query_to_rowset('SELECT i, t FROM faults.source')::text)$$, 'SET LOCAL rowser.compression_level = 9'),
('query_to_rowset, in steps of zstd', $$SELECT md5(query_to_rowset('SELECT repeat(''large '', 800000)'))$$, 'SET LOCAL rowser.compression = zstd'),
('query_to_rowset, in steps of lz4 of level 9', $$SELECT md5(query_to_rowset('SELECT repeat(''large '', 200000)'))$$, 'SET LOCAL rowser.compression_level = 9'),
('query_to_rowset, for another client encoding', $$SELECT md5(query_to_rowset('SELECT j, net, r FROM faults.source')::text)$$, 'SET LOCAL client_encoding = latin1'),
('query_to_rowset, parameters', $$SELECT md5(query_to_rowset('SELECT * FROM faults.source WHERE i < $1 AND t <> $2', 20, 'x'::text)::text)$$, ''),
('query_to_rowset_chunks, FROM', $$SELECT string_agg(md5(chunk::text), ',' ORDER BY seq) FROM query_to_rowset_chunks('TABLE faults.source', 1024)$$, ''),
('query_to_rowset_chunks, SELECT list', $$SELECT string_agg(md5((c).chunk::text), ',') FROM (SELECT query_to_rowset_chunks('SELECT * FROM faults.source WHERE i < $1', 1024, 30) AS c) AS s$$, 'SET LOCAL rowser.compression = zstd'),
('query_to_rowset_chunks, the first ones', $$SELECT string_agg(md5((c).chunk::text), ',') FROM (SELECT query_to_rowset_chunks('TABLE faults.source', 1024) AS c LIMIT 2) AS s$$, ''),
('rowset_packets', $$SELECT string_agg(md5(packet::text), ',' ORDER BY seq) FROM rowset_packets(faults.given('lz4'), 700)$$, ''),
('query_to_rowset_packets, FROM', $$SELECT md5(rowset_from_packets(packet)::text) FROM query_to_rowset_packets('TABLE faults.source', 700)$$, ''),
('query_to_rowset_packets, SELECT list', $$SELECT sum(length((c).packet))::text FROM (SELECT query_to_rowset_packets('SELECT * FROM faults.source WHERE i < $1', 700, 30) AS c LIMIT 3) AS s$$, 'SET LOCAL rowser.row_group_rows = 16'),
('rowset_from_packets', $$SELECT md5(rowset_from_packets(packet ORDER BY seq DESC)::text) FROM rowset_packets(faults.given('zstd'), 700)$$, ''),
('rowset_reader_feed', $$SELECT faults.feed('own')$$, ''),
('rowset_reader_feed, held', $$SELECT faults.feed('held')$$, ''),
('rowset_reader_feed, base64', $$SELECT faults.feed_base64('lz4', 700)$$, ''),
('table_to_rowset', $$SELECT md5(table_to_rowset('faults.source')::text)$$, ''),
('cursor_to_rowset', $$SELECT faults.by_cursor()$$, ''),
('record_to_rowset', $$SELECT md5(record_to_rowset(s)::text) FROM faults.source AS s WHERE i = 3$$, ''),
('rowset_agg', $$SELECT md5(rowset_agg(s)::text) FROM faults.source AS s$$, ''),
('rowset_to_recordset, call', format('SELECT md5(string_agg(t::text, E''\n'')) FROM rowset_to_recordset(faults.given(''lz4'')) AS t(%s)', :'list'), 'SET LOCAL rowser.enable_scan = off'),
('rowset_to_recordset, scan', format('SELECT md5(string_agg(t::text, E''\n'')) FROM rowset_to_recordset(faults.given(''lz4'')) AS t(%s)', :'list'), ''),
('rowset_to_recordset, zstd', format('SELECT md5(string_agg(t::text, E''\n'')) FROM rowset_to_recordset(faults.given(''zstd'')) AS t(%s)', :'list'), ''),
('rowset_to_recordset, scan with a filter', 'SELECT string_agg(t, '','') FROM rowset_to_recordset(faults.given(''lz4'')) AS t(i int, t text) WHERE i BETWEEN 30 AND 35', ''),
('rowset_to_recordset, casts', 'SELECT md5(string_agg(t::text, '','')) FROM rowset_to_recordset(faults.given(''lz4'')) AS t(i numeric(5,1), t varchar, n int, a varchar[])', ''),
('rowset_to_recordset, LATERAL', 'SELECT md5(string_agg(t::text, '','')) FROM faults.given, rowset_to_recordset(rowset) AS t(i int, t text) WHERE name IN (''lz4'', ''zstd'', ''two'')', ''),
('rowset_populate_recordset', 'SELECT md5(string_agg(t::text, '','')) FROM rowset_populate_recordset(NULL::faults.source, faults.given(''lz4'')) AS t', 'SET LOCAL rowser.enable_scan = off'),
('rowset_populate_record', 'SELECT rowset_populate_record(NULL::faults.source, faults.given(''lz4''))::text', ''),
('rowset_open', 'SELECT faults.fetch_all(faults.given(''lz4''))', ''),
('rowset_column_list', 'SELECT rowset_column_list(faults.given(''lz4''))', ''),
('rowset_columns', 'SELECT string_agg(c::text, '','') FROM rowset_columns(faults.given(''lz4'')) AS c', ''),
('rowset_info', 'SELECT i::text FROM rowset_info(faults.given(''lz4'')) AS i', ''),
('rowset_count', 'SELECT rowset_count(faults.given(''lz4''))::text', ''),
('rowset_is_valid', 'SELECT rowset_is_valid(faults.given(''lz4''))::text', ''),
('rowset_is_valid, zstd', 'SELECT rowset_is_valid(faults.given(''zstd''))::text', ''),
('rowset_check', 'SELECT rowset_check(faults.given(''lz4''))::text', ''),
('rowset_create_table', 'SELECT rowset_create_table(faults.given(''two''), ''made'')::text', ''),
('rowset_insert', 'SELECT rowset_insert(''faults.target'', faults.given(''lz4''))::text', ''),
('rowset_insert, a trigger', 'SELECT rowset_insert(''faults.observed'', faults.given(''lz4''))::text', ''),
('rowset_insert, partitions', 'SELECT rowset_insert(''faults.parted'', faults.given(''lz4''))::text', ''),
('rowset_slice', 'SELECT md5(rowset_slice(faults.given(''lz4''), 5, 20)::text)', ''),
('rowset_project', 'SELECT md5(rowset_project(faults.given(''lz4''), ''t'', ''p'')::text)', ''),
('rowset_rename', 'SELECT md5(rowset_rename(faults.given(''lz4''), ''t'', ''u'')::text)', ''),
('rowset_rename, all columns', $$SELECT md5(rowset_rename(faults.given('two'), ARRAY['u', 'v'])::text)$$, ''),
('rowset_concat', 'SELECT md5(rowset_concat(faults.given(''lz4''), faults.given(''zstd''))::text)', ''),
('rowset_concat_agg', 'SELECT md5(rowset_concat_agg(rowset ORDER BY name)::text) FROM faults.given WHERE name IN (''lz4'', ''zstd'')', ''),
('rowset_schema_hash', 'SELECT rowset_schema_hash(faults.given(''lz4''))', ''),
('rowset_to_json', 'SELECT md5(rowset_to_json(faults.given(''lz4''))::text)', ''),
('rowset_to_jsonb', 'SELECT md5(rowset_to_jsonb(faults.given(''lz4''))::text)', ''),
('rowset_to_xml', 'SELECT md5(rowset_to_xml(faults.given(''lz4''))::text)', ''),
('rowset_to_copy', 'SELECT md5(rowset_to_copy(faults.given(''lz4''))::text)', ''),
('copy_to_rowset', 'SELECT md5(copy_to_rowset(NULL::faults.source, faults.given(''copied''))::text)', ''),
('rowset_to_arrow', 'SELECT md5(rowset_to_arrow(faults.given(''lz4''))::text)', ''),
('rowset_to_arrow, lz4', 'SELECT md5(rowset_to_arrow(faults.given(''lz4''))::text)', 'SET LOCAL rowser.arrow_compression = lz4'),
('rowset_to_arrow, zstd', 'SELECT md5(rowset_to_arrow(faults.given(''lz4''))::text)', 'SET LOCAL rowser.arrow_compression = zstd'),
('query_to_arrow', $$SELECT md5(query_to_arrow('TABLE faults.source')::text)$$, ''),
('query_to_arrow, parameters', $$SELECT md5(query_to_arrow('SELECT * FROM faults.source WHERE i < $1', 20)::text)$$, ''),
('arrow_to_rowset', 'SELECT md5(arrow_to_rowset(faults.given(''arrow''))::text)', ''),
('arrow_to_rowset, lz4', 'SELECT md5(arrow_to_rowset(faults.given(''arrow, lz4''))::text)', ''),
('arrow_to_rowset, zstd', 'SELECT md5(arrow_to_rowset(faults.given(''arrow, zstd''))::text)', ''),
('rowset_progress_info', 'SELECT count(*)::text FROM rowset_progress_info()', '');

--
-- Calls that take a while, to be stopped in the middle
--
CREATE TABLE faults.large (i int, t text, n numeric, p faults.pair);
INSERT INTO faults.large SELECT i, md5(i::text), i / 7.0, ROW(i, md5(i::text))::faults.pair FROM generate_series(1, :rows) AS i;
INSERT INTO faults.given SELECT 'large', table_to_rowset('faults.large');
INSERT INTO faults.given SELECT 'large copied', rowset_to_copy(rowset) FROM faults.given WHERE name = 'large';
INSERT INTO faults.given SELECT 'large arrow', rowset_to_arrow(rowset) FROM faults.given WHERE name = 'large';
CREATE TABLE faults.large_target (LIKE faults.large);
CREATE TABLE faults.large_observed (LIKE faults.large);
CREATE TRIGGER observe BEFORE INSERT ON faults.large_observed FOR EACH ROW EXECUTE FUNCTION faults.observe();
ANALYZE;

CREATE TABLE faults.labour (
	ord int GENERATED ALWAYS AS IDENTITY,
	name text PRIMARY KEY,
	query text NOT NULL,			-- gives one value, or is a CALL
	settings text,					-- a SET command before it
	spills bool NOT NULL DEFAULT false	-- into temporary files
);

INSERT INTO faults.labour (name, query) VALUES
('query_to_rowset', $$SELECT md5(query_to_rowset('TABLE faults.large')::text)$$),
('query_to_rowset_chunks', $$SELECT md5(string_agg((c).chunk::text, '' ORDER BY (c).seq)) FROM (SELECT query_to_rowset_chunks('TABLE faults.large', 100000) AS c) AS s$$),
('query_to_rowset_packets', $$SELECT md5(rowset_from_packets((c).packet)::text) FROM (SELECT query_to_rowset_packets('TABLE faults.large', 100000) AS c) AS s$$),
('rowset_packets', $$SELECT md5(string_agg(packet, '' ORDER BY seq)) FROM rowset_packets(faults.given('large'), 10000)$$),
('rowset_from_packets', $$SELECT md5(rowset_from_packets(packet ORDER BY seq DESC)::text) FROM rowset_packets(faults.given('large'), 10000)$$),
('rowset_reader_feed', $$SELECT faults.feed_base64('large', 10000)$$),
('rowset_agg', $$SELECT md5(rowset_agg(l)::text) FROM faults.large AS l$$),
('rowset_to_recordset, scan', $$SELECT sum(hashtext(t::text)) FROM rowset_to_recordset(faults.given('large')) AS t(i int, t text, n numeric, p faults.pair)$$),
('rowset_open', $$SELECT faults.fetch_all(faults.given('large'))$$),
('rowset_check', $$SELECT rowset_check(faults.given('large'))$$),
('rowset_create_table', $$SELECT rowset_create_table(faults.given('large'), 'made', false)$$),
('rowset_insert', $$SELECT rowset_insert('faults.large_target', faults.given('large'))$$),
('rowset_insert, a trigger', $$SELECT rowset_insert('faults.large_observed', faults.given('large'))$$),
('rowset_slice', format($$SELECT md5(rowset_slice(faults.given('large'), 5, %s)::text)$$, :rows - 10)),
('rowset_concat', $$SELECT md5(rowset_concat(rowset_slice(faults.given('large'), 10), faults.given('large'))::text)$$),
('rowset_send', $$CALL rowset_send(faults.given('large'))$$),
('rowset_to_json', $$SELECT md5(rowset_to_json(faults.given('large'))::text)$$),
('rowset_to_copy', $$SELECT md5(rowset_to_copy(faults.given('large'))::text)$$),
('copy_to_rowset', $$SELECT md5(copy_to_rowset(NULL::faults.large, faults.given('large copied'))::text)$$),
('rowset_to_arrow', $$SELECT md5(rowset_to_arrow(faults.given('large'))::text)$$),
('query_to_arrow', $$SELECT md5(query_to_arrow('TABLE faults.large')::text)$$),
('arrow_to_rowset', $$SELECT md5(arrow_to_rowset(faults.given('large arrow'))::text)$$);

INSERT INTO faults.labour (name, query, settings, spills) VALUES
('rowset_to_recordset, call', $$SELECT sum(hashtext(t::text)) FROM rowset_to_recordset(faults.given('large')) AS t(i int, t text, n numeric, p faults.pair)$$, 'SET rowser.enable_scan = off', true),
('rowset_populate_recordset, call', $$SELECT sum(hashtext(t::text)) FROM rowset_populate_recordset(NULL::faults.large, faults.given('large')) AS t$$, 'SET rowser.enable_scan = off', true),
('query_to_rowset_chunks, FROM', $$SELECT md5(string_agg(chunk::text, '' ORDER BY seq)) FROM query_to_rowset_chunks('TABLE faults.large', 100000)$$, NULL, true);

CREATE TABLE faults.result (name text, result text);

-- What one of these has left behind, if anything; it is taken away.
CREATE PROCEDURE faults.look(p_name text) LANGUAGE plpgsql AS $$
DECLARE
	v_cursors bigint := (SELECT count(*) FROM pg_catalog.pg_cursors WHERE name <> '');
	v_files bigint := (SELECT count(*) FROM pg_catalog.pg_ls_tmpdir());
	v_progress bigint := (SELECT count(*) FROM rowset_progress_info());
	v_rows bigint := (SELECT count(*) FROM faults.large_target) + (SELECT count(*) FROM faults.large_observed);
	v_all bigint := (SELECT count(*) FROM faults.large);
BEGIN
	IF to_regclass('made') IS NOT NULL THEN
		v_rows := v_rows + (SELECT count(*) FROM made);
		DROP TABLE made;
	END IF;
	TRUNCATE faults.large_target, faults.large_observed;
	INSERT INTO faults.seen VALUES (p_name, v_cursors, v_files, v_progress, v_rows IN (0, v_all));
END $$;
CREATE TABLE faults.seen (name text, cursors bigint, files bigint, progress bigint, all_or_none bool);

-- End the session that end_it() of run-quick has begun, once it is at work.
CREATE PROCEDURE faults.end_session(p_delay float8) LANGUAGE plpgsql AS $$
DECLARE
	v_pid int;
BEGIN
	FOR attempt IN 1 .. 5000 LOOP
		SELECT pid INTO v_pid FROM pg_catalog.pg_stat_activity WHERE application_name = 'faults ended' AND state = 'active' AND query ~ 'faults\.';
		EXIT WHEN FOUND;
		PERFORM pg_sleep(0.001);
		PERFORM pg_stat_clear_snapshot();
	END LOOP;
	PERFORM pg_sleep(p_delay / 1000);
	PERFORM pg_terminate_backend(v_pid, 10000);
END $$;
