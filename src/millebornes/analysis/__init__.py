"""Hints, reviews, rollouts and exercises. They find and explain the best moves, and separate luck from skill.

Each name is imported only when you first use it, so a program that needs only a few of them starts quickly.

>>> from millebornes import Match, analysis, make_rules
>>> match = Match.start(make_rules("classic"), seed=7)
>>> analysis.hint(match.view(0), worlds=64).best in match.hand.legal_moves
True
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from millebornes.analysis.hints import hint, refined_hints
    from millebornes.analysis.match_review import Review, rows
    from millebornes.analysis.records import (
        Analysis,
        Decision,
        MoveDifference,
        MoveEstimate,
        SeatReview,
        SideReview,
        TurningPoint,
    )
    from millebornes.analysis.reviews import DEFAULT, QUICK, Effort, review
    from millebornes.analysis.rollouts import rollout
    from millebornes.schema.exercises import Grade, Objective
    from millebornes.score_lines import Topic

__all__ = [
    "DEFAULT",
    "QUICK",
    "Analysis",
    "Decision",
    "Effort",
    "Grade",
    "MoveDifference",
    "MoveEstimate",
    "Objective",
    "Review",
    "SeatReview",
    "SideReview",
    "Topic",
    "TurningPoint",
    "hint",
    "refined_hints",
    "review",
    "rollout",
    "rows",
]

_HOMES = {
    "hint": "hints",
    "refined_hints": "hints",
    "Effort": "reviews",
    "Review": "match_review",
    "rows": "match_review",
    "DEFAULT": "reviews",
    "QUICK": "reviews",
    "review": "reviews",
    "rollout": "rollouts",
}
"""The module that defines each name. Names that aren't listed here are defined in `records`."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'millebornes.analysis' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"millebornes.analysis.{_HOMES.get(name, 'records')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
