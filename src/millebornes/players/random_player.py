"""A player that knows the rules and nothing else."""

import random
from typing import ClassVar

from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.base import Player
from millebornes.roster import ROSTER


class RandomPlayer(Player):
    """Makes random legal moves. All legal moves are equally likely."""

    name = "random"
    summary: ClassVar[str] = ROSTER[name].summary

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return one of the legal moves at random. All of them are equally likely."""
        return legal[rng.randrange(len(legal))]
