"""The layout of observations: the position and the meaning of each number.

Each number is a count or a flag, multiplied by a scale. All numbers are between 0 and 1, except for match points and
events.
"""

import functools
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.cards import HAZARDS, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.envs.arguments import brief
from millebornes.errors import MilleBornesError
from millebornes.rules.clauses import targets_in_reach
from millebornes.rules.state import BATTLE_TOPS

POINTS: Final = 5000
"""The unit of match points: the value 1 represents this many points."""
MAX_POINTS: Final = 1_000_000
"""The largest total or target that an observation can show. It gives every number a finite range."""
MAX_HISTORY: Final = 255
"""The largest number of public events that an observation can show. No known edition has a hand with more events."""
OBSERVATION_VERSION: Final = 1
"""The version of the layout, for whenever a number in observations, or an action, changes its position or meaning."""
PHASES: Final = ("play", "coup", "opening", "extend", "over")
BATTLE: Final = tuple(top.value for top in BATTLE_TOPS if top)
STATUS_NUMBERS: Final = 4 + len(SAFETIES) + len(BATTLE)
"""The number of values for the status of a side, which come first among those for the side."""
EACH_SIDE: Final = STATUS_NUMBERS + len(SAFETIES) + 5
"""The number of values that describe each side."""


class ObservationField(NamedTuple):
    """One number in an observation.

    ``unit`` is the amount that the value 1 represents. ``low`` and ``high`` are the smallest and largest possible
    values, and ``meaning`` describes the number in words.
    """

    name: str
    unit: str
    low: float
    high: float
    meaning: str


class Layout(NamedTuple):
    """The fields in a table's observations, and the index at which each group of fields begins.

    Sides and seats are counted from your own. Each integer is multiplied by its ``scale``, and ``most`` contains the
    largest possible values. The totals, the target and the history come after all other fields.
    """

    fields: tuple[ObservationField, ...]
    scale: npt.NDArray[np.float32]
    most: npt.NDArray[np.float32]
    starts: dict[str, int]

    @property
    def size(self) -> int:
        """The number of values in an observation."""
        return len(self.fields)


class _Row(NamedTuple):
    name: str
    unit: str
    scale: float
    most: float
    meaning: str


def observation_fields(rules: Rules, history: int = 0) -> tuple[ObservationField, ...]:
    """Return all fields of an observation at this table, in order, with their names, units, ranges and meanings.

    With ``history``, the observation ends with the latest public events, ``history`` in number. Raises
    `MilleBornesError` if ``history`` is out of range.
    """
    return layout_for(rules, history).fields


@functools.lru_cache(maxsize=64)
def layout_for(rules: Rules, history: int = 0) -> Layout:
    """Return the layout of the observations at a table. Raises the same errors as `observation_fields`."""
    if type(history) is not int or not 0 <= history <= MAX_HISTORY:
        raise MilleBornesError(
            f"history: {brief(history)} is not allowed; it must be a whole number from 0 to {MAX_HISTORY}"
        )
    groups = {
        "cards": _cards(rules),
        "sides": _sides(rules),
        "phase": _phases(),
        "pending": _pending(rules),
        "seats": _seats(rules),
        "table": _table(rules),
        "totals": _totals(rules),
        "history": _history(rules, history),
    }
    starts: dict[str, int] = {}
    rows: list[_Row] = []
    for name, group in groups.items():
        starts[name] = len(rows)
        rows += group
    scale = np.array([row.scale for row in rows], np.float32)
    most = np.array([row.most for row in rows], np.float32) * scale
    fields = tuple(
        ObservationField(row.name, row.unit, 0.0, float(high), row.meaning)
        for row, high in zip(rows, most, strict=True)
    )
    scale.flags.writeable = most.flags.writeable = False
    return Layout(fields, scale, most, starts)


def _flag(name: str, meaning: str) -> _Row:
    return _Row(name, "yes", 1.0, 1.0, meaning)


def _part(name: str, unit: str, whole: float, meaning: str, most: float | None = None) -> _Row:
    return _Row(name, unit, 1.0 / whole if whole else 0.0, whole if most is None else most, meaning)


def _names(first: str, other: str, count: int) -> list[str]:
    return [first, *(f"{other}+{n}" for n in range(1, count))]


