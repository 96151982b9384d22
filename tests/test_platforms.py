"""What Windows with Python 3.11 does otherwise, played on this system."""

import ast
import io
import sys
import time
from pathlib import Path

import pytest

from millebornes.storage.files import write_atomically
from millebornes.storage.locks import FileLock
from millebornes.tui.plain.console import Console

SOURCES = Path(__file__).parents[1] / "src" / "millebornes"

POSIX_MODULES = {"fcntl", "termios", "resource", "pty", "tty", "pwd", "grp", "readline", "curses", "syslog"}
POSIX_NAMES = {
    *("os.fork", "os.setsid", "os.getuid", "os.geteuid", "os.getpgid", "os.killpg", "os.waitpid", "os.WNOHANG"),
    *("os.set_blocking", "os.nice", "os.uname", "os.sysconf", "os.mkfifo", "os.fchmod", "os.getloadavg"),
    *("signal.SIGHUP", "signal.SIGKILL", "signal.SIGCHLD", "signal.SIGPIPE", "signal.SIGALRM", "signal.SIGUSR1"),
    *("signal.pthread_sigmask", "signal.SIGQUIT", "signal.setitimer", "select.poll", "select.kqueue", "select.epoll"),
}
GUARDED = {
    "kernels/store.py": "asks whether it is there",
    "players/compiling_process.py": "asks whether it is there",
    "players/external/launch.py": "leaves that branch to other systems",
    "players/external/process.py": "leaves that branch to other systems",
    "web/tables/background.py": "asks whether it is there",
}
"""Modules that use what Windows lacks, and why that does no harm there."""


def test_nothing_that_windows_lacks_is_imported_or_used_without_asking() -> None:
    imported, used = set(), set()
    for path in sorted(SOURCES.rglob("*.py")):
        name, tree = path.relative_to(SOURCES).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            imported |= {(name, found) for found in names if found.partition(".")[0] in POSIX_MODULES}
        parts = [part for part in ast.walk(tree) if isinstance(part, ast.Attribute)]
        if any(isinstance(part.value, ast.Name) and f"{part.value.id}.{part.attr}" in POSIX_NAMES for part in parts):
            used.add(name)
    assert imported == set()
    assert used == set(GUARDED)


# ---------------------------------------------------------------------- Windows


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.usefixtures("windows")
def test_a_file_that_another_program_has_open_is_replaced_a_little_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[Path] = []
    pauses: list[float] = []
    replace = Path.replace

    def busy(source: Path, target: Path) -> Path:
        tries.append(target)
        if len(tries) < 4:
            raise PermissionError(13, "Access is denied", str(source))
        return replace(source, target)

    monkeypatch.setattr(Path, "replace", busy)
    monkeypatch.setattr(time, "sleep", pauses.append)
    write_atomically(tmp_path / "save", b"new")
    assert (tmp_path / "save").read_bytes() == b"new"
    assert (len(tries), len(pauses)) == (4, 3)


def test_elsewhere_a_refusal_is_final(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def refuse(_source: Path, target: Path) -> Path:
        tries.append(target)
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(Exception, match="permission was denied"):
        write_atomically(tmp_path / "save", b"new")
    assert len(tries) == 1


@pytest.mark.usefixtures("windows")
def test_the_file_of_a_lock_is_removed_once_it_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = FileLock.take(tmp_path / "a.lock")
    assert lock is not None
    stream, unlink = lock._stream, Path.unlink
    assert stream is not None

    def strict(path: Path, missing_ok: bool = False) -> None:
        assert stream.closed, "Windows removes no file that is open"
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", strict)
    lock.release(remove=True)
    assert not (tmp_path / "a.lock").exists()


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("term", "clears"), [(None, True), ("xterm", True), ("dumb", False), ("unknown", False)])
def test_a_hand_is_hidden_without_a_term(term: str | None, clears: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TERM", raising=False)
    if term is not None:
        monkeypatch.setenv("TERM", term)
    out = _Screen()
    Console(io.StringIO(), out).hide()
    assert out.getvalue().count("\n") >= 60
    assert ("\x1b[3J" in out.getvalue()) == clears
