--
-- specimens.sql
--	  Small rowsets that have between them every kind of type, every encoding that
--	  is written, every compression, NULLs, and none, one and several groups.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

-- Reads that filter by a column, which may look at the bounds of row groups, for
-- each column whose type can be compared.
CREATE FUNCTION hostile.filters(p_rowset bytea, p_list text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	v_column text;
	v_value text;
	v_query text;
	v_result text[] := '{}';
BEGIN
	FOR v_column IN SELECT name FROM rowset_columns(p_rowset) WHERE p_list IS NOT NULL LOOP
		BEGIN
			EXECUTE format('SELECT max(%I::text) FROM rowset_to_recordset($1) AS t(%s)', v_column, p_list) INTO v_value USING p_rowset;
			v_query := format('SELECT count(%1$I) FROM rowset_to_recordset($1) AS t(%2$s) WHERE %1$I >= %3$L OR %1$I = %3$L OR %1$I IS NULL', v_column, p_list, v_value);
			EXECUTE v_query USING p_rowset;
			v_result := v_result || v_query;
		EXCEPTION WHEN OTHERS THEN
			NULL;
		END;
	END LOOP;
	RETURN v_result;
END $$;

-- Pack a query's result; a method that this build lacks leaves the specimen out.
CREATE FUNCTION hostile.add(p_name text, p_query text, p_method text DEFAULT 'none', p_rows int DEFAULT 1000, p_extra text[] DEFAULT '{}')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea;
BEGIN
	PERFORM set_config('rowser.compression', p_method, true), set_config('rowser.row_group_rows', p_rows::text, true);
	v_rowset := query_to_rowset(p_query);
	INSERT INTO hostile.specimen (name, rowset, list, extra)
	VALUES (p_name, v_rowset, nullif(rowset_column_list(v_rowset), ''), p_extra || hostile.filters(v_rowset, nullif(rowset_column_list(v_rowset), '')));
EXCEPTION WHEN feature_not_supported THEN
	NULL;
END $$;

\o /dev/null
BEGIN;

-- Frame
SELECT hostile.add('no rows', 'SELECT 1 AS a, ''x''::text AS b WHERE false'),
	hostile.add('no columns', 'SELECT FROM generate_series(1, 3)'),
	hostile.add('neither', 'SELECT WHERE false'),
	hostile.add('no columns, groups', 'SELECT FROM generate_series(1, 3)', p_rows => 1),
	hostile.add('groups of 1', 'SELECT i AS a, ''t'' || i AS b FROM generate_series(1, 3) AS i', p_rows => 1),
	hostile.add('groups of 2', 'SELECT i AS a, CASE WHEN i > 2 THEN ''t'' || i END AS b FROM generate_series(1, 5) AS i', p_rows => 2),
	hostile.add('checksum units', 'SELECT 1 + i AS a, repeat(i::text, 300) AS b, i * i AS c FROM generate_series(1, 2) AS i'),
	hostile.add('collation and typmods', 'SELECT ''a'' COLLATE "C" AS a, ''b''::varchar(10) AS b, 1.5::numeric(5,2) AS c, B''101''::bit(3) AS d, ''x''::char(2) AS e,
				 interval ''1:02'' hour to minute AS f, timestamp(3) ''2000-01-01'' AS g, time(0) ''1:00'' AS h');

-- Fixed widths
SELECT hostile.add('integers', 'SELECT i::"char" AS a, i::int2 AS b, i AS c, i::int8 AS d, i::oid AS e FROM generate_series(1, 2) AS i'),
	hostile.add('integers as other types', 'SELECT i::int2 AS a, i AS b, i::int8 AS c FROM generate_series(1, 2) AS i',
				p_extra => '{SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(a bigint\, b text\, c numeric(4\,1)),
							 SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(a oid\, b posint\, c float8),
							 SELECT sum(length(t::text)) FROM rowset_populate_recordset(NULL::pair\, $1) AS t}'),
	hostile.add('integers with NULLs', 'SELECT nullif(i, 2) AS a, NULL::int AS b, nullif(i, 1) AS c FROM generate_series(1, 9) AS i'),
	hostile.add('floats and booleans', 'SELECT i / 3.0::float8 AS a, (i / 3.0)::float4 AS b, i % 2 = 0 AS c FROM generate_series(1, 3) AS i'),
	hostile.add('constants', 'SELECT 1::int2 AS a, 2 AS b, 3::int8 AS c, true AS d, 1.5 AS e, ''x''::text AS f, 0.5::float8 AS g,
				 ''00000000-0000-0000-0000-000000000001''::uuid AS h, repeat(''long'', 40) AS i FROM generate_series(1, 3)'),
	hostile.add('dates and times', 'SELECT date ''2000-01-01'' + i AS a, time ''01:02:03'' + i * interval ''1 s'' AS b, timestamp ''2000-01-01'' + i * interval ''1 day'' AS c
				FROM generate_series(1, 2) AS i'),
	hostile.add('zones and spans', 'SELECT timetz ''01:02:03+04'' + i * interval ''1 s'' AS a, timestamptz ''2000-01-01'' + i * interval ''1 day'' AS b, interval ''1 mon'' * i AS c
				FROM generate_series(1, 2) AS i'),
	hostile.add('infinities', 'SELECT v, v::date AS d, v::text::float8 AS f FROM unnest(''{infinity,-infinity}''::timestamp[]) AS v'),
	hostile.add('uuid, macaddr, tid', 'SELECT (''00000000-0000-0000-0000-00000000000'' || i)::uuid AS a, (''08:00:2b:01:02:0'' || i)::macaddr AS b,
				(''08:00:2b:01:02:03:04:0'' || i)::macaddr8 AS c, (''(0,'' || i || '')'')::tid AS d FROM generate_series(1, 2) AS i'),
	hostile.add('sequences', 'SELECT 1000 + i AS a, i::int8 * i * 100 AS b, (i / 9)::int2 AS c FROM generate_series(1, 20) AS i'),
	hostile.add('runs', 'SELECT i / 12 AS a, i % 20 < 10 AS b, ''x'' || i / 16 AS c FROM generate_series(1, 40) AS i'),
	hostile.add('small numbers', 'SELECT 100000 + i * 7 % 11 AS a, i * 7 % 3 = 0 AS b FROM generate_series(1, 30) AS i'),
	hostile.add('decimals', 'SELECT round(i * 1.25, i % 3) AS a, i * 0.01::float8 AS b, i * 0.5::float4 AS c FROM generate_series(1, 12) AS i'),
	hostile.add('decimals with exceptions', 'SELECT CASE i WHEN 3 THEN ''NaN'' ELSE i * 1.25 END AS a, CASE i WHEN 5 THEN ''-0'' ELSE i / 4.0::float8 END AS b FROM generate_series(1, 10) AS i'),
	hostile.add('runs of far numbers', 'SELECT (''{5,1000000007,-3,77777777}''::int[])[i / 50 + 1] AS a, (''{9,100000000000007,5}''::int8[])[i / 70 + 1] AS b FROM generate_series(0, 199) AS i'),
	hostile.add('runs of texts', 'SELECT ''some text '' || i / 50 * 7 % 4 AS a FROM generate_series(0, 199) AS i'),
	hostile.add('bounds of numbers', 'SELECT i AS a, i * 0.5 AS b, i * 0.25::float8 AS c, (i * 0.5)::float4 AS d, i::int2 AS e, i::int8 AS f FROM generate_series(1, 130) AS i'),
	hostile.add('bounds of words', 'SELECT (''word '' || i % 3) COLLATE "C" AS a, (''x'' || i % 2)::name AS b, (''00000000-0000-0000-0000-00000000000'' || i % 2)::uuid AS c, (''\x0'' || i % 2)::bytea AS d,
				date ''2000-01-01'' + i AS e FROM generate_series(1, 130) AS i'),
	hostile.add('bounds and NULLs in groups', 'SELECT nullif(i % 129, 0) AS a FROM generate_series(1, 260) AS i', p_rows => 130),
	hostile.add('other numbers', 'SELECT i::text::money AS a, (''0/'' || i)::pg_lsn AS b, i::text::xid AS c, i::text::xid8 AS d, i::text::cid AS e FROM generate_series(1, 2) AS i');

-- Images
SELECT hostile.add('numerics', 'SELECT v FROM unnest(''{NaN,Infinity,-Infinity,0,1.10,-12345678.000123,1e40}''::numeric[]) AS v'),
	hostile.add('numerics with a typmod', 'SELECT v::numeric(12,3) AS v FROM unnest(''{0,1.1,-12345678.123}''::numeric[]) AS v'),
	hostile.add('texts', 'SELECT v, v::varchar(9) AS c, v::char(3) AS s FROM unnest(ARRAY['''', ''a'', ''ö'']) AS v',
				p_extra => '{SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(v varchar(1)\, c text\, s name)}'),
	hostile.add('names', 'SELECT v::name AS a FROM unnest(ARRAY['''', ''größe'', repeat(''n'', 63)]) AS v'),
	hostile.add('bytes', 'SELECT v FROM unnest(''{"\\x","\\x00","\\xff01"}''::bytea[]) AS v'),
	hostile.add('long images', 'SELECT i AS a, repeat(i::text, 126 + i) AS v FROM generate_series(0, 1) AS i'),
	hostile.add('an image past 255 bytes', 'SELECT repeat(''x'', 300) AS v'),
	hostile.add('texts with NULLs', 'SELECT nullif(i::text, ''2'') AS a, NULL::text AS b FROM generate_series(1, 9) AS i'),
	hostile.add('a dictionary', 'SELECT (ARRAY[''low'', ''medium'', ''very high''])[i % 3 + 1] AS v FROM generate_series(1, 16) AS i'),
	hostile.add('dictionaries of numerics', 'SELECT (ARRAY[1.5, 2.25])[i % 2 + 1] AS v, nullif((ARRAY[''\x0102''::bytea, ''\x00''])[i % 2 + 1], ''\x00'') AS w FROM generate_series(1, 9) AS i'),
	hostile.add('json', 'SELECT v::json AS a, v::jsonb AS b FROM unnest(ARRAY[''{"a": [1, null]}'', ''"x"'']) AS v'),
	hostile.add('jsonpath and snapshots', 'SELECT ''$.a[*] ? (@ > 1)''::jsonpath AS a, ''10:20:10,14''::pg_snapshot AS b'),
	hostile.add('xml', 'SELECT v::xml AS v FROM unnest(ARRAY[''<a b="c">x</a>'', ''t'']) AS v'),
	hostile.add('texts to search', 'SELECT ''a:1A,3 b''::tsvector AS a, ''a & !(b:B | c)''::tsquery AS b'),
	hostile.add('addresses and bits', 'SELECT inet ''10.0.0.1/8'' AS a, cidr ''::1'' AS b, B''10101'' AS c, varbit ''101'' AS d'),
	hostile.add('geometry', 'SELECT point ''(1,2)'' AS a, path ''[(0,0),(1,1)]'' AS b, circle ''<(1,2),3>'' AS c'),
	hostile.add('extensions', 'SELECT ''a=>1, b=>NULL''::hstore AS a, ''x.y''::ltree AS b, ''*.x{1,2}''::lquery AS c, ''Abc''::citext AS d'),
	hostile.add('names of objects', 'SELECT ''pg_class''::regclass AS a, ''int4''::regtype AS b, ''now()''::regprocedure AS c, ''+(int4,int4)''::regoperator AS d'),
	hostile.add('more names of objects', 'SELECT ''simple''::regconfig AS a, ''postgres''::regrole AS b, ''pg_catalog''::regnamespace AS c, ''"C"''::regcollation AS d, ''now''::regproc AS e'),
	hostile.add('rights and vectors', 'SELECT ''{postgres=r/postgres}''::aclitem[] AS a, ''1 2''::int2vector AS b, ''1 2''::oidvector AS c'),
	hostile.add('node trees', 'SELECT adbin AS v FROM pg_attrdef WHERE adrelid = ''dropped''::regclass'),
	hostile.add('pseudo-types', 'SELECT attmissingval AS a, ''x''::cstring AS b FROM pg_attribute WHERE attrelid = ''dropped''::regclass AND attname = ''b''');

-- Nested
SELECT hostile.add('arrays', 'SELECT v FROM (VALUES (''{1,NULL,3}''::int[]), (''{}''), (NULL), (''{4}'')) AS s(v)',
				p_extra => '{SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(v text[]),
							 SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(v ints)}'),
	hostile.add('arrays of some dimensions', 'SELECT v FROM (VALUES (''{1,2}''::int[]), (''[0:1][2:2]={{4},{5}}''), (''{}'')) AS s(v)'),
	hostile.add('arrays of growing lengths', 'SELECT array_fill(7, ARRAY[i]) AS v FROM generate_series(1, 24) AS i'),
	hostile.add('arrays of texts', 'SELECT ARRAY[''a'', NULL, ''bb''] AS v, ARRAY[[1.5, 2], [3, 4]] AS w'),
	hostile.add('arrays of dictionaries', 'SELECT array_fill(''many words''::text, ARRAY[40]) || ARRAY[''a''] AS v'),
	hostile.add('composites', 'SELECT v FROM (VALUES (ROW(1, ''a'')::pair), (ROW(NULL, NULL)::pair), (NULL)) AS s(v)',
				p_extra => '{SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(v record)}'),
	hostile.add('composites in composites', 'SELECT ROW(ROW(1, ''a''), ''{1}'')::nest AS a, ROW(1, ''ok'')::dropped AS b'),
	hostile.add('arrays of composites', 'SELECT ARRAY[ROW(1, ''a''), NULL, ROW(NULL, ''b'')]::pair[] AS v'),
	hostile.add('records', 'SELECT ROW(1, ''a''::text) AS r FROM generate_series(1, 2)',
				p_extra => '{SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(r pair)}'),
	hostile.add('records of two shapes', 'SELECT CASE i WHEN 1 THEN ROW(1) ELSE ROW(''x''::text, true) END AS r FROM generate_series(1, 3) AS i'),
	hostile.add('arrays of records', 'SELECT ARRAY[ROW(1), ROW(''x''::text, true), NULL] AS a'),
	hostile.add('records in records', 'SELECT ROW(ROW(1, ROW()), ARRAY[ROW(2)]) AS r'),
	hostile.add('enums', 'SELECT v FROM unnest(''{sad,ok,NULL}''::mood[]) AS v'),
	hostile.add('domains', 'SELECT 5::posint AS a, 6::must AS b, ''{7}''::ints AS c, ARRAY[1, 2]::posint[] AS d',
				p_extra => '{SELECT sum(length(t::text)) FROM rowset_to_recordset($1) AS t(a posint\, b must\, c ints\, d posint[])}'),
	hostile.add('ranges', 'SELECT v FROM unnest(''{"[1,5)",empty,"(,3)","[7,)","(,)"}''::int4range[]) AS v'),
	hostile.add('ranges of texts and numerics', 'SELECT textrange(''a'', ''b'', ''[]'') AS a, numrange(1.5, NULL) AS b'),
	hostile.add('arrays of ranges', 'SELECT ''{"[1,5)",NULL,empty}''::int4range[] AS v'),
	hostile.add('multiranges', 'SELECT v FROM (VALUES (''{[1,2),[5,)}''::int4multirange), (''{}''), (NULL)) AS s(v)'),
	hostile.add('arrays of enums and booleans', 'SELECT ''{sad,ok}''::mood[] AS a, ''{t,f,NULL}''::bool[] AS b, ''{1.5,NaN}''::float8[] AS c'),
	hostile.add('arrays of ranges and domains', 'SELECT ''{"{[1,2)}"}''::int4multirange[] AS a, ''{1}''::must[] AS b');

-- Compression
SELECT hostile.add('a text by ' || m, 'SELECT repeat(''abcd'', 40) || i AS a FROM generate_series(1, 2) AS i', m),
	hostile.add('integers by ' || m, 'SELECT i % 3 AS a FROM generate_series(1, 40) AS i', m),
	hostile.add('a dictionary by ' || m, 'SELECT (ARRAY[repeat(''low'', 50), repeat(''high'', 50), ''x''])[i % 3 + 1] AS v FROM generate_series(1, 90) AS i', m),
	hostile.add('NULLs by ' || m, 'SELECT nullif(i % 50, 0) AS a FROM generate_series(1, 600) AS i', m),
	hostile.add('arrays by ' || m, 'SELECT array_agg(i % 5) AS a FROM generate_series(1, 60) AS i', m)
FROM unnest('{lz4,zstd}'::text[]) AS m;

-- Forms that a reader takes and the writer seldom or never gives, by hand: an integers
-- node of each encoding as the indexes of a dictionary of one value, or as lengths.
CREATE FUNCTION hostile.add_by_hand(p_name text, p_rowset bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM rowset_check(p_rowset);
	INSERT INTO hostile.specimen (name, rowset, list, extra)
	VALUES (p_name, p_rowset, rowset_column_list(p_rowset), hostile.filters(p_rowset, rowset_column_list(p_rowset)));
END $$;

CREATE FUNCTION hostile.indexed(integers bytea, body bytea) RETURNS bytea LANGUAGE sql AS $$
	SELECT hostile.column(hostile.builtin(10, 25), 4, '\x0203'::bytea || hostile.block(6) || integers, '\x056105620563'::bytea || body)
$$;

SELECT hostile.add_by_hand('indexes of 1 byte', hostile.indexed('\x0001'::bytea || hostile.block(4), '\x00010200')),
	hostile.add_by_hand('indexes of 2 bytes', hostile.indexed('\x0002'::bytea || hostile.block(8), '\x0000010002000000')),
	hostile.add_by_hand('indexes of 4 bytes', hostile.indexed('\x0004'::bytea || hostile.block(16), '\x00000000010000000200000000000000')),
	hostile.add_by_hand('indexes of 8 bytes', hostile.indexed('\x0008'::bytea || hostile.block(32), '\x0000000000000000010000000000000002000000000000000000000000000000')),
	hostile.add_by_hand('indexes that are the same', hostile.indexed('\x0102', '')),
	hostile.add_by_hand('indexes in a frame', hostile.indexed('\x030002'::bytea || hostile.block(1), '\x24')),
	hostile.add_by_hand('indexes by steps', hostile.indexed('\x04000001'::bytea || hostile.block(1), '\x03')),
	hostile.add_by_hand('indexes by steps of steps', hostile.indexed('\x0500000001'::bytea || hostile.block(1), '\x01')),
	hostile.add_by_hand('indexes in runs', hostile.indexed('\x06020001'::bytea || hostile.block(2) || '\x0102'::bytea, '\x0201')),
	hostile.add_by_hand('an extension', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.builtin(4, 23))), extensions => '\x0203616263'),
		hostile.group(2, '\x0102')));

COMMIT;
\o
