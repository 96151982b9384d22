"""The preferences of a user, stored as a small JSON file in the configuration folder."""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta

from millebornes.errors import SaveError
from millebornes.i18n import LANGUAGES
from millebornes.schema.fields import about
from millebornes.schema.reading import read
from millebornes.storage.files import config_folder, refusal, write_atomically
from millebornes.themes import THEMES

FILE: Final = "preferences.json"

WINDOWS: Final = ("commands", "scores")
"""The windows that can be shown below the table."""

COLOURS: Final = ("auto", "dark", "light", "none")
"""The colour schemes. With ``auto``, the program chooses one that suits the terminal."""

SYMBOLS: Final = ("auto", "yes", "no")
"""Whether to draw symbols and frames. With ``auto``, this depends on what the terminal can show."""

MAX_PACE: Final = 10.0
"""The maximum pause after another seat's move, in seconds."""

SCREEN: Final = "screen"
LINES: Final = "lines"
"""One of the two ways to play: `SCREEN` is the whole screen, and `LINES` is line by line."""

APART: Final = ("manual_pick", "window", "one_key", "brief")
"""The preferences that are stored separately for each way to play, because their meaning or their keys differ."""

IN_SAVES: Final = ("sort", "manual_pick", "window", "medium")
"""The preferences stored in a saved game, because they describe its table."""


def _one_of(*words: str) -> Meta:
    return Meta(pattern=rf"^({'|'.join(words)})\Z", extra={"right": f"one of {', '.join(words)}"})


@dataclasses.dataclass(frozen=True)
class Preferences:
    """The preferences of a user for a way to play, ``medium``. Those in `APART` are stored for each way."""

    sort: Annotated[bool, about("the hand is kept in order")] = False
    manual_pick: Annotated[bool, about("cards are drawn by the command P")] = False
    window: Annotated[str, _one_of(*WINDOWS), about("what is shown below the table")] = "commands"
    one_key: Annotated[bool, about("the number of a card plays it at once")] = False
    brief: Annotated[bool, about("line by line, only what has changed is shown")] = False
    pace: Annotated[
        float,
        Meta(ge=0, le=MAX_PACE),
        about(
            "seconds for which another seat's move stays in sight",
            f"a number of seconds from 0 to {MAX_PACE:g}",
        ),
    ] = 1.0
    colours: Annotated[str, _one_of(*COLOURS), about("the set of colours")] = "auto"
    symbols: Annotated[str, _one_of(*SYMBOLS), about("whether symbols and frames are drawn")] = "auto"
    bell: Annotated[bool, about("errors ring")] = True
    keep_matches: Annotated[bool, about("finished matches are kept, so that they can be reviewed")] = True
    language: Annotated[str, _one_of(*LANGUAGES)] | None = None
    """The code of the language, or None for the language of the system."""
    theme: Annotated[str, _one_of(*THEMES)] | None = None
    """The name of the theme, or None for the theme that fits the language of the system."""
    last_game: Annotated[
        Mapping[str, Any] | None, about("how the last new game was begun; `null` before the first", "an object or null")
    ] = None
    medium: Annotated[str, _one_of(SCREEN, LINES), about("the way to play")] = SCREEN

    def for_save(self) -> dict[str, Any]:
        """Return the preferences to store in a saved game (`IN_SAVES`) as plain data."""
        return {name: getattr(self, name) for name in IN_SAVES}

    def at_table(self, saved: "Preferences") -> "Preferences":
        """Return these preferences with those of the table from a saved game, if the way to play is the same."""
        of_table = saved.for_save()
        if saved.medium != self.medium:
            of_table = {name: value for name, value in of_table.items() if name not in {*APART, "medium"}}
        return dataclasses.replace(self, **of_table)

    @classmethod
    def from_dict(cls, data: Any, where: str) -> "Preferences":
        """Return the preferences in plain data, ignoring unknown keys. Raises `SaveError`."""
        if not isinstance(data, dict):
            raise SaveError(f"{where}: the preferences must be a JSON object")

        def wrong(text: str) -> SaveError:
            return SaveError(f"{where}: {text}")

        preferences = read(cls, data, fault=wrong)
        if preferences.last_game is not None:
            from millebornes.schema.saves import LastGameObject  # not needed before the first game

            read(LastGameObject, preferences.last_game, fault=lambda text: wrong(f"last_game, {text}"))
        return preferences


def load_preferences(medium: str = SCREEN) -> Preferences:
    """Return the stored preferences for a way to play, or the defaults. Raises `SaveError`."""
    return _load(config_folder() / FILE, medium)[0]


def _load(path: Path, medium: str) -> tuple[Preferences, dict[str, Any]]:
    """Return the preferences, and everything in the file."""
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        data = {}
    except OSError as error:
        raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (ValueError, RecursionError):
        raise SaveError(
            f"{path}: the preferences are damaged; the file has been left unchanged. Delete it to start afresh"
        ) from None
    return Preferences.from_dict(_of_medium(data, medium, str(path)), str(path)), data


def _of_medium(data: Any, medium: str, where: str) -> Any:
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
    """Store preferences, keeping other keys in the file. Raises `SaveError`, also if the file is damaged."""
    path = config_folder() / FILE
    _stored, stored = _load(path, preferences.medium)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(path, error) from None
    data = dataclasses.asdict(preferences)
    del data["medium"]
    if preferences.medium == LINES:
        apart = {name: data.pop(name) for name in APART}
        data[LINES] = {**stored.get(LINES, {}), **apart}
    write_atomically(path, json.dumps({**stored, **data}, indent=2).encode() + b"\n")


def change_preferences(changes: Mapping[str, Any], medium: str = SCREEN) -> None:
    """Store changed preferences by name. All others stay as they are stored. Raises `SaveError`."""
    save_preferences(dataclasses.replace(load_preferences(medium), **changes))
