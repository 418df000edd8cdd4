--
-- arrow_build.sql
--	  Arrow streams put together by hand, for what no writer at hand would write.
--	  Included by tests.
--
-- Metadata is made of tables and vectors of FlatBuffers, as bytea.  An offset
-- counts from where it stands, so that a part is the same wherever it is: what a
-- part refers to is put behind it.  Nothing is aligned.
--
CREATE SCHEMA build;

-- A number of so many bytes
CREATE FUNCTION build.le(n numeric, size int) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(string_agg(decode(lpad(to_hex((trunc(u / 256::numeric ^ i) % 256)::int), 2, '0'), 'hex'), '' ORDER BY i), '')
	FROM (SELECT CASE WHEN n < 0 THEN n + 256::numeric ^ size ELSE n END) AS u(u), generate_series(0, size - 1) AS i
$$;

-- What a field of a table holds: n a number, t a table, v a vector, and x a place
-- that is not in the table.  NULL stands for a field that is left out.
CREATE TYPE build.slot AS (kind "char", bytes bytea);
CREATE FUNCTION build.n(n numeric, size int) RETURNS build.slot LANGUAGE sql IMMUTABLE AS $$ SELECT ROW('n', build.le(n, size))::build.slot $$;
CREATE FUNCTION build.t(part bytea) RETURNS build.slot LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN part IS NOT NULL THEN ROW('t', part)::build.slot END $$;
CREATE FUNCTION build.v(part bytea) RETURNS build.slot LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN part IS NOT NULL THEN ROW('v', part)::build.slot END $$;
CREATE FUNCTION build.x() RETURNS build.slot LANGUAGE sql IMMUTABLE AS $$ SELECT ROW('x', '')::build.slot $$;

-- A table behind its vtable, which has 32 bytes, whatever the fields are
CREATE FUNCTION build.tab(VARIADIC slots build.slot[] DEFAULT '{}') RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	s build.slot;
	v_vtable bytea := '';
	v_table bytea := build.le(32, 4);
	v_size int := 4;
	v_parts bytea := '';
BEGIN
	SELECT 4 + coalesce(sum(CASE (u).kind WHEN 'n' THEN length((u).bytes) WHEN 'x' THEN 0 ELSE 4 END), 0) INTO v_size FROM unnest(slots) AS u WHERE u IS NOT NULL;
	FOREACH s IN ARRAY slots LOOP
		v_vtable := v_vtable || build.le(CASE WHEN s IS NULL THEN 0 WHEN s.kind = 'x' THEN 65535 ELSE length(v_table) END, 2);
		IF s.kind = 'n' THEN
			v_table := v_table || s.bytes;
		ELSIF s.kind IN ('t', 'v') THEN
			v_table := v_table || build.le(v_size - length(v_table) + length(v_parts) + CASE s.kind WHEN 't' THEN 32 ELSE 0 END, 4);
			v_parts := v_parts || s.bytes;
		END IF;
	END LOOP;
	RETURN build.le(32, 2) || build.le(v_size, 2) || v_vtable || decode(repeat('00', 28 - length(v_vtable)), 'hex') || v_table || v_parts;
END $$;

