"""Nobody learns of cards that they cannot see, at any table of any edition, by whatever the server says.

A game is played by chance. Then the cards that a viewer has not seen change their places, in other hands and in the
draw pile, and the same things happen. Messages, tables, answers to commands, events on the wire, transcripts, metrics
and log lines must be the same.
"""

import asyncio
import logging
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from millebornes.editions import EDITIONS
from millebornes.errors import MilleBornesError
from millebornes.table.facts import Created, Fact
from millebornes.table.log import fold
from millebornes.table.steps import Pace
from millebornes.web.app import App, make_app
from millebornes.web.store.moments import now
from millebornes.web.store.store import Key, Store, Write, open_store
from millebornes.web.tables.seat_registry import hash_of
from tests.web.leaks import in_the_middle, permuted, told
from tests.web.playing import created
from tests.web.serving import quick

SIDES = {2: (2,), 3: (3,), 4: (2, 4), 5: (5,), 6: (2, 3, 6), 7: (7,), 8: (2, 4, 8)}
TABLES = [(edition, seats, sides) for edition in EDITIONS for seats, all_ in SIDES.items() for sides in all_]
HOUR = 3_600_000


def a_table(edition: str, seats: int, sides: int, rng: random.Random) -> Created:
    """People at most seats, whoever may call at some tables, and everybody at others."""
    places = ["me", *(rng.choice(["open", "open", "casual"]) for _ in range(seats - 1))]
    settings = {"coup_by": "anyone"} if rng.random() < 0.4 else {}
    return created(*places, edition=edition, sides=sides, settings=settings)


def games(table: tuple[str, int, int], count: int) -> Iterator[tuple[list[Fact], Any, list[int | None], int]]:
    """So many games at a table of this kind, each stopped within a hand, and everybody who can see it."""
    seed = 0
    while count:
        rng, seed = random.Random(f"{table} {seed}"), seed + 1
        begun = a_table(*table, rng)
        found = in_the_middle(begun, seed, rng.randrange(20, 120))
        if found is not None:
            count -= 1
            yield *found, [None, *range(table[1])], seed


def goes_on(log: list[Fact]) -> bool:
    """Whether a hand is played at its end: without cards to draw it is over as soon as nobody could score any more."""
    try:
        return fold(log).status == "playing"
    except MilleBornesError:
        return False


def compare(tables: list[tuple[str, int, int]], count: int, viewers: int) -> int:
    """At how many moments of some games the cards that changed places decided who is asked."""
    told_apart = compared = impossible = 0
    for table in tables:
        for log, hand, everybody, seed in games(table, count):
            for viewer in random.Random(seed).sample(everybody, min(viewers, len(everybody))):
                other = permuted(log, hand, viewer, seed)
                if not goes_on(other):
                    impossible += 1
                    continue
                before, asked = told(log, viewer)
                after, others_asked = told(other, viewer)
                assert before == after, (table, seed, viewer)
                told_apart += asked != others_asked
                compared += 1
    assert impossible <= compared / 10
    return told_apart


def test_nothing_that_is_hidden_can_be_learned() -> None:
    """At every fifth kind of table, which goes through all editions and sizes (2 s CPU)."""
    assert compare(TABLES[::5], 1, 2), "the cards that changed places never decided who is asked"


@pytest.mark.once
def test_nothing_that_is_hidden_can_be_learned_at_any_table() -> None:
    """Every table of every edition, every seat and a spectator (30 s CPU)."""
    assert compare(TABLES, 1, 9) > 20


def test_a_leak_would_be_found() -> None:
    """The comparison itself: of the seat that holds the cards it would tell."""
    log, hand, _everybody, seed = next(games(("classic", 2, 2), 1))
    mixed = permuted(log, hand, 0, seed)
    assert told(log, 0) == told(mixed, 0)
    assert told(log, 1) != told(mixed, 1)


# ---------------------------------------------------------------- over HTTP


