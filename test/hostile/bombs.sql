--
-- bombs.sql
--	  Rowsets made by hand that lie about their size, their depth or their types.
--	  Each must be refused with an SQLSTATE that is meant for it, quickly, and
--	  without memory for what it claims.
--
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;

CREATE TABLE hostile.bomb (
	ord int GENERATED ALWAYS AS IDENTITY,
	name text PRIMARY KEY,
	rowset bytea NOT NULL,
	states text[] NOT NULL,		-- what rowset_check and reading by the list may give
	list text,					-- a column definition list
	frame bool,					-- what rowset_is_valid says; NULL for either
	megabytes int NOT NULL,		-- of memory that each read may take
	milliseconds int NOT NULL,	-- of time
	begun bool NOT NULL DEFAULT false
);

CREATE TABLE hostile.bomb_outcome (
	ord int, call text, sqlstate text, message text, sample text, located bool, outcomes bigint, slowest float8, mutant text
);

-- Those that are valid but a lot of work: what matters is that they can be stopped.
CREATE TABLE hostile.labour (
	name text PRIMARY KEY,
	rowset bytea NOT NULL
);

CREATE FUNCTION hostile.bomb(name text, rowset bytea, states text DEFAULT '22P03', list text DEFAULT 'v int', frame bool DEFAULT false,
							 megabytes int DEFAULT 10, milliseconds int DEFAULT 50)
RETURNS void LANGUAGE sql AS
	'INSERT INTO hostile.bomb (name, rowset, states, list, frame, megabytes, milliseconds) VALUES ($1, $2, string_to_array($3, '',''), $4, $5, $6, $7)';

-- What reads them.  What is nested 30 deep has a text of a gigabyte, so cursors' rows
-- are not printed.
CREATE FUNCTION hostile.bomb_calls(list text) RETURNS text[] LANGUAGE sql AS $$
	SELECT hostile.first_calls(list) || hostile.inspect_calls() || 'SELECT hostile.fetch_all($1, false)'::text || hostile.reshape_calls()
$$;

-- Read all that have not been read.  Each is marked first, so that after a crash
-- the next call goes on behind it.  What is slow once may have had to wait.
CREATE PROCEDURE hostile.throw_bombs() LANGUAGE plpgsql AS $$
DECLARE
	b hostile.bomb;
BEGIN
	FOR b IN SELECT * FROM hostile.bomb WHERE NOT begun ORDER BY ord LOOP
		UPDATE hostile.bomb SET begun = true WHERE ord = b.ord;
		COMMIT;
		FOR attempt IN 1 .. 3 LOOP
			DELETE FROM hostile.bomb_outcome WHERE ord = b.ord;
			INSERT INTO hostile.bomb_outcome
			SELECT b.ord, s.* FROM hostile.sweep(b.rowset, hostile.bomb_calls(b.list), 'whole', false, 0, 0, b.megabytes) AS s;
			EXIT WHEN (SELECT max(slowest) < b.milliseconds FROM hostile.bomb_outcome WHERE ord = b.ord);
		END LOOP;
		COMMIT;
	END LOOP;
END $$;

--
-- Parts that occur often
--
CREATE FUNCTION hostile.int4() RETURNS bytea LANGUAGE sql AS 'SELECT hostile.builtin(4, 23)';
CREATE FUNCTION hostile.bool() RETURNS bytea LANGUAGE sql AS 'SELECT hostile.builtin(1, 16)';
CREATE FUNCTION hostile.texts() RETURNS bytea LANGUAGE sql AS 'SELECT hostile.builtin(10, 25)';
CREATE FUNCTION hostile.record() RETURNS bytea LANGUAGE sql AS 'SELECT ''\x11''::bytea';

-- Nodes: of plain values, whose body is that; and of a constant.
CREATE FUNCTION hostile.plain(body bytea) RETURNS bytea LANGUAGE sql AS 'SELECT ''\x00''::bytea || hostile.block(length(body))';
CREATE FUNCTION hostile.constant(value bytea) RETURNS bytea LANGUAGE sql AS 'SELECT ''\x01''::bytea || value';

