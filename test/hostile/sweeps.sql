--
-- sweeps.sql
--	  Sweeps over a part of the specimens: those whose number is :session modulo
--	  :sessions.  :seeds is the number of random changes for each, :changes which
--	  changes of a byte the calls read that see less.
--
-- Each sweep is a statement of its own, which a crash or a timeout ends alone.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = error;
SET log_min_messages = warning;		-- so that they reach the count
\o /dev/null

SELECT format('SELECT hostile.run(%L, %L, %L, %L, 1, %L)', name, calls, mutants, reseal, :seeds)
FROM hostile.specimen,
	LATERAL (SELECT hostile.first_calls(list) AS most, hostile.other_calls(list) || extra AS others) AS c,
	LATERAL (VALUES (1, most || others, 'whole', false),
					(2, most, 'prefixes', false),
					(3, most, 'changes', false),
					(4, most, 'changes', true),
					(5, others, :'changes', true),
					(6, most || others, 'seeds', true)) AS s(nth, calls, mutants, reseal)
WHERE ord % :sessions = :session
ORDER BY ord, nth
\gexec
