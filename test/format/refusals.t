#!/usr/bin/env perl
#
# What doc/rowset_format.md calls invalid is refused, though the checksums
# match (except where they are the point); what a reader may skip is skipped.

use v5.36;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Rowset::Builder qw(:all);
use Rowset::Cases qw(run_cases);

my $bool = builtin(1, 16);
my $int2 = builtin(3, 21);
my $int4 = builtin(4, 23);
my $int8 = builtin(5, 20);
my $float4 = builtin(6, 700);
my $numeric = builtin(9, 1700);
my $text = builtin(10, 25);
my $array = "\x0F";
my $int4range = builtin(18, 3904, $int4);
my $nothing = builtin(16, 9999, varuint(0));

use constant {
	PLAIN => "\x00", CONSTANT => "\x01", DICTIONARY => "\x02",
	FRAME => "\x03", DELTA => "\x04", DELTA2 => "\x05", RUNS => "\x06",
	SCALED => "\x07", BITS => "\x08", WITH_NULLS => "\x10",
};

my $greatest = 9223372036854775807;

# A rowset of one column that must be refused.
sub bad ($name, $error, $type, $rows, @pieces)
{
	return bad_bytes($name, $error, rowset($type, $rows, @pieces));
}

sub bad_bytes ($name, $error, $bytes)
{
	return { name => $name, error => $error, bytes => $bytes };
}

# A rowset of one integer column that must be read as these values.
sub good ($name, $bytes, @values)
{
	return {
		name => $name,
		type => 'integer',
		bytes => $bytes,
		values => \@values,
	};
}

# A case that says nothing about other readers.
sub alone ($case)
{
	return { $case->%*, alone => 1 };
}

sub int4s (@values)
{
	return block(pack('l<*', @values));
}

# A rowset of a header and a trailer only.
sub empty_rowset ($fields, @more)
{
	return header($fields, @more) . trailer();
}

# $bytes with one bit changed.
sub flipped ($bytes, $offset)
{
	substr($bytes, $offset, 1) ^.= "\x10";
	return $bytes;
}

sub numeric_case ($name, $error, @numbers)
{
	return bad($name, $error, $numeric, 1,
		PLAIN, block(images(pack('v*', @numbers))));
}

sub image_case ($name, $error, $rows, $bytes)
{
	return bad($name, $error, $text, $rows, PLAIN, block($bytes));
}

my $column = field(v => $int4);
my $valid = rowset($int4, 2, PLAIN, int4s(1, 2));
my ($group, $entry) = group(2, [ PLAIN, int4s(1, 2) ]);
my $header = header([$column]);

my @whole = (
	good('a rowset', $valid, 1, 2),
	good('two groups', $header . $group x 2 . trailer($entry, $entry),
		1, 2, 1, 2),
	good('no group', empty_rowset([$column])),
	good('a higher minor version', empty_rowset([$column], '', "\x01\x07")),
	good('an even extension',
		empty_rowset([$column], varuint(8) . string('abc'))),
	bad_bytes('an odd extension', qr/extension 9/,
		empty_rowset([$column], varuint(9) . string(''))),
	bad_bytes('an extension cut off', qr/too early/,
		empty_rowset([$column], varuint(8) . varuint(5))),
	bad_bytes('a higher major version', qr/version 2\.0/,
		empty_rowset([$column], '', "\x02\x00")),
	bad_bytes('version 0', qr/version 0\.9/,
		empty_rowset([$column], '', "\x00\x09")),
	bad_bytes('no bytes', qr/./, ''),
	bad_bytes('magic', qr/magic/, flipped($valid, 1)),
	bad_bytes('checksum of the header', qr/checksum of the header/,
		flipped($valid, 11)),
	bad_bytes('checksum of a group header', qr/checksum of a group header/,
		flipped($valid, length($header) + 2)),
	bad_bytes('checksum of a body', qr/checksum of a body/,
		flipped($valid, length($header . $group) - 1)),
	bad_bytes('checksum of the trailer', qr/checksum|trailer/,
		flipped($valid, length($header . $group) + 6)),
	bad_bytes('the size of the trailer', qr/trailer/,
		flipped($valid, length($valid) - 1)),
	bad_bytes('a byte at the end', qr/trailer/, $valid . "\0"),
	bad_bytes('a byte at the start', qr/magic/, "\0" . $valid),
	bad_bytes('neither group nor trailer', qr/neither/,
		$header . 'x' . trailer()),
	bad_bytes('the trailer lacks a group', qr/trailer of 1 group/,
		$header . $group x 2 . trailer($entry)),
	bad_bytes('the trailer has another number of rows', qr/entry/,
		$header . $group . trailer(substr($entry, 0, 2) . "\x03")),
	bad_bytes('a group of no rows', qr/group of 0 rows/,
		$header . join('', group(0, [PLAIN])) . trailer()),
	bad_bytes('a node too many', qr/too many|blocks are not/,
		rowset_of($int4, group(1, [ CONSTANT, "\x02" ], [ CONSTANT, "\x02" ]))),
	bad_bytes('1665 columns', qr/1665 fields/,
		empty_rowset([ ($column) x 1665 ])),
	bad_bytes('the header has no room for a checksum', qr/header of/,
		"\xFFRS\r\n\0\x01\x00\x02ab"),
);

