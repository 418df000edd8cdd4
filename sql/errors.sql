--
-- Every kind of error: SQLSTATE, message, detail, hint and context
--
\set VERBOSITY terse
CREATE FUNCTION pg_temp.error(statement text) RETURNS TABLE (part text, value text) LANGUAGE plpgsql AS $$
DECLARE
	v_state text;
	v_message text;
	v_detail text;
	v_hint text;
	v_context text;
BEGIN
	EXECUTE statement;
	RETURN QUERY VALUES ('no error', '');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS v_state = RETURNED_SQLSTATE, v_message = MESSAGE_TEXT, v_detail = PG_EXCEPTION_DETAIL,
		v_hint = PG_EXCEPTION_HINT, v_context = PG_EXCEPTION_CONTEXT;
	-- that it was run by EXECUTE is context too, but not ours
	v_context := split_part(split_part(v_context, 'SQL statement "' || statement, 1), 'PL/pgSQL function', 1);
	v_context := rtrim(v_context, E'\n');
	-- past the first bytes, where something stands depends on how values are encoded
	v_detail := regexp_replace(v_detail, 'at byte \d{2,}', 'at byte N');
	RETURN QUERY SELECT * FROM (VALUES ('SQLSTATE', v_state), ('MESSAGE', v_message), ('DETAIL', v_detail), ('HINT', v_hint),
		('CONTEXT', v_context)) AS v(p, t) WHERE t <> '';
END $$;

SELECT query_to_rowset('SELECT i AS id, ''row '' || i AS name, ARRAY[i] AS list FROM generate_series(1, 3) AS i') AS r \gset
SET rowser.compression = none;
SET rowser.row_group_rows = 2;
SELECT query_to_rowset('SELECT ''text '' || i AS v, repeat(''long'' || i, 200) AS w FROM generate_series(1, 4) AS i') AS t \gset
RESET rowser.row_group_rows;
RESET rowser.compression;

-- 22P03: not a rowset, or not all of one
SELECT * FROM pg_temp.error('SELECT rowset_check(''\x'')');
SELECT * FROM pg_temp.error('SELECT rowset_check(''not a rowset, but a text that is long enough'')');
SELECT * FROM pg_temp.error('SELECT rowset_count(''\xff52530d0a00'')');
SELECT * FROM pg_temp.error(format('SELECT rowset_check(%L)', substr(:'r'::bytea, 1, length(:'r'::bytea) - 1)));
SELECT * FROM pg_temp.error(format('SELECT rowset_check(%L)', substr(:'r'::bytea, 1, 20)));
SELECT * FROM pg_temp.error(format('SELECT rowset_check(%L)', :'r'::bytea || '\x00'));
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L) AS t(id int)', substr(:'r'::bytea, 1, 20)));
SELECT * FROM pg_temp.error('SELECT rowset_populate_record(NULL::pg_namespace, ''\x00'')');
SELECT * FROM pg_temp.error('SELECT rowset_populate_recordset(NULL::pg_namespace, ''\x00'')');
SELECT * FROM pg_temp.error('SELECT rowset_open(''\x00'')');
SELECT * FROM pg_temp.error('SELECT rowset_info(''\x00'')');
SELECT * FROM pg_temp.error('SELECT rowset_columns(''\x00'')');
SELECT * FROM pg_temp.error('SELECT rowset_column_list(''\x00'')');
SELECT rowset_is_valid('\x00');

-- XX001: a checksum differs, of the header, of the trailer, of a block of values
SELECT * FROM pg_temp.error(format('SELECT rowset_check(%L)', set_byte(:'r', 12, 100)));
SELECT * FROM pg_temp.error(format('SELECT rowset_check(%L)', set_byte(:'r', length(:'r'::bytea) - 5, get_byte(:'r', length(:'r'::bytea) - 5) # 1)));
SELECT position('long4long4'::bytea IN :'t'::bytea) AS place \gset
SELECT * FROM pg_temp.error(format('SELECT rowset_check(%L)', set_byte(:'t', :place, 0)));
SELECT * FROM pg_temp.error(format('SELECT count(w) FROM rowset_to_recordset(%L) AS t(v text, w text)', set_byte(:'t', :place, 0)));
SELECT * FROM pg_temp.error(format('DO $do$ DECLARE x record; BEGIN FOR x IN EXECUTE format(''FETCH ALL FROM %%I'', rowset_open(%L)::text) LOOP NULL; END LOOP; END $do$', set_byte(:'t', :place, 0)));
-- a column that is not read is not checked
SELECT count(v) FROM rowset_to_recordset(set_byte(:'t', :place, 0)) AS t(v text);

-- 0A000: a later version, a type that can't be stored, no shape
SELECT * FROM pg_temp.error(format('SELECT rowset_check(%L)', set_byte(:'r', 6, 2)));
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''SELECT 1 AS a, NULL::pg_ddl_command AS b'')');
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''SELECT 1 AS a, ROW(NULL::pg_ddl_command) AS b'')');
SELECT * FROM pg_temp.error(format('SELECT rowset_to_recordset(%L)', :'r'));

-- 42601, 54011: core's own, for the column definition list
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L)', :'r'));

