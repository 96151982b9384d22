"""The columns of a data set of decisions, with their names, types, units, ranges and meanings.

Sides are counted from the side of the player who decides (``own``, ``side1`` and so on), and other seats are counted
from that player's seat (``seat1`` and so on).
"""

import dataclasses
import functools
from collections.abc import Iterator
from typing import Final

from millebornes.cards import DISTANCES, HAZARDS, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.envs.actions import action_count
from millebornes.rules.clauses import targets_in_reach
from millebornes.rules.moves import absolute_codes
from millebornes.rules.state import BATTLE_TOPS

CARDS: Final = tuple(card.value for card in Card)
PHASES: Final = ("play", "coup", "opening", "extend")
BATTLE: Final = (*(top.value for top in BATTLE_TOPS if top), "200")
"""The cards that can be on top of a battle pile, including a 200 that was played as a Roll (R4.7)."""
SPEED: Final = ("speed_limit", "end_of_limit")
TEXT: Final = "dictionary"
IN_WORDS: Final = {
    TEXT: "any text",
    "string": "any text",
    "binary": "bytes",
    "bool": "true, false",
    "float32": "any number",
}
"""The contents, in words, of columns without a lower bound."""


@dataclasses.dataclass(frozen=True)
class Column:
    """One column of a data set.

    ``type`` is the Arrow type. A ``dictionary`` column contains strings, each of which is stored as a small number, and
    ``values`` lists the possible strings if they are known in advance. ``low`` and ``high`` are the bounds of a
    numerical column, or None. ``is_optional`` is true if the column may contain nulls.
    """

    name: str
    type: str
    unit: str
    meaning: str
    low: int | None = 0
    high: int | None = None
    values: tuple[str, ...] = ()
    is_optional: bool = False

    @property
    def range(self) -> str:
        """The range of the column in words."""
        if self.low is None:
            text = IN_WORDS[self.type]
        else:
            text = f"{self.low} to {self.high}" if self.high is not None else f"from {self.low}"
        return f"{text} or null" if self.is_optional else text


@functools.lru_cache(maxsize=64)
def data_columns(rules: Rules) -> tuple[Column, ...]:
    """Return all columns of a data set with these rules, in order."""
    return (
        *_place(rules),
        *_cards(rules),
        *(column for n in range(rules.sides) for column in _side(rules, n)),
        *_table(rules),
        *_decision(rules),
        *_outcome(rules),
    )


def side_name(n: int) -> str:
    """Return the name of the n-th side, counted from the side of the player who decides."""
    return "own" if n == 0 else f"side{n}"


@functools.lru_cache(maxsize=64)
def move_texts(sides: int) -> tuple[str, ...]:
    """Return the text of every move at a table with this many sides, in the order of the move numbers in files."""
    return tuple(absolute_codes(sides))


def _byte(name: str, unit: str, high: int, meaning: str, *, is_optional: bool = False) -> Column:
    return Column(name, "uint8", unit, meaning, high=high, is_optional=is_optional)


def _text(name: str, values: tuple[str, ...], meaning: str, *, is_optional: bool = False) -> Column:
    return Column(name, TEXT, "text", meaning, low=None, values=values, is_optional=is_optional)


def _place(rules: Rules) -> Iterator[Column]:
    yield Column("game", "int32", "number", "the number of the game: a match, or a single hand", low=1)
    yield Column("hand", "int32", "number", "the number of the hand in its game", low=1)
    yield Column("ply", "int16", "number", "the number of the decision in its hand, passes included")
    yield _byte("first", "seat", rules.seats - 1, "the seat that goes first in the hand (R2.7)")
    yield _byte("seat", "seat", rules.seats - 1, "the seat that decides")
    yield _text("player", (), "the player in that seat, named as in the results")
    yield _text("phase", PHASES, "what is being decided")


def _cards(rules: Rules) -> Iterator[Column]:
    for card, count in zip(Card, rules.deck, strict=True):
        most = min(rules.hand_size + 1, count)
        yield _byte(f"hand_{card.value}", "cards", most, "cards of this kind in your hand, after the draw")
    meaning = "cards of this kind that everyone has seen, played or discarded"
    for card, count in zip(Card, rules.deck, strict=True):
        yield _byte(f"seen_{card.value}", "cards", count, meaning)


