"""The tutorial on the whole screen: through the whole hand, off the path, out of it, in both languages."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from millebornes.game import Action, Move
from millebornes.i18n import translator
from millebornes.session.tutorial import STEPS
from millebornes.tui.full.screens.dialogs import Confirm
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start import StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.tutorial import TutorialTable, teach
from millebornes.tui.plain import PlayOptions
from tests.full.playing import at_once, keys_for, options, reply, screen_text, until

pytestmark = pytest.mark.slow  # whole tutorials, key by key

Steps = Callable[["Pilot[int]", TutorialTable], Awaitable[None]]


class Lesson(MilleApp):
    """An app that gives the tutorial and nothing else."""

    taught = False

    async def begin(self) -> None:
        await self.ready.wait()
        await teach(self)
        self.taught = True
        self.exit(0)


def learn(steps: Steps, size: tuple[int, int] = (80, 24), language: str = "en") -> Lesson:
    """Sit down to the tutorial and do the steps."""
    at_once()
    app = Lesson(options(["human", "basic"], language=language))

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: isinstance(app.screen, TutorialTable))
            table = app.screen
            assert isinstance(table, TutorialTable)
            await asked(pilot, table)
            await steps(pilot, table)

    asyncio.run(run())
    return app


async def asked(pilot: "Pilot[int]", table: TutorialTable) -> None:
    """Wait for the next decision of the learner, or the score."""
    await until(
        pilot,
        lambda: table.app.screen is not table or (table.input.mode is not Mode.WATCH and table.input.mode is not None),
    )
    await pilot.pause()


def right(table: TutorialTable) -> Move:
    """The move that leads on."""
    hand = table.session.hand
    return next(move for move in table.controller.view.legal_moves if table.lessons.accepts(hand, move) is None)


def is_shown(nudge: Static) -> bool:
    return bool(nudge.display)


def lesson_text(table: TutorialTable) -> str:
    return str(table.query_one("#lesson-text", Static).content)


@pytest.mark.parametrize(("language", "size"), [("en", (80, 24)), ("fr", (120, 40))])
def test_from_the_first_lesson_to_the_score_by_keys_only(language: str, size: tuple[int, int]) -> None:
    lessons: list[str] = []
    sheets: list[str] = []

    async def steps(pilot: "Pilot[int]", table: TutorialTable) -> None:
        while table.app.screen is table:
            lessons.append(lesson_text(table))
            assert str(table.lesson.border_title).endswith(f"{len(lessons)} {'sur' if language == 'fr' else 'of'} 15")
            ply = table.session.hand.ply
            await pilot.press(*keys_for(right(table), table))
            await until(pilot, lambda before=ply: table.session.hand.ply > before)  # type: ignore[misc]
            await asked(pilot, table)
        assert isinstance(table.app.screen, SheetScreen)
        sheets.append(" ".join(screen_text(table.app).split()))
        await pilot.press("escape")

    app = learn(steps, size, language)
    assert app.taught
    assert app.return_code == 0
    assert len(lessons) == len(set(lessons)) == len(STEPS)
    assert "{" not in "".join(lessons)
    assert "400" in sheets[0]


def test_what_leads_elsewhere_is_answered_and_changes_nothing() -> None:
    async def steps(pilot: "Pilot[int]", table: TutorialTable) -> None:
        before = table.session.hand
        nudge = table.query_one("#lesson-nudge", Static)
        assert not is_shown(nudge)
        other = next(move for move in table.controller.view.legal_moves if move.action is Action.DISCARD)
        await reply(pilot, table, *keys_for(other, table))
        assert table.session.hand is before
        assert is_shown(nudge)
        assert "Roll" in str(nudge.content)
        await pilot.press(*keys_for(right(table), table))
        await until(pilot, lambda: table.session.hand.ply > before.ply)
        await asked(pilot, table)
        assert not is_shown(nudge)
        assert "moving" in lesson_text(table)
        await pilot.press("z")  # practice: the move is taken back, and the lesson comes again
        await until(pilot, lambda: table.session.hand.ply == before.ply)
        await asked(pilot, table)
        assert "Welcome" in lesson_text(table)

    learn(steps)


@pytest.mark.parametrize(("language", "key"), [("en", "Y"), ("fr", "O"), ("de", "J")])
def test_says_how_cards_are_used(language: str, key: str) -> None:
    texts: list[str] = []
    _ = translator(language)

    async def steps(pilot: "Pilot[int]", table: TutorialTable) -> None:
        while table.app.screen is table:
            texts.append(lesson_text(table))
            ply = table.session.hand.ply
            table.input.make(right(table))
            await until(pilot, lambda before=ply: table.session.hand.ply > before)  # type: ignore[misc]
            await asked(pilot, table)

    learn(steps, language=language)
    use = _("To use a card, press {key}, its number and Enter, or click it twice.").format(key="U")
    assert [use in text for text in texts[:3]] == [True, True, False]
    assert sum(use in text for text in texts) == 2
    assert any(_("Press {key} for yes.").format(key=key) in text for text in texts)
    discard = _("To discard a card, press {key}, its number and Enter, or right-click it.").format(key="D")
    assert sum(discard in text for text in texts) == 1
    assert _("Press {key} for no.").format(key="N") in texts[-1]


def test_the_hint_is_the_lesson_in_a_sentence() -> None:
    async def steps(pilot: "Pilot[int]", table: TutorialTable) -> None:
        nudge = table.query_one("#lesson-nudge", Static)
        await pilot.press("h")
        await pilot.pause()
        assert table.app.screen is table
        assert str(nudge.content) == "☛ Next step: play Roll. Press Enter to do it, or Esc to go back."
        text = screen_text(table.app)
        assert "▶1◀" in text
        assert "★" in text
        await pilot.press("escape")
        await pilot.pause()
        assert not is_shown(nudge)
        assert "▶1◀" not in screen_text(table.app)

    learn(steps)


def test_the_whole_tutorial_by_hints_and_enter() -> None:
    async def steps(pilot: "Pilot[int]", table: TutorialTable) -> None:
        while table.app.screen is table:
            ply = table.session.hand.ply
            await pilot.press("h", "enter")
            await until(pilot, lambda before=ply: table.session.hand.ply > before)  # type: ignore[misc]
            await asked(pilot, table)
        assert isinstance(table.app.screen, SheetScreen)
        await pilot.press("escape")

    assert learn(steps).taught


@pytest.mark.parametrize("key", ["q", "delete", "ctrl+c"])
def test_it_can_be_left_at_any_time(key: str) -> None:
    async def steps(pilot: "Pilot[int]", table: TutorialTable) -> None:
        await pilot.press(key)
        await until(pilot, lambda: isinstance(table.app.screen, Confirm))
        await pilot.press("n")
        await until(pilot, lambda: table.app.screen is table)
        await pilot.press(key)
        await until(pilot, lambda: isinstance(table.app.screen, Confirm))
        await pilot.press("y")
        await pilot.pause()

    app = learn(steps)
    assert app.taught


@pytest.mark.parametrize("size", [(60, 20), (72, 24), (100, 30), (40, 16)])
def test_resizing_while_a_lesson_is_read(size: tuple[int, int]) -> None:
    async def steps(pilot: "Pilot[int]", table: TutorialTable) -> None:
        await pilot.resize_terminal(*size)
        await pilot.pause()
        lesson = table.lesson.region
        assert table.region.contains_region(lesson)
        for view in table.card_views:
            assert not view.display or not view.region.overlaps(lesson)
        await pilot.press("pagedown", "pageup", "pagedown")
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert not table.window.region.overlaps(table.lesson.region)
        assert "Welcome" in screen_text(table.app)

    learn(steps)


def test_from_the_start_screen_and_back_to_it() -> None:
    at_once()
    app = MilleApp(PlayOptions(language="en"))

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, StartScreen))
            await pilot.press("t")
            await until(pilot, lambda: isinstance(app.screen, TutorialTable))
            await pilot.press("q")
            await until(pilot, lambda: isinstance(app.screen, Confirm))
            await pilot.press("y")
            await until(pilot, lambda: isinstance(app.screen, StartScreen))
            await pilot.press("q")
            await pilot.pause()

    asyncio.run(run())
    assert app.return_code == 0
