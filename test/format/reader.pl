#!/usr/bin/env perl
#
# Reads a rowset and prints its rows in COPY's text format: a reader in another
# language, written from doc/rowset_format.md alone.  It checks all that the
# page calls invalid, and reads every encoding, also those that no writer
# chooses yet; only zstd is missing, which needs more than Perl's own modules.
#
#   reader.pl FILE               the rows
#   reader.pl --describe FILE    the columns, one a line: name, tab, type
#
# The exit status is 1 and the reason is told on standard error when the file
# is no valid rowset.  Rows may have been printed before.

use v5.36;
use Config;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Rowset::File;
use Rowset::Text qw(copy_line);
use Rowset::Type qw(describe);

# Numbers of 64 bits are read as Perl's own.
die "this needs a Perl with 64-bit integers\n" if $Config{ivsize} != 8;

exit main(@ARGV);

sub main (@arguments)
{
	my $print = \&print_rows;

	if (@arguments && $arguments[0] eq '--describe')
	{
		$print = \&print_columns;
		shift @arguments;
	}
	if (@arguments != 1)
	{
		say STDERR "usage: reader.pl [--describe] FILE";
		return 2;
	}
	my ($name) = @arguments;
	return 0 if eval { $print->(read_file($name)); 1 };
	print STDERR "$name: $@";
	return 1;
}

sub read_file ($name)
{
	open(my $file, '<:raw', $name) or die "can't be opened: $!\n";
	local $/ = undef;
	return scalar readline($file);
}

sub print_rows ($bytes)
{
	my $rowset = Rowset::File->new($bytes);
	my $expected = Rowset::File::row_count($bytes);
	my $count = 0;

	while (my $rows = $rowset->next_group)
	{
		say copy_line($rowset->{columns}, $_) for $rows->@*;
		$count += $rows->@*;
	}
	die "invalid rowset: $count rows, not $expected\n"
	  if $count != $expected;
	return;
}

sub print_columns ($bytes)
{
	for my $column (Rowset::File->new($bytes)->{columns}->@*)
	{
		say "$column->{name}\t", describe($column->{type});
	}
	return;
}
