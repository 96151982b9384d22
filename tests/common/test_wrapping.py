"""A line of French never begins with a colon, nor ends with an opening guillemet, in Rich and in Textual."""

import io

import pytest
from rich.console import Console
from rich.text import Text
from textual.content import Content

from millebornes.tui.common.wrapping import keep_no_break_spaces

LINE = "Commandes\u00a0: «\u00a0oui\u00a0» ou «\u00a0non\u00a0»\u202f; 63\u00a0% des cas\u202f! Vraiment\u202f?"


@pytest.mark.parametrize("width", range(12, 50))
def test_what_a_no_break_space_joins_stays_on_one_line(width: int) -> None:
    keep_no_break_spaces()
    console = Console(file=io.StringIO(), width=width)
    rich = [line.plain for line in Text(LINE).wrap(console, width)]
    textual = [line.plain for line in Content(LINE).wrap(width)]
    for lines in (rich, textual):
        assert "".join("".join(lines).split()) == "".join(LINE.split())
        assert not any(line.lstrip()[0] in ":;!?%»" or line.rstrip()[-1] == "«" for line in lines), lines
        assert all(len(line.rstrip()) <= width for line in lines)


def test_ordinary_words_break_as_before() -> None:
    keep_no_break_spaces()
    assert [line.plain for line in Content("one two  three").wrap(8)] == ["one two", "three"]