sub rowset_of ($type, $group_bytes, $group_entry)
{
	return header([ field('v', $type) ]) . $group_bytes
	  . trailer($group_entry);
}

# Types; what stands for the whole rowset is only a header.
sub bad_type ($name, $error, $type)
{
	return bad_bytes($name, $error, empty_rowset([ field('v', $type) ]));
}

my @types = (
	bad_type('shape 0', qr/shape 0/, builtin(0, 23)),
	bad_type('shape 21', qr/shape 21/, builtin(21, 23)),
	bad_type('OID 0', qr/OID 0/, builtin(4, 0)),
	bad_type('OID 10000', qr/OID 10000/, builtin(4, 10000)),
	bad_type('an OID in a long form', qr/shortest/, "\x04\x97\x00"),
	bad_type('width 0', qr/width 0/, builtin(8, 2950, "\0")),
	bad_type('a record with an identity', qr/RECORD with flags/,
		"\x91" . string('a') . string('b')),
	bad_type('an array with a typmod', qr/ARRAY with flags/,
		"\x2F" . varint(5) . $int4),
	bad_type('an array with an identity', qr/ARRAY with flags/,
		"\x8F" . string('a') . string('b') . $int4),
	bad_type('an array of arrays', qr/array of arrays/, $array x 2 . $int4),
	bad_type('a multirange of no range', qr/MULTIRANGE/,
		builtin(19, 4451, $int4)),
	bad_type('types nested 33 deep', qr/too deep/,
		builtin(20, 9999) x 32 . $int4),
	# of domains that no server has
	alone(good('types nested 32 deep',
			empty_rowset([ field('v', builtin(20, 9999) x 31 . $int4) ]))),
	bad_type('a zero byte in a name', qr/zero byte/,
		type_of(14, "pub\0lic", 'mood')),
	bad_bytes('a column without a name', qr/without a name/,
		empty_rowset([ field('', $int4) ])),
	bad_bytes('a zero byte in the name of a column', qr/zero byte/,
		empty_rowset([ field("v\0", $int4) ])),
);

