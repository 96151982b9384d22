"""Every screen and dialogue is translated, in each language that everything is translated to."""

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList, Static

from millebornes.errors import SaveError
from millebornes.i18n import translator
from millebornes.tui.full.screens import start_texts
from millebornes.tui.full.screens.dialogs import AskName, Confirm, LeaveScreen, Reader
from millebornes.tui.full.screens.popups import AskScreen, PickScreen
from millebornes.tui.full.screens.readers import LogScreen
from millebornes.tui.full.screens.settings import SettingsScreen
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start import ResumeScreen, StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.start_rules import RulesScreen
from millebornes.tui.full.screens.statistics import StatisticsScreen
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.screens.tutorial import TutorialTable
from millebornes.tui.full.widgets.form import ChoiceRow
from millebornes.tui.plain import PlayOptions
from tests.full.playing import at_once, options, play, saved, screen_text, until
from tests.full.test_screens import at_goal, at_stop, finished_hands, keep_games, middle
from tests.full.test_start import unfinished
from tests.untranslated import COMPLETE, english_in

pytestmark = [
    pytest.mark.slow,  # they say nothing of the Python that runs them
    pytest.mark.parametrize("language", COMPLETE),
]


def all_text(app: App[Any]) -> str:
    """What is drawn, and what the widgets of the screen on top hold."""
    screen = app.screen
    texts = [screen_text(app)]
    for widget in screen.query("*"):
        texts += [str(widget.border_title or ""), str(widget.border_subtitle or ""), str(widget.tooltip or "")]
        match widget:
            case Button():
                texts.append(str(widget.label))
            case Static():
                texts.append(str(widget.visual))
            case OptionList():
                texts += [str(option.prompt) for option in widget.options]
            case ChoiceRow():
                texts += [f"{choice.label}\n{choice.details}" for choice in widget.choices]
    texts += [str(note.message) for note in app._notifications]
    return "\n".join(texts)


class Reading:
    """Looks at each screen, and remembers where English was found."""

    def __init__(self, pilot: Pilot[int], language: str) -> None:
        self._pilot = pilot
        self._language = language
        self.found: dict[str, set[str]] = {}

    async def look(self, name: str, kind: type | None = None) -> None:
        app = self._pilot.app
        if kind is not None:
            await until(self._pilot, lambda: isinstance(app.screen, kind))
        await self._pilot.pause()
        if english := english_in(all_text(app), self._language):
            self.found[name] = english

    async def open(self, key: str, kind: type, *close: str) -> None:
        """Press a key, look at what comes, and close it."""
        app = self._pilot.app
        below = app.screen
        await self._pilot.press(key)
        await until(self._pilot, lambda: app.screen is not below)
        await self.look(f"{key} {kind.__name__}", kind)
        await self._pilot.press(*close or ("escape",))
        await until(self._pilot, lambda: app.screen is below)


def test_before_the_table(tmp_path: Path, language: str) -> None:
    async def run() -> dict[str, set[str]]:
        app = MilleApp(PlayOptions(language=language))
        async with app.run_test(size=(120, 40)) as pilot:
            reading = Reading(pilot, language)
            await reading.look("start", StartScreen)
            await until(pilot, app.ready.is_set)
            for key, kind in {"s": StatisticsScreen, "p": SettingsScreen, "question_mark": Reader}.items():
                await reading.open(key, kind)
            await reading.open("escape", Confirm)
            for row in ("edition", "table", "target", "theme", "language", "seat-1"):
                app.screen.query_one(f"#row-{row}").focus()
                await reading.look(f"row {row}")
                await reading.open("enter", PickScreen)
            app.screen.query_one("#row-settings").focus()
            await reading.open("enter", RulesScreen)
            screen = app.screen
            assert isinstance(screen, StartScreen)
            for choice in (start_texts.OWN_FILE, start_texts.OTHER, start_texts.PROGRAM):
                title, what, example, _check = start_texts.question(choice, screen._)
                check = start_texts.question(start_texts.OTHER, screen._)[3]
                app.push_screen(AskScreen(title, what, screen._, check=check, example=example))
                await until(pilot, lambda: isinstance(app.screen, AskScreen))
                await pilot.press("x", "enter")
                await reading.look(what, AskScreen)
                await pilot.press("escape")
                await until(pilot, lambda: app.screen is screen)
            app.exit(0)
        return reading.found

    keep_games()
    assert asyncio.run(run()) == {}


