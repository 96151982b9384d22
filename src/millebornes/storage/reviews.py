"""What reviews said of one's past matches: a line each in a file of the data folder, beside the statistics.

The file only grows, as that of `millebornes.storage.statistics` does; of several reviews of a match the latest counts.
"""

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from millebornes.errors import MALFORMED, SaveError
from millebornes.schema.reading import read
from millebornes.schema.statistics import ReviewedSeat, ReviewedSide, ReviewResult
from millebornes.storage.folders import data_folder
from millebornes.storage.statistics import LARGEST, append_line

__all__ = ["ReviewResult", "ReviewedSeat", "ReviewedSide", "keep_review", "load_reviews", "reviews_file"]

FORMAT: Final = "millebornes-reviews/1"


def reviews_file() -> Path:
    """Where reviews are kept; it may not exist yet."""
    return data_folder() / "reviews.jsonl"


def keep_review(result: ReviewResult) -> None:
    """Add a review to the file. Raises `SaveError`; nothing older is lost."""
    data = {"format": FORMAT, **msgspec.to_builtins(result)}
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
    if data["format"] != FORMAT:
        raise ValueError
    return read(ReviewResult, data, fault=ValueError)
