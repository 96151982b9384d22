"""R9: the settings of an edition, with their names and possible values, and functions that read them."""

import dataclasses
import difflib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, get_args

from millebornes.cards import DECKS, FULL_DECK, SAFETIES, Card
from millebornes.errors import EditionError

MAX_DECK: Final = 192
MAX_BONUS: Final = 10_000

LONGEST: Final = 60
"""The maximum length of a value shown in a message, and of a word for which a suggestion is made."""


@dataclasses.dataclass(frozen=True)
class Field:
    """A setting: its name, the clause that uses it, its possible values in words, and a function that reads it.

    ``read`` takes a value from JSON or TOML and returns the value to store, or raises `ValueError`. ``choices``
    contains the allowed words if the value must be one of a few words. ``summary`` contains placeholders for the names
    of cards (see `Theme.worded <millebornes.themes.Theme.worded>`).
    """

    name: str
    clause: str
    allowed: str
    summary: str
    read: Callable[[Any], Any]
    choices: tuple[str, ...] = ()


def suggestion(word: str, known: list[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` with the known word of the most similar spelling, or an empty string."""
    typed = word.strip().lower().replace("-", "_").replace(" ", "_")[:LONGEST]
    meant = {name.lower().replace("-", "_"): name for name in known}
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


def _among(values: tuple[Any, ...]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, type(values[0])) or value not in values:
            raise ValueError
        return value

    return read


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


def _setting(default: Any, clause: str, summary: str, **facts: Any) -> Any:
    """Return an attribute of `RuleSettings`: its usual value, and facts about it for its `Field`."""
    return dataclasses.field(default=default, metadata={"clause": clause, "summary": summary, **facts})


@dataclasses.dataclass(frozen=True, kw_only=True)
class RuleSettings:
    """R9: the settings, as data: each attribute is one, with its usual value, its clause and a summary.

    Its type gives its possible values if they are words, or true and false. Programs list the settings in this order,
    after the edition and the table, which aren't settings.
    """

    edition: str | None = None
    seats: int = 2
    sides: int = 2
    deck: tuple[int, ...] = _setting(
        tuple(FULL_DECK.values()),
        "R1",
        "the cards in the deck",
        allowed=f"full, reduced, or a count for each card (at most {MAX_DECK} cards, at most one of each safety)",
        read=_deck,
        choices=tuple(DECKS),
    )
    hand_size: int = _setting(
        6, "R2.4", "cards dealt to each seat", allowed="a whole number from 3 to 6", read=_whole(3, 6)
    )
    goal: int = _setting(
        700,
        "R6.1",
        "miles that complete the trip",
        allowed="a multiple of 25 from 100 to 2000",
        read=_whole(100, 2000, 25),
    )
    extension_goal: int | None = _setting(
        1000,
        "R6.2",
        "the goal after an extension, or none if the trip can't be extended",
        allowed="none, or a multiple of 25 from 100 to 2000 above the goal",
        read=_goal_or_none,
    )
    hazard_on: Literal["rolling", "stack", "stack_different"] = _setting(
        "rolling", "R4.4", "when a hazard (other than {speed_limit}) may be played"
    )
    targets: Literal["all", "left"] = _setting("all", "R4.9", "which opponents hazards may be played on")
    coup_by: Literal["victim", "anyone"] = _setting("victim", "R5.1", "who may call a coup fourré")
    roll_200: bool = _setting(False, "R4.7", "whether a 200 may be played as {roll}")
    opening_right_of_way: bool = _setting(
        False, "R5.6", "whether {right_of_way}, if dealt, may be called before the first draw"
    )
    right_of_way_clears: bool = _setting(
        True, "R4.10", "whether playing {right_of_way} discards your {stop} and {speed_limit}"
    )
    safety_gives_roll: bool = _setting(False, "R4.6", "whether a safety that ends a hazard also counts as {roll}")
    discard_safeties: bool = _setting(True, "R4.8", "whether a safety may be discarded")
    all_safeties_bonus: int = _setting(
        300,
        "R7",
        "points for owning all four safeties, besides 100 each",
        allowed=f"a whole number from 0 to {MAX_BONUS}",
        read=_whole(0, MAX_BONUS),
    )
    hand_end: Literal["cards", "plays", "points"] = _setting(
        "cards", "R6.3", "what ends a hand once the draw pile is empty"
    )
    tie: Literal["draw", "play_on"] = _setting(
        "draw", "R8.2", "what happens if the highest totals are equal at the end of a match"
    )


def _field(name: str, kind: Any, facts: Mapping[str, Any]) -> Field:
    words: tuple[str, ...] = get_args(kind)
    if "read" in facts:
        return Field(name=name, **facts)
    allowed = f"{', '.join(words[:-1])} or {words[-1]}" if words else "true or false"
    return Field(name=name, allowed=allowed, read=_among(words or (False, True)), choices=words, **facts)


FIELDS: Final = {
    one.name: _field(one.name, one.type, one.metadata) for one in dataclasses.fields(RuleSettings) if one.metadata
}
"""All settings by name."""


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
            card, _, count = map(str.strip, part.partition(":"))
            if card in data:
                raise EditionError(f"deck: {card} is given twice", name)
            data[card] = int(count) if count.isdecimal() and len(count) < 10 else count
    read_setting(name, data)
    return name, data
