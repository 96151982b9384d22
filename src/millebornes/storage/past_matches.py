"""Finished matches, and what reviews said of them.

Matches are transcripts in a folder of the data folder, which is bounded: where they come to more than `MAX_FOLDER`, the
oldest go. A review shows what lay in hands that nobody saw, so unfinished matches are never here.

Reviews are lines of a file beside the statistics, which only grows; of several of a match the latest counts.
"""

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from millebornes.errors import MALFORMED, SaveError
from millebornes.schema.reading import read
from millebornes.schema.statistics import ReviewedSeat, ReviewedSide, ReviewResult
from millebornes.storage.files import data_folder, make_room, refusal, write_atomically
from millebornes.storage.statistics import MAX_FILE, append_line

__all__ = [
    "MAX_FOLDER",
    "ReviewResult",
    "ReviewedSeat",
    "ReviewedSide",
    "keep_match",
    "keep_review",
    "load_reviews",
    "matches_folder",
    "past_match",
    "reviews_file",
]

MAX_FOLDER: Final = 64 << 20
"""Bytes that the transcripts may take: some thousands of matches."""
SUFFIX: Final = ".jsonl"
REVIEWS_FORMAT: Final = "millebornes-reviews/1"
_ID: Final = re.compile(r"[0-9a-f]{32}")


def matches_folder() -> Path:
    """The folder of the finished matches; it may not exist yet."""
    return data_folder() / "matches"


def keep_match(match_id: str, lines: Iterable[str], room: int = MAX_FOLDER) -> None:
    """Keep the lines of a match's transcript under the ``id`` of its `millebornes.storage.MatchResult`.

    Raises `SaveError`; what was kept before is then untouched.
    """
    folder = matches_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(folder, error) from None
    write_atomically(folder / f"{match_id}{SUFFIX}", "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    make_room(folder, room, f"*{SUFFIX}")


def past_match(match_id: str) -> Path | None:
    """Where the transcript of a match lies; None where it is not kept (any more)."""
    if _ID.fullmatch(match_id) is None:  # from a file that anybody may have written to
        return None
    path = matches_folder() / f"{match_id}{SUFFIX}"
    return path if os.path.isfile(path) else None  # noqa: PTH113 # raises nothing


def reviews_file() -> Path:
    """Where reviews are kept; it may not exist yet."""
    return data_folder() / "reviews.jsonl"


def keep_review(result: ReviewResult) -> None:
    """Add a review to the file. Raises `SaveError`; nothing older is lost."""
    data = {"format": REVIEWS_FORMAT, **msgspec.to_builtins(result)}
    append_line(reviews_file(), json.dumps(data, allow_nan=False, separators=(",", ":")).encode())


def load_reviews() -> dict[str, ReviewResult]:
    """All kept reviews by the id of the match; lines that make no sense are passed over.

    Raises `SaveError` where the file cannot be read at all.
    """
    path = reviews_file()
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_FILE)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SaveError(f"{path}: the reviews cannot be read ({error.strerror or error})") from None
    found: dict[str, ReviewResult] = {}
    for line in filter(None, map(bytes.strip, data.split(b"\n"))):
        try:
            result = _read_review(json.loads(line))
        except MALFORMED:
            continue
        found[result.id] = result
    return found


def _read_review(data: Any) -> ReviewResult:
    """Raises whatever comes for what makes no sense."""
    if data["format"] != REVIEWS_FORMAT:
        raise ValueError
    return read(ReviewResult, data, fault=ValueError)
