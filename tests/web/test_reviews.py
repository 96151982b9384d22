"""Reviews of finished hands: on their pages, one at a time, in a process that ends with the server."""

import asyncio
import functools
import html
import itertools
import multiprocessing
import operator
import os
import re
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from millebornes import Match
from millebornes.game import Action
from millebornes.i18n import translator
from millebornes.web.tables import background as module
from millebornes.web.tables.analyses import HandName, Reviews
from millebornes.web.tables.background import Background, Done, Failure, Progress, Task, TaskEffort
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.fair_queue import FairQueue
from millebornes.web.tables.limits import Limits
from tests.web.browsing import Browser, Form, finish
from tests.web.client import Client
from tests.web.serving import Process, Running, quick, wait

LITTLE = (8, 2)


def text_of(page: str) -> str:
    """What a page says, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


@pytest.fixture
def matches(monkeypatch: pytest.MonkeyPatch) -> list[Match]:
    """The matches that the process of a server is given."""
    matches: list[Match] = []
    do = Background._do

    async def counted(self: Reviews, task: Task) -> Done:
        assert isinstance(task, functools.partial)
        matches.append(task.args[0])
        return await do(self, task)

    monkeypatch.setattr(Background, "_do", counted)
    return matches


@pytest.mark.slow  # the kernels of the search
def test_two_people_want_a_review(tmp_path: Path, matches: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made once, shown to all in their language, in the words of the command; no process stays."""
    from millebornes.analysis.records import MISTAKES
    from millebornes.analysis.reviews import Effort, review
    from millebornes.themes import theme_for
    from millebornes.words.participants import SideNames
    from millebornes.words.reasons import explain
    from millebornes.words.words import Words

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
            patch.setattr(site.service.reviews, "_turns", FairQueue(1, 0))
            assert "Patientez environ 1 s" in text_of(bo.post(form["action"], 429, **form["hidden"]))
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
            words = Words(translator("en"), theme_for("en")).at(names)
            for line in explain(decision.analysis, words)[1:]:
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


def queue(limits: Limits | None = None, **more: Any) -> Reviews:
    return Reviews("review", limits or Limits(), TaskEffort(10, 100, 60, 0), **more)


class Doer:
    """Does the tasks of a queue when a test lets it; each takes ten seconds of the clock and five of the CPU."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.done: list[int] = []
        self._may = 0

        async def do(_reviews: Reviews, task: Task) -> Done:
            assert isinstance(task, functools.partial)
            while not self._may:
                await asyncio.sleep(0)
            self._may -= 1
            self.now += 10
            self.done.append(task.args[0])
            if task.args[0] == 2:
                raise RuntimeError("broken")
            return Done(bytes([task.args[0]]), 5.0)

        monkeypatch.setattr(Background, "_do", do)
        monkeypatch.setattr(module, "_unpacked", lambda data: data[0])

    async def let(self, count: int) -> None:
        """Let so many tasks be done."""
        until = len(self.done) + count
        self._may += count
        while len(self.done) < until:
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
def doer(monkeypatch: pytest.MonkeyPatch) -> Doer:
    return Doer(monkeypatch)


def test_addresses_take_turns(doer: Doer) -> None:
    """However many reviews one address asks for, each other one is next; an address keeps its order."""

    async def run() -> None:
        reviews = queue(clock=lambda: doer.now)
        first, *mine, one, other, shared = names(module.MAX_OWN + 4)
        for name in (first, first):
            reviews.ask(name, numbered(name.hand), "greedy")
        await asyncio.sleep(0)
        for name in (*mine, shared)[: module.MAX_OWN]:
            reviews.ask(name, numbered(name.hand), "greedy")
        reviews.ask(one, numbered(one.hand), "ann")
        reviews.ask(other, numbered(other.hand), "bo")
        with pytest.raises(ApiError, match="this address") as refused:
            reviews.ask(shared, numbered(shared.hand), "greedy")
        assert refused.value.status == 429
        assert refused.value.retry_after is not None
        reviews.ask(mine[-1], numbered(mine[-1].hand), "ann")  # no one has to wait because another asked first
        assert reviews.progress(first) == Progress(0, 0, 0, 10)
        assert reviews.progress(one) == Progress(2, 0, 0, 30)
        assert reviews.progress(mine[1]) == Progress(4, 0, 0, 50)
        await doer.let(len(mine) + 3)
        assert doer.done == [n.hand for n in (first, mine[0], one, other, mine[1], mine[-1], *mine[2:-1])]
        assert [reviews.failure(name) for name in mine[:2]] == [Failure.BROKEN, None]
        assert reviews.has(one)
        reviews.ask(mine[0], numbered(1), "ann")
        assert not reviews.failure(mine[0]), "it is tried again"
        await reviews.close()

    asyncio.run(run())


def test_a_full_queue(doer: Doer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for most makes room, and is told; where all ask for one, who comes last has to wait."""
    monkeypatch.setattr(module, "MAX_WAITING", 4)

    async def run() -> None:
        reviews, told = queue(), list[int]()
        first, *others = names(9)
        reviews.ask(first, numbered(1), "greedy")
        await asyncio.sleep(0)
        for name in others[:4]:
            reviews.ask(name, numbered(name.hand), "greedy", functools.partial(told.append, name.hand))
        for name, owner in zip(others[4:7], "abc", strict=True):
            reviews.ask(name, numbered(name.hand), owner)
        assert [reviews.failure(name) for name in others[1:4]] == [Failure.DROPPED] * 3
        assert told == [5, 4, 3]
        with pytest.raises(ApiError, match="too many reviews are waiting; try again in about 20 seconds") as refused:
            reviews.ask(others[7], numbered(9), "d")
        assert (refused.value.status, refused.value.error) == (503, "busy")
        await reviews.close()

    asyncio.run(run())


