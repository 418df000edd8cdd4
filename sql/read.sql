--
-- A rowset to rows, by a column definition list
--
CREATE TEMP TABLE packed AS
SELECT query_to_rowset('SELECT i AS id, ''name '' || i AS name, i * 1.5 AS price, date ''2024-01-01'' + i AS day, CASE WHEN i <> 2 THEN ARRAY[i, -i] END AS pair
						FROM generate_series(1, 3) AS i') AS r;

-- by name: all of them, some, in another order
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(id int, name text, price numeric, day date, pair int[]);
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(day date, id int);
SELECT t.* FROM packed, rowset_to_recordset(r, match => 'name') AS t(price numeric);
SELECT count(*) FROM packed, rowset_to_recordset(r) AS t(id int) WHERE id > 1;
SELECT sum(price), max(name) FROM packed, rowset_to_recordset(r) AS t(id int, name text, price numeric);

-- one that is missing
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(id int, nome text);
SELECT t.* FROM packed, rowset_to_recordset(r) AS t("ID" int);
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT')) AS t(id int);

-- names that occur twice or have no name
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT 1 AS a, 2 AS b, 3 AS a')) AS t(b int);
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT 1 AS a, 2 AS b, 3 AS a')) AS t(a int);
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT 1, ''x''::text AS "?column? ", 3')) AS t("?column? " text);

-- by position
SELECT t.* FROM packed, rowset_to_recordset(r, 'position') AS t(a int, b text, c numeric, d date, e int[]);
SELECT t.* FROM packed, rowset_to_recordset(r, match => 'position') AS t(a int, b text);
SELECT t.* FROM packed, rowset_to_recordset(r, 'position') AS t(a int, b text, c numeric, d date, e int[], f int);
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT 1 AS a, 2 AS b, 3 AS a'), 'position') AS t(a int, b int, c int);
SELECT t.* FROM packed, rowset_to_recordset(r, 'anything') AS t(a int);
SELECT t.* FROM packed, rowset_to_recordset(r, 'Position') AS t(a int);

-- types that differ go through their assignment cast
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(id bigint, name varchar(20), price int, day timestamp, pair bigint[]);
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(id text, name name, price float8, day text, pair text[]);
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(price numeric(10,0), name char(10));
SELECT t.* FROM packed, rowset_to_recordset(r, 'position') AS t(a smallint, b text, c text);
-- or are an error
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(name int);
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(day int);
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(pair int);
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(id int[]);
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(id bool);
SELECT t.* FROM packed, rowset_to_recordset(r, 'position') AS t(a int, b date);
-- the value, not the type
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(name varchar(3));
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT i * 20000 AS i FROM generate_series(1, 3) AS i')) AS t(i smallint);

-- no rows
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT 1 AS a WHERE false')) AS t(a int);
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT 1 AS a WHERE false')) AS t(b int);
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT ''x''::text AS a WHERE false')) AS t(a int);

--
-- Where it can stand
--
CREATE TEMP TABLE several AS
SELECT i, query_to_rowset('SELECT j AS a, $1 * j AS b FROM generate_series(1, $1) AS j', i) AS r FROM generate_series(0, 3) AS i;
-- LATERAL
SELECT i, t.* FROM several, LATERAL rowset_to_recordset(r) AS t(a int, b int) ORDER BY i, a;
SELECT i, t.* FROM several LEFT JOIN LATERAL rowset_to_recordset(r) AS t(b int) ON true ORDER BY i, b;
SELECT i, s.* FROM several, LATERAL (SELECT max(b) AS m, count(*) FROM rowset_to_recordset(r) AS t(b int) WHERE b > i) AS s ORDER BY i;
-- joined with itself
SELECT x.a, y.b FROM several, rowset_to_recordset(r) AS x(a int), rowset_to_recordset(r) AS y(a int, b int) WHERE i = 3 AND x.a = y.a ORDER BY 1;
-- ROWS FROM, WITH ORDINALITY
SELECT * FROM ROWS FROM (rowset_to_recordset((SELECT r FROM several WHERE i = 2)) AS (b int, a int), generate_series(1, 3)) AS t;
SELECT * FROM ROWS FROM (rowset_to_recordset((SELECT r FROM several WHERE i = 2)) AS (b int), rowset_to_recordset((SELECT r FROM several WHERE i = 3)) AS (a int, b int)) WITH ORDINALITY AS t(p, q, s, n);
SELECT i, t.* FROM several, ROWS FROM (rowset_to_recordset(r) AS (a int)) WITH ORDINALITY AS t ORDER BY i, a;
-- LIMIT, a subquery, EXISTS, a scalar subquery, a set operation
SELECT a FROM several, rowset_to_recordset(r) AS t(a int) WHERE i = 3 LIMIT 2;
SELECT i FROM several WHERE EXISTS (SELECT FROM rowset_to_recordset(r) AS t(b int) WHERE b = 9) ORDER BY i;
SELECT i, (SELECT sum(b) FROM rowset_to_recordset(r) AS t(b int)) FROM several ORDER BY i;
SELECT a FROM rowset_to_recordset((SELECT r FROM several WHERE i = 2)) AS t(a int) UNION ALL SELECT a FROM rowset_to_recordset((SELECT r FROM several WHERE i = 1)) AS t(a int);
-- INSERT ... SELECT, UPDATE ... FROM, DELETE ... USING
CREATE TEMP TABLE target (a int, b int);
INSERT INTO target SELECT t.* FROM several, rowset_to_recordset(r) AS t(a int, b int) WHERE i = 3;
UPDATE target SET b = t.b FROM rowset_to_recordset((SELECT r FROM several WHERE i = 2)) AS t(a int, b int) WHERE t.a = target.a;
DELETE FROM target USING rowset_to_recordset((SELECT r FROM several WHERE i = 1)) AS t(a int) WHERE t.a = target.a;
SELECT * FROM target ORDER BY a;
-- whole rows
SELECT t, pg_typeof(t), t.a FROM several, rowset_to_recordset(r) AS t(a int, b int) WHERE i = 2;
SELECT row_to_json(t) FROM several, rowset_to_recordset(r) AS t(a int) WHERE i = 1;
-- a view
CREATE TEMP VIEW a_view AS SELECT i, t.a + t.b AS sum FROM several, rowset_to_recordset(r) AS t(a int, b int);
SELECT * FROM a_view ORDER BY i, sum;
SELECT pg_get_viewdef('a_view', true);
-- a prepared statement, with a custom and with a generic plan
PREPARE reads (bytea) AS SELECT sum(b) FROM rowset_to_recordset($1) AS t(b int);
SELECT r AS one FROM several WHERE i = 3 \gset
EXECUTE reads(:'one');
SET plan_cache_mode = force_generic_plan;
EXECUTE reads(:'one');
RESET plan_cache_mode;
EXECUTE reads(NULL);
DEALLOCATE reads;
-- function bodies
CREATE FUNCTION pg_temp.in_sql(bytea) RETURNS TABLE (a int, b int) LANGUAGE sql AS 'SELECT t.a, t.b FROM rowset_to_recordset($1) AS t(a int, b int)';
SELECT * FROM pg_temp.in_sql(:'one');
CREATE FUNCTION pg_temp.in_plpgsql(x bytea) RETURNS SETOF int LANGUAGE plpgsql AS $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT * FROM rowset_to_recordset(x) AS s(b int, a int) LOOP
		RETURN NEXT t.a * 100 + t.b;
	END LOOP;
	RETURN QUERY SELECT count(*)::int FROM rowset_to_recordset(x) AS s(a int);
END $$;
SELECT * FROM pg_temp.in_plpgsql(:'one');
CREATE FUNCTION pg_temp.gives_record(x bytea) RETURNS SETOF record LANGUAGE sql AS 'SELECT * FROM rowset_to_recordset($1) AS t(a int, b int)';
SELECT * FROM pg_temp.gives_record(:'one') AS t(a int, b int);
-- a cursor, there and back
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT t.* FROM several, rowset_to_recordset(r) AS t(a int, b int) WHERE i = 3;
FETCH 2 FROM c;
FETCH BACKWARD 1 FROM c;
FETCH ALL FROM c;
FETCH FIRST FROM c;
FETCH LAST FROM c;
MOVE ABSOLUTE 1 IN c;
FETCH c;
COMMIT;
-- a recursive query
WITH RECURSIVE w AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM w, rowset_to_recordset((SELECT r FROM several WHERE i = 3)) AS t(a int) WHERE a = n AND n < 10)
SELECT * FROM w;
-- a rowset in a rowset
SELECT u.* FROM rowset_to_recordset(query_to_rowset('SELECT i, r FROM several WHERE i = 2')) AS t(r bytea), rowset_to_recordset(t.r) AS u(b int);
-- under CASE
SELECT CASE WHEN i > 2 THEN (SELECT count(*) FROM rowset_to_recordset(r) AS t(a int)) END FROM several ORDER BY i;

-- What has no shape
SELECT rowset_to_recordset(r) FROM packed;
SELECT * FROM packed, rowset_to_recordset(r);
SELECT * FROM packed, rowset_to_recordset(r) AS t(a, b);
SELECT (rowset_to_recordset(r)).id FROM packed;
-- the row type gives one
SELECT rowset_populate_recordset(NULL::target, r) FROM several WHERE i = 2;
SELECT (rowset_populate_recordset(NULL::target, r)).b FROM several WHERE i = 2;
-- the column definition list of the rowset itself
SELECT rowset_column_list(r) AS list FROM packed \gset
\echo :list
SELECT t.* FROM packed, rowset_to_recordset(r) AS t(:list);
SELECT format('SELECT t.* FROM packed, rowset_to_recordset(r) AS t(%s) WHERE id = 2', rowset_column_list(r)) FROM packed \gexec
