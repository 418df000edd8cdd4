--
-- setup.sql
--	  What SQLsmith finds in its database: tables and rowsets of many types, views
--	  that read rowsets, and a choice of functions of which most are rowser's.
--
-- SQLsmith reads what there is to call from pg_proc, unqualified.  It finds the
-- view offered.pg_proc first, which tells a few helpful lies: a rowset has a type
-- of its own (the domain smith.rowset), so that rowset calls are given rowsets
-- and nest; so have statements, packets and COPY's data; and a call whose last
-- arguments have defaults is there without them, too.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

CREATE EXTENSION rowser;
CREATE EXTENSION hstore;
CREATE EXTENSION ltree;
CREATE EXTENSION citext;

CREATE ROLE smith LOGIN;
CREATE SCHEMA smith AUTHORIZATION smith;
CREATE SCHEMA offered;
GRANT USAGE ON SCHEMA offered TO smith;
ALTER ROLE smith SET search_path = offered, pg_catalog, smith, public;

SET ROLE smith;
SET search_path = smith, public;

--
-- Types, and tables of them
--
CREATE DOMAIN rowset AS bytea;
CREATE DOMAIN packet AS bytea;
CREATE DOMAIN copied AS bytea;
CREATE DOMAIN statement AS text;
CREATE DOMAIN matching AS text;

CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN posint AS int CHECK (VALUE > 0);
CREATE DOMAIN ints AS int[] CHECK (cardinality(VALUE) < 9);
CREATE TYPE textrange AS RANGE (subtype = text, collation = "C");

CREATE TABLE numbers (id int PRIMARY KEY, i2 int2, i8 int8, f4 float4, f8 float8, n numeric, n2 numeric(9,2), m money, b bool, o oid);
INSERT INTO numbers
SELECT i, i % 7, i * 1000000007::int8, i / 3.0, i / 7.0, i * 1.25, nullif(i, 5) * 0.01, i::text::money, i % 3 = 0, i FROM generate_series(1, 40) AS i;

CREATE TABLE words (id int PRIMARY KEY, t text, v varchar(20), c char(4), n name, ct citext, b bytea, e mood, j json, jb jsonb, x xml, q tsquery, tv tsvector, h hstore, l ltree);
INSERT INTO words
SELECT i, 'word ' || i % 3, repeat('x', i % 20), 'c' || i, 'n' || i, 'C' || i, ('\x0' || i % 10)::bytea, (ARRAY['sad', 'ok', NULL, 'happy'])[i % 4 + 1]::mood,
	'{"a": [1, null]}', jsonb_build_object('k', i), '<a>x</a>', 'a & b', 'a:1 b', hstore('a', i::text), 'x.y'
FROM generate_series(1, 20) AS i;

CREATE TABLE times (id int PRIMARY KEY, d date, t time, tz timetz, ts timestamp, tstz timestamptz, i interval);
INSERT INTO times
SELECT i, date '2000-01-01' + i, time '01:02' + i * interval '1 s', '01:02+03', timestamp '2000-01-01' + i * interval '1 hour', timestamptz '2000-01-01 00:00+00' + i * interval '1 day', interval '1 day' * i
FROM generate_series(1, 20) AS i;
INSERT INTO times VALUES (0, 'infinity', NULL, NULL, '-infinity', 'infinity', NULL);

CREATE TABLE nested (id int PRIMARY KEY, a int[], t text[], p pair, ps pair[], r int4range, mr int4multirange, tr textrange, po posint, d ints, u uuid, ip inet, ci cidr, bi bit(5), vb varbit, pt point, pa path, lsn pg_lsn, cl regclass);
INSERT INTO nested
SELECT i, ARRAY[i, NULL, 3], ARRAY['a', 'b' || i], ROW(i, 'x')::pair, ARRAY[ROW(i, 'y')::pair, NULL], int4range(i, i + 5), '{[1,2),[5,)}', textrange('a', 'b'), i, ARRAY[i],
	'00000000-0000-0000-0000-000000000001', '10.0.0.1/8', '::1', B'10101', B'101', '(1,2)', '[(0,0),(1,1)]', '0/1', 'words'
FROM generate_series(1, 12) AS i;

CREATE TABLE empty (id int, t text);
CREATE TABLE parted (id int, t text, n numeric DEFAULT 1.5, g int GENERATED ALWAYS AS (id % 5) STORED) PARTITION BY RANGE (id);
CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (20);
CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (20) TO (MAXVALUE);

