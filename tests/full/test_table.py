"""The log of the match in its window."""

from textual.pilot import Pilot

from millebornes.session.log import HandLog
from millebornes.tui.full.screens.readers import LogScreen
from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import at_once, options, play, until


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
