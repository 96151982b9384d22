"""Tables at all sizes of windows: everything is seen without scrolling, can be hit, and covers nothing else."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from millebornes.game import Action, Hand
from millebornes.i18n import translator
from millebornes.table.commands import reply, request
from millebornes.themes import theme
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.locale_text import PageWords
from millebornes.web.pages.tables import table_model
from millebornes.web.pages.templates import Templates
from tests.web.client import Client
from tests.web.playing import Game, created
from tests.web.serving import Running, quick

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.once

SIZES = ((1440, 900), (2560, 1440), (1280, 720), (1024, 768), (768, 1024), (390, 844), (360, 640), (844, 390))
NAMES = ("Ann", "Maximilienne Charlot", "Bo", "Barthélemy Duchesne", "Cleo", "Frédérique Montfort", "Dov", "Éléonore")
LANGUAGES = {"en": theme(), "fr": theme("french")}
PHASES = ("turn", "attack", "coup", "extend", "score", "request")
CROWDED = 7
"""The kinds of distance and the safeties on a board that is crowded."""
MOST_STEPS = 3000
MOST_SEEDS = 60
LONG_TRIPS = 15
"""Of so many seeds the trip is as long as usual; later ones let an extension come soon, which chance hardly brings."""

CHECK = Path(__file__).with_name("fit.js")


class Case(NamedTuple):
    phase: str
    game: Game


def _phase_of(game: Game) -> str:
    """Which phase seat 0 sees, if it is one to look at."""
    state = game.state
    if state.status == "hand_over":
        return "score"
    view = state.view(0)
    boards = () if view is None else view.tableaux
    if any(sum(map(bool, board.distance_cards.values())) + len(board.safeties) >= CROWDED for board in boards):
        return "crowded"
    question = None if state.match is None else state.question(0)
    if question is None:
        return ""
    hand: Hand = state.match.hand if state.match is not None else pytest.fail("no match")
    moves = [move for move in hand.legal_moves if hand.seat == 0]
    actions = {move.action for move in moves}
    if Action.PASS in actions:
        return "coup"
    if Action.FINISH in actions:
        return "extend"
    return "attack" if any(move.action is Action.PLAY and move.target is not None for move in moves) else "turn"


def _cases(seats: int) -> Iterator[Case]:
    """A table in each phase."""
    wanted = {*PHASES, *(("crowded",) if seats == 2 else ())}
    for seed in range(MOST_SEEDS):
        short = {} if seed < LONG_TRIPS else {"goal": 200, "extension_goal": 1000}
        game = Game(created(*["open"] * seats, match_target=5000, settings=short), seed, forfeits=0, names=NAMES)
        for _ in range(MOST_STEPS):
            game.step()
            phase = _phase_of(game)
            if phase in wanted and (phase not in {"turn", "attack"} or game.state.version > 60):
                wanted.remove(phase)
                yield Case(phase, game)
                if phase == "turn":
                    wanted.remove("request")
                    yield from _asked(game)
            if game.state.status == "hand_over" or not wanted:
                break
        if not wanted:
            return
    raise AssertionError(f"{seats} seats: never seen: {sorted(wanted)}")


def _asked(game: Game) -> Iterator[Case]:
    """The same table, where another seat asks to end the match until seat 0 declines."""
    event = request(game.state, 1, "end", len(game.log))
    assert event is not None
    game.do(event)
    yield Case("request", game)
    game.do(reply(game.state, 0, agree=False, version=game.state.version, at=len(game.log)))


def _model(game: Game, words: PageWords) -> SimpleNamespace:
    return table_model(game.state, 0, game.state.question(0), words, time=0)


@pytest.fixture(scope="module")
def page(chromium: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator["Page"]:
    """A table for eight, whose pieces the tests exchange."""
    with Running(tmp_path_factory.mktemp("fit") / "tables.db", quick(window=400)) as site:
        with Client.create(site.url, places=["open"] * 8, seats=8, sides=8) as made:
            link = next(link for link in made.invitations if link is not None)
        context = chromium.new_context(base_url=site.url, reduced_motion="reduce", locale="en-GB")
        opened = context.new_page()
        opened.goto(link)
        opened.fill("#name", "Ann")
        opened.locator("button.huge").click()
        opened.wait_for_selector("#table")
        opened.evaluate("document.fonts.ready")
        yield opened
        context.close()


@pytest.mark.parametrize("seats", range(2, 9))
def test_everything_can_be_seen_and_hit(page: "Page", seats: int) -> None:
    templates, faults = Templates(Assets()), list[Any]()
    check = CHECK.read_text(encoding="utf-8").partition("\n")[2]
    for phase, game in _cases(seats):
        for language, cards in LANGUAGES.items():
            model = _model(game, PageWords(translator(language), cards))
            html = templates.text("_table.html", PageWords(translator(language), cards), t=model, key="", links=[])
            page.evaluate("html => { document.getElementById('table').outerHTML = html; }", html)
            if phase == "attack":
                page.evaluate("document.querySelector('.slot .hz').checked = true")
            elif phase == "turn":
                page.evaluate("document.querySelector('.slot input').checked = true")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                found = page.evaluate(check)
                faults += [(seats, phase, language, f"{width}x{height}", fault) for fault in found]
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1024, 768)])
def test_four_teams_can_read_their_names(page: "Page", size: tuple[int, int]) -> None:
    game = Game(created(*["open"] * 8, sides=4, match_target=5000), 1, forfeits=0, names=NAMES)
    while _phase_of(game) != "turn":
        game.step()
    words = PageWords(translator("en"), theme())
    html = Templates(Assets()).text("_table.html", words, t=_model(game, words), key="", links=[])
    page.evaluate("html => { document.getElementById('table').outerHTML = html; }", html)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    widths = page.evaluate("() => [...document.querySelectorAll('.name')].map(name => name.clientWidth)")
    assert len(widths) == 4
    assert min(widths) > 40
    rivals = page.locator(".rivals")
    assert rivals.evaluate("found => found.scrollHeight - found.clientHeight") <= 1
