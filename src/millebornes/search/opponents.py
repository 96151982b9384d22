"""The opponent model of a search: the policies that other seats may follow, and how likely a seat is to follow each.

How likely a seat is to play in a style is learned during a match with Bayes' rule. It depends on how likely the style
makes each of the seat's moves, over all the hands that it may have held. In rollouts, each simulation has a policy for
each of the other seats, drawn with these probabilities.
"""

import dataclasses
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, KernelSeats
from millebornes.policies.dispatch import MAXIMS, NET, WEIGHING
from millebornes.policies.levels import LEVELS, advice_at
from millebornes.policies.maxim_weights import tuned
from millebornes.policies.shipped_nets import net_named
from millebornes.rules.state import SEATS
from millebornes.search.memory import Memory
from millebornes.search.rollouts import RolloutSeats
from millebornes.search.settings import SearchSettings
from millebornes.search.styles import TEMPERATURES, Model

PLAIN: Final = "regular"
"""The level whose advice plain players follow."""
SHARES: Final = {"net": (0.3, 0.05, 0.05), "maxims": (0.15, 0.1, 0.1), "plain": (0.05, 0.05, 0.15)}
ANYTHING: Final = 0.02
"""The prior probability of random play. ``SHARES`` contains those of the styles of each policy."""
FORGOTTEN: Final = 0.01
"""The fraction by which probabilities return to the prior after each decision, so no style is ever certain."""
ROWS: Final = 64
"""Policies of the other seats are drawn for this many simulations, which then repeat."""


class OpponentModel:
    """A model of how the other seats of a table play."""

    def __init__(self, rules: Rules, settings: SearchSettings) -> None:
        net = None if settings.net is None else net_named(settings.net)
        players = {"maxims": KernelPlayer(MAXIMS, advice=tuned(rules))}
        players["plain"] = KernelPlayer(MAXIMS, advice=advice_at(LEVELS[PLAIN], rules))
        if net is not None:
            players["net"] = KernelPlayer(NET, advice=tuned(rules), net=net.ready(rules))
        self.has_net: Final = "net" in players
        """Whether a net, and not the maxims, provides the prior of a move."""
        asked = list(players)
        if settings.model != "mixture":
            asked = [settings.model if settings.model in players else "maxims"]
        thinkers = dict(players)
        for name, player in players.items():
            if player.who != NET:
                thinkers[name] = dataclasses.replace(player, who=WEIGHING)
        self._policies: Final = KernelSeats([thinkers[name] for name in asked])
        self._thinkers: Final = KernelSeats([thinkers["net" if self.has_net else "maxims"]])
        self._players: Final = KernelSeats(list(players.values()))
        names = list(players)
        self._by_policy: Final = np.array([names.index(name) for name in asked])
        """Policy -> index in the players."""
        self._later: Final = np.array([names.index("maxims" if name == "net" else name) for name in names])
        """Player -> the player who makes that player's later moves in rollouts."""
        self._wild: Final = asked.index("plain") if "plain" in asked else 0
        """The policy used in rollouts for a seat that plays at random."""
        self._self: Final = names.index("net" if self.has_net else "maxims")
        self._net_plies: Final = settings.net_plies if self.has_net else 0
        self._seats: Final = rules.seats
        shares = np.array([*(share for name in asked for share in SHARES[name]), ANYTHING])
        self._shares: Final = np.tile(shares / shares.sum(), (SEATS, 1))

    @property
    def own(self) -> np.void:
        """The player that provides the prior for the searching seat (a `SEATED` record that leaves scores)."""
        found: np.void = self._thinkers.records[0]
        return found

    def model(self, memory: Memory) -> Model:
        """Return how the seats are assumed to play, given what a seat remembers of the match."""
        if memory.shares is None or memory.shares.shape != self._shares.shape:
            memory.shares = self._shares.copy()
        return Model(self._policies.records, memory.shares)

    def learn(self, memory: Memory, seats: Sequence[int], log_ratios: npt.NDArray[np.float64]) -> None:
        """Update the model of some seats with their latest moves: ``log_ratios[n, style]`` (`beliefs.weigh_styles`)."""
        shares = self.model(memory).shares
        for seat, words in zip(seats, log_ratios, strict=True):
            likelihoods = shares[seat] * np.exp(words - words.max())
            shares[seat] = (1 - FORGOTTEN) * likelihoods / likelihoods.sum() + FORGOTTEN * self._shares[seat]

    def seating(self, own: int, memory: Memory, chance: np.random.Generator) -> RolloutSeats:
        """Return the players who make the moves in rollouts of a seat."""
        shares = self.model(memory).shares
        near = np.full((ROWS, self._seats), self._self)
        for seat in range(self._seats):
            if seat != own:
                by_policy = shares[seat, :-1].reshape(-1, len(TEMPERATURES)).sum(1)
                by_policy[self._wild] += shares[seat, -1]
                policies = np.searchsorted(by_policy.cumsum(), (np.arange(ROWS) + chance.random()) / ROWS)
                near[:, seat] = self._by_policy[np.minimum(chance.permutation(policies), len(by_policy) - 1)]
        return RolloutSeats(self._players.records, self._later[near], near, self._net_plies)
