#!/usr/bin/env perl
#
# report.pl ROOT LIST COUNTS...: what gcov has counted, against the list of what
# isn't reached.
#
# ROOT is the folder whose src/ was compiled, LIST the file uncovered.tsv, and
# each of COUNTS a .gcda file that programs compiled from ROOT have left.  The
# counts of all are added up.  Prints a line for each layer, then a line "not
# ok" for each branch that is neither covered nor listed, and for each that is
# listed and covered, or not there at all, and last "N passed, N failed", where
# a case is a branch.
#
#   report.pl --list ROOT LIST COUNTS...    prints the lines that LIST lacks, in
#                                           its form, instead
#
# A branch is one way out of a line that has several, as gcov numbers them.  It
# is called by its file, function, the text of its line, and its number, so that
# the list survives changes elsewhere in the file.  What asks for no cover:
#
#   - branches of a line that never runs: what leads there is a branch itself, and
#     is the one that must be listed.  A function that is never called stands
#     for all of its lines.
#   - within ereport(), elog(), CHECK_FOR_INTERRUPTS() and Assert(): what these
#     macros of PostgreSQL make of themselves.  That the statement runs is asked
#     for by the branch in front of it.

use strict;
use warnings;
use JSON::PP;

# The layers that must be covered, top down
my @layers = ('rowset', 'columns', 'bytes');

my $list_only = @ARGV && $ARGV[0] eq '--list';
shift @ARGV if $list_only;
my ($root, $list, @counts) = @ARGV;
die "usage: report.pl [--list] ROOT LIST COUNTS...\n" unless @counts;

my %lines;						# file -> function -> line -> counts
my %called;						# file -> function -> number of calls

# A path below ROOT, or undef.
sub relative
{
	my $path = shift;

	$path =~ s{^\Q$root\E/}{};
	return $path =~ m{^src/(?:@{[join '|', @layers]})/} ? $path : undef;
}

# Add the counts of one line.
sub add_line
{
	my ($file, $function, $line) = @_;
	my $sum = $lines{$file}{$function}{$line->{line_number}} //=
		{ count => 0, branches => [] };
	my @branches = map { $_->{count} } @{$line->{branches}};

	$sum->{count} += $line->{count};
	if (@{$sum->{branches}} && @branches != @{$sum->{branches}})
	{
		die "$file:$line->{line_number} has different branches here and there\n";
	}
	$sum->{branches}[$_] += $branches[$_] for 0 .. $#branches;
}

