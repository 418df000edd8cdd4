--
-- query_to_rowset_chunks: a query's result as rowsets of bounded size
--
CREATE TEMP TABLE c_many AS SELECT i AS a, md5(i::text) AS b FROM generate_series(1, 5000) AS i;

-- chunks are whole rowsets, in order, and give all rows back
SELECT count(*) > 5 AS several, bool_and(length(chunk) <= 16384) AS bounded, bool_and(rowset_is_valid(chunk)) AS valid, sum(rowset_count(chunk)) AS rows,
	min(seq) = 1 AND max(seq) = count(*) AND count(DISTINCT seq) = count(*) AS numbered
FROM query_to_rowset_chunks('SELECT * FROM c_many ORDER BY a', 16384);
CREATE TEMP TABLE c_chunks AS SELECT * FROM query_to_rowset_chunks('SELECT * FROM c_many ORDER BY a', 16384);
SELECT count(*), min(a), max(a), bool_and(b = md5(a::text)) AS same, bool_and(a = n) AS in_order
FROM (SELECT t.*, row_number() OVER () AS n FROM (SELECT chunk FROM c_chunks ORDER BY seq) AS c, LATERAL rowset_to_recordset(chunk) AS t(a int, b text)) AS s;

-- in the SELECT list: the query runs as far as the chunk needs
CREATE TEMP SEQUENCE c_ran;
SELECT (c).seq, rowset_count((c).chunk) > 0 AS has_rows
FROM (SELECT query_to_rowset_chunks('SELECT nextval(''c_ran'') AS n, md5(i::text) AS b FROM generate_series(1, 100000) AS i', 8192) AS c) AS s LIMIT 1;
SELECT nextval('c_ran') < 1000 AS stopped_early;
SELECT seq FROM (SELECT (query_to_rowset_chunks('SELECT 1 / (3000 - i) AS x, md5(i::text) AS b FROM generate_series(1, 5000) AS i', 8192)).seq) AS s LIMIT 2;
SELECT count(*) FROM (SELECT query_to_rowset_chunks('SELECT 1 / (3000 - i) AS x, md5(i::text) AS b FROM generate_series(1, 5000) AS i', 8192)) AS s;
SELECT * FROM pg_cursors;

-- parameters are bound
SELECT t.* FROM query_to_rowset_chunks('SELECT $1 + $2 AS sum, $3 AS t, pg_typeof($4)', 1024, 1, 2::bigint, 'it''s'::text, NULL::date) AS c,
	rowset_to_recordset(c.chunk) AS t(sum bigint, t text, pg_typeof regtype);
SELECT t.* FROM query_to_rowset_chunks('SELECT $1 AS a, pg_typeof($1)', 1024, 'a literal') AS c, rowset_to_recordset(c.chunk) AS t(a text, pg_typeof regtype);
SELECT t.* FROM query_to_rowset_chunks('SELECT $2 AS a', 1024, VARIADIC ARRAY[1, 2]) AS c, rowset_to_recordset(c.chunk) AS t(a int);
SELECT seq FROM query_to_rowset_chunks('SELECT 1', 1024, VARIADIC NULL::int[]);

-- no rows, no columns: one chunk that says so
SELECT seq, rowset_count(chunk), rowset_column_list(chunk) FROM query_to_rowset_chunks('SELECT 1 AS a, ''x''::varchar(5) AS b WHERE false', 1024);
SELECT seq, rowset_count(chunk) FROM query_to_rowset_chunks('SELECT FROM generate_series(1, 3)', 1024);

-- NULL
SELECT * FROM query_to_rowset_chunks(NULL, 1024);
SELECT * FROM query_to_rowset_chunks('SELECT 1', NULL);
SELECT * FROM query_to_rowset_chunks(NULL, 1024, 1);
SELECT * FROM query_to_rowset_chunks('SELECT 1', NULL, 1);
SELECT query_to_rowset_chunks(NULL, 1024);
SELECT t.a IS NULL AS is_null FROM query_to_rowset_chunks('SELECT $1 AS a', 1024, NULL::int) AS c, rowset_to_recordset(c.chunk) AS t(a int);

