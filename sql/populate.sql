--
-- A rowset to rows of a row type
--
CREATE TYPE p_type AS (id int, name text, price numeric(10,2));
CREATE TABLE p_table (id int, gone int, name text DEFAULT 'by default', price numeric(10,2));
ALTER TABLE p_table DROP COLUMN gone;
CREATE TEMP TABLE packed AS
SELECT query_to_rowset('SELECT i AS id, ''name '' || i AS name, i * 1.555 AS price, i > 1 AS extra FROM generate_series(1, 3) AS i') AS r;

SELECT t.* FROM packed, rowset_populate_recordset(NULL::p_type, r) AS t;
SELECT t.* FROM packed, rowset_populate_recordset(NULL::p_table, r) AS t;
SELECT t, pg_typeof(t) FROM packed, rowset_populate_recordset(NULL::p_table, r) AS t LIMIT 1;
INSERT INTO p_table SELECT t.* FROM packed, rowset_populate_recordset(NULL::p_table, r) AS t RETURNING *;

-- a column that is missing takes the value that the base has, not the default of the table
SELECT t.* FROM rowset_populate_recordset(NULL::p_table, query_to_rowset('SELECT 7 AS id')) AS t;
SELECT t.* FROM rowset_populate_recordset(ROW(1, 'base', 2.5)::p_type, query_to_rowset('SELECT i AS id FROM generate_series(8, 9) AS i')) AS t;
SELECT t.* FROM rowset_populate_recordset(ROW(1, 'base', 2.5)::p_type, query_to_rowset('SELECT NULL::text AS name')) AS t;
SELECT t.* FROM rowset_populate_recordset(ROW(1, 'base', 2.5)::p_type, query_to_rowset('SELECT 1 AS other')) AS t;
SELECT t.* FROM rowset_populate_recordset(ROW(1, 'base', 2.5)::p_type, query_to_rowset('SELECT FROM generate_series(1, 2)')) AS t;
SELECT t.* FROM rowset_populate_recordset(ROW(1, 'base', 2.5)::p_type, query_to_rowset('SELECT 1 AS id WHERE false')) AS t;
-- types differ: assignment casts, or an error
SELECT t.* FROM rowset_populate_recordset(NULL::p_type, query_to_rowset('SELECT 7::bigint AS id, ''x''::varchar AS name, 1.005::float8 AS price')) AS t;
SELECT t.* FROM rowset_populate_recordset(NULL::p_type, query_to_rowset('SELECT ''x''::text AS id')) AS t;
SELECT t.* FROM rowset_populate_recordset(NULL::p_type, query_to_rowset('SELECT 123456789.5 AS price')) AS t;
SELECT t.* FROM rowset_populate_recordset(NULL::p_type, query_to_rowset('SELECT 1 AS id, 2 AS id')) AS t;

-- one record
SELECT t.* FROM packed, rowset_populate_record(NULL::p_type, r) AS t;
SELECT t.* FROM rowset_populate_record(ROW(1, 'base', 2.5)::p_type, query_to_rowset('SELECT 7 AS id')) AS t;
SELECT t.* FROM rowset_populate_record(ROW(1, 'base', 2.5)::p_type, query_to_rowset('SELECT 7 AS id WHERE false')) AS t;
SELECT rowset_populate_record(NULL::p_type, query_to_rowset('SELECT 7 AS id WHERE false')) IS NULL AS is_null;
SELECT rowset_populate_record(NULL::p_type, r), (rowset_populate_record(NULL::p_type, r)).name FROM packed;
-- a record may be a row of a named type
SELECT rowset_populate_record(a[1], query_to_rowset('SELECT 7 AS id')), rowset_populate_record(a[1], query_to_rowset('SELECT 7 AS id WHERE false')) FROM (SELECT ARRAY[ROW(1, 'base', 2.5)::p_type]::record[] AS a) AS t;
SELECT t.* FROM rowset_populate_record((ARRAY[ROW(1, 'base', 2.5)::p_type]::record[])[1], query_to_rowset('SELECT 7 AS id')) AS t(id int, name text, price numeric(8, 2));

-- in the SELECT list, under LATERAL, in ROWS FROM, WITH ORDINALITY
SELECT rowset_populate_recordset(NULL::p_type, r) FROM packed;
SELECT (rowset_populate_recordset(NULL::p_type, r)).* FROM packed;
SELECT i, t.name FROM packed, generate_series(1, 2) AS i, LATERAL rowset_populate_recordset(ROW(i, NULL, NULL)::p_type, r) AS t WHERE t.id = i;
SELECT * FROM ROWS FROM (rowset_populate_recordset(NULL::p_type, (SELECT r FROM packed)), generate_series(1, 4)) WITH ORDINALITY AS t(a, b, c, d, n);
-- a base that differs from row to row
SELECT t.* FROM (VALUES (ROW(1, 'first', 1)::p_type), (ROW(2, 'second', 2)::p_type)) AS b(base), rowset_populate_recordset(base, query_to_rowset('SELECT 7 AS id')) AS t;
SELECT rowset_populate_record(base, query_to_rowset('SELECT 7 AS id')) FROM (VALUES (ROW(1, 'first', 1)::p_type), (NULL)) AS b(base);

-- domains over row types
CREATE DOMAIN p_domain AS p_type CHECK ((VALUE).id > 0);
SELECT t, pg_typeof(t) FROM rowset_populate_recordset(NULL::p_domain, query_to_rowset('SELECT 7 AS id, ''x'' AS name')) AS t;
SELECT t FROM rowset_populate_recordset(NULL::p_domain, query_to_rowset('SELECT -7 AS id')) AS t;
SELECT rowset_populate_record(NULL::p_domain, query_to_rowset('SELECT 0 AS id'));
-- a row type of one column, and of none
CREATE TYPE p_one AS (id int);
SELECT t, t.id FROM rowset_populate_recordset(NULL::p_one, query_to_rowset('SELECT i AS id FROM generate_series(1, 2) AS i')) AS t;
CREATE TYPE p_none AS ();
SELECT t FROM rowset_populate_recordset(NULL::p_none, query_to_rowset('SELECT i AS id FROM generate_series(1, 2) AS i')) AS t;
-- an anonymous record as the base: the column definition list, or the base, gives the shape
SELECT * FROM rowset_populate_recordset(NULL::record, query_to_rowset('SELECT 1 AS a, ''x''::text AS b')) AS t(b text, a int);
SELECT * FROM rowset_populate_recordset(ROW(5, 'y'::text), query_to_rowset('SELECT 1 AS f1')) AS t(f1 int, f2 text);
SELECT rowset_populate_recordset(ROW(5, 'y'::text), query_to_rowset('SELECT i AS f1 FROM generate_series(1, 2) AS i'));
SELECT rowset_populate_recordset(NULL::record, query_to_rowset('SELECT 1 AS a'));
-- what is no row type
SELECT rowset_populate_recordset(1, r) FROM packed;
SELECT rowset_populate_record('x'::text, r) FROM packed;
SELECT rowset_populate_recordset(NULL, r) FROM packed;
SELECT rowset_populate_recordset(ARRAY[1], r) FROM packed;

DROP TABLE p_table;
DROP TYPE p_type CASCADE;
DROP TYPE p_one, p_none;
