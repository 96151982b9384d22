"""Reads what a host says in the bot protocol: each message strictly, and all of them as what a seat has seen."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from millebornes.cards import Card
from millebornes.editions import EDITIONS, FIELDS, Rules, make_rules
from millebornes.errors import NotationError
from millebornes.game import Drew, InformationState, Move, Moved, check_target
from millebornes.players.external import protocol

__all__ = [
    "Deal",
    "Hello",
    "need",
    "read_deal",
    "read_drew",
    "read_hello",
    "read_information_state",
    "read_moved",
    "read_rules",
    "read_side",
    "read_totals",
]

_CARDS: Final = {card.value: card for card in Card}


class Hello(NamedTuple):
    """A match begins; ``players`` are names by seat, or empty."""

    rules: Rules
    """What is played by."""
    seat: int
    """One's own seat, from 0."""
    players: tuple[str, ...]
    match_target: int | None
    """Points that end the match; None for single hands."""


class Deal(NamedTuple):
    """A hand has been dealt: its number, the nominal first seat, points by side before it, one's own cards."""

    number: int
    """Which hand of the match, from 1."""
    first: int
    """The nominal first seat (R2.7)."""
    totals: tuple[int, ...]
    """Points by side before it."""
    hand: tuple[Card, ...]
    """One's own cards."""


def read_hello(message: Mapping[str, Any]) -> Hello:
    """What a hello says. An edition of the host's own is played by its fields.

    Raises `NotationError`, as all that reads here, or `EditionError` where it is the rules.
    """
    said = need(message, "protocol")
    if said != protocol.PROTOCOL:
        raise NotationError(f"protocol: {protocol.show(said)} is not known here; it must be {protocol.PROTOCOL}")
    seats, sides = _whole(message, "seats", 8, 2), _whole(message, "sides", 8, 2)
    rules = read_rules(need(message, "rules"), seats, sides)
    seat = _whole(message, "seat", rules.seats - 1)
    players = message.get("players", [])
    if not isinstance(players, list) or any(not isinstance(name, str) for name in players):
        raise NotationError(f"players: {protocol.show(players)} is not allowed; it must be a list of names")
    target = message.get("match_target")
    if target is not None and type(target) is not int:
        raise NotationError(f"match_target: {protocol.show(target)} is no whole number")
    return Hello(rules, seat, tuple(players) if len(players) == rules.seats else (), check_target(target))


def read_deal(message: Mapping[str, Any], rules: Rules) -> Deal:
    """What a message ``hand`` says."""
    number = _whole(message, "number", 10**9, 1)
    first = _whole(message, "first", rules.seats - 1)
    return Deal(number, first, read_totals(message, rules), _cards(message, "hand"))


def read_drew(message: Mapping[str, Any], rules: Rules) -> Drew:
    """What a message ``drew`` says."""
    seat = _whole(message, "seat", rules.seats - 1)
    if "cards" in message:
        cards = _cards(message, "cards")
        return Drew(seat, len(cards), cards)
    return Drew(seat, _whole(message, "count", rules.cards))


def read_moved(message: Mapping[str, Any], rules: Rules) -> Moved:
    """What a message ``moved`` says."""
    seat, text = _whole(message, "seat", rules.seats - 1), need(message, "move")
    if not isinstance(text, str):
        raise NotationError(f"move: {protocol.show(text)} is no move")
    return Moved(seat, Move.parse(text))


def read_information_state(messages: Iterable[Mapping[str, Any]]) -> InformationState:
    """What a seat has seen of the current hand, by what a host has told it from its last ``hello`` on.

    Raises `NotationError` or `EditionError` that names the message by its number, from 1.
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
                state = state.after(is_asked=need(message, "phase") in ("coup", "opening"))
            elif state is not None and kind == "hand_over":
                state = state.after(is_over=True)
        except NotationError as error:
            raise NotationError(f"message {number}, {kind}: {error}") from None
    if state is None:
        raise NotationError("no hand has been dealt yet: there must be a hello, and after it a hand")
    return state


# ---------------------------------------------------------------- parts of messages


def need(message: Mapping[str, Any], key: str) -> Any:
    """The value of a key that has to be there."""
    if key not in message:
        raise NotationError(f"{key} is missing")
    return message[key]


def read_side(message: Mapping[str, Any], key: str, rules: Rules) -> int | None:
    """A side, or None."""
    return None if need(message, key) is None else _whole(message, key, rules.sides - 1)


def read_totals(message: Mapping[str, Any], rules: Rules) -> tuple[int, ...]:
    """Points by side."""
    totals = need(message, "totals")
    if not isinstance(totals, list) or len(totals) != rules.sides or any(type(total) is not int for total in totals):
        raise NotationError(f"totals: {protocol.show(totals)} is not allowed; it must hold one whole number a side")
    return tuple(totals)


def read_rules(fields: Any, seats: int, sides: int) -> Rules:
    """The rules that the object ``rules`` of a hello tells: the name of an edition, or none, and every field of R9."""
    if not isinstance(fields, Mapping):
        raise NotationError(f"rules: {protocol.show(fields)} is no object")
    name = fields.get("edition")
    known = name if isinstance(name, str) and name in EDITIONS else None
    rules = make_rules(known, seats, sides, {field: fields[field] for field in FIELDS if field in fields})
    return rules if known or not isinstance(name, str) else dataclasses.replace(rules, own_name=name)


def _whole(message: Mapping[str, Any], key: str, high: int, low: int = 0) -> int:
    value = need(message, key)
    if type(value) is not int or not low <= value <= high:
        shown = protocol.show(value)
        raise NotationError(f"{key}: {shown} is not allowed; it must be a whole number from {low} to {high}")
    return value


def _cards(message: Mapping[str, Any], key: str) -> tuple[Card, ...]:
    texts = need(message, key)
    if not isinstance(texts, list):
        raise NotationError(f"{key}: {protocol.show(texts)} is not allowed; it must be a list of cards")
    for text in texts:
        if not isinstance(text, str) or text not in _CARDS:
            raise NotationError(f"{key}: {protocol.show(text)} is no card")
    return tuple(_CARDS[text] for text in texts)