-- Statements to pack, in columns of what query_to_rowset() takes.
CREATE TABLE statements (id int PRIMARY KEY, q statement, size int);
INSERT INTO statements (id, q, size) VALUES
(1, 'SELECT * FROM smith.numbers', 1000),
(2, 'SELECT * FROM smith.words', 600),
(3, 'SELECT * FROM smith.times', 2000),
(4, 'SELECT * FROM smith.nested', 8000),
(5, 'SELECT 1 AS a, NULL::text AS b', 200),
(6, 'SELECT FROM generate_series(1, 3)', 100),
(7, 'SELECT ROW(id, t) AS r, ARRAY[ROW(1), ROW(''x''::text)] AS s FROM smith.words', 500),
(8, 'INSERT INTO smith.empty SELECT id, t FROM smith.words RETURNING *', 1500),
(9, 'DELETE FROM smith.numbers WHERE id > 30 RETURNING id, n', 300),
(10, 'VALUES (1, ''a''), (2, NULL)', 64),
(11, 'SHOW rowser.compression', 64),
(12, 'EXPLAIN SELECT * FROM smith.nested', 300),
(13, 'SELECT 1 / (id - 5) FROM smith.numbers', 100),
(14, 'SELECT', 64),
(15, 'SELECT $1', 0),
(16, 'SELECT id, repeat(t, 500) AS t FROM smith.words', 10000);

CREATE TABLE choices (id int PRIMARY KEY, how matching, tbl regclass, small bigint, yes bool);
INSERT INTO choices VALUES
(1, 'name', 'numbers', 0, true), (2, 'position', 'words', 1, false), (3, 'name', 'times', 5, true), (4, 'position', 'nested', 12, false),
(5, 'elsewhere', 'empty', -1, NULL), (6, NULL, 'parted', 1000000, true), (7, 'name', 'parted', NULL, true);

-- Rowsets in row groups of a few rows, in all compressions; and damaged ones.
CREATE TABLE rowsets (id int PRIMARY KEY, kind text, rowset rowset, plain bytea);
SET rowser.row_group_rows = 9;
INSERT INTO rowsets (id, kind, rowset)
SELECT id, 'query', query_to_rowset(q) FROM statements WHERE id NOT IN (8, 9, 13, 14, 15) ORDER BY id;
SET rowser.compression = 'zstd';
INSERT INTO rowsets (id, kind, rowset)
SELECT 20 + id, 'zstd', query_to_rowset(q) FROM statements WHERE id IN (1, 2, 3, 4) ORDER BY id;
RESET rowser.row_group_rows;
RESET rowser.compression;
INSERT INTO rowsets (id, kind, rowset)
SELECT 40, 'many', query_to_rowset('SELECT i AS id, i % 10 AS few, ''text '' || i % 100 AS t, i * 0.01 AS n FROM generate_series(1, 3000) AS i');
UPDATE rowsets SET plain = rowset;

CREATE TABLE damaged (id int PRIMARY KEY, rowset rowset);
INSERT INTO damaged
SELECT row_number() OVER (), set_byte(rowset, at % length(rowset), (at * 31) % 256) FROM rowsets, unnest('{7,60,333,2222}'::int[]) AS at;

-- A trigger that packs what passes.
CREATE TABLE audit (was rowset);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO smith.audit VALUES (public.record_to_rowset(coalesce(NEW, OLD)));
	RETURN coalesce(NEW, OLD);
END $$;
CREATE TRIGGER note BEFORE INSERT OR UPDATE OR DELETE ON numbers FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON nested FOR EACH ROW EXECUTE FUNCTION note();

--
-- Views that read rowsets in FROM: by a query's value, laterally, by position,
-- with ordinality and by a row type
--
DO $$
DECLARE
	r record;
BEGIN
	FOR r IN SELECT id, rowset_column_list(rowset) AS list FROM rowsets WHERE id NOT IN (6, 7, 21) LOOP
		EXECUTE format('CREATE VIEW smith.scan_%s AS SELECT t.* FROM public.rowset_to_recordset((SELECT rowset FROM smith.rowsets WHERE id = %1$s)) AS t(%s)', r.id, r.list);
		EXECUTE format('CREATE VIEW smith.lateral_%s AS SELECT r.id AS which, t.* FROM smith.rowsets AS r, LATERAL public.rowset_to_recordset(r.rowset) AS t(%s) WHERE r.id = %1$s', r.id, r.list);
	END LOOP;
