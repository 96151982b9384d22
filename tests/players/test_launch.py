"""What a program leaves behind: nothing that runs in its group, and a log of bounded size."""

import contextlib
import io
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.game import Hand
from millebornes.players.external import program_log, protocol
from millebornes.players.external.process import Child
from millebornes.players.external.program_log import HEAD, TAIL, ProgramLog
from tests.players.test_external import is_running

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks at processes as POSIX has them")

RULES = make_rules()
BOT = Path(__file__).with_name("clinging_bot.py")
PATIENCE = 300
"""Seconds after which a test gives up; it waits for what it needs, on a machine that may be busy."""


def wait_until(what: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)


class Watched:
    """The folder in which the processes of bots leave their numbers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.command = shlex.join([sys.executable, "-I", "-S", str(BOT), str(folder)])
        self.leaving = f"{self.command} leaving"
        """A bot like this that ends with its input, as most do."""

    def pids(self) -> list[int]:
        return [int(path.name) for path in self.folder.iterdir()]

    def running(self) -> list[int]:
        return [pid for pid in self.pids() if is_running(pid)]

    def wait_for(self, count: int) -> None:
        wait_until(lambda: len(self.pids()) >= count)

    def wait_for_none(self) -> None:
        wait_until(lambda: not self.running())


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))
    watched = Watched(tmp_path / "pids")
    yield watched
    for pid in watched.running():
        with contextlib.suppress(ProcessLookupError):  # it may end by itself just now
            os.kill(pid, signal.SIGKILL)


ARENA = "arena --player BOT --player random --hands 190 --jobs"
PLAY = "play --plain --player BOT --player human"
ENGINE = "engine --player BOT"


@contextlib.contextmanager
def host(watched: Watched, words: str, command: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A command that plays with a bot, until it is ended."""
    arguments = [f"cmd:{command}" if word == "BOT" else word for word in words.split()]
    process = subprocess.Popen(
        [sys.executable, "-m", "millebornes", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    )
    if words == ENGINE:
        hand = Hand.deal(RULES, 1)
        assert process.stdin is not None
        process.stdin.write(protocol.hello_line(0, RULES, ("a", "b"), None))
        process.stdin.write(protocol.choose_line(hand.view(0), hand.legal_moves, None))
    with process:
        try:
            yield process
        finally:
            process.kill()


def children(pid: int) -> list[int]:
    """The children of a process, of all its threads."""
    return [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "count", "name"), [(f"{ARENA} 1", 1, "SIGINT"), (f"{ARENA} 2", 2, "SIGHUP"), (PLAY, 1, "SIGTERM")]
)
def test_nothing_is_left_when_the_host_is_told_to_end(watched: Watched, words: str, count: int, name: str) -> None:
    with host(watched, words, watched.command) as process:
        watched.wait_for(2 * count)
        process.send_signal(signal.Signals[name])
        assert process.stdin is not None
        process.stdin.close()  # Ctrl-C in a game only asks
        process.wait(PATIENCE)
    watched.wait_for_none()


@pytest.mark.slow
@pytest.mark.parametrize("words", [f"{ARENA} 1", ENGINE])
def test_a_program_that_reads_ends_even_when_its_host_is_killed(watched: Watched, words: str) -> None:
    with host(watched, words, watched.leaving) as process:
        watched.wait_for(1)
        process.kill()
        process.wait(PATIENCE)
        watched.wait_for_none()


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_worker_of_the_arena_that_is_killed_leaves_no_program(watched: Watched) -> None:
    with host(watched, f"{ARENA} 2", watched.leaving) as process:
        watched.wait_for(2)
        before = watched.pids()
        workers = [pid for pid in children(process.pid) if children(pid)]
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        wait_until(lambda: not any(is_running(pid) for pid in before))
        wait_until(lambda: set(watched.pids()) - set(before))  # the arena goes on with others
        assert workers
        assert process.poll() is None
    watched.wait_for_none()


@pytest.mark.parametrize("patience", [0.0, 0.1])
def test_closing_ends_the_program_and_its_group(watched: Watched, patience: float) -> None:
    child = Child(watched.command)
    watched.wait_for(2)
    assert len(watched.running()) == 2
    child.close(b"", patience)
    watched.wait_for_none()
    with pytest.raises(ChildProcessError):  # not even a zombie
        os.waitpid(child.pid, os.WNOHANG)
    child.close()


