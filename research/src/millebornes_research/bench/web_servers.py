"""Run the servers to be measured in separate processes, and report their use of time and memory."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from millebornes.errors import MilleBornesError
from millebornes_research.bench.base import cpu_of_process, memory_of_process

ECHO: Final = (sys.executable, "-m", "millebornes_research.bench.web_echo")
"""The command that starts the yardstick."""


def serve_command(database: str) -> tuple[str, ...]:
    """Return the command that starts the web game on a free port, without rate limits."""
    options = ("--port", "0", "--database", database, "--no-browser", "--no-limits")
    return (sys.executable, "-m", "millebornes", "serve", *options)


class Server:
    """A server that runs while its context is active.

    The server must print ``Serving on URL``. The figures are only available on Linux (/proc).
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command: Final = tuple(command)
        self._process: subprocess.Popen[str] | None = None
        self.port = 0

    def __enter__(self) -> Self:
        """Start the server. Raises `MilleBornesError` if it doesn't start."""
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("Serving on "):
            self._process.wait()
            raise MilleBornesError(f"{' '.join(self._command[1:])} does not serve")
        self.port = int(line.strip().rstrip("/").rpartition(":")[2])
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        """The process number of the server."""
        assert self._process is not None
        return self._process.pid

    def cpu_seconds(self) -> float:
        """Return the CPU seconds that the server has used in all its threads."""
        return cpu_of_process(self.pid)

    def memory(self) -> int:
        """Return the memory that the server uses, in bytes."""
        return memory_of_process(self.pid, "VmRSS")

    def handles(self) -> int:
        """Return the number of files and connections that the server has open."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))
