"""Ends of hands are solved: the values are those of going through all that both can do."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from millebornes.editions import Rules, make_rules
from millebornes.game import Hand, Phase
from millebornes.players import player
from millebornes.players.information_set import information_set_of
from millebornes.policies.match_equity import equity_for, stakes_of
from millebornes.rules.engine import engine_for
from millebornes.search.endgames import EndgameSolver, Solved, is_endgame

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

SMALL = 7
"""Cards in both hands together, up to which everything is gone through in Python."""
EDITIONS = ["classic", "bsd", "mille2", "wikibooks", "house"]


def endgames(rules: Rules, seed: int) -> Iterator[Hand]:
    """Decisions with an empty draw pile, of hands in which most moves are good and some are made by chance."""
    chance, maxims = random.Random(seed), player("maxims")
    hand = Hand.deal(rules, seed)
    while not hand.is_over:
        if hand.draw_pile == 0:
            yield hand
        assert hand.seat is not None
        legal = hand.legal_moves
        good = chance.random() < 0.7
        hand = hand.play(maxims.choose(hand.view(hand.seat), legal, chance) if good else chance.choice(list(legal)))


def solve(solver: EndgameSolver, hand: Hand, target: int = 0, totals: tuple[int, ...] = (0, 0), **options: Any) -> Any:
    codes = np.array([hand.legal_moves.code(move) for move in hand.legal_moves])
    state = np.frombuffer(hand.state, engine_for(hand.rules).dtype)
    return solver.solve(state, codes, stakes_of(hand.rules, target), totals, **options)


def gone_through(hand: Hand, value: Callable[[Hand], float], known: dict[Any, float]) -> float:
    """What a hand is worth to side 0 by trying everything; ``value`` is that of a finished one."""
    if hand.is_over:
        return value(hand)
    key = hand.hands, hand.tableaux, hand.seat, hand.phase, hand.extended, hand.pending
    if key not in known:
        values = [gone_through(hand.play(move), value, known) for move in hand.legal_moves]
        known[key] = max(values) if hand.seat == 0 else min(values)
    return known[key]


@pytest.mark.parametrize("name", EDITIONS)
def test_values_are_those_of_trying_everything(name: str) -> None:
    rules = make_rules(name, 2)
    solver = EndgameSolver(rules)
    equity = equity_for(rules, 5000)
    totals = (4100, 4300)

    def lead(hand: Hand) -> float:
        points = [sheet.total for sheet in hand.scores]
        return points[0] - points[1]

    def chance(hand: Hand) -> float:
        after = tuple(total + sheet.total for total, sheet in zip(totals, hand.scores, strict=True))
        return float(equity.chance(after, 0, (hand.first + 1) % 2))

    checked, asked = 0, 0
    for seed in range(60):
        for hand in endgames(rules, seed):
            if sum(map(len, hand.hands)) > SMALL or len(hand.legal_moves) < 2:
                continue
            asked += hand.phase in (Phase.COUP, Phase.EXTEND)
            known: tuple[dict[Any, float], dict[Any, float]] = {}, {}
            points, chances = solve(solver, hand), solve(solver, hand, 5000, totals)
            for i, move in enumerate(hand.legal_moves):
                after = hand.play(move)
                found = gone_through(after, lead, known[0]), gone_through(after, chance, known[1])
                if hand.seat == 1:
                    found = -found[0], 1 - found[1]
                assert points.values[i] == found[0], (str(hand), move)
                assert chances.values[i] == pytest.approx(found[1], abs=1e-6), (str(hand), move)
            checked += 1
        if checked > 20:
            break
    assert checked > 10


def test_where_it_would_take_too_long_it_says_nothing() -> None:
    solver = EndgameSolver(make_rules("classic"))
    hand = next(hand for seed in range(60) for hand in endgames(solver.rules, seed) if len(hand.legal_moves) > 3)
    full = solve(solver, hand)
    assert isinstance(full, Solved)
    assert solve(solver, hand, most_nodes=full.nodes - 1) is None
    assert solve(solver, hand, most_nodes=full.nodes).nodes == full.nodes


def test_nothing_is_hidden_from_two_seats_with_an_empty_pile_only() -> None:
    classic = make_rules("classic")
    seen = information_set_of(Hand.deal(classic, seed=1).view(0))
    held = np.zeros_like(seen.unseen)
    held[0] = seen.cards_of_others
    known = seen._replace(drawn=classic.cards, unseen=held)
    assert is_endgame(classic, known)
    assert not is_endgame(classic, known._replace(drawn=classic.cards - 1))
    assert not is_endgame(classic, known._replace(unseen=held + 1)), "some cards lie where the seat hasn't seen them"
    assert not is_endgame(make_rules("classic", 4, 2), known)
