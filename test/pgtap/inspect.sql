--
-- inspect.sql
--	  What a rowset says of itself is told without its values: how much of a
--	  rowset in TOAST storage is fetched, and that its storage makes no other
--	  difference.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
SELECT plan(14);

CREATE TABLE stored (r bytea);
ALTER TABLE stored ALTER r SET STORAGE EXTERNAL;
SET LOCAL rowser.compression = none;
INSERT INTO stored
SELECT query_to_rowset('SELECT i AS id, md5(i::text) AS v FROM generate_series(1, 100000) AS i');
CREATE TABLE compressed (LIKE stored);
ALTER TABLE compressed ALTER r SET STORAGE EXTENDED;
INSERT INTO compressed
SELECT query_to_rowset('SELECT i % 7 AS id, repeat(i::text || '' '', 50) AS v FROM generate_series(1, 1000) AS i');

-- Blocks of the TOAST table that a statement has asked for
CREATE FUNCTION pg_temp.fetched(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	toast oid := (SELECT reltoastrelid FROM pg_class WHERE oid = 'stored'::regclass);
	before bigint := pg_stat_get_xact_blocks_fetched(toast);
BEGIN
	EXECUTE statement;
	RETURN pg_stat_get_xact_blocks_fetched(toast) - before;
END $$;

SELECT cmp_ok(pg_temp.fetched('SELECT length(r || ''x'') FROM stored'), '>', 300::bigint, 'the whole takes many blocks');
SELECT cmp_ok(pg_temp.fetched('SELECT rowset_count(r) FROM stored'), '<', 30::bigint, 'rowset_count takes few');
SELECT cmp_ok(pg_temp.fetched('SELECT count(*) FROM stored, rowset_columns(r)'), '<', 30::bigint, 'rowset_columns takes few');
SELECT cmp_ok(pg_temp.fetched('SELECT rowset_info(r) FROM stored'), '<', 90::bigint, 'rowset_info takes some for each row group');

SELECT is((SELECT rowset_count(r) FROM stored), 100000::bigint, 'and the count is right');
SELECT is((SELECT stored_bytes FROM stored, rowset_info(r)), (SELECT octet_length(r)::bigint FROM stored),
	'rowset_info tells the size of a rowset that it does not fetch');
SELECT is((SELECT rowset_info(r || ''::bytea) FROM stored), (SELECT rowset_info(r) FROM stored), 'nor does it matter that it is stored');

SELECT ok((SELECT pg_column_size(r) < octet_length(r) FROM compressed), 'one is compressed by TOAST');
SELECT is((SELECT rowset_info(r) FROM compressed), (SELECT rowset_info(r || ''::bytea) FROM compressed), 'rowset_info of it');
SELECT results_eq('SELECT c.* FROM compressed, rowset_columns(r) AS c', 'SELECT c.* FROM compressed, rowset_columns(r || '''') AS c',
	'rowset_columns of it');

-- Hostile bytes: cut off or changed anywhere, the answer is the one for the same
-- bytes in memory, be it an error.
CREATE TABLE mutant (id int PRIMARY KEY, r bytea);
ALTER TABLE mutant ALTER r SET STORAGE EXTERNAL;
SET LOCAL rowser.row_group_rows = 40;
SELECT query_to_rowset('SELECT i AS id, md5(i::text) AS v, ARRAY[i, NULL] AS a, md5((-i)::text) AS "Last" FROM generate_series(1, 100) AS i') AS r \gset
RESET rowser.row_group_rows;
INSERT INTO mutant SELECT -i, substr(:'r'::bytea, 1, i) FROM generate_series(2500, length(:'r'::bytea), 7) AS i;
INSERT INTO mutant SELECT i, set_byte(:'r', i, get_byte(:'r', i) # (1 << i % 8)) FROM generate_series(0, length(:'r'::bytea) - 1, 3) AS i;
INSERT INTO mutant SELECT 100000 + i, set_byte(:'r', i, 255) FROM generate_series(0, 200) AS i;

CREATE FUNCTION pg_temp.told(call text, r bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
	detail text;
BEGIN
	EXECUTE format('SELECT string_agg(t::text, '' '') FROM %s($1) AS t', call) INTO answer USING r;
	RETURN answer;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', SQLSTATE, SQLERRM, detail);
END $$;
SELECT ok(count(*) > 2000 AND bool_and(pg_column_size(r) > 2400), 'the mutants are stored in TOAST') FROM mutant;
SELECT is(array_agg(id ORDER BY id) FILTER (WHERE pg_temp.told(call, r) IS DISTINCT FROM pg_temp.told(call, r || ''::bytea)), NULL,
	call || ' tells the same of mutants in storage and in memory')
FROM mutant, unnest(ARRAY['rowset_columns', 'rowset_count', 'rowset_info']) AS call
GROUP BY call ORDER BY call;

SELECT * FROM finish();
ROLLBACK;
