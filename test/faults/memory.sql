--
-- memory.sql
--	  Memory after faults, and after many calls.  Each part is done twice: what the
--	  first time has loaded or set up is there at the second.
--
-- Variables: loops.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;
SET statement_timeout = 0;

-- The contexts' bytes, and those that malloc() has asked the system for; NULL
-- where there is no /proc to tell.
CREATE FUNCTION faults.memory(OUT contexts bigint, OUT number bigint, OUT process bigint) LANGUAGE sql VOLATILE AS $$
	SELECT sum(used_bytes)::bigint, count(*), substring(pg_catalog.pg_read_file('/proc/self/status', 0, 8192, true) FROM 'VmData:\s*(\d+)')::bigint * 1024
	FROM pg_catalog.pg_backend_memory_contexts
$$;

CREATE TABLE faults.kept (what text, pass int, contexts bigint, number bigint, process bigint);
CREATE TABLE faults.kept_by (what text, pass int, name text, number bigint, used bigint);

CREATE PROCEDURE faults.note_memory(p_what text, p_pass int) LANGUAGE sql AS $$
	INSERT INTO faults.kept_by SELECT p_what, p_pass, name, count(*), sum(used_bytes) FROM pg_catalog.pg_backend_memory_contexts GROUP BY name;
	INSERT INTO faults.kept SELECT p_what, p_pass, (faults.memory()).*;
$$;

-- Not of calls that make a table: core's caches keep what was half built.
CREATE PROCEDURE faults.sweep_coarsely(p_fault text) LANGUAGE plpgsql AS $$
DECLARE
	c faults.call;
BEGIN
	FOR c IN SELECT * FROM faults.call WHERE name <> 'rowset_create_table' ORDER BY ord LOOP
		CALL faults.sweep(c, p_fault, CASE p_fault WHEN 'malloc' THEN 1 ELSE 25 END);
	END LOOP;
END $$;

CREATE PROCEDURE faults.loop(p_loops int) LANGUAGE plpgsql AS $$
DECLARE
	c faults.call;
	v_state text;
BEGIN
	FOR i IN 1 .. p_loops LOOP
		FOR c IN SELECT * FROM faults.call WHERE name <> 'rowset_create_table' ORDER BY ord LOOP
			CALL faults.run_whole(c, v_state);
		END LOOP;
		COMMIT;
	END LOOP;
END $$;

CALL faults.note_memory('', 0);
\set fault palloc
CALL faults.sweep_coarsely(:'fault');
CALL faults.sweep_coarsely(:'fault');
CALL faults.note_memory(:'fault', 1);
CALL faults.sweep_coarsely(:'fault');
CALL faults.note_memory(:'fault', 2);
\set fault cancel
CALL faults.sweep_coarsely(:'fault');
CALL faults.note_memory(:'fault', 1);
CALL faults.sweep_coarsely(:'fault');
CALL faults.note_memory(:'fault', 2);
\set fault malloc
CALL faults.sweep_coarsely(:'fault');
CALL faults.note_memory(:'fault', 1);
CALL faults.sweep_coarsely(:'fault');
CALL faults.note_memory(:'fault', 2);
CALL faults.loop(20);
CALL faults.note_memory('loops', 1);
CALL faults.loop(:loops);
CALL faults.note_memory('loops', 2);
