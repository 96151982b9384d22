"""R9: the settings of an edition, with their names and possible values, and functions that read them."""

import dataclasses
import difflib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from millebornes.cards import DECKS, SAFETIES, Card
from millebornes.errors import EditionError

__all__ = [
    "FIELDS",
    "CoupBy",
    "Field",
    "HandEnd",
    "HazardOn",
    "Targets",
    "Tie",
    "parse_setting",
    "read_setting",
    "shown",
    "suggestion",
    "write_setting",
]

HazardOn: TypeAlias = Literal["rolling", "stack", "stack_different"]
Targets: TypeAlias = Literal["all", "left"]
CoupBy: TypeAlias = Literal["victim", "anyone"]
HandEnd: TypeAlias = Literal["cards", "plays", "points"]
Tie: TypeAlias = Literal["draw", "play_on"]

MAX_DECK: Final = 192
MAX_BONUS: Final = 10_000

LONGEST: Final = 60
"""The maximum length of a value shown in a message, and of a word for which a suggestion is made."""


@dataclasses.dataclass(frozen=True)
class Field:
    """A setting: its name, the clause that uses it, its possible values in words, and a function that reads it.

    ``read`` takes a value from JSON or TOML and returns the value to store, or raises `ValueError`. ``choices``
    contains the allowed words if the value must be one of a few words.
    """

    name: str
    clause: str
    allowed: str
    summary: str
    read: Callable[[Any], Any]
    choices: tuple[str, ...] = ()


def suggestion(word: str, known: list[str], synonyms: Mapping[str, str] | None = None) -> str:
    """Return ``" (did you mean 'x'?)"`` with the known word that was probably meant, or an empty string.

    ``synonyms`` maps other words to ``known`` words. Known words with a similar spelling are also suggested.
    """
    typed = word.strip().lower().replace("-", "_").replace(" ", "_")[:LONGEST]
    meant = {name.lower().replace("-", "_"): name for name in known}
    meant = {**(synonyms or {}), **meant}
    close = [typed] if typed in meant else difflib.get_close_matches(typed, meant, n=1)
    return f" (did you mean {meant[close[0]]!r}?)" if close else ""


