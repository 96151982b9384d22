"""The built-in players and all that is said of them, as ``players/roster.toml`` lists them.

It loads nothing of the game, so that the first screen is there at once.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from millebornes.i18n import Translator

__all__ = ["DEFAULT_PLAYER", "FULL_INFORMATION", "ROSTER", "BuiltInPlayer", "level_label", "level_text"]


class BuiltInPlayer(NamedTuple):
    """What is known of a built-in player. Texts are keys for translators."""

    name: str
    """The name that people and programs ask for it by."""
    summary: str
    """How it thinks, in one line."""
    entry_point: str = ""
    """The key ``class``: its class, written like an entry point; none for a level (`millebornes.policies.levels`)."""
    elo: int | None = None
    """Its Elo in the classic game for two, counted from `basic` (docs/strength.md); None if it is off the scale."""
    strength: str = ""
    """How strong it is, in a word or two."""
    meaning: str = ""
    """What that means for a person. research/notebook/players.md has the matches that this rests on."""
    first_choice: str = ""
    """Its label on the first page of the web game, if it is offered there."""
    takes_options: bool = False
    """Whether ``name:OPTIONS`` makes it with the options, a text, as the one argument of its class."""
    without_net: str = ""
    """If it uses a net: a sentence on how it plays at a table that no net fits."""
    learns_in_match: bool = False
    """Whether it learns from move to move how the others play; such a player also takes long for a move."""
    sees_everything: bool = False
    """Whether it sees all cards, so that it plays in the arena only."""
    synonyms: tuple[str, ...] = ()
    """What else people call it."""


def _read() -> tuple[str, dict[str, BuiltInPlayer]]:
    """The default player, and all players by name."""
    path = Path(__file__).parent / "players" / "roster.toml"  # the package itself would load the game
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return data["default"], {name: _player(name, **entry) for name, entry in data["players"].items()}


def _player(name: str, synonyms: tuple[str, ...] = (), **entry: Any) -> BuiltInPlayer:
    return BuiltInPlayer(name, entry_point=entry.pop("class", ""), synonyms=tuple(synonyms), **entry)


DEFAULT_PLAYER, _ALL = _read()
"""Who takes a seat if no one says otherwise."""

ROSTER: Final[Mapping[str, BuiltInPlayer]] = {name: made for name, made in _ALL.items() if not made.sees_everything}
"""The players for games by name, the weakest first."""

FULL_INFORMATION: Final[Mapping[str, BuiltInPlayer]] = {name: _ALL[name] for name in _ALL if name not in ROSTER}
"""The players that see everything, by name; they are kept apart, so that no one offers them by mistake."""


def level_label(name: str, _: Translator) -> str:
    """Return a player's name and how strong it is, in a few words."""
    return f"{name} ({_(ROSTER[name].strength)})"


def level_text(name: str, _: Translator) -> str:
    """Say how strong a player is, in words, how it plays, and its rating if that is known."""
    known = ROSTER[name]
    plays = _(known.summary)
    text = f"{_(known.strength)}; {_(known.meaning)}. {plays[:1].upper()}{plays[1:]}"
    if known.elo is None:
        return f"{text}."
    # Translators: {text} tells how strong a computer player is and how it plays, {elo} is its rating with its sign.
    return _("{text} (Elo {elo}).").format(text=text, elo=f"{known.elo:+d}".replace("-", "−"))