END $$;

CREATE VIEW scan_constant AS
SELECT * FROM public.rowset_to_recordset('\x') AS t(id int, t text);
CREATE VIEW scan_casts AS
SELECT * FROM public.rowset_to_recordset((SELECT rowset FROM smith.rowsets WHERE id = 1)) AS t(n text, i2 bigint, id posint, f8 numeric, b text);
CREATE VIEW scan_position AS
SELECT t.* FROM ROWS FROM (public.rowset_to_recordset((SELECT rowset FROM smith.rowsets WHERE id = 10), 'position') AS (one int, two text)) WITH ORDINALITY AS t(one, two, ord);
CREATE VIEW scan_populate AS
SELECT n.* FROM smith.rowsets AS r, LATERAL public.rowset_populate_recordset(NULL::smith.numbers, r.rowset) AS n WHERE r.id IN (1, 5, 21);
CREATE VIEW scan_damaged AS
SELECT d.id AS which, t.id, t.t FROM smith.damaged AS d, LATERAL public.rowset_to_recordset(d.rowset) AS t(id int, t text);
CREATE VIEW list_columns AS
SELECT r.id, c.* FROM smith.rowsets AS r, LATERAL public.rowset_columns(r.rowset) AS c;
CREATE VIEW list_info AS
SELECT r.id, i.* FROM smith.rowsets AS r, LATERAL public.rowset_info(r.rowset) AS i;
CREATE VIEW list_packets AS
SELECT r.id, p.seq, p.packet::packet AS packet FROM smith.rowsets AS r, LATERAL public.rowset_packets(r.rowset, 500) AS p;
CREATE VIEW list_chunks AS
SELECT s.id, c.seq, c.chunk::rowset AS chunk FROM smith.statements AS s, LATERAL public.query_to_rowset_chunks(s.q, 5000) AS c WHERE s.id IN (1, 2, 4);
CREATE VIEW list_query_packets AS
SELECT s.id, p.seq, p.packet::packet AS packet FROM smith.statements AS s, LATERAL public.query_to_rowset_packets(s.q, 700) AS p WHERE s.id IN (1, 3);
CREATE VIEW packed AS
SELECT id % 3 AS part, rowset_agg(numbers ORDER BY id)::rowset AS rowset FROM smith.numbers GROUP BY 1;

--
-- Calls that only a statement of one's own reaches, or that need certain arguments
--
CREATE FUNCTION fetch_all(rowset rowset, hold bool) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := public.rowset_open(rowset, NULL, hold);
	n bigint := 0;
	x record;
BEGIN
	LOOP
		FETCH c INTO x;
		EXIT WHEN NOT FOUND;
		n := n + length(x::text);
	END LOOP;
	CLOSE c;
	RETURN n;
END $$;

CREATE FUNCTION fetch_rowset(rowset rowset, count bigint) RETURNS rowset LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := public.rowset_open(rowset);
	r bytea;
BEGIN
	r := public.cursor_to_rowset(c, count);
	CLOSE c;
	RETURN r;
END $$;

