"""An option from the command line lasts for one run: only what a person changes in the form is stored."""

import dataclasses

from textual.pilot import Pilot

from millebornes.storage import Preferences, load_preferences, save_preferences
from millebornes.tui.full.screens.settings import SettingsScreen
from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import at_once, at_table, options, play, until


def test_a_change_in_the_form_stores_nothing_else() -> None:
    at_once()

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        assert table.session.preferences.manual_pick
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(table.app.screen, SettingsScreen))
        screen = table.app.screen
        assert isinstance(screen, SettingsScreen)
        await screen._take("pref-bell", False)
        stored = load_preferences()
        assert (stored.bell, stored.manual_pick, stored.theme, stored.symbols) == (False, False, None, "auto")
        assert table.session.preferences.manual_pick
        await screen._take("pref-manual_pick", True)
        assert load_preferences().manual_pick
        await pilot.press("escape")
        await until(pilot, lambda: table.app.screen is table)

    asked = options(["human", "random"], language="fr", manual_pick=True, theme="french-1960", symbols=True)
    play(steps, asked)


@at_table("human", "random", practice=True)
async def test_what_another_game_has_stored_meanwhile_stays(pilot: Pilot[int], table: TableScreen) -> None:
    save_preferences(dataclasses.replace(load_preferences(), pace=3.0))
    table.mille.prefer(table._, sort=True)
    assert dataclasses.replace(load_preferences(), last_game=None) == Preferences(pace=3.0, sort=True)
