"""A table played at with keys."""

from textual.pilot import Pilot

from millebornes.storage import read_save, unfinished
from millebornes.tui.full.input import Mode
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
