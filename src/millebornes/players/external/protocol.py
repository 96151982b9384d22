"""Write and read the lines of the bot protocol ``millebornes/1``. Both ends check the lines they receive strictly."""

import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.errors import NotationError
from millebornes.game import LegalMoves, Scoresheet, View
from millebornes.schema import FORMAT
from millebornes.schema.protocol import (
    ChooseMessage,
    DrewMessage,
    HandMessage,
    HandOverMessage,
    HelloMessage,
    MatchOverMessage,
    MovedMessage,
    QuitMessage,
)

_ENCODER: Final = msgspec.json.Encoder()


def line_of(message: msgspec.Struct | Mapping[str, Any]) -> bytes:
    """Return a message or a reply as a line, with its line break.

    Raises `NotationError` if it doesn't consist of plain data.
    """
    try:
        line = _ENCODER.encode(message)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        # Integers of more than 64 bits, and unusual types of keys and values.
        try:
            data = msgspec.structs.asdict(message) if isinstance(message, msgspec.Struct) else message
            line = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
        except (TypeError, ValueError, RecursionError):
            raise NotationError(f"cannot be written as JSON: {error}") from None
    return line + b"\n"


QUIT: Final = line_of(QuitMessage())
"""The line that asks the program to end."""


# ---------------------------------------------------------------- messages of a host


def hello_line(seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> bytes:
    """Return the line that announces a match.

    ``players`` contains the names by seat. If it is empty, the numbers of the seats are used.
    """
    # Unpaired surrogates can't be encoded as UTF-8.
    names = [name.encode("utf-8", "replace").decode() for name in players]
    return line_of(
        HelloMessage(
            protocol=FORMAT,
            seat=seat,
            seats=rules.seats,
            sides=rules.sides,
            players=tuple(names or [f"seat {other}" for other in range(rules.seats)]),
            rules={"edition": rules.edition_name, **rules.settings()},
            match_target=match_target,
        )
    )


def hand_line(number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> bytes:
    """Return the line that announces the deal of a hand."""
    return line_of(HandMessage(number=number, first=first, totals=tuple(totals), hand=tuple(sorted(hand))))


@functools.lru_cache(maxsize=4096)
def drew_line(seat: int, count: int, cards: tuple[Card, ...] | None) -> bytes:
    """Return the line that reports that a seat has drawn cards.

    ``cards`` is None unless they were drawn by the program's own seat.
    """
    return line_of(DrewMessage(seat=seat, count=count) if cards is None else DrewMessage(seat=seat, cards=cards))


@functools.lru_cache(maxsize=4096)
def moved_line(seat: int, move: str) -> bytes:
    """Return the line that reports the move of a seat."""
    return line_of(MovedMessage(seat=seat, move=move))


def hand_over_line(
    completed_by: int | None, extended: bool, scores: Sequence[Scoresheet], totals: Sequence[int]
) -> bytes:
    """Return the line that reports the end of a hand."""
    sheets = tuple([sheet.to_object() for sheet in scores])
    return line_of(HandOverMessage(completed_by=completed_by, extended=extended, scores=sheets, totals=tuple(totals)))


def match_over_line(totals: Sequence[int], winner: int | None, reason: str) -> bytes:
    """Return the line that reports the end of a match."""
    return line_of(MatchOverMessage(totals=tuple(totals), winner=winner, reason=reason))


def choose_line(view: View, legal: LegalMoves, time_ms: int | None) -> bytes:
    """Return the line that asks for a move."""
    data = view.to_object()
    return _ENCODER.encode(ChooseMessage(phase=data.phase, view=data, legal=legal.texts, time_ms=time_ms)) + b"\n"
