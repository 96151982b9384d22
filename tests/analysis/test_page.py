"""The page of a review: whole, small, safe by what it is made of; then in a browser, where there is one."""

import base64
import contextlib
import hashlib
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from millebornes.analysis.match_review import Review
from millebornes.analysis.records import MISTAKES
from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.i18n import translator
from millebornes.markup.review_page import article, review_html
from millebornes.schema.exercises import Objective
from millebornes.themes import theme_for
from millebornes.words.review import ReviewModel, words_for
from millebornes.words.words import Words
from tests.analysis import made_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
EVIL = "<script>alert(1)</script>"
VOID = {"meta", "input", "link", "br"}
LIMIT = 3_500_000
"""In bytes, for a match of eight hands in which 39% of the decisions are mistakes."""


class Reader(HTMLParser):
    """Reads a page: all elements with their attributes, and whether each is closed where it should be."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def values(self, key: str) -> list[str]:
        """All values of an attribute."""
        return [attributes[key] for _tag, attributes in self.elements if key in attributes]

    def decisions(self) -> list[str]:
        """The ids of all decisions."""
        return [found["id"] for tag, found in self.elements if tag == "article" and "id" in found]


def article_of(page: str, name: str) -> str:
    """The part of a page for a decision. The boards in it are articles, too."""
    start = page.index(f'id="{name}"')
    return page[start : page.find('<article class="judged', start)]


@pytest.fixture(scope="module")
def review() -> Review:
    return made_up.review(players=("Ann", EVIL), hands=1)


@pytest.fixture(scope="module")
def page(review: Review) -> str:
    return review_html(review)


def kinds_of_elements(page: str) -> set[tuple[str, ...]]:
    """The elements of a page: their names with the names of their attributes, and with each of their classes.

    Numbers in classes depend on the match.
    """
    elements = Reader(page).elements
    classes = ((name, re.sub(r"\d+", "", part)) for name, found in elements for part in found.get("class", "").split())
    return {*classes, *((name, "", *sorted(found)) for name, found in elements)}


# ---------------------------------------------------------------- what it is made of


def test_the_page_is_well_formed(page: str) -> None:
    found = Reader(page)
    assert found.faults == []
    assert found.open == []
    assert [name for name, count in Counter(found.values("id")).items() if count > 1] == []
    targets = {href.removeprefix("#") for href in found.values("href")}
    assert targets <= set(found.values("id"))
    assert all(href.startswith("#") for href in found.values("href"))


def test_nothing_runs_or_loads_but_its_own_script_and_styles(page: str) -> None:
    found = Reader(page)
    assert not [key for _tag, attributes in found.elements for key in attributes if key.startswith("on")]
    assert not found.values("style") + found.values("src") + found.values("xlink:href")
    assert not re.search('https?://|@import|url\\((?!#|"data:font/woff2;base64,)', page)
    (policy,) = [a["content"] for t, a in found.elements if a.get("http-equiv") == "Content-Security-Policy"]
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )
    assert page.index("Content-Security-Policy") < page.index("<style>")
    assert "<script>alert" not in page  # a name
    assert "&lt;script&gt;alert" in page


def test_every_picture_says_what_it_shows(page: str) -> None:
    found = Reader(page)
    pictures = [attributes for tag, attributes in found.elements if tag == "svg"]
    faces = [picture for picture in pictures if picture.get("viewbox") == "0 0 250 350"]
    assert len(faces) == len(Card) + 1  # defined once, in a picture that is hidden
    drawn = [picture for picture in pictures if picture.get("aria-hidden") != "true" and picture not in faces]
    nameless = [picture for picture in drawn if not picture.get("aria-label")]
    assert len(nameless) == 2  # the lines of the plots, which stand in pictures that have a name
    assert len(drawn) == 4
    cards = [attributes for _tag, attributes in found.elements if attributes.get("class", "").startswith("mini")]
    assert len(cards) > 1000
    assert all(card["role"] == "img" and (card.get("title") or card["aria-label"]) for card in cards)


def test_all_decisions_are_there(page: str, review: Review) -> None:
    assert Reader(page).decisions() == [f"m{decision.hand}-{decision.ply + 1}" for decision in review.decisions]
    mistakes = sum(decision.grade in MISTAKES for decision in review.decisions)
    assert page.count('<article class="judged decision x"') == page.count("<li data-seat=") == mistakes


def test_open_cards_stand_behind_their_switch(review: Review, page: str) -> None:
    # Each decision shows the hand of its seat; other hands face up only in what the switch shows.
    for decision in review.decisions:
        article = article_of(page, f"m{decision.hand}-{decision.ply + 1}")
        shown = re.sub(r'<div class="open opn">.*?</div>', "", article, flags=re.DOTALL)
        assert shown != article
        faces = re.findall(r'href="#face-(\w+)"', shown)
        hand = review.match.at(decision.hand, decision.ply).hand
        seen = Counter(card.value for card in hand.cards(decision.seat))
        for tableau in hand.tableaux:
            tops = [card for card in (tableau.battle, tableau.speed) if card is not None]
            seen += Counter(card.value for card in (*tableau.safeties, *tops))
            seen += Counter(card.value for card, count in tableau.distance_cards.items() if count)
        if hand.discard_top is not None:
            seen[hand.discard_top.value] += 1
        seen["back"] += hand.draw_pile > 0
        assert Counter(faces) == +seen


@pytest.fixture(scope="module")
def long_review() -> Review:
    return made_up.review("3", hands=8, match_target=100_000)


@pytest.fixture(scope="module")
def long_page(long_review: Review) -> str:
    return review_html(long_review)


def test_a_whole_match_stays_small(long_review: Review, long_page: str) -> None:
    """Packed; mistakes never are."""
    assert len(long_review.decisions) >= 550
    assert len(long_page.encode()) < LIMIT
    found = Reader(long_page)
    assert (found.faults, found.open) == ([], [])
    assert found.decisions() == names_of(long_review)
    mistakes = re.findall('<article class="judged decision x"[^>]*><h3>', long_page)
    assert len(mistakes) == len(names_of(long_review, only=True))
    assert "packed" not in Reader(review_html(made_up.review(hands=1))).values("id")
    assert "packed" in Reader(long_page).values("id")


def test_the_page_in_the_documentation_is_made_by_the_templates_of_today() -> None:
    # If this fails: millebornes review examples/matches/review.jsonl --html docs/_static/review.html
    shown = (ROOT / "docs" / "_static" / "review.html").read_text(encoding="utf-8")
    made = review_html(made_up.review(hands=3))
    assert kinds_of_elements(shown) <= kinds_of_elements(made)
    for name in ("script", "thead"):  # the styles are those of the web game, which change more often
        parts = [set(re.findall(f"<{name}>(.*?)</{name}>", page, re.DOTALL)) for page in (shown, made)]
        assert parts[0] == parts[1], name


def names_of(review: Review, only: bool = False) -> list[str]:
    return [f"m{d.hand}-{d.ply + 1}" for d in review.decisions if not only or d.grade in MISTAKES]


@pytest.mark.parametrize("objective", Objective)
def test_every_table_and_language(objective: Objective) -> None:
    names = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Fay")
    six = made_up.review("6", objective, make_rules("house", 6, 3), names, hands=1)
    text = review_html(six, "fr")
    found = Reader(text)
    assert found.faults == []
    assert '<html lang="fr">' in text
    assert "Montrer toutes les cartes" in text
    assert "Show all cards" not in text
    with pytest.raises(ValueError, match="no language"):
        review_html(six, "nl")


# ---------------------------------------------------------------- in a browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
once = pytest.mark.once  # real browsers take long


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    api = pytest.importorskip("playwright.sync_api", reason="needs the extra 'browser'")
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def files(page: str, long_page: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The addresses of a page and of a long one."""
    paths = [tmp_path_factory.mktemp("page") / name for name in ("review.html", "long.html")]
    for path, text in zip(paths, (page, long_page), strict=True):
        path.write_text(text, encoding="utf-8")
    return [path.as_uri() for path in paths]


