"""The built-in players and their descriptions, from ``players/roster.toml``.

This module imports nothing from the game, so that the first screen appears immediately.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from millebornes.i18n import Translator

__all__ = [
    "DEFAULT_PLAYER",
    "FULL_INFORMATION",
    "ROSTER",
    "BuiltInPlayer",
    "first_choices",
    "level_label",
    "level_text",
]


class BuiltInPlayer(NamedTuple):
    """The description of a built-in player. Its texts are keys for translators."""

    name: str
    """The name by which people and programs ask for it."""
    summary: str
    """How it thinks, in one line."""
    entry_point: str = ""
    """The key ``class``: its class, written like an entry point. Levels have none (`millebornes.policies.levels`)."""
    elo: int | None = None
    """Its Elo in the classic game for two, relative to `basic` (docs/strength.md), or None if it is off the scale."""
    strength: str = ""
    """How strong it is, in a word or two."""
    meaning: str = ""
    """What its strength means for a person, based on the matches in research/notebook/players.md."""
    first_choice: str = ""
    """Its label on the first page of the web game, if that page offers it."""
    takes_options: bool = False
    """Whether ``name:OPTIONS`` passes the text of the options to its class as the only argument."""
    asks_net: bool = False
    """Whether it uses a net."""
    learns_in_match: bool = False
    """Whether it learns from each move how the others play. Such a player also takes a long time for each move."""
    sees_everything: bool = False
    """Whether it sees all cards. Such a player is for the arena only."""
    synonyms: tuple[str, ...] = ()
    """Other names that people use for it."""


def _read() -> tuple[str, dict[str, BuiltInPlayer]]:
    """Return the name of the default player, and all players by name."""
    path = Path(__file__).parent / "players" / "roster.toml"  # importing the package would load the game
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return data["default"], {name: _player(name, **entry) for name, entry in data["players"].items()}


def _player(name: str, synonyms: tuple[str, ...] = (), **entry: Any) -> BuiltInPlayer:
    return BuiltInPlayer(name, entry_point=entry.pop("class", ""), synonyms=tuple(synonyms), **entry)


DEFAULT_PLAYER, _ALL = _read()
"""The player that takes a seat by default."""

ROSTER: Final[Mapping[str, BuiltInPlayer]] = {name: made for name, made in _ALL.items() if not made.sees_everything}
"""The players for games, by name, weakest first."""

FULL_INFORMATION: Final[Mapping[str, BuiltInPlayer]] = {name: _ALL[name] for name in _ALL if name not in ROSTER}
"""The players that see everything, by name. They are separate so that no screen offers them by mistake."""


def first_choices(translate: Translator) -> dict[str, str]:
    """Return the labels of the players that the first page of the web game offers, by name."""
    return {name: translate(known.first_choice) for name, known in ROSTER.items() if known.first_choice}


def level_label(name: str, _: Translator) -> str:
    """Return the name of a player, with its strength in a few words."""
    return f"{name} ({_(ROSTER[name].strength)})"


def level_text(name: str, _: Translator) -> str:
    """Return how strong a player is and how it plays, in words, with its rating if that is known."""
    known = ROSTER[name]
    plays = _(known.summary)
    text = f"{_(known.strength)}; {_(known.meaning)}. {plays[:1].upper()}{plays[1:]}"
    if known.elo is None:
        return f"{text}."
    # Translators: {text} tells how strong a computer player is and how it plays, {elo} is its rating with its sign.
    return _("{text} (Elo {elo}).").format(text=text, elo=f"{known.elo:+d}".replace("-", "−"))
