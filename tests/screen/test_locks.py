"""Two full screens and one saved game."""

import random
from pathlib import Path

import pytest

from millebornes.storage import read_save
from tests.screen.terminal import Terminal
from tests.screen.typist import Keys, wait_asked

pytestmark = pytest.mark.slow

PLAYED = "this game is being played by another"


def _moves(save: Path) -> list[str]:
    return [move.text for move in read_save(save).match.hand.moves]


def test_the_second_program_is_refused(tmp_path: Path) -> None:
    save = tmp_path / "game.jsonl"
    new = ("--player", "human", "--player", "basic", "--seed", "3")
    with Terminal(tmp_path, str(save), *new) as first:
        wait_asked(first)
        with Terminal(tmp_path, str(save), *new) as second:
            status, said = second.left_behind()
            assert status == 1
            assert PLAYED in " ".join(said.split())
        first.press("s")
        first.wait(r"Save to the same file")
        first.press("y")
        first.wait(r"Saved in")
        before = save.read_bytes()
        with Terminal(tmp_path, str(save)) as second:
            assert second.finish() == 1
        with Terminal(tmp_path, *new) as second:
            wait_asked(second)
            second.press("s")
            second.wait(r"File name")
            second.press(*str(save), "enter")
            second.wait(r"couldn't be saved")
            second.wait(r"another")
            second.kill()
        assert save.read_bytes() == before
        Keys(first, random.Random(3)).move("1", False)  # a game without a move would not be offered again
        wait_asked(first)
        first.wait(lambda: _moves(first.autosave))
        first.settle()
        played = _moves(first.autosave)
        first.kill()
    with Terminal(tmp_path, str(save)) as second:  # the first was killed, so the game lies in its autosave too
        second.wait(r"played on")
        second.press("y")
        wait_asked(second)
        assert _moves(second.autosave) == played
        second.kill()
    assert read_save(save).file == str(save)
