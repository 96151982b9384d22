"""After the last hand the review is offered: made behind its window, then read there."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Button, ProgressBar, Static

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.players import play_match, player
from millebornes.storage import load_reviews
from millebornes.tui.full.screens.readers import ReviewScreen
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from tests.full.playing import at_once, saved, until


def over() -> Match:
    """A short match that has been played to its end."""
    rules = make_rules("classic").replace({"goal": 100, "extension_goal": None})
    match = Match.start(rules, 3, players=("You", "Bo"), match_target=1)
    return play_match(match, [player("basic"), player("basic")])


def review_of(folder: Path, steps: Callable[[Any, MilleApp], Any]) -> None:
    async def run() -> None:
        app = MilleApp(saved(over(), ["human", "random"], folder))
        async with app.run_test(size=(100, 30)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, SheetScreen) and app.screen.query("#review"))
            await pilot.press("r")
            await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and app.screen.query("#review-text"))
            await steps(pilot, app)
            app.leave(0, "")

    at_once()
    asyncio.run(run())


def test_the_report_is_read_and_the_sheet_comes_back(tmp_path: Path) -> None:
    async def steps(pilot: Any, app: MilleApp) -> None:
        screen = app.screen
        await until(pilot, lambda: not screen.query_one("#review-bar", ProgressBar).display)
        text = str(screen.query_one("#review-text", Static).content)
        assert "decisions" in text
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, SheetScreen) and app.screen.query("#review"))
        assert len(load_reviews()) == 1

    review_of(tmp_path, steps)


def test_the_window_can_be_closed_before_it_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(session: object, tell: Callable[[int, int], None]) -> None:
        begun.set()
        try:
            go_on.wait(20)
            tell(1, 2)
        finally:
            ended.set()

    monkeypatch.setattr("millebornes.tui.common.review.review_sitting", slow)

    async def steps(pilot: Any, app: MilleApp) -> None:
        await until(pilot, begun.is_set)
        app.screen.query_one("#close", Button).press()
        await until(pilot, lambda: isinstance(app.screen, SheetScreen))
        go_on.set()
        await until(pilot, ended.is_set)
        assert load_reviews() == {}

    review_of(tmp_path, steps)