my @nodes = (
	bad('an unknown flag', qr/node code/, $int4, 1, "\x40", int4s(1)),
	bad('an unknown encoding', qr/encoding 9/, $int4, 1, "\x09", int4s(1)),
	bad('no NULL with a bitmap', qr/0 NULLs/, $int4, 1,
		WITH_NULLS, varuint(0), block("\0"), int4s(1)),
	bad('too many NULLs', qr/2 NULLs of 1/, $int4, 1,
		WITH_NULLS, varuint(2), block("\3")),
	bad('a bitmap of another size', qr/block of 2 bytes for 1/, $int4, 2,
		WITH_NULLS, varuint(1), block("\1\0"), int4s(1)),
	bad('a bitmap with other NULLs', qr/bitmap/, $int4, 2,
		WITH_NULLS, varuint(1), block("\3"), int4s(1)),
	bad('a bitmap with bits past the end', qr/past the end/, $int4, 2,
		WITH_NULLS, varuint(1), block("\5"), int4s(1)),
	bad('no value, but an encoding', qr/without values/, $int4, 2,
		"\x11", varuint(2)),
	bad('minmax of a boolean', qr/minmax/, $bool, 1, "\x21", "\1\1\1"),
	# a reader need not see this
	alone(bad('minmax that is too large', qr/smallest/, $int4, 2,
			"\x20", varint(2), varint(3), int4s(1, 3))),
	alone(bad('minmax that is too small', qr/largest/, $int4, 2,
			"\x20", varint(1), varint(2), int4s(1, 3))),
	bad('a nested shape in another encoding', qr/ARRAY in encoding/,
		"$array$int4", 1, CONSTANT, "\0", integers(1), varuint(1), CONSTANT,
		"\2"),
);

my @blocks = (
	bad('a method that is none', qr/method 3/, $int4, 1,
		PLAIN, { header => varuint(4 << 2 | 3) . "\x04", bytes => 'abcd' }),
	bad('a block of 2^30 bytes', qr/block of 1073741824/, $text, 1,
		PLAIN, lz4_block(2**30, "\0" x 9)),
	bad('a block that shrinks too much', qr/stored in/, $text, 1,
		PLAIN, lz4_block(256, "\0")),
	bad('an empty block that is compressed', qr/of 0 bytes/, $text, 1,
		PLAIN, lz4_block(0, "\0")),
	bad('LZ4 of a larger size', qr/LZ4/, $int4, 2,
		PLAIN, lz4_block(8, "\xC0" . 'x' x 12)),
	bad('LZ4 of a smaller size', qr/LZ4/, $int4, 2,
		PLAIN, lz4_block(8, "\x40xxxx")),
	bad('LZ4 with a byte after it', qr/LZ4/, $int4, 2,
		PLAIN, lz4_block(8, "\x80xxxxxxxx\0")),
	bad('LZ4 cut off', qr/LZ4/, $int4, 2, PLAIN, lz4_block(8, "\x80xxx")),
	bad('LZ4 with a match before the start', qr/LZ4/, $int4, 3,
		PLAIN, lz4_block(12, "\x20xx\x03\x00\x60xxxxxx")),
	bad('a block of the wrong size', qr/block of 9 bytes/, $int4, 2,
		PLAIN, block("\0" x 9)),
);

my @values = (
	bad('a boolean of 2', qr/boolean 2/, $bool, 1, PLAIN, block("\2")),
	bad('a constant that does not fit', qr/fit/, $int2, 1,
		CONSTANT, varint(32768)),
	bad('a constant of 256 bytes', qr/256 bytes/, $text, 1,
		CONSTANT, string('x' x 256)),
	bad('a constant of 256 bytes of another type', qr/256 bytes/,
		builtin(11, 17), 1, CONSTANT, string('x' x 256)),
	bad('a constant in a long form', qr/shortest/, $int4, 1,
		CONSTANT, "\x80\x00"),
	bad('a varuint of 65 bits', qr/64 bits/, $int8, 1,
		CONSTANT, "\xFF" x 9 . "\x02"),
	bad('a zero byte in text', qr/zero byte/, $text, 1,
		PLAIN, block(images("a\0"))),
	bad('a zero byte in constant text', qr/zero byte/, $text, 1,
		CONSTANT, string("\0")),
	image_case('a short image in the long form', qr/header of an image/, 1,
		pack('V', (126 + 4) * 4) . 'x' x 126),
	image_case('padding before a short image', qr/header of an image/, 2,
		"\x05a\0\0\x09bcd"),
	image_case('padding to no multiple of four', qr/padding/, 2,
		"\x05a\0" . pack('V', 131 * 4) . 'x' x 127),
	image_case('too much padding', qr/header of an image/, 1,
		"\0\0\0\0" . pack('V', 131 * 4) . 'x' x 127),
	image_case('padding at the end', qr/too many/, 1, "\x05a\0\0"),
	image_case('an image less', qr/too early/, 2, "\x05a"),
	image_case('an image more', qr/too many/, 1, "\x05a\x05a"),
	image_case('an image of a negative size', qr/less than nothing/, 1,
		"\x01"),
	image_case('an image beyond the block', qr/too early/, 1, "\xFFa"),
	numeric_case('numeric without a weight', qr/2 bytes/, 0),
	bad('numeric of an odd size', qr/5 bytes/, $numeric, 1,
		PLAIN, block(images("\0" x 5))),
	numeric_case('numeric digit of 10000', qr/9999/, 0, 0, 10000),
	numeric_case('numeric that begins with 0', qr/too many/, 0, 1, 0, 1),
	numeric_case('numeric that ends in 0', qr/too many/, 0, 1, 1, 0),
	numeric_case('numeric minus 0', qr/numeric 0/, 0x4000, 0),
	numeric_case('numeric 0 with a weight', qr/numeric 0/, 0, 1),
	numeric_case('numeric of sign 10', qr/sign/, 0x8000, 0, 1),
	numeric_case('numeric NaN with a digit', qr/special/, 0xC000, 0, 1),
	numeric_case('numeric special that is none', qr/special/, 0xE000, 0),
);

