"""After a match, "Another game? No" leads back to the start screen, and Q leaves the program."""

import asyncio
from pathlib import Path

import pytest

from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start import StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from tests.full.playing import at_once, saved, seated, until
from tests.full.test_review import over


@pytest.fixture(autouse=True)
def quick() -> None:
    at_once()


def test_no_returns_to_the_start_screen_where_another_game_begins(tmp_path: Path) -> None:
    async def run() -> None:
        app = MilleApp(saved(over(), ["human", "random"], tmp_path))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, SheetScreen) and app.screen.query("#no"))
            table = app.table
            assert table is not None
            table.session.file = None
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, StartScreen))
            assert app.table is None
            assert table not in app.screen_stack
            assert app.return_code is None
            await pilot.press("n")
            again = await seated(pilot)
            assert again is not table
            assert again.session.seed != table.session.seed
            again.session.close()
            again.saver.release()
            app.leave(0, "")

    asyncio.run(run())


def test_q_leaves_the_program(tmp_path: Path) -> None:
    async def run() -> None:
        app = MilleApp(saved(over(), ["human", "random"], tmp_path))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, SheetScreen) and app.screen.query("#no"))
            assert app.table is not None
            app.table.session.file = None
            await pilot.press("q")
            for _n in range(1000):
                if app.is_leaving:
                    break
                await pilot.pause(0.01)
            assert app.is_leaving

    asyncio.run(run())
