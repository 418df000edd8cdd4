--
-- arrow.sql
--	  A reader of Arrow IPC streams that shares nothing with the writer: it is made
--	  from the format's description, and refuses whatever that doesn't allow.
--
-- arrow.read(stream) fills arrow.field, a row a field, children behind theirs,
-- and arrow.value, a row a value of a column; arrow.dictionary has the values of
-- dictionaries.  Streams must not be compressed.
--
-- Values are text: numbers, decimals, dates, times and intervals as PostgreSQL
-- writes them, floats as the hex digits of what float4send() and float8send()
-- give, binary as hex digits, lists as {a,NULL}, structs as (a,NULL).
--
CREATE SCHEMA arrow;

CREATE TABLE arrow.field (id int, parent int, name text, type text, kind int, width int, signed boolean, scale int, dictionary bigint, metadata jsonb);
CREATE TABLE arrow.value (batch int, row bigint, field int, value text);
CREATE TABLE arrow.dictionary (id bigint, number bigint, value text);

CREATE FUNCTION arrow.demand(p_ok boolean, p_what text) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF p_ok IS NOT TRUE THEN
		RAISE EXCEPTION 'bad stream: %', p_what;
	END IF;
END $$;

-- A little-endian number of so many bytes, signed or not; 8 bytes always are.
CREATE FUNCTION arrow.number(p_bytes bytea, p_at bigint, p_size int, p_signed boolean DEFAULT false) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	v bigint := 0;
BEGIN
	IF (p_at >= 0 AND p_at + p_size <= length(p_bytes)) IS NOT TRUE THEN
		RAISE EXCEPTION 'bad stream: a number is outside';
	END IF;
	IF p_size = 4 THEN
		v := get_byte(p_bytes, p_at::int) + (get_byte(p_bytes, p_at::int + 1) << 8) + (get_byte(p_bytes, p_at::int + 2) << 16) + (get_byte(p_bytes, p_at::int + 3)::bigint << 24);
	ELSE
		FOR i IN REVERSE p_size - 1 .. 0 LOOP
			v := (v << 8) | get_byte(p_bytes, (p_at + i)::int);
		END LOOP;
	END IF;
	IF p_signed AND p_size < 8 AND v >= (1::bigint << (8 * p_size - 1)) THEN
		v := v - (1::bigint << (8 * p_size));
	END IF;
	RETURN v;
END $$;

