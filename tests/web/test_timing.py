"""The times of answers around a coup fourré tell nobody whether somebody is asked (R5.5).

The same hands are played twice, with the safety in the hand of who was hit, and elsewhere among the cards that the
attacker cannot see. Each time is compared between the two by a signed-rank test.
"""

import asyncio
import random
import statistics
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from millebornes.game import Match, Move, Phase
from millebornes.table.facts import Fact, MoveMade
from millebornes.table.log import fold
from millebornes.table.state import TableState
from millebornes.table.steps import USUAL_PACE
from millebornes.web.store.clock import now
from millebornes.web.store.store import open_store
from millebornes.web.tables.computer_players import ComputerPlayers
from millebornes.web.tables.snapshot import snapshot_of as shown
from tests.web.client import Client
from tests.web.leaks import permuted
from tests.web.playing import Game, created
from tests.web.serving import QUICK, Running, keep, quick

pytestmark = pytest.mark.once  # every window is waited for
MAX_EVENTS_AT_ONCE, LONG = 300, 20_000
NEVER = 1e-6
"""A test of times fails by chance so seldom."""


class Pair(NamedTuple):
    """Two logs that end before the same hazard: in the first somebody is asked then. The attacker's seat and move."""

    logs: tuple[list[Fact], list[Fact]]
    seat: int
    move: str


def asks(log: list[Fact]) -> bool | None:
    """Whether a log ends with a window in which somebody is asked; None where none is open."""
    state = fold(log)
    if state.window is None or state.match is None:
        return None
    return state.match.hand.phase is Phase.COUP


def a_pair(seed: int, other: str, window: int) -> Pair | None:
    """A game by chance up to a hazard, whose hidden cards can lie so and so."""
    game = Game(created("me", other, coup_window=window, match_target=None), seed, forfeits=0)
    for _ in range(60):
        game.step()
        latest, state = game.log[-1], game.state
        if state.window is None or state.match is None or not isinstance(latest, MoveMade) or latest.seat != 0:
            continue
        found: dict[bool | None, list[Fact]] = {asks(game.log): game.log}
        for n in range(20):
            log = permuted(game.log, state.match.hand, 0, n)
            found.setdefault(asks(log), log)
        if True in found and False in found:
            return Pair((found[True][:-1], found[False][:-1]), 0, latest.move)
    return None


def pairs(count: int, other: str, window: int) -> list[Pair]:
    found: list[Pair] = []
    seed = 0
    while len(found) < count:
        pair, seed = a_pair(seed, other, window), seed + 1
        if pair is not None:
            found.append(pair)
    return found


def named(log: list[Fact], name: str) -> list[Fact]:
    """The log as a table of this name, all of it now."""
    events = [msgspec.structs.replace(event, at=now()) for event in log]
    return [msgspec.structs.replace(events[0], table=name), *events[1:]]


def lay(path: Path, found: list[Pair]) -> None:
    """Put all tables into a database: ``h7`` where somebody will be asked, ``n7`` where nobody will."""

    async def whole() -> None:
        store = await open_store(f"sqlite:///{path}")
        for n, pair in enumerate(found):
            for kind, log in zip("hn", pair.logs, strict=True):
                await keep(store, named(log, f"{kind}{n}"), f"{kind}{n}")
        await store.close()

    asyncio.run(whole())


def times(seats: tuple[Client, Client], table: str, pair: Pair, answers: bool, whole: bool) -> dict[str, float]:
    """What the attacker can time; where somebody is asked, and ``answers``, they let the coup fourré go."""
    attacker, holder = seats
    for seat, client in enumerate(seats):
        client.table = table
        client.http.headers["Authorization"] = f"Bearer {table} {seat}"
    version = attacker.look()["version"]
    holder.look()
    begun = time.perf_counter()
    attacker.move(pair.move, version)
    found = {"move": time.perf_counter() - begun}
    looks = []
    for n in range(7):
        begun = time.perf_counter()
        seen = attacker.look()
        looks.append(time.perf_counter() - begun)
        if n == 3 and answers:  # the same request, whatever it is worth
            holder.http.post(f"api/tables/{table}/moves", json={"move": "pass", "version": seen["version"]})
    found["table"] = statistics.median(looks)
    if whole and seen["window"] is not None:
        begun = time.perf_counter()
        for told in attacker.events(after=seen["version"]):
            if told.id is not None:
                break
        found["window"] = time.perf_counter() - begun + seen["window"]["ms"] / 1000 - seen["window"]["left"] / 1000
    return found


