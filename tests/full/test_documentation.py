"""The picture of the table in docs/terminal.md is what the game shows."""

from pathlib import Path

from textual.pilot import Pilot

from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import asked, at_table, screen_text

DOCS = Path(__file__).parents[2] / "docs"


@at_table("human", "basic", seed="7")
async def test_the_table_looks_as_documented(pilot: Pilot[int], table: TableScreen) -> None:
    for key in ("u", "3", "enter", "u", "1", "enter", "u", "p", "enter", "escape", "w"):
        await pilot.press(key)
        await asked(pilot, table)
    rows = [line.rstrip() for line in screen_text(table.app).splitlines()]
    page = (DOCS / "terminal.md").read_text(encoding="utf-8")
    picture = page.partition("--seed 7` after a few turns")[2].split("```")[1]
    assert picture.removeprefix("none\n").rstrip("\n").splitlines() == rows
