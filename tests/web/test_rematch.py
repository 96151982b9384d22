"""A rematch with other settings, by the API and by the page."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.browsing import Browser, Form, finish, value
from tests.web.client import Client
from tests.web.serving import Running, quick
from tests.web.test_api import refused, until


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
