"""Helpers: a table to play at in a test, moves typed as keys, and the text on the screen."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from textual.app import App
from textual.message import Message
from textual.pilot import Pilot

from millebornes.editions import edition
from millebornes.game import Action, Match, Move
from millebornes.i18n import Translator
from millebornes.storage import Preferences, SavedGame, SaveWriter, load_preferences, save_preferences
from millebornes.table.setup import GameSetup
from millebornes.tui.full.screens.app import FullScreenApp
from millebornes.tui.full.screens.base_screen import StableScreen
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.terminal.early_input import QUIET
from millebornes.tui.full.terminal.keys import KEYMAP
from millebornes.tui.plain import PlayOptions

MANY = 12_000
"""Pauses of 10 ms and more: minutes, since kernels may have to be compiled meanwhile."""

Steps = Callable[[Pilot[int], TableScreen], Awaitable[None]]


class Alone(App[None]):
    """An app that shows a single screen, and keeps the preferences that are changed there."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.preferences = preferences

    def follow(self, preferences: Preferences) -> None:
        self.preferences = preferences

    def prefer(self, _: Translator, **changes: object) -> None:
        FullScreenApp.prefer(cast("FullScreenApp", self), _, **changes)


def play(
    steps: Steps,
    options: PlayOptions,
    size: tuple[int, int] = (80, 24),
    keymap: Mapping[str, Sequence[str]] = KEYMAP,
) -> MilleApp:
    """Sit down at a table, do the steps, and leave; returns the app."""

    async def run() -> MilleApp:
        app, is_done = MilleApp(options, keymap), False
        try:
            async with app.run_test(size=size) as pilot:
                table = await seated(pilot)
                try:
                    await steps(pilot, table)
                    is_done = True
                finally:
                    table.session.close()
                    table.saver.release()
        except asyncio.CancelledError:  # Textual, while it ends, can meet a screen that is still being taken away
            if not is_done:
                raise
        return app

    return asyncio.run(run())


def at_table(
    *seats: str,
    sides: int | None = None,
    prefer: Mapping[str, Any] | None = None,
    size: tuple[int, int] = (80, 24),
    keymap: Mapping[str, Sequence[str]] = KEYMAP,
    **more: Any,
) -> Callable[[Steps], Callable[[], None]]:
    """Make a test of steps at a new table; ``more`` are its options. The others move at once unless preferred."""

    def as_test(steps: Steps) -> Callable[[], None]:
        def test() -> None:
            at_once(**(prefer or {}))
            play(steps, options(seats or ("human", "basic"), sides, **more), size, keymap)

        test.__name__, test.__doc__ = getattr(steps, "__name__", ""), steps.__doc__
        return test

    return as_test


def options(seats: Sequence[str], sides: int | None = None, **more: Any) -> PlayOptions:
    """A new game without questions."""
    rules = edition(more.pop("edition", "classic")).rules(len(seats), sides or len(seats), more.pop("set", {}))
    asked = {name: more.pop(name) for name in ("match_target", "practice") if name in more}
    setup = GameSetup(rules=rules, places=tuple(seats), seed=more.pop("seed", "7"), **asked)
    return PlayOptions(setup=setup.with_names(more.pop("names", ())), **more)


def saved(match: Match, seats: Sequence[str], folder: Path, *, practice: bool = False) -> PlayOptions:
    """A game to go on with from some moment."""
    rows = tuple(tuple(card.value for card in hand) if match.hand.ply else () for hand in match.hand.hands)
    games = (0,) * match.rules.sides
    game = SavedGame(match=match, seats=tuple(seats), seed="seed", games=games, slots=rows, practice=practice)
    SaveWriter().write(game, folder / "game.jsonl")
    return PlayOptions(save=folder / "game.jsonl")


def at_once(**changes: Any) -> None:
    """Other seats move at once in the tests."""
    save_preferences(Preferences(**{"pace": 0.0, **changes}))
    assert load_preferences().pace == changes.get("pace", 0.0)


