"""A player's results over time: the losses, luck and rating in each match, taken from saved reviews."""

import datetime
import math
from collections.abc import Mapping
from typing import NamedTuple

from millebornes.schema.statistics import ReviewResult
from millebornes.storage.statistics import Results
from millebornes.storage.summary import Z_95, games_of

SCALE_ERROR = 20.0
"""The uncertainty of the rating scale itself, in rating points. No rating is more certain than this."""


class CareerMatch(NamedTuple):
    """A reviewed match of one person.

    ``loss`` is the average loss over the person's ``decisions``, in points of lead. ``grades`` contains the number of
    decisions with each grade. ``luck`` and ``adjusted`` are measured in chances to win the match, or are None if the
    review used points. ``rating`` and the ends of its 95% interval are None if there were too few decisions.
    """

    date: datetime.datetime
    decisions: int
    loss: float
    loss_error: float
    grades: Mapping[str, int]
    luck: float | None
    adjusted: float | None
    rating: tuple[float, float, float] | None


class Weighed(NamedTuple):
    """A weighted mean over several matches, with its standard error."""

    mean: float
    error: float


def career_of(
    results: Results, reviews: Mapping[str, ReviewResult], name: str | None = None
) -> tuple[CareerMatch, ...]:
    """Return the reviewed matches of a person (see `games_of`), starting with the oldest."""
    matches = []
    for match, seat in games_of(results.matches, name):
        review = reviews.get(match.id)
        if review is None or len(review.seats) != match.seats or len(review.sides) != match.sides:
            continue
        own, side, is_match = review.seats[seat], review.sides[match.side_of(seat)], review.objective == "match"
        matches.append(
            CareerMatch(
                date=match.date,
                decisions=own.decisions,
                loss=own.loss,
                loss_error=own.loss_error,
                grades=own.grades,
                luck=side.luck if is_match else None,
                adjusted=side.adjusted if is_match else None,
                rating=None if own.rating is None or own.rating_ci95 is None else (own.rating, *own.rating_ci95),
            )
        )
    return tuple(matches)


def mean_loss(matches: tuple[CareerMatch, ...]) -> Weighed | None:
    """Return the average loss over all decisions, or None if there are no decisions."""
    decisions = sum(match.decisions for match in matches)
    if not decisions:
        return None
    mean = math.fsum(match.loss * match.decisions for match in matches) / decisions
    square = math.fsum((match.loss_error * match.decisions) ** 2 for match in matches)
    return Weighed(mean, math.sqrt(square) / decisions)


def mean_rating(matches: tuple[CareerMatch, ...]) -> tuple[float, float, float] | None:
    """Return the average rating and the ends of its 95% interval, weighted by decisions, or None if it is unknown.

    The two halves of an interval can differ, so each end is combined separately.
    """
    rated = [(match.decisions, *match.rating) for match in matches if match.rating is not None]
    whole = sum(decisions for decisions, *_ in rated)
    if not whole:
        return None
    mean = math.fsum(decisions * value for decisions, value, _, _ in rated) / whole
    below = math.sqrt(math.fsum((decisions * (value - low)) ** 2 for decisions, value, low, _ in rated)) / whole
    above = math.sqrt(math.fsum((decisions * (high - value)) ** 2 for decisions, value, _, high in rated)) / whole
    if len(rated) > 1:  # the interval of a single match already contains it
        below, above = max(Z_95 * SCALE_ERROR, below), max(Z_95 * SCALE_ERROR, above)
    return mean, mean - below, mean + above
