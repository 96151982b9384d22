"""The keys at the table. Each key has an action, which a config file can change."""

import os
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from textual.binding import Binding, BindingType, Keymap
from textual.keys import REPLACED_KEYS, key_to_character

from millebornes.commands.table import Command
from millebornes.editions.fields import suggestion
from millebornes.editions.toml import TomlError, parse_toml
from millebornes.errors import SaveError
from millebornes.i18n import N_, Translator
from millebornes.storage import config_folder, refusal, write_atomically

ACTIONS: Final = {
    **{command.action: command.value.key_help for command in Command if command.value.key_help},
    **{f"card_{number}": N_("Choose a card by its number") for number in range(1, 7)},
    "card_p": N_("Choose the card just drawn"),
    **{f"discard_{number}": N_("Discard a card at once (one-key play)") for number in range(1, 7)},
    "discard_p": N_("Discard the card just drawn at once (one-key play)"),
}
"""Every action that can have a key, with its meaning in words. Actions are commands or places of cards."""

KEYMAP: Final[Mapping[str, tuple[str, ...]]] = {
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

SUSPEND: Final = Command.SUSPEND.action
APP_SUSPEND: Final = "app.suspend"
"""The action whose keys work on every screen, and the id of Textual's binding for it there."""

NO_KEY: Final = "no_key"
"""A key that no keyboard has, for actions without a key: a key map of Textual can't remove a binding."""


def textual_keymap(keymap: Mapping[str, Sequence[str]]) -> Keymap:
    """Return the key map for `textual.app.App.set_keymap`, which contains only differences from the default keys."""
    changed = {action: tuple(keys) for action, keys in keymap.items() if tuple(keys) != KEYMAP[action]}
    found = {f"table.{action}": ",".join(keys) or NO_KEY for action, keys in changed.items()}
    if SUSPEND in changed:  # on other screens, a character could be part of a text
        found[APP_SUSPEND] = ",".join(key for key in changed[SUSPEND] if not _character(key)) or NO_KEY
    return found


def in_lower_case(key: str) -> str | None:
    """Return the small letter for a capital letter, with or without Alt. Return None for any other key."""
    before, _plus, letter = key.rpartition("+")
    if len(letter) != 1 or not letter.isalpha():
        return None
    modifiers = before.split("+") if before else []
    if modifiers[-1:] == ["shift"]:  # "alt+shift+q" is Textual's name for a capital Q with Alt
        return "+".join([*modifiers[:-1], letter.lower()])
    small = letter.lower()
    return small if not modifiers and len(small) == 1 and small != letter and small.upper() == letter else None


FILE: Final = "keys.toml"

MODIFIERS: Final = ("alt", "ctrl", "hyper", "meta", "shift", "super")
NAMED: Final = (
    *("backspace", "delete", "down", "end", "enter", "escape", "home", "insert", "left", "pagedown", "pageup"),
    *("right", "space", "tab", "up"),
    *(f"f{number}" for number in range(1, 25)),
)
OTHER_NAMES: Final = {
    "bs": "backspace",
    "control": "ctrl",
    "del": "delete",
    "esc": "escape",
    "ins": "insert",
    "option": "alt",
    "page_down": "pagedown",
    "page_up": "pageup",
    "pgdn": "pagedown",
    "pgup": "pageup",
    "return": "enter",
    "spacebar": "space",
    " ": "space",
    "\t": "tab",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "low_line": "underscore",
    "plus_sign": "plus",
    "reverse_solidus": "backslash",
    "solidus": "slash",
}
"""Other names that people use for keys, with the names that Textual uses."""


def keys_file() -> Path:
    """Return the path of the keys file, which need not exist."""
    return config_folder() / FILE


def canonical_key(text: str) -> str:
    """Return Textual's name for a key, such as ``question_mark``, or ``ctrl+l`` for ``Ctrl-L`` and ``^L``.

    If the key is invalid, raises `ValueError`, which says what is wrong and what would be right.
    """
    if not text:
        raise ValueError('an empty string isn\'t a key; write a character such as "p", or a name such as "f5"')
    if len(text) == 1:
        return _of_character(text)
    low = text.strip().lower()
    if len(low) == 2 and low[0] == "^":
        low = f"ctrl+{low[1]}"
    *mods, key = _parts(low)
    mods = [OTHER_NAMES.get(mod, mod) for mod in mods]
    for mod in mods:
        if mod not in MODIFIERS:
            close = suggestion(mod, list(MODIFIERS)) or f"; before a +, write one of {', '.join(MODIFIERS)}"
            raise ValueError(f"{text!r} isn't a key: there is no {mod!r}{close}")
    base = _of_character(key) if len(key) == 1 else OTHER_NAMES.get(key, key)
    if not (len(base) == 1 or base in NAMED or _character(base)):
        names, hint = ", ".join(NAMED[:15]), suggestion(base, list(NAMED))
        raise ValueError(
            f'{text!r} isn\'t a key{hint}; write a character such as "p", or a name: {names}, f1 to f24, '
            "also after ctrl+, alt+ or shift+"
        )
    if mods == ["shift"] and len(base) == 1 and base.isalpha():
        raise ValueError(f"{text!r}: capitals aren't separate keys; write {base!r}")
    return "+".join([*sorted(set(mods)), base])


def _parts(text: str) -> list[str]:
    """Split a key such as ``ctrl+l`` or ``ctrl-l`` into its parts. The last part may be a plus or a minus."""
    for sign in "+-":
        head, found, last = text.rpartition(sign)
        if found and not last:  # "ctrl++"
            head, last = head.rstrip(sign), sign
        if found and head and all(part for part in head.split(sign)):
            return [*head.split(sign), last]
    return [text]


def _of_character(character: str) -> str:
    if character in OTHER_NAMES:
        return OTHER_NAMES[character]
    if character.isalnum():
        return character.lower()
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    if not name or not character.isprintable():
        raise ValueError(f'{character!r} isn\'t a key that can be typed; write its name, such as "enter" or "ctrl+l"')
    return OTHER_NAMES.get(name, name)


def _character(name: str) -> str:
    """Return the character that a key's name represents, or "" for a key without a character."""
    found = key_to_character(REPLACED_KEYS.get(name, name))
    return found if found is not None and found.isprintable() and not found.isspace() else ""


class LoadedKeys(NamedTuple):
    """The keys of each action, and a sentence for each error in the file."""

    keys: dict[str, tuple[str, ...]]
    faults: tuple[str, ...] = ()


def load_keys() -> LoadedKeys:
    """Return the keys of each action, from the file or, if the file leaves the action out, from `KEYMAP`.

    An action with an empty list has no key. Each error names the file, the action, the key and the correct form, and
    the actions concerned keep their default keys.
    """
    path = keys_file()
    try:
        data = _read(path)
    except SaveError as error:
        return LoadedKeys(dict(KEYMAP), (str(error),))
    faults = [
        f"{path}: unknown table or key {name!r}{suggestion(name, ['keys'])}; all keys belong under [keys]"
        for name in data
        if name != "keys"
    ]
    given = data.get("keys", {})
    if not isinstance(given, dict):
        faults.append(f'{path}: keys must be a table: a line [keys], and below it lines such as pick = ["p"]')
        given = {}
    changed: dict[str, tuple[str, ...]] = {}
    for action, value in given.items():
        if action not in KEYMAP:
            known = ", ".join(KEYMAP)
            close = suggestion(action, list(KEYMAP))
            faults.append(f"{path}: there is no action {action!r}{close or f'; the actions are {known}'}")
            continue
        keys, wrong = _keys(value, f"{path}: {action}")
        faults += wrong
        if not wrong:
            changed[action] = keys
    while clashes := _clashes(changed, path):  # a restored default key may clash with another action
        faults += clashes.values()
        changed = {action: keys for action, keys in changed.items() if action not in clashes}
    return LoadedKeys({**KEYMAP, **changed}, tuple(faults))


def _keys(value: Any, where: str) -> tuple[tuple[str, ...], list[str]]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return (), [f'{where} must be a list of keys, such as ["p", "f5"]']
    found: list[str] = []
    faults = []
    for text in texts:
        try:
            found.append(canonical_key(text))
        except ValueError as error:
            faults.append(f"{where}: {error}")
    return tuple(dict.fromkeys(found)), faults


def _clashes(changed: Mapping[str, Sequence[str]], path: Path) -> dict[str, str]:
    """Return the changed actions that share a key with another action, each with an error message."""
    owner: dict[str, str] = {}
    found: dict[str, str] = {}
    for action, keys in changed.items():
        for key in keys:
            if key in owner:
                found[action] = (
                    f"{path}: {key!r} is given to both {owner[key]} and {action}; a key can have only one meaning"
                )
            owner.setdefault(key, action)
    for action, keys in KEYMAP.items():
        for key in keys:
            if action not in changed and key in owner:
                found[owner[key]] = (
                    f"{path}: {owner[key]}: {key!r} is the usual key of {action}; give {action} another key in this "
                    f"file, or none: {action} = []"
                )
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise SaveError(f"{path}: not UTF-8 text") from None
    except TomlError as error:
        raise SaveError(f"{path}: {error}") from None


def write_default_keys(_: Translator) -> Path:
    """Write a keys file with the meaning and the default keys of every action. All lines are comments, ready to edit.

    Returns the path of the file. Raises `SaveError`, for example if the file already exists, because it is never
    overwritten.
    """
    path = keys_file()
    if os.path.exists(path):  # noqa: PTH110 # raises nothing
        raise SaveError(f"{path}: already exists; change it, or move it away to get a new one")
    lines = [
        _("Keys for the full-screen game. To change the keys on a line, remove the # in front of it."),
        _(
            "A key is a character, or a name such as enter, space, f5, left or ctrl+l; a letter means both upper "
            "and lower case."
        ),
        _("Each key does one thing only; an action with [] has no key. Anything you leave out keeps its usual keys."),
    ]
    text = "".join(f"# {line}\n" for line in lines) + "\n[keys]\n"
    for action, keys in KEYMAP.items():
        shown = ", ".join(f'"{key}"' for key in keys)
        text += f"\n# {_(ACTIONS[action])}\n# {action} = [{shown}]\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(path.parent, error, "cannot be created") from None
    write_atomically(path, text.encode())
    return path
