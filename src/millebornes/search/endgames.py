"""Solve the end of a hand for two seats whose cards are both known, once at most three cards are left to draw.

When the draw pile is empty, each seat knows the other hand, which consists of all cards that the seat hasn't seen. The
solution therefore contains the exact value of each move if both sides play as well as possible. With one to three cards
left to draw, both hands are treated as known, and all orders of these cards as equally likely. The solution is exact
for someone who sees both hands. A seat sees only its own hand, so it can only use the solution as a guide.
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
"""Values that differ by less than this count as equal."""
MAX_TO_DRAW: Final = 3
"""The maximum number of cards in the draw pile for a position that is solved."""


class Solved(NamedTuple):
    """The value of each move for the seat to decide, as points of lead or as a chance to win the match."""

    values: npt.NDArray[np.float64]
    nodes: int


def is_endgame(rules: Rules, seen: InformationSet) -> bool:
    """Return whether no cards are hidden any more, because there are two seats and the other holds all unseen cards."""
    return rules.seats == 2 and seen.drawn >= rules.cards and int(seen.unseen.sum()) == seen.others


class EndgameSolver:
    """Solves the ends of hands at one table with two seats. Only one thread can use an instance."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self._states: Final = np.zeros(DEPTH, engine_for(rules).dtype)
        self._tables: Final = np.zeros(1, tables_for(rules).dtype)
        self._tables[0] = tables_for(rules)
        self._frames: Final = np.zeros(DEPTH, FRAME)
        self._entries: Final = np.zeros(PLACES, ENTRY)
        self._age = 0

    def prepare(self) -> None:
        """Load the solver, or compile it if necessary."""
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
        """Return the values of the moves of the seat to decide.

        ``state`` is an array of shape (1,) with a state that contains both hands. At most `MAX_TO_DRAW` cards can be
        left to draw. They are in the deck of the state, but their order counts as unknown. It is assumed that both
        seats see both hands and know which cards are left to draw.

        Returns None if more cards are left to draw, or if the search would visit more than ``most_nodes`` positions.
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
            hand[int(first["seat"][0])] -= np.uint64(draws)  # the 25s that take the place of these cards
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
        """Return the final lead in points of the seat to decide after each move, if both seats play for the stakes.

        Among moves with the same value, both seats prefer the move that gives them more points. The draw pile must be
        empty. In all other ways, this method works like `solve`.
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
    """Return the positions of all set bits."""
    return [bit for bit in range(word.bit_length()) if word >> bit & 1]
