"""The screen of statistics: figures, people, the latest matches, and files that cannot be read."""

import asyncio
import datetime
import re
from collections.abc import Awaitable, Callable

import pytest
from textual.app import App
from textual.pilot import Pilot

from millebornes.i18n import translator
from millebornes.storage import HandResult, MatchResult, Results, keep_result
from millebornes.storage.statistics import statistics_file
from millebornes.tui.common.wrapping import keep_no_break_spaces
from millebornes.tui.full.screens.statistics import StatisticsScreen
from millebornes.tui.full.widgets.form import ChoiceRow
from tests.full.playing import screen_text, until

Steps = Callable[["Pilot[None]", StatisticsScreen], Awaitable[None]]
NOON = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC)


class Alone(App[None]):
    """An app that shows the statistics."""

    def __init__(self, window: StatisticsScreen) -> None:
        super().__init__()
        self.window = window
        self.is_back = False

    def on_mount(self) -> None:
        self.push_screen(self.window, self.back)

    def back(self, result: None) -> None:
        self.is_back = True


def show(
    steps: Steps, results: Results | None = None, *, size: tuple[int, int] = (120, 40), language: str = "en"
) -> str:
    """Show statistics, do the steps; the text as it was then, on one line. The way back must work."""

    async def run() -> str:
        app = Alone(StatisticsScreen(translator(language), results))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot, app.window)
            await pilot.pause()
            text = " ".join(screen_text(app).split())
            await pilot.click("#stats-back")
            await pilot.pause()
            assert app.is_back
            return text

    return asyncio.run(run())


async def nothing(pilot: "Pilot[None]", window: StatisticsScreen) -> None:
    """Only look."""


def games(*, shared: bool = False, count: int = 4) -> Results:
    """Matches of three hands each: the first and every third lost, all others won."""
    hands, matches = [], []
    players = ("human", "human" if shared else "basic")
    names = ("Ann", "Bo") if shared else ("You", "basic")
    for n in range(count):
        ours, theirs = (400, 700) if n % 3 == 0 else (900 + 10 * n, 300)
        edition = ("classic", "bsd")[n % 2]
        date = NOON + datetime.timedelta(days=n)
        for number in (1, 2, 3):
            hands.append(
                HandResult(
                    id=f"{shared}{n}.{number}",
                    date=date,
                    edition=edition,
                    seats=2,
                    sides=2,
                    players=players,
                    names=names,
                    match_target=1000,
                    number=number,
                    points=(ours, theirs),
                    luck=(50.0 + n + number, -10.0),
                )
            )
        matches.append(
            MatchResult(
                id=f"{shared}{n}",
                date=date,
                edition=edition,
                seats=2,
                sides=2,
                players=players,
                names=names,
                match_target=1000,
                totals=(3 * ours, 3 * theirs),
                hands=((ours, theirs),) * 3,
                winner=0 if ours > theirs else 1,
            )
        )
    return Results(tuple(hands), tuple(matches))


def test_tells_what_was_won_averages_the_best_hand_and_luck() -> None:
    text = show(nothing, games())
    for part in (
        "50%",
        "2 won, 2 lost",
        "1 lost in a row; longest",
        "12 hands",
        "658 ±",
        "+158 ±",
        "best hand: 920, 2026-05-03",
        "The cards have favoured you.",
        "BSD mille",
        "Latest matches",
        "✓ won",
        "✗ lost",
        "2760 : 900",
        "Practice doesn't count",
    ):
        assert part in text
    assert text.index("1200 : 2100") < text.index("2760 : 900")  # the latest first
    assert "Whose games" not in text


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_no_score_is_broken(language: str) -> None:
    async def steps(pilot: "Pilot[None]", window: StatisticsScreen) -> None:
        keep_no_break_spaces()
        for size in ((60, 20), (80, 24), (40, 12), (20, 5), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.press("end", "pagedown")
            if size[1] < 20:  # there little or nothing of it is in sight
                continue
            body = window.query_one("#stats-body")
            await until(pilot, lambda body=body: body.scroll_offset.y == body.max_scroll_y)  # type: ignore[misc]
            rows = [line.split("│")[1].strip() for line in screen_text(pilot.app).splitlines() if "│" in line]
            assert sum(bool(re.search(r"\d\s:\s\d", row)) for row in rows) >= 2
            assert not [row for row in rows if row.startswith(":") or row.endswith(":")]

    show(steps, games(), language=language)


def test_people_by_keys_and_by_mouse() -> None:
    alone, shared = games(count=2), games(shared=True, count=3)
    both = Results(alone.hands + shared.hands, alone.matches + shared.matches)

    async def by_keys(pilot: "Pilot[None]", window: StatisticsScreen) -> None:
        assert window.person == ""
        await pilot.press("right")
        assert window.person == "Ann"
        await pilot.press("right")

    text = show(by_keys, both)
    assert "Bo" in text
    assert "1 won, 2 lost" in text

    async def by_mouse(pilot: "Pilot[None]", window: StatisticsScreen) -> None:
        row = window.query_one("#stats-who", ChoiceRow)
        await pilot.click(row, offset=(row.size.width - 1, 0))
        await pilot.pause()
        assert window.person == "Ann"
        await pilot.click(row, offset=(2, 0))
        await pilot.pause()
        await pilot.click("#pick-list", offset=(2, 2))
        await pilot.pause()
        assert window.person == "Bo"

    assert "1 won, 2 lost" in show(by_mouse, both)


def test_before_the_first_game() -> None:
    assert "You haven't finished a game yet." in show(nothing)


def test_the_kept_results_and_those_that_cannot_be_read() -> None:
    found = games()
    for hand in found.hands:
        keep_result(hand)
    for match in found.matches:
        keep_result(match)
    with statistics_file().open("ab") as stream:
        stream.write(b'{"torn')
    text = show(nothing)
    assert "2 won, 2 lost" in text
    assert "1 entry could not be read and is left out." in text
    statistics_file().unlink()
    statistics_file().mkdir()
    assert "cannot be read" in show(nothing)
