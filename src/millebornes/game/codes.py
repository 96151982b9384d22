"""The kernels' codes of moves, by which arrays and environments name them."""

from millebornes.editions import Rules
from millebornes.errors import ArgumentError, IllegalMoveError, NotationError
from millebornes.game.checks import check_rules, check_seat, wrong_move
from millebornes.game.move import Move, move_codes
from millebornes.rules.engine import engine_for

__all__ = ["code_of_move", "move_of_code", "number_of_codes"]


def number_of_codes(rules: Rules) -> int:
    """Every code at this table is below this number, but not every number below it is the code of a move.

    >>> number_of_codes(make_rules("classic"))
    64
    """
    check_rules(rules)
    return 64 * engine_for(rules).targets


def code_of_move(rules: Rules, seat: int | None, move: Move | str) -> int:
    """The code of a move for a seat: hazards count the sides from the next one on, so it depends on the seat's side.

    Raises `SeatError`, `NotationError` for a text that is no move, `IllegalMoveError` for a hazard against a side that
    this seat can never play one on (R4.9), `ArgumentError` for other kinds of values.

    >>> code_of_move(make_rules("classic"), 0, "-25")
    0
    """
    check_rules(rules)
    seat = check_seat(rules, seat)
    if isinstance(move, str):
        move = Move.parse(move)
    elif not isinstance(move, Move):
        raise wrong_move(move)
    code = move_codes(rules, rules.side_of(seat)).codes.get(move)
    if code is None:
        raise IllegalMoveError(f"{move} is no move of seat {seat} at the table {rules.table}", move=move.text)
    return code


def move_of_code(rules: Rules, seat: int | None, code: int) -> Move:
    """The move of a seat that a code stands for. Raises `SeatError`, or `NotationError` where it stands for none.

    >>> move_of_code(make_rules("classic"), 0, 0)
    Move.parse('-25')
    """
    check_rules(rules)
    seat = check_seat(rules, seat)
    try:
        found = move_codes(rules, rules.side_of(seat)).moves.get(code)
    except TypeError:
        raise ArgumentError(f"{code!r} is no code of a move, which is a whole number") from None
    if found is None:
        raise NotationError(f"{code!r} is the code of no move at the table {rules.table}")
    return found
