"""The process that compiles for the cache: beside whoever needs it, and to the end, even when that one has ended.

There is one for a cache folder at a time: it holds a lock, which it inherits and which goes with it, however it ends.
Each kernel is kept as soon as it is done. It stands back behind everything else, keeps no terminal or pipe open, and
ends by itself.
"""

import faulthandler
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from millebornes.editions import Rules
from millebornes.kernels.meanwhile import IS_HERE
from millebornes.kernels.store import cache_folder, store
from millebornes.players.kernel_parts import PARTS, compile_part, mark_compiled
from millebornes.storage.locks import FileLock

__all__ = ["compile_elsewhere", "main"]

LOCK: Final = "compiling.lock"
PAUSE: Final = 0.1
"""Seconds between two looks whether something is done."""
MAX_TRIES: Final = 2
"""Processes that may end without having done it before the caller has to."""
MAX_SECONDS: Final = 1800.0
"""Seconds after which such a process ends, whatever it is doing."""
NICE: Final = 5
"""By so much it stands back."""
STARTING: Final = 10.0
"""Seconds in which a process has its lock where it does not inherit one."""
BOOT: Final = """
import os, sys
if hasattr(os, "fork") and os.fork():
    os._exit(0)  # so that nobody has to wait for the end of the other one
from millebornes.players.compiling_process import main
main(*sys.argv[1:])
"""
IS_WINDOWS: Final = os.name == "nt"


def compile_elsewhere(part: str, rules: Rules, target: int, is_done: Callable[[], bool]) -> bool:
    """Let a part of the kernels (`main`) be compiled by a process of its own, and wait until ``is_done``.

    Where such a process is at work already, for whoever, that one is waited for first. False where it cannot be done:
    nothing can be kept, or all is to be compiled here.
    """
    if cache_folder is None or IS_HERE or not sys.executable:
        return False
    tries, since = 0, 0.0
    while not is_done():
        try:
            lock = FileLock.take(cache_folder / LOCK)
        except OSError:  # it cannot be written to
            return False
        if lock is not None:
            try:
                if not is_done() and time.monotonic() >= since:
                    if tries == MAX_TRIES:
                        return False
                    tries += 1
                    since = time.monotonic() + (STARTING if IS_WINDOWS else 0.0)
                    _start(lock, cache_folder.parent, (part, str(rules), str(target)))
            except OSError:
                return False
            finally:
                lock.release()
        time.sleep(PAUSE)
    return True


def _start(lock: FileLock, cache: Path, words: tuple[str, ...]) -> None:
    """Start the process; it has nothing of this one's but the lock."""
    path = [str(Path(place).absolute()) for place in sys.path]
    options: dict[str, Any] = {"start_new_session": True, "pass_fds": (lock.fileno(),)}
    if IS_WINDOWS:  # where no lock is inherited
        flags = ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
        options = {"creationflags": sum(getattr(subprocess, name) for name in flags)}
        lock.release()
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", BOOT, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path), "MILLEBORNES_CACHE": str(cache.absolute())},
        **options,
    )
    if IS_WINDOWS:
        process.returncode = 0  # so that nobody is warned that it goes on
    else:
        process.wait()  # it has gone on as another one


def main(part: str, rules: str, target: str) -> None:
    """Compile what a game by these rules needs, a net too, or a search, or a review: each part with those before it."""
    os.chdir(Path.home().anchor)
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    faulthandler.dump_traceback_later(MAX_SECONDS, exit=True)
    if hasattr(os, "nice"):
        os.nice(NICE)
    if cache_folder is None:
        return
    lock = FileLock.take(cache_folder / LOCK) if IS_WINDOWS else None
    if IS_WINDOWS and lock is None:
        return
    (cache_folder / LOCK).write_text(str(os.getpid()), "ascii")  # for whoever wants to know
    table, goal = Rules.parse(rules), int(target)
    for name in PARTS[: PARTS.index(part) + 1]:
        compile_part(name, table, goal)
        if store.refuses or not (cache_folder / LOCK).exists():
            return  # nothing can be kept, or all has been removed
        mark_compiled(table, goal, name)
