-- Bytes of each form: what the timed statements have said, less the length word
-- that is no part of the value, and the files that COPY writes.  Wants "copy_dir".

INSERT INTO bench.bytes
SELECT tbl, rows, CASE form WHEN 'array_agg' THEN 'array' WHEN 'json_agg' THEN 'json'
		WHEN 'jsonb_agg' THEN 'jsonb' WHEN 'query_to_xml' THEN 'xml' ELSE form END,
	kind, result::bigint - 4
FROM bench.cases
WHERE suite = 'writing' AND kind <> 'floor' AND returns AND problem IS NULL
ORDER BY id;

SELECT DISTINCT format('COPY %s TO %L (FORMAT %s)', rel, :'copy_dir' || '/' || rel || '.' || format, format)
FROM bench.relation, (VALUES ('binary'), ('text')) AS f(format)
\gexec

INSERT INTO bench.bytes
SELECT DISTINCT tbl, rows, 'COPY ' || upper(format), 'rival', size
FROM bench.relation, (VALUES ('binary'), ('text')) AS f(format),
	pg_stat_file(:'copy_dir' || '/' || rel || '.' || format);

INSERT INTO bench.bytes
SELECT tbl, rows, 'table', 'floor', pg_table_size(rel::regclass)
FROM bench.relation WHERE scope = 'all';
