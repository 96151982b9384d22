"""The results of an arena: how often each player wins, by how many points, and how uncertain these figures are."""

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from millebornes.arena.outcome import Columns, Counts, Floats, GameForfeit, GameOutcome
from millebornes.arena.ratings import PairGames, ratings
from millebornes.arena.report import ForfeitCount, Interval, PairResult, PlayerResult, Rating
from millebornes.arena.schedule import Plan
from millebornes.arena.statistics import Estimate, elo_of_share, ratio_estimate, share_estimate, variance
from millebornes.errors import shortened

TURNS: Final = 1 << 20
"""A number that is larger than the number of games on any deal."""
MAX_WAITING: Final = 1000
"""The number of single outcomes that are collected before they are counted, because each count has a fixed cost."""

MAX_NAME: Final = 24
"""The maximum number of characters of a name in a progress bar."""


class _Sums(NamedTuple):
    """The numbers of games, wins and hands, and the points, in each cluster of games on the same deal."""

    clusters: Counts
    games: Counts
    won: Floats
    hands: Counts
    points: Counts


class _Played(NamedTuple):
    """The same figures for each game, and the game's place in its round. A cluster's games follow each other."""

    clusters: Counts
    won: Floats
    hands: Counts
    points: Counts
    turns: Counts


class _Games:
    """The games of a player, or those of a pair, in which points are differences. Clusters are in ascending order."""

    def __init__(self) -> None:
        self._parts: list[_Played] = []

    def add(self, played: _Played) -> None:
        self._parts.append(played)

    def __len__(self) -> int:
        return sum(len(part.clusters) for part in self._parts)

    def sums(self, split: bool) -> _Sums:
        """Return the sums. With ``split``, each game counts individually, as if it were alone on its deal."""
        played = self._all()
        return _summed(played._replace(clusters=np.arange(len(played.clusters))) if split else played)

    def estimates(self) -> tuple[Estimate, Estimate]:
        """Return the share of the wins and the points per hand. Games that are all on one deal count individually."""
        clusters = self._all().clusters
        sums = self.sums(len(clusters) > 0 and clusters[0] == clusters[-1])
        games, hands = sums.games.tolist(), sums.hands.tolist()
        return share_estimate(sums.won.tolist(), games), ratio_estimate(sums.points.tolist(), hands)

    def gain(self) -> float | None:
        """Return how many independent hands are as informative as one duplicate hand, or None if this is unknown.

        The figure is the variance of single games divided by the variance of the averages of rounds. Single games are
        compared only with games at the same place in their rounds, so that the advantage of a seat doesn't count.
        """
        played = self._all()
        finished = _Played._make(column[played.hands > 0] for column in played)
        means = finished.points / finished.hands
        places = [means[finished.turns == turn].tolist() for turn in np.unique(finished.turns)]
        places = [values for values in places if len(values) > 1]
        rounds = _summed(finished)
        if not places or len(rounds.clusters) < 2:
            return None
        single = math.fsum(map(variance, places)) / len(places)
        shared = variance((rounds.points / rounds.hands).tolist()) * len(places)
        return single / shared if shared > 0 else None

    def _all(self) -> _Played:
        if len(self._parts) != 1:
            nothing = np.zeros(0, np.int64)
            parts = self._parts or [_Played(nothing, np.zeros(0), nothing, nothing, nothing)]
            self._parts = [_Played._make(map(np.concatenate, zip(*parts, strict=True)))]
        return self._parts[0]


def _summed(played: _Played) -> _Sums:
    starts = np.flatnonzero(np.diff(played.clusters, prepend=-1))
    columns = (played.won, played.hands, played.points)
    sums: list[Any] = [np.add.reduceat(each, starts) if len(starts) else each for each in columns]
    return _Sums(played.clusters[starts], np.diff(starts, append=len(played.clusters)), *sums)


