"""A table played at with keys."""

from textual.pilot import Pilot

from millebornes.session.log import HandLog
from millebornes.storage import read_save, unfinished
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.readers import LogScreen
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import (
    asked,
    at_once,
    make_move,
    mode_of,
    options,
    play,
    screen_text,
    until,
)


async def play_hand(pilot: Pilot[int], table: TableScreen) -> None:
    """Type moves until the sheet is there."""
    for _n in range(300):
        if isinstance(table.app.screen, SheetScreen):
            return
        assert mode_of(table) in {Mode.TURN, Mode.COUP, Mode.EXTENSION}
        before = table.session.hand
        await make_move(pilot, table)
        assert table.session.hand is not before, table.message.text
    raise AssertionError("the hand does not end")


def test_a_hand_is_played_with_the_classic_keys_alone() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await play_hand(pilot, table)
        assert table.session.hand.is_over
        assert "Hand Total" in screen_text(table.app)
        await pilot.press("y")
        await until(pilot, lambda: table.app.screen is table)
        await asked(pilot, table)
        assert table.session.match.hand_number == 2
        assert mode_of(table) is not Mode.WATCH

    at_once()
    play(steps, options(["human", "basic"]))


def test_every_move_is_saved_at_once() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        for _n in range(5):
            await make_move(pilot, table)
            path = table.saver._slot.path  # type: ignore[union-attr]
            assert read_save(path).match.hand.moves == table.session.hand.moves

    at_once()
    play(steps, options(["human", "basic"]))
    slot = unfinished()
    assert slot is not None
    slot.release()


def test_the_log_window_follows_the_game_unless_the_reader_has_scrolled_back() -> None:
    def log(lines: int) -> tuple[HandLog, ...]:
        return (HandLog(1, "Hand 1", tuple(f"line {number}" for number in range(lines))),)

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        screen = LogScreen(log(60), table._)
        table.app.push_screen(screen)
        await until(pilot, lambda: table.app.screen is screen)
        scroll = screen.query_one("#match-log-scroll")

        async def at_the_end(lines: int) -> None:
            screen.follow(log(lines))
            await until(pilot, lambda: scroll.virtual_size.height > lines and scroll.scroll_y == scroll.max_scroll_y)

        await at_the_end(65)
        await pilot.press("pageup")
        await until(pilot, lambda: scroll.scroll_y < scroll.max_scroll_y)
        await pilot.pause(0.5)
        before = scroll.scroll_y
        screen.follow(log(70))
        await until(pilot, lambda: scroll.virtual_size.height > 70)
        await pilot.pause()
        assert scroll.scroll_y == before
        await pilot.press("pagedown", "pagedown")
        await until(pilot, lambda: scroll.scroll_y == scroll.max_scroll_y)
        await pilot.press("pagedown")
        await pilot.pause(0.5)
        await at_the_end(75)

    at_once()
    play(steps, options(["human", "basic"]))
