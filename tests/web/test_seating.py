"""One browser, or one key, holds at most one seat at a table, whatever is repeated, raced or lost on the way."""

import asyncio
import functools
import itertools
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from millebornes.editions import make_rules
from millebornes.table import commands
from millebornes.table.facts import ChatSent
from millebornes.table.setup import GameSetup
from millebornes.web.store.store import open_store
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import Claim
from millebornes.web.tables.service import Service
from tests.web.browsing import EVERY, Browser, Form, log_of
from tests.web.client import Client
from tests.web.serving import Running, quick, run
from tests.web.test_api import refused, until


@pytest.fixture
def ann(server: Running) -> Iterator[Client]:
    """Whoever set up a table with three open seats, which stands in the lobby."""
    places = ["me", "open", "open", "open"]
    with Client.create(server.url, seats=4, sides=2, places=places, open=True) as made:
        yield made


def taken(client: Client) -> int:
    """How many seats of a table are taken."""
    return sum(name is not None for name in client.look()["names"])


def test_a_join_that_is_sent_again(ann: Client) -> None:
    """The same key, the same answer, at any kind of invitation; another key is somebody else."""
    link = ann.post("api/tables", {"name": "Eve", "places": ["me", "open"]})["link"]
    one = f"api{ann.invitations[2]}"
    lobby = f"api/lobby/{ann.table}/join"
    with Client(ann.url) as nobody, ThreadPoolExecutor(8) as pool:
        for where, seats in ((one, {2}), (lobby, {1}), (f"api{link}", {1})):
            body = {"name": "Bo", "key": f"key of {where}"}
            answers = list(
                pool.map(lambda _, w=where, b=body: httpx.post(f"{ann.url}{w}", json=b, timeout=300), range(8))
            )
            assert {answer.status_code for answer in answers} == {201}
            assert len({answer.text for answer in answers}) == 1
            assert {answer.json()["seat"] for answer in answers} == seats
        assert taken(ann) == 3
        refused(409, "taken", lambda: nobody.post(one, {"name": "Cy", "key": "another"}))
        refused(400, "seat", lambda: nobody.post(f"api{ann.invitations[3]}", {"name": "Cy", "seat": 1}))
        with Client(ann.url) as other:  # the same key at another invitation of the table is another request
            assert other.post(f"api{ann.invitations[3]}", {"name": "Cy", "key": f"key of {one}"})["seat"] == 3


def test_whoever_sits_there_is_told_the_seat(ann: Client) -> None:
    """By token or cookie, at every way in; nothing changes, and the invitation stays good."""
    version = ann.look()["version"]
    link = ann.do("resume-link")["link"]
    for where in (*ann.invitations[1:], f"/lobby/{ann.table}/join", link):
        for headers in ({"authorization": f"Bearer {ann.token}"}, {"cookie": f"seat-{ann.table}={ann.token}"}):
            answer = httpx.post(
                f"{ann.url}api{where}", json={} if where == link else {"name": "Me too"}, headers=headers
            )
            assert (answer.status_code, answer.json()) == (200, {"table": ann.table, "seat": 0, "token": ann.token})
    assert ann.look()["version"] == version
    with ann.join(ann.invitations[1] or "", "Bo") as bo:
        assert bo.seat == 1
    answer = httpx.post(f"{ann.url}api{link}", json={"key": "mine"})
    again = httpx.post(f"{ann.url}api{link}", json={"key": "mine"})
    assert (again.status_code, again.json()) == (201, answer.json()), "the answer was lost"
    assert httpx.post(f"{ann.url}api{link}", json={"key": "yours"}).status_code == 404


