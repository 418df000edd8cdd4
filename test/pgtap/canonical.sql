--
-- canonical.sql
--	  The same rows in the same order with the same settings give the same
--	  bytes, whatever the session's other settings are; and few bytes.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/employee.sql
SELECT no_plan();

CREATE EXTENSION IF NOT EXISTS hstore;
CREATE SCHEMA hostile;
CREATE TYPE hostile.text AS (a int);
CREATE TYPE hostile.int4 AS ENUM ('x');
CREATE FUNCTION hostile.textout(hostile.text) RETURNS text LANGUAGE sql AS 'SELECT ''wrong''::pg_catalog.text';
CREATE TYPE mood AS ENUM ('sad', 'größer');

-- Values whose text depends on every one of the settings below.
CREATE TABLE sensitive AS
SELECT i,
	   U&'\00e9\4e2d'::text AS t, ARRAY[U&'\00e9', NULL, 'x'] AS ta, U&'\00e9'::"char" AS ch, U&'n\00e9'::name AS n,
	   to_jsonb(U&'\00e9'::text) AS jb, json_build_object(U&'\00e9', 1.5) AS js, ('<a>' || U&'\00e9' || '</a>')::xml AS x,
	   hstore(U&'k\00e9', U&'v\4e2d') AS h, to_tsvector('simple', U&'\00e9t\00e9') AS tv, U&'\00e9 & b'::tsquery AS tq,
	   'größer'::mood AS m, ARRAY['sad', 'größer']::mood[] AS ma, '$.é'::jsonpath AS jp,
	   timestamptz '2022-08-01 17:51:13.888+02' + i * interval '1 day' AS tz, timestamp '2022-08-01 17:51:13.888' AS ts, date '2022-08-01' + i AS d,
	   timetz '10:07:21+13:59' AS ttz, interval '1 year -2 months 3 days -04:05:06.7' * i AS iv,
	   0.1::float8 + i AS f8, 0.1::float4 + i AS f4, point(0.1, 1.0 / 3 * i) AS p, '<(0.1,0.7),1.1>'::circle AS ci,
	   12345.67::money * i AS mo, '\xdeadbeef'::bytea AS b, ARRAY['\x00'::bytea] AS ba,
	   'humanresources.employee'::regclass AS rc, 'hostile.text'::regtype AS rt, 'pg_catalog.now'::regproc AS rp, '{postgres=arwdDxt/postgres}'::aclitem[] AS acl,
	   tstzrange('2022-08-01 00:00:00+00', NULL) AS tr, '{[2022-08-01,2022-09-01)}'::datemultirange AS dm,
	   '(0.1,-0.1)'::point <-> '(0,0)' AS dist
FROM generate_series(1, 20) AS i;

-- The packs of that under the session's first settings.
CREATE FUNCTION pack_all() RETURNS TABLE (what text, r bytea) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT 'query_to_rowset', public.query_to_rowset('SELECT * FROM public.sensitive');
	RETURN QUERY SELECT 'records', public.query_to_rowset('SELECT ROW(s.t, s.ta, s.jb, s.x, s.h, s.m, s.tz, s.iv, s.f8, s.mo, s.b, s.rt, s.acl) AS r, ARRAY[ROW(s.tz, s.f4), ROW(s.p)] AS a FROM public.sensitive AS s');
	RETURN QUERY SELECT 'rows', public.query_to_rowset('SELECT s FROM public.sensitive AS s');
	RETURN QUERY SELECT 'table_to_rowset', public.table_to_rowset('public.sensitive');
	RETURN QUERY SELECT 'rowset_agg', (SELECT public.rowset_agg(s) FROM public.sensitive AS s);
	RETURN QUERY SELECT 'record_to_rowset', (SELECT public.record_to_rowset(s) FROM public.sensitive AS s LIMIT 1);
	RETURN QUERY SELECT 'parameters', public.query_to_rowset('SELECT $1 AS t, $2 AS z', U&'\00e9'::pg_catalog.text, pg_catalog.timestamptz '2020-01-01 00:00:00+00');
	RETURN QUERY SELECT 'columns', pg_catalog.convert_to((SELECT pg_catalog.string_agg(public.rowset_column_list(public.query_to_rowset('SELECT * FROM public.sensitive')), ' ')), 'UTF8');
