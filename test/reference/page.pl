#!/usr/bin/env perl
#
# page.pl PAGE FOLDER: takes the reference apart.
#
# For each "### name" of the page, FOLDER gets
#
#   N.sql         the entry's ```sql fences, each after a line that echoes its
#                 place, so that what psql prints can be told apart
#   N.expected    the ```text fences, after the same lines
#
# where N numbers the entries, and FOLDER/entries.tsv has a row for each: N,
# section, name, the line it is on, and the signatures of its first fence,
# separated by " | ".  What the page does wrong goes to FOLDER/problems.

use strict;
use warnings;
use open qw(:std :encoding(UTF-8));

my ($page, $folder) = @ARGV;
my $label = $page =~ s{.*/(?=doc/)}{}r;
my @entries;
my @problems;
my $section = '';

# Note what is wrong at a line of the page.
sub problem
{
	my ($line, $text) = @_;

	push @problems, "$label:$line: $text\n";
	return;
}

# Read the page as a list of headings and fences, in order: each a hash with
# line, kind (heading or fence), text, and for fences, lang and adjacent, which
# is whether nothing but empty lines came between it and the fence before.
sub parse
{
	my @parts;
	my $fence;
	my $adjacent = 0;

	open my $in, '<', $page or die "$page: $!\n";
	while (my $line = <$in>)
	{
		if ($fence)
		{
			if ($line =~ /^```\s*$/)
			{
				push @parts, $fence;
				$fence = undef;
				$adjacent = 1;
				next;
			}
			$fence->{text} .= $line;
		}
		elsif ($line =~ /^```(\S*)/)
		{
			$fence = {
				kind => 'fence', lang => $1, line => $., text => '',
				adjacent => $adjacent
			};
		}
		elsif ($line =~ /^(#+)\s+(.*?)\s*$/)
		{
			push @parts, {
				kind => 'heading', level => length $1, line => $., text => $2
			};
			$adjacent = 0;
		}
		elsif ($line =~ /\S/)
		{
			$adjacent = 0;
		}
	}
	close $in;
	problem($fence->{line}, 'this fence has no end') if $fence;
	return @parts;
}

# Give a signature's lines as one; a line that is not indented begins another.
sub signatures
{
	my @signatures;

	for my $line (split /\n/, shift)
	{
		next unless $line =~ /\S/;
		if (@signatures && $line =~ /^\s/)
		{
			$signatures[-1] .= ' ' . $line;
		}
		else
		{
			push @signatures, $line;
		}
	}
	return join ' | ', map { s/\s+/ /gr } @signatures;
}

# Take a fence into the entry that it is in.
sub add_fence
{
	my ($entry, $fence) = @_;
	my $place = "$label:$fence->{line}";

	if ($fence->{lang} eq '')
	{
		$entry->{signatures} = signatures($fence->{text})
		  unless $entry->{signatures} || $entry->{sql};
	}
	elsif ($fence->{lang} eq 'sql')
	{
		$entry->{sql} .= "\\echo '--' $place\n$fence->{text}\\r\n";
		$entry->{expected} .= "-- $place\n";
		$entry->{open} = 1;
		return;
	}
	elsif ($fence->{lang} eq 'text')
	{
		if ($entry->{open} && $fence->{adjacent})
		{
			$entry->{expected} .= $fence->{text};
		}
		else
		{
			problem($fence->{line}, 'this output follows no ```sql fence');
		}
	}
	$entry->{open} = 0;
	return;
}

sub write_file
{
	my ($name, @text) = @_;

	open my $out, '>', "$folder/$name" or die "$folder/$name: $!\n";
	print {$out} @text;
	close $out or die "$folder/$name: $!\n";
	return;
}

for my $part (parse())
{
	if ($part->{kind} eq 'fence')
	{
		add_fence($entries[-1], $part) if @entries && $entries[-1]{live};
	}
	elsif ($part->{level} == 3)
	{
		push @entries, {
			live => 1, section => $section, name => $part->{text} =~ s/`//gr,
			line => $part->{line}, signatures => '', sql => '', expected => ''
		};
	}
	elsif ($part->{level} < 3)
	{
		$section = $part->{text} if $part->{level} == 2;
		$entries[-1]{live} = 0 if @entries;
	}
}

my $number = 0;
my $rows = '';
for my $entry (@entries)
{
	$number++;
	problem($entry->{line}, "$entry->{name} has no signature")
	  unless $entry->{signatures};
	problem($entry->{line}, "$entry->{name} has no example")
	  unless $entry->{sql};
	write_file("$number.sql", $entry->{sql});
	write_file("$number.expected", $entry->{expected});
	$rows .= join("\t", $number,
		map { s/\\/\\\\/gr } @$entry{qw(section name line signatures)}) . "\n";
}
write_file('entries.tsv', $rows);
write_file('problems', @problems);
