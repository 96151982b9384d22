"""The pages in a real browser, where there is one: played by hand, key and tap, cut off, asleep, and judged by axe."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from millebornes.i18n import translator
from millebornes.themes import theme
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.tables import table_model
from millebornes.web.pages.templates import Templates
from millebornes.web.pages.wording import Words
from millebornes.web.steps import Pace
from tests.web.client import Client
from tests.web.playing import Game, created
from tests.web.relay import Relay
from tests.web.serving import Running, quick

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

pytestmark = pytest.mark.once

AXE = Path(__file__).parents[1] / "data" / "axe" / "axe.min.js"
LONG = int(os.environ.get("LONG", 300)) * 1000
"""Milliseconds after which something that should happen does not."""


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(
        tmp_path_factory.mktemp("browser") / "tables.db",
        quick(window=400, beat=1.0, pace=Pace(entropy=10_000, move=0, hand=0), review_worlds=(16, 2)),
    ) as running:
        yield running


@pytest.fixture
def person(chromium: "Browser", site: Running) -> Iterator[Callable[..., "Page"]]:
    """Opens pages, each with cookies of its own; what they complain of in their console is a fault."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(**more: Any) -> "Page":
        usual = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}
        wanted = {**usual, "base_url": site.url, **more}
        context = chromium.new_context(**wanted)
        context.set_default_timeout(LONG)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if is_fault(message.text) else None)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def is_fault(text: str) -> bool:
    """What a page itself has done wrong; not that a request met a table that had gone on, or no server."""
    return "Failed to load resource" not in text


def status(page: "Page") -> str:
    return page.locator("#table").get_attribute("data-status") or ""


def asked(page: "Page") -> str:
    return page.locator("#table").get_attribute("data-asked") or ""


def version(page: "Page") -> int:
    return int(page.locator("#table").get_attribute("data-version") or 0)


def play(page: "Page") -> bool:
    """Answer what a page asks, by clicks; whether it asked anything."""
    question, seen = asked(page), version(page)
    if question == "turn":
        playable = page.locator(".slot.playable label")
        (playable if playable.count() else page.locator(".slot label")).first.click()
        page.locator(".slot input:checked ~ .actions button").first.click()
    elif question:
        # At once, as a window is over soon, and its buttons go with it.
        press = "() => { const found = document.querySelector('#answers button'); found?.click(); return !found; }"
        if page.evaluate(press):
            return True
    else:
        return False
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    return True


def wait(page: "Page", expression: str) -> None:
    page.wait_for_function(f"() => {expression}", timeout=LONG)  # a function, as the policy lets no text be evaluated


def finish(*pages: "Page") -> None:
    """Play the hand to its end."""
    until = time.monotonic() + LONG / 1000
    while time.monotonic() < until:
        for page in pages:
            if status(page) == "hand_over":
                return
            play(page)
    raise AssertionError("the hand does not end")


def invite(host: "Page") -> list[str]:
    """Set up a table for a friend; the links to its open seats."""
    host.goto("/new?with=friends")
    host.fill("#name", "Ann")
    host.locator("button.huge").click()
    host.wait_for_selector(".link")
    return [field.input_value() for field in host.locator(".link input").all()]


def short_table(site: Running, *places: str, sides: int | None = None) -> list[str]:
    """A table whose hands are short; the links to its open seats."""
    deck = {"25": 8, "50": 8, "100": 6, "stop": 5, "speed_limit": 3, "roll": 10, "end_of_limit": 3, "right_of_way": 1}
    rules = {"goal": 200, "extension_goal": None, "hand_size": 4, "deck": deck}
    more: dict[str, Any] = {"places": places, "seats": len(places), "sides": sides, "set": rules, "coup_window_ms": 300}
    with Client.create(site.url, **more) as made:
        return [link for link in made.invitations if link is not None]


def sit(page: "Page", link: str, name: str) -> None:
    page.goto(link)
    page.fill("#name", name)
    page.locator("button.huge").click()
    page.wait_for_selector("#table")