class Tally:
    """Adds up the outcomes of games. You can read the results at any time.

    All scores are points per finished hand. If a match is lost by forfeit, it counts in the shares, but its points
    don't count.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan: Final = plan
        count = len(plan.players)
        self.games = 0
        self.hands = 0
        self.rounds = 0
        self.won: Final = [0] * count
        self.drawn: Final = [0] * count
        self.forfeits: Final = [0] * count
        self.reasons: Final[list[dict[tuple[str, str | None], ForfeitCount]]] = [{} for _ in range(count)]
        self.given_names: Final[dict[str, str]] = {}
        """Maps the name that was used to ask for a player to the name that the player gives itself."""
        self.moves: Final = [0] * count
        self.seconds: Final = [0.0] * count
        self.single: Final = [_Games() for _ in range(count)]
        self.paired: Final = {pair: _Games() for pair in itertools.combinations(range(count), 2)}
        self._waiting: Final[list[GameOutcome]] = []
        """Outcomes that only `games`, `hands` and `rounds` include so far."""

    def add(self, played: Columns | Sequence[GameOutcome]) -> None:
        """Count the games of whole rounds."""
        if isinstance(played, Columns):
            self._count_waiting()
            self.rounds += len(np.unique(played.deal))
            self.games += len(played.deal)
            self.hands += int(played.hands.sum())
            self._count(played)
            return
        self.rounds += len({outcome.deal for outcome in played})
        self.games += len(played)
        self.hands += sum(outcome.hands for outcome in played)
        self._waiting.extend(played)
        if len(self._waiting) >= MAX_WAITING:
            self._count_waiting()

    def _count_waiting(self) -> None:
        if self._waiting:
            self._count(Columns.of(self._waiting))
            self._waiting.clear()

    def _count(self, games: Columns) -> None:
        clusters = games.deal if self.plan.duplicate else games.deal * TURNS + games.turn
        hands, totals, ranks = games.hands.copy(), games.totals.copy(), games.totals.copy()
        for row, lost in games.forfeits:
            hands[row] = totals[row] = ranks[row] = 0
            ranks[row, lost.side] = -1
            self._add_forfeit(int(games.order[row, lost.side]), lost)
        sides: dict[int, tuple[Any, ...]] = {}  # for each player: its games, and its side in each game
        for who in np.unique(games.order).tolist():
            rows, side = sides[who] = np.nonzero(games.order == who)
            share = games.shares[rows, side]
            self.won[who] += int((share == 1).sum())
            self.drawn[who] += int(((share > 0) & (share < 1)).sum())
            self.moves[who] += int(games.moves[rows, side].sum())
            self.seconds[who] += float(games.seconds[rows, side].sum())
            self.single[who].add(_Played(clusters[rows], share, hands[rows], totals[rows, side], games.turn[rows]))
        for a, b in itertools.combinations(sorted(sides), 2):
            rows, at_a, at_b = np.intersect1d(sides[a][0], sides[b][0], assume_unique=True, return_indices=True)
            one, other = (rows, sides[a][1][at_a]), (rows, sides[b][1][at_b])
            ahead = np.sign(ranks[one] - ranks[other]) / 2 + 0.5
            self.paired[a, b].add(
                _Played(clusters[rows], ahead, hands[rows], totals[one] - totals[other], games.turn[rows])
            )

    def _add_forfeit(self, who: int, lost: GameForfeit) -> None:
        self.forfeits[who] += 1
        first = self.reasons[who].setdefault(
            (lost.reason, lost.clause),
            ForfeitCount(reason=lost.reason, count=0, clause=lost.clause, legal=lost.legal, log=lost.log),
        )
        log = first.log or lost.log
        self.reasons[who][lost.reason, lost.clause] = dataclasses.replace(first, count=first.count + 1, log=log)

    def _reasons(self, who: int) -> dict[str, int]:
        counts: dict[str, int] = {}
        for each in sorted(self.reasons[who].values(), key=lambda each: each.reason):
            counts[each.reason] = counts.get(each.reason, 0) + each.count
        return counts

    def name_of(self, who: int) -> str | None:
        """Return the name that a player gives itself (partners: names joined by ``+``), or None if it gives none."""
        team = list(dict.fromkeys(self.plan.teams[who]))
        if not any(name in self.given_names for name in team):
            return None
        return "+".join(self.given_names.get(name, name) for name in team)

    def score_of_round(self, outcomes: Sequence[GameOutcome]) -> list[float]:
        """Return the first player's scores for `Sprt`: the average of a duplicate round, or the result of each game."""
        scores = [outcome.shares[outcome.order.index(0)] for outcome in outcomes]
        return [math.fsum(scores) / len(scores)] if self.plan.duplicate else scores

    def line(self) -> str:
        """Return a short summary of the results of the first pair of players, for a progress bar."""
        self._count_waiting()
        names = self.plan.names
        pair = self.paired[0, 1]
        if not len(pair):
            return f"{self.games:,} games" if self.games else ""
        share, score = pair.estimates()
        half = (share.high - share.low) / 2
        one, other = (shortened(name, MAX_NAME) for name in names[:2])
        text = f"{one} {share.value:.1%} ± {half:.1%} against {other}"
        return text if math.isnan(score.value) else f"{text}, {score.value:+.1f} points a hand"

    def ratings(self, anchor: int = 0) -> list[Estimate]:
        """Return each player's Elo rating relative to the anchor, which has 0 (`millebornes.arena.ratings.ratings`)."""
        self._count_waiting()
        single = self.rounds == 1 and self.plan.duplicate
        sums = {pair: found.sums(single) for pair, found in self.paired.items() if len(found)}
        met = {pair: PairGames(each.clusters, each.games.astype(np.float64), each.won) for pair, each in sums.items()}
        return ratings(len(self.plan.players), met, anchor)

    def players(self) -> tuple[PlayerResult, ...]:
        """Return the results of each player, in the order of the plan."""
        self._count_waiting()
        results = []
        for who, name in enumerate(self.plan.names):
            share, score = self.single[who].estimates()
            forfeits = sorted(self.reasons[who].values(), key=lambda each: -each.count)
            results.append(
                PlayerResult(
                    player=name,
                    name=self.name_of(who),
                    matches=self.games_of(who),
                    matches_won=self.won[who],
                    matches_drawn=self.drawn[who],
                    match_share=_known(share.value, 6),
                    match_share_ci95=_interval(share, 6),
                    mean_score=_known(score.value, 3),
                    mean_score_ci95=_interval(score, 3),
                    forfeits=self.forfeits[who],
                    forfeit_reasons=self._reasons(who),
                    forfeit_list=tuple(forfeits),
                    ms_per_move=round(1000 * self.seconds[who] / self.moves[who], 6) if self.moves[who] else None,
                )
            )
        return tuple(results)

    def pairs(self) -> tuple[PairResult, ...]:
        """Return the results of each pair of players."""
        self._count_waiting()
        names, results = self.plan.names, []
        for (a, b), pair in self.paired.items():
            share, score = pair.estimates()
            gain = pair.gain() if self.plan.duplicate else None
            results.append(
                PairResult(
                    a=names[a],
                    b=names[b],
                    matches=len(pair),
                    mean_difference=_known(score.value, 3),
                    ci95=_interval(score, 3),
                    share=_known(share.value, 6),
                    share_ci95=_interval(share, 6),
                    elo=_known(elo_of_share(share.value), 2),
                    elo_ci95=(_known(elo_of_share(share.low), 2), _known(elo_of_share(share.high), 2)),
                    duplicate_gain=None if gain is None else round(gain, 3),
                )
            )
        return tuple(results)

    def rated(self, anchor: int = 0) -> tuple[Rating, ...] | None:
        """Return the ratings relative to the anchor, the strongest player first, or None for fewer than three."""
        names = self.plan.names
        if len(names) < 3:
            return None
        estimates = self.ratings(anchor)
        rated = []
        for who in sorted(range(len(names)), key=lambda who: (math.isnan(estimates[who].value), -estimates[who].value)):
            interval = _interval(estimates[who], 2)
            elo = None if None in interval else _known(estimates[who].value, 2)
            rated.append(Rating(player=names[who], elo=elo, elo_ci95=interval, matches=self.games_of(who)))
        return tuple(rated)

    def games_of(self, who: int) -> int:
        """Return the number of games that a player has played so far."""
        self._count_waiting()
        return len(self.single[who])


def _known(value: float, digits: int) -> float | None:
    return round(value, digits) if math.isfinite(value) else None


def _interval(estimate: Estimate, digits: int) -> Interval:
    return _known(estimate.low, digits), _known(estimate.high, digits)
