--
-- A rowset to a cursor, whose shape comes from the rowset alone
--
CREATE TEMP TABLE packed AS SELECT query_to_rowset('SELECT i AS id, ''name '' || i AS "Name", i * 1.50 AS price FROM generate_series(1, 3) AS i') AS r;

BEGIN;
SELECT rowset_open(r, 'c') FROM packed;
FETCH ALL FROM c;
FETCH ALL FROM c;
-- back
FETCH BACKWARD 2 FROM c;
FETCH FIRST FROM c;
FETCH LAST FROM c;
FETCH ABSOLUTE 2 FROM c;
FETCH RELATIVE -1 FROM c;
FETCH PRIOR FROM c;
MOVE FORWARD ALL IN c;
FETCH BACKWARD ALL FROM c;
SELECT name, is_holdable, is_binary, is_scrollable FROM pg_cursors WHERE name = 'c';
-- a name that is in use
SAVEPOINT s;
SELECT rowset_open(r, 'c') FROM packed;
ROLLBACK TO s;
CLOSE c;
FETCH c;
ROLLBACK;

-- without a name it gets one
BEGIN;
SELECT rowset_open(r) AS first, rowset_open(r, NULL) AS second FROM packed \gset
SELECT :'first' <> :'second' AS differ;
FETCH ALL FROM :"first";
FETCH 1 FROM :"second";
SELECT count(*) FROM pg_cursors;
SELECT rowset_open(r, 'Odd "name"') FROM packed;
FETCH 1 FROM "Odd ""name""";
SELECT rowset_open(r, '')::text LIKE '<unnamed portal %>' AS "gets one too" FROM packed;
COMMIT;
SELECT count(*) FROM pg_cursors;

-- no rows, no columns, names that occur twice, no names
BEGIN;
SELECT rowset_open(query_to_rowset('SELECT 1 AS a, ''x''::text AS b WHERE false'), 'no_rows');
FETCH ALL FROM no_rows;
SELECT rowset_open(query_to_rowset('SELECT FROM generate_series(1, 2)'), 'no_columns');
FETCH ALL FROM no_columns;
SELECT rowset_open(query_to_rowset('SELECT FROM generate_series(1, 2) WHERE false'), 'nothing');
FETCH ALL FROM nothing;
SELECT rowset_open(query_to_rowset('SELECT 1 AS a, ''x'' AS a, 2, 3'), 'twice');
FETCH ALL FROM twice;
COMMIT;

-- types: of the user, arrays, composites, records; domains are read as their base type
CREATE TYPE c_mood AS ENUM ('sad', 'ok');
CREATE TYPE c_pair AS (a int, m c_mood);
CREATE DOMAIN c_domain AS varchar(5) CHECK (VALUE <> '');
BEGIN;
SELECT rowset_open(query_to_rowset('SELECT ''ok''::c_mood AS e, ROW(1, ''sad'')::c_pair AS c, ''{ok,NULL}''::c_mood[] AS a, ROW(1, ROW(''x''::text, NULL)) AS r, ''abc''::c_domain AS d, ''{x}''::c_domain[] AS da'), 'types');
FETCH ALL FROM types;
SELECT rowset_column_list(query_to_rowset('FETCH BACKWARD 1 FROM types')) AS columns;
COMMIT;
DROP TYPE c_pair, c_mood;
DROP DOMAIN c_domain;

-- in plpgsql
DO $$
DECLARE
	c refcursor;
	x record;
	v_id int;
	v_name text;
BEGIN
	SELECT rowset_open(r) INTO c FROM packed;
	FETCH c INTO x;
	RAISE NOTICE 'FETCH INTO a record: % % %', x.id, x."Name", x.price;
	FETCH c INTO v_id, v_name;
	RAISE NOTICE 'FETCH INTO variables: % %', v_id, v_name;
	MOVE BACKWARD 1 FROM c;
	LOOP
		FETCH c INTO x;
		EXIT WHEN NOT FOUND;
		RAISE NOTICE 'in a loop: %', x;
	END LOOP;
	CLOSE c;
	FOR x IN EXECUTE format('FETCH ALL FROM %I', (SELECT rowset_open(r, 'for_loop')::text FROM packed)) LOOP
		RAISE NOTICE 'FOR IN EXECUTE: %', x."Name";
	END LOOP;
END $$;
CREATE FUNCTION pg_temp.gives_cursors() RETURNS SETOF refcursor LANGUAGE plpgsql AS $$
BEGIN
	RETURN NEXT rowset_open(r, 'one') FROM packed;
	RETURN NEXT rowset_open(query_to_rowset('SELECT now() > ''2000-01-01'' AS later'), 'two');
