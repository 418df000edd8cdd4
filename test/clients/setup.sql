--
-- setup.sql
--	  What the clients call.
--
CREATE EXTENSION rowser;

CREATE TYPE mood AS ENUM ('sad', 'ok');

-- A few columns of types that drivers treat each in its own way.
CREATE FUNCTION some_rows(n int) RETURNS bytea LANGUAGE sql AS $$
SELECT query_to_rowset('SELECT i AS id, ''name '' || i AS "Name", i * 1.50 AS price, i % 2 = 0 AS even, nullif(i, 2)::bigint AS big, ARRAY[i, NULL] AS pair, ''ok''::public.mood AS mood
						FROM generate_series(1, $1) AS i', n)
$$;

CREATE TABLE log (i int);

-- Two results, with a commit in between.
CREATE PROCEDURE two_results(r bytea) LANGUAGE plpgsql AS $$
BEGIN
	CALL rowset_send(r);
	INSERT INTO log VALUES (1);
	COMMIT;
	CALL rowset_send(query_to_rowset('SELECT ''second''::text AS which'));
END $$;

-- What is refused: from a function, and beside output arguments.
CREATE FUNCTION sends() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	CALL rowset_send(some_rows(1));
	RETURN 1;
END $$;
CREATE PROCEDURE outputs(r bytea, OUT n bigint) LANGUAGE plpgsql AS $$
BEGIN
	CALL rowset_send(r);
	n := rowset_count(r);
END $$;

-- Rows without end.
CREATE PROCEDURE no_end() LANGUAGE plpgsql AS $$
DECLARE
	r bytea := some_rows(1000);
BEGIN
	LOOP
		CALL rowset_send(r);
	END LOOP;
END $$;

-- A rowset that is damaged in the last of its row groups.
CREATE FUNCTION damaged() RETURNS bytea LANGUAGE plpgsql SET rowser.row_group_rows = 1000 SET rowser.compression = 'none' AS $$
DECLARE
	r bytea := query_to_rowset('SELECT md5(i::text) AS m FROM generate_series(1, 5000) AS i');
	n int := length(r) * 9 / 10;
BEGIN
	RETURN set_byte(r, n, get_byte(r, n) # 1);
END $$;
