--
-- spill.sql
--	  No room for temporary files.
--
\set QUIET on
\set VERBOSITY sqlstate
\pset format unaligned
\pset tuples_only on
SET client_min_messages = error;
SET work_mem = '64kB';
SET rowser.enable_scan = off;

SELECT s FROM faults.labour, unnest(ARRAY['SET temp_file_limit = ''1MB''', query, 'RESET temp_file_limit', format('CALL faults.look(%L)', name),
				   format('INSERT INTO faults.result SELECT %L, (%s)::text', name, query)]) WITH ORDINALITY AS u(s, o)
WHERE spills ORDER BY ord, o \gexec

-- A cursor that is held is filled when the transaction ends.
SET temp_file_limit = '1MB';
BEGIN;
SELECT length(rowset_open(faults.given('large'), 'held', true)::text) > 0;
COMMIT;
SELECT count(*) FROM pg_cursors WHERE name = 'held';
RESET temp_file_limit;
CALL faults.look('rowset_open, held');
BEGIN;
SELECT length(rowset_open(faults.given('large'), 'held', true)::text) > 0;
COMMIT;
MOVE ALL IN held;
\echo :ROW_COUNT
CLOSE held;
CALL faults.look('rowset_open, held');
