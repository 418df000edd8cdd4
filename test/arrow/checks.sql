--
-- checks.sql
--	  What PostgreSQL alone can tell of the cases: prints a line for each that
--	  has failed, and the number of both.
--
CREATE TEMP TABLE result (name text NOT NULL, fault text);

-- The SQLSTATE that a statement raises, and its detail; or NULL.
CREATE FUNCTION pg_temp.raised(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
	detail text;
BEGIN
	EXECUTE statement;
	RETURN NULL;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, detail = PG_EXCEPTION_DETAIL;
	RETURN state || ' ' || detail;
END $$;

-- There and back: the same types, down to the collations, and the same values.
INSERT INTO result
SELECT c.name || ': there and back', written_fault(told(c, 'none'))
FROM arrow_case AS c;

INSERT INTO result
SELECT c.name || ': columns there and back',
	   CASE WHEN there <> back THEN format('%s instead of %s', back, there) END
FROM arrow_case AS c,
	 LATERAL (SELECT array_agg(d ORDER BY ordinality) AS there FROM rowset_columns(case_rowset(c)) AS d) AS a,
	 LATERAL (SELECT array_agg(d ORDER BY ordinality) AS back
			  FROM rowset_columns(arrow_to_rowset(case_stream(c, 'none'))) AS d) AS b;

-- The codecs, where the stream is long enough to be another one.
INSERT INTO result
SELECT format('%s: %s', c.name, codec), CASE WHEN arrow_to_rowset(stream) <> arrow_to_rowset(plain) THEN 'the rowset differs'
											 WHEN length(plain) > 10000 AND stream = plain THEN 'nothing is compressed' END
FROM arrow_case AS c, unnest('{lz4,zstd}'::text[]) AS codec,
	 LATERAL (SELECT case_stream(c, 'none') AS plain, case_stream(c, codec) AS stream) AS s;

-- What needs no NULL in place of a value comes back as the same bytes.
INSERT INTO result
SELECT c.name || ': bytes there and back', CASE WHEN there <> back THEN 'the bytes differ' END
FROM arrow_case AS c,
	 LATERAL (SELECT case_rowset(c) AS there, arrow_to_rowset(case_stream(c, 'none')) AS back) AS r
WHERE c.unrepresentable = 'error';

-- A query's stream is its rowset's.
INSERT INTO result
SELECT c.name || ': query', CASE WHEN query_to_arrow(c.query) <> rowset_to_arrow(query_to_rowset(c.query)) THEN 'the bytes differ' END
FROM arrow_case AS c
WHERE c.unrepresentable = 'error';

INSERT INTO result
SELECT 'parameters', difference(expected, rowset_truth(arrow_to_rowset(query_to_arrow(
	'SELECT $1 + i AS a, $2 AS b FROM generate_series(1, 2) AS i', 41, 'x'::text))))
FROM (SELECT '[["42", "x"], ["43", "x"]]'::jsonb AS expected) AS e;

-- Errors name the column and the row, and leave no doubt about the others.
INSERT INTO result
SELECT 'refused: ' || name, CASE WHEN raised IS NULL THEN 'no error instead of ' || sqlstate
								 WHEN raised NOT LIKE sqlstate || ' Column "x" of row 2 %' THEN format('%s instead of %s', raised, sqlstate)
								 WHEN raised_by_good IS NOT NULL THEN raised_by_good END
FROM refused, LATERAL (SELECT pg_temp.raised(format('SELECT query_to_arrow(%L)', format('VALUES (%s), (%s)', good, good))) AS raised_by_good,
					   pg_temp.raised(format('SELECT query_to_arrow(%L)', format('SELECT * FROM (VALUES (%s), (%s)) AS t(x)', good, bad))) AS raised) AS r;

-- The comparison that all of this rests on sees one value, one NULL, one row
-- and one type that is another.
INSERT INTO result
SELECT 'a difference is seen: ' || what, CASE WHEN written_fault(line || jsonb_build_object(key, value)) IS NULL THEN 'no' END
FROM (SELECT told(c, 'none') AS line FROM arrow_case AS c WHERE name = 'arrays') AS t,
	 LATERAL (VALUES ('value', 'rows', jsonb_set(line -> 'rows', '{0,4,0}', '"1.51"')),
					 ('NULL', 'rows', jsonb_set(line -> 'rows', '{3,0,0}', '"0"')),
					 ('empty', 'rows', jsonb_set(line -> 'rows', '{2,1}', '[]')),
					 ('row', 'rows', (line -> 'rows') - 4),
					 ('type', 'types', jsonb_set(line -> 'types', '{0,1}', '"bigint[]"'))) AS v(what, key, value);

SELECT format('FAILED: %s: %s', name, left(fault, 500)) FROM result WHERE fault IS NOT NULL ORDER BY name;
SELECT format('%s passed, %s failed', count(*) FILTER (WHERE fault IS NULL), count(fault)) FROM result;
