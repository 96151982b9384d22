"""Batches of kernel players: many hands or matches over the same decks, and single hands to look at."""

import random
import weakref
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import PlayerError
from millebornes.policies.features import FEATURES, lookups_for
from millebornes.policies.handicaps import SURE, Handicap
from millebornes.policies.heuristic_weights import WEIGHTS, Weights
from millebornes.policies.levels import LEVELS, advice_at, handicap_at
from millebornes.policies.maxims.options import parse_advice
from millebornes.policies.maxims.weights import MATCH, Advice, tuned
from millebornes.policies.native import (
    BASIC,
    DEAL,
    LEVEL,
    MAXIMS,
    MIX_HAND,
    MIX_PLY,
    NET,
    RANDOM,
    SEATED,
    is_watching,
    play_games,
    play_hand,
    start_deal,
    write_cases,
)
from millebornes.policies.net_files import ReadyNet
from millebornes.policies.shipped_nets import net_named
from millebornes.rules.engine import engine_for
from millebornes.rules.follow import MOST_MOVES
from millebornes.rules.playout import GENERATOR
from millebornes.rules.scoring import side_score
from millebornes.rules.state import COMPACT_DECK, SEATS, STATE, STATE_LARGE
from millebornes.rules.tables import tables_for

__all__ = ["Batch", "KernelPlayer", "KernelRandom", "OneHand", "decision_chance", "play_batch", "play_one", "seats_of"]

U = np.uint64
WORD: Final = (1 << 64) - 1
INCREMENT: Final = 0xA0761D6478BD642F
MIX: Final = 0xE7037ED1A0B428DB
KINDS_OF_PLAYER: Final = {"random": RANDOM, "basic": BASIC, "maxims": MAXIMS, "instant": NET}
WITH_OPTIONS: Final = ("maxims", "instant")


class KernelPlayer(NamedTuple):
    """A player that kernels can play: `RANDOM`, `BASIC`, `MAXIMS`, `NET` or `LEVEL` (`millebornes.policies.native`).

    It comes with its weights; ``net`` only for nets, ``handicap`` only for levels.
    """

    who: int
    weights: Weights = WEIGHTS
    advice: Advice = MATCH
    net: ReadyNet | None = None
    handicap: Handicap = SURE

    @classmethod
    def named(cls, name: str, rules: Rules) -> "KernelPlayer":
        """The kernel player of a name such as ``basic``, ``maxims:points`` or ``instant:FILE.npz``, for a table.

        Raises `PlayerError` for players that have no kernel, and for wrong options.
        """
        chosen, colon, options = name.partition(":")
        if name in LEVELS:
            return cls(LEVEL, advice=advice_at(LEVELS[name], rules), handicap=handicap_at(LEVELS[name], rules))
        if chosen not in KINDS_OF_PLAYER or (colon and chosen not in WITH_OPTIONS):
            raise PlayerError(f"{name!r} cannot play inside kernels; {', '.join(KINDS_OF_PLAYER)} can")
        if KINDS_OF_PLAYER[chosen] == NET:
            return cls(NET, advice=tuned(rules), net=net_named(options).ready(rules))
        return cls(KINDS_OF_PLAYER[chosen], advice=parse_advice(options, tuned(rules)))


