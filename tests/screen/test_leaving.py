"""Every way out of the full screen: the game is saved, and the terminal is as it was."""

import random
import resource
import signal
from pathlib import Path

import pytest

from millebornes.storage import SavedGame, read_save
from tests.screen.terminal import Terminal
from tests.screen.typist import Asked, Keys, asked, play, step, wait_asked

pytestmark = pytest.mark.slow  # real terminals

ALONE = ("--player", "human", "--player", "basic", "--seed", "11", "--match-target", "700")
ROOMY = (200, 60)
"""A size at which notifications cover no card: at 80x24 one would have to wait until they go."""


def _moves(game: SavedGame) -> list[list[str]]:
    return [[move.text for move in hand.moves] for hand in game.match.hands]


def _some_turns(terminal: Terminal, seed: int = 0, turns: int = 3) -> None:
    """Play a little, until a turn is asked for again."""
    rng = random.Random(seed)
    hands = Keys(terminal, rng)
    while turns or asked(terminal) is not Asked.TURN:
        step(terminal, hands, rng, wait_asked(terminal))
        turns = max(0, turns - 1)
        wait_asked(terminal)


@pytest.mark.parametrize(
    ("number", "during"),
    [
        (signal.SIGHUP, ""),
        *((signal.SIGTERM, during) for during in ("u1", "q")),
        *(pytest.param(signal.SIGTERM, during, marks=pytest.mark.once) for during in ("t", "\x10", "?", "s")),
        pytest.param(signal.SIGHUP, "q", marks=pytest.mark.once),
    ],
)
def test_a_signal_saves_and_leaves_a_usable_terminal(tmp_path: Path, number: int, during: str) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        assert not terminal.is_usable()
        _some_turns(terminal)
        before = read_save(terminal.autosave)
        assert before.match.hand.ply > 0
        terminal.send(during)
        terminal.settle(0.3)
        terminal.child.kill(number)
        status, said = terminal.left_behind()
        assert said.startswith(f"Your game is saved in {terminal.autosave}. To resume it: ")
        assert said.endswith(" -m millebornes play")
        assert status == 0
        assert _moves(read_save(terminal.autosave)) == _moves(before)


