package Rowset::Cases;

# Runs cases that are rowsets built by hand.  With "--write DIR" they are not
# tested but written to files for another reader, with a list of them, in which
# each line has the file's name, what is expected, the type of the only column
# and the case's name.

use v5.36;
use Exporter qw(import);
use Test::More;
use Rowset::File;
use Rowset::Text qw(text_of);

our @EXPORT_OK = qw(run_cases values_in);

# Each case is a hash: name, bytes, and either type, in SQL, and values, the
# expected texts, or error, which matches the reader's message.  What is for
# this reader alone is not written.
sub run_cases ($arguments, @cases)
{
	if ($arguments->@* == 2 && $arguments->[0] eq '--write')
	{
		write_cases($arguments->[1], @cases);
		return;
	}
	for my $case (@cases)
	{
		my $values = eval { values_in($case->{bytes}) };

		if ($case->{error})
		{
			like($@, $case->{error}, $case->{name});
		}
		else
		{
			is_deeply($values, $case->{values}, $case->{name}) or diag($@);
		}
	}
	done_testing();
	return;
}

# The texts of a rowset's first column.
sub values_in ($bytes)
{
	my $rowset = Rowset::File->new($bytes);
	my $type = $rowset->{columns}->@* && $rowset->{columns}[0]{type};
	my @values;

	Rowset::File::row_count($bytes);
	while (my $rows = $rowset->next_group)
	{
		push @values, map { $type ? text_of($type, $_->[0]) : '' } $rows->@*;
	}
	return \@values;
}

sub write_cases ($directory, @cases)
{
	my $number = 0;

	open(my $list, '>', "$directory/list") or die "$directory/list: $!\n";
	for my $case (grep { !$_->{alone} } @cases)
	{
		my $name = sprintf('%03d', ++$number);

		open(my $file, '>:raw', "$directory/$name") or die "$name: $!\n";
		print $file $case->{bytes};
		close($file) or die "$name: $!\n";
		say $list join("\t", $name, $case->{error} ? 'invalid' : 'valid',
			$case->{type} // '-', $case->{name});
	}
	close($list) or die "$directory/list: $!\n";
	return;
}

1;
