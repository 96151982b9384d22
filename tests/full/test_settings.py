"""The window of preferences: each kept at once, by keys only and by mouse only, and the file of keys."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, Static

from millebornes.i18n import LANGUAGES, translator
from millebornes.storage import Preferences, load_preferences, save_preferences
from millebornes.tui.full.screens.dialogs import Reader
from millebornes.tui.full.screens.popups import AskScreen
from millebornes.tui.full.screens.settings import SettingsScreen
from millebornes.tui.full.terminal.keys import keys_file
from millebornes.tui.full.widgets.form import ChoiceRow
from tests.full.playing import Alone, screen_text

pytestmark = pytest.mark.slow  # every choice, key by key

Steps = Callable[["Pilot[None]", SettingsScreen], Awaitable[None]]


class WithSettings(Alone):
    """An app that shows the preferences."""

    def __init__(self, preferences: Preferences, language: str, playing: bool = False) -> None:
        super().__init__(preferences)
        self.window = SettingsScreen(translator(language), playing=playing)

    def on_mount(self) -> None:
        self.push_screen(self.window)


def show(steps: Steps, size: tuple[int, int] = (80, 24), language: str = "en", playing: bool = False) -> WithSettings:
    """Show the kept preferences, do the steps, go back."""
    app = WithSettings(load_preferences(), language, playing)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot, app.window)
            await pilot.press("escape")
            await pilot.pause()

    asyncio.run(run())
    return app


async def go_to(pilot: "Pilot[None]", ident: str) -> None:
    for _ in range(40):
        if pilot.app.focused is not None and pilot.app.focused.id == ident:
            return
        await pilot.press("down")
    raise AssertionError(f"the cursor never comes to {ident}")


def about(window: SettingsScreen) -> str:
    return " ".join(str(window.query_one("#settings-about", Static).content).split())


CHANGES: list[tuple[str, list[str], Any]] = [
    ("pace", ["right"], 2.0),
    ("pace", ["left", "left", "left"], 0.0),
    ("pace", ["left"], 5.0),
    ("one_key", ["right"], True),
    ("sort", ["left"], True),
    ("manual_pick", ["enter", "2"], True),
    ("window", ["right"], "scores"),
    ("colours", ["enter", "end", "enter"], "none"),
    ("colours", ["right", "right", "right"], "light"),
    ("bell", ["right"], False),
    ("theme", ["left"], "rijwielspel"),
    ("language", ["right"], "en"),
]


def test_each_is_kept_at_once() -> None:
    wanted = Preferences()

    async def steps(pilot: "Pilot[None]", window: SettingsScreen) -> None:
        nonlocal wanted
        for name, keys, value in CHANGES:
            await go_to(pilot, f"pref-{name}")
            await pilot.press(*keys)
            await pilot.pause()
            wanted = dataclasses.replace(wanted, **{name: value})
            assert load_preferences() == wanted, name

    assert show(steps).preferences == wanted


@pytest.mark.parametrize(
    ("language", "pace", "text"), [("en", 0.5, "0.5 seconds"), ("fr", 1.5, "1,5 seconde"), ("de", 0.5, "0,5 Sekunden")]
)
def test_the_pace_is_a_number_of_the_language(language: str, pace: float, text: str) -> None:
    save_preferences(Preferences(pace=pace))

    async def steps(pilot: "Pilot[None]", window: SettingsScreen) -> None:
        assert window.query_one("#pref-pace", ChoiceRow).shown == text
        await pilot.press("enter", "end", "enter")
        assert pilot.app.screen.query_one("#ask-text", Input).placeholder == {"en": "1.5"}.get(language, "1,5")
        await pilot.press("escape")

    show(steps, language=language)


@pytest.mark.parametrize("playing", [True, False])
def test_at_the_table_it_says_that_the_language_changes_at_the_next_start(playing: bool) -> None:
    told: list[str] = []

    async def steps(pilot: "Pilot[None]", window: SettingsScreen) -> None:
        await go_to(pilot, "pref-language")
        told.append(about(window))
        await pilot.press(*["right"] * (1 + LANGUAGES.index("fr")))
        await pilot.pause()
        told.append(about(window))
        assert load_preferences().language == "fr"

    show(steps, playing=playing)
    english, french = "takes effect next time", "s’appliquera au prochain lancement"
    assert [text in shown for text, shown in zip((english, french), told, strict=True)] == [playing, playing]


def test_by_mouse_only() -> None:
    async def steps(pilot: "Pilot[None]", window: SettingsScreen) -> None:
        row = window.query_one("#pref-bell", ChoiceRow)
        await pilot.click(row, offset=(row.size.width - 1, 0))
        await pilot.pause()
        await pilot.click("#pref-colours", offset=(3, 0))
        await pilot.pause()
        await pilot.click("#pick-list", offset=(3, 1))
        await pilot.pause()
        await pilot.click("#settings-back")

    assert show(steps).preferences == Preferences(bell=False, colours="dark")


def test_another_pace_and_wrong_ones() -> None:
    async def steps(pilot: "Pilot[None]", window: SettingsScreen) -> None:
        for typed, pace in (("1.5", 1.5), ("0,25", 0.25), ("10", 10.0)):
            await pilot.press("enter", "end", "enter")
            pilot.app.screen.query_one("#ask-text", Input).value = typed
            await pilot.press("enter")
            await pilot.pause()
            assert load_preferences().pace == pace
        await pilot.press("enter", "end", "enter")
        asked = pilot.app.screen
        assert isinstance(asked, AskScreen)
        for typed in ("", "-1", "10.5", "soon", "nan", "inf"):
            asked.query_one("#ask-error", Static).update("")
            asked.query_one("#ask-text", Input).value = typed
            await pilot.press("enter")
            await pilot.pause()
            assert pilot.app.screen is asked
            assert "from 0 to 10" in str(asked.query_one("#ask-error", Static).content)
        await pilot.press("escape")

    assert show(steps).preferences == Preferences(pace=10.0)


def test_the_file_of_keys_is_written_then_left_alone_then_checked() -> None:
    async def steps(pilot: "Pilot[None]", window: SettingsScreen) -> None:
        await pilot.click("#settings-keys")
        await pilot.pause()
        assert keys_file().exists()
        assert str(keys_file()) in about(window).replace(" ", "")
        wrong = '[keys]\npik = ["x"]\nuse = ["nokey"]\n'
        keys_file().write_text(wrong)
        while window.query_one("#settings-keys").has_class("-active"):  # it shows for a moment that it was pressed
            await pilot.pause(0.05)
        await pilot.press("enter")
        await pilot.pause()
        reader: Screen[object] = pilot.app.screen
        assert isinstance(reader, Reader)
        told = str(reader.query_one("#reader-text", Static).content)
        assert "did you mean 'pick'?" in told
        assert "'nokey' isn't a key" in told
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen is window
        assert keys_file().read_text() == wrong

    show(steps)


def test_what_cannot_be_kept_holds_all_the_same(home: Path) -> None:
    (home / "config").write_text("in the way")

    async def steps(pilot: "Pilot[None]", window: SettingsScreen) -> None:
        await pilot.press("right")
        await pilot.pause()

    app = WithSettings(Preferences(), "en")

    async def run() -> None:
        async with app.run_test() as pilot:
            await pilot.pause()
            await steps(pilot, app.window)
            await pilot.press("escape")
            await pilot.pause()

    asyncio.run(run())
    assert app.preferences.pace == 2.0


def test_in_french_small_and_large() -> None:
    save_preferences(Preferences(language="fr"))

    async def steps(pilot: "Pilot[None]", window: SettingsScreen) -> None:
        for size in ((80, 24), (120, 40), (40, 12), (20, 5)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            if size[1] >= 24:
                text = screen_text(pilot.app)
                for word in ("Rythme", "Couleurs", "Sonnerie", "oui", "non"):
                    assert word in text
            await go_to(pilot, "pref-pace")
            await go_to(pilot, "settings-back")

    show(steps, language="fr")
