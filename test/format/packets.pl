#!/usr/bin/env perl
#
# Puts a rowset together from its packets: another reader, written from
# doc/packet_format.md alone.
#
#   packets.pl < LINES > ROWSET
#
# Each line is a packet in hexadecimal digits; they may come in any order, and
# more than once.  The exit status is 1, and the reason is told on standard
# error, when they are not all packets of one stream.

use v5.36;
use FindBin;
use lib "$FindBin::RealBin/lib";
use Rowset::Bytes qw(invalid unsupported);

use constant { OVERHEAD => 22, LEAST_PAYLOAD => 42, LAST => 0x01 };

exit main();

sub main ()
{
	my %packets;

	binmode STDOUT;
	eval {
		while (my $line = <STDIN>)
		{
			chomp $line;
			add(\%packets, packet(pack('H*', $line)));
		}
		print together(\%packets);
		1;
	} or do {
		print STDERR $@;
		return 1;
	};
	return 0;
}

# What a packet says.
sub packet ($bytes)
{
	my $in = Rowset::Bytes->new($bytes, 'the packet');
	my %packet;

	invalid('no packet') if $in->take(4) ne "\xFFRSP";
	my $version = $in->u8;
	unsupported("packets of version $version") if $version != 1;
	my $flags = $in->u8;
	$packet{stream} = $in->take(8);
	$packet{seq} = $in->u32;
	invalid('the packet ends too early') if $in->left < 4;
	$packet{payload} = $in->take($in->left - 4);
	$in->check_crc($in->since(0), 'the packet');
	invalid("flags $flags") if $flags & ~LAST;
	invalid('a packet with number 0') if $packet{seq} == 0;
	$packet{is_last} = $flags & LAST;
	my $least = $packet{is_last} ? 1 : LEAST_PAYLOAD;
	invalid('a packet with too little') if length $packet{payload} < $least;
	return \%packet;
}

# Take a packet, or one more time.
sub add ($packets, $packet)
{
	my $known = $packets->{ $packet->{seq} } //= $packet;

	for my $what (qw(stream payload is_last))
	{
		invalid("two packets $packet->{seq}")
			if $known->{$what} ne $packet->{$what};
	}
	return;
}

# The stream, of which no packet may be missing.
sub together ($packets)
{
	my @in_order = map { $packets->{$_} } sort { $a <=> $b } keys %$packets;
	my $seq = 0;

	invalid('no packets') if !@in_order;
	for my $packet (@in_order)
	{
		$seq++;
		invalid("packet $seq is missing") if $packet->{seq} != $seq;
		invalid("packet $seq is of another stream")
			if $packet->{stream} ne $in_order[0]{stream};
		invalid("packet $seq is not the last")
			if !$packet->{is_last} != ($seq < @in_order);
		invalid("packet $seq has another size")
			if $packet->{is_last}
			? length $packet->{payload} > length $in_order[0]{payload}
			: length $packet->{payload} != length $in_order[0]{payload};
	}
	return join '', map { $_->{payload} } @in_order;
}
