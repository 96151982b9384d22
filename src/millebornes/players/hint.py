"""Ask a player what it would do in a person's place, and find the maxim that supports its move.

`millebornes.analysis.hints` explains how much a move is worth, and why. This module only asks the players.
"""

import random
from typing import Final, NamedTuple

from millebornes.errors import PlayerError
from millebornes.game.information_state import InformationState
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.player_names import COMMAND_PREFIX
from millebornes.players.base import replay_state
from millebornes.players.features import features_of
from millebornes.players.maxim_cases import holds
from millebornes.players.maxims import Maxims
from millebornes.players.registry import player as player_named
from millebornes.policies.features import Features
from millebornes.policies.heuristic import arrives, greatest_threat
from millebornes.policies.maxims.catalogue import MAXIMS, without
from millebornes.policies.maxims.values import move_value
from millebornes.policies.maxims.weights import Advice, tuned

__all__ = ["Hint", "hint", "maxim_for"]

DEFAULT: Final = Maxims.name


class Hint(NamedTuple):
    """The advice of the player ``player``.

    ``moves`` contains all legal moves, starting with the best, or only one move if the player doesn't rank them.
    ``maxim`` is the name of a maxim that supports the first move (`maxim_for`), or None. Only the player ``maxims``
    names a maxim.
    """

    player: str
    moves: tuple[Move, ...]
    maxim: str | None = None

    @property
    def best(self) -> Move:
        """The move that the player would make."""
        return self.moves[0]


def hint(seen: View | InformationState, *, player: str = DEFAULT) -> Hint:
    """Return the advice of a player for a view, or for everything that a seat has seen of a hand.

    The player sees nothing else. ``player`` is a name that `millebornes.players.registry.player` accepts. The player
    ``maxims`` answers immediately. Raises `PlayerError` if the seat has nothing to decide, if the player is unknown, or
    if it is a program, which can only play whole matches.
    """
    if player.startswith(COMMAND_PREFIX):
        raise PlayerError(f"{player!r} plays only whole matches; for a hint, choose a player that isn't a program")
    view = seen if isinstance(seen, View) else seen.view
    legal = view.legal_moves
    if not legal:
        raise PlayerError(f"seat {view.seat} has nothing to decide; a hint needs a decision")
    chosen = player_named(player)
    try:
        if isinstance(chosen, Maxims):
            return _ranked(view, player, chosen)
        if isinstance(seen, InformationState):
            replay_state(chosen, seen)
        move = chosen.choose(view, legal, random.Random(f"millebornes hint {view}"))
    finally:
        chosen.close()
    if move not in legal:
        raise PlayerError(f"the player {player!r} chose {move!s}, which is not legal")
    return Hint(player, (move,))


def maxim_for(view: View, best: Move, other: Move) -> str | None:
    """Return the name of the maxim that gives the most support to one move of a view over another.

    Its sentence must be true for these two moves (`millebornes.players.maxim_cases.holds`), and its weights must favour
    the first. Returns None if there is no such maxim, or if all maxims together favour another move.
    """
    ranked = hint(view)
    return _speaks_for(view, best, other, tuned(view.rules)) if ranked.best == best else None


def _ranked(view: View, name: str, chosen: Maxims) -> Hint:
    """Return a hint with the moves in the order of `millebornes.policies.maxims.values.best_move`."""
    advice = chosen.advice_for(tuned(view.rules) if chosen.advice is None else chosen.advice)
    legal = view.legal_moves
    by_code = {legal.code(move) or 0: move for move in legal}
    values = _values(sorted(by_code), sorted(by_code), features_of(view), advice)
    moves = tuple(by_code[code] for code in sorted(values, key=lambda code: (-values[code], code)))
    maxim = _speaks_for(view, moves[0], moves[1], advice) if len(moves) > 1 else None
    return Hint(name, moves, maxim)


def _speaks_for(view: View, best: Move, other: Move, advice: Advice) -> str | None:
    names = [name for name in MAXIMS if holds(name, view, best, other)]
    if not names:
        return None
    legal, features = view.legal_moves, features_of(view)
    every = [legal.code(move) or 0 for move in legal]
    codes = [legal.code(move) or 0 for move in (best, other)]
    whole = _values(codes, every, features, advice)
    found = []
    for name in names:
        without_it = _values(codes, every, features, without(advice, name))
        gain = [whole[code] - without_it[code] for code in codes]
        found.append((gain[0] - gain[1], name))
    most, name = max(found)
    return name if most > 0 else None


def _values(codes: list[int], legal: list[int], f: Features, advice: Advice) -> dict[int, int]:
    """Return the value of each move under the given advice. ``legal`` contains the codes of all legal moves."""
    danger, finishing = greatest_threat(f), arrives(legal, f)
    return {code: int(move_value(code, danger, finishing, f, advice)) for code in codes}