def test_a_budget_of_time(doer: Doer) -> None:
    """An address that has used up its seconds has to wait until they have grown again; the others don't."""

    async def run() -> None:
        limits = Limits(clock=lambda: doer.now)
        limits.charge("cpu", "greedy", 117)
        reviews = queue(limits, clock=lambda: doer.now)
        first, second, third, fourth = names(5)[:1] + names(5)[2:]
        reviews.ask(first, numbered(1), "greedy")
        await doer.let(1)
        doer.now = 10.0
        limits.charge("cpu", "greedy", 10)
        with pytest.raises(ApiError, match="as much computing time") as refused:
            reviews.ask(second, numbered(3), "greedy")
        wait = refused.value.retry_after
        assert wait is not None
        reviews.ask(third, numbered(4), "ann")
        await doer.let(1)
        doer.now = 10.0 + wait + 1
        reviews.ask(fourth, numbered(5), "greedy")
        await reviews.close()

    asyncio.run(run())


STUCK = functools.partial(functools.reduce, operator.is_, itertools.repeat(0))
"""A task that never ends, and that a process can load."""
SHORT = functools.partial(operator.is_not, 0)


@pytest.mark.slow  # starts processes
def test_a_task_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped when its time is over, whoever asked is told, and another process does what comes next."""

    async def run() -> None:
        waits, told = list[tuple[float, asyncio.Event]](), asyncio.Event()

        async def timer(seconds: float) -> None:
            over = asyncio.Event()
            waits.append((seconds, over))
            await over.wait()

        reviews = queue(timer=timer)
        first, second = names(2)
        reviews.ask(first, STUCK, "ann", told.set)
        reviews.ask(second, SHORT, "bo")
        while not (started := [child for child in multiprocessing.active_children() if child.name == "review"]):
            await asyncio.sleep(0.01)
        assert waits[0][0] == 100 + module.COMPILES_WITHIN, "the first may have to wait for the compiler"
        waits[0][1].set()
        await told.wait()
        assert reviews.failure(first) is Failure.LATE
        assert not any(child in multiprocessing.active_children() for child in started)
        while not reviews.has(second):
            assert reviews.failure(second) is None
            await asyncio.sleep(0.01)
        assert reviews.result(second) is True  # type: ignore[comparison-overlap]
        assert waits[1][0] == 100
        await reviews.close()

    asyncio.run(run())


def test_what_is_kept(doer: Doer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        reviews = queue()
        first, *others = [name for name in names(6) if name.hand != 2]
        for name in (first, *others):
            reviews.ask(name, numbered(name.hand), "ann")
            await doer.let(1)
            assert reviews.result(first) == 1  # type: ignore[comparison-overlap]
        assert [reviews.result(name) is None for name in others] == [True, True, False, False]
        await reviews.close()

    monkeypatch.setattr(module, "MAX_KEPT", 3)
    asyncio.run(run())


@pytest.mark.slow  # a review by the search
def test_a_review_goes_on_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks at the hand next waits for its review, and need not ask again."""
    database = tmp_path / "tables.db"
    settings = quick(window=10, review_worlds=LITTLE)

    async def busy(_reviews: Reviews, _task: Task) -> Done:
        return await asyncio.Future[Done]()

    with monkeypatch.context() as patch, Running(database, settings) as site, Browser(site.url) as ann:
        patch.setattr(Background, "_do", busy)
        ann.post("/new", **{"place-1": "basic", "name": "Ann"})
        finish([ann])
        hand = f"{ann.table}/hands/1?match=1"
        assert "The review is starting" in ann.post(f"{ann.table}/hands/1/review?match=1")
    with Running(database, settings) as site, Browser(site.url) as watcher:
        page = watcher.get(hand)
        assert "Review this hand</button>" not in page
        assert "It will appear here" in page
        wait(lambda: "How everyone played" in watcher.get(hand), "the review is not made")
        name = HandName(hand.split("/")[2], 1, 1)
        wait(lambda: not site.run(site.service.store.is_review_requested(*name)), "it is still wished for")
