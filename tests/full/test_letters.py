"""Letters mean the same in either case: on every screen, in every language, and for keys of one's own."""

import datetime
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.pilot import Pilot
from textual.screen import Screen

from millebornes.analysis.exercises.practice_session import AnswerOutcome, AnswerResult
from millebornes.editions import make_rules
from millebornes.game import Action
from millebornes.session.unfinished import UnfinishedGame
from millebornes.table.setup import GameSetup
from millebornes.tui.full.screens.dialogs import Confirm, LeaveScreen, Reader
from millebornes.tui.full.screens.hint import HintScreen
from millebornes.tui.full.screens.palette import Palette
from millebornes.tui.full.screens.popups import PickScreen
from millebornes.tui.full.screens.practise import AnswerScreen
from millebornes.tui.full.screens.readers import LogScreen, ReviewScreen
from millebornes.tui.full.screens.settings import SettingsScreen
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start import ResumeScreen, StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.start_rules import RulesScreen
from millebornes.tui.full.screens.statistics import StatisticsScreen
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.screens.tutorial import TutorialTable
from millebornes.tui.full.terminal.keys import KEYMAP, in_lower_case
from millebornes.tui.full.widgets.form import StartOption
from millebornes.tui.plain import PlayOptions
from tests.analysis.asked import exercises
from tests.full.hints import analysis_of, thought
from tests.full.playing import at_once, at_table, options, play, until

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

GAME = UnfinishedGame(
    path=Path("autosave-1.jsonl"),
    date=datetime.datetime(2026, 5, 1, 12),
    names=("Ann", "Bo"),
    players=("human", "human"),
    totals=(0, 0),
    hand=1,
    rules=make_rules(),
    match_target=1000,
)

SCREENS: dict[str, Callable[[TableScreen], Screen[object]]] = {
    "confirm": lambda table: Confirm("?", table._),
    "leave": lambda table: LeaveScreen(table.saver, table._),
    "log": lambda table: LogScreen([], table._),
    "review": lambda table: ReviewScreen(table.session, table._),
    "reader": lambda table: Reader("Keys", ["text"], table._),
    "pick": lambda table: PickScreen("?", [StartOption("a", "a")], "a", table._),
    "resume": lambda table: ResumeScreen([GAME], table._),
    "rules": lambda table: RulesScreen(GameSetup(), table.session.words),
    "settings": lambda table: SettingsScreen(table._),
    "statistics": lambda table: StatisticsScreen(table._),
    "sheet": lambda table: SheetScreen(table.session, 0, "", table._),
    "hint": lambda table: HintScreen(
        table.controller.view,
        thought(analysis_of(table.controller.view)),
        table.session.words,
    ),
    "answer": lambda table: AnswerScreen(
        AnswerOutcome(exercises()[0], None, AnswerResult.SHOWN, datetime.datetime(2026, 5, 4, tzinfo=datetime.UTC)),
        ["why"],
        table.session.words,
    ),
    "start": lambda table: StartScreen(GameSetup(), table._),
    "table": lambda table: table,
}


def letters(screen: Screen[object]) -> dict[str, set[str]]:
    """The letters that something on a screen is bound to, and what they do."""
    found: dict[str, set[str]] = {}
    for _node, bindings in screen._modal_binding_chain:
        for key, bound in bindings.key_to_bindings.items():
            if len(key) == 1 and key.isalpha():
                found.setdefault(key.lower(), set()).update(binding.action for binding in bound)
    return found


async def both_cases(pilot: Pilot[int], monkeypatch: pytest.MonkeyPatch) -> int:
    """Type every letter of a screen in both cases; how many letters there are."""
    app, done = pilot.app, list[str]()

    async def note(action: object, *_more: object, **_named: object) -> bool:
        done.append(str(action))
        return True

    known = letters(app.screen)
    with monkeypatch.context() as patch:
        patch.setattr(app, "run_action", note)
        for letter, actions in known.items():
            for key in (letter, letter.upper()):
                done.clear()
                await pilot.press(key)
                await until(pilot, lambda: bool(done))
                assert done[0] in actions, (key, done)
    return len(known)


