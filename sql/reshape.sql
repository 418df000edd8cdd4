--
-- Rowsets from rowsets: slices, columns, names, and putting together
--
CREATE TEMP TABLE packed AS
SELECT query_to_rowset($$SELECT i AS id, 'row ' || i AS name, i * 1.5 AS price FROM generate_series(1, 10) AS i$$) AS r;

-- rowset_slice: OFFSET and LIMIT
SELECT t.* FROM packed, rowset_to_recordset(rowset_slice(r, 3, 2)) AS t(id int, name text, price numeric);
SELECT t.id FROM packed, rowset_to_recordset(rowset_slice(r, 8)) AS t(id int);
SELECT rowset_slice(r, 0) = r AS whole, rowset_slice(r, NULL, NULL) = r AS without_either, rowset_count(rowset_slice(r, 10)) AS at_end,
	rowset_count(rowset_slice(r, 11, 5)) AS past_end, rowset_count(rowset_slice(r, 0, 0)) AS none, rowset_count(rowset_slice(r, 4, 100)) AS past_limit,
	rowset_count(rowset_slice(r, 1, 9223372036854775807)) AS largest, rowset_count(rowset_slice(r, 9223372036854775807, 9223372036854775807)) AS far FROM packed;
SELECT rowset_count(rowset_slice(r, "offset" => 2, "limit" => 3)) FROM packed;
-- no rows are left, but all that is known of the columns
SELECT c.name, c.type FROM packed, rowset_columns(rowset_slice(r, 100)) AS c;
SELECT rowset_slice(NULL, 0) IS NULL AS "null";
SELECT rowset_slice(r, -1) FROM packed;
SELECT rowset_slice(r, 0, -1) FROM packed;
SELECT rowset_slice('\x00', 0);

-- groups that are whole stay as they are, cut ones are written as the session has it set
SET rowser.row_group_rows = 3;
CREATE TEMP TABLE grouped AS SELECT query_to_rowset('SELECT i FROM generate_series(1, 10) AS i') AS r;
RESET rowser.row_group_rows;
SELECT (rowset_info(r)).row_groups, (rowset_info(rowset_slice(r, 3, 6))).row_groups AS whole, (rowset_info(rowset_slice(r, 2, 5))).row_groups AS cut FROM grouped;
SET rowser.row_group_rows = 1;
SELECT (rowset_info(rowset_slice(r, 2, 5))).row_groups AS cut FROM grouped;
RESET rowser.row_group_rows;
SELECT array_agg(t.i) FROM grouped, rowset_to_recordset(rowset_slice(r, 2, 5)) AS t(i int);

-- rowset_project: columns by name, in that order
SELECT t.* FROM packed, rowset_to_recordset(rowset_project(rowset_slice(r, 0, 2), 'price', 'id'), 'position') AS t(price numeric, id int);
SELECT rowset_column_list(rowset_project(r, 'name', 'id', 'name')) FROM packed;
SELECT rowset_project(r, 'id', 'name', 'price') = r AS all_of_them FROM packed;
SELECT rowset_project(r, VARIADIC ARRAY['name', 'price']) = rowset_project(r, 'name', 'price') AS as_array FROM packed;
SELECT rows, columns FROM packed, rowset_info(rowset_project(r, VARIADIC '{}'));
SELECT rowset_project(NULL, 'id') IS NULL AS "null", rowset_project(r, VARIADIC NULL) IS NULL AS "null" FROM packed;
SELECT rowset_project(r, 'id', 'nothing') FROM packed;
SELECT rowset_project(r, 'ID') FROM packed;
SELECT rowset_project(r, '') FROM packed;
SELECT rowset_project(r, 'id', NULL) FROM packed;
SELECT rowset_project(query_to_rowset('SELECT 1 AS a, 2 AS a'), 'a');
SELECT rowset_project(query_to_rowset('SELECT'), 'a');
SELECT rowset_project(r, VARIADIC array_fill('id'::text, ARRAY[1665])) FROM packed;
SELECT (rowset_info(rowset_project(r, VARIADIC array_fill('id'::text, ARRAY[1664])))).columns FROM packed;
SELECT rowset_project('\x00', 'a');

-- rowset_rename: one name, or all from the first on
SELECT rowset_column_list(rowset_rename(r, 'name', 'Full name')) FROM packed;
SELECT rowset_column_list(rowset_rename(r, '{a,b}')) FROM packed;
SELECT rowset_column_list(rowset_rename(r, ARRAY['a', 'b', 'c'])) FROM packed;
SELECT rowset_rename(r, 'name', 'name') = r AS same, rowset_rename(r, '{}') = r AS same FROM packed;
SELECT rowset_column_list(rowset_rename(r, 'name', 'id')) FROM packed;
SELECT rowset_column_list(rowset_project(rowset_rename(query_to_rowset('SELECT 1 AS a, ''x''::text AS a'), '{a,b}'), 'b'));
SELECT rowset_rename(NULL, 'a', 'b') IS NULL AS "null", rowset_rename(NULL, '{a}') IS NULL AS "null", rowset_rename(r, NULL) IS NULL AS "null" FROM packed;
SELECT rowset_rename(r, 'nothing', 'a') FROM packed;
SELECT rowset_rename(query_to_rowset('SELECT 1 AS a, 2 AS a'), 'a', 'b');
SELECT rowset_rename(r, 'name', '') FROM packed;
SELECT rowset_rename(r, 'name', NULL) FROM packed;
SELECT rowset_rename(r, NULL, 'a') FROM packed;
SELECT rowset_rename(r, ARRAY['a', NULL]) FROM packed;
SELECT rowset_rename(r, '{a,b,c,d}') FROM packed;
SELECT rowset_column_list(rowset_rename(rowset_project(r, 'id'), 'id', repeat('long ', 14))) FROM packed;
SELECT rowset_rename('\x00', '{}');

