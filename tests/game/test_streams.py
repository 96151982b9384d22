import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

import pytest

from millebornes.cards import Card
from millebornes.editions import Rules, make_rules
from millebornes.game import Hand, Move, Phase, shuffled_deck
from millebornes.game.streams import Streams

SEED = "streams"


def random_move(hand: Hand, rng: random.Random) -> Move:
    legal = hand.legal_moves
    return legal[rng.randrange(len(legal))]


def play_out(rules: Rules, number: int, rng: random.Random, first: int = 0) -> tuple[Streams, Hand]:
    streams = Streams(rules, SEED, number, first)
    hand = streams.deal()
    while not hand.is_over:
        hand = streams.play(hand, random_move(hand, rng))
    return streams, hand


def drawn_by_seat(hand: Hand) -> list[list[Card]]:
    """What each seat got, in order, found by following the finished hand move by move."""
    rules = hand.rules
    got: list[list[Card]] = [[] for _ in range(rules.seats)]
    start = hand.at(0)
    dealt = rules.seats * rules.hand_size
    for n, card in enumerate(hand.deck[:dealt]):
        got[(start.first + n) % rules.seats].append(card)
    before = dealt
    for ply in range(hand.ply + 1):
        now = hand.at(ply)
        after = rules.cards - now.draw_pile
        if after > before and now.seat is not None:
            got[now.seat] += hand.deck[before:after]
        before = after
    return got


@pytest.mark.parametrize(
    ("edition", "seats"), [("classic", 2), ("classic", 6), ("bsd", 2), ("mille2", 3), ("wikibooks", 4), ("house", 3)]
)
def test_a_hand_from_streams_is_the_hand_of_its_recorded_deck(edition: str, seats: int) -> None:
    rules = make_rules(edition, seats)
    rng = random.Random(1)
    for number in (1, 2):
        streams, hand = play_out(rules, number, rng, first=number % seats)
        recorded = streams.recorded(hand)
        assert recorded.moves == hand.moves
        assert recorded.scores == hand.scores
        assert recorded.hands == hand.hands
        assert recorded.tableaux == hand.tableaux
        assert sorted(recorded.deck) == sorted(shuffled_deck(rules, SEED, number))
        drawn = rules.cards - hand.draw_pile
        assert recorded.deck[:drawn] == hand.deck[:drawn]
        for ply in range(0, hand.ply, 7):
            seat = recorded.at(ply).seat
            assert seat is not None
            assert recorded.at(ply).view(seat) == hand.at(ply).view(seat)


@pytest.mark.parametrize(
    "settings", [{"opening_right_of_way": True}, {"hand_end": "plays"}, {"hand_end": "points"}, {"coup_by": "anyone"}]
)
def test_streams_follow_every_way_of_taking_turns(settings: dict[str, object]) -> None:
    rules = make_rules("classic", 4, None, settings)
    rng = random.Random(2)
    phases = Counter[Phase]()
    for number in range(1, 13):
        streams, hand = play_out(rules, number, rng)
        assert streams.recorded(hand).hands == hand.hands
        phases.update(hand.at(ply).phase for ply in range(hand.ply))
    assert phases[Phase.PLAY] > 250
    assert phases[Phase.COUP]


@pytest.mark.parametrize("seats", [2, 4])
def test_what_a_seat_draws_does_not_depend_on_the_others(seats: int) -> None:
    rules = make_rules("classic", seats)
    for number in range(1, 4):
        played = []
        for chance in range(4):
            streams, hand = play_out(rules, number, random.Random(f"{number} {chance}"))
            played.append(drawn_by_seat(streams.recorded(hand)))
        for seat in range(seats):
            one = min((got[seat] for got in played), key=len)
            # Near the end a seat may have used up its own stream, and then draws from that of another.
            own = min(len(one), rules.cards // seats - 6)
            assert own > 6
            assert all(got[seat][:own] == one[:own] for got in played)


def test_two_seats_draw_from_the_two_ends_of_the_deck() -> None:
    rules = make_rules()
    deck = shuffled_deck(rules, SEED, 3)
    streams, hand = play_out(rules, 3, random.Random(0))
    one, other = drawn_by_seat(streams.recorded(hand))
    own = min(len(one), 40)
    assert tuple(one[:own]) == deck[:own]
    own = min(len(other), 40)
    assert tuple(other[:own]) == deck[::-1][:own]


# ---------------------------------------------------------------- a single hand is as random as ever


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """Kolmogorov and Smirnov's: the largest difference between two observed distributions."""
    a, b = sorted(one), sorted(other)
    return max(abs(bisect_right(a, x) / len(a) - bisect_right(b, x) / len(b)) for x in {*a, *b})


def chi_square(one: Counter[Card], other: Counter[Card]) -> float:
    """For two lists of counts over the same kinds."""
    sizes = one.total(), other.total()
    found = 0.0
    for kind in Card:
        both = one[kind] + other[kind]
        for count, size in zip((one[kind], other[kind]), sizes, strict=True):
            expected = both * size / sum(sizes)
            found += (count - expected) ** 2 / expected
    return found


class Sample:
    """What single hands of random players looked like."""

    def __init__(self) -> None:
        self.scores: list[list[int]] = [[], []]
        self.draws: list[list[int]] = [[], []]
        self.lengths: list[int] = []
        self.cards = [Counter[Card](), Counter[Card]()]

    def add(self, hand: Hand) -> None:
        self.lengths.append(hand.ply)
        for seat, got in enumerate(drawn_by_seat(hand)):
            self.scores[seat].append(hand.scores[seat].total)
            self.draws[seat].append(len(got))
            self.cards[seat].update(got)


def test_the_distribution_of_a_single_hand_is_unchanged() -> None:
    rules = make_rules()
    count = 200
    rng = random.Random("distribution")
    usual, streamed = Sample(), Sample()
    for number in range(1, count + 1):
        hand = Hand.deal(rules, "usual", hand=number)
        while not hand.is_over:
            hand = hand.play(random_move(hand, rng))
        usual.add(hand)
        streams, hand = play_out(rules, number, rng)
        streamed.add(streams.recorded(hand))
    limit = 1.95 * (2 / count) ** 0.5  # 0.1 % of equal distributions would be further apart
    assert distance(usual.lengths, streamed.lengths) < limit
    for seat in range(2):
        assert distance(usual.scores[seat], streamed.scores[seat]) < limit
        assert distance(usual.draws[seat], streamed.draws[seat]) < limit
        assert chi_square(usual.cards[seat], streamed.cards[seat]) < 42.3  # 18 degrees of freedom, 0.1 %
    # These measures do tell distributions apart: those of another way of playing, say.
    assert distance([*usual.draws[0]], [draws + 2 for draws in streamed.draws[0]]) > limit
    assert chi_square(usual.cards[0], Counter(dict.fromkeys(Card, usual.cards[0].total() // len(Card)))) > 42.3
