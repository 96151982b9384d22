"""Why the system refuses to write or read a file, in a few words that tell people what to do about it."""

import errno
from pathlib import Path
from typing import Final

from millebornes.errors import SaveError
from millebornes.i18n import N_

__all__ = ["reason_of", "refusal"]

_FULL: Final = N_("the disk is full")
_FORBIDDEN: Final = N_("permission was denied")

_REASONS: Final = {
    "ENOSPC": _FULL,
    "EDQUOT": N_("your share of the disk is used up"),
    "EFBIG": N_("the file would be larger than this system allows"),
    "EROFS": N_("the disk is read-only"),
    "EACCES": _FORBIDDEN,
    "EPERM": _FORBIDDEN,
    "ENOENT": N_("the folder is not there"),
    "ENOTDIR": N_("the folder is not there"),
    "EISDIR": N_("there is a folder of that name"),
    "EIO": N_("the disk reports a fault"),
    "ENAMETOOLONG": N_("the name is too long"),
}
"""Reasons by the name of the error; not every system has all of them."""

_BY_NUMBER: Final = {number: reason for name, reason in _REASONS.items() if (number := getattr(errno, name, None))}

_WINDOWS: Final = {32: N_("another program has it open"), 33: N_("another program has it open"), 39: _FULL, 112: _FULL}
"""Those of Windows that errno tells less well."""


def reason_of(error: OSError) -> str:
    """Why: one of our own texts, to be translated, or the system's where we have none."""
    windows = _WINDOWS.get(getattr(error, "winerror", None) or 0)
    return windows or _BY_NUMBER.get(error.errno or 0) or error.strerror or str(error)


def refusal(path: Path, error: OSError, what: str = "cannot be written") -> SaveError:
    """The error for a file that the system refuses to write, or whatever ``what`` says."""
    reason = reason_of(error)
    return SaveError(f"{path}: {what} ({reason})", reason)
