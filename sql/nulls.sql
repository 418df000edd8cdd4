--
-- NULL in every position of every call
--
CREATE TYPE n_type AS (a int, b text);
SELECT query_to_rowset('SELECT 1 AS a, NULL::text AS b') AS r \gset

-- write
SELECT query_to_rowset(NULL) IS NULL AS is_null;
SELECT query_to_rowset(NULL, 1) IS NULL AS is_null;
SELECT query_to_rowset(NULL, NULL) IS NULL AS is_null;
SELECT query_to_rowset(NULL, VARIADIC ARRAY[1]) IS NULL AS is_null;
SELECT query_to_rowset('SELECT 1', VARIADIC NULL::text[]) IS NULL AS is_null;
SELECT a, pg_typeof(a) FROM rowset_to_recordset(query_to_rowset('SELECT $1 AS a', NULL::int)) AS t(a int);
SELECT a IS NULL AS is_null FROM rowset_to_recordset(query_to_rowset('SELECT $1 AS a', NULL)) AS t(a text);
SELECT a, b FROM rowset_to_recordset(query_to_rowset('SELECT $1 AS a, $2 AS b', VARIADIC ARRAY[NULL, 'x'])) AS t(a text, b text);
SELECT table_to_rowset(NULL) IS NULL AS is_null;
SELECT record_to_rowset(NULL) IS NULL AS is_null;
SELECT record_to_rowset(NULL::n_type) IS NULL AS is_null;
SELECT rowset_agg(NULL) IS NULL AS is_null;
SELECT rowset_count(rowset_agg(v)) FROM (VALUES (NULL::n_type), (ROW(1, NULL)::n_type), (NULL)) AS t(v);
SELECT t.* FROM (SELECT rowset_agg(v) AS r FROM (VALUES (NULL::n_type), (ROW(1, NULL)::n_type), (NULL)) AS t(v)) AS s, rowset_to_recordset(r) AS t(a int, b text);

-- read
SELECT * FROM rowset_to_recordset(NULL) AS t(a int);
SELECT * FROM rowset_to_recordset(NULL, 'position') AS t(a int);
SELECT * FROM rowset_to_recordset(NULL, NULL) AS t(a int);
SELECT * FROM rowset_to_recordset(:'r', NULL) AS t(a int);
SELECT i, t.* FROM generate_series(1, 2) AS i LEFT JOIN LATERAL rowset_to_recordset(CASE i WHEN 2 THEN :'r'::bytea END) AS t(a int) ON true ORDER BY i;
SELECT * FROM rowset_populate_recordset(NULL::n_type, NULL);
SELECT * FROM rowset_populate_recordset(ROW(1, 'x')::n_type, NULL);
SELECT rowset_populate_recordset(NULL::n_type, :'r');
SELECT rowset_populate_recordset(NULL, NULL);
SELECT rowset_populate_recordset(NULL, :'r');
SELECT rowset_populate_recordset(NULL::n_type, NULL);
SELECT rowset_populate_recordset(NULL::record, NULL);
SELECT rowset_populate_recordset(NULL::int, NULL);
SELECT rowset_populate_record(NULL::n_type, NULL) IS NULL AS is_null;
SELECT rowset_populate_record(ROW(1, 'x')::n_type, NULL);
SELECT rowset_populate_record(NULL::n_type, :'r');
SELECT rowset_populate_record(NULL, :'r');
SELECT rowset_populate_record(NULL::record, NULL);
SELECT rowset_populate_record(NULL::int, NULL);
BEGIN;
SELECT rowset_open(NULL) IS NULL AS is_null;
SELECT rowset_open(NULL, 'c') IS NULL AS is_null;
SELECT rowset_open(NULL, NULL) IS NULL AS is_null;
SELECT rowset_open(:'r', NULL) IS NULL AS is_null;
SELECT count(*) FROM pg_cursors;
COMMIT;

-- inspect
SELECT * FROM rowset_columns(NULL);
SELECT * FROM rowset_info(NULL);
SELECT rowset_count(NULL) IS NULL AS count, rowset_is_valid(NULL) IS NULL AS is_valid, rowset_check(NULL) IS NULL AS "check", rowset_column_list(NULL) IS NULL AS column_list;

-- the values themselves
SELECT t.* FROM rowset_to_recordset(query_to_rowset('SELECT NULL::int AS a, NULL::text AS b, NULL::int[] AS c, NULL::n_type AS d, NULL::record AS e, NULL AS f')) AS t(a int, b text, c int[], d n_type, e record, f text);

DROP TYPE n_type;