END $$;
BEGIN;
SELECT pg_temp.gives_cursors();
FETCH 1 FROM one;
FETCH ALL FROM two;
COMMIT;

-- a cursor as a query for the next pack
BEGIN;
SELECT rowset_open(r, 'c') FROM packed;
SELECT query_to_rowset('FETCH ALL FROM c') = r AS same FROM packed;
SELECT rowset_count(query_to_rowset('FETCH ALL FROM c')) AS "none left";
COMMIT;

-- rows are checked when they are fetched, the shape when the cursor is opened
BEGIN;
SAVEPOINT s;
SELECT rowset_open('\x00', 'c');
ROLLBACK TO s;
SELECT rowset_open(NULL, 'c');
SELECT count(*) FROM pg_cursors;
ROLLBACK;

-- held over the end of its transaction
SELECT rowset_open(r, 'held', hold => true) FROM packed;
FETCH 2 FROM held;
SELECT name, is_holdable, is_binary, is_scrollable FROM pg_cursors;
FETCH ALL FROM held;
FETCH BACKWARD 1 FROM held;
FETCH ABSOLUTE 1 FROM held;
CLOSE held;
BEGIN;
SELECT rowset_open(r, 'held', true) FROM packed;
MOVE 1 FROM held;
COMMIT;
DROP TABLE packed;
FETCH NEXT FROM held;
SELECT 1 / 0;
BEGIN;
FETCH NEXT FROM held;
ROLLBACK;
FETCH PRIOR FROM held;
CLOSE held;
-- but not over a rollback
BEGIN;
SELECT rowset_open(query_to_rowset('SELECT 1 AS a'), 'held', true);
ROLLBACK;
BEGIN;
SAVEPOINT s;
SELECT rowset_open(query_to_rowset('SELECT 1 AS a'), 'held', true);
ROLLBACK TO s;
COMMIT;
SELECT count(*) FROM pg_cursors;
SELECT rowset_open(query_to_rowset('SELECT 1 AS a'), 'held', NULL);
SELECT rowset_open(query_to_rowset('SELECT WHERE false'), 'held', true);
FETCH held;
CLOSE ALL;

--
-- The next rows of a cursor as a rowset
--
CREATE FUNCTION c_rows(r bytea) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := rowset_open(r);
	x record;
BEGIN
	RETURN NEXT rowset_column_list(r);
	FOR x IN EXECUTE format('FETCH ALL FROM %I', c::text) LOOP
		RETURN NEXT x::text;
	END LOOP;
	CLOSE c;
END $$;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT i AS id, 'name ' || i AS "Name", now() - now() AS later FROM generate_series(1, 5) AS i;
SELECT c_rows(cursor_to_rowset('c', 2));
SELECT c_rows(cursor_to_rowset('c', 0));
FETCH 1 FROM c;
SELECT c_rows(cursor_to_rowset(count => 1, cursor => 'c'));
SELECT c_rows(cursor_to_rowset('c', 10));
SELECT c_rows(cursor_to_rowset('c', 10));
SELECT c_rows(cursor_to_rowset('c'));
MOVE BACKWARD 2 FROM c;
SELECT c_rows(cursor_to_rowset('c', NULL));
MOVE ABSOLUTE 0 IN c;
SELECT rowset_count(cursor_to_rowset('c', 9223372036854775807));
MOVE ABSOLUTE 0 IN c;
SELECT cursor_to_rowset('c', 3) = query_to_rowset('SELECT i AS id, ''name '' || i AS "Name", now() - now() AS later FROM generate_series(1, 3) AS i') AS same;
COMMIT;
-- bad arguments
BEGIN;
DECLARE c NO SCROLL CURSOR FOR SELECT 1 / i AS a FROM generate_series(-1, 5) AS i;
SAVEPOINT s;
SELECT cursor_to_rowset('c', -1);
ROLLBACK TO s;
SELECT cursor_to_rowset('no such cursor', 1);
ROLLBACK TO s;
SELECT cursor_to_rowset('', 1);
ROLLBACK TO s;
SELECT cursor_to_rowset(NULL, 1) IS NULL AS is_null, cursor_to_rowset(NULL) IS NULL AS is_null;
SELECT c_rows(cursor_to_rowset('c', 1));
-- one whose query fails is of no more use
SELECT cursor_to_rowset('c', 1);
ROLLBACK TO s;
SELECT cursor_to_rowset('c', 1);
ROLLBACK TO s;
SELECT cursor_to_rowset('c', 0);
ROLLBACK TO s;
-- nor is one whose query is running
DECLARE d CURSOR FOR SELECT cursor_to_rowset('d', 1);
FETCH d;
ROLLBACK TO s;
DECLARE d CURSOR FOR SELECT cursor_to_rowset('d', 0);
FETCH d;
ROLLBACK TO s;
-- one in another is
DECLARE outside CURSOR FOR SELECT i, rowset_count(cursor_to_rowset('inside', i)) FROM generate_series(1, 3) AS i;
DECLARE inside CURSOR FOR SELECT generate_series(1, 5);
FETCH ALL FROM outside;
ROLLBACK;
-- of all kinds of statements
BEGIN;
CREATE TEMP TABLE c_table (a int, b text) ON COMMIT DROP;
INSERT INTO c_table SELECT i, repeat('x', i) FROM generate_series(1, 3) AS i;
DO $$
DECLARE
	c refcursor := 'shows';
	d CURSOR (low int) FOR SELECT * FROM c_table WHERE a >= low;
	e refcursor := 'parameter';
	f refcursor := 'updates';
	x record;
