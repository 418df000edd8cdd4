package Rowset::Node;

# The nodes of a group's header (sections 4.1, 6 and 7 of
# doc/rowset_format.md).  Reading one only finds out what it says and where its
# blocks lie in the body; Rowset::Values makes values of them.
#
# A node is a hash: type, a domain's base; n values, of which m are not NULL;
# nulls, with a bitmap or without when m is 0; encoding, and what that or the
# shape asks for.  A block is a hash: raw size, method, stored size, and its
# offset in the body.

use v5.36;
use Exporter qw(import);
use Rowset::Bytes qw(invalid);
use Rowset::Type qw(read_fields base_of is_scalar);

our @EXPORT_OK = qw(read_node width_of EACH);

use constant {
	MAX_DEPTH => 32,
	MAX_BLOCK => 2**30 - 1,
	MAX_RATIO => 255,
	MAX_NESTED => 2**28 - 1,
	MAX_INLINE => 255,
	MAX_SCALE => 16,
	MAX_DISPLAY_SCALE => 63,
	MAX_SHAPES => 1024,
	EACH => 16,			# what a value in an array counts beside its size
};

# Integers that describe other values have a type of their own.
my $uint = { shape => 'UINT' };
my $int8 = { shape => 'INT8' };

my %width = (
	BOOL => 1, INT1 => 1, INT2 => 2, INT4 => 4, INT8 => 8,
	FLOAT4 => 4, FLOAT8 => 8,
);

my %is_integer = map { $_ => 1 } qw(INT1 INT2 INT4 INT8 UINT);
my %is_scaled = map { $_ => 1 } qw(NUMERIC FLOAT4 FLOAT8);
my %has_minmax = map { $_ => 1 } qw(INT1 INT2 INT4 INT8 FLOAT4 FLOAT8 FIXED
  NUMERIC TEXT BYTES);

my %nested_readers = (
	ARRAY => \&read_array,
	COMPOSITE => \&read_composite,
	RECORD => \&read_record,
	RANGE => \&read_range,
	MULTIRANGE => \&read_multirange,
);

use constant { DICTIONARY => 2, RUNS => 6 };

# By encoding, the reader and the shapes that it is for.
my @encodings = (
	[ \&read_plain, sub ($shape) { 1 } ],
	[ \&read_constant, sub ($shape) { 1 } ],
	[ \&read_dictionary, sub ($shape) { $shape ne 'BOOL' } ],
	[ \&read_frame, sub ($shape) { $is_integer{$shape} } ],
	[ \&read_delta, sub ($shape) { $is_integer{$shape} } ],
	[ \&read_delta2, sub ($shape) { $is_integer{$shape} } ],
	[ \&read_runs, sub ($shape) { $is_integer{$shape} } ],
	[ \&read_scaled, sub ($shape) { $is_scaled{$shape} } ],
	[ \&read_bits, sub ($shape) { $shape eq 'BOOL' } ],
);

# The width of a value of a type, undef when it is stored as an image.
sub width_of ($type)
{
	return $type->{width} // $width{ $type->{shape} };
}

# ----------------------------------------------------------------- nodes

