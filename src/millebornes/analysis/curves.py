"""The course of a match as series of figures: the chances to win it, and the luck so far."""

import itertools
from typing import NamedTuple

from millebornes.analysis.match_review import Review
from millebornes.game import Match


class Curves(NamedTuple):
    """Series of figures from a review. Each side has a list with one figure per decision and another for the end.

    ``chances`` contains the chances to win the match before each decision, or nothing if the review has none. ``luck``
    is the total luck since the start, in the unit of the objective. The last figure in each list is the figure after
    the last decision, which is the result if the match is over. ``hands`` contains the index of each hand's first
    figure, and ``turns`` the indices of the turning points.
    """

    chances: list[list[float]]
    luck: list[list[float]]
    hands: list[int]
    turns: list[int]

    @property
    def main(self) -> list[list[float]]:
        """The series to show in a small plot: the chances or, if they are unknown, the luck."""
        return self.chances or self.luck


def curves_of(review: Review) -> Curves:
    """Return the chances and the luck in a review as series of figures."""
    decisions = review.decisions
    chances = [decision.win_match for decision in decisions if decision.win_match is not None]
    if chances:
        chances.append(_result(review.match) or chances[-1])
    luck = zip(*(decision.luck for decision in decisions), strict=True)
    sums = [list(itertools.accumulate(gains)) for gains in luck]
    places = {(decision.hand, decision.ply): place for place, decision in enumerate(decisions)}
    return Curves(
        [list(series) for series in zip(*chances, strict=True)],
        [[*series, series[-1]] for series in sums],
        [place for place, decision in enumerate(decisions) if not place or decision.hand != decisions[place - 1].hand],
        [places[point.hand, point.ply] for point in review.turning_points],
    )


def _result(match: Match) -> tuple[float, ...] | None:
    """Return each side's result: 1 for the winner or equal shares for a draw. Return None if the match isn't over."""
    if not match.is_over:
        return None
    best = max(match.totals)
    return tuple(float(total == best) / match.totals.count(best) for total in match.totals)
