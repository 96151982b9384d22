"""A person's preferences: a small JSON file in the configuration folder."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from millebornes.errors import SaveError
from millebornes.i18n import LANGUAGES
from millebornes.storage.atomic import write_atomically
from millebornes.storage.folders import config_folder
from millebornes.storage.refusals import refusal
from millebornes.themes import THEMES

__all__ = [
    "COLOURS",
    "LINES",
    "SCREEN",
    "SLOWEST",
    "SYMBOLS",
    "WINDOWS",
    "Preferences",
    "load_preferences",
    "save_preferences",
]

FILE: Final = "preferences.json"

WINDOWS: Final = ("commands", "scores")
"""What may stand below the table."""

COLOURS: Final = ("auto", "dark", "light", "none")
"""The sets of colours; ``auto`` leaves the choice to the screen."""

SYMBOLS: Final = ("auto", "yes", "no")
"""Whether symbols and frames are drawn; ``auto`` goes by what the terminal can show."""

SLOWEST: Final = 10.0
"""The longest pause for another seat's move, in seconds."""

SCREEN: Final = "screen"
LINES: Final = "lines"
"""The two ways to play: on the whole screen, and line by line."""

APART: Final = ("manual_pick", "window", "one_key", "brief")
"""What each way to play keeps for itself: it means something else there, or is done with other keys."""

IN_SAVES: Final = ("sort", "manual_pick", "window", "medium")
"""What a saved game keeps: how its own table stood. Everything else is the person's, whatever game it is."""


@dataclasses.dataclass(frozen=True)
class Preferences:
    """How somebody likes to play.

    ``sort``: the hand is kept in order; ``manual_pick``: cards are drawn by the command P; ``window`` is what stands
    below the table, one of `WINDOWS`; ``one_key``: the number of a card plays it at once; ``brief``: line by line, only
    what has changed is told; ``pace``: seconds for which another seat's move stays in sight, 0 to `SLOWEST`;
    ``colours``: one of `COLOURS`; ``symbols``: one of `SYMBOLS`; ``bell``: errors ring; ``keep_matches``: finished
    matches are kept, so that they can be reviewed; ``language`` and ``theme`` are
    those asked for, None to go by the system; ``last_game`` is how the last new game was begun: ``edition``, ``seats``,
    ``sides``, ``set`` (settings by name), ``players``, ``names``, ``match_target`` (None: single hands) and
    ``practice``, or None before the first. ``medium`` is the way to play that they hold for, `SCREEN` or `LINES`: those
    in `APART` are kept for each of the two.
    """

    sort: bool = False
    manual_pick: bool = False
    window: str = "commands"
    one_key: bool = False
    brief: bool = False
    pace: float = 1.0
    colours: str = "auto"
    symbols: str = "auto"
    bell: bool = True
    keep_matches: bool = True
    language: str | None = None
    theme: str | None = None
    last_game: Mapping[str, Any] | None = None
    medium: str = SCREEN

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return dataclasses.asdict(self)

    def for_save(self) -> dict[str, Any]:
        """As plain data, what a saved game keeps (`IN_SAVES`)."""
        return {name: getattr(self, name) for name in IN_SAVES}

    def at_table(self, saved: "Preferences") -> "Preferences":
        """One's own preferences at the table of a saved game: what saves keep is as it was there.

        What was set for the other way to play stays out of this one.
        """
        kept = saved.for_save()
        if saved.medium != self.medium:
            kept = {name: value for name, value in kept.items() if name not in {*APART, "medium"}}
        return dataclasses.replace(self, **kept)

    @classmethod
    def from_dict(cls, data: Any, where: str) -> "Preferences":
        """Read `to_dict`'s result; unknown keys (of newer versions) are ignored. Raises `SaveError`."""
        if not isinstance(data, dict):
            raise SaveError(f"{where}: preferences are a JSON object")
        known = {field.name: data[field.name] for field in dataclasses.fields(cls) if field.name in data}
        for name, value in known.items():
            is_good, wanted = _CHECKS[name]
            if not is_good(value):
                raise SaveError(f"{where}: {name} must be {wanted}")
        if known.get("last_game") is not None:
            _check_last_game(known["last_game"], where)
        if "pace" in known:
            known["pace"] = float(known["pace"])
        return cls(**known)


