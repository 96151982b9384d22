"""The five known editions. `tests/rulebook` compares their values with the table of R9."""

import re
from pathlib import Path
from typing import Any

import pytest

from millebornes.cards import FULL_DECK, REDUCED_DECK
from millebornes.editions import EDITIONS, FIELDS, Rules, edition, make_rules

ALL_TABLES = ((2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3))


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_is_made_for_these_tables(name: str) -> None:
    assert edition(name).tables == (((2, 2),) if name in {"bsd", "mille2"} else ALL_TABLES)


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_tells_what_it_is(name: str) -> None:
    known = edition(name)
    assert known.name == name
    assert all((known.title, known.summary, known.source))


def test_decks_are_counted_in_card_order() -> None:
    assert edition("classic").rules().deck == tuple(FULL_DECK.values())
    assert edition("bsd").rules().deck == tuple(REDUCED_DECK.values())
    assert edition("bsd").rules().settings()["deck"] == {card.value: n for card, n in REDUCED_DECK.items()}


@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (3, 3), (4, 2), (5, 5), (6, 2), (7, 7), (8, 2)])
def test_sides_when_nobody_says(seats: int, sides: int) -> None:
    assert edition("classic").rules(seats).sides == sides


@pytest.mark.parametrize("name", EDITIONS)
def test_settings_read_back_give_the_same_rules(name: str) -> None:
    for seats, sides in edition(name).tables:
        rules = edition(name).rules(seats, sides)
        for short in (False, True):
            again = make_rules(None, seats, sides, rules.settings(short_deck=short))
            assert again.edition is None
            assert again.settings() == rules.settings()
            assert make_rules(name, seats, sides, rules.settings(short_deck=short)) == rules


def test_differences_are_what_was_set() -> None:
    classic = edition("classic")
    assert classic.differences(classic.rules(3)) == {}
    changed: dict[str, Any] = {"targets": "left", "deck": "reduced", "extension_goal": None}
    assert classic.differences(classic.rules(2, 2, changed)) == changed
    assert classic.differences(classic.rules(2, 2, {"goal": 700})) == {}


def test_rules_are_values() -> None:
    rules = make_rules("house", 4, 2)
    assert rules == make_rules("house", 4, 2)
    assert hash(rules) == hash(make_rules("house", 4, 2))
    assert rules != make_rules("house", 4, 4)
    assert rules.replace({"goal": 900}).goal == 900
    assert rules.goal == 1000
    assert Rules().settings() == edition("classic").rules().settings()


def test_the_page_lists_every_setting_with_its_clause() -> None:
    page = (Path(__file__).parents[2] / "docs" / "editions.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| \[?(R[\d.]+)", page.partition("## Settings")[2], re.MULTILINE)
    assert listed == [(field.name, field.clause) for field in FIELDS.values()], "docs/editions.md: update the table"