CREATE FUNCTION feed(rowset rowset, size int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	list text := public.rowset_column_list(rowset);
	p bytea;
	m bigint;
	n bigint := 0;
BEGIN
	PERFORM public.rowset_reader_open('smith');
	FOR p IN SELECT packet FROM public.rowset_packets(rowset, 64 + abs(size % 5000)) LOOP
		EXECUTE format('SELECT count(t) FROM public.rowset_reader_feed(''smith'', $1) AS t(%s)', list) INTO m USING p;
		n := n + m;
	END LOOP;
	n := n + rows FROM public.rowset_reader_state('smith');
	PERFORM public.rowset_reader_close('smith');
	RETURN n;
END $$;

CREATE FUNCTION read_again(rowset rowset, how matching) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE format('SELECT sum(length(t::text)) FROM public.rowset_to_recordset($1, $2) AS t(%s)', public.rowset_column_list(rowset)) INTO n USING rowset, how;
	RETURN n;
END $$;

CREATE FUNCTION packets_of(rowset rowset, size int) RETURNS packet[] LANGUAGE sql AS
	'SELECT array_agg(packet::smith.packet ORDER BY seq DESC) FROM public.rowset_packets(rowset, size)';
CREATE FUNCTION from_packets(packets packet[]) RETURNS rowset LANGUAGE sql AS
	'SELECT public.rowset_from_packets(p) FROM unnest(packets) AS p';
CREATE FUNCTION through_packets(rowset rowset, size int) RETURNS rowset LANGUAGE sql AS
	'SELECT public.rowset_from_packets(packet) FROM public.rowset_packets(rowset, size)';
CREATE FUNCTION chunks(q statement, size int) RETURNS rowset LANGUAGE sql AS
	'SELECT public.rowset_concat_agg(chunk ORDER BY seq) FROM public.query_to_rowset_chunks(q, 1024 + abs(size) * 10)';
CREATE FUNCTION project_some(rowset rowset, nth int) RETURNS rowset LANGUAGE sql AS
	'SELECT public.rowset_project(rowset, VARIADIC (SELECT array_agg(name) FROM public.rowset_columns(rowset) WHERE ordinality % 3 = nth % 3))';
CREATE FUNCTION rename_first(rowset rowset, name text) RETURNS rowset LANGUAGE sql AS
	'SELECT public.rowset_rename(rowset, ARRAY[name])';
CREATE FUNCTION damage(rowset rowset, at int, value int) RETURNS rowset LANGUAGE sql AS
	'SELECT set_byte(rowset, abs(at % length(rowset)), value % 256)';
CREATE FUNCTION cut(rowset rowset, size int) RETURNS rowset LANGUAGE sql AS
	'SELECT substr(rowset, 1, abs(size))';
CREATE FUNCTION some_rowset(id int) RETURNS rowset LANGUAGE sql AS
	'SELECT rowset FROM smith.rowsets ORDER BY id OFFSET abs($1 % 16) LIMIT 1';
CREATE FUNCTION any_rowset() RETURNS rowset LANGUAGE sql AS
	'SELECT rowset FROM smith.rowsets ORDER BY random() LIMIT 1';
CREATE FUNCTION any_packet() RETURNS packet LANGUAGE sql AS
	'SELECT packet FROM smith.list_packets WHERE id = 10';
CREATE FUNCTION any_statement() RETURNS statement LANGUAGE sql AS
	'SELECT q FROM smith.statements ORDER BY random() LIMIT 1';
CREATE FUNCTION any_matching() RETURNS matching LANGUAGE sql AS
	'SELECT how FROM smith.choices ORDER BY random() LIMIT 1';
CREATE FUNCTION any_table() RETURNS regclass LANGUAGE sql AS
	'SELECT tbl FROM smith.choices ORDER BY random() LIMIT 1';
CREATE FUNCTION any_number() RETURNS int LANGUAGE sql AS
	'SELECT (random() * 100)::int';
CREATE FUNCTION any_bigint() RETURNS bigint LANGUAGE sql AS
	'SELECT (random() * 20)::bigint';
CREATE FUNCTION any_text() RETURNS text LANGUAGE sql AS
	'SELECT ''t'' || (random() * 1000)::int';
CREATE FUNCTION any_copied() RETURNS copied LANGUAGE sql AS
	'SELECT public.rowset_to_copy(smith.any_rowset())';
CREATE FUNCTION as_number(rowset rowset) RETURNS numbers LANGUAGE sql AS
	'SELECT public.rowset_populate_record(NULL::smith.numbers, rowset)';
CREATE FUNCTION packed_rows(rowset rowset) RETURNS rowset LANGUAGE sql AS
	'SELECT public.rowset_agg(t) FROM public.rowset_to_recordset(rowset) AS t(id int)';
CREATE FUNCTION is_sound(rowset rowset) RETURNS bool LANGUAGE sql AS
	'SELECT public.rowset_check(rowset)::text IS NOT NULL';
CREATE FUNCTION copy_back(rowset rowset) RETURNS rowset LANGUAGE sql AS
	'SELECT public.copy_to_rowset(NULL::smith.numbers, public.rowset_to_copy(rowset))';
CREATE FUNCTION insert_again(rowset rowset) RETURNS bigint LANGUAGE sql AS
	'SELECT public.rowset_insert(''smith.empty'', r) + public.rowset_insert(''smith.parted'', r) FROM public.rowset_project(rowset, ''id'') AS r';
CREATE FUNCTION create_table(rowset rowset, temporary bool) RETURNS bigint LANGUAGE sql AS
	'SELECT public.rowset_create_table(rowset, ''made'', temporary)';
CREATE FUNCTION populate(rowset rowset) RETURNS bigint LANGUAGE sql AS
	'SELECT count(p) FROM (SELECT public.rowset_populate_recordset(NULL::smith.empty, rowset)) AS p';

-- Each of these works, given the right arguments.
BEGIN;
SELECT fetch_all(r, false), fetch_rowset(r, 3), feed(r, 100), read_again(r, 'name'), from_packets(packets_of(r, 200)), through_packets(r, 300), project_some(r, 1), rename_first(r, 'x'),
	damage(r, 100, 3), cut(r, 70), any_packet(), any_statement(), any_matching(), any_table(), any_number(), any_bigint(), any_text(), any_copied(), as_number(r), packed_rows(r), is_sound(r),
	copy_back(r), insert_again(r), create_table(r, true), populate(r), chunks('SELECT 1 AS a', 1000)
FROM some_rowset(0) AS r \g /dev/null
ROLLBACK;

--
-- What SQLsmith is told that there is to call
--
RESET ROLE;
RESET search_path;
ANALYZE;

-- What of rowser can be called in a statement
CREATE VIEW calls AS
SELECT *
FROM pg_proc
WHERE oid IN (SELECT objid FROM pg_depend WHERE refobjid = (SELECT oid FROM pg_extension WHERE extname = 'rowser') AND classid = 'pg_proc'::regclass)
  AND prokind <> 'p' AND 'internal'::regtype <> ALL (string_to_array(proargtypes::text, ' ')::oid[] || prorettype);

-- One row for each number of arguments that a call takes.
CREATE TABLE offered.routine AS
WITH called AS (
	SELECT *
	FROM pg_proc
	WHERE pronamespace = 'smith'::regnamespace AND prorettype <> 'trigger'::regtype
	   OR oid IN (SELECT oid FROM calls)
	   -- what makes other values of the types above
	   OR oid IN (SELECT name::regprocedure
				FROM regexp_split_to_table('length(bytea) length(text) md5(bytea) substr(bytea,int4,int4) set_byte(bytea,int4,int4) get_byte(bytea,int4) overlay(bytea,bytea,int4)
					encode(bytea,text) reverse(text) upper(text) abs(int4) abs(int8) int4(int8) int8(int4) now() random() array_length(anyarray,int4) row_to_json(record)
					to_jsonb(anyelement) pg_column_size("any") array_agg(anynonarray) count("any") max(int4) min(text) sum(int8) string_agg(bytea,bytea) bool_and(bool)', E'\\s+') AS name))
SELECT row_number() OVER () + 3000000000 AS oid, pronamespace, proname, prokind, proretset,
	CASE WHEN prorettype = 'bytea'::regtype AND proname = 'rowset_to_copy' THEN 'smith.copied'::regtype
		 WHEN prorettype = 'bytea'::regtype AND pronamespace = 'public'::regnamespace AND proname !~ '_to_arrow$' THEN 'smith.rowset'::regtype
		 ELSE prorettype END AS prorettype,
	ARRAY(SELECT CASE WHEN place = pronargs AND provariadic <> 0 AND pronamespace = 'public'::regnamespace THEN coalesce(lie.type, provariadic)
					  WHEN lie.type IS NOT NULL AND nth > 1 THEN lie.type ELSE t.type END
		  FROM unnest(string_to_array(nullif(proargtypes::text, ''), ' ')::oid[]) WITH ORDINALITY AS t(type, place)
		  LEFT JOIN (VALUES ('rowset', 'smith.rowset'::regtype::oid), ('rowsets', 'smith.rowset'::regtype), ('query', 'smith.statement'::regtype), ('packet', 'smith.packet'::regtype), ('data', 'smith.copied'::regtype), ('match', 'smith.matching'::regtype)) AS lie(name, type)
			  ON lie.name = proargnames[place] AND pronamespace = 'public'::regnamespace
		  WHERE place <= nargs ORDER BY place) AS proargtypes
FROM called AS c,
	generate_series(pronargs::int - pronargdefaults, pronargs) AS nargs,
	-- mostly as rowsets and such, and sometimes with the types they have
	generate_series(1, CASE WHEN pronamespace = 'pg_catalog'::regnamespace THEN 1 ELSE 4 END) AS nth
-- in a condition, rows would be an error every time
WHERE NOT proretset;

CREATE VIEW offered.pg_proc AS
SELECT oid::oid AS oid, pronamespace, proname, prokind, proretset, prorettype::oid, proargtypes FROM offered.routine OFFSET 0;
GRANT SELECT ON offered.pg_proc TO smith;
