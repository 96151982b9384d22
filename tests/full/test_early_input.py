"""What was typed, clicked or pasted before a question could be seen does not answer it."""

import asyncio
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events
from textual.message import Message
from textual.pilot import Pilot
from textual.screen import Screen

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.tui.full.screens.base_screen import StableScreen
from millebornes.tui.full.screens.dialogs import Confirm, LeaveScreen
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start import StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.terminal import early_input
from millebornes.tui.full.terminal.early_input import EarlyInput
from millebornes.tui.plain import PlayOptions
from tests.full.playing import at_once, at_table, make_move, options, play, saved, simple_move, until

QUIET = 0.4


@pytest.fixture(autouse=True)
def real_quiet(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early_input, "QUIET", QUIET)


def key(name: str, at: float) -> events.Key:
    event = events.Key(name, None)
    event.time = at
    return event


def mouse(kind: type[events.MouseEvent], at: float) -> events.MouseEvent:
    event = kind(None, 1, 1, 0, 0, 1, False, False, False, 1, 1)
    event.time = at
    return event


def pasted(at: float) -> events.Paste:
    event = events.Paste("y")
    event.time = at
    return event


def below(kind: type) -> set[type]:
    """A class and all that are made from it."""
    subclasses: list[type] = kind.__subclasses__()
    return {kind}.union(*map(below, subclasses))


@pytest.mark.parametrize(
    "make",
    [lambda at: key("y", at), lambda at: mouse(events.MouseDown, at), pasted],
    ids=["key", "mouse", "paste"],
)
def test_nothing_counts_before_it_can_be_seen(make: Callable[[float], events.Event]) -> None:
    assert EarlyInput().is_early(make(9.9), 10.0)
    assert EarlyInput().is_early(make(9.9), math.inf)
    assert not EarlyInput().is_early(make(10.1), 10.0)


def test_a_click_counts_where_it_began() -> None:
    typed = EarlyInput()
    assert not typed.is_early(mouse(events.MouseDown, 9.0), 8.0)
    assert typed.is_early(mouse(events.MouseUp, 10.5), 10.0)


def test_a_key_that_is_held_down_counts_once_it_is_let_go() -> None:
    typed, first, then = EarlyInput(), 0.0, 10.0
    assert not typed.is_early(key("enter", 9.8), first)
    for n in range(100):
        assert typed.is_early(key("enter", 10.05 + n * 0.05), then)
    assert not typed.is_early(key("y", 15.1), then)
    assert not typed.is_early(key("enter", 15.2), then)
    held = EarlyInput()
    assert not held.is_early(key("enter", 9.8), first)
    assert held.is_early(key("enter", 10.1), then)
    assert not held.is_early(key("enter", 10.2 + QUIET), then)
    assert not held.is_early(key("enter", 10.25 + QUIET), then)


def test_control_c_always_counts() -> None:
    assert not EarlyInput().is_early(key("ctrl+c", 9.0), math.inf)


def test_every_screen_leaves_out_what_came_too_early() -> None:
    import millebornes.tui.full.screens.practise
    import millebornes.tui.full.screens.readers
    import millebornes.tui.full.screens.settings
    import millebornes.tui.full.screens.statistics
    import millebornes.tui.full.screens.tutorial  # noqa: F401

    own = {kind for kind in below(Screen) if kind.__module__.startswith("millebornes.")}
    assert {kind for kind in own if not issubclass(kind, StableScreen)} == set()
    assert len(own) > 15


def near_the_end(folder: Path) -> PlayOptions:
    """A match of one hand that is nearly over."""
    rules = make_rules("classic", 2, 2)
    match = Match.start(rules, 11, players=("You", "random"), match_target=25)
    while len(match.hand.deck) - match.hand.draw_pile < 95:
        legal = match.hand.legal_moves
        plays = [move for move in legal if not str(move).startswith("-")]
        match = match.play((plays or legal)[0])
    return saved(match, ["human", "random"], folder)


async def ends(pilot: Pilot[int], table: TableScreen) -> None:
    """Play on without keys, until the sheet is there."""
    while not isinstance(table.app.screen, SheetScreen):
        if table.input.mode in {Mode.TURN, Mode.COUP, Mode.EXTENSION} and table.scene.legal:
            table.input.make(simple_move(table))
        await pilot.pause(0.01)


def test_enter_held_down_through_the_end_of_a_match_keeps_the_sheet(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        app, going = table.app, True

        async def hold() -> None:
            latest = Message().time
            while going:
                while latest < Message().time:  # a busy machine comes late to what a terminal has sent meanwhile
                    latest += 0.03
                    app.post_message(key("enter", latest))
                await asyncio.sleep(0.01)

        holding = asyncio.create_task(hold())
        try:
            await ends(pilot, table)
            for _n in range(30):
                await pilot.pause(0.01)
            assert isinstance(app.screen, SheetScreen)
            assert table.session.number == 1
        finally:
            going = False
            await holding
        await pilot.pause()
        app.post_message(key("enter", Message().time + 1))
        await until(pilot, lambda: table.session.number == 2)

    at_once()
    play(steps, near_the_end(tmp_path))


@at_table()
async def test_keys_clicks_and_pastes_of_before_change_no_dialogue(pilot: Pilot[int], table: TableScreen) -> None:
    app = table.app
    await make_move(pilot, table)
    early = Message().time
    await pilot.press("q")
    await until(pilot, lambda: isinstance(app.screen, LeaveScreen))
    x, y = app.screen.query_one("#leave").region.offset
    for event in [*(key(name, early) for name in ("y", "enter", "space", "d", "n", "escape")), pasted(early)]:
        app.post_message(event)
    for kind in (events.MouseDown, events.MouseUp):
        event = kind(None, x + 1, y, 0, 0, 1, False, False, False, x + 1, y)
        event.time = early
        app.post_message(event)
    await pilot.pause()
    assert isinstance(app.screen, LeaveScreen)
    await pilot.press("n")
    await until(pilot, lambda: app.screen is table)


def test_what_was_typed_before_a_dialogue_closed_is_not_for_what_lies_below() -> None:
    async def run() -> None:
        app = MilleApp(PlayOptions())
        async with app.run_test() as pilot:
            await until(pilot, lambda: isinstance(app.screen, StartScreen))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, Confirm))
            app.post_message(key("n", Message().time))  # no; and begin a game, if it came to the start screen
            app.post_message(key("n", Message().time))
            await until(pilot, lambda: isinstance(app.screen, StartScreen))
            await pilot.pause()
            assert isinstance(app.screen, StartScreen)
            app.exit(0)

    asyncio.run(run())


def test_backspace_leads_out_of_nothing() -> None:
    def quits(kind: type) -> bool:
        bound = [binding for binding in getattr(kind, "BINDINGS", []) if "backspace" in binding.key.split(",")]
        return any(word in binding.action for binding in bound for word in ("quit", "leave", "'no'"))

    assert {kind for kind in below(StableScreen) if quits(kind)} == set()

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await make_move(pilot, table)
        await pilot.press("backspace", "backspace")
        await pilot.pause()
        assert table.app.screen is table
        await pilot.press("d", "1", "backspace")
        assert not table.input.is_typing

    at_once()
    play(steps, options(["human", "basic"]))
