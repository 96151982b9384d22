"""Without symbols everything on the screen is drawn with plain characters, and nothing becomes a question mark."""

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from millebornes.i18n import LANGUAGES
from millebornes.storage import load_preferences
from millebornes.tui.common import glyphs
from millebornes.tui.full.screens.readers import LogScreen
from millebornes.tui.full.screens.settings import SettingsScreen
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start import StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.statistics import StatisticsScreen
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.plain import PlayOptions
from tests.full.playing import at_once, at_table, saved, screen_text, seated, until
from tests.full.test_screens import finished_hands, game, keep_games, shown

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

SIZES = [(80, 24), (120, 40), (40, 12)]


async def _leave(pilot: Pilot[int], screen: Screen[Any]) -> None:
    await pilot.press("escape")
    await until(pilot, lambda: pilot.app.screen is not screen)


def check(text: str) -> None:
    """Plain characters only; a question mark stands where one is meant: before a word that tells what ? does."""
    assert text.isascii(), {char for char in text if not char.isascii()}
    assert "??" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_before_the_table(language: str) -> None:
    async def check_sizes(pilot: Pilot[int]) -> None:
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: pilot.app.screen.size == pilot.app.size)
            await pilot.pause()
            check(screen_text(pilot.app))

    async def run() -> None:
        app = MilleApp(PlayOptions(language=language, symbols=False))
        async with app.run_test() as pilot:
            await shown(pilot, StartScreen)
            await check_sizes(pilot)
            for key, kind in (("p", SettingsScreen), ("s", StatisticsScreen)):
                await until(pilot, app.ready.is_set)
                await pilot.press(key)
                await shown(pilot, kind)
                await check_sizes(pilot)
                await pilot.press("escape")
                await shown(pilot, StartScreen)

    at_once()
    keep_games()
    asyncio.run(run())


@pytest.mark.parametrize(
    ("language", "size", "seats", "sides"),
    [
        ("en", (80, 24), 2, 2),
        ("fr", (120, 40), 2, 2),
        ("fr", (40, 12), 6, 3),
        pytest.param("en", (120, 40), 6, 3, marks=pytest.mark.once),
        pytest.param("en", (40, 12), 2, 2, marks=pytest.mark.once),
        pytest.param("fr", (80, 24), 6, 3, marks=pytest.mark.once),
    ],
)
def test_the_table_and_its_windows(
    language: str, size: tuple[int, int], seats: int, sides: int, tmp_path: Path
) -> None:
    async def run() -> None:
        chosen = dataclasses.replace(game(tmp_path, seats, sides), language=language, symbols=False)
        app = MilleApp(chosen)
        async with app.run_test(size=size) as pilot:
            table = await seated(pilot)
            check(screen_text(app))
            for key in ("question_mark", "l", "t", "f4", "q", "s", "f2", "f10"):
                await pilot.press(key)
                await until(pilot, lambda: app.screen is not table)
                await pilot.pause()
                while app.screen is not table:
                    check(screen_text(app))
                    await _leave(pilot, app.screen)
                    await pilot.pause()
                await until(pilot, lambda: not table.is_busy)
            app.leave(0, "")

    at_once()
    asyncio.run(run())


def test_the_sheet_after_a_hand(tmp_path: Path) -> None:
    async def run() -> None:
        app = MilleApp(dataclasses.replace(saved(finished_hands(2), ["human", "random"], tmp_path), symbols=False))
        async with app.run_test(size=(120, 40)) as pilot:
            await shown(pilot, SheetScreen)
            await pilot.pause()
            check(screen_text(app))
            app.leave(0, "")

    at_once()
    asyncio.run(run())


async def _until_ascii(pilot: Pilot[int], table: TableScreen, wanted: bool) -> None:
    await until(pilot, lambda: screen_text(table.app).isascii() == wanted)