def test_one_link_for_all(server: Running) -> None:
    with Client(server.url) as nobody:
        assert nobody.post("api/tables", {"name": "Eve", "places": ["me", "basic"]})["link"] is None
        made = nobody.post("api/tables", {"name": "Eve", "seats": 3, "places": ["me", "open", "open"]})
        link = f"api{made['link']}"
        nobody.http.cookies.clear()
        refused(409, "taken", lambda: nobody.post(link, {"name": "Bo", "seat": 0}))
        assert nobody.http.post(link, json={"name": "Bo", "seat": 2}).json()["seat"] == 2
        nobody.http.cookies.clear()
        refused(409, "taken", lambda: nobody.post(link, {"name": "Cy", "seat": 2}))
        assert nobody.post(link, {"name": "Cy"})["seat"] == 1
        nobody.http.cookies.clear()
        refused(409, "taken", lambda: nobody.post(link, {"name": "Di"}))


def test_leaving_before_the_deal_frees_the_seat(ann: Client) -> None:
    """And its invitation; whoever comes next sees nothing of the one before, who sees nothing of them."""
    invitation = ann.invitations[1] or ""
    with ann.join(invitation, "Bo") as bo:
        bo.do("asking", ask=False)
        bo.do("chat", text="back soon")
        stream = bo.events(after=bo.look()["version"])
        link = bo.do("resume-link")["link"]
        next(stream)
        bo.do("leave")
        told = [told.data for told in stream if told.event != "beat"]
        assert told == [{"type": "left", "seat": 1, "name": "Bo", "free": True}], "the stream ends with the seat"
        refused(401, "token", bo.look)
        refused(404, "no_link", lambda: bo.post(f"api{link}"))
    assert ann.look()["names"][1] is None
    with ann.join(invitation, "Cy") as cy, Browser(ann.url) as watcher:
        assert cy.seat == 1
        assert cy.look()["seat"] == 1
        lines = log_of(watcher.get(f"/t/{ann.table}"))
        assert lines == [
            "Ann sits down.",
            "Bo sits down.",
            "Bo: back soon",
            "Bo has left; the seat is free again.",
            "Cy sits down.",
        ]
        cookies = {"cookie": f"seat-{ann.table}={cy.token}"}
        assert "Bo: back soon" in log_of(httpx.get(f"{ann.url}t/{ann.table}", headers=cookies).text)
        with ann.join(ann.invitations[2] or "", "Di"), ann.join(ann.invitations[3] or "", "Ed"):
            until(cy.events(after=0), lambda told: told.event == "drew")
            cy.do("leave")
            assert cy.look()["away"] == [1], "after the deal it stays"
            refused(409, "dealt", lambda: ann.do("seats/1", place="open"))


def test_seats_by_whoever_set_up_the_table(ann: Client) -> None:
    with ann.join(ann.invitations[1] or "", "Bo") as bo:
        refused(403, "creator", lambda: bo.do("seats/2", place="basic"))
        for seat, place, status, error in (
            ("0", "basic", 409, "own_seat"), ("4", "basic", 404, "no_seat"), ("x", "basic", 404, "no_seat"),
            ("1", "me", 400, "place"), ("1", "nobody", 400, "place"), ("1", "cmd:ls", 400, "place"),
        ):  # fmt: skip
            refused(status, error, functools.partial(ann.do, f"seats/{seat}", place=place))
        seen = ann.look()["version"]
        assert ann.do("seats/2", place="basic")["invitation"] is None
        made = ann.do("seats/1", place="open")
        events = (told for told in ann.events(after=seen) if told.event != "beat")
        told = [(event.event, event.data["name"]) for event in itertools.islice(events, 2)]
        assert told == [("joined", "basic"), ("left", "Bo")]
        refused(401, "token", bo.look)
        assert ann.do("seats/1", place="open") == {"version": made["version"], "invitation": None}, "it is free already"
    names = ann.look()["names"]
    with ann.join(made["invitation"], "Cy") as cy, ann.join(ann.invitations[3] or "", "Di") as di:
        assert names == ["Ann", None, "basic", None]
        until(di.events(after=0), lambda told: told.event == "drew")
        while di.look()["turn"] != 3:  # the computer player moves for seat 2
            if ann.look()["turn"] == 0:
                seen = ann.look()
                ann.move(next(move for move in seen["legal"] if move[0] == "-"), seen["version"])
            elif (seen := cy.look())["phase"] == "play":
                cy.move(next(move for move in seen["legal"] if move[0] == "-"), seen["version"])


