package Rowset::File;

# The whole rowset (sections 2 to 5 of doc/rowset_format.md): header, groups,
# trailer, and all checksums.  What stands inside a node is read by
# Rowset::Node and Rowset::Values.

use v5.36;
use Rowset::Bytes qw(invalid);
use Rowset::Type qw(read_fields);
use Rowset::Node qw(read_node);
use Rowset::Values qw(values_of);

use constant {
	MAGIC => "\xFF\x52\x53\x0D\x0A\x00",
	GROUP => 0x47,
	TRAILER => 0x54,
	MAX_ROWS => 1_048_576,
	MAX_BODY => 2**31 - 1,
	UNIT_SIZE => 512,
};

# Take the rowset's bytes, and read its header.
sub new ($class, $bytes)
{
	my $in = Rowset::Bytes->new($bytes, 'rowset');
	my $self = bless { in => $in, groups => [] }, $class;

	invalid('magic') if $in->left < 6 || $in->take(6) ne MAGIC;
	my $major = $in->u8;
	my $minor = $in->u8;
	invalid("version $major.$minor") if $major != 1;
	$self->read_header;
	return $self;
}

# The part of the header that follows the version.
sub read_header ($self)
{
	my $in = $self->{in};
	my $size = $in->varuint;

	invalid('header of less than 6 bytes') if $size < 6;
	my $header = Rowset::Bytes->new($in->take($size - 4), 'header');
	$in->check_crc($in->since(0), 'the header');

	$self->{encoding} = $header->text;
	$self->{columns} = read_fields($header, 1);
	while ($header->left)
	{
		my $tag = $header->varuint;

		$header->string;
		invalid("unknown extension $tag") if $tag & 1;
	}
	return;
}

# The next row group as a list of rows, each a list of values; nothing after
# the last, when the trailer has been checked and no byte is left.
sub next_group ($self)
{
	my $in = $self->{in};
	my $start = $in->at;
	my $tag = $in->u8;

	if ($tag == TRAILER)
	{
		$self->check_trailer($start);
		return;
	}
	invalid("neither group nor trailer at offset $start") if $tag != GROUP;
	return $self->read_group($start);
}

sub read_group ($self, $start)
{
	my $in = $self->{in};
	my $size = $in->varuint;

	invalid("group header of $size bytes") if $size < 4;
	my $rest = $in->take($size - 4);
	$in->check_crc($in->since($start), 'a group header');

	my $header = Rowset::Bytes->new($rest, 'group header');
	my $body_size = $header->varuint;
	invalid("body of $body_size bytes") if $body_size > MAX_BODY;
	my $rows = $header->varuint;
	invalid("group of $rows rows") if $rows < 1 || $rows > MAX_ROWS;
	$header->varuint;				# raw size, which informs only

	my $body_at = 0;
	my $where = { body_at => \$body_at, depth => 1, in_array => 0 };
	my (@nodes, @column_sizes);
	for my $column ($self->{columns}->@*)
	{
		my $start_at = $body_at;

		push @nodes, read_node($header, $column->{type}, $rows, $where);
		push @column_sizes, $body_at - $start_at;
	}
	invalid('the blocks are not the body') if $body_at != $body_size;

	my $header_size = $in->at - $start;
	my $body = $in->take($body_size);
	check_units($header, $body, @column_sizes);
	$header->done;
	push $self->{groups}->@*,
	  [ $header_size + $body_size, $header_size, $rows ];
	return rows_of($rows, map { values_of($_, $body) } @nodes);
}

# Check the body's checksums, one a unit, a run of columns.
sub check_units ($header, $body, @column_sizes)
{
	my $in = Rowset::Bytes->new($body, 'body');
	my $open = 0;

	for my $size (grep { $_ > 0 } @column_sizes)
	{
		if ($size >= UNIT_SIZE && $open)
		{
			check_unit($header, $in, $open);
			$open = 0;
		}
		$open += $size;
		if ($open >= UNIT_SIZE)
		{
			check_unit($header, $in, $open);
			$open = 0;
		}
	}
	check_unit($header, $in, $open) if $open;
	return;
}

sub check_unit ($header, $in, $size)
{
	$header->check_crc($in->take($size), 'a body');
	return;
}

# Turn columns into rows.
sub rows_of ($count, @columns)
{
	return [ map { my $row = $_; [ map { $_->[$row] } @columns ] }
		  0 .. $count - 1 ];
}

# The trailer, whose first byte has been read, must tell of the groups that
# were read, and be the end.
sub check_trailer ($self, $start)
{
	my $in = $self->{in};
	my $count = $in->varuint;

	invalid("trailer of $count groups") if $count != $self->{groups}->@*;
	for my $group ($self->{groups}->@*)
	{
		for my $expected ($group->@*)
		{
			invalid('an entry of the trailer is wrong')
			  if $in->varuint != $expected;
		}
	}
	$in->check_crc($in->since($start), 'the trailer');
	invalid('size of the trailer') if $in->u32 != $in->at - $start;
	$in->done;
	return;
}

# The number of rows, from the last four bytes and the trailer alone, as a
# reader that can seek would do.
sub row_count ($bytes)
{
	my $size = length($bytes) < 4 ? 0 : unpack('V', substr($bytes, -4));

	invalid('size of the trailer') if $size < 10 || $size > length($bytes);
	my $in = Rowset::Bytes->new(substr($bytes, -$size), 'trailer');
	invalid('no trailer where its size says') if $in->u8 != TRAILER;
	my $count = $in->varuint;
	my $rows = 0;
	for (my $i = 0; $i < $count; $i++)
	{
		$in->varuint;
		$in->varuint;
		$rows += $in->varuint;
	}
	$in->check_crc($in->since(0), 'the trailer');
	$in->take(4);
	$in->done;
	return $rows;
}

1;
