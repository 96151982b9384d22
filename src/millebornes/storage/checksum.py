"""The checksum of a saved game, which is stored in the first line of its transcript, under ``save``.

This module knows nothing about cards, so a screen can inspect a save before the rules are loaded.
"""

import codecs
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from millebornes.errors import SaveError
from millebornes.schema import FORMAT

SAVE_VERSION: Final = 1
"""The version of the layout of ``save``. Saves with a higher version were written by a newer version of the program."""

BLANK: Final = "0" * 64
_CHECKSUM: Final = re.compile(rb'"checksum":"([0-9a-f]{64})"')


class VerifiedSave(NamedTuple):
    """A save with a valid checksum: all its bytes, the header, and the ``save`` object in the header."""

    data: bytes
    header: Mapping[str, Any]
    save: Mapping[str, Any]


def add_checksum(lines: Iterable[str]) -> bytes:
    """Return the bytes of a save, with the checksum in place of `BLANK`, which is in the first line once."""
    data = "".join(f"{line}\n" for line in lines).encode()
    blank = f'"checksum":"{BLANK}"'.encode()
    digest = hashlib.sha256(data).hexdigest()
    return data.replace(blank, f'"checksum":"{digest}"'.encode(), 1)


def _is_foreign(data: bytes) -> bool:
    """Return whether a file isn't a transcript of this game in any version."""
    try:
        header = json.loads(data.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return b'"format":"millebornes/' not in data[:4096]
    return not (isinstance(header, dict) and str(header.get("format", "")).startswith("millebornes/"))


def _as_written(data: bytes) -> bytes:
    """Return the bytes of a save without a byte-order mark or CR line endings, which other programs may have added."""
    data = data.removeprefix(codecs.BOM_UTF8)
    return data.replace(b"\r\n", b"\n") if data.partition(b"\n")[0].endswith(b"\r") else data


def verify_save(data: bytes, where: str) -> VerifiedSave:
    """Return a save after checking its checksum and version. Raises a `SaveError` with the fault of ``where``."""
    data = _as_written(data)
    if not data:
        raise SaveError(f"{where}: the file is empty; it isn't a saved game")
    if _is_foreign(data):
        raise SaveError(f"{where}: this isn't a saved game of Mille Bornes; it has been left unchanged")
    line = data.partition(b"\n")[0]
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        raise SaveError(f"{where}: the saved game is damaged; its first line cannot be read") from None
    if header["format"] != FORMAT:
        raise SaveError(
            f"{where}: was saved by a newer version of the program (format {header['format'][:40]!r}; "
            f"this one reads {FORMAT!r})",
            is_newer=True,
        )
    save = header.get("save")
    if save is None:
        raise SaveError(
            f"{where}: a transcript, not a saved game: it does not say who plays ('millebornes replay' shows it)"
        )
    version = save.get("version") if isinstance(save, dict) else None
    if type(version) is int and version > SAVE_VERSION:
        raise SaveError(
            f"{where}: was saved by a newer version of the program "
            f"(save version {version if version < 10**9 else 'unknown'}; this one reads {SAVE_VERSION})",
            is_newer=True,
        )
    matches = list(_CHECKSUM.finditer(line))
    if version != SAVE_VERSION or len(matches) != 1 or save.get("checksum") != matches[0][1].decode():
        raise SaveError(f"{where}: the saved game is damaged; its first line has no valid checksum")
    start, end = matches[0].span(1)
    digest = hashlib.sha256(data[:start] + BLANK.encode() + data[end:]).hexdigest()
    if digest != matches[0][1].decode():
        what = "cut off" if not data.endswith(b"\n") else "changed"
        raise SaveError(f"{where}: the saved game is damaged; it was {what} after it was written (wrong checksum)")
    return VerifiedSave(data, header, save)