# ---------------------------------------------------------------- browsers


def test_a_double_click_in_the_lobby(ann: Client) -> None:
    """Two forms at the same instant, the back button, a lost answer: one seat, and the browser knows it."""
    with Browser(ann.url) as bo, ThreadPoolExecutor(6) as pool:
        action = next(form["action"] for form in Form(bo.get("/")).forms if form["action"].endswith(ann.table))
        known = "; ".join(f"{name}={value}" for name, value in bo.http.cookies.items())  # as all tabs send it
        headers = EVERY | {"origin": ann.url.rstrip("/"), "cookie": known}

        def press(where: str) -> httpx.Response:
            return httpx.post(f"{ann.url}{where}", data={"name": "Bo"}, headers=headers, timeout=300)

        join = (ann.invitations[3] or "").lstrip("/")
        answers = list(pool.map(press, [action.lstrip("/"), join] * 6))
        assert {answer.headers["location"] for answer in answers} == {f"/t/{ann.table}"}
        assert len({answer.cookies[f"seat-{ann.table}"] for answer in answers}) == 1
        assert taken(ann) == 2
        for path in (f"/t/{ann.table}", action, f"/{join}"):  # no answer has reached this browser yet
            bo.http.cookies.delete(f"seat-{ann.table}") if bo.http.cookies.get(f"seat-{ann.table}") else None
            page = bo.http.get(path)
            assert page.url.path == f"/t/{ann.table}"
            assert "watching." not in page.text
        bo.table = f"/t/{ann.table}"
        assert bo.http.post(f"{bo.table}/leave").url.path == "/"
        assert "watching." in bo.look()
        bo.post(action, name="Bo")
        assert taken(ann) == 2


def test_a_host_tries_her_own_invitation(server: Running) -> None:
    with Browser(server.url) as ann, Browser(server.url) as bo:
        page = ann.post("/new", **{"with": "friends", "place-1": "open", "name": "Ann", "window": "7"})
        link = next(part.split('"')[0] for part in page.split('value="') if "/join/" in part).partition("/join/")[2]
        assert "Waiting for players" in ann.get(f"/join/{link}"), "she is led back"
        ann.http.cookies.delete(ann.table.replace("/t/", "seat-"))
        assert "Waiting for players" in ann.post(f"/join/{link}", name="Ann again")
        assert "Send your friends this link" in ann.look()
        for name in ("\u200b\u2060", "\u3164"):
            again = bo.post(f"/join/{link}", 400, name=name)
            assert "A name needs at least one visible character" in again
        bo.post(f"/join/{link}", name="Bo")
        assert bo.table == ann.table


def test_two_processes(url: str) -> None:
    """The same browser at both in the same instant: the storage lets it have one seat."""

    async def work(service: Service) -> None:
        wanted = GameSetup(
            rules=make_rules("classic", 4, 2),
            places=("human", "open", "open", "open"),
            names=("Ann",),
            match_target=None,
            coup_window=5,
        )
        other = Service(await open_store(url), quick())
        made = await service.create(wanted)
        ways = [(each, code) for each in (service, other) for code in (*made.codes[1:], made.link or "")]
        claim = Claim(browser="b" * 32)
        got = await asyncio.gather(*(each.seating.join(code or "", "Bo", None, claim) for each, code in ways))
        assert len({(seated.seat, seated.token) for seated in got}) == 1
        table = await service.table(made.table)
        await table.refresh()
        assert sum(name is not None for name in table.state.names) == 2
        await other.close()

    run(url, work)


def test_a_seat_that_is_given_up_takes_its_person_along(tmp_path: Path) -> None:
    """Also in a process that has not heard of it yet."""
    database = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work(service: Service) -> None:
        other = Service(await open_store(database), quick())
        made = await service.create(THREE)
        seated = await service.seating.join(made.codes[1] or "", "Bo")
        mirror = await other.table(made.table)
        assert (await other.seat(made.table, seated.token)).seat == 1
        await (await service.seat(made.table, seated.token)).do(commands.leave)
        await mirror.refresh()
        assert (await other.seat(made.table, seated.token, strict=False)).seat is None
        await other.close()

    run(database, work)


