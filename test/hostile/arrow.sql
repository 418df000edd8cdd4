--
-- arrow.sql
--	  Damaged Arrow streams, and some that lie: each must be read or refused, with
--	  an SQLSTATE that is meant for it, quickly, and without memory for what
--	  it claims.
--
-- Variables: changes, "changes" to change every byte of every stream in all ways.
-- Reads lines "name hex", of other writers' streams, from its input.
-- Arrow has no checksums, so that most changes of values are other values.
--
-- Gives one line "ok - ..." or "not ok - ..." for each claim.
--
\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
SET client_min_messages = error;

-- Those of which every byte is changed: all, or small ones
SELECT CASE :'changes' WHEN 'changes' THEN '' ELSE '^a few of ours|lz4' END AS changed
\gset

CREATE FUNCTION hostile.verdict(ok bool, name text, detail text) RETURNS text LANGUAGE sql AS
	'SELECT CASE WHEN ok THEN ''ok - '' || name ELSE ''not ok - '' || name || coalesce(E''\n    '' || detail, '''') END';

--
-- Specimens: our own streams, of every kind of type, and others'
--
CREATE TABLE hostile.arrow_stream (name text PRIMARY KEY, stream bytea NOT NULL);
CREATE TEMP TABLE line (line text);
\copy line FROM PSTDIN
INSERT INTO hostile.arrow_stream SELECT split_part(line, ' ', 1), decode(split_part(line, ' ', 2), 'hex') FROM line;

SET rowser.row_group_rows = 3;
INSERT INTO hostile.arrow_stream VALUES
('a few of ours', query_to_arrow($$SELECT ARRAY[i] AS a, ROW('x'::text) AS b FROM generate_series(1, 2) AS i$$)),
('numbers of ours', query_to_arrow($$SELECT i::int2 AS a, i AS b, i::oid AS c, i::float8 AS d, i % 2 = 0 AS e, (i / 3.0)::numeric(9,4) AS f FROM generate_series(1, 4) AS i$$)),
('times of ours', query_to_arrow($$SELECT date '2000-01-01' + i AS a, time '01:02:03' AS b, timestamptz 'epoch' AS c, interval '1 mon 2 days 3 s' AS d FROM generate_series(1, 2) AS i$$)),
('texts of ours', query_to_arrow($$SELECT v, v::name AS n, v::bytea AS b, 'ok'::mood AS m, to_json(v) AS j, v::varchar(20) AS w FROM unnest(ARRAY['', NULL, 'größe', 'a']) AS v$$)),
('nested values of ours', query_to_arrow($$SELECT ARRAY[i, NULL] AS a, ROW(i, 'x')::pair AS b, ARRAY[ROW(i, 'y')::pair] AS c, ROW(i) AS d FROM generate_series(1, 2) AS i$$)),
('types of ours that are read from text', query_to_arrow($$SELECT int4range(1, 5) AS a, '10.0.0.1'::inet AS b, 'pg_class'::regclass AS c, 'a=>1'::hstore AS d, '[a,b]'::textrange AS e, 5::posint AS f$$));

--
-- What may come of a change
--
CREATE TABLE hostile.arrow_allowed (sqlstate text, message text);
INSERT INTO hostile.arrow_allowed VALUES
('00000', ''),
('22P03', '^invalid Arrow stream: '),
('0A000', '^(Arrow stream is not supported: |cannot read column "%s" (as type %s|of Arrow type %s))'),
('42704', '^(type "?%s"? does not exist|object %s has no name in the rowset)$'),
('22021', '^invalid byte sequence for encoding'),
('22008', '(out of range|^time has a fraction of a microsecond|^date has a time of day|^date/time field value out of range)'),
('22003', '(^numeric field overflow|out of range)'),
('22001', '^value too long for type'),
('22000', '^range lower bound must be less than or equal to range upper bound$'),
('22P02', '^(invalid input value for enum|invalid input syntax for type|malformed )'),
-- what types' input functions say of text that was changed
('42P01', '^relation .* does not exist$'), ('42601', 'invalid name syntax'), ('42602', 'invalid name syntax'),
('42704', '^schema .* does not exist$'), ('3F000', '^schema .* does not exist$'), ('0A000', '^cross-database references are not implemented'),
('22P02', '^unterminated quoted|^syntax error|^invalid'), ('42601', '^(syntax error|Syntax error)'), ('XX000', '^(Unexpected end of string|Syntax error near|Unknown? symbol)');

CREATE TABLE hostile.arrow_outcome (
	name text, kind text, call text, sqlstate text, message text, sample text, located bool, outcomes bigint, slowest float8, mutant text
);
CREATE FUNCTION hostile.sweep_arrow(name text, stream bytea, mutants text, kind text, megabytes int DEFAULT 10) RETURNS void LANGUAGE sql AS $$
	INSERT INTO hostile.arrow_outcome
	SELECT $1, $4, s.* FROM hostile.sweep($2, '{SELECT length(arrow_to_rowset($1))}', $3, false, 0, 0, $5) AS s
$$;

SELECT hostile.sweep_arrow(name, stream, mutants, mutants)
FROM hostile.arrow_stream, unnest(ARRAY['whole', 'prefixes', :'changes']) AS mutants
WHERE mutants IN ('whole', 'prefixes') OR name ~ :'changed'
\g /dev/null

-- Numbers of four and eight bytes that are far out, wherever there may be one
CREATE FUNCTION hostile.put(stream bytea, place int, number bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT overlay($1 PLACING $3 FROM $2 + 1 FOR length($3))';
SELECT hostile.sweep_arrow(name, hostile.put(stream, place, number), 'whole', 'numbers that are far out')
FROM hostile.arrow_stream, generate_series(0, length(stream) - 8, 4) AS place,
	unnest('{"\\xffffff7f","\\x00000080","\\x00000040","\\xffffffffffffff7f","\\x0000000000000080","\\x0000000100000000"}'::bytea[]) AS number
WHERE name ~ :'changed'
\g /dev/null

SELECT hostile.verdict(bool_and(sqlstate = '00000') AND count(*) = (SELECT count(*) FROM hostile.arrow_stream), 'streams are read as they are',
	string_agg(name || ': ' || sample, E'\n    ') FILTER (WHERE sqlstate <> '00000'))
FROM hostile.arrow_outcome WHERE kind = 'whole';
SELECT hostile.verdict(bool_and(sqlstate = '22P03' AND message ~ '^invalid Arrow stream: ') AND count(*) > 0, 'a stream that ends too early is refused',
	string_agg(name || ': ' || sqlstate || ' ' || sample || ', ' || mutant, E'\n    ') FILTER (WHERE sqlstate <> '22P03'))
FROM hostile.arrow_outcome WHERE kind = 'prefixes';
SELECT hostile.verdict(count(*) FILTER (WHERE bad) = 0 AND sum(outcomes) > 1000, kind || ' are read or refused',
	string_agg(DISTINCT name || ': ' || sqlstate || ' ' || message || ' (' || sample || '), ' || mutant, E'\n    ') FILTER (WHERE bad))
FROM (SELECT *, NOT EXISTS (SELECT FROM hostile.arrow_allowed AS a WHERE a.sqlstate = o.sqlstate AND o.message ~ a.message) AS bad
	  FROM hostile.arrow_outcome AS o WHERE kind NOT IN ('whole', 'prefixes')) AS o
GROUP BY kind ORDER BY kind;

--
-- Bombs
--
-- The parts of a message's metadata, put one behind the other: offsets count from
-- where they stand, so that a part is the same wherever it is.
CREATE FUNCTION hostile.le(n numeric, size int) RETURNS bytea LANGUAGE sql AS $$
	SELECT string_agg(decode(lpad(to_hex((trunc(n / 256::numeric ^ i) % 256)::int), 2, '0'), 'hex'), '' ORDER BY i) FROM generate_series(0, size - 1) AS i
$$;
CREATE FUNCTION hostile.arrow_message(kind int, header bytea) RETURNS bytea LANGUAGE sql AS $$
	SELECT '\xffffffff'::bytea || hostile.le(28 + length(header), 4)
		|| '\x100000000a000c0008000a00040000000c000000'::bytea || CASE kind WHEN 1 THEN '\x10000000'::bytea ELSE '\x14000000' END || '\x0400'::bytea || hostile.le(kind, 1) || '\x00'::bytea
		|| header
$$;

-- A vector of so many tables, all of them the one whose vtable is right behind it
CREATE FUNCTION hostile.arrow_tables(n int) RETURNS bytea LANGUAGE sql AS $$
	SELECT hostile.le(n, 4) || coalesce(string_agg(hostile.le((n - i) * 4 + 20, 4), '' ORDER BY i), '') FROM generate_series(0, n - 1) AS i
$$;
CREATE FUNCTION hostile.arrow_schema(n int, field bytea) RETURNS bytea LANGUAGE sql AS $$
	SELECT hostile.arrow_message(1, '\x08000800000004000800000004000000'::bytea || hostile.arrow_tables(n) || field)
$$;

-- A field without children, and one with so many that all are the one behind it; a
-- type has a number, and no parameter.
CREATE FUNCTION hostile.arrow_leaf(type int) RETURNS bytea LANGUAGE sql AS $$
	SELECT '\x12001000000000000c00040000000000000000001400000010000000'::bytea || '\x00000000'::bytea || hostile.le(type, 4) || '\x0400040004000000'::bytea
$$;
CREATE FUNCTION hostile.arrow_parent(type int, n int) RETURNS bytea LANGUAGE sql AS $$
	SELECT '\x12001000000000000c0004000000080000000000140000001000000010000000'::bytea || hostile.le(type, 4) || '\x0400040004000000'::bytea || hostile.arrow_tables(n)
$$;
-- The same with a dictionary, whose number is 0
CREATE FUNCTION hostile.arrow_encoded(type int, n int) RETURNS bytea LANGUAGE sql AS $$
	SELECT '\x12001400000000000c0004001000080000000000140000001400000018000000'::bytea || hostile.le(type, 4) || '\x0c000000040004000400000008000000'::bytea || hostile.arrow_tables(n)
$$;

-- A batch of so many rows, whose nodes have lengths and no NULLs, and whose buffers
-- are empty
CREATE FUNCTION hostile.arrow_batch(length numeric, nodes numeric[], nbuffers int) RETURNS bytea LANGUAGE sql AS $$
	SELECT hostile.arrow_message(3, '\x0a00140004000c00100000000c000000'::bytea || hostile.le(length, 8) || '\x08000000'::bytea || hostile.le(8 + 16 * cardinality(nodes), 4)
		|| hostile.le(cardinality(nodes), 4) || coalesce((SELECT string_agg(hostile.le(node, 8) || hostile.le(0, 8), '' ORDER BY nth) FROM unnest(nodes) WITH ORDINALITY AS n(node, nth)), '')
		|| hostile.le(nbuffers, 4) || decode(repeat('00', 16 * nbuffers), 'hex'))
$$;

-- The same with a dictionary of another number
CREATE FUNCTION hostile.arrow_encoded(type int, n int, id int) RETURNS bytea LANGUAGE sql AS $$
	SELECT '\x12001400000000000c0004001000080000000000140000001400000028000000'::bytea || hostile.le(type, 4)
		|| '\x14000000040004000400000006000c000400000008000000'::bytea || hostile.le(id, 8) || hostile.arrow_tables(n)
$$;

-- A batch whose buffers hold something, or a dictionary of such values.  With a
-- codec the buffers are what that has made, behind their raw sizes.
CREATE FUNCTION hostile.arrow_values(length numeric, nodes numeric[], buffers bytea[], dictionary int DEFAULT NULL, codec int DEFAULT NULL)
RETURNS bytea LANGUAGE sql AS $$
	SELECT '\xffffffff'::bytea || hostile.le(36 + length(header), 4) || '\x100000000c00140008000a0004000c000c000000'::bytea || start || hostile.le(length(body), 8) || header || body
	FROM (SELECT coalesce(string_agg(b, '' ORDER BY nth), ''), coalesce(string_agg(hostile.le(place, 8) || hostile.le(length(b), 8), '' ORDER BY nth), '')
		  FROM (SELECT b, nth, sum(length(b)) OVER (ORDER BY nth) - length(b) FROM unnest(buffers) WITH ORDINALITY AS u(b, nth)) AS s(b, nth, place)) AS p(body, places),
		LATERAL (SELECT CASE WHEN dictionary IS NULL THEN '\x1c00000004000300'::bytea ELSE '\x1800000004000200' END,
			CASE WHEN dictionary IS NULL THEN '\x'::bytea ELSE '\x0800100004000c0008000000'::bytea || hostile.le(dictionary, 8) || '\x10000000'::bytea END
			|| '\x0c00180004000c001000'::bytea || CASE WHEN codec IS NULL THEN '\x0000'::bytea ELSE '\x1400' END || '\x0c000000'::bytea || hostile.le(length, 8)
			|| '\x1c000000'::bytea || hostile.le(28 + 16 * cardinality(nodes), 4) || '\x0c0000000600080004000000'::bytea || '\x08000000'::bytea || hostile.le(coalesce(codec, 0), 4)
			|| hostile.le(cardinality(nodes), 4) || (SELECT string_agg(hostile.le(node, 8) || hostile.le(0, 8), '' ORDER BY nth) FROM unnest(nodes) WITH ORDINALITY AS n(node, nth))
			|| hostile.le(cardinality(buffers), 4) || places) AS h(start, header)
$$;

-- So many numbers of four bytes, each as much more than the one before
CREATE FUNCTION hostile.arrow_numbers(n int, step int) RETURNS bytea LANGUAGE sql AS
	'SELECT string_agg(hostile.le(i * step, 4), '''' ORDER BY i) FROM generate_series(0, n - 1) AS i';