def chance(differences: list[float]) -> float:
    """How likely signed ranks as far from zero as these are where nothing differs (exactly, as all are different)."""
    ordered = sorted((value for value in differences if value), key=abs)
    most = len(ordered) * (len(ordered) + 1) // 2
    positive = sum(rank for rank, value in enumerate(ordered, 1) if value > 0)
    ways = [1] + [0] * most  # by the sum of the positive ranks, how many choices of signs lead to it
    for rank in range(1, len(ordered) + 1):
        for total in range(most, rank - 1, -1):
            ways[total] += ways[total - rank]
    beyond = sum(count for total, count in enumerate(ways) if abs(2 * total - most) >= abs(2 * positive - most))
    return beyond / (1 << len(ordered))


def chances(path: Path, count: int, other: str = "open", *, whole: bool = True) -> dict[str, float]:
    """By what is timed: how likely the differences are where nothing leaks. To the end of windows if ``whole``."""
    found, rng = pairs(count, other, MAX_EVENTS_AT_ONCE if whole else LONG), random.Random(count)
    answers = other == "open"
    lay(path, found)
    differences: dict[str, list[float]] = {}
    settings = quick(pace=QUICK._replace(even=USUAL_PACE.even))
    with Running(path, settings) as running, Client(running.url) as attacker, Client(running.url) as holder:
        seats = attacker, holder
        for n, pair in enumerate(found):
            kinds = rng.sample("hn", 2)  # whoever comes first may be quicker, or slower
            timed = {kind: times(seats, f"{kind}{n}", pair, answers, whole) for kind in kinds}
            for what in timed["h"].keys() & timed["n"].keys():
                differences.setdefault(what, []).append(timed["h"][what] - timed["n"][what])
    return {what: chance(values) for what, values in differences.items()}


def test_no_time_tells_that_somebody_is_asked(tmp_path: Path) -> None:
    """30 hands, each twice: the hazard's acknowledgement, the table, and the end of the window (7 s CPU)."""
    found = chances(tmp_path / "tables.db", 30)
    assert set(found) == {"move", "table", "window"}
    assert min(found.values()) > NEVER, found


def test_no_time_tells_that_a_computer_player_is_asked(tmp_path: Path) -> None:
    """Its thoughts are no slower to be heard of: what is timed ends before it may call (6 s CPU)."""
    found = chances(tmp_path / "tables.db", 30, "basic", whole=False)
    assert min(found.values()) > NEVER, found


def test_whoever_may_be_asked_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer player that is not asked thinks as well, so that the server's load tells nothing (up to 8 s)."""
    thoughts: list[tuple[str, int, int | None]] = []
    choose = ComputerPlayers.choose

    async def noted(self: ComputerPlayers, kind: str, match: Match, seat: int, seed: str, table: str | None) -> Move:
        thoughts.append((kind, seat, match.hand.seat))
        return await choose(self, kind, match, seat, seed, table)

    monkeypatch.setattr(ComputerPlayers, "choose", noted)
    found = pairs(1, "basic", LONG)
    lay(tmp_path / "tables.db", found)
    with Running(tmp_path / "tables.db", quick()) as running, Client(running.url) as attacker:
        for kind in "hn":
            thoughts.clear()
            attacker.table = f"{kind}0"
            attacker.http.headers["Authorization"] = f"Bearer {kind}0 0"
            attacker.move(found[0].move, attacker.look()["version"])
            while not thoughts:
                assert attacker.look()["window"] is not None
                time.sleep(0.05)
            assert thoughts == [("basic", 1, 1)]


def test_a_leak_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that takes 30 ms longer to show a table where somebody is asked: the busier the machine, the later."""

    def leaking(state: TableState, *others: Any) -> Any:
        if state.window is not None and state.match is not None and state.match.hand.phase is Phase.COUP:
            time.sleep(0.03)
        return shown(state, *others)

    monkeypatch.setattr("millebornes.web.tables.live.snapshot_of", leaking)
    counts = (24, 48, 96)
    assert any(chances(tmp_path / f"{n}.db", n, whole=False)["table"] <= NEVER for n in counts)


def test_chance() -> None:
    assert chance([1.0, -1.1, 0.9, -0.8, 1.2, -1.3] * 5) > 0.05
    assert chance([1.0 + n / 100 for n in range(21)]) == 2**-20 <= NEVER
    assert chance([1.0, -2.0, 4.0]) == 6 / 8
