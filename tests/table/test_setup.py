"""The setup of a game: what changes with what, and what preferences keep of it."""

import json
from typing import Any

import pytest

from millebornes.editions import edition
from millebornes.errors import EditionError
from millebornes.table.setup import GameSetup, tables_of


def test_a_table_that_shrinks_keeps_who_sits_there() -> None:
    setup = GameSetup().with_table(6, 2).with_place(1, "human").with_name(1, "Bo").with_place(0, "random")
    assert setup.places == ("random", "human", "casual", "casual", "casual", "casual")
    assert setup.names == ("", "Bo", "", "", "", "")
    assert setup.with_table(2, 2).places == ("random", "human")
    assert setup.with_place(1, "basic").with_place(5, "human").with_table(2, 2).places == ("human", "basic")


def test_every_edition_can_be_played_at_every_table() -> None:
    for name in ("classic", "bsd", "mille2", "wikibooks", "house"):
        tables = tables_of(name)
        assert tables[0] == edition(name).tables[0]
        assert {(2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3)} <= set(tables)
        for seats, sides in tables:
            assert GameSetup().with_edition(name).with_table(seats, sides).rules.table == f"{seats}x{sides}"


def test_settings_that_do_not_fit_a_larger_table() -> None:
    deck = dict.fromkeys(edition("classic").rules(2).settings()["deck"], 1)
    setup = GameSetup().with_settings({"deck": deck})
    assert setup.settings == {"deck": deck}
    with pytest.raises(EditionError, match="card"):
        setup.with_table(6, 2)


def test_names_go_to_people_in_the_order_of_their_seats() -> None:
    setup = GameSetup(places=("basic", "human", "open", "human"))
    assert setup.people == [1, 3]
    assert setup.with_names([" Ann\x07"]).names == ("", "Ann", "", "")
    assert setup.with_names(["Ann", "Bo", "Cy"]).with_names(["Di"]).names == ("", "Di", "", "Bo")


@pytest.mark.parametrize(
    "last",
    [
        {},
        {"edition": "gone.toml"},
        {"edition": 3, "seats": "x", "sides": None, "set": [], "players": 1, "names": {}, "match_target": -1},
        {"edition": "classic", "seats": 99, "sides": 2},
        {"edition": "classic", "seats": 6, "sides": 2, "set": {"goal": 12}, "players": ["human"], "names": [3]},
        {"edition": "bsd", "seats": 2, "sides": 2, "set": {"no_such": 1}, "match_target": True, "practice": "yes"},
        {"seats": 8, "sides": 2, "players": ["human"] * 7},
    ],
)
def test_a_last_game_that_makes_no_sense_any_more(last: dict[str, Any]) -> None:
    setup = GameSetup.from_dict(last)
    assert len(setup.places) == len(setup.names) == setup.rules.seats
    assert len(setup.people) == 1
    assert setup.settings == {}
    assert setup.match_target in {5000, None}
    assert not setup.practice


def test_what_still_makes_sense_of_a_last_game_is_kept() -> None:
    last = {"edition": "house", "seats": 6, "sides": 3, "set": {"no_such": 1}, "players": ["human", "basic"]}
    kept = GameSetup.from_dict(last)
    assert (kept.edition, kept.rules.table, kept.settings) == ("house", "6x3", {})
    assert kept.places[:2] == ("human", "basic")
    assert GameSetup.from_dict({"edition": "bsd", "seats": 99, "sides": 2}).edition == "bsd"


@pytest.mark.parametrize(
    "setup",
    [
        GameSetup(),
        GameSetup(match_target=None, practice=True),
        GameSetup().with_edition("house").with_table(6, 3).with_settings({"targets": "left"}).with_name(2, "Zoë"),
    ],
)
def test_setups_are_remembered_as_plain_data(setup: GameSetup) -> None:
    assert GameSetup.from_dict(json.loads(json.dumps(setup.to_dict()))) == setup
