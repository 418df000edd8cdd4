--
-- convert.sql
--	  Rowsets in other formats are what core makes of the query itself, for every
--	  type at the edges of its range, for whole catalogues, and under settings
--	  that change what core gives; what COPY has written comes back; bytes choose no
--	  code.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/samples.sql
\ir lib/convert.sql
SELECT no_plan();

-- On some minor versions COPY cannot load an empty tsquery.
SELECT is(convert.diff('SELECT ''''::tsquery AS v', false), NULL, 'an empty tsquery');
UPDATE sample SET vals = array_remove(vals, '') WHERE type = 'tsquery';

--
-- Every type: alone, in arrays, composites, behind domains, in records
--
-- COPY itself cannot load an empty int2vector.
SELECT is(convert.diff(rt.sample_query(type, vals), type NOT IN ('int2vector', 'oidvector')), NULL, type)
FROM sample ORDER BY ord;

SELECT is(convert.diff(format($q$
	SELECT 1 AS o, array_agg(v) AS a FROM (%1$s) AS q
	UNION ALL SELECT 2, '{}'
	UNION ALL SELECT 3, NULL
	UNION ALL (SELECT 4, array_fill(v, '{2,1,3}', '{-1,0,7}') FROM (%1$s) AS q WHERE v IS NOT NULL LIMIT 2)$q$,
							  rt.sample_query(type, vals))),
		  NULL, 'arrays of ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

CREATE FUNCTION convert.with_types(p_setup text, p_query text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	BEGIN
		EXECUTE p_setup;
		v_text := convert.diff(p_query);
		RAISE EXCEPTION USING ERRCODE = 'RTEND';
	EXCEPTION WHEN SQLSTATE 'RTEND' THEN
		RETURN v_text;
	END;
END $$;

SELECT is(convert.with_types(format('CREATE TYPE c AS (i int, v %1$s, a %1$s[])', type),
							 format('SELECT ROW(1, v, ARRAY[v, NULL])::c AS c, ARRAY[ROW(2, v, NULL), NULL]::c[] AS a FROM (%s) AS q', rt.sample_query(type, vals))),
		  NULL, 'composites of ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

SELECT is(convert.with_types(format('CREATE DOMAIN d1 AS %1$s; CREATE DOMAIN d2 AS d1 CHECK (VALUE IS NULL OR true); CREATE DOMAIN d3 AS %1$s[];
									 CREATE TYPE inner4 AS (x d1, y d2); CREATE DOMAIN d4 AS inner4', type),
							 format('SELECT v::d1 AS a, v::d2 AS b, ARRAY[v]::d3 AS c, ROW(v::d1, v::d2)::d4 AS d, ARRAY[v::d1, NULL] AS e, ROW(v, v)::inner4 AS f FROM (%s) AS q',
									rt.sample_query(type, vals))),
		  NULL, 'domains over ' || type)
FROM sample WHERE type NOT IN ('int2vector', 'oidvector') ORDER BY ord;

-- COPY cannot load a record.
SELECT is(convert.diff(format('SELECT ROW(v, 1, ARRAY[v]) AS r, ARRAY[ROW(v), ROW(1, v), NULL, ROW(ROW(v, NULL::int))] AS a FROM (%s) AS q',
							  rt.sample_query(type, vals)), false),
		  NULL, 'records of ' || type)
FROM sample WHERE type <> 'posint' ORDER BY ord;

--
-- Shapes
--
SELECT is(convert.diff(query, can_be_table), NULL, query)
FROM (VALUES ('SELECT 1 AS a WHERE false', true),
			 ('SELECT FROM generate_series(1, 3)', true),
			 ('SELECT WHERE false', true),
			 ('SELECT 1 AS a, 2 AS a, 3 AS "A"', false),
			 ('SELECT 1, ''x'', NULL', false),
			 ('SELECT 1 AS "a b", 2 AS "<&"">''", 3 AS "xml", 4 AS "_x0041_", 5 AS "größe", 6 AS "a:b", 7 AS "1", 8 AS "back\slash", 9 AS "' || E'line\nfeed' || '"', true),
			 ('SELECT chr(i) AS c, chr(i) || ''x'' AS d FROM generate_series(1, 300) AS i', true),
			 ('SELECT repeat(''0123456789'', 1048576) AS v, 1 AS i', true),
			 ('SELECT i, repeat(chr(65 + i), i * 1000) AS v FROM generate_series(1, 50) AS i', true),
			 ('SELECT i AS a, ''x'' || i AS b, CASE WHEN i % 3 = 0 THEN i END AS c, i % 2 = 0 AS d FROM generate_series(1, 5000) AS i', true),
			 ('SELECT q FROM (SELECT i AS m, ''x''::text AS "T t" FROM generate_series(1, 3) AS i) AS q', false),
			 ('SELECT ROW() AS r, ROW(ROW(ROW(NULL::int))) AS s, ARRAY[]::record[] AS a', false),
			 ('SELECT array_agg(i) AS a FROM generate_series(1, 100000) AS i', true),
			 ('SELECT pg_sleep(0) AS v, 1 AS i', false)) AS q(query, can_be_table);
SELECT is(convert.diff((SELECT 'SELECT ' || string_agg(format('%s AS c%s', i, i), ', ') FROM generate_series(1, 1600) AS i)), NULL, '1600 columns');
SELECT is(convert.diff((SELECT 'SELECT ' || repeat('ROW(1, ', 30) || '1' || repeat(')', 30) || ' AS r'), false), NULL, 'records 30 levels deep');

-- Many row types, in turn; and the same ones again in other row groups.
SELECT rt.set(7, NULL) \g /dev/null
SELECT is(convert.diff('SELECT CASE i % 4 WHEN 0 THEN ROW(i) WHEN 1 THEN ROW(i::text, i) WHEN 2 THEN ROW(ROW(i)) ELSE ROW(i::numeric, NULL::date) END AS r FROM generate_series(1, 100) AS i', false),
		  NULL, 'records of many shapes, in small row groups');
SELECT rt.set(0, NULL) \g /dev/null

-- A type whose attributes have changed, and a table with a dropped column
CREATE TYPE changed AS (a int, gone text, b int);
CREATE TABLE dropped (a int, gone text, b numeric(6,2), c varchar(5) DEFAULT 'x', d int GENERATED ALWAYS AS (a + 1) STORED);
INSERT INTO dropped VALUES (1, 'x', 1.5), (2, NULL, NULL);
ALTER TYPE changed DROP ATTRIBUTE gone;
ALTER TABLE dropped DROP gone;
SELECT is(convert.diff('SELECT d.*, d AS whole, ROW(1, 2)::changed AS cc FROM dropped AS d'), NULL, 'dropped attributes');
SELECT is(copy_to_rowset(NULL::dropped, convert.copy_out('SELECT * FROM dropped')), query_to_rowset('TABLE dropped'),
		  'a dropped column takes no field, a generated one does');

--
-- Catalogues
--
SELECT is(convert.diff('SELECT * FROM ' || name, can_load), NULL, 'all of ' || name)
FROM (VALUES ('pg_type', false), ('pg_class', false), ('pg_proc', false), ('pg_operator', true), ('pg_index', false), ('pg_settings', true)) AS c(name, can_load);
SELECT is(convert.diff('SELECT ' || (SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute
									 WHERE attrelid = 'pg_attribute'::regclass AND attnum > 0 AND attname <> 'attmissingval')
					   || ' FROM pg_attribute'), NULL, 'all of pg_attribute but its pseudo-type');
SELECT is(convert.diff('SELECT t FROM pg_type AS t', false), NULL, 'whole rows of pg_type');
\ir lib/employee.sql
SELECT is(convert.diff('SELECT * FROM humanresources.employee'), NULL, 'all of Employee');

--
-- Settings that core obeys are obeyed, as they are in the session
--
CREATE FUNCTION convert.settled() RETURNS text LANGUAGE sql AS $$
SELECT $q$SELECT '\xdeadbeef'::bytea AS b, date '2001-02-03' AS d, timestamp '2001-02-03 04:05:06.7' AS t, timestamptz '2001-02-03 04:05:06.7+01' AS z,
	interval '1 year 2 days -3 hours' AS i, 0.1::float8 + 0.2 AS f, 1.1::float4 AS g, 12.5::money AS m, 'größe'::text AS x, 'pg_class'::regclass AS r,
	ARRAY[timestamptz '2001-02-03 04:05:06+01'] AS za, ROW('\x00ff'::bytea, interval '-1 mon') AS rec, '<a>ä</a>'::xml AS xm,
	'"od d"."Ta.b""le"'::regclass AS rc$q$
$$;
CREATE FUNCTION convert.under(p_name text, p_value text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_old text := current_setting(p_name);
	v_text text;
BEGIN
	PERFORM set_config(p_name, p_value, true);
	v_text := convert.diff(convert.settled(), false);
	PERFORM set_config(p_name, v_old, true);
	RETURN v_text;
END $$;
SELECT is(convert.under(name, value), NULL, format('under %s = %s', name, value))
FROM (VALUES ('bytea_output', 'escape'), ('xmlbinary', 'hex'), ('xmlbinary', 'base64'), ('DateStyle', 'German, DMY'), ('DateStyle', 'SQL, MDY'),
			 ('IntervalStyle', 'iso_8601'), ('IntervalStyle', 'sql_standard'), ('extra_float_digits', '-5'), ('extra_float_digits', '0'),
			 ('TimeZone', 'Asia/Kolkata'), ('client_encoding', 'LATIN1'), ('xmloption', 'document'), ('search_path', 'public, "od d"'), ('search_path', 'public'),
			 ('quote_all_identifiers', 'on')) AS s(name, value);
-- what client_encoding cannot hold is COPY's error
SET LOCAL client_encoding = 'LATIN1';
SELECT is(convert.outcome('SELECT rowset_to_copy(query_to_rowset(''SELECT chr(20013) AS v''))'),
		  convert.outcome('SELECT convert.copy_out(''SELECT chr(20013) AS v'')'), 'a character that client_encoding lacks');
SELECT is(copy_to_rowset(NULL::pair, '\x5047434f50590aff0d0a0000000000000000000002ffffffff00000002e4f6ffff'), query_to_rowset('SELECT NULL::int AS a, chr(228) || chr(246) AS b'),
		  'copy_to_rowset takes text to be in client_encoding');
RESET client_encoding;

--
-- Where ours is not core's, and is meant not to be
--
SELECT is(rowset_to_json(query_to_rowset('SELECT array_out(''{1,2}''::int[]) AS a'))::text, '[{"a":"{1,2}"}]', 'a pseudo-type is text in the rowset');
SELECT is(rowset_to_json(NULL)::text, NULL, 'rowset_to_json of NULL');
SELECT is(rowset_to_jsonb(NULL), NULL, 'rowset_to_jsonb of NULL');
SELECT is(rowset_to_xml(NULL)::text, NULL, 'rowset_to_xml of NULL');
SELECT is(rowset_to_xml(query_to_rowset('SELECT 1 AS a'), NULL)::text, NULL, 'rowset_to_xml with a NULL option');
SELECT is(rowset_to_copy(NULL), NULL, 'rowset_to_copy of NULL');
SELECT is(copy_to_rowset(NULL::pair, NULL), NULL, 'copy_to_rowset of NULL');
SELECT is(rowset_count(copy_to_rowset(ROW(7, 'x')::pair, rowset_to_copy(query_to_rowset('SELECT 1 AS a, ''y''::text AS b WHERE false')))), 0::bigint, 'the values of base are of no matter');

-- The limit is 256 MB here, and 1 GB for the others.
SELECT is(convert.outcome('SELECT rowset_to_jsonb($1)', query_to_rowset('SELECT repeat(''x'', 10000000) AS v FROM generate_series(1, 30)')),
		  '54000 result is too large', 'a result that is too large');

-- A composite type that has been looked up stays as it is until the transaction ends.
CREATE TYPE locked AS (a int);
CREATE TEMP TABLE locked_before AS SELECT count(*) AS n FROM pg_locks WHERE relation = (SELECT typrelid FROM pg_type WHERE oid = 'locked'::regtype) AND mode = 'AccessShareLock';
SELECT rowset_to_json(query_to_rowset('SELECT ROW(1)::locked AS v')) \g /dev/null
SELECT is(count(*) - (SELECT n FROM locked_before), 1::bigint, 'a composite type is locked')
FROM pg_locks WHERE relation = (SELECT typrelid FROM pg_type WHERE oid = 'locked'::regtype) AND mode = 'AccessShareLock';

--
-- COPY data that is damaged: each prefix is an error, and what else is changed is
-- an error or rows
--
CREATE DOMAIN upto9 AS int CHECK (VALUE < 10);
CREATE DOMAIN given AS text NOT NULL;
CREATE TYPE strict AS (n upto9, t given, v varchar(3), d numeric(4,2), a int[], p pair);
CREATE TEMP TABLE good AS SELECT rowset_to_copy(query_to_rowset('SELECT 1 AS n, ''x''::text AS t, ''abc''::varchar AS v, 1.5::numeric AS d, ''{1,NULL}''::int[] AS a, ROW(1, ''ä'')::pair AS p FROM generate_series(1, 2)')) AS c;
SELECT is(rowset_count(copy_to_rowset(NULL::strict, c)), 2::bigint, 'it can be read') FROM good;
SELECT is_empty($$SELECT n, o FROM good, generate_series(0, length(c) - 1) AS n, convert.outcome('SELECT copy_to_rowset(NULL::strict, $1)', substr(c, 1, n)) AS o
				  WHERE o NOT LIKE '22P04 %'$$, 'each prefix is an error');
SELECT is(convert.outcome('SELECT copy_to_rowset(NULL::strict, $1)', c || '\x00'::bytea), '22P04 received copy data after EOF marker', 'bytes behind the end') FROM good;
-- what is left is a rowset whose values keep to their types, or an error that says so
SELECT is_empty($$
	SELECT n, x, o FROM good, generate_series(0, length(c) - 1) AS n, unnest('{0,1,127,128,255}'::int[]) AS x,
		convert.outcome('SELECT rowset_check(r) || coalesce((SELECT string_agg(s::text, '''') FROM rowset_populate_recordset(NULL::strict, r) AS s), '''') FROM copy_to_rowset(NULL::strict, $1) AS r',
						set_byte(c, n, x)) AS o
	WHERE o !~ '^(22P04|22P03|22P02|22021|22001|22003|23514|23502|42804|54000|08P01|2202E|22000) ' AND o !~ '^[(]'$$, 'each changed byte is an error or rows');
SELECT is(convert.outcome('SELECT copy_to_rowset(NULL::strict, $1)', rowset_to_copy(query_to_rowset(query))), error, error)
FROM (VALUES ('SELECT 10 AS n, ''x''::text, ''x''::varchar, 1.5::numeric, NULL::int[], NULL::pair', '23514 value for domain upto9 violates check constraint "upto9_check"'),
			 ('SELECT 1 AS n, NULL::text, ''x''::varchar, 1.5::numeric, NULL::int[], NULL::pair', '23502 domain given does not allow null values'),
			 ('SELECT 1 AS n, ''x''::text, ''abcd''::varchar, 1.5::numeric, NULL::int[], NULL::pair', '22001 value too long for type character varying(3)'),
			 ('SELECT 1 AS n, ''x''::text, ''x''::varchar, 123.5::numeric, NULL::int[], NULL::pair', '22003 numeric field overflow'),
			 ('SELECT 1::bigint AS n, ''x''::text, ''x''::varchar, 1.5::numeric, NULL::int[], NULL::pair', '22P03 incorrect binary data format'),
			 ('SELECT 1 AS n', '22P04 row field count is 1, expected 6'),
			 ('SELECT 1 AS n, ''x''::text, ''x''::varchar, 1.5::numeric, ''{1}''::bigint[], NULL::pair', convert.outcome('SELECT NULL'))) AS v(query, error)
WHERE error IS NOT NULL;
CREATE DOMAIN small_pair AS pair CHECK ((VALUE).a < 10);
SELECT is(convert.outcome('SELECT copy_to_rowset(NULL::small_pair, $1)', rowset_to_copy(query_to_rowset('SELECT 10 AS a, ''x''::text AS b'))),
		  '23514 value for domain small_pair violates check constraint "small_pair_check"', 'a domain over a row type is checked');
SELECT is(copy_to_rowset(NULL::small_pair, rowset_to_copy(query_to_rowset('SELECT 1 AS a, ''x''::text AS b'))), query_to_rowset('SELECT 1 AS a, ''x''::text AS b'),
		  'and its columns are those of the row type');

--
-- A damaged rowset is an error or rows to each call, as it is to rowset_check
--
CREATE TEMP TABLE packed AS SELECT query_to_rowset($$SELECT i AS a, 'x' || i AS b, i * 1.5 AS c, ARRAY[i, NULL] AS d, ROW(i, ROW('y'::text)) AS r, '{1,2}'::posint[] AS p, ROW(i, 'z')::pair AS q
	FROM generate_series(1, 3) AS i$$) AS r;
SELECT is_empty(format($$
	SELECT n, o FROM packed, generate_series(0, length(r) - 1) AS n, convert.outcome('SELECT %s($1)', substr(r, 1, n)) AS o WHERE o NOT LIKE '22P03 %%'$$, call),
	call || ' refuses each prefix')
FROM unnest('{rowset_to_json,rowset_to_jsonb,rowset_to_xml,rowset_to_copy}'::text[]) AS call;
SELECT is_empty(format($$
	SELECT n, o FROM packed, generate_series(0, length(r) - 1) AS n, convert.outcome('SELECT %s($1)', set_byte(r, n, get_byte(r, n) # 1)) AS o WHERE o !~ '^(22P03|XX001|0A000) '$$, call),
	call || ' finds each changed byte')
FROM unnest('{rowset_to_json,rowset_to_jsonb,rowset_to_xml,rowset_to_copy}'::text[]) AS call;

--
-- A cast to json of somebody else is not called, at any depth
--
CREATE ROLE convert_owner;
CREATE ROLE convert_reader;
CREATE SCHEMA owned AUTHORIZATION convert_owner;
GRANT USAGE ON SCHEMA owned TO convert_reader;
CREATE SEQUENCE ran;
GRANT ALL ON ran TO convert_owner, convert_reader;
SET LOCAL ROLE convert_owner;
CREATE TYPE owned.mood AS ENUM ('sad', 'ok');
CREATE TYPE owned.holds AS (m owned.mood);
CREATE DOMAIN owned.over AS owned.mood;
CREATE FUNCTION owned.spy(owned.mood) RETURNS json LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''public.ran''); RETURN ''"spied"''; END';
CREATE CAST (owned.mood AS json) WITH FUNCTION owned.spy(owned.mood);
RESET ROLE;
CREATE TABLE spied (what text, r bytea);
GRANT SELECT ON spied TO PUBLIC;
INSERT INTO spied VALUES
('alone', query_to_rowset('SELECT ''ok''::owned.mood AS v')),
('in an array', query_to_rowset('SELECT ''{ok}''::owned.mood[] AS v')),
('in a composite', query_to_rowset('SELECT ROW(''ok'')::owned.holds AS v')),
('in an array of composites', query_to_rowset('SELECT ARRAY[ROW(''ok'')]::owned.holds[] AS v')),
('in a record', query_to_rowset('SELECT ROW(1, ''ok''::owned.mood) AS v')),
('deep in records', query_to_rowset('SELECT ROW(1, ARRAY[ROW(2), ROW(ROW(ARRAY[''ok''::owned.mood]))]) AS v')),
('in a domain', query_to_rowset('SELECT ''ok''::owned.over AS v')),
('in an array of a domain', query_to_rowset('SELECT ''{ok}''::owned.over[] AS v'));
CREATE FUNCTION convert.as_role(p_role text, p_sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	PERFORM set_config('role', p_role, true);
	EXECUTE p_sql INTO v_text;
	PERFORM set_config('role', 'none', true);
	RETURN v_text;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
GRANT USAGE ON SCHEMA convert TO PUBLIC;
SELECT is(convert.as_role(role, format('SELECT %s(r) FROM public.spied WHERE what = %L', call, what)),
		  '42501 permission denied to cast type owned.mood to json', format('%s %s, as %s', call, what, role))
FROM spied, unnest('{rowset_to_json,rowset_to_jsonb}'::text[]) AS call, unnest('{convert_reader,postgres}'::text[]) AS role;
SELECT is((SELECT is_called FROM ran), false, 'the cast''s function has not run');
SELECT is(convert.as_role('convert_owner', format('SELECT count(rowset_to_json(r)::text LIKE ''%%"spied"%%'' OR NULL) FROM public.spied')), '8', 'but it does for its owner');
ALTER FUNCTION owned.spy(owned.mood) OWNER TO postgres;
SELECT is(convert.as_role('convert_reader', 'SELECT count(rowset_to_json(r)::text LIKE ''%"spied"%'' OR NULL) FROM public.spied'), '8', 'and when it is a superuser''s');
REVOKE EXECUTE ON FUNCTION owned.spy(owned.mood) FROM PUBLIC;
SELECT is(convert.as_role('convert_reader', 'SELECT rowset_to_json(r) FROM public.spied WHERE what = ''alone'''), '42501 permission denied for function spy', 'if it may be executed');
DROP CAST (owned.mood AS json);
-- the forms that a cast's function may have beside
CREATE FUNCTION owned.of_typmod(owned.mood, int) RETURNS json LANGUAGE sql AS 'SELECT pg_catalog.json_build_array($1::text, $2)';
CREATE CAST (owned.mood AS json) WITH FUNCTION owned.of_typmod(owned.mood, int);
SELECT is(rowset_to_json(r)::text, '[{"v":["ok", -1]}]', 'a cast''s function that takes a typmod') FROM spied WHERE what = 'alone';
DROP CAST (owned.mood AS json);
CREATE FUNCTION owned.of_explicit(owned.mood, int, bool) RETURNS json LANGUAGE sql AS 'SELECT pg_catalog.json_build_array($1::text, $2, $3)';
CREATE CAST (owned.mood AS json) WITH FUNCTION owned.of_explicit(owned.mood, int, bool);
SELECT is(rowset_to_json(r)::text, '[{"v":["ok", -1, true]}]', 'and whether it is explicit') FROM spied WHERE what = 'alone';
DROP CAST (owned.mood AS json);
SELECT is(convert.as_role('convert_reader', 'SELECT rowset_to_json(r) FROM public.spied WHERE what = ''deep in records'''), '[{"v":{"f1":1,"f2":[{"f1":2},{"f1":{"f1":["ok"]}}]}}]', 'without a cast it is its label');
-- XML and COPY know no casts
SELECT is(convert.as_role('convert_reader', 'SELECT rowset_to_xml(r, tableforest => true) FROM public.spied WHERE what = ''alone'''),
		  E'<row xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n  <v>ok</v>\n</row>\n\n', 'rowset_to_xml');