@contextlib.contextmanager
def opened(browser: "Browser", address: str, before: str = "") -> "Iterator[Page]":
    """A page in a browser; nothing may be complained of, run by a name, or asked of a network.

    ``before`` is a script that runs before its own.
    """
    found = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
    troubles: list[str] = []
    found.on("console", lambda message: troubles.append(message.text))
    found.on("pageerror", lambda error: troubles.append(str(error)))
    found.on("dialog", lambda dialog: troubles.append(dialog.message))
    found.on("request", lambda request: None if request.url.startswith("file:") else troubles.append(request.url))
    found.add_init_script(before)
    found.goto(address)
    yield found
    assert troubles == []
    found.close()


@pytest.fixture
def shown(browser: "Browser", files: list[str]) -> "Iterator[Page]":
    with opened(browser, files[0]) as found:
        yield found


def current(shown: "Page") -> str:
    """The decision that is shown; only one is."""
    (name,) = shown.locator(".decision:visible").evaluate_all("found => found.map(article => article.id)")
    return str(name)


@once
def test_keys_clicks_and_switches_step_through_the_decisions(shown: "Page", review: Review) -> None:
    everything, mistakes = names_of(review), names_of(review, only=True)
    assert current(shown) == everything[0]
    assert shown.evaluate("scrollY") == 0
    steps = (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", -1), ("ArrowRight", -1), ("Home", 0))
    for key, place in (*steps, ("ArrowLeft", 0)):
        shown.keyboard.press(key)
        assert current(shown) == everything[place]
        assert shown.url.endswith(f"#{everything[place]}")
    shown.keyboard.press("n")
    assert current(shown) == next(name for name in mistakes if name != everything[0])
    shown.locator(".faults a").last.click()
    assert current(shown) == mistakes[-1]
    shown.keyboard.press("p")
    assert current(shown) == mistakes[-2]
    shown.locator("svg.plot").first.click()  # in its middle
    assert abs(everything.index(current(shown)) - len(everything) / 2) < 3
    shown.check("#only")
    shown.select_option("#who", "1")
    wanted = [f"m{d.hand}-{d.ply + 1}" for d in review.decisions if d.grade in MISTAKES and d.seat == 1]
    shown.keyboard.press("Escape")
    shown.locator("h1").click()
    shown.keyboard.press("Home")
    for name in wanted[:4]:
        assert current(shown) == name
        shown.keyboard.press("ArrowRight")


@once
def test_what_would_you_play(shown: "Page", review: Review) -> None:
    hidden = shown.locator(".cur .hands .opn").first
    assert hidden.is_hidden()
    shown.check("#open")
    assert hidden.is_visible()
    shown.uncheck("#open")
    decision = next(d for d in review.decisions if d.grade in MISTAKES and d.analysis is not None)
    name = f"m{decision.hand}-{decision.ply + 1}"
    shown.check("#quiz")
    shown.evaluate("name => { location.hash = '#' + name }", name)
    shown.wait_for_selector(f"#{name}.asked")
    article = shown.locator(f"#{name}")
    assert "±" not in article.inner_text()
    assert decision.grade.value not in article.inner_text()
    assert "best:" not in shown.locator("body").inner_text()
    assert article.locator(".mini.best, .mini.played").count() > 0
    edge = "all => all.map(card => getComputedStyle(card, '::after').content)"
    assert set(article.locator(".mini.best, .mini.played").evaluate_all(edge)) == {"none"}
    assert not shown.locator(".faults").is_visible()
    assert not shown.locator("svg.plot").first.is_visible()
    buttons = article.locator(".figures button")
    assert decision.analysis is not None
    assert buttons.count() == len(decision.analysis.moves)
    # No move may stand out: all look alike, and their order is that of their texts.
    looks = buttons.evaluate_all(
        "all => all.map(b => { const s = getComputedStyle(b); return s.color + s.fontWeight })"
    )
    assert len(set(looks)) == 1
    buttons.nth(0).focus()
    shown.keyboard.press("Enter")
    assert "Your pick: " in shown.locator("#said").inner_text()
    assert "±" in article.inner_text()
    assert shown.locator(".faults").is_visible()
    assert article.locator(".figures button").count() == 0
    assert article.locator("tr").nth(1).get_attribute("class") is not None  # the best stands first again
    shown.keyboard.press("n")
    assert shown.locator(".decision:visible .figures button").count() > 1


@once
def test_light_and_dark_narrow_and_wide_and_on_paper(shown: "Page", review: Review) -> None:
    """No violation of WCAG 2.2 AA, with all cards shown and with a question."""
    shown.keyboard.press("n")
    for width in (360, 768, 1280):
        shown.set_viewport_size({"width": width, "height": 800})
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        wide = "(all, width) => all.filter(e => e.getBoundingClientRect().right > width + 1).map(e => e.outerHTML)"
        assert shown.locator(".cur *").evaluate_all(wide, width) == []
    shown.locator(".how summary").click()
    shown.evaluate((ROOT / "tests" / "data" / "axe" / "axe.min.js").read_text(encoding="utf-8"))
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme="light" if scheme == "light" else "dark")
        ink = shown.evaluate("getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color")
        colours = [int(part) for part in re.findall(r"\d+", ink)]
        assert (colours[0] > colours[3]) == (scheme == "light")
        for state in ("open", "quiz"):
            shown.check(f"#{state}")
            found = shown.evaluate("tags => axe.run(document, {runOnly: tags})", tags)
            faults = [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]]
            assert faults == [], (scheme, state)
            shown.uncheck(f"#{state}")
    shown.keyboard.press("End")
    shown.emulate_media(media="print")
    visible = shown.locator(".decision:visible").evaluate_all("found => found.map(article => article.id)")
    assert visible == names_of(review, only=True)
    assert shown.locator("nav.controls").is_hidden()