-- a single row may be larger than a chunk; nothing shares a chunk with it
SELECT seq, length(chunk) > 4096 AS larger, rowset_count(chunk)
FROM query_to_rowset_chunks($$SELECT i, CASE WHEN i IN (2, 3, 5) THEN (SELECT string_agg(md5(i::text || j::text), '') FROM generate_series(1, 1000) AS j) END AS b
	FROM generate_series(1, 6) AS i$$, 4096);

-- sizes
SELECT * FROM query_to_rowset_chunks('SELECT 1', 1023);
SELECT * FROM query_to_rowset_chunks('SELECT 1', -1);
SELECT * FROM query_to_rowset_chunks('SELECT 1', 1073740801);
SELECT seq, rowset_count(chunk) FROM query_to_rowset_chunks('SELECT 1', 1073740800);

-- statements
CREATE FUNCTION pg_temp.try(statement text, OUT chunks bigint, OUT rows bigint, OUT outcome text) LANGUAGE plpgsql AS $$
BEGIN
	SELECT count(*), sum(rowset_count(chunk)) INTO chunks, rows FROM query_to_rowset_chunks(statement, 1024);
	outcome := 'ran';
EXCEPTION WHEN OTHERS THEN
	outcome := SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE TEMP TABLE c_table (a int, b text);
PREPARE c_select AS SELECT 1 AS x;
SELECT statement, t.* FROM (VALUES
	('VALUES (1), (2)'),
	('TABLE c_table'),
	('WITH w AS (SELECT 1) SELECT * FROM w'),
	('INSERT INTO c_table SELECT i, md5(i::text) FROM generate_series(1, 200) AS i RETURNING *'),
	('WITH w AS (DELETE FROM c_table WHERE a > 100 RETURNING *) SELECT * FROM w'),
	('UPDATE c_table SET b = upper(b) WHERE a < 3 RETURNING a'),
	('SELECT * FROM c_table FOR UPDATE'),
	('SHOW work_mem'),
	('EXPLAIN (COSTS OFF) SELECT 1'),
	('EXECUTE c_select'),
	('DELETE FROM c_table'),
	('CREATE TABLE c_new (a int)'),
	('SELECT 1; SELECT 2'),
	(''),
	('SELECT 1 / 0'),
	('SELECT * FROM c_nowhere'),
	('COPY c_table TO STDOUT')
) AS v(statement), pg_temp.try(statement) AS t;
SELECT count(*) FROM c_table;
DEALLOCATE c_select;
BEGIN;
DECLARE c_cursor CURSOR FOR SELECT i AS n FROM generate_series(1, 5) AS i;
SELECT statement, t.* FROM (VALUES ('FETCH 2 FROM c_cursor'), ('FETCH ALL FROM c_cursor'), ('FETCH 0 FROM c_cursor'), ('MOVE 1 IN c_cursor')) AS v(statement), pg_temp.try(statement) AS t;
COMMIT;

-- a cursor over chunks, and the end of a subtransaction or of a portal
BEGIN;
DECLARE c_chunk CURSOR FOR SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT * FROM c_many', 8192) AS c) AS s;
FETCH 1 FROM c_chunk;
SELECT name FROM pg_cursors;
SAVEPOINT s;
FETCH 1 FROM c_chunk;
ROLLBACK TO s;
FETCH 1 FROM c_chunk;
CLOSE c_chunk;
SAVEPOINT s;
DECLARE c_chunk CURSOR FOR SELECT (c).seq FROM (SELECT query_to_rowset_chunks('SELECT * FROM c_many', 8192) AS c) AS s;
SAVEPOINT t;
FETCH 1 FROM c_chunk;
ROLLBACK TO t;
FETCH 1 FROM c_chunk;
ROLLBACK;