REVOKE USAGE ON SCHEMA owned FROM convert_reader;
SELECT is(convert.as_role('convert_reader', format('SELECT %s(r) FROM public.spied WHERE what = ''alone''', call)), '42501 permission denied for schema owned', call || ' needs USAGE')
FROM unnest('{rowset_to_json,rowset_to_jsonb,rowset_to_xml,rowset_to_copy}'::text[]) AS call;

-- No CHECK of a domain runs because a rowset names it.
CREATE FUNCTION owned.spy(text) RETURNS bool LANGUAGE plpgsql VOLATILE AS 'BEGIN PERFORM nextval(''public.ran''); RETURN true; END';
CREATE DOMAIN owned.spied AS text CHECK (owned.spy(VALUE));
CREATE TYPE owned.spies AS (a owned.spied, b owned.spied[]);
CREATE TEMP TABLE checked AS SELECT query_to_rowset('SELECT ''x''::owned.spied AS a, ARRAY[''y'']::owned.spied[] AS b, ROW(''z'', ARRAY[''u''])::owned.spies AS c, ROW(''v''::owned.spied) AS d') AS r;
SELECT nextval('ran') AS before \gset
SELECT is(rowset_to_json(r)::text, '[{"a":"x","b":["y"],"c":{"a":"z","b":["u"]},"d":{"f1":"v"}}]', 'domains as JSON') FROM checked;
SELECT isnt(rowset_to_copy(r), NULL, 'and as COPY data') FROM checked;
SELECT isnt(rowset_to_xml(r)::text, NULL, 'and as XML') FROM checked;
SELECT is(nextval('ran') - :before, 1::bigint, 'no CHECK has run');
-- COPY data names the domains that are inside of arrays.
GRANT SELECT ON checked TO convert_reader;
GRANT USAGE ON SCHEMA owned TO convert_reader;
SELECT is(convert.as_role('convert_reader', 'SELECT rowset_to_copy(query_to_rowset(''SELECT ARRAY[1]::posint[] AS p''))'),
		  convert.copy_out('SELECT ARRAY[1]::posint[] AS p')::text, 'an array of a domain as COPY data');
