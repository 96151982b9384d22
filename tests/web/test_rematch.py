"""A rematch with other settings, by the API and by the page."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from millebornes.editions import make_rules
from tests.web.browsing import Browser, Form, finish, value, wait_asked
from tests.web.client import Client, Refused
from tests.web.serving import Running, quick
from tests.web.test_api import late, refused, until


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("rematch") / "tables.db", quick(window=10)) as running:
        yield running


def test_two_people_agree_on_their_pages(site: Running) -> None:
    with Browser(site.url) as ann, Browser(site.url) as bo:
        page = ann.post("/new", **{"place-1": "open", "name": "Ann", "with": "friends", "target": "1"})
        bo.post(f"/join/{page.partition('/join/')[2].partition(chr(34))[0]}", name="Bo")
        finish([ann, bo], "match_over")
        form = next(form for form in Form(ann.look()).forms if form["action"].endswith("/rematch"))
        ann.post(form["action"], **form["hidden"], edition="house", target="3000")
        assert "Waiting for the others to agree." in ann.look()
        page = bo.look()
        assert "Ann proposes a rematch: House rules, a match to 3000 points" in page
        assert ">Agree</button>" in page
        form = next(form for form in Form(page).forms if form["action"].endswith("/next"))
        bo.post(form["action"], **form["hidden"])
        finish([ann, bo])
        assert "to 3000" in ann.look()
        assert ann.http.get(f"/api{ann.table.replace('/t/', '/tables/')}").json()["rules"]["edition"] == "house"
        assert value(ann.look(), "ply").startswith("2.1.")
        assert "Back to the table" in ann.get(f"{ann.table}/hands/1?match=1"), "the match before stays"


def test_the_settings_of_a_rematch(site: Running) -> None:
    """What is left out stays as it is; what cannot be is refused, with its field; one person needs nobody's yes."""
    with Client.create(site.url, places=["me", "random"], match_target=None, coup_window_ms=1) as ann:
        told = ann.events()

        def play() -> None:
            while (seen := ann.look())["status"] != "hand_over":
                if seen["legal"]:
                    ann.move(seen["legal"][-1], seen["version"])
                else:
                    until(told, lambda told: told.event in {"choose", "hand_over", "moved"})

        def next_(**settings: Any) -> Any:
            return ann.do("next", version=ann.look()["version"], settings=settings)

        until(told, lambda told: told.event == "choose")
        refused(409, "not_over", lambda: next_(edition="house"))
        play()
        for settings, error in (
            ({"edition": "none"}, "rules"),
            ({"set": {"goal": "far"}}, "rules"),
            ({"match_target": 0}, "match_target"),
            ({"coup_window_ms": 0}, "coup_window_ms"),
            ({"seats": 3}, "malformed"),
        ):
            refused(400, error, lambda settings=settings: next_(**settings))  # type: ignore[misc]
        next_(set={"roll_200": True}, match_target=2000)
        until(told, lambda told: told.event == "proposed")
        hello = until(told, lambda told: told.event == "hello").data
        assert (hello["rules"]["roll_200"], hello["match_target"]) == (True, 2000)
        until(told, lambda told: told.event == "choose")
        seen = ann.look()
        assert (seen["match"], seen["match_target"], seen["proposal"]) == (2, 2000, None)
        assert (seen["rules"]["edition"], seen["rules"]["roll_200"]) == ("classic", True)


def test_two_people_swap_seats(site: Running) -> None:
    """All agree to it. Tokens and wishes go along, streams end, and the match before shows who sat where then."""
    places = ["me", "open", "random"]
    with (
        Client.create(site.url, seats=3, places=places, match_target=1, coup_window_ms=1) as ann,
        ann.join(ann.invitations[1] or "", "Bo") as bo,
    ):

        def play(status: str) -> None:
            while (seen := ann.look())["status"] != status:
                for each in (ann, bo):
                    if (own := each.look())["legal"]:
                        try:
                            each.move(own["legal"][-1], own["version"])
                        except Refused as error:  # the window has closed meanwhile
                            late(error, "stale")
                if seen["status"] == "hand_over":  # nobody has a point yet
                    ann.do("next", version=seen["version"])

        def next_(who: Client, **settings: Any) -> Any:
            return who.do("next", version=who.look()["version"], settings=settings)

        play("match_over")
        for swap, error in (([0, 0], "swap"), ([0, 3], "swap"), ([0], "malformed"), ([-1, 0], "malformed")):
            refused(400, error, lambda swap=swap: next_(ann, swap=swap))  # type: ignore[misc]
        bo.do("asking", ask=False)
        stream = ann.events(ann.look()["version"])
        next_(bo, swap=[1, 0])
        assert until(stream, lambda told: told.event == "proposed").data["swap"] == [0, 1]
        assert ann.look()["proposal"]["swap"] == [0, 1]
        cookie = {"cookie": f"seat-{ann.table}={ann.token}"}
        page = httpx.get(f"{ann.url}t/{ann.table}", headers=cookie | {"accept-language": "en"}).text
        assert "Bo proposes a rematch: Classic, a match to 1 points; seats swapped: You and Bo." in page
        ann.do("next", version=ann.look()["version"])
        told = until(stream, lambda told: told.event == "swapped").data
        assert (told["seat"], told["name"], told["other_name"], told["by"]) == (0, "Bo", "Ann", 1)
        assert not [told for told in stream if told.event != "beat"], "the stream of the seat has ended"
        assert (ann.look()["seat"], bo.look()["seat"], bo.look()["match"]) in ((1, 0, 1), (1, 0, 2))
        assert site.service.live[ann.table].auto_pass_seats == {0}
        until(bo.events(0), lambda told: told.event == "hand" or told.data.get("view") is not None)
        assert ann.look()["names"] == ["Bo", "Ann", "random"]
        for who, cards in ((ann, "Ann"), (bo, "Bo")):
            view = who.look()["view"]
            assert view["seat"] == who.look()["names"].index(cards)
        page = httpx.get(f"{ann.url}t/{ann.table}/hands/1?match=1", headers=cookie).text
        owners = re.findall(r'<div class="open"><b>([^<]*)</b>', page)
        assert owners == ["You", "Bo", "Sam"]
        play("match_over")


