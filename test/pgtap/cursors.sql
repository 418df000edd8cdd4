--
-- cursors.sql
--	  Cursors both ways: one over a rowset moves as one over the table that it
--	  was made of, held or not; and any cursor read in pieces of any size gives
--	  the rows of its query.  None is left behind.
--
--	  This file runs outside a transaction and cleans up behind itself.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT no_plan();
CREATE SCHEMA cu;

-- All rows that a statement such as FETCH gives, as one text.
CREATE FUNCTION cu.rows(p_sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rows text := '';
	x record;
BEGIN
	FOR x IN EXECUTE p_sql LOOP
		v_rows := v_rows || x::text || ' ';
	END LOOP;
	RETURN v_rows;
END $$;

-- All rows of a rowset, likewise.
CREATE FUNCTION cu.rows(p_rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := rowset_open(p_rowset);
	v_rows text := cu.rows(format('FETCH ALL FROM %I', c::text));
BEGIN
	CLOSE c;
	RETURN v_rows;
END $$;

-- The error of a statement: SQLSTATE and text, or NULL.
CREATE FUNCTION cu.error(p_sql text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE p_sql;
	RETURN NULL;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

CREATE TABLE cu.query (ord int GENERATED ALWAYS AS IDENTITY, name text, q text);
INSERT INTO cu.query (name, q) VALUES
	('no rows', 'SELECT i, ''x''::text AS t FROM generate_series(1, 0) AS i'),
	('one row', 'SELECT i, ''x''::text AS t FROM generate_series(1, 1) AS i'),
	('some rows', 'SELECT i, repeat(''x'', i % 7) AS t, nullif(i % 3, 0) AS n FROM generate_series(1, 23) AS i'),
	('batches and groups', 'SELECT i, repeat(''x'', i % 7) AS t, ARRAY[i, NULL] AS a, ROW(i, ''y'')::text AS r FROM generate_series(1, 2600) AS i'),
	('no columns', 'SELECT FROM generate_series(1, 5)');

--
-- rowset_open: moving
--

-- The same random moves on two cursors: NULL, or the first that differs.
CREATE FUNCTION cu.moves(p_one text, p_other text, p_rows int, p_moves int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_directions text[] := '{NEXT,PRIOR,FIRST,LAST,ABSOLUTE %s,RELATIVE %s,FORWARD %s,BACKWARD %s,FORWARD ALL,BACKWARD ALL}';
	v_move text;
	v_rows text;
	v_moved int;
	v_moved_too int;
BEGIN
	FOR n IN 1 .. p_moves LOOP
		v_move := format(v_directions[1 + floor(random() * 10)], floor((random() - 0.3) * (p_rows + 3)));
		v_rows := cu.rows(format('FETCH %s FROM %I', v_move, p_one));
		IF v_rows IS DISTINCT FROM cu.rows(format('FETCH %s FROM %I', v_move, p_other)) THEN
			RETURN format('move %s, FETCH %s, gives %s', n, v_move, left(v_rows, 100));
		END IF;
		v_move := format(v_directions[1 + floor(random() * 10)], floor((random() - 0.3) * (p_rows + 3)));
		EXECUTE format('MOVE %s FROM %I', v_move, p_one);
		GET DIAGNOSTICS v_moved = ROW_COUNT;
		EXECUTE format('MOVE %s FROM %I', v_move, p_other);
		GET DIAGNOSTICS v_moved_too = ROW_COUNT;
		IF v_moved <> v_moved_too THEN
			RETURN format('move %s, MOVE %s, moves %s', n, v_move, v_moved);
		END IF;
	END LOOP;
	RETURN NULL;
END $$;

-- One over the rowset of a table and one over the table, within a transaction
-- or held over the end of one.
CREATE PROCEDURE cu.compare(p_q text, p_hold boolean, p_moves int, INOUT result text) LANGUAGE plpgsql AS $$
DECLARE
	v_rows int;
BEGIN
	SET LOCAL rowser.row_group_rows = 1000;
	EXECUTE 'CREATE TEMP TABLE compared AS ' || p_q;
	GET DIAGNOSTICS v_rows = ROW_COUNT;
	PERFORM rowset_open(table_to_rowset('compared'), 'one', p_hold);
	EXECUTE format('DECLARE other SCROLL CURSOR %s FOR SELECT * FROM compared', CASE WHEN p_hold THEN 'WITH HOLD' END);
	IF p_hold THEN
		-- held where they are after these
		result := cu.moves('one', 'other', v_rows, 2);
		COMMIT;
	END IF;
	result := coalesce(result, cu.moves('one', 'other', v_rows, p_moves), 'same');
	EXECUTE 'CLOSE ALL';
	DROP TABLE compared;
END $$;
SELECT setseed(0.5) \gset
SELECT q AS no_rows FROM cu.query WHERE name = 'no rows' \gset
SELECT q AS one_row FROM cu.query WHERE name = 'one row' \gset
SELECT q AS some_rows FROM cu.query WHERE name = 'some rows' \gset
SELECT q AS groups FROM cu.query WHERE name = 'batches and groups' \gset
SELECT q AS no_columns FROM cu.query WHERE name = 'no columns' \gset
CALL cu.compare(:'no_rows', false, 40, NULL) \gset
SELECT is(:'result'::text, 'same', 'no rows: moves as a cursor over the table');
CALL cu.compare(:'no_rows', true, 40, NULL) \gset
SELECT is(:'result'::text, 'same', 'no rows: and so if held');
CALL cu.compare(:'one_row', false, 60, NULL) \gset
SELECT is(:'result'::text, 'same', 'one row: moves as a cursor over the table');
CALL cu.compare(:'one_row', true, 60, NULL) \gset
SELECT is(:'result'::text, 'same', 'one row: and so if held');
CALL cu.compare(:'some_rows', false, 200, NULL) \gset
SELECT is(:'result'::text, 'same', 'some rows: moves as a cursor over the table');
CALL cu.compare(:'some_rows', true, 200, NULL) \gset
SELECT is(:'result'::text, 'same', 'some rows: and so if held');
CALL cu.compare(:'groups', false, 80, NULL) \gset
SELECT is(:'result'::text, 'same', 'batches and groups: moves as a cursor over the table');
CALL cu.compare(:'groups', true, 80, NULL) \gset
SELECT is(:'result'::text, 'same', 'batches and groups: and so if held');
CALL cu.compare(:'no_columns', false, 60, NULL) \gset
SELECT is(:'result'::text, 'same', 'no columns: moves as a cursor over the table');
CALL cu.compare(:'no_columns', true, 60, NULL) \gset
SELECT is(:'result'::text, 'same', 'no columns: and so if held');
SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'none is left');

--
-- rowset_open: how long it lives
--
CREATE TABLE cu.packed AS SELECT query_to_rowset('SELECT i, ''x'' AS t FROM generate_series(1, 5) AS i') AS r;
SELECT r FROM cu.packed \gset
CREATE FUNCTION cu.open_and_fail(p_hold boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
BEGIN
	SELECT rowset_open(r, 'failed', p_hold) INTO c FROM cu.packed;
	MOVE c;
	RAISE division_by_zero;
EXCEPTION WHEN division_by_zero THEN
	RETURN (SELECT count(*) FROM pg_cursors);
END $$;
SELECT is(cu.open_and_fail(false), '0', 'an exception block that fails takes the cursor along');
SELECT is(cu.open_and_fail(true), '0', 'and one that was to be held');
SELECT is(cu.error('SELECT rowset_open(r, ''c'', hold => NULL) FROM cu.packed'), '22004 hold must not be NULL', 'hold => NULL');
SELECT is(cu.error($$SELECT rowset_open('\x00', 'c', true)$$), '22P03 invalid rowset', 'bytes that are no rowset open nothing');
SELECT is(cu.error(format('SELECT rowset_open(substr(r, 1, %s), ''c'', true) FROM cu.packed', n)), '22P03 invalid rowset', format('nor do the first %s bytes of one', n))
FROM generate_series(0, (SELECT length(r) - 1 FROM cu.packed), 13) AS n;
SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'none is left');

-- Damage comes out when a held cursor's rows are kept, at COMMIT, which fails.
-- That error and two more below show on standard error.
CREATE FUNCTION cu.damaged() RETURNS bytea LANGUAGE sql AS $$
SELECT set_byte(r, n, get_byte(r, n) # 1)
FROM (SELECT query_to_rowset('SELECT md5(i::text) FROM generate_series(1, 9) AS i') AS r) AS s, LATERAL (SELECT length(r) / 2 AS n) AS t
$$;
\set ON_ERROR_STOP off
\o /dev/null
SELECT rowset_open(cu.damaged(), 'damaged', true);
\o
\set ON_ERROR_STOP on
SELECT is(:'LAST_ERROR_SQLSTATE'::text, 'XX001', 'a damaged rowset cannot be held');
SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'nor is its cursor left');

-- In a materialized view's query nothing outlives the statement.
\set ON_ERROR_STOP off
\o /dev/null
CREATE MATERIALIZED VIEW cu.view AS SELECT rowset_open(r, 'c', true)::text FROM cu.packed;
\o
\set ON_ERROR_STOP on
SELECT is(:'LAST_ERROR_SQLSTATE'::text, '42501', 'no held cursor in a security-restricted operation');
SELECT is(:'LAST_ERROR_MESSAGE'::text, 'cannot open a cursor to be held within a security-restricted operation', 'and it says so');

-- A procedure that commits: its cursor is gone, unless it is held.
CREATE PROCEDURE cu.commits(p_hold boolean, INOUT result text) LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := rowset_open((SELECT r FROM cu.packed), 'over_commit', p_hold);
	x record;
BEGIN
	FETCH c INTO x;
	result := x;
	COMMIT;
	FETCH c INTO x;
	result := result || x;
	ROLLBACK;
	FETCH c INTO x;
	result := result || x;
	CLOSE c;
END $$;
CALL cu.commits(true, NULL) \gset
SELECT is(:'result'::text, '(1,x)(2,x)(3,x)', 'a held cursor over COMMIT and ROLLBACK in a procedure');
\set ON_ERROR_STOP off
CALL cu.commits(false, NULL) \gset
\set ON_ERROR_STOP on
SELECT is(:'LAST_ERROR_SQLSTATE'::text, '34000', 'one that is not held ends at COMMIT');
SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'none is left');

-- What a session sees does not move with others' changes.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT is(cu.rows(format('FETCH ALL FROM %I', rowset_open(r, 'c')::text)), cu.rows(r), 'REPEATABLE READ') FROM cu.packed;
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY;
SELECT is(cu.rows(format('FETCH ALL FROM %I', rowset_open(r, 'c', true)::text)), cu.rows(r), 'SERIALIZABLE READ ONLY, held') FROM cu.packed;
COMMIT;
SELECT is(cu.rows('FETCH BACKWARD ALL FROM c'), '(5,x) (4,x) (3,x) (2,x) (1,x) ', 'and afterwards');
CLOSE c;

--
-- cursor_to_rowset: pieces of any size are the query's rows, in order
--
CREATE FUNCTION cu.pieces(p_cursor refcursor, p_size bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rows text := '';
	v_piece bytea;
	v_list text;
BEGIN
	LOOP
		v_piece := cursor_to_rowset(p_cursor, p_size);
		PERFORM rowset_check(v_piece);
		v_list := coalesce(v_list, rowset_column_list(v_piece));
		IF rowset_column_list(v_piece) <> v_list THEN
			RAISE EXCEPTION 'columns have become %', rowset_column_list(v_piece);
		END IF;
		v_rows := v_rows || cu.rows(v_piece);
		IF rowset_count(v_piece) < p_size THEN
			-- at the end: again nothing, with the same columns
			v_piece := cursor_to_rowset(p_cursor, p_size);
			RETURN v_list || ': ' || v_rows || CASE WHEN rowset_count(v_piece) > 0 OR rowset_column_list(v_piece) <> v_list THEN 'and more' ELSE '' END;
		END IF;
	END LOOP;
END $$;
CREATE FUNCTION cu.all_pieces(p_declare text, p_size bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_result text;
BEGIN
	EXECUTE p_declare;
	v_result := cu.pieces('pieces', p_size);
	EXECUTE 'CLOSE ALL';
	RETURN v_result;
END $$;
SELECT is(cu.all_pieces(format('DECLARE pieces %s CURSOR %s FOR %s', scroll, hold, q), size),
		  (SELECT rowset_column_list(r) || ': ' || cu.rows(r) FROM query_to_rowset(q) AS r),
		  concat_ws(' ', name || ', pieces of', size, scroll, hold))
FROM cu.query, unnest('{1,2,5,23,24,1000,5000}'::bigint[]) AS size, unnest('{SCROLL,NO SCROLL,BINARY}'::text[]) AS scroll, unnest('{"",WITH HOLD}'::text[]) AS hold
WHERE name <> 'batches and groups' OR size >= 1000 ORDER BY ord, size, scroll, hold;
SELECT is(cu.all_pieces(format('DO $do$ BEGIN PERFORM rowset_open(query_to_rowset(%L), ''pieces'', %L); END $do$', q, hold), size),
		  (SELECT rowset_column_list(r) || ': ' || cu.rows(r) FROM query_to_rowset(q) AS r),
		  format('%s, pieces of %s by rowset_open, hold => %s', name, size, hold))
FROM cu.query, unnest('{3,1000}'::bigint[]) AS size, unnest('{false,true}'::boolean[]) AS hold
WHERE name <> 'batches and groups' OR size >= 1000 ORDER BY ord, size, hold;

-- The bytes are those of the query of the same rows.
SELECT rowset_open(query_to_rowset(q), 'c', true) FROM cu.query WHERE name = 'some rows' \gset
SELECT is(cursor_to_rowset('c'), query_to_rowset(q), 'the same bytes') FROM cu.query WHERE name = 'some rows';
CLOSE c;

-- The cursor's own snapshot, whatever is changed after it was opened; and its
-- place, whatever is rolled back.
CREATE TABLE cu.t AS SELECT i FROM generate_series(1, 6) AS i;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT i FROM cu.t ORDER BY i;
SELECT is(cu.rows(cursor_to_rowset('c', 2)), '(1) (2) ', 'before a change');
UPDATE cu.t SET i = i + 100;
SELECT is(cu.rows(cursor_to_rowset('c', 2)), '(3) (4) ', 'after it');
SAVEPOINT s;
SELECT is(cu.rows(cursor_to_rowset('c', 1)), '(5) ', 'in a savepoint');
ROLLBACK TO s;
SELECT is(cu.rows(cursor_to_rowset('c')), '(6) ', 'its place is kept over a rollback, as FETCH does it');
ROLLBACK;
SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'none is left');

-- In a procedure that commits, from a loop over the cursor, which is held by it.
CREATE PROCEDURE cu.loops(INOUT result text) LANGUAGE plpgsql AS $$
DECLARE
	c CURSOR FOR SELECT i FROM cu.t ORDER BY i;
	x record;
BEGIN
	result := '';
	FOR x IN c LOOP
		result := result || x || ': ' || cu.rows(cursor_to_rowset(c, 1));
		COMMIT;
	END LOOP;
END $$;
CALL cu.loops(NULL) \gset
SELECT is(:'result'::text, '(1): (2) (3): (4) (5): (6) ', 'from a loop over the cursor that commits');

-- Errors, and that the cursor is as good as before.
BEGIN;
DECLARE c CURSOR FOR SELECT i FROM cu.t ORDER BY i;
SELECT is(cu.error('SELECT cursor_to_rowset(''c'', -1)'), '22023 count must not be negative', 'a negative count');
SELECT is(cu.error('SELECT cursor_to_rowset(''c'', -9223372036854775808)'), '22023 count must not be negative', 'the most negative');
SELECT is(cu.error('SELECT cursor_to_rowset(''C'', 1)'), '34000 cursor "C" does not exist', 'no such cursor');
SELECT is(cu.error('SELECT cursor_to_rowset('''', 1)'), '34000 invalid cursor name: must not be empty', 'no name');
SELECT ok(cursor_to_rowset(NULL, 1) IS NULL AND cursor_to_rowset(NULL, NULL) IS NULL, 'NULL for a cursor gives NULL');
SELECT is(cu.rows(cursor_to_rowset('c', 0)), '', 'a count of 0 gives no rows and does not move');
SELECT is(cu.rows(cursor_to_rowset('c', NULL)), '(1) (2) (3) (4) (5) (6) ', 'a count of NULL gives all');
CREATE FUNCTION cu.reads(p_count bigint) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN cu.error(format('SELECT cursor_to_rowset(''self'', %s)', p_count)); END $$;
DECLARE self CURSOR FOR SELECT cu.reads(i) FROM generate_series(0, 1) AS i;
SELECT is(cu.rows('FETCH ALL FROM self'), '("55000 cursor ""self"" cannot be run") ("55000 cursor ""self"" cannot be run") ', 'a cursor that is running cannot be read by its own query');
DECLARE bad CURSOR FOR SELECT 1 / (i - 3) AS a FROM generate_series(1, 5) AS i;
SELECT is(cu.rows(cursor_to_rowset('bad', 2)), '(0) (-1) ', 'up to an error');
SELECT is(cu.error('SELECT cursor_to_rowset(''bad'', 1)'), '22012 division by zero', 'the error');
SELECT is(cu.error(format('SELECT cursor_to_rowset(''bad'', %s)', n)), '55000 cursor "bad" cannot be run', 'after it, ' || n || ' rows') FROM unnest('{0,1}'::int[]) AS n;
DECLARE pseudo CURSOR FOR SELECT attmissingval FROM pg_attribute;
SELECT is(cu.error('SELECT cursor_to_rowset(''pseudo'', 1)'), NULL, 'what a query can give, a cursor can');
COMMIT;
SELECT is(cu.error('SELECT cursor_to_rowset(''c'', 1)'), '34000 cursor "c" does not exist', 'after COMMIT');

-- Rights are those of who opened the cursor, as with FETCH.
CREATE ROLE cu_reader;
GRANT USAGE ON SCHEMA cu TO cu_reader;
BEGIN;
DECLARE c CURSOR FOR SELECT i FROM cu.t ORDER BY i;
SET LOCAL ROLE cu_reader;
SELECT is(cu.error('SELECT * FROM cu.t'), '42501 permission denied for table t', 'no right to the table');
SELECT is(rowset_count(cursor_to_rowset('c', 2)), 2::bigint, 'but a cursor that was opened is read');
COMMIT;

SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'none is left');
DROP SCHEMA cu CASCADE;
DROP ROLE cu_reader;
SELECT * FROM finish();
