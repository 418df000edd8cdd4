package Rowset::Type;

# Fields and types of a rowset (section 3.1 of doc/rowset_format.md).
#
# A type is a hash: shape; oid, or schema and name, where it has an identity;
# typmod and collation where the bytes give them; and by shape its width,
# element, fields, bound, range or base.  What the values of a type mean is
# Rowset::Text's concern.

use v5.36;
use Exporter qw(import);
use Rowset::Bytes qw(invalid);

our @EXPORT_OK = qw(read_fields base_of is_scalar describe);

use constant { MAX_FIELDS => 1664, MAX_DEPTH => 32 };

# The flags in a type's code.
use constant { TYPMOD => 0x20, COLLATION => 0x40, NAMED => 0x80 };

# What follows a type's code: "then" reads the parameters, and "never" are
# flags that can't be set.  A shape that can't be NAMED has no identity.
my %shapes = (
	1  => { name => 'BOOL' },
	2  => { name => 'INT1' },
	3  => { name => 'INT2' },
	4  => { name => 'INT4' },
	5  => { name => 'INT8' },
	6  => { name => 'FLOAT4' },
	7  => { name => 'FLOAT8' },
	8  => { name => 'FIXED', then => \&read_width },
	9  => { name => 'NUMERIC' },
	10 => { name => 'TEXT' },
	11 => { name => 'BYTES' },
	12 => { name => 'BINARY' },
	13 => { name => 'OUTPUT' },
	14 => { name => 'LABEL' },
	15 => { name => 'ARRAY', never => NAMED | TYPMOD, then => \&read_element },
	16 => { name => 'COMPOSITE', then => \&read_attributes },
	17 => { name => 'RECORD', never => NAMED | TYPMOD | COLLATION },
	18 => { name => 'RANGE', then => \&read_bound },
	19 => { name => 'MULTIRANGE', then => \&read_range },
	20 => { name => 'DOMAIN', then => \&read_base },
);

my %is_nested =
  map { $_ => 1 } qw(ARRAY COMPOSITE RECORD RANGE MULTIRANGE DOMAIN);

# Read varuint(number of fields) field*; $depth is that of the fields' types.
sub read_fields ($in, $depth)
{
	my $count = $in->varuint;

	invalid("$count fields") if $count > MAX_FIELDS;
	return [ map { read_field($in, $depth) } 1 .. $count ];
}

sub read_field ($in, $depth)
{
	my $name = $in->text;

	invalid('field without a name') if $name eq '';
	return { name => $name, type => read_type($in, $depth) };
}

sub read_type ($in, $depth)
{
	invalid('types nested too deep') if $depth > MAX_DEPTH;
	my $code = $in->u8;
	my $number = $code & 0x1F;
	my $shape = $shapes{$number} // invalid("type of shape $number");
	my $never = $shape->{never} // 0;
	my $type = { shape => $shape->{name} };

	invalid("$shape->{name} with flags") if $code & $never;
	read_identity($in, $type, $code & NAMED) if !($never & NAMED);
	$type->{typmod} = $in->varint if $code & TYPMOD;
	$type->{collation} = [ $in->text, $in->text ] if $code & COLLATION;
	$shape->{then}->($in, $type, $depth + 1) if $shape->{then};
	return $type;
}

# The OID of a built-in type, or the names of another one.
sub read_identity ($in, $type, $is_named)
{
	if ($is_named)
	{
		$type->{schema} = $in->text;
		$type->{name} = $in->text;
		return;
	}
	$type->{oid} = $in->varuint;
	invalid("type with OID $type->{oid}")
	  if $type->{oid} < 1 || $type->{oid} > 9999;
	return;
}

sub read_width ($in, $type, $depth)
{
	$type->{width} = $in->u8 || invalid('FIXED of width 0');
	return;
}

sub read_element ($in, $type, $depth)
{
	$type->{element} = read_type($in, $depth);
	invalid('array of arrays') if $type->{element}{shape} eq 'ARRAY';
	return;
}

sub read_attributes ($in, $type, $depth)
{
	$type->{fields} = read_fields($in, $depth);
	return;
}

sub read_bound ($in, $type, $depth)
{
	$type->{bound} = read_type($in, $depth);
	return;
}

sub read_range ($in, $type, $depth)
{
	$type->{range} = read_type($in, $depth);
	invalid('MULTIRANGE not over a RANGE')
	  if $type->{range}{shape} ne 'RANGE';
	return;
}

sub read_base ($in, $type, $depth)
{
	$type->{base} = read_type($in, $depth);
	return;
}

# The type that says how the values lie in the bytes: a domain's base.
sub base_of ($type)
{
	$type = $type->{base} while $type->{shape} eq 'DOMAIN';
	return $type;
}

# Is this one of the shapes 1 to 14?
sub is_scalar ($type)
{
	return !$is_nested{ $type->{shape} };
}

# One line that shows all that is known of a type.
sub describe ($type)
{
	my @words = ($type->{shape});

	push @words, $type->{oid} if defined $type->{oid};
	push @words, qualified($type->{schema}, $type->{name})
	  if defined $type->{name};
	push @words, "width=$type->{width}" if defined $type->{width};
	push @words, "typmod=$type->{typmod}" if defined $type->{typmod};
	push @words, 'collation=' . qualified($type->{collation}->@*)
	  if $type->{collation};
	push @words, '(' . join(', ', map { describe_field($_) }
		  $type->{fields}->@*) . ')' if $type->{fields};
	for my $part (qw(element bound range base))
	{
		push @words, '(' . describe($type->{$part}) . ')' if $type->{$part};
	}
	return join(' ', @words);
}

sub describe_field ($field)
{
	return quoted($field->{name}) . ' ' . describe($field->{type});
}

sub qualified ($schema, $name)
{
	return quoted($schema) . '.' . quoted($name);
}

sub quoted ($name)
{
	return '"' . ($name =~ s/"/""/gr) . '"';
}

1;
