--
-- verdict.sql
--	  What the faults must have come to: a line "ok - " or "not ok - " each.
--
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset null '(null)'

CREATE FUNCTION faults.claim(holds bool, name text) RETURNS text LANGUAGE sql AS
	'SELECT CASE WHEN holds THEN ''ok - '' ELSE ''not ok - '' END || name';

--
-- One fault in a call
--
/*
 * The errors that are core's own: its settings and its hashes take a failure of
 * malloc() for a wrong value, or for one inside.  From version 16 on its settings
 * ask palloc() for memory in the way that gives NULL, and from 17 on so do its
 * hash tables, which then have no other word for it.
 */
CREATE FUNCTION faults.expects(fault text, state text, message text) RETURNS bool LANGUAGE sql AS $$
	SELECT CASE WHEN state = 'right' THEN true
				WHEN fault = 'cancel' THEN state = '57014'
				WHEN state = '53200' THEN true
				WHEN message ~ '^invalid value for parameter "(DateStyle|TimeZone)"' THEN fault = 'malloc' OR current_setting('server_version_num')::int >= 160000
				WHEN message ~ '^could not compute (MD5|SHA-256) hash' THEN fault = 'malloc'
				WHEN message ~ '^failed to initialize hash table' THEN current_setting('server_version_num')::int >= 170000
				ELSE false END
$$;
SELECT faults.claim(false, format('%s, %s at %s to %s: %s %s', call, fault, first, last, state, message))
FROM faults.outcome WHERE faults.expects(fault, state, message) IS NOT TRUE ORDER BY 1;
SELECT faults.claim(bool_and(faults.expects(o.fault, o.state, o.message)) AND bool_and(s.cursors = 0 AND s.progress = 0 AND s.rows = 0 AND s.still_right),
					format('%s, %s: %s faults', o.call, o.fault, sum(times)))
FROM faults.outcome AS o JOIN (SELECT call, fault, sum(cursors) AS cursors, sum(progress) AS progress, sum(rows) AS rows, bool_and(still_right) AS still_right FROM faults.swept GROUP BY call, fault) AS s USING (call, fault)
GROUP BY o.call, o.fault ORDER BY min(o.call), o.fault;
SELECT faults.claim((SELECT count(DISTINCT call) FROM faults.swept WHERE fault = f) = (SELECT count(*) FROM faults.call), 'all calls have seen ' || f)
FROM unnest('{palloc,cancel,malloc}'::text[]) AS f;
-- What the calls call: in their queries, and in the functions that these name
SELECT faults.claim(count(*) = 0, concat('every call of the extension is among them', ', but for ' || string_agg(p.oid::regprocedure::text, ', ')))
FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = (SELECT oid FROM pg_catalog.pg_extension WHERE extname = 'rowser') AND d.deptype = 'e'
  AND p.proname !~ '_(agg|packets)_.*fn$|_support$'
  AND NOT EXISTS (SELECT FROM faults.call AS c LEFT JOIN pg_catalog.pg_proc AS f ON f.pronamespace = 'faults'::regnamespace AND c.query ~ ('faults\.' || f.proname || '\(')
				  WHERE concat(c.query, f.prosrc) ~ ('\m' || p.proname || '\('))
  AND (p.proname <> 'rowset_send' OR (SELECT count(DISTINCT fault) FROM faults.top WHERE name = 'rowset_send') < 3);
SELECT format('%s faults in %s calls', sum(times) FILTER (WHERE happened), count(DISTINCT call)) FROM faults.outcome;

SELECT faults.claim(bool_and(state IS NOT DISTINCT FROM again OR coalesce(faults.expects('palloc', state, message), false)) AND count(DISTINCT again) <= 1 AND bool_or(happened), call || ' comes first')
FROM faults.first GROUP BY call ORDER BY call;

--
-- As statements of the client
--
SELECT faults.claim(bool_and(result IS NOT DISTINCT FROM o) AND count(*) FILTER (WHERE NOT happened) > 0, name || ', as a statement')
FROM faults.top AS t, LATERAL (SELECT CASE t.name WHEN 'rowset_open, held' THEN '0' ELSE min(result) END FROM faults.top AS r WHERE r.name = t.name) AS m(o)
WHERE name <> 'rowset_send' GROUP BY name ORDER BY name;
SELECT faults.claim(NOT (SELECT happened FROM faults.top AS l WHERE l.name = t.name AND l.fault = t.fault ORDER BY nth DESC LIMIT 1), format('rowset_send, %s: up to the last step', fault))
FROM faults.top AS t WHERE name = 'rowset_send' GROUP BY name, fault ORDER BY fault;

--
-- Stopped, ended, and without room
--
SELECT faults.claim(bool_and(cursors = 0 AND files = 0 AND progress = 0 AND all_or_none), name || ' leaves nothing behind when it is stopped, or ended')
FROM faults.seen GROUP BY name ORDER BY name;
SELECT faults.claim(times > 0, format('%s is stopped %s times', name, times)) FROM faults.stopped ORDER BY name;
SELECT faults.claim(count(DISTINCT result) <= 1 AND count(*) > 0, name || ' gives the same whenever it ends')
FROM faults.result GROUP BY name ORDER BY name;
SELECT faults.claim(count(*) = (SELECT count(*) FROM faults.labour), 'each has ended')
FROM (SELECT DISTINCT name FROM faults.result) AS r;

--
-- Memory
--
SELECT faults.claim(b.contexts < a.contexts * 1.01 AND b.number < a.number * 1.01, format('contexts after %s: %s bytes, then %s', what, a.contexts, b.contexts))
FROM faults.kept AS a JOIN faults.kept AS b USING (what) WHERE a.pass = 1 AND b.pass = 2 ORDER BY what;
SELECT faults.claim(b.process < a.process * 1.01, format('the process after %s: %s bytes, then %s', what, a.process, b.process))
FROM faults.kept AS a JOIN faults.kept AS b USING (what) WHERE a.pass = 1 AND b.pass = 2 AND a.process IS NOT NULL ORDER BY what;
SELECT faults.claim(count(*) = 4, 'memory was looked at') FROM faults.kept WHERE pass = 2;
SELECT format('%s: %s bytes, then %s', name, a.used, b.used) FROM faults.kept_by AS a JOIN faults.kept_by AS b USING (what, name)
WHERE a.pass = 1 AND b.pass = 2 AND b.used > a.used * 1.01 ORDER BY 1;
