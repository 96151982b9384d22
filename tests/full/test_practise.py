"""Practice on the whole screen: the table as in the game, the answer over it, by keys and by the mouse."""

import asyncio
import datetime
from collections.abc import Awaitable, Callable, Sequence

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.analysis.exercises.practice_session import PracticeSession
from millebornes.analysis.exercises.schedule import Boxes
from millebornes.storage.practise import PractiseProgress
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.practise import AnswerScreen, PractiseApp, PractiseTable
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.plain import PlayOptions
from tests.analysis.asked import asked_for_coup, exercises
from tests.full.playing import keys_for, screen_text, until
from tests.untranslated import english_in

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

SIZES = [(80, 24), (60, 20), (100, 30), (72, 20)]
START = datetime.datetime(2026, 5, 4, 12, tzinfo=datetime.UTC)

Steps = Callable[["Pilot[int]", PractiseApp], Awaitable[None]]


def ask(asked: Sequence[Exercise], steps: Steps, language: str = "en") -> tuple[PractiseApp, list[bool | None]]:
    """Do the steps; the app, and whether the latest answer to each exercise was right (None: none is kept)."""
    with PractiseProgress.open() as progress:
        practice_session = PracticeSession(asked, progress, Boxes(), lambda: START)
        app = PractiseApp(practice_session, PlayOptions(language=language, symbols=True))

        async def run() -> None:
            async with app.run_test(size=(80, 24)) as pilot:
                await question(pilot, app)
                await steps(pilot, app)

        asyncio.run(run())
        histories = [progress.history(exercise.id) for exercise in asked]
    return app, [history[-1].right if history else None for history in histories]


async def question(pilot: "Pilot[int]", app: PractiseApp) -> PractiseTable:
    """Wait for a question."""
    await until(
        pilot,
        lambda: (isinstance(app.screen, PractiseTable) and app.screen.input.mode is not Mode.WATCH) or app.is_leaving,
    )
    await pilot.pause()
    assert isinstance(app.screen, PractiseTable)
    return app.screen


async def answer(pilot: "Pilot[int]", app: PractiseApp) -> str:
    """Wait for an answer; what is to be read there."""
    await until(pilot, lambda: isinstance(app.screen, AnswerScreen) and app.screen.query("#answer-why"))
    await pilot.pause()
    return screen_text(app)


def test_by_keys() -> None:
    a, b, c = exercises()[:3]

    async def steps(pilot: "Pilot[int]", app: PractiseApp) -> None:
        table = await question(pilot, app)
        assert "Question 1 of 3" in screen_text(app)
        assert "What would you play here?" in screen_text(app)
        await pilot.press(*keys_for(a.best, table))
        assert "Right! " in await answer(pilot, app)
        await pilot.press("enter")
        table = await question(pilot, app)
        await pilot.press(*keys_for(b.moves[-1].move, table))
        text = await answer(pilot, app)
        assert "Not quite" in text
        assert "★" in text
        await pilot.press("space")
        await question(pilot, app)
        await pilot.press("h")
        assert "The best move: " in await answer(pilot, app)
        await pilot.press("enter")
        for missed in (b, c):  # it comes again
            table = await question(pilot, app)
            assert "Repeated question" in screen_text(app)
            await pilot.press(*keys_for(missed.best, table))
            await answer(pilot, app)
            await pilot.press("enter")
        await until(pilot, lambda: app.is_leaving)

    app, kept = ask([a, b, c], steps)
    assert kept == [True, True, True]
    assert app.farewell.startswith("1 of 3 questions right first time.")
    assert "2 of 2 repeated questions right" in app.farewell


@pytest.mark.parametrize("ending", ["enter", "q"])
def test_a_list_that_is_opened_before_the_answer_closes_with_the_question(ending: str) -> None:
    async def steps(pilot: "Pilot[int]", app: PractiseApp) -> None:
        table = await question(pilot, app)
        table.commands.command("hint")
        table.commands.command("scores")  # before the answer is shown
        await answer(pilot, app)
        await pilot.press(ending)
        if ending == "enter":
            await until(pilot, lambda: app.table not in {None, table} and app.screen is app.table)
            assert "Question 2 of 3" in screen_text(app)
            app._end_now()
        await until(pilot, lambda: app.is_leaving)

    ask(exercises()[:3], steps)


