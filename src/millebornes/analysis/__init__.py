"""Analysis: what to play and why, matches judged move by move, luck told from skill.

Names are imported when they are first used, so that what needs only some of it starts quickly.

>>> from millebornes import Match, analysis, make_rules
>>> match = Match.start(make_rules("classic"), seed=7)
>>> analysis.hint(match.view(0), worlds=64).best in match.hand.legal_moves
True
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from millebornes.analysis.hints import hint, refined_hints
    from millebornes.analysis.judging import Effort
    from millebornes.analysis.records import (
        Analysis,
        Decision,
        Grade,
        MoveDifference,
        MoveEstimate,
        Objective,
        Review,
        SeatReview,
        SideReview,
        Topic,
        TurningPoint,
    )
    from millebornes.analysis.reviews import DEFAULT, QUICK, review
    from millebornes.analysis.rollouts import rollout
    from millebornes.analysis.rows import rows

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
    **dict.fromkeys(("hint", "refined_hints"), "millebornes.analysis.hints"),
    "Effort": "millebornes.analysis.judging",
    **dict.fromkeys(
        (
            "Analysis",
            "Decision",
            "MoveDifference",
            "Grade",
            "MoveEstimate",
            "Objective",
            "Review",
            "SeatReview",
            "SideReview",
            "Topic",
            "TurningPoint",
        ),
        "millebornes.analysis.records",
    ),
    **dict.fromkeys(("DEFAULT", "QUICK", "review"), "millebornes.analysis.reviews"),
    "rollout": "millebornes.analysis.rollouts",
    "rows": "millebornes.analysis.rows",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'millebornes.analysis' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
