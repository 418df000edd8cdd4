--
-- cases.sql
--	  About a hundred inputs from public bug reports of neighbouring software
--	  (lib/cases_data.sql), each with the answer that is right here.
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/cases_data.sql
SELECT no_plan();

UPDATE cases SET query = (SELECT 'SELECT ' || string_agg(format('%s AS c%s', i, i), ', ' ORDER BY i)
						  FROM generate_series(1, 1600) AS i)
WHERE id = 'G107';

-- Every query that has rows: they make the round trip.
-- (A statement each, for the sake of statement_timeout.)
SELECT format('SELECT is(rt.diff(query, setup, groups, NULL, same_bytes), NULL, format(''%%s %%s: %%s'', id, source, symptom)) FROM cases WHERE id = %L', id)
FROM cases WHERE mode = 'ok' AND id <> 'F092' ORDER BY id \gexec

-- An error of the query is the error of the call.
SELECT results_eq(
	format($$SELECT state, message, context LIKE '%%SQL statement%%' FROM rt.error(%L)$$,
		   format('SELECT query_to_rowset(%L)', query)),
	format('SELECT state, message, true FROM rt.error(%L)', query),
	format('%s %s: %s', id, source, symptom))
FROM cases WHERE mode = 'err' ORDER BY id;
SELECT is((SELECT count(*) FROM pg_cursors), 0::bigint, 'F087 no cursor is left');
SELECT is(rowset_count(query_to_rowset('SELECT 1')), 1::bigint, 'F087 the next pack works');