@once
def test_it_can_be_read_without_a_script(browser: "Browser", files: list[str], review: Review) -> None:
    context = browser.new_context(java_script_enabled=False)
    found = context.new_page()
    found.goto(files[0])
    assert found.locator(".decision:visible").count() == len(names_of(review, only=True))
    assert found.locator("nav.controls").is_hidden()
    assert found.locator(".faults").is_visible()
    other = next(name for name in names_of(review) if name not in names_of(review, only=True))
    found.goto(f"{files[0]}#{other}")
    assert found.locator(f"#{other}").is_visible()
    context.close()


@once
def test_a_long_match_is_unpacked_or_else_has_its_mistakes(
    browser: "Browser", long_review: Review, files: list[str]
) -> None:
    names, mistakes = names_of(long_review), names_of(long_review, only=True)
    model = ReviewModel(long_review, words_for(long_review, Words(translator("en"), theme_for("en"))))
    middle = len(names) // 2
    made = "html => { const made = document.createElement('article'); made.innerHTML = html; return made.innerHTML; }"
    with opened(browser, f"{files[1]}#{names[-1]}") as found:
        found.wait_for_selector(".decision.cur")
        assert current(found) == names[-1]
        assert found.locator(".decision:empty").count() == 0
        inside = found.evaluate("name => document.getElementById(name).innerHTML", names[middle])
        assert inside.startswith(found.evaluate(made, article(model.decisions[middle]).inside)[:200])
        found.keyboard.press("ArrowLeft")
        assert current(found) == names[-2]
    with opened(browser, files[1], "delete window.DecompressionStream") as found:
        found.wait_for_selector(".decision.cur")
        assert current(found) == mistakes[0]
        found.keyboard.press("ArrowRight")
        assert current(found) == mistakes[1]
