"""A hand without its moments: small, and in nothing else another than the hand that keeps them."""

import gc
import pickle
import random
import tracemalloc

import pytest

from millebornes.editions import make_rules
from millebornes.game import Hand, Match
from millebornes.game.streams import Streams

SHOWN = ("parent", "move", "ply", "deck", "moves", "drawn", "latest_hazard", "coup_question", "entitled", "skipped")


def played_out(hand: Hand, rng: random.Random) -> Hand:
    while not hand.is_over:
        hand = hand.play(rng.choice(tuple(hand.legal_moves)))
    return hand


@pytest.mark.parametrize(
    ("edition", "seats"), [("classic", 2), ("bsd", 2), ("mille2", 3), ("wikibooks", 4), ("house", 4)]
)
def test_it_is_the_same_hand(edition: str, seats: int) -> None:
    rng = random.Random(f"{edition} {seats}")
    over = played_out(Hand.deal(make_rules(edition, seats), seed="compact"), rng)
    for hand in (over.at(0), over.at(1), over.at(rng.randrange(2, over.ply)), over):
        small = hand.compact()
        for one in (small, small.compact(), pickle.loads(pickle.dumps(small))):
            assert one == hand
            assert [getattr(one, name) for name in SHOWN] == [getattr(hand, name) for name in SHOWN]
            for ply in {0, hand.ply // 2, hand.ply}:
                assert one.at(ply) == hand.at(ply)
                assert one.at(ply).moves == hand.moves[:ply]
            with pytest.raises(IndexError):
                one.at(hand.ply + 1)
        if not hand.is_over:
            move = rng.choice(tuple(hand.legal_moves))
            later = small.play(move)
            assert later == hand.play(move)
            assert later.moves == (*hand.moves, move)
            assert later.at(hand.ply // 2) == hand.at(hand.ply // 2)
            assert later.compact().moves == later.moves


def test_a_hand_that_comes_from_a_position() -> None:
    rng = random.Random(4)
    dealt = Hand.deal(make_rules("bsd"), seed=4)
    start = Hand.parse(str(dealt.play_all([dealt.legal_moves[0]])))
    over = played_out(start, rng)
    small = over.compact()
    assert (small.at(0), small.moves, small.parent) == (start, over.moves, over.parent)


def test_a_hand_whose_cards_were_laid_anew() -> None:
    """Of streams: its moments cannot be played again from one deck."""
    streams, rng = Streams(make_rules("classic"), "streams", 1, 0), random.Random(1)
    hand = streams.deal()
    while not hand.is_over:
        hand = streams.play(hand, rng.choice(tuple(hand.legal_moves)))
    small = hand.compact()
    for ply in range(hand.ply + 1):
        assert small.at(ply) == hand.at(ply)


@pytest.mark.once
def test_a_match_takes_little_memory() -> None:
    """The moments of the hand being played, and no others; a hand of moments takes fifty kilobytes."""
    rng = random.Random(1)
    match = Match.start(make_rules("classic"), 1, match_target=None)
    sizes = []
    tracemalloc.start()
    try:
        for _ in range(6):
            match = match.with_hand(played_out(match.hand, rng)).next_hand()
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert len(match.finished) == 6
    assert sizes[-1] - sizes[1] < 4 * 20_000, "bytes; caches of all kinds take a part"
