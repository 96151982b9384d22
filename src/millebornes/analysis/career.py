"""Review a player's past matches, each only once, and save the results with the player's statistics."""

import functools
from collections.abc import Callable, Sequence

from millebornes.analysis.grades import thresholds
from millebornes.analysis.match_review import Review
from millebornes.analysis.reviews import QUICK, review_with
from millebornes.arena.executors import Workers
from millebornes.errors import MilleBornesError
from millebornes.notation import read_transcript
from millebornes.schema.exercises import Objective
from millebornes.storage import MatchResult, ReviewedSeat, ReviewedSide, ReviewResult, keep_review, past_match


def review_past(
    workers: Workers, matches: Sequence[MatchResult], progress: Callable[[int, int, int, int], None]
) -> tuple[str, ...]:
    """Review past matches, and save each result as soon as it is ready.

    Matches that can't be reviewed are skipped. Returns a list of the reasons for that, as messages. Raises `SaveError`
    if a result can't be saved. ``progress`` is called with the number of matches done, the number of all matches, and
    the same two numbers for the decisions in the current match.
    """
    faults = []
    for number, match in enumerate(matches):
        path = past_match(match.id)
        if path is None:
            continue
        tell = functools.partial(progress, number, len(matches))
        try:
            with path.open("rb") as stream:
                transcript = read_transcript(stream, str(path))
            reviewed = review_with(workers, transcript.match, match.names, effort=QUICK, progress=tell)
        except OSError as error:
            faults.append(f"{path}: cannot be read ({error.strerror or error})")
            continue
        except MilleBornesError as error:
            faults.append(str(error))
            continue
        keep_review(summary_of(reviewed, match.id))
    return tuple(faults)


def summary_of(review: Review, match_id: str) -> ReviewResult:
    """Return those parts of a review that are saved."""
    match = review.match
    is_match = review.objective is Objective.MATCH
    unit = thresholds(match.rules, review.objective, match.match_target if is_match else None).unit
    return ReviewResult(
        id=match_id,
        objective=review.objective.value,
        seats=tuple(
            ReviewedSeat(
                decisions=seat.decisions,
                loss=round(seat.loss_per_decision / unit, 4),
                loss_error=round(seat.loss_stderr / unit, 4),
                grades={grade.value: count for grade, count in seat.grades.items()},
                rating=None if seat.rating is None else round(seat.rating, 1),
                rating_ci95=seat.rating_ci95 and (round(seat.rating_ci95[0], 1), round(seat.rating_ci95[1], 1)),
            )
            for seat in review.seats
        ),
        sides=tuple(
            ReviewedSide(
                luck=round(side.luck, 6), luck_error=round(side.luck_stderr, 6), adjusted=round(side.adjusted, 6)
            )
            for side in review.sides
        ),
    )
