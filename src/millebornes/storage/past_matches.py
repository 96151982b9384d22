"""Finished matches themselves, so that they can be reviewed: a transcript each, in a folder of the data folder.

The folder is bounded: where the transcripts come to more than `ROOM`, the oldest go. A review tells what lay in hands
that nobody saw, so unfinished matches are never kept here.
"""

import contextlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from millebornes.storage.atomic import write_atomically
from millebornes.storage.folders import data_folder
from millebornes.storage.refusals import refusal

__all__ = ["ROOM", "keep_match", "kept_match", "matches_folder"]

ROOM: Final = 64 << 20
"""Bytes that the transcripts may take: some thousands of matches."""
SUFFIX: Final = ".jsonl"
_ID: Final = re.compile(r"[0-9a-f]{32}")


def matches_folder() -> Path:
    """The folder of the finished matches; it may not exist yet."""
    return data_folder() / "matches"


def keep_match(match_id: str, lines: Iterable[str], room: int = ROOM) -> None:
    """Keep the lines of a match's transcript under the ``id`` of its `millebornes.storage.MatchResult`.

    Raises `SaveError`; what was kept before is then untouched.
    """
    folder = matches_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(folder, error) from None
    write_atomically(folder / f"{match_id}{SUFFIX}", "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    _make_room(folder, room)


def kept_match(match_id: str) -> Path | None:
    """Where the transcript of a match lies; None where it is not kept (any more)."""
    if _ID.fullmatch(match_id) is None:  # from a file that anybody may have written to
        return None
    path = matches_folder() / f"{match_id}{SUFFIX}"
    return path if os.path.isfile(path) else None  # noqa: PTH113 # raises nothing


def _make_room(folder: Path, room: int) -> None:
    files = []
    for path in folder.glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError):
            found = path.stat()
            files.append((found.st_mtime_ns, found.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files)[:-1]:  # the latest stays, however large
        if total <= room:
            return
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size
