package Rowset::Order;

# The order of values that minmax is in (section 6 of doc/rowset_format.md),
# and the check that a node's smallest and largest value are what they say.

use v5.36;
use Exporter qw(import);
use Rowset::Bytes qw(invalid);

our @EXPORT_OK = qw(check_minmax);

# Types whose integers are unsigned, by OID: oid, xid, cid, pg_lsn and xid8.
my %is_unsigned = map { $_ => 1 } 26, 28, 29, 3220, 5069;

# Each is an order of two values of Rowset::Values.
my %orders = (
	INT1 => \&by_number,
	INT2 => \&by_number,
	INT4 => \&by_number,
	INT8 => \&by_number,
	FLOAT4 => sub ($x, $y) { by_float('f<', $x, $y) },
	FLOAT8 => sub ($x, $y) { by_float('d<', $x, $y) },
	FIXED => \&by_bytes,
	NUMERIC => \&by_numeric,
	TEXT => \&by_bytes,
	BYTES => \&by_bytes,
);

# Refuse minmax that is not the smallest and the largest of these values.
sub check_minmax ($type, $minmax, $values)
{
	my $order =
	  $is_unsigned{ $type->{oid} // 0 }
	  ? \&by_unsigned
	  : $orders{ $type->{shape} };
	my ($least, $greatest) = $values->@[ 0, 0 ];

	for my $value ($values->@*)
	{
		$least = $value if $order->($value, $least) < 0;
		$greatest = $value if $order->($value, $greatest) > 0;
	}
	invalid('minmax has another smallest value')
	  if $order->($minmax->[0], $least);
	invalid('minmax has another largest value')
	  if $order->($minmax->[1], $greatest);
	return;
}

sub by_number ($x, $y)
{
	return $x <=> $y;
}

# Two's complement: all that is negative comes last.
sub by_unsigned ($x, $y)
{
	return ($x < 0) <=> ($y < 0) || $x <=> $y;
}

sub by_bytes ($x, $y)
{
	return $x cmp $y;
}

# NaN equals itself, and is above all others.
sub by_float ($template, $x, $y)
{
	($x, $y) = map { unpack($template, $_) } $x, $y;
	return $x <=> $y // ($x != $x) <=> ($y != $y);
}

# By sign and special values, then by weight and digits.
sub by_numeric ($x, $y)
{
	my ($x_rank, $y_rank) = map { numeric_rank($_) } $x, $y;

	return $x_rank <=> $y_rank if $x_rank != $y_rank || abs($x_rank) != 1;
	my ($x_weight, @x_digits) = unpack('x2 s< v*', $x);
	my ($y_weight, @y_digits) = unpack('x2 s< v*', $y);
	my $result = $x_weight <=> $y_weight;

	while (!$result && (@x_digits || @y_digits))
	{
		$result = (shift @x_digits // 0) <=> (shift @y_digits // 0);
	}
	return $result * $x_rank;
}

sub numeric_rank ($payload)
{
	my ($header) = unpack('v', $payload);

	return { 0xC000 => 3, 0xD000 => 2, 0xF000 => -2 }->{$header}
	  if $header >= 0xC000;
	return 0 if length $payload == 4;
	return $header & 0x4000 ? -1 : 1;
}

1;
