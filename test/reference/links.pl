#!/usr/bin/env perl
#
# links.pl PAGE...: follows the links between the project's Markdown pages.
#
# Prints a line for each link to a file of the project: "ok" or "not ok", and
# where it is.  A link with an anchor needs a heading whose name, by GitHub's
# rules, is that anchor.  Links to other hosts are not followed.

use strict;
use warnings;
use open qw(:std :encoding(UTF-8));
use File::Basename qw(dirname);

my %anchors_of;

# Read a page's lines, those within fences left empty.
sub prose
{
	my $page = shift;
	my $fenced = 0;
	my @lines;

	open my $in, '<', $page or die "$page: $!\n";
	while (my $line = <$in>)
	{
		my $edge = $line =~ /^\s*```/;

		push @lines, $fenced || $edge ? "\n" : $line;
		$fenced = !$fenced if $edge;
	}
	close $in;
	return @lines;
}

# Give the anchors of a page's headings: lower case, spaces as hyphens, nothing
# else but letters, digits, hyphens and underscores, and numbered when the same
# heading is there again.
sub anchors
{
	my $page = shift;
	my %seen;

	return $anchors_of{$page} if $anchors_of{$page};
	for my $line (prose($page))
	{
		next unless $line =~ /^#+\s+(.*?)\s*#*\s*$/;
		my $anchor = lc $1;

		$anchor =~ s/\[([^\]]*)\]\([^)]*\)/$1/g;
		$anchor =~ s/[^\w\- ]//g;
		$anchor =~ tr/ /-/;
		my $times = $seen{$anchor}++;
		$anchor .= "-$times" if $times;
		$anchors_of{$page}{$anchor} = 1;
	}
	$anchors_of{$page} //= {};
	return $anchors_of{$page};
}

for my $page (@ARGV)
{
	my $number = 0;

	for my $line (prose($page))
	{
		$number++;
		while ($line =~ /\]\(([^()\s]+)\)/g)
		{
			my $link = $1;

			next if $link =~ /^[a-z]+:/;
			my ($path, $anchor) = $link =~ /^([^#]*)(?:#(.*))?$/;
			my $target = $path eq '' ? $page : dirname($page) . "/$path";
			my $good = -e $target;

			$good &&= anchors($target)->{$anchor} if defined $anchor;
			printf "%s: %s:%d: link to %s\n", $good ? 'ok' : 'not ok', $page,
			  $number, $link;
		}
	}
}
