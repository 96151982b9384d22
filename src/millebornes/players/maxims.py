"""A player that follows traditional advice by balancing the maxims found in strategy guides."""

import random
from typing import ClassVar

from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.base import Player
from millebornes.players.features import features_of
from millebornes.policies.maxim_catalogue import parse_advice
from millebornes.policies.maxim_values import best_move
from millebornes.policies.maxim_weights import Advice, tuned
from millebornes.roster import ROSTER


class Maxims(Player):
    """Values every legal move by the maxims of `millebornes.policies.maxim_values`, and makes the best move.

    The player uses no random numbers and remembers nothing between decisions. ``options`` are described in
    `parse_advice`. They modify the advice tuned for the table, or ``advice`` if it is given.
    """

    name = "maxims"
    summary: ClassVar[str] = ROSTER[name].summary

    def __init__(self, options: str = "", advice: Advice | None = None) -> None:
        self.options = options
        self.advice = advice
        parse_advice(options)  # raise any error now instead of in the middle of a game

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move with the highest value. ``rng`` isn't used."""
        by_code = {legal.code(move) or 0: move for move in legal}
        if len(by_code) == 1:
            return legal[0]
        advice = parse_advice(self.options, tuned(view.rules) if self.advice is None else self.advice)
        words = [0] * view.rules.sides
        for code in by_code:
            words[code // 64] |= 1 << code % 64
        return by_code[best_move(words, features_of(view), advice)]
