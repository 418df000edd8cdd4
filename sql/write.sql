--
-- Rows to a rowset: query_to_rowset, table_to_rowset, record_to_rowset,
-- rowset_agg
--
-- the rows of a rowset, whatever its shape
CREATE FUNCTION rows_of(r bytea) RETURNS SETOF text LANGUAGE plpgsql STRICT AS $$
DECLARE
	c refcursor := rowset_open(r);
	x record;
BEGIN
	LOOP
		FETCH c INTO x;
		EXIT WHEN NOT FOUND;
		RETURN NEXT x::text;
	END LOOP;
	CLOSE c;
END $$;

-- a query
SELECT rowset_column_list(query_to_rowset('SELECT 1 AS a, ''x'' AS b'));
SELECT * FROM rows_of(query_to_rowset('SELECT i, repeat(''x'', i) AS "X x" FROM generate_series(0, 3) AS i'));
SELECT rowset_count(query_to_rowset('SELECT FROM generate_series(1, 3)'));
SELECT rowset_count(query_to_rowset('SELECT 1 WHERE false'));

-- parameters are bound
SELECT * FROM rows_of(query_to_rowset('SELECT $1 + $2 AS sum, pg_typeof($2), $3 AS t', 1, 2::bigint, 'it''s'::text));
SELECT * FROM rows_of(query_to_rowset('SELECT $1 AS n, pg_typeof($1)', NULL::date));
SELECT * FROM rows_of(query_to_rowset('SELECT $1 AS a', ARRAY[1, 2]));
SELECT * FROM rows_of(query_to_rowset('SELECT $1 AS a, pg_typeof($1)', 'a literal'));
SELECT * FROM rows_of(query_to_rowset('SELECT $1 AS a', ROW(1, 'x'::text)));
SELECT * FROM rows_of(query_to_rowset('SELECT $2 AS b, $1 AS a', 1, 2));
SELECT * FROM rows_of(query_to_rowset('SELECT 1 AS a', 1, 2));
SELECT query_to_rowset('SELECT $1 AS a');
SELECT query_to_rowset('SELECT $3 AS a', 1, 2);

-- as an array
SELECT * FROM rows_of(query_to_rowset('SELECT $1 AS a, $2 AS b, pg_typeof($2)', VARIADIC ARRAY[1, 2]));
SELECT * FROM rows_of(query_to_rowset('SELECT $1 AS a, $2 AS b', VARIADIC ARRAY['x', NULL]));
SELECT * FROM rows_of(query_to_rowset('SELECT 1 AS a', VARIADIC '{}'::int[]));
SELECT query_to_rowset('SELECT 1 AS a', VARIADIC NULL::int[]) IS NULL AS is_null;
SELECT * FROM rows_of(query_to_rowset('SELECT $1 AS a, $4 AS d', VARIADIC ARRAY[[1, 2], [3, 4]]));
SELECT query_to_rowset('SELECT 1 AS a', VARIADIC 1);
SELECT query_to_rowset(NULL, 1) IS NULL AS is_null;

-- a query sees what its transaction did before
BEGIN;
CREATE TEMP TABLE mine (a int, b text DEFAULT 'b', c int GENERATED ALWAYS AS (a * 2) STORED) ON COMMIT DROP;
INSERT INTO mine (a) VALUES (1);
SELECT * FROM rows_of(query_to_rowset('SELECT * FROM mine'));
SELECT * FROM rows_of(query_to_rowset('INSERT INTO mine (a) VALUES (2), (3) RETURNING *'));
SELECT * FROM rows_of(table_to_rowset('mine'));
COMMIT;

-- table_to_rowset: tables, views, partitioned tables, dropped columns
CREATE TABLE w_table (a int, gone text, b text);
INSERT INTO w_table VALUES (1, 'x', 'one'), (2, 'y', NULL);
ALTER TABLE w_table DROP COLUMN gone;
SELECT rowset_column_list(table_to_rowset('w_table'));
SELECT * FROM rows_of(table_to_rowset('w_table'));
CREATE VIEW w_view AS SELECT b, a + 1 AS next FROM w_table;
SELECT * FROM rows_of(table_to_rowset('w_view'));
CREATE MATERIALIZED VIEW w_matview AS SELECT * FROM w_view;
SELECT * FROM rows_of(table_to_rowset('w_matview'));
CREATE TABLE w_part (k int, v text) PARTITION BY LIST (k);
CREATE TABLE w_part1 PARTITION OF w_part FOR VALUES IN (1);
CREATE TABLE w_part2 (v text, k int);
ALTER TABLE w_part ATTACH PARTITION w_part2 FOR VALUES IN (2);
INSERT INTO w_part VALUES (1, 'first'), (2, 'second');
SELECT * FROM rows_of(table_to_rowset('w_part'));
CREATE TABLE w_child (extra int) INHERITS (w_table);
INSERT INTO w_child VALUES (3, 'three', 4);
SELECT * FROM rows_of(table_to_rowset('w_table'));
CREATE SCHEMA "W s";
CREATE TABLE "W s"."T ""t""" ("A a" int);
INSERT INTO "W s"."T ""t""" VALUES (7);
SELECT rowset_column_list(r), x FROM table_to_rowset('"W s"."T ""t"""') AS r, rows_of(r) AS x;
CREATE SEQUENCE w_seq;
SELECT * FROM rows_of(table_to_rowset('w_seq'));
SELECT table_to_rowset('w_nothing');
SELECT table_to_rowset(0);
CREATE INDEX w_index ON w_table (a);
\set VERBOSITY sqlstate
SELECT table_to_rowset('w_index');
\set VERBOSITY default

