"""The wall between kernels and everybody else.

States as immutable bytes, moves as codes, answers as plain Python values.
"""

import functools
import threading
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from millebornes.editions import Rules
from millebornes.rules.jit import kernel
from millebornes.rules.kernels import apply_move, legal_word, start_hand, write_shuffled
from millebornes.rules.observe import write_view
from millebornes.rules.playout import GENERATOR
from millebornes.rules.scoring import side_lines
from millebornes.rules.state import COMPACT_DECK, NOBODY, SCORE_LINES, STATE, STATE_LARGE, VIEW
from millebornes.rules.tables import tables_for

__all__ = ["Engine", "Position", "engine_for"]

U = np.uint64
START: Final = 0
APPLY: Final = 1
LOOK: Final = 2


class Position(NamedTuple):
    """A state and its legal moves.

    ``state`` holds the bytes of a STATE record, ``words`` one mask of move codes for each target.
    """

    state: bytes
    words: tuple[int, ...]


@kernel
def _face_position(states: Any, tables: Any, task: Any, argument: Any, words: Any) -> None:
    """Start a hand (of the first seat ``argument``), apply a move code, or just look; then write the legal moves.

    One function for the three, because each function that Python calls has to be compiled on its own.
    """
    if task == START:
        start_hand(states[0], tables[0], U(argument))
    elif task == APPLY:
        apply_move(states[0], tables[0], U(argument))
    for n in range(len(words)):
        words[n] = legal_word(states[0], tables[0], U(n))


@kernel
def _face_view(states: Any, tables: Any, seat: Any, views: Any) -> None:
    write_view(states[0], tables[0], seat, views[0])


@kernel
def _face_scores(states: Any, tables: Any, lines: Any) -> None:
    for side in range(len(lines)):
        row = side_lines(states[0], tables[0], U(side))
        for i in range(9):
            lines[side, i] = row[i]


@kernel
def _face_shuffle(states: Any, tables: Any, generators: Any) -> None:
    write_shuffled(states[0], tables[0], generators[0])


class Engine:
    """The compiled rules of one `Rules`. Safe to use from several threads.

    All states passed in must come from this engine (or from one with equal rules).
    """

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self.dtype: Final = STATE if rules.cards <= COMPACT_DECK else STATE_LARGE
        offsets = {name: int(field[1]) for name, field in (self.dtype.fields or {}).items()}
        self.offsets: Final = offsets
        self.seat_offset: Final = offsets["seat"]
        self.phase_offset: Final = offsets["phase"]
        self.tables: Final = np.zeros(1, tables_for(rules).dtype)
        self.tables[0] = tables_for(rules)
        self.targets: Final = int(self.tables["targets"][0])
        self.states: Final = np.zeros(1, self.dtype)
        self._bytes = self.states.view(np.uint8).data
        self._words = np.zeros(self.targets, np.uint64)
        self._views = np.zeros(1, VIEW)
        self._lines = np.zeros((rules.sides, len(SCORE_LINES)), np.int64)
        self._generators = np.zeros(1, GENERATOR)
        self._lock = threading.Lock()

    def shuffled(self, word: int) -> tuple[int, ...]:
        """Kinds of the shuffled deck in drawing order, from a 64-bit seed."""
        with self._lock:
            self._generators["word"] = word
            _face_shuffle(self.states, self.tables, self._generators)
            return tuple(int(kind) for kind in self.states["deck"][0, : self.rules.cards])

    def lay_deck(self, deck: Sequence[int]) -> None:
        """Put a deck, given as kinds in drawing order, into the state that the next deal starts from."""
        self.states["deck"][0, : len(deck)] = deck
        self.states["deck"][0, len(deck) :] = 0

    def start(self, deck: tuple[int, ...], first: int) -> Position:
        """Deal a deck, given as kinds in drawing order (R2.4)."""
        with self._lock:
            self.lay_deck(deck)
            _face_position(self.states, self.tables, START, first, self._words)
            return self._position()

    def apply(self, state: bytes, code: int) -> Position:
        """Make a legal move and go on to the next decision. The code is not checked."""
        with self._lock:
            self._bytes[:] = state
            _face_position(self.states, self.tables, APPLY, code, self._words)
            return self._position()

    def pack(self, *, deck: tuple[int, ...] = (), **fields: Any) -> bytes:
        """The bytes of a state from its fields (`STATE`); what is not given is empty. Nothing is checked."""
        record = np.zeros(1, self.dtype)
        for name in ("completed", "attacker", "target", "hazard"):
            record[name] = NOBODY
        record["deck"][0, : len(deck)] = deck
        seat = fields.get("seat", 0)
        record["own"], record["rival"] = self.rules.side_of(seat), (seat + 1) % self.rules.sides
        for name, value in fields.items():
            if isinstance(value, list):
                record[name][0, : len(value)] = value
            else:
                record[name] = value
        return record.tobytes()

    def words(self, state: bytes) -> tuple[int, ...]:
        """The masks of legal move codes of a state."""
        with self._lock:
            self._bytes[:] = state
            _face_position(self.states, self.tables, LOOK, 0, self._words)
            return tuple(self._words.tolist())

    def view(self, state: bytes, seat: int) -> bytes:
        """The bytes of the VIEW record of a seat."""
        with self._lock:
            self._bytes[:] = state
            _face_view(self.states, self.tables, seat, self._views)
            return self._views.tobytes()

    def scores(self, state: bytes) -> list[list[int]]:
        """The nine lines of R7 for each side, in points."""
        with self._lock:
            self._bytes[:] = state
            _face_scores(self.states, self.tables, self._lines)
            lines: list[list[int]] = self._lines.tolist()
            return lines

    def _position(self) -> Position:
        return Position(bytes(self._bytes), tuple(self._words.tolist()))


@functools.lru_cache(maxsize=64)
def engine_for(rules: Rules) -> Engine:
    """The engine of these rules, made once."""
    return Engine(rules)
