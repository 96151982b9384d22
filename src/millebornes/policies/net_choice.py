"""Choose a net and a table for which it takes the real one, without loading any net, so that screens are quick."""

import dataclasses
import functools
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from millebornes.cards import ANSWERS, DISTANCES, HAZARDS, MILES, SAFETIES, Card, Group
from millebornes.editions import EDITIONS, Rules, edition, make_rules
from millebornes.i18n import Translator, translator
from millebornes.roster import ROSTER

CLASSIC, BSD, TABLES = "classic-2.npz", "bsd-2.npz", "tables.npz"
LEARNED: Final[Mapping[str, Mapping[str, tuple[tuple[int, int], ...]]]] = {
    CLASSIC: {"classic": ((2, 2),), "wikibooks": ((2, 2),)},
    BSD: {"bsd": ((2, 2),)},
    TABLES: {
        "classic": ((2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3)),
        "bsd": ((2, 2),),
        "mille2": ((2, 2),),
        "wikibooks": ((3, 3), (4, 2), (4, 4), (6, 2), (6, 3)),
        "house": ((2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3)),
    },
}
"""File -> edition -> the tables (seats and sides) on which this net was trained. The first of several nets plays."""

ANY: Final = "any.npz"
"""The net that was trained on thousands of tables with random settings. It reads the rules of each table."""

LIMIT: Final = 2.0
"""The greatest `distance` from a learned table at which its net plays. Beyond it, `ANY` is as good or better."""
OWN_LIMIT: Final = 1.9
"""The limit for the nets that were trained only on one game for two. Beyond this distance, `TABLES` is better."""


class NetChoice(NamedTuple):
    """A net: its file, the table for which it takes the real one, and the `distance` to the nearest in `LEARNED`."""

    file: str
    table: Rules
    distance: float


# ---------------------------------------------------------------- settings that cannot matter


def alike(rules: Rules) -> Rules:
    """Return equivalent rules in which every setting that can't matter at this table has its usual value.

    Tables whose results are equal have the same legal moves and scores, except that `hand_end` may let a hand last a
    few turns longer in which no side can score. How a match ends (R8.2) doesn't matter to the nets.
    """
    deck = dict(zip(Card, rules.deck, strict=True))
    answered = {hazard for safety, found in ANSWERS.items() if deck[safety] for hazard in found if deck[hazard]}
    usual: dict[str, Any] = {"edition": None, "own_name": None, "tie": "draw"}
    if rules.sides == 2:
        usual["targets"] = "all"  # R4.9: there is only one opposing side
    if not answered:
        usual["coup_by"] = "victim"  # R5.1
    if not answered - {Card.SPEED_LIMIT}:
        usual["safety_gives_roll"] = False  # R4.6
    if not answered.intersection(ANSWERS[Card.RIGHT_OF_WAY]):
        usual["right_of_way_clears"] = False  # R4.10
    if not deck[Card.RIGHT_OF_WAY]:
        usual["opening_right_of_way"] = False  # R5.6
    if not any(deck[safety] for safety in SAFETIES):
        usual["discard_safeties"] = True  # R4.8
    if not all(deck[safety] for safety in SAFETIES):
        usual["all_safeties_bonus"] = Rules.all_safeties_bonus  # R7
    if not deck[Card.D200]:
        usual["roll_200"] = False  # R4.7
    if not any(deck[hazard] for hazard in HAZARDS if hazard is not Card.SPEED_LIMIT):
        usual["hazard_on"] = "rolling"  # R4.4
    if _farthest(deck) < rules.goal:
        usual["extension_goal"] = None  # R6.2: no side can ever reach the goal
    if rules.hand_end == "plays" or usual.get("hazard_on", rules.hazard_on) == "rolling":
        usual["hand_end"] = "cards"  # R6.3, R6.4: a side that can't score with an empty draw pile can never score again
    return dataclasses.replace(rules, **usual)


def _farthest(deck: Mapping[Card, int]) -> int:
    """R4.1: return how far a side can drive with all distance cards that it may play."""
    return sum(MILES[card] * (min(deck[card], 2) if card is Card.D200 else deck[card]) for card in DISTANCES)


# ---------------------------------------------------------------- how far apart tables are

SETTINGS: Final[Mapping[str, float]] = {
    "targets": 10,
    "coup_by": 1,
    "roll_200": 2,
    "opening_right_of_way": 0.1,
    "right_of_way_clears": 0.1,
    "safety_gives_roll": 0.5,
    "discard_safeties": 0.1,
    "hand_end": 0.1,
}
"""The distance between two tables that differ in one of these settings."""
MAX_BY_BONUS: Final = 1.5
MISSING: Final = 0.4
"""The additional distance for a kind of card that only one of two tables has."""
GROUPS: Final = (
    *([card.index for card in Card if card.group is group and card is not Card.ROLL] for group in Group),
    [Card.ROLL.index],
)
"""Groups of cards with similar effects, by index."""


