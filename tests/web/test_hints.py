"""Hints on the web: for people who play against computers, from what they have seen."""

import time
from collections.abc import Iterator

import pytest

from tests.web.browsing import Browser, value, wait_asked
from tests.web.serving import Running, quick

pytestmark = pytest.mark.slow  # the kernels of the search


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("hints") / "tables.db", quick(window=10, hint_bounds=(32, 60_000))) as running:
        yield running


def test_a_hint_against_the_computer(site: Running) -> None:
    """One sentence and its reasons, on the page of whoever asked, until the next move."""
    with Browser(site.url) as ann:
        ann.post("/new", **{"place-1": "basic", "name": "Ann"})
        page = wait_asked(ann)
        assert 'id="hint"' not in page
        ann.post(f"{ann.table}/hint")
        page = ann.look()
        assert "Rule of thumb:" in page or "<summary>Why?" in page, "there is advice at once"
        assert ' wanted" id="slot-' in page
        until = time.monotonic() + 300
        while "<summary>Why?" not in (page := ann.look()):
            assert 'id="hint"' in page, "it is being made"
            assert time.monotonic() < until
            time.sleep(0.05)
        assert ' wanted" id="slot-' in page, "the card is shown"
        assert f"{ann.table}/hint" not in page, "the button is gone while the hint is shown"
        with Browser(site.url) as watcher:
            assert 'id="hint"' not in watcher.get(ann.table)
        ann.post(f"{ann.table}/chat", text="hm")
        assert "<summary>Why?" in ann.look(), "a message does not take it away"
        form = ann.form_of(page, "moves")
        ann.press(form, form["buttons"][0])
        wait_asked(ann)
        assert 'id="hint"' not in ann.look()


def test_no_hints_among_people(site: Running) -> None:
    with Browser(site.url) as ann, Browser(site.url) as bo:
        page = ann.post("/new", **{"place-1": "open", "name": "Ann", "with": "friends"})
        link = page.partition("/join/")[2].partition('"')[0]
        bo.post(f"/join/{link}", name="Bo")
        until = time.monotonic() + 300
        while not (value(ann.look(), "asked") or value(bo.look(), "asked")):
            assert time.monotonic() < until
            time.sleep(0.05)
        for browser in (ann, bo):
            assert f"{browser.table}/hint" not in browser.look()
            browser.post(f"{browser.table}/hint", 403)


def test_spectators_get_no_hints(site: Running) -> None:
    with Browser(site.url) as watcher, Browser(site.url) as ann:
        ann.post("/new", **{"place-1": "basic", "name": "Ann"})
        watcher.post(f"{ann.table}/hint", 401)
