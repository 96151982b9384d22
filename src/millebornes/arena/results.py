"""The results of an arena: how often each player wins, by how many points, and how uncertain these figures are."""

import dataclasses
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from millebornes.arena.outcome import Columns, Counts, Floats, GameForfeit, GameOutcome
from millebornes.arena.ratings import Met, ratings
from millebornes.arena.report import ForfeitCount
from millebornes.arena.schedule import Plan
from millebornes.arena.statistics import Estimate, elo_of_share, ratio_estimate, share_estimate, variance

__all__ = ["Tally"]

TURNS: Final = 1 << 20
"""A number that is larger than the number of games on any deal."""


@dataclasses.dataclass
class _DealSums:
    """Sums over the games on one deal: the numbers of ``games``, of wins, of ``hands`` and of points."""

    games: int = 0
    won: float = 0.0
    hands: int = 0
    points: int = 0


class _Clusters:
    """The sums for a player or a pair of players, by cluster, which means the games on one deal.

    While there is only one cluster, its games also count individually, because an interval needs more than one
    observation. Clusters that are added in columns are stored in arrays. All games of a cluster are added in the same
    call of `add_many`, or all with `add`.
    """

    def __init__(self) -> None:
        self.first: Final[list[_DealSums]] = []
        self.by_cluster: Final[defaultdict[int, _DealSums]] = defaultdict(_DealSums)
        self.many: Final[list[_Many]] = []

    def add(self, cluster: int, won: float, hands: int, points: int) -> None:
        sums = self.by_cluster[cluster]
        if len(self.by_cluster) == 1 and not self.many:
            self.first.append(_DealSums(1, won, hands, points))
        sums.games += 1
        sums.won += won
        sums.hands += hands
        sums.points += points

    def add_many(self, clusters: Counts, won: Floats, hands: Counts, points: Counts) -> None:
        """Add the games of several clusters. The clusters must be in ascending order."""
        if not len(clusters):
            return
        starts = np.flatnonzero(np.diff(clusters, prepend=clusters[0] - 1))
        if not self.by_cluster and not self.many:
            end = starts[1] if len(starts) > 1 else len(clusters)
            rows = zip(won[:end].tolist(), hands[:end].tolist(), points[:end].tolist(), strict=True)
            self.first.extend(_DealSums(1, *row) for row in rows)
        found = (
            np.diff(starts, append=len(clusters)),
            *(np.add.reduceat(each, starts) for each in (won, hands, points)),
        )
        self.many.append(_Many(clusters[starts], *found))

    def __len__(self) -> int:
        """Return the number of clusters."""
        return len(self.by_cluster) + sum(len(many.clusters) for many in self.many)

    def columns(self, single: bool = False) -> "_Many":
        """Return all sums as arrays. With ``single``, each game of the only cluster counts individually."""
        rows = dict(enumerate(self.first)) if single else self.by_cluster
        own = _Many(
            np.fromiter(rows, np.int64, len(rows)),
            np.fromiter((sums.games for sums in rows.values()), np.int64, len(rows)),
            np.fromiter((sums.won for sums in rows.values()), np.float64, len(rows)),
            np.fromiter((sums.hands for sums in rows.values()), np.int64, len(rows)),
            np.fromiter((sums.points for sums in rows.values()), np.int64, len(rows)),
        )
        if single or not self.many:
            return own
        return _Many(*(np.concatenate(each) for each in zip(own, *self.many, strict=True)))

    def share(self) -> Estimate:
        found = self.columns(len(self) == 1)
        return share_estimate(found.won.tolist(), found.games.tolist())

    def score(self) -> Estimate:
        found = self.columns(len(self) == 1)
        return ratio_estimate(found.points.tolist(), found.hands.tolist())

    def games(self) -> int:
        """Return the total number of games."""
        return sum(sums.games for sums in self.by_cluster.values()) + sum(int(many.games.sum()) for many in self.many)


class _Many(NamedTuple):
    """The same sums as `_DealSums` for many clusters, with the numbers of the clusters."""

    clusters: Counts
    games: Counts
    won: Floats
    hands: Counts
    points: Counts