def test_a_signal_before_anything_is_played(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.wait(r"Play ")
        terminal.child.kill(signal.SIGTERM)
        assert terminal.left_behind() == (0, "")
        assert not terminal.autosave.exists()


@pytest.mark.parametrize(
    ("at", "behind"),
    [
        *((at, True) for at in (Asked.TURN, None)),
        pytest.param(Asked.KEYBOARD, True, marks=pytest.mark.once),
        *(pytest.param(at, False, marks=pytest.mark.once) for at in (Asked.TURN, Asked.KEYBOARD, None)),
    ],
)
def test_the_terminal_of_two_people_goes_away(tmp_path: Path, at: Asked | None, behind: bool) -> None:
    """Whatever it waits for, and though nothing may tell it so: the game saves itself and ends by itself."""
    rng = random.Random(3)
    other = "basic" if at is None else "human"
    seats = ("--player", "human", "--player", other, "--seed", "11")
    with Terminal(tmp_path, *seats, prefer={"pace": 0.0 if at else 3.0}, behind=behind) as terminal:
        hands = Keys(terminal, rng)
        found, steps = wait_asked(terminal), 0
        while at is not None and (found is not at or steps < 6):  # a game in which nobody has moved is not kept
            step(terminal, hands, rng, found)
            found, steps = wait_asked(terminal), steps + 1
        if at is None:  # a computer player takes its time
            step(terminal, hands, rng, found)
        terminal.settle(0.2)
        before = _moves(read_save(terminal.autosave))
        assert any(before)
        terminal.hang_up()
        assert terminal.ends_alone() == 0
        after = _moves(read_save(terminal.autosave))
        if at is None:  # who thinks may still have moved
            after[-1] = after[-1][: len(before[-1])]
        assert after == before


@pytest.mark.parametrize("behind", [False, True])
def test_the_terminal_goes_away_before_anybody_has_moved(tmp_path: Path, behind: bool) -> None:
    with Terminal(tmp_path, "--player", "human", "--player", "human", "--seed", "11", behind=behind) as terminal:
        assert wait_asked(terminal) is Asked.KEYBOARD
        terminal.wait(terminal.autosave.exists)
        terminal.hang_up()
        assert terminal.ends_alone() == 0
        assert not terminal.autosave.exists()


def test_quitting_asks_and_saves_under_a_name(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        _some_turns(terminal)
        before = _moves(read_save(terminal.autosave))
        terminal.press("delete")
        terminal.wait(r"Quit\?")
        terminal.press("s")
        terminal.wait(r"File name")
        terminal.press(*"no/such/x", "enter")
        terminal.wait(r"Not saved: the folder does not exist")
        terminal.press(*"mine.jsonl", "enter")
        status, said = terminal.left_behind()
        assert status == 0
        assert said.endswith(f" -m millebornes play {tmp_path / 'mine.jsonl'}")
        assert _moves(read_save(tmp_path / "mine.jsonl")) == before
        assert not terminal.autosave.exists()


def test_control_c_asks_and_twice_means_it(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        _some_turns(terminal)
        terminal.press("ctrl+c")
        terminal.wait(r"Quit\?")
        terminal.press("ctrl+c")
        status, said = terminal.left_behind()
        assert status == 0
        assert "Your game is saved in" in said


def test_a_full_disk_is_said_once_and_play_goes_on(tmp_path: Path) -> None:
    """No file may grow: what a full disk does to whoever writes."""
    with Terminal(tmp_path, *ALONE, size=ROOMY) as terminal:
        wait_asked(terminal)
        before = terminal.autosave.read_bytes()
        resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, (64, resource.RLIM_INFINITY))
        _some_turns(terminal, turns=1)
        terminal.wait(r"Not saved: the file would be larger")
        _some_turns(terminal, turns=3)
        assert terminal.autosave.read_bytes() == before  # the old save is whole
        resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        _some_turns(terminal, turns=1)
        assert len(read_save(terminal.autosave).match.hand.moves) > 5
        terminal.child.kill(signal.SIGTERM)
        assert terminal.left_behind()[0] == 0


def test_a_folder_that_cannot_be_made_does_not_stop_the_game(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with Terminal(tmp_path, *ALONE, size=ROOMY) as terminal:
        terminal.wait(r"This game can't be saved automatically")
        _some_turns(terminal)
        terminal.child.kill(signal.SIGTERM)
        status, said = terminal.left_behind()
        assert status == 1
        assert "The game couldn't be saved." in said


def test_a_finished_match_is_kept(tmp_path: Path) -> None:
    rng = random.Random(2)
    with Terminal(tmp_path, *ALONE[:-1], "1") as terminal:
        play(terminal, Keys(terminal, rng), rng)
        terminal.child.kill(signal.SIGHUP)
        assert terminal.left_behind()[0] == 0
    kept = list((tmp_path / "data" / "saves").glob("game-*.jsonl"))
    assert len(kept) == 1
    assert read_save(kept[0]).match.is_over


def test_control_z_gives_the_terminal_back_for_a_while(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        terminal.press("ctrl+z")
        terminal.wait(terminal.is_stopped)
        terminal.wait(terminal.is_usable)  # what it wrote before it stopped may still be on its way
        terminal.child.kill(signal.SIGCONT)
        terminal.wait(terminal.is_taken)
        _some_turns(terminal)


@pytest.mark.parametrize("way", ["keys", "signal"])
def test_control_c_only_hastens_the_end(tmp_path: Path, way: str) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        if way == "keys":
            terminal.press("q")
            terminal.wait(r"Quit\?")
            terminal.press("y")
        else:
            terminal.child.kill(signal.SIGTERM)
        while not terminal.ended:
            terminal.press("ctrl+c")
            terminal.pump(0.005)
        assert terminal.finish() == 0
