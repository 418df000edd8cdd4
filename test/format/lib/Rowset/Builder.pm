package Rowset::Builder;

# Builds rowsets by hand, with right sizes and checksums, for encodings.t.
#
# A node is a list of pieces: a string goes into the group's header, a block
# (what block and lz4_block return) puts its description there and its bytes
# into the body.  The functions trust their arguments, so that wrong rowsets
# can be built as well.

use v5.36;
use Exporter qw(import);
use Rowset::Bytes qw(crc32c);

our @EXPORT_OK = qw(varuint varint string builtin type_of field block
  lz4_block zstd_block packed integers images rowset group trailer header);
our %EXPORT_TAGS = (all => \@EXPORT_OK);

sub varuint ($value)
{
	my $bytes = '';

	while ($value > 0x7F)
	{
		$bytes .= chr($value & 0x7F | 0x80);
		$value >>= 7;
	}
	return $bytes . chr($value);
}

sub varint ($value)
{
	return varuint($value < 0 ? (-($value + 1) << 1) + 1 : $value << 1);
}

sub string ($bytes)
{
	return varuint(length $bytes) . $bytes;
}

sub crc ($bytes)
{
	return pack('V', crc32c($bytes));
}

# A built-in type by its shape and OID, with more bytes after it.
sub builtin ($shape, $oid, $more = '')
{
	return chr($shape) . varuint($oid) . $more;
}

# A type by its shape and name.
sub type_of ($shape, $schema, $name, $more = '')
{
	return chr($shape | 0x80) . string($schema) . string($name) . $more;
}

sub field ($name, $type)
{
	return string($name) . $type;
}

# ---------------------------------------------------------------- blocks

sub block ($bytes)
{
	return {
		header => varuint(length($bytes) << 2),
		bytes => $bytes,
	};
}

# A block whose bytes are LZ4, or what claims to be.
sub lz4_block ($raw_size, $bytes)
{
	return compressed_block(1, $raw_size, $bytes);
}

sub zstd_block ($raw_size, $bytes)
{
	return compressed_block(2, $raw_size, $bytes);
}

sub compressed_block ($method, $raw_size, $bytes)
{
	return {
		header => varuint($raw_size << 2 | $method) . varuint(length $bytes),
		bytes => $bytes,
	};
}

# A block of unsigned numbers of $width bits each.
sub packed ($width, @numbers)
{
	my $bits = join('',
		map { substr(unpack('b64', pack('Q<', $_)), 0, $width) } @numbers);

	return block(pack('b*', $bits));
}

# The pieces of a node of integers, in encoding PLAIN of one byte each.
sub integers (@numbers)
{
	return ("\x00\x01", block(pack('C*', @numbers)));
}

# Images one after the other, padded as section 6.3 says.
sub images (@payloads)
{
	my $bytes = '';

	for my $payload (@payloads)
	{
		my $size = length $payload;

		if ($size <= 126)
		{
			$bytes .= chr(($size + 1) * 2 + 1) . $payload;
			next;
		}
		$bytes .= "\0" x (-length($bytes) % 4);
		$bytes .= pack('V', ($size + 4) * 4) . $payload;
	}
	return $bytes;
}

# ------------------------------------------------------------- the whole

# Fields, each as field gives it; $more are extensions.
sub header ($fields, $more = '', $version = "\x01\x00")
{
	my $rest = string('UTF8') . varuint(scalar $fields->@*)
	  . join('', $fields->@*) . $more;
	my $bytes = "\xFFRS\r\n\0" . $version . varuint(length($rest) + 4) . $rest;

	return $bytes . crc($bytes);
}

# A group of nodes, one a column.  Returns its bytes and its trailer's entry.
sub group ($rows, @nodes)
{
	my ($header, $body, $unit, $crcs) = ('', '', '', '');

	for my $node (@nodes)
	{
		my @blocks = grep { ref } $node->@*;
		my $column = join('', map { $_->{bytes} } @blocks);

		$header .= ref ? $_->{header} : $_ for $node->@*;
		$body .= $column;
		if (length $column >= 512 && $unit ne '')
		{
			$crcs .= crc($unit);
			$unit = '';
		}
		$unit .= $column;
		if (length $unit >= 512)
		{
			$crcs .= crc($unit);
			$unit = '';
		}
	}
	$crcs .= crc($unit) if $unit ne '';

	my $rest = varuint(length $body) . varuint($rows) . varuint(0) . $header
	  . $crcs;
	my $start = 'G' . varuint(length($rest) + 4) . $rest;
	$start .= crc($start);
	return ($start . $body,
		varuint(length($start . $body)) . varuint(length $start)
		  . varuint($rows));
}

sub trailer (@entries)
{
	my $bytes = 'T' . varuint(scalar @entries) . join('', @entries);

	$bytes .= crc($bytes);
	return $bytes . pack('V', length($bytes) + 4);
}

# A rowset of one column, called "v", in one group.
sub rowset ($type, $rows, @pieces)
{
	my ($group, $entry) = group($rows, \@pieces);

	return header([ field('v', $type) ]) . $group . trailer($entry);
}

1;
