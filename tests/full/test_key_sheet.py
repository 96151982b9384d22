"""The sheet with all keys: an explanation that takes several lines continues below itself, at any size."""

from functools import partial

import pytest
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import Static

from millebornes.i18n import translator
from millebornes.tui.full.screens.dialogs import AROUND, Reader
from millebornes.tui.full.screens.start_texts import keys
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.terminal.keys import ACTIONS
from millebornes.tui.full.widgets.names import in_columns
from tests.full.playing import at_once, options, play, screen_text, until

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it


def _is_laid_out(pilot: Pilot[int], size: Size) -> bool:
    screen = pilot.app.screen
    assert isinstance(screen, Reader)
    return screen.size == size and str(screen.query_one("#reader-text", Static).content) == screen._wrapped()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_explanations_continue_below_themselves(language: str) -> None:
    _, wrapped = translator(language), 0

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        nonlocal wrapped
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, Reader))
        for width, height in ((80, 24), (60, 20), (100, 30), (50, 20)):
            await pilot.resize_terminal(width, height)
            await until(pilot, partial(_is_laid_out, pilot, Size(width, height)))
            sheet = pilot.app.screen.query_one("#reader-text", Static)
            lines = str(sheet.content).splitlines()
            rows = lines[: lines.index("")]
            assert max(map(len, rows)) <= width - AROUND
            start = lines[0].index(_(ACTIONS["use"]).split()[0])
            found: list[str] = []
            for line in rows:
                assert line[:start].endswith("  "), line
                if line[:start].strip():
                    found.append(line[start:])
                else:
                    found[-1] += " " + line[start:]
                    wrapped += 1
            assert set(found) <= set(map(_, ACTIONS.values()))
            shown = screen_text(table.app).splitlines()
            assert f"│  {lines[0]}" in shown[2], "the box isn't empty"

    at_once()
    play(steps, options(["human", "random"], language=language))
    assert wrapped


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_keys_and_their_explanations_never_touch(language: str) -> None:
    lines = keys(translator(language))
    starts = [line.rindex("  ") for line in lines]
    assert len(set(starts)) == 1, lines


def test_columns_are_as_wide_as_their_widest_text() -> None:
    assert in_columns([("é", "bb", "c"), ("日本", "b", "")]) == ["é     bb  c", "日本  b   "]
    assert in_columns([]) == []
