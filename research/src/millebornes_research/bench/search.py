"""Measure how many hands the champion plays out in its time for a move, and whether it keeps to this time."""

import random
import time
from typing import Final

import numpy as np

from millebornes.editions import make_rules
from millebornes.game import LegalMoves, Match, Move, View
from millebornes.players import Table, player
from millebornes.players.champion import Champion
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes_research.bench.base import Result, cpu_seconds, shown

__all__ = ["measure_search"]

SEARCHES: Final = {
    "at_10_ms": (10, ""),
    "at_30_ms": (30, ""),
    "at_100_ms": (100, ""),
    "at_100_ms_maxims_alone": (100, ",ahead=0"),
}
"""The milliseconds for each decision, and the other options."""


class _Timed(Champion):
    """A champion that records the cost of each decision between moves, in seconds and in rollouts."""

    def __init__(self, options: str) -> None:
        super().__init__(options)
        self.costs: list[tuple[float, int]] = []

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        begin = time.perf_counter()
        move = super().choose(view, legal, rng)
        took = time.perf_counter() - begin
        told = self.explain().get("moves")
        if isinstance(told, dict):
            self.costs.append((took, sum(known["worlds"] for known in told.values())))
        return move


def measure_search(quick: bool = False) -> Result:
    """Measure the decisions of the champion against `maxims` (classic, two seats, one thread) with several time limits.

    ``rollouts_per_s`` is the number of hands played to their end from the decision on, including the time to sample the
    opponents' hands. In these hands, either the net makes the player's next moves, or the maxims make all moves.
    ``over_ms`` is the time by which a decision exceeded its limit, at the 95th percentile and at most (negative if a
    move was certain earlier). ``ratio_to_batches`` is the ratio of rollouts to whole hands of `maxims` in a batch,
    played in the same run.
    """
    rules, hands = make_rules(), 1 if quick else 6
    timed = _Timed("rollouts=200")
    Table(Match.start(rules, seed=1), [timed, player("maxims")], 1).play_hand()  # compile and fill the caches
    maxims = [KernelPlayer.named("maxims", rules)]
    count = 500 if quick else 5_000
    play_batch(rules, maxims, [[0, 0]], 10, seed=1)
    whole = count / cpu_seconds(lambda: play_batch(rules, maxims, [[0, 0]], count, seed=1))
    figures: dict[str, object] = {}
    for name, (limit, options) in SEARCHES.items():
        timed = _Timed(f"time={limit}{options}")
        for seed in range(hands):
            Table(Match.start(rules, seed=seed), [timed, player("maxims")], seed).play_hand()
        seconds, rollouts = (np.array(column) for column in zip(*timed.costs, strict=True))
        over = 1000 * seconds - limit
        figures[name] = {
            "decisions": len(over),
            "rollouts_per_s": shown(float(rollouts.sum() / seconds.sum())),
            "rollouts_per_decision": shown(float(rollouts.mean())),
            "over_ms_p95": shown(float(np.percentile(over, 95))),
            "over_ms_most": shown(float(over.max())),
            "ratio_to_batches": shown(float(rollouts.sum() / seconds.sum() / whole)),
        }
    return Result("search", figures, {"batches": {"hands_per_cpu_s": shown(whole)}})
