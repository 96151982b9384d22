"""The score sheet lies where it stays before anybody sees it."""

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen

from millebornes.tui.full.sheet import SheetScreen
from millebornes.tui.full.table import TableScreen
from tests.full.stage import at_once, options, play, until


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