my @encodings = (
	bad('dictionary of booleans', qr/BOOL in encoding 2/, $bool, 1,
		DICTIONARY, varuint(1), block("\1"), integers(0)),
	bad('dictionary of no entry', qr/of 0 entries/, $int4, 1,
		DICTIONARY, varuint(0), block(''), integers(0)),
	bad('dictionary of more entries than values', qr/of 2 entries/, $int4,
		1, DICTIONARY, varuint(2), int4s(1, 2), integers(0)),
	bad('an index beyond the dictionary', qr/index/, $int4, 2,
		DICTIONARY, varuint(2), int4s(1, 2), integers(0, 2)),
	bad('integers of three bytes', qr/3 bytes/, $int4, 1,
		DICTIONARY, varuint(1), int4s(1), PLAIN, "\x03", block("\0" x 3)),
	bad('integers in a dictionary', qr/code 2/, $int4, 1,
		DICTIONARY, varuint(1), int4s(1), DICTIONARY, varuint(1),
		block("\0"), integers(0)),
	bad('integers with NULLs', qr/encoding 16/, $int4, 1,
		DICTIONARY, varuint(1), int4s(1), WITH_NULLS, varuint(1)),
	bad('frame of text', qr/TEXT in encoding 3/, $text, 1,
		FRAME, varint(1), "\1", packed(1, 1)),
	bad('frame of no bits', qr/0 bits/, $int4, 1,
		FRAME, varint(1), "\0", packed(0)),
	bad('frame of 65 bits', qr/65 bits/, $int4, 1,
		FRAME, varint(1), "\x41", block("\0" x 9)),
	bad('frame with bits past the end', qr/past the end/, $int4, 1,
		FRAME, varint(1), "\1", block("\2")),
	bad('frame out of the shape', qr/fit/, $int2, 1,
		FRAME, varint(32767), "\1", packed(1, 1)),
	bad('delta with a difference out of 64 bits', qr/fit/, $int8, 2,
		DELTA, varint(-9223372036854775807), varint($greatest), "\1",
		packed(1, 1)),
	bad('frame out of 64 bits', qr/fit/, $int8, 1,
		FRAME, varint($greatest), "\1", packed(1, 1)),
	bad('delta with a change out of 64 bits', qr/fit/, $int8, 2,
		DELTA, varint(0), varint($greatest), "\1", packed(1, 1)),
	bad('delta out of 64 bits', qr/fit/, $int8, 2,
		DELTA, varint($greatest), varint(1), "\0", packed(0)),
	bad('delta2 with a first step out of 64 bits', qr/fit/, $int8, 2,
		DELTA2, varint($greatest), varint(1), varint(0), "\0", packed(0)),
	bad('delta2 with a change out of 64 bits', qr/fit/, $int8, 3,
		DELTA2, varint(0), varint(0), varint($greatest), "\1", packed(1, 1)),
	bad('runs of which some are left after 64', qr/runs/, $int4, 100,
		RUNS, varuint(70), PLAIN, int4s(1 .. 70),
		integers((1) x 63, 37, (1) x 6)),
	bad('delta out of the shape', qr/fit/, $int2, 2,
		DELTA, varint(32767), varint(1), "\0", packed(0)),
	bad('delta out of the shape and back', qr/fit/, $int2, 3,
		DELTA, varint(32767), varint(-1), "\2", packed(2, 2, 0)),
	bad('delta with a packed number of 64 bits', qr/64 bits/, $int8, 2,
		DELTA, varint(0), varint(-9223372036854775807), "\x40",
		packed(64, 9223372036854775808)),
	bad('delta2 with a packed number of 64 bits', qr/64 bits/, $int8, 3,
		DELTA2, varint(0), varint(0), varint(-9223372036854775807), "\x40",
		packed(64, 9223372036854775808)),
	bad('delta2 of one value', qr/DELTA2/, $int4, 1,
		DELTA2, varint(1), varint(1), varint(1), "\0", packed(0)),
	bad('delta2 with a step out of 64 bits', qr/fit/, $int8, 3,
		DELTA2, varint(0), varint($greatest), varint(1), "\0", packed(0)),
	bad('runs that are too short', qr/too few/, $int4, 3,
		RUNS, varuint(2), PLAIN, int4s(1, 2), integers(1, 1)),
	bad('runs that are too long', qr/runs/, $int4, 3,
		RUNS, varuint(2), PLAIN, int4s(1, 2), integers(1, 3)),
	bad('a run of no value', qr/runs/, $int4, 2,
		RUNS, varuint(2), PLAIN, int4s(1, 2), integers(2, 0)),
	bad('runs of runs', qr/runs of runs/, $int4, 2,
		RUNS, varuint(1), RUNS, varuint(1), CONSTANT, "\2", integers(1),
		integers(2)),
	bad('runs with lengths in runs', qr/lengths in runs/, $int4, 2,
		RUNS, varuint(2), PLAIN, int4s(1, 2), RUNS, varuint(1), CONSTANT,
		"\1", integers(2)),
	bad('runs of NULL', qr/encoding 16/, $int4, 2,
		RUNS, varuint(1), WITH_NULLS, varuint(1), integers(2)),
	bad('runs of a dictionary', qr/code 2/, $int4, 2,
		RUNS, varuint(1), DICTIONARY, varuint(1), int4s(1), integers(0),
		integers(2)),
	bad('runs of a value that does not fit', qr/fit/, $int2, 2,
		RUNS, varuint(1), FRAME, varint(32767), "\1", packed(1, 1),
		integers(2)),
	bad('runs of values with bits past the end', qr/past the end/, $int4, 2,
		RUNS, varuint(1), FRAME, varint(1), "\1", block("\2"), integers(2)),
	bad('runs of lengths with bits past the end', qr/past the end/, $int4, 2,
		RUNS, varuint(1), PLAIN, int4s(1), FRAME, varuint(1), "\1",
		block("\2")),
	bad('runs more than their values need', qr/runs/, $int4, 2,
		RUNS, varuint(3), PLAIN, int4s(1, 2, 3), integers(1, 1, 1)),
	bad('runs of text', qr/TEXT in encoding 6/, $text, 2,
		RUNS, varuint(1), PLAIN, block(images('x')), integers(2)),
	bad('scaled int', qr/INT4 in encoding 7/, $int4, 1,
		SCALED, "\0", varuint(0), PLAIN, block("\0" x 8)),
	bad('scaled by 17', qr/scale of 17/, $numeric, 1,
		SCALED, "\0", varuint(17), varuint(17), PLAIN, block("\0" x 8)),
	bad('scaled with an unknown flag', qr/flags 4/, $numeric, 1,
		SCALED, "\4", varuint(0), varuint(0), PLAIN, block("\0" x 8)),
	bad('scaled real with display scales', qr/flags 1/, $float4, 1,
		SCALED, "\1", varuint(0), integers(0), PLAIN, block("\0" x 8)),
	bad('a display scale of 64', qr/display scale/, $numeric, 1,
		SCALED, "\0", varuint(0), varuint(64), PLAIN, block("\0" x 8)),
	bad('exceptions out of order', qr/order/, $float4, 2,
		SCALED, "\2", varuint(0), varuint(2), integers(1, 0),
		block("\0" x 8), CONSTANT, "\0"),
	bad('an exception beyond the values', qr/position/, $float4, 2,
		SCALED, "\2", varuint(0), varuint(1), integers(2), block("\0" x 4),
		CONSTANT, "\0"),
	bad('a display scale of 64 of its own', qr/display scale/, $numeric, 1,
		SCALED, "\1", varuint(0), integers(64), PLAIN, block("\0" x 8)),
	bad('a display scale that hides a digit', qr/decimals/, $numeric, 1,
		SCALED, "\0", varuint(2), varuint(1), CONSTANT, varint(1)),
	bad('a position that comes twice', qr/order/, $float4, 2,
		SCALED, "\2", varuint(0), varuint(2), integers(1, 1),
		block("\0" x 8), CONSTANT, "\0"),
	bad('positions with bits past the end', qr/past the end/, $float4, 2,
		SCALED, "\2", varuint(0), varuint(1), FRAME, varuint(0), "\1",
		block("\2"), block("\0" x 4), CONSTANT, "\0"),
	bad('scaled by a dictionary', qr/code 2/, $numeric, 1,
		SCALED, "\0", varuint(0), varuint(0), DICTIONARY, varuint(1),
		block("\0" x 8), integers(0)),
	bad('scaled with NULLs', qr/./, $numeric, 1,
		SCALED, "\0", varuint(0), varuint(0), WITH_NULLS, varuint(1)),
	bad('exceptions that are cut off', qr/./, $float4, 2,
		SCALED, "\2", varuint(0), varuint(1), integers(1)),
	bad('scaled with minmax', qr/UINT|INT8/, $numeric, 1,
		SCALED, "\0", varuint(0), varuint(0), "\x21", varint(1), varint(1),
		varint(1)),
	bad('bits of int', qr/INT4 in encoding 8/, $int4, 1, BITS, block("\1")),
	bad('bits that do not decompress', qr/LZ4/, $bool, 64,
		BITS, lz4_block(8, "\x80xxx")),
	bad('bits past the end', qr/past the end/, $bool, 1, BITS, block("\2")),
);

