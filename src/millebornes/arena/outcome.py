"""How a game of an arena went."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.arena.schedule import Game, Plan

__all__ = ["Columns", "Counts", "Floats", "GameForfeit", "GameOutcome", "RecordedHands", "names_of", "read_outcome"]


class GameForfeit(NamedTuple):
    """A forfeit: the side that lost by it, what its player did in words, and what is known of it (`Forfeit`)."""

    side: int
    """Which side, from 0."""
    reason: str
    """What its player did."""
    clause: str | None = None
    """The clause that forbids it, where it is one."""
    legal: tuple[str, ...] = ()
    """The moves that were legal."""
    log: str | None = None
    """The file in which the program's standard error is."""


class GameOutcome(NamedTuple):
    """How a game went. All by side, but ``moves`` and ``seconds``, which are of the sides' players too.

    ``order`` holds the player (by number) of each side, ``totals`` are points over ``hands`` finished hands, ``shares``
    parts of the win (adding up to 1). ``seconds`` are what ``moves`` decisions took. ``forfeit`` says who lost by
    forfeit and why, or is None; ``lines`` are the transcript, if one was asked for.
    """

    deal: int
    """Games of equal deals have equal decks."""
    turn: int
    """Which game of its deal, from 0."""
    order: tuple[int, ...]
    totals: tuple[int, ...]
    hands: int
    shares: tuple[float, ...]
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeit: GameForfeit | None = None
    lines: tuple[str, ...] = ()


def names_of(plan: Plan, game: Game) -> tuple[str, ...]:
    """The players' names by seat: partners have their own, and else it is that of the side."""
    shown = plan.names
    return tuple(
        plan.teams[number][member] if len(set(plan.teams[number])) > 1 else shown[number]
        for number, member in plan.seated(game)
    )


def read_outcome(plan: Plan, row: Sequence[Any]) -> GameOutcome:
    """The outcome whose first nine fields a file holds. Raises `ValueError` or `TypeError` for something else."""
    deal, turn, order, totals, hands, shares, moves, seconds, forfeit = row
    sides = plan.rules.sides
    for values in (order, totals, shares, moves, seconds):
        if len(values) != sides or not all(isinstance(value, int | float) for value in values):
            raise ValueError(values)
    fault = None
    if forfeit is not None:
        side, reason, clause, legal, log = (*forfeit, None, (), None)[:5]
        fault = GameForfeit(int(side), str(reason), clause and str(clause), tuple(map(str, legal)), log and str(log))
    return GameOutcome(
        int(deal),
        int(turn),
        tuple(order),
        tuple(totals),
        int(hands),
        tuple(shares),
        tuple(moves),
        tuple(seconds),
        fault,
    )


Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Columns(NamedTuple):
    """Games without forfeits and without transcripts, whole rounds in their order.

    ``deal``, ``turn`` and ``hands`` are by game, ``order``, ``totals`` and ``moves`` by game and side, all as in
    `GameOutcome`; ``a_move`` is what each decision took, in seconds.
    """

    deal: Counts
    turn: Counts
    order: Counts
    totals: Counts
    hands: Counts
    moves: Counts
    a_move: float

    def shares(self) -> Floats:
        """Each side's part of the win, by game and side."""
        best = self.totals == self.totals.max(axis=1, keepdims=True)
        return np.asarray(best / best.sum(axis=1, keepdims=True))

    def outcomes(self) -> list[GameOutcome]:
        """The same games one by one."""
        columns = (self.deal, self.turn, self.order, self.totals, self.hands, self.shares(), self.moves)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [
            GameOutcome(
                deal,
                turn,
                tuple(order),
                tuple(totals),
                hands,
                tuple(shares),
                tuple(moves),
                tuple([self.a_move * count for count in moves]),
            )
            for deal, turn, order, totals, hands, shares, moves in rows
        ]


class RecordedHands(NamedTuple):
    """Hands of several games, those of a game one after the other, by hand.

    ``game`` counts the games from 0, ``number`` the hands of each from 1. ``piles`` (hand, place) are the kinds of the
    cards in the order really drawn, then the rest; ``codes`` (hand, ply) are the codes of the moves, which say what a
    move is for who makes it, and ``plies`` how many there are.
    """

    game: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    piles: npt.NDArray[np.uint8]
    codes: npt.NDArray[np.int16]
    plies: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        """How many hands there are."""
        return len(self.plies)

    @classmethod
    def none(cls, cards: int, moves: int) -> "RecordedHands":
        """No hands, of a deck of so many ``cards`` and with room for so many ``moves``."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, np.zeros((0, cards), np.uint8), np.zeros((0, moves), np.int16), nothing)

    @classmethod
    def joined(cls, parts: "list[RecordedHands]") -> "RecordedHands":
        """All hands of several parts of one table, sorted by game and number. There must be one part at least."""
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields]
        order = np.lexsort((columns[1], columns[0]))
        return cls(*(column[order] for column in columns))
