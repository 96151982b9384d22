"""The combined results of many reviews, player by player."""

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import Any

from millebornes.analysis.exercises.exercise import kind_of
from millebornes.analysis.grades import thresholds
from millebornes.analysis.match_review import Review
from millebornes.analysis.rating import ReviewRating, rating
from millebornes.analysis.records import Decision
from millebornes.schema.exercises import Objective


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayerTally:
    """A player's results in ``matches`` matches.

    ``loss_per_decision`` and ``luck`` (the average per match) are in the unit of the ``objective``. If the reviews have
    different objectives, losses are in points and ``luck`` is None. ``by_kind`` contains the average loss for each kind
    of decision (`millebornes.analysis.exercises.exercise.ExerciseKind`).
    """

    name: str
    """The player's name."""
    objective: Objective
    """The unit of losses and luck."""
    matches: int
    decisions: int
    """The number of decisions that weren't forced."""
    loss_per_decision: float
    luck: float | None
    rating: ReviewRating | None
    """The player's rating, or None after too few decisions."""
    by_kind: dict[str, float]


def tally_of(reviews: Sequence[Review]) -> tuple[PlayerTally, ...]:
    """Return the combined results of reviews for each player name, in the order in which the names first appear."""
    objectives = {review.objective for review in reviews}
    objective = objectives.pop() if len(objectives) == 1 else Objective.POINTS
    names = dict.fromkeys(name for review in reviews for name in review.players)
    return tuple(_tally(name, reviews, objective) for name in names)


def _tally(name: str, reviews: Sequence[Review], objective: Objective) -> PlayerTally:
    losses: list[float] = []
    by_kind: dict[str, list[float]] = {}
    hands, lucks = [], []
    matches = 0
    for review in reviews:
        seats = [seat for seat, who in enumerate(review.players) if who == name]
        matches += bool(seats)
        unit = thresholds(review.match.rules, review.objective, review.match.match_target).unit
        shown = 1.0 if review.objective is objective else unit
        for seat in seats:
            own = [one for one in review.decisions if one.seat == seat and not one.forced]
            for _number, hand in itertools.groupby(own, lambda one: one.hand):
                hands.append([one.loss / unit for one in hand])
            losses += [one.loss / shown for one in own]
            for one in own:
                by_kind.setdefault(_kind(review, one), []).append(one.loss / shown)
            if review.objective is objective:
                lucks.append(review.sides[review.match.rules.side_of(seat)].luck)
    return PlayerTally(
        name=name,
        objective=objective,
        matches=matches,
        decisions=len(losses),
        loss_per_decision=_mean(losses),
        luck=_mean(lucks) if len({review.objective for review in reviews}) == 1 else None,
        rating=rating(hands),
        by_kind={kind: _mean(found) for kind, found in sorted(by_kind.items())},
    )


def _kind(review: Review, decision: Decision) -> str:
    view = review.match.at(decision.hand, decision.ply).view(decision.seat)
    return kind_of(view, decision.best, decision.move).value


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def tally_json(players: Sequence[PlayerTally], matches: int) -> dict[str, Any]:
    """Return the data that ``millebornes review FOLDER --json`` prints."""
    return {
        "matches": matches,
        "objective": players[0].objective.value if players else Objective.POINTS.value,
        "players": [
            {
                "name": player.name,
                "matches": player.matches,
                "decisions": player.decisions,
                "loss_per_decision": round(player.loss_per_decision, 6),
                "luck": None if player.luck is None else round(player.luck, 6),
                "rating": None if player.rating is None else round(player.rating.value, 1),
                "rating_ci95": None if player.rating is None else [round(end, 1) for end in player.rating.ci95],
                "by_kind": {kind: round(loss, 6) for kind, loss in player.by_kind.items()},
            }
            for player in players
        ],
    }
