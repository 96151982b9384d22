"""Solve the end of a hand for two seats, once the draw pile is empty.

Each seat then knows the other hand, which consists of all cards that the seat hasn't seen. The solution therefore
contains the exact value of each move if both sides play as well as possible.
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

__all__ = ["EndgameSolver", "Solved", "is_endgame"]

ROUNDING: Final = 1e-9
"""Values that differ by less than this count as equal."""
MOST_NODES: Final = 3_000_000
"""The number of positions that a search may visit."""


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
        self._value(state, np.zeros(2, np.int64), stakes_of(self.rules, 0), 1)

    def _value(
        self, state: npt.NDArray[np.void], totals: npt.NDArray[np.int64], stakes: Stakes, limit: int
    ) -> tuple[float, int]:
        """Return the results of `millebornes.search.endgame_kernels.solve` for one state."""
        self._states[:1] = state
        return solve(self._states, self._tables, self._frames, self._entries, totals, stakes, limit, self._age)

    def solve(
        self,
        state: npt.NDArray[np.void],
        codes: npt.NDArray[np.int64],
        stakes: Stakes,
        totals: tuple[int, ...] = (0, 0),
        most_nodes: int = MOST_NODES,
    ) -> Solved | None:
        """Return the values of the moves of the seat to decide.

        ``state`` is an array of shape (1,) with a state that contains both hands, and whose draw pile is empty. Returns
        None if the search would visit more than ``most_nodes`` positions.
        """
        engine = engine_for(self.rules)
        own = int(state["own"][0])
        before = np.array(totals, np.int64)
        self._age += 1
        values = np.zeros(len(codes))
        nodes = 0
        for i, code in enumerate(codes.tolist()):
            after = np.frombuffer(engine.apply(state[0].tobytes(), code).state, engine.dtype)
            value, looked = self._value(after, before, stakes, most_nodes - nodes)
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
    ) -> npt.NDArray[np.float64] | None:
        """Return the final lead in points of the seat to decide after each move, if both seats play for the stakes.

        Among moves with the same value, both seats prefer the move that gives them more points. In all other ways, this
        method works like `solve`.
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
                    solved = self.solve(then, legal, stakes, totals)
                    if solved is None:
                        return None
                    legal = legal[solved.values >= solved.values.max() - ROUNDING]
                    solved = self.solve(then, legal, points, totals) if len(legal) > 1 else solved
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
