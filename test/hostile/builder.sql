--
-- builder.sql
--	  Rowsets made by hand, part by part, as doc/rowset_format.md names the
--	  parts.  Nothing is checked, and checksums are mended at the end.
--
CREATE TYPE hostile.part AS (bytes bytea, header_size int, nrows numeric);

-- The low bytes of a number, lowest first.
CREATE FUNCTION hostile.number(p_value numeric, p_size int) RETURNS bytea LANGUAGE sql AS $$
	SELECT string_agg(set_byte('\x00', 0, mod(div(p_value, 256::numeric ^ i), 256)::int), '' ORDER BY i)
	FROM generate_series(0, p_size - 1) AS i
$$;

CREATE FUNCTION hostile.u8(int) RETURNS bytea LANGUAGE sql AS 'SELECT set_byte(''\x00'', 0, $1)';
CREATE FUNCTION hostile.u32(numeric) RETURNS bytea LANGUAGE sql AS 'SELECT hostile.number($1, 4)';

CREATE FUNCTION hostile.varuint(p_value numeric) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
	v_left numeric := p_value;
	v_bytes bytea := '';
BEGIN
	WHILE v_left > 127 LOOP
		v_bytes := v_bytes || hostile.u8(128 + mod(v_left, 128)::int);
		v_left := div(v_left, 128);
	END LOOP;
	RETURN v_bytes || hostile.u8(v_left::int);
END $$;

CREATE FUNCTION hostile.varint(numeric) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.varuint(CASE WHEN $1 < 0 THEN -2 * $1 - 1 ELSE 2 * $1 END)';
CREATE FUNCTION hostile.string(bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.varuint(length($1)) || $1';
CREATE FUNCTION hostile.string(text) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.string(convert_to($1, ''UTF8''))';
CREATE FUNCTION hostile.times(bytea, int) RETURNS bytea LANGUAGE sql AS
	'SELECT decode(repeat(encode($1, ''hex''), $2), ''hex'')';

--
-- Section 3: types and fields
--
CREATE FUNCTION hostile.builtin(shape int, oid int, parameters bytea DEFAULT '') RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.u8(shape) || hostile.varuint(oid) || parameters';
CREATE FUNCTION hostile.named(shape int, schema text, name text, parameters bytea DEFAULT '') RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.u8(shape + 128) || hostile.string(schema) || hostile.string(name) || parameters';
CREATE FUNCTION hostile.arrays(element bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.u8(15) || element';
CREATE FUNCTION hostile.field(name text, type bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.string(name) || type';
CREATE FUNCTION hostile.fields(VARIADIC fields bytea[]) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.varuint(cardinality(fields)) || coalesce(string_agg(f, '''' ORDER BY i), '''') FROM unnest(fields) WITH ORDINALITY AS u(f, i)';

CREATE FUNCTION hostile.fields() RETURNS bytea LANGUAGE sql AS 'SELECT ''\x00''::bytea';

-- A header of fields, as the above gives them.
CREATE FUNCTION hostile.header(fields bytea, encoding text DEFAULT 'UTF8', extensions bytea DEFAULT '') RETURNS bytea LANGUAGE sql AS $$
	SELECT '\xff52530d0a000100' || hostile.varuint(length(rest) + 4) || rest || '\x00000000'
	FROM (SELECT hostile.string(encoding) || fields || extensions) AS r(rest)
$$;

--
-- Sections 4 to 6: blocks, nodes, groups, the trailer
--

-- A block of so many bytes that are stored as they are.
CREATE FUNCTION hostile.block(size numeric) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.varuint(size * 4)';
CREATE FUNCTION hostile.block(size numeric, method int, stored numeric) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.varuint(size * 4 + method) || hostile.varuint(stored)';

CREATE FUNCTION hostile.group(nrows numeric, nodes bytea, body bytea DEFAULT '', units int DEFAULT NULL, body_size numeric DEFAULT NULL,
							  raw_size numeric DEFAULT 0)
RETURNS hostile.part LANGUAGE sql AS $$
	SELECT ROW(head || rest || '\x00000000' || body, length(head || rest) + 4, nrows)::hostile.part
	FROM (SELECT hostile.varuint(coalesce(body_size, length(body))) || hostile.varuint(nrows) || hostile.varuint(raw_size) || nodes
				 || hostile.times('\x00000000', coalesce(units, CASE WHEN body = '' THEN 0 ELSE 1 END))) AS r(rest),
		 LATERAL (SELECT '\x47' || hostile.varuint(length(rest) + 4)) AS h(head)
$$;

CREATE FUNCTION hostile.trailer(entries bytea[]) RETURNS bytea LANGUAGE sql AS $$
	SELECT t || '\x00000000' || hostile.u32(length(t) + 8)
	FROM (SELECT '\x54' || hostile.varuint(cardinality(entries)) || coalesce(string_agg(e, '' ORDER BY i), '')
		  FROM unnest(entries) WITH ORDINALITY AS u(e, i)) AS s(t)
$$;

CREATE FUNCTION hostile.entry(part hostile.part) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.varuint(length(part.bytes)) || hostile.varuint(part.header_size) || hostile.varuint(part.nrows)';

CREATE FUNCTION hostile.rowset(header bytea, VARIADIC groups hostile.part[]) RETURNS bytea LANGUAGE sql AS $$
	SELECT hostile.reseal(header || coalesce(string_agg((g).bytes, '' ORDER BY i), '')
						  || hostile.trailer(coalesce(array_agg(hostile.entry(g) ORDER BY i), '{}')))
	FROM unnest(groups) WITH ORDINALITY AS u(b, h, n, i), LATERAL (SELECT ROW(b, h, n)::hostile.part) AS p(g)
$$;

-- A rowset without groups.
CREATE FUNCTION hostile.rowset(header bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.reseal(header || hostile.trailer(''{}''))';

-- A rowset of one column and one group.
CREATE FUNCTION hostile.column(type bytea, nrows numeric, node bytea, body bytea DEFAULT '', body_size numeric DEFAULT NULL)
RETURNS bytea LANGUAGE sql AS $$
	SELECT hostile.rowset(hostile.header(hostile.fields(hostile.field('v', type))),
						  hostile.group(nrows, node, body, CASE WHEN coalesce(body_size, length(body)) = 0 THEN 0 ELSE 1 END, body_size))
$$;
