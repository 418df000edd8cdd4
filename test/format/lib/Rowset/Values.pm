package Rowset::Values;

# Makes values of a node and its group's body, puts NULLs among them, and does
# the nested shapes (sections 6 and 7 of doc/rowset_format.md).
#
# A value is undef for NULL, what Rowset::Encodings says for the scalar shapes,
# and a hash for the nested ones, as their functions say.

use v5.36;
use Exporter qw(import);
use Rowset::Bytes qw(invalid bits_of);
use Rowset::Encodings qw(scalar_values block_bytes check_below check_total);

our @EXPORT_OK = qw(values_of);

my %nested_decoders = (
	ARRAY => \&array_values,
	COMPOSITE => \&composite_values,
	RECORD => \&record_values,
	RANGE => \&range_values,
	MULTIRANGE => \&multirange_values,
);

# All values of a node, in a list that is given by reference.
sub values_of ($node, $body)
{
	return [ (undef) x $node->{n} ] if !$node->{m} && !$node->{bitmap};

	my $values = values_not_null($node, $body);
	return $values if !$node->{nulls};

	my $bits = bits_of(block_bytes($node->{bitmap}, $body), $node->{n});
	invalid('the bitmap has another number of NULLs')
	  if ($bits =~ tr/1//) != $node->{nulls};
	my $next = 0;
	return [ map { $_ ? undef : $values->[ $next++ ] } split(//, $bits) ];
}

# The m values that are not NULL.
sub values_not_null ($node, $body)
{
	my $nested = $nested_decoders{ $node->{type}{shape} };

	return [] if !$node->{m};
	return ($nested // \&scalar_values)->($node, $body);
}

# An array: dimensions, each a pair of length and lower bound, and elements.
sub array_values ($node, $body)
{
	my $lengths = scalar_values($node->{lengths}, $body);
	my $dimensions = $node->{dimensions};
	my @values;

	if ($dimensions)
	{
		my $bounds = scalar_values($node->{lower_bounds}, $body);

		$dimensions = scalar_values($dimensions, $body);
		@values = map { { dimensions => $_ } }
		  group_dimensions($dimensions, $lengths, $bounds);
	}
	else
	{
		@values = map { { dimensions => $_ ? [ [ $_, 1 ] ] : [] } }
		  $lengths->@*;
	}

	my $left = $node->{elements}{n};
	my @sizes = map { array_size($_, \$left) } @values;
	invalid("$left elements too many") if $left;
	my $elements = values_of($node->{elements}, $body);
	my $at = 0;
	for my $i (0 .. $#values)
	{
		$values[$i]{elements} = [ $elements->@[ $at .. $at + $sizes[$i] - 1 ] ];
		$at += $sizes[$i];
	}
	return \@values;
}

# For each array the list of its dimensions.
sub group_dimensions ($counts, $lengths, $bounds)
{
	my @all = map { [ $lengths->[$_], Rowset::Bytes::zigzag($bounds->[$_]) ] }
	  0 .. $#$lengths;

	invalid('more than 6 dimensions') if grep { $_ > 6 } $counts->@*;
	invalid('dimension of length 0') if grep { !$_ } $lengths->@*;
	invalid('array bound past 32 bits') if grep {
		$_->[1] < -2**31 || $_->[1] + $_->[0] - 1 >= 2**31
	} @all;
	check_total(scalar @all, $counts, 0, 'dimensions');
	return map { [ splice(@all, 0, $_) ] } $counts->@*;
}

# The number of an array's elements, which is taken off what is left.
sub array_size ($array, $left)
{
	my $size = $array->{dimensions}->@* ? 1 : 0;

	for my $dimension ($array->{dimensions}->@*)
	{
		invalid('more elements than there are')
		  if $dimension->[0] > $$left / $size;
		$size *= $dimension->[0];
	}
	$$left -= $size;
	return $size;
}

# A composite: its fields' values.  Its type is the same for all.
sub composite_values ($node, $body)
{
	return rows_of_fields($node->{type}{fields}, $node->{fields}, $node->{m},
		$body);
}

# Values with the description of their fields.
sub rows_of_fields ($fields, $nodes, $count, $body)
{
	my @columns = map { values_of($_, $body) } $nodes->@*;
	return [
		map {
			my $row = $_;
			{ fields => $fields, values => [ map { $_->[$row] } @columns ] }
		} 0 .. $count - 1
	];
}

# A record is like a composite, with fields of its own.
sub record_values ($node, $body)
{
	my @shapes = $node->{shapes}->@*;
	my @queues = map {
		rows_of_fields($_->{fields}, $_->{nodes}, $_->{count}, $body)
	} @shapes;
	my $numbers =
	  $node->{numbers}
	  ? scalar_values($node->{numbers}, $body)
	  : [ (0) x $node->{m} ];
	my @counts = (0) x @shapes;

	check_below(scalar @shapes, $numbers, 'shape of a record');
	$counts[$_]++ for $numbers->@*;
	for my $i (0 .. $#shapes)
	{
		invalid('the shapes have other numbers of records')
		  if $counts[$i] != $shapes[$i]{count};
	}
	return [ map { shift $queues[$_]->@* } $numbers->@* ];
}

# A range: flags, and those bounds that it has as lower and upper.
sub range_values ($node, $body)
{
	my $flags = scalar_values($node->{flags}, $body);
	my @values = map { range_of_flags($_) } $flags->@*;
	my $count = 0;

	$count += scalar $_->{bounds}->@* for @values;
	invalid('number of bounds') if $count != $node->{bounds}{n};
	my $bounds = values_of($node->{bounds}, $body);
	for my $value (@values)
	{
		$value->{$_} = shift $bounds->@* for $value->{bounds}->@*;
	}
	return \@values;
}

# What flags say: 1 empty, 2 and 4 inclusive, 8 and 16 unbounded.
sub range_of_flags ($flags)
{
	invalid("flags $flags of a range")
	  if $flags > 31
	  || ($flags & 1 && $flags != 1)
	  || ($flags & 10) == 10
	  || ($flags & 20) == 20;
	my @bounds;
	push @bounds, 'lower' if !($flags & 9);
	push @bounds, 'upper' if !($flags & 17);
	return { flags => $flags, bounds => \@bounds };
}

# A multirange: ranges.
sub multirange_values ($node, $body)
{
	my $counts = scalar_values($node->{counts}, $body);

	check_total($node->{ranges}{n}, $counts, 0, 'ranges of multiranges');
	my @ranges = values_of($node->{ranges}, $body)->@*;
	invalid('empty range in a multirange') if grep { $_->{flags} & 1 } @ranges;
	return [ map { { ranges => [ splice(@ranges, 0, $_) ] } } $counts->@* ];
}

1;