-- A zstd frame of one byte again and again, behind the size that says so
CREATE FUNCTION hostile.arrow_zstd(size int, byte text DEFAULT '00') RETURNS bytea LANGUAGE sql AS $$
	SELECT hostile.le(size, 8) || '\x28b52ffda0'::bytea || hostile.le(size, 4)
		|| decode(repeat('020010' || byte, (size - 1) / 131072), 'hex') || hostile.le((size - 131072 * ((size - 1) / 131072)) * 8 + 3, 3) || decode(byte, 'hex')
$$;

CREATE TABLE hostile.arrow_bomb (name text PRIMARY KEY, stream bytea NOT NULL, sqlstate text NOT NULL, milliseconds int DEFAULT 50, megabytes int DEFAULT 10);
INSERT INTO hostile.arrow_bomb (name, stream, sqlstate)
SELECT name, stream || '\xffffffff00000000'::bytea, sqlstate
FROM (VALUES
('a field of NULLs', hostile.arrow_schema(1, hostile.arrow_leaf(1)), '00000'),
('a field of NULLs, and a thousand rows', hostile.arrow_schema(1, hostile.arrow_leaf(1)) || hostile.arrow_batch(1000, '{1000}', 0), '00000'),
('lists of lists of NULLs', hostile.arrow_schema(1, hostile.arrow_parent(12, 1) || hostile.arrow_parent(12, 1) || hostile.arrow_leaf(1)), '0A000'),
('structs in structs, 30 deep', hostile.arrow_schema(1, (SELECT string_agg(hostile.arrow_parent(13, 1), '') FROM generate_series(1, 30)) || hostile.arrow_leaf(1)), '00000'),
('lists in lists, 10,000 deep', hostile.arrow_schema(1, (SELECT string_agg(hostile.arrow_parent(12, 1), '') FROM generate_series(1, 10000)) || hostile.arrow_leaf(1)), '0A000'),
('100 fields of 100 fields of 100 fields', hostile.arrow_schema(1, (SELECT string_agg(hostile.arrow_parent(13, 100), '') FROM generate_series(1, 30)) || hostile.arrow_leaf(1)), '22P03'),
('100,000 fields that are one', hostile.arrow_schema(100000, hostile.arrow_leaf(1)), '22P03'),
('2^20 columns', hostile.arrow_message(1, '\x08000800000004000800000004000000'::bytea || hostile.le(1048576, 4)), '22P03'),
('2,000 columns', hostile.arrow_schema(2000, (SELECT string_agg(hostile.arrow_leaf(1), '') FROM generate_series(1, 1000))), '54011'),
('a dictionary inside of itself', hostile.arrow_schema(1, hostile.arrow_encoded(13, 1) || hostile.arrow_encoded(13, 1) || hostile.arrow_leaf(1)), '22P03'),
('a thousand fields that share a dictionary', hostile.arrow_schema(1000, hostile.arrow_encoded(13, 1) || (SELECT string_agg(hostile.arrow_leaf(1), '') FROM generate_series(1, 600))), '0A000'),
('2^31 - 1 rows without columns', hostile.arrow_schema(0, '') || hostile.arrow_batch(2147483647, '{}', 0), '0A000'),
('2^31 rows without columns', hostile.arrow_schema(0, '') || hostile.arrow_batch(2147483648, '{}', 0), '22P03'),
('2^63 rows without columns', hostile.arrow_schema(0, '') || hostile.arrow_batch(2::numeric ^ 63, '{}', 0), '22P03'),
('2^31 - 1 rows of NULLs', hostile.arrow_schema(1, hostile.arrow_leaf(1)) || hostile.arrow_batch(2147483647, '{2147483647}', 0), '0A000'),
('2^31 rows of NULLs', hostile.arrow_schema(1, hostile.arrow_leaf(1)) || hostile.arrow_batch(2147483648, '{2147483648}', 0), '22P03'),
('2^31 - 1 booleans in no bytes', hostile.arrow_schema(1, hostile.arrow_leaf(6)) || hostile.arrow_batch(2147483647, '{2147483647}', 2), '22P03'),
('2^31 - 1 texts in no bytes', hostile.arrow_schema(1, hostile.arrow_leaf(5)) || hostile.arrow_batch(2147483647, '{2147483647}', 3), '22P03'),
('2^31 - 1 lists in no bytes', hostile.arrow_schema(1, hostile.arrow_parent(12, 1) || hostile.arrow_leaf(6)) || hostile.arrow_batch(2147483647, '{2147483647,0}', 4), '22P03'),
('2^31 - 1 structs of NULLs', hostile.arrow_schema(1, hostile.arrow_parent(13, 1) || hostile.arrow_leaf(1)) || hostile.arrow_batch(2147483647, '{2147483647,2147483647}', 1), '0A000'),
('a column with other rows than its batch', hostile.arrow_schema(1, hostile.arrow_leaf(1)) || hostile.arrow_batch(1, '{2}', 0), '22P03'),
('a batch without its nodes', hostile.arrow_schema(1, hostile.arrow_leaf(1)) || hostile.arrow_batch(1, '{}', 0), '22P03'),
('a batch with a node more', hostile.arrow_schema(1, hostile.arrow_leaf(1)) || hostile.arrow_batch(1, '{1,1}', 0), '22P03'),
('a batch before the schema', hostile.arrow_batch(1, '{1}', 0), '22P03'),
('two schemas', hostile.arrow_schema(0, '') || hostile.arrow_schema(0, ''), '22P03'),
('a message of no kind', hostile.arrow_schema(0, '') || hostile.arrow_message(0, hostile.le(0, 16)), '22P03'),
('a tensor', hostile.arrow_schema(0, '') || hostile.arrow_message(4, '\x0a00140004000c00100000000c00000000000000000000000000000000000000'::bytea), '0A000'),
('a union', hostile.arrow_schema(1, hostile.arrow_leaf(14)), '0A000'),
('a type that nobody knows', hostile.arrow_schema(1, hostile.arrow_leaf(99)), '0A000'),
('no type', hostile.arrow_schema(1, hostile.arrow_leaf(0)), '22P03'),
('a thousand empty batches', hostile.arrow_schema(1, hostile.arrow_leaf(1)) || (SELECT string_agg(hostile.arrow_batch(0, '{0}', 0), '') FROM generate_series(1, 1000)), '00000')
) AS b(name, stream, sqlstate);
-- many rows for few bytes, but no more than that
INSERT INTO hostile.arrow_bomb VALUES
('2^20 rows without columns', hostile.arrow_schema(0, '') || hostile.arrow_batch(1048576, '{}', 0) || '\xffffffff00000000'::bytea, '00000', 1000, 64),
('2^20 rows of NULLs', hostile.arrow_schema(1, hostile.arrow_leaf(1)) || hostile.arrow_batch(1048576, '{1048576}', 0) || '\xffffffff00000000'::bytea, '00000', 1000, 64);
-- what is compressed, and need not be decompressed to be refused
INSERT INTO hostile.arrow_bomb (name, stream, sqlstate)
SELECT name, schema || batch || '\xffffffff00000000'::bytea, '22P03'
FROM (VALUES
	('16 million dates where there is one row', hostile.arrow_schema(1, hostile.arrow_leaf(8)),
		hostile.arrow_values(1, '{16000000}', ARRAY['', hostile.arrow_zstd(128000000)], codec => 1)),
	('16 million dates in one struct', hostile.arrow_schema(1, hostile.arrow_parent(13, 1) || hostile.arrow_leaf(8)),
		hostile.arrow_values(1, '{1,16000000}', ARRAY['', '', hostile.arrow_zstd(128000000)], codec => 1)),
	('a list of one date more than there are', hostile.arrow_schema(1, hostile.arrow_parent(12, 1) || hostile.arrow_leaf(8)),
		hostile.arrow_values(1, '{1,16000000}', ARRAY['', '\xffffffffffffffff'::bytea || hostile.arrow_numbers(2, 16000001), '', hostile.arrow_zstd(128000000)], codec => 1))
) AS b(name, schema, batch);
-- few bytes that stand for many by a dictionary, which lists and structs get copies
-- of, or by compression
INSERT INTO hostile.arrow_bomb
SELECT name, schema || batches || '\xffffffff00000000'::bytea, sqlstate, 5000, megabytes
FROM (SELECT string_agg(md5(i::text), '') || repeat('x', 96800) FROM generate_series(1, 100) AS i) AS t(large),
	LATERAL (SELECT hostile.arrow_values(1, '{1}', ARRAY['', hostile.arrow_numbers(2, 100000), convert_to(large, 'UTF8')], 0)) AS d(dictionary),
	LATERAL (VALUES
		('400 lists of ten large texts of a dictionary', hostile.arrow_schema(1, hostile.arrow_parent(12, 1) || hostile.arrow_encoded(5, 0)),
			dictionary || hostile.arrow_values(400, '{400,4000}', ARRAY['', hostile.arrow_numbers(401, 10), '', hostile.arrow_numbers(4000, 0)]), '00000', 100),
		('a list of 20,000 large texts of a dictionary', hostile.arrow_schema(1, hostile.arrow_parent(12, 1) || hostile.arrow_encoded(5, 0)),
			dictionary || hostile.arrow_values(1, '{1,20000}', ARRAY['', hostile.arrow_numbers(2, 20000), '', hostile.arrow_numbers(20000, 0)]), '54000', 100),
		('a dictionary of 1,000 lists of another one''s large texts', hostile.arrow_schema(1, hostile.arrow_encoded(12, 1, 1) || hostile.arrow_encoded(5, 0)),
			dictionary || hostile.arrow_values(1000, '{1000,10000}', ARRAY['', hostile.arrow_numbers(1001, 10), '', hostile.arrow_numbers(10000, 0)], 1), '54000', 300),
		('an array of eight million structs in a few bytes', hostile.arrow_schema(1, hostile.arrow_parent(12, 1) || hostile.arrow_parent(13, 1) || hostile.arrow_leaf(1)),
			hostile.arrow_values(1, '{1,8000000,8000000}', ARRAY['', '\xffffffffffffffff'::bytea || hostile.arrow_numbers(2, 8000000), hostile.arrow_zstd(1000000, 'ff')], codec => 1), '54000', 100),
		('a dictionary of 100 million booleans in a few bytes', hostile.arrow_schema(1, hostile.arrow_encoded(6, 0)),
			hostile.arrow_values(100000000, '{100000000}', ARRAY['', hostile.arrow_zstd(12500000)], 0, 1), '54000', 100)
	) AS b(name, schema, batches, sqlstate, megabytes);

