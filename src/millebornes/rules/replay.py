"""Follow a recorded hand from the deal to its end in a single call. Referees use this to check transcripts."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.cards import HAZARDS
from millebornes.editions import Rules
from millebornes.kernels.decorator import kernel
from millebornes.rules.engine import Engine
from millebornes.rules.masks import legal_word
from millebornes.rules.moves import absolute_codes
from millebornes.rules.turns import apply_move, start_hand

U = np.uint64
ZERO, ONE, CODE_MASK, WORD_SHIFT = U(0), U(1), U(63), U(6)
NO_CODE: Final = 63
"""The position of a bit that is never set in the masks of legal moves."""

MOST_MOVES: Final = 1024
"""A number of moves that no hand can exceed.

Each move takes a card out of a hand or answers a question about such a card.
"""


def most_moves(rules: Rules) -> int:
    """Return an upper bound for the number of decisions in a hand.

    Each card leaves a hand only once. Each hazard and the opening can lead to a question, and each of the two goals to
    an answer.
    """
    hazards = sum(rules.deck[hazard.index] for hazard in HAZARDS)
    return rules.cards + hazards + 3


@kernel
def _replay(states: Any, tables: Any, first: Any, codes: Any, small: Any, hands: Any, sides: Any, words: Any) -> int:
    """Deal, and play the moves until one of them is illegal.

    Writes the position before each decision, and returns the number of moves played.
    """
    state, table = states[0], tables[0]
    start_hand(state, table, U(first))
    for ply in range(len(codes) + 1):
        small[ply, 0] = state["phase"]
        small[ply, 1] = state["seat"]
        small[ply, 2] = state["drawn"]
        for seat in range(hands.shape[1]):
            hands[ply, seat] = state["hand"][seat]
        for side in range(sides.shape[1]):
            sides[ply, side] = state["side"][side]
        for n in range(words.shape[1]):
            words[ply, n] = legal_word(state, table, U(n))
        if ply == len(codes):
            break
        code = uint64(codes[ply])
        if table["effect"][code & CODE_MASK]["parry"] != ZERO:  # a hazard: the target is counted from the mover's side
            n = (code >> WORD_SHIFT) + table["sides"] - state["own"]
            if n >= table["sides"]:
                n -= table["sides"]
            if n == ZERO or n > uint64(words.shape[1]):
                return ply
            code = (code & CODE_MASK) | (n - ONE) << WORD_SHIFT
        if not words[ply, code >> WORD_SHIFT] >> (code & CODE_MASK) & ONE:
            return ply
        apply_move(state, table, code)
    return len(codes)


class HandReplayer:
    """Follows recorded hands under the rules of one `Rules` object.

    It reuses its buffers, so only one thread can use it. After `run`, each buffer has a row for every decision,
    including the one after the last legal move: ``small`` (phase, seat, cards drawn), ``hands`` (hand words), ``sides``
    (side words) and ``words`` (masks of legal move codes).
    """

    def __init__(self, rules: Rules) -> None:
        engine = Engine(rules)
        size = MOST_MOVES + 1
        self.small: Final = np.zeros((size, 3), np.uint8)
        self.hands: Final = np.zeros((size, rules.seats), np.uint64)
        self.sides: Final = np.zeros((size, rules.sides), np.uint64)
        self.words: Final = np.zeros((size, engine.targets), np.uint64)
        self._engine: Final = engine
        self._codes: Final = absolute_codes(rules.sides)

    @property
    def state(self) -> bytes:
        """The state after the last legal move."""
        return self._engine.states.tobytes()

    def run(self, deck: Sequence[int], first: int, moves: Sequence[object]) -> int:
        """Deal ``deck`` (kinds in drawing order) and play ``moves`` (canonical notation) until one of them is illegal.

        Returns the number of moves played.
        """
        code_of = self._codes
        codes = np.array(
            [code_of.get(move, NO_CODE) if type(move) is str else NO_CODE for move in moves[:MOST_MOVES]], np.uint16
        )
        engine = self._engine
        engine.lay_deck(deck)
        return int(_replay(engine.states, engine.tables, first, codes, self.small, self.hands, self.sides, self.words))
