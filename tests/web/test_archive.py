"""Finished matches and long logs: read off the event loop, once, in turn; and no log grows for ever."""

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from millebornes.table import log as table_log
from millebornes.table import state
from millebornes.table.facts import ChatSent, Fact, Left, Returned
from millebornes.table.log import fold
from millebornes.table.state import TableState
from millebornes.web.store.clock import now
from millebornes.web.store.store import open_store
from millebornes.web.tables import archive
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.service import Service
from tests.web.client import Client, Refused
from tests.web.playing import Game, created
from tests.web.serving import Running, put, quick, run
from tests.web.test_absence import two


def matches(count: int, **more: Any) -> list[Fact]:
    """The log of so many matches of one hand or a few."""
    game = Game(created("me", "open", match_target=100, **more), 1, forfeits=0)
    while game.state.match is None or game.state.number < count or game.state.status != "playing":
        game.step()
    at = now()
    return [msgspec.structs.replace(event, at=at) for event in game.log]


def test_matches_are_read_once_and_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[tuple[int, bool]] = []

    def noted(log: list[Fact]) -> TableState:
        read.append((len(log), threading.current_thread() is threading.main_thread()))
        return fold(log)

    monkeypatch.setattr(archive, "fold", noted)
    monkeypatch.setattr(archive, "MAX_EVENTS_AT_ONCE", 10)
    log = matches(4)

    async def work(service: Service) -> None:
        table = await service.table("T")
        assert read == [(len(log), False)], "loading a long table stops nobody"
        read.clear()
        found = await asyncio.gather(*(service.past(table, number) for number in (1, 2, 1, 2, 1)))
        assert [state.number for state in found if state.match is not None] == [1, 2, 1, 2, 1]
        assert all(state.status == "match_over" for state in found)
        assert len(read) == 2
        assert not any(is_main for _length, is_main in read)
        assert await service.past(table, 1) is found[0]
        assert await service.past(table, 4) is table.state
        for number in (0, 5, 999_999_999):
            with pytest.raises(ApiError, match=f"there is no match {number}"):
                await service.past(table, number)
        assert len(read) == 2, "nothing is read for matches that there are not"
        whole = await service.archive.transcript(found[0], "")
        assert whole.startswith('{"format":"millebornes/1"')
        with pytest.raises(ApiError, match="no hand is finished"):
            await service.archive.transcript(TableState(created("me", "open")), "")

    put(tmp_path / "tables.db", log)
    run(tmp_path / "tables.db", work)


def test_only_some_matches_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MATCHES", 2)

    async def work(service: Service) -> None:
        table = await service.table("T")
        for number in (1, 2, 3, 1):
            await service.past(table, number)
        assert [service.archive.has("T", number) for number in (1, 2, 3)] == [True, False, True]

    put(tmp_path / "tables.db", matches(4))
    run(tmp_path / "tables.db", work)


def test_over_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody looks at a table while a dozen ask for a match that takes as long as it likes."""
    slow = threading.Event()

    def held(log: list[Fact]) -> TableState:
        slow.wait()
        return fold(log)

    put(tmp_path / "tables.db", matches(3))
    with Running(tmp_path / "tables.db", quick(limits=True)) as running, Client(running.url, "T", "token 0") as ann:
        assert ann.look()["match"] == 3
        monkeypatch.setattr(archive, "fold", held)
        answers: list[int] = []

        def ask() -> None:
            answers.append(httpx.get(f"{running.url}api/tables/T/transcript?match=1", timeout=60).status_code)

        asking = [threading.Thread(target=ask) for _ in range(12)]
        for thread in asking:
            thread.start()
        while not running.service.archive._kept:
            time.sleep(0.01)
        assert ann.look()["match"] == 3
        for path, status in (
            ("api/tables/T/transcript?match=999", 404),
            ("api/tables/T/transcript?match=" + "9" * 5000, 400),
            ("t/T/hands/1?match=999", 404),
            ("t/T/deals/1?match=0", 404),
            ("t/T/hands/99", 404),
            ("t/T/hands/" + "9" * 5000, 404),
        ):
            assert httpx.get(running.url + path).status_code == status, path[:60]
        slow.set()
        for thread in asking:
            thread.join()
        assert answers == [200] * 12
        assert httpx.get(f"{running.url}t/T/hands/1?match=1").status_code == 200


# ---------------------------------------------------------------- how long a log becomes


def test_a_log_is_read_as_it_was_written() -> None:
    """Questions that nobody is told any more are left out; all else is the same."""
    log = matches(3)
    state = TableState(log[0])  # type: ignore[arg-type]
    for event in log:
        state.apply(event)
    assert table_log.fold(log).messages == state.messages
    assert (table_log.fold(log).version, table_log.fold(log).hands) == (state.version, state.hands)


@pytest.mark.parametrize("target", [None, 100])
def test_a_table_is_complete_after_so_many_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: int | None
) -> None:
    monkeypatch.setattr(state, "MAX_HANDS", 3 if target is None else 9)
    monkeypatch.setattr(state, "MAX_HANDS_BEFORE_MATCH", 3)
    short = {"goal": 100, "extension_goal": None}
    game = Game(created("me", "basic", match_target=target, settings=short), 1, forfeits=0)
    is_over = {"hand_over", "match_over"}
    while not (state.is_complete(game.state) and game.state.status in is_over):
        game.step()
        assert game.state.next_hand[1] <= 10
    if target is None:
        assert (game.state.status, game.state.next_hand[1]) == ("hand_over", 4)
    else:
        assert game.state.status == "match_over"
    put(tmp_path / "tables.db", game.log)
    with Running(tmp_path / "tables.db") as running, Client(running.url, "T", "token 0") as ann:
        seen = ann.look()
        assert seen["complete"]
        with pytest.raises(Refused, match="complete") as caught:
            ann.do("next", version=seen["version"])
        assert caught.value.status == 409
        page = httpx.get(f"{running.url}t/T", cookies={"seat-T": "token 0"}).text
        assert 'id="complete"' in page
        assert 'id="next"' not in page
        assert ann.transcript().count('"hand":') >= 1


def test_no_table_is_filled_with_chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        service = Service(await open_store(f"sqlite:///{tmp_path / 'tables.db'}"), quick())
        table = await two(service)
        monkeypatch.setattr(state, "MAX_FACTS", table.state.seq + 1)
        await table.do(0, lambda _: ChatSent(at=now(), seat=0, text="the last word"))
        with pytest.raises(ApiError, match="its log is full"):
            await table.do(0, lambda _: ChatSent(at=now(), seat=0, text="and one more"))
        await table.do(1, lambda _: Left(at=now(), seat=1))
        with pytest.raises(ApiError, match="its log is full"):
            await table.do(1, lambda _: Returned(at=now(), seat=1))
        await table.update_presence(now() + 10**9)
        assert table.state.absent == {}
        seen = await table.look(0)
        await table.move(0, next(text for text in seen.legal if text[0] == "-"), seen.version, None)
        await service.close()

    asyncio.run(work())
