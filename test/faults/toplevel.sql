--
-- toplevel.sql
--	  The same calls as statements of the client, so that a whole transaction is
--	  rolled back, and rowset_send(), which can be nothing else.
--
-- Variables: stride.  What fails says so on standard error by its SQLSTATE.
--
\set QUIET on
\set VERBOSITY sqlstate
\pset format unaligned
\pset tuples_only on
SET client_min_messages = error;

CREATE TABLE faults.top (name text, fault text, nth bigint, happened bool, result text);

-- Where a call fails, the rest of its transaction does so too.
SELECT s FROM faults.call AS c JOIN faults.swept AS w ON w.call = c.name AND w.fault <> 'malloc', generate_series(1, w.steps + 100, :stride * 7) AS n,
	unnest(ARRAY['BEGIN', nullif(c.settings, ''), format('SELECT faults.arm(%L, %s)', w.fault, n), format('INSERT INTO faults.top SELECT %L, %L, %s, NULL, (%s)::text', c.name, w.fault, n, c.query),
				 'UPDATE faults.top SET happened = faults.disarm() WHERE happened IS NULL',
				 'DELETE FROM faults.target; DELETE FROM faults.observed; DELETE FROM faults.parted; DROP TABLE IF EXISTS made',
				 'COMMIT']) WITH ORDINALITY AS u(s, o)
WHERE c.name <> 'rowset_reader_feed, held'
ORDER BY c.ord, w.fault, n, o \gexec

-- Rows that have been sent come before the error.
\o /dev/null
SELECT s FROM (VALUES ('palloc', 4000), ('cancel', 4000), ('malloc', 100)) AS f(fault, steps), generate_series(1, steps, CASE fault WHEN 'malloc' THEN 1 ELSE :stride END) AS n,
	unnest(ARRAY['BEGIN', format('SELECT faults.arm(%L, %s)', fault, n), 'CALL rowset_send(faults.given(''lz4''))',
				 format('INSERT INTO faults.top SELECT ''rowset_send'', %L, %s, faults.disarm()', fault, n), 'COMMIT']) WITH ORDINALITY AS u(s, o)
ORDER BY fault, n, o \gexec

-- A cursor that is held is filled by COMMIT.
SELECT s FROM (VALUES ('palloc', 3500), ('cancel', 3500), ('malloc', 100)) AS f(fault, steps), generate_series(1, steps, CASE fault WHEN 'malloc' THEN 1 ELSE :stride END) AS n,
	unnest(ARRAY['BEGIN', 'SELECT rowset_open(faults.given(''lz4''), ''held'', true)', format('SELECT faults.arm(%L, %s)', fault, n), 'COMMIT', 'ROLLBACK', 'FETCH ALL FROM held',
				 format('INSERT INTO faults.top SELECT ''rowset_open, held'', %L, %s, faults.disarm()', fault, n), 'CLOSE ALL',
				 'UPDATE faults.top SET result = (SELECT count(*) FROM pg_cursors WHERE name <> '''') WHERE result IS NULL AND name = ''rowset_open, held''']) WITH ORDINALITY AS u(s, o)
ORDER BY fault, n, o \gexec
\o
