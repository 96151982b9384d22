"""Hints: the best player's choice, with reasons that add up, from the view alone."""

import random

import pytest

from millebornes.cards import Card
from millebornes.editions import EDITIONS, edition, make_rules
from millebornes.errors import PlayerError
from millebornes.game import Action, Hand, Match, Move, Phase, View
from millebornes.players import player
from millebornes.players.hint import BEST, PLAIN_REASONS, Hint, hint
from millebornes.policies.maxims.catalogue import BASE, MAXIMS
from tests.plain.inside import deck_of


def decisions(name: str, seats: int, seed: str) -> list[View]:
    """All decisions of a hand of chance."""
    hand, rng, found = Hand.deal(edition(name).rules(seats), seed), random.Random(seed), []
    while not hand.is_over:
        assert hand.seat is not None
        found.append(hand.view(hand.seat))
        hand = hand.play(rng.choice(list(hand.legal_moves)))
    return found


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_hint_is_what_the_best_player_would_do(name: str, seats: int) -> None:
    best = player(BEST)
    for view in decisions(name, seats, f"{name} {seats}"):
        found = hint(view)
        assert found.player == BEST
        assert found.best == best.choose(view, view.legal_moves, random.Random(0))
        assert sorted(map(str, (ranked.move for ranked in found.moves))) == sorted(map(str, view.legal_moves))
        values = [ranked.value for ranked in found.moves if ranked.value is not None]
        assert values == sorted(values, reverse=True)


def test_reasons_speak_for_what_is_better() -> None:
    told = 0
    for view in decisions("classic", 2, "reasons"):
        found = hint(view)
        assert all(why.points is None or why.points > 0 for why in found.pros)
        assert all(why.points is None or why.points < 0 for why in found.cons)
        others = {"coup", "last_chance", "useless"}
        assert {why.name for why in found.pros + found.cons} <= {*MAXIMS, *PLAIN_REASONS, *others}
        if found.lead:
            told += 1
            assert found.pros, f"{found.best} is better than {found.moves[1].move}, but nothing says why"
    assert told > 30


def test_every_weight_can_be_a_reason() -> None:
    assert set(PLAIN_REASONS) == set(BASE)


def hint_after(hands: dict[int, str], pile: str, *moves: str, **options: object) -> Hint:
    rules = make_rules("classic").replace(options)
    match = Match.start(rules, deck=deck_of(rules, hands, pile))
    for move in moves:
        match = match.play(move)
    seat = match.hand.seat
    assert seat is not None
    return hint(match.view(seat))


def test_a_roll_first_and_why() -> None:
    found = hint_after({0: "roll 25 100 200 gasoline repairs", 1: "75 75 75 50 50 50"}, "25")
    assert str(found.best) == "roll"
    assert found.pros[0].name == "roll_first"
    assert found.lead is not None
    assert found.lead > 50


def test_a_coup_is_called_without_weighing() -> None:
    hands = {0: "stop roll 25 25 25 25", 1: "roll right_of_way 50 50 50 50"}
    found = hint_after(hands, "25 50 25", "roll", "roll", "stop>1")
    assert found.best == Move(Action.COUP, Card.RIGHT_OF_WAY)
    assert found.moves[0].value is None
    assert found.lead is None
    assert [why.name for why in found.pros] == ["coup"]


def test_a_safety_goes_before_the_last_card() -> None:
    hands = {0: "roll 100 driving_ace 25 25 25", 1: "50 50 50 75 75 75"}
    found = hint_after(hands, "25 50 25", "roll", "-50", goal=100, extension_goal=None)
    assert str(found.best) == "driving_ace"
    assert [why.name for why in found.pros] == ["last_chance"]


def test_other_players_can_be_asked() -> None:
    view = decisions("classic", 2, "others")[4]
    for name in ("basic", "random"):
        found = hint(view, player=name)
        assert found.player == name
        assert found.best in view.legal_moves
        assert found == hint(view, player=name)
    assert hint(view, player="maxims:no-roll_first").player == "maxims:no-roll_first"


def test_what_cannot_be_asked() -> None:
    hand = Hand.deal(make_rules("classic"), "x")
    assert hand.phase is Phase.PLAY
    with pytest.raises(PlayerError, match="nothing to decide"):
        hint(hand.view(1))
    with pytest.raises(PlayerError, match="no player 'bset'"):
        hint(hand.view(0), player="bset")
    with pytest.raises(PlayerError, match="whole matches only"):
        hint(hand.view(0), player="cmd:cat")


def test_a_hint_reads_nothing_but_the_view() -> None:
    for view in decisions("classic", 2, "text")[:12]:
        assert hint(View.parse(str(view))) == hint(view)
