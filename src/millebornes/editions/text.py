"""Rules as one word: ``classic/2x2``, ``house/4x2/targets=left,deck=reduced``, ``own/3x3/…`` with every setting."""

import functools
from typing import Any, Final

from millebornes.cards import CODES, Card
from millebornes.editions.fields import FIELDS, suggestion
from millebornes.editions.model import Rules
from millebornes.errors import EditionError

__all__ = ["OWN", "parse_rules", "rules_text"]

OWN: Final = "own"
"""Stands in place of an edition's name for an edition of one's own."""

MAX_TEXT: Final = 1000
_CARD_OF_CODE: Final = {code: card for card, code in CODES.items()}


@functools.lru_cache(maxsize=256)
def rules_text(rules: Rules) -> str:
    """The word for some rules; `parse_rules` reads it back. Only settings that differ from the edition stand there."""
    from millebornes.editions import EDITIONS, edition

    if rules.edition in EDITIONS:
        name, settings = rules.edition, edition(rules.edition).differences(rules)
    else:
        name, settings = OWN, rules.settings(short_deck=True)
    word = f"{name}/{rules.table}"
    return f"{word}/{','.join(f'{key}={_write(value)}' for key, value in settings.items())}" if settings else word


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "+".join(f"{CODES[Card(card)]}*{count}" for card, count in value.items() if count)
    return "none" if value is None else str(value)


@functools.lru_cache(maxsize=256)
def parse_rules(text: str) -> Rules:
    """The rules that `rules_text` wrote. Raises `EditionError`."""
    from millebornes.editions import EDITIONS, make_rules

    if len(text) > MAX_TEXT:
        raise EditionError(f"rules: {len(text)} characters are too many")
    name, _, rest = text.partition("/")
    table, _, listed = rest.partition("/")
    seats, x, sides = table.partition("x")
    if not x or not (_is_number(seats) and _is_number(sides)):
        raise EditionError(f"rules: {text!r} is no edition at a table; write NAME/SEATSxSIDES, such as classic/2x2")
    if name not in EDITIONS and name != OWN:
        known = [*EDITIONS, OWN]
        hint = suggestion(name, known)
        raise EditionError(f"edition: there is no {name!r}{hint}; it may be {', '.join(known)}", "edition")
    settings: dict[str, Any] = {}
    for part in listed.split(",") if listed or rest.count("/") else ():
        key, equals, value = part.partition("=")
        if not equals or key not in FIELDS:
            hint = suggestion(key, list(FIELDS))
            raise EditionError(f"settings: {part!r} is no setting{hint}; they are FIELD=VALUE with commas between", key)
        if key in settings:
            raise EditionError(f"{key}: given twice", key)
        settings[key] = _read(key, value)
    return make_rules(None if name == OWN else name, int(seats), int(sides), settings)


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
                raise EditionError(f"deck: {part!r} is wrong; it must be full, reduced, or as in 25*10+ROL*14", key)
            deck[card.value] = int(count)
        return deck
    return value
