--
-- mutants-verdict.sql
--	  What came of random mutants: figures, findings, and one line "ok - ..." or
--	  "not ok - ..." for each claim.
--
-- Variables: mutants, how many there were to be.
--
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;

-- What only calls refuse that the sweeps don't make: tables that can't have such
-- columns, COPY data that is read as other types than its own, casts
INSERT INTO hostile.allowed VALUES
('42P16', '^column "%s" has pseudo-type %s$', false),
('42701', '^column "%s" specified more than once$', false),
('42703', '^column "%s" of relation "%s" does not exist$', false),
('42883', '^no binary (input|output) function available for type %s$', false),
('0A000', '^cannot accept a value of type %s$', true),
('42804', '^wrong number of columns: %d, expected %d$', true),
('08P01', '^invalid message format$', true),
('54000', '^invalid memory allocation request size %zu \* %zu$', true),
('42804', '^binary data has (array element )?type %u \(%s\) instead of expected %u \(%s\)', true),
('22P03', '^(incorrect binary data format|improper binary format in (array element|record column) %d|insufficient data left in message)$', true),
('22P03', '^(invalid array flags|invalid number of dimensions: %d)$', true),
('22P04', '^(row field count is %d, expected %d|invalid field size|unexpected EOF in COPY data|received copy data after EOF marker)$', false),
('22P04', '^(COPY file signature not recognized|invalid COPY file header \(.*\)|unrecognized critical flags in COPY file header)$', false);

-- One row for all outcomes of a kind, or judging them takes longer than reading
CREATE TEMP TABLE condensed AS
SELECT specimen, mutants, NULL::bool AS reseal, call, sqlstate, message, min(sample) AS sample, located, sum(outcomes)::bigint AS outcomes, max(slowest) AS slowest,
	(array_agg(mutant ORDER BY slowest DESC))[1] AS mutant
FROM hostile.outcome WHERE mutants = 'random'
GROUP BY specimen, mutants, call, sqlstate, message, located, CASE WHEN sqlstate = '53200' THEN sample END;
DELETE FROM hostile.outcome WHERE mutants = 'random';
INSERT INTO hostile.outcome SELECT * FROM condensed;

-- Receive functions of arrays and the like, too, allocate what a count in COPY data says.
CREATE TEMP TABLE judged AS
SELECT call, sqlstate, message, sample, located, outcomes, slowest, mutant, specimen, bad AND NOT (sqlstate = '53200' AND located AND specimen ~ '^COPY') AS bad FROM hostile.judged WHERE mutants = 'random';

SELECT format('%s mutants, %s of them with checksums that fit, in %s reads', sum(mutants), sum(sealed), sum(reads)) FROM hostile.batch WHERE state = 'done';
SELECT format('%10s  %s', sum(outcomes), sqlstate) FROM judged GROUP BY sqlstate ORDER BY sum(outcomes) DESC;
SELECT format('%s kinds of outcomes; slowest read %s ms, most memory that a batch added %s kB', count(DISTINCT (sqlstate, message)), max(slowest), (SELECT max(kilobytes) FROM hostile.batch)) FROM judged;
SELECT format('slowest: %s of %s, %s: %s ms', call, specimen, mutant, slowest) FROM judged ORDER BY slowest DESC LIMIT 1;

-- Findings, with the bytes of the first mutant of each kind
SELECT format(E'%s, %s: %s\n    %s', f.specimen, f.mutant, hostile.describe(call, sqlstate, message, sample, located, outcomes, f.mutant),
			  encode(hostile.mutant(r.bytes, hostile.others(), substr(f.mutant, 6)::bigint), 'hex'))
FROM (SELECT DISTINCT ON (sqlstate, message) * FROM judged WHERE bad OR slowest >= 5000 ORDER BY sqlstate, message, mutant) AS f
	JOIN hostile.reader AS r ON r.specimen = f.specimen
ORDER BY f.sqlstate, f.message LIMIT 40;
SELECT format(E'%s, seed %s never ended\n    %s', b.specimen, b.first, encode(hostile.mutant(r.bytes, hostile.others(), b.first), 'hex'))
FROM hostile.batch AS b JOIN hostile.reader AS r ON r.specimen = b.specimen WHERE b.state = 'lost';

SELECT hostile.test(count(*) FILTER (WHERE state = 'lost') = 0, 'every read ends', NULL) FROM hostile.batch;
SELECT hostile.test(sum(mutants) = :mutants, 'every mutant is read', NULL) FROM hostile.batch WHERE state = 'done';
SELECT hostile.test(sum(sealed) * 2 > sum(mutants), 'most have checksums that fit', NULL) FROM hostile.batch;
SELECT hostile.test(count(*) FILTER (WHERE bad) = 0, 'each is read or told', NULL) FROM judged;
SELECT hostile.test(max(slowest) < 5000, 'no read takes 5 seconds', NULL) FROM judged;
SELECT hostile.test(max(kilobytes) < 128 * 1024, 'no batch needs much memory', NULL) FROM hostile.batch;
-- A read that no mutant ever got through tells nothing.
SELECT hostile.test(count(*) FILTER (WHERE good = 0) = 0, 'every kind of read gets through', min(call) FILTER (WHERE good = 0))
FROM (SELECT call, sum(outcomes) FILTER (WHERE sqlstate = '00000') AS good, sum(outcomes) AS tried FROM judged GROUP BY call) AS c WHERE tried > 1000;
-- Arrow streams are read by arrow.sql; what is sent, by send.sql.
SELECT hostile.test(count(*) = 0, 'every call that takes bytes is among the reads', string_agg(p.oid::regprocedure::text, ', '))
FROM pg_depend AS d JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'rowser') AND d.deptype = 'e'
  AND '{bytea,bytea[]}'::regtype[]::oid[] && string_to_array(p.proargtypes::text, ' ')::oid[]
  AND p.proname !~ '_(agg|packets)_.*fn$' AND p.proname NOT IN ('arrow_to_rowset', 'rowset_send')
  AND NOT EXISTS (SELECT FROM (SELECT DISTINCT unnest(calls) FROM hostile.reader) AS c(query) LEFT JOIN pg_proc AS f ON f.pronamespace = 'hostile'::regnamespace AND query ~ ('hostile\.' || f.proname || '\(')
				  WHERE concat(query, f.prosrc) ~ ('\m' || p.proname || '\('));
-- Reads that don't agree are seen.
SELECT hostile.test(count(*) = 1, 'it is seen when rows differ', NULL)
FROM hostile.reader AS r, hostile.fuzz(r.bytes, hostile.others(), '{SELECT 1 AS by_list,SELECT 2 AS by_list}', 2, 0, 1, 1, 64) AS f
WHERE r.specimen = 'integers' AND f.message ~ '^other rows than by: ' AND NOT EXISTS (SELECT FROM hostile.allowed AS a WHERE a.sqlstate = f.sqlstate AND f.message ~ a.message);
