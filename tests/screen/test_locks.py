"""Two full screens and one saved game."""

from pathlib import Path

import pytest

from millebornes.storage import read_save
from tests.screen.terminal import Terminal
from tests.screen.typist import wait_asked

pytestmark = pytest.mark.slow

PLAYED = "this game is being played by another"


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
        first.wait(r"Save on the same file")
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
            second.wait(r"could not be saved")
            second.wait(r"another")
            second.kill()
        assert save.read_bytes() == before
        first.kill()
    with Terminal(tmp_path, str(save)) as second:  # the first was killed, so the game lies in its autosave too
        second.wait(r"broke")
        second.press("y")
        wait_asked(second)
        second.kill()
    assert read_save(save).file == str(save)
