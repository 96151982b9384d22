"""The line game's preferences in words: what they are, how to set them, and how a typed line changes one of them."""

import dataclasses
from typing import Any, Final

from millebornes.errors import SaveError
from millebornes.i18n import LANGUAGES, N_, Translator, is_no, is_yes
from millebornes.storage import Preferences
from millebornes.storage.preferences import COLOURS, WINDOWS
from millebornes.themes import THEMES

SETTINGS: Final = {
    "sort": N_("keep the hand sorted"),
    "manual_pick": N_("draw cards yourself, with P"),
    "one_key": N_("use a card by typing only its number"),
    "brief": N_("announce only what has changed"),
    "keep_matches": N_("keep finished matches for reviews"),
    "window": N_("what is shown below the table"),
    "colours": N_("which colours are used"),
    "language": N_("the language; auto: the system's"),
    "theme": N_("the card names; auto: match the language"),
}
"""The preferences that players can set here, with their meanings. All others concern only the full screen."""

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "window": WINDOWS,
    "colours": COLOURS,
    "language": ("auto", *LANGUAGES),
    "theme": ("auto", *THEMES),
}
_ELSEWHERE: Final = {field.name for field in dataclasses.fields(Preferences)} - {"last_game", "medium"}
_YES: Final = frozenset({"on", "true", "1"})
_NO: Final = frozenset({"off", "false", "0"})


def _allowed(name: str) -> str:
    return "|".join(CHOICES.get(name, ("yes", "no")))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "auto" if value is None else str(value)


def settings_lines(preferences: Preferences, _: Translator) -> list[str]:
    """Return a line for each preference with its value, the other possible values, and its meaning."""
    rows = [
        (f"{name} {_shown(getattr(preferences, name))}", f"({_allowed(name)})", _(SETTINGS[name])) for name in SETTINGS
    ]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = [f"  {row[0]:<{first}}  {row[1]:<{second}}  {row[2]}" for row in rows]
    return [_("Settings; set NAME VALUE changes one, as in: set one_key yes"), *lines]


def switched(preferences: Preferences, name: str) -> Preferences:
    """Return the preferences after a command has switched a preference that has two values."""
    now: Any = getattr(preferences, name)
    others = [value for value in CHOICES.get(name, (True, False)) if value != now]
    changes: dict[str, Any] = {name: others[0]}
    return dataclasses.replace(preferences, **changes)


def changed(preferences: Preferences, text: str, _: Translator) -> tuple[str, Preferences]:
    """Return the name and the preferences after the input ``NAME VALUE``. Raises `SaveError` with the correct form."""
    name, _blank, value = text.strip().casefold().replace("=", " ").partition(" ")
    name, value = name.replace("-", "_"), value.strip()
    if name not in SETTINGS and name in _ELSEWHERE:
        raise SaveError(_("{name} only affects the full-screen game; press F2 there to change it.").format(name=name))
    if name not in SETTINGS:
        raise SaveError(
            _("There is no setting {name}; the settings are {names}.").format(
                name=repr(name[:40]), names=", ".join(SETTINGS)
            )
        )
    found: Any = value
    if name in CHOICES:
        found = None if value == "auto" and name != "colours" else value
    else:
        found = True if value in _YES or is_yes(value) else False if value in _NO or is_no(value) else None
    try:
        return name, Preferences.from_dict({**vars(preferences), name: found}, name)
    except SaveError:
        raise SaveError(
            _("{name} can be {allowed}.").format(name=name, allowed=_allowed(name).replace("|", ", "))
        ) from None
