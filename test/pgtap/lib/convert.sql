--
-- convert.sql
--	  What "the same as core gives" means for the calls that convert rowsets.
--
-- convert.diff(query) packs a query and compares, byte for byte, what each
-- call makes of the rowset with what core makes of the query: json_agg,
-- jsonb_agg, query_to_xml in all its forms, and the file that COPY writes; errors
-- likewise, by SQLSTATE and text.  What COPY has written is made a rowset and
-- back, and the file that rowset_to_copy makes is read by COPY FROM, wherever the
-- types can be received.  It returns NULL when all is equal, and else a sentence
-- that says what is not.  The query must give the same rows each time.
--
CREATE SCHEMA convert;

-- What a statement returns as text, or its SQLSTATE and message.
CREATE FUNCTION convert.outcome(p_sql text, p_rowset bytea DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v text;
BEGIN
	EXECUTE p_sql INTO v USING p_rowset;
	RETURN v;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- A file on the server, of this session only.
CREATE FUNCTION convert.file(p_name text) RETURNS text
LANGUAGE sql AS $$
SELECT format('%s/rowser_convert_%s_%s', current_setting('data_directory'), pg_backend_pid(), p_name);
$$;

CREATE FUNCTION convert.remove_files() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('COPY (SELECT WHERE false) TO PROGRAM %L', format('rm -f %s %s', convert.file('out'), convert.file('in')));
END $$;

-- What COPY writes of a query.
CREATE FUNCTION convert.copy_out(p_query text) RETURNS bytea
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('COPY (%s) TO %L (FORMAT binary)', p_query, convert.file('out'));
	RETURN pg_read_binary_file(convert.file('out'));
END $$;

-- Have COPY load bytes into a table.
CREATE FUNCTION convert.copy_in(p_table text, p_data bytea) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	v_object oid := lo_from_bytea(0, p_data);
BEGIN
	PERFORM lo_export(v_object, convert.file('in'));
	PERFORM lo_unlink(v_object);
	EXECUTE format('COPY %s FROM %L (FORMAT binary)', p_table, convert.file('in'));
END $$;

-- Where two texts differ first.
CREATE FUNCTION convert.differs(p_what text, p_got text, p_expected text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_low int := 0;
	v_high int := length(p_got);
	v_middle int;
BEGIN
	IF p_got IS NOT DISTINCT FROM p_expected THEN
		RETURN NULL;
	ELSIF p_got IS NULL OR p_expected IS NULL THEN
		RETURN format('%s: %s instead of %s', p_what, left(coalesce(p_got, 'NULL'), 200), left(coalesce(p_expected, 'NULL'), 200));
	END IF;
	WHILE v_low < v_high LOOP
		v_middle := (v_low + v_high + 1) / 2;
		IF left(p_got, v_middle) = left(p_expected, v_middle) THEN
			v_low := v_middle;
		ELSE
			v_high := v_middle - 1;
		END IF;
	END LOOP;
	RETURN format('%s: from character %s on, %s instead of %s', p_what, v_low + 1,
				  substr(p_got, greatest(v_low - 20, 1), 150), substr(p_expected, greatest(v_low - 20, 1), 150));
END $$;

-- Make a table of a query, load what rowset_to_copy gives into it, and see
-- whether it is then the query's rows; what copy_to_rowset makes of the
-- table's row type must be the rowset that the table gives.
CREATE FUNCTION convert.round_trip(p_query text, p_copy bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_text text;
BEGIN
	EXECUTE format('CREATE TABLE convert.loaded AS SELECT * FROM (%s) AS "convert me" WITH NO DATA', p_query);
	PERFORM convert.copy_in('convert.loaded', p_copy);
	v_text := convert.differs('COPY FROM', convert.copy_out('TABLE convert.loaded')::text, p_copy::text);
	IF v_text IS NULL THEN
		EXECUTE 'SELECT CASE WHEN copy_to_rowset(NULL::convert.loaded, $1) <> query_to_rowset(''TABLE convert.loaded'') THEN ''copy_to_rowset: another rowset'' END'
		INTO v_text USING p_copy;
	END IF;
	DROP TABLE convert.loaded;
	RETURN v_text;
END $$;

CREATE FUNCTION convert.diff(p_query text, p_round_trip bool DEFAULT true) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	v_rowset bytea := query_to_rowset(p_query);
	v_text text;
	v_copy text;
	v_nulls bool;
	v_forest bool;
BEGIN
	v_text := convert.differs('json', convert.outcome('SELECT rowset_to_json($1)', v_rowset),
							  convert.outcome(format('SELECT json_agg("convert me") FROM (%s) AS "convert me"', p_query)));
	IF v_text IS NOT NULL THEN RETURN v_text; END IF;
	-- the size tells of padding, and each element of its place
	v_text := convert.differs('jsonb', convert.outcome('SELECT pg_column_size(j) || j::text || (SELECT string_agg((j -> i)::text, '','') FROM generate_series(0, jsonb_array_length(j) - 1) AS i)
														FROM (SELECT rowset_to_jsonb($1) AS j OFFSET 0) AS s', v_rowset),
							  convert.outcome(format('SELECT pg_column_size(j) || j::text || (SELECT string_agg((j -> i)::text, '','') FROM generate_series(0, jsonb_array_length(j) - 1) AS i)
													  FROM (SELECT jsonb_agg("convert me") AS j FROM (%s) AS "convert me" OFFSET 0) AS s', p_query)));
	IF v_text IS NOT NULL THEN RETURN v_text; END IF;
	FOR v_nulls, v_forest IN SELECT n, f FROM unnest('{t,f}'::bool[]) AS n, unnest('{t,f}'::bool[]) AS f LOOP
		v_text := convert.differs(format('xml %s %s', v_nulls, v_forest),
								  convert.outcome(format('SELECT rowset_to_xml($1, %L, %L, %L)', v_nulls, v_forest, CASE WHEN v_nulls THEN 'urn:x' ELSE '' END), v_rowset),
								  convert.outcome(format('SELECT query_to_xml(%L, %L, %L, %L)', p_query, v_nulls, v_forest, CASE WHEN v_nulls THEN 'urn:x' ELSE '' END)));
		IF v_text IS NOT NULL THEN RETURN v_text; END IF;
	END LOOP;
	v_copy := convert.outcome(format('SELECT convert.copy_out(%L)', p_query));
	-- a type that has no send function is named by COPY by its domain, if it has one
	v_text := convert.differs('copy', regexp_replace(convert.outcome('SELECT rowset_to_copy($1)', v_rowset), '^42883 .*', '42883'),
							  regexp_replace(v_copy, '^42883 .*', '42883'));
	IF v_text IS NULL AND p_round_trip AND v_copy ^@ '\x' THEN
		v_text := convert.round_trip(p_query, rowset_to_copy(v_rowset));
	END IF;
	RETURN v_text;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
