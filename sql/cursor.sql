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
SELECT rowset_open(r, '') LIKE '<unnamed portal %>' AS "gets one too" FROM packed;
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
