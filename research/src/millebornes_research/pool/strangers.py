"""Strangers: thousands of kernel players with weights and habits drawn at random, in three parts that never mix."""

import dataclasses
import random
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

import numpy as np

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.base import Player
from millebornes.players.basic import Basic
from millebornes.players.features import features_of
from millebornes.players.levels import salt_of_cards
from millebornes.players.maxims import Maxims
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.dispatch import BASIC, LEVEL, MAXIMS
from millebornes.policies.handicaps import Handicap, decide
from millebornes.policies.heuristic import WEIGHTS, Weights
from millebornes.policies.maxim_weights import Advice, tuned
from millebornes_research.seeds import seed_word

PARTS: Final = ("learn", "choose", "report")
"""The three parts: nets learn from strangers of the first, are chosen by the second, and are reported by the third."""
KINDS: Final = (BASIC, MAXIMS, LEVEL)
SPREADS: Final = (0.1, 0.9)
"""The range from which the standard deviation of the logarithm of a weight's factor is drawn for each stranger."""
FLIPPED: Final = 0.04
"""The chance that a weight changes its sign."""
STYLED: Final = 0.6
"""The chance that a stranger has one of the `STYLES`."""
HANDICAPS: Final[Mapping[str, tuple[int, int]]] = {
    "memory": (0, 100),
    "fading": (0, 30),
    "noise": (0, 90),
    "impulse": (0, 70),
    "blindness": (0, 25),
}
"""The ranges of the weaknesses (`millebornes.policies.handicaps.Handicap`) of strangers that have any."""
FIXED: Final = frozenset({"match"})
"""The weights that are switches and stay as they are."""

STYLES: Final[Mapping[str, Mapping[str, int]]] = {
    "races with small cards": {"mile": 120, "drive_75": 60, "major": -250, "stop": -200, "speed_limit": -200},
    "hoards hazards": {"keep_major": 300, "keep_stop": 250, "keep_limit": 250},
    "hits at once": {"major": 400, "stop": 400, "speed_limit": 400},
    "hits the leader": {"hit_leader": 500},
    "never hits": {"major": -900, "stop": -900, "speed_limit": -900},
    "plays safeties at once": {"safety": 700},
    "holds safeties": {"safety": -900, "safety_late": -20},
    "throws spare remedies": {"keep_remedy": -90, "keep_remedy_second": -60, "keep_end": -60, "keep_roll_second": -80},
    "hoards remedies": {"keep_remedy": 150, "keep_remedy_second": 150, "keep_end": 120, "keep_roll_second": 150},
    "always extends": {"extend": 2000},
    "never extends": {"extend": -2000},
    "waits for the delayed action": {"delay": 40, "delay_near": 40},
    "drives the largest first": {"drive_200": 300, "keep_200": -40, "keep_100": -20},
    "saves large distances": {"drive_200": -200, "keep_200": 150, "keep_100": 100},
}
"""The numbers that each style adds to weights, by name. Kinds of players that have no such weight ignore the number."""


@dataclasses.dataclass(frozen=True)
class Stranger:
    """A player that is drawn at random.

    Its part and number are the seed, so the same part and number always give the same player.
    """

    part: str
    """One of `PARTS`."""
    number: int
    """An integer, from 0 on."""

    @property
    def name(self) -> str:
        """The name of the stranger in reports."""
        return f"stranger {self.part} {self.number}"

    def __str__(self) -> str:
        return self.name

    def _chance(self) -> np.random.Generator:
        return np.random.default_rng(seed_word("strangers", self.part, self.number))

    def traits(self) -> tuple[int, str]:
        """Return the kind of player (`BASIC`, `MAXIMS` or `LEVEL` of `millebornes.policies.dispatch`) and any style."""
        chance = self._chance()
        kind = KINDS[int(chance.integers(len(KINDS)))]
        style = tuple(STYLES)[int(chance.integers(len(STYLES)))]
        return kind, style if chance.random() < STYLED else ""

    def player(self, rules: Rules) -> KernelPlayer:
        """Return the stranger as a kernel player for a table.

        Its weights vary around those that players of its kind have at this table.
        """
        kind, style = self.traits()
        chance = self._chance().spawn(1)[0]
        added = STYLES.get(style, {})
        spread = chance.uniform(*SPREADS)
        if kind == BASIC:
            return KernelPlayer(BASIC, weights=Weights(**_varied(WEIGHTS._asdict(), added, spread, chance)))
        advice = Advice(**_varied(tuned(rules)._asdict(), added, spread, chance))
        if kind == MAXIMS:
            return KernelPlayer(MAXIMS, advice=advice)
        handicap = {name: int(chance.integers(low, high + 1)) for name, (low, high) in HANDICAPS.items()}
        return KernelPlayer(LEVEL, advice=advice, handicap=Handicap(**handicap))


class StrangerPlayer(Player):
    """A stranger that can play at a table with players of other kinds.

    It makes the same moves as the stranger's kernel player.
    """

    name = "stranger"
    summary: ClassVar[str] = "plays as a player drawn at random"

    def __init__(self, stranger: Stranger) -> None:
        self.stranger: Final = stranger
        self._known: tuple[Rules, KernelPlayer] | None = None
        self._salt = 0

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Remember the cards that were dealt, which determine the cards that the player will forget in this hand."""
        self._salt = salt_of_cards(hand)

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move of the stranger. ``rng`` determines its mistakes, if it makes any."""
        if self._known is None or self._known[0] != view.rules:
            self._known = view.rules, self.stranger.player(view.rules)
        weights = self._known[1]
        if weights.who == BASIC:
            return Basic(weights.weights).choose(view, legal, rng)
        if weights.who == MAXIMS:
            return Maxims(advice=weights.advice).choose(view, legal, rng)
        by_code = {legal.code(move) or 0: move for move in legal}
        if len(by_code) == 1:
            return legal[0]
        luck, features = rng.getrandbits(62), features_of(view)
        codes, deck = sorted(by_code), view.rules.deck
        return by_code[decide(codes, deck, self._salt, luck, features, weights.advice, weights.handicap)]


def kernel_player(who: str | Stranger, rules: Rules) -> KernelPlayer:
    """Return the kernel player for a stranger or a player's name, at a table.

    Raises `PlayerError` if kernels can't run the player.
    """
    return who.player(rules) if isinstance(who, Stranger) else KernelPlayer.named(who, rules)


def _varied(
    weights: Mapping[str, int], added: Mapping[str, int], spread: float, chance: np.random.Generator
) -> dict[str, int]:
    """Return weights multiplied by random factors, with those of a style added."""
    found = {}
    for name, weight in weights.items():
        factor = float(np.exp(spread * chance.standard_normal())) * (-1 if chance.random() < FLIPPED else 1)
        found[name] = weight if name in FIXED else round(weight * factor) + added.get(name, 0)
    return found
