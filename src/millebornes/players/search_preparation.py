"""Getting all that a search runs loaded or compiled: now, or in processes beside a game that goes on.

Compiling takes two cores some ten seconds, the first time after installation. ``python -m`` of this module compiles a
part of it for the cache.
"""

import atexit
import contextlib
import functools
import os
import random
import signal
import subprocess
import sys
import threading
from typing import Final

from millebornes.editions import Rules
from millebornes.game import prepare
from millebornes.rules.engine import engine_for
from millebornes.rules.jit import cache_folder, is_prepared, mark_prepared
from millebornes.rules.state import STATE

__all__ = ["Job", "begin", "ensure", "get_ready", "is_behind", "is_compiled", "is_running", "main"]

CHOOSING, SEARCHING = "choosing", "searching"
ENOUGH: Final = 100
"""Rollouts that are more than there are moves at the start of a hand."""
NICE: Final = 5
"""By so much the processes stand back behind the game."""

_jobs: dict[tuple[Rules, int], "Job"] = {}
_processes: dict[str, list["subprocess.Popen[bytes]"]] = {}
_ready: set[tuple[Rules, int]] = set()
_lock: Final = threading.Lock()


def get_ready(rules: Rules, target: int, players: str = "search") -> None:
    """Load all that a search or an analysis at this table runs, or compile it, by those that are as short as can be.

    ``target`` is that of the match, 0 for none; ``players`` are those of `Searcher`.
    """
    from millebornes.game.match import Match
    from millebornes.players.information_set import information_set_of
    from millebornes.search.endgames import EndgameSolver
    from millebornes.search.evaluation import Evaluation
    from millebornes.search.memory import Memory
    from millebornes.search.searcher import Searcher
    from millebornes.search.settings import Settings

    match = Match.start(rules, 0, match_target=target or None)
    seat = match.hand.seat
    assert seat is not None
    searcher = Searcher(rules, Settings(milliseconds=None, rollouts=ENOUGH), players)
    view = match.view(seat)
    legal = [view.legal_moves.code(move) or 0 for move in view.legal_moves]
    searcher.search(information_set_of(view), legal, Memory(rules), random.Random(0))
    Evaluation(searcher, searcher.ask(information_set_of(view), legal, Memory(rules), random.Random(0))).add(1)
    if rules.seats == 2:
        EndgameSolver(rules).prepare()


def _stamp(rules: Rules) -> str:
    """By which it is remembered that searches with this kind of states are compiled."""
    return "search" if engine_for(rules).dtype == STATE else "search-large"


def is_compiled(rules: Rules) -> bool:
    """Whether all that a search at such a table runs was compiled before, and has but to be loaded."""
    return cache_folder is not None and is_prepared(_stamp(rules))


class Job(threading.Thread):
    """Gets ready for one table; where nothing is kept yet, processes beside this one compile."""

    def __init__(self, rules: Rules, target: int) -> None:
        super().__init__(name="getting-ready", daemon=True)
        self._rules: Final = rules
        self._target: Final = target
        self.error: Exception | None = None
        """What went wrong; the search itself will say so."""
        self.start()

    def run(self) -> None:
        """Get the rules ready, which every move needs; then wait for the processes, and load."""
        try:
            prepare()
            stamp = _stamp(self._rules)
            if cache_folder is not None and not is_compiled(self._rules):
                for process in _compilers(stamp, str(self._rules)):
                    process.wait()
            get_ready(self._rules, self._target)
            mark_prepared(stamp)
        except Exception as error:
            self.error = error

    @property
    def is_over(self) -> bool:
        """Whether the search is ready (or never will be)."""
        return not self.is_alive()


def begin(rules: Rules, target: int | None) -> Job:
    """Get ready for a table behind the back of the game; from then on `is_running` knows of it."""
    key = rules, target or 0
    with _lock:
        if key not in _jobs:
            _jobs[key] = Job(*key)
        return _jobs[key]


def is_behind() -> bool:
    """Whether this process gets ready behind games."""
    return bool(_jobs)


def ensure(rules: Rules, target: int) -> None:
    """Get ready for a table, unless that was done; it is no part of the time that a decision may take."""
    key = rules, target
    if key in _jobs:
        _jobs[key].join()
    elif key not in _ready:
        get_ready(rules, target)
    _ready.add(key)


def is_running(rules: Rules, target: int | None, seconds: float) -> bool:
    """Whether this process gets ready for a table behind a game, and has not done so in so many more seconds.

    Where `begin` was never called nobody wants that: then what is missing is compiled when it is needed.
    """
    if not is_behind():
        return False
    job = begin(rules, target)
    job.join(seconds)
    return not job.is_over


# ---------------------------------------------------------------------- the processes


def _compilers(stamp: str, rules: str) -> list["subprocess.Popen[bytes]"]:
    """The processes that compile for a kind of states, started once."""
    with _lock:
        if stamp not in _processes:
            _processes[stamp] = [_start(part, rules) for part in (CHOOSING, SEARCHING)]
        return _processes[stamp]


def _start(part: str, rules: str) -> "subprocess.Popen[bytes]":
    """A process that compiles a part. It ends when its input does, with whoever started it."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, part, rules],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    atexit.register(functools.partial(_end, process))
    return process


def _end(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):
        process.kill()


def _end_with_input() -> None:
    """Whoever asked for this is gone."""
    while os.read(0, 1 << 10):
        pass
    os._exit(0)


def main(part: str, rules: str) -> None:
    """Compile a part of what a search runs, and keep it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Control-C is for the game
    threading.Thread(target=_end_with_input, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICE)
    table = Rules.parse(rules)
    if part == CHOOSING:
        from millebornes.policies.chooser import chooser_address

        chooser_address(engine_for(table).dtype, "search")
    else:
        from millebornes.policies.match_equity import DEFAULT_TARGET

        get_ready(table, DEFAULT_TARGET, "none")


if __name__ == "__main__":
    main(*sys.argv[1:])
