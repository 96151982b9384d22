"""Programs as players: good ones play whole matches, bad ones forfeit with a reason, and nothing is left of them."""

import itertools
import os
import pickle
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.errors import PlayerError
from millebornes.game import Match
from millebornes.players import ExternalPlayer, ForfeitError, RandomPlayer, Table, play_match, player
from millebornes.players.external.process import Child

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks at processes as POSIX has them")

BOT = Path(__file__).with_name("bad_bot.py")
RULES = make_rules()

Make = Callable[..., ExternalPlayer]

LONG_MS = 15_000
"""What a bot that floods may take: on a busy machine it takes a while to say so much."""


def is_running(pid: int) -> bool:
    """Whether there is a process of this number that is more than a zombie."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class StillWaitingError(Exception):
    pass


def wake(*_: object) -> None:
    raise StillWaitingError


def assert_gone(pid: int) -> None:
    until = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_running(pid)


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes a bad bot; afterwards none may be left, and none may have cost a minute."""
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("millebornes.players.external_player.READY_SECONDS", 3.0)
    monkeypatch.setattr("millebornes.players.external_player.GRACE_SECONDS", 0.6)
    made: list[ExternalPlayer] = []

    def make(way: str, time_ms: int | None = 400) -> ExternalPlayer:
        command = shlex.join([sys.executable, "-I", "-S", str(BOT), way, str(tmp_path)])
        if way.startswith("flood"):
            time_ms = time_ms and LONG_MS
        made.append(ExternalPlayer(command, time_ms=time_ms))
        return made[-1]

    began = time.monotonic()
    yield make
    for bot in made:
        bot.close()
    assert time.monotonic() - began < 20
    for name in ("pid", "left"):
        if (tmp_path / name).exists():
            assert_gone(int((tmp_path / name).read_text()))


def started(bot: ExternalPlayer, seed: int = 1, target: int | None = 1000) -> Table:
    """A match of this bot (on seat 0) against one who plays at random."""
    return Table(Match.start(RULES, seed, match_target=target), [bot, RandomPlayer()])


def finish(table: Table) -> Match:
    return table.play_match()


FORFEITS = {
    "silent": r"was not ready within 3 s",
    "exits": r"ended, with exit status 3",
    "closes-output": r"closed its standard output",
    "wrong-ready": r'answered hello with .*, not with \{"type":"ready"',
    "ready-name": r"gave 7 as its name",
    "not-json": r'answered with invalid JSON: Expecting value at column 1, near "roll"',
    "no-move": r"answered without a move",
    "move-is-number": r"answered with 100, which isn't a move$",
    "no-such-move": r'answered with "fly", which isn\'t a move$',
    "illegal": r"made the illegal move extend: .* \(R6.2\)$",
    "twice-the-key": r'answered with an object in which the key "move" occurs twice',
    "partial": r"gave no answer within 1 s",
    "not-utf8": r"answered with invalid UTF-8: byte 0x.. at byte \d+ of the line",
    "no-answer": r"gave no answer within 1 s",
    "dies-later": r"ended, with exit status 7",
    "killed": r"was ended by the signal SIGKILL",
    "closes-input": r"closed its standard input",
    "flood-no-end": r"flooded its host with a line of more than 1 MiB",
    "huge-line": r"flooded its host with a line of more than 1 MiB",
    "flood-after": r"flooded its host with more than 1 MiB|made the illegal move -25",
    "never-reads": r"gave no answer within 1 s",
    "dies-with-child": r"ended, with exit status 5",
    "repeats": r"made the illegal move -25: ",
}


@pytest.mark.parametrize("way", FORFEITS)
def test_a_bad_bot_forfeits_with_the_reason(make: Make, way: str) -> None:
    bot = make(way)
    table = started(bot)
    with pytest.raises(ForfeitError) as caught:
        finish(table)
    error = caught.value
    assert error.seat == 0
    assert error.player == bot.name
    assert re.match(FORFEITS[way], error.reason), error.reason
    assert error.reason in str(error)
    assert str(error).startswith("the player 'cmd:")
    assert str(error).isprintable()
    assert table.match.hand.seat == 0  # it was its decision, and stays so
    table.stop("forfeit", 1)
    with pytest.raises(ForfeitError, match="forfeits"):  # it does not come back in this match
        table.choose()


