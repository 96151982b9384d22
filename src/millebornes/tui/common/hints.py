"""Hints during a game: the program computes them while the player looks at the table."""

import time
from collections.abc import Generator
from typing import Final

from millebornes.analysis.hints import refined_hints
from millebornes.analysis.records import Analysis
from millebornes.errors import MilleBornesError
from millebornes.game import InformationState, Match, View
from millebornes.players.kernel_parts import SEARCH
from millebornes.players.search_preparation import begin, is_running

FIRST: Final = 64
"""The number of simulations for the first, quick hint, which also uses a small sample of hands."""
MAX_SIMULATIONS: Final = 1 << 15
"""The maximum number of simulations for a hint. After so many, its figures are accurate to a few points."""
WAIT: Final = 0.1
"""How many seconds to wait before checking again whether code is still being compiled."""


def seen_by(match: Match, seat: int) -> InformationState | View:
    """Return everything that a seat has seen in the current hand, or only its view if the earlier moves are unknown."""
    try:
        return InformationState.of_match(match, seat)
    except MilleBornesError:
        return match.view(seat)


def thoughts(seen: InformationState | View) -> Generator[Analysis | None, None, None]:
    """Yield better and better hints, starting at once. Yield None as long as the code is still being compiled.

    You can close the generator at any time. Raises `PlayerError` if the seat has nothing to decide.
    """
    begin(SEARCH, seen.rules, seen.match_target)
    while is_running(seen.rules, seen.match_target, WAIT):
        time.sleep(WAIT)  # is_running doesn't wait for the compiler
        yield None
    first = next(refined_hints(seen, worlds=FIRST))
    yield first
    for found in refined_hints(seen, worlds=MAX_SIMULATIONS):
        if found.rollouts > first.rollouts:
            yield found