def _one_of(*values: str | None) -> tuple[Callable[[Any], bool], str]:
    wanted = ", ".join("null" if value is None else value for value in values)
    return lambda value: (value is None or isinstance(value, str)) and value in values, f"one of {wanted}"


def _is_pace(value: Any) -> bool:
    return type(value) in {int, float} and 0 <= value <= SLOWEST


def _is_flag(value: Any) -> bool:
    return type(value) is bool


_FLAG: Final = (_is_flag, "true or false")

_CHECKS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "sort": _FLAG,
    "manual_pick": _FLAG,
    "window": _one_of(*WINDOWS),
    "one_key": _FLAG,
    "brief": _FLAG,
    "pace": (_is_pace, f"a number of seconds from 0 to {SLOWEST:g}"),
    "colours": _one_of(*COLOURS),
    "symbols": _one_of(*SYMBOLS),
    "bell": _FLAG,
    "keep_matches": _FLAG,
    "language": _one_of(None, *LANGUAGES),
    "theme": _one_of(None, *THEMES),
    "last_game": (lambda value: value is None or isinstance(value, dict), "an object or null"),
    "medium": _one_of(SCREEN, LINES),
}


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


_LAST_GAME: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "edition": (lambda value: value is None or isinstance(value, str), "a text or null"),
    "seats": (lambda value: value is None or _is_count(value), "a whole number or null"),
    "sides": (lambda value: value is None or _is_count(value), "a whole number or null"),
    "set": (lambda value: isinstance(value, dict), "an object of settings"),
    "players": (_are_texts, "a list of texts"),
    "names": (_are_texts, "a list of texts"),
    "match_target": (lambda value: value is None or _is_count(value), "a whole number or null"),
    "practice": _FLAG,
}


def _check_last_game(data: Mapping[str, Any], where: str) -> None:
    """The kinds of values only: whether such a game can be played is found out when it is begun."""
    for name, (is_good, wanted) in _LAST_GAME.items():
        if name in data and not is_good(data[name]):
            raise SaveError(f"{where}: last_game.{name} must be {wanted}")


def _path() -> Path:
    return config_folder() / FILE


def load_preferences(medium: str = SCREEN) -> Preferences:
    """The preferences kept for a way to play, or the defaults where there are none.

    Raises `SaveError` for a file that makes no sense.
    """
    path = _path()
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Preferences(medium=medium)
    except OSError as error:
        raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (ValueError, RecursionError):
        raise SaveError(
            f"{path}: the preferences are damaged; the file is left as it is, delete it to start afresh"
        ) from None
    return Preferences.from_dict(_of_medium(data, medium, str(path)), str(path))


def _of_medium(data: Any, medium: str, where: str) -> Any:
    """What the file says for a way to play: what is kept apart for the line game stands there under ``lines``."""
    if not isinstance(data, dict):
        return data
    own = data
    if medium == LINES:
        own = data.get(LINES, {})
        if not isinstance(own, dict):
            raise SaveError(f"{where}: {LINES} must be an object")
    shared = {name: value for name, value in data.items() if name not in APART}
    return {**shared, **{name: own[name] for name in APART if name in own}, "medium": medium}


def save_preferences(preferences: Preferences) -> None:
    """Keep preferences; keys of newer versions and those of the other way to play stay.

    Raises `SaveError`; a damaged file is not written over.
    """
    path = _path()
    load_preferences(preferences.medium)
    kept: dict[str, Any] = {}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            kept = json.loads(path.read_bytes())
    except OSError as error:
        raise refusal(path, error) from None
    data = preferences.to_dict()
    del data["medium"]
    if preferences.medium == LINES:
        apart = {name: data.pop(name) for name in APART}
        data[LINES] = {**kept.get(LINES, {}), **apart}
    write_atomically(path, json.dumps({**kept, **data}, indent=2).encode() + b"\n")
