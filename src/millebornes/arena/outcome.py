"""How a game of an arena went."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from millebornes.arena.schedule import Game, Plan

__all__ = ["GameForfeit", "GameOutcome", "names_of", "read_outcome"]


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
