--
-- scan_bounds.sql
--	  Row groups that a filter leaves out: each comparison that the btree operator
--	  families of a type have, with values from around the groups' bounds and with
--	  odd ones, as an operator with the column on either side and as one over an
--	  array, gives the rows that it gives with a table.
--
\set QUIET on
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
CREATE SCHEMA bounds;
SET search_path = bounds, public;
-- on 2024-03-10, clocks went from 02:00 to 03:00
SET TimeZone = 'America/New_York';

CREATE DOMAIN whole AS int;
CREATE DOMAIN word AS text COLLATE "C";

-- Groups of 200 rows: with and without NULLs, of one value, of NULLs alone, unordered
CREATE TABLE plain AS
SELECT i AS id, CASE WHEN i % 11 > 0 THEN i % 211 - 50 END::smallint AS i2, CASE WHEN i / 200 <> 3 THEN i - 500 END AS i4, i::bigint * 10000000 AS i8,
	(i + 2147483148::bigint)::oid AS o, i::whole AS w, i / 200 AS k,
	CASE WHEN i / 200 = 1 THEN '-0' WHEN i / 200 = 2 THEN 0 WHEN i = 700 THEN 'NaN' WHEN i > 790 THEN 'Infinity' ELSE i / 3.0 END::float4 AS f4,
	CASE WHEN i / 200 = 1 AND i % 2 = 0 THEN '-0' WHEN i / 200 = 1 THEN 0 WHEN i = 900 THEN '-Infinity' ELSE i / 7.0 END::float8 AS f8,
	CASE WHEN i = 300 THEN 'NaN' WHEN i = 500 THEN 'Infinity' WHEN i = 700 THEN '-Infinity' ELSE i * 1.250 END::numeric AS n, (i / 3.0)::numeric(8, 2) AS n2,
	CASE WHEN i = 300 THEN 'infinity' WHEN i = 500 THEN '-infinity' ELSE date '2024-02-01' + i / 10 END AS d,
	CASE WHEN i = 900 THEN 'infinity' ELSE timestamp '2024-03-10 00:30' + i * interval '12 seconds' END AS ts, timestamptz '2024-03-10 05:30+00' + i * interval '12 seconds' AS tz,
	time '00:00' + i * interval '1 minute' AS t, ('00000000-0000-0000-0000-' || lpad(i::text, 12, '0'))::uuid AS u, decode(to_hex(4096 + i), 'hex') AS b,
	('v' || i / 3) COLLATE "C" AS c, (chr(200 + i / 200) || i % 30)::varchar(9) COLLATE "C" AS v, ('n' || i)::name COLLATE "C" AS nm, ('d' || i / 200)::word AS dw, ('p' || i / 9)::char(6) AS p
FROM generate_series(0, 999) AS i;

SET rowser.row_group_rows = 200;
CREATE TABLE packed AS SELECT query_to_rowset('TABLE plain ORDER BY id') AS r;
RESET rowser.row_group_rows;
SELECT format('CREATE VIEW scanned AS SELECT t.* FROM packed, rowset_to_recordset(r) AS t(%s)',
	string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)) || CASE WHEN attcollation = '"C"'::regcollation THEN ' COLLATE "C"' ELSE '' END, ', '))
FROM pg_attribute WHERE attrelid = 'plain'::regclass AND attnum > 0 \gexec

-- values: those of the column around the ends of groups, and odd ones
CREATE FUNCTION values_of(p_column name, p_type text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	v_value text;
	v_as_type text;
BEGIN
	FOR v_value IN EXECUTE format('SELECT DISTINCT %I::text FROM bounds.plain WHERE id IN (0, 199, 200, 399, 599, 700, 800, 999)', p_column)
		|| ' UNION ALL VALUES (NULL), (''0''), (''-1''), (''1e9''), (''NaN''), (''-Infinity''), (''2024-03-10 02:30''), (''2024-03-10 06:59:00+00''), ('''')' LOOP
		-- what the type can't have is none of its values
		BEGIN
			EXECUTE format('SELECT %L::%s::text', v_value, p_type) INTO v_as_type;
			RETURN NEXT v_as_type;
		EXCEPTION WHEN data_exception THEN
			NULL;
		END;
	END LOOP;
END $$;

CREATE TABLE filters AS
SELECT DISTINCT format(form, attname, format('OPERATOR(pg_catalog.%s)', oprname), quote_nullable(v), right_type) AS filter
FROM pg_attribute
	JOIN pg_type AS base ON base.oid = CASE atttypid WHEN 'whole'::regtype THEN 'int'::regtype WHEN 'word'::regtype THEN 'text'::regtype WHEN 'varchar'::regtype THEN 'text'::regtype ELSE atttypid END
	JOIN pg_opclass ON opcintype = base.oid AND opcdefault AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'btree')
	JOIN pg_amop ON amopfamily = opcfamily AND amoplefttype = base.oid
	JOIN pg_operator ON pg_operator.oid = amopopr
	CROSS JOIN format_type(amoprighttype, NULL) AS right_type
	CROSS JOIN values_of(attname, right_type) AS v
	CROSS JOIN unnest(ARRAY['%1$I %2$s %3$s::%4$s', '%3$s::%4$s %2$s %1$I', '%1$I %2$s ANY (ARRAY[%3$s, NULL]::%4$s[])']) AS form
WHERE attrelid = 'plain'::regclass AND attnum > 0;
SELECT cmp_ok(count(*), '>', 4000::bigint, 'there are many filters') FROM filters;

CREATE FUNCTION rows_with(p_filter text, p_from text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v_rows text;
BEGIN
	EXECUTE format('SELECT count(*) || '' rows, '' || coalesce(sum(id), 0) FROM bounds.%I WHERE %s', p_from, p_filter) INTO v_rows;
	RETURN v_rows;
END $$;
SET rowser.enable_scan = on;
CREATE TABLE answers AS SELECT filter, rows_with(filter, 'plain') AS of_table, rows_with(filter, 'scanned') AS of_rowset FROM filters;
SELECT is_empty('SELECT * FROM answers WHERE of_table <> of_rowset', 'a filter of a rowset gives the rows that it gives of the table');

-- how many of the five groups are left out
CREATE FUNCTION skipped_by(p_filter text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	v_plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM bounds.scanned WHERE ' || p_filter INTO v_plan;
	RETURN jsonb_path_query_first(v_plan::jsonb, '$.**."Row Groups Skipped"');
END $$;
SELECT is(skipped_by(filter), skipped, 'row groups left out by ' || filter)
FROM (VALUES ('i4 > 400', 4), ('i4 < ANY (ARRAY[-301, NULL])', 4), ('k = 2', 4), ('i4 IS NULL', 4), ('id >= 800::bigint', 4), ('f8 = 0::float4', 2), ('d > ''2024-05-04''', 3),
	('tz > timestamp ''2024-03-10 04:45''', 4), ('ts > timestamp ''2024-03-10 03:20''', 4), ('ts > timestamptz ''2024-03-10 07:20+00''', 0), ('c < ''v1''', 4), ('nm = ''n0''::text', 4), ('dw > ''d3''', 4), ('p = ''p1''', 0)) AS v(filter, skipped);

SELECT * FROM finish();
ROLLBACK;
