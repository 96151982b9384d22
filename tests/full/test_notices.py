"""Notices and toasts leave the hand and the line of keys in sight, on any size of terminal."""

import asyncio
import itertools

import pytest
from textual.pilot import Pilot

from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import at_once, at_table, options, screen_text, seated, until

LONG = "You can't play Roll now, because you're already rolling and it changes nothing (R3.2). You could play Stop."
SIZES = [(80, 24), (60, 20), (20, 10), (20, 8)]


@at_table("human", "random")
async def test_a_long_notice_is_above_the_hand(pilot: Pilot[int], table: TableScreen) -> None:
    for size, kind in itertools.product(SIZES, ("", "error", "question", "coup")):
        table.say("")
        await pilot.resize_terminal(*size)
        await until(pilot, lambda: table.size == table.app.size and "You can't" not in screen_text(table.app))
        await pilot.pause()
        before = screen_text(table.app).splitlines()
        table.say(LONG, kind)
        await until(pilot, lambda: "You can't" in screen_text(table.app))
        plan, after = table._plan, screen_text(table.app).splitlines()
        hand = slice(plan.cards[0].y, plan.cards[0].bottom)
        assert after[hand] == before[hand], (size, kind)
        assert after[plan.choices.y] == before[plan.choices.y], (size, kind)


@pytest.mark.parametrize("size", SIZES)
def test_toasts_are_above_the_hand(size: tuple[int, int]) -> None:
    at_once()

    async def run() -> None:
        app = MilleApp(options(["human", "random"]))
        async with app.run_test(size=size, notifications=True) as pilot:
            table = await seated(pilot)
            plan, before = table._plan, screen_text(app).splitlines()
            for text in ("The disk is full. " * 9, "Another. " * 20):
                table.warn(text)
            await until(pilot, lambda: "▌" in screen_text(app))
            after = screen_text(app).splitlines()
            for row in range(plan.cards[0].y, size[1]):
                assert after[row] == before[row]
            app.leave(0, "")

    asyncio.run(run())
