#!/usr/bin/env perl
#
# Every encoding of doc/rowset_format.md, sections 6 and 7, in rowsets that are
# built by hand: also those that the writer does not choose yet.

use v5.36;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Test::More;
use Rowset::Bytes qw(crc32c);
use Rowset::Builder qw(:all);
use Rowset::Cases qw(run_cases);

my %builtin = (
	boolean => builtin(1, 16),
	'"char"' => builtin(2, 18),
	smallint => builtin(3, 21),
	integer => builtin(4, 23),
	oid => builtin(4, 26),
	date => builtin(4, 1082),
	bigint => builtin(5, 20),
	xid8 => builtin(5, 5069),
	timestamp => builtin(5, 1114),
	real => builtin(6, 700),
	'double precision' => builtin(7, 701),
	uuid => builtin(8, 2950, chr(16)),
	numeric => builtin(9, 1700),
	text => builtin(10, 25),
	name => builtin(10, 19),
	bytea => builtin(11, 17),
	record => "\x11",
);
my $array = "\x0F";
my $int4range = builtin(18, 3904, $builtin{integer});
my %nested = (
	int4range => $int4range,
	int4multirange => builtin(19, 4451, $int4range),
	pair => type_of(16, 'public', 'pair',
		varuint(2) . field(a => $builtin{integer})
		  . field(b => $builtin{text})),
);

# A case: its name, the column's type in SQL, the pieces of the only node, and
# the values that it stands for.
sub case ($name, $type, $pieces, @values)
{
	my $bytes = $builtin{$type} // $nested{$type};

	$bytes //= $array . $builtin{ $type =~ s/\[\]$//r }
	  if $type =~ /\[\]$/;
	return {
		name => $name,
		type => $type,
		bytes => rowset($bytes, scalar @values, $pieces->@*),
		values => \@values,
	};
}

# The encodings' codes and the flags, each the first piece of a node.
use constant {
	PLAIN => "\x00", CONSTANT => "\x01", DICTIONARY => "\x02",
	FRAME => "\x03", DELTA => "\x04", DELTA2 => "\x05", RUNS => "\x06",
	SCALED => "\x07", BITS => "\x08", NULLS => 0x10, MINMAX => 0x20,
};

my $least = -9223372036854775807 - 1;
my $greatest = 9223372036854775807;

sub int4s (@values)
{
	return block(pack('l<*', @values));
}

sub float8s (@values)
{
	return block(pack('d<*', @values));
}

# Bitmap and count for "with NULLs".
sub nulls ($count, $bits)
{
	return (varuint($count), block(pack('b*', $bits)));
}

sub flagged ($encoding, $flags)
{
	return chr(ord($encoding) | $flags);
}