def test_a_hazard_on_a_side_out_of_reach_is_an_illegal_move(make: Make) -> None:
    match = Match.start(make_rules("classic", 3, 3, {"targets": "left"}), 1)
    with pytest.raises(ForfeitError, match=r"made the illegal move stop>2: .* \(R2.5\); legal: -"):
        Table(match, [make("far-target"), RandomPlayer(), RandomPlayer()]).play_hand()


@pytest.mark.parametrize("way", ["no-answer", "never-reads", "dies-with-child", "flood-no-end"])
def test_without_a_limit_only_the_dead_and_the_floods_forfeit(make: Make, way: str) -> None:
    bot = make(way, time_ms=None)
    if way in {"no-answer", "never-reads"}:
        table = started(bot)
        previous = signal.signal(signal.SIGALRM, wake)
        # Again and again, for the first may come where errors are lost, such as in a callback of the garbage collector.
        signal.setitimer(signal.ITIMER_REAL, 1.5, 1.5)
        with pytest.raises(StillWaitingError):
            finish(table)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    else:
        with pytest.raises(ForfeitError, match=FORFEITS[way]):
            finish(started(bot))


ODD = ("good", "twice-apart", "pieces", "chatty", "chatty-bytewise", "noisy", "stubborn", "parent")


@pytest.mark.parametrize("way", ODD)
def test_what_is_only_odd_is_put_up_with(make: Make, way: str) -> None:
    bot = make(way)
    match = finish(started(bot, target=500))
    assert match.is_over
    assert bot.bot_name == "bad"
    expected = play_match(Match.start(RULES, 1, match_target=500), [First(), RandomPlayer()])
    assert [hand.moves for hand in match.hands] == [hand.moves for hand in expected.hands]


