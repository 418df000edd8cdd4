--
-- RowsetScan: calls in FROM that are decoded row by row
--
SET rowser.compression = none;
SET rowser.row_group_rows = 200;
CREATE TABLE s_packed AS
SELECT 1 AS n, query_to_rowset($$
	SELECT i AS id, 'name ' || i AS name, i / 200 AS part, i % 10 AS digit, i * 1.5 AS price, NULLIF(i / 1000, 1) AS gap
	FROM generate_series(0, 1999) AS i $$) AS r;
RESET rowser.row_group_rows;
ANALYZE s_packed;
CREATE VIEW s_rows AS
SELECT t.* FROM s_packed, rowset_to_recordset(r) AS t(id int, name text, part int, digit int, price numeric, gap int);

-- EXPLAIN ANALYZE without what differs from run to run, nor from one version of
-- PostgreSQL to another: 17 names the results of InitPlans in another way, 18
-- gives fractions of rows, and 19 gives InitPlans other names
CREATE FUNCTION s_explain(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query LOOP
		line := regexp_replace(line, '(Fetched|Decompressed): \d+ kB', '\1: N kB');
		line := regexp_replace(line, '(actual rows=\d+)\.00', '\1');
		line := regexp_replace(line, 'InitPlan (?:expr_)?(\d+)(?: \(returns \$\d+\))?', 'InitPlan \1', 'g');
		RETURN NEXT regexp_replace(line, '\(InitPlan 1\)\.col1', '$0', 'g');
	END LOOP;
END $$;

-- which columns are read
EXPLAIN (COSTS OFF) SELECT id, price FROM s_rows;
EXPLAIN (COSTS OFF) SELECT count(*) FROM s_rows;
EXPLAIN (COSTS OFF) SELECT t FROM s_packed, rowset_to_recordset(r) AS t(id int, name text);
EXPLAIN (COSTS OFF) SELECT name FROM s_rows WHERE digit = 3 ORDER BY price;
EXPLAIN (VERBOSE, COSTS OFF) SELECT name, id + 1 AS next FROM s_packed, rowset_to_recordset(r) AS t(id int, name text, digit int) WHERE digit > 3;
EXPLAIN (COSTS OFF) SELECT id, price FROM s_packed, rowset_populate_recordset(NULL::s_rows, r);

-- which row groups are read
SELECT s_explain('SELECT name FROM s_rows WHERE part = 3 AND digit = 4');
SELECT s_explain('SELECT name FROM s_rows WHERE id BETWEEN 250 AND 260');
SELECT s_explain('SELECT name FROM s_rows WHERE id IN (5, 1405) OR part > 8 AND digit = 0');
SELECT s_explain('SELECT count(*) FROM s_rows WHERE gap IS NULL');
SELECT s_explain('SELECT count(*) FROM s_rows WHERE gap IS NOT NULL AND id < 1250');
SELECT s_explain('SELECT count(*) FROM s_rows WHERE id < 2000');
SELECT s_explain('SELECT count(*) FROM s_rows WHERE id > (SELECT 1989)');
SELECT s_explain('SELECT count(*) FROM s_rows WHERE digit + 0 = 3');
-- a limit stops early
SELECT s_explain('SELECT name FROM s_rows LIMIT 3');
SELECT s_explain('SELECT name FROM s_rows WHERE digit = 7 LIMIT 3 OFFSET 9');
SELECT name FROM s_rows WHERE digit = 7 LIMIT 3 OFFSET 9;

-- as JSON
CREATE FUNCTION s_explain_json(query text) RETURNS TABLE (property text, value jsonb) LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF, FORMAT JSON) ' || query INTO plan;
	RETURN QUERY SELECT p.key, CASE jsonb_typeof(p.value) WHEN 'number' THEN to_jsonb(trim_scale(p.value::numeric)) ELSE p.value END
	FROM jsonb_each(plan::jsonb #> '{0,Plan,Plans,1}') AS p WHERE p.key NOT LIKE '%Bytes' AND p.key <> 'Disabled';
END $$;
SELECT * FROM s_explain_json('SELECT name FROM s_rows WHERE part = 3') ORDER BY property COLLATE "C";
SELECT value FROM s_explain_json('SELECT FROM s_rows') WHERE property = 'Columns';

-- what is fetched of a rowset that is stored outside of its row
CREATE TABLE s_big (r bytea);
ALTER TABLE s_big ALTER r SET STORAGE EXTERNAL;
SET rowser.row_group_rows = 1000;
INSERT INTO s_big SELECT query_to_rowset($$SELECT i AS id, md5(i::text) AS m, hashint4(i) AS h, NULL::text AS none FROM generate_series(1, 100000) AS i$$);
RESET rowser.row_group_rows;
CREATE FUNCTION s_fetched(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN jsonb_path_query_first(plan::jsonb, '$.**."Fetched Bytes"')::float8 / (SELECT octet_length(r) FROM s_big);
END $$;
SELECT query, s_fetched(format('SELECT %s', query)) <= share AS fetches_little, s_fetched(format('SELECT %s', query)) > share / 10 AS fetches_something
FROM (VALUES ('* FROM s_big, rowset_to_recordset(r) AS t(id int, m text, h int) LIMIT 10', 0.02),
			 ('count(*) FROM s_big, rowset_to_recordset(r) AS t(id int)', 0.06),
			 ('sum(h) FROM s_big, rowset_to_recordset(r) AS t(id int, m text, h int)', 0.25),
			 ('max(none) FROM s_big, rowset_to_recordset(r) AS t(none text)', 0.06),
			 ('m FROM s_big, rowset_to_recordset(r) AS t(id int, m text) WHERE id = 50000', 0.08),
			 ('m FROM s_big, rowset_to_recordset(r) AS t(id int, m text) WHERE id < 0', 0.06),
			 ('count(t) FROM s_big, rowset_to_recordset(r) AS t(id int, m text, h int)', 1)) AS v(query, share);
SELECT count(*), sum(h), md5(string_agg(m, '')) = (SELECT md5(string_agg(md5(i::text), '')) FROM generate_series(1, 100000) AS i) AS same
FROM s_big, rowset_to_recordset(r) AS t(id int, m text, h int);

-- rows are estimated from a rowset that is known when planning
CREATE FUNCTION s_estimate(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan::jsonb #> '{0,Plan,Plan Rows}';
END $$;
SELECT format('SELECT * FROM rowset_to_recordset(%L) AS t(id int)', r) AS known FROM s_packed \gset
SELECT s_estimate(:'known');
SELECT s_estimate('SELECT * FROM rowset_to_recordset((SELECT r FROM s_packed)) AS t(id int)');
SELECT s_estimate('SELECT * FROM rowset_to_recordset(NULL) AS t(id int)');
SELECT s_estimate('SELECT * FROM rowset_to_recordset(''\x00'') AS t(id int)');

-- and so are those that pass a filter, from the row groups' bounds
SET rowser.row_group_rows = 1000;
SELECT query_to_rowset('SELECT i AS id, i % 50 AS digit, date ''2020-01-01'' + i / 100 AS day, i / 8.0::float8 AS f,
	(i % 500)::numeric(9,2) AS price, CASE WHEN i % 4 > 0 THEN ''x'' || i END AS name FROM generate_series(1, 20000) AS i') AS known \gset
RESET rowser.row_group_rows;
SELECT filter, s_estimate(format('SELECT * FROM rowset_to_recordset(%L) AS t(id int, digit int, day date, f float8, price numeric, name text) WHERE %s', :'known', filter)) AS rows
FROM unnest(ARRAY['id BETWEEN 101 AND 300', 'id > 19000', '19000 < id', 'id = 5', 'id < 0', 'digit < 10', 'digit = 7', 'digit BETWEEN 5 AND 9 AND id > 10000',
	'day >= ''2020-06-01''', 'day < timestamp ''2020-01-11''', 'f <= 1250', 'price < 100', 'name IS NULL', 'name IS NOT NULL AND id <= 4000',
	'id <= 4000 AND name LIKE ''x1%''', 'id = ''infinity''::float8']) AS filter;
SELECT s_estimate(format('SELECT * FROM rowset_to_recordset(%L, match => ''position'') AS t(a int, b int) WHERE b < 10', :'known'));
CREATE TYPE s_shape AS (name text, id int);
SELECT s_estimate(format('SELECT * FROM rowset_populate_recordset(NULL::s_shape, %L) AS t(a, b) WHERE b <= 200 AND a IS NULL', :'known'));
-- a column of another type, or none: the planner's own estimates, and no error yet
SELECT s_estimate(format('SELECT * FROM rowset_to_recordset(%L) AS t(id bigint) WHERE id < 10', :'known'));
SELECT s_estimate(format('SELECT * FROM rowset_to_recordset(%L) AS t(absent int) WHERE absent < 10', :'known'));
DROP TYPE s_shape;

-- which functions the rowset's types need is found out in a parallel worker
CREATE TYPE s_pair AS (a int, b text);
CREATE FUNCTION s_careless(s_pair) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN ($1).a; END';
CREATE CAST (s_pair AS int) WITH FUNCTION s_careless(s_pair) AS ASSIGNMENT;
SET rowser.row_group_rows = 1000;
CREATE TABLE s_pairs AS SELECT query_to_rowset('SELECT ROW(i, ''x'')::s_pair AS p, ''y'' AS b FROM generate_series(1, 20000) AS i') AS r;
RESET rowser.row_group_rows;
ALTER TABLE s_pairs SET (parallel_workers = 0);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;
SELECT sum(p), max(b) FROM rowset_to_recordset((SELECT r FROM s_pairs)) AS t(p int, b text);
ALTER FUNCTION s_careless(s_pair) PARALLEL SAFE;
SELECT sum(p), max(b) FROM rowset_to_recordset((SELECT r FROM s_pairs)) AS t(p int, b text);
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;
RESET parallel_leader_participation;
DROP TABLE s_pairs;
DROP TYPE s_pair CASCADE;

-- inner side of a nested loop: read again, or kept
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SELECT s_explain('SELECT count(*) FROM (VALUES (1), (500), (501)) AS v(x) JOIN rowset_to_recordset((SELECT r FROM s_packed)) AS t(id int) ON t.id = v.x');
SELECT s_explain('SELECT count(*) FROM (VALUES (1), (500), (501)) AS v(x), LATERAL (SELECT FROM s_packed, rowset_to_recordset(r) AS t(id int) WHERE t.id = v.x LIMIT 1) AS f');
CREATE SEQUENCE s_calls;
CREATE FUNCTION s_get() RETURNS bytea VOLATILE LANGUAGE sql AS 'SELECT r FROM s_packed, nextval(''s_calls'')';
SELECT count(*) FROM (VALUES (1), (500), (501)) AS v(x) JOIN rowset_to_recordset(s_get()) AS t(id int) ON t.id <> v.x;
SELECT nextval('s_calls') - 1 AS calls;
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_material;
RESET enable_memoize;

-- custom and generic plans
PREPARE s_prepared(int) AS SELECT count(*), min(name) FROM s_rows WHERE part = $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE s_prepared(4);
EXECUTE s_prepared(4);
SELECT s_explain('EXECUTE s_prepared(5)');
SET plan_cache_mode = force_custom_plan;
EXPLAIN (COSTS OFF) EXECUTE s_prepared(4);
EXECUTE s_prepared(4);
RESET plan_cache_mode;
DEALLOCATE s_prepared;

-- statements that change rows need whole rows, in case they have to look again
CREATE TEMP TABLE s_target AS SELECT 10 * i AS id, 'old' AS name FROM generate_series(1, 3) AS i;
EXPLAIN (COSTS OFF) UPDATE s_target SET name = t.name FROM s_packed, rowset_to_recordset(r) AS t(id int, name text, digit int) WHERE t.id = s_target.id;
UPDATE s_target SET name = t.name FROM s_packed, rowset_to_recordset(r) AS t(id int, name text, digit int) WHERE t.id = s_target.id;
DELETE FROM s_target USING s_rows WHERE s_rows.id = s_target.id AND part = 0 AND s_rows.id > 15 RETURNING s_target.*, s_rows.price;
SELECT s_target.*, t FROM s_target, s_packed, rowset_to_recordset(r) AS t(id int, digit int) WHERE t.id = s_target.id FOR UPDATE OF s_target;

-- cursors
BEGIN;
DECLARE c CURSOR FOR SELECT id, name FROM rowset_to_recordset((SELECT r FROM s_packed)) AS t(id int, name text, digit int) WHERE digit = 5;
FETCH 2 FROM c;
FETCH LAST FROM c;
FETCH BACKWARD 2 FROM c;
FETCH FIRST FROM c;
FETCH PRIOR FROM c;
FETCH RELATIVE 30 FROM c;
CLOSE c;
COMMIT;

-- a row type that has got a column since the query was written
CREATE TYPE s_type AS (id int);
CREATE VIEW s_typed AS SELECT t FROM s_packed, rowset_populate_recordset(NULL::s_type, r) AS t;
ALTER TYPE s_type ADD ATTRIBUTE digit int;
EXPLAIN (COSTS OFF) SELECT t FROM s_typed;
SELECT t FROM s_typed LIMIT 2;
DROP VIEW s_typed;
DROP TYPE s_type;

-- what is not scanned
EXPLAIN (COSTS OFF) SELECT * FROM s_packed, ROWS FROM (rowset_to_recordset(r) AS (id int)) WITH ORDINALITY AS t(id, n);
EXPLAIN (COSTS OFF) SELECT rowset_populate_recordset(NULL::s_target, r) FROM s_packed;
SET rowser.enable_scan = off;
EXPLAIN (COSTS OFF) SELECT id FROM s_rows WHERE part = 3;
RESET rowser.enable_scan;

DROP FUNCTION s_explain(text), s_explain_json(text), s_estimate(text), s_fetched(text), s_get();
DROP SEQUENCE s_calls;
DROP VIEW s_rows;
DROP TABLE s_packed, s_big, s_target;
