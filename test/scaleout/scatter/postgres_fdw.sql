-- The coordinator's side with postgres_fdw: a foreign table for each shard's view
-- below one parent.  With async_capable an Append waits for all of them at once.
CREATE EXTENSION postgres_fdw;
CREATE TABLE lineitem_packed (rows bytea);
SELECT format($$CREATE SERVER %1$s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (service '%1$s', async_capable 'true')$$, s),
	format('CREATE USER MAPPING FOR CURRENT_USER SERVER %s', s),
	format('CREATE FOREIGN TABLE packed_%1$s () INHERITS (lineitem_packed) SERVER %1$s OPTIONS (table_name %2$L)',
		s, 'lineitem_packed')
FROM unnest('{shard0,shard1,shard2,shard3}'::text[]) AS s \gexec

CREATE VIEW fdw_lineitem AS
SELECT t.*
FROM (SELECT rowset_concat_agg(rows) AS gathered FROM lineitem_packed) AS g,
	rowset_populate_recordset(NULL::lineitem, gathered) AS t;