-- Rowsets of one column of these.
CREATE FUNCTION hostile.plain_column(type bytea, nrows numeric, body bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.column(type, nrows, hostile.plain(body), body)';
CREATE FUNCTION hostile.constant_column(type bytea, nrows numeric, value bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.column(type, nrows, hostile.constant(value))';

-- A rowset of one array, all of whose elements are in a node.
CREATE FUNCTION hostile.array_column(type bytea, elements numeric, node bytea, body bytea DEFAULT '') RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.column(hostile.arrays(type), 1, ''\x000001''::bytea || hostile.varuint(elements) || hostile.varuint(elements) || node, body)';

-- A record's node in which all values have these fields.
CREATE FUNCTION hostile.record_node(fields bytea, nvalues numeric, nodes bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT ''\x0001''::bytea || fields || hostile.varuint(nvalues) || nodes';

-- An image of up to 126 bytes.
CREATE FUNCTION hostile.image(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT hostile.u8(2 * length($1) + 3) || $1';

-- A zstd frame of one block that is stored as it is.
CREATE FUNCTION hostile.zstd_frame(bytes bytea, content_size int DEFAULT NULL) RETURNS bytea LANGUAGE sql AS $$
	SELECT '\x28b52ffd20'::bytea || hostile.u8(coalesce(content_size, length(bytes))) || hostile.number(length(bytes) * 8 + 1, 3) || bytes
$$;

-- A rowset of some bytes in a block of a method.
CREATE FUNCTION hostile.compressed(method int, raw_size numeric, stored bytea) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.column(hostile.bool(), raw_size, ''\x00''::bytea || hostile.block(raw_size, method, length(stored)), stored)';

-- A trailer of so many groups without their entries.
CREATE FUNCTION hostile.trailer_claiming(ngroups numeric) RETURNS bytea LANGUAGE sql AS
	'SELECT t || ''\x00000000'' || hostile.u32(length(t) + 8) FROM (SELECT ''\x54''::bytea || hostile.varuint(ngroups)) AS s(t)';

-- What stands around something, so many times.
CREATE FUNCTION hostile.nested(head bytea, core bytea, depth int) RETURNS bytea LANGUAGE sql AS
	'SELECT hostile.times(head, depth) || core';

BEGIN;
\o /dev/null

--
-- The frame
--
SELECT hostile.header(hostile.fields(hostile.field('v', hostile.int4()))) AS h,
	(hostile.group(1, hostile.constant('\x02'))).bytes AS g,
	hostile.entry(hostile.group(1, hostile.constant('\x02'))) AS e,
	hostile.constant_column(hostile.int4(), 1, '\x02') AS r \gset
SELECT hostile.bomb('no bytes', '');
SELECT hostile.bomb('a header of 2^63 bytes', '\xff52530d0a000100'::bytea || hostile.varuint(9223372036854775808) || '\x00');
SELECT hostile.bomb('a header of 2^64 - 1 bytes', '\xff52530d0a000100'::bytea || hostile.varuint(18446744073709551615) || '\x00');
SELECT hostile.bomb('a size past 64 bits', '\xff52530d0a000100ffffffffffffffffff0200');
SELECT hostile.bomb('a trailer of 2^32 - 1 bytes', substr(:'r'::bytea, 1, length(:'r'::bytea) - 4) || '\xffffffff');
SELECT hostile.bomb('a trailer of 9 bytes', substr(:'r'::bytea, 1, length(:'r'::bytea) - 4) || '\x09000000');
SELECT hostile.bomb('bytes after the trailer', :'r'::bytea || '\x00'::bytea);
SELECT hostile.bomb('twice the trailer', hostile.reseal(:'r'::bytea || hostile.trailer(ARRAY[:'e'::bytea])));
SELECT hostile.bomb('twice the rowset', :'r'::bytea || :'r'::bytea);
SELECT hostile.bomb('a group that the trailer does not name', hostile.reseal(:'h'::bytea || :'g'::bytea || :'g'::bytea || hostile.trailer(ARRAY[:'e'::bytea])));
SELECT hostile.bomb('a group that the trailer names twice', hostile.reseal(:'h'::bytea || :'g'::bytea || hostile.trailer(ARRAY[:'e'::bytea, :'e'::bytea])));
SELECT hostile.bomb('bytes between the groups', hostile.reseal(:'h'::bytea || :'g'::bytea || '\x00'::bytea || :'g'::bytea || hostile.trailer(ARRAY[:'e'::bytea, :'e'::bytea])));
SELECT hostile.bomb('groups of 2^63 bytes', hostile.reseal(:'h'::bytea || :'g'::bytea || hostile.trailer(array_fill(hostile.varuint(9223372036854775808) || '\x0101'::bytea, '{2}'))));
SELECT hostile.bomb('groups that add up past 64 bits', hostile.reseal(:'h'::bytea || :'g'::bytea ||
	hostile.trailer(ARRAY[hostile.varuint(18446744073709551615) || '\x0101'::bytea, hostile.varuint(length(:'g'::bytea) + 1) || '\x0101'::bytea])));
SELECT hostile.bomb('2^30 groups', hostile.reseal(:'h'::bytea || hostile.trailer_claiming(1073741824)));
SELECT hostile.bomb('2^63 groups', hostile.reseal(:'h'::bytea || hostile.trailer_claiming(9223372036854775808)));
SELECT hostile.bomb('an extension that must be known', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4())), extensions => '\x0100')), '0A000');
SELECT hostile.bomb('an extension past the header', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4())), extensions => '\x0280')));
SELECT hostile.bomb('an extension of 2^64 - 1 bytes', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4())),
	extensions => '\x02'::bytea || hostile.varuint(18446744073709551615))));
SELECT hostile.bomb('an extension that may be skipped', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4())), extensions => '\x0203616263')), '00000', frame => true);
SELECT hostile.bomb('a size that is not in its shortest form', hostile.reseal(overlay(:'r'::bytea PLACING '\x8e00'::bytea FROM 9 FOR 1)));
SELECT hostile.bomb('a number of columns that is not in its shortest form', hostile.rowset(hostile.header('\x8100'::bytea || hostile.field('v', hostile.int4()))));
SELECT hostile.bomb('no such encoding', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4())), 'UTF9')));
SELECT hostile.bomb('an encoding of clients only', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4())), 'SJIS')));
SELECT hostile.bomb('an encoding of 100,000 bytes', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4())), repeat('x', 100000))));
-- PostgreSQL passes over such bytes in an encoding's name
SELECT hostile.bomb('an encoding whose name is no text', hostile.rowset('\xff52530d0a000100'::bytea || hostile.varuint(11)
	|| '\x0555544638ff'::bytea || hostile.fields() || '\x00000000'), list => NULL);

--
-- Numbers of columns, fields, rows and values
--
SELECT hostile.bomb('1665 columns', hostile.rowset(hostile.header(hostile.varuint(1665) || hostile.times(hostile.field('v', hostile.int4()), 1665))));
SELECT hostile.bomb('2^32 columns', hostile.rowset(hostile.header(hostile.varuint(4294967296))));
SELECT hostile.bomb('1664 columns in no bytes', hostile.rowset(hostile.header(hostile.varuint(1664))));
SELECT hostile.bomb('fields in fields, 1664 at each depth', hostile.rowset(hostile.header(hostile.nested('\x800d00' || '\x9001610162'::bytea, '', 500))));
SELECT hostile.bomb('no rows in a group', hostile.constant_column(hostile.int4(), 0, '\x02'));
SELECT hostile.bomb(format('%s rows in no bytes', n), hostile.constant_column(hostile.int4(), n, '\x02'))
FROM unnest('{1048577,2147483648,4294967297,9223372036854775808,18446744073709551615}'::numeric[]) AS n;
SELECT hostile.bomb('rows in the trailer that the group has not', hostile.reseal(:'h'::bytea || :'g'::bytea
	|| hostile.trailer(ARRAY[substr(:'e'::bytea, 1, length(:'e'::bytea) - 1) || hostile.varuint(1048576)])));
SELECT hostile.bomb('a body of 2^63 bytes', hostile.column(hostile.int4(), 1, hostile.constant('\x02'), body_size => 9223372036854775808));
SELECT hostile.bomb('a body that is not there', hostile.column(hostile.int4(), 1, hostile.plain('\x00000000'), body_size => 4));
SELECT hostile.bomb('a plain size of 2^64 - 1', hostile.rowset(:'h'::bytea, hostile.group(1, hostile.constant('\x02'), raw_size => 18446744073709551615)), '00000', frame => true);