def shown(value: Any) -> str:
    """Return a value as JSON for a message, shortened if necessary."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**LONGEST:
        return "a number with many digits"
    try:
        text = json.dumps(value, default=repr, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):  # JSON doesn't allow these numbers or keys, or such deep nesting
        return "a value that cannot be shown"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _whole(low: int, high: int, step: int = 1) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not low <= value <= high or value % step:
            raise ValueError
        return value

    return read


def _goal_or_none(value: Any) -> int | None:
    return None if value is None or value == "none" else _whole(100, 2000, 25)(value)


def _choice(name: str, clause: str, kind: Any, summary: str) -> Field:
    """Return a setting whose allowed values are the words of a `Literal`."""
    choices: tuple[str, ...] = get_args(kind)

    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError
        return value

    return Field(name, clause, f"{', '.join(choices[:-1])} or {choices[-1]}", summary, read, choices)


def _yes_or_no(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError
    return value


def _deck(value: Any) -> tuple[int, ...]:
    """Read ``"full"``, ``"reduced"`` or {card: count}, and return the number of cards of each kind in card order."""
    if isinstance(value, str) and value in DECKS:
        return tuple(DECKS[value].values())
    if not isinstance(value, Mapping):
        raise ValueError
    names = {card.value for card in Card}
    for name, count in value.items():
        if name not in names:
            raise EditionError(f"deck: {name!r} isn't a card{suggestion(str(name), sorted(names))}", "deck")
        most = 1 if Card(name) in SAFETIES else MAX_DECK
        if type(count) is not int or not 0 <= count <= most:
            raise EditionError(
                f"deck: the count of {name} must be a whole number from 0 to {most}, not {shown(count)}", "deck"
            )
    counts = tuple(value.get(card.value, 0) for card in Card)
    if sum(counts) > MAX_DECK:
        raise EditionError(f"deck: {sum(counts)} cards are too many; a deck has at most {MAX_DECK}", "deck")
    return counts


_YES_NO = "true or false"
FIELDS: Final = {
    field.name: field
    for field in (
        Field(
            "deck",
            "R1",
            "full, reduced, or a count for each card (at most 192 cards, at most one of each safety)",
            "the cards in the deck",
            _deck,
            tuple(DECKS),
        ),
        Field("hand_size", "R2.4", "a whole number from 3 to 6", "cards dealt to each seat", _whole(3, 6)),
        Field(
            "goal", "R6.1", "a multiple of 25 from 100 to 2000", "miles that complete the trip", _whole(100, 2000, 25)
        ),
        Field(
            "extension_goal",
            "R6.2",
            "none, or a multiple of 25 from 100 to 2000 above the goal",
            "the goal after an extension, or none if the trip can't be extended",
            _goal_or_none,
        ),
        _choice("hazard_on", "R4.4", HazardOn, "when a hazard (other than a speed limit) may be played"),
        _choice("targets", "R4.9", Targets, "which opponents hazards may be played on"),
        _choice("coup_by", "R5.1", CoupBy, "who may call a coup fourré"),
        Field("roll_200", "R4.7", _YES_NO, "whether a 200 may be played as a roll", _yes_or_no),
        Field(
            "opening_right_of_way",
            "R5.6",
            _YES_NO,
            "whether a right of way that was dealt may be called before the first draw",
            _yes_or_no,
        ),
        Field(
            "right_of_way_clears",
            "R4.10",
            _YES_NO,
            "whether playing right of way discards your stop and speed limit",
            _yes_or_no,
        ),
        Field(
            "safety_gives_roll",
            "R4.6",
            _YES_NO,
            "whether a safety that ends a hazard also counts as a roll",
            _yes_or_no,
        ),
        Field("discard_safeties", "R4.8", _YES_NO, "whether a safety may be discarded", _yes_or_no),
        Field(
            "all_safeties_bonus",
            "R7",
            f"a whole number from 0 to {MAX_BONUS}",
            "points for owning all four safeties, besides 100 each",
            _whole(0, MAX_BONUS),
        ),
        _choice("hand_end", "R6.3", HandEnd, "what ends a hand once the draw pile is empty"),
        _choice("tie", "R8.2", Tie, "what happens if the highest totals are equal at the end of a match"),
    )
}
"""All settings by name, in the order in which programs list them."""


def read_setting(name: str, value: Any) -> Any:
    """Check the value of a setting given as data (from JSON, TOML or Python) and return the value to store.

    Raises an `EditionError` that names the setting and its possible values.
    """
    field = FIELDS.get(name)
    if field is None:
        hint = suggestion(str(name), list(FIELDS))
        raise EditionError(f"there is no setting {name!r}{hint}; the settings are {', '.join(FIELDS)}", str(name))
    try:
        return field.read(value)
    except EditionError:
        raise
    except ValueError:
        raise EditionError(f"{name}: {shown(value)} is not allowed; it must be {field.allowed}", name) from None


def write_setting(value: Any) -> str:
    """Return the value of any setting except the deck in the notation that `parse_setting` reads."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


def parse_setting(text: str) -> tuple[str, Any]:
    """Read ``FIELD=VALUE`` as typed by a user, and return the name of the setting and its value as data.

    The value can be yes/no, true/false, none/null, an integer, a deck such as ``deck=25:10,roll:5``, or JSON. Raises
    `EditionError`.
    """
    name, equals, value = text.partition("=")
    name, value = name.strip().replace("-", "_"), value.strip()
    if not equals or not name:
        raise EditionError(f"{text!r} isn't a setting; write FIELD=VALUE, for example targets=left")
    data: Any = value
    if value.lower() in {"yes", "true", "on"}:
        data = True
    elif value.lower() in {"no", "false", "off"}:
        data = False
    elif value.lower() in {"none", "null"}:
        data = None
    elif value.isascii() and value.isdigit() and len(value) < 10:
        data = int(value)
    elif name == "deck" and value.startswith("{"):
        try:
            data = json.loads(value)
        except (ValueError, RecursionError):
            example = '{"25": 10, "roll": 14}'
            raise EditionError(f"deck: {value[:60]!r} isn't a JSON object such as {example}", name) from None
    elif name == "deck" and ":" in value:
        data = {}
        for part in value.split(","):
            card, _, count = part.strip().partition(":")
            if card in data:
                raise EditionError(f"deck: {card} is given twice", name)
            data[card.strip()] = int(count) if count.strip().isdecimal() and len(count) < 10 else count
    read_setting(name, data)
    return name, data
