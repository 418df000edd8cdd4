--
-- sweeps.sql
--	  Sweeps over a part of the specimens: those whose number is :session modulo
--	  :sessions.  :seeds is the number of random changes for each.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = error;
SET log_min_messages = warning;		-- so that they reach the count
\o /dev/null

CREATE TEMP VIEW mine AS SELECT * FROM hostile.specimen WHERE ord % :sessions = :session;

-- The calls that see the whole read every mutant, the others some.
SELECT hostile.run(name, hostile.first_calls(list) || hostile.other_calls(list) || extra, 'whole', false) FROM mine;
SELECT hostile.run(name, hostile.first_calls(list), 'prefixes', false) FROM mine;
SELECT hostile.run(name, hostile.first_calls(list), 'changes', false) FROM mine;
SELECT hostile.run(name, hostile.first_calls(list), 'changes', true) FROM mine;
SELECT hostile.run(name, hostile.other_calls(list) || extra, 'some changes', true) FROM mine;
SELECT hostile.run(name, hostile.first_calls(list) || hostile.other_calls(list) || extra, 'seeds', true, 1, :seeds) FROM mine;