async def until(pilot: Pilot[Any], condition: Callable[[], Any]) -> None:
    """Let the app work until something is so, and the screen on top takes answers."""
    for _n in range(MANY):
        if condition() and takes_answers(pilot.app):
            return
        await pilot.pause(0.01)
    raise AssertionError("it never came to that")


def takes_answers(app: App[Any]) -> bool:
    """Whether a key that is pressed now counts: what was typed before a question could be seen is left out."""
    screen = app.screen_stack[-1] if app.screen_stack else None
    return not isinstance(screen, StableScreen) or math.isfinite(screen.open_since)


def can_press(app: App[int], key: str) -> bool:
    """Whether a key that is pressed now would not pass for one that has been held down."""
    assert isinstance(app, MilleApp)
    latest = app._early_input._key
    return latest.key != key or Message().time - latest.time >= QUIET


async def seated(pilot: Pilot[int]) -> TableScreen:
    """The table, once somebody is asked for something."""
    app = pilot.app
    assert isinstance(app, MilleApp)
    await until(pilot, lambda: app.table is not None and app.screen is app.table and app.table.is_running)
    assert app.table is not None
    await asked(pilot, app.table)
    return app.table


async def asked(pilot: Pilot[int], table: TableScreen) -> None:
    """Wait until somebody is asked for something, or the sheet is there."""
    await until(
        pilot,
        lambda: not table.is_running or isinstance(table.app.screen, SheetScreen) or table.input.mode is not Mode.WATCH,
    )
    await pilot.pause()


async def reply(pilot: Pilot[int], table: TableScreen, *keys: str) -> None:
    """Type what answers the question that stands, and wait for the next one.

    On a busy machine `Pilot.press` can come back before its keys have been understood; then the old question would be
    taken for the next one. Each key waits until what it answers can be seen, as a player would: a target is asked for
    after the card, and after a change of size the table is painted first.
    """
    question = table.input._answer
    for key in keys:
        await until(pilot, partial(can_press, pilot.app, key))
        await pilot.press(key)
    if question is None:
        await until(pilot, lambda: table.input.mode is not Mode.KEYBOARD)
    else:
        await until(pilot, lambda: table.input._answer is not question)
    await asked(pilot, table)


async def make_move(pilot: Pilot[int], table: TableScreen) -> None:
    """Type some legal move, and wait for the next question."""
    await reply(pilot, table, *keys_for(simple_move(table), table))


def screen_text(app: Any) -> str:
    """Everything that can be read, line by line."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)


async def log_read(pilot: Pilot[int], table: TableScreen) -> None:
    """Wait until the log shows its latest line: it is scrolled there once its text has been laid out."""
    latest = " ".join(table.log_view.lines[-1].split())

    def shown() -> bool:
        place = table.log_view.content_region
        rows = screen_text(table.app).splitlines()[place.y : place.bottom]
        return latest in " ".join(" ".join(row[place.x : place.right] for row in rows).split())

    await until(pilot, shown)


def mode_of(table: TableScreen) -> Mode:
    """What is being asked now."""
    return table.input.mode


def keys_for(move: Move, table: TableScreen) -> list[str]:
    """The classic keys that make a move."""
    match move.action:
        case Action.COUP | Action.EXTEND:
            return ["y"]
        case Action.PASS | Action.FINISH:
            return ["n"]
        case _other:
            assert move.card is not None
            place = table.input.slots.place_of(move.card)
            assert place is not None
            number = "p" if place == table.input.slots.size + 1 else str(place)
            keys = ["d" if move.action is Action.DISCARD else "u", number, "enter"]
            if move.target is not None and table.session.rules.sides > 2:
                hazards = [other for other in table.controller.view.legal_moves if other.card is move.card]
                if len([other for other in hazards if other.target is not None]) > 1:
                    keys.append(str(move.target + 1))
            return keys


def simple_move(table: TableScreen) -> Move:
    """A legal move: the first use there is, else a discard; who cannot call a coup fourré lets it go."""
    legal = list(table.scene.legal)
    if table.input.mode is Mode.COUP and not legal:
        return Move(Action.PASS)
    uses = [move for move in legal if move.action not in {Action.DISCARD, Action.PASS}]
    return (uses or legal)[0]
