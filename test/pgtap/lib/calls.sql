--
-- calls.sql
--	  Every call of the extension, as queries that give one text each and name all
--	  that they need themselves.
--
-- The extension is in the schema :schema.  In the schema sp, which must be there,
-- this makes the table sp.call, whose queries write E for the extension's schema,
-- and what they use.  They can be run along the search_path :path; sp.along
-- (along.sql) does it.
--
-- rowset_send is left out: only a statement of the client can call it.
--
CREATE TYPE sp.mood AS ENUM ('sad', 'ok');
CREATE TYPE sp.pair AS (a int, b text);
CREATE DOMAIN sp.posint AS int CHECK (VALUE OPERATOR(pg_catalog.>) 0);
CREATE TABLE sp.source AS
SELECT i, 't' || i % 3 AS t, i / 4.0 AS n, CASE WHEN i % 2 = 0 THEN 'sad' ELSE 'ok' END::sp.mood AS m, ROW(i, 'b')::sp.pair AS p, i::sp.posint AS d, ARRAY['x', 'y'] AS a,
	   int4range(i, i + 5) AS r, '2000-01-01 UTC'::timestamptz + i * interval '1 hour' AS ts, jsonb_build_object('i', i) AS j, 'v'::varchar(9) AS v, 'c'::char(3) AS c, i % 2 = 0 AS b
FROM generate_series(1, 20) AS i;
CREATE TABLE sp.target (LIKE sp.source);
CREATE TABLE sp.observed (LIKE sp.source);
CREATE FUNCTION sp.observe() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER observe BEFORE INSERT ON sp.observed FOR EACH ROW EXECUTE FUNCTION sp.observe();
CREATE TABLE sp.given AS SELECT :"schema".table_to_rowset('sp.source') AS r;
CREATE TABLE sp.copied AS SELECT :"schema".rowset_to_copy(:"schema".rowset_project(r, 'i', 't', 'n')) AS r FROM sp.given;
CREATE TYPE sp.three AS (i int, t text, n numeric);
SELECT replace($sql$
CREATE FUNCTION sp.by_cursor() RETURNS pg_catalog.text LANGUAGE plpgsql AS $$
DECLARE
	c pg_catalog.refcursor;
	r pg_catalog.bytea;
BEGIN
	SELECT E.rowset_open(g.r, 'sp_cursor') INTO c FROM sp.given AS g;
	r := E.cursor_to_rowset('sp_cursor');
	CLOSE c;
	RETURN pg_catalog.md5(r::pg_catalog.text);
END $$
$sql$, 'E.', format('%I.', :'schema'))
\gexec

SELECT replace($sql$
CREATE FUNCTION sp.feed() RETURNS pg_catalog.text LANGUAGE plpgsql AS $$
DECLARE
	v_packet pg_catalog.bytea;
	v_rows pg_catalog.text;
	v_all pg_catalog.text;
BEGIN
	PERFORM E.rowset_reader_open('sp');
	FOR v_packet IN SELECT p.packet FROM sp.given, E.rowset_packets(r, 500) AS p LOOP
		SELECT pg_catalog.string_agg(f::pg_catalog.text, ',') INTO v_rows
		FROM E.rowset_reader_feed('sp', v_packet) AS f(i int, t pg_catalog.text, m sp.mood, p sp.pair, d sp.posint, v varchar(9));
		v_all := pg_catalog.concat(v_all, v_rows);
	END LOOP;
	SELECT pg_catalog.concat(v_all, s::pg_catalog.text) INTO v_all FROM E.rowset_reader_state('sp') AS s;
	PERFORM E.rowset_reader_close('sp');
	PERFORM E.rowset_reader_open('sp');
	FOR v_packet IN SELECT p.packet FROM sp.given, E.rowset_packets(r, 500) AS p LOOP
		SELECT pg_catalog.string_agg(f::pg_catalog.text, ',') INTO v_rows
		FROM E.rowset_reader_feed('sp', pg_catalog.encode(v_packet, 'base64')) AS f(i int, t pg_catalog.text);
		v_all := pg_catalog.concat(v_all, v_rows);
	END LOOP;
	PERFORM E.rowset_reader_close('sp');
	RETURN pg_catalog.md5(v_all);
END $$
$sql$, 'E.', format('%I.', :'schema'))
\gexec