my @nested = (
	bad('arrays of form 2', qr/form 2/, "$array$int4", 1,
		PLAIN, "\2", integers(1), varuint(1), CONSTANT, "\2"),
	bad('fewer elements than lengths', qr/elements/, "$array$int4", 1,
		PLAIN, "\0", integers(2), varuint(1), CONSTANT, "\2"),
	bad('more elements than lengths', qr/elements/, "$array$int4", 1,
		PLAIN, "\0", integers(1), varuint(2), CONSTANT, "\2"),
	bad('7 dimensions', qr/6 dimensions/, "$array$int4", 1,
		PLAIN, "\1", integers(7), varuint(7), CONSTANT, "\1", CONSTANT, "\2",
		varuint(1), CONSTANT, "\2"),
	bad('a dimension of length 0', qr/length 0/, "$array$int4", 1,
		PLAIN, "\1", integers(1), varuint(1), CONSTANT, "\0", CONSTANT, "\2",
		varuint(0), PLAIN),
	bad('fewer dimensions than said', qr/dimensions/, "$array$int4", 1,
		PLAIN, "\1", integers(1), varuint(2), CONSTANT, "\1", CONSTANT, "\2",
		varuint(1), CONSTANT, "\2"),
	bad('2^28 elements', qr/268435456/, "$array$int4", 1,
		PLAIN, "\0", CONSTANT, varuint(2**28), varuint(2**28), CONSTANT,
		"\2"),
	bad('a long array of one value', qr/limit/, "$array$int4", 1,
		PLAIN, "\0", CONSTANT, varuint(410), varuint(410), CONSTANT,
		"\2"),
	bad('a long array of one text', qr/limit/, "$array$text", 1,
		PLAIN, "\0", CONSTANT, varuint(391), varuint(391), CONSTANT,
		string('x')),
	bad('a long array of one long text in a dictionary', qr/limit/,
		"$array$text", 1, PLAIN, "\0", CONSTANT, varuint(2000),
		varuint(2000), DICTIONARY, varuint(1), block(images('x' x 5000)),
		integers((0) x 2000)),
	bad('a long array of few bits', qr/limit/, "$array$int4", 1,
		PLAIN, "\0", CONSTANT, varuint(922), varuint(922), FRAME,
		varint(0), "\1", lz4_block(116, "\x1B\0\1\0" . "\x50" . "\0" x 5)),
	bad('a long array of NULLs without a bitmap', qr/./, "$array$int4", 1,
		PLAIN, "\0", CONSTANT, varuint(100), varuint(100), WITH_NULLS,
		varuint(100)),
	bad('composites without fields in an array', qr/without fields/,
		"$array$nothing", 1, PLAIN, "\0", CONSTANT, "\1", varuint(1), PLAIN),
	bad('a record of no shape', qr/0 shapes/, "\x11", 1, PLAIN, varuint(0)),
	bad('1,025 shapes', qr/1025 shapes/, "\x11", 1025,
		PLAIN, varuint(1025), (varuint(0), varuint(1)) x 1025, PLAIN,
		"\2", block(pack('v*', 0 .. 1024))),
	bad('a shape of no record', qr/shape of 0/, "\x11", 1,
		PLAIN, varuint(1), varuint(0), varuint(0)),
	bad('a record without a shape', qr/without a shape/, "\x11", 2,
		PLAIN, varuint(1), varuint(0), varuint(1)),
	bad('a shape number that is none', qr/shape of a record/, "\x11", 2,
		PLAIN, varuint(2), (varuint(0), varuint(1)) x 2, integers(0, 2)),
	bad('shapes with other numbers', qr/shapes/, "\x11", 2,
		PLAIN, varuint(2), (varuint(0), varuint(1)) x 2, integers(1, 1)),
	bad('an unknown flag of a range', qr/flags 32/, $int4range, 1,
		PLAIN, integers(32), varuint(2), CONSTANT, "\2"),
	bad('an empty range with more flags', qr/flags 3/, $int4range, 1,
		PLAIN, integers(3), varuint(0), PLAIN),
	bad('fewer bounds', qr/bounds/, $int4range, 1,
		PLAIN, integers(0), varuint(1), CONSTANT, "\2"),
	bad('a bound that is NULL', qr/NULL/, $int4range, 1,
		PLAIN, integers(16), varuint(1), WITH_NULLS, varuint(1)),
	bad('a range that is NULL in a multirange', qr/./,
		builtin(19, 4451, $int4range), 1, PLAIN, integers(1), varuint(1),
		WITH_NULLS, varuint(1), block("\1")),
	bad('a lower bound of 33 bits', qr/32 bits/, "$array$int4", 1,
		PLAIN, "\1", integers(1), varuint(1), CONSTANT, "\1", CONSTANT,
		varuint(2**32), varuint(1), CONSTANT, "\2"),
	bad('dimensions with bits past the end', qr/past the end/,
		"$array$int4", 1, PLAIN, "\1", FRAME, varuint(1), "\1", block("\2"),
		varuint(1), CONSTANT, "\1", CONSTANT, "\2", varuint(1), CONSTANT,
		"\2"),
	bad('lengths with bits past the end', qr/past the end/,
		"$array$int4", 1, PLAIN, "\1", CONSTANT, "\1", varuint(1), FRAME,
		varuint(1), "\1", block("\2"), CONSTANT, "\2", varuint(1), CONSTANT,
		"\2"),
	bad('an empty range in a multirange', qr/empty range/,
		builtin(19, 4451, $int4range), 1, PLAIN, integers(1), varuint(1),
		PLAIN, integers(1), varuint(0), PLAIN),
);

run_cases(\@ARGV, @whole, @types, @nodes, @blocks, @values, @encodings,
	@nested, bad('zstd', qr/^unsupported: zstd/, $text, 1,
	PLAIN, zstd_block(100, "\0" x 40)));