-- 42703: a column that is not there
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L) AS t(id int, nome text)', :'r'));
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L, ''position'') AS t(a int, b text, c int[], d int)', :'r'));
SELECT * FROM pg_temp.error('SELECT * FROM rowset_to_recordset(query_to_rowset(''SELECT'')) AS t(id int)');
SELECT part, left(value, 60) FROM pg_temp.error($$SELECT * FROM rowset_to_recordset(query_to_rowset((SELECT 'SELECT ' || string_agg(i || ' AS "column ' || i || '"', ', ') FROM generate_series(1, 300) AS i))) AS t(id int)$$);
-- and one that is there twice
SELECT * FROM pg_temp.error('SELECT * FROM rowset_to_recordset(query_to_rowset(''SELECT 1 AS a, 2 AS a'')) AS t(a int)');

-- 42804: a type without a cast
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L) AS t(id int, name int)', :'r'));
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L, ''position'') AS t(a int, b text, c date)', :'r'));
SELECT * FROM pg_temp.error(format('SELECT rowset_populate_recordset(1, %L)', :'r'));
SELECT * FROM pg_temp.error(format('SELECT rowset_populate_record(1, %L)', :'r'));

-- a value that its target doesn't take: the column and the row group are told
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L) AS t(v varchar(3))', :'t'));
SELECT * FROM pg_temp.error($$SELECT * FROM rowset_to_recordset(query_to_rowset('SELECT 40000 AS "Big"')) AS t("Big" smallint)$$);

-- 22023: an option
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L, ''names'') AS t(id int)', :'r'));
SELECT * FROM pg_temp.error('SET rowser.compression = gzip');
SELECT * FROM pg_temp.error('SET rowser.row_group_rows = 0');

-- 42P11: statements
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''CREATE TABLE e_new (a int)'')');
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''SELECT 1; SELECT 2'')');
SELECT * FROM pg_temp.error('SELECT query_to_rowset('''')');
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''INSERT INTO e_new VALUES (1)'')');
-- the query's own errors
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''SELECT 1 / 0'')');
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''SELECT $1'')');
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''SELECT $2'', 1)');
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''SELECT 1'', VARIADIC 1)');

-- types of the user that are not there
CREATE TYPE e_mood AS ENUM ('sad', 'ok');
SELECT query_to_rowset('SELECT ''ok''::e_mood AS mood') AS m \gset
ALTER TYPE e_mood RENAME VALUE 'ok' TO 'fine';
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L) AS t(mood e_mood)', :'m'));
DROP TYPE e_mood;
SELECT * FROM pg_temp.error(format('SELECT rowset_open(%L)', :'m'));
SELECT * FROM pg_temp.error(format('SELECT * FROM rowset_to_recordset(%L) AS t(mood text)', :'m'));

-- 42P03, 34000: cursors
BEGIN;
SELECT rowset_open(:'r', 'c');
SELECT * FROM pg_temp.error(format('SELECT rowset_open(%L, ''c'')', :'r'));
COMMIT;
SELECT * FROM pg_temp.error('SELECT query_to_rowset(''FETCH ALL FROM nowhere'')');

-- table_to_rowset
SELECT * FROM pg_temp.error('SELECT table_to_rowset(''pg_class_oid_index'')') WHERE part = 'SQLSTATE';
SELECT * FROM pg_temp.error('SELECT table_to_rowset(4000000000)');
SELECT * FROM pg_temp.error('SELECT rowset_agg(r) FROM (VALUES (ROW(1)), (ROW(1, 2))) AS v(r)');
