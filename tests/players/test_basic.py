import random
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pytest

from millebornes.cards import HAZARDS, SAFETIES, Card
from millebornes.editions import EDITIONS, Rules, edition, make_rules
from millebornes.game import Hand, LegalMoves, Match, Move, Pending, Phase, Tableau, View
from millebornes.players import Basic, Player, RandomPlayer, play_hand, play_match
from millebornes.rules.state import Side
from millebornes.rules.tables import battle_code

RULES = make_rules()


def tableau(
    miles: int = 0,
    battle: str | None = None,
    limited: bool = False,
    safeties: str = "",
    coups: str = "",
    two_hundreds: int = 0,
) -> Tableau:
    """A side's tableau; its miles beyond the 200s are 25s."""
    word = battle_code(None if battle is None else Card(battle)) << Side.BATTLE | limited << Side.LIMIT
    word |= miles // 25 << Side.MILES | two_hundreds << Side.TWO_HUNDREDS
    word |= (miles - 200 * two_hundreds) // 25 << Side.DISTANCES[0]
    for name in safeties.split():
        word |= 1 << Side.SAFETIES + SAFETIES.index(Card(name))
    for name in coups.split():
        word |= 1 << Side.COUPS + SAFETIES.index(Card(name))
    return Tableau(word)


def view(
    hand: str, *sides: Tableau, rules: Rules = RULES, seen: Mapping[Card, int] | None = None, **changes: Any
) -> View:
    """What seat 0 sees; ``seen`` are discards."""
    cards = tuple(sorted(Card(word) for word in hand.split()))
    fields: dict[str, Any] = {
        "rules": rules,
        "seat": 0,
        "phase": Phase.PLAY,
        "mover": 0,
        "hand": cards,
        "hand_sizes": (len(cards), *(6,) * (rules.seats - 1)),
        "draw_pile": 50,
        "tableaux": sides,
        "discard_top": None,
        "discards": MappingProxyType({card: (seen or {}).get(card, 0) for card in Card}),
        "played": MappingProxyType(dict.fromkeys(Card, 0)),
        "first": 0,
        "extended": False,
        "totals": (0,) * rules.sides,
    }
    return View(**{**fields, **changes})


class NoChance(random.Random):
    def random(self) -> float:
        raise AssertionError("basic uses no chance")

    def getrandbits(self, k: int, /) -> int:
        raise AssertionError("basic uses no chance")


def choice(seen: View) -> str:
    return Basic().choose(seen, seen.legal_moves, NoChance()).text


ROLLING = tableau(100, "roll")
STOPPED = tableau(100, "stop")

# ---------------------------------------------------------------- single decisions


@pytest.mark.parametrize("safety", SAFETIES)
def test_coups_are_always_called(safety: Card) -> None:
    hazard = HAZARDS[SAFETIES.index(safety)]
    assert hazard not in {Card.SPEED_LIMIT}
    hit = tableau(300, hazard.value)
    asked = view(f"{safety} 25 25 25 roll roll", hit, ROLLING, phase=Phase.COUP, pending=Pending(hazard, 0, 1))
    assert choice(asked) == f"{safety}!"


def test_the_opening_right_of_way_is_called() -> None:
    rules = make_rules("wikibooks")
    asked = view("right_of_way 25 25 25 roll roll", tableau(), tableau(), rules=rules, phase=Phase.OPENING)
    assert choice(asked) == "right_of_way!"


def test_a_trip_is_completed() -> None:
    assert choice(view("100 25 50 repairs stop roll 75", tableau(925, "roll"), ROLLING, extended=True)) == "75"


def test_safeties_are_played_before_the_trip_is_completed() -> None:
    seen = view("75 extra_tank 50 repairs stop roll 75", tableau(925, "roll"), ROLLING, extended=True)
    assert choice(seen) == "extra_tank"


def test_a_roll_is_played_first() -> None:
    assert choice(view("roll 100 50 repairs gasoline stop extra_tank", tableau(), tableau())) == "roll"


def test_the_needed_remedy_is_played() -> None:
    held_up = tableau(200, "flat_tire")
    assert choice(view("spare_tire 100 50 repairs gasoline roll 25", held_up, STOPPED)) == "spare_tire"