-- Try p_sql after p_setup and roll both back: the SQLSTATE and the message, or what it returned.
CREATE FUNCTION rt.outcome(p_setup text, p_sql text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	EXECUTE p_setup;
	BEGIN
		EXECUTE format('SELECT string_agg(outcome::text, '' '') FROM (%s) AS outcome', p_sql) INTO v_text;
	EXCEPTION WHEN OTHERS THEN
		v_text := SQLSTATE || ' ' || SQLERRM;
	END;
	RAISE EXCEPTION USING ERRCODE = 'RTEND', MESSAGE = 'end';
EXCEPTION WHEN SQLSTATE 'RTEND' THEN
	RETURN v_text;
END $$;

CREATE FUNCTION rt.setup(p_id text) RETURNS text LANGUAGE sql AS 'SELECT setup FROM cases WHERE id = p_id';

--
-- What the right answer is beyond the round trip
--
SELECT is((SELECT typmod FROM rowset_columns(query_to_rowset((SELECT query FROM cases WHERE id = 'A001')))), 655366, 'A001 the typmod is kept');

SELECT is(rt.outcome(rt.setup('B031'), $$SELECT type, type_schema, type_name FROM rowset_columns(query_to_rowset('SELECT ARRAY[''x'']::s1.myenum[] AS v'))$$),
		  '(s1.myenum[],s1,_myenum)', 'B031 the element type is named with its schema');

SELECT is(rt.outcome(rt.setup('C051'), $$SELECT pg_typeof(d), (d).i FROM rowset_populate_recordset(NULL::dcomptype, query_to_rowset('SELECT 1.5::float8 AS r, 2::float8 AS i')) AS d$$),
		  '(dcomptype,2)', 'C051 a domain over a composite is a row type too');
SELECT is(rt.outcome(rt.setup('C051'), $$SELECT d FROM rowset_populate_recordset(NULL::dcomptype, query_to_rowset('SELECT -1.5::float8 AS r, 2::float8 AS i')) AS d$$),
		  '23514 value for domain dcomptype violates check constraint "dcomptype_check"', 'C051 and its constraint is checked');
SELECT is(rt.outcome(rt.setup('C064'), $$SELECT * FROM rowset_to_recordset(query_to_rowset('SELECT ''{}''::ctest[] AS v')) AS t(v cadom)$$),
		  '({})', 'C064 an empty array has no length, which is no violation, as in core');
SELECT is(rt.outcome(rt.setup('C064') || '; ALTER DOMAIN cadom ADD CONSTRAINT not_empty CHECK (cardinality(VALUE) > 0)',
					 $$SELECT * FROM rowset_to_recordset(query_to_rowset('SELECT ''{}''::ctest[] AS v')) AS t(v cadom)$$),
		  '23514 value for domain cadom violates check constraint "not_empty"', 'C064 a constraint that it does violate');

SELECT is(rt.outcome($$CREATE TYPE dpay AS (value int); CREATE FUNCTION fpay(OUT s int, OUT p record) LANGUAGE plpgsql AS 'BEGIN s := 0; p := ROW(1)::dpay; END'$$,
					 $$SELECT query_to_rowset('SELECT * FROM fpay()')$$),
		  'XX000 row not compatible with its own tupdesc', 'C065 what core refuses is passed through');

SELECT is(rt.outcome(rt.setup('D067'), $$SELECT s.a, s.b, s.c FROM rowset_populate_recordset(NULL::sp528, query_to_rowset('SELECT * FROM sp528')) AS s$$),
		  '(1,bee,3)', 'D067 a row type with a dropped column');
SELECT is(rt.outcome(rt.setup('D068'), $$SELECT u FROM rowset_populate_recordset(NULL::ts5458, query_to_rowset('SELECT * FROM ts5458')) AS u$$),
		  '("(a)")', 'D068 a whole row with a dropped column');
SELECT is(rt.outcome(rt.setup('D071') || $$; CREATE FUNCTION ins(text) RETURNS bigint LANGUAGE plpgsql AS 'DECLARE n bigint; BEGIN EXECUTE $1; GET DIAGNOSTICS n = ROW_COUNT; RETURN n; END'$$,
					 $$SELECT ins('INSERT INTO gen SELECT * FROM rowset_populate_recordset(NULL::gen, table_to_rowset(''gen''))')$$),
		  '428C9 cannot insert a non-DEFAULT value into column "g"', 'D071 a generated column is refused by core');
SELECT is(rt.outcome(rt.setup('D071') || $$; CREATE FUNCTION ins(text) RETURNS bigint LANGUAGE plpgsql AS 'DECLARE n bigint; BEGIN EXECUTE $1; GET DIAGNOSTICS n = ROW_COUNT; RETURN n; END'$$,
					 $$SELECT ins('INSERT INTO gen (a) SELECT a FROM rowset_to_recordset(table_to_rowset(''gen'')) AS t(a int)')$$),
		  '(1)', 'D071 and naming the other columns works');

SELECT throws_ok($$SELECT * FROM rowset_to_recordset(query_to_rowset('SELECT ARRAY[1,2,3] AS two, 7 AS one')) AS t(two int8, one int)$$,
				 '42804', NULL, 'D073 an array read as a scalar');
SELECT results_eq($$SELECT * FROM rowset_to_recordset(query_to_rowset('SELECT ARRAY[1,2,3] AS two, 7 AS one')) AS t(two int8[], one int)$$,
				  $$VALUES (ARRAY[1,2,3]::int8[], 7)$$, 'D073 as an array of a wider type it reads');
SELECT results_eq('SELECT name, type FROM rowset_columns(query_to_rowset(''SELECT relname, oid, relnatts FROM pg_class WHERE false''))',
				  $$VALUES ('relname', 'name'), ('oid', 'oid'), ('relnatts', 'smallint')$$, 'D079 no rows, but names and types');
SELECT is_empty($$SELECT * FROM rowset_to_recordset(query_to_rowset('SELECT relname, oid, relnatts FROM pg_class WHERE false')) AS t(relname name, oid oid, relnatts int2)$$,
				'D079 no rows read back');

SELECT throws_ok('SELECT rowset_to_recordset(query_to_rowset(''SELECT 1 AS a''))', '0A000',
				 'function returning record called in context that cannot accept type record', 'E080 no shape in the SELECT list');
SELECT throws_ok('SELECT * FROM rowset_to_recordset(query_to_rowset(''SELECT 1 AS a''))', '42601',
				 'a column definition list is required for functions returning "record"', 'E080 no column definition list');
SELECT results_eq('SELECT a FROM rowset_to_recordset(query_to_rowset(''SELECT ''''only''''::text AS a'')) AS t(a text)', $$VALUES ('only'::text)$$, 'E082 one column');
SELECT is(rt.outcome('CREATE TYPE one AS (a text)', $$SELECT o, o.a FROM rowset_populate_recordset(NULL::one, query_to_rowset('SELECT ''only''::text AS a')) AS o$$),
		  '("(only)",only)', 'E082 a row type of one column');
SELECT is(rt.outcome(rt.setup('E085'), $$SELECT x FROM rowset_populate_recordset(NULL::rdate, query_to_rowset('SELECT NULL::date d, 1 i UNION ALL SELECT ''2024-01-01'', NULL')) AS x$$),
		  '("(,1)") ("(2024-01-01,)")', 'E085 NULL fields of a row type');

-- Statements that are not one query: lib/cases_data.sql says "no".
SELECT throws_ok('SELECT query_to_rowset(''DECLARE c11 CURSOR FOR SELECT 1'')', '42P11', NULL, 'F090 DECLARE returns no rows');
SELECT is((SELECT count(*) FROM pg_cursors WHERE name = 'c11'), 0::bigint, 'F090 and was not run');
SELECT throws_ok('SELECT query_to_rowset(''SELECT 1; SELECT 2, 3'')', '42P11', NULL, 'F093 two statements');
CREATE TEMP SEQUENCE f093;
SELECT throws_ok('SELECT query_to_rowset(''SELECT nextval(''''f093''''); SELECT nextval(''''f093'''')'')', '42P11', NULL, 'F093 two statements again');
SELECT is(nextval('f093'), 1::bigint, 'F093 and neither was run');

-- F092: a function opens cursors of different shapes; each is packed.
CREATE FUNCTION rt.f092() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
	v_text text := '';
BEGIN
	FOR c IN SELECT * FROM get_all() LOOP
		v_text := v_text || rowset_column_list(query_to_rowset(format('FETCH ALL FROM %I', c::text))) || '; ';
		CLOSE c;
	END LOOP;
	RETURN v_text;
END $$;
SELECT is(rt.outcome(rt.setup('F092'), 'SELECT rt.f092()'), $$("id integer; n text, t timestamp with time zone; ")$$, 'F092 each cursor is packed with its own shape');

-- F100: EXECUTE and FETCH as the packed statement.
PREPARE f100 (int) AS SELECT $1 AS a, 'x'::text AS b;
SELECT is(rt.diff('EXECUTE f100(7)'), NULL, 'F100 EXECUTE');
DECLARE f100c SCROLL CURSOR FOR SELECT i FROM generate_series(1, 5) AS i;
SELECT is(rowset_count(query_to_rowset('FETCH 2 FROM f100c')), 2::bigint, 'F100 FETCH');
FETCH 1 FROM f100c \gset f100_
SELECT is(:f100_i, 3, 'F100 the cursor stands after what was packed');
SELECT is(rowset_count(query_to_rowset('FETCH ALL FROM f100c')), 2::bigint, 'F100 FETCH ALL gives the rest');
SELECT is(rowset_count(query_to_rowset('FETCH ALL FROM f100c')), 0::bigint, 'F100 and then no rows');
CLOSE f100c;
SELECT throws_ok('SELECT query_to_rowset(''FETCH ALL FROM f100c'')', '42P11', 'query does not return rows', 'F100 a cursor that is not there');
CREATE FUNCTION rt.closes_it(int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	EXECUTE 'CLOSE f100d';
	EXECUTE 'DECLARE f100d CURSOR FOR SELECT ''another''::text AS b, 2 AS c';
	RETURN $1;
END $$;
DECLARE f100d CURSOR FOR SELECT rt.closes_it(i) AS a FROM generate_series(1, 3) AS i;
SELECT is((SELECT state FROM rt.error('SELECT query_to_rowset(''FETCH ALL FROM f100d'')')), '24000',
		  'F100 a cursor cannot be closed under the pack');
CLOSE f100d;
SELECT is((SELECT state FROM rt.error('SELECT query_to_rowset(''DISCARD ALL'')')), '42P11', 'F100 DISCARD ALL returns no rows');
DEALLOCATE f100;

-- F098: the temporary files of a read are limited.
CREATE TEMP TABLE f098 AS SELECT query_to_rowset('SELECT i, md5(i::text) AS m FROM generate_series(1, 300000) AS i') AS r;
SELECT is((SELECT state FROM rt.error($sql$
	DO $do$
	BEGIN
		SET LOCAL temp_file_limit = '1MB';
		SET LOCAL work_mem = '64kB';
		PERFORM count(*) FROM (SELECT i FROM pg_temp.f098, rowset_to_recordset(r) AS t(i int, m text) ORDER BY m DESC OFFSET 0) AS s;
	END $do$$sql$)), '53400', 'F098 temp_file_limit');
SELECT is((SELECT sum(length(m)) FROM f098, rowset_to_recordset(r) AS t(i int, m text)), 9600000::bigint, 'F098 the next call is fine');

-- G107: the width of a result.
CREATE FUNCTION rt.wide(p_n int) RETURNS text LANGUAGE sql AS $$
SELECT 'SELECT ' || string_agg(format('%s AS c%s', i, i), ', ' ORDER BY i) FROM generate_series(1, p_n) AS i $$;
SELECT is((SELECT columns FROM rowset_info(query_to_rowset(rt.wide(1664)))), 1664, 'G107 1664 columns are packed');
SELECT is((SELECT count(*) FROM rowset_columns(query_to_rowset(rt.wide(1664)))), 1664::bigint, 'G107 and listed');
SELECT throws_ok(format('SELECT query_to_rowset(%L)', rt.wide(1665)), '54011', 'target lists can have at most 1664 entries', 'G107 1665 are too many for any query');
SELECT throws_ok(format('SELECT * FROM rowset_to_recordset(query_to_rowset(%L)) AS t(%s)', rt.wide(1601),
						(SELECT string_agg(format('c%s int', i), ', ') FROM generate_series(1, 1601) AS i)),
				 '54011', 'column definition lists can have at most 1600 entries', 'G107 a column definition list has 1600 at most');
SELECT is((SELECT c1600 FROM rowset_to_recordset(query_to_rowset(rt.wide(1664))) AS t(c1600 int)), 1600, 'G107 some of 1664 columns by name');
SELECT throws_ok(format('SELECT rowset_open(query_to_rowset(%L))', rt.wide(1601)), '54011',
				 'column definition lists can have at most 1600 entries', 'G107 nor has a cursor more');

-- G109: one large value.
CREATE TEMP TABLE g109 (r bytea);
ALTER TABLE g109 ALTER r SET STORAGE EXTERNAL;
INSERT INTO g109 SELECT query_to_rowset('SELECT repeat(''ab'', 127500000) AS v, 1 AS i');
SELECT results_eq('SELECT length(v), md5(v), i FROM g109, rowset_to_recordset(r) AS t(v text, i int)',
				  'SELECT 255000000, md5(repeat(''ab'', 127500000)), 1', 'G109 a value of 255 MB');
TRUNCATE g109;

-- G110: what does not fit into a bytea.
SELECT results_eq($$SELECT state, message, hint LIKE '%query_to_rowset_chunks%' FROM rt.error(
	'SET LOCAL rowser.compression = none; SELECT query_to_rowset(''SELECT i, repeat(md5(i::text), 32768) FROM generate_series(1, 1100) AS i'')')$$,
	$$VALUES ('54000', 'rowset is too large', true)$$, 'G110 over 1 GB');
SELECT is(rowset_count(query_to_rowset('SELECT 1')), 1::bigint, 'G110 the next pack works');

-- G114: how a stored value is kept makes no difference, not even in the bytes.
SELECT is(rt.outcome($$
	CREATE TABLE st_plain (b text); CREATE TABLE st_ext (b text); CREATE TABLE st_main (b text); CREATE TABLE st_lz4 (b text);
	ALTER TABLE st_ext ALTER b SET STORAGE EXTERNAL; ALTER TABLE st_main ALTER b SET STORAGE MAIN;
	INSERT INTO st_plain SELECT repeat('abc' || i, n) FROM generate_series(1, 20) AS i, unnest('{1,30,40,700,5000,40000}'::int[]) AS n ORDER BY i, n;
	INSERT INTO st_ext TABLE st_plain; INSERT INTO st_main TABLE st_plain; INSERT INTO st_lz4 TABLE st_plain;$$,
	$$SELECT count(DISTINCT query_to_rowset('SELECT b FROM ' || t)) FROM unnest('{st_plain,st_ext,st_main}'::text[]) AS t$$),
	'(1)', 'G114 stored inline, compressed or out of line: the same bytes');

-- J146: a temporary table named like a catalogue.
SELECT is(rt.outcome(rt.setup('J146') || '; SET LOCAL search_path = pg_temp, pg_catalog, public',
					 $$SELECT rowset_column_list(query_to_rowset('SELECT 1 AS a, ''x''::text AS b, now()::date AS c'))$$),
		  '("a integer, b text, c date")', 'J146 it has no effect');

-- J151: reg* travel as names.
SELECT is(rt.diff('SELECT ''pg_class''::regclass a, ''int4''::regtype b, current_user::regrole c'), NULL, 'J151 reg*');
SELECT results_eq($$SELECT * FROM rowset_to_recordset(query_to_rowset('SELECT ''pg_class''::regclass a, ''pg_catalog.int4''::regtype b')) AS t(a text, b text)$$,
				  $$VALUES ('pg_class', 'integer')$$, 'J151 as text they are names');

-- L160, L162: abused arguments.
SELECT throws_ok('SELECT rowset_populate_recordset(cash_out(0::money), query_to_rowset(''SELECT 1 AS a''))', '42804', NULL, 'L160 cstring is no row type');
SELECT throws_ok('SELECT rowset_populate_record(cash_out(0::money), query_to_rowset(''SELECT 1 AS a''))', '42804', NULL, 'L160 cstring is no row type');
SELECT throws_ok('SELECT * FROM rowset_to_recordset(query_to_rowset(''SELECT 1 AS a''), ''{"a":1,}'') AS t(a int)', '22023', NULL, 'L162 a bad option');

SELECT * FROM finish();
ROLLBACK;
