"""Measurements of how much time a player needs for a move."""

import time
from typing import Final

from millebornes.editions import make_rules
from millebornes.game import Match, Move
from millebornes.players import Table, player

BUDGET: Final = 0.15
"""The players play for this many seconds, and until each seat has made at least one move."""


class _TimedTable(Table):
    moves = 0
    seconds = 0.0

    def choose(self) -> Move:
        start = time.perf_counter()
        move = super().choose()
        self.seconds += time.perf_counter() - start
        self.moves += 1
        return move


def cost_of_moves(name: str) -> float:
    """Return a player's milliseconds per move in classic games against itself.

    The table has two seats. Before the measurement, the players play for the same time without being measured, because
    loading code and starting programs takes time at first. Raises `PlayerError` if the player doesn't exist or makes an
    illegal move.
    """
    rules = make_rules()
    seated = [player(name, sees_everything=True) for _ in range(rules.seats)]
    try:
        table = _TimedTable(Match.start(rules, "cost", match_target=None), seated)
        _play(table)
        table.moves, table.seconds = 0, 0.0
        _play(table)
        return 1000 * table.seconds / table.moves
    finally:
        for each in seated:
            each.close()


def _play(table: Table) -> None:
    end, left = time.perf_counter() + BUDGET, table.match.rules.seats
    while left > 0 or time.perf_counter() < end:
        if table.match.hand.is_over:
            table.next_hand()
        table.step()
        left -= 1
