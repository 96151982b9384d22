"""The time that a player needs for a move."""

import time
from typing import Final

from millebornes.editions import make_rules
from millebornes.game import Match, Move
from millebornes.players import Table, player

__all__ = ["cost_of_moves"]

BUDGET: Final = 0.15


class _TimedTable(Table):
    """A table that adds up the seconds that its players spend on decisions."""

    moves = 0
    seconds = 0.0

    def choose(self) -> Move:
        """Ask the player, and measure its time."""
        start = time.perf_counter()
        move = super().choose()
        self.seconds += time.perf_counter() - start
        self.moves += 1
        return move


def cost_of_moves(name: str, budget: float = BUDGET) -> float:
    """Return the milliseconds per move of a player against itself, over ``budget`` seconds (classic, two seats).

    A first period of the same length isn't counted, because it includes loading code and starting programs. Raises
    `PlayerError` if the player doesn't exist or makes illegal moves.
    """
    rules = make_rules()
    seated = [player(name, sees_everything=True) for _ in range(rules.seats)]
    try:
        table = _TimedTable(Match.start(rules, "cost", match_target=None), seated)
        _play(table, budget)
        table.moves, table.seconds = 0, 0.0
        _play(table, budget)
        return 1000 * table.seconds / table.moves
    finally:
        for each in seated:
            each.close()


def _play(table: Table, seconds: float) -> None:
    """Continue to play for the given number of seconds, and for at least one move of each seat."""
    end, left = time.perf_counter() + seconds, table.match.rules.seats
    while left > 0 or time.perf_counter() < end:
        if table.match.hand.is_over:
            table.next_hand()
        table.step()
        left -= 1
