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

CREATE FUNCTION hostile.test(ok bool, name text, detail text) RETURNS text LANGUAGE sql AS
	'SELECT CASE WHEN ok THEN ''ok - '' || name ELSE ''not ok - '' || name || coalesce(E''\n    '' || detail, '''') END';

--
-- What a damaged rowset may raise once its checksums are right.  "message" is a
-- regular expression for the message's format; "place" tells that the context
-- must name the column and the row group, because a value is at fault.
--
CREATE TABLE hostile.allowed (sqlstate text, message text, place bool);
INSERT INTO hostile.allowed VALUES
-- rowser's own
('22P03', '^invalid rowset', false),
('XX001', '^rowset checksum does not match', false),
('0A000', '^(rowset is not supported: |rowset format version %u is not supported$)', false),
('0A000', '^cannot read an array of a domain over an array without its type$', false),
('42702', '^column "%s" is ambiguous in the rowset$', false),
('42703', '^(column|field) .* does not exist in the rowset$', false),
('42704', '^type (%s|with OID %u) does not exist$', false),
('42804', '^cannot read column "%s" as type %s$', true),
('42804', '^cannot read a record of %u fields as type %s$', true),
('22021', '^invalid byte sequence for encoding "%s": %s$', false),
-- what values may not be, as PostgreSQL tells it
('22P03', '^invalid .*(external .* value|external bit string|external pg_snapshot data|line specification)', true),
('22003', '^value out of range: (overflow|underflow)$', false),
('08P01', '^(insufficient data left|invalid string) in message$', true),
('22000', '^range lower bound must be less than or equal to range upper bound$', true),
('22001', '^value too long for type character', true),
('22003', '^(numeric field overflow|value overflows numeric format|%s out of range|integer out of range|value "%s" is out of range for type %s)$', true),
('22004', '^null value not allowed for hstore key$', true),
('22008', '^(date|time|timestamp) out of range$', true),
('22009', '^time zone displacement out of range$', true),
('2200N', '^(invalid XML content|%s)$', true),
('22026', '^bit string length %d does not match type bit\(%d\)$', true),
('22P02', '^invalid input (syntax for type|value for enum) %s', true),
('22P02', '^(expected a (left|right) parenthesis|expected a type name|improper type name|extra garbage at the end of the ACL specification)$', true),
('22P02', '^(a name must follow the "/" sign|invalid mode character: must be one of "%s"|unrecognized key word: "%s"|missing "=" sign|missing name)$', true),
('22P02', '^(missing argument|.*identifier.*)$', true),
('23502', '^domain %s does not allow null values$', true),
('23514', '^value for domain %s violates check constraint "%s"$', true),
('42601', '^(%s at end of( jsonpath)? input|%s at or near "%s"( of jsonpath input)?|@ is not allowed in root expressions|LAST is allowed only in array subscripts)$', true),
('42601', '^(invalid type name "%s"|l(tree|query) syntax error|improper .*name.*)', true),
('42601', '^type modifier is not allowed for type "%s"$', false),
('42602', '^invalid name syntax$', true),
('42704', '^(role|text search configuration|collation|type) "%s"( for encoding "%s")? does not exist$', true),
('42883', '^(function "%s" does not exist|operator does not exist: %s)$', true),
('42P01', '^relation "%s" does not exist$', true),
('3F000', '^schema "%s" does not exist$', true),
('54000', '^(number of pairs|array (size|lower bound)|number of array dimensions|.*multirange)', true),
('54023', '^too many arguments$', true),
-- typmods, where a cursor or a cast is made
('22023', '^(NUMERIC (scale|precision) %d must be between|length for type %s (must be at least|cannot exceed)|%s\(%d\)%?s? precision must be between|interval\(%d\) precision must be between)', false),
-- PostgreSQL's receive functions that call bad input an internal error
('XX000', '^unsupported (jsonb|jsonpath|ltree|lquery|ltxtquery) version number', true),
('XX000', '^(invalid size of tsvector|invalid tsvector: |position information is misordered$|unexpected number of tsvector positions$)', true),
('XX000', '^(invalid size of tsquery|invalid tsquery: |malformed tsquery: |unrecognized tsquery node type: |invalid pointer to right operand$)', true),
-- path_recv() asks for the memory of all points first
('XX000', '^invalid memory alloc request size %zu$', true),
('00000', '^(true|false|)$', false);

-- And these only warn.
INSERT INTO hostile.allowed VALUES
('warning', '^defaulting grantor to user ID %u$', false),
('warning', '^(TIME|TIMESTAMP|INTERVAL)\(%d\)(%s)? precision reduced to maximum allowed, %d$', false);

--
-- Receive functions of PostgreSQL (of bit strings, paths, snapshots, things to
-- search for, hstore) allocate what a count says before they look for the
-- bytes.  Where one of them can be reached by a change of one byte, that is all
-- that may run out of memory, by one request.
--
CREATE VIEW hostile.judged AS
SELECT o.*,
	NOT EXISTS (SELECT FROM hostile.allowed AS a WHERE a.sqlstate = o.sqlstate AND o.message ~ a.message AND (o.located OR NOT a.place))
	AND NOT (o.sqlstate = '53200' AND o.located AND o.sample ~ 'Failed on request of size \d{8,}'
			 AND o.specimen IN ('collation and typmods', 'addresses and bits', 'geometry', 'jsonpath and snapshots', 'texts to search', 'extensions')) AS bad
FROM hostile.outcome AS o;

-- A sentence that names the first of some outcomes
CREATE FUNCTION hostile.describe(call text, sqlstate text, message text, sample text, located bool, outcomes bigint, mutant text)
RETURNS text LANGUAGE sql AS $$
	SELECT format('%s gives %s %s%s, %s times, first where %s', $1, $2, CASE WHEN $4 = '' THEN $3 ELSE $4 END, CASE WHEN $5 THEN '' ELSE ' without a place' END, $6, $7)
$$;

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
	 -- what is copied may be bad inside, or be refused for a name or a type that the others don't need
	 LATERAL (SELECT CASE WHEN call ~ 'rowset_is_valid' THEN message <> coalesce(frame::text, message)
						  WHEN call = ANY (hostile.reshape_calls()) THEN sqlstate <> ALL (states || '{00000,22P03,42704,42702}')
						  ELSE sqlstate <> ALL (states) END) AS x(bad)
GROUP BY b.ord, b.name ORDER BY b.ord;

SELECT hostile.test(max(slowest) < b.milliseconds * :patience, b.name || ': is quick', format('%s ms', max(slowest)))
FROM hostile.bomb AS b JOIN hostile.bomb_outcome AS o USING (ord)
GROUP BY b.ord, b.name, b.milliseconds ORDER BY b.ord;