def test_the_safety_against_what_holds_it_up_is_played_when_it_comes_late() -> None:
    held_up = tableau(200, "flat_tire")
    assert choice(view("puncture_proof 100 50 repairs gasoline roll 25", held_up, STOPPED)) == "puncture_proof"


def test_distance_is_played_rather_than_thrown_away() -> None:
    assert choice(view("100 25 repairs gasoline spare_tire roll roll", ROLLING, STOPPED)) == "100"


def test_its_shut_out_is_broken() -> None:
    assert choice(view("25 repairs gasoline spare_tire roll stop driving_ace", tableau(0, "roll"), ROLLING)) in {
        "25",
        "stop>1",
    }
    assert choice(view("25 repairs gasoline spare_tire roll roll", tableau(0, "roll"), STOPPED)) == "25"


def test_a_combination_that_reaches_the_goal_is_kept_together() -> None:
    held_up = tableau(850, "accident")
    seen = view("75 75 200 200 200 100 roll", held_up, ROLLING, extended=True)
    assert choice(seen) not in {"-75"}


def test_hazards_come_before_small_distance_when_the_other_side_is_about_to_arrive() -> None:
    close = tableau(900, "roll")
    assert choice(view("flat_tire 25 50 roll roll gasoline spare_tire", ROLLING, close, extended=True)) == "flat_tire>1"


def test_with_several_opponents_the_leader_is_hit() -> None:
    rules = make_rules("classic", 3)
    sides = (ROLLING, tableau(50, "roll"), tableau(550, "roll"))
    assert (
        choice(view("out_of_gas repairs roll spare_tire gasoline repairs roll", *sides, rules=rules)) == "out_of_gas>2"
    )
    sides = (ROLLING, tableau(550, "roll"), tableau(50, "roll"))
    assert (
        choice(view("out_of_gas repairs roll spare_tire gasoline repairs roll", *sides, rules=rules)) == "out_of_gas>1"
    )


def test_one_may_answer_ones_own_hazard_where_anybody_may_call() -> None:
    house = make_rules("house")
    seen = view("accident driving_ace 25 50 roll gasoline repairs", tableau(200, "roll"), ROLLING, rules=house)
    assert choice(seen) == "accident>1"


@pytest.mark.parametrize(
    ("hand", "own", "other", "dead"),
    [
        # the safety lies on the table, so the remedy is of no use
        (
            "repairs gasoline spare_tire roll 100 100 200",
            tableau(100, "stop", safeties="driving_ace"),
            ROLLING,
            "repairs",
        ),
        # a third 200 can never be played
        ("200 gasoline spare_tire 100 50 roll roll", tableau(400, "accident", two_hundreds=2), ROLLING, "200"),
        # the other side owns the safety
        (
            "flat_tire gasoline spare_tire 100 50 25 100",
            STOPPED,
            tableau(100, "roll", safeties="puncture_proof"),
            "flat_tire",
        ),
        # too far to go, and nobody can extend any more
        ("200 gasoline spare_tire 50 25 25 repairs", tableau(900, "stop"), ROLLING, "200"),
        # nobody needs a roll who owns the right of way
        (
            "roll gasoline spare_tire 100 50 25 75",
            tableau(100, "accident", safeties="right_of_way"),
            ROLLING,
            "roll",
        ),
    ],
)
def test_dead_cards_are_thrown_away(hand: str, own: Tableau, other: Tableau, dead: str) -> None:
    seen = view(hand, own, other, extended=True)
    legal = [move for move in seen.legal_moves if move.text.startswith("-")]
    assert len(legal) > 3
    chosen = choice(seen)
    assert chosen == f"-{dead}" or not chosen.startswith("-")
    if dead != "repairs":
        assert chosen == f"-{dead}"


def test_a_remedy_is_dead_when_its_hazards_are_gone() -> None:
    hand = "spare_tire gasoline repairs roll 100 200 100"
    seen = view(hand, STOPPED, STOPPED, seen={Card.FLAT_TIRE: 3, Card.ROLL: 0})
    rest = view(hand.replace("roll", "25"), STOPPED, STOPPED, seen={Card.FLAT_TIRE: 3})
    assert choice(seen) == "roll"
    assert choice(rest) == "-spare_tire"


