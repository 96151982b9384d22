"""Write and read rules as one word: ``classic/2x2``, ``house/4x2/targets=left``, or ``own/3x3/…`` with all settings."""

from collections.abc import Mapping
from typing import Any, Final

from millebornes.cards import CODES, Card
from millebornes.editions.fields import FIELDS, suggestion, write_setting
from millebornes.errors import EditionError

EDITIONS: Final = ("classic", "bsd", "mille2", "wikibooks", "house")
"""The names of the built-in editions."""

OWN: Final = "own"
"""The word used instead of the name of a custom edition."""

MAX_TEXT: Final = 1000
_CARD_OF_CODE: Final = {code: card for card, code in CODES.items()}


def rules_text(edition: str | None, table: str, settings: Mapping[str, Any]) -> str:
    """Return the word for the rules of a known edition (None for a custom one), with a table and the changed settings.

    `parse_rules` reads this word.
    """
    word = f"{edition or OWN}/{table}"
    return f"{word}/{','.join(f'{key}={_write(value)}' for key, value in settings.items())}" if settings else word


def _write(value: Any) -> str:
    if isinstance(value, dict):
        return "+".join(f"{CODES[Card(card)]}*{count}" for card, count in value.items() if count)
    return write_setting(value)


def parse_rules(text: str) -> tuple[str | None, int, int, dict[str, Any]]:
    """Split a word written by `rules_text` into the edition (None for a custom one), seats, sides and settings.

    Raises `EditionError`.
    """
    if len(text) > MAX_TEXT:
        raise EditionError(f"rules: too long ({len(text)} characters; at most {MAX_TEXT})")
    name, _, rest = text.partition("/")
    table, _, listed = rest.partition("/")
    seats, x, sides = table.partition("x")
    if not x or not (_is_number(seats) and _is_number(sides)):
        raise EditionError(f"rules: {text!r} isn't an edition at a table; write NAME/SEATSxSIDES, such as classic/2x2")
    if name not in EDITIONS and name != OWN:
        names = [*EDITIONS, OWN]
        hint = suggestion(name, names)
        raise EditionError(f"edition: there is no {name!r}{hint}; it must be one of {', '.join(names)}", "edition")
    settings: dict[str, Any] = {}
    for part in listed.split(",") if listed or rest.count("/") else ():
        key, equals, value = part.partition("=")
        if not equals or key not in FIELDS:
            hint = suggestion(key, list(FIELDS))
            raise EditionError(
                f"settings: {part!r} isn't a setting{hint}; write them as FIELD=VALUE, separated by commas", key
            )
        if key in settings:
            raise EditionError(f"{key}: given twice", key)
        settings[key] = _read(key, value)
    return None if name == OWN else name, int(seats), int(sides), settings


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7 and (text == "0" or text[0] != "0")


def _read(key: str, value: str) -> Any:
    if value in {"true", "false"}:
        return value == "true"
    if value == "none":
        return None
    if _is_number(value):
        return int(value)
    if key == "deck" and "*" in value:
        deck: dict[str, int] = {}
        for part in value.split("+"):
            code, _, count = part.partition("*")
            card = _CARD_OF_CODE.get(code)
            if card is None or not _is_number(count) or card.value in deck:
                raise EditionError(
                    f"deck: {part!r} is not allowed; write full, reduced, or counts such as 25*10+ROL*14", key
                )
            deck[card.value] = int(count)
        return deck
    return value
