"""Play many hands or matches of kernel players over the same decks, or a single hand move by move."""

import dataclasses
import random
import reprlib
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import ArgumentError, PlayerError
from millebornes.policies.compiled import write_cases
from millebornes.policies.deal import start_deal
from millebornes.policies.dispatch import BASIC, LEVEL, MAXIMS, NET, RANDOM, SEATED, is_watching, workspace_for
from millebornes.policies.games import MANY_HANDS, MIX_HAND, MIX_PLY, Games, log_hand, play_games
from millebornes.policies.handicaps import NO_HANDICAP, Handicap
from millebornes.policies.heuristic import WEIGHTS, Weights
from millebornes.policies.levels import LEVELS, advice_at, handicap_at
from millebornes.policies.maxim_catalogue import parse_advice
from millebornes.policies.maxim_weights import MATCH, Advice, tuned
from millebornes.policies.net_files import ReadyNet
from millebornes.policies.random_play import LANES, play_random_games, ranks_for
from millebornes.policies.shipped_nets import net_named
from millebornes.roster import ROSTER
from millebornes.rules.engine import engine_for
from millebornes.rules.replay import MOST_MOVES
from millebornes.rules.scoring import side_score

__all__ = [
    "Batch",
    "KernelPlayer",
    "KernelRandom",
    "KernelSeats",
    "OneHand",
    "decision_chance",
    "hand_chance",
    "play_batch",
    "play_one",
    "seats_of",
]

U = np.uint64
WORD: Final = (1 << 64) - 1
INCREMENT: Final = 0xA0761D6478BD642F
MIX: Final = 0xE7037ED1A0B428DB
KINDS_OF_PLAYER: Final = {"random": RANDOM, "basic": BASIC, "maxims": MAXIMS, "instant": NET}


@dataclasses.dataclass(frozen=True)
class KernelPlayer:
    """A player that can be run inside kernels. Use `KernelPlayer.named` to create one by name."""

    who: int
    """How it chooses moves: `RANDOM`, `BASIC`, `MAXIMS`, `NET` or `LEVEL` of `millebornes.policies.dispatch`."""
    weights: Weights = dataclasses.field(default_factory=lambda: WEIGHTS)  # keeps a hundred numbers out of `help`
    """The weights of `BASIC`, in points of the score difference in the hand."""
    advice: Advice = dataclasses.field(default_factory=lambda: MATCH)
    """The weights of `MAXIMS` and of the players based on it."""
    net: ReadyNet | None = None
    """The net of a `NET` player, or None for all other players."""
    handicap: Handicap = dataclasses.field(default_factory=lambda: NO_HANDICAP)
    """The weaknesses of a `LEVEL` player."""

    def __repr__(self) -> str:
        return f"<KernelPlayer who={self.who}>"

    @classmethod
    def named(cls, name: str, rules: Rules) -> "KernelPlayer":
        """Return the kernel player for a name such as ``instant:FILE.npz`` at a table. Raises `PlayerError`."""
        chosen, colon, options = name.partition(":")
        if name in LEVELS:
            return cls(LEVEL, advice=advice_at(LEVELS[name], rules), handicap=handicap_at(LEVELS[name], rules))
        if chosen not in KINDS_OF_PLAYER or (colon and not ROSTER[chosen].takes_options):
            raise PlayerError(f"{name!r} cannot play inside kernels; {', '.join(KINDS_OF_PLAYER)} and the levels can")
        if KINDS_OF_PLAYER[chosen] == NET:
            return cls(NET, advice=tuned(rules), net=net_named(options).ready(rules))
        return cls(KINDS_OF_PLAYER[chosen], advice=parse_advice(options, tuned(rules)))


