"""What the texts of positions and information states have in common: numbers, cards, and parts of a field."""

from collections.abc import Iterable
from typing import Final

from millebornes.cards import CODES, Card
from millebornes.errors import NotationError

__all__ = [
    "NO_CARD",
    "cards_text",
    "match_text",
    "read_card",
    "read_cards",
    "read_fields",
    "read_match",
    "read_parts",
    "read_totals",
    "read_whole",
    "shown",
]

NO_CARD: Final = "-"
"""Stands for no card."""
_CARD_OF: Final = {code: card for card, code in CODES.items()}


def cards_text(cards: Iterable[Card]) -> str:
    """Cards in order; equal neighbours are written once, with their number."""
    runs: list[tuple[Card, int]] = []
    for card in cards:
        if runs and runs[-1][0] is card:
            runs[-1] = card, runs[-1][1] + 1
        else:
            runs.append((card, 1))
    return ",".join(CODES[card] if n == 1 else f"{CODES[card]}*{n}" for card, n in runs) or NO_CARD


def shown(text: str) -> str:
    """A part of a text for a message, shortened."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def read_fields(text: str, names: tuple[str, ...], what: str, most: int) -> dict[str, str]:
    """The fields of a text by their names; ``what`` names the text, which may have ``most`` characters."""
    if not isinstance(text, str):
        raise NotationError(f"{what} is a text, not {type(text).__name__}")
    if len(text) > most:
        raise NotationError(f"{len(text)} characters are too many for {what}, which has at most {most}")
    parts = text.split(" ")
    if len(parts) != len(names):
        wanted = f"{what} has {len(names)} fields with single spaces between, {' '.join(names)}"
        raise NotationError(f"{wanted}; this has {len(parts)}")
    return dict(zip(names, parts, strict=True))


def read_whole(field: str, text: str, high: int, low: int = 0) -> int:
    """A whole number of a field, written in the one right way. Raises `NotationError`, as all that reads."""
    if text.isascii() and text.isdigit() and len(text) <= 13 and str(int(text)) == text and low <= int(text) <= high:
        return int(text)
    raise NotationError(f"{field}: {shown(text)} is not allowed; it must be a whole number from {low} to {high}")


def read_parts(field: str, text: str, count: int, what: str) -> list[str]:
    """The parts of a field, one for each of ``what``."""
    parts = text.split("|")
    if len(parts) != count:
        raise NotationError(f"{field}: {len(parts)} parts for {count} {what}; write one for each, with | between")
    return parts


def read_card(field: str, code: str) -> Card:
    """The card with a short code."""
    card = _CARD_OF.get(code)
    if card is None:
        raise NotationError(f"{field}: {shown(code)} is no card; the codes are {' '.join(_CARD_OF)}")
    return card


def read_cards(field: str, text: str) -> tuple[Card, ...]:
    """The cards that `cards_text` wrote, in order."""
    if text == NO_CARD:
        return ()
    cards: list[Card] = []
    for part in text.split(","):
        code, star, number = part.partition("*")
        cards += [read_card(field, code)] * (read_whole(field, number, 192, 2) if star else 1)
    return tuple(cards)


def read_totals(text: str, sides: int) -> tuple[int, ...]:
    """Points by side, from the field TOTALS."""
    return tuple(read_whole("TOTALS", part, 10**12) for part in read_parts("TOTALS", text, sides, "sides"))


def read_match(text: str) -> tuple[int, int | None]:
    """The number of the hand and the target of the match, from the field MATCH."""
    number, slash, target = text.partition("/")
    if not slash:
        raise NotationError(f"MATCH: {shown(text)} must be the hand's number and the target, as in 1/5000")
    return (
        read_whole("MATCH", number, 10**9, 1),
        None if target == "none" else read_whole("MATCH", target, 10**9, 1),
    )


def match_text(hand_number: int, match_target: int | None) -> str:
    """The field MATCH."""
    return f"{hand_number}/{'none' if match_target is None else match_target}"
