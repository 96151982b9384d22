"""The course of a match as series of figures: the chances to win it, and the luck so far."""

from collections.abc import Sequence
from typing import NamedTuple

from millebornes.analysis.records import Decision, TurningPoint
from millebornes.game import Match

__all__ = ["Curves", "curves_of"]


class Curves(NamedTuple):
    """Series of figures from a review. Each side has a list with one figure per decision and another for the end.

    ``chances`` contains the chances to win the match before each decision. If a chance is unknown, the previous figure
    is repeated. ``luck`` is the total luck since the start, in the unit of the objective. The last figure in each list
    is the figure after the last decision, which is the result if the match is over. If nothing is known, a series is
    empty. ``hands`` contains the index of each hand's first figure, and ``turns`` the indices of the turning points.
    """

    chances: list[list[float]]
    luck: list[list[float]]
    hands: list[int]
    turns: list[int]

    @property
    def main(self) -> list[list[float]]:
        """The series to show in a small plot: the chances or, if they are unknown, the luck."""
        return self.chances or self.luck

    @property
    def length(self) -> int:
        """The number of figures for each side."""
        return len(self.main[0]) if self.main else 0


def curves_of(match: Match, decisions: Sequence[Decision], turning_points: Sequence[TurningPoint]) -> Curves:
    """Return the chances and the luck in a reviewed match as series of figures."""
    sides = match.rules.sides
    found: list[list[float]] = [[] for _ in range(sides)]
    luck: list[list[float]] = [[] for _ in range(sides)]
    known = next((decision.win_match for decision in decisions if decision.win_match is not None), None)
    has_luck = any(decision.luck is not None for decision in decisions)
    hands, places, before = [], {}, 0
    for place, decision in enumerate(decisions):
        if decision.hand != before:
            hands.append(place)
            before = decision.hand
        places[decision.hand, decision.ply] = place
        known = decision.win_match or known
        for side in range(sides):
            if known is not None:
                found[side].append(float(known[side]))
            if has_luck:
                sum_ = luck[side][-1] if luck[side] else 0.0
                luck[side].append(sum_ + (float(decision.luck[side]) if decision.luck is not None else 0.0))
    if known is not None:
        for side, share in enumerate(_result(match) or known):
            found[side].append(share)
    for sums in luck:
        sums.extend(sums[-1:])
    turns = [places[point.hand, point.ply] for point in turning_points if (point.hand, point.ply) in places]
    return Curves(found if known is not None else [], luck if has_luck else [], hands, turns)


def _result(match: Match) -> tuple[float, ...] | None:
    """Return each side's result: 1 for the winner or equal shares for a draw. Return None if the match isn't over."""
    if not match.is_over:
        return None
    best = max(match.totals)
    return tuple(float(total == best) / match.totals.count(best) for total in match.totals)
