--
-- Arrow streams: what may go wrong, and what can be set
--
-- a stream begins and ends like this, and is a multiple of 64 bytes before the end
SELECT encode(substr(s, 1, 4), 'hex') AS begins, encode(substr(s, length(s) - 7), 'hex') AS ends, (length(s) - 8) % 64 AS rest
FROM query_to_arrow('SELECT 1 AS a, ''x''::text AS b') AS s;
-- the query's stream is the rowset's
SELECT query_to_arrow('SELECT $1 AS v', 2) = rowset_to_arrow(query_to_rowset('SELECT $1 AS v', 2)) AS same;
SELECT query_to_arrow('SELECT 1 AS v') = query_to_arrow('SELECT $1 AS v', 1) AS same;

-- NULL arguments
SELECT rowset_to_arrow(NULL) IS NULL AS rowset, query_to_arrow(NULL) IS NULL AS query, query_to_arrow(NULL, 1) IS NULL AS query_with_parameters;

-- values that Arrow cannot hold
SELECT query_to_arrow('SELECT i AS id, CASE WHEN i < 3 THEN date ''2024-02-29'' ELSE ''infinity'' END AS due FROM generate_series(1, 4) AS i');
SELECT query_to_arrow('SELECT time ''24:00'' AS t');
SELECT query_to_arrow('SELECT timestamptz ''-infinity'' AS t');
SELECT query_to_arrow('SELECT interval ''300 years'' + ''2600000 hours'' AS i');
SELECT query_to_arrow('SELECT ''NaN''::numeric(5,2) AS n');
SELECT query_to_arrow('SELECT ''{{1,2},{3,4}}''::int[] AS matrix');
SELECT query_to_arrow('SELECT ''[0:1]={1,2}''::int[] AS a');
SELECT query_to_arrow('SELECT ARRAY[ROW(1, date ''infinity'')] AS nested');
-- without a scale, a numeric is text, and so may be anything
SELECT length(query_to_arrow('SELECT ''NaN''::numeric AS n')) > 0 AS ok;
-- or NULL
SET rowser.arrow_unrepresentable = 'null';
SELECT query_to_arrow('SELECT ''infinity''::date AS d, ''{{1}}''::int[] AS a') = query_to_arrow('SELECT NULL::date AS d, NULL::int[] AS a') AS same;
RESET rowser.arrow_unrepresentable;

-- what is no query, no rowset, or too much
SELECT query_to_arrow('SELECT 1; SELECT 2');
SELECT query_to_arrow('CREATE TABLE t (a int)');
SELECT query_to_arrow('SELECT 1/0');
SELECT rowset_to_arrow('\x');
SELECT rowset_to_arrow(substr(query_to_rowset('SELECT 1 AS a'), 1, 40));
SELECT rowset_to_arrow(rowset_concat(VARIADIC array_fill(query_to_rowset('SELECT repeat(''x'', 100000000) AS v'), '{11}')));

-- settings
SET rowser.arrow_compression = gzip;
SET rowser.arrow_unrepresentable = ignore;
CREATE FUNCTION pg_temp.size() RETURNS int LANGUAGE sql AS $$SELECT length(query_to_arrow('SELECT i % 100 AS a, ''value '' || i AS b FROM generate_series(1, 10000) AS i'))$$;
SELECT pg_temp.size() AS plain \gset
SET rowser.arrow_compression = lz4;
SELECT pg_temp.size() < :plain / 2 AS smaller;
SET rowser.arrow_compression = zstd;
SELECT pg_temp.size() < :plain / 3 AS much_smaller;
RESET rowser.arrow_compression;
