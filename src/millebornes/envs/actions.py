"""Actions: the whole numbers that environments use for moves. Actions are the same as the move codes of the kernels.

An action has the same meaning in every seat and at every table, because hazards are numbered by the side they hit: the
first, second, … side after your own. Actions 0 to 63 are for the first of these sides, and each additional side adds
another 64.
"""

import functools
from typing import Final

from millebornes.editions import Rules
from millebornes.envs.arguments import brief, whole
from millebornes.errors import MilleBornesError
from millebornes.game import Move
from millebornes.game.move import move_codes
from millebornes.rules.clauses import targets_in_reach

EACH: Final = 64
"""The number of actions for each side that a player can hit."""


def action_count(rules: Rules) -> int:
    """Return the number of actions at a table, 64 for each side in reach (R4.9). Some of them represent no move."""
    return EACH * targets_in_reach(rules)


@functools.lru_cache(maxsize=256)
def actions(rules: Rules, side: int = 0) -> tuple[str | None, ...]:
    """Return the canonical text of each action for a seat of ``side``, or None if no move has that number.

    The side in the text of a hazard depends on who plays it: action 34 is ``stop>1`` for side 0 of two, and ``stop>0``
    for side 1. Raises `MilleBornesError` if the table doesn't have this side.
    """
    _check(side, rules.sides, "side")
    texts: list[str | None] = [None] * action_count(rules)
    for code, move in move_codes(rules, side).moves.items():
        texts[code] = move.text
    return tuple(texts)


def move_of(rules: Rules, seat: int, action: int) -> Move:
    """Return the move that an action represents for a seat. Raises `MilleBornesError` if the number isn't an action."""
    _check(seat, rules.seats, "seat")
    number = whole(action)
    move = None if number is None else move_codes(rules, rules.side_of(seat)).moves.get(number)
    if move is None:
        raise MilleBornesError(f"{brief(action)} isn't an action; millebornes.envs.actions(rules) lists them")
    return move


def action_of(rules: Rules, seat: int, move: Move | str) -> int:
    """Return the action that represents a move for a seat.

    Raises `NotationError` if ``move`` can't be read, and `MilleBornesError` if it isn't an action for that seat.
    """
    _check(seat, rules.seats, "seat")
    wanted = Move.parse(move) if isinstance(move, str) else move
    code = move_codes(rules, rules.side_of(seat)).codes.get(wanted)
    if code is None:
        raise MilleBornesError(f"seat {seat} can never play {wanted} at this table")
    return code


def _check(number: int, count: int, what: str) -> None:
    if type(number) is not int or not 0 <= number < count:
        raise MilleBornesError(
            f"{what}: {brief(number)} is out of range; at this table, it must be from 0 to {count - 1}"
        )