-- Counts that don't fit a signed one, wherever the format has one
SELECT hostile.bomb(format('%s of 2^%s', what, power), rowset, list => list)
FROM (VALUES (31, 2147483648::numeric), (63, 9223372036854775808)) AS p(power, n),
	LATERAL (VALUES
		('a header', '\xff52530d0a000100'::bytea || hostile.varuint(n) || '\x00'::bytea, 'v int'),
		('an encoding''s name', hostile.rowset('\xff52530d0a000100'::bytea || hostile.varuint(20) || hostile.varuint(n) || hostile.times('\x00', 20)), 'v int'),
		('a number of columns', hostile.rowset(hostile.header(hostile.varuint(n) || hostile.field('v', hostile.int4()))), 'v int'),
		('a column''s name', hostile.rowset(hostile.header('\x01'::bytea || hostile.varuint(n) || '\x76'::bytea || hostile.int4())), 'v int'),
		('a type''s name', hostile.column('\x8401'::bytea || '\x78'::bytea || hostile.varuint(n) || '\x78'::bytea, 1, '\x1001'), 'v int'),
		('a number of fields', hostile.column(hostile.named(16, 'public', 'pair', hostile.varuint(n)), 1, '\x00'), 'v pair'),
		('an extension', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4())), extensions => '\x02'::bytea || hostile.varuint(n))), 'v int'),
		('a number of groups', hostile.reseal(hostile.header(hostile.fields(hostile.field('v', hostile.int4()))) || hostile.trailer_claiming(n)), 'v int'),
		('a body', hostile.column(hostile.int4(), 1, hostile.constant('\x02'), body_size => n), 'v int'),
		('a number of NULLs', hostile.column(hostile.int4(), 3, '\x10'::bytea || hostile.varuint(n)), 'v int'),
		('a block', hostile.column(hostile.int4(), 1000, '\x00'::bytea || hostile.block(n), '\x00000000'), 'v int'),
		('a compressed block', hostile.column(hostile.int4(), 1000, '\x00'::bytea || hostile.block(n / 2, 1, 100), hostile.times('\x00', 100)), 'v int'),
		('the stored size of a block', hostile.column(hostile.int4(), 1000, '\x00'::bytea || hostile.block(4000, 1, n), hostile.times('\x00', 100)), 'v int'),
		('a dictionary', hostile.column(hostile.int4(), 1000, '\x02'::bytea || hostile.varuint(n) || hostile.block(4) || '\x0100'::bytea, '\x07000000'), 'v int'),
		('a number of elements', hostile.array_column(hostile.int4(), n, '\x0102'), 'v int[]'),
		('a length of an array', hostile.column(hostile.arrays(hostile.int4()), 1, '\x000001'::bytea || hostile.varuint(n) || '\x01'::bytea || '\x0102'::bytea), 'v int[]'),
		('a number of shapes', hostile.column(hostile.record(), 1, '\x00'::bytea || hostile.varuint(n)), 'v record'),
		('a number of a record''s fields', hostile.column(hostile.record(), 1, hostile.record_node(hostile.varuint(n), 1, '')), 'v record'),
		('a number of a record''s values', hostile.column(hostile.record(), 1, hostile.record_node(hostile.fields(hostile.field('f', hostile.bool())), n, '\x0100')), 'v record')
	) AS c(what, rowset, list);
SELECT hostile.bomb('an integer that does not fit', hostile.constant_column(hostile.builtin(3, 21), 1, hostile.varint(32768)), list => 'v smallint');
SELECT hostile.bomb('an integer past 64 bits', hostile.constant_column(hostile.builtin(5, 20), 1, '\xffffffffffffffffff02'), list => 'v bigint');
SELECT hostile.bomb('1 KB that claims 1 GB', hostile.column(hostile.int4(), 1000000, '\x00'::bytea || hostile.block(1073741823, 1, 1000), hostile.times('\x00', 1000)));
SELECT hostile.bomb('10,000 groups of 100 bytes that claim 1 GB each', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4()))),
	VARIADIC array_fill(hostile.group(1000000, '\x00'::bytea || hostile.block(1073741823, 1, 100), hostile.times('\x00', 100)), '{10000}')));
SELECT hostile.bomb('10,000 groups of nothing that claim 2^20 rows each', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4()))),
	VARIADIC array_fill(hostile.group(1048576, hostile.plain(''), ''), '{10000}')));
SELECT hostile.bomb('400 columns of blocks that claim 1 GB each', hostile.rowset(hostile.header(hostile.varuint(400) || string_agg(hostile.field('v' || i, hostile.int4()), '' ORDER BY i)),
	hostile.group(1000000, hostile.times('\x00'::bytea || hostile.block(1073741823, 1, 4210753), 400), hostile.times('\x00', 1000))), list => 'v7 int')
FROM generate_series(1, 400) AS i;
SELECT hostile.bomb('a block of 2^30 bytes', hostile.column(hostile.int4(), 1000000, '\x00'::bytea || hostile.block(1073741824)));
SELECT hostile.bomb('a block of 2^62 bytes', hostile.column(hostile.int4(), 1000000, '\x00'::bytea || hostile.block(4611686018427387903)));
SELECT hostile.bomb('a stored size of 2^63 bytes', hostile.column(hostile.int4(), 1000000, '\x00'::bytea || hostile.block(4000000, 1, 9223372036854775808)));
SELECT hostile.bomb('an unknown method', hostile.column(hostile.int4(), 1, '\x00'::bytea || hostile.block(4, 3, 4), '\x00000000'));
SELECT hostile.bomb('blocks that overlap what follows', hostile.column(hostile.int4(), 2, hostile.plain('\x0000000000000000'), '\x00000000'));