END $$;
CREATE TABLE first_pack AS SELECT * FROM pack_all();

-- What differs from the first pack under one setting; the setting is undone.
CREATE FUNCTION differences(p_name text, p_value text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	v_differ text[];
BEGIN
	PERFORM pg_catalog.set_config(p_name, p_value, true);
	SELECT pg_catalog.array_agg(f.what) INTO v_differ
	FROM public.first_pack AS f JOIN public.pack_all() AS p ON p.what OPERATOR(pg_catalog.=) f.what
	WHERE p.r OPERATOR(pg_catalog.<>) f.r AND NOT (f.what OPERATOR(pg_catalog.=) 'columns' AND p_name IN ('search_path', 'quote_all_identifiers'));
	RAISE EXCEPTION USING ERRCODE = 'RTEND', MESSAGE = 'end';
EXCEPTION WHEN SQLSTATE 'RTEND' THEN
	RETURN v_differ;
END $$;

SELECT is(differences(name, value), NULL, format('the same bytes with %s = %s', name, value))
FROM (VALUES ('client_encoding', 'UTF8'), ('client_encoding', 'LATIN1'), ('client_encoding', 'SQL_ASCII'), ('client_encoding', 'EUC_JP'),
			 ('client_encoding', 'SJIS'), ('client_encoding', 'WIN1252'),
			 ('datestyle', 'ISO, MDY'), ('datestyle', 'Postgres, DMY'), ('datestyle', 'German'), ('datestyle', 'SQL, DMY'),
			 ('intervalstyle', 'postgres'), ('intervalstyle', 'postgres_verbose'), ('intervalstyle', 'sql_standard'), ('intervalstyle', 'iso_8601'),
			 ('extra_float_digits', '-15'), ('extra_float_digits', '0'), ('extra_float_digits', '1'), ('extra_float_digits', '3'),
			 ('bytea_output', 'hex'), ('bytea_output', 'escape'),
			 ('timezone', 'UTC'), ('timezone', 'Asia/Kolkata'), ('timezone', 'America/St_Johns'), ('timezone', 'UTC+13:59'),
			 ('lc_monetary', 'C'), ('lc_monetary', 'C.UTF-8'),
			 ('search_path', ''), ('search_path', 'hostile, pg_catalog, public'), ('search_path', 'humanresources, hostile, public'), ('search_path', 'pg_temp, public'),
			 ('xmlbinary', 'hex'), ('xmloption', 'document'), ('quote_all_identifiers', 'on'), ('array_nulls', 'off'), ('standard_conforming_strings', 'off'),
			 ('default_text_search_config', 'pg_catalog.english'), ('transform_null_equals', 'on'), ('enable_seqscan', 'off'), ('work_mem', '64kB'))
	 AS s(name, value)
-- PostgreSQL 19 knows standard strings only
WHERE name <> 'standard_conforming_strings' OR current_setting('server_version_num')::int < 190000;
SELECT is((SELECT array_agg(f.what) FROM first_pack AS f JOIN pack_all() AS p USING (what) WHERE p.r <> f.r), NULL,
		  'the same bytes the second time');

-- And the rows come back the same under every setting.
CREATE FUNCTION comes_back(p_name text, p_value text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
	v_same bool;
BEGIN
	PERFORM pg_catalog.set_config(p_name, p_value, true);
	SELECT pg_catalog.count(*) OPERATOR(pg_catalog.=) 20 INTO v_same
	FROM (SELECT *, pg_catalog.row_number() OVER () AS o FROM public.sensitive) AS a
	JOIN (SELECT *, pg_catalog.row_number() OVER () AS o
		  FROM public.first_pack, public.rowset_populate_recordset(NULL::public.sensitive, r) WHERE what OPERATOR(pg_catalog.=) 'query_to_rowset') AS b
		ON b.o OPERATOR(pg_catalog.=) a.o
	WHERE pg_catalog.record_out(ROW(a.t, a.ta, a.ch, a.n, a.jb, a.js, a.x, a.h, a.tv, a.tq, a.m, a.ma, a.jp, a.tz, a.ts, a.d, a.ttz, a.iv, a.f8, a.f4, a.p, a.ci,
					 a.mo, a.b, a.ba, a.rc, a.rt, a.rp, a.acl, a.tr, a.dm, a.dist))::pg_catalog.text OPERATOR(pg_catalog.=)
		  pg_catalog.record_out(ROW(b.t, b.ta, b.ch, b.n, b.jb, b.js, b.x, b.h, b.tv, b.tq, b.m, b.ma, b.jp, b.tz, b.ts, b.d, b.ttz, b.iv, b.f8, b.f4, b.p, b.ci,
					 b.mo, b.b, b.ba, b.rc, b.rt, b.rp, b.acl, b.tr, b.dm, b.dist))::pg_catalog.text;
	RAISE EXCEPTION USING ERRCODE = 'RTEND', MESSAGE = 'end';
EXCEPTION WHEN SQLSTATE 'RTEND' THEN
	RETURN v_same;
END $$;
SELECT ok(comes_back(name, value), format('the rows come back with %s = %s', name, value))
FROM (VALUES ('client_encoding', 'UTF8'), ('client_encoding', 'LATIN1'), ('client_encoding', 'SQL_ASCII'), ('client_encoding', 'EUC_JP'),
			 ('datestyle', 'ISO, MDY'), ('datestyle', 'German'), ('intervalstyle', 'sql_standard'), ('extra_float_digits', '-15'),
			 ('bytea_output', 'escape'), ('timezone', 'Asia/Kolkata'), ('lc_monetary', 'C.UTF-8'),
			 ('search_path', ''), ('search_path', 'hostile, pg_catalog, public'), ('xmloption', 'document'), ('array_nulls', 'off')) AS s(name, value);

-- A character that LATIN1 hasn't got does not matter as long as the client isn't sent it.
SELECT is((SELECT v FROM rowset_to_recordset(query_to_rowset('SELECT U&''\4e2d''::text AS v')) AS t(v text)), U&'\4e2d', 'a character past LATIN1');

-- Settings of our own do change the bytes, and the rows are the same.
SELECT isnt((SELECT r FROM first_pack WHERE what = 'query_to_rowset'),
			(SELECT query_to_rowset('SELECT * FROM sensitive') FROM set_config('rowser.row_group_rows', '3', true)),
			'rowser.row_group_rows does change them');
SELECT set_config('rowser.row_group_rows', reset_val, true) IS NOT NULL AS reset FROM pg_settings WHERE name = 'rowser.row_group_rows' \gset

--
-- Small
--
SELECT cmp_ok(length(query_to_rowset('SELECT 1 AS a, 2 AS b, 3 AS c')), '<=', 80, 'one row of three integers takes at most 80 bytes');
SELECT cmp_ok(length(query_to_rowset('SELECT -2147483648 AS a, 2147483647 AS b, 123456789 AS c')), '<=', 80, 'three wide integers too');
SELECT cmp_ok(length(table_to_rowset('humanresources.employee')), '<=', 20000, 'Employee takes at most 20000 bytes');
SELECT cmp_ok(length(table_to_rowset('humanresources.employee')), '<', (SELECT length(json_agg(e)::text) FROM humanresources.employee AS e), 'less than JSON');
SELECT cmp_ok(length(table_to_rowset('humanresources.employee')), '<',
			  (SELECT length(query_to_xml('SELECT * FROM humanresources.employee', false, false, '')::text)), 'less than XML');
SELECT is((SELECT stored_bytes FROM rowset_info(table_to_rowset('humanresources.employee'))), length(table_to_rowset('humanresources.employee'))::bigint,
		  'rowset_info tells the size');

SELECT * FROM finish();
ROLLBACK;
