"""The built-in players and their descriptions, read from ``players/roster.toml``.

To let the first screen appear immediately, this module imports nothing from the game.
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
    "level_word",
]


class BuiltInPlayer(NamedTuple):
    """The description of a built-in player. Its texts can be passed to a translator."""

    name: str
    """The name by which people and programs choose the player."""
    summary: str
    """How the player thinks, in one line."""
    entry_point: str = ""
    """The player's class in the notation of entry points (the key ``class``), empty for levels."""
    elo: int | None = None
    """Its Elo in the classic game for two, relative to `basic` (docs/strength.md), or None if it has no rating."""
    strength: str = ""
    """The player's strength in a word or two."""
    meaning: str = ""
    """What this strength means for a human opponent, based on the matches in research/notebook/players.md."""
    first_choice: str = ""
    """Its level in a word, if the first page of the web game offers it. People read this word beside its name."""
    takes_options: bool = False
    """Whether the player takes options: the text after the colon in ``name:OPTIONS``, passed to its class."""
    asks_net: bool = False
    """Whether the player uses a net."""
    learns_in_match: bool = False
    """Whether the player learns from every move how the others play, and needs long for each of its own."""
    sees_everything: bool = False
    """Whether the player sees all cards. Players of this kind can only play in the arena."""
    synonyms: tuple[str, ...] = ()
    """Other names that people use for the player."""


def _read() -> tuple[str, dict[str, BuiltInPlayer]]:
    path = Path(__file__).parent / "players" / "roster.toml"  # importing the package here would load the game
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return data["default"], {name: _player(name, **entry) for name, entry in data["players"].items()}


def _player(name: str, synonyms: tuple[str, ...] = (), **entry: Any) -> BuiltInPlayer:
    return BuiltInPlayer(name, entry_point=entry.pop("class", ""), synonyms=tuple(synonyms), **entry)


DEFAULT_PLAYER, _ALL = _read()
"""The player that takes a seat if no other is chosen, and all players by name."""

ROSTER: Final[Mapping[str, BuiltInPlayer]] = {name: made for name, made in _ALL.items() if not made.sees_everything}
"""The players that can take part in games, by name, from the weakest to the strongest."""

FULL_INFORMATION: Final[Mapping[str, BuiltInPlayer]] = {name: _ALL[name] for name in _ALL if name not in ROSTER}
"""The players that see all cards, by name. They are kept separate so that no screen can offer them by mistake."""


def first_choices(translate: Translator) -> dict[str, str]:
    """Return the levels that the first page of the web game offers, in words, by the name of the player."""
    return {name: translate(known.first_choice) for name, known in ROSTER.items() if known.first_choice}


def level_word(name: str, _: Translator) -> str:
    """Return what people read for the level of a player: its word if it has one, or else the name of the player."""
    return _(ROSTER[name].first_choice) if ROSTER[name].first_choice else name


def level_label(name: str, _: Translator) -> str:
    """Return a player as lists offer it: the word for its level, or its name with its strength in a few words."""
    return level_word(name, _) if ROSTER[name].first_choice else f"{name} ({_(ROSTER[name].strength)})"


def level_text(name: str, _: Translator) -> str:
    """Return a sentence about a player's strength and style, with its rating if it has one."""
    level = ROSTER[name]
    plays = _(level.summary)
    text = f"{_(level.strength)}; {_(level.meaning)}. {plays[:1].upper()}{plays[1:]}"
    if level.elo is None:
        return f"{text}."
    # Translators: {text} tells how strong a computer player is and how it plays, {elo} is its rating with its sign.
    return _("{text} (Elo {elo}).").format(text=text, elo=f"{level.elo:+d}".replace("-", "−"))
