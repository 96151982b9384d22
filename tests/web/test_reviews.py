"""Reviews of finished hands: on their pages, one at a time, in a process that ends with the server."""

import asyncio
import functools
import html
import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from millebornes import Match
from millebornes.game import Action
from millebornes.i18n import translator
from millebornes.web.errors import ApiError
from millebornes.web.table import background as module
from millebornes.web.table.analyses import HandName, Reviews
from millebornes.web.table.background import Background, Task
from tests.web.browsing import Browser, Form, finish
from tests.web.client import Client
from tests.web.serving import Process, Running, quick

LITTLE = (32, 4)


def wait(condition: Callable[[], object], what: str) -> None:
    until = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def text_of(page: str) -> str:
    """What a page says, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


@pytest.fixture
def matches(monkeypatch: pytest.MonkeyPatch) -> list[Match]:
    """The matches that the process of a server is given."""
    matches: list[Match] = []
    do = Background._do

    async def counted(self: Reviews, task: Task) -> bytes:
        assert isinstance(task, functools.partial)
        matches.append(task.args[0])
        return await do(self, task)

    monkeypatch.setattr(Background, "_do", counted)
    return matches


@pytest.mark.slow  # the kernels of the search
def test_two_people_want_a_review(tmp_path: Path, matches: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made once, shown to all in their language, in the words of the command; no process stays."""
    from millebornes.analysis.records import MISTAKES
    from millebornes.analysis.reports.hint_text import SideNames
    from millebornes.analysis.reports.reasons import explain
    from millebornes.analysis.reviews import Effort, review
    from millebornes.themes import theme_for

    site = Running(tmp_path / "tables.db", quick(window=10, review_worlds=LITTLE))
    with site, Browser(site.url) as ann, Browser(site.url, "fr") as bo:
        ann.post("/new", **{"place-1": "basic", "name": "Ann"})
        bo.table = ann.table
        early = ann.http.post(f"{ann.table}/hands/1/review?match=1")
        assert early.status_code == 404
        finish([ann])
        hand = f"{ann.table}/hands/1?match=1"
        (form,) = (form for form in Form(ann.get(hand)).forms if "/review" in form["action"])
        with monkeypatch.context() as patch:
            patch.setattr(module, "MAX_WAITING", -1)
            assert "Trop d’analyses" in text_of(bo.post(form["action"], 503, **form["hidden"]))
        pressed = [threading.Thread(target=who.post, args=(form["action"],)) for who in (ann, bo)]
        for thread in pressed:
            thread.start()
        for thread in pressed:
            thread.join()
        part = ann.http.get(form["action"], headers={"hx-request": "true"})
        assert part.status_code == 200
        assert "<html" not in part.text
        wait(lambda: "How everyone played" in ann.get(hand), "the review is not made")
        part = ann.http.get(form["action"], headers={"hx-request": "true"})
        assert part.headers["hx-refresh"] == "true"
        assert len(matches) == 1
        ann.post(form["action"])
        assert len(matches) == 1, "it is kept"
        assert len([each for each in multiprocessing.active_children() if each.name == "review"]) == 1

        told = review(matches[0], effort=Effort(*LITTLE), hand=1)
        page = ann.get(hand)
        assert not Form(page).faults
        assert re.search(r"Chance of winning the match\s+You", text_of(page)), "as in the tables beside it"
        assert re.search(r"Les chances de gagner la partie\s+Ann", text_of(bo.get(hand)))
        assert len(re.findall(r"step=\d+\">Move", page)) == sum(each.grade in MISTAKES for each in told.decisions)
        free = [each for each in told.decisions if each.analysis and each.move.action is not Action.PASS]
        moves = told.match.hands[0].moves
        for decision in sorted(free, key=lambda each: -each.loss)[:4]:
            assert decision.analysis is not None
            step = sum(move.action is not Action.PASS for move in moves[: decision.ply + 1])
            shown = text_of(ann.get(f"{hand}&step={step}"))
            names = SideNames(told.match.rules, decision.seat, translator("en"))
            for line in explain(decision.analysis, theme_for("en"), translator("en"), names)[1:]:
                assert line in shown
        assert "Analyse de ce coup" in text_of(bo.get(f"{hand}&step=3"))
    assert not [each for each in multiprocessing.active_children() if each.name == "review"]


def children(pid: int) -> list[int]:
    """The processes that a process has started and that run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = entry.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(entry.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.once), signal.SIGKILL])
def test_no_process_outlives_its_server(tmp_path: Path, number: int) -> None:
    with Process(tmp_path / "tables.db", "--quick") as server:
        with (
            Client.create(server.url, places=["basic", "basic"], match_target=None) as made,
            Browser(server.url) as watcher,
        ):
            review = f"/t/{made.table}/hands/1/review?match=1"
            wait(lambda: watcher.http.post(review).status_code == 200, "no hand ends")
            wait(lambda: children(server.pid), "no process is started")
            started = children(server.pid)
        os.kill(server.pid, number)
        wait(lambda: not any(map(alive, started)), "a process is left")


def names(count: int) -> list[HandName]:
    return [HandName("t", 1, number) for number in range(1, count + 1)]


def numbered(hand: int) -> Task:
    return functools.partial(pow, hand)


def test_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """One after another, no more than so many, what fails is in nobody's way, and what is too much is let go."""
    done: list[int] = []

    async def do(self: Reviews, task: Task) -> bytes:
        assert isinstance(task, functools.partial)
        while not done or done[-1] != task.args[0]:
            await asyncio.sleep(0)
        if task.args[0] == 2:
            raise RuntimeError("broken")
        return bytes(100)

    async def run() -> None:
        reviews = Reviews("review", "busy", 60)
        wanted = names(module.MAX_WAITING + 2)
        for name in wanted[:-1]:
            reviews.ask(name, numbered(name.hand))
            reviews.ask(name, numbered(name.hand))
        with pytest.raises(ApiError, match="too many reviews"):
            reviews.ask(wanted[-1], numbered(wanted[-1].hand))
        assert [found.before for name in wanted[:-1] if (found := reviews.progress(name))] == list(range(17))
        for name in wanted[:-1]:
            done.append(name.hand)
            while reviews.progress(name) is not None:
                await asyncio.sleep(0)
            assert reviews.has_failed(name) == (name.hand == 2)
        reviews.ask(wanted[-1], numbered(wanted[-1].hand))
        await reviews.close()

    monkeypatch.setattr(Background, "_do", do)
    asyncio.run(run())


def test_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async def do(self: Reviews, task: Task) -> bytes:
        assert isinstance(task, functools.partial)
        return bytes([task.args[0]])

    async def run() -> None:
        reviews = Reviews("review", "busy", 60)
        first, *others = names(5)
        for name in (first, *others):
            reviews.ask(name, numbered(name.hand))
            while reviews.progress(name) is not None:
                await asyncio.sleep(0)
            assert reviews.found(first) == 1  # type: ignore[comparison-overlap]
        assert [reviews.found(name) is None for name in others] == [True, True, False, False]
        await reviews.close()

    monkeypatch.setattr(Background, "_do", do)
    monkeypatch.setattr(module, "MAX_KEPT", 3)
    monkeypatch.setattr(module, "_unpacked", lambda data: data[0])
    asyncio.run(run())
