"""Rank the moves of a view by the maxims, and find the maxim that supports the best one.

`millebornes.analysis.hints` explains how much a move is worth, and why. This module answers immediately.
"""

from typing import NamedTuple

from millebornes.errors import PlayerError
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.features import features_of
from millebornes.players.maxim_cases import holds
from millebornes.policies.features import Features
from millebornes.policies.heuristic import arrives, greatest_threat
from millebornes.policies.maxim_catalogue import MAXIMS, without
from millebornes.policies.maxim_values import move_value
from millebornes.policies.maxim_weights import Advice, tuned


class Hint(NamedTuple):
    """The advice of the player ``maxims``.

    ``moves`` contains all legal moves, starting with the best. ``maxim`` is the name of a maxim that supports the first
    move (`maxim_for`), or None.
    """

    moves: tuple[Move, ...]
    maxim: str | None

    @property
    def best(self) -> Move:
        """The move that the player would make."""
        return self.moves[0]


def hint(view: View) -> Hint:
    """Return the advice of the maxims for a view. Raises `PlayerError` if the seat has nothing to decide."""
    legal = view.legal_moves
    if not legal:
        raise PlayerError(f"seat {view.seat} has nothing to decide; a hint needs a decision")
    advice = tuned(view.rules)
    by_code = {legal.code(move) or 0: move for move in legal}
    values = _values(sorted(by_code), sorted(by_code), features_of(view), advice)
    moves = tuple(by_code[code] for code in sorted(values, key=lambda code: (-values[code], code)))
    return Hint(moves, _best_maxim(view, moves[0], moves[1], advice) if len(moves) > 1 else None)


def maxim_for(view: View, best: Move, other: Move) -> str | None:
    """Return the name of the maxim that gives the most support to one move of a view over another.

    Its sentence must be true for these two moves (`millebornes.players.maxim_cases.holds`), and its weights must favour
    the first. Returns None if there is no such maxim, or if all maxims together favour another move.
    """
    return _best_maxim(view, best, other, tuned(view.rules)) if hint(view).best == best else None


def _best_maxim(view: View, best: Move, other: Move, advice: Advice) -> str | None:
    names = [name for name in MAXIMS if holds(name, view, best, other)]
    if not names:
        return None
    legal, features = view.legal_moves, features_of(view)
    every = [legal.code(move) or 0 for move in legal]
    codes = [legal.code(move) or 0 for move in (best, other)]
    whole = _values(codes, every, features, advice)
    gains = []
    for name in names:
        without_it = _values(codes, every, features, without(advice, name))
        gain = [whole[code] - without_it[code] for code in codes]
        gains.append((gain[0] - gain[1], name))
    most, name = max(gains)
    return name if most > 0 else None


def _values(codes: list[int], legal: list[int], f: Features, advice: Advice) -> dict[int, int]:
    danger, finishing = greatest_threat(f), arrives(legal, f)
    return {code: int(move_value(code, danger, finishing, f, advice)) for code in codes}