def axe(page: "Page", where: str) -> None:
    """WCAG 2.2 AA, as far as a program can tell."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("tags => axe.run(document, {runOnly: tags})", tags)
    faults = [
        (fault["id"], [node["target"] + [node.get("failureSummary", "")] for node in fault["nodes"]][:3])
        for fault in found["violations"]
    ]
    assert not faults, (where, faults)


def test_two_clicks_and_a_hand_by_keys(person: Callable[..., "Page"]) -> None:
    """One click seats a person; the whole hand goes by keys alone, and focus is never lost to an event."""
    page = person()
    page.goto("/")
    page.get_by_role("button", name="Play the computer").click()
    until = time.monotonic() + LONG / 1000
    moves = 0
    while status(page) != "hand_over":
        assert time.monotonic() < until
        seen, question = version(page), asked(page)
        if question == "turn":
            places = page.locator(".slot").count()
            playable = [
                n for n in range(places) if "playable" in (page.locator(".slot").nth(n).get_attribute("class") or "")
            ]
            page.keyboard.press(str((playable or [0])[0] + 1))
            page.keyboard.press("u" if playable else "d")
            moves += 1
        elif question:
            page.keyboard.press("y")
        else:
            page.wait_for_timeout(20)
            continue
        wait(page, f"+document.getElementById('table').dataset.version > {seen}")
        wait(page, "document.activeElement !== document.body || document.querySelector('#over')")
    assert moves > 5
    lines = page.locator("#log li")
    numbers = [int(line.get_attribute("data-v") or 0) for line in lines.all()]
    assert numbers == sorted(numbers)
    page.reload()
    assert page.locator("#log li").all_inner_texts() == lines.all_inner_texts()
    axe(page, "score sheet")
    page.get_by_role("link", name="Check this deal").first.click()
    page.wait_for_selector("text=This matches the deck you played with.")
    assert "(none given)" in page.content(), "a computer player gives no share"
    assert page.content().count("(none given)") == 1, "the page did not give its share in the shuffle"
    page.go_back()
    page.wait_for_selector("#over")


def test_two_browsers_cut_off_and_back(person: Callable[..., "Page"], site: Running) -> None:
    """A whole hand by two people and a spectator: reloads, a second tab, no network for a while, the back button."""
    ann, bo, watcher = person(), person(locale="fr-FR"), person()
    links = short_table(site, "open", "open")
    sit(ann, links[0], "Ann")
    sit(bo, links[1], "Bo")
    watcher.goto(ann.url)
    tab = ann.context.new_page()
    tab.goto(ann.url)
    wait(ann, "document.querySelector('.side')")
    for _ in range(6):
        while not (play(ann) or play(bo)):
            ann.wait_for_timeout(10)
    bo.context.set_offline(True)
    while not play(ann) and asked(bo) == "":
        ann.wait_for_timeout(10)
    bo.context.set_offline(False)
    for page in (bo, tab, watcher):
        wait(page, f"+document.getElementById('table').dataset.version >= {version(ann)}")
    bo.reload()
    ann.goto("/")
    ann.go_back()
    wait(ann, "document.querySelector('.side')")
    assert watcher.locator(".hand").count() == 0
    assert tab.locator(".hand .slot").count() == ann.locator(".hand .slot").count()
    finish(ann, bo)
    for page in (bo, tab, watcher):
        wait(page, "document.getElementById('table').dataset.status === 'hand_over'")
    assert tab.locator("#log").inner_text() == ann.locator("#log").inner_text()
    bo.get_by_role("button", name="Manche suivante").click()
    wait(ann, "document.getElementById('table').dataset.status === 'playing'")


@pytest.mark.parametrize(("seats", "sides"), [(3, 3), (4, 2)])
def test_many_browsers(person: Callable[..., "Page"], site: Running, seats: int, sides: int) -> None:
    """Three and four people, each in a browser, partners opposite, until the hand is over."""
    pages = [person(viewport={"width": 900, "height": 900}) for _ in range(seats)]
    for number, (page, link) in enumerate(zip(pages, short_table(site, *["open"] * seats, sides=sides), strict=True)):
        sit(page, link, f"Player {number}")
    wait(pages[0], "document.querySelector('.side')")
    assert pages[0].locator(".ring .at-2 b").inner_text() == "Player 2"
    axe(pages[0], f"{seats} seats")
    finish(*pages)


def test_a_stream_that_is_held_back(person: Callable[..., "Page"]) -> None:
    """Where no stream gets through, the page asks by itself."""
    ann, bo = person(), person()
    ann.context.route("**/stream*", lambda route: route.abort())
    (link,) = invite(ann)
    sit(bo, link, "Bo")
    bo.fill("#say", "can you hear me")
    bo.get_by_role("button", name="Send").click()
    ann.wait_for_selector("#log li:has-text('can you hear me')", timeout=LONG)


def test_lines_on_their_way(person: Callable[..., "Page"], site: Running) -> None:
    """What is written while a slow network still carries the line before is neither wiped nor dropped."""
    ann, bo = person(), person()
    links = short_table(site, "open", "open")
    sit(ann, links[0], "Ann")
    sit(bo, links[1], "Bo")
    wait(ann, "document.querySelector('.side')")
    held: list[Route] = []
    ann.route("**/chat", lambda route: held.insert(len(held), route))  # playwright takes no built-in function
    lines = [f"line {number}" for number in range(4)]
    for text in lines:
        ann.fill("#say", text)
        ann.get_by_role("button", name="Send").click()
        assert ann.input_value("#say") == ""
    ann.fill("#say", "not yet sent")
    for number in range(4):
        while len(held) <= number:
            ann.wait_for_timeout(10)
        held[number].continue_()
    wait(bo, "document.querySelector('#log li:last-child').textContent === 'Ann: line 3'")
    said = [text for text in bo.locator("#log li").all_inner_texts() if text.startswith("Ann: ")]
    assert said == [f"Ann: {text}" for text in lines]
    assert ann.input_value("#say") == "not yet sent"
    ann.get_by_role("button", name="Send").click()
    while len(held) == 4:
        ann.wait_for_timeout(10)
    held[4].fulfill(status=429, body="Slow down.")
    wait(ann, "document.getElementById('say').value === 'not yet sent'")


def test_asleep(person: Callable[..., "Page"], site: Running) -> None:
    """A phone sleeps for a minute while others play: nothing arrives, no connection is closed. Awake, it shows all."""
    with Relay(site.url) as wire:
        ann, bo = person(), person(base_url=wire.url)
        links = short_table(site, "open", "open")
        sit(ann, links[0], "Ann")
        sit(bo, links[1], "Bo")
        wait(ann, "document.querySelector('.side')")
        wait(bo, "document.querySelector('.side')")
        devtools = bo.context.new_cdp_session(bo)
        devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
        wire.cut()
        awake = time.monotonic() + 60
        seen = version(ann)
        while not play(ann) and asked(ann):  # else it is the sleeper's turn
            ann.wait_for_timeout(10)
        for number in range(3):
            ann.fill("#say", f"are you asleep {number}")
            ann.get_by_role("button", name="Send").click()
        wait(ann, f"+document.getElementById('table').dataset.version >= {seen + 3}")
        ann.wait_for_timeout(max(0, 1000 * (awake - time.monotonic())))
        wire.mend()
        devtools.send("Page.setWebLifecycleState", {"state": "active"})
        wait(bo, f"+document.getElementById('table').dataset.version >= {version(ann)}")  # after 12 s by the watchdog
        bo.wait_for_selector("#log li:has-text('Ann: are you asleep 2')", timeout=LONG)
        for own, other in ((ann, bo), (bo, ann)):
            for piece in (".trip", ".status", ".pile", ".stacks"):
                mine = own.locator(f".side.own {piece}").all_inner_texts()
                assert mine == other.locator(f".others .side {piece}").all_inner_texts(), piece
        assert ann.locator(".draw .count").inner_text() == bo.locator(".draw .count").inner_text()
        finish(ann, bo)
        wait(bo, "document.getElementById('table').dataset.status === 'hand_over'")
        assert bo.locator("#log").inner_text().count("are you asleep 1") == 1, "an event is told twice"


def test_no_scripts(person: Callable[..., "Page"]) -> None:
    """The page degrades, the game does not: forms, and a page that refreshes itself."""
    page = person(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_selector(".side", timeout=LONG)  # the page has refreshed itself until then
    address, moves = page.url, 0
    while moves < 3:
        page.goto(address)  # a window may have been over before its answer came, which a page of its own says
        if asked(page) == "turn":
            page.locator(".slot label").first.click()
            page.locator(".slot input:checked ~ .actions button").last.click()
            moves += 1
        elif asked(page):
            page.locator("#answers button").last.click()


def test_the_form_says_which_net_plays(person: Callable[..., "Page"]) -> None:
    page = person()
    page.goto("/new")

    def said() -> list[str]:
        return [line.inner_text() for line in page.locator(".net-of p").all() if line.is_visible()]

    assert said() == []
    page.select_option("#place-1", "instant")
    assert said() == ["instant: Its net learned this table."]
    page.select_option("#shape", "5x5")
    page.check("input[value=house]")
    page.select_option("#place-3", "champion")
    like = "Its net learned Classic 4x4, the closest to this table."
    assert said() == [f"instant: {like}", f"champion: {like}"]


def test_phone(person: Callable[..., "Page"]) -> None:
    """360 pixels: nothing sticks out; tap a card, tap where it goes; a drag; the confirm switch."""
    page = person(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.goto("/")
    for path in ("/", "/new?with=friends", "/settings", "/guide"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page.goto("/")
    page.get_by_role("button", name="Play the computer").tap()
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    seen = version(page)
    page.locator(".slot label").first.tap()
    page.locator("#discard.target").tap()
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    page.locator("#options summary").tap()
    page.get_by_label("Confirm each move").check()
    seen = version(page)
    page.locator(".slot label").first.tap()
    discard = page.locator(".slot input:checked ~ .actions button").last
    discard.tap()
    assert "Press again" in discard.inner_text()
    assert version(page) == seen
    discard.tap()
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")


def test_crowded(person: Callable[..., "Page"]) -> None:
    """360 pixels are enough for sides that have played all kinds of distance and safeties."""
    page, most, html = person(viewport={"width": 360, "height": 740}, is_mobile=True), 0, ""
    templates, words = Templates(Assets()), Words(translator("en"), theme())
    for seed in range(5):
        game = Game(created("open", "open"), seed, forfeits=0)
        for _ in range(150):
            game.step()
            view = game.state.view(0)
            sides = () if view is None else view.tableaux
            shown = [sum(map(bool, side.distance_cards.values())) + len(side.safeties) for side in sides]
            if max(shown, default=0) > most:
                most, model = max(shown), table_model(game.state, 0, game.state.question(0), words, time=0)
                html = templates.text("_table.html", words, t=model, key="", links=[])
    assert most >= 7
    page.goto("/settings")
    page.evaluate("html => { document.querySelector('main').innerHTML = html; }", html)
    for side in page.locator(".side").all():
        assert side.evaluate("side => side.scrollWidth <= side.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_drag(person: Callable[..., "Page"]) -> None:
    """A card is dragged to the discards, and all of it moves."""
    page = person(reduced_motion="no-preference")
    page.goto("/")
    page.get_by_role("button", name="Play the computer").click()
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    seen = version(page)
    page.locator(".slot label").first.drag_to(page.locator("#discard"))
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe(person: Callable[..., "Page"], site: Running, scheme: str) -> None:
    """No violation on any page, in light and dark, in English and French."""
    page = person(color_scheme=scheme, locale="fr-FR" if scheme == "dark" else "en-GB", reduced_motion="reduce")
    for path in ("/", "/new", "/new?with=friends", "/settings", "/guide", "/nowhere"):
        page.goto(path)
        axe(page, path)
    sit(page, short_table(site, "open", "casual")[0], "Ann")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    page.locator(".slot label").first.click()
    page.locator("#options summary").click()
    axe(page, "table")
    page.locator("#phrases summary").click()
    axe(page, "phrases")
    page.keyboard.press("Escape")
    assert not page.locator("#phrases p").is_visible()
    assert page.evaluate("document.activeElement.parentElement.id") == "phrases"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#log .k-chat")
    wait(page, "!document.getElementById('phrases').open")
    finish(page)
    axe(page, "score sheet")
    table = page.url
    page.goto(f"{table}/hands/1?step=9")
    axe(page, "hand")
    page.locator("#review button").click()
    page.wait_for_selector(".judged")  # the page has shown it by itself
    page.locator(".judged summary").first.click()
    axe(page, "a judged move")
    page.goto(f"{table}/hands/1")
    page.wait_for_selector(".halves")
    axe(page, "review")
    page.goto(f"{table}/deals/1")
    axe(page, "deal")
    (link,) = invite(page)
    axe(page, "invitations")
    page.goto(link)
    axe(page, "join")
