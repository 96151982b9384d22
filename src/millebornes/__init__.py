"""Mille Bornes: exact rules for every known edition, a game for the terminal, and computer players.

Names are imported when they are first used, so that ``import millebornes`` is quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

from millebornes._version import __version__

if TYPE_CHECKING:
    from millebornes.cards import Card
    from millebornes.editions import EDITIONS, Edition, Rules, edition, load_edition, make_rules
    from millebornes.game import Hand, InformationState, LegalMoves, Match, Move, Phase, Scoresheet, Tableau, View

__all__ = [
    "EDITIONS",
    "Card",
    "Edition",
    "Hand",
    "InformationState",
    "LegalMoves",
    "Match",
    "Move",
    "Phase",
    "Rules",
    "Scoresheet",
    "Tableau",
    "View",
    "__version__",
    "edition",
    "load_edition",
    "make_rules",
]

_HOMES = {
    "Card": "millebornes.cards",
    **dict.fromkeys(("EDITIONS", "Edition", "Rules", "edition", "load_edition", "make_rules"), "millebornes.editions"),
    **dict.fromkeys(
        ("Hand", "InformationState", "LegalMoves", "Match", "Move", "Phase", "Scoresheet", "Tableau", "View"),
        "millebornes.game",
    ),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'millebornes' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
