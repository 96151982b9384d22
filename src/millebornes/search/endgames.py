"""Solve the end of a hand for two seats, with both hands known, once three cards or fewer are left to draw.

When the draw pile is empty, each seat knows the other's hand: it holds all cards that the seat hasn't seen. So the
solution gives the exact value of each move with best play on both sides. With one to three cards to draw, both hands
are treated as known and every order of these cards as equally likely. That is exact for anyone who sees both hands. A
seat doesn't, so for its decision the solution is only a guide.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.match_equity import Stakes, stakes_of
from millebornes.rules.engine import engine_for
from millebornes.rules.state import Phase
from millebornes.rules.tables import tables_for
from millebornes.search.endgame_kernels import DEPTH, ENTRY, FRAME, PLACES, solve
from millebornes.search.information_set import InformationSet

__all__ = ["MAX_TO_DRAW", "EndgameSolver", "Solved", "is_endgame"]

ROUNDING: Final = 1e-9
"""Values that differ by less than this are equal."""
MAX_TO_DRAW: Final = 3
"""Positions with more cards than this in the draw pile are not solved."""


class Solved(NamedTuple):
    """The value of each move for the seat to decide: points of lead, or the chance to win the match."""

    values: npt.NDArray[np.float64]
    nodes: int


def is_endgame(rules: Rules, seen: InformationSet) -> bool:
    """Return whether no card is hidden any more: with two seats, the other one holds all the unseen cards."""
    return rules.seats == 2 and seen.drawn >= rules.cards and int(seen.unseen.sum()) == seen.others


class EndgameSolver:
    """Solve the ends of hands at one table for two. Use an instance in one thread only."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self._states: Final = np.zeros(DEPTH, engine_for(rules).dtype)
        self._tables: Final = np.zeros(1, tables_for(rules).dtype)
        self._tables[0] = tables_for(rules)
        self._frames: Final = np.zeros(DEPTH, FRAME)
        self._entries: Final = np.zeros(PLACES, ENTRY)
        self._age = 0

    def prepare(self) -> None:
        """Load the solver, or compile it."""
        state = np.frombuffer(bytearray(engine_for(self.rules).pack(phase=Phase.OVER)), engine_for(self.rules).dtype)
        self._states[:1] = state
        stakes = stakes_of(self.rules, 0)
        self._frames[0] = 0
        solve(self._states, self._tables, self._frames, self._entries, np.zeros(2, np.int64), stakes, 1, 1)

    def solve(
        self,
        state: npt.NDArray[np.void],
        codes: npt.NDArray[np.int64],
        stakes: Stakes,
        totals: tuple[int, ...] = (0, 0),
        most_nodes: int = 3_000_000,
    ) -> Solved | None:
        """Return the values of moves for the seat to decide. ``state`` has the shape (1,) and contains both hands.

        At most `MAX_TO_DRAW` cards are left to draw. The state's deck contains them, but their order counts as unknown.
        Both seats see both hands and know which cards are left to draw.

        Returns None if there are more cards to draw, or if the search would visit more than ``most_nodes`` positions.
        """
        engine = engine_for(self.rules)
        drawn, cards = int(state["drawn"][0]), self.rules.cards
        if cards - drawn > MAX_TO_DRAW:
            return None
        own = int(state["own"][0])
        before = np.array(totals, np.int64)
        pile = sum(1 << 3 * kind for kind in state["deck"][0, drawn:cards].tolist())
        start = state.copy()
        start["deck"][0, drawn:cards] = 0
        self._age += 1
        root, first = self._frames[0], self._states[:1]
        values = np.zeros(len(codes))
        nodes = 0
        for i, code in enumerate(codes.tolist()):
            first[:] = np.frombuffer(engine.apply(start[0].tobytes(), code).state, engine.dtype)
            draws = int(first["drawn"][0]) - drawn
            hand = first["hand"][0]
            hand[int(first["seat"][0])] -= np.uint64(draws)  # the 25s in place of these cards
            root["pile"], root["draws"] = pile, draws
            if draws == cards - drawn:
                hand[int(first["seat"][0])] += np.uint64(pile)
                root["pile"], root["draws"] = 0, 0
            value, looked = solve(
                self._states,
                self._tables,
                self._frames,
                self._entries,
                before,
                stakes,
                most_nodes - nodes,
                self._age,
            )
            nodes += looked
            if nodes > most_nodes:
                return None
            values[i] = value if own == 0 else (1.0 - value if stakes.goal else -value)
        return Solved(values, nodes)

    def leads(
        self,
        state: npt.NDArray[np.void],
        codes: npt.NDArray[np.int64],
        stakes: Stakes,
        totals: tuple[int, ...] = (0, 0),
        most_nodes: int = 3_000_000,
    ) -> npt.NDArray[np.float64] | None:
        """Return the lead in points of the seat to decide at the end, after each move, if both play for the stakes.

        Among moves of equal value, both seats prefer the one with more points. No cards may be left to draw. Everything
        else is as in `solve`.
        """
        engine = engine_for(self.rules)
        own = int(state["own"][0])
        points = stakes_of(self.rules, 0)
        found = np.zeros(len(codes))
        for i, code in enumerate(codes.tolist()):
            now = engine.apply(state[0].tobytes(), code)
            while any(now.words):
                legal = np.array([64 * n + bit for n, word in enumerate(now.words) for bit in _bits(word)], np.int64)
                if len(legal) > 1:
                    then = np.frombuffer(bytearray(now.state), engine.dtype)
                    solved = self.solve(then, legal, stakes, totals, most_nodes)
                    if solved is None:
                        return None
                    legal = legal[solved.values >= solved.values.max() - ROUNDING]
                    solved = self.solve(then, legal, points, totals, most_nodes) if len(legal) > 1 else solved
                    if solved is None:
                        return None
                    legal = legal[[int(np.argmax(solved.values)) if len(legal) > 1 else 0]]
                now = engine.apply(now.state, int(legal[0]))
            scores = [sum(lines) for lines in engine.scores(now.state)]
            found[i] = scores[own] - scores[1 - own]
        return found


def _bits(word: int) -> list[int]:
    """Return the places of the set bits."""
    return [bit for bit in range(word.bit_length()) if word >> bit & 1]
