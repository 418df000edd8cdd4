-- A rowset as two messages: as it is, and in base64.
BEGIN;
SELECT pg_logical_emit_message(true, 'binary', rows) IS NULL AS failed, pg_logical_emit_message(true, 'base64', encode(rows, 'base64')) IS NULL AS failed
FROM query_to_rowset('SELECT * FROM lineitem ORDER BY l_orderkey, l_linenumber LIMIT 100') AS rows;
COMMIT;