@at_table()
async def test_the_preference_counts_at_once(pilot: Pilot[int], table: TableScreen) -> None:
    assert "╭" in screen_text(table.app)
    await pilot.press("f2")
    await until(pilot, lambda: isinstance(table.app.screen, SettingsScreen))
    await pilot.pause()
    table.app.screen.query_one("#pref-symbols").focus()
    await pilot.press("right", "right")
    await until(pilot, lambda: load_preferences().symbols == "no")
    await _until_ascii(pilot, table, True)
    await pilot.press("escape")
    await until(pilot, lambda: table.app.screen is table)
    table.mille.prefer(table.mille._, symbols="yes")
    await _until_ascii(pilot, table, False)
    assert load_preferences().symbols == "yes"
    assert "25" in screen_text(table.app)


@pytest.mark.parametrize(
    ("environ", "has_symbols"),
    [
        ({"TERM": "linux", "LANG": "fr_FR.UTF-8"}, False),
        ({"TERM": "linux", "LC_ALL": "C"}, False),
        ({"TERM": "xterm", "LC_ALL": "C"}, False),
        ({"TERM": "xterm", "LC_ALL": "POSIX", "LANG": "fr_FR.UTF-8"}, False),
        ({"TERM": "xterm", "LANG": "C"}, False),
        ({"TERM": "xterm", "LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ({"TERM": "xterm", "LANG": "fr_FR.ISO-8859-1"}, False),
        ({"TERM": "xterm", "LANG": "fr_FR@euro", "LC_CTYPE": "fr_FR.ISO8859-15@euro"}, False),
        ({"TERM": "xterm", "LANG": "xx_XX.no-such-codeset"}, False),
        ({"TERM": "xterm", "LC_ALL": "C.UTF-8"}, True),
        ({"TERM": "xterm", "LC_CTYPE": "C.UTF-8"}, True),
        ({"TERM": "xterm", "LANG": "en_GB.utf8"}, True),
        ({"TERM": "xterm", "LANG": "en_GB"}, True),
        ({"TERM": "xterm"}, True),
    ],
)
def test_what_a_terminal_shows(environ: dict[str, str], has_symbols: bool) -> None:
    """`LC_CTYPE=C.UTF-8` beside `LANG=C` is what Python sets by itself."""
    assert glyphs.can_show_symbols("utf-8", environ) == has_symbols
    assert not glyphs.can_show_symbols("iso8859-1", environ)
    assert glyphs.can_show_symbols(None, environ) == has_symbols


def test_cells_keep_their_width() -> None:
    from rich.cells import cell_len

    text = "╭─Réparations ▮▮×3 ✗⌓⊘ 漢字 ★━╌░█ …œß e\u0301 ｱ"
    plain = glyphs.in_plain_cells(text)
    assert cell_len(plain) == cell_len(text)
    assert plain.isascii()
    assert "Reparations" in plain
    assert "?" not in plain


def test_the_log_window_scrolls_through_the_match(tmp_path: Path) -> None:
    async def run() -> None:
        app = MilleApp(saved(finished_hands(3), ["human", "random"], tmp_path))
        async with app.run_test(size=(80, 24)) as pilot:
            await shown(pilot, SheetScreen)
            await pilot.press("enter")
            table = await seated(pilot)
            await pilot.press("pageup")
            await shown(pilot, LogScreen)
            scroll = app.screen.query_one("#match-log-scroll")
            await until(pilot, lambda: scroll.max_scroll_y > 0 and scroll.scroll_y == scroll.max_scroll_y)
            await pilot.press("home")
            await until(pilot, lambda: scroll.scroll_y == 0)
            await until(pilot, lambda: "Hand 1. You begin." in screen_text(app))
            await pilot.press("pagedown")
            await until(pilot, lambda: scroll.scroll_y > 0)
            await pilot.press("end")
            await until(pilot, lambda: scroll.scroll_y == scroll.max_scroll_y)
            await until(pilot, lambda: f"Hand {table.session.match.hand_number}." in screen_text(app))
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is table)
            app.leave(0, "")

    at_once()
    asyncio.run(run())
