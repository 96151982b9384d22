"""What is missing is compiled by a process of its own, which nobody waits for, and which outlives whoever began it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.kernels.notice import on_compiling
from millebornes.players import compiling_process, kernel_parts, search_preparation
from millebornes.players.compiling_process import LOCK, compile_elsewhere
from millebornes.players.external import protocol
from millebornes.storage.locks import FileLock

RULES = make_rules()
MATCH = Match.start(RULES, 1, match_target=5000)
posix = pytest.mark.skipif(os.name == "nt", reason="signals and sessions are other things there")


def until(is_so: Callable[[], object]) -> None:
    """Wait, for as long as a test may take."""
    while not is_so():
        time.sleep(0.05)


class Host:
    """An engine in a session of its own, and what it answers."""

    def __init__(self, cache: Path, player: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "millebornes", "engine", "--player", player],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "MILLEBORNES_CACHE": str(cache), "MILLEBORNES_COMPILE": ""},
            start_new_session=True,
        )
        self.ask(protocol.hello_line(MATCH.hand.seat or 0, RULES, (), 5000))

    def ask(self, line: bytes) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def choose(self) -> dict[str, Any]:
        """A decision, which is legal; what is said of it."""
        seat, legal = MATCH.hand.seat or 0, MATCH.hand.legal_moves
        answer = self.ask(protocol.choose_line(MATCH.view(seat), legal, 1000))
        assert answer["move"] in legal.texts
        info: dict[str, Any] = answer.get("info", {})
        return info

    def kill(self) -> None:
        """End it and all that belongs to it, if that isn't done; nobody holds its output open."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Path]:
    """An empty cache; whoever compiles for it in the end is ended."""
    yield tmp_path
    with contextlib.suppress(OSError, ValueError):
        os.kill(_compiler(tmp_path), signal.SIGKILL)


@pytest.fixture
def start(cache: Path) -> Iterator[Callable[[str], Host]]:
    """Start a host that plays a player; none outlives the test, even one that fails."""
    begun: list[Host] = []

    def start(player: str) -> Host:
        begun.append(Host(cache, player))
        return begun[-1]

    yield start
    for host in begun:
        host.kill()


def _folder(cache: Path) -> Path:
    (folder,) = cache.glob("kernels-*")
    return folder


def _compiler(cache: Path) -> int:
    """The number of the process that compiles, or compiled last."""
    return int((_folder(cache) / LOCK).read_text("ascii"))


def _has_compiler(cache: Path) -> bool:
    """Whether a process has begun and said its number; it may not have got that far."""
    return any(lock.stat().st_size for lock in cache.glob(f"kernels-*/{LOCK}"))


def _kept(cache: Path, pattern: str = "[!.]*-*") -> set[str]:
    """The kernels that are kept, each whole."""
    return {path.name for path in cache.glob(f"kernels-*/{pattern}")}


def _is_held(cache: Path) -> bool:
    lock = FileLock.take(_folder(cache) / LOCK)
    if lock is not None:
        lock.release()
    return lock is None


@posix
@pytest.mark.slow  # compiles the rules
def test_it_outlives_whoever_began_it_and_leaves_no_lock(cache: Path, start: Callable[[str], Host]) -> None:
    host = start("basic")
    host.choose()
    until(lambda: _has_compiler(cache))
    host.kill()
    assert not _kept(cache, "engine-*"), "it was compiled before the test could see anything"
    first = _compiler(cache)
    assert os.getsid(first) != os.getsid(0)
    open_files = [Path(f"/proc/{first}/fd/{number}") for number in range(3)]
    assert not open_files[0].is_symlink() or {str(file.readlink()) for file in open_files} == {os.devnull}
    assert _is_held(cache)
    os.kill(first, signal.SIGKILL)
    until(lambda: not _is_held(cache))
    again = start("basic")
    until(lambda: _kept(cache, "prepared-engine-*"))
    again.choose()
    again.kill()
    assert _kept(cache, "engine-*")
    until(lambda: not _is_held(cache))


@posix
@pytest.mark.once  # compiles the champion from nothing
def test_each_start_that_is_killed_leaves_less_to_do(cache: Path, start: Callable[[str], Host]) -> None:
    before: set[str] = set()
    for _start in range(6):
        host = start("champion")
        info = host.choose()
        if "compiling" not in info:
            host.kill()
            break
        assert info["by"] == "net"
        until(lambda: _kept(cache) > before or _kept(cache, "prepared-search-*"))  # noqa: B023
        host.kill()
        assert _kept(cache) >= before
        before = _kept(cache)
    until(lambda: _kept(cache, "prepared-search-*"))
    until(lambda: not _is_held(cache))
    kept = _kept(cache)
    for player in ("champion", "champion:rollouts=40"):
        host = start(player)
        assert "worlds" in next(iter(host.choose()["moves"].values()))
        host.kill()
    assert _kept(cache) == kept, "the process has forgotten something"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, ...]]:
    """Processes that would have been started for a folder; each is over at once."""
    found: list[tuple[str, ...]] = []
    monkeypatch.setattr(compiling_process, "cache_folder", tmp_path)
    monkeypatch.setattr(compiling_process, "COMPILES_HERE", False)
    monkeypatch.setattr(compiling_process, "STARTING", 0.0)
    monkeypatch.setattr(compiling_process, "_start", lambda _lock, _cache, words: found.append(words))
    return found


def test_there_is_one_process_at_a_time(started: list[tuple[str, ...]], tmp_path: Path) -> None:
    other = FileLock.take(tmp_path / LOCK)
    assert other is not None
    looks = threading.Semaphore(0)

    def is_done() -> bool:
        looks.release()
        return len(started) == 1

    waiting = threading.Thread(target=compile_elsewhere, args=("search", RULES, 5000, is_done))
    waiting.start()
    for _ in range(3):
        looks.acquire()
    assert not started
    other.release()
    waiting.join()
    assert started == [("search", "classic/2x2", "5000")]


def test_what_cannot_be_done_elsewhere_is_left_to_the_caller(
    started: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not compile_elsewhere("game", RULES, 0, lambda: False)
    assert len(started) == compiling_process.MAX_TRIES
    for name, value in (("cache_folder", tmp_path / "nowhere"), ("COMPILES_HERE", True), ("cache_folder", None)):
        monkeypatch.setattr(compiling_process, name, value)
        assert not compile_elsewhere("game", RULES, 0, lambda: False)
    assert len(started) == compiling_process.MAX_TRIES


def test_who_waits_is_told(started: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(kernel_parts, "is_prepared", lambda _what: bool(started))
    for _ in range(2):
        with on_compiling(lambda: told.append("compiling")):
            search_preparation.compile_first(RULES, 5000)
    assert told == ["compiling"]