--
-- Compression
--
SELECT hostile.bomb('one zstd frame', hostile.compressed(2, 4, hostile.zstd_frame('\x00010001')), '00000', 'v bool', true);
SELECT hostile.bomb('two zstd frames', hostile.compressed(2, 4, hostile.zstd_frame('\x0001') || hostile.zstd_frame('\x0001')), list => 'v bool');
SELECT hostile.bomb('a skippable frame before', hostile.compressed(2, 4, '\x502a4d180000000000'::bytea || hostile.zstd_frame('\x00010001')), list => 'v bool');
SELECT hostile.bomb('a skippable frame after', hostile.compressed(2, 4, hostile.zstd_frame('\x00010001') || '\x502a4d180000000000'::bytea), list => 'v bool');
SELECT hostile.bomb('only a skippable frame', hostile.compressed(2, 4, '\x502a4d180400000000010001'), list => 'v bool');
SELECT hostile.bomb('bytes after a frame', hostile.compressed(2, 4, hostile.zstd_frame('\x00010001') || '\x00'::bytea), list => 'v bool');
SELECT hostile.bomb('a frame of another content size', hostile.compressed(2, 4, hostile.zstd_frame('\x00010001', 5)), list => 'v bool');
SELECT hostile.bomb('a frame of more bytes', hostile.compressed(2, 4, hostile.zstd_frame('\x0001000100')), list => 'v bool');
SELECT hostile.bomb('a frame without content size', hostile.compressed(2, 4, '\x28b52ffd0000210000'::bytea || '\x00010001'::bytea), list => 'v bool');
SELECT hostile.bomb('a frame with a dictionary', hostile.compressed(2, 4, '\x28b52ffd210104210000'::bytea || '\x00010001'::bytea), list => 'v bool');
SELECT hostile.bomb('a frame with a window of 2 GB', hostile.compressed(2, 4, '\x28b52ffda8'::bytea || '\x04000000'::bytea || '\x210000'::bytea || '\x00010001'::bytea), list => 'v bool');
SELECT hostile.bomb('one lz4 block', hostile.compressed(1, 4, '\x4000010001'), '00000', 'v bool', true);
SELECT hostile.bomb('an lz4 block of fewer bytes', hostile.compressed(1, 5, '\x4000010001'), list => 'v bool');
SELECT hostile.bomb('an lz4 block of more bytes', hostile.compressed(1, 3, '\x4000010001'), list => 'v bool');
SELECT hostile.bomb('bytes after an lz4 block', hostile.compressed(1, 4, '\x400001000100'), list => 'v bool');
SELECT hostile.bomb('an lz4 block that looks back too far', hostile.compressed(1, 20, '\x10010500'), list => 'v bool');
SELECT hostile.bomb('a ratio of 256', hostile.column(hostile.bool(), 1024, '\x00'::bytea || hostile.block(1024, 1, 4), '\x1f000100'), list => 'v bool');
SELECT hostile.bomb(format('a ratio of %s, by zstd', n / length(z)), hostile.column(hostile.bool(), n, '\x00'::bytea || hostile.block(n, 2, length(z)), z), list => 'v bool')
FROM (SELECT 1048576 AS n) AS s, hostile.compress(2, hostile.times('\x00', n)) AS z WHERE z IS NOT NULL;

--
-- NULLs, dictionaries, images
--
SELECT hostile.bomb('a mask bit after the last value', hostile.column(hostile.int4(), 3, '\x1101'::bytea || hostile.block(1) || '\x02'::bytea, '\x09'), frame => false);
SELECT hostile.bomb('a mask with more NULLs', hostile.column(hostile.int4(), 3, '\x1101'::bytea || hostile.block(1) || '\x02'::bytea, '\x03'));
SELECT hostile.bomb('a mask with fewer NULLs', hostile.column(hostile.int4(), 3, '\x1101'::bytea || hostile.block(1) || '\x02'::bytea, '\x00'));
SELECT hostile.bomb('a mask of two bytes for three values', hostile.column(hostile.int4(), 3, '\x1101'::bytea || hostile.block(2) || '\x02'::bytea, '\x0100'));
SELECT hostile.bomb('more NULLs than values', hostile.column(hostile.int4(), 3, '\x1004'));
SELECT hostile.bomb('2^64 - 1 NULLs', hostile.column(hostile.int4(), 3, '\x10'::bytea || hostile.varuint(18446744073709551615)));
SELECT hostile.bomb('no NULLs', hostile.column(hostile.int4(), 3, '\x1100'::bytea || hostile.block(1) || '\x02'::bytea, '\x00'));
SELECT hostile.bomb('a mask of 2^20 bits in an array of NULLs', hostile.array_column(hostile.int4(), 1048576, '\x10'::bytea || hostile.varuint(1048576) || hostile.block(131072, 1, 520),
	hostile.compress(1, hostile.times('\xff', 131072))), '22P03', 'v int[]', NULL);
SELECT hostile.bomb('an index out of range', hostile.column(hostile.int4(), 3, '\x0201'::bytea || hostile.block(4) || '\x0101'::bytea, '\x07000000'));
SELECT hostile.bomb('an index of 2^63', hostile.column(hostile.int4(), 3, '\x0201'::bytea || hostile.block(4) || '\x01'::bytea || hostile.varuint(9223372036854775808), '\x07000000'));
SELECT hostile.bomb('an index of 2^32', hostile.column(hostile.int4(), 1, '\x0201'::bytea || hostile.block(4) || '\x0008'::bytea || hostile.block(8), '\x07000000' || '\x0000000001000000'::bytea));
SELECT hostile.bomb('a dictionary of nothing', hostile.column(hostile.int4(), 3, '\x0200'::bytea || hostile.block(0) || '\x0100'::bytea));
SELECT hostile.bomb('a dictionary of more entries than values', hostile.column(hostile.int4(), 1, '\x0202'::bytea || hostile.block(8) || '\x0100'::bytea, '\x0700000007000000'));
SELECT hostile.bomb('a dictionary of booleans', hostile.column(hostile.bool(), 3, '\x0201'::bytea || hostile.block(1) || '\x0100'::bytea, '\x01'), list => 'v bool');
SELECT hostile.bomb('a dictionary with bytes past its entries', hostile.column(hostile.texts(), 3, '\x0201'::bytea || hostile.block(4) || '\x0100'::bytea, '\x05610561'), list => 'v text');
SELECT hostile.bomb('an image that points elsewhere', hostile.plain_column(hostile.texts(), 1, '\x0112'::bytea || hostile.times('\x00', 16)), list => 'v text');
SELECT hostile.bomb('an image compressed as a varlena', hostile.plain_column(hostile.texts(), 1, '\x02030000'::bytea || hostile.times('\x61', 188)), list => 'v text');
SELECT hostile.bomb('an image of 1 GB', hostile.plain_column(hostile.texts(), 1, '\xfcffffff'::bytea || hostile.times('\x61', 188)), list => 'v text');
SELECT hostile.bomb('an image past its block', hostile.plain_column(hostile.texts(), 1, '\xff6161'), list => 'v text');
SELECT hostile.bomb('a long image that is short', hostile.plain_column(hostile.texts(), 1, '\x2000000061626364'), list => 'v text');
SELECT hostile.bomb('padding before a short image', hostile.plain_column(hostile.texts(), 1, '\x000561'), list => 'v text');
SELECT hostile.bomb('padding at the end', hostile.plain_column(hostile.texts(), 1, '\x056100'), list => 'v text');
SELECT hostile.bomb('nothing but padding', hostile.plain_column(hostile.texts(), 1, '\x00000000'), list => 'v text');
SELECT hostile.bomb('a zero byte in a text', hostile.plain_column(hostile.texts(), 1, hostile.image('\x610062')), list => 'v text');
SELECT hostile.bomb('half a character', hostile.plain_column(hostile.texts(), 1, hostile.image('\xc3')), '22021', 'v text', true);
SELECT hostile.bomb('half a character, constant', hostile.constant_column(hostile.texts(), 1, '\x01c3'), '22021', 'v text', true);
SELECT hostile.bomb('a surrogate', hostile.plain_column(hostile.texts(), 1, hostile.image('\xeda080')), '22021', 'v text', true);
SELECT hostile.bomb('a boolean of 2', hostile.plain_column(hostile.bool(), 1, '\x02'), list => 'v bool', frame => NULL);
SELECT hostile.bomb('a constant of 256 bytes', hostile.constant_column(hostile.texts(), 1, hostile.string(repeat('x', 256))), list => 'v text');
SELECT hostile.bomb('a constant of 2^63 bytes', hostile.constant_column(hostile.texts(), 1, hostile.varuint(9223372036854775808)), list => 'v text');