# Add the counts that a .gcda file holds.
sub add_counts
{
	my $gcda = shift;
	my ($folder, $name) = $gcda =~ m{^(.*)/([^/]+)$};

	open my $gcov, '-|', 'sh', '-c', 'cd "$1" && gcov --json-format --branch-probabilities --stdout -- "$2"',
		'sh', $folder, $name or die "gcov: $!\n";
	my $text = do { local $/; <$gcov> };
	close $gcov or die "gcov could not read $gcda\n";
	for my $document (split /^(?=\{"gcc_version")/m, $text)
	{
		for my $source (@{decode_json($document)->{files}})
		{
			my $file = relative($source->{file}) // next;

			$called{$file}{$_->{name}} += $_->{execution_count} for @{$source->{functions}};
			add_line($file, $_->{function_name}, $_) for @{$source->{lines}};
		}
	}
}

# The lines of a source, from 1, and which of them belong to macros that ask for
# no cover.
sub read_source
{
	my $file = shift;
	my @text = ('');
	my @exempt;
	my $depth = 0;

	open my $in, '<', "$root/$file" or die "$file: $!\n";
	while (my $line = <$in>)
	{
		my $code = $line;

		$line =~ s/^\s+|\s+$//g;
		$line =~ s/\s+/ /g;
		push @text, $line;
		$code =~ s/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'//g;
		if ($depth == 0 && $code =~ /\b(?:ereport|elog|CHECK_FOR_INTERRUPTS|Assert)\s*(\(.*)/s)
		{
			$exempt[$#text] = 1;
			$code = $1;
		}
		elsif ($depth > 0)
		{
			$exempt[$#text] = 1;
		}
		else
		{
			next;
		}
		for my $parenthesis ($code =~ /[()]/g)
		{
			$depth += $parenthesis eq '(' ? 1 : -1;
			last if $depth == 0;
		}
	}
	close $in;
	return (\@text, \@exempt);
}

# What isn't covered: the key by which it is listed -> [place, numbers].
sub find_uncovered
{
	my %uncovered;
	my %totals;

	for my $file (sort keys %lines)
	{
		my ($text, $exempt) = read_source($file);
		my ($layer) = $file =~ m{^src/([^/]+)};
		my $total = $totals{$layer} //= { lines => 0, run => 0, branches => 0, taken => 0 };

		for my $function (sort keys %{$lines{$file}})
		{
			my $of = $lines{$file}{$function};
			my %seen;
			my $missing_lines = 0;
			my $missing_branches = 0;
			my ($first) = sort { $a <=> $b } keys %$of;

			for my $number (sort { $a <=> $b } keys %$of)
			{
				my ($count, @branches) = ($of->{$number}{count}, @{$of->{$number}{branches}});
				my $name = $text->[$number];
				my @missing;

				$total->{lines}++;
				$total->{run}++ if $count > 0;
				$missing_lines++ if $count == 0 && !$exempt->[$number];
				next if !@branches || $exempt->[$number];
				$name .= ' #' . $seen{$name} if ++$seen{$name} > 1;
				@missing = grep { $branches[$_ - 1] == 0 } 1 .. @branches;
				$total->{branches} += @branches;
				$total->{taken} += @branches - @missing;
				next if $count == 0;
				next if !@missing;
				$missing_branches += @missing;
				$uncovered{join "\t", $file, $function, $name} =
					["$file:$number", join(',', @missing) . '/' . @branches];
			}
			next if $missing_lines == 0 || $missing_branches > 0;
			$uncovered{join "\t", $file, $function, '-'} =
				["$file:$first", $called{$file}{$function} ? 'lines' : 'never'];
		}
	}
	return (\%uncovered, \%totals);
}

# The list: the key -> [numbers, class].
sub read_list
{
	my %listed;
	my %explained;
	my %used;

	open my $in, '<', $list or die "$list: $!\n";
	while (my $line = <$in>)
	{
		chomp $line;
		if ($line =~ /^# class ([a-z-]+): \S/)
		{
			$explained{$1} = 1;
		}
		next if $line =~ /^#/ || $line eq '';
		my ($file, $function, $text, $numbers, $class, $reason, @more) = split /\t/, $line;
		my $key = join "\t", $file, $function, $text // '';

		die "$list:$.: six columns are wanted\n" if !defined $reason || $reason eq '' || @more;
		die "$list:$.: class $class is not explained\n" if !$explained{$class};
		die "$list:$.: this line is there twice\n" if $listed{$key};
		$listed{$key} = [$numbers, $class];
		$used{$class} = 1;
	}
	close $in;
	for my $class (sort keys %explained)
	{
		die "$list: no line is of class $class\n" if !$used{$class};
	}
	return \%listed;
}

# How many branches, or functions, "1,3/4" and the like stand for.
sub how_many
{
	my ($numbers) = $_[0] =~ m{^([\d,]+)/};

	return defined $numbers ? scalar(split /,/, $numbers) : 1;
}

sub percent
{
	my ($part, $whole) = @_;

	return $whole ? sprintf '%5.1f', int($part * 1000 / $whole) / 10 : '    -';
}

add_counts($_) for @counts;
my ($uncovered, $totals) = find_uncovered();
my $listed = read_list();
my $failed = 0;
my $passed = 0;
my %by_class;

if ($list_only)
{
	for my $key (sort keys %$uncovered)
	{
		my ($place, $numbers) = @{$uncovered->{$key}};

		next if $listed->{$key} && $listed->{$key}[0] eq $numbers;
		print join("\t", $key, $numbers, 'CLASS', $place), "\n";
	}
	exit 0;
}

for my $layer (@layers)
{
	my $total = $totals->{$layer} or die "nothing was counted of $layer\n";

	printf "%-8s %5d lines, %s %% run; %5d branches, %s %% taken\n", $layer,
		$total->{lines}, percent($total->{run}, $total->{lines}),
		$total->{branches}, percent($total->{taken}, $total->{branches});
	$passed += $total->{taken};
}
for my $key (sort keys %$uncovered)
{
	my ($place, $numbers) = @{$uncovered->{$key}};
	my ($file, $function, $text) = split /\t/, $key;
	my $entry = delete $listed->{$key};

	if ($entry && $entry->[0] eq $numbers)
	{
		$by_class{$entry->[1]} += how_many($numbers);
		$passed += how_many($numbers);
		next;
	}
	print "not ok - $place $function(): $numbers of '$text' not covered",
		$entry ? ", but $entry->[0] listed\n" : ", nor listed\n";
	$failed++;
}
for my $key (sort keys %$listed)
{
	my ($file, $function, $text) = split /\t/, $key;

	print "not ok - $file $function(): $listed->{$key}[0] of '$text' listed, but covered or gone\n";
	$failed++;
}
printf "%6d listed as %s\n", $by_class{$_}, $_ for sort keys %by_class;
print "$passed passed, $failed failed\n";
exit($failed ? 1 : 0);