CREATE FUNCTION arrow.is_zero(p_bytes bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE AS 'SELECT ltrim(encode(p_bytes, ''hex''), ''0'') = ''''';

--
-- FlatBuffers: positions are those of the stream
--

-- Where a table has a field, by its number; NULL if it isn't there
CREATE FUNCTION arrow.slot(p_bytes bytea, p_table bigint, p_field int) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	v_vtable bigint := p_table - arrow.number(p_bytes, p_table, 4, true);
	v_offset bigint := 0;
BEGIN
	PERFORM arrow.demand(p_table % 4 = 0 AND v_vtable % 2 = 0 AND v_vtable > 0, 'a table or its vtable is not aligned');
	IF 4 + 2 * p_field < arrow.number(p_bytes, v_vtable, 2) THEN
		v_offset := arrow.number(p_bytes, v_vtable + 4 + 2 * p_field, 2);
		PERFORM arrow.demand(v_offset < arrow.number(p_bytes, v_vtable + 2, 2), 'a field is outside of its table');
	END IF;
	RETURN CASE WHEN v_offset > 0 THEN p_table + v_offset END;
END $$;

-- A scalar of a table, or its default
CREATE FUNCTION arrow.scalar(p_bytes bytea, p_table bigint, p_field int, p_size int, p_default bigint DEFAULT 0) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	v_slot bigint := arrow.slot(p_bytes, p_table, p_field);
BEGIN
	PERFORM arrow.demand(v_slot IS NULL OR v_slot % p_size = 0, 'a scalar is not aligned');
	RETURN CASE WHEN v_slot IS NULL THEN p_default ELSE arrow.number(p_bytes, v_slot, p_size, true) END;
END $$;

-- What a reference refers to, if it is there
CREATE FUNCTION arrow.target(p_bytes bytea, p_slot bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
	PERFORM arrow.demand(p_slot % 4 = 0 AND arrow.number(p_bytes, p_slot, 4) > 0, 'a reference is bad');
	RETURN p_slot + arrow.number(p_bytes, p_slot, 4);
END $$;

CREATE FUNCTION arrow.string(p_bytes bytea, p_slot bigint) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	v_at bigint := arrow.target(p_bytes, p_slot);
	v_size bigint := arrow.number(p_bytes, v_at, 4);
BEGIN
	PERFORM arrow.demand(arrow.number(p_bytes, v_at + 4 + v_size, 1) = 0, 'a string is not terminated');
	RETURN convert_from(substr(p_bytes, (v_at + 5)::int, v_size::int), 'UTF8');
END $$;

--
-- The schema
--
CREATE FUNCTION arrow.metadata(p_bytes bytea, p_slot bigint) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
	v_vector bigint := arrow.target(p_bytes, p_slot);
	v_pair bigint;
	v jsonb := '{}';
BEGIN
	FOR i IN 0 .. arrow.number(p_bytes, v_vector, 4) - 1 LOOP
		v_pair := arrow.target(p_bytes, v_vector + 4 + 4 * i);
		v := v || jsonb_build_object(arrow.string(p_bytes, arrow.slot(p_bytes, v_pair, 0)), arrow.string(p_bytes, arrow.slot(p_bytes, v_pair, 1)));
	END LOOP;
	RETURN v;
END $$;

-- Read a field and those inside of it; fields are numbered from 1.
CREATE FUNCTION arrow.read_field(p_bytes bytea, p_at bigint, p_parent int) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	v_units constant text[] := '{s,ms,us,ns}';
	v_id int := 1 + (SELECT count(*) FROM arrow.field);
	v_kind int := arrow.scalar(p_bytes, p_at, 2, 1);
	v_type bigint := arrow.target(p_bytes, arrow.slot(p_bytes, p_at, 3));
	v_encoding bigint := arrow.slot(p_bytes, p_at, 4);
	v_children bigint := arrow.target(p_bytes, arrow.slot(p_bytes, p_at, 5));
	v_first bigint := arrow.scalar(p_bytes, v_type, 0, CASE WHEN v_kind IN (2, 7, 15) THEN 4 ELSE 2 END);
	v_second bigint := arrow.scalar(p_bytes, v_type, 1, CASE WHEN v_kind = 2 THEN 1 WHEN v_kind IN (7, 9) THEN 4 ELSE 2 END);
	v_width int;
	v_name text;
BEGIN
	PERFORM arrow.demand(arrow.scalar(p_bytes, p_at, 1, 1) = 1, 'a field is not nullable');
	v_width := CASE v_kind WHEN 2 THEN v_first / 8 WHEN 3 THEN 2 << v_first::int WHEN 7 THEN arrow.scalar(p_bytes, v_type, 2, 4, 128) / 8
		WHEN 8 THEN 4 WHEN 9 THEN v_second / 8 WHEN 10 THEN 8 WHEN 11 THEN 16 WHEN 15 THEN v_first END;
	v_name := CASE v_kind
		WHEN 2 THEN CASE v_second WHEN 0 THEN 'U' ELSE '' END || 'Int' || v_first
		WHEN 3 THEN 'Float' || 8 * v_width
		WHEN 4 THEN 'Binary'
		WHEN 5 THEN 'Utf8'
		WHEN 6 THEN 'Bool'
		WHEN 7 THEN format('Decimal%s(%s,%s)', 8 * v_width, v_first, v_second)
		WHEN 8 THEN CASE v_first WHEN 0 THEN 'Date32' END
		WHEN 9 THEN format('Time%s(%s)', v_second, v_units[v_first + 1])
		WHEN 10 THEN format('Timestamp(%s%s)', v_units[v_first + 1], ', ' || arrow.string(p_bytes, arrow.slot(p_bytes, v_type, 1)))
		WHEN 11 THEN CASE v_first WHEN 2 THEN 'MonthDayNano' END
		WHEN 12 THEN 'List'
		WHEN 13 THEN 'Struct'
		WHEN 15 THEN format('FixedSizeBinary(%s)', v_first) END;
	PERFORM arrow.demand(v_name IS NOT NULL, 'a type that should not be there');
	v_encoding := arrow.target(p_bytes, v_encoding);
	IF v_encoding IS NOT NULL THEN
		PERFORM arrow.demand(arrow.scalar(p_bytes, arrow.target(p_bytes, arrow.slot(p_bytes, v_encoding, 1)), 0, 4) = 32 AND
							 arrow.scalar(p_bytes, arrow.target(p_bytes, arrow.slot(p_bytes, v_encoding, 1)), 1, 1) = 1, 'indexes are not Int32');
		v_name := format('Dictionary(%s)', v_name);
	END IF;
	INSERT INTO arrow.field VALUES (v_id, p_parent, arrow.string(p_bytes, arrow.slot(p_bytes, p_at, 0)), v_name, v_kind, v_width, v_second <> 0, v_second,
									arrow.scalar(p_bytes, v_encoding, 0, 8), coalesce(arrow.metadata(p_bytes, arrow.slot(p_bytes, p_at, 6)), '{}'));
	FOR i IN 0 .. arrow.number(p_bytes, v_children, 4) - 1 LOOP
		PERFORM arrow.read_field(p_bytes, arrow.target(p_bytes, v_children + 4 + 4 * i), v_id);
	END LOOP;
END $$;

CREATE FUNCTION arrow.read_schema(p_bytes bytea, p_at bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	v_fields bigint := arrow.target(p_bytes, arrow.slot(p_bytes, p_at, 1));
BEGIN
	PERFORM arrow.demand(arrow.scalar(p_bytes, p_at, 0, 2) = 0, 'the stream is not little-endian');
	FOR i IN 0 .. arrow.number(p_bytes, v_fields, 4) - 1 LOOP
		PERFORM arrow.read_field(p_bytes, arrow.target(p_bytes, v_fields + 4 + 4 * i), NULL);
	END LOOP;
END $$;

--
-- Values
--

-- One value of a fixed width
CREATE FUNCTION arrow.fixed(p_field arrow.field, p_bytes bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	v_number bigint := CASE WHEN length(p_bytes) <= 8 THEN arrow.number(p_bytes, 0, length(p_bytes), p_field.signed OR p_field.kind NOT IN (2)) END;
	v_reversed text := (SELECT string_agg(to_hex(get_byte(p_bytes, i) + 256), '' ORDER BY i DESC) FROM generate_series(0, length(p_bytes) - 1) AS i);
BEGIN
	v_reversed := regexp_replace(v_reversed, '1(..)', '\1', 'g');
	RETURN CASE p_field.kind
		WHEN 2 THEN CASE WHEN p_field.signed OR v_number >= 0 THEN v_number ELSE v_number + 18446744073709551616 END::text
		WHEN 3 THEN v_reversed
		WHEN 7 THEN (arrow.number(p_bytes, 8, 8) * 18446744073709551616::numeric + arrow.number(p_bytes, 0, 8) +
					 CASE WHEN arrow.number(p_bytes, 0, 8) < 0 THEN 18446744073709551616 ELSE 0 END)::text
		WHEN 8 THEN (date '1970-01-01' + v_number::int)::text
		WHEN 9 THEN (time '00:00' + v_number * interval '1 microsecond')::text
		WHEN 10 THEN CASE WHEN p_field.type ~ 'UTC' THEN ((timestamp '1970-01-01' + v_number / 86400000000 * interval '1 day' + v_number % 86400000000 * interval '1 microsecond') AT TIME ZONE 'UTC')::text
					 ELSE (timestamp '1970-01-01' + v_number / 86400000000 * interval '1 day' + v_number % 86400000000 * interval '1 microsecond')::text END
		WHEN 11 THEN format('%s mon %s d %s ns', arrow.number(p_bytes, 0, 4, true), arrow.number(p_bytes, 4, 4, true), arrow.number(p_bytes, 8, 8))
		ELSE encode(p_bytes, 'hex') END;
END $$;

-- An integer's text with a decimal point before so many of its digits
CREATE FUNCTION arrow.with_point(p_integer text, p_scale int) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
SELECT CASE WHEN p_integer LIKE '-%' THEN '-' ELSE '' END ||
	CASE WHEN p_scale = 0 THEN digits ELSE left(digits, -p_scale) || '.' || right(digits, p_scale) END
FROM lpad(ltrim(p_integer, '-'), greatest(p_scale + 1, length(ltrim(p_integer, '-'))), '0') AS digits;
$$;

-- Take the next buffer of a batch.  How far reading is in the batch is in p_place:
-- the number of the next node, of the next buffer, and where the last one ended.
CREATE FUNCTION arrow.take_buffer(p_bytes bytea, p_body bigint, p_body_size bigint, p_buffers bigint, INOUT p_place bigint[], OUT p_buffer bytea)
LANGUAGE plpgsql AS $$
DECLARE
	v_at bigint := p_buffers + 4 + 16 * p_place[2];
	v_offset bigint;
	v_size bigint;
BEGIN
	PERFORM arrow.demand(p_place[2] < arrow.number(p_bytes, p_buffers, 4), 'there are too few buffers');
	v_offset := arrow.number(p_bytes, v_at, 8);
	v_size := arrow.number(p_bytes, v_at + 8, 8);
	PERFORM arrow.demand(v_offset % 64 = 0, 'a buffer is not aligned');
	PERFORM arrow.demand(v_offset >= p_place[3] AND v_offset - p_place[3] < 64 AND v_size >= 0 AND v_offset + v_size <= p_body_size, 'a buffer is outside of its place');
	PERFORM arrow.demand(arrow.is_zero(substr(p_bytes, (p_body + p_place[3] + 1)::int, (v_offset - p_place[3])::int)), 'padding is not zero');
	p_place[2] := p_place[2] + 1;
	p_place[3] := v_offset + v_size;
	p_buffer := substr(p_bytes, (p_body + v_offset + 1)::int, v_size::int);
END $$;

-- Read the array of a field, with the arrays inside of it, into texts.
CREATE FUNCTION arrow.read_array(p_bytes bytea, p_body bigint, p_body_size bigint, p_nodes bigint, p_buffers bigint, p_field arrow.field, p_is_dictionary boolean,
								 INOUT p_place bigint[], OUT p_values text[])
LANGUAGE plpgsql AS $$
DECLARE
	v_node bigint := p_nodes + 4 + 16 * p_place[1];
	v_length bigint;
	v_nulls bigint;
	v_kind int := CASE WHEN p_field.dictionary IS NOT NULL AND NOT p_is_dictionary THEN -1 ELSE p_field.kind END;
	v_width int := CASE WHEN v_kind = -1 THEN 4 ELSE p_field.width END;
	v_validity bytea;
	v_offsets bytea;
	v_data bytea;
	v_valid boolean[] := '{}';
	v_child arrow.field;
	v_items text[];
	v_parts text[] := '{}';
	v_is_first boolean := true;
	v_from bigint;
	v_to bigint := 0;
BEGIN
	PERFORM arrow.demand(p_place[1] < arrow.number(p_bytes, p_nodes, 4), 'there are too few nodes');
	v_length := arrow.number(p_bytes, v_node, 8);
	v_nulls := arrow.number(p_bytes, v_node + 8, 8);
	p_place[1] := p_place[1] + 1;
	p_values := '{}';

	SELECT b.p_place, b.p_buffer INTO p_place, v_validity FROM arrow.take_buffer(p_bytes, p_body, p_body_size, p_buffers, p_place) AS b;
	PERFORM arrow.demand(length(v_validity) = CASE WHEN v_nulls > 0 THEN (v_length + 7) / 8 ELSE 0 END, 'a bitmap has a wrong size');
	FOR i IN 0 .. v_length - 1 LOOP
		v_valid[i] := v_nulls = 0 OR get_bit(v_validity, i) = 1;
	END LOOP;
	PERFORM arrow.demand((SELECT count(*) FROM unnest(v_valid) AS u WHERE NOT u) = v_nulls, 'a bitmap has another number of NULLs');
	PERFORM arrow.demand(v_nulls = 0 OR v_length % 8 = 0 OR get_byte(v_validity, length(v_validity) - 1) >> (v_length % 8)::int = 0, 'a bitmap has bits past its values');

	IF v_kind IN (4, 5, 12) THEN
		SELECT b.p_place, b.p_buffer INTO p_place, v_offsets FROM arrow.take_buffer(p_bytes, p_body, p_body_size, p_buffers, p_place) AS b;
		PERFORM arrow.demand(length(v_offsets) = 4 * (v_length + 1) AND arrow.number(v_offsets, 0, 4) = 0, 'offsets are wrong');
	END IF;
	IF v_kind NOT IN (12, 13) THEN
		SELECT b.p_place, b.p_buffer INTO p_place, v_data FROM arrow.take_buffer(p_bytes, p_body, p_body_size, p_buffers, p_place) AS b;
	END IF;
	IF v_kind = 13 THEN
		v_items := array_fill(''::text, ARRAY[v_length::int], '{0}');
	END IF;
	FOR v_child IN SELECT * FROM arrow.field WHERE parent = p_field.id ORDER BY id LOOP
		SELECT a.p_place, a.p_values INTO p_place, v_parts FROM arrow.read_array(p_bytes, p_body, p_body_size, p_nodes, p_buffers, v_child, false, p_place) AS a;
		IF v_kind = 13 THEN
			PERFORM arrow.demand(cardinality(v_parts) = v_length, 'a struct''s child has another length');
			FOR i IN 0 .. v_length - 1 LOOP
				v_items[i] := v_items[i] || CASE WHEN v_is_first THEN '' ELSE ',' END || coalesce(v_parts[i], 'NULL');
				PERFORM arrow.demand(v_valid[i] OR v_parts[i] IS NULL, 'a NULL struct has values');
			END LOOP;
			v_is_first := false;
		END IF;
	END LOOP;

	FOR i IN 0 .. v_length - 1 LOOP
		IF v_kind IN (4, 5, 12) THEN
			v_from := arrow.number(v_offsets, 4 * i, 4);
			v_to := arrow.number(v_offsets, 4 * (i + 1), 4);
			IF v_from > v_to OR (v_from < v_to AND NOT v_valid[i]) THEN
				RAISE EXCEPTION 'bad stream: offsets go back, or a NULL has bytes';
			END IF;
		END IF;
		p_values[i] := CASE v_kind
			WHEN -1 THEN (SELECT d.value FROM arrow.dictionary AS d WHERE d.id = p_field.dictionary AND d.number = arrow.number(v_data, 4 * i, 4))
			WHEN 4 THEN encode(substr(v_data, (v_from + 1)::int, (v_to - v_from)::int), 'hex')
			WHEN 5 THEN convert_from(substr(v_data, (v_from + 1)::int, (v_to - v_from)::int), 'UTF8')
			WHEN 6 THEN (get_bit(v_data, i) = 1)::text
			WHEN 12 THEN '{' || coalesce(array_to_string(v_parts[v_from : v_to - 1], ',', 'NULL'), '') || '}'
			WHEN 13 THEN '(' || v_items[i] || ')'
			ELSE arrow.fixed(p_field, substr(v_data, (i * v_width + 1)::int, v_width)) END;
		IF p_values[i] IS NULL AND v_valid[i] THEN
			RAISE EXCEPTION 'bad stream: an index is outside of its dictionary';
		END IF;
		IF NOT v_valid[i] THEN
			PERFORM arrow.demand(v_width IS NULL OR arrow.is_zero(substr(v_data, (i * v_width + 1)::int, v_width)), 'a NULL is not zeros');
			p_values[i] := NULL;
		END IF;
		IF v_kind = 7 AND v_valid[i] THEN
			p_values[i] := arrow.with_point(p_values[i], p_field.scale);
		END IF;
	END LOOP;
	PERFORM arrow.demand(CASE WHEN v_kind = 12 THEN coalesce(cardinality(v_parts), 0) = v_to
						 WHEN v_kind IN (4, 5) THEN length(v_data) = v_to
						 WHEN v_kind = 6 THEN length(v_data) = (v_length + 7) / 8
						 WHEN v_width IS NOT NULL THEN length(v_data) = v_width * v_length ELSE true END, 'values have a wrong size');
END $$;

-- Read a table RecordBatch, whose body is behind the metadata.
CREATE FUNCTION arrow.read_batch(p_bytes bytea, p_at bigint, p_body bigint, p_body_size bigint, p_dictionary bigint, p_number int) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	v_length bigint := arrow.scalar(p_bytes, p_at, 0, 8);
	v_nodes bigint := arrow.target(p_bytes, arrow.slot(p_bytes, p_at, 1));
	v_buffers bigint := arrow.target(p_bytes, arrow.slot(p_bytes, p_at, 2));
	v_rows bigint := (SELECT coalesce(max(row), 0) FROM arrow.value);
	v_place bigint[] := '{0,0,0}';
	v_values text[];
	v_field arrow.field;
BEGIN
	PERFORM arrow.demand(v_nodes % 8 = 4 AND v_buffers % 8 = 4, 'vectors of structs are not aligned');
	FOR v_field IN SELECT * FROM arrow.field WHERE CASE WHEN p_dictionary IS NULL THEN parent IS NULL ELSE dictionary = p_dictionary END ORDER BY id LOOP
		SELECT a.p_place, a.p_values INTO v_place, v_values
		FROM arrow.read_array(p_bytes, p_body, p_body_size, v_nodes, v_buffers, v_field, p_dictionary IS NOT NULL, v_place) AS a;
		PERFORM arrow.demand(cardinality(v_values) = v_length, 'a column has another number of rows');
		IF p_dictionary IS NULL THEN
			INSERT INTO arrow.value SELECT p_number, v_rows + i + 1, v_field.id, v_values[i] FROM generate_series(0, v_length - 1) AS i;
		ELSE
			INSERT INTO arrow.dictionary SELECT p_dictionary, i, v_values[i] FROM generate_series(0, v_length - 1) AS i;
		END IF;
	END LOOP;
	-- a table without columns still has rows
	INSERT INTO arrow.value SELECT p_number, v_rows + i, 0, NULL FROM generate_series(1, v_length) AS i
	WHERE p_dictionary IS NULL AND NOT EXISTS (SELECT FROM arrow.field);
	PERFORM arrow.demand(v_place[1] = arrow.number(p_bytes, v_nodes, 4) AND v_place[2] = arrow.number(p_bytes, v_buffers, 4), 'nodes or buffers are left');
	PERFORM arrow.demand(arrow.is_zero(substr(p_bytes, (p_body + v_place[3] + 1)::int, (p_body_size - v_place[3])::int)) AND
						 p_body_size - v_place[3] < 64, 'a body does not end behind its buffers');
END $$;

--
-- The stream
--
CREATE FUNCTION arrow.read(p_bytes bytea) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	v_at bigint := 0;
	v_size bigint;
	v_message bigint;
	v_kind bigint;
	v_header bigint;
	v_body bigint;
	v_body_size bigint;
	v_last bigint := 0;
	v_number int := 0;
BEGIN
	DELETE FROM arrow.field;
	DELETE FROM arrow.value;
	DELETE FROM arrow.dictionary;
	LOOP
		PERFORM arrow.demand(arrow.number(p_bytes, v_at, 4) = 4294967295, 'there is no continuation');
		v_size := arrow.number(p_bytes, v_at + 4, 4);
		EXIT WHEN v_size = 0;
		v_message := arrow.target(p_bytes, v_at + 8);
		v_kind := arrow.scalar(p_bytes, v_message, 1, 1);
		v_header := arrow.target(p_bytes, arrow.slot(p_bytes, v_message, 2));
		v_body := v_at + 8 + v_size;
		v_body_size := arrow.scalar(p_bytes, v_message, 3, 8);
		PERFORM arrow.demand(v_at % 64 = 0 AND v_body % 64 = 0 AND v_body_size % 64 = 0, 'a message or its body is not aligned');
		PERFORM arrow.demand(v_body + v_body_size + 8 <= length(p_bytes), 'a message is outside');
		PERFORM arrow.demand(arrow.scalar(p_bytes, v_message, 0, 2) = 4, 'the version is not V5');
		PERFORM arrow.demand(CASE v_kind WHEN 1 THEN v_last = 0 WHEN 2 THEN v_last IN (1, 2) WHEN 3 THEN v_last > 0 END, 'messages are not in order');
		v_last := v_kind;
		IF v_kind = 1 THEN
			PERFORM arrow.read_schema(p_bytes, v_header);
		ELSIF v_kind = 2 THEN
			PERFORM arrow.demand(arrow.scalar(p_bytes, v_header, 2, 1) = 0, 'a dictionary is a delta');
			PERFORM arrow.demand(NOT EXISTS (SELECT FROM arrow.dictionary WHERE id = arrow.scalar(p_bytes, v_header, 0, 8)), 'a dictionary comes twice');
			PERFORM arrow.read_batch(p_bytes, arrow.target(p_bytes, arrow.slot(p_bytes, v_header, 1)), v_body, v_body_size, arrow.scalar(p_bytes, v_header, 0, 8), NULL);
		ELSE
			v_number := v_number + 1;
			PERFORM arrow.read_batch(p_bytes, v_header, v_body, v_body_size, NULL, v_number);
		END IF;
		v_at := v_body + v_body_size;
	END LOOP;
	PERFORM arrow.demand(v_last > 0 AND v_at + 8 = length(p_bytes), 'there are bytes behind the end, or no schema');
END $$;

-- A column's values, in order
CREATE FUNCTION arrow.column(p_bytes bytea, p_column int DEFAULT 1) RETURNS text[]
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM arrow.read(p_bytes);
	RETURN (SELECT coalesce(array_agg(value ORDER BY row), '{}') FROM arrow.value
			WHERE field = (SELECT id FROM arrow.field WHERE parent IS NULL ORDER BY id LIMIT 1 OFFSET p_column - 1));
END $$;

-- The types of a stream's fields, those inside in brackets
CREATE FUNCTION arrow.type(p_field int) RETURNS text
LANGUAGE sql AS $$
SELECT type || coalesce('<' || (SELECT string_agg(c.name || ': ' || arrow.type(c.id), ', ' ORDER BY c.id) FROM arrow.field AS c WHERE c.parent = f.id) || '>', '')
FROM arrow.field AS f WHERE f.id = p_field;
$$;

CREATE FUNCTION arrow.types(p_bytes bytea) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM arrow.read(p_bytes);
	RETURN (SELECT string_agg(name || ': ' || arrow.type(id), ', ' ORDER BY id) FROM arrow.field WHERE parent IS NULL);
END $$;

-- Where texts differ first; NULL when they don't
CREATE FUNCTION arrow.differ(p_how text, p_got text[], p_expected text[]) RETURNS text
LANGUAGE sql AS $$
SELECT CASE WHEN cardinality(p_got) IS DISTINCT FROM cardinality(p_expected) THEN format('%s: %s values instead of %s', p_how, cardinality(p_got), cardinality(p_expected))
	ELSE (SELECT format('%s: value %s is %s instead of %s', p_how, o, left(coalesce(g, 'NULL'), 100), left(coalesce(e, 'NULL'), 100))
		  FROM unnest(p_got, p_expected) WITH ORDINALITY AS u(g, e, o) WHERE g IS DISTINCT FROM e ORDER BY o LIMIT 1) END;
$$;

-- A column's values in the stream that was read, by its name
CREATE FUNCTION arrow.named(p_name text) RETURNS text[]
LANGUAGE sql AS $$
SELECT array_agg(v.value ORDER BY v.row) FROM arrow.value AS v JOIN arrow.field AS f ON f.id = v.field WHERE f.parent IS NULL AND f.name = p_name;
$$;
