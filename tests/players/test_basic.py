import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from millebornes.cards import HAZARDS, SAFETIES, Card
from millebornes.editions import EDITIONS, Rules, edition, make_rules
from millebornes.game import Hand, LegalMoves, Move, Pending, Phase, Tableau, View
from millebornes.players import Basic, play_hand
from millebornes.rules.state import Side
from millebornes.rules.tables import battle_code

RULES = make_rules()


def tableau(
    miles: int = 0, battle: str | None = None, limited: bool = False, safeties: str = "", two_hundreds: int = 0
) -> Tableau:
    """A side's tableau; its miles beyond the 200s are 25s."""
    word = battle_code(None if battle is None else Card(battle)) << Side.BATTLE | limited << Side.LIMIT
    word |= miles // 25 << Side.MILES | two_hundreds << Side.TWO_HUNDREDS
    word |= (miles - 200 * two_hundreds) // 25 << Side.DISTANCES[0]
    for name in safeties.split():
        word |= 1 << Side.SAFETIES + SAFETIES.index(Card(name))
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


ROLLING = tableau(100, "roll")
STOPPED = tableau(100, "stop")
AHEAD, BEHIND = tableau(550, "roll"), tableau(50, "roll")
THREE = make_rules("classic", 3)
HUNDREDS = "100 100 100 right_of_way driving_ace extra_tank"
EXTENDING: dict[str, Any] = {"phase": Phase.EXTEND, "draw_pile": 60, "match_target": 5000}

# ---------------------------------------------------------------- single decisions

DECISIONS: list[tuple[str, View, str]] = [
    *(
        (
            "coups are always called",
            view(
                f"{safety} 25 25 25 roll roll",
                tableau(300, hazard),
                ROLLING,
                phase=Phase.COUP,
                pending=Pending(hazard, 0, 1),
            ),
            f"{safety}!",
        )
        for hazard, safety in zip(HAZARDS, SAFETIES, strict=False)
    ),
    (
        "the opening right of way is called",
        view(
            "right_of_way 25 25 25 roll roll", tableau(), tableau(), rules=make_rules("wikibooks"), phase=Phase.OPENING
        ),
        "right_of_way!",
    ),
    ("a trip is completed", view("100 25 50 repairs stop roll 75", tableau(925, "roll"), ROLLING, extended=True), "75"),
    (
        "safeties are played before that",
        view("75 extra_tank 50 repairs stop roll 75", tableau(925, "roll"), ROLLING, extended=True),
        "extra_tank",
    ),
    ("a roll is played first", view("roll 100 50 repairs gasoline stop extra_tank", tableau(), tableau()), "roll"),
    (
        "the needed remedy is played",
        view("spare_tire 100 50 repairs gasoline roll 25", tableau(200, "flat_tire"), STOPPED),
        "spare_tire",
    ),
    (
        "a safety that comes late is played",
        view("puncture_proof 100 50 repairs gasoline roll 25", tableau(200, "flat_tire"), STOPPED),
        "puncture_proof",
    ),
    (
        "distance is played rather than thrown away",
        view("100 25 repairs gasoline spare_tire roll roll", ROLLING, STOPPED),
        "100",
    ),
    ("its shut-out is broken", view("25 repairs gasoline spare_tire roll roll", tableau(0, "roll"), STOPPED), "25"),
    (
        "hazards come before small distance when the other side is about to arrive",
        view("flat_tire 25 50 roll roll gasoline spare_tire", ROLLING, tableau(900, "roll"), extended=True),
        "flat_tire>1",
    ),
    *(
        (
            "with several opponents the leader is hit",
            view("out_of_gas repairs roll spare_tire gasoline repairs roll", ROLLING, *others, rules=THREE),
            f"out_of_gas>{leader}",
        )
        for leader, others in ((1, (AHEAD, BEHIND)), (2, (BEHIND, AHEAD)))
    ),
    (
        "one's own hazard may be answered where anybody may call",
        view(
            "accident driving_ace 25 50 roll gasoline repairs", tableau(200, "roll"), ROLLING, rules=make_rules("house")
        ),
        "accident>1",
    ),
    (
        "a third 200 is thrown away",
        view(
            "200 gasoline spare_tire 100 50 roll roll", tableau(400, "accident", two_hundreds=2), ROLLING, extended=True
        ),
        "-200",
    ),
    (
        "a hazard whose safety the other side owns is thrown away",
        view(
            "flat_tire gasoline spare_tire 100 50 25 100",
            STOPPED,
            tableau(100, "roll", safeties="puncture_proof"),
            extended=True,
        ),
        "-flat_tire",
    ),
    (
        "what goes too far is thrown away",
        view("200 gasoline spare_tire 50 25 25 repairs", tableau(900, "stop"), ROLLING, extended=True),
        "-200",
    ),
    (
        "nobody needs a roll who owns the right of way",
        view(
            "roll gasoline spare_tire 100 50 25 75",
            tableau(100, "accident", safeties="right_of_way"),
            ROLLING,
            extended=True,
        ),
        "-roll",
    ),
    (
        "a remedy is dead when its hazards are gone",
        view("spare_tire gasoline repairs 25 100 200 100", STOPPED, STOPPED, seen={Card.FLAT_TIRE: 3}),
        "-spare_tire",
    ),
    (
        "a match is won rather than risked",
        view(
            HUNDREDS,
            tableau(700, "roll", safeties="puncture_proof"),
            tableau(0, "accident"),
            **EXTENDING,
            totals=(4000, 1000),
        ),
        "finish",
    ),
    (
        "a strong hand extends",
        view(
            HUNDREDS,
            tableau(700, "roll", safeties="puncture_proof"),
            tableau(100, "accident"),
            **EXTENDING,
            totals=(0, 0),
        ),
        "extend",
    ),
    (
        "nobody extends with an empty hand against a close opponent",
        view("200 200 stop stop", tableau(700, "roll"), tableau(650, "roll"), phase=Phase.EXTEND, draw_pile=0),
        "finish",
    ),
]


@pytest.mark.parametrize(("seen", "move"), [case[1:] for case in DECISIONS], ids=[case[0] for case in DECISIONS])
def test_a_decision(seen: View, move: str) -> None:
    assert Basic().choose(seen, seen.legal_moves, NoChance()).text == move


# ---------------------------------------------------------------- whole hands


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


@pytest.mark.parametrize("name", EDITIONS)
def test_it_plays_every_edition_at_every_table(name: str) -> None:
    for seats, sides in (*edition(name).tables, (8, 4)):
        rules = make_rules(name, seats, sides)
        assert play_hand(Hand.deal(rules, seats), [Checked() for _ in range(seats)], seats).is_over
