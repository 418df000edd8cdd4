package Rowset::Bytes;

# Primitives of the rowset format (sections 1 and 4.1 of
# doc/rowset_format.md): a cursor that never reads past its end, the checksum,
# and the LZ4 block decoder.  Everything is a byte string; this file knows
# nothing of types, groups or nodes.

use v5.36;
use Exporter qw(import);

our @EXPORT_OK = qw(invalid unsupported crc32c lz4_decode bits_of);

# Refuse the rowset: its bytes break a rule of the format.
sub invalid ($why)
{
	die "invalid rowset: $why\n";
}

# Refuse the rowset: it may be right, but this reader can't read it.
sub unsupported ($what)
{
	die "unsupported: $what\n";
}

# ---------------------------------------------------------------- cursor

sub new ($class, $bytes, $what)
{
	return bless { bytes => $bytes, at => 0, what => $what }, $class;
}

# The offset of the next byte.
sub at ($self)
{
	return $self->{at};
}

# How many bytes are left.
sub left ($self)
{
	return length($self->{bytes}) - $self->{at};
}

# The next $size bytes.
sub take ($self, $size)
{
	invalid("$self->{what} ends too early") if $size > $self->left;
	my $taken = substr($self->{bytes}, $self->{at}, $size);
	$self->{at} += $size;
	return $taken;
}

# All bytes from offset $from to here.
sub since ($self, $from)
{
	return substr($self->{bytes}, $from, $self->{at} - $from);
}

# Refuse bytes that nothing has read.
sub done ($self)
{
	invalid($self->left . " bytes too many in $self->{what}") if $self->left;
	return;
}

sub u8 ($self)
{
	return unpack('C', $self->take(1));
}

sub u32 ($self)
{
	return unpack('V', $self->take(4));
}

# Unsigned, seven bits a byte, lowest first, in the shortest form.
sub varuint ($self)
{
	my $value = 0;

	for (my $shift = 0;; $shift += 7)
	{
		my $byte = $self->u8;

		invalid('varuint above 64 bits') if $shift == 63 && $byte > 1;
		$value |= ($byte & 0x7F) << $shift;
		next if $byte & 0x80;
		invalid('varuint not in its shortest form') if $shift && !$byte;
		return $value;
	}
}

# Signed, in zigzag.
sub varint ($self)
{
	return zigzag($self->varuint);
}

sub zigzag ($value)
{
	my $half = $value >> 1;
	return $value & 1 ? -$half - 1 : $half;
}

sub string ($self)
{
	return $self->take($self->varuint);
}

sub text ($self)
{
	my $text = $self->string;
	invalid('zero byte in text') if index($text, "\0") >= 0;
	return $text;
}

# The checksum that stands here must be that of $bytes.
sub check_crc ($self, $bytes, $of)
{
	invalid("checksum of $of does not match") if $self->u32 != crc32c($bytes);
	return;
}

# -------------------------------------------------------------- checksum

my @crc_table = map { crc_entry($_) } 0 .. 255;

sub crc_entry ($crc)
{
	$crc = $crc & 1 ? ($crc >> 1) ^ 0x82F63B78 : $crc >> 1 for 1 .. 8;
	return $crc;
}

# CRC-32C; 0x82F63B78 is 0x1EDC6F41 with its bits in reverse.
sub crc32c ($bytes)
{
	my $crc = 0xFFFFFFFF;

	for my $byte (unpack('C*', $bytes))
	{
		$crc = ($crc >> 8) ^ $crc_table[ ($crc ^ $byte) & 0xFF ];
	}
	return $crc ^ 0xFFFFFFFF;
}

# ------------------------------------------------------------------- LZ4

# Decode one LZ4 block of exactly $size bytes.
sub lz4_decode ($packed, $size)
{
	my $in = Rowset::Bytes->new($packed, 'LZ4 block');
	my $out = '';

	while (1)
	{
		my $token = $in->u8;

		$out .= $in->take(lz4_length($in, $token >> 4));
		last if !$in->left;
		my $distance = unpack('v', $in->take(2));
		my $length = lz4_length($in, $token & 15) + 4;

		invalid('LZ4 match before the start')
		  if !$distance || $distance > length($out);
		invalid('LZ4 block too long') if length($out) + $length > $size;
		my $period = substr($out, -$distance);
		my $times = int(($length + $distance - 1) / $distance);
		$out .= substr($period x $times, 0, $length);
	}
	invalid('LZ4 block of the wrong size') if length($out) != $size;
	return $out;
}

# A length of four bits; 15 goes on in the following bytes.
sub lz4_length ($in, $length)
{
	return $length if $length < 15;
	while (1)
	{
		my $byte = $in->u8;

		$length += $byte;
		return $length if $byte < 255;
	}
}

# ------------------------------------------------------------------ bits

# The first $count bits of $bytes, lowest first, as a string of "0" and "1";
# the bits after them must be 0.
sub bits_of ($bytes, $count)
{
	my $bits = unpack('b*', $bytes);

	invalid('bits past the end are set') if index($bits, '1', $count) >= 0;
	return substr($bits, 0, $count);
}

1;