REVOKE USAGE ON TYPE owned.spied FROM PUBLIC;
SELECT is(convert.as_role('convert_reader', 'SELECT rowset_to_copy(r) FROM checked'), '42501 permission denied for type owned.spied', 'needs USAGE of the domain');

-- A cast may do away with the table that the rowset is in.
CREATE TABLE inbox (r bytea);
ALTER TABLE inbox ALTER r SET STORAGE EXTERNAL;
CREATE TYPE flag AS ENUM ('up');
CREATE FUNCTION empty_inbox(flag) RETURNS json LANGUAGE plpgsql VOLATILE AS 'BEGIN TRUNCATE inbox; RETURN to_json($1::text); END';
CREATE CAST (flag AS json) WITH FUNCTION empty_inbox(flag);
CREATE FUNCTION from_inbox(p_call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea;
	v_count int;
BEGIN
	PERFORM set_config('rowser.row_group_rows', '500', true);
	INSERT INTO inbox VALUES (query_to_rowset('SELECT md5(i::text) AS b, CASE WHEN i = 1000 THEN ''up''::flag END AS f FROM generate_series(1, 5000) AS i'));
	SELECT r INTO v_rowset FROM inbox;
	/* no statements: such an expression is given the variable as it is, which points to the table */
	IF p_call = 'rowset_to_json' THEN
		v_count := json_array_length(rowset_to_json(v_rowset));
	ELSE
		v_count := jsonb_array_length(rowset_to_jsonb(v_rowset));
	END IF;
	RETURN v_count || ', left ' || count(*) FROM inbox;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT is(from_inbox(call), '5000, left 0', 'the inbox is emptied by a cast: ' || call) FROM unnest('{rowset_to_json,rowset_to_jsonb}'::text[]) AS call;

SELECT convert.remove_files() \g /dev/null
SELECT * FROM finish();
ROLLBACK;
