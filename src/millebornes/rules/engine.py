"""Connect the kernels with the rest of the program.

Outside this module, states are immutable bytes, moves are codes, and results are plain Python values.
"""

import ctypes
import functools
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from millebornes.editions import Rules
from millebornes.kernels import python_fallback
from millebornes.kernels.decorator import kernel
from millebornes.kernels.machine_code import WORD, bare_kernel
from millebornes.kernels.python_fallback import in_python
from millebornes.kernels.store import is_prepared, mark_prepared
from millebornes.rules.clauses import SCORE_SHEET
from millebornes.rules.masks import legal_word
from millebornes.rules.scoring import side_counts
from millebornes.rules.shuffling import GENERATOR, write_shuffled
from millebornes.rules.state import COMPACT_DECK, NOBODY, SEATS, STATE, STATE_LARGE, Record, Records, Word
from millebornes.rules.tables import tables_for
from millebornes.rules.turns import apply_move, start_hand

U = np.uint64
START, APPLY, LOOK, SCORE, SHUFFLE = range(5)
"""The tasks of `_run_task`: deal, apply a move, only look, write the points, and shuffle."""


class Position(NamedTuple):
    """A state of a hand and its legal moves.

    ``state`` contains the bytes of a STATE record, and ``words`` contains a mask of move codes for each target.
    """

    state: bytes
    words: tuple[int, ...]


WORDS: Final = np.dtype([("word", "u8", SEATS)])
"""Masks of legal move codes, one for each target."""
LINES: Final = np.dtype([("points", "i8", SEATS * len(SCORE_SHEET))])
"""The lines of R7, for one side after another."""
EACH: Final = len(SCORE_SHEET)
PAUSE: Final = 0.25
"""Seconds between two checks whether the machine code is ready."""


@kernel
def _run_task(
    state: Record,
    tables: Record,
    words: Record,
    lines: Record,
    generator: Record,
    task: Word,
    argument: Word,
) -> Word:
    """Run a task. Its argument is a seat or a move code. The first three tasks write the legal moves to ``words``.

    All tasks share one function because each function that Python calls has to be compiled and loaded separately.
    """
    if task == SHUFFLE:
        write_shuffled(state, tables, generator)
    elif task == SCORE:
        for side in range(tables["sides"]):
            counts = side_counts(state, tables, U(side))
            for i in range(EACH):
                lines["points"][side * EACH + i] = counts[i] * tables["points"][i]
    else:
        if task == START:
            start_hand(state, tables, argument)
        elif task == APPLY:
            apply_move(state, tables, argument)
        for n in range(tables["targets"]):
            words["word"][n] = legal_word(state, tables, U(n))
    return U(0)


@kernel
def _run_task_arrays(
    states: Records,
    tables: Records,
    words: Records,
    lines: Records,
    generators: Records,
    task: Word,
    argument: Word,
) -> Word:
    """Call `_run_task` from Numba, which handles arrays better than records."""
    return _run_task(states[0], tables[0], words[0], lines[0], generators[0], U(task), U(argument))


