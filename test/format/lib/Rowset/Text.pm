package Rowset::Text;

# Prints values as PostgreSQL's output functions do under the settings that
# section 3.2 of doc/rowset_format.md names, and rows as COPY does.
#
# What can't be known from the bytes is printed as they have it: money as an
# integer, the shape BINARY in hexadecimal, as bytea is.  The same goes for
# types of shape FIXED that are not known here.

use v5.36;
use Exporter qw(import);
use POSIX qw(strtod);
use Rowset::Type qw(base_of);

our @EXPORT_OK = qw(text_of copy_line);

use constant {
	DAY => 86_400_000_000,			# in microseconds
	FIRST_INT4 => -2**31,
	LAST_INT4 => 2**31 - 1,
	FIRST_INT8 => -9223372036854775807 - 1,
	LAST_INT8 => 9223372036854775807,
};

# By OID, the built-in types that do not simply look like their shape.
my %printers = (
	18 => \&char_text,							# "char"
	26 => \&uint4_text,							# oid
	27 => \&tid_text,
	28 => \&uint4_text,							# xid
	29 => \&uint4_text,							# cid
	774 => sub ($value) { colons($value) },		# macaddr8
	829 => sub ($value) { colons($value) },		# macaddr
	1082 => \&date_text,
	1083 => \&time_text,
	1114 => sub ($value) { timestamp_text($value, '') },
	1184 => sub ($value) { timestamp_text($value, '+00') },
	1186 => \&interval_text,
	1266 => \&timetz_text,
	2950 => \&uuid_text,
	3220 => \&lsn_text,							# pg_lsn
	5069 => \&uint8_text,						# xid8
);

my %shape_printers = (
	BOOL => sub ($type, $value) { $value ? 't' : 'f' },
	INT1 => \&same_text,
	INT2 => \&same_text,
	INT4 => \&same_text,
	INT8 => \&same_text,
	FLOAT4 => sub ($type, $value) { float_text($value, 'f<', 9, 6) },
	FLOAT8 => sub ($type, $value) { float_text($value, 'd<', 17, 15) },
	FIXED => \&hex_text,
	NUMERIC => \&numeric_text,
	TEXT => \&same_text,
	BYTES => \&hex_text,
	BINARY => \&hex_text,
	OUTPUT => \&same_text,
	LABEL => \&same_text,
	ARRAY => \&array_text,
	COMPOSITE => \&row_text,
	RECORD => \&row_text,
	RANGE => \&range_text,
	MULTIRANGE => \&multirange_text,
);

