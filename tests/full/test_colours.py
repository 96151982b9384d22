"""Colours for dark and light screens, themes of the cards, and none at all."""

import re
from pathlib import Path

import pytest
from textual.color import Color
from textual.pilot import Pilot

from millebornes.storage import load_preferences
from millebornes.themes import THEMES
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.widgets.colours import COLOURS, colours_for
from tests.full.playing import at_once, options, play, screen_text

GROUPS = ("distance", "hazard", "remedy", "safety")


def contrast(one: Color, other: Color) -> float:
    """The ratio of brightnesses, as the web's guidelines for accessible contents define it."""

    def brightness(colour: Color) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def test_there_are_colours_for_every_wish() -> None:
    names = {colours.name for colours in COLOURS}
    assert {colours_for(theme, wish) for theme in THEMES for wish in ("auto", "dark", "light", "none")} == names


def test_a_light_terminal_gets_light_colours() -> None:
    assert colours_for("english", "auto", "0;15") == colours_for("english", "light")
    assert colours_for("english", "auto", "0;default;15") == colours_for("english", "light")
    assert colours_for("english", "auto", "15;0") == colours_for("english", "auto") == colours_for("english", "dark")
    assert colours_for("english", "dark", "0;15") == colours_for("english", "dark")


@pytest.mark.parametrize("colours", [colours for colours in COLOURS if not colours.ansi], ids=lambda found: found.name)
def test_everything_can_be_read(colours: object) -> None:
    """At least the contrast that the web's guidelines ask of large text, and of all text for the cards."""
    variables = colours.variables  # type: ignore[attr-defined]
    ground = Color.parse(variables["felt"])
    for role, least in [*((group, 4.5) for group in GROUPS), ("mark", 4.5), ("faint", 3.0)]:
        assert contrast(ground, Color.parse(variables[role])) >= least, role


def test_no_colour_reaches_the_terminal_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        screen = table.app.screen
        for press in ("w", "w", "question_mark"):
            await pilot.press(press)
            await pilot.pause()
            update = table.app.screen._compositor.render_full_update()
            styles = [
                segment.style
                for strip in table.app.screen._compositor.render_strips()
                for segment in strip.apply_filter(table.mille._colourless, Color.parse("black"))
            ]
            assert update is not None
            for style in styles:
                for colour in (style.color, style.bgcolor) if style is not None else ():
                    assert colour is None or colour.is_default
        assert screen is table

    at_once()
    monkeypatch.setenv("NO_COLOR", "1")
    play(steps, options(["human", "basic"]))


def test_the_theme_can_be_changed_at_the_table() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        assert "Roll" in screen_text(table.app)
        table.mille.prefer(table.mille._, theme="french", colours="light")
        await pilot.pause()
        text = screen_text(table.app)
        assert "Feu vert" in text
        assert table.app.theme == "mille-french-light"
        table.mille.prefer(table.mille._, theme="rijwielspel", colours="none")
        await pilot.pause()
        assert "Opstap" in screen_text(table.app)

    at_once()
    play(steps, options(["human", "basic"]))
    assert load_preferences().theme == "rijwielspel"


def test_all_colours_of_the_sheet_are_defined() -> None:
    """Every variable that the style sheet uses is one of the sets' own, or of those that Textual makes of them."""
    style = Path(__file__).parents[2] / "src/millebornes/tui/full/screens/style.tcss"
    used = set(re.findall(r"\$([a-z-]+)", style.read_text(encoding="utf-8")))
    for colours in COLOURS:
        assert used <= {*colours.variables, *colours.to_color_system().generate()}, colours.name
