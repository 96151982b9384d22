"""A person's preferences: a small JSON file in the configuration folder."""

import dataclasses
import json
from pathlib import Path
from typing import Any

from millebornes.errors import SaveError
from millebornes.storage.atomic import write_atomically
from millebornes.storage.folders import config_folder

__all__ = ["Preferences", "load_preferences", "save_preferences"]

FILE = "preferences.json"
WINDOWS = ("commands", "scores")


@dataclasses.dataclass(frozen=True)
class Preferences:
    """How somebody likes to play.

    ``sort``: the hand is kept in order; ``manual_pick``: cards are drawn by the command P; ``window`` is what stands
    below the table: ``commands`` or ``scores``.
    """

    sort: bool = False
    manual_pick: bool = False
    window: str = "commands"

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Any, where: str) -> "Preferences":
        """Read `to_dict`'s result; unknown keys (of newer versions) are ignored. Raises `SaveError`."""
        if not isinstance(data, dict):
            raise SaveError(f"{where}: preferences are a JSON object")
        known = {field.name: data[field.name] for field in dataclasses.fields(cls) if field.name in data}
        for name, value in known.items():
            if name == "window" and value not in WINDOWS:
                raise SaveError(f"{where}: window must be one of {', '.join(WINDOWS)}")
            if name != "window" and type(value) is not bool:
                raise SaveError(f"{where}: {name} must be true or false")
        return cls(**known)


def _path() -> Path:
    return config_folder() / FILE


def load_preferences() -> Preferences:
    """The kept preferences, or the defaults where there are none. Raises `SaveError` for a file that makes no sense."""
    path = _path()
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Preferences()
    except OSError as error:
        raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (ValueError, RecursionError):
        raise SaveError(
            f"{path}: the preferences are damaged; the file is left as it is, delete it to start afresh"
        ) from None
    return Preferences.from_dict(data, str(path))


def save_preferences(preferences: Preferences) -> None:
    """Keep preferences; keys of newer versions stay. Raises `SaveError`; a damaged file is not written over."""
    path = _path()
    load_preferences()
    kept: dict[str, Any] = {}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            kept = json.loads(path.read_bytes())
    except OSError as error:
        raise SaveError(f"{path}: cannot be written ({error.strerror or error})") from None
    write_atomically(path, json.dumps({**kept, **preferences.to_dict()}, indent=2).encode() + b"\n")
