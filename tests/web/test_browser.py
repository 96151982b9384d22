"""The pages in a real browser, where there is one: played by hand, key and tap, cut off, asleep, and judged by axe."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from millebornes.analysis.exercises.exercise_sets import shipped_exercises
from millebornes.i18n import translator
from millebornes.table.facts import Away
from millebornes.table.steps import Pace
from millebornes.themes import theme
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.locale_text import PageWords
from millebornes.web.pages.tables import table_model
from millebornes.web.pages.templates import Templates
from millebornes.web.store.clock import now
from tests.web.client import Client
from tests.web.playing import Game, created
from tests.web.relay import Relay
from tests.web.serving import Running, quick

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Locator, Page, Route

pytestmark = pytest.mark.once

AXE = Path(__file__).parents[1] / "data" / "axe" / "axe.min.js"
LONG = int(os.environ.get("LONG", 300)) * 1000
"""Milliseconds after which something that should happen does not."""
PHONE: dict[str, Any] = {"has_touch": True, "is_mobile": True, "reduced_motion": "no-preference"}
SHOWN = f"/practice/{shipped_exercises()[0].id}?answer=shown"
"""An exercise with its answer."""
WAYS = "#actions button:visible"
"""What can be done with the card that is chosen."""
SHOTS = os.environ.get("SHOT", "")
"""Where a picture of a move without a connection is put, if anywhere."""


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
        playable = page.locator(".slot.playable")
        (playable if playable.count() else page.locator(".slot")).first.click()
        page.locator(WAYS).first.click()
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
    # A function, as the policy lets no text be evaluated. A page on its way to a table has none yet.
    page.wait_for_function(f"() => {{ try {{ return {expression}; }} catch {{ return false; }} }}", timeout=LONG)


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


def sheet(page: "Page") -> None:
    """Open the log, the chat and the options where they are a sheet."""
    shown = page.locator("#open-talk")
    if shown.is_visible() and not page.locator("#talk").is_visible():
        shown.click()


def options(page: "Page") -> None:
    """Show the options of the table."""
    sheet(page)
    page.check("#tab-options")


def closed(page: "Page") -> None:
    """Close the sheet, where it is one."""
    shut = page.locator("#talk .close")
    if shut.is_visible():
        shut.click()


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
            slots = page.evaluate("[...document.querySelectorAll('.slot')].map(slot => slot.className)")
            playable = [n for n, classes in enumerate(slots) if "playable" in classes]
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
        wait(page, "[...document.querySelectorAll('#hand .face img')].every(card => card.offsetWidth > 0)")
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
    page.get_by_role("link", name="Step through this hand").first.click()
    for key, step in (("", 0), ("ArrowRight", 1), ("End", -1), ("ArrowLeft", -2), ("Home", 0)):
        if key:
            page.keyboard.press(key)
        current = f"[...document.querySelectorAll('.moves li')].at({step}).matches('[aria-current]')"
        wait(page, f"document.readyState === 'complete' && {current}")


@pytest.mark.parametrize(
    "row",
    [
        "1234567",
        "１２３４５６７",
        "&é\"'(-è",  # AZERTY
        "+ěščřžý",  # Czech
        "ăâêôxxx",  # Vietnamese, whose last ones are dead keys
        "١٢٣٤٥٦٧",
        "ๅ/_ภถุึ",  # Thai
    ],
)
def test_the_row_of_digits_in_any_layout(person: Callable[..., "Page"], site: Running, row: str) -> None:
    page = person()
    sit(page, short_table(site, "open", "basic")[0], "Ann")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    devtools = page.context.new_cdp_session(page)
    for place in range(page.locator(".slot").count()):
        key = "Dead" if row[place] == "x" else row[place]
        strike(devtools, key, f"Digit{place + 1}")
        assert chosen(page) == place, key
        strike(devtools, "Escape", "Escape")
        assert chosen(page) == -1


def test_keys_whose_meaning_does_not_follow_their_place(person: Callable[..., "Page"], site: Running) -> None:
    """A digit counts wherever it is typed; the pad's arrows, keys with Ctrl and accented letters choose nothing."""
    page = person()
    sit(page, short_table(site, "open", "basic")[0], "Ann")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    devtools = page.context.new_cdp_session(page)
    for key, code, modifiers, place in (
        ("2", "KeyA", 0, 1),
        ("3", "Digit8", 8, 2),  # Shift, as in Programmer Dvorak
        ("2", "Numpad2", 0, 1),
        ("٣", "Numpad3", 0, 2),
        ("End", "Numpad1", 0, -1),
        ("&", "Digit1", 2, -1),
        ("&", "Digit1", 1, -1),
        ("ù", "KeyD", 0, -1),
        ("'", "KeyN", 0, -1),
        ("à", "Digit0", 0, -1),
    ):
        strike(devtools, "Escape", "Escape")
        strike(devtools, key, code, modifiers)
        assert chosen(page) == place, (key, code)
    assert asked(page) == "turn"


