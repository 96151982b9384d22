"""People who look for an opponent: all find one, each sits at one table, and nobody is sent to an empty chair."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from millebornes.table.setup import GameSetup
from millebornes.web.store import seekers
from millebornes.web.store.clock import now
from millebornes.web.store.store import open_store
from millebornes.web.tables.live import LiveTable
from millebornes.web.tables.seat_registry import Claim, Seated, new_token
from millebornes.web.tables.service import Made, Service
from tests.web.browsing import Browser, Form, value
from tests.web.client import Client
from tests.web.serving import Running, quick, wait

AGAIN = "Play with another person who is waiting"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path / "tables.db", quick(fill_after=300_000)) as server:
        yield server


def at_once(*work: Callable[[], object]) -> None:
    """Do all of it at the same moment, as far as threads can."""
    gate = threading.Barrier(len(work))

    def begin(each: Callable[[], object]) -> None:
        gate.wait(60)
        each()

    with ThreadPoolExecutor(len(work)) as pool:
        for done in [pool.submit(begin, each) for each in work]:
            done.result()


def gone(live: LiveTable) -> None:
    """Wait until the process knows that the page of seat 0 has been closed; requests before that are a sign, too."""
    wait(lambda: (live.presence.local_sign(0, now()) or (True, 0))[0] is False)


def person(url: str) -> Browser:
    """A browser on the home page."""
    found = Browser(url)
    found.get("/")
    return found


@contextlib.contextmanager
def watching(browser: Browser) -> Iterator[None]:
    """The page of the table is open, so its stream is, too."""
    with browser.http.stream("GET", f"{browser.table}/stream") as stream:
        lines = stream.iter_lines()
        next(lines)
        yield


def test_pairs_who_ask_in_the_same_instant(running: Running) -> None:
    for _ in range(6):
        with person(running.url) as ann, person(running.url) as bo:
            at_once(*(lambda each=each: each.post("/find") for each in (ann, bo)))
            assert ann.table == bo.table
            assert running.run(running.service.lobby()) == []


def test_a_crowd(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty people at once, who click twice, sit at ten tables."""
    monkeypatch.setattr(seekers, "FRESH", 300_000)  # however slow this machine is
    monkeypatch.setattr(seekers, "PAIRED", 300_000)
    with contextlib.ExitStack() as stack:
        people = [stack.enter_context(person(running.url)) for _ in range(20)]
        at_once(*(lambda each=each: each.post("/find") for each in people * 2))
        tables = [each.table for each in people]
        assert sorted(tables.count(table) for table in set(tables)) == [2] * 10
        assert running.run(running.service.lobby()) == []
        assert len(running.service.live) == 10
        assert all(each.post("/find") and each.table == table for each, table in zip(people, tables, strict=True))


def test_two_servers_with_one_database(url: str) -> None:
    """Whoever asks at one of them meets whoever asks at the other."""
    settings = quick(fill_after=300_000)
    with Running(url, settings) as one, Running(url, settings) as two:
        for _ in range(5):
            with person(one.url) as ann, person(two.url) as bo:
                at_once(*(lambda each=each: each.post("/find") for each in (ann, bo)))
                assert ann.table == bo.table
        assert one.run(one.service.lobby()) == []


def test_a_browser_has_one_table(running: Running) -> None:
    """However often and fast the button is pressed, also while somebody comes, and when somebody has just come."""
    with person(running.url) as ann, person(running.url) as bo, person(running.url) as cy:
        at_once(*[lambda: ann.post("/find")] * 4)
        assert len(running.service.live) == 1
        at_once(*[lambda: bo.post("/find")] * 4, *[lambda: ann.post("/find")] * 2)
        assert bo.table == ann.table
        for each in (ann, bo):
            each.post("/find")
            assert each.table == ann.table
        assert len(running.service.live) == 1
        cy.post("/find")
        assert cy.table != ann.table


