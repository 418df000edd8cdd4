--
-- setup.sql
--	  What the tests with readers and writers of Arrow have in PostgreSQL: the
--	  truth about a query's values and types, told without rowser's help where
--	  that is possible.
--
CREATE EXTENSION rowser;

-- JSON whose leaves are all texts, and whose objects are lists of their values.
CREATE FUNCTION plain_json(value json) RETURNS jsonb IMMUTABLE LANGUAGE sql AS $$
SELECT CASE json_typeof(value)
	WHEN 'array' THEN (SELECT coalesce(jsonb_agg(plain_json(e) ORDER BY i), '[]')
					   FROM json_array_elements(value) WITH ORDINALITY AS a(e, i))
	WHEN 'object' THEN (SELECT coalesce(jsonb_agg(plain_json(e) ORDER BY i), '[]')
						FROM json_each(value) WITH ORDINALITY AS a(k, e, i))
	ELSE to_jsonb(value #>> '{}')
END
$$;

-- An array, and no int2vector or oidvector?
CREATE FUNCTION is_array(type pg_type) RETURNS bool STABLE LANGUAGE sql AS $$
SELECT EXISTS (SELECT FROM pg_type WHERE oid = type.typelem AND typarray = type.oid)
$$;

-- The expression that gives a value's text or list of texts, as jsonb: what is
-- in a float, a date or an interval as exactly as PostgreSQL stores it.
CREATE FUNCTION truth_expression(type oid, value text, depth int DEFAULT 0)
RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
	of pg_type;
	leaf text;
BEGIN
	SELECT * INTO STRICT of FROM pg_type WHERE oid = type;
	IF of.typtype = 'd' THEN
		RETURN truth_expression(of.typbasetype,
								format('(%s)::%s', value, format_type(of.typbasetype, NULL)), depth);
	ELSIF of.typtype = 'c' THEN
		RETURN format('CASE WHEN num_nonnulls(%s) = 1 THEN to_jsonb(ARRAY[%s]::jsonb[]) END', value,
			(SELECT string_agg(truth_expression(atttypid, format('(%s).%I', value, attname), depth), ', '
							   ORDER BY attnum)
			 FROM pg_attribute WHERE attrelid = of.typrelid AND attnum > 0 AND NOT attisdropped));
	ELSIF type = 'record'::regtype OR type = 'record[]'::regtype THEN
		RETURN format('plain_json(to_json(%s))', value);
	ELSIF is_array(of) THEN
		RETURN format('CASE WHEN num_nonnulls(%1$s) = 1 THEN (SELECT coalesce(jsonb_agg(%2$s ORDER BY %3$s), ''[]'') '
					  'FROM generate_subscripts(%1$s, 1) AS %3$s) END', value,
					  truth_expression(of.typelem, format('(%s)[i%s]', value, depth), depth + 1), 'i' || depth);
	END IF;
	leaf := CASE format_type(type, NULL)
		WHEN 'boolean' THEN '%s::text'
		WHEN 'real' THEN 'encode(float4send(%s), ''hex'')'
		WHEN 'double precision' THEN 'encode(float8send(%s), ''hex'')'
		WHEN 'bytea' THEN 'encode(%s, ''hex'')'
		WHEN 'uuid' THEN 'encode(uuid_send(%s), ''hex'')'
		WHEN 'date' THEN '(sent_integer(date_send(%s)) + 10957)::text'
		WHEN 'time without time zone' THEN 'sent_integer(time_send(%s))::text'
		WHEN 'timestamp without time zone' THEN '(sent_integer(timestamp_send(%s)) + 946684800000000)::text'
		WHEN 'timestamp with time zone' THEN '(sent_integer(timestamptz_send(%s)) + 946684800000000)::text'
		WHEN 'interval' THEN 'interval_truth(interval_send(%s))'
		ELSE 'format(''%%s'', %s)'
	END;
	RETURN format('CASE WHEN num_nonnulls(%s) = 1 THEN to_jsonb(%s) END', value, format(leaf, value));
END $$;

-- A big-endian integer of four or eight bytes.
CREATE FUNCTION sent_integer(bytes bytea) RETURNS numeric IMMUTABLE STRICT LANGUAGE sql AS $$
SELECT CASE length(bytes)
	WHEN 4 THEN ('x' || encode(bytes, 'hex'))::bit(32)::int4::numeric
	ELSE ('x' || encode(bytes, 'hex'))::bit(64)::int8::numeric
END
$$;

-- An interval's months, days and microseconds.
CREATE FUNCTION interval_truth(bytes bytea) RETURNS text IMMUTABLE STRICT LANGUAGE sql AS $$
SELECT concat_ws(' ', sent_integer(substr(bytes, 13, 4)), sent_integer(substr(bytes, 9, 4)),
				 sent_integer(substr(bytes, 1, 8)))
$$;

-- The truth about a query whose columns have these types: rows of texts.
CREATE FUNCTION truth(query text, types oid[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
BEGIN
	EXECUTE format('SELECT coalesce(jsonb_agg(to_jsonb(ARRAY[%s]::jsonb[])), ''[]'') FROM (%s) AS t%s',
		(SELECT string_agg(truth_expression(type, 't.c' || i), ', ' ORDER BY i)
		 FROM unnest(types) WITH ORDINALITY AS u(type, i)),
		query,
		(SELECT '(' || string_agg('c' || i, ', ' ORDER BY i) || ')'
		 FROM generate_series(1, cardinality(types)) AS i))
	INTO result;
	RETURN result;
END $$;

-- What a value of this type has to be in Arrow, with what is inside it.
CREATE FUNCTION arrow_field(name text, type oid, typmod int) RETURNS jsonb STABLE LANGUAGE plpgsql AS $$
DECLARE
	of pg_type;
	base pg_type;
	base_typmod int := typmod;
	arrow text;
	children jsonb := '[]';
	named bool;						-- as arrays and anonymous records are not
BEGIN
	SELECT * INTO STRICT of FROM pg_type WHERE oid = type;
	named := NOT is_array(of) AND type <> 'record'::regtype;
	base := of;
	WHILE base.typtype = 'd' LOOP
		base_typmod := base.typtypmod;
		SELECT * INTO STRICT base FROM pg_type WHERE oid = base.typbasetype;
	END LOOP;
	IF base.typtype = 'e' THEN
		arrow := 'dictionary<utf8>';
	ELSIF base.typtype = 'c' THEN
		arrow := 'struct';
		children := (SELECT coalesce(jsonb_agg(arrow_field(attname, atttypid, atttypmod) ORDER BY attnum), '[]')
					 FROM pg_attribute WHERE attrelid = base.typrelid AND attnum > 0 AND NOT attisdropped);
	ELSIF base.oid = 'record'::regtype THEN
		arrow := 'struct';
		children := NULL;			-- only its values know
	ELSIF is_array(base) THEN
		arrow := 'list';
		children := jsonb_build_array(arrow_field('item', base.typelem, base_typmod));
	ELSE
		arrow := CASE base.typname
			WHEN 'bool' THEN 'bool'
			WHEN 'int2' THEN 'int16'
			WHEN 'int4' THEN 'int32'
			WHEN 'int8' THEN 'int64'
			WHEN 'oid' THEN 'uint32'
			WHEN 'xid' THEN 'uint32'
			WHEN 'cid' THEN 'uint32'
			WHEN 'xid8' THEN 'uint64'
			WHEN 'float4' THEN 'float'
			WHEN 'float8' THEN 'double'
			WHEN 'numeric' THEN (SELECT CASE WHEN base_typmod >= 4 AND s BETWEEN 0 AND p AND p <= 38
											 THEN format('decimal(%s, %s)', p, s) ELSE 'utf8' END
								 FROM (SELECT (base_typmod - 4) >> 16 & 65535 AS p,
											  ((base_typmod - 4) & 2047 # 1024) - 1024 AS s) AS m)
			WHEN 'bytea' THEN 'binary'
			WHEN 'uuid' THEN 'fixed(16)'
			WHEN 'date' THEN 'date32'
			WHEN 'time' THEN 'time64[us]'
			WHEN 'timestamp' THEN 'timestamp[us]'
			WHEN 'timestamptz' THEN 'timestamp[us, UTC]'
			WHEN 'interval' THEN 'month_day_nano'
			ELSE 'utf8'
		END;
	END IF;
	RETURN jsonb_build_object('name', name, 'arrow', arrow, 'children', children,
		'extension', CASE WHEN base.typname = 'uuid' THEN 'arrow.uuid'
						  WHEN base.typname IN ('json', 'jsonb') THEN 'arrow.json' END,
		'schema', (SELECT nspname FROM pg_namespace WHERE oid = of.typnamespace AND named), 'type', CASE WHEN named THEN of.typname END,
		'typmod', CASE WHEN named AND typmod >= 0 THEN typmod::text END);
END $$;

-- The expression by which DuckDB tells the same texts of a value that it has
-- read, so that what it has understood is compared and not only carried.
CREATE FUNCTION duckdb_expression(field jsonb, value text, depth int DEFAULT 0)
RETURNS text STABLE LANGUAGE plpgsql AS $$
DECLARE
	arrow text := field ->> 'arrow';
	item text := 'e' || depth;
	inner_item text;
	parts text;
BEGIN
	IF field -> 'children' = 'null' THEN
		RETURN value;
	ELSIF arrow = 'list' THEN
		inner_item := duckdb_expression(field #> '{children,0}', item, depth + 1);
		RETURN format('list_transform(%s, lambda %s: %s)', value, item, inner_item);
	ELSIF arrow = 'struct' THEN
		parts := (SELECT string_agg(format('c%s := %s', i,
						 duckdb_expression(f, format('struct_extract_at(%s, %s)', value, i), depth)), ', ' ORDER BY i)
				  FROM jsonb_array_elements(field -> 'children') WITH ORDINALITY AS c(f, i));
		RETURN format('CASE WHEN %s IS NOT NULL THEN struct_pack(%s) END', value, parts);
	END IF;
	RETURN format(CASE
		WHEN arrow = 'binary' THEN 'lower(hex(%s))'
		WHEN field ->> 'extension' = 'arrow.uuid' THEN 'replace(%s::VARCHAR, ''-'', '''')'
		WHEN arrow = 'date32' THEN '(%1$s - DATE ''1970-01-01'')::VARCHAR'
		WHEN arrow = 'time64[us]' THEN 'epoch_us(%s)::VARCHAR'
		WHEN arrow LIKE 'timestamp%' THEN 'epoch_us(%s)::VARCHAR'
		WHEN arrow = 'month_day_nano' THEN
			'(CASE WHEN %1$s IS NOT NULL THEN concat_ws('' '', datepart(''year'', %1$s) * 12 + datepart(''month'', %1$s), '
			'datepart(''day'', %1$s), datepart(''hour'', %1$s) * 3600000000 + datepart(''minute'', %1$s) * 60000000 + '
			'datepart(''microsecond'', %1$s)) END)'
		WHEN arrow IN ('float', 'double') THEN '%s'
		WHEN arrow LIKE 'decimal%' THEN 'regexp_replace(%s::VARCHAR, ''^(-?)[.]'', ''\10.'')'	-- which has no 0 there
		ELSE '%s::VARCHAR'
	END, value);
END $$;

-- The type that a field becomes once DuckDB has had it, which keeps no metadata,
-- so that JSON is any text, and has a UUID written out.
CREATE FUNCTION foreign_type(field jsonb) RETURNS text IMMUTABLE LANGUAGE sql AS $$
SELECT CASE
	WHEN field ->> 'extension' = 'arrow.uuid' THEN 'text'
	WHEN arrow = 'list' THEN foreign_type(field #> '{children,0}') || '[]'
	WHEN arrow LIKE 'decimal%' THEN replace(replace(arrow, 'decimal', 'numeric'), ', ', ',')
	ELSE (SELECT type FROM (VALUES ('bool', 'boolean'), ('int16', 'smallint'), ('int32', 'integer'), ('int64', 'bigint'),
			('uint32', 'bigint'), ('uint64', 'numeric(20,0)'), ('float', 'real'), ('double', 'double precision'),
			('utf8', 'text'), ('dictionary<utf8>', 'text'), ('binary', 'bytea'), ('date32', 'date'),
			('time64[us]', 'time without time zone'), ('timestamp[us]', 'timestamp without time zone'),
			('timestamp[us, UTC]', 'timestamp with time zone'), ('month_day_nano', 'interval'), ('struct', 'record')) AS v(name, type)
		  WHERE name = arrow)
END FROM (SELECT field ->> 'arrow' AS arrow) AS f
$$;

-- The text of a value of such a field.
CREATE FUNCTION foreign_value(field jsonb, value jsonb) RETURNS jsonb IMMUTABLE LANGUAGE sql AS $$
SELECT CASE
	WHEN jsonb_typeof(value) = 'array' AND field ->> 'arrow' = 'list' THEN
		(SELECT coalesce(jsonb_agg(foreign_value(field #> '{children,0}', e) ORDER BY i), '[]')
		 FROM jsonb_array_elements(value) WITH ORDINALITY AS a(e, i))
	WHEN field ->> 'extension' = 'arrow.uuid' THEN coalesce(to_jsonb((value #>> '{}')::uuid), 'null')
	ELSE value
END
$$;

-- The cases: a query, the settings under which its stream is written, and what
-- can't be told from its types.
CREATE TABLE arrow_case (
	name text PRIMARY KEY,
	query text NOT NULL,
	-- columns of texts that come as dictionaries
	dictionaries text[] NOT NULL DEFAULT '{}',
	group_rows int NOT NULL DEFAULT 65536,
	unrepresentable text NOT NULL DEFAULT 'error',
	-- another query whose values are right, where this one's are not all there
	truth text
);

-- A case's rowset, under its settings.
CREATE FUNCTION case_rowset(c arrow_case) RETURNS bytea LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('rowser.row_group_rows', c.group_rows::text, true);
	RETURN query_to_rowset(c.query);
END $$;

-- The same as a stream.
CREATE FUNCTION case_stream(c arrow_case, compression text) RETURNS bytea LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('rowser.arrow_compression', compression, true),
			set_config('rowser.arrow_unrepresentable', c.unrepresentable, true);
	RETURN rowset_to_arrow(case_rowset(c));
END $$;

-- The types of a rowset's columns.
CREATE FUNCTION rowset_types(rowset bytea) RETURNS oid[] LANGUAGE sql AS $$
SELECT coalesce(array_agg(type_oid ORDER BY ordinality), '{}') FROM rowset_columns(rowset)
$$;

-- What readers are told: one object a case and compression.
CREATE FUNCTION told(c arrow_case, compression text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	rowset bytea := case_rowset(c);
	fields jsonb;
	rows jsonb := truth(coalesce(c.truth, c.query), rowset_types(rowset));
BEGIN
	fields := (SELECT coalesce(jsonb_agg(arrow_field(name, type_oid, coalesce(typmod, -1)) ORDER BY ordinality), '[]')
			   FROM rowset_columns(rowset));
	fields := (SELECT coalesce(jsonb_agg(CASE WHEN f ->> 'name' = ANY (c.dictionaries)
											  THEN f || '{"arrow": "dictionary<utf8>"}' ELSE f END ORDER BY i), '[]')
			   FROM jsonb_array_elements(fields) WITH ORDINALITY AS a(f, i));
	RETURN jsonb_build_object('name', c.name, 'compression', compression,
		'stream', translate(encode(case_stream(c, compression), 'base64'), E'\n', ''),
		'fields', fields,
		'types', (SELECT coalesce(jsonb_agg(jsonb_build_array(name, type) ORDER BY ordinality), '[]')
				  FROM rowset_columns(rowset)),
		'foreign', (SELECT coalesce(jsonb_agg(jsonb_build_array(f -> 'name', foreign_type(f)) ORDER BY i), '[]')
					FROM jsonb_array_elements(fields) WITH ORDINALITY AS a(f, i)),
		'duckdb', (SELECT coalesce(jsonb_agg(duckdb_expression(f, 'c' || i) ORDER BY i), '[]')
				   FROM jsonb_array_elements(fields) WITH ORDINALITY AS a(f, i)),
		'groups', (rowset_info(rowset)).row_groups,
		'rows', rows,
		'foreign_rows', CASE WHEN fields::text ~ 'arrow[.]uuid' THEN
			(SELECT jsonb_agg((SELECT jsonb_agg(foreign_value(fields -> (i - 1)::int, v) ORDER BY i)
							   FROM jsonb_array_elements(r) WITH ORDINALITY AS a(v, i)) ORDER BY n)
			 FROM jsonb_array_elements(rows) WITH ORDINALITY AS a(r, n))
			ELSE rows END);
END $$;

-- What others wrote, as the lines of their files.
CREATE TABLE written (line jsonb NOT NULL);

-- The truth about a rowset's rows, whatever its columns are called.
CREATE FUNCTION rowset_truth(rowset bytea) RETURNS jsonb LANGUAGE sql AS $$
SELECT truth(format('SELECT * FROM rowset_to_recordset(%L::bytea, match => ''position'') AS t(%s)', rowset,
					string_agg(format('c%s %s', ordinality, type), ', ' ORDER BY ordinality)),
			 rowset_types(rowset))
FROM rowset_columns(rowset) HAVING count(*) > 0
UNION ALL
SELECT coalesce((SELECT jsonb_agg('[]'::jsonb) FROM generate_series(1, rowset_count(rowset))), '[]')
WHERE NOT EXISTS (SELECT FROM rowset_columns(rowset))
$$;

-- Where two lists of rows differ first, or NULL.
CREATE FUNCTION difference(expected jsonb, got jsonb) RETURNS text LANGUAGE sql AS $$
SELECT CASE
	WHEN jsonb_array_length(expected) <> jsonb_array_length(got) THEN
		format('%s rows instead of %s', jsonb_array_length(got), jsonb_array_length(expected))
	WHEN expected <> got THEN
		(SELECT format('row %s is %s instead of %s', i, left(g::text, 300), left(e::text, 300))
		 FROM ROWS FROM (jsonb_array_elements(expected), jsonb_array_elements(got)) WITH ORDINALITY AS r(e, g, i)
		 WHERE e <> g ORDER BY i LIMIT 1)
END
$$;

-- What is wrong with the rowset that a stream makes, or NULL: the line says the
-- types and rows, or the SQLSTATE of the error, or that it is hostile: then
-- an error that tells what is wrong with the stream is right, and so is any valid
-- rowset.
CREATE FUNCTION written_fault(line jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rowset bytea;
	types jsonb;
	got jsonb;
	state text;
	said text;
BEGIN
	BEGIN
		rowset := arrow_to_rowset(decode(line ->> 'stream', 'base64'));
		types := (SELECT coalesce(jsonb_agg(jsonb_build_array(name, type) ORDER BY ordinality), '[]')
				  FROM rowset_columns(rowset));
		got := rowset_truth(rowset);
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, said = MESSAGE_TEXT;
	END;
	IF line ? 'hostile' THEN
		RETURN CASE WHEN state NOT IN ('22P03', '22021', '22008', '22003', '22015', '22P02', '0A000', '54000', '42704') THEN
						format('error %s: %s', state, said) END;
	ELSIF line ? 'sqlstate' THEN
		RETURN CASE WHEN state IS NULL THEN format('no error instead of %s', line ->> 'sqlstate')
					WHEN state <> line ->> 'sqlstate' THEN
						format('%s (%s) instead of %s', state, said, line ->> 'sqlstate') END;
	ELSIF state IS NOT NULL THEN
		RETURN format('error %s: %s', state, said);
	ELSIF types <> line -> 'types' THEN
		RETURN format('types %s instead of %s', types, line -> 'types');
	END IF;
	RETURN difference(line -> 'rows', got);
END $$;
