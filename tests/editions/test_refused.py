"""Every setting is refused by name where it is malformed, unknown, absurd or contradicts another one."""

import json
from typing import Any

import pytest

from millebornes.editions import EDITIONS, FIELDS, Rules, edition, make_rules, parse_setting
from millebornes.errors import EditionError
from tests.editions.values import WRONG

CASES = [(field, value) for field, values in WRONG.items() for value in values]


def refused(error: EditionError, field: str) -> str:
    """The message, checked to be one that a person can act on."""
    text = str(error)
    assert error.field == field
    assert text.startswith(f"{field}: ")
    assert "\n" not in text
    assert len(text) < 400
    return text


def test_every_setting_is_tried() -> None:
    assert set(WRONG) == set(FIELDS), "tests/editions/values.py: say in WRONG which values it may not have"


@pytest.mark.parametrize(("field", "value"), CASES, ids=[f"{field}-{value!r}"[:40] for field, value in CASES])
def test_a_wrong_value_is_refused_with_the_name_and_what_it_may_be(field: str, value: Any) -> None:
    with pytest.raises(EditionError) as caught:
        edition("classic").rules(settings={field: value})
    text = refused(caught.value, field)
    if not isinstance(value, dict):
        assert FIELDS[field].allowed in text
        shown = json.dumps(value)
        assert shown[:50] in text


@pytest.mark.parametrize(("field", "value"), [case for case in CASES if case[0] != "deck"])
def test_rules_made_in_python_refuse_it_too(field: str, value: Any) -> None:
    with pytest.raises(EditionError) as caught:
        Rules(**{"extension_goal": None, field: value})
    refused(caught.value, field)


@pytest.mark.parametrize("deck", ["full", (10, 10), [10] * 19, None])
def test_rules_made_in_python_want_a_count_for_each_card(deck: Any) -> None:
    with pytest.raises(EditionError) as caught:
        Rules(deck=deck)
    assert "19 counts" in refused(caught.value, "deck")


@pytest.mark.parametrize("counts", [(200, *[0] * 18), (10, True, *[0] * 17), (10, -1, *[0] * 17), (*[9] * 18, 2)])
def test_rules_made_in_python_check_the_counts(counts: tuple[int, ...]) -> None:
    with pytest.raises(EditionError) as caught:
        Rules(deck=counts)
    refused(caught.value, "deck")


def test_a_deck_of_five_cards() -> None:
    with pytest.raises(
        EditionError, match=r"^deck: 5 cards cannot be dealt; 2 seats with 6 cards each need at least 12$"
    ):
        make_rules("classic", settings={"deck": {"roll": 3, "25": 2}})
    settings = {"deck": {"roll": 2, "25": 4}, "hand_size": 3}
    assert make_rules("classic", settings=settings).cards == 6


@pytest.mark.parametrize(
    ("seats", "sides"), [(9, None), (1, None), (0, None), (-2, None), (9, 3), (True, None), (2.0, None), ("2", None)]
)
def test_nine_seats(seats: Any, sides: int | None) -> None:
    with pytest.raises(EditionError) as caught:
        make_rules("classic", seats, sides)
    assert "from 2 to 8" in refused(caught.value, "seats")


@pytest.mark.parametrize(
    ("seats", "sides", "fitting"),
    [
        (4, 3, "2 or 4"),
        (5, 2, "5"),
        (6, 4, "2 or 3 or 6"),
        (4, 1, "2 or 4"),
        (4, 8, "2 or 4"),
        (4, True, "2 or 4"),
        (4, 2.0, "2 or 4"),
    ],
)
def test_sides_must_divide_the_seats(seats: int, sides: Any, fitting: str) -> None:
    with pytest.raises(EditionError) as caught:
        make_rules("classic", seats, sides)
    assert f"make {fitting} equal sides" in refused(caught.value, "sides")


@pytest.mark.parametrize("goal", [1000, 1025, 2000])
def test_a_goal_not_below_the_extension_goal(goal: int) -> None:
    with pytest.raises(EditionError) as caught:
        make_rules("classic", settings={"goal": goal})
    text = refused(caught.value, "goal")
    assert f"{goal} is not below extension_goal = 1000" in text
    assert "extension_goal=none too" in text
    assert make_rules("classic", settings={"goal": goal, "extension_goal": None}).extension_goal is None
    with pytest.raises(EditionError, match=r"^goal: "):
        make_rules("house", settings={"extension_goal": 1000})  # its goal is 1000 already
    assert make_rules("house", settings={"goal": 700, "extension_goal": 1000}).extension_goal == 1000