--
-- Values that their types don't take
--
SELECT hostile.bomb(format('a numeric of %s', what), hostile.constant_column(hostile.builtin(9, 1700), 1, hostile.string(payload)), list => 'v numeric', frame => NULL)
FROM (VALUES ('no bytes', '\x'::bytea), ('three bytes', '\x000000'), ('an odd number of bytes', '\x0000000001'), ('a digit of 10,000', '\x000000001027'), ('a first digit of 0', '\x0000010000000100'),
	('a last digit of 0', '\x0000010001000000'), ('a negative 0', '\x00400000'), ('a 0 with a weight', '\x00000100'), ('a NaN with digits', '\x00c000000100'), ('a NaN with a weight', '\x00c00100'),
	('another special', '\x00e00000'), ('a sign of the short form', '\x008000000100'), ('digits that its scale hides', '\x0000ffff0100')) AS v(what, payload);
SELECT hostile.bomb('a numeric of a million digits', hostile.plain_column(hostile.builtin(9, 1700), 1, hostile.u32((4 + 4 + 20000) * 4) || '\x0000ff7f'::bytea || hostile.times('\x0100', 10000)), '00000,22P03', 'v numeric', NULL);
SELECT hostile.bomb('a date past its range', hostile.constant_column(hostile.builtin(4, 1082), 1, hostile.varint(2147483646)), '22008', 'v date', true);
SELECT hostile.bomb('a time past its range', hostile.constant_column(hostile.builtin(5, 1083), 1, hostile.varint(86400000001)), '22008', 'v time', true);
SELECT hostile.bomb('a timestamp past its range', hostile.constant_column(hostile.builtin(5, 1114), 1, hostile.varint(9223372036854775806)), '22008', 'v timestamp', true);
SELECT hostile.bomb('a time zone past its range', hostile.constant_column(hostile.builtin(8, 1266, '\x0c'), 1, hostile.times('\x00', 8) || '\x00ff0100'::bytea), '22009', 'v timetz', true);
SELECT hostile.bomb('a name of 64 bytes', hostile.constant_column(hostile.builtin(10, 19), 1, hostile.string(repeat('x', 64))), '22P03,00000', 'v name', true);
SELECT hostile.bomb('a json of 100,000 brackets', hostile.plain_column(hostile.builtin(10, 114), 1, hostile.u32(100004 * 4) || hostile.times('\x5b', 100000)), '54001,22P02', 'v json', true);
SELECT hostile.bomb('a jsonb of 100,000 brackets', hostile.plain_column(hostile.builtin(12, 3802), 1, hostile.u32(100005 * 4) || '\x01'::bytea || hostile.times('\x5b', 100000)), '54001,22P02', 'v jsonb', true, 64);
SELECT hostile.bomb('a jsonpath of 50,000 brackets', hostile.plain_column(hostile.builtin(12, 4072), 1, hostile.u32(50005 * 4) || '\x01'::bytea || hostile.times('\x28', 50000)), '54001,42601,42P17,54000,XX000', 'v jsonpath', true, 64);
SELECT hostile.bomb('an xml of a thousand million', hostile.plain_column(hostile.builtin(10, 142), 1, hostile.u32((length(x) + 4) * 4) || x), '00000,2200N,2200M,0A000', 'v xml', true)
FROM convert_to('<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' || (SELECT string_agg(format('<!ENTITY %s "%s">', chr(97 + i), repeat('&' || chr(96 + i) || ';', 10)), '' ORDER BY i) FROM generate_series(1, 8) AS i)
	|| ']><x>&i;</x>', 'UTF8') AS x;
SELECT hostile.bomb('an enum label of 100,000 bytes', hostile.plain_column(hostile.named(14, 'public', 'mood'), 1, hostile.u32(100004 * 4) || hostile.times('\x61', 100000)), '22P02', 'v mood', true);
SELECT hostile.bomb('a bit string that says 2^31 bits', hostile.plain_column(hostile.builtin(12, 1562), 1, hostile.image('\x7fffffff00')), '22P03,08P01,22003,54000,53200', 'v varbit', true, 300);

--
-- Types
--
SELECT hostile.bomb('100,000 domains nested', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.nested(hostile.named(20, 'a', 'b'), hostile.int4(), 100000))))));
SELECT hostile.bomb('100,000 arrays nested', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.nested('\x0f'::bytea || hostile.named(20, 'a', 'b'), hostile.int4(), 100000))))));
SELECT hostile.bomb('100,000 composites nested', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.nested(hostile.named(16, 'a', 'b') || '\x0101'::bytea || '\x61'::bytea, hostile.int4(), 100000))))));
SELECT hostile.bomb('100,000 ranges nested', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.nested(hostile.named(18, 'a', 'b'), hostile.int4(), 100000))))));
SELECT hostile.bomb('33 domains nested', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.nested(hostile.named(20, 'a', 'b'), hostile.int4(), 32))))));
SELECT hostile.bomb('records in records, 100 deep', hostile.column(hostile.record(), 1, hostile.nested('\x0001'::bytea || hostile.fields(hostile.field('f', hostile.record())) || '\x01'::bytea,
	hostile.record_node(hostile.fields(), 1, ''), 100)), list => 'v record');
SELECT hostile.bomb('records in records, 30 deep', hostile.column(hostile.record(), 1, hostile.nested('\x0001'::bytea || hostile.fields(hostile.field('f', hostile.record())) || '\x01'::bytea,
	hostile.record_node(hostile.fields(), 1, ''), 29)), '00000', NULL, true);
