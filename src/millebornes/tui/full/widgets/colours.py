"""The colours of the table: sets for dark and light screens that suit colour-blind people, and one without colours."""

from typing import Any, Final

from textual.theme import BUILTIN_THEMES
from textual.theme import Theme as Colours

from millebornes.themes import THEMES, theme

# Okabe and Ito's palette, lighter on a dark background and darker on a light background. Orange-red, bluish green and
# blue also differ in brightness. Everything on the table can be understood without colours.
_DARK: Final = {
    "distance": "#f4f1e8",
    "hazard": "#ff8552",
    "remedy": "#2fd0a3",
    "safety": "#6cc4f5",
    "mark": "#f6d743",
    "faint": "#77818c",
    "back": "#5d7fa8",
    "felt": "#12171d",
}
_LIGHT: Final = {
    "distance": "#1d2228",
    "hazard": "#b03a00",
    "remedy": "#00664c",
    "safety": "#00558f",
    "mark": "#7a5200",
    "faint": "#7b838c",
    "back": "#5b7594",
    "felt": "#f7f5ef",
}
_NONE: Final = dict.fromkeys(_DARK, "ansi_default")

LIGHT_GROUNDS: Final = {"7", "15"}


def _make(name: str, accent: str, dark: bool) -> Colours:
    palette = _DARK if dark else _LIGHT
    return Colours(
        name=name,
        primary=accent,
        secondary=palette["safety"],
        accent=accent,
        warning=palette["mark"],
        error=palette["hazard"],
        success=palette["remedy"],
        foreground=palette["distance"],
        background=palette["felt"],
        surface="#1b222a" if dark else "#ffffff",
        panel="#242d37" if dark else "#e9e5da",
        dark=dark,
        variables=palette,
    )


_ROLES: Final = (
    *("primary", "secondary", "accent", "warning", "error", "success"),
    *("foreground", "background", "surface", "panel", "boost"),
)
_DEFAULT: Final[dict[str, Any]] = dict.fromkeys(_ROLES, "ansi_default")
_PLAIN: Final = Colours(
    name="mille-none",
    **_DEFAULT,
    dark=True,
    ansi=True,
    variables={**BUILTIN_THEMES["ansi-dark"].variables, **_NONE, "input-cursor-text-style": "reverse"},
)

COLOURS: Final = (
    *(_make(f"mille-{name}-dark", theme(name).accent[0], True) for name in THEMES),
    *(_make(f"mille-{name}-light", theme(name).accent[1], False) for name in THEMES),
    _PLAIN,
)
"""The sets of colours: two for each card theme, for dark and light backgrounds, and one without colours."""


def colours_for(theme: str, wish: str, background: str = "") -> str:
    """Return the name of the set of colours for a card theme and the preference ``wish``.

    ``background`` is the value of ``COLORFGBG``, whose last number is the background colour.
    """
    if wish == "auto" and background.rpartition(";")[2] in LIGHT_GROUNDS:
        wish = "light"
    if wish == "none":
        return _PLAIN.name
    return f"mille-{theme}-{'light' if wish == 'light' else 'dark'}"
