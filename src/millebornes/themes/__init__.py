"""Themes: the names and looks of the cards, as data. The rules never see them (R9).

A theme is a TOML file. It is in the folder ``cards`` of its language in ``locale/``, or beside this module if it has no
language. It changes only words and pictures.
"""

import dataclasses
import functools
import importlib.resources
import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, Final

from millebornes.cards import Card
from millebornes.errors import NotationError
from millebornes.i18n import LANGUAGES, LOCALE

__all__ = ["PILES", "THEMES", "Theme", "theme", "theme_for"]


def _files(language: str, folder: Traversable) -> dict[str, tuple[Traversable, str]]:
    """Return the themes in a folder, by name."""
    files = folder.iterdir() if folder.is_dir() else ()
    found = {file.name.removesuffix(".toml"): (file, language) for file in files if file.name.endswith(".toml")}
    return dict(sorted(found.items()))


_FILES: Final = {
    name: found
    for language in LANGUAGES
    for name, found in _files(language, LOCALE.joinpath(language, "cards")).items()
} | _files("", importlib.resources.files(__name__))
"""The file of each theme, and its language."""

THEMES: Final = tuple(_FILES)
"""The names of the themes. The first is the default, and the first of a language is the one for that language."""

PILES: Final = ("battle", "speed", "distance", "safety", "draw", "discard")
"""The piles that a theme names: the four of a side's tableau (R2.3), the draw pile and the discards."""


@dataclasses.dataclass(frozen=True)
class Theme:
    """Words and pictures for one way to show the game.

    ``names`` holds full names, and ``shorts`` names that fit nine columns on a board. ``forms`` holds all names that a
    screen may show for a card, the longest first, the last in three columns at most. ``symbols`` holds single
    characters one column wide, and ``aliases`` further words that people may type. ``unit`` is one mile, ``units``
    several, ``unit_short`` the abbreviation. ``language`` is the code of the theme's language, and ``note`` a remark
    for readers; either may be empty. ``accent`` holds a colour for dark and one for light backgrounds. ``cars`` is true
    if its words are about the road, so that pictures of cars fit.
    """

    name: str
    title: str
    language: str
    note: str
    unit: str
    units: str
    unit_short: str
    coup: str
    accent: tuple[str, str]
    cars: bool
    piles: Mapping[str, str]
    names: Mapping[Card, str]
    shorts: Mapping[Card, str]
    forms: Mapping[Card, tuple[str, ...]]
    symbols: Mapping[Card, str]
    aliases: Mapping[Card, tuple[str, ...]]

    def name_of(self, card: Card) -> str:
        """Return the full name of a card (``"Out of Gas"``)."""
        return self.names[card]

    def short_of(self, card: Card) -> str:
        """Return the name of a card in at most nine characters (``"No gas"``)."""
        return self.shorts[card]

    def forms_of(self, card: Card) -> tuple[str, ...]:
        """Return the names of a card, the full name first, then shorter and shorter: ``"Right of Way"`` … ``"ROW"``."""
        return self.forms[card]

    def symbol_of(self, card: Card) -> str:
        """Return a picture of the card in one character, one column wide."""
        return self.symbols[card]

    def pile(self, name: str) -> str:
        """Return the name of one of `PILES`."""
        return self.piles[name]

    def miles(self, n: int) -> str:
        """Return ``n`` miles in words (``"1 mile"``, ``"75 kilomètres"``)."""
        return f"{n} {self.unit if abs(n) == 1 else self.units}"


@functools.cache
def theme(name: str = THEMES[0]) -> Theme:
    """Return a theme by name. Raises a `NotationError` that lists the known names.

    A card without a name in this theme has its name from the first theme.
    """
    if name not in THEMES:
        raise NotationError(f"there is no theme {name!r}; the themes are {', '.join(THEMES)}")
    _file, language = _FILES[name]
    data = _read(name)
    dark, light = data["accent"]
    cards = {Card(key): entry for key, entry in data["cards"].items()}
    if len(cards) < len(Card):
        cards = {Card(key): entry for key, entry in _read(THEMES[0])["cards"].items()} | cards
    return Theme(
        name=name,
        language=language,
        accent=(dark, light),
        cars=data.get("cars", True),
        **{key: data[key] for key in ("title", "note", "unit", "units", "unit_short", "coup")},
        piles={pile: data["piles"][pile] for pile in PILES},
        names={card: cards[card]["name"] for card in Card},
        shorts={card: cards[card]["short"] for card in Card},
        forms={card: _forms(cards[card]) for card in Card},
        symbols={card: cards[card]["symbol"] for card in Card},
        aliases={card: tuple(cards[card].get("aliases", ())) for card in Card},
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(_FILES[name][0].read_text(encoding="utf-8"))


def _forms(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((entry["name"], *entry.get("also", ()), entry["short"], entry["code"])))


def theme_for(language: str) -> Theme:
    """Return the theme whose words are in a language (``"fr"``), or the default one."""
    return theme(next((name for name, (_file, spoken) in _FILES.items() if spoken == language), THEMES[0]))
