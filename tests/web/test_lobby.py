"""The open lobby, links by which a seat is taken up elsewhere, and phrases."""

import asyncio
from pathlib import Path

import pytest

from millebornes.i18n import translator
from millebornes.roster import DEFAULT_PLAYER, level_word
from millebornes.table.messages import PHRASES
from millebornes.table.setup import GameSetup
from millebornes.web.store.clock import now
from millebornes.web.store.store import open_store
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.presence import QUIET_AFTER
from millebornes.web.tables.service import Service
from tests.web.browsing import Browser, value
from tests.web.client import Client, Told
from tests.web.serving import Running, quick, run, wait
from tests.web.test_absence import two
from tests.web.test_api import refused, until


def listed(client: Client) -> list[dict[str, object]]:
    """The entries of the lobby for the client's table."""
    return [entry for entry in client.get("api/lobby")["tables"] if entry["table"] == client.table]


def test_the_lobby(server: Running) -> None:
    refused(400, "open", lambda: Client.create(server.url, places=["me", "casual"], open=True))
    more = {"edition": "house", "seats": 3, "set": {"goal": 900}, "clock": {"initial_s": 60}}
    with (
        Client.create(server.url, places=["me", "open", "open"], open=True, **more) as ann,
        Client.create(server.url, places=["me", "open"]) as private,
        Client(server.url) as anybody,
    ):
        (entry,) = listed(ann)
        assert listed(private) == []
        wanted = {"edition": "house", "set": {"goal": 900}, "seats": 3, "names": ["Ann", None, None], "free": [1, 2]}
        assert wanted.items() <= entry.items()
        assert entry["clock"] == {"initial_s": 60, "increment_s": 0}
        where = f"api/lobby/{ann.table}/join"
        assert anybody.http.get(where).status_code == 405, "a link preview seats nobody"
        refused(409, "taken", lambda: anybody.post(where, {"name": "Bo", "seat": 0}))
        bo = anybody.post(where, {"name": "Bo", "seat": 2})
        assert (bo["table"], bo["seat"]) == (ann.table, 2)
        assert anybody.post(where, {"name": "Bo"}) == bo, "they sit there already"
        anybody.http.cookies.clear()
        refused(409, "taken", lambda: anybody.post(where, {"name": "Cy", "seat": 2}))
        assert listed(ann)[0]["names"] == ["Ann", None, "Bo"]
        ann.do("leave")
        assert listed(ann) == []
        refused(409, "not_open", lambda: anybody.post(where, {"name": "Cy"}))
        ann.do("return")
        assert listed(ann)[0]["free"] == [1]
        assert anybody.post(where, {"name": "Cy"})["seat"] == 1
        anybody.http.cookies.clear()
        assert listed(ann) == [], "full"
        refused(409, "not_open", lambda: anybody.post(f"api/lobby/{private.table}/join", {"name": "Cy"}))
        refused(404, "no_table", lambda: anybody.post("api/lobby/nosuchtable1/join", {"name": "Cy"}))


def test_a_table_leaves_the_lobby_with_who_set_it_up(tmp_path: Path) -> None:
    """Also where that one says nothing, and where the server has been started again meanwhile."""

    database = f"sqlite:///{tmp_path / 'tables.db'}"
    wanted = GameSetup(places=("human", "open"), names=("Ann",), match_target=None, coup_window=5, listed=True)

    async def begin(service: Service) -> None:
        await service.create(wanted)
        assert len(await service.lobby()) == 1

    async def end(service: Service) -> None:
        (name,) = await service.store.listed()
        table = await service.table(name)
        assert not table.is_idle
        await service.maintenance.update_presence(now() + 1000)
        assert len(await service.lobby()) == 1
        await service.maintenance.update_presence(now() + QUIET_AFTER + 1000)
        assert await service.lobby() == []
        table.presence.touch(0, now() + QUIET_AFTER + 2000)
        await service.maintenance.update_presence(now() + QUIET_AFTER + 2000)
        assert len(await service.lobby()) == 1, "who set it up is back"

    run(database, begin)
    run(database, end)


# ---------------------------------------------------------------- another browser