class Door:
    """An application in this process, asked without a network."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def ask(self, method: str, path: str, token: str | None, body: bytes = b"", until: bytes = b"") -> str:
        """The whole answer as text; of a stream, what comes until ``until`` has."""
        host = [(b"host", b"localhost")]
        headers = host if token is None else [*host, (b"authorization", f"Bearer {token}".encode())]
        path, _, query = path.partition("?")
        scope = {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": headers}
        scope["client"] = ("127.0.0.1", 1)
        said, asked, gone = b"", False, asyncio.Event()

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if asked:
                await gone.wait()
                return {"type": "http.disconnect"}
            asked = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal said
            if message["type"] == "http.response.start":
                said += b"%d %r\n" % (message["status"], sorted(message["headers"]))
            said += message.get("body", b"")
            if until and until in said:
                gone.set()

        async with asyncio.timeout(300):
            await self.app.asgi({**scope, "http_version": "1.1", "root_path": "", "scheme": "http"}, receive, send)
        return said.decode()


async def keep(store: Store, log: list[Fact], tokens: str = "token", due: int | None = None) -> None:
    """Put a log into a database, with a token for each seat: ``token 0`` and so on."""
    assert isinstance(log[0], Created)
    name, status = log[0].table, fold(log).status
    seats = [Key(hash_of(f"{tokens} {seat}"), name, seat, "seat") for seat in range(len(log[0].places))]
    for seq, event in enumerate(log, 1):
        write = Write(table=name, seq=seq, fact=event, status=status, due=due, keys=tuple(seats) if seq == 1 else ())
        await (store.create if seq == 1 else store.add)(write)


async def answers(path: Path, log: list[Fact], viewer: int | None) -> list[str]:
    """Whatever a server that holds this table says to a viewer, and its metrics."""
    url = f"sqlite:///{path}"
    store = await open_store(url)
    await keep(store, log)
    await store.close()
    app = make_app(url, quick(pace=Pace(HOUR, HOUR, HOUR)))
    door, token, table = Door(app), None if viewer is None else f"token {viewer}", "/api/tables/T"
    async with app.asgi.router.lifespan_context(app.asgi):
        seen = await door.ask("GET", table, token)
        version = msgspec.json.decode(seen.partition("\n")[2])["version"]
        assert app.service is not None
        messages = app.service.live["T"].state.messages
        last = max((message.version for message in messages if message.seen_by(viewer) is not None), default=0)
        events = f"{table}/events?after={app.service.live['T'].state.floor}"
        found = [seen, await door.ask("GET", events, token, until=b"id: %d\n" % last)]
        for what, body in (
            ("moves", {"move": "pass", "version": version}),
            ("moves", {"move": "right_of_way!", "version": version, "key": "k"}),
            ("moves", {"move": "x", "version": 0}),
            ("next", {"version": version}),
            ("asking", {"ask": True}),
        ):
            found.append(await door.ask("POST", f"{table}/{what}", token, msgspec.json.encode(body)))
        found += [await door.ask("GET", f"{table}/transcript", token), await door.ask("GET", "/metrics", None)]
    return found


def without_times(texts: list[str]) -> list[str]:
    """Leaves out what is the time now, and how long something took."""
    return [
        re.sub(r"(?m)\"left\":\d+|'content-length', b'\d+'|^millebornes_\w*(seconds|created|bytes)\w*[ {].*$", "", text)
        for text in texts
    ]


@pytest.mark.parametrize("number", range(3))
def test_nothing_is_said_over_http(tmp_path: Path, number: int, caplog: pytest.LogCaptureFixture) -> None:
    """Three tables, of which a viewer who is not asked sees all that the server says."""
    caplog.set_level(logging.DEBUG)
    table = [("classic", 2, 2), ("house", 3, 3), ("wikibooks", 4, 2)][number]
    for log, hand, everybody, seed in games(table, 40):
        viewer = everybody[seed % len(everybody)]
        other = permuted(log, hand, viewer, seed)
        state = fold(log)
        if state.window is not None and told(log, viewer)[1] != told(other, viewer)[1]:
            break
    else:
        raise AssertionError("the cards that changed places never decided who is asked")
    window = now() + HOUR  # it is open while everything is looked at
    said, lines = [], []
    for name, events in (("a", log), ("b", other)):
        begun = events[0]
        assert isinstance(begun, Created)
        latest = msgspec.structs.replace(events[-1], at=window)
        events = [msgspec.structs.replace(begun, coup_window=60_000), *events[1:-1], latest]
        caplog.clear()
        said.append(without_times(asyncio.run(answers(tmp_path / name, events, viewer))))
        ours = [record for record in caplog.records if record.name.startswith("millebornes")]
        lines.append([record.getMessage() for record in ours])
    assert said[0] == said[1]
    assert lines[0] == lines[1]