def _cards(rules: Rules) -> Iterator[_Row]:
    full = rules.hand_size + 1
    for card, count in zip(Card, rules.deck, strict=True):
        yield _part(f"hand.{card.value}", f"{full} cards", full, "cards of this kind in your hand", min(full, count))
    for card, count in zip(Card, rules.deck, strict=True):
        unit = f"{count} cards, all of the kind" if count else "none are in the deck"
        yield _part(f"unseen.{card.value}", unit, count, "cards of this kind in other hands or the draw pile")


def _sides(rules: Rules) -> Iterator[_Row]:
    goal = rules.extension_goal or rules.goal
    for side in _names("own", "side", rules.sides):
        yield _flag(f"{side}.moving", "the side may play distance cards (R3.3)")
        yield _flag(f"{side}.limited", "a speed limit is in force (R3.2)")
        yield _flag(f"{side}.limit_shown", "a speed limit is on top of the speed pile")
        yield _flag(f"{side}.under_hazard", "a hazard stops the side (R3.1)")
        for safety in SAFETIES:
            yield _flag(f"{side}.{safety.value}", "the side owns this safety")
        for top in BATTLE:
            yield _flag(f"{side}.battle.{top}", "this card is on top of the battle pile; all are 0 if it is empty")
        for safety in SAFETIES:
            yield _flag(f"{side}.coup.{safety.value}", "this safety was called as a coup fourré")
        yield _flag(f"{side}.end_of_limit", "there is an end of limit in the speed pile")
        yield _flag(f"{side}.200_as_roll", "the roll on the battle pile, perhaps below a hazard, is a 200 (R4.7)")
        yield _part(f"{side}.distance", f"{goal} miles", goal / 25, "miles travelled")
        yield _part(f"{side}.to_go", f"{goal} miles", goal / 25, "miles to the goal in force")
        yield _part(f"{side}.200s", "2 cards", 2, "200s among the distance cards")


def _phases() -> Iterator[_Row]:
    yield _flag("deciding", "it is your turn to decide")
    for phase in PHASES:
        yield _flag(f"phase.{phase}", "the kind of decision, as far as you may know it (R5.5)")


def _pending(rules: Rules) -> Iterator[_Row]:
    for hazard in HAZARDS:
        yield _flag(f"pending.{hazard.value}", "the hazard that you may answer with a coup fourré")
    for side in _names("own", "side", rules.sides):
        yield _flag(f"pending.on.{side}", "the side that it was played on")
    for seat in _names("self", "seat", rules.seats):
        yield _flag(f"pending.by.{seat}", "the seat that played it")


def _seats(rules: Rules) -> Iterator[_Row]:
    full = rules.hand_size + 1
    seats = _names("self", "seat", rules.seats)
    for seat in seats:
        yield _part(f"{seat}.cards", f"{full} cards", full, "cards in this seat's hand")
    for seat in seats:
        yield _flag(f"{seat}.first", "the nominal first seat of the hand (R2.7)")


def _table(rules: Rules) -> Iterator[_Row]:
    goal = rules.extension_goal or rules.goal
    yield _part("draw_pile", f"{rules.cards} cards", rules.cards, "cards left to draw")
    yield _part("goal", f"{goal} miles", goal / 25, "the goal in force")
    yield _flag("extended", "the extension has been called (R6.2)")
    for card in Card:
        yield _flag(f"top.{card.value}", "this card is the latest discard; all are 0 before the first")


def _totals(rules: Rules) -> Iterator[_Row]:
    unit = f"{POINTS} points"
    for side in _names("own", "side", rules.sides):
        yield _Row(f"{side}.total", unit, 1 / POINTS, MAX_POINTS, "points in the match before this hand")
    yield _Row("target", unit, 1 / POINTS, MAX_POINTS, "points that the match is played to; 0 for single hands")


def _history(rules: Rules, history: int) -> Iterator[_Row]:
    codes = 64 * targets_in_reach(rules)
    seat = "the seat that moved, counted from 1 for your own; 0 for no event"
    action = "the action plus 1, as numbered for the seat that moved; 0 for no event"
    for n in range(history):
        yield _Row(f"event-{n}.seat", "1 seat", 1.0, rules.seats, seat)
        yield _Row(f"event-{n}.action", "1 action", 1.0, codes, action)