@pytest.mark.parametrize("hazard_on", ["stack", "stack_different"])
def test_right_of_way_clears_goes_only_with_rolling(hazard_on: str) -> None:
    with pytest.raises(EditionError) as caught:
        make_rules("classic", settings={"hazard_on": hazard_on})
    text = refused(caught.value, "right_of_way_clears")
    assert f"not {hazard_on}" in text
    assert "right_of_way_clears=false" in text
    settings = {"hazard_on": hazard_on, "right_of_way_clears": False}
    assert make_rules("classic", settings=settings).hazard_on == hazard_on


@pytest.mark.parametrize(
    ("deck", "settings", "allowed"),
    [
        ({"gasoline": 20}, {}, False),
        ({"roll": 20}, {}, False),
        ({"25": 20}, {}, False),
        ({"25": 1, "roll": 20}, {}, True),
        ({"gasoline": 20, "extra_tank": 1}, {}, True),
        ({"200": 1, "roll": 20}, {"goal": 100, "extension_goal": None}, False),
        ({"200": 1, "roll": 20}, {"goal": 100, "extension_goal": 200}, True),
        ({"200": 1, "stop": 20}, {"roll_200": True}, False),
        ({"200": 2, "stop": 20}, {"roll_200": True}, True),
        ({"200": 1, "25": 1, "stop": 20}, {"roll_200": True}, True),
        ({"200": 1, "25": 1, "stop": 20}, {"roll_200": False}, False),
    ],
)
def test_a_deck_must_be_able_to_score(deck: dict[str, int], settings: dict[str, Any], allowed: bool) -> None:
    if allowed:
        assert make_rules("classic", settings={"deck": deck, **settings}).cards == sum(deck.values())
        return
    with pytest.raises(EditionError) as caught:
        make_rules("classic", settings={"deck": deck, **settings})
    assert "score" in refused(caught.value, "deck")


def test_unknown_settings_and_cards_get_a_suggestion() -> None:
    with pytest.raises(EditionError, match=r"no setting 'target' \(did you mean 'targets'\?\)") as caught:
        make_rules("classic", settings={"target": "left"})
    assert caught.value.field == "target"
    assert all(field in str(caught.value) for field in FIELDS)
    with pytest.raises(EditionError, match=r"^deck: 'rol' isn't a card \(did you mean 'roll'\?\)"):
        make_rules("classic", settings={"deck": {"rol": 3}})
    with pytest.raises(EditionError, match=r"no edition 'clasic' \(did you mean 'classic'\?\)") as caught:
        make_rules("clasic")
    assert all(name in str(caught.value) for name in EDITIONS)


@pytest.mark.parametrize("settings", [[], "targets", 5, [("targets", "left")]])
def test_settings_must_be_a_table(settings: Any) -> None:
    with pytest.raises((EditionError, AttributeError)) as caught:
        make_rules(None, settings=settings)
    assert isinstance(caught.value, EditionError)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("targets=left", "targets", "left"),
        (" targets = left ", "targets", "left"),
        ("all-safeties-bonus=700", "all_safeties_bonus", 700),
        ("roll_200=yes", "roll_200", True),
        ("roll_200=OFF", "roll_200", False),
        ("extension_goal=none", "extension_goal", None),
        ("goal=900", "goal", 900),
        ("deck=reduced", "deck", "reduced"),
        ("deck=25:10, roll:5", "deck", {"25": 10, "roll": 5}),
        ('deck={"25": 10, "roll": 5}', "deck", {"25": 10, "roll": 5}),
    ],
)
def test_typed_settings(text: str, name: str, value: Any) -> None:
    assert parse_setting(text) == (name, value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("targets", "isn't a setting; write FIELD=VALUE"),
        ("target=left", "did you mean 'targets'"),
        ("targets=", "targets: "),
        ("goal=710", "goal: 710"),
        ("goal=７00", "goal: "),
        ("goal=99999999999999999999", "goal: "),
        ("deck=5", "deck: 5"),
        ("deck={", "deck: "),
        ("deck=25:10,25:3", "deck: 25 is given twice"),
        ("deck=25:x", "deck: the count of 25"),
        ("deck=26:1", "deck: '26' isn't a card"),
        ("deck=25", "deck: 25"),
        ("deck=25:²", "deck: "),
        ('deck={"25":' + "[" * 100_000, "deck: "),
        ("tie=none", "tie: null"),
    ],
)
def test_typed_settings_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(EditionError) as caught:
        parse_setting(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