SELECT hostile.bomb('an array of arrays', hostile.column('\x0f0f'::bytea || hostile.int4(), 1, '\x1001'), list => 'v int[]');
SELECT hostile.bomb('an array with a name', hostile.column('\x8f01610162'::bytea || hostile.int4(), 1, '\x1001'), list => 'v int[]');
SELECT hostile.bomb('a multirange of no ranges', hostile.column(hostile.builtin(19, 4451, hostile.int4()), 1, '\x1001'), list => 'v int4multirange');
SELECT hostile.bomb(format('OID %s of shape %s', oid, shape), hostile.column(hostile.builtin(shape, oid, CASE shape WHEN 8 THEN '\x04' WHEN 16 THEN '\x00' WHEN 18 THEN hostile.int4() WHEN 20 THEN hostile.int4() ELSE '' END), 1,
	'\x1001'), CASE WHEN shape = 20 THEN '22P03,42804,00000' WHEN oid IN (23, 2950) THEN '22P03,42804' WHEN oid = 83 THEN '22P03,42804,42703,00000' ELSE '22P03,42804,42704,00000' END, CASE oid WHEN 2950 THEN 'v uuid' ELSE 'v int' END, true)
FROM unnest('{23,2281,2276,705,2249,2950,2275,3500,83,9999,22}'::int[]) AS oid, unnest('{1,3,6,8,9,10,12,13,14,16,18,20}'::int[]) AS shape
WHERE NOT (oid = 23 AND shape = 20);
SELECT hostile.bomb('OID 10000', hostile.column(hostile.builtin(4, 10000), 1, '\x1001'));
SELECT hostile.bomb('OID 0', hostile.column(hostile.builtin(4, 0), 1, '\x1001'));
SELECT hostile.bomb(format('%s of width 1', type), hostile.plain_column(hostile.builtin(8, type::regtype::oid::int, '\x01'), 1000, hostile.times('\x01', 1000)), '22P03,42804', 'v ' || type, true)
FROM unnest('{uuid,macaddr,macaddr8,timetz,interval,tid}'::text[]) AS type;
SELECT hostile.bomb(format('%s of width 1, constant', type), hostile.constant_column(hostile.builtin(8, type::regtype::oid::int, '\x01'), 1, '\x01'), '22P03,42804', 'v ' || type, true)
FROM unnest('{uuid,macaddr,macaddr8,timetz,interval,tid}'::text[]) AS type;
SELECT hostile.bomb('a type whose name is too long', hostile.column(hostile.named(4, 'public', repeat('x', 100000)), 1, '\x1001'), '42704', frame => true);
SELECT hostile.bomb('a type whose name is no text', hostile.column('\x84017801ff'::bytea, 1, '\x1001'), '22021', frame => true);
SELECT hostile.bomb('a type without a name', hostile.column('\x84000178'::bytea, 1, '\x1001'));
SELECT hostile.bomb('a typmod of 2^31', hostile.column('\x2a19'::bytea || hostile.varint(2147483648), 1, '\x1001'));
SELECT hostile.bomb('a char(n) of 1 GB', hostile.constant_column('\x2a'::bytea || hostile.varuint(1042) || hostile.varint(1000000004), 1, hostile.string('x'::text)), '22P03,22023,54000,00000', 'v text', NULL);
SELECT hostile.bomb('a typmod of ' || what, hostile.constant_column(type || hostile.varint(typmod), 1, hostile.string(payload)), '22P03,42804,00000', 'v text', true)
FROM (VALUES ('numeric, of precision 0', '\x29a40d'::bytea, 4, '\x000000000100'::bytea), ('numeric, of precision 1001', '\x29a40d', 4 + (1001 << 16), '\x000000000100'),
			 ('numeric, of scale -1024', '\x29a40d', 4 + (5 << 16) + 1024, '\x000000000100'), ('numeric, of scale 1001', '\x29a40d', 4 + (5 << 16) + 1001, '\x000000000100'),
			 ('bit, past the longest', '\x2c980c', 83886081, '\x0000000001')) AS v(what, type, typmod, payload);
SELECT hostile.bomb('a tsquery of which only the number of its operands is there', hostile.constant_column(hostile.builtin(12, 3615), 1, hostile.string('\x00000001'::bytea)), '22P03,08P01,XX000', 'v tsquery', true);
SELECT hostile.bomb('a lower bound of 33 bits', hostile.column(hostile.arrays(hostile.int4()), 1, '\x0001010101010101'::bytea || hostile.varuint(4294967296) || '\x010102'::bytea), list => 'v int[]');
SELECT hostile.bomb('positions with bits past their end', hostile.column(hostile.builtin(6, 700), 2, '\x0702000103000104100100'::bytea, '\x0200000000'), list => 'v real');
SELECT hostile.bomb('a dictionary of smallints', hostile.column(hostile.builtin(3, 21), 2, '\x020210000108', '\x0100ff7f0100'), '00000', 'v int2', true);
SELECT hostile.bomb('a dictionary of "char"s', hostile.column(hostile.builtin(2, 18), 2, '\x020208000108', '\x61ff0001'), '00000', 'v "char"', true);
SELECT hostile.bomb('a type that only prints, as text', hostile.plain_column(hostile.builtin(10, 3361), 2, '\x05610562'), '22P03,42804,00000', 'v text', true);
SELECT hostile.bomb('a number that has a collation', hostile.constant_column('\x4417'::bytea || hostile.string('pg_catalog'::text) || hostile.string('C'::text), 1, '\x02'), '00000', 'v int', true);
SELECT hostile.bomb('a column whose name is too long', hostile.rowset(hostile.header(hostile.fields(hostile.field(repeat('n', 100), hostile.int4()))), hostile.group(1, hostile.constant('\x02'))), '00000,42703', 'v int', true);
SELECT hostile.bomb('a schema whose name is too long', hostile.constant_column(hostile.named(14, repeat('s', 64), 'm'), 1, hostile.string('x'::text)), '42704,42804,00000', 'v text', true);
SELECT hostile.bomb('a numeric that is scaled by 63 bits', hostile.column(hostile.builtin(9, 1700), 2, '\x0700000003'::bytea || hostile.varint(-4611686018427387904) || '\x3f'::bytea || hostile.block(16), decode(repeat('ff', 15) || '3f', 'hex')), '00000,22003', 'v numeric(5)', NULL);
SELECT hostile.bomb('a numeric that is scaled out of 64 bits', hostile.column(hostile.builtin(9, 1700), 2, '\x0700000003'::bytea || hostile.varint(9223372036854775800) || '\x05'::bytea || hostile.block(2), '\xff03'), '22P03', 'v numeric(5)', NULL);
SELECT hostile.bomb('a thousand char(n) of 10 MB', hostile.constant_column('\x2a'::bytea || hostile.varuint(1042) || hostile.varint(10485764), 1000, hostile.string('x'::text)), '22P03,22023,54000,00000', 'v text', NULL);
SELECT hostile.bomb('a thousand char(n) of 10 MB, each by itself', hostile.plain_column('\x2a'::bytea || hostile.varuint(1042) || hostile.varint(10485764), 1000, hostile.times('\x0578', 1000)),
	'22P03', 'v char(10485760)', true);