class _PairSums(_Clusters):
    """The sums for two players against each other.

    Points are differences, and are also stored by the game's place in its round.
    """

    def __init__(self) -> None:
        super().__init__()
        self.by_place: Final[defaultdict[int, list[float]]] = defaultdict(list)

    def met(self, single: bool) -> Met:
        """Return the first player's wins in each cluster. With ``single``, each game counts individually."""
        found = self.columns(single)
        return Met(found.clusters, found.games.astype(np.float64), found.won)

    def gain(self) -> float | None:
        """Return how many independent hands are as informative as one duplicate hand, or None if this is unknown.

        The figure is the variance of single games divided by the variance of the averages of rounds. Single games are
        compared only with games at the same place in their rounds, so that the advantage of a seat doesn't count.
        """
        places = [values for values in self.by_place.values() if len(values) > 1]
        found = self.columns()
        some = found.hands > 0
        means = (found.points[some] / found.hands[some]).tolist()
        if not places or len(means) < 2:
            return None
        single = math.fsum(map(variance, places)) / len(places)
        shared = variance(means) * len(places)
        return single / shared if shared > 0 else None


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
        self.called: Final[dict[str, str]] = {}
        """Maps the name that was used to ask for a player to the name that the player gives itself."""
        self.moves: Final = [0] * count
        self.seconds: Final = [0.0] * count
        self.single: Final = [_Clusters() for _ in range(count)]
        self.paired: Final = {pair: _PairSums() for pair in itertools.combinations(range(count), 2)}

    def add(self, outcomes: Iterable[GameOutcome]) -> None:
        """Count the games of one whole round."""
        for outcome in outcomes:
            self._add(outcome)
        self.rounds += 1

    def add_columns(self, games: Columns) -> None:
        """Count the games of whole rounds, given in columns."""
        clusters = games.deal if self.plan.duplicate else games.deal * TURNS + games.turn
        self.rounds += len(np.unique(games.deal))
        self.games += len(games.deal)
        self.hands += int(games.hands.sum())
        shares = games.shares()
        sides: dict[int, tuple[Counts, Counts]] = {}  # for each player: its games, and its side in each game
        for who in np.unique(games.order).tolist():
            rows, side = np.nonzero(games.order == who)
            sides[who] = rows, side
            share = shares[rows, side]
            self.won[who] += int((share == 1).sum())
            self.drawn[who] += int(((share > 0) & (share < 1)).sum())
            moves = int(games.moves[rows, side].sum())
            self.moves[who] += moves
            self.seconds[who] += games.a_move * moves
            self.single[who].add_many(clusters[rows], share, games.hands[rows], games.totals[rows, side])
        for a, b in itertools.combinations(sorted(sides), 2):
            rows, at_a, at_b = np.intersect1d(sides[a][0], sides[b][0], assume_unique=True, return_indices=True)
            difference = games.totals[rows, sides[a][1][at_a]] - games.totals[rows, sides[b][1][at_b]]
            hands = games.hands[rows]
            self.paired[a, b].add_many(clusters[rows], np.sign(difference) / 2 + 0.5, hands, difference)
            each = (difference / hands).tolist()
            by_place = self.paired[a, b].by_place
            for turn, value in zip(games.turn[rows].tolist(), each, strict=True):
                by_place[turn].append(value)

    def _add(self, outcome: GameOutcome) -> None:
        cluster = outcome.deal if self.plan.duplicate else outcome.deal * TURNS + outcome.turn
        counted = outcome.hands if outcome.forfeit is None else 0
        self.games += 1
        self.hands += outcome.hands
        for side, who in enumerate(outcome.order):
            share = outcome.shares[side]
            self.won[who] += share == 1
            self.drawn[who] += 0 < share < 1
            self.moves[who] += outcome.moves[side]
            self.seconds[who] += outcome.seconds[side]
            points = outcome.totals[side] if counted else 0
            self.single[who].add(cluster, share, counted, points)
        if outcome.forfeit is not None:
            who = outcome.order[outcome.forfeit.side]
            self.forfeits[who] += 1
            self._add_forfeit(self.reasons[who], outcome.forfeit)
        for a, b in itertools.combinations(sorted(outcome.order), 2):
            one, other = outcome.order.index(a), outcome.order.index(b)
            difference = outcome.totals[one] - outcome.totals[other] if counted else 0
            self.paired[a, b].add(cluster, _ahead(outcome, one, other), counted, difference)
            if counted:
                self.paired[a, b].by_place[outcome.turn].append(difference / counted)

    def _add_forfeit(self, known: dict[tuple[str, str | None], ForfeitCount], lost: GameForfeit) -> None:
        first = known.setdefault(
            (lost.reason, lost.clause),
            ForfeitCount(reason=lost.reason, count=0, clause=lost.clause, legal=lost.legal, log=lost.log),
        )
        log = first.log or lost.log
        known[lost.reason, lost.clause] = dataclasses.replace(first, count=first.count + 1, log=log)

    def _reasons(self, who: int) -> dict[str, int]:
        found: dict[str, int] = {}
        for each in sorted(self.reasons[who].values(), key=lambda each: each.reason):
            found[each.reason] = found.get(each.reason, 0) + each.count
        return found

    def name_of(self, who: int) -> str | None:
        """Return the name that a player gives itself, or None if it gives none.

        The names of partners are joined by ``+``.
        """
        team = list(dict.fromkeys(self.plan.teams[who]))
        if not any(name in self.called for name in team):
            return None
        return "+".join(self.called.get(name, name) for name in team)

    def score_of_round(self, outcomes: Sequence[GameOutcome]) -> list[float]:
        """Return the first player's scores for `Sprt`.

        This is the average of a duplicate round, or the result of each independent game.
        """
        scores = [outcome.shares[outcome.order.index(0)] for outcome in outcomes]
        return [math.fsum(scores) / len(scores)] if self.plan.duplicate else scores

    def line(self) -> str:
        """Return a short summary of the current state, for a progress bar.

        The summary describes the first pair of players.
        """
        names = self.plan.names
        pair = self.paired[0, 1]
        if not len(pair):
            return f"{self.games:,} games" if self.games else ""
        share, score = pair.share(), pair.score()
        half = (share.high - share.low) / 2
        text = f"{_brief(names[0])} {share.value:.1%} ± {half:.1%} against {_brief(names[1])}"
        return text if math.isnan(score.value) else f"{text}, {score.value:+.1f} points a hand"

    def ratings(self, anchor: int = 0) -> list[Estimate]:
        """Return each player's Elo rating relative to the anchor, which has 0 (`millebornes.arena.ratings.ratings`)."""
        single = self.rounds == 1 and self.plan.duplicate
        met = {pair: found.met(single) for pair, found in self.paired.items() if len(found)}
        return ratings(len(self.plan.players), met, anchor)

    def to_dict(self, anchor: int = 0) -> dict[str, Any]:
        """Return the results as plain data. Unknown numbers are None, and ratings are relative to the anchor.

        ``ratings``, with the strongest player first, is included if there are at least three players.
        ``sees_everything`` is included if any player sees all cards.
        """
        names = self.plan.names
        results: list[dict[str, Any]] = []
        for who, name in enumerate(names):
            share, score = self.single[who].share(), self.single[who].score()
            results.append(
                {
                    "player": name,
                    "name": self.name_of(who),
                    "matches": self.games_of(who),
                    "matches_won": self.won[who],
                    "matches_drawn": self.drawn[who],
                    "match_share": _known(share.value, 6),
                    "match_share_ci95": _interval(share, 6),
                    "mean_score": _known(score.value, 3),
                    "mean_score_ci95": _interval(score, 3),
                    "forfeits": self.forfeits[who],
                    "forfeit_reasons": self._reasons(who),
                    "forfeit_list": [
                        each.to_dict() for each in sorted(self.reasons[who].values(), key=lambda each: -each.count)
                    ],
                    "ms_per_move": round(1000 * self.seconds[who] / self.moves[who], 6) if self.moves[who] else None,
                }
            )
        pairs: list[dict[str, Any]] = []
        for (a, b), pair in self.paired.items():
            score, share = pair.score(), pair.share()
            gain = pair.gain() if self.plan.duplicate else None
            pairs.append(
                {
                    "a": names[a],
                    "b": names[b],
                    "matches": pair.games(),
                    "mean_difference": _known(score.value, 3),
                    "ci95": _interval(score, 3),
                    "share": _known(share.value, 6),
                    "share_ci95": _interval(share, 6),
                    "elo": _known(elo_of_share(share.value), 2),
                    "elo_ci95": [_known(elo_of_share(share.low), 2), _known(elo_of_share(share.high), 2)],
                    "duplicate_gain": None if gain is None else round(gain, 3),
                }
            )
        rules = self.plan.rules
        rated: list[dict[str, Any]] = []
        if len(names) > 2:
            found = self.ratings(anchor)
            for who in sorted(range(len(names)), key=lambda who: (math.isnan(found[who].value), -found[who].value)):
                elo = found[who]
                sure = math.isfinite(elo.low) and math.isfinite(elo.high)
                rated.append(
                    {
                        "player": names[who],
                        "elo": _known(elo.value, 2) if sure else None,
                        "elo_ci95": _interval(elo, 2),
                        "matches": self.games_of(who),
                    }
                )
        return {
            "players": list(names),
            "edition": rules.edition_name,
            "seats": rules.seats,
            "sides": rules.sides,
            "match_target": self.plan.match_target,
            "duplicate": self.plan.duplicate,
            "ladder": self.plan.ladder,
            "matches": self.games,
            "hands": self.hands,
            "deals": self.rounds,
            "results": results,
            "pairs": pairs,
            **({"ratings": rated, "anchor": names[anchor]} if rated else {}),
            **({"sees_everything": list(self.plan.full_information)} if self.plan.full_information else {}),
        }

    def games_of(self, who: int) -> int:
        """Return the number of games that a player has played so far."""
        return self.single[who].games()


def _ahead(outcome: GameOutcome, one: int, other: int) -> float:
    """Return 1 if a side did better than another, 0 if it did worse, and 0.5 if they were equal.

    A forfeit is the worst result.
    """
    if outcome.forfeit is not None:
        lost = outcome.forfeit.side
        return 0.0 if one == lost else 1.0 if other == lost else 0.5
    a, b = outcome.totals[one], outcome.totals[other]
    return 1.0 if a > b else 0.0 if a < b else 0.5


def _known(value: float, digits: int) -> float | None:
    return round(value, digits) if math.isfinite(value) else None


def _interval(estimate: Estimate, digits: int) -> list[float | None]:
    return [_known(estimate.low, digits), _known(estimate.high, digits)]


def _brief(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:23]}…"
