#!/usr/bin/env perl
#
# Broken rowsets for golden files, beside those of test/format/refusals.t: what
# only a server can see, because it knows types and character sets, and files
# that lack an end.
#
#   faults.pl --write FOLDER    as Rowset::Cases writes cases

use v5.36;
use FindBin;
use lib "$FindBin::RealBin/../format/lib";
use Rowset::Builder qw(:all);
use Rowset::Cases qw(run_cases);

use constant {
	PLAIN => "\x00", CONSTANT => "\x01", DICTIONARY => "\x02",
};

my $int4 = builtin(4, 23);
my $text = builtin(10, 25);
my $date = builtin(4, 1082);
my $time = builtin(5, 1083);
my $timestamp = builtin(5, 1114);
my $timetz = builtin(8, 1266, "\x0C");
my $inet = builtin(12, 869);
my $jsonb = builtin(12, 3802);
my $regclass = builtin(13, 2205);
my $mood = type_of(14, 'public', 'mood');
my $positive = type_of(20, 'public', 'positive', $int4);
my $day = type_of(20, 'public', 'day', $date);

# A rowset of one column whose reading as $type must fail.
sub bad ($name, $type, $bytes)
{
	return { name => $name, error => qr/./, type => $type, bytes => $bytes };
}

sub int4s (@values)
{
	return block(pack('l<*', @values));
}

sub int8s (@values)
{
	return block(pack('q<*', @values));
}

# One value stored as an image.
sub value ($bytes)
{
	return (PLAIN, block(images($bytes)));
}

# A zstd frame that holds these bytes as they are and gives their size.
sub zstd_frame ($bytes)
{
	return "\x28\xB5\x2F\xFD\x20" . chr(length $bytes)
	  . substr(pack('V', length($bytes) << 3 | 1), 0, 3) . $bytes;
}

sub zstd_case ($name, $frame)
{
	return bad("zstd, $name", 'integer',
		rowset($int4, 2, PLAIN, zstd_block(8, $frame)));
}

my $valid = rowset($int4, 2, PLAIN, int4s(1, 2));
my $header = header([ field(v => $int4) ]);
my $eight = pack('l<*', 1, 2);

my @ends = (
	bad('ends in the magic', 'integer', substr($valid, 0, 3)),
	bad('ends after the version', 'integer', substr($valid, 0, 8)),
	bad('ends in the header', 'integer', substr($valid, 0, 15)),
	bad('ends after the header', 'integer', $header),
	bad('ends in the group header', 'integer',
		substr($valid, 0, length($header) + 5)),
	bad('ends in the body', 'integer', substr($valid, 0, -15)),
	bad('ends in the trailer', 'integer', substr($valid, 0, -6)),
	bad('ends a byte early', 'integer', substr($valid, 0, -1)),
	bad('begins a byte late', 'integer', substr($valid, 1)),
	bad('is twice there', 'integer', $valid x 2),
	bad('is something else', 'integer', "\x89PNG\r\n\x1A\n" . "\0" x 40),
);

my @texts = (
	bad('text that is not UTF-8', 'text', rowset($text, 1, value("a\xFFb"))),
	bad('text that ends in a character', 'text',
		rowset($text, 1, value("a\xC3"))),
	bad('text in too many bytes', 'text',
		rowset($text, 1, value("\xC0\xAF"))),
	bad('text of a surrogate', 'text',
		rowset($text, 1, value("\xED\xA0\x80"))),
	bad('constant text that is not UTF-8', 'text',
		rowset($text, 2, CONSTANT, string("\xFF"))),
	bad('an entry that is not UTF-8', 'text',
		rowset($text, 2, DICTIONARY, varuint(1), block(images("\xFF")),
			integers(0, 0))),
	bad('a column name that is not UTF-8', 'integer',
		header([ field("\xFF", $int4) ]) . trailer()),
);

my @values = (
	bad('a date past the last', 'date',
		rowset($date, 1, PLAIN, int4s(2147483646))),
	bad('a date before the first', 'date',
		rowset($date, 1, PLAIN, int4s(-2451546))),
	bad('a time past 24 hours', 'time',
		rowset($time, 1, PLAIN, int8s(86_400_000_001))),
	bad('a time below 0', 'time', rowset($time, 1, PLAIN, int8s(-1))),
	bad('a timestamp past the last', 'timestamp',
		rowset($timestamp, 1, PLAIN, int8s(9223372036854775806))),
	bad('a time zone of 16 hours', 'timetz',
		rowset($timetz, 1, PLAIN, block(pack('q<l<', 0, 57600)))),
	bad('an inet that is too short', 'inet',
		rowset($inet, 1, value("\x02\x20\x00\x04\x7F"))),
	bad('an inet with bytes left over', 'inet',
		rowset($inet, 1, value("\x02\x20\x00\x04\x7F\x00\x00\x01\x00"))),
	bad('a jsonb that is no JSON', 'jsonb',
		rowset($jsonb, 1, value("\x01{"))),
	bad('a table that does not exist', 'regclass',
		rowset($regclass, 1, value('no_such_table'))),
	bad('a label that the enum has not', 'mood',
		rowset($mood, 1, value('glad'))),
	bad('a value that the domain has not', 'positive',
		rowset($positive, 1, PLAIN, int4s(0))),
	bad('NULL in a domain that has none', 'day',
		rowset($day, 1, "\x10", varuint(1))),
);

my @zstd = (
	zstd_case('no frame', 'x' x 12),
	zstd_case('a frame of a smaller size', zstd_frame(substr($eight, 0, 4))),
	zstd_case('a frame of a larger size', zstd_frame($eight . 'xxxx')),
	zstd_case('a frame cut off', substr(zstd_frame($eight), 0, -1)),
	zstd_case('a byte after the frame', zstd_frame($eight) . "\0"),
	zstd_case('two frames',
		zstd_frame(substr($eight, 0, 4)) . zstd_frame(substr($eight, 4))),
	zstd_case('a frame to skip',
		zstd_frame($eight) . "\x50\x2A\x4D\x18" . pack('V', 0)),
);

run_cases(\@ARGV, @ends, @texts, @values, @zstd);
