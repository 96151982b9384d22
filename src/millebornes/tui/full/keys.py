"""The keys of the table: which action each key means, unless a config file says otherwise."""

from collections.abc import Mapping, Sequence
from typing import Final

from textual.binding import Binding

from millebornes.commands.table import Command
from millebornes.i18n import N_, Translator

__all__ = ["ACTIONS", "KEYMAP", "bindings", "key_name", "other_case"]

ACTIONS: Final = {
    **{command.action: command.value.key_help for command in Command if command.value.key_help},
    **{f"card_{number}": N_("Name a card by its place") for number in range(1, 7)},
    "card_p": N_("Name the card just drawn"),
    **{f"discard_{number}": N_("Discard a card at once (one-key play)") for number in range(1, 7)},
    "discard_p": N_("Discard the card just drawn at once (one-key play)"),
}
"""Everything a key can mean, and what it does in words: the commands, and the places of cards."""

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


def bindings(keymap: Mapping[str, Sequence[str]], yes_key: str) -> list[Binding]:
    """Textual's bindings for a key map; an action named ``use`` is Textual's ``table('use')``.

    Where Y says yes, so does ``yes_key``, the letter for it in the language. If that means something else when no
    question is asked, such as ``order``, its action is ``yes_or('order')``.
    """
    says_yes = yes_key if "y" in keymap.get("yes", ()) else ""
    actions = dict.fromkeys({says_yes, says_yes.upper()} - {""}, "table('yes')")
    for action, keys in keymap.items():
        for key in keys:
            both = {key.lower(), key.upper()} if len(key) == 1 else {key}
            kind = "yes_or" if key.lower() == says_yes and action != "yes" else "table"
            actions |= dict.fromkeys(sorted(both), f"{kind}('{action}')")
    return [Binding(key, action, show=False) for key, action in actions.items()]


def other_case(key: str) -> str | None:
    """The same letter in the other case, also after Alt; None for what is no letter, or has no other case."""
    before, _plus, letter = key.rpartition("+")
    shifted = before.split("+")[-1] == "shift"
    if len(letter) != 1 or not letter.isalpha():
        return None
    if shifted:  # "alt+shift+q" is how Textual writes Q together with Alt
        return "+".join([*before.split("+")[:-1], letter.lower()])
    other = letter.swapcase()
    if before or len(other) != 1 or other == letter or other.swapcase() != letter:
        return None
    return other