SELECT hostile.bomb('an array of a thousand char(n) of 10 MB', hostile.array_column('\x2a'::bytea || hostile.varuint(1042) || hostile.varint(10485764), 1000, hostile.plain(hostile.times('\x0578', 1000)), hostile.times('\x0578', 1000)),
	'22P03', 'v char(10485760)[]', true);
SELECT hostile.bomb('an interval of no fields', hostile.constant_column('\x28'::bytea || hostile.varuint(1186) || hostile.varint(99) || '\x10'::bytea, 1, hostile.times('\x00', 16)), '22P03,22023,00000', 'v interval', NULL);
SELECT hostile.bomb('a text that is said to be a regclass', hostile.constant_column(hostile.builtin(10, 2205), 1, hostile.string('pg_class'::text)), '22P03,42804', 'v regclass', true);

--
-- Nested values
--
SELECT hostile.bomb('an array of 2^28 elements', hostile.array_column(hostile.int4(), 268435456, '\x0102'), list => 'v int[]');
SELECT hostile.bomb('an array of 2^63 elements', hostile.array_column(hostile.int4(), 9223372036854775808, '\x0102'), list => 'v int[]');
SELECT hostile.bomb('an array of 100,000 constants', hostile.array_column(hostile.int4(), 100000, '\x0102'), list => 'v int[]');
SELECT hostile.bomb('lengths past their elements', hostile.column(hostile.arrays(hostile.int4()), 2, '\x000001030501'::bytea || hostile.varint(1)), list => 'v int[]');
SELECT hostile.bomb('2^20 lengths of 2^31 - 1', hostile.column(hostile.arrays(hostile.int4()), 1048576, '\x000001'::bytea || hostile.varuint(2147483647) || '\x0101'::bytea || hostile.varint(1)), list => 'v int[]');
SELECT hostile.bomb('seven dimensions', hostile.column(hostile.arrays(hostile.int4()), 1, '\x00010107070101010001'::bytea || '\x0102'::bytea), list => 'v int[]');
SELECT hostile.bomb('65536 x 65536', hostile.column(hostile.arrays(hostile.int4()), 1, '\x00010102'::bytea || '\x02'::bytea || '\x01'::bytea || hostile.varuint(65536) || '\x0102'::bytea || '\x01'::bytea || '\x0102'::bytea),
	'22P03,54000', 'v int[]');
SELECT hostile.bomb('a lower bound of 2^31 - 1', hostile.column(hostile.arrays(hostile.int4()), 1, '\x00010101'::bytea || '\x01'::bytea || '\x0102'::bytea || '\x01'::bytea || hostile.varuint(4294967294) || '\x02'::bytea || '\x0102'::bytea),
	'54000', 'v int[]', true);
SELECT hostile.bomb('a dimension of 0', hostile.column(hostile.arrays(hostile.int4()), 1, '\x00010101'::bytea || '\x01'::bytea || '\x0100'::bytea || '\x01'::bytea || '\x02'::bytea || '\x00'::bytea || '\x00'::bytea), list => 'v int[]');
-- A text of 1 MB, in a dictionary of 4 KB, that composites, records and ranges get
-- copies of.
-- They come behind many that don't, since batches grow.
SELECT hostile.bomb('1,024 ' || what || ' with a text of 1 MB', hostile.column(type, 4096, head || '\x02'::bytea || '\x02'::bytea || hostile.block(13 + m, 1, length(z)) || '\x0001'::bytea || hostile.block(4096),
	z || hostile.times('\x01', 3072) || hostile.times('\x00', 1024)), '54000', list, true, 200, 1000)
FROM (SELECT 19 + 255 * 4000) AS l(m), LATERAL (SELECT '\x5f'::bytea || hostile.u32((12 + m) * 4) || '\x610100'::bytea || hostile.times('\xff', 4000) || '\x00'::bytea || '\x806161616161616103'::bytea) AS b(z),
	LATERAL (VALUES
		('composites', hostile.named(16, 'public', 'pair', hostile.fields(hostile.field('a', hostile.int4()), hostile.field('b', hostile.texts()))), '\x000102'::bytea, 'v pair'),
		('records', hostile.record(), '\x0001'::bytea || hostile.fields(hostile.field('f', hostile.texts())) || hostile.varuint(4096), 'v record'),
		('ranges', hostile.named(18, 'public', 'textrange', hostile.texts()), '\x0001'::bytea || hostile.varuint(16) || hostile.varuint(4096), 'v textrange')) AS v(what, type, head, list);
SELECT hostile.bomb('1,024 casts of a json of 1 MB', hostile.column(hostile.builtin(10, 114), 4096, '\x02'::bytea || '\x02'::bytea || hostile.block(15 + m, 1, length(z)) || '\x0001'::bytea || hostile.block(4096),
	z || hostile.times('\x01', 3072) || hostile.times('\x00', 1024)), '00000,54000', 'v jsonb', true, 200, 1000)
FROM (SELECT 19 + 255 * 4000) AS l(m), LATERAL (SELECT '\x6f'::bytea || hostile.u32((13 + m) * 4) || '\x22610100'::bytea || hostile.times('\xff', 4000) || '\x00'::bytea || '\x90616161616161220531'::bytea) AS b(z);
-- What is prepared for many values must not be for a few.
SELECT hostile.bomb('records of 16,640 numerics, of 12 bits each', hostile.column(hostile.record(), 1,
	hostile.record_node(hostile.fields(VARIADIC array_fill(hostile.field('r', hostile.record()), '{10}')), 1, hostile.times(hostile.record_node(fields, 1, hostile.times(node, 1664)), 10)),
	hostile.times('\x0000', 16640)), '00000', 'v record', true, 150, 2000)
