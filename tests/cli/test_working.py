"""The bar of commands that take longer: on a terminal only, with what is being done."""

import io
import sys

import pytest

from millebornes.cli.common import COMPILING
from millebornes.cli.working import at_work
from millebornes.kernels.notice import announce_compiling


class Terminal(io.StringIO):
    """Standard error that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with at_work("game.jsonl") as work:
        work.show(3, 7)
    assert "game.jsonl" in screen.getvalue()
    assert "3/7" in screen.getvalue()
    assert "compiling" not in screen.getvalue()
    with at_work("game.jsonl"):
        announce_compiling()
    assert COMPILING in screen.getvalue()


def test_a_pipe_gets_only_the_word_that_something_compiles(capsys: pytest.CaptureFixture[str]) -> None:
    with at_work("game.jsonl") as work:
        work.show(3, 7)
        work.say("something else")
    assert capsys.readouterr() == ("", "")
    with at_work("game.jsonl"):
        announce_compiling()
    assert capsys.readouterr() == ("", f"millebornes: {COMPILING}\n")


def test_closed_standard_error_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with at_work("game.jsonl") as work:
        work.show(1, 2)