def test_unfinished_games(language: str) -> None:
    async def run() -> dict[str, set[str]]:
        app = MilleApp(PlayOptions(language=language))
        async with app.run_test(size=(120, 40)) as pilot:
            reading = Reading(pilot, language)
            await reading.look("start", StartScreen)
            await pilot.press("g")
            await reading.look("resume", ResumeScreen)
            await pilot.press("a", "delete")
            await reading.look("delete", Confirm)
            app.exit(0)
        return reading.found

    unfinished()
    unfinished("bsd", practice=True)
    assert asyncio.run(run()) == {}


def test_the_table(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, set[str]] = {}
    not_saved = translator(language)("Not saved: {reason}.").partition("{")[0].strip()

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        reading = Reading(pilot, language)
        await reading.look("table")
        for key in ("w", "c", "w", "o", "o", "k", "k"):
            await pilot.press(key)
            await reading.look(key)
        dialogues = {"question_mark": Reader, "l": Reader, "t": SheetScreen, "f4": LogScreen}
        for key, kind in {**dialogues, "f2": SettingsScreen, "f3": StatisticsScreen, "s": Confirm}.items():
            if key == "s":
                await pilot.press("s")
                await reading.look("same file", Confirm)
                await pilot.press("n")
                await reading.look("save", AskName)
                table.app.screen.query_one(Input).value = str(tmp_path / "no" / "x")
                await pilot.press("enter")
                await until(pilot, lambda: not_saved in all_text(table.app))
                await reading.look("not saved", AskName)
                await pilot.press("escape")
                await until(pilot, lambda: table.app.screen is table)
            else:
                await reading.open(key, kind)
        await reading.open("q", LeaveScreen)
        table.session.file = None
        await reading.open("q", LeaveScreen)
        slot = table.saver._slot
        assert slot is not None
        monkeypatch.setattr(slot, "write", full)
        await reading.open("q", LeaveScreen)
        await pilot.press("q")
        await until(pilot, lambda: isinstance(table.app.screen, LeaveScreen))
        await pilot.press("d")
        await reading.look("quit without saving", Confirm)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(table.app.screen, LeaveScreen))
        await pilot.press("n")
        await until(pilot, lambda: table.app.screen is table)
        for keys in (("u",), ("1",), ("escape",), ("d",), ("enter",), ("escape",), ("y",), ("p",)):
            await pilot.press(*keys)
            await reading.look("typed " + " ".join(keys))
        found.update(reading.found)

    def full(*_arguments: object) -> None:
        raise SaveError("x", "the disk is full")

    at_once()
    chosen = saved(middle(2, 2), ["human", "random"], tmp_path, practice=True)
    play(steps, dataclasses.replace(chosen, language=language), (120, 40))
    assert found == {}


@pytest.mark.parametrize("name", ["coup", "extension", "sheet", "keyboard", "nothing begun", "tutorial"])
def test_questions(name: str, language: str, tmp_path: Path) -> None:
    found: dict[str, set[str]] = {}

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        reading = Reading(pilot, language)
        await reading.look(name)
        if name == "nothing begun":
            await reading.open("q", LeaveScreen)
        found.update(reading.found)

    async def learn(chosen: PlayOptions, kind: type) -> None:
        app = MilleApp(chosen)
        async with app.run_test(size=(120, 40)) as pilot:
            reading = Reading(pilot, language)
            await reading.look(name, kind)
            if name == "tutorial":
                await reading.open("q", Confirm, "n")
            found.update(reading.found)
            app.leave(0, "")

    at_once()
    games = {
        "coup": lambda: saved(at_stop(), ["random", "human"], tmp_path),
        "extension": lambda: saved(at_goal(), ["human", "random"], tmp_path),
        "keyboard": lambda: saved(middle(2, 2), ["human", "human"], tmp_path),
        "nothing begun": lambda: options(["human", "random"]),
    }
    if name == "tutorial":
        asyncio.run(learn(PlayOptions(tutorial=True, language=language), TutorialTable))
    elif name == "sheet":
        over = saved(finished_hands(2), ["human", "random"], tmp_path)
        asyncio.run(learn(dataclasses.replace(over, language=language), SheetScreen))
    else:
        play(steps, dataclasses.replace(games[name](), language=language), (120, 40))
    assert found == {}
