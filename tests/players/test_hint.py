"""What a player would do, and which maxim advises a move: one whose sentence holds for it, or none."""

import itertools
import random

import pytest

from millebornes.cards import Card, Group
from millebornes.editions import edition, make_rules
from millebornes.errors import PlayerError
from millebornes.game import Action, Hand, Match, Move, View
from millebornes.players import player
from millebornes.players.hint import Hint, hint, maxim_for
from millebornes.players.maxim_cases import holds
from millebornes.policies.maxim_catalogue import MAXIMS
from tests.plain.inside import deck_of


def decisions(name: str, seats: int, seed: str) -> list[View]:
    """All decisions of a hand of chance."""
    hand, rng, found = Hand.deal(edition(name).rules(seats), seed), random.Random(seed), []
    while not hand.is_over:
        assert hand.seat is not None
        found.append(hand.view(hand.seat))
        hand = hand.play(rng.choice(list(hand.legal_moves)))
    return found


@pytest.mark.parametrize(("name", "seats"), [("classic", 2), ("bsd", 2), ("mille2", 2), ("wikibooks", 4), ("house", 4)])
def test_the_maxims_rank_all_moves_and_give_no_false_reason(name: str, seats: int) -> None:
    """A safety isn't held back by playing it, and a card isn't called useless that is of use."""
    maxims = player("maxims")
    for view in decisions(name, seats, f"{name} {seats}"):
        found = hint(view)
        assert found.best == maxims.choose(view, view.legal_moves, random.Random(0))
        assert sorted(map(str, found.moves)) == sorted(map(str, view.legal_moves))
        card = found.best.card
        if card is not None and card.group is Group.SAFETY and found.best.action is Action.PLAY:
            assert found.maxim not in {"hold_for_the_coup", "extend_for_a_coup"}
        if found.best.action is Action.DISCARD:
            assert found.maxim not in {"large_distance_at_once", "roll_first", "end_what_holds_you"}


def after(hands: dict[int, str], pile: str, *moves: str, **options: object) -> View:
    """The view of the seat that decides after some moves."""
    rules = make_rules("classic").replace(options)
    match = Match.start(rules, deck=deck_of(rules, hands, pile))
    for move in moves:
        match = match.play(move)
    seat = match.hand.seat
    assert seat is not None
    return match.view(seat)


def advice_after(hands: dict[int, str], pile: str, *moves: str, **options: object) -> Hint:
    return hint(after(hands, pile, *moves, **options))


def test_a_roll_first_and_why() -> None:
    found = advice_after({0: "roll 25 100 200 gasoline repairs", 1: "75 75 75 50 50 50"}, "25")
    assert str(found.best) == "roll"
    assert found.maxim == "roll_first"


def test_a_coup_is_called_and_needs_no_maxim() -> None:
    hands = {0: "stop roll 25 25 25 25", 1: "roll right_of_way 50 50 50 50"}
    found = advice_after(hands, "25 50 25", "roll", "roll", "stop>1")
    assert found.best == Move(Action.COUP, Card.RIGHT_OF_WAY)
    assert found.maxim is None


def test_a_safety_goes_before_the_last_card() -> None:
    hands = {0: "roll 100 driving_ace 25 25 25", 1: "50 50 50 75 75 75"}
    found = advice_after(hands, "25 50 25", "roll", "-50", goal=100, extension_goal=None)
    assert str(found.best) == "driving_ace"


@pytest.mark.parametrize(
    ("name", "hands", "best", "other", "right"),
    [
        ("hold_for_the_coup", "right_of_way 25 25 50 75 100", "right_of_way", "-25", False),
        ("hold_for_the_coup", "right_of_way 25 25 50 75 100", "-25", "right_of_way", True),
        ("small_distance_first", "25 50 75 100 gasoline roll", "-25", "-50", True),
        ("small_distance_first", "25 50 75 100 gasoline roll", "-gasoline", "-50", False),
        ("large_distance_at_once", "25 50 75 100 gasoline roll", "roll", "-50", False),
        ("roll_first", "25 50 75 100 gasoline roll", "roll", "-50", True),
        ("keep_rolls", "25 50 75 100 gasoline roll", "-gasoline", "-roll", True),
        ("keep_rolls", "25 50 75 100 gasoline roll", "roll", "-roll", False),
        ("one_of_each_remedy", "gasoline gasoline 75 100 25 roll", "-gasoline", "-25", True),
        ("one_of_each_remedy", "gasoline repairs 75 100 25 roll", "-gasoline", "-25", False),
        ("remedies_beside_a_safety", "gasoline extra_tank 75 100 25 roll", "-gasoline", "-25", True),
        ("remedies_beside_a_safety", "repairs extra_tank 75 100 25 roll", "-repairs", "-25", False),
        ("play_for_the_match", "25 50 75 100 gasoline roll", "-25", "-50", False),
    ],
)
def test_a_maxim_holds_for_what_its_sentence_says(name: str, hands: str, best: str, other: str, right: bool) -> None:
    view = after({0: hands, 1: "75 75 75 50 50 50"}, "25")
    assert holds(name, view, Move.parse(best), Move.parse(other)) is right


def test_a_maxim_never_speaks_for_both_of_two_moves() -> None:
    both: set[str] = set()
    for view in decisions("classic", 2, "a"):
        for best, other in itertools.pairwise(view.legal_moves):
            both |= {name for name in MAXIMS if holds(name, view, best, other) and holds(name, view, other, best)}
    assert both <= MUTUAL


MUTUAL = {"one_of_each_remedy", "remedies_will_come", "remedies_beside_a_safety"}
"""Of two such cards either may go."""


def test_a_maxim_is_named_for_the_move_that_the_maxims_advise() -> None:
    named = 0
    for view in decisions("classic", 2, "reasons"):
        found = hint(view)
        if len(found.moves) < 2:
            continue
        maxim = maxim_for(view, found.best, found.moves[1])
        assert maxim == found.maxim
        if maxim is not None:
            named += 1
            assert holds(maxim, view, found.best, found.moves[1])
        assert maxim_for(view, found.moves[1], found.best) is None
    assert named > 20


def test_what_cannot_be_asked() -> None:
    with pytest.raises(PlayerError, match="nothing to decide"):
        hint(Hand.deal(make_rules("classic"), "x").view(1))


def test_a_hint_reads_nothing_but_the_view() -> None:
    for view in decisions("classic", 2, "text")[::5]:
        assert hint(View.parse(str(view))) == hint(view)
