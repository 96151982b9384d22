"""The start screen alone, in an app of its own."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from millebornes.storage import Preferences, load_preferences
from millebornes.tui.full.start import StartScreen
from millebornes.tui.full.start_choice import StartChoice

Steps = Callable[["Pilot[None]", StartScreen], Awaitable[None]]
NOTHING = object()


class Alone(App[None]):
    """An app that shows one start screen and keeps its result."""

    def __init__(self, screen: StartScreen) -> None:
        super().__init__()
        self.start = screen
        self.result: Any = NOTHING

    def on_mount(self) -> None:
        self.push_screen(self.start, self.keep)

    def keep(self, result: StartChoice | None) -> None:
        self.result = result


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    return tmp_path


def start(steps: Steps, size: tuple[int, int] = (80, 24), **options: Any) -> Any:
    """Show a start screen, do the steps, return its result."""

    async def run() -> Any:
        app = Alone(StartScreen(options.pop("preferences", None) or load_preferences(), language="en", **options))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot, app.start)
            await pilot.pause()
            return app.result

    return asyncio.run(run())


def keys(*names: str) -> Steps:
    async def press(pilot: "Pilot[None]", screen: StartScreen) -> None:
        for name in names:
            await pilot.press(name)
            await pilot.pause()

    return press


@pytest.mark.parametrize("key", ["enter", "space", "n"])
def test_one_key_starts_the_usual_game(key: str) -> None:
    choice = start(keys(key))
    assert choice.kind == "new"
    assert choice.setup.seats == ("human", "basic")
    assert choice.setup.names == ("You", "basic")
    assert choice.setup.match_target == 5000
    assert str(choice.setup.rules) == "classic/2x2"


def test_one_key_starts_the_last_choice_again() -> None:
    changed = start(keys("down", "right", "down", "down", "tab", "A", "n", "n", "shift+tab", *["up"] * 3, "enter"))
    assert str(changed.setup.rules) == "bsd/2x2"
    assert changed.setup.names[0] == "Ann"
    again = start(keys("enter"))
    assert again.setup.rules == changed.setup.rules
    assert again.setup.names == changed.setup.names
    assert again.setup.seed != changed.setup.seed


@pytest.mark.parametrize("key", ["q", "escape"])
def test_leaves(key: str) -> None:
    assert start(keys(key)) is None
    assert load_preferences() == Preferences()
