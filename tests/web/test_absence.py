"""Who is away, who sits in for them, whose time is up; and tables that nobody returns to."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from millebornes.editions import make_rules
from millebornes.table import commands
from millebornes.table.facts import Away, Back, Created, Fact, Joined, Left, MoveMade, Returned, Waited
from millebornes.table.log import fold
from millebornes.table.seats import AWAY_AFTER
from millebornes.table.setup import GameSetup
from millebornes.table.steps import Pace, StepKind, steps_of
from millebornes.web.store.clock import now, uptime, wall
from millebornes.web.store.retention import DAY, Lifetimes
from millebornes.web.store.store import open_store
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.live import LiveTable
from millebornes.web.tables.presence import QUIET_AFTER, STEP, Listener, Presence, changes_of
from millebornes.web.tables.seat_registry import hash_of
from millebornes.web.tables.service import Service
from tests.web.client import Client
from tests.web.playing import Game, created
from tests.web.serving import Running, quick, run
from tests.web.test_api import refused, until


async def two(service: Service, **more: Any) -> LiveTable:
    """A table of two people in their first hand; where clocks are short, perhaps at its end already."""
    usual: dict[str, Any] = {"places": ("human", "open"), "names": ("Ann",), "match_target": None, "coup_window": 5}
    wanted = GameSetup(**{"seed": "1", **usual, **more})
    name, _seat, _token, codes, _link = await service.create(wanted)
    await service.seating.join(codes[1] or "", "Bo")
    table = await service.table(name)
    while table.state.status == "waiting" or table.published != table.state.version:
        await asyncio.sleep(0.005)
    return table


def told(table: LiveTable, after: int) -> list[tuple[str, Any]]:
    """The types and contents of public messages after a version."""
    import json

    return [(m.event, json.loads(m.public)) for m in table.messages(after) or () if m.public is not None]


def test_an_absent_seat(tmp_path: Path) -> None:
    """The others see the time run, may wait or send a computer player, and who comes back takes the seat again."""
    database = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work(service: Service) -> None:
        table = await two(service)
        begun = now()
        seen, update_presence = table.presence, service.maintenance.update_presence
        version = table.published
        seen.touch(0, begun + QUIET_AFTER)
        await update_presence(begun + QUIET_AFTER - 1000)
        assert table.published == version, "a moment isn't an absence"
        time = begun + QUIET_AFTER + 1000
        seen.touch(0, time)
        for _ in range(3):
            await update_presence(time)
        assert [event for event, _ in told(table, version)] == ["away"], "said once"
        until_ = table.state.absent[1]
        assert 0 <= until_ - (begun + AWAY_AFTER) <= STEP
        assert until_ % STEP == 0
        snapshot = await table.look(0)
        assert snapshot.absent[0].seat == 1
        assert AWAY_AFTER - STEP < snapshot.absent[0].left <= AWAY_AFTER + STEP
        assert snapshot.away == ()

        def choose(choice: str, at: int, own: int = 0, seat: int = 1) -> Awaitable[dict[str, Any]]:
            return table.do(own, lambda state: commands.absent(state, own, seat, choice, at))

        with pytest.raises(ApiError, match="may still come back"):
            await choose("computer", until_ - 1)
        for seats in ((0, 0), (1, 1), (0, 7)):
            with pytest.raises(ApiError, match="is not away"):
                await choose("computer", until_, *seats)
        await choose("wait", until_)
        with pytest.raises(ApiError, match="may still come back"):
            await choose("computer", until_ + 1)
        time = until_ + AWAY_AFTER
        seen.touch(0, time)
        await choose("computer", time)
        assert ([*table.state.away], table.state.absent) == ([1], {})
        seen.touch(0, time)
        await update_presence(time)
        assert [*table.state.away] == [1], "not back before it is heard of"
        again = Service(await open_store(database), quick())
        mirror = await again.table(table.name)
        mirror.presence.touch(0, now())
        await again.maintenance.update_presence(now())
        assert [*mirror.state.away] == [1], "a server that begins has not heard of it"
        await again.close()
        seen.touch(1, time)
        await update_presence(time)
        assert table.state.away == set()
        events = [event for event, _ in told(table, version) if event not in {"moved", "drew"}]
        assert events == ["away", "wait", "left", "joined"]
        assert dict(told(table, version))["left"]["by"] == 0
        time += QUIET_AFTER + 1000
        seen.touch(0, time)
        await update_presence(time)
        seen.enter(1)
        await update_presence(time)
        assert [event for event, _ in told(table, version)][-2:] == ["away", "back"], "an open stream is a sign"

    run(database, work)


def test_who_has_left_by_themselves_is_not_called_back() -> None:
    game = Game(created("me", "open"), 1)
    while game.state.status != "playing":
        game.step()
    game.do(Left(at=50, seat=1))
    here = Presence(0)
    here.touch(0, 100_000)
    here.touch(1, 100_000)
    assert changes_of(game.state, here, 100_000, False) == []
    game.do(Returned(at=51, seat=1))
    here.touch(1, 0)
    assert changes_of(game.state, here, 100_000, False) == [Away(at=100_000, seat=1, until=100_000)]
    here.receive_reports([(100_000, [[[1, 1_000]], 3])])
    assert changes_of(game.state, here, 100_000, True) == [], "another process has heard of it"
    assert here.spectators == 3
    assert changes_of(game.state, here, 300_000, True) == [], "nobody is there to be told"


def test_a_seat_that_nobody_hears_of(server: Running) -> None:
    """The same over HTTP: stream, choice, and the way back by looking at the table."""
    with Client.create(server.url, places=["me", "open"]) as ann, ann.join(ann.invitations[1] or "", "Bo") as bo:
        refused(409, "present", lambda: ann.do("absent", seat=1, choice="computer"))
        refused(400, "malformed", lambda: ann.do("absent", seat=1, choice="nothing"))
        with ann.spectator() as eve:
            refused(401, "token", lambda: eve.do("absent", seat=1, choice="computer"))
            looks = eve.events()
            next(looks)
            assert ann.look()["spectators"] == 1
        stream = ann.events()
        until(stream, lambda told: told.event == "hand")
        server.service.live[ann.table].presence.touch(1, now() - AWAY_AFTER - STEP)
        away = until(stream, lambda told: told.event == "away")
        assert away.data == {"type": "away", "seat": 1, "name": "Bo", "left": away.data["left"]}
        while ann.look()["absent"][0]["left"]:
            pass
        ann.do("absent", seat=1, choice="computer")
        left = until(stream, lambda told: told.event == "left")
        assert left.data == {"type": "left", "seat": 1, "name": "Bo", "by": 0}
        bo.look()
        until(stream, lambda told: told.event == "joined" and told.data["seat"] == 1)
        assert ann.look()["away"] == []


# ---------------------------------------------------------------- clocks


def test_clocks() -> None:
    """A clock runs while its seat is openly to move, and never in a window."""
    game = Game(created("me", "open", clock=(100_000, 2000)), 5)
    state, runs, windows = game.state, set(), 0
    assert state.clocks is not None
    before: dict[str, Any] = {}
    for _ in range(300):
        game.step()
        seen = state.clocks.to_object(game.log[-1].at)
        assert (seen.initial_ms, seen.increment_ms) == (100_000, 2000)
        assert seen.running == state.turn
        runs.add(seen.running)
        if state.window is not None:
            windows += 1
            assert state.clocks.to_object(10**9) == seen
            if before.get("window"):
                assert seen == before["seen"]
        elif state.turn is not None:
            (step,) = steps_of(state, Pace())
            assert (step.task, step.seat) == (StepKind.FLAG, state.turn)
            left_over = seen.left[state.turn]
            assert left_over is not None
            assert step.due == game.log[-1].at + left_over
            assert not state.is_late(state.turn, step.due - 1)
            assert state.is_late(state.turn, step.due)
        before = {"window": state.window, "seen": seen}
    assert runs == {None, 0, 1}
    assert windows
    while state.turn is None or state.status != "playing":
        game.step()
    seat = state.turn
    left = state.clocks.to_object(game.log[-1].at).left[seat]
    assert left is not None
    assert state.clocks.to_object(game.log[-1].at + 500).left[seat] == left - 500
    game.do(Left(at=game.log[-1].at + 700, seat=seat))
    stopped = state.clocks.to_object(10**9)
    assert (stopped.left[seat], stopped.running) == (left - 700, None)


def test_a_computer_player_moves_for_who_runs_out_of_time(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        short = {"goal": 100, "extension_goal": None}
        rules = make_rules("classic", 2, None, short)
        table = await two(service, rules=rules, clock=(20, 0))
        while table.state.status != "hand_over" or table.published != table.state.version:
            await asyncio.sleep(0.01)
        log = await service.store.facts(table.name)
        assert all(event.late for event in log if isinstance(event, MoveMade) and not event.move.endswith("!"))
        events = [event for event, _ in told(table, 0)]
        assert events.count("time_out") == sum(isinstance(event, MoveMade) for event in log)
        assert fold(log).messages == table.state.messages

    run(f"sqlite:///{tmp_path / 'tables.db'}", work)


def test_a_table_with_clocks(server: Running) -> None:
    for wrong in ({"initial_s": 1}, {"increment_s": 5}, {"initial_s": 60, "increment_s": -1}, 5):
        refused(400, "malformed", lambda wrong=wrong: Client.create(server.url, clock=wrong))  # type: ignore[misc]
    with Client.create(server.url, places=["me", "casual"], clock={"initial_s": 90.5, "increment_s": 2}) as ann:
        until(ann.events(), lambda told: told.event == "choose")
        clocks = ann.look()["clocks"]
        assert (clocks["initial_ms"], clocks["increment_ms"], clocks["running"]) == (90_500, 2000, 0)
        assert clocks["left"][1] is None
        assert 60_000 < clocks["left"][0] <= 90_500


# ---------------------------------------------------------------- expiry


def test_tables_that_nobody_returns_to(url: str) -> None:
    """Each is let go when its own time is over, by one of two processes, with all that belongs to it."""

    async def work(service: Service) -> None:
        wanted = GameSetup(places=("human", "open"), names=("Ann",), match_target=None, coup_window=5)
        waiting, _seat, token, _codes, _link = await service.create(wanted)
        playing = await two(service)
        seen = await playing.look(0)
        await playing.move(0, next(text for text in seen.legal if text[0] == "-"), seen.version, "k")
        other = Service(await open_store(url), quick(lifetimes=Lifetimes(unfinished=60)))
        mirror = await other.table(playing.name)
        mirror.presence.listeners.add(Listener(None, 1.0))
        begun, runs = wall(), uptime()

        async def tidy(after: int, each: Service = service) -> list[str]:
            return await each.maintenance.tidy(now() + after, begun + after, runs + after)

        assert await tidy(0) == []
        service.live[waiting].presence.touch(0, now() + 1)
        assert await tidy(2 * DAY) == [], "somebody has looked at it meanwhile"
        assert await tidy(2 * DAY + DAY // 2) == []
        gone = await asyncio.gather(*(tidy(4 * DAY, each) for each in (service, other)))
        assert sorted(gone) == [[], [waiting]]
        service.live.pop(waiting, None)  # let go from memory, as happens after some minutes
        with pytest.raises(ApiError, match="there is no such table"):
            await service.seat(waiting, token)
        assert await service.store.key(hash_of(token or "")) is None
        # Somebody looks on over the other process, so this one lets it be.
        assert await tidy(30 * DAY, other) == []
        assert await tidy(59 * DAY) == []
        mirror.presence.listeners.clear()
        assert await tidy(61 * DAY) == [playing.name]
        assert await service.store.facts(playing.name) == []
        assert await service.store.command(playing.name, 0, "k") is None
        with pytest.raises(ApiError, match="nobody came back to it"):
            await mirror.do(0, lambda _: commands.chat(0, "hello", None, now()))
        await other.maintenance.update_presence(now())
        await other.close()

    run(url, work)


def test_new_facts_can_be_read_again() -> None:
    from millebornes.table.facts import read_fact, write_fact

    begun = created("me", "open", listed=True, clock=(1, 2))
    events: list[Fact] = [begun, Away(at=1, seat=0, until=2), Back(at=1, seat=0), Waited(at=1, seat=0, by=1, until=5)]
    events += [Left(at=1, seat=0, by=1), MoveMade(at=1, seat=0, move="25", late=True), Joined(at=1, seat=1, name="Bo")]
    assert [read_fact(write_fact(event)) for event in events] == events
    assert isinstance(begun, Created)
