"""A clock that is wrong, or is set while a server runs: no game ends, stands still or is deleted for it."""

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

from millebornes.table.facts import Away, ChatSent, Closed, MoveMade
from millebornes.table.log import fold
from millebornes.table.seats import AWAY_AFTER
from millebornes.table.steps import Pace
from millebornes.web.store import clock as server_clock
from millebornes.web.store.clock import HOUR, ClockMonitor, ClockRange
from millebornes.web.store.retention import DAY
from millebornes.web.tables.presence import QUIET_AFTER
from millebornes.web.tables.service import Service
from millebornes.web.tables.table_time import MAX_DOWNTIME, TableTime
from tests.web.client import Client
from tests.web.playing import Game, created
from tests.web.serving import Process, Running, put, run
from tests.web.test_absence import two
from tests.web.test_timing import pairs

MONTH = 31 * DAY


class Clock:
    """The machine's clock, which can be set; what runs evenly runs on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.off = 0
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() + self.off * 1_000_000)
        monkeypatch.setattr(time, "time", lambda: (real() + self.off * 1_000_000) / 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_even_times(clock: Clock) -> None:
    begun, shown = server_clock.now(), server_clock.wall()
    clock.off = -HOUR
    assert 0 <= server_clock.now() - begun < HOUR // 2
    assert server_clock.wall() < shown


def test_calm() -> None:
    monitor = ClockMonitor(5 * DAY, 0)
    assert not monitor.is_reliable(HOUR - 1)
    assert monitor.is_reliable(HOUR)
    assert monitor.check(5 * DAY + 2 * HOUR, 2 * HOUR) is None
    assert monitor.check(9 * DAY, 3 * HOUR) == ClockRange(5 * DAY, 5 * DAY + 3 * HOUR)
    assert not monitor.is_reliable(4 * HOUR - 1)
    assert monitor.is_reliable(4 * HOUR)
    assert monitor.check(DAY, 5 * HOUR) == ClockRange(9 * DAY, 9 * DAY + 2 * HOUR)


@pytest.mark.parametrize("off", [-HOUR, HOUR, MONTH])
def test_a_game_goes_on_while_the_clock_is_set(tmp_path: Path, clock: Clock, off: int) -> None:
    """In a window, before a computer player moves, and while a person's clock runs."""

    async def work(service: Service) -> None:
        table = await two(service, coup_window=60_000, clock=(7_200_000, 0))
        clock.off = off
        seat = table.state.turn
        assert seat is not None
        seen = await table.look(seat)
        move = next(text for text in seen.legal if text[0] == "-")
        await table.move(seat, move, seen.version, None)
        after = await table.look(None)
        left = None if after.clocks is None else after.clocks.left[seat]
        assert left is not None
        assert left > 7_000_000, "an hour has not passed"
        clock.off = 0
        seen = await table.look(1 - seat)
        await table.move(1 - seat, next(text for text in seen.legal if text[0] == "-"), seen.version, None)
        times = [event.at for event in await service.store.facts(table.name)]
        assert times == sorted(times)
        assert times[-1] - times[0] < HOUR
        assert fold(await service.store.facts(table.name)).messages == table.state.messages

    run(tmp_path / "tables.db", work, starts=True)


def test_a_window_is_as_long_as_ever(tmp_path: Path, clock: Clock) -> None:
    """The clock is set back by an hour while it is open; then a server begins whose clock is an hour behind."""
    (pair,) = pairs(1, "open", 400)
    now = server_clock.now()
    log = [msgspec.structs.replace(event, at=now) for event in pair.logs[0]]

    async def move(service: Service) -> None:
        table = await service.table("T")
        await table.move(0, pair.move, table.published, None)
        assert table.state.window is not None
        clock.off = -HOUR
        await table.refresh()  # planned anew
        while (seen := await table.look(0)).window is not None:
            assert seen.window.left <= 400
            await asyncio.sleep(0.02)

    put(tmp_path / "a.db", log)
    run(tmp_path / "a.db", move, starts=True)

    async def take_up(service: Service) -> None:
        table = await service.table("T")
        window = (await table.look(0)).window
        assert window is not None
        assert 0 < window.left <= 400
        while (await table.look(0)).window is not None:
            await asyncio.sleep(0.02)
        assert isinstance((await service.store.facts("T"))[-1], Closed)

    clock.off = 0
    ahead = [msgspec.structs.replace(event, at=now + HOUR) for event in log]
    opened = MoveMade(at=now + HOUR, seat=0, move=pair.move)
    put(tmp_path / "b.db", [*ahead, opened])
    run(tmp_path / "b.db", take_up, starts=True)


def test_a_log_never_goes_back() -> None:
    game = Game(created("me", "open", clock=(100_000, 0)), 5)
    while game.state.turn is None:
        game.step()
    at, left = game.state.latest, game.state.clocks
    assert left is not None
    before = left.to_object(at)
    game.do(ChatSent(at=at - HOUR, seat=0, text="back"))
    game.do(Away(at=at - HOUR, seat=1, until=at - HOUR + AWAY_AFTER))
    assert game.state.latest == at
    assert game.state.absent == {1: at + AWAY_AFTER}
    assert left.to_object(at) == before


