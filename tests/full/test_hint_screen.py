"""The window of a hint, over nothing."""

import asyncio
import random
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from millebornes.analysis.records import Analysis
from millebornes.editions import make_rules
from millebornes.game import Match, Move, View
from millebornes.i18n import LANGUAGES, translator
from millebornes.players.hint import hint
from millebornes.players.registry import player
from millebornes.themes import theme_for
from millebornes.tui.full.screens import hint as hint_screen
from millebornes.tui.full.screens.hint import HintScreen, Thoughts
from millebornes.words.participants import Participants
from millebornes.words.words import Words
from tests.full.hints import analysis_of, thought

SIZE = (80, 24)


class Alone(App[None]):
    """An app that shows one hint and keeps what was chosen."""

    result: Any = "nothing yet"

    def __init__(self, view: View, thoughts: Thoughts, language: str = "en") -> None:
        super().__init__()
        _ = translator(language)
        participants = Participants(view.rules, ["Ann", "Bo"], [True, True], _)
        self.window = HintScreen(view, thoughts, Words(_, theme_for(language)).at(participants))

    def on_mount(self) -> None:
        self.push_screen(self.window, self.keep)

    def keep(self, result: Move | None) -> None:
        self.result = result

    @property
    def lines(self) -> list[str]:
        """The moves as they are shown."""
        moves = self.window.query_one("#hint-moves", OptionList)
        return [str(moves.get_option_at_index(n).prompt) for n in range(moves.option_count)]

    @property
    def why(self) -> str:
        return str(self.window.query_one("#hint-why", Static).content)

    @property
    def place(self) -> int | None:
        return self.window.query_one("#hint-moves", OptionList).highlighted


def somewhere(moves: int = 25) -> View:
    """A view in the middle of a hand."""
    hand, rng, basic = Match.start(make_rules(), "5").hand, random.Random(4), player("basic")
    for _ in range(moves):
        assert hand.seat is not None
        view = hand.view(hand.seat)
        hand = hand.play(basic.choose(view, view.legal_moves, rng))
    assert hand.seat is not None
    return hand.view(hand.seat)


def show(
    view: View,
    thoughts: Thoughts,
    keys: Sequence[str] = (),
    click: str = "",
    *,
    language: str = "en",
    size: tuple[int, int] = SIZE,
    ready: Callable[[Alone], bool] = lambda app: app.window.is_advised,
) -> tuple[Any, str]:
    """Wait for the advice, press keys, then click; the result, and all that was to be read before."""

    async def run() -> tuple[Any, str]:
        app = Alone(view, thoughts, language)
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: ready(app))
            text = "\n".join([*app.lines, app.why])
            for key in keys:
                await pilot.press(key)
            if click:
                await pilot.click(click)
            await pilot.pause()
            return app.result, text

    return asyncio.run(run())


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    for _n in range(30_000):
        if condition():
            return
        await pilot.pause(0.01)
    raise AssertionError("it never came to that")


@pytest.mark.parametrize(
    ("keys", "click", "rank"),
    [
        (["enter"], "", 0),
        (["down", "enter"], "", 1),
        ([], "#hint-play", 0),
        (["escape"], "", None),
        (["h"], "", None),
        ([], "#hint-back", None),
    ],
)
def test_a_move_can_be_played_from_the_hint(keys: list[str], click: str, rank: int | None) -> None:
    view = somewhere()
    found = analysis_of(view)
    assert show(view, thought(found), keys, click)[0] == (None if rank is None else found.moves[rank].move)


@pytest.mark.parametrize("in_match", [True, False])
@pytest.mark.parametrize("language", LANGUAGES)
def test_says_of_every_move_what_it_loses_and_why_the_best_is(language: str, in_match: bool) -> None:
    view = somewhere()
    found, _ = analysis_of(view, in_match=in_match), translator(language)
    _result, text = show(view, thought(found), language=language)
    lines = text.splitlines()
    assert "★" in lines[0]
    assert "★" not in "".join(lines[1:])
    percent = _("{figure}%").removeprefix("{figure}")
    for n, line in enumerate(lines[1 : len(found.moves)], 1):
        loss = f"\N{MINUS SIGN}{0.4 * n:.1f}{percent}" if in_match else f"\N{MINUS SIGN}{18 * n}"
        assert loss.replace(".", _.traits.decimal_mark) in line
        assert f"{55 - n}{percent}" in line
        assert ("%" in line.split(f"{55 - n}{percent}")[1]) is in_match
    reason = _("complete the trip in {best} of simulations rather than {other}")
    assert reason.format(best=f"41{percent}", other=f"33{percent}") in text
    assert _("Discard distance cards first, small ones before large ones.") in text


