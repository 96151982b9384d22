"""Many tabs of one browser over HTTP/1.1, which allows six connections: they share one stream and hinder nobody."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from millebornes.web.store.clock import now
from millebornes.web.tables.live import LiveTable
from tests.web.client import Client
from tests.web.serving import Running, quick

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.once

LONG = int(os.environ.get("LONG", 300)) * 1000
TABS = 8
HIDEABLE = """
    window.away = false;
    Object.defineProperty(document, "hidden", { get: () => away });
    window.hide = (is) => { away = is; document.dispatchEvent(new Event("visibilitychange")); };
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    settings = quick(window=400, beat=1.0)
    with Running(tmp_path_factory.mktemp("tabs") / "tables.db", settings) as running:
        yield running


@pytest.fixture
def context(chromium: "Browser", site: Running) -> Iterator["BrowserContext"]:
    found = chromium.new_context(base_url=site.url, locale="en-GB", reduced_motion="reduce")
    found.set_default_timeout(LONG)
    found.add_init_script(HIDEABLE)
    faults: list[str] = []
    found.on("weberror", lambda error: faults.append(str(error.error)))
    yield found
    found.close()
    assert not faults


class Duel:
    """A table where Ann sits in a tab, and Bo plays by the API."""

    def __init__(self, site: Running, page: "Page") -> None:
        with Client.create(site.url, places=["open", "open"], spectators=False) as host:
            links = [link for link in host.invitations if link is not None]
            self.bo = host.join(links[1], "Bo")
        page.goto(links[0])
        page.fill("#name", "Ann")
        page.locator("button.huge").click()
        page.wait_for_selector("#table")
        self.page = page
        self.table: LiveTable = site.service.live[host.table]
        self.until("document.querySelector('.board')")

    def until(self, expression: str) -> None:
        script = f"() => {{ try {{ return {expression}; }} catch {{ return false; }} }}"
        self.page.wait_for_function(script, timeout=LONG)

    def arrives(self, text: str) -> None:
        """Bo says something, and Ann's tab shows it."""
        self.bo.do("chat", text=text)
        self.until(f"document.getElementById('log').textContent.includes('Bo: {text}')")

    def turn(self) -> None:
        """Bo plays until it is Ann's turn, and her tab says so."""
        until = time.monotonic() + LONG / 1000
        while self.table.state.turn != 0:
            assert time.monotonic() < until
            seen = self.bo.look()
            if seen["legal"]:
                self.bo.move(seen["legal"][0], seen["version"])
        self.until("document.getElementById('table').dataset.asked === 'turn'")

    def discards(self) -> None:
        """Ann plays a card in her tab."""
        seen = int(self.page.locator("#table").get_attribute("data-version") or 0)
        self.page.locator(".slot").first.click()
        self.page.locator("#actions button.discard:visible").click()
        self.until(f"+document.getElementById('table').dataset.version > {seen}")


@pytest.fixture
def duels(site: Running, context: "BrowserContext") -> Iterator[list[Duel]]:
    """Eight tables in eight tabs."""
    found: list[Duel] = []
    with contextlib.ExitStack() as stack:
        for _ in range(TABS):
            found.append(Duel(site, context.new_page()))
            stack.enter_context(found[-1].bo)
        yield found


def wait(page: "Page", condition: Callable[[], object]) -> None:
    until = time.monotonic() + LONG / 1000
    while not condition():
        assert time.monotonic() < until
        page.wait_for_timeout(20)


def are_here(duels: list[Duel]) -> bool:
    return all(duel.table.presence.local_sign(0, now()) == (True, 0) for duel in duels)


def test_eight_tables_in_eight_windows(duels: list[Duel], context: "BrowserContext") -> None:
    """All of them are shown, moves and messages go both ways at each, and other pages load."""
    for duel in duels:
        duel.turn()
        duel.discards()
        duel.turn()
    wait(duels[0].page, lambda: are_here(duels))
    assert sum(len(duel.table.presence.listeners) for duel in duels) == TABS
    other = context.new_page()
    other.goto("/rules")
    for number, duel in enumerate(duels):
        duel.arrives(f"hello {number}")
    duels[3].page.reload()
    duels[5].page.goto("/")
    duels[5].page.go_back()
    for number, duel in enumerate(duels):
        duel.arrives(f"good luck {number}")
    wait(duels[0].page, lambda: are_here(duels))


def test_a_tab_that_is_hidden(duels: list[Duel]) -> None:
    """It hears of its turn, tells it by its icon, and its player is not away."""
    for duel in duels[1:]:
        duel.page.evaluate("hide(true)")
    duels[0].page.evaluate("hide(false)")
    for duel in duels[1:]:
        if duel.table.state.turn == 0:
            duel.discards()
        duel.turn()
        assert "turn" in str(duel.page.locator("link[rel=icon]").get_attribute("href"))
    wait(duels[0].page, lambda: are_here(duels))
    duels[4].page.evaluate("hide(false)")
    duels[0].page.evaluate("hide(true)")
    assert "turn" not in str(duels[4].page.locator("link[rel=icon]").get_attribute("href"))
    for number, duel in enumerate(duels):
        duel.arrives(f"still there {number}")


def test_the_tab_with_the_stream_goes(duels: list[Duel]) -> None:
    """It is closed, frozen by the browser, or cut off: another takes its place, until none is left."""
    wait(duels[0].page, lambda: are_here(duels))
    gone = duels.pop()
    gone.page.close()
    wait(duels[0].page, lambda: are_here(duels))
    wait(duels[0].page, lambda: not gone.table.presence.listeners)
    for number, duel in enumerate(duels):
        duel.arrives(f"one is closed {number}")
    frozen = duels.pop()
    frozen.page.evaluate("hide(false)")  # so it leads
    wait(duels[0].page, lambda: are_here([*duels, frozen]))
    devtools = frozen.page.context.new_cdp_session(frozen.page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    for number, duel in enumerate(duels):
        duel.arrives(f"one is frozen {number}")
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    duels.append(frozen)
    for number, duel in enumerate(duels):
        duel.arrives(f"one is back {number}")
    while duels:
        duels.pop().page.close()
        for duel in duels:
            duel.arrives(f"{len(duels)} left")


def test_other_tables_are_no_way_to_secrets(site: Running) -> None:
    """The stream has news only of tables that its browser can see, and no contents."""
    with (
        Client.create(site.url, places=["me", "open"], spectators=False) as ann,
        Client.create(site.url, places=["me", "open"]) as bo,
        Client.create(site.url, places=["me", "open"]) as cy,
    ):
        ann.http.cookies.clear()
        query: list[tuple[str, str | int | float | bool | None]] = [
            ("also", name) for name in (ann.table, bo.table, cy.table, "nosuchtable1", "x" * 999)
        ]
        with cy.http.stream("GET", f"/t/{cy.table}/stream", params=query) as answer:
            assert answer.status_code == 200
            lines = (line for line in answer.iter_lines() if line)
            while next(lines) != "event: news":
                pass
            assert next(lines) == f"data: {bo.table} {bo.look()['version']}"
            ann.do("chat", text="secret")
            bo.do("chat", text="open")
            while True:
                line = next(lines)
                assert ann.table not in line
                if line == f"data: {bo.table} {bo.look()['version']}":
                    break
        wait_closed(site, ann.table, bo.table)


def wait_closed(site: Running, *tables: str) -> None:
    until = time.monotonic() + LONG / 1000
    while any(site.service.live[table].presence.listeners for table in tables):
        assert time.monotonic() < until
        time.sleep(0.02)
