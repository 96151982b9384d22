"""Hints as the screen gets them, with figures that are given."""

from collections.abc import Generator, Iterable

from millebornes.analysis.records import Analysis, MoveDifference, MoveEstimate
from millebornes.game import Move, View
from millebornes.schema.exercises import Objective
from millebornes.score_lines import Topic


def analysis_of(
    view: View, *, moves: Iterable[Move] | None = None, in_match: bool = True, worlds: int = 1024
) -> Analysis:
    """A hint for a view: each move in order loses a little more than the one before."""
    unit = 0.004 if in_match else 18.0
    known = tuple(
        MoveEstimate(
            move=move,
            value=120.0 - 18 * n,
            stderr=9.0,
            win_hand=0.55 - 0.01 * n,
            win_match=0.52 - 0.004 * n if in_match else None,
            loss=unit * n,
            loss_stderr=0.0 if n == 0 else unit * 0.4,
            worlds=worlds,
        )
        for n, move in enumerate(view.legal_moves if moves is None else moves)
    )
    why = (
        MoveDifference(Topic.TRIP_COMPLETED, True, 64.2, 5.0, 0.412, 0.331),
        MoveDifference(Topic.COUPS_FOURRES, True, -42.0, 4.0, 0.2, 0.34),
    )
    return Analysis(
        state=None,
        objective=Objective.MATCH if in_match else Objective.POINTS,
        moves=known,
        why=why,
        maxim="small_distance_first",
        against=known[1].move if len(known) > 1 else None,
        rollouts=worlds * len(known),
        seconds=0.5,
    )


def thought(*found: Analysis | None) -> Generator[Analysis | None, None, None]:
    """These, and nothing after them."""
    yield from found
