--
-- verdict.sql
--	  What came of the sweeps and the bombs: one line "ok - ..." or "not ok - ..."
--	  for each claim.  :patience is by how much reading may take longer.
--
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;

--
-- Sweeps
--
SELECT hostile.test(count(*) FILTER (WHERE o.sqlstate <> '00000' OR o.message = 'false') = 0 AND count(*) >= 6, s.name || ': it can be read',
	min(hostile.describe(call, sqlstate, message, sample, located, outcomes, mutant)) FILTER (WHERE o.sqlstate <> '00000' OR o.message = 'false'))
FROM hostile.specimen AS s LEFT JOIN hostile.outcome AS o ON o.specimen = s.name AND o.mutants = 'whole'
GROUP BY s.ord, s.name ORDER BY s.ord;

SELECT hostile.test(count(*) FILTER (WHERE bad) = 0 AND sum(outcomes) FILTER (WHERE call ~ 'rowset_is_valid') = length(rowset), s.name || ': every prefix is refused',
	min(hostile.describe(call, sqlstate, message, sample, located, outcomes, mutant)) FILTER (WHERE bad))
FROM hostile.specimen AS s JOIN hostile.outcome AS o ON o.specimen = s.name AND o.mutants = 'prefixes',
	 LATERAL (SELECT CASE WHEN call ~ 'rowset_is_valid' THEN message <> 'false' ELSE sqlstate NOT IN ('22P03', 'XX001') END) AS b(bad)
GROUP BY s.ord, s.name, rowset ORDER BY s.ord;

-- Another major version is told before any checksum is looked at.
SELECT hostile.test(count(*) FILTER (WHERE bad) = 0 AND sum(outcomes) FILTER (WHERE call ~ 'rowset_is_valid') = 255 * length(rowset), s.name || ': every change of a byte is refused',
	min(hostile.describe(call, sqlstate, message, sample, located, outcomes, mutant)) FILTER (WHERE bad))
FROM hostile.specimen AS s JOIN hostile.outcome AS o ON o.specimen = s.name AND o.mutants = 'changes' AND NOT reseal,
	 LATERAL (SELECT CASE WHEN call ~ 'rowset_is_valid' THEN message <> 'false'
						  ELSE NOT (sqlstate IN ('22P03', 'XX001') OR (sqlstate = '0A000' AND outcomes = 255 AND mutant ~ '^byte 6 ')) END) AS b(bad)
GROUP BY s.ord, s.name, rowset ORDER BY s.ord;

SELECT hostile.test(count(*) FILTER (WHERE bad) = 0 AND sum(outcomes) FILTER (WHERE call ~ 'rowset_is_valid') = 255 * length(rowset), s.name || ': with mended checksums, every change of a byte is read or told',
	min(hostile.describe(call, sqlstate, message, sample, located, outcomes, mutant)) FILTER (WHERE bad))
FROM hostile.specimen AS s JOIN hostile.judged AS o ON o.specimen = s.name AND o.mutants = 'changes' AND o.reseal
GROUP BY s.ord, s.name, rowset ORDER BY s.ord;

SELECT hostile.test(count(*) FILTER (WHERE bad) = 0, s.name || ': so it is by the calls that see less',
	min(hostile.describe(call, sqlstate, message, sample, located, outcomes, mutant)) FILTER (WHERE bad))
FROM hostile.specimen AS s JOIN hostile.judged AS o ON o.specimen = s.name AND o.mutants = 'some changes'
GROUP BY s.ord, s.name ORDER BY s.ord;

SELECT hostile.test(count(*) FILTER (WHERE bad) = 0, s.name || ': random changes are read or told',
	min(hostile.describe(call, sqlstate, message, sample, located, outcomes, mutant)) FILTER (WHERE bad))
FROM hostile.specimen AS s JOIN hostile.judged AS o ON o.specimen = s.name AND o.mutants = 'seeds'
GROUP BY s.ord, s.name ORDER BY s.ord;

-- Caches remember names that don't exist.  PostgreSQL remembers every row type of a
-- record that was met, too, for as long as the session lasts.
SELECT hostile.test(max(own) < CASE WHEN 'shape 17' = ANY (hostile.contents(rowset)) THEN 64 ELSE 1 END * 1024 * 1024 AND max(caches) < 32 * 1024 * 1024, s.name || ': no memory is kept', format('%s bytes, and %s in caches', max(own), max(caches)))
FROM hostile.specimen AS s JOIN hostile.kept_memory AS k ON k.specimen = s.name
GROUP BY s.ord, s.name, rowset ORDER BY s.ord;

SELECT hostile.test(max(slowest) < 5000 * :patience, s.name || ': no read takes 5 seconds', format('%s ms', max(slowest)))
FROM hostile.specimen AS s JOIN hostile.outcome AS o ON o.specimen = s.name
GROUP BY s.ord, s.name ORDER BY s.ord;

-- Specimens in a compression that this build lacks are not there.
SELECT hostile.test(missing IS NULL, 'the specimens have every shape, encoding and compression', missing::text)
FROM (SELECT array_agg(word) FROM (SELECT 'shape ' || n FROM generate_series(1, 19) AS n
								   UNION ALL SELECT 'encoding ' || n FROM generate_series(0, 8) AS n
								   UNION ALL SELECT 'integers ' || n FROM unnest('{0,1,3,4,5,6}'::int[]) AS n
								   UNION ALL SELECT 'bounds of shape ' || n FROM unnest('{3,4,5,6,7,8,9,10,11}'::int[]) AS n
								   UNION ALL SELECT p || ' by ' || n FROM unnest('{0,1,2}'::int[]) AS n, unnest('{data,bitmap}'::text[]) AS p
											WHERE n = 0 OR EXISTS (SELECT FROM hostile.specimen WHERE name = 'a text by ' || (ARRAY['lz4', 'zstd'])[n])
								   EXCEPT SELECT unnest(hostile.contents(rowset)) FROM hostile.specimen) AS w(word)) AS m(missing);

--
-- Bombs
--
SELECT hostile.test(count(*) FILTER (WHERE bad) = 0 AND count(*) >= 2, b.name || ': is refused', string_agg(hostile.describe(call, sqlstate, message, sample, true, outcomes, mutant), E'\n    ') FILTER (WHERE bad))
FROM hostile.bomb AS b LEFT JOIN hostile.bomb_outcome AS o USING (ord),
	 -- what the other calls don't look at may be bad, and a name or a type that only they need may be missing
	 LATERAL (SELECT CASE WHEN call ~ 'rowset_is_valid' THEN message <> coalesce(frame::text, message)
						  WHEN call <> ALL (hostile.first_calls(b.list)) THEN sqlstate <> ALL (states || '{00000,22P03,42704,42702}')
						  ELSE sqlstate <> ALL (states) END) AS x(bad)
GROUP BY b.ord, b.name ORDER BY b.ord;

SELECT hostile.test(max(slowest) < b.milliseconds * :patience, b.name || ': is quick', format('%s ms', max(slowest)))
FROM hostile.bomb AS b JOIN hostile.bomb_outcome AS o USING (ord)
GROUP BY b.ord, b.name, b.milliseconds ORDER BY b.ord;