BEGIN
	OPEN c FOR SHOW server_encoding;
	OPEN d(2);
	RAISE NOTICE 'bound, with a parameter: % and then %', (SELECT string_agg(t, ' ') FROM c_rows(cursor_to_rowset(d, 1)) AS t), (SELECT string_agg(t, ' ') FROM c_rows(cursor_to_rowset(d)) AS t);
	CLOSE d;
	OPEN e SCROLL FOR EXECUTE 'SELECT $1 || b FROM c_table' USING 'y';
	OPEN f FOR EXECUTE 'WITH u AS (UPDATE c_table SET a = a + 10 RETURNING *) SELECT * FROM u';
	FETCH f INTO x;
	FOR x IN d(1) LOOP
		RAISE NOTICE 'in a loop over it: % and then %', x, (SELECT string_agg(t, ' ') FROM c_rows(cursor_to_rowset(d, 1)) AS t);
	END LOOP;
END $$;
SELECT c_rows(cursor_to_rowset('shows', 5));
SELECT c_rows(cursor_to_rowset('parameter', 2));
MOVE FIRST FROM parameter;
SELECT c_rows(cursor_to_rowset('parameter', 1));
SELECT c_rows(cursor_to_rowset('updates', 2));
DECLARE for_update CURSOR FOR SELECT * FROM c_table ORDER BY a FOR UPDATE;
SELECT c_rows(cursor_to_rowset('for_update', 2));
UPDATE c_table SET b = 'current' WHERE CURRENT OF for_update;
SELECT * FROM c_table ORDER BY a;
SELECT rowset_open(query_to_rowset('SELECT * FROM c_table'), 'opened');
SELECT c_rows(cursor_to_rowset('opened', 2));
DECLARE b BINARY CURSOR FOR SELECT 1 AS a;
SELECT c_rows(cursor_to_rowset('b', 1));
DECLARE n CURSOR FOR SELECT FROM c_table;
SELECT rowset_count(cursor_to_rowset('n', 2)), rowset_count(cursor_to_rowset('n', 2));
COMMIT;
-- held
DECLARE c CURSOR WITH HOLD FOR SELECT i FROM generate_series(1, 3) AS i;
SELECT c_rows(cursor_to_rowset('c', 2));
SELECT c_rows(cursor_to_rowset('c', 2));
SELECT c_rows(cursor_to_rowset('c', 2));
CLOSE c;
-- from one rowset to others, batch by batch, in a procedure that commits
CREATE TABLE c_batches (id int GENERATED ALWAYS AS IDENTITY, r bytea);
CREATE PROCEDURE c_batch(r bytea, size int) LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := rowset_open(r, hold => true);
	v_batch bytea;
BEGIN
	LOOP
		v_batch := cursor_to_rowset(c, size);
		EXIT WHEN rowset_count(v_batch) = 0;
		INSERT INTO c_batches (r) VALUES (v_batch);
		COMMIT;
	END LOOP;
	CLOSE c;
END $$;
CALL c_batch(query_to_rowset('SELECT generate_series(1, 10) AS n'), 4);
SELECT id, rowset_count(r), array_agg(n) FROM c_batches, rowset_to_recordset(r) AS t(n int) GROUP BY id, r ORDER BY id;
SELECT count(*) FROM pg_cursors;
DROP PROCEDURE c_batch;
DROP TABLE c_batches;
DROP FUNCTION c_rows;