class Engine:
    """The compiled rules of a `Rules` object. Several threads can use it at once.

    All states passed to an engine must come from the same engine, or from one with equal rules. If the process doesn't
    wait for machine code (`millebornes.kernels.python_fallback`), it runs as plain Python until the code is ready.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self.dtype: Final = STATE if rules.cards <= COMPACT_DECK else STATE_LARGE
        self.offsets: Final = {name: int(field[1]) for name, field in (self.dtype.fields or {}).items()}
        self.tables: Final = np.zeros(1, tables_for(rules).dtype)
        self.tables[0] = tables_for(rules)
        self.targets: Final = int(self.tables["targets"][0])
        self.states: Final = np.zeros(1, self.dtype)
        self._bytes = self.states.view(np.uint8).data
        words, lines = np.zeros(1, WORDS), np.zeros(1, LINES)
        self._words = words["word"][0, : self.targets]
        self._lines = lines["points"][0].reshape(SEATS, EACH)[: rules.sides]
        self._generators = np.zeros(1, GENERATOR)
        self._lock = threading.Lock()
        self._arrays: Final = (self.states, self.tables, words, lines, self._generators)
        self._results: Final[list[Any]] = []
        self.code: Final = f"engine-{'compact' if self.dtype == STATE else 'large'}"
        """The name under which the machine code is stored (`millebornes.kernels.store.is_prepared`)."""
        self._call = self._compiled() if self._is_available() else self._plain()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Rules]]:
        return engine_for, (self.rules,)  # the engine contains only addresses and buffers

    def load(self) -> None:
        """Use machine code from now on, and compile it first if necessary. Moves can be made in the meantime."""
        run = self._compiled()
        if isinstance(run, functools.partial) and run.func is _run_task_arrays:  # the call compiles it
            run.func(*(array.copy() for array in self._arrays), LOOK, 0)
        self._call = run
        python_fallback.mark_loaded(self.code)

    def _is_available(self) -> bool:
        return python_fallback.is_usable(self.code) or is_prepared(self.code)

    def _plain(self) -> Callable[..., int]:
        run, records = in_python(_run_task), [array[0] for array in self._arrays]
        due = time.monotonic() + PAUSE

        def call(task: int, argument: int = 0) -> int:
            nonlocal due
            if time.monotonic() >= due:
                due = time.monotonic() + PAUSE
                if self._is_available():
                    self._call = self._compiled()
                    return self._call(task, argument)
            return int(run(*records, U(task), U(argument)))

        return call

    def _compiled(self) -> Callable[..., int]:
        """Return `_run_task` as machine code with these records: a function of a task and its argument."""
        arrays = self._arrays
        called = bare_kernel(_run_task, "engine", *(array.dtype for array in arrays), WORD, WORD)
        if called is None:
            return functools.partial(_run_task_arrays, *arrays)
        if not is_prepared(self.code):
            mark_prepared(self.code)
        result = np.zeros(2, np.uint64)
        self._results.append(result)  # kernels write to it by its address, as they do to the arrays
        places = [result.ctypes.data, result[1:].ctypes.data, *(array.ctypes.data for array in arrays)]
        return functools.partial(called, *map(ctypes.c_void_p, places))

    def shuffled(self, word: int) -> tuple[int, ...]:
        """Return the kinds of the cards in a shuffled deck in drawing order, given a 64-bit seed."""
        with self._lock:
            self._generators["word"] = word
            self._do(SHUFFLE)
            return tuple(int(kind) for kind in self.states["deck"][0, : self.rules.cards])

    def lay_deck(self, deck: Sequence[int]) -> None:
        """Set the deck for the next deal, given as the kinds of its cards in drawing order."""
        self.states["deck"][0, : len(deck)] = deck
        self.states["deck"][0, len(deck) :] = 0

    def start(self, deck: tuple[int, ...], first: int) -> Position:
        """Deal the first hands from a deck, given as the kinds of its cards in drawing order (R2.4)."""
        with self._lock:
            self.lay_deck(deck)
            self._do(START, first)
            return self._position()

    def apply(self, state: bytes, code: int) -> Position:
        """Make a legal move, and continue to the next decision. The move code isn't checked."""
        with self._lock:
            self._bytes[:] = state
            self._do(APPLY, code)
            return self._position()

    def pack(self, *, deck: tuple[int, ...] = (), **fields: Any) -> bytes:
        """Return the bytes of a state with these fields (see `STATE`).

        Fields that aren't given are empty. The values aren't checked.
        """
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
        """Return the masks of legal move codes in a state."""
        with self._lock:
            self._bytes[:] = state
            self._do(LOOK)
            return tuple(self._words.tolist())

    def scores(self, state: bytes) -> list[list[int]]:
        """Return the lines of R7 in points, for each side."""
        with self._lock:
            self._bytes[:] = state
            self._do(SCORE)
            lines: list[list[int]] = self._lines.tolist()
            return lines

    def _do(self, task: int, argument: int = 0) -> None:
        if self._call(task, argument):
            raise AssertionError(f"a kernel failed at task {task}")  # kernels never raise exceptions

    def _position(self) -> Position:
        return Position(bytes(self._bytes), tuple(self._words.tolist()))


@functools.lru_cache(maxsize=64)
def engine_for(rules: Rules) -> Engine:
    """Return the engine for these rules. Each engine is created only once."""
    return Engine(rules)
