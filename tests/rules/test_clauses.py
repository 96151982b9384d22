"""R1 to R3 at the table: one test a clause (and more where a clause says more than one thing)."""

import pytest

from millebornes.cards import (
    ANSWERS,
    DISTANCES,
    FULL_DECK,
    HAZARDS,
    REDUCED_DECK,
    REMEDIES,
    REMEDY_OF,
    SAFETIES,
    SAFETY_OF,
    Card,
)
from millebornes.editions import make_rules
from millebornes.errors import EditionError
from millebornes.game import Match
from tests.rules.table import Tables

HALTING = [("accident", "repairs"), ("out_of_gas", "gasoline"), ("flat_tire", "spare_tire")]
"""The hazards that have a remedy of their own, with it."""
SAFETY = {hazard.value: SAFETY_OF[hazard].value for hazard in HAZARDS}


# R1 cards


def test_r1_cards_and_groups() -> None:
    assert [card.value for card in DISTANCES] == ["25", "50", "75", "100", "200"]
    assert [card.value for card in HAZARDS] == ["accident", "out_of_gas", "flat_tire", "stop", "speed_limit"]
    assert [card.value for card in REMEDIES] == ["repairs", "gasoline", "spare_tire", "roll", "end_of_limit"]
    assert [card.value for card in SAFETIES] == ["driving_ace", "extra_tank", "puncture_proof", "right_of_way"]
    assert [*DISTANCES, *HAZARDS, *REMEDIES, *SAFETIES] == list(Card)


def test_r1_what_answers_what() -> None:
    assert [REMEDY_OF[hazard] for hazard in HAZARDS] == list(REMEDIES)
    assert ANSWERS == {
        Card.DRIVING_ACE: (Card.ACCIDENT,),
        Card.EXTRA_TANK: (Card.OUT_OF_GAS,),
        Card.PUNCTURE_PROOF: (Card.FLAT_TIRE,),
        Card.RIGHT_OF_WAY: (Card.STOP, Card.SPEED_LIMIT),
    }


def test_r1_full_deck() -> None:
    assert list(FULL_DECK.values()) == [10, 10, 10, 12, 4, 3, 3, 3, 5, 4, 6, 6, 6, 14, 6, 1, 1, 1, 1]
    assert sum(FULL_DECK.values()) == 106


def test_r1_reduced_deck_lacks_one_of_each_hazard() -> None:
    assert {card: FULL_DECK[card] - REDUCED_DECK[card] for card in Card if FULL_DECK[card] != REDUCED_DECK[card]} == (
        dict.fromkeys(HAZARDS, 1)
    )
    assert sum(REDUCED_DECK.values()) == 101


# R2 table


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_r2_1_play_passes_to_the_left(tables: Tables, seats: int) -> None:
    table = tables.lay(seats=seats, sides=seats)
    order = []
    for _ in range(2 * seats):
        order.append(table.seat)
        table.play("--")
    assert order == [*range(seats), *range(seats)]


@pytest.mark.parametrize(
    ("seats", "sides", "partners"),
    [
        (2, 2, [[0], [1]]),
        (3, 3, [[0], [1], [2]]),
        (4, 2, [[0, 2], [1, 3]]),
        (4, 4, [[0], [1], [2], [3]]),
        (6, 2, [[0, 2, 4], [1, 3, 5]]),
        (6, 3, [[0, 3], [1, 4], [2, 5]]),
        (8, 4, [[0, 4], [1, 5], [2, 6], [3, 7]]),
    ],
)
def test_r2_2_sides_sit_in_turn(tables: Tables, seats: int, sides: int, partners: list[list[int]]) -> None:
    rules = make_rules("classic", seats, sides)
    assert [list(rules.seats_of(side)) for side in range(sides)] == partners
    for first in range(seats):  # whoever plays a roll, it lies before that seat's side
        table = tables.lay(*["roll"] * seats, first=first, seats=seats, sides=sides).play("roll")
        rolling = [side for side in range(sides) if table.shown(side)["battle"] == "roll"]
        assert [partners[side] for side in rolling] == [[s for s in range(seats) if s % sides == first % sides]]


@pytest.mark.parametrize(("seats", "sides"), [(1, 1), (9, 3), (4, 3), (5, 2), (3, 1), (2, 4)])
def test_r2_2_other_tables_are_refused(seats: int, sides: int) -> None:
    with pytest.raises(EditionError, match=r"^(seats|sides): "):
        make_rules("classic", seats, sides)


def test_r2_3_partners_share_a_tableau(tables: Tables) -> None:
    table = tables.lay("roll 100", "stop", "25 roll", "", seats=4, sides=2)
    table.play("0:roll 1:-- 2:25 3:--")
    assert table.shown(0)["distance"] == 25
    table.play("0:100 1:stop>0")
    assert table.plays == ["roll"]
    table.play("2:roll 3:--")
    assert table.shown(0)["distance"] == 125
    assert table.is_moving(0)


def test_r2_3_hands_are_private_also_between_partners(tables: Tables) -> None:
    table = tables.lay("roll 100", "stop accident", "25 driving_ace", "", seats=4, sides=2)
    for seat in range(4):
        view = table.view(seat)
        assert view["hand"] == table.hand(seat)
        assert view["hand_sizes"] == [7, 6, 6, 6]
        lists = [value for key, value in view.items() if isinstance(value, list) and key not in {"sides", "hand_sizes"}]
        assert lists == [table.hand(seat)]  # no other cards anywhere


