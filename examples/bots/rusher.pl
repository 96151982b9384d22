#!/usr/bin/env perl
# A bot for Mille Bornes: an example of the bot protocol in Perl, with nothing but the modules that come with it.
#
# Try it:    millebornes play --player human --player 'cmd:perl examples/bots/rusher.pl'
#
# The host writes one JSON object a line to our standard input. We answer "hello" and "choose", and leave the rest.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # no buffer: each answer must leave at once

my $json = JSON::PP->new->utf8->canonical;
my %order = ( roll => 300, repairs => 290, gasoline => 290, spare_tire => 290, end_of_limit => 280 );

# How much we like a move: only the order of the numbers matters.
sub liking {
    my ( $move, $view ) = @_;
    return 1000 if $move =~ /!$/;                    # a coup fourré
    return 400 + $1 if $move =~ /^(\d+)$/;           # a distance, the longer the better
    return 350 if $move =~ />/;                      # a hazard
    return $order{$move} if exists $order{$move};    # a remedy
    return 250 if $move eq '200=roll';
    return 100 if $move eq 'finish';
    return 90  if $move eq 'extend';
    return 0   if $move eq 'pass';
    if ( $move =~ /^-(.*)$/ ) {                      # a discard: short distances go first, safeties last
        my $card = $1;
        return -500 if $card =~ /^(driving_ace|extra_tank|puncture_proof|right_of_way)$/;
        return $card =~ /^\d+$/ ? -10 - $card / 10 : -20;
    }
    return $view->{draw_pile} < 10 ? 200 : -100;     # a safety: kept for a coup fourré for as long as that can come
}

while ( my $line = <STDIN> ) {
    my $message = $json->decode($line);
    my $type    = $message->{type};
    if ( $type eq 'hello' ) {
        print $json->encode( { type => 'ready', name => 'rusher' } ), "\n";
    }
    elsif ( $type eq 'choose' ) {
        my ( $best, $most );
        for my $move ( @{ $message->{legal} } ) {
            my $liking = liking( $move, $message->{view} );
            ( $best, $most ) = ( $move, $liking ) if !defined $most || $liking > $most;
        }
        print $json->encode( { move => $best, info => { liking => $most } } ), "\n";
    }
    elsif ( $type eq 'quit' ) {
        last;
    }
}
