package Rowset::Encodings;

# Makes values of a node of a scalar shape, or of integers that describe other
# values, and its group's body (section 6 of doc/rowset_format.md).
#
# A value is a number for the shapes BOOL and INT1 to INT8; the plain bytes for
# FLOAT4, FLOAT8 and FIXED; an image's payload for the others.

use v5.36;
use Exporter qw(import);
use Math::BigInt;
use Rowset::Bytes qw(invalid unsupported lz4_decode bits_of);
use Rowset::Node qw(width_of EACH);
use Rowset::Order qw(check_minmax);

our @EXPORT_OK = qw(scalar_values block_bytes check_below check_total);

use constant MAX_DISPLAY_SCALE => 63;

# How unpack reads one plain value of each shape of integers.
my %templates =
  (BOOL => 'C', INT1 => 'c', INT2 => 's<', INT4 => 'l<', INT8 => 'q<');
my %uint_templates = (1 => 'C', 2 => 'v', 4 => 'V', 8 => 'Q<');

my %limits = (
	INT1 => [ -2**7, 2**7 - 1 ],
	INT2 => [ -2**15, 2**15 - 1 ],
	INT4 => [ -2**31, 2**31 - 1 ],
	INT8 => [ -9223372036854775807 - 1, 9223372036854775807 ],
	UINT => [ 0, 18446744073709551615 ],
);

my @decoders = (
	\&plain_values, \&constant_values, \&dictionary_values,
	\&frame_values, \&delta_values, \&delta2_values, \&runs_values,
	\&scaled_values, \&bits_values,
);

# The m values that are not NULL, in a list that is given by reference.
sub scalar_values ($node, $body)
{
	return [] if !$node->{m};

	my $type = $node->{type};
	my $minmax = $node->{minmax};
	my $values = $decoders[ $node->{encoding} ]->($node, $body);

	check_value($type, $_) for $values->@*, $minmax ? $minmax->@* : ();
	check_allowance($node, $values);
	check_minmax($type, $minmax, $values) if $minmax;
	return $values;
}

# The bytes of a block, decompressed.
sub block_bytes ($block, $body)
{
	my $bytes = substr($body, $block->{at}, $block->{stored});

	unsupported('zstd; set rowser.compression to none or lz4')
	  if $block->{method} == 2;
	return $block->{method} ? lz4_decode($bytes, $block->{raw}) : $bytes;
}

# ------------------------------------------------------- what is allowed

# Refuse a value that its shape can't have.
sub check_value ($type, $value)
{
	my $shape = $type->{shape};
	my $limits = $limits{$shape};

	if ($limits)
	{
		invalid("$value does not fit $shape")
		  if $value < $limits->[0] || $value > $limits->[1];
	}
	elsif ($shape eq 'BOOL')
	{
		invalid("boolean $value") if $value > 1;
	}
	elsif ($shape eq 'NUMERIC')
	{
		check_numeric($value);
	}
	elsif ($shape =~ /^(?:TEXT|OUTPUT|LABEL)$/)
	{
		invalid('zero byte in text') if index($value, "\0") >= 0;
	}
	return;
}

# A numeric has one form only (section 6.4).
sub check_numeric ($payload)
{
	my ($header, $weight, @digits) = unpack('v*', $payload);

	invalid('numeric of ' . length($payload) . ' bytes')
	  if length($payload) < 4 || length($payload) % 2;
	invalid('numeric with a digit above 9999') if grep { $_ > 9999 } @digits;
	if ($header >= 0xC000)
	{
		invalid('special numeric')
		  if $header !~ /^(?:49152|53248|61440)$/ || $weight || @digits;
	}
	elsif (!@digits)
	{
		invalid('numeric 0 with sign or weight')
		  if $header >= 0x4000 || $weight;
	}
	else
	{
		invalid('sign of a numeric') if $header >= 0x8000;
		invalid('numeric with a digit too many') if !$digits[0] || !$digits[-1];
	}
	return;
}