def test_by_the_mouse() -> None:
    a = next(exercise for exercise in exercises() if exercise.best.text.startswith("-"))

    async def steps(pilot: "Pilot[int]", app: PractiseApp) -> None:
        table = await question(pilot, app)
        assert a.best.card is not None
        place = table.input.slots.place_of(a.best.card)
        await pilot.click(f"#card-{place}", button=3)
        assert "Right! " in await answer(pilot, app)
        await pilot.click("#answer-next")
        await until(pilot, lambda: app.is_leaving)

    assert ask([a], steps)[1] == [True]


def test_the_commands_of_the_table_and_ways_out() -> None:
    a, b = exercises()[:2]

    async def steps(pilot: "Pilot[int]", app: PractiseApp) -> None:
        table = await question(pilot, app)
        await pilot.press("s")
        await until(pilot, lambda: "saved automatically" in screen_text(app))
        await pilot.press("t")
        await until(pilot, lambda: isinstance(app.screen, SheetScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is table)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app.is_leaving)

    app, kept = ask([a, b], steps)
    assert kept == [None, None]
    assert app.farewell == "No questions answered."


def test_a_coup_fourre_at_every_size() -> None:
    coup = asked_for_coup()

    async def steps(pilot: "Pilot[int]", app: PractiseApp) -> None:
        table = await question(pilot, app)
        assert table.input.mode is Mode.COUP
        await pilot.press("n")
        await answer(pilot, app)
        assert isinstance(app.screen, AnswerScreen)
        for size in ((30, 8), (80, 24), (160, 50)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda size=size: app.screen.size == size)  # type: ignore[misc]
            await pilot.pause()
            for part in ("#answer-next", "#answer-text"):
                region = app.screen.query_one(part).region
                assert region.height >= 1
                assert region.bottom <= size[1]
        await pilot.press("pagedown", "end")
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app.is_leaving)

    kept = ask([coup], steps)[1]
    assert kept[0] is not None


def test_four_seats() -> None:
    a = exercises(2, 4)[0]

    async def steps(pilot: "Pilot[int]", app: PractiseApp) -> None:
        table = await question(pilot, app)
        assert len(table.side_views) == 2
        await pilot.press(*keys_for(a.best, table))
        await answer(pilot, app)
        await pilot.press("escape")
        await until(pilot, lambda: app.is_leaving)

    assert ask([a], steps)[1] == [True]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_question_and_each_move_can_be_read_at_any_size(language: str) -> None:
    many = len(exercises()[0].moves)

    async def steps(pilot: "Pilot[int]", app: PractiseApp) -> None:
        table, wanted = await question(pilot, app), app._("What would you play here?").split()
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda size=size: table.size == size)  # type: ignore[misc]
            await pilot.pause()
            place = table.lesson.content_region
            rows = [row[place.x : place.right] for row in screen_text(app).splitlines()[place.y : place.bottom]]
            assert " ".join(rows).split()[: len(wanted)] == wanted, size
        assert language == "en" or english_in(screen_text(app), language) == set()
        await pilot.press("h")
        await answer(pilot, app)
        assert language == "en" or english_in(screen_text(app), language) == set()
        shown, text = app.screen.query_one("#answer-moves", Static), app.screen.query_one("#answer-text")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda size=size: app.screen.size == size and shown.size.height == many)  # type: ignore[misc]
            await until(pilot, lambda size=size: size[0] != 60 or "▪" not in str(shown.content))  # type: ignore[misc]
            await pilot.press("end")

            def is_seen(is_wide: bool = size[0] >= 80) -> bool:
                text.scroll_end(animate=False)  # it may have been laid out anew since
                return text.is_vertical_scroll_end and (not is_wide or "▪▪▪▪▪▪▪▪▪▪" in screen_text(app))

            await until(pilot, is_seen)

    ask(exercises()[:1], steps, language=language)
