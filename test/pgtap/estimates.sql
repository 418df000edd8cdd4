--
-- estimates.sql
--	  How many rows the planner expects behind a filter on a rowset that it knows.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
SELECT no_plan();

-- The rows that a plan expects.
CREATE FUNCTION public.expected_rows(p_query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	v_plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || p_query INTO v_plan;
	RETURN v_plan #>> '{0,Plan,Plan Rows}';
END $$;

-- The same of a rowset of one column, whose values are made of i from 1 to 1000.
CREATE FUNCTION public.expected_rows(p_value text, p_type text, p_filter text) RETURNS bigint LANGUAGE sql AS $$
	SELECT expected_rows(format('SELECT * FROM rowset_to_recordset(%L) AS t(v %s) WHERE %s',
		query_to_rowset(format('SELECT %s AS v FROM generate_series(1, 1000) AS i', p_value)), p_type, p_filter))
$$;

--
-- Every type whose bounds are numbers, in the forms that it may have in the bytes
--
SELECT is(expected_rows(value, type, filter), expected::bigint, format('%s as %s, where %s', value, type, filter))
FROM (VALUES
	('i::int2', 'int2', 'v <= 250', 250),
	('i::int2', 'int2', 'v < 251::int2', 250),
	('i', 'int4', 'v <= 250', 250),
	('i::int8', 'int8', 'v <= 250', 250),
	('date ''2000-01-01'' + i', 'date', 'v <= date ''2000-01-01'' + 250', 250),
	('time ''00:00'' + i * interval ''1 minute''', 'time', 'v <= time ''00:00'' + 250 * interval ''1 minute''', 249),
	('timestamp ''2000-01-01'' + i * interval ''1 hour''', 'timestamp', 'v <= timestamp ''2000-01-01'' + 250 * interval ''1 hour''', 249),
	('timestamptz ''2000-01-01'' + i * interval ''1 hour''', 'timestamptz', 'v <= timestamptz ''2000-01-01'' + 250 * interval ''1 hour''', 249),
	('i::float4', 'float4', 'v <= 250::float4', 249),
	('i + 0.123::float8 / i', 'float8', 'v <= 250', 249),
	('round(i / 10.0, 1)', 'numeric', 'v <= 25', 249),
	-- one value
	('7', 'int4', 'v = 7', 1000),
	('7', 'int4', 'v < 7', 1),
	('7', 'int4', 'v > 6', 1000),
	('1.5', 'numeric', 'v = 1.5', 1000),
	('1.5::float4', 'float4', 'v > 1', 1000),
	('1.5::float8', 'float8', 'v > 2', 1),
	-- not between the bounds
	('i', 'int4', 'v = 0', 1),
	('i', 'int4', 'v = 1001', 1),
	('i', 'int4', 'v > 300 AND v <= 400', 100),
	('CASE WHEN i % 2 = 0 THEN i END', 'int4', 'v <= 500', 250)) AS v(value, type, filter, expected);

--
-- Where bounds tell nothing: a part that the planner takes for such a clause (a
-- third, or one in 200)
--
SELECT is(expected_rows(value, type, filter), expected::bigint, format('%s as %s, where %s', value, type, filter))
FROM (VALUES
	('CASE WHEN i = 1 THEN ''-infinity'' ELSE date ''2000-01-01'' + i END', 'date', 'v < ''2000-02-01''', 333),
	('CASE WHEN i = 1000 THEN ''infinity'' ELSE date ''2000-01-01'' + i END', 'date', 'v < ''2000-02-01''', 333),
	('''infinity''::date', 'date', 'v < ''2000-02-01''', 333),
	('CASE WHEN i = 1 THEN ''-infinity'' ELSE timestamp ''2000-01-01'' + i * interval ''1 hour'' END', 'timestamp', 'v < ''2000-02-01''', 333),
	('CASE WHEN i = 1 THEN ''infinity'' ELSE timestamptz ''2000-01-01'' + i * interval ''1 hour'' END', 'timestamptz', 'v < ''2000-02-01''', 333),
	('''NaN''::numeric', 'numeric', 'v < 5', 333),
	('''infinity''::float4', 'float4', 'v = 5', 5),
	('CASE WHEN i = 1 THEN ''infinity''::float8 ELSE i END', 'float8', 'v < 5', 333),
	-- a constant that is no number
	('i', 'int4', 'v = ''infinity''::float8', 5),
	('date ''2000-01-01'' + i', 'date', 'v = ''infinity''', 5),
	('i', 'int4', 'v = ''NaN''::float4::float8', 5),
	('i / 10.0', 'numeric', 'v = ''NaN''', 5),
	-- types that are no numbers
	('i::text', 'text', 'v < ''5''', 333),
	('(i % 2 = 0)::text', 'text', 'v = ''true''', 5),
	('''x''::text', 'text', 'v < ''5''', 333),
	('i::oid', 'oid', 'v < 5::oid', 333),
	('interval ''1 day'' * i', 'interval', 'v < ''5 days''', 333),
	-- nor is there a value
	('NULL::int', 'int4', 'v < 5', 1),
	('NULL::int', 'int4', 'v IS NULL', 1000)) AS v(value, type, filter, expected);

--
-- Columns that can't be told
--
SELECT is(expected_rows(format('SELECT * FROM rowset_to_recordset(%L) AS t(v int) WHERE v < 5', query_to_rowset('SELECT i AS v, i AS v FROM generate_series(1, 1000) AS i'))),
		  333::bigint, 'two columns of that name');
SELECT is(expected_rows(format('SELECT * FROM rowset_to_recordset(%L, ''position'') AS t(a int, b int) WHERE b < 5', query_to_rowset('SELECT i AS a FROM generate_series(1, 1000) AS i'))),
		  1000::bigint, 'by position, past the last one');
-- The smallest value is to be the numeric of two bytes.
SELECT is(expected_rows('SELECT * FROM rowset_to_recordset(''\xff52530d0a0001000f045554463801017609a40dcd00d5a547170e0200200200000600000000010038e5af25c0247bcf300f0000000001000f0000000001005401271902842cfd050d000000'') AS t(v numeric) WHERE v < 5'),
		  1::bigint, 'a bound that is no number');
-- Bounds that are the wrong way round, and an encoding that is called otherwise
SELECT is(expected_rows('SELECT * FROM rowset_to_recordset(''\xff52530d0a0001000e04555446380101760417d67e8527470f080200200a0220e65473636b67286c0100000005000000540119110270a1efe00d000000'') AS t(v int) WHERE v > 6'), 1::bigint, 'bounds the wrong way round');
SELECT is(expected_rows('SELECT * FROM rowset_to_recordset(''\xff52530d0a0001000e047574663801017604174cbfc9fd470f08020020020a20e6547363278203420100000005000000540119110270a1efe00d000000'') AS t(v int) WHERE v > 6'), 1::bigint, 'an encoding of another name');
SELECT is(expected_rows(format('SELECT * FROM rowset_to_recordset(%L) AS t(v int) WHERE v < 5', query_to_rowset('SELECT 1 AS v WHERE false'))),
		  1::bigint, 'no row group');

SELECT * FROM finish();
ROLLBACK;