@pytest.mark.parametrize("letters", ["UDL", "гвд", "θδλ", "ｕｄｌ", "ีกส", "וגך"])
def test_letters_in_any_script(person: Callable[..., "Page"], site: Running, letters: str) -> None:
    """L reads the log, and D discards, by the letter that is typed or by its key in another script."""
    page = person()
    sit(page, short_table(site, "open", "basic")[0], "Ann")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    devtools, seen = page.context.new_cdp_session(page), version(page)
    strike(devtools, letters[2], "KeyL")
    assert page.evaluate("document.activeElement.id") == "record"
    strike(devtools, "1", "Digit1")
    strike(devtools, letters[1], "KeyD")
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    usable = page.evaluate("[...document.querySelectorAll('.slot')].findIndex(slot => slot.matches('.playable'))")
    if usable >= 0:
        seen = version(page)
        strike(devtools, str(usable + 1), f"Digit{usable + 1}")
        strike(devtools, letters[0], "KeyU")
        wait(page, f"+document.getElementById('table').dataset.version > {seen} || document.activeElement.dataset.side")


def strike(devtools: "CDPSession", key: str, code: str, modifiers: int = 0) -> None:
    """Press a key of any layout, by what it types and where it is."""
    for kind in ("rawKeyDown", "keyUp"):
        devtools.send("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": code, "modifiers": modifiers})


def chosen(page: "Page") -> int:
    """The place of the card that is chosen, from 0, or -1."""
    found = "[...document.querySelectorAll('.slot input')].findIndex(input => input.checked)"
    return int(page.evaluate(found))


def test_two_browsers_cut_off_and_back(person: Callable[..., "Page"], site: Running) -> None:
    """A whole hand by two people and a spectator: reloads, a second tab, no network for a while, the back button."""
    ann, bo, watcher = person(), person(locale="fr-FR"), person()
    links = short_table(site, "open", "open")
    sit(ann, links[0], "Ann")
    sit(bo, links[1], "Bo")
    watcher.goto(ann.url)
    tab = ann.context.new_page()
    tab.goto(ann.url)
    wait(ann, "document.querySelector('.board')")
    for _ in range(6):
        while not (play(ann) or play(bo)):
            ann.wait_for_timeout(10)
    # Only where both pages show the same is it sure that Ann's move needs none of Bo's.
    while not (asked(ann) == "turn" and version(ann) == version(bo)):
        for page in (ann, bo):
            if page is bo or asked(page) != "turn":
                play(page)
        ann.wait_for_timeout(10)
    bo.context.route("**/stream*", lambda route: route.abort())
    bo.reload()  # Chromium would let a stream that is open go on
    seen = version(bo)
    bo.context.set_offline(True)
    assert play(ann)
    assert version(bo) == seen
    bo.context.unroute("**/stream*")
    bo.context.set_offline(False)
    for page in (bo, tab, watcher):
        wait(page, f"+document.getElementById('table').dataset.version >= {version(ann)}")
    bo.reload()
    ann.goto("/")
    ann.go_back()
    wait(ann, "document.querySelector('.board')")
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
    wait(pages[0], "document.querySelector('.board')")
    assert pages[0].locator(".board").count() == sides
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
    wait(ann, "document.querySelector('.board')")
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
        wait(ann, "document.querySelector('.board')")
        wait(bo, "document.querySelector('.board')")
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
            for piece in (".miles .d", ".state", ".dist .mini"):
                mine = [part.text_content() for part in own.locator(f"#own-board {piece}").all()]
                assert mine == [part.text_content() for part in other.locator(f".rival {piece}").all()], piece
        assert ann.locator(".draw .count").inner_text() == bo.locator(".draw .count").inner_text()
        finish(ann, bo)
        wait(bo, "document.getElementById('table').dataset.status === 'hand_over'")
        assert bo.locator("#log").inner_text().count("are you asleep 1") == 1, "an event is told twice"


