"""Every entry of the tables equals what the clause functions say, for every status that a side can have."""

import itertools
from typing import Any

import numpy as np
import pytest

from millebornes.cards import DISTANCES, HAZARDS, REMEDIES, SAFETIES, Card
from millebornes.editions import EDITIONS, Rules, edition, make_rules
from millebornes.rules import clauses
from millebornes.rules.clauses import Status
from millebornes.rules.state import BATTLE_TOPS, COMPACT_DECK, STATE, STATE_LARGE
from millebornes.rules.tables import status_of, tables_for

CODES = [0, *(code for code, top in enumerate(BATTLE_TOPS) if top is not None)]
WORDS = [limit << 4 | battle << 5 | safeties for safeties in range(16) for limit in (0, 1) for battle in CODES]
"""Status words in use."""

RULES = [
    *(edition(name).rules() for name in EDITIONS),
    make_rules("classic", 4, 2, {"targets": "left", "roll_200": True, "goal": 2000}),
    make_rules("house", 3, 3, {"safety_gives_roll": True, "hazard_on": "rolling", "right_of_way_clears": True}),
    make_rules("bsd", 8, 4, {"right_of_way_clears": False, "goal": 100, "extension_goal": 125}),
]
EACH_RULES = pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.edition}-{rules.table}")


def status_word(status: Status) -> int:
    """A status as a word, written out once more."""
    safeties = sum(1 << place for place, safety in enumerate(SAFETIES) if safety in status.safeties)
    return safeties | status.limit_shown << 4 | BATTLE_TOPS.index(status.battle) << 5


def bits(word: Any) -> set[int]:
    return {bit for bit in range(64) if int(word) >> bit & 1}


def test_status_words_and_statuses_are_each_others_reverse() -> None:
    statuses = {status_of(word) for word in WORDS}
    assert len(statuses) == len(WORDS) == 16 * 2 * 9
    assert all(status_word(status_of(word)) == word for word in WORDS)
    tops = [None, Card.ROLL, *HAZARDS[:4], *REMEDIES[:3]]
    owned = [frozenset(some) for n in range(5) for some in itertools.combinations(SAFETIES, n)]
    assert statuses == {Status(top, limit, some) for top in tops for limit in (False, True) for some in owned}


@EACH_RULES
def test_plays_on_ones_own_side(rules: Rules) -> None:
    tables = tables_for(rules)
    for word in WORDS:
        side = status_of(word)
        allowed = {3 * card.index + 1 for card in Card if clauses.refuse_on_own_side(card, side, rules) is None}
        if clauses.refuse_on_own_side(Card.D200, side, rules, as_roll=True) is None:
            allowed.add(3 * Card.D200.index + 2)
        assert bits(tables["own"][word]) == allowed, side


@EACH_RULES
def test_hazards_on_a_side(rules: Rules) -> None:
    tables = tables_for(rules)
    for word in WORDS:
        side = status_of(word)
        allowed = {3 * card.index + 1 for card in HAZARDS if clauses.refuse_hit(card, side, rules) is None}
        assert bits(tables["hit"][word]) == allowed, side


@EACH_RULES
def test_distances_that_the_goal_and_the_200s_allow(rules: Rules) -> None:
    tables = tables_for(rules)
    codes = {card: 3 * card.index + 1 for card in DISTANCES}
    for extended, goal in enumerate((rules.goal, rules.extension_goal or rules.goal)):
        assert 25 * int(tables["goal"][extended]) == goal
        for miles, two_hundreds in itertools.product(range(0, goal + 1, 25), range(3)):
            allowed = bits(tables["miles"][extended, two_hundreds << 7 | miles // 25])
            for card in DISTANCES:
                refused = clauses.refuse_goal(card, miles, two_hundreds, goal) is not None
                assert (codes[card] not in allowed) == refused, (card, miles, two_hundreds, goal)
            assert set(range(64)) - allowed <= set(codes.values())  # nothing else is forbidden


@EACH_RULES
def test_what_a_safety_does(rules: Rules) -> None:
    tables = tables_for(rules)
    for word, coup, (place, safety) in itertools.product(WORDS, (0, 1), enumerate(SAFETIES)):
        effect = clauses.after_safety(safety, status_of(word), rules, coup=bool(coup))
        expected = status_word(effect.status)
        expected |= 512 * any(card in HAZARDS[:4] for card in effect.discarded)
        expected |= 1024 * (Card.SPEED_LIMIT in effect.discarded) | 2048 * effect.gives_roll
        assert int(tables["after_safety"][coup, place, word]) == expected, (status_of(word), safety, coup)


@EACH_RULES
def test_what_a_side_needs_to_move(rules: Rules) -> None:
    tables = tables_for(rules)
    for word in WORDS:
        side = status_of(word)
        remedy = clauses.remedy_to_move(side)
        assert bits(tables["remedy"][word]) == (set() if remedy is None else {3 * remedy.index})
        assert bool(tables["needs_roll"][word]) == clauses.roll_to_move(side)
        assert bool(tables["slow"][word]) == clauses.is_limited(side)
    assert bits(tables["slow_cards"]) == {3 * card.index for card in (Card.D25, Card.D50)}
    assert bits(tables["fast_cards"]) == {3 * card.index for card in (Card.D75, Card.D100)}


@EACH_RULES
def test_discards_and_the_table(rules: Rules) -> None:
    tables = tables_for(rules)
    assert bits(tables["discardable"]) == {
        3 * card.index for card in Card if clauses.refuse_discard(card, rules) is None
    }
    assert (int(tables["size"]), int(tables["seats"]), int(tables["sides"])) == (rules.cards, rules.seats, rules.sides)
    assert int(tables["hand_size"]) == rules.hand_size
    assert tables["count"].tolist() == list(rules.deck)
    assert tables["deck"][: rules.cards].tolist() == [c.index for c in Card for _ in range(rules.deck[c.index])]
    for seat in range(rules.seats):
        assert int(tables["side_of"][seat]) == rules.side_of(seat)
        aims = {int(tables["opponent"][rules.side_of(seat), n]) for n in range(1, int(tables["targets"]) + 1)}
        assert aims == {side for side in range(rules.sides) if clauses.refuse_target(seat, side, rules) is None}


def test_tables_are_read_only_and_shared() -> None:
    tables = tables_for(RULES[0])
    with pytest.raises(ValueError, match="read-only"):
        tables["own"][0] = np.uint64(1)
    assert tables_for(RULES[0].replace({})) is tables


def test_every_byte_of_a_state_belongs_to_a_field() -> None:
    """Others would be anything in a copy, and equal hands would differ."""
    for dtype in (STATE, STATE_LARGE):
        assert dtype.fields is not None
        assert sum(field[0].itemsize for field in dtype.fields.values()) == dtype.itemsize


def test_a_state_is_small() -> None:
    """Deck order, hands, tableaux and all that was seen, in at most 320 bytes for every known edition's deck."""
    assert COMPACT_DECK >= 106
    assert STATE.itemsize <= 320
    assert STATE_LARGE["deck"].shape[0] >= 192