class KernelRandom(random.Random):
    """The kernels' generator (`millebornes.rules.kernels.random_word`) with Python's methods.

    Whole numbers below a bound come from the upper bits, tried again while they are too large, so `random.randrange`
    gives what kernels pick from the same word.
    """

    def __init__(self, word: int) -> None:
        self.word = word & WORD
        super().__init__(0)

    def seed(self, *_: Any) -> None:
        """Does nothing: the word alone decides."""

    def _next(self) -> int:
        self.word = self.word + INCREMENT & WORD
        x = self.word
        return (x * (x ^ MIX) >> 64) ^ (x * (x ^ MIX) & WORD)

    def random(self) -> float:
        """A number from 0 to 1, 1 excluded."""
        return (self._next() >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """``k`` random bits."""
        bits = 0
        for _ in range(k // 64):
            bits = bits << 64 | self._next()
        return bits << k % 64 | self._next() >> 64 - k % 64 if k % 64 else bits


def decision_chance(seed: int, hand: int, ply: int) -> KernelRandom:
    """The chance that kernels have for the decision ``ply`` (from 0) of a hand (from 1)."""
    return KernelRandom(seed + hand * int(MIX_HAND) + ply * int(MIX_PLY))


class OneHand(NamedTuple):
    """A hand that kernels played.

    ``deck`` holds kinds in the order really drawn (what was never drawn last), ``codes`` the moves, ``scores`` points
    by side.
    """

    deck: tuple[int, ...]
    codes: list[int]
    scores: list[int]


class Batch(NamedTuple):
    """Games that kernels played: ``points[game, line-up, side]``, and how many hands and moves that took."""

    points: npt.NDArray[np.int64]
    hands: int
    moves: int


class _Buffers:
    """What kernels write to."""

    def __init__(self, rules: Rules) -> None:
        self.tables = tables_for(rules)
        self.lookups = lookups_for(rules)
        self.states = np.zeros(1, STATE if rules.cards <= COMPACT_DECK else STATE_LARGE)
        self.deals = np.zeros(1, DEAL)
        self.generators = np.zeros(1, GENERATOR)
        self.features = np.zeros(1, FEATURES)


def seats_of(players: Sequence[KernelPlayer]) -> npt.NDArray[np.void]:
    """The players as `SEATED` records, which kernels read."""
    found = np.zeros(len(players), SEATED)
    for i, player in enumerate(players):
        found["who"][i] = player.who
        for name, value in player.weights._asdict().items():
            found["weights"][name][i] = value
        for name, value in player.advice._asdict().items():
            found["advice"][name][i] = value
        for name, value in player.handicap._asdict().items():
            found["habits"][name][i] = value
        write_cases(found["advice"][i])
        if player.net is not None:
            found["net"][i] = player.net.address
            weakref.finalize(found, _let_go, player.net)
        elif player.who == NET:
            raise PlayerError("a net that plays must be given with it")
    return found


def _let_go(net: ReadyNet) -> None:
    """Called when an array is gone that told where a net lies; until then the net is held."""


def play_batch(
    rules: Rules,
    players: Sequence[KernelPlayer],
    lineups: Sequence[Sequence[int]],
    games: int,
    *,
    seed: int,
    begin: int = 0,
    match_target: int | None = None,
    streams: bool = True,
) -> Batch:
    """Play games ``begin`` to ``begin + games`` of a seed once with every line-up, over the same decks.

    A line-up says for each seat which of the ``players`` sits there. Games are single hands, or matches to
    ``match_target`` points. With ``streams`` each seat has its own stream of cards out of the deck, which leaves every
    single hand as likely as before and makes line-ups easier to compare. Raises `PlayerError` for a wrong line-up.
    """
    for line in lineups:
        if len(line) != rules.seats or not all(0 <= who < len(players) for who in line):
            raise PlayerError(f"the line-up {list(line)} does not name one of {len(players)} players for each seat")
    buffers = _Buffers(rules)
    points = np.zeros((games, len(lineups), rules.sides), np.int64)
    counts = np.zeros(2, np.int64)
    play_games(
        buffers.states[0],
        buffers.tables,
        buffers.lookups,
        seats_of(players),
        np.array(lineups, np.int64).reshape(len(lineups), rules.seats),
        U(seed & WORD),
        begin,
        match_target or 0,
        int(streams),
        buffers.deals[0],
        buffers.generators[0],
        buffers.features[0],
        points,
        counts,
    )
    return Batch(points, int(counts[0]), int(counts[1]))


def play_one(
    rules: Rules, players: Sequence[KernelPlayer], *, seed: int, first: int = 0, streams: bool = False
) -> OneHand:
    """Play one hand, the first of a match of this seed, with a player for each seat, and tell all moves."""
    buffers = _Buffers(rules)
    state, deal = buffers.states[0], buffers.deals[0]
    state["deck"][: rules.cards] = engine_for(rules).shuffled(seed & WORD)
    shuffled = state["deck"][: rules.cards].copy()
    seated = seats_of(players)
    deal["watched"] = is_watching(seated)
    start_deal(state, buffers.tables, first, int(streams), deal)
    log = np.zeros(MOST_MOVES, np.int64)
    count = play_hand(
        state,
        buffers.tables,
        buffers.lookups,
        np.zeros(SEATS, np.int64),
        0,
        seated,
        np.arange(rules.seats),
        U(seed & WORD),
        1,
        int(streams),
        deal,
        buffers.generators[0],
        buffers.features[0],
        log,
    )
    deck = shuffled
    if streams:
        drawn = int(state["drawn"])
        left = deal["order"][: rules.cards][deal["taken"][: rules.cards] == 0]
        deck = np.concatenate([deal["pile"][:drawn], left])
    scores = [int(side_score(state, buffers.tables, U(side))) for side in range(rules.sides)]
    return OneHand(tuple(int(kind) for kind in deck), log[:count].tolist(), scores)