-- rowset_concat: rows one after the other
SELECT t.id FROM packed, rowset_to_recordset(rowset_concat(rowset_slice(r, 8), NULL, rowset_slice(r, 0, 2))) AS t(id int);
SELECT rowset_concat(r) = r AS one, rowset_concat(r, rowset_slice(r, 0, 0)) = r AS nothing_more FROM packed;
SELECT rowset_concat(NULL::bytea, NULL) IS NULL AS "null", rowset_concat(VARIADIC '{}') IS NULL AS "null", rowset_concat(VARIADIC NULL) IS NULL AS "null";
SELECT rowset_concat(r, rowset_project(r, 'id', 'name')) FROM packed;
SELECT rowset_concat(r, rowset_rename(r, 'name', 'label')) FROM packed;
SELECT rowset_concat(query_to_rowset('SELECT 1::numeric(5,2) AS a'), query_to_rowset('SELECT 1::numeric AS a'));
SELECT rowset_concat(query_to_rowset('SELECT ''x''::text AS a'), query_to_rowset('SELECT ''x'' COLLATE "C" AS a'));
SELECT rowset_concat(r, '\x00') FROM packed;
SELECT rowset_concat('\x00');

-- rowset_concat_agg: the same over rows
CREATE TEMP TABLE chunks AS SELECT k, query_to_rowset('SELECT $1 AS k, i FROM generate_series(1, $1) AS i', k) AS chunk FROM generate_series(1, 4) AS k;
SELECT array_agg((t.k, t.i)) FROM (SELECT rowset_concat_agg(chunk ORDER BY k DESC) AS r FROM chunks WHERE k < 4) AS c, rowset_to_recordset(r) AS t(k int, i int);
SELECT k % 2 AS odd, rowset_count(rowset_concat_agg(chunk)) FROM chunks GROUP BY 1 ORDER BY 1;
SELECT rowset_concat_agg(chunk) IS NULL AS "null" FROM chunks WHERE k > 9;
SELECT rowset_count(rowset_concat_agg(CASE WHEN k > 2 THEN chunk END)) FROM chunks;
SELECT rowset_concat_agg(CASE WHEN k > 2 THEN chunk ELSE query_to_rowset('SELECT 1') END ORDER BY k) FROM chunks;
SELECT rowset_concat_agg(chunk) OVER () FROM chunks;

-- more than a rowset can hold
SET rowser.compression = none;
CREATE TEMP TABLE large AS SELECT query_to_rowset('SELECT repeat(md5(i::text), 1000000) AS a FROM generate_series(1, 4) AS i') AS r;
RESET rowser.compression;
SELECT rowset_concat_agg(r) FROM large, generate_series(1, 9);
SELECT rowset_project(r, VARIADIC array_fill('a'::text, ARRAY[9])) FROM large;
DROP TABLE large;

-- rowset_schema_hash
SELECT rowset_schema_hash(r) = rowset_schema_hash(rowset_slice(r, 2, 3)) AS rows_do_not_count, rowset_schema_hash(r) = rowset_schema_hash(rowset_rename(r, 'id', 'di')) AS names_do,
	length(rowset_schema_hash(r)), rowset_schema_hash(NULL) IS NULL AS "null" FROM packed;
SELECT rowset_schema_hash(query_to_rowset('SELECT 1 AS a'));
SELECT rowset_schema_hash('\x00');

-- one value, several transactions: snapshots don't matter, nor do commits
CREATE TABLE reshaped (r bytea);
CREATE PROCEDURE halve(r bytea) LANGUAGE plpgsql AS $$
DECLARE
	n bigint := rowset_count(r);
BEGIN
	WHILE n > 1 LOOP
		n := n / 2;
		INSERT INTO reshaped VALUES (rowset_slice(r, 0, n));
		COMMIT;
	END LOOP;
	BEGIN
		PERFORM rowset_slice(r, -1);
	EXCEPTION WHEN invalid_row_count_in_result_offset_clause THEN
		INSERT INTO reshaped VALUES (rowset_project(r, 'id'));
	END;
	ROLLBACK;
END $$;
SELECT r FROM packed \gset
CALL halve(:'r');
SELECT rowset_count(r) FROM reshaped ORDER BY 1;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT rowset_count(rowset_concat_agg(r)) FROM reshaped;
SAVEPOINT s;
SELECT rowset_project(r, 'nothing') FROM reshaped;
ROLLBACK TO s;
SELECT rowset_count(rowset_concat_agg(rowset_project(r, 'id'))) FROM reshaped;
COMMIT;
DROP PROCEDURE halve;
DROP TABLE reshaped;

-- functions of other schemas don't matter
CREATE SCHEMA elsewhere;
CREATE FUNCTION elsewhere.rowset_slice(bytea, int, int) RETURNS bytea LANGUAGE sql AS 'SELECT NULL::bytea';
SELECT rowset_count(public.rowset_slice(r, 2, 3)) FROM packed;
DROP SCHEMA elsewhere CASCADE;