-- record_to_rowset, also of the rows of a trigger
SELECT rowset_column_list(r), x FROM record_to_rowset(ROW(1, 'x'::text, NULL)) AS r, rows_of(r) AS x;
SELECT x FROM w_table AS t, rows_of(record_to_rowset(t)) AS x;
SELECT rowset_column_list(record_to_rowset(t)) FROM w_table AS t LIMIT 1;
SELECT x FROM rows_of(record_to_rowset(ROW())) AS x;
SELECT record_to_rowset(NULL::w_table) IS NULL AS is_null;
\set VERBOSITY terse
SELECT record_to_rowset(1);
\set VERBOSITY default

CREATE TABLE w_log (op text, old_row bytea, new_row bytea);
CREATE FUNCTION w_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO w_log VALUES (tg_op, record_to_rowset(OLD), record_to_rowset(NEW));
	RETURN NULL;
END $$;
CREATE TRIGGER w_trigger AFTER INSERT OR UPDATE OR DELETE ON w_table FOR EACH ROW EXECUTE FUNCTION w_trigger();
INSERT INTO w_table VALUES (4, 'four');
UPDATE w_table SET b = 'vier' WHERE a = 4;
DELETE FROM w_table WHERE a = 4;
SELECT op, (SELECT rows_of(old_row)) AS old, (SELECT rows_of(new_row)) AS new FROM w_log;
SELECT n.* FROM w_log, rowset_populate_record(NULL::w_table, new_row) AS n WHERE op = 'UPDATE';

-- rowset_agg
SELECT x FROM (SELECT rowset_agg(t ORDER BY a DESC) AS r FROM w_part2 AS p, LATERAL (VALUES (1, 'a'), (2, 'b')) AS t(a, b)) AS s, rows_of(r) AS x;
SELECT rowset_count(rowset_agg(DISTINCT t)) FROM (VALUES (1), (2), (1)) AS t(a);
SELECT x FROM (SELECT rowset_agg(t ORDER BY a) FILTER (WHERE a > 1) AS r FROM (VALUES (1), (3), (2)) AS t(a)) AS s, rows_of(r) AS x;
SELECT rowset_agg(t) IS NULL AS is_null FROM (VALUES (1)) AS t(a) WHERE false;
SELECT k, rowset_count(rowset_agg(t)) FROM (SELECT i % 3 AS k, i FROM generate_series(1, 10) AS i) AS t GROUP BY k ORDER BY k;
SELECT rowset_column_list(rowset_agg(t)) FROM w_table AS t;
SELECT x FROM (SELECT rowset_agg(ROW(a, b)) AS r FROM w_part AS p(a, b)) AS s, rows_of(r) AS x;
SELECT i, rowset_count(rowset_agg(t) OVER (ORDER BY i)) AS so_far FROM (SELECT i FROM generate_series(1, 3) AS i) AS t;
SELECT x FROM (SELECT rowset_agg(t) AS r FROM (SELECT 1 AS a UNION ALL SELECT 2) AS t) AS s, rows_of(r) AS x;
SELECT x FROM (SELECT rowset_agg(t) AS r FROM (VALUES (NULL::w_table), (ROW(1, 'x')::w_table)) AS v(t)) AS s, rows_of(r) AS x;
SELECT rowset_agg(r) FROM (VALUES (ROW(1)), (ROW('x'::text))) AS v(r);
SELECT rowset_agg(r) FROM (VALUES (ROW(1)), (ROW(1, 2))) AS v(r);
\set VERBOSITY terse
SELECT rowset_agg(1);
\set VERBOSITY default

DROP TABLE w_table, w_part, w_log CASCADE;
DROP SCHEMA "W s" CASCADE;
DROP SEQUENCE w_seq;
DROP FUNCTION w_trigger, rows_of;
