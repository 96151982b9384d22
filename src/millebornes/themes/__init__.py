"""Themes: what the cards are called and how they look, as data; the rules never see them (R9).

A theme is a TOML file beside this module. It changes words and pictures only.
"""

import dataclasses
import functools
import importlib.resources
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from millebornes.cards import Card
from millebornes.errors import NotationError

__all__ = ["PILES", "THEMES", "Theme", "theme", "theme_for"]

THEMES: Final = ("english", "french", "french-1960", "rijwielspel")
"""The names of the themes; the first is the default."""

PILES: Final = ("battle", "speed", "distance", "safety", "draw", "discard")
"""The piles that a theme names: the four of a side's tableau (R2.3), the draw pile and the discards."""


@dataclasses.dataclass(frozen=True)
class Theme:
    """Words and pictures for one way to show the game.

    ``names`` are full names, ``shorts`` fit nine columns on a board, ``forms`` are all that a card may be called on a
    screen, the longest first, the last in three columns at most. ``symbols`` are single characters one column wide
    and ``aliases`` further words that people may type. ``unit`` is one mile, ``units`` several, ``unit_short`` the
    abbreviation. ``language`` is the code of the language of its words, ``note`` what readers should know, or nothing.
    """

    name: str
    title: str
    language: str
    note: str
    unit: str
    units: str
    unit_short: str
    coup: str
    piles: Mapping[str, str]
    names: Mapping[Card, str]
    shorts: Mapping[Card, str]
    forms: Mapping[Card, tuple[str, ...]]
    symbols: Mapping[Card, str]
    aliases: Mapping[Card, tuple[str, ...]]

    def name_of(self, card: Card) -> str:
        """The full name of a card (``"Out of Gas"``)."""
        return self.names[card]

    def short_of(self, card: Card) -> str:
        """The name of a card in at most nine characters (``"No gas"``)."""
        return self.shorts[card]

    def forms_of(self, card: Card) -> tuple[str, ...]:
        """What a card may be called, the full name first, then shorter and shorter: ``"Right of Way"`` … ``"ROW"``."""
        return self.forms[card]

    def symbol_of(self, card: Card) -> str:
        """A picture of the card in one character, one column wide."""
        return self.symbols[card]

    def pile(self, name: str) -> str:
        """The name of one of `PILES`."""
        return self.piles[name]

    def miles(self, n: int) -> str:
        """So many miles in words (``"1 mile"``, ``"75 kilomètres"``)."""
        return f"{n} {self.unit if abs(n) == 1 else self.units}"


@functools.cache
def theme(name: str = THEMES[0]) -> Theme:
    """A theme by name. Raises `NotationError` with the known names."""
    if name not in THEMES:
        raise NotationError(f"there is no theme {name!r}; the themes are {', '.join(THEMES)}")
    data = tomllib.loads(importlib.resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    cards = {Card(key): entry for key, entry in data["cards"].items()}
    return Theme(
        name=name,
        **{key: data[key] for key in ("title", "language", "note", "unit", "units", "unit_short", "coup")},
        piles={pile: data["piles"][pile] for pile in PILES},
        names={card: cards[card]["name"] for card in Card},
        shorts={card: cards[card]["short"] for card in Card},
        forms={card: _forms(cards[card]) for card in Card},
        symbols={card: cards[card]["symbol"] for card in Card},
        aliases={card: tuple(cards[card].get("aliases", ())) for card in Card},
    )


def _forms(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((entry["name"], *entry.get("also", ()), entry["short"], entry["code"])))


def theme_for(language: str) -> Theme:
    """The theme whose words are in a language (``"fr"``), or the default one."""
    return next((found for found in map(theme, THEMES) if found.language == language), theme())
