"""The picture of the table in docs/terminal.md is what the game shows, and docs/keys.md lists every key."""

import re
from pathlib import Path

from textual.pilot import Pilot

from millebornes.i18n import translator
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.terminal.keys import KEYMAP, key_name
from tests.full.playing import asked, at_table, screen_text

DOCS = Path(__file__).parents[2] / "docs"
PLACES = re.compile(r"(card|discard)_")
"""The actions on cards by their places, of which the page lists the first and the last keys."""


@at_table("human", "basic", seed="7")
async def test_the_table_looks_as_documented(pilot: Pilot[int], table: TableScreen) -> None:
    for key in ("u", "3", "enter", "u", "1", "enter", "u", "p", "enter", "escape", "w"):
        await pilot.press(key)
        await asked(pilot, table)
    rows = [line.rstrip() for line in screen_text(table.app).splitlines()]
    page = (DOCS / "terminal.md").read_text(encoding="utf-8")
    picture = page.partition("--seed 7` after a few turns")[2].split("```")[1]
    assert picture.removeprefix("none\n").rstrip("\n").splitlines() == rows


def test_the_page_of_keys_lists_every_key() -> None:
    section = (DOCS / "keys.md").read_text(encoding="utf-8").partition("## Full screen")[2].partition("\n## ")[0]
    shown = set(re.findall(r"`([^`]+)`", section))
    usual = {
        key_name(key, translator("en")) for action, keys in KEYMAP.items() for key in keys if not PLACES.match(action)
    }
    missing = (usual | {"1", "6", "7", "!", "^", "&"}) - shown
    assert missing == set(), "docs/keys.md, full screen: add these keys"
