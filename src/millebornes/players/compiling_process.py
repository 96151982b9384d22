"""A separate process that compiles code for the cache. It finishes its work even if the process that started it ends.

Only one such process runs per cache folder at a time. It inherits a lock, which the operating system releases
however the process ends. Each kernel is stored as soon as it has been compiled. The process runs at low priority, keeps
no terminal or pipe open, and ends when its work is done.
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
from millebornes.kernels.python_fallback import COMPILES_HERE
from millebornes.kernels.store import cache_folder, store
from millebornes.players.kernel_parts import PARTS, compile_part, mark_compiled
from millebornes.storage.locks import FileLock

LOCK: Final = "compiling.lock"
PAUSE: Final = 0.1
"""Seconds between two checks whether the work is done."""
MAX_TRIES: Final = 2
"""The number of processes that may end without finishing the work.

After that, the caller has to compile the code itself.
"""
MAX_SECONDS: Final = 1800.0
"""Seconds after which the process ends, even if its work isn't done."""
NICE: Final = 5
"""The number by which the process lowers its priority."""
STARTING: Final = 10.0
"""Seconds that a process has to take its lock, on systems where it can't inherit the lock."""
BOOT: Final = """
import os, sys
if hasattr(os, "fork") and os.fork():
    os._exit(0)  # so that nobody has to wait for the end of the other one
from millebornes.players.compiling_process import main
main(*sys.argv[1:])
"""
IS_WINDOWS: Final = os.name == "nt"


def compile_elsewhere(part: str, rules: Rules, target: int, is_done: Callable[[], bool]) -> bool:
    """Let a separate process compile a part of the kernels (see `main`), and wait until ``is_done``.

    If such a process is already running for another caller, wait for it first. Returns False if this isn't possible,
    because the cache folder isn't writable or everything must be compiled in this process.
    """
    if cache_folder is None or COMPILES_HERE or not sys.executable:
        return False
    tries, since = 0, 0.0
    while not is_done():
        try:
            lock = FileLock.take(cache_folder / LOCK)
        except OSError:  # the folder isn't writable
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
    """Start the process, which shares only the lock with this process."""
    path = [str(Path(place).absolute()) for place in sys.path]
    options: dict[str, Any] = {"start_new_session": True, "pass_fds": (lock.fileno(),)}
    if IS_WINDOWS:  # processes don't inherit locks on this system
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
        process.returncode = 0  # keeps Python from warning that the process is still running
    else:
        process.wait()  # another process has taken its place


def main(part: str, rules: str, target: str) -> None:
    """Compile the code that a game under these rules needs, and then the code for a net, a search or a review.

    Each of these parts includes the ones before it.
    """
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
    (cache_folder / LOCK).write_text(str(os.getpid()), "ascii")  # helps anyone who looks at the list of processes
    table, goal = Rules.parse(rules), int(target)
    for name in PARTS[: PARTS.index(part) + 1]:
        compile_part(name, table, goal)
        if store.refuses or not (cache_folder / LOCK).exists():
            return  # nothing can be stored, or everything has been removed
        mark_compiled(table, goal, name)
