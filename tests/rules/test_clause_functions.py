"""The clause functions of R2 and R5 to R8 by themselves, and the tables and kernels that are made of them."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from millebornes.cards import HAZARDS, SAFETIES, SAFETY_OF, Card
from millebornes.editions import Rules, edition, make_rules
from millebornes.kernels.decorator import kernel
from millebornes.rules import clauses
from millebornes.rules.clauses import EndTest, Held, Needs
from millebornes.rules.tables import play_code, status_of, tables_for

TABLES = [(seats, sides) for seats in range(2, 9) for sides in range(2, seats + 1) if seats % sides == 0]
EACH_TABLE = pytest.mark.parametrize(("seats", "sides"), TABLES)
EACH_COUP_BY = pytest.mark.parametrize("coup_by", ["victim", "anyone"])


def rules_for(seats: int, sides: int, **settings: Any) -> Rules:
    return make_rules("classic", seats, sides, {"hand_size": 3, **settings})


# R2 turns


def test_r2_1_the_seat_to_the_left() -> None:
    rules = make_rules("classic", 3, 3)
    assert [clauses.next_seat(seat, rules) for seat in range(3)] == [1, 2, 0]
    assert [clauses.seats_between(0, seat, rules) for seat in range(3)] == [(1, 2), (), (1,)]
    assert [clauses.first_of_next_hand(seat, rules) for seat in range(3)] == [1, 2, 0]  # R2.7


@pytest.mark.parametrize(
    ("held", "draw_pile", "drawn"), [(6, 40, 1), (5, 40, 2), (6, 0, 0), (5, 1, 1), (0, 3, 3), (3, 9, 4)]
)
def test_r2_5_draws(held: int, draw_pile: int, drawn: int) -> None:
    assert clauses.cards_to_draw(held, draw_pile, 6) == drawn


@pytest.mark.parametrize(
    ("seat", "hands", "draw_pile", "goes_to"),
    [
        (1, [1, 1, 1], 0, 1),
        (1, [1, 0, 1], 0, 2),
        (1, [1, 0, 0], 0, 0),
        (2, [0, 0, 5], 0, 2),
        (1, [1, 0, 1], 1, 1),  # it can draw
    ],
)
def test_r2_6_seats_without_cards_are_passed_over(
    seat: int, hands: Sequence[int], draw_pile: int, goes_to: int
) -> None:
    assert clauses.turn_goes_to(seat, hands, draw_pile, len(hands)) == goes_to


# R5 coup fourré


@EACH_TABLE
@EACH_COUP_BY
def test_r5_1_who_is_entitled(seats: int, sides: int, coup_by: str) -> None:
    rules = rules_for(seats, sides, coup_by=coup_by)
    for target in range(sides):
        partners = {seat for seat in range(seats) if seat % sides == target}
        entitled = {seat for seat in range(seats) if clauses.is_entitled(seat, target, rules)}
        assert entitled == (partners if coup_by == "victim" else set(range(seats)))
    assert clauses.may_others_answer(rules) is (coup_by == "anyone")


@EACH_TABLE
@EACH_COUP_BY
def test_r5_1_the_kernels_ask_the_same_seats(seats: int, sides: int, coup_by: str) -> None:
    rules = rules_for(seats, sides, coup_by=coup_by)
    tables = tables_for(rules)
    for target in range(sides):
        asked = [*range(target * int(tables["victims"]), seats, int(tables["holder_step"]))]
        assert asked == [seat for seat in range(seats) if clauses.is_entitled(seat, target, rules)]
        assert bool(tables["single"]) is (len(asked) == 1)


def test_r5_1_what_answers() -> None:
    assert {hazard: clauses.answer_to(hazard) for hazard in HAZARDS} == SAFETY_OF
    assert clauses.answer_to(None) is Card.RIGHT_OF_WAY  # R5.6


def test_r5_2_only_a_call_of_the_side_that_was_hit_takes_the_hazard_back() -> None:
    assert clauses.is_hazard_taken_back(1, 1)
    assert not clauses.is_hazard_taken_back(0, 1)


def test_r5_3_who_calls_has_the_next_turn() -> None:
    assert clauses.turn_after_answer(True, 3, 0, 4) == 3


@pytest.mark.parametrize(("caller", "attacker", "turn"), [(3, 0, 1), (1, 3, 0)])
def test_r5_4_after_a_pass_the_turn_goes_on_from_the_attacker(caller: int, attacker: int, turn: int) -> None:
    assert clauses.turn_after_answer(False, caller, attacker, 4) == turn


def test_r5_5_each_entitled_seat_is_asked_from_the_left_of_the_attacker_on() -> None:
    six = rules_for(6, 3, coup_by="victim")
    assert clauses.seats_to_ask(1, 2, six) == (4, 1)
    assert clauses.seats_to_ask(1, 5, six) == (1, 4)
    anyone = rules_for(4, 2, coup_by="anyone")
    assert clauses.seats_to_ask(1, 2, anyone) == (3, 0, 1, 2)  # the attacker last
    assert clauses.seats_to_ask(None, -1, rules_for(3, 3)) == (0, 1, 2)  # R5.6: all, from the first seat on


def test_r5_5_nobody_is_asked_for_a_safety_that_all_have_seen() -> None:
    rules = make_rules("classic")
    assert clauses.is_answer_hidden(Card.EXTRA_TANK, 0, rules)
    assert not clauses.is_answer_hidden(Card.EXTRA_TANK, 1, rules)


def test_r5_6_the_opening_call_is_a_setting() -> None:
    assert clauses.opening_answer(edition("wikibooks").rules()) is Card.RIGHT_OF_WAY
    assert clauses.opening_answer(edition("classic").rules()) is None


def test_r4_6_a_safety_gives_another_turn() -> None:
    effects = tables_for(make_rules("bsd"))["effect"]
    for card in Card:
        assert clauses.gives_another_turn(card) is (card in SAFETIES)
        assert int(effects[play_code(card)]["passes"]) == (card not in SAFETIES)


@pytest.mark.parametrize("name", ["classic", "bsd", "mille2", "house"])
def test_r4_6_a_safety_that_clears_nothing_away_is_only_added(name: str) -> None:
    rules = edition(name).rules()
    for safety in SAFETIES:
        effect = tables_for(rules)["effect"][play_code(safety)]
        for side in {status_of(word) for word in range(512)}:
            after = clauses.after_safety(safety, side, rules, coup=False)
            if not effect["special"] and safety not in side.safeties:
                assert after == ((*side[:2], side.safeties | {safety}), (), False)
                assert int(effect["own_keep"]) == 2**64 - 1
                assert status_of(int(effect["own_add"])).safeties == {safety}
                assert int(effect["own_add"]) < 512


# R6 the end of a hand


def test_r6_2_the_goal_and_the_choice_to_raise_it() -> None:
    rules = make_rules("classic")
    assert [clauses.goal_in_force(rules, extended) for extended in (False, True)] == [700, 1000]
    assert [clauses.may_extend(rules, extended) for extended in (False, True)] == [True, False]
    fixed = make_rules("classic", settings={"extension_goal": None})
    assert [clauses.goal_in_force(fixed, extended) for extended in (False, True)] == [700, 700]
    assert [clauses.may_extend(fixed, extended) for extended in (False, True)] == [False, False]


@pytest.mark.parametrize(("name", "test"), [("cards", 0), ("plays", 1), ("points", 2)])
def test_r6_3_the_end_of_a_hand(name: str, test: int) -> None:
    assert clauses.end_test(make_rules("classic", settings={"hand_end": name})) == EndTest(test)
    for cards, plays, scores in itertools.product([False, True], repeat=3):
        goes_on = cards and (True, plays, scores)[test]
        assert clauses.is_hand_over(test, 0, cards, plays, scores) is not goes_on
        assert not clauses.is_hand_over(test, 1, cards, plays, scores)  # there is something to draw


NOTHING = Held(False, False, False, False, False, False, False, 0)
MOVING = Needs(False, False, False)


@pytest.mark.parametrize(
    ("held", "needs", "roll_200", "can_score"),
    [
        (NOTHING, MOVING, False, False),
        (NOTHING._replace(safety=True), Needs(True, True, True), False, True),
        (NOTHING._replace(slow=True), MOVING, False, True),
        (NOTHING._replace(slow=True), Needs(False, False, True), False, True),
        (NOTHING._replace(fast=True), Needs(False, False, True), False, False),
        (NOTHING._replace(fast=True, end_of_limit=True), Needs(False, False, True), False, True),
        (NOTHING._replace(two_hundred=True, two_hundreds=1), Needs(False, False, True), False, False),
        (NOTHING._replace(slow=True), Needs(True, False, False), False, False),
        (NOTHING._replace(slow=True, remedy=True), Needs(True, False, False), False, True),
        (NOTHING._replace(slow=True, remedy=True), Needs(True, True, False), False, False),
        (NOTHING._replace(slow=True, remedy=True, roll=True), Needs(True, True, False), False, True),
        (NOTHING._replace(slow=True, two_hundreds=1), Needs(False, True, False), False, False),
        (NOTHING._replace(slow=True, two_hundreds=1), Needs(False, True, False), True, True),  # R4.7
        (NOTHING._replace(two_hundred=True, two_hundreds=1), Needs(False, True, False), True, False),
        (NOTHING._replace(two_hundred=True, two_hundreds=2), Needs(False, True, False), True, True),
        (NOTHING._replace(fast=True, two_hundreds=1), Needs(False, True, True), True, False),
    ],
)
def test_r6_4_what_a_side_can_still_score(held: Held, needs: Needs, roll_200: bool, can_score: bool) -> None:
    assert clauses.can_score(held, needs, roll_200) is can_score


# R7 the score of a hand


@pytest.mark.parametrize("bonus", [0, 300, 10_000])
def test_r7_points_are_those_of_the_table_but_where_an_edition_sets_them(bonus: int) -> None:
    rules = make_rules("classic", settings={"all_safeties_bonus": bonus})
    points = dict(zip(clauses.SCORE_LINES, clauses.points_of(rules), strict=True))
    assert points.pop("all_safeties") == bonus
    assert points == {line.name: line.points for line in clauses.SCORE_SHEET if not line.setting}
    assert tables_for(rules)["points"].tolist() == list(clauses.points_of(rules))


@pytest.mark.parametrize(
    ("side", "counts"),
    [
        ((700, 2, 1, False, True, 0, True, 1), (700, 2, 0, 1, 0, 0, 0, 0, 0)),
        ((700, 4, 0, True, False, 1, False, 0), (700, 4, 1, 0, 1, 0, 0, 0, 0)),
        ((1000, 3, 3, True, True, 0, True, 2), (1000, 3, 0, 3, 1, 1, 1, 1, 2)),
    ],
)
def test_r7_what_each_line_counts(side: tuple[Any, ...], counts: tuple[int, ...]) -> None:
    assert clauses.count_lines(*side) == counts
    compiled: Any = kernel(clauses.count_lines)
    assert compiled(*side) == counts
    assert len(counts) == len(clauses.SCORE_SHEET)


# R8 the match


@pytest.mark.parametrize(
    ("totals", "draws", "over"),
    [
        ([4995, 0], False, False),
        ([5000, 0], False, True),
        ([5000, 5000], False, False),
        ([5000, 5000], True, True),
        ([4995, 4995], True, False),
        ([6000, 5000, 5000], False, True),  # others do not matter (R8.2)
        ([5000, 6000, 6000], False, False),
    ],
)
def test_r8_1_when_a_match_is_decided(totals: list[int], draws: bool, over: bool) -> None:
    best, sides = clauses.highest_total(totals)
    assert (best, sides) == (max(totals), totals.count(max(totals)))
    assert clauses.is_match_over(best, sides, 5000, draws) is over
    highest: Any = kernel(clauses.highest_total)
    is_over: Any = kernel(clauses.is_match_over)
    assert is_over(*highest(np.array(totals)), 5000, draws) == over
    assert clauses.may_be_drawn("draw")
    assert not clauses.may_be_drawn("play_on")


def test_r8_1_the_highest_total_wins() -> None:
    assert clauses.is_won(5000, 4995, 5000)
    assert not clauses.is_won(4995, 0, 5000)
    assert not clauses.is_won(6000, 6000, 5000)
