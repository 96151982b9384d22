#!/usr/bin/perl
# Checks the shuffles of a transcript, knowing nothing but docs/fair-shuffle.md: perl check.pl FILE
# Needs only what comes with Perl. Decks other than the full and the reduced one are not known to it.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256 sha256_hex);
use JSON::PP;

my @kinds = qw(25 50 75 100 200 accident out_of_gas flat_tire stop speed_limit repairs gasoline spare_tire roll
    end_of_limit driving_ace extra_tank puncture_proof right_of_way);
my @full = (10, 10, 10, 12, 4, 3, 3, 3, 5, 4, 6, 6, 6, 14, 6, 1, 1, 1, 1);

my $wrong = 0;
while (my $line = <>) {
    my $hand = decode_json($line);
    my $shuffle = $hand->{shuffle} or next;
    my $seed = pack 'H*', $shuffle->{server_seed};
    my $text = $shuffle->{table};
    utf8::encode($text);
    my $message = $text . "\0" . pack('N', $shuffle->{hand}) . join '', map { pack 'H*', $_ } @{ $shuffle->{seat_seeds} };
    my $key = hmac_sha256($message, $seed);

    my $reduced = @{ $hand->{deck} } == 101 ? 1 : 0;
    my @deck = map { ($kinds[$_]) x ($full[$_] - ($reduced && $_ >= 5 && $_ < 10)) } 0 .. $#kinds;
    my ($counter, @words) = (0);
    for my $i (reverse 1 .. $#deck) {
        my $word;
        do {
            @words = unpack 'N8', hmac_sha256(pack('N', $counter++), $key) unless @words;
            $word = shift @words;
        } until $word < 2**32 - 2**32 % ($i + 1);
        my $j = $word % ($i + 1);
        @deck[$i, $j] = @deck[$j, $i];
    }
    my $fair = sha256_hex($seed) eq lc $shuffle->{commitment} && "@deck" eq "@{ $hand->{deck} }";
    print "hand $hand->{hand}: ", ($fair ? "fair" : "NOT FAIR"), "\n";
    $wrong ||= !$fair;
}
exit($wrong ? 1 : 0);