def test_closing_ends_what_a_program_that_has_ended_left_in_its_group(watched: Watched) -> None:
    child = Child(f"sh -c '{watched.command} & echo; exec sleep 0.1'")
    watched.wait_for(2)
    assert child.receive(time.monotonic() + PATIENCE) == b""
    wait_until(lambda: child._launched.ending() is not None)
    assert len(watched.running()) == 2
    child.close(b"", 0.0)
    watched.wait_for_none()


def test_every_part_of_a_pipeline_ends(watched: Watched) -> None:
    child = Child(f"sh -c '{watched.leaving} | cat'")
    watched.wait_for(1)
    child.send(b'{"type":"hello"}\n')
    line = child.receive(time.monotonic() + PATIENCE)
    assert line == b'{"type": "ready", "name": "clinging"}'
    child.close(b"", PATIENCE)
    assert child._launched.ending() == "ended, with exit status 0"
    watched.wait_for_none()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_program_begins_with_three_files_in_a_session_of_its_own(watched: Watched) -> None:
    code = """if True:
        import os
        print(sorted(os.listdir("/proc/self/fd"), key=int)[:-1], os.isatty(2), os.getsid(0) == os.getpid(), flush=True)
    """
    kept = os.open(__file__, os.O_RDONLY)
    os.set_inheritable(kept, True)
    try:
        child = Child(shlex.join([sys.executable, "-I", "-S", "-c", code]))
    finally:
        os.close(kept)
    assert child.receive(time.monotonic() + PATIENCE) == b"['0', '1', '2'] False True"
    child.close()


FLOOD = """if True:
    import os, sys
    def flood():
        os.write(2, b"the first line\\n")
        for _ in range(int(sys.argv[1]) << 4):
            os.write(2, b"x" * 65535 + b"\\n")
        os.write(2, b"the last line\\n")
    flood()
    print("ready", flush=True)
    input()
    flood()
    print("answer", flush=True)
    input()
    flood()
"""


def test_a_flood_of_standard_error_holds_nobody_up_and_fills_no_disk(watched: Watched) -> None:
    child = Child(shlex.join([sys.executable, "-I", "-S", "-c", FLOOD, "12"]))
    assert child.log is not None
    sizes = []
    for expected in (b"ready", b"answer"):
        line = None
        while line is None:
            line = child.receive(time.monotonic() + 0.01)
            sizes.append(child.log.stat().st_size if child.log.exists() else 0)
        assert line == expected
        child.send(b"go on\n")
    child.close(b"", PATIENCE)
    text = child.log.read_bytes()
    assert max(*sizes, len(text)) <= HEAD + 2 * TAIL + 100
    assert text.startswith(b"the first line\n")
    assert text.endswith(b"x\nthe last line\n")
    dropped = int(text[HEAD:].split(b"(")[1].split()[0])
    note = f"\n({dropped} bytes that stood here were dropped)\n"
    assert len(text) + dropped == (36 << 20) + 3 * len("the first line\nthe last line\n") + len(note)


def test_a_program_that_never_ends_its_flood_is_ended(watched: Watched) -> None:
    code = "import os; print(os.getpid(), flush=True)" + FLOOD.replace("if True:", "\nif True:")
    child = Child(shlex.join([sys.executable, "-I", "-S", "-c", code, "1000000"]))
    line = child.receive(time.monotonic() + PATIENCE)
    assert line is not None
    assert child.log is not None
    wait_until(child.log.exists)
    child.close(b"", 0.0)
    assert not is_running(int(line))
    assert child.log.stat().st_size <= HEAD + 2 * TAIL + 100


def test_a_log_never_takes_the_place_of_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kept").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    for name in ("kept", "link", "no/such/folder"):
        monkeypatch.setattr(program_log, "_new_path", lambda _program, path=tmp_path / name: path)
        ProgramLog("x", io.BytesIO(b"x")).join()
    assert (tmp_path / "kept").read_text() == "precious"


def test_a_full_disk_stops_the_log_not_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_log, "_create", lambda _path: open("/dev/full", "wb", buffering=0))  # noqa: PTH123, SIM115
    monkeypatch.setattr(program_log, "_new_path", lambda _program: None)
    output = io.BytesIO(b"x" * 99)
    monkeypatch.setattr(output, "close", lambda: None)
    ProgramLog("x", output).join()
    assert output.tell() == 99