async def over_all(
    table: TableScreen, pilot: Pilot[int], check: Callable[[str, Screen[object]], Awaitable[None]]
) -> None:
    """Open each screen over the table, check it, and close it."""
    for name, make in SCREENS.items():
        screen = make(table)
        if screen is not table:
            table.app.push_screen(screen)
            await until(pilot, lambda shown=screen: table.app.screen is shown and shown.is_mounted)  # type: ignore[misc]
            await pilot.pause()
        await check(name, screen)
        if screen is not table:
            screen.dismiss()
            await until(pilot, lambda: table.app.screen is table)


def test_every_letter_of_every_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        async def check(name: str, screen: Screen[object]) -> None:
            count = await both_cases(pilot, monkeypatch)
            assert count >= (1 if screen is not table else 15), name
            if name == "start":
                assert {"n", "g", "t", "s", "p", "q", "j", "k"} <= set(letters(screen))

        await over_all(table, pilot, check)

    at_once()
    play(steps, options(["human", "basic"]))


def test_all_screens_are_gone_over() -> None:
    """A new screen with letters of its own must be named here."""

    def below(kind: type[Screen[object]]) -> set[type[Screen[object]]]:
        found = {kind}
        for child in kind.__subclasses__():
            found |= below(child)
        return found

    with_letters = {
        kind.__name__
        for kind in below(Screen)
        if kind.__module__.startswith("millebornes.")
        for binding in Binding.make_bindings(vars(kind).get("BINDINGS", ()))
        if len(binding.key) == 1 and binding.key.isalpha()
    }
    gone_over = {
        *(Confirm, Reader, PickScreen, ResumeScreen, RulesScreen, SettingsScreen),
        *(StatisticsScreen, SheetScreen, HintScreen, StartScreen, TableScreen, TutorialTable, Palette),
        *(LeaveScreen, LogScreen, ReviewScreen, AnswerScreen),
    }
    assert with_letters <= {kind.__name__ for kind in gone_over}


@at_table("human", "basic", language="fr")
async def test_yes_in_french(pilot: Pilot[int], table: TableScreen) -> None:
    for name, answer in (("confirm", True), ("leave", "leave"), ("sheet", "yes")):
        for key in ("o", "O"):
            answers: list[object] = []
            screen = SCREENS[name](table)
            table.app.push_screen(screen, answers.append)
            await until(pilot, lambda shown=screen: table.app.screen is shown and shown.is_mounted)  # type: ignore[misc]
            await pilot.press(key)
            await until(pilot, lambda: bool(answers))  # noqa: B023
            assert answers == [answer], (name, key)


@at_table("human", "basic", keymap={**KEYMAP, "use": ("é",), "discard": ("a",)})
async def test_keys_of_ones_own(pilot: Pilot[int], table: TableScreen) -> None:
    for key, verb in {"é": Action.PLAY, "A": Action.DISCARD, "É": Action.PLAY, "a": Action.DISCARD}.items():
        await pilot.press(key)
        await until(pilot, lambda verb=verb: table.input.verb is verb)  # type: ignore[misc]


def test_keys_may_be_swapped_taken_away_and_taken_from_textual() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await pilot.press("l")
        await pilot.pause()
        assert table.app.screen is table
        for key, verb in (("d", Action.PLAY), ("u", Action.DISCARD)):
            await pilot.press(key)
            await until(pilot, lambda verb=verb: table.input.verb is verb)  # type: ignore[misc]
        await pilot.press("tab")
        await until(pilot, lambda: isinstance(table.app.screen, Reader))

    at_once()
    keymap = {**KEYMAP, "use": ("d",), "discard": ("u",), "legal": (), "help": ("tab",)}
    play(steps, options(["human", "basic"]), keymap=keymap)


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("q", None),
        ("Q", "q"),
        ("É", "é"),
        ("Œ", "œ"),
        ("shift+q", "q"),
        ("alt+shift+q", "alt+q"),
        ("alt+q", None),
        ("ctrl+q", None),
        ("ß", None),
        ("ſ", None),
        ("1", None),
        ("漢", None),
        ("f1", None),
        ("plus", None),
        ("+", None),
    ],
)
def test_the_small_letter(key: str, other: str | None) -> None:
    assert in_lower_case(key) == other


def test_an_app_without_a_table_takes_both_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    async def run() -> None:
        app = MilleApp(PlayOptions())
        async with app.run_test() as pilot:
            await until(pilot, lambda: isinstance(app.screen, StartScreen) and app.screen.is_mounted)
            await pilot.press("S")
            await until(pilot, lambda: isinstance(app.screen, StatisticsScreen))
            app.exit(0)

    at_once()
    asyncio.run(run())
