"""Digits typed without Shift on a French keyboard, or in full width, choose cards as the digits do."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from millebornes.game import Action
from millebornes.tui.full.screens.popups import PickScreen
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.terminal.keys import KEYMAP
from millebornes.tui.full.widgets.form import StartOption
from tests.full.playing import at_once, at_table, options, play, until

ROW = "&é\"'(-"


@pytest.fixture(autouse=True)
def quick() -> None:
    at_once()


@pytest.mark.parametrize(("language", "keys"), [("fr", f"{ROW}３"), ("en", "４"), ("de", "４")])
def test_digits_without_shift_and_in_full_width_choose_cards(language: str, keys: str) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        for key in keys:
            wanted = ROW.index(key) + 1 if key in ROW else int(key)
            await pilot.press("escape", "u", key)
            await until(pilot, lambda place=wanted: table.input.place == place)  # type: ignore[misc]
            assert table.input.verb is Action.PLAY

    play(steps, options(["human", "random"], language=language))


@at_table("human", "random")
async def test_elsewhere_an_ampersand_still_discards_the_drawn_card(pilot: Pilot[int], table: TableScreen) -> None:
    await pilot.press("&")
    await until(pilot, lambda: table.message.has_class("-error"))
    assert "one-key play" in table.message.text
    assert table.input.place is None


def test_keys_from_the_keys_file_win() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await pilot.press("(")
        await until(pilot, lambda: table.input.verb is Action.DISCARD)
        assert table.input.place is None
        await pilot.press("é")
        await until(pilot, lambda: table.input.place == 2)

    keymap = {**KEYMAP, "discard": ("d", "left_parenthesis")}
    play(steps, options(["human", "random"], language="fr"), keymap=keymap)


@at_table("human", "random", language="fr")
async def test_windows_take_them_and_text_fields_leave_them_as_they_are(pilot: Pilot[int], table: TableScreen) -> None:
    listed = [StartOption(name, name) for name in "abc"]
    chosen: list[StartOption | None] = []
    table.app.push_screen(PickScreen("?", listed, "a", table._), chosen.append)
    await until(pilot, lambda: isinstance(table.app.screen, PickScreen))
    await pilot.press("é")
    await until(pilot, lambda: chosen)
    assert chosen == [listed[1]]
    assert not [line for line in table.commands.help_lines() if line.startswith("& ")]
    await pilot.press("s")
    await until(pilot, lambda: table.app.screen.query("#name"))
    field = table.app.screen.query_one("#name", Input)
    field.value = ""
    await pilot.press("é", "-", "4")
    await until(pilot, lambda: field.value == "é-4")
