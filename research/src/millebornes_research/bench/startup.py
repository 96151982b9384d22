"""Measure how long commands take to end, or to ask their first question."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Final

from millebornes.errors import MilleBornesError

COMMAND: Final = (sys.executable, "-m", "millebornes")
"""The command that starts the program."""
QUIET: Final = 0.3
"""Seconds without output after which an unfinished line counts as a prompt."""
PATIENCE: Final = 120.0
"""The maximum number of seconds to wait for anything."""


def seconds_to_run(command: Sequence[str]) -> float:
    """Return the wall-clock seconds that a command takes. Raises `MilleBornesError` if it fails."""
    start = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise MilleBornesError(f"{' '.join(command[1:])} ended with status {done.returncode}")
    return seconds


def seconds_to_prompt(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return the wall-clock seconds until a command shows a prompt, which is an unfinished line with nothing after it.

    Raises `MilleBornesError` if the command ends before that, or prints nothing for too long.
    """
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment)
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        last, latest = b"", start
        try:
            while True:
                ready, _, _ = select.select([process.stdout], [], [], QUIET)
                now = time.perf_counter()
                if ready:
                    text = os.read(process.stdout.fileno(), 1 << 16)
                    if not text:
                        raise MilleBornesError(f"{' '.join(command[1:])} ended before it asked anything")
                    last, latest = text, now
                elif last and not last.endswith(b"\n"):
                    return latest - start
                elif now - start > PATIENCE:
                    raise MilleBornesError(f"{' '.join(command[1:])} asked nothing for {PATIENCE:.0f} s")
        finally:
            process.kill()