def test_a_loss_that_is_not_certain_is_shown_with_its_error() -> None:
    view = somewhere()
    found = analysis_of(view, in_match=False)
    known = found.moves[1]._replace(loss=12.0, loss_stderr=7.0)
    moves = (found.moves[0], known, *found.moves[2:])
    _result, text = show(view, thought(Analysis(**{**vars(found), "moves": moves})))
    assert "\N{MINUS SIGN}12±7" in text.splitlines()[1]


def test_nothing_is_played_before_there_is_advice() -> None:
    view, waits = somewhere(), threading.Event()

    def slow() -> Generator[Analysis | None, None, None]:
        waits.wait(60)
        yield analysis_of(view)

    async def run() -> None:
        app = Alone(view, slow())
        async with app.run_test(size=SIZE) as pilot:
            await until(pilot, lambda: bool(app.lines) and "Thinking" in app.why)
            assert "★" not in "".join(app.lines)
            await pilot.press("enter")
            await pilot.pause()
            assert app.result == "nothing yet"
            waits.set()
            await until(pilot, lambda: app.window.is_advised)
            await pilot.press("enter")
            await pilot.pause()
            assert app.result == view.legal_moves[0]

    asyncio.run(run())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_maxims_advise_while_the_search_is_prepared(language: str) -> None:
    view = somewhere()
    result, text = show(view, thought(None, None), ["enter"], language=language)
    assert result == hint(view).best
    assert translator(language)("Getting hints ready. This takes a minute or two the first time.") in text
    assert "%" not in text


def test_figures_get_better_while_one_looks_and_the_cursor_stays_on_its_move() -> None:
    view, waits = somewhere(), threading.Event()
    first = analysis_of(view)
    other = analysis_of(view, moves=[known.move for known in first.moves[::-1]], worlds=4096)

    def slow() -> Generator[Analysis | None, None, None]:
        yield first
        waits.wait(60)
        yield other

    async def run() -> None:
        app = Alone(view, slow())
        async with app.run_test(size=SIZE) as pilot:
            await until(pilot, lambda: app.window.analysis is first)
            await pilot.press("down")
            await until(pilot, lambda: app.place == 1)
            waits.set()
            await until(pilot, lambda: app.window.analysis is other)
            assert app.window.moves[app.place or 0] == first.moves[1].move
            assert "4096" in str(app.window.query_one("#hint").border_title)
            await pilot.press("enter")
            await pilot.pause()
            assert app.result == first.moves[1].move

    asyncio.run(run())


def test_thinking_ends_with_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    view, ended = somewhere(), threading.Event()
    monkeypatch.setattr(hint_screen, "THINKING", 3600.0)

    def endless() -> Generator[Analysis | None, None, None]:
        try:
            while True:
                yield analysis_of(view)
                ended.wait(0.01)
        finally:
            ended.set()

    show(view, endless(), ["escape"])
    assert ended.wait(60)


def test_thinking_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    view, asked = somewhere(), []
    monkeypatch.setattr(hint_screen, "THINKING", 0.0)

    def endless() -> Generator[Analysis | None, None, None]:
        while True:
            asked.append(1)
            yield analysis_of(view)

    show(view, endless(), ["escape"])
    assert len(asked) == 1


def test_of_a_decision_that_is_gone_nothing_is_told() -> None:
    view = somewhere()
    _result, text = show(view, thought(), ["escape"], ready=lambda app: bool(app.lines))
    assert "%" not in text


def test_every_line_fits_where_it_stands() -> None:
    view = somewhere()
    found = analysis_of(view)

    async def run() -> None:
        app = Alone(view, thought(found))
        async with app.run_test(size=SIZE) as pilot:
            await until(pilot, lambda: app.window.is_advised)
            for size in ((80, 24), (30, 8), (40, 12), (200, 60)):
                await pilot.resize_terminal(*size)
                await until(pilot, lambda wide=size[0] >= 80: ("55%" in app.lines[0]) is wide)  # type: ignore[misc]
                moves = app.window.query_one("#hint-moves", OptionList)
                assert moves.region.height >= 1
                assert all(len(line) <= moves.scrollable_content_region.width for line in app.lines)
                assert "\N{MINUS SIGN}0.4%" in app.lines[1]
            await pilot.press("enter")
            await pilot.pause()
            assert app.result == found.best

    asyncio.run(run())


def test_the_reasons_scroll_by_keys() -> None:
    view = somewhere()

    async def run() -> None:
        app = Alone(view, thought(analysis_of(view)))
        async with app.run_test(size=(40, 12)) as pilot:
            await until(pilot, lambda: app.window.is_advised)
            await pilot.press("tab", "down")
            await until(pilot, lambda: app.window.query_one("#hint-reasons").scroll_offset.y > 0)

    asyncio.run(run())
