--
-- Which statements query_to_rowset runs.  Any one statement that returns rows;
-- the others are refused before they run.
--
CREATE TEMP TABLE s_table (a int, b text);
INSERT INTO s_table VALUES (1, 'one'), (2, 'two');
CREATE TEMP SEQUENCE s_ran;
CREATE PROCEDURE s_inout(INOUT a int, INOUT b text) LANGUAGE plpgsql AS 'BEGIN a := a + 1; END';
CREATE PROCEDURE s_silent() LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''s_ran''); END';
PREPARE s_select (int) AS SELECT $1 AS a, nextval('s_ran') AS ran;
PREPARE s_insert AS INSERT INTO s_table VALUES (100, nextval('s_ran'));
PREPARE s_returning AS INSERT INTO s_table VALUES (3, 'three') RETURNING a;

-- What becomes of a statement: the columns and the number of the rows that it
-- gives, or its error, and whether it has run.
CREATE FUNCTION pg_temp.try(statement text) RETURNS TABLE (outcome text, ran bool) LANGUAGE plpgsql AS $$
DECLARE
	r bytea;
BEGIN
	PERFORM setval('s_ran', 1, false);
	BEGIN
		r := query_to_rowset(statement);
		outcome := coalesce(rowset_column_list(r), '') || ': ' || rowset_count(r);
	EXCEPTION WHEN OTHERS THEN
		outcome := SQLSTATE || ' ' || SQLERRM;
	END;
	ran := (SELECT is_called FROM s_ran);
	RETURN NEXT;
END $$;

-- statements that return rows
SELECT statement, t.* FROM (VALUES
	('SELECT 1 AS a'),
	('  /* comment */ SELECT 1 AS a ; -- another'),
	('SELECT nextval(''s_ran'') AS a'),
	('VALUES (1, ''x''), (2, ''y'')'),
	('TABLE s_table'),
	('(SELECT 1 AS a UNION SELECT 2) ORDER BY a'),
	('WITH w AS (SELECT nextval(''s_ran'') AS a) SELECT * FROM w'),
	('WITH w AS (INSERT INTO s_table VALUES (9, ''w'') RETURNING a) SELECT * FROM w'),
	('SELECT a FROM s_table ORDER BY a FOR UPDATE'),
	('INSERT INTO s_table VALUES (10, nextval(''s_ran'')) RETURNING a, b'),
	('UPDATE s_table SET b = upper(b) WHERE a < 3 RETURNING a'),
	('DELETE FROM s_table WHERE a > 8 RETURNING *'),
	('DELETE FROM s_table WHERE false RETURNING *'),
	('SHOW work_mem'),
	('EXPLAIN (COSTS OFF) SELECT nextval(''s_ran'')'),
	('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) SELECT nextval(''s_ran'')'),
	('EXECUTE s_select(5)'),
	('EXECUTE s_returning'),
	('CALL s_inout(1, ''x'')')
) AS v(statement), pg_temp.try(statement) AS t;
SELECT rowset_column_list(query_to_rowset('SHOW ALL'));
SELECT * FROM s_table ORDER BY a;

-- FETCH
BEGIN;
DECLARE s_cursor SCROLL CURSOR FOR SELECT i AS n, nextval('s_ran') AS ran FROM generate_series(1, 5) AS i;
SELECT statement, t.outcome FROM (VALUES ('FETCH 2 FROM s_cursor'), ('FETCH FORWARD 2 FROM s_cursor'), ('FETCH ALL FROM s_cursor'),
	('FETCH ALL FROM s_cursor'), ('FETCH BACKWARD ALL FROM s_cursor'), ('FETCH 0 FROM s_cursor'), ('MOVE 2 IN s_cursor'), ('FETCH FROM s_nothing')) AS v(statement),
	pg_temp.try(statement) AS t;
COMMIT;

-- no statement, or several
SELECT statement, t.* FROM (VALUES
	(''),
	('   '),
	(';'),
	('-- a comment'),
	('SELECT nextval(''s_ran''); SELECT nextval(''s_ran'')'),
	('SELECT nextval(''s_ran''); SELECT 1, 2'),
	('SELECT nextval(''s_ran'') AS a;;'),
	('SELECT nextval(''s_ran''); CREATE TABLE s_new (a int)'),
	('CREATE TABLE s_new (a int); SELECT nextval(''s_ran'')'),
	('SELECT nextval(''s_ran'') FROM')
) AS v(statement), pg_temp.try(statement) AS t;