def test_a_bot_that_does_not_read_holds_nobody_up(make: Make) -> None:
    child = Child(shlex.join([sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"]))
    for _ in range(300):  # more than a pipe can hold; whoever waited for room would find the program gone
        child.send(b"x" * 999 + b"\n")
    assert child.receive(time.monotonic() + 0.1) is None
    child.close(patience=0.1)


class First(RandomPlayer):
    """Makes the first legal move, as the bots here do."""

    def choose(self, view, legal, rng):  # type: ignore[no-untyped-def]
        return legal[0]


def test_a_process_stays_for_further_matches(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    pids = []

    class Counted(Child):
        def __init__(self, command: str) -> None:
            super().__init__(command)
            pids.append(self.pid)

    monkeypatch.setattr("millebornes.players.external_player.Child", Counted)
    bot = make("good")
    for seed in range(3):
        assert finish(started(bot, seed, 300)).is_over
    started(bot, 4)  # a match in which it is never asked
    assert finish(started(bot, 5, 300)).is_over
    assert len(pids) == 1
    assert bot.explain()["asked"] > 20  # type: ignore[operator]
    other = make("one-match")
    for seed in range(3):
        assert finish(started(other, seed, 300)).is_over
        time.sleep(0.1)
    assert len(pids) == 4


def test_a_forfeit_ends_the_process_and_the_next_match_starts_another(make: Make) -> None:
    bot = make("dies-later")
    for seed in range(2):
        with pytest.raises(
            ForfeitError, match=r"exit status 7; its last line on standard error: out of petrol;"
        ) as caught:
            finish(started(bot, seed))
        log = caught.value.log
        assert log is not None
        assert log.read_text() == "out of petrol\n"
        assert str(log) in str(caught.value)


def test_standard_error_goes_to_a_log_that_goes_when_it_is_empty(make: Make, tmp_path: Path) -> None:
    for way in ("noisy", "good"):
        bot = make(way)
        started(bot).step()
        bot.close()
    logs = list((tmp_path / "home" / "logs").iterdir())
    assert len(logs) == 1
    assert set(logs[0].read_text().split()) == {"hm"}
    assert logs[0].stat().st_mode & 0o077 == 0


def test_old_logs_go(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "home" / "logs"
    folder.mkdir(parents=True)
    for number in range(3):  # seen in the folder, gone when looked at, as if another process had removed them
        (folder / f"bot-{number}.log").symlink_to("nowhere")
    monkeypatch.setattr("millebornes.players.external.program_log.MAX_LOGS", 3)
    for _ in range(4):
        with pytest.raises(ForfeitError) as caught:
            finish(started(make("dies-later")))
        assert caught.value.log is not None
    assert len([log for log in folder.iterdir() if log.exists()]) <= 3


def test_it_plays_where_no_log_can_be_written(make: Make, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, no folder")
    with pytest.raises(ForfeitError) as caught:
        finish(started(make("dies-later")))
    assert caught.value.log is None
    assert "standard error" not in str(caught.value)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/no/such/program --fast", "could not be started: '/no/such/program': No such file or directory"),
        (str(BOT), r"could not be started: '.*bad_bot.py': Permission denied"),
        ("/", "could not be started: '/': Permission denied"),
    ],
)
def test_a_program_that_does_not_start_forfeits(make: Make, command: str, reason: str) -> None:
    bot = player(f"cmd:{command}")
    assert isinstance(bot, ExternalPlayer)
    with pytest.raises(PlayerError, match="there is no program"):
        bot.check()
    with pytest.raises(ForfeitError, match=reason):
        finish(started(bot))
    bot.close()


def test_commands_are_split_without_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    for command in ("", "   ", "python3 'bot.py", "a\0b"):
        with pytest.raises(PlayerError, match="cmd:"):
            player(f"cmd:{command}")
    bot = player(f"cmd:{sys.executable} -c 'import sys; sys.exit(len(sys.argv))' '$HOME' ';' 'a b'")
    with pytest.raises(ForfeitError, match="exit status 4"):
        finish(started(bot))  # type: ignore[arg-type]
    with pytest.raises(PlayerError, match="a time for a move"):
        player("cmd:true", time_ms=0)
    assert player("cmd:true", time_ms=None).name == "cmd:true"


def test_a_forfeit_can_be_printed_wherever_its_log_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "new\nline, escape\x1b[2J, not UTF-8 \udcff"))
    bot = ExternalPlayer(shlex.join(["sh", "-c", "echo oh >&2; exit 3"]))
    with pytest.raises(ForfeitError, match="exit status 3") as caught:
        finish(started(bot))
    assert caught.value.log is not None
    assert caught.value.log.read_text() == "oh\n"
    assert str(caught.value).isprintable()
    assert repr(str(caught.value.log))[1:-1] in str(caught.value)


def test_a_log_of_an_earlier_process_of_the_same_number_stays(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):  # as in a container, where the numbers begin anew
        monkeypatch.setattr("millebornes.players.external.program_log._numbers", itertools.count(1))
        with pytest.raises(ForfeitError):
            finish(started(make("dies-later")))
    logs = list((tmp_path / "home" / "logs").iterdir())
    assert [log.read_text() for log in logs] == 2 * ["out of petrol\n"]


def test_nobody_is_asked_before_a_match() -> None:
    match = Match.start(RULES, 1)
    with pytest.raises(ForfeitError, match="before its match began"):
        ExternalPlayer("true").choose(match.view(0), match.hand.legal_moves, random.Random(1))


def test_a_forfeit_can_be_sent_to_another_process() -> None:
    error = ForfeitError("cmd:x", 3, "ended, with exit status 1", Path("x.log"))
    other = pickle.loads(pickle.dumps(error))
    assert (str(other), other.seat, other.reason, other.log) == (str(error), 3, error.reason, Path("x.log"))
    assert isinstance(other, PlayerError)


def test_the_end_of_the_host_ends_its_bots(make: Make, tmp_path: Path) -> None:
    code = f"""if True:
        from millebornes.game import Match
        from millebornes.editions import make_rules
        from millebornes.players import Table, player
        bot = player({make("stubborn").name!r})
        Table(Match.start(make_rules(), 1), [bot, player("random")]).step()
        raise SystemExit("no close")
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert done.stderr == "no close\n"
    assert_gone(int((tmp_path / "pid").read_text()))
