"""A player that remembers the whole match, for copies of environments."""

from millebornes.players import Player


class Remembers(Player):
    """Makes another move at each decision, by how many it has seen."""

    name = "remembers"

    def __init__(self):
        self.seen = 0

    def moved(self, seat, move):
        self.seen += 1

    def choose(self, view, legal, rng):
        return legal[self.seen % len(legal)]