# A value of Rowset::Values as text, undef if it is NULL.
sub text_of ($type, $value)
{
	return undef if !defined $value;
	$type = base_of($type);
	my $printer = $printers{ $type->{oid} // 0 };
	return $printer->($value) if $printer;
	return $shape_printers{ $type->{shape} }->($type, $value);
}

# A row as a line of COPY's text format, without the newline.
sub copy_line ($columns, $row)
{
	return join("\t",
		map { copy_text(text_of($columns->[$_]{type}, $row->[$_])) }
		  0 .. $#$columns);
}

sub copy_text ($text)
{
	state %escapes = (
		"\b" => '\b', "\f" => '\f', "\n" => '\n', "\r" => '\r',
		"\t" => '\t', "\x0B" => '\v', '\\' => '\\\\',
	);

	return '\N' if !defined $text;
	return $text =~ s/([\b\f\n\r\t\x0B\\])/$escapes{$1}/gr;
}

sub same_text ($type, $value)
{
	return $value;
}

sub hex_text ($type, $value)
{
	return '\x' . unpack('H*', $value);
}

# --------------------------------------------------------------- numbers

# The byte itself; above ASCII in octal, as PostgreSQL 16 does.
sub char_text ($value)
{
	return $value < 0 ? sprintf('\%03o', $value & 0xFF)
	  : $value ? chr($value)
	  : '';
}

sub uint4_text ($value)
{
	return $value & 0xFFFFFFFF;
}

sub uint8_text ($value)
{
	return unpack('Q', pack('q', $value));
}

sub lsn_text ($value)
{
	my $lsn = uint8_text($value);
	return sprintf('%X/%X', $lsn >> 32, $lsn & 0xFFFFFFFF);
}

# The shortest decimal that gives the same bits again: at most $digits digits;
# with an exponent when it is below -4 or from $large on.
sub float_text ($bytes, $template, $digits, $large)
{
	my $value = unpack($template, $bytes);
	my $sign = unpack('C', substr($bytes, -1)) & 0x80 ? '-' : '';

	return 'NaN' if $value != $value;
	return $sign . 'Infinity' if $value * 0 != 0;
	return $sign . '0' if !$value;
	my ($mantissa, $exponent) = shortest(abs($value), $template, $digits);
	return $sign . exponent_text($mantissa, $exponent)
	  if $exponent < -4 || $exponent >= $large;
	return $sign . point_text($mantissa, $exponent);
}

# The digits and the exponent of such a decimal.  strtod rounds correctly,
# which Perl's own conversion does not.  PostgreSQL finds another decimal for a
# few powers of two, and takes none that lies half way to the next number.
sub shortest ($value, $template, $digits)
{
	my $text;

	for my $precision (0 .. $digits - 1)
	{
		$text = sprintf("%.${precision}e", $value);
		last if rounded(scalar strtod($text), $template) == $value;
	}
	my ($mantissa, $exponent) = split(/e/, $text);
	return ($mantissa =~ tr/.//dr, $exponent);
}

# A number as its bytes would have it.  A decimal may lie above the largest
# number of 32 bits, if not by much, where Perl gives infinity.
sub rounded ($number, $template)
{
	my $largest = unpack('f<', pack('V', 0x7F7FFFFF));

	$number = $largest
	  if $template eq 'f<'
	  && $number > $largest
	  && $number < $largest * (1 + 2**-25);
	return unpack($template, pack($template, $number));
}

sub exponent_text ($digits, $exponent)
{
	$digits =~ s/^(.)(.+)/$1.$2/;
	return sprintf('%se%+03d', $digits, $exponent);
}

sub point_text ($digits, $exponent)
{
	return '0.' . '0' x (-$exponent - 1) . $digits if $exponent < 0;
	my $missing = $exponent + 1 - length($digits);
	return $digits . '0' x $missing if $missing >= 0;
	return substr($digits, 0, $exponent + 1) . '.'
	  . substr($digits, $exponent + 1);
}

# Section 6.4.
sub numeric_text ($type, $payload)
{
	my ($header, $weight, @digits) = unpack('v s< v*', $payload);
	my $scale = $header & 0x3FFF;

	return { 0xC000 => 'NaN', 0xD000 => 'Infinity', 0xF000 => '-Infinity' }
	  ->{$header}
	  if $header >= 0xC000;
	# whole groups of four on both sides of the point
	unshift @digits, (0) x (-$weight - 1) if $weight < -1;
	push @digits, (0) x ($weight + 1 - @digits) if $weight >= @digits;
	my @groups = map { sprintf('%04d', $_) } @digits;
	my $whole = join('', splice(@groups, 0, $weight < 0 ? 0 : $weight + 1));
	my $decimals = join('', @groups);
	$decimals .= '0' x $scale;
	$whole =~ s/^0+//;
	return ($header & 0x4000 ? '-' : '')
	  . ($whole eq '' ? '0' : $whole)
	  . ($scale ? '.' . substr($decimals, 0, $scale) : '');
}

# -------------------------------------------------------- dates and times

# Days since 2000-01-01 as year, month and day; year 0 is 1 BC.  Years begin
# in March here, so that a leap day is a year's last.
sub civil ($days)
{
	use integer;
	$days += 730_425;						# since 0000-03-01
	my $era = ($days >= 0 ? $days : $days - 146_096) / 146_097;
	my $day = $days - $era * 146_097;
	my $year =
	  ($day - $day / 1460 + $day / 36_524 - $day / 146_096) / 365;
	$day -= 365 * $year + $year / 4 - $year / 100;
	my $month = (5 * $day + 2) / 153;
	$day -= (153 * $month + 2) / 5;
	$month += $month < 10 ? 3 : -9;
	return ($era * 400 + $year + ($month <= 2 ? 1 : 0), $month, $day + 1);
}

# A date with more text after it, before the era.
sub dated ($days, $more)
{
	my ($year, $month, $day) = civil($days);
	my $era = $year > 0 ? '' : ' BC';

	$year = 1 - $year if $year <= 0;
	return sprintf('%04d-%02d-%02d', $year, $month, $day) . $more . $era;
}

sub date_text ($days)
{
	return 'infinity' if $days == LAST_INT4;
	return '-infinity' if $days == FIRST_INT4;
	return dated($days, '');
}

# Microseconds, not negative, as hours, minutes and seconds.
sub time_text ($microseconds)
{
	my $fraction = $microseconds % 1_000_000;
	my $seconds = ($microseconds - $fraction) / 1_000_000;
	my $text = sprintf('%02d:%02d:%02d', int($seconds / 3600),
		int($seconds / 60) % 60, $seconds % 60);

	return $text if !$fraction;
	return $text . '.' . (sprintf('%06d', $fraction) =~ s/0+$//r);
}

sub timestamp_text ($microseconds, $zone)
{
	return 'infinity' if $microseconds == LAST_INT8;
	return '-infinity' if $microseconds == FIRST_INT8;
	my $time = $microseconds % DAY;
	return dated(($microseconds - $time) / DAY,
		' ' . time_text($time) . $zone);
}

# The offset is stored as seconds to the west, and printed as to the east.
sub timetz_text ($bytes)
{
	my ($time, $west) = unpack('Q< l<', $bytes);
	my $offset = abs($west);
	my @parts = (int($offset / 3600), int($offset / 60) % 60, $offset % 60);

	pop @parts if !$parts[2];
	pop @parts if @parts == 2 && !$parts[1];
	return time_text($time) . ($west > 0 ? '-' : '+')
	  . join(':', map { sprintf('%02d', $_) } @parts);
}

# IntervalStyle postgres: a sign stands for itself, or when one before it was
# negative.
sub interval_text ($bytes)
{
	my ($time, $days, $months) = unpack('q< l< l<', $bytes);
	my $rest = abs($months) % 12;
	my @parts = (
		[ year => ($months < 0 ? -1 : 1) * (abs($months) - $rest) / 12 ],
		[ mon => $months < 0 ? -$rest : $rest ],
		[ day => $days ]
	);
	my $negative = 0;
	my @words;

	for my $part (grep { $_->[1] } @parts)
	{
		my ($unit, $count) = $part->@*;

		push @words, ($negative && $count > 0 ? '+' : '') . $count . " $unit"
		  . ($count == 1 ? '' : 's');
		$negative = $count < 0;
	}
	push @words, ($time < 0 ? '-' : $negative ? '+' : '')
	  . time_text(abs($time))
	  if $time || !@words;
	return join(' ', @words);
}

# ------------------------------------------------- other types of one width

sub colons ($bytes)
{
	return join(':', unpack('(H2)*', $bytes));
}

sub uuid_text ($bytes)
{
	return join('-', unpack('H8 H4 H4 H4 H12', $bytes));
}

sub tid_text ($bytes)
{
	return sprintf('(%d,%d)', unpack('V v', $bytes));
}

# ---------------------------------------------------------------- nested

# An array's elements stand between braces, one pair a dimension; before them
# the bounds, unless all begin at 1.
sub array_text ($type, $array)
{
	my @dimensions = $array->{dimensions}->@*;
	my $element = $type->{element};
	# box is the one built-in type whose arrays have another delimiter
	my $delimiter = (base_of($element)->{oid} // 0) == 603 ? ';' : ',';
	my @items =
	  map { element_text(text_of($element, $_), $delimiter) }
	  $array->{elements}->@*;
	my $bounds = '';

	return '{}' if !@dimensions;
	$bounds = join('', map { "[$_->[1]:" . ($_->[1] + $_->[0] - 1) . ']' }
		  @dimensions) . '='
	  if grep { $_->[1] != 1 } @dimensions;
	for my $dimension (reverse @dimensions)
	{
		my @groups;

		push @groups,
		  '{' . join($delimiter, splice(@items, 0, $dimension->[0])) . '}'
		  while @items;
		@items = @groups;
	}
	return $bounds . $items[0];
}

sub element_text ($text, $delimiter)
{
	return 'NULL' if !defined $text;
	return $text
	  if $text ne '' && lc($text) ne 'null'
	  && $text !~ /["\\{}\s\x0B\Q$delimiter\E]/a;
	return '"' . ($text =~ s/(["\\])/\\$1/gr) . '"';
}

sub row_text ($type, $row)
{
	my @texts = map { text_of($row->{fields}[$_]{type}, $row->{values}[$_]) }
	  0 .. $row->{fields}->$#*;

	return '(' . join(',', map { part_text($_, qr/["\\(),\s\x0B]/a) } @texts)
	  . ')';
}

# A part of a row or a range: nothing for NULL, quotes where they are needed.
sub part_text ($text, $special)
{
	return '' if !defined $text;
	return $text if $text ne '' && $text !~ $special;
	return '"' . ($text =~ s/(["\\])/$1$1/gr) . '"';
}

sub range_text ($type, $range)
{
	my $flags = $range->{flags};
	my ($lower, $upper) =
	  map { part_text(text_of($type->{bound}, $range->{$_}),
		qr/["\\()\[\],\s\x0B]/a) } qw(lower upper);

	return 'empty' if $flags & 1;
	return ($flags & 2 ? '[' : '(') . "$lower,$upper"
	  . ($flags & 4 ? ']' : ')');
}

sub multirange_text ($type, $multirange)
{
	return '{'
	  . join(',', map { range_text($type->{range}, $_) }
		  $multirange->{ranges}->@*) . '}';
}

1;
