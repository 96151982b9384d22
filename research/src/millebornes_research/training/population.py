"""The players at the table with a net in training: its rivals, and earlier versions of the net."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import PlayerError
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.dispatch import NET
from millebornes.policies.maxim_weights import tuned
from millebornes.policies.net_files import Net
from millebornes_research.training.sampling import Lines
from millebornes_research.training.strength import Strength, measure

ITSELF: Final = "itself"
COMPANY: Final = "company"
EASIER: Final = 100.0
"""A player that is easier to play against than another by this many points per hand is drawn e times less often."""
MATCHES: Final = 1024
"""The maximum number of matches for which players are drawn at once. The hands use these matches in turn."""
PLAYS, PLAYS_OUT, MEMBERS = 1, 2, 3
"""The numbers of the player for the net in training, of the player that plays moves out, and of the first member."""


def net_player(net: Net, rules: Rules) -> KernelPlayer:
    """Return the kernel player of a net at a table."""
    return KernelPlayer(NET, advice=tuned(rules), net=net.ready(rules))


class Population:
    """The players that a net meets: ``rivals`` by name, and at most ``former`` earlier versions of the net.

    If there are more versions, the one against which the net does best is dropped. ``leads`` contains the net's lead in
    points per hand when it last met each of these players, by table and name.
    """

    def __init__(self, tables: Sequence[Rules], rivals: Sequence[str], former: int = 0) -> None:
        self.tables: Final = tuple(tables)
        self.rivals: Final = tuple(rivals)
        self.most: Final = former
        self.former: dict[str, Net] = {}
        self.leads: list[dict[str, float]] = []

    def members(self, rules: Rules) -> dict[str, KernelPlayer]:
        """Return all players at a table, by name."""
        rivals = {name: KernelPlayer.named(name, rules) for name in self.rivals}
        return rivals | {name: net_player(net, rules) for name, net in self.former.items()}

    def meet(self, net: Net, decks: int, *, seed: int, target: int = 0) -> list[dict[str, Strength]]:
        """Return the strength of a net against all players, by table and name, over ``decks`` decks or matches."""
        found = [
            {
                name: measure(rules, net_player(net, rules), other, decks, seed=seed, target=target)
                for name, other in self.members(rules).items()
            }
            for rules in self.tables
        ]
        self.leads = [{name: strength.points.value for name, strength in table.items()} for table in found]
        return found

    def grow(self, name: str, net: Net) -> None:
        """Add the current version of the net. It counts as equally strong until it has been measured."""
        if not self.most:
            return
        self.former[name] = net
        for table in self.leads:
            table[name] = 0.0
        if len(self.former) > self.most:
            easiest = max(self.former, key=lambda name: sum(table[name] for table in self.leads))
            del self.former[easiest]
            for table in self.leads:
                del table[easiest]

    def weights(self, table: int) -> dict[str, float]:
        """Return how often each player is drawn at a table, as fractions that add up to 1."""
        leads = self.leads[table]
        least = min(leads.values())
        weights = {name: float(np.exp((least - lead) / EASIER)) for name, lead in leads.items()}
        return {name: weight / sum(weights.values()) for name, weight in weights.items()}

    # ------------------------------------------------------------------ continuing later

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the nets as arrays, by name."""
        return {f"{name}/{part}": array for name, net in self.former.items() for part, array in net.arrays.items()}

    def from_arrays(self, arrays: Mapping[str, npt.NDArray[Any]], leads: list[dict[str, float]]) -> None:
        """Restore the state from the result of `to_arrays` and the leads. Raises `PlayerError` if they don't fit."""
        by_net: dict[str, dict[str, npt.NDArray[Any]]] = {}
        for path, array in arrays.items():
            name, _, part = path.partition("/")
            by_net.setdefault(name, {})[part] = array
        self.former = {name: Net(parts) for name, parts in by_net.items()}
        wanted = {*self.rivals, *self.former}
        if leads and (len(leads) != len(self.tables) or any(set(table) != wanted for table in leads)):
            raise PlayerError("the leads are not those of this population")
        self.leads = [{name: float(lead) for name, lead in table.items()} for table in leads]


def lines_for(
    rules: Rules, hands: int, weights: Sequence[float], itself: int, playouts: str, *, near: bool, seed: int
) -> Lines:
    """Draw the players in each seat for matches with ``hands`` hands in total.

    In ``itself`` percent of the matches, the net in training has all seats. In all other matches, it plays one side,
    and every other side is drawn from the population with the given weights. ``playouts`` names the player that plays
    moves out: `ITSELF` in all seats, the `COMPANY` at the table, or another player. If ``near`` is true, `ITSELF` and
    the `COMPANY` only make a number of moves, and then the other player takes over.
    """
    chance = np.random.default_rng(seed)
    matches = min(hands, MATCHES)
    alone = np.full((matches, rules.seats), PLAYS)
    plays, learns = alone.copy(), np.ones_like(alone)
    for match in np.flatnonzero(chance.integers(0, 100, matches) >= itself):
        sides = MEMBERS + chance.choice(len(weights), rules.sides, p=weights)
        sides[chance.integers(rules.sides)] = PLAYS
        for seat in range(rules.seats):
            plays[match, seat] = sides[seat % rules.sides]
        learns[match] = plays[match] == PLAYS
    others = np.full_like(alone, PLAYS_OUT)
    out = {ITSELF: alone, COMPANY: plays}.get(playouts, others)
    return Lines(plays, out, others if near else out, learns)
