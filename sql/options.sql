--
-- Settings and options
--
LOAD 'rowser';
SELECT name, setting, boot_val, min_val, max_val, enumvals, context, vartype FROM pg_settings WHERE name LIKE 'rowser.%' ORDER BY name COLLATE "C";
SELECT name, short_desc, category, extra_desc FROM pg_settings WHERE name LIKE 'rowser.%' ORDER BY name COLLATE "C";

CREATE FUNCTION pg_temp.packs() RETURNS text LANGUAGE sql AS $$
SELECT format('%s rows in %s groups, %s', rows, row_groups, compression)
FROM rowset_info(query_to_rowset('SELECT repeat(i::text, 500) AS v FROM generate_series(1, 10) AS i'));
$$;
SELECT pg_temp.packs();

-- compression
SET rowser.compression = none;
SELECT pg_temp.packs();
SET rowser.compression = 'lz4';
SELECT pg_temp.packs();
SET rowser.compression = ZSTD;
SELECT pg_temp.packs();
SET rowser.compression = gzip;
SET rowser.compression = '';
SET rowser.compression = 1;
SHOW rowser.compression;
SELECT pg_temp.packs();

-- compression_level
SET rowser.compression_level = 1;
SELECT pg_temp.packs();
SET rowser.compression_level = 22;
SELECT pg_temp.packs();
SET rowser.compression_level = 1000;
SET rowser.compression_level = -1000;
SET rowser.compression_level = high;
SHOW rowser.compression_level;
RESET rowser.compression_level;
RESET rowser.compression;

-- row_group_rows
SET rowser.row_group_rows = 1;
SELECT pg_temp.packs();
SET rowser.row_group_rows = 7;
SELECT pg_temp.packs();
SET rowser.row_group_rows = 1048576;
SELECT pg_temp.packs();
SET rowser.row_group_rows = 0;
SET rowser.row_group_rows = -1;
SET rowser.row_group_rows = 1048577;
SET rowser.row_group_rows = many;
SHOW rowser.row_group_rows;
RESET rowser.row_group_rows;
SELECT pg_temp.packs();

-- on a function, and only there
CREATE FUNCTION pg_temp.packs_so() RETURNS text LANGUAGE sql SET rowser.row_group_rows = 5 SET rowser.compression = none AS 'SELECT pg_temp.packs()';
SELECT pg_temp.packs_so();
SELECT pg_temp.packs();

-- a setting that there is not
SET rowser.compresion = none;

-- match
SELECT query_to_rowset('SELECT 1 AS a, 2 AS b') AS r \gset
SELECT * FROM rowset_to_recordset(:'r', 'name') AS t(b int);
SELECT * FROM rowset_to_recordset(:'r', 'position') AS t(b int);
SELECT * FROM rowset_to_recordset(:'r', 'ordinal') AS t(b int);
SELECT * FROM rowset_to_recordset(:'r', '') AS t(b int);
SELECT m.match, t.* FROM (VALUES ('name'), ('position')) AS m(match), rowset_to_recordset(:'r', m.match) AS t(b int);
