"""Read the messages of a host in the bot protocol, checking each one strictly, and collect what a seat has seen."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from millebornes.editions import EDITIONS, FIELDS, Rules, make_rules
from millebornes.errors import NotationError
from millebornes.game import Drew, InformationState, Move, Moved, check_target
from millebornes.schema import FORMAT
from millebornes.schema.protocol import DrewMessage, HandMessage, HelloMessage, MovedMessage
from millebornes.schema.reading import check_number, check_numbers, read, refusal
from millebornes.schema.strict import show

__all__ = [
    "Hello",
    "read_deal",
    "read_drew",
    "read_hello",
    "read_information_state",
    "read_message",
    "read_moved",
    "read_rules",
]

_Message = TypeVar("_Message", bound=msgspec.Struct)


class Hello(NamedTuple):
    """The beginning of a match. ``players`` contains the names by seat, or is empty."""

    rules: Rules
    """The rules of the match."""
    seat: int
    """The seat of the player, counted from 0."""
    players: tuple[str, ...]
    match_target: int | None
    """The number of points that ends the match, or None for single hands."""


def read_message(kind: type[_Message], message: Mapping[str, Any]) -> _Message:
    """Return a message of one kind, read from plain data.

    Raises `NotationError` if it is invalid, as all functions here do. Error messages show values in ASCII.
    """
    return read(kind, message)


def read_hello(message: Mapping[str, Any]) -> Hello:
    """Return a ``hello`` message. If the host uses a custom edition, the fields of this edition determine the rules.

    Raises `NotationError` if the message is invalid, and `EditionError` if the rules are.
    """
    spoken = message.get("protocol", FORMAT)
    if spoken != FORMAT:
        raise NotationError(f"protocol: {show(spoken)} is not supported; it must be {FORMAT}")
    hello = read_message(HelloMessage, message)
    rules = read_rules(hello.rules, hello.seats, hello.sides)
    seat = check_number("seat", hello.seat, rules.seats - 1)
    players = hello.players if len(hello.players) == rules.seats else ()
    return Hello(rules, seat, players, check_target(hello.match_target))


def read_deal(message: Mapping[str, Any], rules: Rules) -> HandMessage:
    """Return a ``hand`` message."""
    deal = read_message(HandMessage, message)
    check_number("first", deal.first, rules.seats - 1)
    check_numbers("totals", deal.totals, rules.sides, "side")
    return deal


def read_drew(message: Mapping[str, Any], rules: Rules) -> Drew:
    """Return a ``drew`` message."""
    drew = read_message(DrewMessage, message)
    seat = check_number("seat", drew.seat, rules.seats - 1)
    if isinstance(drew.cards, tuple):
        return Drew(seat, len(drew.cards), drew.cards)
    if not isinstance(drew.count, int):
        raise NotationError("count is missing")
    return Drew(seat, check_number("count", drew.count, rules.cards))


def read_moved(message: Mapping[str, Any], rules: Rules) -> Moved:
    """Return a ``moved`` message."""
    moved = read_message(MovedMessage, message)
    return Moved(check_number("seat", moved.seat, rules.seats - 1), Move.parse(moved.move))


def read_rules(fields: Any, seats: int, sides: int) -> Rules:
    """Return the rules in a ``hello`` message, which contains the name of any edition and every field of R9."""
    if not isinstance(fields, Mapping):
        raise NotationError(refusal("rules", fields, "an object"))
    name = fields.get("edition")
    edition = name if isinstance(name, str) and name in EDITIONS else None
    rules = make_rules(edition, seats, sides, {field: fields[field] for field in FIELDS if field in fields})
    return rules if edition or not isinstance(name, str) else dataclasses.replace(rules, own_name=name)


def read_information_state(messages: Iterable[Mapping[str, Any]]) -> InformationState:
    """Return everything that a seat has seen of the current hand, given a host's messages since its last ``hello``.

    Raises a `NotationError` or an `EditionError` with the number of the invalid message, counted from 1.
    """
    hello: Hello | None = None
    state: InformationState | None = None
    for number, message in enumerate(messages, 1):
        kind = message.get("type")
        try:
            if kind == "hello":
                hello, state = read_hello(message), None
            elif kind == "hand" and hello is not None:
                deal = read_deal(message, hello.rules)
                state = InformationState(
                    rules=hello.rules,
                    seat=hello.seat,
                    first=deal.first,
                    dealt=tuple(sorted(deal.hand)),
                    totals=deal.totals,
                    hand_number=deal.number,
                    match_target=hello.match_target,
                )
            elif state is not None and kind == "drew":
                state = state.after(read_drew(message, state.rules))
            elif state is not None and kind == "moved":
                state = state.after(read_moved(message, state.rules))
            elif state is not None and kind == "choose":
                if "phase" not in message:
                    raise NotationError("phase is missing")
                state = state.after(is_asked=message["phase"] in ("coup", "opening"))
            elif state is not None and kind == "hand_over":
                state = state.after(is_over=True)
        except NotationError as error:
            raise NotationError(f"message {number}, {kind}: {error}") from None
    if state is None:
        raise NotationError("no hand has been dealt yet; there must be a hello, followed by a hand")
    return state