THREE = GameSetup(
    rules=make_rules("classic", 3, 3),
    places=("human", "open", "open"),
    names=("Ann",),
    match_target=None,
    coup_window=5,
)
"""A table of Ann's with two open seats."""


def test_commands_that_cross_a_swap(tmp_path: Path) -> None:
    """They are for the seat that the person has then, not for the one when the request came."""

    async def work(service: Service) -> None:
        made = await service.create(THREE)
        seated = await service.seating.join(made.codes[1] or "", "Bo")
        ann, bo = [await service.seat(made.table, token) for token in (made.token, seated.token)]
        await ann.do(lambda state, seat, at: commands.swap(state, seat, seat, 1, at))
        assert (ann.seat, bo.seat) == (0, 1)
        for who in (ann, bo):
            await who.do(lambda _state, seat, at: commands.chat(seat, "hello", None, at))
        said = [event for event in await service.store.facts(made.table) if isinstance(event, ChatSent)]
        assert [event.seat for event in said] == [1, 0]
        await bo.do(commands.leave)
        assert ann.table.state.names == [None, "Ann", None]
        with pytest.raises(ApiError, match="this seat has been given up"):
            await bo.do(lambda _state, seat, at: commands.chat(seat, "bye", None, at))

    run(f"sqlite:///{tmp_path / 'tables.db'}", work)


def test_a_link_that_crosses_a_swap(tmp_path: Path) -> None:
    """It is for the seat that the person has then, and takes nobody else's seat away."""

    async def work(service: Service) -> None:
        made = await service.create(THREE)
        bo = await service.seating.join(made.codes[1] or "", "Bo")
        ann = await service.seat(made.table, made.token)
        code = await service.seating.resume_link(made.table, bo.seat)
        known = await service.seating.resumed_by(code)
        await ann.do(lambda state, seat, at: commands.swap(state, seat, seat, 1, at))

        async def looked_up_before(*_: object) -> object:
            return known

        service.seating.resumed_by = looked_up_before  # type: ignore[assignment, method-assign]
        resumed = await service.seating.resume(code)
        assert (resumed.seat, (await service.seat(made.table, resumed.token)).seat) == (0, 0)
        assert (await service.seat(made.table, made.token)).seat == 1
        with pytest.raises(ApiError):
            await service.seat(made.table, bo.token)

    run(f"sqlite:///{tmp_path / 'tables.db'}", work)


def test_a_table_that_is_cancelled(ann: Client) -> None:
    """Only by whoever set it up, and only before the deal. Nobody can sit down, and it leaves the lobby."""
    with ann.join(ann.invitations[1] or "", "Bo") as bo, Browser(ann.url) as other:
        refused(403, "creator", lambda: bo.do("cancel"))
        ann.do("cancel")
        assert bo.look()["status"] == "cancelled"
        assert until(bo.events(0), lambda told: told.event == "cancelled").data["name"] == "Ann"
        refused(409, "cancelled", lambda: ann.do("cancel"))
        refused(409, "cancelled", lambda: bo.do("chat", text="oh"))
        with Client(ann.url) as nobody:
            refused(409, "cancelled", lambda: nobody.post(f"api{ann.invitations[2]}", {"name": "Cy"}))
            assert ann.table not in {entry["table"] for entry in nobody.get("api/lobby")["tables"]}
        assert "This table has been cancelled." in other.get(f"{ann.invitations[2]}")
        assert "Ann has cancelled the table." in other.get(f"/t/{ann.table}")
    with Client.create(ann.url, places=["me", "basic"]) as begun:
        until(begun.events(0), lambda told: told.event == "hand")
        refused(409, "dealt", lambda: begun.do("cancel"))


