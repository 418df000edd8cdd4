--
-- The rows of a rowset straight to the client
--
CREATE TABLE s_packed AS SELECT query_to_rowset('SELECT i AS id, ''name '' || i AS "Name", i * 1.50 AS price FROM generate_series(1, 3) AS i') AS r;
SELECT r FROM s_packed \gset

CALL rowset_send(:'r');
CALL rowset_send(query_to_rowset('VALUES (1, NULL), (2, ''x'')'));
CALL rowset_send(rowset => query_to_rowset('SHOW server_encoding'));
-- the result is one to psql as any other
CALL rowset_send(query_to_rowset('SELECT 1 AS one, ''x'' AS x')) \gset sent_
SELECT :sent_one AS one, :'sent_x' AS x;
\pset format unaligned
CALL rowset_send(:'r');
\pset format aligned

-- no rows, no columns, neither, names that occur twice, the most columns
CALL rowset_send(query_to_rowset('SELECT 1 AS a, ''x''::text AS b WHERE false'));
CALL rowset_send(query_to_rowset('SELECT FROM generate_series(1, 2)'));
CALL rowset_send(query_to_rowset('SELECT WHERE false'));
CALL rowset_send(query_to_rowset('SELECT 1 AS a, ''x'' AS a, 2, 3'));
SELECT string_agg(i || ' AS c' || i, ', ') AS wide FROM generate_series(1, 1664) AS i \gset
CALL rowset_send(query_to_rowset('SELECT ' || :'wide')) \gset
SELECT :c1 AS c1, :c1664 AS c1664;

-- types: of the user, arrays, composites, records; a domain is sent as its base type
CREATE TYPE s_mood AS ENUM ('sad', 'ok');
CREATE TYPE s_pair AS (a int, m s_mood);
CREATE DOMAIN s_domain AS varchar(5) CHECK (VALUE <> '');
CALL rowset_send(query_to_rowset('SELECT ''ok''::s_mood AS e, ROW(1, ''sad'')::s_pair AS c, ''{ok,NULL}''::s_mood[] AS a, ROW(1, ROW(''x''::text, NULL)) AS r, ''abc''::s_domain AS d, 1.50::numeric(5,2) AS n, ''\x00ff''::bytea AS b'));
SELECT query_to_rowset('SELECT ''ok''::s_mood AS e') AS gone, query_to_rowset('SELECT ''abc''::s_domain AS d') AS d \gset
DROP TYPE s_pair, s_mood;
CALL rowset_send(:'gone');
ALTER DOMAIN s_domain ADD CHECK (false) NOT VALID;
CALL rowset_send(:'d');
DROP DOMAIN s_domain;
-- as the session's settings have them
SET datestyle = 'German';
CALL rowset_send(query_to_rowset('SELECT ''2024-02-29''::date AS d'));
RESET datestyle;

-- more rows than a batch has
\o | tail -n 3
CALL rowset_send(query_to_rowset('SELECT i, repeat(''x'', i % 10) AS x FROM generate_series(1, 30000) AS i'));
\o

-- in a transaction block
BEGIN ISOLATION LEVEL REPEATABLE READ;
CALL rowset_send(:'r');
SAVEPOINT s;
CALL rowset_send('\x00');
ROLLBACK TO s;
CALL rowset_send(:'r');
COMMIT;

-- in DO: each has a result of its own
DO $$
DECLARE
	v_r bytea := r FROM s_packed;
BEGIN
	CALL rowset_send(v_r);
	CALL rowset_send(query_to_rowset('SELECT 5 AS a, true AS b'));
END $$;

-- in procedures, called by each other, with what is sent taken from tables
CREATE PROCEDURE s_inner(what text) LANGUAGE plpgsql AS $$
DECLARE
	x record;
BEGIN
	CALL rowset_send(query_to_rowset('SELECT $1 AS what', what));
	FOR x IN SELECT r FROM s_packed LOOP
		CALL rowset_send(x.r);
	END LOOP;
END $$;
CREATE PROCEDURE s_outer() LANGUAGE plpgsql AS $$
BEGIN
	CALL s_inner('first');
	EXECUTE 'CALL s_inner($1)' USING 'second';
END $$;
CALL s_outer();
CREATE PROCEDURE s_sql(r bytea) LANGUAGE sql AS 'CALL rowset_send(r)';
CALL s_sql(:'r');
-- what a procedure says in other ways comes in its place
DO $$
BEGIN
	RAISE NOTICE 'before';
	CALL rowset_send(query_to_rowset('SELECT 1 AS a'));
	RAISE NOTICE 'after';
END $$;

-- in one that commits and rolls back in between
CREATE TABLE s_log (i int);
CREATE PROCEDURE s_commits(r bytea) LANGUAGE plpgsql AS $$
DECLARE
	v_r bytea := s.r FROM s_packed AS s;
BEGIN
	CALL rowset_send(r);
	INSERT INTO s_log VALUES (1);
	COMMIT;
	CALL rowset_send(v_r);
	INSERT INTO s_log VALUES (2);
	ROLLBACK;
	CALL rowset_send(query_to_rowset('SELECT i FROM s_log'));
END $$;
CALL s_commits(:'r');

-- in a loop over rowsets in TOAST storage, which are deleted meanwhile
CREATE TABLE s_toasted AS SELECT i AS id, query_to_rowset('SELECT n, md5(n::text) AS m FROM generate_series(1, 2000) AS n') AS r FROM generate_series(1, 2) AS i;
CREATE PROCEDURE s_queue() LANGUAGE plpgsql AS $$
DECLARE
	x record;
