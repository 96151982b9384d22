"""Summarise the statistics of one person: wins and losses, averages, the best hand, streaks and luck, also by group."""

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from millebornes.player_names import HUMAN
from millebornes.schema.statistics import HandResult, MatchResult
from millebornes.storage.statistics import Results

Z_95: Final = 1.96
"""The number of standard errors on each side of the mean that contain 95% of a normal distribution."""

_Key = TypeVar("_Key")
_AnyResult = TypeVar("_AnyResult", HandResult, MatchResult)


class Mean(NamedTuple):
    """The mean of ``n`` values with its standard error, which is None if there are fewer than two values."""

    mean: float
    error: float | None
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean | None":
        """Return the mean of the values, or None if there are none."""
        n = len(values)
        if n == 0:
            return None
        mean = math.fsum(values) / n
        square = math.fsum((value - mean) ** 2 for value in values)
        return cls(mean, math.sqrt(square / (n - 1) / n) if n > 1 else None, n)


@dataclasses.dataclass(frozen=True)
class WinsAndLosses:
    """The number of games won, lost and drawn."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def played(self) -> int:
        """The total number of games."""
        return self.won + self.lost + self.drawn


class Streak(NamedTuple):
    """The ``outcome`` of the latest matches (``won``, ``lost``, ``drawn``), and the longest series of wins."""

    outcome: str
    length: int
    longest_won: int


class BestHand(NamedTuple):
    """The hand in which the person scored the most points, and the points."""

    points: int
    hand: HandResult


@dataclasses.dataclass(frozen=True)
class Summary:
    """A summary of the games of one person.

    ``matches`` and ``single_hands`` are numbers of games, and ``hinted`` is the number of matches with hints.
    ``points`` is the average number of points per hand, ``ahead`` is the average lead over the mean of the other sides,
    and ``luck`` is the part of this lead that came from the cards. These three values are in points per hand. Games are
    also grouped by edition (None for custom rules), by table (seats, sides), and by the players on the other sides.
    """

    matches: WinsAndLosses
    hinted: WinsAndLosses
    single_hands: WinsAndLosses
    hands: int
    points: Mean | None
    ahead: Mean | None
    luck: Mean | None
    best: BestHand | None
    streak: Streak | None
    by_edition: dict[str | None, WinsAndLosses]
    by_table: dict[tuple[int, int], WinsAndLosses]
    by_opponents: dict[str, WinsAndLosses]


def people(results: Results) -> tuple[str, ...]:
    """Return the names of all people who shared a keyboard with others, in the order of their first games."""
    names: dict[str, None] = {}
    for result in (*results.hands, *results.matches):
        if result.players.count(HUMAN) > 1:
            names.update((name, None) for kind, name in zip(result.players, result.names, strict=True) if kind == HUMAN)
    return tuple(names)


def summarize(results: Results, name: str | None = None) -> Summary:
    """Return a summary of the games that a person played alone against computers, or as ``name`` with other people."""
    hands = [(hand, hand.side_of(seat)) for hand, seat in games_of(results.hands, name)]
    matches = [(match, match.side_of(seat)) for match, seat in games_of(results.matches, name)]
    own = [float(hand.points[side]) for hand, side in hands]
    ahead = [_ahead(hand.points, side) for hand, side in hands]
    luck = [_ahead(hand.luck, side) for hand, side in hands if hand.luck is not None]
    best = max(((hand.points[side], i) for i, (hand, side) in enumerate(hands)), default=None)
    return Summary(
        matches=_record(outcome_of(match, side) for match, side in matches),
        hinted=_record(outcome_of(match, side) for match, side in matches if match.hints_of(side)),
        single_hands=_record(_hand_outcome(hand, side) for hand, side in hands if hand.match_target is None),
        hands=len(hands),
        points=Mean.of(own),
        ahead=Mean.of(ahead),
        luck=Mean.of(luck),
        best=None if best is None else BestHand(best[0], hands[best[1]][0]),
        streak=_streak([outcome_of(match, side) for match, side in matches]),
        by_edition=_groups(matches, lambda match, _side: match.edition),
        by_table=_groups(matches, lambda match, _side: (match.seats, match.sides)),
        by_opponents=_groups(matches, _opponents),
    )


def games_of(results: Sequence[_AnyResult], name: str | None) -> list[tuple[_AnyResult, int]]:
    """Return the games of a person in the order in which they ended, each with the person's seat.

    It is the person who played alone against computers or, with ``name``, the one of this name among several.
    """
    games = []
    for result in results:
        people = [seat for seat, kind in enumerate(result.players) if kind == HUMAN]
        own = people if name is None else [seat for seat in people if result.names[seat] == name]
        if own and (len(people) == 1) == (name is None):
            games.append((result, own[0]))
    return sorted(games, key=lambda pair: pair[0].date)


def _ahead(points: Sequence[float], side: int) -> float:
    others = [value for other, value in enumerate(points) if other != side]
    return points[side] - math.fsum(others) / len(others)


def outcome_of(match: MatchResult, side: int) -> str:
    """Return how a match ended for a side: ``won``, ``lost`` or ``drawn``."""
    if match.loser is not None:
        return "lost" if match.loser == side else "won"
    if match.winner is None:  # the other sides may have drawn with each other
        return "drawn" if match.totals[side] == max(match.totals) else "lost"
    return "won" if match.winner == side else "lost"


def _hand_outcome(hand: HandResult, side: int) -> str:
    best = max(hand.points)
    if hand.points[side] < best:
        return "lost"
    return "won" if hand.points.count(best) == 1 else "drawn"


def _record(outcomes: Iterable[str]) -> WinsAndLosses:
    results = list(outcomes)
    return WinsAndLosses(results.count("won"), results.count("lost"), results.count("drawn"))


def _streak(outcomes: Sequence[str]) -> Streak | None:
    if not outcomes:
        return None
    runs = [(outcome, len(list(run))) for outcome, run in itertools.groupby(outcomes)]
    return Streak(*runs[-1], max((length for outcome, length in runs if outcome == "won"), default=0))


def _opponents(match: MatchResult, side: int) -> str:
    kinds = dict.fromkeys(
        name if kind == HUMAN else kind
        for seat, (kind, name) in enumerate(zip(match.players, match.names, strict=True))
        if match.side_of(seat) != side
    )
    return ", ".join(sorted(kinds))


def _groups(
    matches: list[tuple[MatchResult, int]], key: Callable[[MatchResult, int], _Key]
) -> dict[_Key, WinsAndLosses]:
    groups: dict[_Key, list[str]] = {}
    for match, side in matches:
        groups.setdefault(key(match, side), []).append(outcome_of(match, side))
    return {group: _record(outcomes) for group, outcomes in groups.items()}