def test_whoever_leaves_may_look_again(running: Running) -> None:
    with person(running.url) as ann, person(running.url) as bo:
        for each in (ann, bo):
            each.post("/find")
        wait(lambda: value(ann.look(), "status") == "playing")
        table = ann.table
        ann.post(f"{table}/leave")
        ann.post("/find")
        assert ann.table != table
        bo.post("/find")
        assert bo.table == table, "the other one didn't leave"


def test_nobody_meets_a_person_who_has_gone(running: Running) -> None:
    """Who comes back meets the one who waits meanwhile: that page says so, and its old table is cancelled."""
    with person(running.url) as ann, person(running.url) as bo, person(running.url) as cy:
        ann.post("/find")
        live = running.service.live[ann.table[3:]]
        with watching(ann):
            pass
        gone(live)
        bo.post("/find", name="Bo")
        left = bo.table
        assert left != ann.table
        with watching(ann), watching(bo):
            wait(lambda: AGAIN in bo.look())
            assert AGAIN not in ann.look(), "only one of them moves"
            (form,) = [form for form in Form(bo.look()).forms if form["action"] == "/find"]
            bo.post(form["action"])
            assert bo.table == ann.table
        assert live.state.names[1] == "Bo"
        assert running.service.live[left[3:]].state.is_cancelled
        cy.post("/find")
        assert cy.table not in {left, ann.table}


def test_a_person_from_the_lobby_is_not_left_alone(running: Running) -> None:
    """Bo could go to Ann, but Cy comes to him over the lobby first, so his second press keeps him there."""
    with person(running.url) as ann, person(running.url) as bo, Client(running.url) as cy:
        ann.post("/find")
        with watching(ann):
            pass
        live = running.service.live[ann.table[3:]]
        gone(live)
        bo.post("/find")
        with watching(ann), watching(bo):
            wait(lambda: AGAIN in bo.look())
            assert cy.post(f"api/lobby/{bo.table[3:]}/join", {"name": "Cy"})["seat"] == 1
            before = bo.table
            bo.post("/find")
            assert bo.table == before
        assert not running.service.live[before[3:]].state.is_cancelled


def test_a_table_in_the_lobby_counts(running: Running) -> None:
    """Who set one up waits as well; an edition or a table for three is another game."""
    with (
        Client.create(running.url, places=["me", "open"], open=True, edition="house"),
        Client.create(running.url, places=["me", "open", "open"], seats=3, open=True),
        Client.create(running.url, places=["me", "open"], open=True) as host,
        person(running.url) as ann,
        person(running.url) as bo,
    ):
        at_once(*[lambda: ann.post("/find")] * 2)
        ann.post("/find")
        assert ann.table == f"/t/{host.table}"
        bo.post("/find")
        assert bo.table != ann.table


def test_a_table_that_has_filled_up_meanwhile(url: str) -> None:
    """Between being sent elsewhere and cancelling the own table, somebody may come there: then that is the table."""

    def wanted(name: str) -> GameSetup:
        return GameSetup(
            places=("human", "open"), names=(name,), match_target=None, coup_window=5, listed=True, fill=300_000
        )

    async def work() -> None:
        service = Service(await open_store(url), quick())
        claims = {name: Claim(browser=new_token()) for name in ("Ann", "Bo", "Cy")}
        ann = await service.find(wanted("Ann"), claims["Ann"])
        service.live[ann.table].presence.enter(0)
        service.live[ann.table].presence.leave(0, now() + 1)
        bo = await service.find(wanted("Bo"), claims["Bo"])
        assert isinstance(bo, Made)
        service.live[ann.table].presence.enter(0)
        table = await service.table(bo.table)
        before = table.do

        async def late(*args: object, **more: object) -> object:
            table.do = before  # type: ignore[method-assign]
            await service.seating.join_listed(bo.table, None, "Cy", claims["Cy"])
            return await before(*args, **more)  # type: ignore[arg-type]

        table.do = late  # type: ignore[method-assign,assignment]
        for _ in range(2):
            found = await service.find(wanted("Bo"), claims["Bo"])
            assert isinstance(found, Seated)
            assert (found.table, found.seat) == (bo.table, 0)
        assert not table.state.is_cancelled
        assert service.live[ann.table].state.names[1] is None
        await service.close()

    asyncio.run(work())