BEGIN
	FOR x IN SELECT id, r FROM s_toasted ORDER BY id LOOP
		DELETE FROM s_toasted WHERE id = x.id;
		COMMIT;
		CALL rowset_send(x.r);
	END LOOP;
END $$;
\o | grep rows
CALL s_queue();
\o
DROP PROCEDURE s_queue;
DROP TABLE s_toasted;

-- an error that is caught leaves what has been sent
DO $$
BEGIN
	BEGIN
		CALL rowset_send(query_to_rowset('SELECT 1 AS sent'));
		RAISE division_by_zero;
	EXCEPTION WHEN division_by_zero THEN
		CALL rowset_send(query_to_rowset('SELECT 2 AS caught'));
	END;
END $$;
-- one that is not caught ends the statement
DO $$
BEGIN
	CALL rowset_send(query_to_rowset('SELECT 1 AS sent'));
	PERFORM 1 / 0;
END $$;
CALL rowset_send(query_to_rowset('SELECT ''as ever'' AS after_an_error'));

-- arguments
CALL rowset_send(NULL);
CALL rowset_send('\x00');
CALL rowset_send('');
CALL rowset_send(substr(:'r'::bytea, 1, length(:'r'::bytea) - 1));
SELECT rowset_send(NULL);

-- refused where the client expects something else
CREATE FUNCTION s_function() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	v_r bytea := r FROM s_packed;
BEGIN
	CALL rowset_send(v_r);
	RETURN 1;
END $$;
SELECT s_function();
\set VERBOSITY terse
SELECT i, s_function() FROM generate_series(1, 2) AS i;
VALUES (s_function());
INSERT INTO s_log VALUES (s_function());
UPDATE s_log SET i = s_function();
DELETE FROM s_log WHERE i = s_function();
INSERT INTO s_log VALUES (s_function()) RETURNING i;
WITH w AS (INSERT INTO s_log VALUES (s_function()) RETURNING i) SELECT i FROM w;
CREATE TABLE s_new AS SELECT s_function();
EXPLAIN (ANALYZE, COSTS OFF) SELECT s_function();
COPY (SELECT s_function()) TO STDOUT;
PREPARE s_prepared AS SELECT s_function();
EXECUTE s_prepared;
DEALLOCATE s_prepared;
ALTER TABLE s_log ADD COLUMN f int DEFAULT s_function();
BEGIN;
DECLARE c CURSOR FOR SELECT s_function();
FETCH c;
ROLLBACK;
BEGIN;
DECLARE c CURSOR WITH HOLD FOR SELECT s_function();
COMMIT;
SELECT count(*) FROM pg_cursors;
\set VERBOSITY default
-- a query whose rows a procedure reads one by one is a statement of its own
DO $$
DECLARE
	x record;
BEGIN
	FOR x IN SELECT s_function() LOOP
		NULL;
	END LOOP;
END $$;
-- but what is never sent to the client can't be mixed up
DO $$
BEGIN
	PERFORM s_function();
END $$;
-- output arguments are a result
CREATE PROCEDURE s_outputs(r bytea, OUT n bigint) LANGUAGE plpgsql AS $$
BEGIN
	CALL rowset_send(r);
	n := rowset_count(r);
END $$;
CALL s_outputs(:'r', NULL);
DO $$
DECLARE
	v_n bigint;
BEGIN
	CALL s_outputs(query_to_rowset('SELECT 1 AS a'), v_n);
	RAISE NOTICE 'n is %', v_n;
END $$;
-- triggers, under whatever statement, and deferred
CREATE FUNCTION s_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	CALL rowset_send(record_to_rowset(NEW));
	RETURN NULL;
END $$;
CREATE TRIGGER s_trigger AFTER INSERT ON s_log FOR EACH ROW EXECUTE FUNCTION s_trigger();
INSERT INTO s_log VALUES (3);
DO 'BEGIN INSERT INTO s_log VALUES (3); END';
DROP TRIGGER s_trigger ON s_log;
CREATE CONSTRAINT TRIGGER s_trigger AFTER INSERT ON s_log INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION s_trigger();
BEGIN;
INSERT INTO s_log VALUES (3);
COMMIT;
DO 'BEGIN INSERT INTO s_log VALUES (3); COMMIT; END';
DROP TRIGGER s_trigger ON s_log;
COPY s_log FROM STDIN;
4
\.
CREATE TRIGGER s_trigger AFTER INSERT ON s_log FOR EACH ROW EXECUTE FUNCTION s_trigger();
COPY s_log FROM STDIN;
5
\.
DROP TRIGGER s_trigger ON s_log;
SELECT i FROM s_log ORDER BY i;

-- each prefix of a rowset, and bytes that are changed: an error, and the session goes on
\o /dev/null
CREATE TEMP TABLE s_outcome (state text);
DO $$
DECLARE
	v_r bytea := r FROM s_packed;
	v_state text;
BEGIN
	FOR n IN 0 .. 3 * length(v_r) - 1 LOOP
		BEGIN
			IF n < length(v_r) THEN
				CALL rowset_send(substr(v_r, 1, n));
			ELSE
				CALL rowset_send(set_byte(v_r, n / 3, get_byte(v_r, n / 3) # (255 >> n % 8)));
			END IF;
			v_state := 'sent';
		EXCEPTION WHEN OTHERS THEN
			v_state := SQLSTATE;
		END;
		INSERT INTO s_outcome VALUES (v_state);
	END LOOP;
END $$;
\o
SELECT DISTINCT state FROM s_outcome WHERE state NOT IN ('22P03', 'XX001') ORDER BY state;
CALL rowset_send(:'r');

DROP FUNCTION s_function, s_trigger;
DROP PROCEDURE s_inner, s_outer, s_sql, s_commits, s_outputs;
DROP TABLE s_packed, s_log;
