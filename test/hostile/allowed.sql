--
-- allowed.sql
--	  What calls may make of damaged rowsets, and lines "ok - ..." or "not ok - ..."
--	  for claims.
--
\set ON_ERROR_STOP on
\set QUIET on
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
('42704', '^object %s has no name in the rowset$', true),
('42804', '^cannot read column "%s" as type %s$', true),
('42804', '^cannot read a record of %u fields as type %s$', true),
('22021', '^invalid byte sequence for encoding "%s": %s$', false),
-- what values may not be, as PostgreSQL tells it
('22P03', '^invalid .*(external .* value|external bit string|external pg_snapshot data|line specification)', true),
('22003', '^value out of range: (overflow|underflow)$', false),
('08P01', '^(insufficient data left|no data left|invalid string) in message$', true),
('22000', '^range lower bound must be less than or equal to range upper bound$', true),
('22001', '^value too long for type character', true),
('22003', '^(numeric field overflow|value overflows numeric format|(%s|integer|smallint|bigint|OID) out of range|macaddr8 data out of range to convert to macaddr|value "%s" is out of range for type %s)$', true),
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
('0A000', '^cannot convert (NaN|infinity|%s) to (%s|integer|smallint|bigint)$', true),
('42622', '^identifier too long$', true),
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
('00000', '^(true|false|)$', false);

-- And these only warn.
INSERT INTO hostile.allowed VALUES
('warning', '^defaulting grantor to user ID %u$', false),
('warning', '^(TIME|TIMESTAMP|INTERVAL)\(%d\)(%s)? precision reduced to maximum allowed, %d$', false);

--
-- Receive functions of PostgreSQL (of bit strings, paths, snapshots, things to
-- search for, hstore) allocate what a count says before they look for the
-- bytes.  Where one of them can be reached, by a change of one byte or because
-- types are changed, too, that is all that may run out of memory, by one request.
-- path_recv(), and tsvectorrecv() of some releases (15.18), ask for more than can be
-- had at all, an internal error of palloc()'s, which anywhere else would be one of
-- rowser's own.
--
CREATE VIEW hostile.judged AS
SELECT o.*,
	NOT EXISTS (SELECT FROM hostile.allowed AS a WHERE a.sqlstate = o.sqlstate AND o.message ~ a.message AND (o.located OR NOT a.place))
	AND NOT (o.sqlstate = '53200' AND o.located AND o.sample ~ 'Failed on request of size \d{8,}'
			 AND (o.mutants = 'random' OR o.specimen IN ('collation and typmods', 'addresses and bits', 'geometry', 'jsonpath and snapshots', 'texts to search', 'extensions')))
	AND NOT (o.sqlstate = 'XX000' AND o.located AND o.message = 'invalid memory alloc request size %zu'
			 AND (o.mutants = 'random' OR o.specimen IN ('geometry', 'texts to search'))) AS bad
FROM hostile.outcome AS o;

-- A sentence that names the first of some outcomes
CREATE FUNCTION hostile.describe(call text, sqlstate text, message text, sample text, located bool, outcomes bigint, mutant text)
RETURNS text LANGUAGE sql AS $$
	SELECT format('%s gives %s %s%s, %s times, first where %s', $1, $2, CASE WHEN $4 = '' THEN $3 ELSE $4 END, CASE WHEN $5 THEN '' ELSE ' without a place' END, $6, $7)
$$;
