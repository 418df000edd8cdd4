--
-- What a rowset tells about itself
--
CREATE TYPE i_mood AS ENUM ('sad', 'ok');
CREATE DOMAIN i_domain AS numeric(8,2);
CREATE SCHEMA "I s";
CREATE TYPE "I s"."T t" AS (a int);
CREATE TEMP TABLE packed AS
SELECT query_to_rowset($$SELECT i AS id, 'x'::varchar(10) AS "Var char", 1.5::numeric(5,2) AS n, 'a' COLLATE "C" AS c, 'ok'::i_mood AS m, 1.5::i_domain AS d,
	ROW(1)::"I s"."T t" AS t, '{1}'::int[] AS a, '{abc}'::char(5)[] AS ca, ROW(1, 2) AS r, now()::timestamptz(0) AS ts, 'pg_class'::regclass AS rc, NULL AS nothing
	FROM generate_series(1, 3) AS i$$) AS r;

SELECT ordinality, name, type, type_schema, type_name, typmod, "collation", type_oid < 16384 AS builtin, type_oid::regtype FROM packed, rowset_columns(r);
\x on
SELECT ordinality, name, type, type_schema, type_name, typmod, "collation", type_oid FROM packed, rowset_columns(r) LIMIT 2;
SELECT format_version, encoding, columns, rows, row_groups, compression, raw_bytes > 0 AS raw, stored_bytes = length(r) AS stored, checksum FROM packed, rowset_info(r);
\x off
SELECT rowset_count(r), rowset_is_valid(r), rowset_column_list(r) FROM packed;
SELECT rowset_check(r) FROM packed;

-- with nothing in it
\x on
SELECT format_version, encoding, columns, rows, row_groups, compression, raw_bytes FROM rowset_info(query_to_rowset('SELECT WHERE false'));
\x off
SELECT * FROM rowset_columns(query_to_rowset('SELECT WHERE false'));
SELECT rowset_column_list(query_to_rowset('SELECT WHERE false')) = '' AS no_columns, rowset_count(query_to_rowset('SELECT WHERE false'));
SELECT rowset_is_valid(query_to_rowset('SELECT WHERE false'));
SELECT columns, rows FROM rowset_info(query_to_rowset('SELECT FROM generate_series(1, 5)'));

-- groups and compressions
SET rowser.row_group_rows = 2;
SELECT rows, row_groups FROM rowset_info(query_to_rowset('SELECT i FROM generate_series(1, 5) AS i'));
RESET rowser.row_group_rows;
SET rowser.compression = none;
SELECT compression FROM rowset_info(query_to_rowset('SELECT repeat(i::text, 500) FROM generate_series(1, 5) AS i'));
SET rowser.compression = lz4;
SELECT compression FROM rowset_info(query_to_rowset('SELECT repeat(i::text, 500) FROM generate_series(1, 5) AS i'));
SET rowser.compression = zstd;
SELECT compression FROM rowset_info(query_to_rowset('SELECT repeat(i::text, 500) FROM generate_series(1, 5) AS i'));
SELECT compression FROM rowset_info(query_to_rowset('SELECT 1 AS a'));
RESET rowser.compression;

-- names and types are quoted where they must be
SELECT rowset_column_list(query_to_rowset('SELECT 1 AS "A", 2 AS "select", 3 AS "a b", 4 AS "q""q", 5, 6 AS größe, 7 AS "1"'));
SELECT rowset_column_list(query_to_rowset('SELECT 1 AS a, 2 AS a'));

-- a type that is not there any more
CREATE TEMP TABLE orphan AS SELECT query_to_rowset('SELECT ''ok''::i_mood AS m, ''{ok}''::i_mood[] AS ma, ROW(1)::"I s"."T t" AS t') AS r;
DROP TYPE i_mood;
DROP SCHEMA "I s" CASCADE;
SELECT ordinality, name, type, type_schema, typmod, "collation", type_oid FROM orphan, rowset_columns(r);
SELECT rowset_count(r), rowset_is_valid(r) FROM orphan;
SELECT rowset_column_list(r) FROM orphan;
SELECT rowset_open(r) FROM orphan;
SELECT rowset_check(r) FROM orphan;

-- in FROM, in the SELECT list, under LATERAL
SELECT c.name, i.rows FROM orphan, rowset_columns(r) AS c, rowset_info(r) AS i ORDER BY c.ordinality;
SELECT (rowset_info(r)).rows, (rowset_columns(r)).name FROM orphan;

-- what is not a rowset
SELECT rowset_is_valid(''), rowset_is_valid('\x00'), rowset_is_valid('rowset');
SELECT rowset_count('');

DROP DOMAIN i_domain;

-- every function is described, and is what it says
SELECT p.oid::regprocedure AS function, p.prokind AS kind, p.provolatile AS volatile, p.proparallel AS parallel, p.proisstrict AS strict, obj_description(p.oid, 'pg_proc') AS comment
FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
JOIN pg_extension AS e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid
WHERE e.extname = 'rowser' ORDER BY p.proname COLLATE "C", p.pronargs;
