"""What a move costs a player."""

import random
import time
from typing import Final

from millebornes.editions import make_rules
from millebornes.game import LegalMoves, Match, Move, View
from millebornes.players import Player, Table, player

__all__ = ["cost_of_moves"]

BUDGET: Final = 0.15


class _Clock:
    """Stands before the `choose` of a player, and adds up the seconds that it takes."""

    def __init__(self, timed: Player) -> None:
        self.choose: Final = timed.choose
        self.moves = 0
        self.seconds = 0.0
        timed.__dict__["choose"] = self

    def __call__(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        start = time.perf_counter()
        move = self.choose(view, legal, rng)
        self.seconds += time.perf_counter() - start
        self.moves += 1
        return move


def cost_of_moves(name: str, budget: float = BUDGET) -> float:
    """Milliseconds that a player takes for a move, in ``budget`` seconds of play against itself (classic, two seats).

    As much play before that, in which things are loaded and programs started, is not counted. Raises `PlayerError` for
    a player that there is not, or that makes illegal moves.
    """
    rules = make_rules()
    seated = [player(name, sees_everything=True) for _ in range(rules.seats)]
    clocks = [_Clock(each) for each in seated]
    try:
        table = Table(Match.start(rules, "cost", match_target=None), seated)
        _play(table, budget)
        for clock in clocks:
            clock.moves, clock.seconds = 0, 0.0
        _play(table, budget)
        return 1000 * sum(clock.seconds for clock in clocks) / sum(clock.moves for clock in clocks)
    finally:
        for each in seated:
            each.close()


def _play(table: Table, seconds: float) -> None:
    """Play on, for some seconds and at least a move of each seat."""
    end, left = time.perf_counter() + seconds, table.match.rules.seats
    while left > 0 or time.perf_counter() < end:
        if table.match.hand.is_over:
            table.next_hand()
        table.step()
        left -= 1
