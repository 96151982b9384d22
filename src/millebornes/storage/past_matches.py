"""Store finished matches and their reviews.

Each match is a transcript in a subfolder of the data folder. If the transcripts take up more than `MAX_FOLDER`, the
oldest are deleted. A review reveals cards that no one saw during the hand, so unfinished matches are never stored here.

Each review is a line in a file beside the statistics. Existing lines in this file are never changed. If a match has
been reviewed several times, the latest review counts.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from millebornes.schema.reading import read
from millebornes.schema.statistics import ReviewResult
from millebornes.storage.files import data_folder, make_room, refusal, write_atomically
from millebornes.storage.statistics import append_record, read_records

MAX_FOLDER: Final = 64 << 20
"""The maximum size of all transcripts together in bytes. This is enough for a few thousand matches."""
SUFFIX: Final = ".jsonl"
REVIEWS_FORMAT: Final = "millebornes-reviews/1"
_ID: Final = re.compile(r"[0-9a-f]{32}")


def matches_folder() -> Path:
    """Return the folder for finished matches. The folder may not exist yet."""
    return data_folder() / "matches"


def keep_match(match_id: str, lines: Iterable[str], room: int = MAX_FOLDER) -> None:
    """Store the transcript of a match under the ``id`` of its `MatchResult`. Raises `SaveError`."""
    folder = matches_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(folder, error) from None
    write_atomically(folder / f"{match_id}{SUFFIX}", "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    make_room(folder, room, f"*{SUFFIX}")


def past_match(match_id: str) -> Path | None:
    """Return the path of the transcript of a match, or None if it isn't or is no longer stored."""
    if _ID.fullmatch(match_id) is None:  # the id may come from a file that other programs can write to
        return None
    path = matches_folder() / f"{match_id}{SUFFIX}"
    return path if os.path.isfile(path) else None  # noqa: PTH113 # raises nothing


def reviews_file() -> Path:
    """Return the path of the file that contains the reviews. The file may not exist yet."""
    return data_folder() / "reviews.jsonl"


def keep_review(result: ReviewResult) -> None:
    """Add a review to the file of reviews. If this fails, older reviews are kept and `SaveError` is raised."""
    append_record(reviews_file(), REVIEWS_FORMAT, result)


def load_reviews() -> dict[str, ReviewResult]:
    """Return all readable reviews by the id of their match. Raises `SaveError` if the file can't be read."""
    reviews, _dropped = read_records(reviews_file(), "the reviews", _read_review)
    return {review.id: review for review in reviews}


def _read_review(data: Any) -> ReviewResult:
    if data["format"] != REVIEWS_FORMAT:
        raise ValueError
    return read(ReviewResult, data, fault=ValueError)