def test_a_seat_moves_to_another_browser(server: Running) -> None:
    with Client.create(server.url, places=["me", "open"]) as ann, Client(server.url) as phone:
        ann.do("asking", ask=False)
        first, link = (ann.do("resume-link")["link"] for _ in range(2))
        assert link.startswith("/resume/")
        refused(404, "no_link", lambda: phone.post(f"api{first}"))
        refused(404, "no_link", lambda: phone.post("api/resume/x"))
        invitation = (ann.invitations[1] or "").rpartition("/")[2]
        refused(404, "no_link", lambda: phone.post(f"api/resume/{invitation}"))
        assert phone.http.get(f"api{link}").status_code == 405, "a link preview moves nothing"
        stream = ann.events(after=ann.look()["version"])
        next(stream)
        answer = phone.http.post(f"api{link}")
        assert answer.status_code == 201
        assert f"seat-{ann.table}=" in answer.headers["set-cookie"]
        made = answer.json()
        assert (made["table"], made["seat"]) == (ann.table, 0)
        assert made["token"] != ann.token
        rest = [told for told in stream if told.event != "beat"]
        assert [told.event for told in rest] == ["resumed"], "the old browser is told, and its stream ends"
        refused(401, "token", ann.look)
        assert phone.post(f"api{link}") == made, "they sit there already"
        phone.http.cookies.clear()
        refused(404, "no_link", lambda: phone.post(f"api{link}"))
        with Client(server.url, ann.table, made["token"]) as again:
            assert again.look()["seat"] == 0
            assert server.service.live[ann.table].auto_pass_seats == {0}
            seen: list[Told] = []
            again.do("chat", phrase="hello")
            until(again.events(after=0), lambda told: told.event == "chat", seen)
            assert "resumed" not in [told.event for told in seen]
            with again.spectator() as eve:
                refused(401, "token", lambda: eve.do("resume-link"))


def test_other_processes_know_that_a_seat_has_moved(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work(service: Service) -> None:
        table = await two(service)
        other = Service(await open_store(database), quick())
        code = await service.seating.resume_link(table.name, 1)
        name, seat, old, _is_new = await service.seating.resume(code)
        assert (await other.seat(name, old)).seat == seat
        await other.store.set_asking(name, seat, False)
        links = [await service.seating.resume_link(name, seat) for _ in range(2)]
        done = await asyncio.gather(
            *(s.seating.resume(links[1]) for s in (service, other, other)), return_exceptions=True
        )
        assert sum(isinstance(result, tuple) for result in done) == 1, done
        assert sum(isinstance(result, ApiError) and result.status == 404 for result in done) == 2
        for each in (service, other):
            await (await each.table(name)).refresh()
            with pytest.raises(ApiError, match="opens no seat"):
                await each.seat(name, old)
        assert await other.store.auto_pass_seats(name) == {seat}
        await other.close()

    run(database, work)


# ---------------------------------------------------------------- phrases


def test_phrases(server: Running) -> None:
    with Client.create(server.url, places=["me", "open"]) as ann:
        known = ann.get("api/phrases")["phrases"]
        assert known == PHRASES
        french = ann.get("api/phrases?language=fr")["phrases"]
        assert french == {name: translator("fr")(text) for name, text in PHRASES.items()}
        assert all(french[name] != text for name, text in PHRASES.items())
        refused(400, "language", lambda: ann.get("api/phrases?language=xx"))
        version = ann.look()["version"]
        ann.do("chat", phrase="good_game")
        told = until(ann.events(after=version), lambda told: told.event == "chat")
        assert told.data == {
            "type": "chat", "seat": 0, "name": "Ann", "text": "Good game!", "phrase": "good_game",
        }  # fmt: skip
        refused(400, "malformed", lambda: ann.do("chat", phrase="nonsense"))
        refused(400, "malformed", lambda: ann.do("chat"))
        refused(400, "malformed", lambda: ann.do("chat", phrase="hello", text="hello"))


def test_an_opponent_is_found(tmp_path: Path) -> None:
    """Two who look for one sit down together; one who looks again keeps the seat; other tables are not taken."""
    with (
        Running(tmp_path / "tables.db") as running,
        Browser(running.url) as ann,
        Browser(running.url) as bo,
        Client.create(running.url, places=["me", "open"], open=True, edition="house"),
    ):
        page = ann.post("/find")
        assert "If no one comes, a computer takes the seat." in page
        first = ann.table
        ann.post("/find")
        assert ann.table == first
        bo.post("/find", name="Bo")
        assert bo.table == first
        until_asked([ann, bo])
        assert "Bo" in ann.look()
        with Browser(running.url) as cy:
            cy.post("/find")
            assert cy.table != first


def test_a_computer_comes_when_nobody_does(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", quick(fill_after=50)) as running, Browser(running.url) as ann:
        ann.post("/find")
        until_asked([ann])
        assert level_word(DEFAULT_PLAYER, translator("en")) in ann.look()
        with Client(running.url, ann.table.rpartition("/")[2]) as anybody:
            assert listed(anybody) == []


def until_asked(browsers: list[Browser]) -> None:
    wait(lambda: any(value(browser.look(), "asked") for browser in browsers))
