"""Every screen as text, compared with the files in ``screens``.

``MILLEBORNES_UPDATE=1 pytest tests/full/test_screens.py`` writes those anew. What stands in them is what the program
drew on fixed cards: no path, date of today, version or choice of a computer player.
"""

import asyncio
import datetime
import difflib
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import Action, Match, Phase
from millebornes.storage import HandResult, MatchResult, keep_result
from millebornes.tui.full.screens import statistics
from millebornes.tui.full.screens.dialogs import AskName, LeaveScreen, Reader
from millebornes.tui.full.screens.hint import HintScreen
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.settings import SettingsScreen
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start import StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.statistics import StatisticsScreen
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.screens.tutorial import TutorialTable
from millebornes.tui.plain import PlayOptions
from tests.full.hints import analysis_of, thought
from tests.full.playing import at_once, mode_of, options, saved, screen_text, seated, until
from tests.plain.inside import deck_of

SCREENS = Path(__file__).with_name("screens")
UPDATE = "MILLEBORNES_UPDATE"
SIZES = [(80, 24), (120, 40)]
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
PLAIN = "25 25 50 50 75 75"
NOON = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC)

Look = Callable[[Pilot[int], MilleApp], Awaitable[None]]

pytestmark = [
    pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}"),
    pytest.mark.slow,  # they say nothing of the Python that runs them
]


