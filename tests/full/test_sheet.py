"""The score sheet lies where it stays before anybody sees it."""

import asyncio
import dataclasses
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.storage import SavedGame, SaveWriter
from millebornes.tui.full.screens.sheet import SheetScreen, SheetView
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.plain import PlayOptions
from tests.full.playing import at_once, at_table, options, play, saved, until

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it


def finished(sides: int) -> Match:
    """A match of some sides after a hand in which only discards were made where possible."""
    match = Match.start(make_rules("classic", sides, sides), 11, players=[f"Player{n}" for n in range(sides)])
    while not match.hand.is_over:
        match = match.play(match.hand.legal_moves[-1])
    return match


@pytest.mark.parametrize(("sides", "symbols"), [(2, True), (4, True), (8, True), (4, False)])
def test_every_side_has_its_column(tmp_path: Path, sides: int, symbols: bool) -> None:
    async def run() -> None:
        game = saved(finished(sides), ["human", *["random"] * (sides - 1)], tmp_path)
        app = MilleApp(dataclasses.replace(game, symbols=symbols))
        async with app.run_test() as pilot:
            await until(pilot, lambda: isinstance(app.screen, SheetScreen) and app.screen.query("#sheet"))
            for size in ((40, 12), (80, 24), (200, 60)):
                await pilot.resize_terminal(*size)
                await until(pilot, lambda size=size: app.screen.size == size)  # type: ignore[misc]
                await pilot.pause()
                sheet = app.screen.query_one("#sheet", SheetView)
                rows, width = [sheet.render_line(y).text for y in range(sheet.size.height)], sheet.size.width
                heads = next(row for y, row in enumerate(rows) if "Distance Driven" in rows[y + 1])
                assert len(heads.split()) in {sides, 2 * sides}
                assert max(len(row.rstrip()) for row in rows) <= width
                assert sides > 6 or size[0] < 80 or width <= size[0] - 4
            app.leave(0, "")

    at_once()
    asyncio.run(run())


@pytest.mark.parametrize("size", [(80, 24), (80, 17), (120, 40), (61, 14)])
def test_the_sheet_does_not_move_once_painted(monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    places: list[Region] = []
    refresh = Screen._compositor_refresh

    def watch(screen: Screen[object]) -> None:
        refresh(screen)
        if isinstance(screen, SheetScreen) and not screen.app._batch_count:
            places.extend(button.region for button in screen.query("#no"))

    monkeypatch.setattr(Screen, "_compositor_refresh", watch)

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        for _n in range(3):
            places.clear()
            await pilot.press("t")
            await until(pilot, lambda: isinstance(table.app.screen, SheetScreen) and places)
            await pilot.pause(0.1)
            first = places[0]
            assert first.height == 1
            # A scroll bar may come to lie beside the sheet, by half of whose width the button moves.
            assert all(abs(place.x - first.x) <= 1 and place.y == first.y for place in places), places
            await pilot.press("escape")
            await until(pilot, lambda: table.app.screen is table)

    at_once()
    play(steps, options(["human", "basic"]), size=size)


@at_table()
async def test_the_keys_of_answers_that_are_not_offered_do_nothing(pilot: Pilot[int], table: TableScreen) -> None:
    await pilot.press("t")
    await until(pilot, lambda: isinstance(table.app.screen, SheetScreen))
    await pilot.press("z", "r")
    await pilot.pause()
    assert isinstance(table.app.screen, SheetScreen)
    await pilot.press("n")
    await until(pilot, lambda: table.app.screen is table)


def test_a_move_cannot_be_taken_back_that_nobody_has_made(tmp_path: Path) -> None:
    match = Match.start(make_rules("classic", 2, 2), 11, players=("You", "random"))
    loss = {"side": 1, "seat": 1, "player": "random", "reason": "sent nonsense"}
    game = SavedGame(
        match=match,
        seats=("human", "random"),
        seed="11",
        games=(1, 0),
        slots=((),) * 2,
        practice=True,
        forfeit=loss,
    )
    SaveWriter().write(game, tmp_path / "game.jsonl")

    async def run() -> None:
        app = MilleApp(PlayOptions(save=tmp_path / "game.jsonl"))
        async with app.run_test() as pilot:
            await until(pilot, lambda: isinstance(app.screen, SheetScreen) and app.screen.query("#sheet"))
            sheet = app.screen
            await pilot.press("z")
            await until(pilot, lambda: app.screen is not sheet)
            assert isinstance(app.screen, SheetScreen)
            assert [notice.message for notice in app._notifications] == [
                "You have no move in this hand that can be taken back."
            ]
            app.leave(0, "")

    at_once()
    asyncio.run(run())