-- Vectors: of tables, of numbers of 8 bytes, and the characters of a string
CREATE FUNCTION build.tabs(VARIADIC tabs bytea[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.le(cardinality(tabs), 4) || coalesce(string_agg(build.le((cardinality(tabs) - o + 1) * 4 + before + 32, 4), '' ORDER BY o) || string_agg(tab, '' ORDER BY o), '')
	FROM (SELECT tab, o, sum(length(tab)) OVER (ORDER BY o) - length(tab) AS before FROM unnest(tabs) WITH ORDINALITY AS u(tab, o)) AS u
$$;
CREATE FUNCTION build.numbers(VARIADIC numbers numeric[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.le(cardinality(numbers), 4) || coalesce(string_agg(build.le(n, 8), '' ORDER BY o), '') FROM unnest(numbers) WITH ORDINALITY AS u(n, o)
$$;
CREATE FUNCTION build.str(string bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT build.le(length(string), 4) || string $$;
CREATE FUNCTION build.str(string text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT build.str(convert_to(string, 'UTF8')) $$;

--
-- Schemas
--
-- A field of a type, by its number, with the type's parameters
CREATE FUNCTION build.field(type int, parameters bytea DEFAULT build.tab(), children bytea DEFAULT NULL, dictionary bytea DEFAULT NULL, metadata bytea DEFAULT NULL, name bytea DEFAULT build.str('v')) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.tab(build.v(name), build.n(1, 1), build.n(type, 1), build.t(parameters), build.t(dictionary), build.v(children), build.v(metadata))
$$;
CREATE FUNCTION build.int(width int, is_signed int DEFAULT 1) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT build.tab(build.n(width, 4), build.n(is_signed, 1)) $$;
CREATE FUNCTION build.unit(unit int) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT build.tab(build.n(unit, 2)) $$;
CREATE FUNCTION build.width(width numeric) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT build.tab(build.n(width, 4)) $$;
CREATE FUNCTION build.encoding(id numeric, index_type bytea DEFAULT NULL) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT build.tab(build.n(id, 8), build.t(index_type)) $$;
-- Metadata: keys and values by turns
CREATE FUNCTION build.metadata(VARIADIC entries text[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.tabs(VARIADIC array_agg(build.tab(build.v(build.str(entries[2 * i - 1])), build.v(build.str(entries[2 * i]))) ORDER BY i)) FROM generate_series(1, cardinality(entries) / 2) AS i
$$;
CREATE FUNCTION build.named(name text, schema text DEFAULT 'pg_catalog') RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.metadata('postgresql:type_schema', schema, 'postgresql:type_name', name)
$$;

--
-- Messages
--
CREATE FUNCTION build.message(kind int, header bytea, body bytea DEFAULT '', version int DEFAULT 4) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT '\xffffffff'::bytea || build.le(4 + length(tab), 4) || build.le(4 + 32, 4) || tab || body
	FROM build.tab(build.n(version, 2), build.n(kind, 1), build.t(header), build.n(length(body), 8)) AS tab
$$;
CREATE FUNCTION build.schema(VARIADIC fields bytea[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.message(1, build.tab(NULL, build.v(build.tabs(VARIADIC fields))))
$$;

-- A batch's table, whose buffers lie in the body one behind the other: nodes are
-- lengths and numbers of NULLs by turns.
CREATE FUNCTION build.arrays(length numeric, nodes numeric[], buffers bytea[], compression bytea DEFAULT NULL, variadic_counts bytea DEFAULT NULL) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.tab(build.n(length, 8), build.v(build.le(cardinality(nodes) / 2, 4) || substr(build.numbers(VARIADIC nodes), 5)), build.v(build.le(cardinality(buffers), 4) || pairs),
					 build.t(compression), build.v(variadic_counts))
	FROM (SELECT coalesce(string_agg(build.le(before, 8) || build.le(length(b), 8), '' ORDER BY o), '')
		  FROM (SELECT b, o, sum(length(b)) OVER (ORDER BY o) - length(b) AS before FROM unnest(buffers) WITH ORDINALITY AS u(b, o)) AS u) AS p(pairs)
$$;
CREATE FUNCTION build.body(buffers bytea[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce(string_agg(b, '' ORDER BY o), '') FROM unnest(buffers) WITH ORDINALITY AS u(b, o) $$;
CREATE FUNCTION build.batch(length numeric, nodes numeric[], buffers bytea[], compression bytea DEFAULT NULL, variadic_counts bytea DEFAULT NULL) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.message(3, build.arrays($1, $2, $3, $4, $5), build.body($3))
$$;
CREATE FUNCTION build.dictionary(id numeric, length numeric, nodes numeric[], buffers bytea[], is_delta int DEFAULT 0) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.message(2, build.tab(build.n($1, 8), build.t(build.arrays($2, $3, $4)), build.n($5, 1)), build.body($4))
$$;
CREATE FUNCTION build.stream(VARIADIC messages bytea[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT string_agg(m, '' ORDER BY o) || '\xffffffff00000000'::bytea FROM unnest(messages) WITH ORDINALITY AS u(m, o) $$;

-- A file with the offsets of dictionaries and batches in its footer
CREATE FUNCTION build.blocks(offsets numeric[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT build.le(cardinality(offsets), 4) || coalesce(string_agg(build.le(n, 8) || build.le(0, 16), '' ORDER BY o), '') FROM unnest(offsets) WITH ORDINALITY AS u(n, o)
$$;
CREATE FUNCTION build.file(messages bytea, schema bytea, dictionaries numeric[], batches numeric[]) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT 'ARROW1'::bytea || '\x0000'::bytea || messages || footer || build.le(length(footer), 4) || 'ARROW1'::bytea
	FROM (SELECT build.le(4 + 32, 4) || build.tab(NULL, build.t(schema), build.v(build.blocks(dictionaries)), build.v(build.blocks(batches)))) AS f(footer)
$$;
