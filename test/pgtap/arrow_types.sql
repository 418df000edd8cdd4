--
-- arrow_types.sql
--	  Arrow streams hold what the query gives: every type at the edges of its
--	  range, alone and in lists, structs, records and domains, by a reader of our
--	  own (lib/arrow.sql).
--
\set QUIET on
\set ON_ERROR_STOP on
SET client_min_messages = warning;
BEGIN;
\ir lib/roundtrip.sql
\ir lib/samples.sql
\ir lib/arrow.sql
SELECT no_plan();

SET LOCAL TimeZone = 'UTC';
SET LOCAL rowser.arrow_unrepresentable = 'null';

-- How a value v of a type is to look; output is under the settings of rowsets.
CREATE FUNCTION arrow.expression(p_type text) RETURNS text
LANGUAGE sql AS $$
SELECT CASE
	WHEN p_type = 'boolean' THEN 'v::text'
	WHEN p_type = 'real' THEN 'encode(float4send(v), ''hex'')'
	WHEN p_type = 'double precision' THEN 'encode(float8send(v), ''hex'')'
	WHEN p_type = 'numeric(10,2)' THEN 'CASE WHEN v::text <> ''NaN'' THEN v::text END'
	WHEN p_type = 'bytea' THEN 'encode(v, ''hex'')'
	WHEN p_type = 'uuid' THEN 'translate(v::text, ''-'', '''')'
	WHEN p_type = 'date' THEN 'CASE WHEN isfinite(v) THEN v::text END'
	WHEN p_type ~ '^timestamp' THEN 'CASE WHEN isfinite(v) AND v <= ''294247-01-10 04:00:54.775807'' THEN v::text END'
	WHEN p_type ~ '^time(\(.*\))?$' THEN 'CASE WHEN v < ''24:00'' THEN v::text END'
	WHEN p_type ~ '^interval' THEN $q$CASE WHEN abs(s.us) <= 9223372036854775 THEN format('%s mon %s d %s ns', extract(year FROM v) * 12 + extract(month FROM v), extract(day FROM v), s.us::bigint * 1000) END$q$
	WHEN p_type = 'pair' THEN 'format(''(%s,%s)'', coalesce((v).a::text, ''NULL''), coalesce((v).b, ''NULL''))'
	WHEN p_type = 'regproc' THEN 'format(''%s'', v::regprocedure)'
	WHEN p_type = 'regoper' THEN 'format(''%s'', v::regoperator)'
	ELSE 'format(''%s'', v)' END;
$$;

-- The values of pg_temp.s as they are to look, in order
CREATE FUNCTION arrow.expected(p_type text) RETURNS text[]
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET IntervalStyle = 'postgres'
SET DateStyle = 'ISO, YMD'
SET extra_float_digits = 1
AS $$
DECLARE
	v text[];
BEGIN
	EXECUTE format('SELECT array_agg(CASE WHEN v::text IS NOT NULL THEN %s END ORDER BY s.ctid) FROM (SELECT ctid, v, %s AS us FROM pg_temp.s) AS s', arrow.expression(p_type),
				   CASE WHEN p_type ~ '^interval' THEN 'extract(hour FROM v) * 3600000000 + extract(minute FROM v) * 60000000 + extract(microseconds FROM v)' ELSE '0' END) INTO v;
	RETURN v;
END $$;

-- The samples of a type, of which each is put in place of <> in a text
CREATE FUNCTION arrow.inside(p_values text[], p_text text) RETURNS text[]
LANGUAGE sql AS $$
SELECT array_agg(CASE WHEN p_text = '<>' THEN v ELSE replace(p_text, '<>', coalesce(v, 'NULL')) END ORDER BY o) FROM unnest(p_values) WITH ORDINALITY AS u(v, o);
$$;

-- Compare all that can be made of a type's samples; NULL when all is equal.
CREATE FUNCTION arrow.diff(p_type text, p_vals text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_expected text[];
	v_found text;
BEGIN
	EXECUTE 'CREATE TEMP TABLE s AS ' || rt.sample_query(p_type, p_vals);
	v_expected := arrow.expected(p_type);
	FOREACH v_found IN ARRAY coalesce(current_setting('rt.groups', true), '{1,3,1000}')::text[] LOOP
		PERFORM set_config('rowser.row_group_rows', v_found, true);
		v_found := arrow.differ('in groups of ' || v_found, arrow.column(query_to_arrow('TABLE s')), v_expected);
		EXIT WHEN v_found IS NOT NULL;
	END LOOP;
	IF v_found IS NULL AND p_type NOT IN ('int2vector', 'oidvector') THEN
		EXECUTE format('CREATE TYPE c AS (i int, v %1$s, a %1$s[]); CREATE DOMAIN d1 AS %1$s; CREATE DOMAIN d2 AS %1$s[]; CREATE DOMAIN d3 AS d1; CREATE DOMAIN d4 AS c', p_type);
		PERFORM arrow.read(query_to_arrow(format('SELECT ARRAY[v, NULL]::%1$s[] AS l, ROW(1, v, ARRAY[v])::c AS c, ROW(v, NULL::int) AS r, v::d1 AS d1, ARRAY[v]::d2 AS d2, v::d1::d3 AS d3,
			ROW(1, v, NULL)::c::d4 AS d4, ARRAY[ROW(1, v, ARRAY[v, v])::c, NULL] AS lc, ARRAY[ROW(v), NULL, ROW(v)] AS lr, CASE WHEN false THEN v END AS n FROM s', p_type)));
		SELECT string_agg(arrow.differ(how, arrow.named(how), arrow.inside(v_expected, expected)), ', ')
		INTO v_found
		FROM (VALUES ('l', '{<>,NULL}'), ('c', '(1,<>,{<>})'), ('r', '(<>,NULL)'), ('d1', '<>'), ('d2', '{<>}'), ('d3', '<>'), ('d4', '(1,<>,NULL)'),
					 ('lc', '{(1,<>,{<>,<>}),NULL}'), ('lr', '{(<>),NULL,(<>)}')) AS how(how, expected);
		IF v_found IS NULL AND array_remove(arrow.named('n'), NULL) <> '{}' THEN
			v_found := 'NULLs are not NULL';
		END IF;
	END IF;
	RAISE EXCEPTION USING ERRCODE = 'RTEND', MESSAGE = coalesce(v_found, '');
EXCEPTION WHEN SQLSTATE 'RTEND' THEN
	RETURN nullif(SQLERRM, '');
END $$;

SELECT is(arrow.diff(type, vals), NULL, type) FROM sample ORDER BY ord;

SELECT * FROM finish();
ROLLBACK;