class KernelRandom(random.Random):
    """The random number generator of kernels (`millebornes.rules.shuffling.random_word`) with the methods of Python's.

    Integers below a bound are taken from the upper bits. Numbers that are too large are drawn again. As a result,
    `random.randrange` gives the same numbers as a kernel that starts from the same word.
    """

    def __init__(self, word: int) -> None:
        self.word = word & WORD
        super().__init__(0)

    def seed(self, *_: Any) -> None:
        """Do nothing, because only the word determines the numbers."""

    def _next(self) -> int:
        self.word = self.word + INCREMENT & WORD
        x = self.word
        return (x * (x ^ MIX) >> 64) ^ (x * (x ^ MIX) & WORD)

    def random(self) -> float:
        """Return a random number between 0 and 1, excluding 1."""
        return (self._next() >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """Return ``k`` random bits."""
        bits = 0
        for _ in range(k // 64):
            bits = bits << 64 | self._next()
        return bits << k % 64 | self._next() >> 64 - k % 64 if k % 64 else bits


def hand_chance(seed: int, hand: int) -> int:
    """Return the word from which the random numbers for the decisions of a hand are derived."""
    return seed + hand * int(MIX_HAND) & WORD


def decision_chance(seed: int, hand: int, ply: int) -> KernelRandom:
    """Return the generator that kernels use for decision ``ply`` (from 0) of a hand (from 1)."""
    return KernelRandom(hand_chance(seed, hand) + ply * int(MIX_PLY))


class OneHand(NamedTuple):
    """A hand that was played: the kinds of cards in drawing order, the codes of the moves, and each side's points."""

    deck: tuple[int, ...]
    codes: list[int]
    scores: list[int]


class Batch(NamedTuple):
    """Games that were played by kernels: ``points[game, line-up, side]``, and the numbers of hands and moves."""

    points: npt.NDArray[np.int64]
    hands: int
    moves: int


class KernelSeats:
    """Kernel players in the form that kernels read, as `SEATED` records.

    The records contain addresses of nets, and this object keeps those nets in memory. You can store, copy and pickle
    it: copies in this or another process write new records. Raises `ArgumentError` if a player isn't a kernel player.
    """

    def __init__(self, players: Sequence[KernelPlayer]) -> None:
        self.players: Final = tuple(players)
        records = np.zeros(len(players), SEATED)
        for i, player in enumerate(players):
            _check_player(player)
            records["who"][i] = player.who
            for name, value in player.weights._asdict().items():
                records["weights"][name][i] = value
            for name, value in player.advice._asdict().items():
                records["advice"][name][i] = value
            for name, value in player.handicap._asdict().items():
                records["handicap"][name][i] = value
            write_cases(records["advice"][i])
            if player.net is not None:
                records["net"][i] = player.net.address
                weakref.finalize(records, _do_nothing, player.net)
            elif player.who == NET:
                raise PlayerError("a player that plays by a net needs the net")
        self.records: Final[npt.NDArray[np.void]] = records
        """The records for calling a kernel immediately. Always store this object rather than the records."""

    def __reduce__(self) -> tuple[Callable[..., "KernelSeats"], tuple[Any, ...]]:
        return KernelSeats, (self.players,)


def seats_of(players: Sequence[KernelPlayer]) -> npt.NDArray[np.void]:
    """Return the `SEATED` records of the players for one call of a kernel. Raises the same errors as `KernelSeats`."""
    return KernelSeats(players).records


def _check_player(player: object) -> None:
    if isinstance(player, KernelPlayer) and not (player.net is None or isinstance(player.net, ReadyNet)):
        raise ArgumentError(f"players: {reprlib.repr(player.net)} isn't a net that is ready for a table (Net.ready)")
    if not isinstance(player, KernelPlayer):
        name = player if isinstance(player, str) else "basic"
        raise ArgumentError(
            f"players: {reprlib.repr(player)} isn't a KernelPlayer; make one with KernelPlayer.named({name!r}, rules)"
        )


def _do_nothing(net: ReadyNet) -> None:
    """Do nothing. Until it is called for a deleted array of addresses, the pending call keeps the net in memory."""


def _checked_lineups(
    rules: Rules, players: Sequence[KernelPlayer], lineups: Sequence[Sequence[int]] | None
) -> Sequence[Sequence[int]]:
    if not isinstance(rules, Rules):
        raise ArgumentError(
            f"rules: {reprlib.repr(rules)} isn't a millebornes.Rules; make them with make_rules('classic')"
        )
    for player in players:
        _check_player(player)
    if not len(players):
        raise PlayerError("players: there are none; give at least one KernelPlayer")
    if lineups is None:
        lineups = [[seat % len(players) for seat in range(rules.seats)]]
    for line in lineups:
        if len(line) != rules.seats or not all(0 <= who < len(players) for who in line):
            raise PlayerError(
                f"a line-up names the player in each of the {rules.seats} seats by number (0 to {len(players) - 1}); "
                f"this is {list(line)}"
            )
    return lineups


def play_batch(
    rules: Rules,
    players: Sequence[KernelPlayer],
    lineups: Sequence[Sequence[int]] | None = None,
    games: int = 1,
    *,
    seed: int = 0,
    begin: int = 0,
    match_target: int | None = None,
    streams: bool = True,
) -> Batch:
    """Play games ``begin`` to ``begin + games`` of a seed with every line-up, over the same decks.

    A line-up contains, for each seat, the index of one of the ``players``. By default, there is one line-up in which
    the players take the seats in order, starting again from the first if there are more seats. Games are either single
    hands or matches to ``match_target`` points. With ``streams``, each seat draws from its own part of the deck. All
    hands are still as likely as before, but line-ups can be compared with less noise. Raises `ArgumentError` if an
    argument has the wrong type, and `PlayerError` if a line-up is invalid.
    """
    lineups = _checked_lineups(rules, players, lineups)
    ranks = ranks_for(rules)
    is_random = bool(ranks["usable"][0]) and not match_target and all(player.who == RANDOM for player in players)
    workspace = workspace_for(rules, LANES if is_random else 1)
    workspace.deals["target"], workspace.deals["streams"] = match_target or 0, streams
    points = np.zeros((games, len(lineups), rules.sides), np.int64)
    if is_random and lineups:  # the hands are the same in every line-up
        moves = play_random_games(workspace, ranks, U(seed & WORD), begin, points[:, 0])
        points[:] = points[:, :1]
        return Batch(points, games * len(lineups), int(moves) * len(lineups))
    lines = np.array(lineups, np.int64).reshape(len(lineups), rules.seats)
    counts = np.zeros(2, np.int64)
    asked = Games(U(seed & WORD), begin, -1, np.zeros(rules.sides, np.int64), MANY_HANDS)
    play_games(workspace, seats_of(players), lines, asked, points, counts)
    return Batch(points, int(counts[0]), int(counts[1]))


def play_one(
    rules: Rules,
    players: Sequence[KernelPlayer],
    *,
    seed: int,
    first: int = 0,
    streams: bool = False,
    totals: Sequence[int] = (),
    match_target: int | None = None,
) -> OneHand:
    """Play the first hand of the match with this seed, with a player for each seat, and return it with its moves."""
    workspace = workspace_for(rules)
    work, state, deal = workspace.work[0], workspace.states[0], workspace.deals[0]
    state["deck"][: rules.cards] = engine_for(rules).shuffled(seed & WORD)
    shuffled = state["deck"][: rules.cards].copy()
    seated = seats_of(players)
    deal["watched"], deal["streams"] = is_watching(seated), streams
    deal["totals"][: len(totals)], deal["target"] = totals, match_target or 0
    deal["chance"] = hand_chance(seed, 1)
    start_deal(state, work["tables"], first, deal)
    log = np.zeros(1 + MOST_MOVES, np.int64)
    log_hand(state, deal, seated, np.arange(rules.seats), work, log)
    deck = shuffled
    if streams:
        drawn = int(state["drawn"])
        left = deal["order"][: rules.cards][deal["taken"][: rules.cards] == 0]
        deck = np.concatenate([deal["pile"][:drawn], left])
    scores = [int(side_score(state, work["tables"], U(side))) for side in range(rules.sides)]
    return OneHand(tuple(int(kind) for kind in deck), log[1 : 1 + log[0]].tolist(), scores)