-- LIST is a list of columns.
CREATE TABLE sp.call (ord int GENERATED ALWAYS AS IDENTITY, query text);
INSERT INTO sp.call (query) VALUES
('SELECT pg_catalog.md5(E.query_to_rowset(''TABLE sp.source'')::pg_catalog.text)'),
('SELECT pg_catalog.md5(E.query_to_rowset(''SELECT * FROM sp.source WHERE i OPERATOR(pg_catalog.<) $1'', 5)::pg_catalog.text)'),
('SELECT pg_catalog.md5((E.query_to_rowset_chunks(''TABLE sp.source'', 1000000)).chunk::pg_catalog.text)'),
('SELECT pg_catalog.md5((E.query_to_rowset_chunks(''SELECT * FROM sp.source WHERE i OPERATOR(pg_catalog.<) $1'', 1000000, 5)).chunk::pg_catalog.text)'),
('SELECT pg_catalog.md5(E.rowset_from_packets(packet)::pg_catalog.text) FROM sp.given, E.rowset_packets(r, 500)'),
('SELECT pg_catalog.md5(E.rowset_from_packets((p).packet)::pg_catalog.text) FROM (SELECT E.query_to_rowset_packets(''TABLE sp.source'', 500) AS p) AS s'),
('SELECT pg_catalog.md5(E.rowset_from_packets((p).packet)::pg_catalog.text) FROM (SELECT E.query_to_rowset_packets(''SELECT * FROM sp.source WHERE i OPERATOR(pg_catalog.<) $1'', 500, 5) AS p) AS s'),
('SELECT sp.feed()'),
('SELECT pg_catalog.md5(E.table_to_rowset(''sp.source'')::pg_catalog.text)'),
('SELECT sp.by_cursor()'),
('SELECT pg_catalog.md5(E.record_to_rowset(s)::pg_catalog.text) FROM sp.source AS s LIMIT 1'),
('SELECT pg_catalog.md5(E.rowset_agg(s)::pg_catalog.text) FROM sp.source AS s'),
('SELECT pg_catalog.md5(pg_catalog.string_agg(t::pg_catalog.text, '','')) FROM sp.given, E.rowset_to_recordset(r) AS t(LIST)'),
('SELECT pg_catalog.string_agg(t, '','') FROM E.rowset_to_recordset((SELECT r FROM sp.given)) AS t(i int, t pg_catalog.text) WHERE i OPERATOR(pg_catalog.>) 15'),
('SELECT pg_catalog.md5(pg_catalog.string_agg(t::pg_catalog.text, '','')) FROM sp.given, E.rowset_to_recordset(r) AS t(i numeric(5,1), t varchar(5), n int, a varchar(3)[], v char(5), c pg_catalog.text, b pg_catalog.text, j pg_catalog.json, m pg_catalog.text)'),
('SELECT pg_catalog.md5(pg_catalog.string_agg(t::pg_catalog.text, '','')) FROM sp.given, E.rowset_populate_recordset(NULL::sp.source, r) AS t'),
('SELECT E.rowset_populate_record(NULL::sp.source, r)::pg_catalog.text FROM sp.given'),
('SELECT E.rowset_column_list(E.rowset_project(r, ''i'', ''n'', ''m'')) FROM sp.given'),
('SELECT pg_catalog.string_agg(pg_catalog.concat_ws('' '', c.ordinality, c.name, c.type_schema, c.type_name, c.typmod, c.collation, c.type_oid), '','') FROM sp.given, E.rowset_columns(r) AS c'),
('SELECT i::pg_catalog.text FROM sp.given, E.rowset_info(r) AS i'),
('SELECT E.rowset_count(r) FROM sp.given'),
('SELECT E.rowset_is_valid(r) FROM sp.given'),
('SELECT E.rowset_check(r)::pg_catalog.text FROM sp.given'),
('SELECT E.rowset_create_table(E.rowset_project(r, ''i'', ''t'', ''a'', ''m'', ''v''), pg_catalog.concat(''m'', pg_catalog.md5(pg_catalog.random()::pg_catalog.text))) FROM sp.given'),
('SELECT E.rowset_insert(''sp.target'', r) FROM sp.given'),
('SELECT E.rowset_insert(''sp.observed'', r) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_slice(r, 5, 10)::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_project(r, ''t'', ''p'')::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_rename(r, ''t'', ''u'')::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_rename(r, ARRAY[''u''])::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_concat(r, r)::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_concat_agg(r)::pg_catalog.text) FROM sp.given'),
('SELECT E.rowset_schema_hash(r) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_to_json(r)::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_to_jsonb(r)::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_to_xml(r)::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_to_copy(E.rowset_project(r, ''i'', ''t'', ''n'', ''a''))::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.rowset_to_arrow(r)::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.arrow_to_rowset(E.rowset_to_arrow(r))::pg_catalog.text) FROM sp.given'),
('SELECT pg_catalog.md5(E.query_to_arrow(''SELECT * FROM sp.source'')::pg_catalog.text)'),
('SELECT pg_catalog.md5(E.query_to_arrow(''SELECT * FROM sp.source WHERE i OPERATOR(pg_catalog.<) $1'', 5)::pg_catalog.text)'),
('SELECT pg_catalog.md5(E.copy_to_rowset(NULL::sp.three, r)::pg_catalog.text) FROM sp.copied'),
('SELECT pg_catalog.count(*) FROM E.rowset_progress_info()'),
('SELECT pg_catalog.count(*) FROM E.rowset_progress');
SELECT sp.along(:'path', format('SELECT %I.rowset_column_list(r) FROM sp.given', :'schema')) AS list \gset
UPDATE sp.call SET query = replace(query, 'LIST', :'list');
