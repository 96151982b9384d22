"""The keys of the table: which action each key means, unless a config file says otherwise."""

from collections.abc import Mapping, Sequence
from typing import Final

from textual.binding import Binding, BindingType, Keymap

from millebornes.i18n import N_, Translator
from millebornes.session.letters import LETTERS

__all__ = ["ACTIONS", "KEYMAP", "TABLE_KEYS", "in_lower_case", "key_name", "textual_keymap", "yes_key"]

ACTIONS: Final = {
    "pick": N_("Pick a card"),
    "use": N_("Use a card: then its number, then Enter"),
    "discard": N_("Discard a card: then its number, then Enter"),
    "confirm": N_("Do what was typed; continue"),
    "back": N_("Take back what was typed"),
    "previous_card": N_("Select the card to the left"),
    "next_card": N_("Select the card to the right"),
    "order": N_("Keep the hand in order, or stop doing so"),
    "legal": N_("List what you can do, and why the rest is not possible"),
    "hint": N_("Ask for a hint"),
    "undo": N_("Take a move back (in practice)"),
    "counts": N_("Show or hide the counts of unseen cards (in practice)"),
    "window": N_("Switch the window between commands and score"),
    "one_key": N_("One-key play: a card's number plays it at once"),
    "scores": N_("Show the score sheet"),
    "log": N_("Show the log of the whole match"),
    "statistics": N_("Show the statistics of past games"),
    "settings": N_("Change the preferences"),
    "redraw": N_("Redraw the screen"),
    "save": N_("Save the game in a file"),
    "quit": N_("Quit the game"),
    "help": N_("Show the keys"),
    "palette": N_("Open the list of commands"),
    "suspend": N_("Put the game into the background (fg brings it back)"),
    "yes": N_("Answer yes"),
    "no": N_("Answer no"),
    **{f"card_{number}": N_("Name a card by its place") for number in range(1, 7)},
    "card_p": N_("Name the card just drawn"),
    **{f"discard_{number}": N_("Discard a card at once (one-key play)") for number in range(1, 7)},
    "discard_p": N_("Discard the card just drawn at once (one-key play)"),
}
"""Everything a key can mean, and what it does in words."""

_KEYS: Final[Mapping[str, Sequence[str]]] = {
    "confirm": ("enter", "space"),
    "back": ("escape", "backspace"),
    "previous_card": ("left",),
    "next_card": ("right",),
    "log": ("f4", "pageup"),
    "statistics": ("f3",),
    "settings": ("f2",),
    "redraw": ("ctrl+l",),
    "quit": ("delete", "ctrl+c"),
    "help": ("question_mark", "f1"),
    "palette": ("ctrl+p", "colon"),
    "suspend": ("ctrl+z",),
    **{f"card_{number}": (str(number),) for number in range(1, 7)},
    "card_p": ("7",),
    "discard_1": ("exclamation_mark", "shift+1"),
    "discard_2": ("at", "shift+2"),
    "discard_3": ("number_sign", "shift+3"),
    "discard_4": ("dollar_sign", "shift+4"),
    "discard_5": ("percent_sign", "shift+5"),
    "discard_6": ("circumflex_accent", "shift+6"),
    "discard_p": ("ampersand", "shift+7"),
}
"""The keys of each action beside its letter."""

KEYMAP: Final[Mapping[str, Sequence[str]]] = {
    action: (*LETTERS.get(action, ()), *_KEYS.get(action, ())) for action in ACTIONS
}
"""The usual keys of each action, in the names that Textual has for keys; letters mean both cases.

While a number is being typed, ``pick`` names the card P, and DELETE takes back what was typed.
"""

_SHOWN: Final = {
    "question_mark": "?",
    "exclamation_mark": "!",
    "at": "@",
    "number_sign": "#",
    "dollar_sign": "$",
    "percent_sign": "%",
    "circumflex_accent": "^",
    "ampersand": "&",
    "colon": ":",
    "enter": N_("Enter"),
    "space": N_("Space"),
    "escape": N_("Esc"),
    "left": "←",
    "pageup": "PgUp",
    "right": "→",
    "delete": N_("Del"),
    "backspace": N_("Backspace"),
}


def key_name(key: str, _: Translator) -> str:
    """A key as people know it (``?`` for ``question_mark``), by the name that keyboards of their language have."""
    if key in _SHOWN:
        return _(_SHOWN[key])
    parts = key.split("+")
    return "-".join(part.upper() if len(part) <= 2 else part.capitalize() for part in parts)


def yes_key(_: Translator) -> str:
    """The letter that says yes in a language; N says no in all of them."""
    return "O" if _.language == "fr" else "Y"


TABLE_KEYS: Final[list[BindingType]] = [
    Binding(",".join(keys), f"table('{action}')", show=False, id=f"table.{action}") for action, keys in KEYMAP.items()
]
"""Textual's bindings for the usual keys of the table."""

NO_KEY: Final = "no_key"
"""The key of an action that has none: a key map of Textual can't take a binding away, and no keyboard has this key."""


def textual_keymap(keymap: Mapping[str, Sequence[str]]) -> Keymap:
    """Return the key map for `textual.app.App.set_keymap`: what differs from the usual keys."""
    return {
        f"table.{action}": ",".join(keys) or NO_KEY
        for action, keys in keymap.items()
        if tuple(keys) != tuple(KEYMAP[action])
    }


def in_lower_case(key: str) -> str | None:
    """Return the key of the small letter for that of a capital, also after Alt; None for any other key."""
    before, _plus, letter = key.rpartition("+")
    if len(letter) != 1 or not letter.isalpha():
        return None
    modifiers = before.split("+") if before else []
    if modifiers[-1:] == ["shift"]:  # "alt+shift+q" is how Textual writes Q together with Alt
        return "+".join([*modifiers[:-1], letter.lower()])
    small = letter.lower()
    return small if not modifiers and len(small) == 1 and small != letter and small.upper() == letter else None
