"""A player that remembers the whole match, for copies of environments."""

import random

from millebornes.game import LegalMoves, Move, View
from millebornes.players import Player


class Remembers(Player):
    """Makes another move at each decision, by how many moves it has seen."""

    name = "remembers"

    def __init__(self) -> None:
        self.seen = 0

    def moved(self, seat: int, move: Move) -> None:
        """Count it."""
        self.seen += 1

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """One of them."""
        return legal[self.seen % len(legal)]
