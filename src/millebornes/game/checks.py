"""Check arguments. The errors say what is wrong and what to pass instead."""

import reprlib
from collections.abc import Iterable

from millebornes.editions import EDITIONS, Rules
from millebornes.errors import ArgumentError, NotationError, SeatError


def check_rules(rules: object) -> None:
    """Raise `ArgumentError` if the argument isn't a `Rules` object."""
    if not isinstance(rules, Rules):
        name = rules if isinstance(rules, str) and (rules in EDITIONS or rules.endswith(".toml")) else "classic"
        raise ArgumentError(
            f"rules: {reprlib.repr(rules)} isn't a millebornes.Rules; make them with make_rules({name!r})"
        )


def check_seat(rules: Rules, seat: object) -> int:
    """Return the seat if the table has it.

    Raises `SeatError` if it doesn't, and `ArgumentError` if the seat isn't an integer.
    """
    if type(seat) is int and 0 <= seat < rules.seats:
        return seat
    seats = f"the seats are 0 to {rules.seats - 1}"
    if isinstance(seat, int) and not isinstance(seat, bool):
        raise SeatError(f"there is no seat {seat}; {seats}")
    if seat is None:  # `hand.seat` is None when the hand is over
        raise ArgumentError(f"seat: None isn't the number of a seat; when a hand is over, no seat decides; {seats}")
    raise ArgumentError(f"seat: {reprlib.repr(seat)} isn't the number of a seat; {seats}")


def check_names(rules: Rules, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names by seat, or an empty tuple if there are no names.

    Raises `NotationError` if the number of names is wrong, and `ArgumentError` if they aren't strings.
    """
    given = None if isinstance(names, str) else tuple(names)
    if given is None or not all(isinstance(name, str) for name in given):
        raise ArgumentError(f"names: {reprlib.repr(names)} isn't a list of names, one for each seat")
    if len(given) not in {0, rules.seats}:
        raise NotationError(f"names: {len(given)} for {rules.seats} seats; give one for each seat, or none")
    return given