FROM (SELECT hostile.varuint(1664) || hostile.times(hostile.field('n', hostile.builtin(9, 1700)), 1664), '\x0700000003000c'::bytea || hostile.block(2)) AS f(fields, node);
SELECT hostile.bomb('an unknown form', hostile.column(hostile.arrays(hostile.int4()), 1, '\x000201010101'::bytea || '\x02'::bytea), list => 'v int[]');
SELECT hostile.bomb('an empty range with bounds', hostile.column(hostile.builtin(18, 3904, hostile.int4()), 1, '\x000103'::bytea || '\x02'::bytea || '\x0102'::bytea), list => 'v int4range');
SELECT hostile.bomb('a range that includes no bound', hostile.column(hostile.builtin(18, 3904, hostile.int4()), 1, '\x00011a'::bytea || '\x00'::bytea || '\x00'::bytea), list => 'v int4range');
SELECT hostile.bomb('a range whose bound is NULL', hostile.column(hostile.builtin(18, 3904, hostile.int4()), 1, '\x000108'::bytea || '\x01'::bytea || '\x1001'::bytea), list => 'v int4range');
SELECT hostile.bomb('a range of unknown flags', hostile.column(hostile.builtin(18, 3904, hostile.int4()), 1, '\x000120'::bytea || '\x02'::bytea || '\x0102'::bytea), list => 'v int4range', frame => NULL);
SELECT hostile.bomb('a range upside down', hostile.column(hostile.builtin(18, 3904, hostile.int4()), 1, '\x000100'::bytea || '\x02'::bytea || hostile.plain('\x0200000001000000'), '\x0200000001000000'), '22000', 'v int4range', true);
SELECT hostile.bomb('records of more shapes than values', hostile.column(hostile.record(), 1, '\x0002'::bytea || '\x0001'::bytea || '\x0001'::bytea || '\x0100'::bytea), list => 'v record');
SELECT hostile.bomb('records of 2^20 shapes in no bytes', hostile.column(hostile.record(), 1048576, '\x00'::bytea || hostile.varuint(1048576)), list => 'v record');
SELECT hostile.bomb('a shape without values', hostile.column(hostile.record(), 2, '\x0002'::bytea || '\x0002'::bytea || '\x0000'::bytea || '\x0100'::bytea), list => 'v record');
SELECT hostile.bomb('a shape of another number of values', hostile.column(hostile.record(), 4, '\x0002'::bytea || '\x0002'::bytea || '\x0002'::bytea || '\x0100'::bytea), list => 'v record', frame => false);
SELECT hostile.bomb('elements without fields', hostile.array_column(hostile.named(16, 'public', 'pair', '\x00'), 1000, '\x00'), '22P03,42703', 'v pair[]');

--
-- Much work or much memory for few bytes
--
INSERT INTO hostile.labour VALUES
('many dictionaries of one entry', hostile.rowset(hostile.header(hostile.varuint(1600) || hostile.times(hostile.field('v', hostile.int4()), 1600)),
	hostile.group(1048576, hostile.times('\x0201'::bytea || hostile.block(4) || '\x0100'::bytea, 1600), hostile.times('\x07000000', 1600), 13))),
('ranges of ranges of ranges', hostile.column(hostile.nested(hostile.named(18, 'a', 'b'), hostile.int4(), 31), 1048576,
	(SELECT string_agg('\x00'::bytea || CASE WHEN i <= 7 THEN '\x0100'::bytea ELSE '\x0108' END || hostile.varuint((1048576 * 2 ^ least(i, 7))::numeric), '' ORDER BY i) FROM generate_series(1, 31) AS i) || '\x0100'::bytea)),
('many rows of few bytes', hostile.rowset(hostile.header(hostile.fields(hostile.field('v', hostile.int4()))), VARIADIC array_fill(hostile.group(1048576, hostile.constant('\x02')), '{50}')));

SELECT hostile.bomb(format('an array of %s empty names', n), hostile.array_column(hostile.builtin(10, 19), n, '\x00'::bytea || hostile.block(n, 1, length(z)), z), '00000,22P03,54000', 'v name[]', NULL, 64, 1000)
FROM (SELECT 4000000 AS n) AS s, hostile.compress(1, hostile.times('\x03', n)) AS z;
SELECT hostile.bomb(format('an array of %s records of a boolean', n), hostile.array_column(hostile.record(), n, hostile.record_node(hostile.fields(hostile.field('f', hostile.bool())), n,
	'\x0001'::bytea || hostile.block(n, 1, length(z)) || '\x00'::bytea || hostile.block(n, 1, length(z))), z || z), '00000,22P03,54000', 'v record[]', NULL, 64, 1000)
FROM (SELECT 1000000 AS n) AS s, hostile.compress(1, hostile.times('\x00', n)) AS z;
SELECT hostile.bomb('an array of records of 1600 constants', hostile.array_column(hostile.record(), n, hostile.record_node(hostile.varuint(1600) || hostile.times(hostile.field('f', hostile.bool()), 1600), n,
	'\x0001'::bytea || hostile.block(n, 1, length(z)) || hostile.times('\x0100', 1600)), z), '00000,22P03,54000', 'v record[]', NULL, 64, 1000)
FROM (SELECT 8192 AS n) AS s, hostile.compress(1, hostile.times('\x00', n)) AS z;
SELECT hostile.bomb(format('an array of %s empty ranges', n), hostile.array_column(hostile.builtin(18, 3904, hostile.int4()), n, '\x000001'::bytea || hostile.block(n, 1, length(z)) || '\x0000'::bytea, z), '00000,22P03,54000', 'v int4range[]', NULL, 64, 1000)
FROM (SELECT 2000000 AS n) AS s, hostile.compress(1, hostile.times('\x01', n)) AS z;
SELECT hostile.bomb('a hundred arrays of records, 28 deep', hostile.rowset(hostile.header(hostile.varuint(100) || hostile.times(hostile.field('v', hostile.arrays(hostile.record())), 100)),
	hostile.group(1, hostile.times('\x000001'::bytea || hostile.varuint(n) || hostile.varuint(n)
		|| hostile.nested('\x0001'::bytea || hostile.fields(hostile.field('f', hostile.record())) || hostile.varuint(n) || '\x0100'::bytea,
						  '\x0001'::bytea || hostile.fields(hostile.field('f', hostile.bool())) || hostile.varuint(n) || '\x0100'::bytea || '\x0100'::bytea, 28), 100))), '00000,22P03,54000', NULL, NULL, 128, 1000)
FROM (SELECT 480 AS n) AS s;
SELECT hostile.bomb('1024 rows of records of 6000 constants', hostile.column(hostile.record(), 1024, hostile.record_node(hostile.varuint(100) || hostile.times(hostile.field('f', hostile.record()), 100), 1024,
	hostile.times(hostile.record_node(hostile.varuint(60) || hostile.times(hostile.field('f', hostile.bool()), 60), 1024, hostile.times('\x0100', 60)), 100))), '00000,22P03,54000', 'v record', NULL, 64, 1000);

COMMIT;
\o
