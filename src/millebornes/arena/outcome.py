"""The outcomes of the games of an arena."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.arena.schedule import Game, Plan

__all__ = ["Columns", "Counts", "Floats", "GameForfeit", "GameOutcome", "RecordedHands", "names_of", "read_outcome"]


class GameForfeit(NamedTuple):
    """A forfeit: the losing side, its player's error in words, and the details (`Forfeit`)."""

    side: int
    """The side, from 0."""
    reason: str
    """The player's error, in words."""
    clause: str | None = None
    """The clause that forbids the player's move, if that was the error."""
    legal: tuple[str, ...] = ()
    """The legal moves at that point, if the player made an illegal one."""
    log: str | None = None
    """The file with the program's standard error."""


class GameOutcome(NamedTuple):
    """The outcome of a game. Its sequences are by side, and ``moves`` and ``seconds`` add up the players of a side.

    ``order`` holds the player (by number) of each side. ``totals`` are points over ``hands`` finished hands, and
    ``shares`` are parts of the win (adding up to 1). ``seconds`` is the time for ``moves`` decisions. ``forfeit`` says
    who lost by forfeit and why, or is None. ``lines`` holds the transcript, if it was requested.
    """

    deal: int
    """The number of the deal. Games with the same deal have the same decks."""
    turn: int
    """The number of the game in its deal, from 0."""
    order: tuple[int, ...]
    totals: tuple[int, ...]
    hands: int
    shares: tuple[float, ...]
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeit: GameForfeit | None = None
    lines: tuple[str, ...] = ()


def names_of(plan: Plan, game: Game) -> tuple[str, ...]:
    """Return the players' names by seat: the name of each partner if they differ, else that of the side."""
    shown = plan.names
    return tuple(
        plan.teams[number][member] if len(set(plan.teams[number])) > 1 else shown[number]
        for number, member in plan.seated(game)
    )


def read_outcome(plan: Plan, row: Sequence[Any]) -> GameOutcome:
    """Return the outcome from its first nine fields in a file. Raises `ValueError` or `TypeError` for anything else."""
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
    """Games without forfeits and transcripts, in whole rounds and in order.

    ``deal``, ``turn`` and ``hands`` are by game, and ``order``, ``totals`` and ``moves`` are by game and side, as in
    `GameOutcome`. ``a_move`` is the mean time of a decision, in seconds.
    """

    deal: Counts
    turn: Counts
    order: Counts
    totals: Counts
    hands: Counts
    moves: Counts
    a_move: float

    def shares(self) -> Floats:
        """Return each side's part of the win, by game and side."""
        best = self.totals == self.totals.max(axis=1, keepdims=True)
        return np.asarray(best / best.sum(axis=1, keepdims=True))

    def outcomes(self) -> list[GameOutcome]:
        """Return the same games one by one."""
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
    """The hands of several games, game after game, with one entry per hand.

    ``game`` numbers the games from 0, ``number`` the hands of each game from 1. ``piles`` (hand, place) holds the kinds
    of the cards in the order drawn, followed by the rest. ``codes`` (hand, ply) holds the codes of the moves, from the
    point of view of the player who makes the move, and ``plies`` the number of moves.
    """

    game: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    piles: npt.NDArray[np.uint8]
    codes: npt.NDArray[np.int16]
    plies: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        """The number of hands."""
        return len(self.plies)

    @classmethod
    def none(cls, cards: int, moves: int) -> "RecordedHands":
        """Return a table without hands, for a deck of ``cards`` cards and with room for ``moves`` moves."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, np.zeros((0, cards), np.uint8), np.zeros((0, moves), np.int16), nothing)

    @classmethod
    def joined(cls, parts: "list[RecordedHands]") -> "RecordedHands":
        """Join parts of a table, and sort the hands by game and number. There must be at least one part."""
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields]
        order = np.lexsort((columns[1], columns[0]))
        return cls(*(column[order] for column in columns))
