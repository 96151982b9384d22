"""Hints: what to play, what each move is worth, and why the best comes before the next."""

import time
from collections.abc import Iterator
from typing import Final

from millebornes.analysis.analyst import Analyst, Weighing
from millebornes.analysis.records import Analysis, Objective
from millebornes.game import InformationState, View
from millebornes.players.history_player import remember_state

__all__ = ["hint", "refined_hints", "weigh_seen"]

COMPARED: Final = 2
"""The best move and the next are tried in all worlds: the reasons tell what comes of both."""
MIN_SIMULATIONS: Final = 512
"""So many worlds tell all that is wanted where there is but one move, or where the end is solved."""


def weigh_seen(analyst: Analyst, seen: View | InformationState, seed: int | str = 0) -> Weighing:
    """Begin to weigh the decision of a seat by what it sees, or better by all that it has seen of the hand.

    Raises `PlayerError` where it has nothing to decide, `NotationError` where no hand can have gone so.
    """
    if isinstance(seen, View):
        return analyst.weigh(seen, None, seed, kept=COMPARED)
    return analyst.weigh(seen.view, remember_state(seen), seed, kept=COMPARED)


def refined_hints(
    seen: View | InformationState,
    *,
    worlds: int = 4096,
    objective: Objective | None = None,
    seed: int | str = 0,
    threads: int = 1,
) -> Iterator[Analysis]:
    """A first hint after a few dozen worlds, and ever better ones, until so many ``worlds`` are played out.

    It can be left at any time. What it takes to load or compile anything is no part of the seconds. The same seed gives
    the same hints on every machine. Raises as `weigh_seen` does.
    """
    analyst = Analyst(seen.rules, objective=objective, worlds=worlds, threads=threads)
    try:
        analyst.get_ready(seen.match_target)
        start = time.perf_counter()
        weighing = weigh_seen(analyst, seen, seed)
        state = None if isinstance(seen, View) else seen
        if weighing.is_proven or len(weighing.moves) < COMPARED:
            worlds = min(worlds, MIN_SIMULATIONS)
        while weighing.evaluation.worlds < worlds:
            done = weighing.evaluation.worlds  # each look at all of them takes longer
            weighing.refine(min(max(weighing.evaluation.next_size, done // 4), worlds - done))
            yield weighing.analysis(state=state, seconds=time.perf_counter() - start)
    finally:
        analyst.close()


def hint(
    seen: View | InformationState,
    *,
    worlds: int = 4096,
    milliseconds: int | None = None,
    objective: Objective | None = None,
    seed: int | str = 0,
    threads: int = 1,
) -> Analysis:
    """What to play and why, by what a seat sees, or better by all that it has seen of the hand, and nothing else.

    It plays the moves out in up to so many ``worlds``, and stops after so many ``milliseconds``, where they are given
    (then it may find something else each time). ``objective`` is the chance to win the match by default where there is
    a match target, else points. Raises as `weigh_seen` does.

    >>> from millebornes import Match, make_rules
    >>> from millebornes.analysis.hints import hint
    >>> found = hint(Match.start(make_rules("classic"), 7).view(0), worlds=64)
    >>> found.best == found.moves[0].move, found.moves[0].loss
    (True, 0.0)
    """
    for found in refined_hints(seen, worlds=worlds, objective=objective, seed=seed, threads=threads):
        latest = found
        if milliseconds is not None and found.seconds >= milliseconds / 1000:
            break
    return latest