# Refuse images that few bytes stand for in an array.
sub check_allowance ($node, $values)
{
	my $allowance = $node->{allowance} // return;
	my $width = width_of($node->{type});
	my $size = 0;

	$size += EACH + ($width // 4 + length) for $values->@*;
	invalid('values above the limit in an array') if $size > $allowance;
	return;
}

# ------------------------------------------------------------- encodings

sub plain_values ($node, $body)
{
	my $bytes = block_bytes($node->{block}, $body);

	return [ unpack("($uint_templates{ $node->{width} })*", $bytes) ]
	  if defined $node->{width};
	return split_plain($node->{type}, $node->{m}, $bytes);
}

# Take $count values in plain form out of a block.
sub split_plain ($type, $count, $bytes)
{
	my $template = $templates{ $type->{shape} };
	my $width = width_of($type);

	return [ unpack("($template)*", $bytes) ] if $template;
	return [ unpack("(a$width)*", $bytes) ] if $width;
	return split_images($count, $bytes);
}

# Images, section 6.3.
sub split_images ($count, $bytes)
{
	my $in = Rowset::Bytes->new($bytes, 'a block of images');
	my @payloads = map { read_image($in) } 1 .. $count;

	$in->done;
	return \@payloads;
}

# A byte whose lowest bit is set begins a short image.  Anything else does at a
# multiple of four only, after zero bytes.
sub read_image ($in)
{
	my $first = $in->u8;

	if ($first & 1)
	{
		invalid('image of less than nothing') if $first < 3;
		return $in->take(($first - 1) / 2 - 1);
	}
	while (($in->at - 1) % 4 != 0)
	{
		invalid('padding of an image') if $first != 0;
		$first = $in->u8;
	}
	my $header = unpack('V', pack('C', $first) . $in->take(3));
	my $size = ($header >> 2) - 4;

	invalid('header of an image') if $header & 3 || $size < 127;
	return $in->take($size);
}

sub constant_values ($node, $body)
{
	return [ ($node->{value}) x $node->{m} ];
}

sub dictionary_values ($node, $body)
{
	my $count = $node->{count};
	my $entries = split_plain($node->{type}, $count,
		block_bytes($node->{block}, $body));
	my $indexes = scalar_values($node->{indexes}, $body);

	check_value($node->{type}, $_) for $entries->@*;
	check_below($count, $indexes, 'index into a dictionary');
	return [ $entries->@[ $indexes->@* ] ];
}

# Each of these numbers must be below $count.
sub check_below ($count, $numbers, $what)
{
	for my $number ($numbers->@*)
	{
		invalid("$what, $number of $count") if $number >= $count;
	}
	return;
}

sub frame_values ($node, $body)
{
	return [ map { sum($node->{first}, $_) } packed($node, $body) ];
}

sub delta_values ($node, $body)
{
	my @values = $node->{first};

	for my $number (packed_changes($node, $body))
	{
		push @values, sum($values[-1], sum($node->{least}, $number));
	}
	return \@values;
}

sub delta2_values ($node, $body)
{
	my $step = $node->{step};
	my @values = ($node->{first}, sum($node->{first}, $step));

	for my $number (packed_changes($node, $body))
	{
		$step = sum($step, sum($node->{least}, $number));
		push @values, sum($values[-1], $step);
	}
	return \@values;
}

# Unsigned numbers of a node's number of bits, lowest bit first.
sub packed ($node, $body)
{
	my ($count, $width) = $node->@{qw(count bits)};
	my $bits = bits_of(block_bytes($node->{block}, $body), $count * $width);

	return (0) x $count if !$width;
	return map { unpack('Q<', pack('b64', $_)) } unpack("(a$width)*", $bits);
}

# Such numbers that are added to others, and signed therefore.
sub packed_changes ($node, $body)
{
	my @numbers = packed($node, $body);

	invalid('packed number of 64 bits')
	  if grep { $_ > $limits{INT8}[1] } @numbers;
	return @numbers;
}

# A sum of two numbers, which must fit 64 bits, signed.  What is far from the
# ends can't leave them; nearer to them, Perl would go on in floating point.
sub sum ($one, $other)
{
	return $one + $other if abs($one) < 2**60 && abs($other) < 2**60;

	my $sum = Math::BigInt->new($one)->badd($other);
	invalid('a sum does not fit 64 bits')
	  if $sum->bcmp($limits{INT8}[0]) < 0 || $sum->bcmp($limits{INT8}[1]) > 0;
	return 0 + $sum->bstr;
}

sub runs_values ($node, $body)
{
	my $values = scalar_values($node->{values}, $body);
	my $lengths = scalar_values($node->{lengths}, $body);
	my $m = $node->{m};

	check_total($m, $lengths, 1, 'lengths of runs');
	return [ map { ($values->[$_]) x $lengths->[$_] } 0 .. $#$values ];
}

# These numbers must be $least or more, and sum up to $total.
sub check_total ($total, $numbers, $least, $what)
{
	my $left = $total;

	for my $number ($numbers->@*)
	{
		invalid("$what, $number of $left")
		  if $number < $least || $number > $left;
		$left -= $number;
	}
	invalid("$what, $left too few") if $left;
	return;
}

sub bits_values ($node, $body)
{
	my $bits = bits_of(block_bytes($node->{block}, $body), $node->{m});
	return [ split(//, $bits) ];
}

# Section 6.5.
sub scaled_values ($node, $body)
{
	my $integers = scalar_values($node->{integers}, $body);
	my $exceptions = exceptions_of($node, $body);
	my $make =
	  $node->{type}{shape} eq 'NUMERIC'
	  ? scaled_numeric($node, $body)
	  : scaled_float($node);

	return [ map { $exceptions->{$_} // $make->($integers->[$_], $_) }
		  0 .. $node->{m} - 1 ];
}

# How to make a numeric of an integer and its position.
sub scaled_numeric ($node, $body)
{
	my $scale = $node->{scale};
	my $scales = $node->{display_scales};

	return sub ($integer, $i)
	{
		return numeric_of($integer, $scale, $node->{display_scale});
	} if !$scales;
	$scales = scalar_values($scales, $body);
	check_below(MAX_DISPLAY_SCALE + 1, $scales, 'display scale');
	return sub ($integer, $i)
	{
		return numeric_of($integer, $scale, $scales->[$i]);
	};
}

# How to make a floating-point number of an integer.
sub scaled_float ($node)
{
	my $template = $node->{type}{shape} eq 'FLOAT4' ? 'f<' : 'd<';

	return sub ($integer, $i)
	{
		return pack($template, divided($integer, $node->{scale}));
	};
}

# (double) integer / 10^scale.  The integer becomes a double first, or Perl
# might divide integers.
sub divided ($integer, $scale)
{
	return unpack('d', pack('d', $integer)) / 10**$scale;
}

# The payload of the numeric $integer / 10^$scale.
sub numeric_of ($integer, $scale, $display_scale)
{
	invalid("$integer / 10^$scale has more than $display_scale decimals")
	  if $display_scale < $scale && $integer % 10**($scale - $display_scale);
	return pack('v2', $display_scale, 0) if !$integer;

	my $sign = $integer < 0 ? 0x4000 : 0;
	my $digits = ($integer =~ s/^-//r);
	$digits .= '0' x (-$scale % 4);			# whole groups of four decimals
	my $decimals = int(($scale + 3) / 4);
	$digits = '0' x (-length($digits) % 4) . $digits;
	my @digits = unpack('(a4)*', $digits);
	my $weight = @digits - $decimals - 1;

	while ($digits[0] == 0)
	{
		shift @digits;
		$weight--;
	}
	pop @digits while $digits[-1] == 0;
	return pack('v s< v*', $sign | $display_scale, $weight, @digits);
}

# By position, the values that are no scaled integers.
sub exceptions_of ($node, $body)
{
	my $positions = $node->{positions} // return {};
	my $values = split_plain($node->{type}, $node->{count},
		block_bytes($node->{block}, $body));
	my $last = -1;

	$positions = scalar_values($positions, $body);
	check_below($node->{m}, $positions, 'position of an exception');
	for my $position ($positions->@*)
	{
		invalid('exceptions out of order') if $position <= $last;
		$last = $position;
	}
	return { map { $positions->[$_] => $values->[$_] } 0 .. $#$positions };
}

1;
