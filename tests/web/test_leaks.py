"""Nobody learns of cards that they cannot see, at any table of any edition, by whatever the server says.

A game is played by chance. Then the cards that a viewer has not seen change their places, in other hands and in the
draw pile, and the same things happen. Messages, tables and answers to commands must be the same. All that a server
says is compared in `test_twin_servers`.
"""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import pytest

from millebornes.editions import EDITIONS
from millebornes.errors import MilleBornesError
from millebornes.table.facts import Created, Fact
from millebornes.table.log import fold
from millebornes.web.app import App
from tests.web.leaks import in_the_middle, permuted, told
from tests.web.playing import created

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
