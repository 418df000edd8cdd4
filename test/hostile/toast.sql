--
-- toast.sql
--	  Damaged rowsets in TOAST storage, from which only what is needed is fetched:
--	  what comes of them must be what comes of the same bytes in memory.
--
-- Gives one line "ok - ..." or "not ok - ..." for each kind of read.
--
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
SET client_min_messages = error;
SET rowser.compression = none;
SET rowser.row_group_rows = 500;

CREATE TABLE hostile.stored (r bytea);
ALTER TABLE hostile.stored ALTER COLUMN r SET STORAGE EXTERNAL;

-- A column that is large, small ones on both sides, and groups
CREATE TABLE hostile.whole AS SELECT query_to_rowset($$
	SELECT i AS a, md5(i::text) || md5((i + 1)::text) AS b, nullif(i % 7, 3) AS c, ARRAY[i, NULL] AS d FROM generate_series(1, 1200) AS i$$) AS r;

-- What a query over v(r) gives: a text, or the error.
CREATE FUNCTION hostile.outcome_of(p_query text, p_source text, p_rowset bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_result text;
BEGIN
	EXECUTE format('WITH v AS NOT MATERIALIZED (%s) ', p_source) || p_query INTO v_result USING p_rowset;
	RETURN v_result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- Bytes of the frame: the headers and the trailer; and some of the bodies.
CREATE FUNCTION hostile.places(p_rowset bytea) RETURNS SETOF int LANGUAGE sql AS $$
	SELECT generate_series(0, h[1] - 1) FROM hostile.headers(p_rowset) AS h
	UNION SELECT generate_series(h[i], h[i + 1] - 1) FROM hostile.headers(p_rowset) AS h, generate_series(1, cardinality(h), 2) AS i
	UNION SELECT generate_series(length(p_rowset) - 40, length(p_rowset) - 1)
	UNION SELECT n * 997 % length(p_rowset) FROM generate_series(1, 150) AS n
$$;

CREATE FUNCTION hostile.compare(p_query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_whole bytea := r FROM hostile.whole;
	v_rowset bytea;
	v_place int;
	v_flip int;
	v_memory text;
	v_stored text;
	v_differ text := '';
	n int := 0;
BEGIN
	FOR v_place IN SELECT * FROM hostile.places(v_whole) LOOP
		FOREACH v_flip IN ARRAY '{1,128,255}'::int[] LOOP
			v_rowset := hostile.reseal(set_byte(v_whole, v_place, get_byte(v_whole, v_place) # v_flip));
			TRUNCATE hostile.stored;
			INSERT INTO hostile.stored VALUES (v_rowset);
			v_memory := hostile.outcome_of(p_query, 'SELECT $1 AS r', v_rowset);
			v_stored := hostile.outcome_of(p_query, 'SELECT r FROM hostile.stored', v_rowset);
			n := n + 1;
			IF v_memory IS DISTINCT FROM v_stored THEN
				v_differ := v_differ || format(E'\n    byte %s with %s: %s in memory, %s stored', v_place, v_flip, v_memory, v_stored);
			END IF;
		END LOOP;
	END LOOP;
	RETURN CASE WHEN v_differ = '' AND n > 500 THEN 'ok - ' ELSE 'not ok - ' END || 'in storage as in memory: ' || p_query || left(v_differ, 1000);
END $$;

SELECT hostile.compare('SELECT md5(string_agg(t::text, '','')) FROM v, rowset_to_recordset(v.r) AS t(a int, b text, c int, d int[])');
SELECT hostile.compare('SELECT sum(a) FROM v, rowset_to_recordset(v.r) AS t(a int, c int)');
SELECT hostile.compare('SELECT b FROM v, rowset_to_recordset(v.r) AS t(a int, b text) WHERE a = 900');
SELECT hostile.compare('SELECT rowset_is_valid(r) FROM v');
SELECT hostile.compare('SELECT md5(rowset_slice(r, 450, 100)) FROM v');
SELECT hostile.compare('SELECT md5(rowset_project(r, ''c'', ''a'')) FROM v');
