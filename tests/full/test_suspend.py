"""Ctrl-Z puts the game in the background from every screen."""

import pytest
from textual.binding import Binding
from textual.pilot import Pilot
from textual.screen import Screen

from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.terminal.keys import APP_SUSPEND, KEYMAP, textual_keymap
from tests.full.playing import at_once, options, play, until
from tests.full.test_letters import over_all


def test_suspend_works_on_every_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once()
    suspended = list[bool]()
    monkeypatch.setattr(MilleApp, "action_suspend_process", lambda self: suspended.append(True))

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        async def check(name: str, _screen: Screen[object]) -> None:
            await pilot.press("ctrl+z")
            await until(pilot, lambda: suspended)
            assert suspended == [True], name
            suspended.clear()

        await over_all(table, pilot, check)

    play(steps, options(["human", "random"]))


def test_a_key_of_ones_own_works_there_unless_it_is_a_character() -> None:
    assert APP_SUSPEND not in textual_keymap(KEYMAP)
    assert textual_keymap({**KEYMAP, "suspend": ("f9", "x")})[APP_SUSPEND] == "f9"
    assert textual_keymap({**KEYMAP, "suspend": ("x",)})[APP_SUSPEND] == "no_key"
    assert any(isinstance(found, Binding) and found.id == APP_SUSPEND for found in MilleApp.BINDINGS)
