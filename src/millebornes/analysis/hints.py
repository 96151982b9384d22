"""Hints: the best move, the value of every move, and the reasons why the best move is better than the next best."""

import dataclasses
import time
from collections.abc import Iterator
from typing import Final

from millebornes.analysis.analyst import Analyst
from millebornes.analysis.records import Analysis, Objective
from millebornes.game import InformationState, Move, View

__all__ = ["hint", "refined_hints"]

COMPARED: Final = 2
"""The number of best moves that all simulations include. There are two, because the reasons compare them."""
MIN_SIMULATIONS: Final = 512
"""This many simulations are enough if there is only one move or if the end of the hand is solved."""


def refined_hints(
    seen: View | InformationState,
    *,
    worlds: int = 4096,
    milliseconds: int | None = None,
    objective: Objective | None = None,
    compared: tuple[Move, Move] | None = None,
    seed: int | str = 0,
) -> Iterator[Analysis]:
    """Yield a first hint after a few dozen simulations, and then better hints until ``worlds`` simulations are done.

    If you set a limit, the hint that comes after ``milliseconds`` have passed is the last one. With ``compared``, which
    contains two legal moves, each hint also compares these moves side by side.

    You can stop at any time. The reported seconds don't include the time to load or compile code. The same seed gives
    the same hints on every machine. Raises the same errors as `hint`.
    """
    analyst = Analyst(seen.rules, objective=objective, worlds=worlds)
    analyst.get_ready(seen.match_target)
    start = time.perf_counter()
    weighing = analyst.weigh(seen, seed, always=compared or (), kept=COMPARED)
    if weighing.is_proven or len(weighing.moves) < COMPARED:
        worlds = min(worlds, MIN_SIMULATIONS)
    while weighing.evaluation.worlds < worlds:
        done = weighing.evaluation.worlds  # each analysis takes longer than the previous one
        weighing.refine(min(max(weighing.next_worlds, done // 4), worlds - done))
        found = weighing.analysis(seconds=time.perf_counter() - start)
        yield found if compared is None else dataclasses.replace(found, comparison=weighing.compare(*compared))
        if milliseconds is not None and found.seconds >= milliseconds / 1000:
            return


def hint(
    seen: View | InformationState,
    *,
    worlds: int = 4096,
    milliseconds: int | None = None,
    objective: Objective | None = None,
    compared: tuple[Move, Move] | None = None,
    seed: int | str = 0,
) -> Analysis:
    """Return the best move and the reasons, based on a seat's view or, better, on everything it has seen in the hand.

    The rest of the hand is simulated up to ``worlds`` times, or until ``milliseconds`` have passed, if you set a limit.
    With a time limit, the result can differ from run to run. The default ``objective`` is the chance to win the match
    if the match has a target, and otherwise points. ``compared`` contains two legal moves to compare side by side.

    Raises `PlayerError` if the seat has nothing to decide, and `NotationError` if no hand could have led to this
    situation.

    >>> from millebornes import Match, make_rules
    >>> from millebornes.analysis.hints import hint
    >>> found = hint(Match.start(make_rules("classic"), 7).view(0), worlds=64)
    >>> found.best == found.moves[0].move, found.moves[0].loss
    (True, 0.0)
    """
    *_, latest = refined_hints(
        seen,
        worlds=worlds,
        milliseconds=milliseconds,
        objective=objective,
        compared=compared,
        seed=seed,
    )
    return latest