@pytest.mark.parametrize("first", range(3))
def test_r2_4_cards_are_dealt_one_at_a_time(tables: Tables, first: int) -> None:
    rules = make_rules("classic", 3)
    deck = [card for card, count in FULL_DECK.items() for _ in range(count)]
    deck = deck[::7] + [card for i, card in enumerate(deck) if i % 7]
    table = tables.of(rules, deck, first)
    for seat in range(3):
        dealt = [deck[k].value for k in range(18) if (first + k) % 3 == seat]
        drawn = [deck[18].value] if seat == first else []
        assert table.hand(seat) == sorted(dealt + drawn)
    assert table.seat == first
    assert table.draw_pile == 106 - 18 - 1


def test_r2_5_an_ordinary_turn_draws_one_card(tables: Tables) -> None:
    table = tables.lay(draws="100 200")
    assert [len(table.hand(seat)) for seat in (0, 1)] == [7, 6]
    assert "100" in table.hand(0)
    table.play("--")
    assert [len(table.hand(seat)) for seat in (0, 1)] == [6, 7]
    assert "200" in table.hand(1)


def test_r2_5_a_safety_is_made_up_for(tables: Tables) -> None:
    table = tables.lay("extra_tank", draws="25 100").play("0:extra_tank")
    assert table.seat == 0
    assert len(table.hand(0)) == 7
    assert "100" in table.hand(0)


def test_r2_5_a_coup_draws_two(tables: Tables) -> None:
    table = tables.lay("roll extra_tank", "out_of_gas", draws="25 25 100 200").play("0:roll 1:out_of_gas>0")
    assert len(table.hand(0)) == 6
    table.play("0:extra_tank!")
    assert table.seat == 0
    assert len(table.hand(0)) == 7
    assert {"100", "200"} <= set(table.hand(0))


def test_r2_5_no_more_is_drawn_than_there_is(tables: Tables) -> None:
    table = tables.small("roll extra_tank 25", "out_of_gas 25 25", draws="50 75 100")
    table.play("0:roll 1:out_of_gas>0 0:extra_tank!")  # two are missing to four, one is left
    assert table.draw_pile == 0
    assert table.hand(0) == ["100", "25", "50"]
    table.play("0:25")
    assert table.hand(1) == ["25", "25", "75"]


def test_r2_6_a_seat_without_cards_is_passed_over(tables: Tables) -> None:
    # Seat 1 calls two coups and runs out while seat 0 still holds cards.
    table = tables.small("accident out_of_gas 25", "roll driving_ace extra_tank", draws="25")
    table.play("0:-25 1:roll 0:accident>1 1:driving_ace! 1:extra_tank")
    assert table.hand(1) == []
    assert table.seat == 0
    table.play("0:-25")
    assert table.seat == 0
    assert table.phase == "play"


def test_r2_7_the_first_seat_moves_to_the_left() -> None:
    match = Match.start(make_rules("classic", 3), seed=1, first=1, match_target=None)
    firsts = []
    for _ in range(4):
        firsts.append(match.hand.first)
        while not match.hand.is_over:
            match = match.play(str(min(match.hand.legal_moves, key=str)))
        match = match.next_hand()
    assert firsts == [1, 2, 0, 1]


# R3 status of a side


@pytest.mark.parametrize(("hazard", "safety"), [(hazard, SAFETY[hazard]) for hazard, _ in HALTING])
def test_r3_1_a_hazard_whose_safety_is_owned_stays_visible_without_effect(
    tables: Tables, hazard: str, safety: str
) -> None:
    table = tables.lay(f"roll 25 {safety} roll", hazard).play(f"0:roll 1:{hazard}>0 0:pass 0:{safety}")
    assert table.shown(0)["battle"] == hazard
    assert "roll" in table.plays  # nothing but a roll is needed now
    assert REMEDY_OF[Card(hazard)].value not in table.plays
    assert not table.is_moving(0)


def test_r3_2_limited(tables: Tables) -> None:
    table = tables.lay("roll 25 50 75 100 200", "speed_limit").play("0:roll 1:speed_limit>0")
    assert table.shown(0)["speed"] == "speed_limit"
    assert {move for move in table.plays if move.isdigit()} == {"25", "50"}


def test_r3_2_not_limited_with_right_of_way(tables: Tables) -> None:
    table = tables.lay("roll 25 200 right_of_way", "speed_limit", right_of_way_clears=False)
    table.play("0:roll 1:speed_limit>0 0:pass 0:right_of_way")
    assert table.shown(0)["speed"] == "speed_limit"
    assert "200" in table.plays


def test_r3_3_moving_by_right_of_way(tables: Tables) -> None:
    table = tables.lay("right_of_way 25 100 repairs", "accident").play("0:right_of_way")
    assert table.is_moving(0)
    assert {"25", "100"} <= set(table.plays)
    table.play("0:25 1:accident>0")
    assert not table.is_moving(0)
    assert table.plays == ["repairs"]
    table.play("0:repairs")  # and no roll
    assert table.is_moving(0)
