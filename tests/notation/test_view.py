"""VIEW objects: read back what views write, and refuse the rest by name."""

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.errors import NotationError
from millebornes.game import Hand, Phase
from millebornes.notation import read_view
from millebornes.players.determinizations import sample_worlds
from tests.reference.randoms import KNOWN_TABLES, Style, random_rules, shuffled_deck


def as_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


def check(hand: Hand, rng: random.Random) -> None:
    rules = hand.rules
    for seat in range(rules.seats):
        totals = tuple(rng.randrange(5000) for _ in range(rules.sides))
        view = hand.view(seat, totals, 3, rng.choice([None, 5000]))
        data = as_json(view.to_dict())
        read = read_view(data, rules)
        assert as_json(read.to_dict()) == data
        assert read.played == view.played
        if hand.seat == seat:
            assert read.mover == seat
            assert read.legal_moves == view.legal_moves
            del data["played"]
            shorter = read_view({**data, "info": 1}, rules)
            assert shorter.legal_moves == view.legal_moves
            assert all(shorter.unseen[card] >= view.unseen[card] for card in view.unseen)


@pytest.mark.parametrize("table", KNOWN_TABLES[::2], ids=lambda table: f"{table[0]}-{table[1]}x{table[2]}")
def test_known_tables(table: tuple[str, int, int]) -> None:
    rng = random.Random(f"view {table}")
    rules = make_rules(*table)
    style = Style(rng)
    hand = Hand.from_deck(rules, shuffled_deck(rng, rules), rng.randrange(rules.seats))
    check(hand, rng)
    while not hand.is_over:
        hand = hand.play(style.pick(hand.legal_moves.texts))
        if rng.random() < 0.1 or hand.phase is not Phase.PLAY:
            check(hand, rng)


HAND = ["25", "50", "roll", "stop", "stop", "100", "gasoline"]


def test_a_partial_view_needs_only_a_hand() -> None:
    rules = make_rules("classic", 3)
    view = read_view({"partial": True, "hand": HAND}, rules)
    assert (view.seat, view.hand_sizes, view.draw_pile, view.goal) == (0, (7, 6, 6), rules.cards - 19, 700)
    assert view.mover == 0
    assert view.unseen[Card.STOP] == 3
    sides = [{}, {"battle": "roll", "cards": {"75": 2}, "safeties": ["driving_ace"]}, {"speed": "speed_limit"}]
    known = {"seat": 2, "sides": sides, "discard_top": "flat_tire", "draw_pile": 40, "match_target": 5000}
    view = read_view({"partial": True, "hand": HAND, **known}, rules)
    assert (view.draw_pile, view.tableaux[1].distance, view.tableaux[1].is_moving) == (40, 150, True)
    assert view.tableaux[2].is_limited
    assert sum(view.unseen.values()) > 12 + 40, "some unseen cards lie among the discards that nobody remembers"
    assert view.legal_moves
    assert len(sample_worlds(view, 3, seed=1)[0].draw_pile) == 40


def test_all_parts_of_a_view_can_be_left_out() -> None:
    """What is left out comes back where it follows from the rest, and is never an error."""
    rules = make_rules("classic")
    hand = Hand.deal(rules, seed=4)
    for move in ("roll", "-stop", "-25", "-50"):
        hand = hand.play(next(each for each in hand.legal_moves.texts if each == move or each[0] == "-"))
    seat = hand.seat
    assert seat is not None
    whole = as_json(hand.view(seat).to_dict())
    assert read_view({"partial": True, **whole}, rules) == hand.view(seat)
    for key in set(whole) - {"hand", "seat", "hand_number"}:
        left = {name: value for name, value in whole.items() if name != key}
        assert read_view({"partial": True, **left}, rules).legal_moves == hand.view(seat).legal_moves, key


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ({"partial": "yes"}, 'partial: "yes" is not allowed; it must be true or false'),
        ({}, "view: hand is missing"),
        ({"hand": [*HAND[:6], "horse"]}, 'hand[6]: "horse" isn\'t a card'),
        ({"hand": HAND, "sides": 3}, "sides: 3 is not allowed; it must be a list"),
        ({"hand": HAND, "sides": [{}, 7]}, "sides[1]: 7 is not allowed; it must be an object"),
        ({"hand": HAND, "sides": [{}]}, "sides: a list of 1 is not allowed; it must be a list of 2 sides"),
        ({"hand": HAND, "sides": [{"distance": 75}, {}]}, "sides[0], distance: 75, but the cards make 0"),
        ({"hand": HAND, "discards": {"stop": 9}}, "PLAYED: the visible cards include 11 x STP, but the deck has 5"),
        ({"hand": ["stop"] * 7}, "PLAYED: the visible cards include 7 x STP, but the deck has 5"),
        ({"hand": HAND[:3]}, "HANDS: seat 0 holds 3 cards; it must now hold exactly 6 (R2.5)"),
        ({"hand": HAND, "draw_pile": 99}, "DRAW: there are 112 cards altogether, but the deck has 106"),
    ],
)
def test_contradictions_in_a_partial_view_are_errors(data: dict[str, Any], error: str) -> None:
    with pytest.raises(NotationError) as raised:
        read_view({"partial": True, **data}, make_rules("classic"))
    assert str(raised.value) == error


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**9))
def test_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    style = Style(rng)
    hand = Hand.from_deck(rules, shuffled_deck(rng, rules), rng.randrange(rules.seats))
    for _ in range(rng.randint(0, 150)):
        if hand.is_over:
            break
        hand = hand.play(style.pick(hand.legal_moves.texts))
    check(hand, rng)


