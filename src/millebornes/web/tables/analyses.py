"""Reviews of finished hands, and hints for people who play against computers: what the separate processes make.

The modules that this takes are slow to load, so that only these processes load them.
"""

import dataclasses
from typing import TYPE_CHECKING, Final, NamedTuple

from millebornes.web.tables.background import Background, Report, TaskEffort

if TYPE_CHECKING:
    from millebornes.analysis.match_review import Review
    from millebornes.analysis.records import Analysis
    from millebornes.game import InformationState, Match, View

SEED: Final = 0
REVIEWS: Final = TaskEffort(usual=8.0, within=180.0, idle_after=60.0, niceness=15)
HINTS: Final = TaskEffort(usual=2.0, within=30.0, idle_after=300.0, niceness=5)
"""Someone waits at a table for a hint, so hints go before reviews."""


class HandName(NamedTuple):
    """The name of a hand: its table, the number of its match there, and its number in the match, both from 1."""

    table: str
    match: int
    hand: int

    def __str__(self) -> str:
        return f"hand {self.hand} of match {self.match} at table {self.table}"


Reviews = Background[HandName, "Review"]
Hints = Background[str, "Analysis"]


def make_review(match: "Match", hand: int, worlds: tuple[int, int], report: Report) -> "Review":
    """Return the review of a hand, without the parts of the hand that all its decisions share.

    ``worlds`` is the maximum number of simulations for a decision and for the luck in it.
    """
    from millebornes.analysis.reviews import Effort, review

    found = review(match, effort=Effort(*worlds), seed=SEED, hand=hand, progress=report)
    decisions = (
        decision
        if decision.analysis is None
        else dataclasses.replace(decision, analysis=dataclasses.replace(decision.analysis, state=None))
        for decision in found.decisions
    )
    return dataclasses.replace(found, decisions=tuple(decisions))


def make_hint(seen: "InformationState | View", bounds: tuple[int, int], _report: Report) -> "Analysis":
    """Return the analysis of a decision. ``bounds`` limits the number of simulations and of milliseconds."""
    from millebornes.analysis.hints import hint

    worlds, milliseconds = bounds
    return dataclasses.replace(hint(seen, worlds=worlds, milliseconds=milliseconds, seed=SEED), state=None)