def distance(one: Rules, other: Rules) -> float:
    """Return the distance between two tables without their seats. It is 0 if no difference matters (`alike`)."""
    return sum(_parts(alike(one), alike(other)))


def _parts(one: Rules, other: Rules) -> Iterator[float]:
    for name, size in SETTINGS.items():
        yield size * (getattr(one, name) != getattr(other, name))
    if (one.hazard_on == "rolling") != (other.hazard_on == "rolling"):
        yield 2
    else:
        yield 0.5 * (one.hazard_on != other.hazard_on)
    yield min(MAX_BY_BONUS, abs(one.all_safeties_bonus - other.all_safeties_bonus) / 2000)
    yield (one.hand_size - other.hand_size) ** 2 / 3
    yield abs(one.goal - other.goal) / 1000
    yield abs((one.extension_goal or one.goal) - (other.extension_goal or other.goal)) / 500
    yield from _deck_parts(one, other)


def _deck_parts(one: Rules, other: Rules) -> Iterator[float]:
    """Yield the differences between two decks: shares of groups and kinds of cards, the size, and missing kinds."""
    for kinds in GROUPS:
        shares = [(1 + sum(rules.deck[kind] for kind in kinds)) / rules.cards for rules in (one, other)]
        yield abs(math.log2(shares[0] / shares[1]))
    yield 2 * abs(math.log2(one.cards / other.cards))
    for a, b in zip(one.deck, other.deck, strict=True):
        yield 2 * abs(a / one.cards - b / other.cards) + MISSING * (bool(a) != bool(b))


def _by_seats(one: Rules, other: Rules) -> tuple[bool, int, int]:
    """Return a sort key for how much the seats of two tables differ: in having partners, in sides, and in seats."""
    partners = (one.seats > one.sides) != (other.seats > other.sides)
    return partners, abs(one.sides - other.sides), abs(one.seats - other.seats)


# ---------------------------------------------------------------- choosing the net


@functools.cache
def _learned() -> tuple[tuple[str, Rules], ...]:
    return tuple(
        (file, make_rules(edition, *table))
        for file, editions in LEARNED.items()
        for edition, tables in editions.items()
        for table in tables
    )


def nearest_net(rules: Rules, file: str | None = None) -> NetChoice | None:
    """Return the net that was trained on the table most like this one, or None if ``file`` has none.

    The seats are compared first, then the rules. With seats that no net was trained on, the net plays as if at the
    classic table with the most similar seats, which gave better results than nearer tables. If ``file`` is given, only
    that net is considered.
    """
    least = min(_by_seats(rules, table) for _, table in _learned())
    choices = [
        NetChoice(name, table, distance(rules, table))
        for name, table in _learned()
        if _by_seats(rules, table) == least and file in (None, name)
    ]
    if file is None:
        choices = [choice for choice in choices if choice.file == TABLES or choice.distance <= OWN_LIMIT]
    nearest = min(choices, key=lambda choice: choice.distance, default=None)
    if nearest is None or not any(least):
        return nearest
    classic = next(choice.table for choice in choices if choice.table.edition == EDITIONS[0])
    return nearest._replace(table=classic)


@functools.lru_cache(maxsize=1024)
def choose_net(rules: Rules) -> NetChoice:
    """Return the net that plays at a table: one that was trained on a similar table, or `ANY`."""
    nearest = nearest_net(rules)
    assert nearest is not None  # only a single file may lack any table with such seats
    is_learned = not any(_by_seats(rules, nearest.table)) and nearest.distance <= LIMIT
    return nearest if is_learned else NetChoice(ANY, rules, nearest.distance)


# ---------------------------------------------------------------- sentences


def asks_net(player: str) -> bool:
    """Return whether a player, given by its name and options, uses a net."""
    built_in = ROSTER.get(player.partition(":")[0])
    return built_in is not None and built_in.asks_net


@functools.lru_cache(maxsize=1024)
def net_sentence(player: str, rules: Rules, _: Translator = translator()) -> str:  # noqa: B008 # cached, never changed
    """Return a sentence about the net of a player (such as ``instant:FILE.npz``) at a table, or "" if it uses none."""
    name, _colon, options = player.partition(":")
    if not asks_net(name):
        return ""
    file = options.strip() if name == "instant" else ""
    for option in options.split(",") if name == "champion" else ():
        key, _equals, value = option.strip().partition("=")
        if key == "no-net":
            return _("It uses no net.")
        file = value if key == "net" else file
    if file:
        return _("It uses the net in {file}.").format(file=file)
    choice = choose_net(rules)
    if choice.file == ANY:
        return _("Its net was trained at thousands of tables, and takes the rules of this one into account.")
    if alike(choice.table) == alike(rules):
        return _("Its net was trained at this table.")
    table = f"{_(edition(str(choice.table.edition)).title)} {choice.table.table}"
    # Translators: {table} is an edition with its seats and sides, such as "Classic 4x2".
    return _("Its net was trained at {table}, the closest to this table.").format(table=table)
