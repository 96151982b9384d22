"""A move, which is a single decision of a seat, with its canonical notation and its code in kernels."""

import dataclasses
import functools
import reprlib
from typing import Final

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.errors import ArgumentError, IllegalMoveError, NotationError
from millebornes.game.checks import check_rules, check_seat
from millebornes.rules.engine import engine_for
from millebornes.rules.moves import KINDS_OF_MOVE, Action
from millebornes.rules.moves import move_codes as codes_of_texts
from millebornes.rules.state import SEATS

_DONE: Final = {
    Action.PLAY: "played",
    Action.DISCARD: "discarded",
    Action.AS_ROLL: "played as a roll",
    Action.COUP: "called as a coup fourré",
}


def _why_not(action: Action, card: Card | None, target: int | None) -> str:
    """Return why there is no such move, such as "roll can't be played on side 1"."""
    done = _DONE.get(action)
    if done is None:
        return f"{action.value} takes no card and no side"
    if card is None:
        return f"a move needs a card that is {done}"
    where = "" if target is None else f" on side {target}"
    return f"{card.value} can't be {done}{where}"


@dataclasses.dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """A single decision: an action, the card that it uses, and the target side of a hazard.

    Moves are immutable. ``str(move)`` returns the canonical notation (``"stop>1"``, ``"-75"``, ``"200=roll"``,
    ``"extra_tank!"``, ``"pass"``), and `Move.parse` reads it. Raises `NotationError` if the parts don't form a move.
    """

    action: Action
    """The action of the move."""
    card: Card | None = None
    """The card, or None if the action needs no card."""
    target: int | None = None
    """The side at which a hazard is aimed, or None for all other moves."""
    text: str = dataclasses.field(init=False)
    """The move in canonical notation."""
    _hash: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        text = _TEXTS.get((self.action, self.card, self.target))
        if text is None:
            raise NotationError(_why_not(self.action, self.card, self.target))
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "_hash", hash(text))

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Return the move with this canonical notation.

        Raises `NotationError` if there is no such move. Short names, which players can type at a table, aren't accepted
        here.

        >>> Move.parse("stop>1").target
        1
        """
        try:
            move = _MOVES.get(text)
        except TypeError:  # the object can't be the key of a dictionary
            move = None
        if move is None:
            shown = str(text)
            shown = shown if len(shown) <= 40 else f"{shown[:37]}..."
            raise NotationError(
                f"{shown!r} isn't a move; "
                "moves look like 100, roll, stop>1, 200=roll, -75, extra_tank!, pass, extend or finish"
            )
        return move

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move.parse({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Move) and self.text == other.text)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Move.parse, (self.text,)


def as_move(move: object) -> Move:
    """Return a `Move` unchanged, or the move with the canonical notation in a string.

    Raises `NotationError` if the string isn't a move, and `ArgumentError` for all other types.
    """
    if isinstance(move, str):
        return _MOVES.get(move) or Move.parse(move)
    if isinstance(move, Move):
        return move
    raise ArgumentError(
        f"{reprlib.repr(move)} isn't a move; give a millebornes.Move or its text, such as 'roll', '-75' or 'stop>1'"
    )


_TEXTS: Final = {
    (kind.action, kind.card, target): kind.text(target)
    for kind in KINDS_OF_MOVE
    for target in (range(SEATS) if kind.is_aimed else (None,))
}
"""The canonical notation of every move at every table, by the parts of the move."""

_MOVES: Final = {text: Move(*made_of) for made_of, text in _TEXTS.items()}
"""Every move at every table, by its canonical notation. Equal moves in this dictionary are always the same object."""


class MoveCodes:
    """Moves and their codes in kernels, for the seats of one side.

    The targets of hazards are counted from the next side. Hazards on sides out of reach (R4.9) are left out, so all
    codes fit in the masks.
    """

    __slots__ = ("_by_rank", "_ranked", "codes", "moves")

    def __init__(self, rules: Rules, side: int) -> None:
        moves = {code: _MOVES[text] for text, code in codes_of_texts(rules, side).items()}
        self.moves: Final = moves
        self.codes: Final = {move: code for code, move in moves.items()}
        self._by_rank: Final = sorted(moves.values(), key=str)
        self._ranked: Final = {code: self._by_rank.index(move) for code, move in moves.items()}

    def legal(self, words: tuple[int, ...]) -> tuple[Move, ...]:
        """Return the moves whose codes are set in these masks, sorted by their canonical notation."""
        ranked = self._ranked
        ranks = []
        base = -1
        for word in words:
            while word:
                low = word & -word
                ranks.append(ranked[base + low.bit_length()])
                word ^= low
            base += 64
        ranks.sort()
        moves = self._by_rank
        return tuple([moves[rank] for rank in ranks])


@functools.lru_cache(maxsize=256)
def move_codes(rules: Rules, side: int) -> MoveCodes:
    """Return the move codes for the seats of ``side`` at this table."""
    return MoveCodes(rules, side)


def number_of_codes(rules: Rules) -> int:
    """Return a number that is greater than all move codes at this table.

    Some smaller numbers aren't codes of moves either.

    >>> number_of_codes(make_rules("classic"))
    64
    """
    check_rules(rules)
    return 64 * engine_for(rules).targets


def code_of_move(rules: Rules, seat: int | None, move: Move | str) -> int:
    """Return the code of a move for a seat.

    The code depends on the side of the seat, because the targets of hazards are counted from the next side. Raises
    `SeatError` if the table doesn't have this seat, `NotationError` if a string isn't a move, `IllegalMoveError` for a
    hazard on a side that is out of reach (R4.9), and `ArgumentError` for other types.

    >>> code_of_move(make_rules("classic"), 0, "-25")
    0
    """
    check_rules(rules)
    seat = check_seat(rules, seat)
    move = as_move(move)
    code = move_codes(rules, rules.side_of(seat)).codes.get(move)
    if code is None:
        raise IllegalMoveError(f"{move} isn't a move for seat {seat} at the table {rules.table}", move=move.text)
    return code


def move_of_code(rules: Rules, seat: int | None, code: int) -> Move:
    """Return the move to which a code refers for a seat.

    Raises `SeatError` if the table doesn't have this seat, and `NotationError` if the code belongs to no move.

    >>> move_of_code(make_rules("classic"), 0, 0)
    Move.parse('-25')
    """
    check_rules(rules)
    seat = check_seat(rules, seat)
    try:
        move = move_codes(rules, rules.side_of(seat)).moves.get(code)
    except TypeError:
        raise ArgumentError(f"{code!r} isn't the code of a move, which must be a whole number") from None
    if move is None:
        raise NotationError(f"{code!r} isn't the code of a move at the table {rules.table}")
    return move