my @cases = (
	# PLAIN and CONSTANT
	case('plain int', 'integer', [ PLAIN, int4s(1, -2, 3) ], 1, -2, 3),
	case('plain booleans', 'boolean', [ PLAIN, block("\x01\x00") ], 't', 'f'),
	case('plain "char" is signed', '"char"', [ PLAIN, block("a\x00") ], 'a',
		''),
	case('plain uuid', 'uuid', [ PLAIN, block(pack('C*', 1 .. 16)) ],
		'01020304-0506-0708-090a-0b0c0d0e0f10'),
	case('NULLs', 'integer',
		[ flagged(PLAIN, NULLS), nulls(2, '10010'), int4s(7, 8, 9) ],
		undef, 7, 8, undef, 9),
	case('all NULL', 'integer', [ flagged(PLAIN, NULLS), varuint(3) ],
		undef, undef, undef),
	case('constant int', 'integer', [ CONSTANT, varint(-5) ], -5, -5, -5),
	case('constant oid', 'oid', [ CONSTANT, varint(-1) ], 4294967295),
	case('constant bigint', 'bigint', [ CONSTANT, varint($least) ], $least),
	case('constant boolean', 'boolean', [ CONSTANT, "\x01" ], 't', 't'),
	case('constant text', 'text', [ CONSTANT, string('x') ], 'x', 'x'),
	case('constant float', 'double precision',
		[ CONSTANT, pack('d<', 0.1) ], '0.1', '0.1'),
	case('constant numeric', 'numeric',
		[ CONSTANT, string(pack('v3', 1, 0, 2)) ], '2.0', '2.0'),
	case('constant with NULLs', 'integer',
		[ flagged(CONSTANT, NULLS), nulls(1, '01'), varint(4) ], 4, undef),
	case('short and long images', 'text',
		[ PLAIN, block(images('', 'a', 'b' x 126, 'c' x 127, 'd',
				'e' x 300, 'f' x 128)) ],
		'', 'a', 'b' x 126, 'c' x 127, 'd', 'e' x 300, 'f' x 128),

	case('long images whose header begins with a zero byte', 'text',
		[ PLAIN, block(images('a' x 188, 'b', 'c' x 252, 'd' x 188)) ],
		'a' x 188, 'b', 'c' x 252, 'd' x 188),

	# DICTIONARY, with its indexes in every encoding of integers
	case('dictionary of text', 'text',
		[ DICTIONARY, varuint(2), block(images('x', 'y')),
			integers(1, 0, 1) ], 'y', 'x', 'y'),
	case('dictionary of int', 'integer',
		[ DICTIONARY, varuint(2), int4s(10, 20), integers(0, 1, 1) ],
		10, 20, 20),
	case('dictionary of bytea', 'bytea',
		[ DICTIONARY, varuint(1), block(images("\0")), CONSTANT, "\x00" ],
		'\x00', '\x00'),
	case('indexes of two bytes', 'integer',
		[ DICTIONARY, varuint(2), int4s(10, 20), PLAIN, "\x02",
			block(pack('v*', 0, 1)) ], 10, 20),
	case('indexes of four bytes', 'integer',
		[ DICTIONARY, varuint(2), int4s(10, 20), PLAIN, "\x04",
			block(pack('V*', 0, 1)) ], 10, 20),
	case('indexes of eight bytes', 'integer',
		[ DICTIONARY, varuint(2), int4s(10, 20), PLAIN, "\x08",
			block(pack('Q<*', 0, 1)) ], 10, 20),
	case('indexes in FRAME', 'integer',
		[ DICTIONARY, varuint(3), int4s(10, 20, 30), FRAME, varuint(1), "\x01",
			packed(1, 0, 1, 1) ], 20, 30, 30),
	case('indexes in DELTA', 'integer',
		[ DICTIONARY, varuint(3), int4s(10, 20, 30), DELTA, varint(2),
			varint(-2), "\x02", packed(2, 1, 3) ], 30, 20, 30),
	case('indexes in DELTA2', 'integer',
		[ DICTIONARY, varuint(3), int4s(10, 20, 30), DELTA2, varint(0),
			varint(1), varint(-2), "\x02", packed(2, 2, 0) ],
		10, 20, 30, 20),
	case('indexes in RUNS', 'integer',
		[ DICTIONARY, varuint(3), int4s(10, 20, 30), RUNS, varuint(2),
			integers(2, 0), integers(1, 2) ], 30, 10, 10),

	# FRAME
	case('frame', 'integer',
		[ FRAME, varint(-5), "\x03", packed(3, 0, 7, 3) ], -5, 2, -2),
	case('frame of dates', 'date',
		[ FRAME, varint(8000), "\x01", packed(1, 0, 1) ],
		'2021-11-26', '2021-11-27'),
	case('frame of oids', 'oid',
		[ FRAME, varint(-2), "\x02", packed(2, 0, 3) ], 4294967294, 1),
	case('frame of "char"', '"char"',
		[ FRAME, varint(65), "\x05", packed(5, 0, 25) ], 'A', 'Z'),
	case('frame of smallint', 'smallint',
		[ FRAME, varint(-32768), "\x10", packed(16, 0, 65535) ],
		-32768, 32767),
	case('frame of 64 bits', 'bigint',
		[ FRAME, varint($least), "\x40",
			packed(64, 0, 18446744073709551615, 9223372036854775808) ],
		$least, $greatest, 0),
	case('frame with NULLs and minmax', 'integer',
		[ flagged(FRAME, NULLS | MINMAX), nulls(1, '010'), varint(1),
			varint(2), varint(1), "\x01", packed(1, 0, 1) ], 1, undef, 2),

	# DELTA and DELTA2
	case('delta', 'integer',
		[ DELTA, varint(100), varint(-3), "\x03", packed(3, 0, 7, 4) ],
		100, 97, 101, 102),
	case('delta of one value', 'integer',
		[ DELTA, varint(100), varint(0), "\x00", packed(0) ], 100),
	case('delta of no bits', 'bigint',
		[ DELTA, varint(5), varint(10), "\x00", packed(0) ], 5, 15, 25),
	case('delta over half of the range', 'bigint',
		[ DELTA, varint($least), varint(0), "\x3F",
			packed(63, $greatest, $greatest) ], $least, -1, $greatest - 1),
	case('delta of unsigned numbers', 'xid8',
		[ DELTA, varint(-2), varint(1), "\x00", packed(0) ],
		'18446744073709551614', '18446744073709551615', 0),
	case('delta2', 'integer',
		[ DELTA2, varint(10), varint(5), varint(-1), "\x02",
			packed(2, 1, 0, 3) ], 10, 15, 20, 24, 30),
	case('delta2 of two values', 'integer',
		[ DELTA2, varint(10), varint(-5), varint(0), "\x00", packed(0) ],
		10, 5),
	case('delta2 of times', 'timestamp',
		[ DELTA2, varint(0), varint(60_000_000), varint(0), "\x00",
			packed(0) ],
		'2000-01-01 00:00:00', '2000-01-01 00:01:00', '2000-01-01 00:02:00'),

	# RUNS
	case('runs', 'integer',
		[ RUNS, varuint(2), PLAIN, int4s(7, -7), integers(2, 1) ], 7, 7, -7),
	case('runs of equal lengths', 'integer',
		[ RUNS, varuint(2), PLAIN, int4s(7, -7), CONSTANT, "\x02" ],
		7, 7, -7, -7),
	case('runs with NULLs', 'date',
		[ flagged(RUNS, NULLS), nulls(1, '0100'), varuint(2), PLAIN,
			int4s(0, 1), integers(2, 1) ],
		'2000-01-01', undef, '2000-01-01', '2000-01-02'),
	case('runs of a frame', 'integer',
		[ RUNS, varuint(2), FRAME, varint(5), "\x01", packed(1, 1, 0),
			integers(1, 2) ], 6, 5, 5),
	case('runs of a delta', 'integer',
		[ RUNS, varuint(2), DELTA, varint(5), varint(1), "\x00", packed(0),
			FRAME, varuint(1), "\x01", packed(1, 1, 0) ], 5, 5, 6),
	case('one run', '"char"',
		[ RUNS, varuint(1), CONSTANT, varint(65), CONSTANT, "\x03" ],
		'A', 'A', 'A'),

	# SCALED
	case('scaled numeric', 'numeric',
		[ SCALED, "\x00", varuint(2), varuint(2), PLAIN,
			block(pack('q<*', 0, 5, -1999, 123456)) ],
		'0.00', '0.05', '-19.99', '1234.56'),
	case('scaled numeric of scale 0', 'numeric',
		[ SCALED, "\x00", varuint(0), varuint(0), PLAIN,
			block(pack('q<*', 10000, $least, $greatest)) ],
		10000, $least, $greatest),
	case('scaled numeric of scale 16', 'numeric',
		[ SCALED, "\x00", varuint(16), varuint(16), PLAIN,
			block(pack('q<*', 1, $least)) ],
		'0.0000000000000001', '-922.3372036854775808'),
	case('scaled numeric with more decimals', 'numeric',
		[ SCALED, "\x00", varuint(1), varuint(63), CONSTANT, varint(5) ],
		'0.5' . '0' x 62),
	case('scaled numeric with display scales', 'numeric',
		[ SCALED, "\x01", varuint(1), integers(1, 3, 0), FRAME, varint(5),
			"\x03", packed(3, 0, 5, 5) ], '0.5', '1.000', '1'),
	case('scaled numeric with exceptions', 'numeric',
		[ SCALED, "\x02", varuint(1), varuint(1), varuint(2), integers(0, 2),
			block(images(pack('v2', 0xC000, 0), pack('v3', 20, 1, 1))),
			DELTA, varint(9), varint(-6), "\x04", packed(4, 0, 15) ],
		'NaN', '0.3', '10000.' . '0' x 20),
	case('scaled double', 'double precision',
		[ SCALED, "\x00", varuint(1), PLAIN, block(pack('q<*', 1, -25, 0)) ],
		'0.1', '-2.5', '0'),
	case('scaled double of large integers', 'double precision',
		[ SCALED, "\x00", varuint(16), PLAIN,
			block(pack('q<*', $greatest, 1)) ],
		'922.3372036854776', '1e-16'),
	case('scaled double with exceptions', 'double precision',
		[ SCALED, "\x02", varuint(2), varuint(3), integers(0, 1, 3),
			float8s(-0.0, 1e300, 9**9**9), RUNS, varuint(3), PLAIN,
			block(pack('q<*', 0, 314, 0)), integers(2, 1, 1) ],
		'-0', '1e+300', '3.14', 'Infinity'),
	case('scaled real', 'real',
		[ SCALED, "\x00", varuint(1), PLAIN,
			block(pack('q<*', 1, 16777217)) ], '0.1', '1.6777218e+06'),

	# BITS
	case('bits', 'boolean', [ BITS, block("\x05\x02") ],
		qw(t f t f f f f f f t)),
	case('bits with NULLs', 'boolean',
		[ flagged(BITS, NULLS), nulls(1, '010'), block("\x02") ],
		'f', undef, 't'),

	# minmax of other shapes
	case('minmax of doubles', 'double precision',
		[ flagged(PLAIN, MINMAX), pack('d<2', 1, 2), float8s(2, 1) ], 2, 1),
	case('minmax of a name', 'name',
		[ flagged(PLAIN, MINMAX), string('a'), string('b'),
			block(images('b', 'a')) ], 'b', 'a'),
	case('minmax of bytea', 'bytea',
		[ flagged(CONSTANT, MINMAX), string('a'), string('a'), string('a') ],
		'\x61'),

	case('minmax of oids, which are unsigned', 'oid',
		[ flagged(PLAIN, MINMAX), varint(7), varint(-1), int4s(8, -1, 7) ],
		8, 4294967295, 7),
	case('minmax of numerics', 'numeric',
		[ flagged(PLAIN, MINMAX), string(pack('v3', 0x4000, 1, 1)),
			string(pack('v4', 1, 0, 1, 5000)),
			block(images(pack('v3', 0x4000, 0, 9999), pack('v3', 0, 0, 1),
					pack('v4', 1, 0, 1, 5000), pack('v3', 0x4000, 1, 1))) ],
		-9999, 1, '1.5', -10000),

	# compression
	case('LZ4, literals only', 'integer',
		[ PLAIN, lz4_block(8, "\x80" . pack('l<*', 1, 2)) ], 1, 2),
	case('LZ4, a match that overlaps itself', 'text',
		[ PLAIN, lz4_block(22, "\x2B\x2Da\x01\x00\x50aaaaa") ], 'a' x 21),
	case('LZ4, long lengths', 'bytea',
		[ PLAIN, lz4_block(1004,
				"\x5F" . pack('V', 4016) . "x\x01\x00\xFF\xFF\xFF\xD2"
				  . "\x50xxxxx") ], '\x' . '78' x 1000),

	# nested
	case('arrays', 'integer[]',
		[ PLAIN, "\x00", integers(2, 0, 1), varuint(3), FRAME, varint(1),
			"\x02", packed(2, 0, 1, 2) ], '{1,2}', '{}', '{3}'),
	case('long arrays of one value', 'integer[]',
		[ PLAIN, "\x00", CONSTANT, varuint(409), varuint(409), CONSTANT,
			varint(7) ], '{' . join(',', (7) x 409) . '}'),
	case('long arrays of one text', 'text[]',
		[ PLAIN, "\x00", CONSTANT, varuint(390), varuint(390), CONSTANT,
			string('x') ], '{' . join(',', ('x') x 390) . '}'),
	case('arrays with NULLs in and among them', 'integer[]',
		[ flagged(PLAIN, NULLS), nulls(1, '01'), "\x00", CONSTANT, "\x03",
			varuint(3), flagged(PLAIN, NULLS), nulls(2, '101'), int4s(5) ],
		'{NULL,5,NULL}', undef),
	case('arrays of NULLs keep the bitmap', 'integer[]',
		[ PLAIN, "\x00", integers(2), varuint(2), flagged(PLAIN, NULLS),
			nulls(2, '11') ], '{NULL,NULL}'),
	case('empty arrays', 'text[]',
		[ PLAIN, "\x00", CONSTANT, "\x00", varuint(0), PLAIN ],
		'{}', '{}'),
	case('arrays of the second form', 'text[]',
		[ PLAIN, "\x01", integers(2, 0, 1), varuint(3), integers(2, 2, 1),
			integers(2, 0, 13), varuint(5), PLAIN,
			block(images(qw(a b c d e))) ],
		'[1:2][0:1]={{a,b},{c,d}}', '{}', '[-7:-7]={e}'),
	case('arrays of the second form, all empty', 'integer[]',
		[ PLAIN, "\x01", CONSTANT, "\x00", varuint(0), PLAIN, PLAIN,
			varuint(0), PLAIN ], '{}', '{}'),
	case('composites', 'pair',
		[ PLAIN, DELTA, varint(1), varint(1), "\x00", packed(0),
			flagged(CONSTANT, NULLS), nulls(1, '10'), string('x y') ],
		'(1,)', '(2,"x y")'),
	case('records of one shape', 'record',
		[ PLAIN, varuint(1), varuint(1), field(f1 => $builtin{integer}),
			varuint(2), FRAME, varint(1), "\x01", packed(1, 0, 1) ],
		'(1)', '(2)'),
	case('records of two shapes', 'record',
		[ PLAIN, varuint(2), varuint(1), field(f1 => $builtin{integer}),
			varuint(2), varuint(0), varuint(1), integers(0, 1, 0), RUNS,
			varuint(1), CONSTANT, varint(4), CONSTANT, "\x02" ],
		'(4)', '()', '(4)'),
	case('ranges', 'int4range',
		[ PLAIN, FRAME, varuint(1), "\x05", packed(5, 0, 1, 7, 23),
			varuint(3), DELTA, varint(1), varint(1), "\x00", packed(0) ],
		'empty', '[1,2)', '(,3)', '(,)'),
	case('multiranges', 'int4multirange',
		[ PLAIN, integers(2, 0), varuint(2), PLAIN, CONSTANT, "\x02",
			varuint(4), DELTA, varint(1), varint(2), "\x00", packed(0) ],
		'{[1,3),[5,7)}', '{}'),
);

if (!@ARGV)
{
	is(crc32c('123456789'), 0xE3069283, 'CRC-32C');
	is(crc32c("\0" x 32), 0x8A9136AA, 'CRC-32C of zeros');
	is(length(images('a', 'b' x 127)), 3 + 1 + 4 + 127, 'padding');
}
run_cases(\@ARGV, @cases);
