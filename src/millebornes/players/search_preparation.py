"""Getting all that a game, a net, a search or a review runs loaded or compiled: at once, or behind a game that goes on.

Compiling is done by a process of its own (`millebornes.players.compiling_process`), some twenty seconds of a core the
first time after installation. Where that cannot be, it is done in the process that needs it.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

from millebornes.editions import Rules
from millebornes.kernels.meanwhile import play_on, plays_on
from millebornes.kernels.notice import announce_compiling
from millebornes.players.compiling_process import compile_elsewhere
from millebornes.players.kernel_parts import GAME, NET, REVIEW, SEARCH, is_compiled, load_part, mark_compiled

__all__ = ["Job", "begin", "begin_game", "begin_net", "compile_first", "ensure", "is_running"]

Key = tuple[str, Rules, int]
_jobs: dict[Key, "Job"] = {}
_ready: set[Key] = set()
_lock: Final = threading.Lock()


class Job(threading.Thread):
    """Gets one part ready for one table, behind the back of a game."""

    def __init__(self, part: str, rules: Rules, target: int) -> None:
        super().__init__(name=f"getting-{part}-ready", daemon=True)
        self._key: Final = part, rules, target
        self.is_compiling = False
        """Whether something is being compiled, which takes long, rather than loaded."""
        self.error: Exception | None = None
        """What went wrong; whoever needs it will say so."""
        self.start()

    def run(self) -> None:
        """Wait for the process that compiles, and load; or compile."""
        try:
            _get_part(*self._key, self._tell)
        except Exception as error:
            self.error = error

    def _tell(self, is_compiling: bool) -> None:
        self.is_compiling = is_compiling

    @property
    def is_over(self) -> bool:
        """Whether the part is ready (or never will be)."""
        return not self.is_alive()


def _get_part(part: str, rules: Rules, target: int, report: Callable[[bool], None]) -> None:
    """Load a part, and before have it compiled, or compile it; ``report`` hears whether it is being compiled."""

    def is_done() -> bool:
        return is_compiled(rules, target, part)

    if not is_done():
        report(True)
        report(not compile_elsewhere(part, rules, target, is_done))
    load_part(part, rules, target)
    if not is_done():
        mark_compiled(rules, target, part)


def begin(rules: Rules, target: int | None) -> None:
    """Wait for no machine code from now on; get a search ready for a table behind the back of the game."""
    if play_on():
        _begin(SEARCH, rules, target or 0)


def begin_net(rules: Rules) -> None:
    """Get what asks a net ready behind the back of the game."""
    _begin(NET, rules, 0)


def begin_game(rules: Rules) -> None:
    """Wait for no machine code from now on; get that of the rules ready behind the back of the game."""
    if play_on():
        _begin(GAME, rules, 0)


def _begin(part: str, rules: Rules, target: int) -> Job:
    key = part, rules, target
    with _lock:
        if key not in _jobs:
            _jobs[key] = Job(*key)
        return _jobs[key]


def ensure(rules: Rules, target: int) -> None:
    """Get a search ready for a table, unless that was done; it is no part of the time that a decision may take."""
    key = SEARCH, rules, target
    if key in _jobs:
        _jobs[key].join()
    elif key not in _ready:
        _get_part(*key, lambda is_compiling: announce_compiling() if is_compiling else None)
    _ready.add(key)


def compile_first(rules: Rules, target: int, part: str = REVIEW) -> None:
    """Have all that a review of such a match runs compiled, unless it is, before other processes load it."""
    if not is_compiled(rules, target, part):
        announce_compiling()
        compile_elsewhere(part, rules, target, lambda: is_compiled(rules, target, part))


def is_running(rules: Rules, target: int | None, seconds: float) -> bool:
    """Whether this process gets a search ready for a table behind a game, and has not done so in so many more seconds.

    While it is being compiled nothing is waited for. Where nobody plays on meanwhile, what is missing is compiled when
    it is needed.
    """
    if not plays_on():
        return False
    job = _begin(SEARCH, rules, target or 0)
    until = time.monotonic() + seconds
    while not (job.is_over or job.is_compiling) and time.monotonic() < until:
        job.join(min(0.01, seconds))
    return not job.is_over