def sample() -> Any:
    hand = Hand.deal(make_rules(), 11)
    rng = random.Random(2)
    style = Style(rng)
    for _ in range(30):
        hand = hand.play(style.pick(hand.legal_moves.texts))
    assert hand.seat is not None
    return as_json(hand.view(hand.seat).to_dict())


def change(*path: Any) -> Any:
    """A copy of the sample with a value set (the last two of the path) or, with None before it, a key removed."""
    data = sample()
    *keys, last, value = path
    place = data
    for key in keys:
        place = place[key]
    if value is KeyError:
        del place[last]
    else:
        place[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "part"),
    [
        *(((key, KeyError), f"{key} is missing") for key in sample() if key != "played"),
        *((("sides", 0, key, KeyError), f"sides[0]: {key} is missing") for key in sample()["sides"][0]),
        (("seat", 2), "seat: 2"),
        (("seat", True), "seat: true"),
        (("phase", "PLAY"), "phase"),
        (("phase", "over"), "while there are cards to draw"),
        (("phase", "extend"), "R6.2"),
        (("phase", "opening"), "R5.6"),
        (("phase", "coup"), "pending"),
        (("pending", {"hazard": "stop", "side": 0, "by": 1}), "pending"),
        (("pending", {"hazard": "roll", "side": 0, "by": 1}), "pending"),
        (("goal", 1000), "goal: 1000"),
        (("extended", True), "R6.2"),
        (("hand", ["ROL"]), '"ROL" isn\'t a card'),
        (("hand", []), "hand_sizes"),
        (("hand_sizes", [7]), "hand_sizes"),
        (("draw_pile", -1), "draw_pile"),
        (("draw_pile", 5), "cards altogether"),
        (("sides", 0, "battle", "speed_limit"), "sides[0], battle"),
        (("sides", 0, "battle", "200"), "sides[0], moving"),
        (("sides", 0, "speed", "stop"), "sides[0], speed"),
        (("sides", 0, "distance", 1), "sides[0], distance"),
        (("sides", 0, "cards", {"roll": 1}), "only distance cards"),
        (("sides", 0, "cards", "200", 3), "sides[0], cards"),
        (("sides", 0, "safeties", ["stop"]), "list each safety once"),
        (("sides", 0, "coups_fourres", ["driving_ace", "driving_ace"]), "list each safety once"),
        (("sides", 0, "moving", 1), "sides[0], moving"),
        (("sides", 0, "under", "stop "), "sides[0], under"),
        (("discard_top", None), "discard_top"),
        (("discard_top", "driving_ace"), "discard_top"),
        (("discards", {"joker": 1}), '"joker" isn\'t a card'),
        (("discards", {"25": -1}), "discards, 25"),
        (("played", {}), "DRAW"),
        (("first", 2), "first: 2"),
        (("hand_number", 0), "hand_number: 0"),
        (("totals", [0]), "totals"),
        (("match_target", 0), "match_target"),
    ],
)  # fmt: skip
def test_wrong_views(path: tuple[Any, ...], part: str) -> None:
    read_view(sample(), make_rules())
    with pytest.raises(NotationError) as caught:
        read_view(change(*path), make_rules())
    assert part in str(caught.value)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_garbage_gives_only_our_errors(data: st.DataObject) -> None:
    value = copy.deepcopy(sample())
    junk: st.SearchStrategy[Any] = st.sampled_from(
        [None, True, -1, 0, 7, 10**30, 1.5, "", "25", "stop", [], {}, [[]], {"25": 1}, "\ud800"]
    )
    for _ in range(data.draw(st.integers(1, 3))):
        place: Any = value
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and data.draw(st.booleans()):
                place = place[key]
                continue
            place[key] = data.draw(junk)
            break
    try:
        view = read_view(value, make_rules())
    except NotationError:
        return
    assert read_view(as_json(view.to_dict()), make_rules()) == view