def test_no_scripts(person: Callable[..., "Page"]) -> None:
    """The page degrades, the game does not: forms, and a page that refreshes itself."""
    page = person(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_selector(".board", timeout=LONG)  # the page has refreshed itself until then
    address, moves = page.url, 0
    while moves < 3:
        page.goto(address)  # a window may have been over before its answer came, which a page of its own says
        if asked(page) == "turn":
            page.locator(".slot").first.click()
            page.locator(WAYS).last.click()
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
    assert said() == ["instant: Its net was trained at this table."]
    page.select_option("#shape", "5x5")
    page.check("input[value=house]")
    page.select_option("#place-3", "champion")
    like = "Its net was trained at thousands of tables, and takes the rules of this one into account."
    assert said() == [f"instant: {like}", f"Champion: {like}"]


def test_phone(person: Callable[..., "Page"]) -> None:
    """360 pixels: nothing sticks out; tap a card, tap where it goes; a drag; the confirm switch."""
    page = person(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.goto("/")
    for path in ("/", "/new?with=friends", "/settings", "/guide", "/practice", SHOWN):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page.goto("/")
    page.get_by_role("button", name="Play the computer").tap()
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    seen = version(page)
    page.locator(".slot").first.tap()
    page.locator("#discard.target").tap()
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    options(page)
    page.get_by_label("Confirm each move").check()
    closed(page)
    seen = version(page)
    page.locator(".slot").first.tap()
    discard = page.locator(WAYS).last
    discard.tap()
    assert "Press again" in discard.inner_text()
    assert version(page) == seen
    discard.tap()
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")


def test_a_turn_is_told_elsewhere(person: Callable[..., "Page"]) -> None:
    """Whoever looks at another tab sees it by the icon, and by a notification if they want one; nobody else does."""
    page = person()
    page.add_init_script(
        """window.told = []; window.away = false; navigator.setAppBadge = async () => told.push("badge");
        Object.defineProperty(document, "hidden", { get: () => away });
        window.Notification = class { static async requestPermission() { return "granted"; }
        constructor(title, { body }) { told.push(body); } };"""
    )
    page.goto("/")
    page.get_by_role("button", name="Play the computer").click()

    def turn(away: bool) -> list[str]:
        wait(page, "document.getElementById('table').dataset.asked === 'turn'")
        seen = version(page)
        page.evaluate("away => { window.away = away; told.length = 0; }", away)
        page.locator(".slot").first.click()
        page.locator("#actions button.discard:visible").click()
        wait(page, f"+document.getElementById('table').dataset.version > {seen}")
        wait(page, "document.getElementById('table').dataset.asked === 'turn'")
        told: list[str] = page.evaluate("told")
        return told

    assert turn(False) == []
    assert set(turn(True)) == {"badge"}
    assert "turn" in str(page.locator("link[rel=icon]").get_attribute("href"))
    page.evaluate("() => { window.away = false; document.dispatchEvent(new Event('visibilitychange')); }")
    assert "turn" not in str(page.locator("link[rel=icon]").get_attribute("href"))
    options(page)
    page.get_by_label("Notify me").check()
    closed(page)
    assert any("turn" in each for each in turn(True))


def test_drag(person: Callable[..., "Page"]) -> None:
    """A card is dragged to the discards, and all of it moves."""
    page = person(reduced_motion="no-preference")
    page.goto("/")
    page.get_by_role("button", name="Play the computer").click()
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    seen = version(page)
    page.locator(".slot").first.drag_to(page.locator("#discard"))
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")


def touch(page: "Page", start: "Locator", end: "Locator") -> None:
    """Drag by a quick finger, after which there is no click, and after which Chromium drops the next tap."""
    devtools = page.context.new_cdp_session(page)
    boxes = [place.bounding_box() for place in (start, end)]
    (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    points = [{"x": x + n * (to_x - x) / 8, "y": y + n * (to_y - y) / 8} for n in range(9)]
    for kind, point in (("touchStart", points[0]), *(("touchMove", point) for point in points[1:])):
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_the_tap_after_a_drag_by_touch(person: Callable[..., "Page"]) -> None:
    """It chooses its card, whether the drag has played one or was given up."""
    page = person(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="no-preference"
    )
    page.goto("/")
    page.get_by_role("button", name="Play the computer").tap()
    for target in ("#headline", "#discard"):
        wait(page, "document.getElementById('table').dataset.asked === 'turn'")
        seen = version(page)
        touch(page, page.locator(".slot").nth(1), page.locator(target))
        assert page.locator(".ghost").count() == 0
        if target == "#discard":
            wait(page, f"+document.getElementById('table').dataset.version > {seen}")
            wait(page, "document.getElementById('table').dataset.asked === 'turn'")
        page.locator(".slot").nth(3).tap()
        wait(page, "document.querySelectorAll('.slot input')[3].checked")


def test_offline(person: Callable[..., "Page"], site: Running) -> None:
    """A card that is played without a connection is kept, the page says so, and it goes out once, by its key."""
    page = person(
        viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True, reduced_motion="no-preference"
    )
    page.goto("/")
    page.get_by_role("button", name="Play the computer").tap()
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    table = site.service.live[page.url.rpartition("/")[2]]

    def moves() -> int:
        assert table.state.match is not None
        return sum(hand.ply for hand in table.state.match.hands)

    def discard(place: int) -> tuple[int, str]:
        wait(page, "document.getElementById('table').dataset.asked === 'turn'")
        page.locator(".slot").nth(place).tap()
        button = page.locator(WAYS).last
        seen, what = version(page), button.inner_text()
        button.tap()
        return seen, what

    seen, what = discard(0)
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    page.context.set_offline(True)
    seen, what = discard(1)
    before, cards = moves(), page.locator(".slot").count()
    unsent = f"document.getElementById('notice').textContent.startsWith('Not sent yet: {what}.')"
    wait(page, unsent)
    assert page.locator(".slot.unsent").count() == 1
    if SHOTS:
        page.screenshot(path=SHOTS)
    discard(2)  # another one does not take its place
    assert page.evaluate(f"() => {unsent}")
    assert (moves(), page.locator(".slot").count()) == (before, cards)
    page.context.set_offline(False)
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    wait(page, "document.getElementById('notice').textContent === ''")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    sent: list[str] = []

    def lose(route: "Route") -> None:
        """The server plays it, and its answer is lost; then there is no server for a while."""
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            route.fetch()
        if len(sent) < 3:
            route.abort()
        elif len(sent) == 3:
            route.fulfill(status=502, body="<html>Bad gateway</html>")
        else:
            route.continue_()

    page.route("**/moves", lose)
    seen, what = discard(0)
    page.reload()
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    while len(sent) < 4:
        page.wait_for_timeout(50)
    assert len(set(sent)) == 1, "the same move, with the same key"
    wait(page, "document.getElementById('notice').textContent === ''")
    page.unroute("**/moves")
    held: list[tuple[Route, Any]] = []

    def hold(route: "Route") -> None:
        """The server plays the first one, and its answer takes long."""
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    page.route("**/moves", hold)
    seen, _ = discard(0)
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    seen, _ = discard(0)  # the first is still on its way
    route, answer = held[0]
    route.fulfill(response=answer)
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")
    mine = [line for line in page.locator("#log li").all_inner_texts() if line.startswith("You discard")]
    assert len(mine) == 5


def test_the_title_follows_the_game(person: Callable[..., "Page"], site: Running) -> None:
    ann, bo = person(), person()
    links = short_table(site, "open", "open")
    sit(ann, links[0], "Ann")
    assert ann.title() == "Waiting for players · Mille Bornes"
    sit(bo, links[1], "Bo")
    wait(ann, "document.querySelector('.board')")
    for _ in range(4):
        for page in (ann, bo):
            wait(page, "document.title === `${document.getElementById('headline').textContent} · Mille Bornes`")
        while not (play(ann) or play(bo)):
            ann.wait_for_timeout(10)
    finish(ann, bo)
    wait(bo, "document.title === 'The hand is over · Mille Bornes'")


def test_a_move_is_asked_for_again(person: Callable[..., "Page"]) -> None:
    """Whoever asks to be asked is asked for each card anew, also after another one was looked at."""
    page = person()
    page.goto("/")
    page.get_by_role("button", name="Play the computer").click()
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    options(page)
    page.get_by_label("Confirm each move").check()
    seen = version(page)
    for place in (0, 1, 0):
        page.locator(".slot").nth(place).click()
        button = page.locator(WAYS).last
        assert "Press again" not in button.inner_text()
        button.click()
        assert "Press again" in button.inner_text()
        assert page.locator("[data-sure]").count() == 1
    assert version(page) == seen
    button.click()
    wait(page, f"+document.getElementById('table').dataset.version > {seen}")


def test_what_can_be_done_about_an_absent_seat(person: Callable[..., "Page"], site: Running) -> None:
    """The choices can be pressed once they work, and not before."""
    page, words = person(), PageWords(translator("en"), theme())
    links = short_table(site, "open", "open")
    sit(page, links[0], "Ann")
    game = Game(created("open", "open"), 1, forfeits=0)
    while game.state.status != "playing":
        game.step()
    game.do(Away(at=1000, seat=1, until=3000))
    templates = Templates(Assets())
    for left in (2000, 0):
        model = table_model(game.state, 0, game.state.question(0), words, time=3000 - left)
        html = templates.text("_table.html", words, t=model, key="", links=[])
        assert html.count('" disabled>') == (2 if left else 0)
        page.evaluate("html => { document.getElementById('table').innerHTML = html; }", html)
        choices = page.locator(".absent button")
        assert [choice.is_disabled() for choice in choices.all()] == [left > 0] * 2
        wait(page, "!document.querySelector('.absent button:disabled')")


def test_two_phones_by_one_link(person: Callable[..., "Page"], site: Running) -> None:
    """A name and one link bring a friend to the table; a third seat goes to a computer; each finds back."""
    ann, bo = (
        person(viewport={"width": 390, "height": 844}, **PHONE),
        person(viewport={"width": 360, "height": 640}, **PHONE),
    )
    ann.goto("/")
    ann.get_by_role("link", name="Play with friends").tap()
    ann.fill("#name", "Ann")
    ann.select_option("#shape", "3x3")
    ann.locator("button.huge").tap()
    link = ann.locator(".link input").first.input_value()
    assert ann.locator(".qr img").get_attribute("src", timeout=LONG)
    axe(ann, "waiting room")
    bo.goto(link)
    bo.fill("#name", "Bo")
    bo.select_option("#seat", "2")
    bo.locator("button.huge").tap()
    ann.wait_for_selector(".seats >> text=Bo")
    ann.get_by_role("button", name="Add a computer").tap()
    for page in (ann, bo):
        wait(page, "document.getElementById('table').dataset.status === 'playing'")
    table = ann.url
    for page in (ann, bo):
        page.goto("/")
    assert ann.locator(".games li").count() == bo.locator(".games li").count() == 1
    axe(ann, "home with a game")
    ann.locator(".games .button:has-text('Continue')").tap()
    ann.wait_for_url(table)
    bo.goto("/new?with=friends")
    assert bo.input_value("#name") == "Bo"


def test_sound_is_offered_once(person: Callable[..., "Page"], site: Running) -> None:
    page = person()
    links = short_table(site, "open", "basic")
    sit(page, links[0], "Ann")
    page.locator("#offer-sound").get_by_role("button", name="Yes").click()
    assert not page.locator("#offer-sound").is_visible()
    options(page)
    assert page.locator("[data-option=sound]").is_checked()
    page.reload()
    wait(page, "document.querySelector('#switches:not([hidden])')")
    assert not page.locator("#offer-sound").is_visible()


def test_what_a_card_does(person: Callable[..., "Page"], site: Running) -> None:
    """By hover, by keyboard and by a long press, which chooses nothing; Esc hides it."""
    for page in (person(), person(viewport={"width": 390, "height": 844}, **PHONE)):
        links = short_table(site, "open", "basic")
        sit(page, links[0], "Ann")
        wait(page, "document.querySelector('.hand .slot')")
        slot, shown = page.locator(".hand .slot").first, page.locator("#card-help")
        assert not shown.is_visible()
        if page.viewport_size == {"width": 390, "height": 844}:
            box = slot.bounding_box()
            assert box is not None
            touch = page.context.new_cdp_session(page)
            place = [{"x": box["x"] + 20, "y": box["y"] + 30}]
            touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": place})
            shown.wait_for()
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            page.wait_for_timeout(100)
            assert page.locator(".hand input:checked").count() == 0
        else:
            slot.hover()
            shown.wait_for()
            axe(page, "card help")
        assert shown.inner_text() == slot.locator("input").get_attribute("aria-description")
        page.keyboard.press("Escape")
        shown.wait_for(state="hidden")


def test_a_lamp_sits_on_the_card_that_is_suggested(person: Callable[..., "Page"]) -> None:
    """On its upper edge, where it hides little of it."""
    page = person()
    page.goto(SHOWN)
    lamp = page.locator(".slot.wanted .tip").bounding_box()
    card = page.locator(".slot.wanted .face").bounding_box()
    assert lamp is not None
    assert card is not None
    assert 0 < lamp["width"] <= card["width"] / 2
    assert lamp["y"] < card["y"] < lamp["y"] + lamp["height"]


def test_what_the_others_have_to_agree_to(person: Callable[..., "Page"], site: Running) -> None:
    """A move is taken back; then one resigns, and the rematch begins."""
    ann, bo = person(), person(viewport={"width": 390, "height": 844}, **PHONE)
    links = short_table(site, "open", "open")
    sit(ann, links[0], "Ann")
    sit(bo, links[1], "Bo")
    pages = (ann, bo)
    while not any(asked(page) == "turn" for page in pages):
        for page in pages:
            play(page)
    mover, other = pages if asked(ann) == "turn" else pages[::-1]
    play(mover)
    undo = mover.get_by_role("button", name="Ask to undo")
    while not undo.is_visible():
        for page in pages:
            if page is mover or asked(page) != "turn":
                play(page)
    undo.click()
    axe(other, "a request")
    other.locator(".absent").get_by_role("button", name="Agree").click()
    wait(mover, "document.getElementById('log').textContent.includes('You take your move back.')")
    wait(mover, "document.getElementById('table').dataset.asked === 'turn'")
    options(ann)
    ann.locator(".stop summary").click()
    axe(ann, "ending a match")
    ann.get_by_role("button", name="Resign").click()
    for page, result in zip(pages, ("Bo wins the match.", "You win the match."), strict=True):
        page.locator("#over-head", has_text=result).wait_for()
    axe(bo, "a match that was given up")
    bo.locator("#next").click()
    for page in pages:
        wait(page, "document.getElementById('table').dataset.status === 'playing'")


def test_a_double_click_takes_one_seat(person: Callable[..., "Page"], site: Running) -> None:
    """In the lobby, in two tabs, and by the back button; a host who opens her own invitation is led back."""
    ann, bo = person(), person()
    ann.goto("/new?with=friends")
    ann.fill("#name", "Ann")
    ann.select_option("#shape", "4x2")
    ann.locator(".more summary").click()
    for place in (2, 3):
        ann.select_option(f"#place-{place}", "open")
    ann.locator("[name=open]").check()
    ann.locator("button.huge").click()
    ann.wait_for_selector(".link")
    links = [field.input_value() for field in ann.locator(".link input").all()]
    assert len(links) == 4, "one for all, and three"
    table = site.service.live[ann.url.rpartition("/")[2]]
    tab = bo.context.new_page()
    for page in (bo, tab):
        page.goto("/")
        page.locator(f"#name-{table.name}").fill("Bo")
    bo.locator(f"form[action$='{table.name}'] button").dblclick()
    tab.locator(f"form[action$='{table.name}'] button").click()
    for page in (bo, tab):
        page.wait_for_url(ann.url)
    bo.go_back()
    bo.goto(links[1])
    assert bo.url == ann.url
    ann.goto(links[3])
    assert ann.url == bo.url
    assert [name is None for name in table.state.names] == [False, False, True, True]
    options(bo)
    bo.get_by_role("button", name="Leave the table").click()
    bo.wait_for_url(site.url)
    assert table.state.names[1] is None
    wait(ann, "document.querySelectorAll('.link').length === 4")
    axe(ann, "invitations with one for all")
    bo.goto(links[0])
    axe(bo, "an invitation to any seat")
    bo.fill("#name", "Bo")
    bo.select_option("#seat", "2")
    bo.locator("button.huge").click()
    bo.wait_for_selector("#table")
    assert table.state.names[2] == "Bo"


def test_two_who_look_for_an_opponent_find_each_other(person: Callable[..., "Page"], site: Running) -> None:
    """A double click takes one table; whoever waits alone goes by itself to one who has come back."""
    ann, bo = person(), person()
    for page in (ann, bo):
        page.goto("/")
    tables = set(site.service.live)
    ann.get_by_role("button", name="Find an opponent").dblclick()
    ann.wait_for_selector("#table")
    table = ann.url
    wait(ann, "document.querySelector('[data-clock]')")
    ann.goto("/rules")
    live = site.service.live[table.rpartition("/")[2]]
    while live.presence.local_sign(0, now()) in {None, (True, 0)}:
        ann.wait_for_timeout(20)
    bo.get_by_role("button", name="Find an opponent").click()
    bo.wait_for_selector("#table")
    assert bo.url != table
    assert len(set(site.service.live) - tables) == 2
    if SHOTS:
        bo.screenshot(path=SHOTS)
    ann.go_back()
    bo.wait_for_url(table)
    for page in (ann, bo):
        wait(page, "document.getElementById('table').dataset.status === 'playing'")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe(person: Callable[..., "Page"], site: Running, scheme: str) -> None:
    """No violation on any page, in light and dark, in English and French."""
    page = person(color_scheme=scheme, locale="fr-FR" if scheme == "dark" else "en-GB", reduced_motion="reduce")
    for path in ("/", "/new", "/new?with=friends", "/settings", "/guide", "/practice", "/upload", SHOWN, "/nowhere"):
        page.goto(path)
        axe(page, path)
    sit(page, short_table(site, "open", "casual")[0], "Ann")
    wait(page, "document.getElementById('table').dataset.asked === 'turn'")
    page.locator(".slot").first.click()
    options(page)
    axe(page, "table")
    page.check("#tab-score")
    axe(page, "score of the match")
    page.check("#tab-log")
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
