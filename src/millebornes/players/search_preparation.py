"""Load or compile the code that a game, a net, a search or a review needs, immediately or in the background of a game.

A separate process compiles it (`millebornes.players.compiling_process`). After installation, this takes about twenty
seconds on one core. If this isn't possible, the process that needs the code compiles it.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Final

from millebornes.editions import Rules
from millebornes.kernels.notice import announce_compiling
from millebornes.kernels.python_fallback import compile_in_background, compiles_in_background
from millebornes.players.compiling_process import compile_elsewhere
from millebornes.players.kernel_parts import REVIEW, SEARCH, is_compiled, load_part, mark_compiled

Key = tuple[str, Rules, int]
_jobs: dict[Key, "_Job"] = {}
_ready: set[Key] = set()
_lock: Final = threading.Lock()


class _Job(threading.Thread):
    def __init__(self, part: str, rules: Rules, target: int) -> None:
        super().__init__(name=f"getting-{part}-ready", daemon=True)
        self._key: Final = part, rules, target
        self.is_compiling = False
        """Whether something is being compiled, which takes a long time, rather than just loaded."""
        self.start()

    def run(self) -> None:
        with contextlib.suppress(Exception):  # the code that needs the part fails in the same way
            _get_part(*self._key, self._tell)

    def _tell(self, is_compiling: bool) -> None:
        self.is_compiling = is_compiling


def _get_part(part: str, rules: Rules, target: int, report: Callable[[bool], None]) -> None:
    """Load a part, after having it compiled if necessary.

    ``report`` is called with True while something is being compiled, and with False otherwise.
    """

    def is_done() -> bool:
        return is_compiled(rules, target, part)

    if not is_done():
        report(True)
        report(not compile_elsewhere(part, rules, target, is_done))
    load_part(part, rules, target)
    if not is_done():
        mark_compiled(rules, target, part)


def begin(part: str, rules: Rules, target: int | None = None) -> bool:
    """Stop waiting for machine code, and get a part of the kernels ready for a table in the background.

    Returns False if this isn't possible, because everything must be compiled in this process.
    """
    if not compile_in_background():
        return False
    _begin(part, rules, target or 0)
    return True


def _begin(part: str, rules: Rules, target: int) -> _Job:
    key = part, rules, target
    with _lock:
        if key not in _jobs:
            _jobs[key] = _Job(*key)
        return _jobs[key]


def ensure(rules: Rules, target: int) -> None:
    """Get a search ready for a table, unless this has already been done.

    The time for this doesn't count as thinking time.
    """
    key = SEARCH, rules, target
    if key in _jobs:
        _jobs[key].join()
    elif key not in _ready:
        _get_part(*key, lambda is_compiling: announce_compiling() if is_compiling else None)
    _ready.add(key)


def compile_first(rules: Rules, target: int, part: str = REVIEW) -> None:
    """Have everything compiled that a review of such a match needs, if necessary, before other processes load it."""
    if not is_compiled(rules, target, part):
        announce_compiling()
        compile_elsewhere(part, rules, target, lambda: is_compiled(rules, target, part))


def is_running(rules: Rules, target: int | None, seconds: float) -> bool:
    """Return whether a search for a table is still being prepared in the background, after at most ``seconds``.

    This function doesn't wait while the search is being compiled. In a process that waits for machine code, it returns
    False, and missing code is compiled when it is needed.
    """
    if not compiles_in_background():
        return False
    job = _begin(SEARCH, rules, target or 0)
    until = time.monotonic() + seconds
    while job.is_alive() and not job.is_compiling and time.monotonic() < until:
        job.join(min(0.01, seconds))
    return job.is_alive()