# Read a node of $n values.  $where says what stands above it: depth,
# in_array, and body_at, how far the blocks have come in the body.
sub read_node ($in, $declared, $n, $where)
{
	my $type = base_of($declared);
	my $code = $in->u8;
	my $node = { type => $type, n => $n, encoding => $code & 0x0F };

	invalid('nodes nested too deep') if $where->{depth} > MAX_DEPTH;
	invalid("nested node of $n values")
	  if $where->{depth} > 1 && $n > MAX_NESTED;
	invalid("node code $code") if $code & 0xC0;
	read_nulls($in, $node, $where) if $code & 0x10;
	$node->{m} = $n - ($node->{nulls} // 0);
	if (!$node->{m})
	{
		invalid("node without values, code $code") if $code & ~0x10;
		return $node;
	}
	read_minmax($in, $node) if $code & 0x20;
	if (is_scalar($type))
	{
		read_scalar($in, $node, $where);
	}
	else
	{
		invalid("$type->{shape} in encoding $node->{encoding}")
		  if $node->{encoding};
		$nested_readers{ $type->{shape} }->($in, $node, $where);
	}
	return $node;
}

# A node none of whose values may be NULL, without minmax.
sub read_node_of_values ($in, $type, $n, $where)
{
	my $node = read_node($in, $type, $n, $where);

	invalid('NULL where none may be') if $node->{nulls};
	return $node;
}

# The place below a node of a nested shape.
sub below ($where, $in_array = $where->{in_array})
{
	return {
		depth => $where->{depth} + 1,
		in_array => $in_array,
		body_at => $where->{body_at},
	};
}

sub read_nulls ($in, $node, $where)
{
	my $n = $node->{n};
	my $count = $node->{nulls} = $in->varuint;

	invalid("$count NULLs of $n values") if $count < 1 || $count > $n;
	return if $count == $n && !$where->{in_array};
	my $bitmap = $node->{bitmap} = read_block($in, $where);
	check_raw($bitmap, int(($n + 7) / 8));
	invalid('bitmap above the limit in an array')
	  if $where->{in_array} && $n * EACH > allowance($bitmap->{stored});
	return;
}

# The smallest and the largest value.
sub read_minmax ($in, $node)
{
	my $shape = $node->{type}{shape};

	invalid("minmax of shape $shape") if !$has_minmax{$shape};
	$node->{minmax} = [ map { read_inline($in, $node->{type}) } 1 .. 2 ];
	return;
}

# How much few bytes may stand for in an array.
sub allowance ($stored)
{
	return 1024 * (8 + $stored);
}

# ---------------------------------------------------------------- blocks

sub read_block ($in, $where)
{
	my $number = $in->varuint;
	my $raw = $number >> 2;
	my $method = $number & 3;
	my $stored = $method ? $in->varuint : $raw;

	invalid("block of method $method") if $method == 3;
	invalid("block of $raw bytes") if $raw > MAX_BLOCK;
	invalid('compressed block of 0 bytes') if $method && !$raw;
	# in this order, so that the product can't overflow
	invalid("block of $raw bytes stored in $stored")
	  if $stored < $raw / MAX_RATIO;
	my $at = $where->{body_at}->$*;
	$where->{body_at}->$* += $stored;
	return
	  { raw => $raw, method => $method, stored => $stored, at => $at };
}

sub check_raw ($block, $size)
{
	invalid("block of $block->{raw} bytes for $size")
	  if $block->{raw} != $size;
	return;
}

# A block of $count numbers of as many bits as the byte before it says.
sub read_packed ($in, $node, $count, $least_bits, $where)
{
	my $bits = $node->{bits} = $in->u8;

	invalid("numbers of $bits bits") if $bits < $least_bits || $bits > 64;
	$node->{count} = $count;
	$node->{block} = read_block($in, $where);
	check_raw($node->{block}, int(($count * $bits + 7) / 8));
	return;
}

# --------------------------------------------------------------- scalars

sub read_scalar ($in, $node, $where)
{
	my $start = $where->{body_at}->$*;

	read_encoding($in, $node, $where);
	if ($where->{in_array})
	{
		$node->{allowance} = allowance($where->{body_at}->$* - $start);
		my $width = width_of($node->{type});
		invalid('values above the limit in an array')
		  if $width && $node->{m} * ($width + EACH) > $node->{allowance};
	}
	return;
}

sub read_encoding ($in, $node, $where)
{
	my $shape = $node->{type}{shape};
	my $entry = $encodings[ $node->{encoding} ];

	invalid("$shape in encoding $node->{encoding}")
	  if !$entry || !$entry->[1]->($shape);
	$entry->[0]->($in, $node, $where);
	return;
}

# Integers: $n unsigned numbers that describe other values.
sub read_integers ($in, $n, $where)
{
	my $code = $in->u8;
	my $node = { type => $uint, n => $n, m => $n, encoding => $code };
	my $start = $where->{body_at}->$*;

	if (!$n)
	{
		invalid("no integers, code $code") if $code;
		return $node;
	}
	invalid("integers of code $code") if $code == DICTIONARY;
	read_encoding($in, $node, $where);
	invalid('integers above the limit in an array')
	  if $where->{in_array}
	  && $n * EACH > allowance($where->{body_at}->$* - $start);
	return $node;
}

# Values as plain bytes, or of an integer shape in 64 bits: UINT unsigned.
sub read_inline ($in, $type)
{
	my $shape = $type->{shape};

	return $in->varuint if $shape eq 'UINT';
	return $in->varint if $is_integer{$shape};
	return $in->u8 if $shape eq 'BOOL';
	my $width = width_of($type);
	return $in->take($width) if $width;
	my $image = $in->string;
	invalid('inline value of ' . length($image) . ' bytes')
	  if length($image) > MAX_INLINE;
	return $image;
}

sub read_plain ($in, $node, $where)
{
	my $width = width_of($node->{type});

	if ($node->{type} == $uint)
	{
		$width = $in->u8;
		invalid("integers of $width bytes") if $width !~ /^[1248]$/;
		$node->{width} = $width;
	}
	$node->{block} = read_block($in, $where);
	check_raw($node->{block}, $node->{m} * $width) if $width;
	return;
}

sub read_constant ($in, $node, $where)
{
	$node->{value} = read_inline($in, $node->{type});
	return;
}

sub read_dictionary ($in, $node, $where)
{
	my $count = $node->{count} = $in->varuint;
	my $width = width_of($node->{type});

	invalid("dictionary of $count entries for $node->{m} values")
	  if $count < 1 || $count > $node->{m};
	$node->{block} = read_block($in, $where);
	check_raw($node->{block}, $count * $width) if $width;
	$node->{indexes} = read_integers($in, $node->{m}, $where);
	return;
}

sub read_frame ($in, $node, $where)
{
	$node->{first} = read_inline($in, $node->{type});
	read_packed($in, $node, $node->{m}, 1, $where);
	return;
}

sub read_delta ($in, $node, $where)
{
	$node->{first} = $in->varint;
	$node->{least} = $in->varint;
	read_packed($in, $node, $node->{m} - 1, 0, $where);
	return;
}

sub read_delta2 ($in, $node, $where)
{
	invalid('DELTA2 of one value') if $node->{m} < 2;
	$node->{first} = $in->varint;
	$node->{step} = $in->varint;
	$node->{least} = $in->varint;
	read_packed($in, $node, $node->{m} - 2, 0, $where);
	return;
}

sub read_runs ($in, $node, $where)
{
	my $count = $node->{count} = $in->varuint;

	invalid("$count runs of $node->{m} values")
	  if $count < 1 || $count > $node->{m};
	$node->{values} = read_bare_node($in, $node->{type}, $count, $where);
	invalid('runs of runs') if $node->{values}{encoding} == RUNS;
	$node->{lengths} = read_integers($in, $count, $where);
	invalid('lengths in runs') if $node->{lengths}{encoding} == RUNS;
	return;
}

# The code and the encoding's header of a node inside another one, which has
# neither NULLs nor minmax nor a dictionary.
sub read_bare_node ($in, $type, $n, $where)
{
	my $code = $in->u8;
	my $node = { type => $type, n => $n, m => $n, encoding => $code };

	invalid("inner node of code $code") if $code == DICTIONARY;
	read_encoding($in, $node, $where);
	return $node;
}

# Flag 1: every value has its own display scale; flag 2: exceptions.
sub read_scaled ($in, $node, $where)
{
	my $flags = $in->u8;
	my $is_numeric = $node->{type}{shape} eq 'NUMERIC';
	my $m = $node->{m};

	invalid("SCALED with flags $flags")
	  if $flags > 3 || ($flags & 1 && !$is_numeric);
	$node->{scale} = $in->varuint;
	invalid("scale of $node->{scale}") if $node->{scale} > MAX_SCALE;
	if ($flags & 1)
	{
		$node->{display_scales} = read_integers($in, $m, $where);
	}
	elsif ($is_numeric)
	{
		my $scale = $node->{display_scale} = $in->varuint;
		invalid("display scale of $scale") if $scale > MAX_DISPLAY_SCALE;
	}
	read_exceptions($in, $node, $where) if $flags & 2;
	$node->{integers} = read_bare_node($in, $int8, $m, $where);
	return;
}

sub read_exceptions ($in, $node, $where)
{
	my $count = $node->{count} = $in->varuint;
	my $width = width_of($node->{type});

	invalid("$count exceptions of $node->{m} values")
	  if $count < 1 || $count > $node->{m};
	$node->{positions} = read_integers($in, $count, $where);
	$node->{block} = read_block($in, $where);
	check_raw($node->{block}, $count * $width) if $width;
	return;
}

sub read_bits ($in, $node, $where)
{
	$node->{block} = read_block($in, $where);
	check_raw($node->{block}, int(($node->{m} + 7) / 8));
	return;
}

# ---------------------------------------------------------------- nested

sub read_array ($in, $node, $where)
{
	my $form = $in->u8;

	if ($form == 0)
	{
		$node->{lengths} = read_integers($in, $node->{m}, $where);
	}
	elsif ($form == 1)
	{
		$node->{dimensions} = read_integers($in, $node->{m}, $where);
		my $count = $in->varuint;
		$node->{lengths} = read_integers($in, $count, $where);
		$node->{lower_bounds} = read_integers($in, $count, $where);
	}
	else
	{
		invalid("array of form $form");
	}
	my $count = $in->varuint;
	$node->{elements} =
	  read_node($in, $node->{type}{element}, $count, below($where, 1));
	return;
}

sub read_composite ($in, $node, $where)
{
	my $fields = $node->{type}{fields};

	invalid('composite without fields in an array')
	  if $where->{in_array} && !$fields->@*;
	$node->{fields} = read_field_nodes($in, $fields, $node->{m}, $where);
	return;
}

sub read_field_nodes ($in, $fields, $n, $where)
{
	return [ map { read_node($in, $_->{type}, $n, below($where)) }
		  $fields->@* ];
}

sub read_record ($in, $node, $where)
{
	my $count = $in->varuint;
	my $left = $node->{m};

	invalid("$count shapes for $left records")
	  if $count < 1 || $count > $left || $count > MAX_SHAPES;
	$node->{shapes} = [];
	for (1 .. $count)
	{
		my $fields = read_fields($in, 1);
		my $n = $in->varuint;

		invalid("shape of $n records") if $n < 1 || $n > $left;
		$left -= $n;
		push $node->{shapes}->@*, { fields => $fields, count => $n };
	}
	invalid("$left records without a shape") if $left;
	$node->{numbers} = read_integers($in, $node->{m}, $where)
	  if $count > 1 || $where->{in_array};
	for my $shape ($node->{shapes}->@*)
	{
		$shape->{nodes} =
		  read_field_nodes($in, $shape->{fields}, $shape->{count}, $where);
	}
	return;
}

sub read_range ($in, $node, $where)
{
	$node->{flags} = read_integers($in, $node->{m}, $where);
	my $count = $in->varuint;
	$node->{bounds} = read_node_of_values($in, $node->{type}{bound}, $count,
		below($where));
	return;
}

sub read_multirange ($in, $node, $where)
{
	$node->{counts} = read_integers($in, $node->{m}, $where);
	my $count = $in->varuint;
	$node->{ranges} = read_node($in, $node->{type}{range}, $count,
		below($where, 1));
	invalid('NULL in a multirange') if $node->{ranges}{nulls};
	return;
}

1;
