"""Ends of hands with some cards left to draw, cards open: the values are those of going through all that can come."""

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.editions import Rules, make_rules
from millebornes.game import Hand, Phase
from millebornes.players import player
from millebornes.policies.match_equity import equity_for, stakes_of
from millebornes.rules.engine import engine_for
from millebornes.search.endgames import MAX_TO_DRAW, EndgameSolver

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

MOST_STATES = 1500
"""Where going through everything in Python takes more, another position is taken."""
EDITIONS = ["classic", "bsd", "mille2", "wikibooks", "house"]

State = npt.NDArray[np.void]


class TooLong(Exception):
    """There are more states than `MOST_STATES`."""


class Through:
    """What states are worth to side 0, by going through all moves and all orders of the draw pile, without bounds."""

    def __init__(self, rules: Rules, worth: Callable[[State], float]) -> None:
        self.engine = engine_for(rules)
        self.cards = rules.cards
        self.worth = worth
        self.known: dict[Any, float] = {}

    def after(self, state: State, code: int) -> float:
        """A move is made, and what is drawn then comes from all orders of the pile alike."""
        orders = list(itertools.permutations(self.pile(state)))
        return sum(self.value(self.played(state, code, order)) for order in orders) / len(orders)

    def value(self, state: State) -> float:
        """The better of the two sides' moves, for whoever decides."""
        if state["phase"][0] == Phase.OVER:
            return self.worth(state)
        fields = ("hand", "side", "saved", "seat", "phase", "extended", "attacker", "hazard", "drawn")
        key = *(state[field].tobytes() for field in fields), tuple(sorted(self.pile(state)))
        if key not in self.known:
            if len(self.known) >= MOST_STATES:
                raise TooLong
            word = self.engine.words(state.tobytes())[0]
            values = [self.after(state, code) for code in range(64) if word >> code & 1]
            self.known[key] = max(values) if state["own"][0] == 0 else min(values)
        return self.known[key]

    def pile(self, state: State) -> list[int]:
        """The kinds that are left to draw."""
        found: list[int] = state["deck"][0, int(state["drawn"][0]) : self.cards].tolist()
        return found

    def played(self, state: State, code: int, order: tuple[int, ...]) -> State:
        """The state after a move, where the cards lie in this order."""
        laid = state.copy()
        laid["deck"][0, int(state["drawn"][0]) : self.cards] = order
        return np.frombuffer(self.engine.apply(laid.tobytes(), code).state, self.engine.dtype)


def late_positions(rules: Rules, left: int) -> Iterator[Hand]:
    """Decisions with so many cards in the draw pile, of hands in which moves are made by maxims and by chance."""
    maxims = player("maxims")
    for seed in range(1000):
        chance = random.Random(seed)
        hand = Hand.deal(rules, seed)
        while not hand.is_over and hand.draw_pile >= left:
            assert hand.seat is not None
            legal = hand.legal_moves
            if hand.draw_pile == left and len(legal) > 1:
                yield hand
            good = chance.random() < 0.7
            hand = hand.play(maxims.choose(hand.view(hand.seat), legal, chance) if good else chance.choice(list(legal)))


def codes_of(hand: Hand) -> npt.NDArray[np.int64]:
    return np.array([hand.legal_moves.code(move) for move in hand.legal_moves])


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("left", [1, 2, 3])
def test_values_are_those_of_trying_everything_in_every_order(name: str, left: int) -> None:
    rules = make_rules(name, 2, settings={"hand_size": 3})
    solver, engine = EndgameSolver(rules), engine_for(rules)
    equity = equity_for(make_rules(name, 2), 5000)
    totals = (4100, 4300)

    def lead(state: State) -> float:
        mine, theirs = (sum(lines) for lines in engine.scores(state.tobytes()))
        return mine - theirs

    def chance(state: State) -> float:
        after = [total + sum(lines) for total, lines in zip(totals, engine.scores(state.tobytes()), strict=True)]
        return float(equity.chance(after, 0, (int(state["first"][0]) + 1) % 2))

    checked = 0
    for hand in late_positions(rules, left):
        state, codes = np.frombuffer(hand.state, engine.dtype), codes_of(hand)
        by_points, by_chance = Through(rules, lead), Through(rules, chance)
        try:
            points = np.array([by_points.after(state, code) for code in codes.tolist()])
        except TooLong:
            continue
        chances = np.array([by_chance.after(state, code) for code in codes.tolist()])
        if hand.seat == 1:
            points, chances = -points, 1 - chances
        found = solver.solve(state, codes, stakes_of(rules, 0))
        assert found is not None
        assert found.values == pytest.approx(points, abs=1e-6), str(hand)
        stakes = stakes_of(make_rules(name, 2), 5000)
        found = solver.solve(state, codes, stakes, totals)
        assert found is not None
        assert found.values == pytest.approx(chances, abs=1e-6), str(hand)
        checked += 1
        if checked >= 3:
            return
    pytest.fail("too few small positions")


def test_the_order_of_the_pile_counts_for_nothing() -> None:
    rules = make_rules()
    solver = EndgameSolver(rules)
    hand = next(hand for hand in late_positions(rules, 3) if len(hand.legal_moves) > 4)
    state, codes = np.frombuffer(hand.state, engine_for(rules).dtype).copy(), codes_of(hand)
    drawn = int(state["drawn"][0])
    pile = state["deck"][0, drawn : rules.cards].tolist()
    found = []
    for order in itertools.permutations(pile):
        state["deck"][0, drawn : rules.cards] = order
        solved = solver.solve(state, codes, stakes_of(rules, 0))
        assert solved is not None
        found.append(solved.values.tolist())
    assert all(values == found[0] for values in found)


def test_with_more_cards_to_draw_it_says_nothing() -> None:
    rules = make_rules()
    hand = next(late_positions(rules, MAX_TO_DRAW + 1))
    state = np.frombuffer(hand.state, engine_for(rules).dtype)
    assert EndgameSolver(rules).solve(state, codes_of(hand), stakes_of(rules, 0)) is None


def test_where_it_would_take_too_long_it_says_nothing() -> None:
    rules = make_rules()
    solver = EndgameSolver(rules)
    hand = next(hand for hand in late_positions(rules, 3) if len(hand.legal_moves) > 4)
    state, codes, stakes = np.frombuffer(hand.state, engine_for(rules).dtype), codes_of(hand), stakes_of(rules, 0)
    full = solver.solve(state, codes, stakes)
    assert full is not None
    assert solver.solve(state, codes, stakes, most_nodes=full.nodes - 1) is None
    again = solver.solve(state, codes, stakes, most_nodes=full.nodes)
    assert again is not None
    assert again.values.tolist() == full.values.tolist()