-- What is slow once may have had to wait.
DO $$
DECLARE
	b hostile.arrow_bomb;
BEGIN
	FOR b IN SELECT * FROM hostile.arrow_bomb LOOP
		FOR attempt IN 1 .. 3 LOOP
			DELETE FROM hostile.arrow_outcome WHERE name = b.name;
			PERFORM hostile.sweep_arrow(b.name, b.stream, 'whole', 'bomb', b.megabytes);
			EXIT WHEN (SELECT max(slowest) < b.milliseconds FROM hostile.arrow_outcome WHERE name = b.name);
		END LOOP;
	END LOOP;
END $$;
SELECT hostile.verdict(bool_and(o.sqlstate = b.sqlstate) IS TRUE, name || CASE WHEN b.sqlstate = '00000' THEN ': is read' ELSE ': is refused' END, string_agg(o.sqlstate || ' ' || o.message || ' (' || o.sample || ')', ', '))
FROM hostile.arrow_bomb AS b LEFT JOIN hostile.arrow_outcome AS o USING (name) GROUP BY name, b.sqlstate ORDER BY name;
SELECT hostile.verdict(max(slowest) < b.milliseconds, name || ': is quick', max(slowest) || ' ms')
FROM hostile.arrow_bomb AS b LEFT JOIN hostile.arrow_outcome AS o USING (name) GROUP BY name, b.milliseconds ORDER BY name;

--
-- Rowsets that have what no writer of rowsets would say, as streams
--
INSERT INTO hostile.arrow_outcome
SELECT r.name, 'rowset', s.*
FROM (VALUES
	('a numeric of no digits', hostile.constant_column('\x29a40d'::bytea || hostile.varint(4), 1, hostile.string('\x000000000100'::bytea))),
	('a type of another version of PostgreSQL', hostile.constant_column(hostile.builtin(13, 9999), 1, hostile.string('text')))
) AS r(name, rowset), hostile.sweep(r.rowset, '{SELECT length(rowset_to_arrow($1))}', 'whole', false, 0, 0, 10) AS s;
SELECT hostile.verdict(count(o.name) = 1 AND bool_and(o.sqlstate = e.sqlstate), e.name || ', as Arrow', string_agg(o.sqlstate || ' ' || o.message || ' (' || o.sample || ')', ', '))
FROM (VALUES ('a numeric of no digits', '22P03'), ('a type of another version of PostgreSQL', '00000')) AS e(name, sqlstate) LEFT JOIN hostile.arrow_outcome AS o USING (name) GROUP BY e.name ORDER BY e.name;
