--
-- stop.sql
--	  Statements that take too long, and are stopped.
--
-- Variables: timeouts, an array of milliseconds.
--
\set QUIET on
\set VERBOSITY sqlstate
\pset format unaligned
\pset tuples_only on
SET client_min_messages = error;
\o /dev/null
SELECT s FROM faults.labour, unnest(:'timeouts'::int[] || 0) AS ms,
	unnest(ARRAY[settings, format('SET statement_timeout = %s', ms),
				 CASE WHEN query LIKE 'CALL%' THEN format('%s; INSERT INTO faults.result VALUES (%L, ''called'')', query, name)
					  ELSE format('INSERT INTO faults.result SELECT %L, (%s)::text', name, query) END,
				 'RESET statement_timeout', 'RESET rowser.enable_scan', format('CALL faults.look(%L)', name)]) WITH ORDINALITY AS u(s, o)
ORDER BY ord, ms DESC, o \gexec

-- How often each was stopped
CREATE TABLE faults.stopped AS
SELECT l.name, cardinality(:'timeouts'::int[]) + 1 - (SELECT count(*) FROM faults.result AS r WHERE r.name = l.name) AS times
FROM faults.labour AS l;
