"""Mille Bornes: the exact rules of five editions, a terminal game, a web game and computer players.

Most of what a program needs can be imported from here. The page docs/library.md has examples:

* rules and play: `make_rules`, `Hand`, `Match`, `Move`, `View`, `InformationState`;
* players: `player`, `Player`, `Table`, `play_hand`, `play_match`, and `read_hello` for bots;
* many games: `KernelPlayer` and `play_batch` for batches in kernels, `Plan` and `run_arena` for the arena;
* match equity: `equity_for`; analysis: `hint`, `review`, `sample_worlds`;
* records: `transcript_lines`, `read_match`, and `to_frame` for data frames.

Each name is imported when it is first used, so ``import millebornes`` itself is quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

from millebornes._version import __version__

if TYPE_CHECKING:
    from millebornes.analysis.hints import hint
    from millebornes.analysis.match_review import Review
    from millebornes.analysis.reviews import review
    from millebornes.arena.arena import Arena, run_arena
    from millebornes.arena.report import ArenaResults
    from millebornes.arena.schedule import Plan
    from millebornes.cards import Card
    from millebornes.editions import EDITIONS, Edition, Rules, edition, load_edition, make_rules
    from millebornes.errors import MilleBornesError
    from millebornes.game import Hand, InformationState, LegalMoves, Match, Move, Phase, Scoresheet, Tableau, View
    from millebornes.game.frames import to_frame
    from millebornes.game.move import code_of_move, move_of_code, number_of_codes
    from millebornes.notation import read_match, read_view, transcript_lines
    from millebornes.players import ForfeitError, Player, Table, play_hand, play_match, player
    from millebornes.players.determinizations import sample_worlds
    from millebornes.players.external.messages import read_hello
    from millebornes.policies.batch import KernelPlayer, play_batch
    from millebornes.policies.match_equity import equity_for

__all__ = [
    "EDITIONS",
    "Arena",
    "ArenaResults",
    "Card",
    "Edition",
    "ForfeitError",
    "Hand",
    "InformationState",
    "KernelPlayer",
    "LegalMoves",
    "Match",
    "MilleBornesError",
    "Move",
    "Phase",
    "Plan",
    "Player",
    "Review",
    "Rules",
    "Scoresheet",
    "Table",
    "Tableau",
    "View",
    "__version__",
    "code_of_move",
    "edition",
    "equity_for",
    "hint",
    "load_edition",
    "make_rules",
    "move_of_code",
    "number_of_codes",
    "play_batch",
    "play_hand",
    "play_match",
    "player",
    "read_hello",
    "read_match",
    "read_view",
    "review",
    "run_arena",
    "sample_worlds",
    "to_frame",
    "transcript_lines",
]

_HOMES = {
    name: f"millebornes.{module}"
    for module, names in {
        "analysis.hints": "hint",
        "analysis.match_review": "Review",
        "analysis.reviews": "review",
        "arena.arena": "Arena run_arena",
        "arena.report": "ArenaResults",
        "arena.schedule": "Plan",
        "cards": "Card",
        "editions": "EDITIONS Edition Rules edition load_edition make_rules",
        "errors": "MilleBornesError",
        "game": "Hand InformationState LegalMoves Match Move Phase Scoresheet Tableau View",
        "game.frames": "to_frame",
        "game.move": "code_of_move move_of_code number_of_codes",
        "notation": "read_match read_view transcript_lines",
        "players": "ForfeitError Player Table play_hand play_match player",
        "players.determinizations": "sample_worlds",
        "players.external.messages": "read_hello",
        "policies.batch": "KernelPlayer play_batch",
        "policies.match_equity": "equity_for",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'millebornes' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
