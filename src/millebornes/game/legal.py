"""The legal moves for a decision, and explanations of why other moves are illegal."""

from collections.abc import Iterator, Sequence
from typing import overload

from millebornes.errors import IllegalMoveError, NotationError
from millebornes.game.move import Move, MoveCodes
from millebornes.rules.clauses import Reason
from millebornes.themes import theme


class LegalMoves(Sequence[Move]):
    """Legal moves in canonical notation and alphabetical order.

    You can iterate over them, index them, and use ``len`` and ``in`` (with a `Move` or a string). Testing a single move
    with ``in`` is fast, because it doesn't create a list.
    """

    __slots__ = ("_codes", "_moves", "_words")

    def __init__(self, codes: MoveCodes, words: tuple[int, ...]) -> None:
        self._codes = codes
        self._words = words
        self._moves: tuple[Move, ...] | None = None

    def code(self, move: Move) -> int | None:
        """Return the code that kernels use for a move, or None if the move is illegal.

        >>> hand.legal_moves.code(Move.parse("-25"))
        0
        """
        code = self._codes.codes.get(move)
        if code is None or not self._words[code >> 6] >> (code & 63) & 1:
            return None
        return code

    def _all(self) -> tuple[Move, ...]:
        if self._moves is None:
            self._moves = self._codes.legal(self._words)
        return self._moves

    @property
    def texts(self) -> tuple[str, ...]:
        """The moves in canonical notation.

        >>> hand.legal_moves.texts
        ('-100', '-25', '-flat_tire', '-gasoline', '-repairs')
        """
        return tuple(move.text for move in self._all())

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        return self._all()[index]

    def __iter__(self) -> Iterator[Move]:
        return iter(self._all())

    def __len__(self) -> int:
        return sum(map(int.bit_count, self._words))

    def __contains__(self, move: object) -> bool:
        if isinstance(move, str):
            try:
                move = Move.parse(move)
            except NotationError:
                return False
        return isinstance(move, Move) and self.code(move) is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LegalMoves) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(self.texts) or 'none'}>"


def illegal_move(move: Move, reason: Reason, legal: LegalMoves) -> IllegalMoveError:
    """Return an error that contains the illegal move, the reason, the clause and the legal moves."""
    why = theme().worded(reason.text)
    instead = f"legal: {', '.join(legal.texts)}" if len(legal) else "there is nothing to play"
    return IllegalMoveError(
        f"{move} is not legal: {why} ({reason.clause}); {instead}",
        move=move.text,
        clause=reason.clause,
        reason=why,
        legal=legal.texts,
    )
