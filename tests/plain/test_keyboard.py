"""Enter that was typed before a question, or is held down, does not answer it; what comes from a pipe always does."""

import os
import sys
from collections.abc import Iterator
from typing import TextIO

import pytest

from millebornes.tui.plain import console
from millebornes.tui.plain.console import Console

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)


class Typed:
    """A terminal on which something is typed."""

    def __init__(self) -> None:
        self._ours, theirs = os.openpty()
        self.stream: TextIO = os.fdopen(theirs, "r", encoding="utf-8")

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def close(self) -> None:
        os.close(self._ours)
        self.stream.close()


@pytest.fixture
def typed() -> Iterator[Typed]:
    terminal = Typed()
    yield terminal
    terminal.close()


class Screen:
    """Standard output: what is asked is written here, and answered when it is."""

    encoding = "utf-8"

    def __init__(self, answers: list[str], typed: Typed) -> None:
        self.said = ""
        self._answers = answers
        self._typed = typed

    def write(self, text: str) -> int:
        self.said += text
        if text.endswith("? ") and self._answers:
            self._typed.type(self._answers.pop(0))
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""

    def isatty(self) -> bool:
        return True


def ask(typed: Typed, *answers: str, careful: bool = False) -> tuple[str, str]:
    """The answer to a question, and all that was said."""
    screen = Screen(list(answers), typed)
    return Console(typed.stream, screen).ask("Another game?", careful=careful), screen.said  # type: ignore[arg-type]


def test_enter_that_was_typed_ahead_is_dropped(typed: Typed) -> None:
    typed.type("\n\n\n")
    assert ask(typed, "no\n")[0] == "no"


def test_words_that_were_typed_ahead_count(typed: Typed) -> None:
    typed.type("\nsave\nquit\n")
    assert ask(typed)[0] == "save"


def test_enter_after_the_question_counts(typed: Typed) -> None:
    assert ask(typed, "\n", careful=True)[0] == ""


def test_enter_held_down_does_not_answer_what_deals_anew(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "REACTION", 600.0)
    monkeypatch.setattr(console, "QUIET", 600.0)
    typed.type("\n")
    answer, said = ask(typed, "\n", "\n", "n\n", careful=True)
    assert answer == "n"
    assert said.count("Another game?") == 3


def test_a_pipe_is_never_left_out() -> None:
    reads, writes = os.pipe()
    os.write(writes, b"\n\nx\n")
    os.close(writes)
    with os.fdopen(reads, "r", encoding="utf-8") as stream:
        console = Console(stream)
        assert [console.ask("?", careful=True) for _ in range(3)] == ["", "", "x"]