def test_seats_are_swapped(server: Running, ann: Client) -> None:
    """Anyone may move to an open seat, the creator may swap any two. Tokens, invitations and wishes go along."""
    with ann.join(ann.invitations[1] or "", "Bo") as bo:
        stream = bo.events(0)
        until(stream, lambda told: told.event == "joined")
        bo.do("asking", ask=False)
        refused(403, "creator", lambda: bo.do("swap", seat=0, other=1))
        refused(403, "creator", lambda: bo.do("swap", seat=2, other=3))
        refused(404, "no_seat", lambda: bo.do("swap", seat=1, other=4))
        bo.do("swap", seat=1, other=2)
        told = until(stream, lambda told: told.event == "swapped").data
        assert (told["name"], told["other"], told["other_name"], told["by"]) == (None, 2, "Bo", 1)
        assert not list(stream), "the stream of the seat has ended"
        assert (bo.look()["seat"], bo.look()["names"]) == (2, ["Ann", None, "Bo", None])
        ann.do("swap", seat=0, other=2)
        assert (ann.look()["seat"], bo.look()["seat"]) == (2, 0)
        assert server.service.live[ann.table].auto_pass_seats == {0}
        refused(403, "creator", lambda: bo.post(f"api/tables/{ann.table}/seats/3", {"place": "basic"}))
        ann.post(f"api/tables/{ann.table}/seats/3", {"place": "basic"})
        # The seat that Bo left has the invitation of the one that he moved to.
        with ann.join(ann.invitations[2] or "", "Cy") as cy:
            assert cy.look()["seat"] == 1
            hello = until(cy.events(0), lambda told: told.event == "hello").data
            assert hello["players"] == ["Bo", "Cy", "Ann", "basic"]
            until(cy.events(0), lambda told: told.event == "hand")  # until then, seats may still change
            refused(409, "dealt", lambda: ann.do("swap", seat=2, other=0))


@pytest.mark.parametrize("seats", [2, 3])
def test_the_links_stay_where_seats_are_free(server: Running, seats: int) -> None:
    """Whoever created a table and changes seats still sees a link to each free seat, and it leads there."""
    with Browser(server.url) as ann, Browser(server.url) as bo:
        places = {f"place-{seat}": "open" for seat in range(1, seats)}
        ann.post("/new", shape=f"{seats}x{seats}", name="Ann", **{"with": "friends"}, **places)
        table = ann.table.rpartition("/")[2]
        ann.post(f"{ann.table}/swap", seat="0", other="1")
        links = re.findall(r'value="http[^"]*(/join/[^"]+)"', ann.look())
        assert links
        bo.post(links[-1], name="Bo")
        assert server.service.live[table].state.names[:2] in (["Bo", "Ann"], [None, "Ann"])
        assert "Bo" in server.service.live[table].state.names


@pytest.mark.parametrize("path", ["/new", "/find", "/join/x", "/lobby/x", "/resume/x", "/settings"])
def test_a_browser_without_cookies_is_told_before_it_gets_a_seat(server: Running, path: str) -> None:
    with httpx.Client(base_url=server.url, headers=EVERY | {"origin": server.url.rstrip("/")}) as blocked:
        before = len(server.service.live)
        referer = {"referer": f"{server.url}new"}
        answer = blocked.post(path, data={"name": "Ann"}, headers=referer)
        assert answer.status_code == 400
        assert "accept cookies" in answer.text
        assert 'href="/new"' in answer.text
        assert len(server.service.live) == before
        assert "cookies=yes" in answer.headers["set-cookie"], "the next try works if the browser accepts cookies"


def test_a_first_visit_works_wherever_it_begins(server: Running) -> None:
    """Each page gives a cookie, so that the form on it works; programs need none."""
    with Client.create(server.url, places=["me", "open"]) as ann:
        for page in ("/", "/new", "/settings", ann.invitations[1] or "", f"/t/{ann.table}"):
            with httpx.Client(base_url=server.url, headers=EVERY | {"origin": server.url.rstrip("/")}) as visitor:
                assert visitor.get(page).status_code == 200
                assert visitor.post("/new", data={"name": "Bo", "place-1": "open"}).status_code == 303, page
