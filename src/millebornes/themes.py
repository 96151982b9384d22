"""Themes: the names and looks of the cards, as data. The rules never use them (R9).

A theme is a TOML file that changes only words and pictures. Its file is in the folder ``cards`` of its language in
``locale/``, or in ``locale`` itself if it has no language.
"""

import dataclasses
import functools
import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, Final

from millebornes.cards import Card
from millebornes.errors import NotationError
from millebornes.i18n import LANGUAGES, LOCALE

__all__ = ["PILES", "THEMES", "Theme", "theme", "theme_for"]


def _files(language: str, folder: Traversable) -> dict[str, tuple[Traversable, str]]:
    files = folder.iterdir() if folder.is_dir() else ()
    found = {file.name.removesuffix(".toml"): (file, language) for file in files if file.name.endswith(".toml")}
    return dict(sorted(found.items()))


_FILES: Final = {
    name: found
    for language in LANGUAGES
    for name, found in _files(language, LOCALE.joinpath(language, "cards")).items()
} | _files("", LOCALE)
"""The file and the language of each theme, by name."""

THEMES: Final = tuple(_FILES)
"""The names of the themes. The first theme of each language is its default."""

PILES: Final = ("battle", "speed", "distance", "safety", "draw", "discard")
"""The piles that a theme names: the four piles of a tableau (R2.3), the draw pile and the discard pile."""


@dataclasses.dataclass(frozen=True)
class Theme:
    """The words and pictures for one way of showing the game.

    ``names`` contains the full names of the cards, and ``shorts`` contains names of at most nine columns for boards.
    ``forms`` contains all names that a screen may show for a card, from the longest to the shortest, which has at most
    three columns. ``symbols`` contains single characters one column wide, and ``aliases`` contains other words that
    people may type. ``unit`` is the word for one mile, ``units`` the word for several, and ``unit_short`` the
    abbreviation. ``language`` is the code of the theme's language, and ``note`` is a remark for readers; both may be
    empty. ``accent`` contains one colour for dark backgrounds and one for light backgrounds. ``cars`` is true if the
    theme is about cars, so that pictures of cars suit it. ``short_piles`` contains names for piles whose first word
    has more than nine columns.
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
    short_piles: Mapping[str, str]
    names: Mapping[Card, str]
    shorts: Mapping[Card, str]
    forms: Mapping[Card, tuple[str, ...]]
    symbols: Mapping[Card, str]
    aliases: Mapping[Card, tuple[str, ...]]

    def name_of(self, card: Card) -> str:
        """Return the full name of a card, such as ``"Out of Gas"``."""
        return self.names[card]

    def short_of(self, card: Card) -> str:
        """Return a name of the card with at most nine characters, such as ``"No gas"``."""
        return self.shorts[card]

    def forms_of(self, card: Card) -> tuple[str, ...]:
        """Return the names of a card from the longest to the shortest, such as ``"Right of Way"`` … ``"ROW"``."""
        return self.forms[card]

    def symbol_of(self, card: Card) -> str:
        """Return a picture of the card: a single character, one column wide."""
        return self.symbols[card]

    def worded(self, text: str, **values: object) -> str:
        """Return a text with the names of cards in place of placeholders such as ``{roll}`` and ``{d100}``.

        ``values`` contains what takes the place of other placeholders.
        """
        names = {(f"d{card.value}" if card.miles else card.value): self.name_of(card) for card in Card}
        return text.format(**names, **values)

    def pile(self, name: str) -> str:
        """Return the theme's name for one of `PILES`."""
        return self.piles[name]

    def pile_forms(self, name: str) -> tuple[str, ...]:
        """Return names for one of `PILES`, the longest first. The last has at most nine columns."""
        whole = self.piles[name]
        return tuple(dict.fromkeys((whole, self.short_piles.get(name, whole.split()[0]))))

    def miles(self, n: int) -> str:
        """Return a distance of ``n`` miles in words, such as ``"1 mile"`` or ``"75 kilomètres"``."""
        return f"{n} {self.unit if abs(n) == 1 else self.units}"


@functools.cache
def theme(name: str = THEMES[0]) -> Theme:
    """Return the theme called ``name``. Raises a `NotationError` that lists the known names if there is no such theme.

    Cards that have no name in this theme are named as in the default theme.
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
        short_piles=data.get("short_piles", {}),
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
    """Return the theme for a language (such as ``"fr"``), or the default theme if the language has none."""
    return theme(next((name for name, (_file, spoken) in _FILES.items() if spoken == language), THEMES[0]))
