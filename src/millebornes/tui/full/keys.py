"""The keys at the table. Each key has an action, which a config file can change."""

from collections.abc import Mapping, Sequence
from typing import Final

from textual.binding import Binding, BindingType, Keymap

from millebornes.commands.table import Command
from millebornes.i18n import N_, Translator

__all__ = ["ACTIONS", "KEYMAP", "TABLE_KEYS", "in_lower_case", "key_name", "textual_keymap", "yes_key"]

ACTIONS: Final = {
    **{command.action: command.value.key_help for command in Command if command.value.key_help},
    **{f"card_{number}": N_("Choose a card by its number") for number in range(1, 7)},
    "card_p": N_("Choose the card just drawn"),
    **{f"discard_{number}": N_("Discard a card at once (one-key play)") for number in range(1, 7)},
    "discard_p": N_("Discard the card just drawn at once (one-key play)"),
}
"""Every action that can have a key, with its meaning in words. Actions are commands or places of cards."""

KEYMAP: Final[Mapping[str, Sequence[str]]] = {
    **{command.action: command.all_keys for command in Command if command.value.key_help},
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
"""The default keys of each action, under Textual's names. A letter means both its small and its capital form.

While the player is typing a number, ``pick`` names the card P, and DELETE deletes the input.
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
    """Return the name of a key as players know it, such as ``?`` for ``question_mark``, in their language."""
    if key in _SHOWN:
        return _(_SHOWN[key])
    parts = key.split("+")
    return "-".join(part.upper() if len(part) <= 2 else part.capitalize() for part in parts)


def yes_key(_: Translator) -> str:
    """Return the letter for yes in a language, as it is shown to players. The letter for no is N in all languages."""
    return _.traits.yes_key.upper()


TABLE_KEYS: Final[list[BindingType]] = [
    Binding(",".join(keys), f"table('{action}')", show=False, id=f"table.{action}") for action, keys in KEYMAP.items()
]
"""Textual's bindings for the default keys at the table."""

NO_KEY: Final = "no_key"
"""A key that no keyboard has.

It is bound to actions without a key, because a key map of Textual can't remove a binding.
"""


def textual_keymap(keymap: Mapping[str, Sequence[str]]) -> Keymap:
    """Return the key map for `textual.app.App.set_keymap`, which contains only differences from the default keys."""
    return {
        f"table.{action}": ",".join(keys) or NO_KEY
        for action, keys in keymap.items()
        if tuple(keys) != tuple(KEYMAP[action])
    }


def in_lower_case(key: str) -> str | None:
    """Return the small letter for a key that is a capital letter, with or without Alt.

    Return None for any other key.
    """
    before, _plus, letter = key.rpartition("+")
    if len(letter) != 1 or not letter.isalpha():
        return None
    modifiers = before.split("+") if before else []
    if modifiers[-1:] == ["shift"]:  # "alt+shift+q" is Textual's name for a capital Q with Alt
        return "+".join([*modifiers[:-1], letter.lower()])
    small = letter.lower()
    return small if not modifiers and len(small) == 1 and small != letter and small.upper() == letter else None
