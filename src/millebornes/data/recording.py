"""Recorded hands, and the rows of a data set that follow from them."""

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.arena.outcome import RecordedHands
from millebornes.editions import Rules
from millebornes.envs.recording import NOT_LEGAL, OVER_NOW, follow_hands
from millebornes.envs.seen import SEEN
from millebornes.errors import TranscriptError
from millebornes.policies.deal import DEAL
from millebornes.rules.clauses import targets_in_reach
from millebornes.rules.engine import engine_for
from millebornes.rules.state import TABLES
from millebornes.rules.tables import tables_for

__all__ = ["Followed", "Recording", "follow"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recording:
    """The hands of a number of games, in order within each game, with everything that the rules don't determine.

    The ``hands`` number their games from 1, as files do. ``firsts`` (hands) contains the nominal first seat.
    ``lineups`` (hands, seats) contains the player in each seat, as an index into ``names``. ``shares`` (hands, sides)
    contains each side's share of the win in the game. ``info`` contains any information that players added to their
    moves, as JSON, by the index of the hand and the ply. ``lost`` describes the games that ended in a forfeit, by their
    number.
    """

    rules: Rules
    hands: RecordedHands
    firsts: npt.NDArray[np.int64]
    names: tuple[str, ...]
    lineups: npt.NDArray[np.int64]
    shares: npt.NDArray[np.float32]
    info: Mapping[tuple[int, int], str] = dataclasses.field(default_factory=dict)
    lost: Mapping[int, Mapping[str, Any]] = dataclasses.field(default_factory=dict)


class Followed(NamedTuple):
    """The decisions in a number of hands, hand after hand, as arrays like those of `millebornes.envs.Trajectories`.

    ``hand`` (rows) contains the index of each row's hand. ``points`` (hands, sides) and ``is_over`` (hands) describe
    the results of the hands, and ``starts`` (hands) contains the index of each hand's first row.
    """

    seen: npt.NDArray[np.void]
    legal: npt.NDArray[np.uint64]
    actions: npt.NDArray[np.int16]
    hand: npt.NDArray[np.int32]
    points: npt.NDArray[np.int64]
    is_over: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.int64]

    @property
    def ply(self) -> npt.NDArray[np.int64]:
        """The number of each row's decision within its hand, from 0."""
        found: npt.NDArray[np.int64] = np.arange(len(self.hand)) - self.starts[self.hand]
        return found


def follow(rules: Rules, hands: RecordedHands, firsts: npt.NDArray[np.int64]) -> Followed:
    """Replay recorded hands and return their decisions. Raises `TranscriptError` if a move is illegal."""
    rows = int(hands.plies.sum())
    written: tuple[Any, ...] = (
        np.zeros(rows + 1, SEEN),  # leave room for one illegal move
        np.zeros((rows + 1, targets_in_reach(rules)), np.uint64),
        np.zeros(rows + 1, np.int16),
        np.zeros(rows + 1, np.int32),
    )
    points, ends = np.zeros((hands.size, rules.sides), np.int64), np.zeros(hands.size, np.uint8)
    tables = np.zeros(1, TABLES)
    tables[0] = tables_for(rules)
    records = tables, np.zeros(1, engine_for(rules).dtype), np.zeros(1, DEAL)
    done = int(follow_hands(records, (hands.piles, firsts, hands.codes, hands.plies), written, points, ends))
    seen, legal, actions, numbers = (part[:done] for part in written)
    starts = np.cumsum(hands.plies) - hands.plies
    if (ends == NOT_LEGAL).any():
        hand = int(np.argmax(ends == NOT_LEGAL))
        where = f"game {hands.game[hand]}, hand {hands.number[hand]}, ply {done - starts[hand]}"
        raise TranscriptError(f"{where}: action {hands.codes[hand, done - starts[hand]]} is not legal")
    return Followed(seen, legal, actions, numbers, points, ends == OVER_NOW, starts)