def test_the_match_is_won_rather_than_risked() -> None:
    hand = "100 100 100 right_of_way driving_ace extra_tank"
    own = tableau(700, "roll", safeties="puncture_proof")
    other = tableau(0, "accident")
    asked: dict[str, Any] = {"phase": Phase.EXTEND, "draw_pile": 60, "match_target": 5000}
    ahead = view(hand, own, other, **asked, totals=(4000, 1000))
    assert choice(ahead) == "finish"
    strong = "100 100 100 right_of_way driving_ace extra_tank"
    behind = view(strong, own, tableau(100, "accident"), **asked, totals=(0, 0))
    assert choice(behind) == "extend"


def test_an_extension_is_not_called_with_an_empty_hand_against_a_close_opponent() -> None:
    asked = view("200 200 stop stop", tableau(700, "roll"), tableau(650, "roll"), phase=Phase.EXTEND, draw_pile=0)
    assert choice(asked) == "finish"


# ---------------------------------------------------------------- whole hands

KNOBS: list[dict[str, Any]] = [
    {"roll_200": True},
    {"targets": "left"},
    {"coup_by": "anyone"},
    {"opening_right_of_way": True},
    {"discard_safeties": False},
    {"hand_end": "plays"},
    {"hand_end": "points"},
    {"safety_gives_roll": True},
    {"hand_size": 3},
    {"goal": 2000, "extension_goal": None},
    {"goal": 100, "extension_goal": 125},
    {"hazard_on": "stack", "right_of_way_clears": False},
    {"deck": {"25": 60, "roll": 20, "stop": 20, "right_of_way": 1}},
]


class Checked(Basic):
    """Checks each choice: legal, the same when asked again, never a safety thrown away."""

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        move = super().choose(view, legal, NoChance())
        assert move in legal
        assert move == super().choose(view, legal, NoChance())
        if view.phase in {Phase.COUP, Phase.OPENING}:
            assert move.text != "pass"
        assert not (move.text.startswith("-") and move.card in SAFETIES)
        return move


def seated(rules: Rules) -> Sequence[Player]:
    return [Checked() for _ in range(rules.seats)]


@pytest.mark.parametrize("name", EDITIONS)
def test_it_plays_every_edition_at_every_table(name: str) -> None:
    for seats, sides in edition(name).tables:
        for seed in range(3):
            assert play_hand(
                Hand.deal(make_rules(name, seats, sides), seed), seated(make_rules(name, seats, sides)), seed
            ).is_over


@pytest.mark.parametrize("settings", KNOBS, ids=str)
def test_it_plays_with_every_setting(settings: dict[str, Any]) -> None:
    for seats in (2, 3, 4):
        rules = make_rules("classic", seats, settings=settings)
        for seed in range(3):
            assert play_hand(Hand.deal(rules, seed), seated(rules), seed).is_over


def test_it_plays_a_match_of_eight_seats() -> None:
    rules = make_rules("house", 8, 4)
    assert play_match(Match.start(rules, 1, match_target=1500), seated(rules)).is_over


@pytest.mark.parametrize(
    ("name", "seats"), [("classic", 2), ("classic", 3), ("classic", 4), ("bsd", 2), ("mille2", 2), ("house", 2)]
)
def test_it_is_far_better_than_random(name: str, seats: int) -> None:
    rules = make_rules(name, seats)
    difference, decks = 0.0, 12
    for deck in range(decks):
        for side in range(rules.sides):
            players = [Basic() if rules.side_of(seat) == side else RandomPlayer() for seat in range(seats)]
            totals = [sheet.total for sheet in play_hand(Hand.deal(rules, 0, hand=deck + 1), players, deck).scores]
            others = [total for other, total in enumerate(totals) if other != side]
            difference += (totals[side] - sum(others) / len(others)) / rules.sides / decks
    assert difference > 900


def test_a_move_costs_little() -> None:
    class Timed(Basic):
        def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
            start = time.process_time()
            move = super().choose(view, legal, rng)
            costs.append(time.process_time() - start)
            return move

    costs: list[float] = []
    for seed in range(5):
        play_hand(Hand.deal(RULES, seed), [Timed(), Timed()], seed)
    assert sorted(costs)[len(costs) // 2] < 0.0003