def test_tables_of_computer_players_go_on_after_a_clock_was_fast(tmp_path: Path, clock: Clock) -> None:
    """Written under a clock that was an hour ahead, taken up under one that is right."""
    game = Game(created("casual", "casual", match_target=100), 1, forfeits=0)
    while game.state.status != "playing":
        game.step()
    ahead = [msgspec.structs.replace(event, at=server_clock.wall() + HOUR) for event in game.log]

    clock.off = HOUR
    put(tmp_path / "tables.db", ahead, server_clock.wall())
    clock.off = 0

    async def work(service: Service) -> None:
        while "T" not in service.live or len(await service.store.facts("T")) == len(ahead):
            await asyncio.sleep(0.02)

    run(tmp_path / "tables.db", work, starts=True, pace=Pace(entropy=20, move=0, hand=0, even=1))


def test_time_without_a_server_costs_nobody_the_hand() -> None:
    game = Game(created("me", "open", clock=(10_000_000, 0)), 5)
    while game.state.turn is None:
        game.step()
    game.do(ChatSent(at=server_clock.now() - MONTH, seat=0, text="hm"))
    alone, shared = TableTime(game.state, alone=True), TableTime(game.state)
    assert MAX_DOWNTIME <= alone.now - game.state.latest < 2 * MAX_DOWNTIME
    assert shared.now - game.state.latest >= MONTH


def test_nothing_is_let_go_while_the_clock_may_be_wrong(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        table, begun, runs = await two(service), server_clock.wall(), server_clock.uptime()

        async def tidy(wall: int, after: int) -> list[str]:
            return await service.maintenance.tidy(server_clock.now(), begun + wall, runs + after)

        for name in (table.name,):
            service.live.pop(name)
        assert await tidy(MONTH, 0) == [], "the clock has jumped by a month"
        assert await tidy(MONTH + HOUR // 2, HOUR // 2) == []
        assert await tidy(0, 2 * HOUR) == [], "and back"
        assert await tidy(MONTH, 3 * HOUR) == [], "and ahead for good"
        assert await tidy(MONTH + 2 * HOUR, 5 * HOUR) == [], "what was used under the wrong clock counts as used then"
        assert await tidy(2 * MONTH + 2 * HOUR, MONTH + 5 * HOUR) == [table.name]

    async def other(service: Service) -> None:
        table = await two(service)
        service.live.pop(table.name)
        begun = Service(service.store, service.settings)  # its clock is a month ahead from the start
        assert (
            await begun.maintenance.tidy(server_clock.now(), server_clock.wall() + MONTH, server_clock.uptime()) == []
        )

    run(tmp_path / "a.db", work, starts=True)
    run(tmp_path / "b.db", other, starts=True)


def test_presence_does_not_go_by_the_clock(tmp_path: Path, clock: Clock) -> None:
    async def work(service: Service) -> None:
        table = await two(service)
        for seat in (0, 1):
            table.presence.touch(seat, server_clock.now())
        for off in (HOUR, -HOUR, MONTH):
            clock.off = off
            await service.maintenance.update_presence(server_clock.now())
            assert table.state.absent == {}
        table.presence.touch(1, server_clock.now() - QUIET_AFTER - 1000)
        await service.maintenance.update_presence(server_clock.now())
        assert [*table.state.absent] == [1]

    run(tmp_path / "tables.db", work, starts=True)


SHIFTED = """
import sys, time
real, path = time.time_ns, sys.argv[1]
def shifted():
    with open(path) as file:
        return real() + int(file.read()) * 10**9
time.time_ns, time.time = shifted, lambda: shifted() / 1e9
sys.argv = ["millebornes", *sys.argv[2:]]
from millebornes.cli import main
main()
"""


def _set(offset: Path, seconds: int) -> None:
    offset.with_suffix(".new").write_text(str(seconds), "utf-8")
    offset.with_suffix(".new").replace(offset)


@pytest.mark.once
def test_a_server_whose_clock_is_set(tmp_path: Path) -> None:
    """A process of its own, started a month ahead on a database of today, then set right within a window (15 s)."""
    database, offset = tmp_path / "tables.db", tmp_path / "offset"
    with Running(database) as running, Client.create(running.url, places=["me", "open"]) as before:
        pass
    _set(offset, 31 * 86_400)
    server = Process(database, "--quick", "--no-limits")
    server._command[1:3] = ["-c", SHIFTED, str(offset)]
    with server:
        with Client(server.url, before.table, before.token) as ann:
            assert ann.look()["table"] == before.table, "it's still there"
        with Client.create(server.url, places=["me", "casual"], coup_window_ms=500, match_target=None) as ann:
            for n in range(40):
                seen = ann.look()
                if seen["legal"]:
                    ann.move(seen["legal"][-1], seen["version"])
                if seen["window"] is not None:
                    assert seen["window"]["left"] <= 500
                _set(offset, [0, 31 * 86_400, -3600][n % 3])
                time.sleep(0.05)
            assert ann.look()["version"] > 20
