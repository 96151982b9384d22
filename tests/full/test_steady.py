"""Screens stand steady whatever comes at once."""

import asyncio

import pytest
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import Screen
from textual.worker import WorkerState

from millebornes.tui.full.screens.dialogs import Confirm
from millebornes.tui.full.screens.palette import Hits, Palette
from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import at_once, at_table, options, play, until


def test_of_several_sizes_at_once_the_latest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """While painting waits, two sizes on their way could each bring the other one back without end."""
    laid_out = 0
    refresh_layout = Screen._refresh_layout

    def count(screen: Screen[object], *arguments: object, **more: object) -> None:
        nonlocal laid_out
        laid_out += 1
        assert laid_out < 100
        refresh_layout(screen, *arguments, **more)  # type: ignore[arg-type]

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        monkeypatch.setattr(Screen, "_refresh_layout", count)
        with table.app.batch_update():
            for size in (Size(100, 30), table.app.size) * 2:
                table.post_message(events.Resize(size, size))
                table.call_later(lambda: None)
            await pilot.pause(0.1)
        await pilot.pause(0.1)
        assert table.size == table.app.size

    at_once()
    play(steps, options(["human", "basic"]))


@at_table()
async def test_what_shows_through_a_dialogue_is_the_screen_below(pilot: Pilot[int], table: TableScreen) -> None:
    app = table.app
    for dialogue in (Palette(), Confirm("One?", table._), Confirm("Two?", table._)):
        app.push_screen(dialogue)
        await until(pilot, lambda shown=dialogue: shown.is_mounted and app.screen is shown)  # type: ignore[misc]
    stack = app.screen_stack
    assert stack[-4] is table
    for below, above in zip(stack[-4:], stack[-3:], strict=False):
        drawn = above.render()
        assert isinstance(drawn, BackgroundScreen)
        assert drawn.screen is below
    for _n in range(3):
        await pilot.press("escape")
        await pilot.pause()
    assert app.screen is table


@at_table()
async def test_a_worker_may_miss_parts_of_a_screen_that_has_gone(pilot: Pilot[int], table: TableScreen) -> None:
    """As the search of the list of commands does when it is closed meanwhile; Textual names no widget then."""
    app, goes_on = table.app, asyncio.Event()
    palette = Palette()
    app.push_screen(palette)
    await until(pilot, lambda: palette.is_mounted and app.screen is palette)

    async def search() -> None:
        await goes_on.wait()
        palette.query_one("#nothing")

    worker = palette.run_worker(search())
    await pilot.pause()
    goes_on.set()
    palette.dismiss(None)
    await until(pilot, lambda: worker.is_finished)
    assert worker.state is WorkerState.ERROR
    assert app.screen is table


@at_table()
async def test_pages_of_a_list_that_is_not_drawn_yet_do_nothing(pilot: Pilot[int], table: TableScreen) -> None:
    app = table.app
    with app.batch_update():  # nothing is laid out meanwhile, as on a busy machine
        app.action_command_palette()
        await until(pilot, lambda: isinstance(app.screen, Palette) and app.screen._hit_count > 0)
        hits = app.screen.query_one(Hits)
        assert hits.highlighted == 0
        assert not hits.scrollable_content_region
        await pilot.press("pagedown", "pageup", "pagedown")
        assert hits.highlighted == 0
    await until(pilot, lambda: bool(hits.scrollable_content_region))
    await pilot.press("pagedown")
    await until(pilot, lambda: (hits.highlighted or 0) > 0)
    await pilot.press("escape")
    await until(pilot, lambda: app.screen is table)