def _side(rules: Rules, n: int) -> Iterator[Column]:
    side = side_name(n)
    goal = rules.extension_goal or rules.goal
    whole = (1 << len(SAFETIES)) - 1
    yield Column(f"{side}_distance", "uint16", "miles", "miles travelled, in steps of 25", high=goal)
    for card in DISTANCES:
        count = rules.deck[card.index]
        yield _byte(f"{side}_{card.value}", "cards", count, "distance cards of this kind that were played")
    bits = ", ".join(f"{1 << place} {safety.value}" for place, safety in enumerate(SAFETIES))
    yield _byte(f"{side}_safeties", "bits", whole, f"safeties on the table: {bits}")
    yield _byte(f"{side}_coups", "bits", whole, "the safeties called as a coup fourré, in the same bits")
    yield _text(f"{side}_battle", BATTLE, "visible top of the battle pile", is_optional=True)
    yield _text(f"{side}_speed", SPEED, "visible top of the speed pile", is_optional=True)
    meaning = "whether the roll on the battle pile, perhaps below a hazard, is a 200 (R4.7)"
    yield Column(f"{side}_200_as_roll", "bool", "yes, no", meaning, low=None)


def _table(rules: Rules) -> Iterator[Column]:
    for n in range(1, rules.seats):
        yield _byte(f"seat{n}_cards", "cards", rules.hand_size + 1, "cards in the hand of this seat")
    yield _byte("draw_pile", "cards", rules.cards, "cards left to draw")
    yield _text("discard_top", CARDS, "the latest discard, null before the first", is_optional=True)
    yield Column("extended", "bool", "yes, no", "whether the trip has been extended (R6.2)", low=None)
    hazards = tuple(hazard.value for hazard in HAZARDS)
    meaning = "the hazard that can be answered with a coup fourré (R5.1)"
    yield _text("pending_hazard", hazards, meaning, is_optional=True)
    meaning = "the side that the hazard was played on, counted from yours"
    yield _byte("pending_side", "side", rules.sides - 1, meaning, is_optional=True)
    meaning = "the seat that played the hazard, counted from yours"
    yield _byte("pending_by", "seat", rules.seats - 1, meaning, is_optional=True)
    for n in range(rules.sides):
        meaning = "points in the match before this hand; 0 in single hands"
        yield Column(f"{side_name(n)}_total", "int32", "points", meaning)


def _decision(rules: Rules) -> Iterator[Column]:
    for n in range(targets_in_reach(rules)):
        actions = "actions 0 to 63" if n == 0 else f"actions {64 * n} to {64 * n + 63}, by number less {64 * n}"
        name = "legal" if n == 0 else f"legal{n}"
        yield Column(name, "uint64", "bits", f"legal moves: {actions}", high=2**64 - 1)
    meaning = "the move as a number (`millebornes.envs.actions`)"
    yield Column("action", "int16", "number", meaning, high=action_count(rules) - 1)
    yield _text("move", move_texts(rules.sides), "the move as text, with the sides by number")
    yield Column("info", "string", "JSON", "the player's notes about the move", low=None, is_optional=True)


def _outcome(rules: Rules) -> Iterator[Column]:
    for n in range(rules.sides):
        meaning = "points for the whole hand; null if a forfeit ended it"
        yield Column(f"{side_name(n)}_points", "int32", "points", meaning, is_optional=True)
    meaning = "your side's points minus the average of the other sides"
    yield Column("lead", "float32", "points", meaning, low=None, is_optional=True)
    meaning = "your side's share of the win: 1 if it won, 0 if it lost, in between if the win is shared"
    yield Column("share", "float32", "games", meaning, high=1)
    meaning = (
        "only if `ply` is 0: one byte per card (0 to 18 as in `hand_…`), in the order drawn; hidden from all seats"
    )
    yield Column("deck", "binary", "cards", meaning, low=None, is_optional=True)