-- statements that return no rows: none of them has run
SELECT statement, t.* FROM (VALUES
	('INSERT INTO s_table VALUES (20, nextval(''s_ran''))'),
	('UPDATE s_table SET b = nextval(''s_ran'')'),
	('DELETE FROM s_table WHERE nextval(''s_ran'') > 0'),
	('MERGE INTO s_table AS t USING s_table AS u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = nextval(''s_ran'')'),
	('TRUNCATE s_table'),
	('SELECT nextval(''s_ran'') INTO s_new'),
	('CREATE TABLE s_new AS SELECT nextval(''s_ran'')'),
	('CREATE TABLE s_new (a int)'),
	('CREATE VIEW s_new AS SELECT 1'),
	('CREATE ROLE s_role'),
	('DROP TABLE s_table'),
	('ALTER TABLE s_table ADD c int'),
	('COPY s_table TO STDOUT'),
	('COPY (SELECT nextval(''s_ran'')) TO STDOUT'),
	('COPY s_table FROM STDIN'),
	('SET work_mem = ''1MB'''),
	('RESET work_mem'),
	('DO $do$ BEGIN PERFORM nextval(''s_ran''); END $do$'),
	('CALL s_silent()'),
	('EXECUTE s_insert'),
	('PREPARE s_new AS SELECT 1'),
	('DEALLOCATE s_select'),
	('DECLARE s_new CURSOR FOR SELECT nextval(''s_ran'')'),
	('CLOSE ALL'),
	('BEGIN'),
	('COMMIT'),
	('ROLLBACK'),
	('SAVEPOINT s_new'),
	('LOCK TABLE s_table'),
	('NOTIFY s_new'),
	('LISTEN s_new'),
	('VACUUM s_table'),
	('ANALYZE s_table'),
	('CHECKPOINT'),
	('DISCARD ALL'),
	('GRANT SELECT ON s_table TO PUBLIC'),
	('REFRESH MATERIALIZED VIEW s_table')
) AS v(statement), pg_temp.try(statement) AS t;
SELECT * FROM s_table ORDER BY a;
SELECT to_regclass('s_new') AS "table", (SELECT count(*) FROM pg_roles WHERE rolname = 's_role') AS roles,
	(SELECT count(*) FROM pg_prepared_statements WHERE name = 's_new') AS prepared, (SELECT count(*) FROM pg_cursors WHERE name = 's_new') AS cursors,
	(SELECT count(*) FROM pg_listening_channels()) AS listens;
SHOW work_mem;
EXECUTE s_select(1);

-- rules: a statement that is rewritten into several, or into none
CREATE TEMP TABLE s_ruled (a int);
CREATE RULE s_also AS ON INSERT TO s_ruled DO ALSO INSERT INTO s_table VALUES (NEW.a, 'by rule');
SELECT * FROM pg_temp.try('INSERT INTO s_ruled VALUES (30) RETURNING a');
SELECT * FROM pg_temp.try('INSERT INTO s_ruled VALUES (31)');
DROP RULE s_also ON s_ruled;
CREATE RULE s_nothing AS ON INSERT TO s_ruled DO INSTEAD NOTHING;
SELECT * FROM pg_temp.try('INSERT INTO s_ruled VALUES (32) RETURNING a');
DROP RULE s_nothing ON s_ruled;
CREATE RULE s_instead AS ON INSERT TO s_ruled DO INSTEAD INSERT INTO s_table VALUES (NEW.a, 'instead') RETURNING a;
SELECT * FROM pg_temp.try('INSERT INTO s_ruled VALUES (33) RETURNING a');
SELECT * FROM s_ruled ORDER BY a;
SELECT * FROM s_table WHERE a >= 30 ORDER BY a;

-- what the statement raises comes out as it is
SELECT query_to_rowset('SELECT 1 / 0');
SELECT query_to_rowset('SELECT * FROM s_nowhere');
SELECT query_to_rowset('SELECT 1 +');

DEALLOCATE s_select;
DEALLOCATE s_insert;
DEALLOCATE s_returning;
DROP PROCEDURE s_inout, s_silent;
