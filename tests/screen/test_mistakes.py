"""A mistake in the program: the game leaves a usable terminal and a report that can be read."""

from pathlib import Path

import pytest

from tests.screen.terminal import Terminal

pytestmark = pytest.mark.slow  # real terminals

FAULTY = """
from millebornes.session.saving import Saver

def auto(self):
    raise RuntimeError("this is a long sentence about a mistake of which every word is to be seen")

Saver.auto = auto
"""


def test_the_report_can_be_read_in_a_narrow_terminal(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAULTY, encoding="utf-8")
    options = ("--player", "human", "--player", "basic", "--seed", "1")
    with Terminal(tmp_path, *options, size=(25, 24), PYTHONPATH=str(tmp_path)) as terminal:
        status, said = terminal.left_behind()
        assert status == 1
        assert "RuntimeError: this is a long sentence about a mistake" in " ".join(said.split())
        assert "every word is to be seen" in " ".join(said.split())


def test_rules_that_cannot_be_loaded_are_not_waited_for(tmp_path: Path) -> None:
    fault = "import sys; sys.modules['millebornes.tui.full.screens.table'] = None"
    (tmp_path / "sitecustomize.py").write_text(fault, encoding="utf-8")
    with Terminal(tmp_path, "--player", "human", "--player", "basic", PYTHONPATH=str(tmp_path)) as terminal:
        status, said = terminal.left_behind()
        assert status == 1
        assert "millebornes.tui.full.screens.table" in said