def test_seats_on_the_page_of_a_rematch(site: Running) -> None:
    """Whoever plays computers needs nobody's consent. Computers don't swap among themselves."""
    with Browser(site.url) as ann:
        ann.post("/new", shape="4x2", target="1", **{f"place-{seat}": "random" for seat in (1, 2, 3)})
        finish([ann], "match_over")
        page = ann.look()
        offered = re.findall(r'<option value="(\d-\d)">([^<]*)</option>', page)
        assert offered == [("0-1", "You and Sam"), ("0-2", "You and Alex"), ("0-3", "You and Robin")]
        form = next(form for form in Form(page).forms if form["action"].endswith("/rematch"))
        for swap in ("0", "0-", "a-b", "0-9"):
            ann.post(form["action"], 400, **form["hidden"], edition="classic", target="1", swap=swap)
        ann.post(form["action"], **form["hidden"], edition="classic", target="1", swap="0-1")
        page = wait_asked(ann)
        assert value(page, "seat") == "1"
        assert "You and Sam swap seats." in page


def test_changed_settings_are_named_wherever_the_rules_are(site: Running) -> None:
    """In the lobby, an invitation, the waiting room, the list of games, the log, the proposal and a finished hand."""
    settings, named = {"targets": "left", "roll_200": True}, "Classic, with targets = left, roll_200 = true"
    with (
        Client.create(site.url, places=["me", "open"], match_target=1, set=settings, open=True) as client,
        Browser(site.url) as ann,
        Browser(site.url) as bo,
    ):
        ann.http.cookies.set(f"seat-{client.table}", client.token or "")
        ann.table = f"/t/{client.table}"
        assert f"Rules: {named}, a match to 1 points." in ann.look(), "the waiting room"
        assert f"<b>{named}</b>" in bo.get("/"), "the lobby"
        invitation = f"/join/{(client.invitations[1] or '').rpartition('/')[2]}"
        assert f"{named}, a match to 1 points." in bo.get(invitation), "the invitation"
        bo.post(invitation, name="Bo")
        assert f"<small>{named} · " in ann.get("/"), "the list of games"
        finish([ann, bo], "match_over")
        assert f"Rules: {named}, a match to 1 points" in ann.get(f"{ann.table}/hands/1?match=1"), "a finished hand"
        page = ann.look()
        assert f'<option value="" selected>{named}</option>' in page, "a rematch keeps the rules"
        form = next(form for form in Form(page).forms if form["action"].endswith("/rematch"))
        ann.post(form["action"], **form["hidden"], edition="", target="2000")
        told = f"Ann proposes a rematch: {named}, a match to 2000 points."
        page = bo.look()
        assert f'<p class="proposal" role="status">{told}</p>' in page
        assert re.search(rf'<li class="k-proposed[^>]*>{re.escape(told)}</li>', page), "the log"
        form = next(form for form in Form(bo.look()).forms if form["action"].endswith("/next"))
        bo.post(form["action"], **form["hidden"])
        rules = client.look()["rules"]
        assert (rules["targets"], rules["roll_200"]) == ("left", True)


def test_a_rematch_by_the_rules_of_an_own_edition(site: Running) -> None:
    own = make_rules("classic", settings={"hand_size": 5}).settings()
    with (
        Client.create(site.url, places=["me", "random"], match_target=1, edition=None, set=own) as client,
        Browser(site.url) as ann,
    ):
        ann.http.cookies.set(f"seat-{client.table}", client.token or "")
        ann.table = f"/t/{client.table}"
        finish([ann], "match_over")
        page = ann.look()
        assert '<option value="" selected>Custom rules</option>' in page
        form = next(form for form in Form(page).forms if form["action"].endswith("/rematch"))
        ann.post(form["action"], **form["hidden"], edition="", target="2000")
        page = wait_asked(ann)
        assert "Rules: Custom rules, a match to 2000 points" in page
        assert client.look()["rules"]["hand_size"] == 5