@pytest.fixture(autouse=True)
def universal_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times of day are those of no place, and the others move at once."""
    at_once()
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        if hasattr(time, "tzset"):
            time.tzset()
        yield
    if hasattr(time, "tzset"):
        time.tzset()


# ---------------------------------------------------------------------- comparing


def compare(name: str, size: tuple[int, int], text: str) -> None:
    """The text must be that of the file; a difference is told line by line."""
    path = SCREENS / f"{name}-{size[0]}x{size[1]}.txt"
    text = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
    if os.environ.get(UPDATE):
        SCREENS.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    assert path.exists(), f"{path.name} is missing; {UPDATE}=1 writes it"
    wanted = path.read_text(encoding="utf-8")
    if text != wanted:
        difference = difflib.unified_diff(wanted.splitlines(), text.splitlines(), path.name, "drawn now", lineterm="")
        pytest.fail("\n".join([*difference, f"If this is meant: {UPDATE}=1 writes it anew."]), pytrace=False)


def usable_cards(table: TableScreen) -> str:
    """For each place of the hand whether its card is drawn in the colour of its group or in that of no use."""
    rows = table._compositor.render_strips()
    lines = []
    for view in table.card_views:
        if view.card is None or not view.display:
            continue
        cells = [cell for segment in rows[view.region.y] for cell in [segment.style] * len(segment.text)]
        style, look = cells[view.region.x], view.look
        assert style is not None
        names = {look["dim"].color: "dim", look[view.card.group.value].color: view.card.group.value}
        lines.append(f"{view.id} {names[style.color]}")
    return "\n".join(lines)


def check(name: str, size: tuple[int, int], chosen: PlayOptions, look: Look, *, cards: bool = False) -> None:
    """Open the whole app, go to a screen, compare it."""

    async def run() -> str:
        app = MilleApp(chosen)
        async with app.run_test(size=size) as pilot:
            await look(pilot, app)
            await pilot.pause()
            text = await settled(pilot, app)
            if cards:
                assert app.table is not None
                text += "\n" + "─" * size[0] + "\n" + usable_cards(app.table)
            app.leave(0, "")
        return text

    compare(name, size, asyncio.run(run()))


async def settled(pilot: Pilot[int], app: MilleApp) -> str:
    """The text of the screen once it no longer changes."""
    text, same = screen_text(app), 0
    while same < 3:
        await pilot.pause(0.02)
        now = screen_text(app)
        text, same = now, same + 1 if now == text else 0
    return text


async def shown(pilot: Pilot[int], kind: type) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    await pilot.pause()


async def sit(pilot: Pilot[int], app: MilleApp) -> None:
    await seated(pilot)


def keys(*names: str, kind: type | None = None) -> Look:
    """Sit down, press keys, wait for a screen."""

    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        await seated(pilot)
        await pilot.press(*names)
        if kind is not None:
            await shown(pilot, kind)

    return look


# ---------------------------------------------------------------------- what is played


def middle(seats: int, sides: int, plies: int = 30) -> Match:
    """Some moves of a hand, up to a turn of the first seat: the first use there is, else a discard."""
    match = Match.start(make_rules("classic", seats, sides), 7, players=NAMES[:seats])
    while match.hand.ply < plies or match.hand.seat != 0 or match.hand.phase is not Phase.PLAY:
        legal = match.hand.legal_moves
        match = match.play(next((move for move in legal if move.action is not Action.DISCARD), legal[0]))
    return match


def game(folder: Path, seats: int = 2, sides: int = 2, *, practice: bool = False) -> PlayOptions:
    """One person among computers, in the middle of a hand."""
    return saved(middle(seats, sides), ["human", *["random"] * (seats - 1)], folder, practice=practice)


def finished_hands(count: int) -> Match:
    """A match after some hands."""
    match = Match.start(make_rules("classic", 2, 2), 11, players=NAMES[:2])
    while not match.is_over:
        if match.hand.is_over:
            if match.hand_number == count:
                return match
            match = match.next_hand()
        legal = match.hand.legal_moves
        match = match.play(next((move for move in legal if move.action is not Action.DISCARD), legal[0]))
    return match


def at_stop() -> Match:
    """A stop has been played on Bo, who can answer it."""
    rules = make_rules("classic", 2, 2)
    hands = {0: "stop roll 100 100 100 100", 1: "roll 25 25 50 50 right_of_way"}
    match = Match.start(rules, deck=deck_of(rules, hands, "25 25 75 25 25"), players=NAMES[:2])
    for move in ("roll", "roll", "stop>1"):
        match = match.play(move)
    return match


def at_goal() -> Match:
    """The last kilometres of a trip that can be extended have been driven."""
    rules = make_rules("classic", 2, 2)
    hands = {0: "roll 100 100 100 100 200", 1: "25 25 25 25 50 50"}
    deck = deck_of(rules, hands, "100 75 100 75 100 75 100 75 100")
    match = Match.start(rules, deck=deck, players=NAMES[:2])
    moves = ("roll", "-25", "100", "-25", "100", "-25", "100", "-25", "100", "-50", "200", "-50", "100")
    for move in moves:
        match = match.play(move)
    return match


def keep_games() -> None:
    """Results of four matches on fixed days."""
    for n in range(4):
        ours, theirs = (400, 700) if n % 3 == 0 else (900 + 10 * n, 300)
        date, edition = NOON + datetime.timedelta(days=n), ("classic", "bsd")[n % 2]
        for number in (1, 2, 3):
            keep_result(
                HandResult(
                    id=f"{n}.{number}",
                    date=date,
                    edition=edition,
                    seats=2,
                    sides=2,
                    players=("human", "basic"),
                    names=("You", "basic"),
                    match_target=1000,
                    number=number,
                    points=(ours, theirs),
                    luck=(50.0 + n + number, -10.0),
                )
            )
        keep_result(
            MatchResult(
                id=str(n),
                date=date,
                edition=edition,
                seats=2,
                sides=2,
                players=("human", "basic"),
                names=("You", "basic"),
                match_target=1000,
                totals=(3 * ours, 3 * theirs),
                hands=((ours, theirs),) * 3,
                winner=0 if ours > theirs else 1,
            )
        )


# ---------------------------------------------------------------------- before the table


@pytest.mark.parametrize(
    ("name", "key", "kind"),
    [
        ("start", "", StartScreen),
        ("start-help", "question_mark", Screen),
        ("settings", "p", SettingsScreen),
        ("statistics", "s", StatisticsScreen),
    ],
)
def test_before_the_table(
    name: str, key: str, kind: type[Screen[object]], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        await shown(pilot, StartScreen)
        await until(pilot, app.ready.is_set)
        if key:
            start = app.screen
            await pilot.press(key)
            await until(pilot, lambda: app.screen is not start and isinstance(app.screen, kind))

    if name == "statistics":
        keep_games()
        monkeypatch.setattr(statistics, "statistics_file", lambda: Path("statistics.jsonl"))
    check(name, size, PlayOptions(), look)


def test_tutorial(size: tuple[int, int]) -> None:
    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        await shown(pilot, TutorialTable)
        table = app.screen
        assert isinstance(table, TutorialTable)
        await until(pilot, lambda: mode_of(table) is Mode.TURN)

    check("tutorial", size, PlayOptions(tutorial=True), look)


# ---------------------------------------------------------------------- the table


@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (3, 3), (4, 2), (6, 3)])
def test_table(seats: int, sides: int, size: tuple[int, int], tmp_path: Path) -> None:
    check(f"table-{seats}", size, game(tmp_path, seats, sides), sit, cards=True)


def test_practice_counts(size: tuple[int, int], tmp_path: Path) -> None:
    check("counts", size, game(tmp_path, practice=True), keys("c"))


def test_score_window(size: tuple[int, int], tmp_path: Path) -> None:
    check("scores", size, game(tmp_path), keys("w"))


@pytest.mark.parametrize(
    ("name", "pressed", "kind"),
    [("help", "question_mark", Reader), ("legal", "l", Reader), ("quit", "q", LeaveScreen), ("save", "s", AskName)],
)
def test_dialogues(name: str, pressed: str, kind: type[Screen[object]], size: tuple[int, int]) -> None:
    check(name, size, options(["human", "random"]), keys(pressed, kind=kind))


def test_leaving_a_game_that_is_kept(size: tuple[int, int], tmp_path: Path) -> None:
    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        table = await seated(pilot)
        table.session.file = None
        await pilot.press("q")
        await shown(pilot, LeaveScreen)

    check("quit-begun", size, game(tmp_path), look)


def test_hint(size: tuple[int, int], tmp_path: Path) -> None:
    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        table = await seated(pilot)
        view, session = table.controller.view, table.session
        screen = HintScreen(view, thought(analysis_of(view)), session.words)
        app.push_screen(screen)
        await shown(pilot, HintScreen)
        await until(pilot, lambda: screen.is_advised)

    check("hint", size, game(tmp_path), look)


def test_score_sheet(size: tuple[int, int], tmp_path: Path) -> None:
    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        await shown(pilot, SheetScreen)

    check("sheet", size, saved(finished_hands(2), ["human", "random"], tmp_path), look)


# ---------------------------------------------------------------------- questions


def test_coup_fourre(size: tuple[int, int], tmp_path: Path) -> None:
    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        assert mode_of(await seated(pilot)) is Mode.COUP

    check("coup", size, saved(at_stop(), ["random", "human"], tmp_path), look)


def test_extension(size: tuple[int, int], tmp_path: Path) -> None:
    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        assert mode_of(await seated(pilot)) is Mode.EXTENSION

    check("extension", size, saved(at_goal(), ["human", "random"], tmp_path), look)


def test_side(size: tuple[int, int], tmp_path: Path) -> None:
    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        table = await seated(pilot)
        await pilot.press("u", str(table.input.slots.place_of(Card.SPEED_LIMIT)), "enter")
        assert mode_of(table) is Mode.TARGET

    rules = make_rules("classic", 3, 3)
    deck = deck_of(rules, {0: "speed_limit roll 100 100 100 100", 1: PLAIN, 2: "25 25 50 50 75 100"})
    match = Match.start(rules, deck=deck, players=NAMES[:3])
    check("side", size, saved(match, ["human", "random", "random"], tmp_path), look)


def test_hand_over(size: tuple[int, int], tmp_path: Path) -> None:
    """Between two people no hand is on the screen."""

    async def look(pilot: Pilot[int], app: MilleApp) -> None:
        assert mode_of(await seated(pilot)) is Mode.KEYBOARD

    check("hand-over", size, saved(middle(2, 2), ["human", "human"], tmp_path), look)
