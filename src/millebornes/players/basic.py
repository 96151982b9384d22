"""The player that uses the heuristic: it counts cards and judges each move by simple rules."""

import random
from typing import ClassVar

from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.base import Player
from millebornes.players.features import features_of
from millebornes.policies.heuristic import WEIGHTS, Weights, best_code
from millebornes.roster import ROSTER


class Basic(Player):
    """Values every legal move by the rules of `millebornes.policies.heuristic`, and makes the best move.

    The player uses no random numbers and remembers nothing between decisions, so it always makes the same move in the
    same view. ``weights`` contains the weights of the rules.
    """

    name = "basic"
    summary: ClassVar[str] = ROSTER[name].summary

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self.weights = weights

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move with the highest value. ``rng`` isn't used."""
        by_code = {legal.code(move) or 0: move for move in legal}
        if len(by_code) == 1:
            return legal[0]
        return by_code[best_code(sorted(by_code), features_of(view), self.weights)]
