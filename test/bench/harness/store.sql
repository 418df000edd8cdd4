-- What there is to read: each table in each form, one value in one row of a table of
-- its own, out of line and uncompressed, so that all forms are fetched alike
-- and none pays for pglz; and COPY's file in the folder "copy_dir".

CREATE SCHEMA stored;

-- Bytes of what is stored, and of the tables themselves.
CREATE TABLE bench.stored (rel text, form text, bytes bigint NOT NULL, PRIMARY KEY (rel, form));
INSERT INTO bench.stored SELECT DISTINCT rel, 'table', pg_table_size(rel::regclass) FROM bench.relation;

SELECT DISTINCT ON (rel, form)
	format('CREATE TABLE stored.%s_%s (value %s)', rel, form, replace(type, '$', rel)),
	format('ALTER TABLE stored.%s_%s ALTER value SET STORAGE EXTERNAL', rel, form),
	format('SET rowser.compression = %s', method),
	format('INSERT INTO stored.%s_%s %s', rel, form, replace(query, '$', rel)),
	format('VACUUM (FREEZE, ANALYZE) stored.%s_%s', rel, form),
	format('INSERT INTO bench.stored SELECT %L, %L, pg_column_size(value) FROM stored.%1$s_%2$s', rel, form)
FROM (VALUES
	('{all,json,xml}'::text[], 'rowset', 'bytea', 'DEFAULT', 'SELECT query_to_rowset(''SELECT * FROM $'')'),
	('{all}', 'rowset_zstd', 'bytea', 'zstd', 'SELECT query_to_rowset(''SELECT * FROM $'')'),
	('{all}', 'rowset_none', 'bytea', 'none', 'SELECT query_to_rowset(''SELECT * FROM $'')'),
	('{all}', 'array', '$[]', 'DEFAULT', 'SELECT array_agg(t) FROM $ AS t'),
	('{json}', 'json', 'json', 'DEFAULT', 'SELECT json_agg(t) FROM $ AS t'),
	('{json}', 'jsonb', 'jsonb', 'DEFAULT', 'SELECT jsonb_agg(t) FROM $ AS t'),
	('{xml}', 'xml', 'xml', 'DEFAULT', 'SELECT query_to_xml(''SELECT * FROM $'', false, false, '''')')
	) AS f(scopes, form, type, method, query)
	JOIN bench.relation ON scope = ANY (scopes)
ORDER BY rel, form
\gexec

RESET rowser.compression;

SELECT format('COPY %s TO %L (FORMAT binary)', rel, :'copy_dir' || '/' || rel || '.binary')
FROM bench.relation WHERE scope = 'all'
\gexec
