"""What reviews said of one's past matches: a line each in a file of the data folder, beside the statistics.

The file only grows, as that of `millebornes.storage.statistics` does; of several reviews of a match the latest counts.
"""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any, Final

from millebornes.errors import MALFORMED, SaveError
from millebornes.storage.folders import data_folder
from millebornes.storage.statistics import LARGEST, LARGEST_NUMBER, append_line

__all__ = ["ReviewResult", "ReviewedSeat", "ReviewedSide", "keep_review", "load_reviews", "reviews_file"]

FORMAT: Final = "millebornes-reviews/1"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReviewedSeat:
    """How a seat played: its ``decisions`` that were not forced, and what each lost in the mean, in points of lead.

    In matches a chance to win counts as many points as it is worth at the start of the match. ``grades`` counts them
    by name. ``rating`` is on the scale of the ladder, ``rating_ci95`` its interval; None where too few were judged.
    """

    decisions: int
    loss: float
    loss_error: float
    grades: dict[str, int]
    rating: float | None
    rating_ci95: tuple[float, float] | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReviewedSide:
    """What luck brought a side, and what is left of the result without it, in the unit of the objective."""

    luck: float
    luck_error: float
    adjusted: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReviewResult:
    """What a review said of the match with this ``id`` (`millebornes.storage.MatchResult`).

    ``objective`` is ``points`` or ``match``; seats and sides are in their order.
    """

    id: str
    objective: str
    seats: tuple[ReviewedSeat, ...]
    sides: tuple[ReviewedSide, ...]


def reviews_file() -> Path:
    """Where reviews are kept; it may not exist yet."""
    return data_folder() / "reviews.jsonl"


def keep_review(result: ReviewResult) -> None:
    """Add a review to the file. Raises `SaveError`; nothing older is lost."""
    data = {"format": FORMAT, **dataclasses.asdict(result)}
    append_line(reviews_file(), json.dumps(data, allow_nan=False, separators=(",", ":")).encode())


def load_reviews() -> dict[str, ReviewResult]:
    """All kept reviews by the id of the match; lines that make no sense are passed over.

    Raises `SaveError` where the file cannot be read at all.
    """
    path = reviews_file()
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SaveError(f"{path}: the reviews cannot be read ({error.strerror or error})") from None
    found: dict[str, ReviewResult] = {}
    for line in filter(None, map(bytes.strip, data.split(b"\n"))):
        try:
            result = _read(json.loads(line))
        except MALFORMED:
            continue
        found[result.id] = result
    return found


def _read(data: Any) -> ReviewResult:
    """Raises whatever comes for what makes no sense."""
    if data["format"] != FORMAT or data["objective"] not in {"points", "match"} or not isinstance(data["id"], str):
        raise ValueError
    return ReviewResult(
        id=data["id"],
        objective=data["objective"],
        seats=tuple(_seat(row) for row in data["seats"]),
        sides=tuple(
            ReviewedSide(
                luck=_number(row["luck"]), luck_error=_number(row["luck_error"]), adjusted=_number(row["adjusted"])
            )
            for row in data["sides"]
        ),
    )


def _seat(row: Any) -> ReviewedSeat:
    interval = row["rating_ci95"]
    return ReviewedSeat(
        decisions=_count(row["decisions"]),
        loss=_number(row["loss"]),
        loss_error=_number(row["loss_error"]),
        grades={str(name): _count(count) for name, count in row["grades"].items()},
        rating=None if row["rating"] is None else _number(row["rating"]),
        rating_ci95=None if interval is None else (_number(interval[0]), _number(interval[1])),
    )


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < LARGEST_NUMBER:
        raise ValueError
    return value


def _number(value: Any) -> float:
    if type(value) not in {int, float} or not math.isfinite(value) or abs(value) >= LARGEST_NUMBER:
        raise ValueError
    return float(value)
