"""Custom keys: the file ``keys.toml`` in the settings folder determines which keys the actions have."""

import os
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from textual.keys import REPLACED_KEYS, key_to_character

from millebornes.editions.fields import suggestion
from millebornes.editions.toml import TomlError, parse_toml
from millebornes.errors import SaveError
from millebornes.i18n import Translator
from millebornes.storage import config_folder, refusal, write_atomically

__all__ = ["LoadedKeys", "canonical_key", "keys_file", "load_keys", "write_default_keys"]

FILE: Final = "keys.toml"
MAX_FILE: Final = 1 << 18

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
    """Return Textual's name for a key. For example, ``Ctrl-L`` and ``^L`` are ``ctrl+l``, and ``P`` is ``p``.

    The name of ``?`` is ``question_mark``. If the key is invalid, raises `ValueError`, which says what is wrong and
    what would be right.
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
        raise ValueError(
            f"{text!r} can't be a separate key, because a letter means both upper and lower case; write {base!r}"
        )
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


TABLE_WORDS: Final = {"bindings": "keys", "key": "keys", "keymap": "keys", "shortcuts": "keys"}
ACTION_WORDS: Final = {
    "play": "use",
    "throw": "discard",
    "throw_away": "discard",
    "draw": "pick",
    "sort": "order",
    "cancel": "back",
    "escape": "back",
    "ok": "confirm",
    "enter": "confirm",
    "go_on": "confirm",
    "left": "previous_card",
    "right": "next_card",
    "moves": "legal",
    "advice": "hint",
    "take_back": "undo",
    "sheet": "scores",
    "history": "log",
    "stats": "statistics",
    "preferences": "settings",
    "options": "settings",
    "refresh": "redraw",
    "exit": "quit",
    "leave": "quit",
    "keys": "help",
    "commands": "palette",
    "background": "suspend",
}
"""Other names that people use for the file's table and for the actions, with the names that the program uses."""


class LoadedKeys(NamedTuple):
    """The keys of each action, and a sentence for each error in the file."""

    keys: dict[str, tuple[str, ...]]
    faults: tuple[str, ...] = ()


def load_keys(default: Mapping[str, Sequence[str]]) -> LoadedKeys:
    """Return the keys of each action, from the file or, if the file leaves the action out, from ``default``.

    Without a file, the default keys apply. An action with an empty list has no key. Unknown actions, invalid keys, and
    keys with two actions are errors. Each error names the file, the action, the key and the correct form, and the
    actions concerned keep their default keys.
    """
    path = keys_file()
    usual = {action: tuple(keys) for action, keys in default.items()}
    try:
        data = _read(path) or {}
    except SaveError as error:
        return LoadedKeys(usual, (str(error),))
    faults = [
        f"{path}: unknown table or key {name!r}{suggestion(name, ['keys'], TABLE_WORDS)}; all keys belong under [keys]"
        for name in data
        if name != "keys"
    ]
    given = data.get("keys", {})
    if not isinstance(given, dict):
        faults.append(f'{path}: keys must be a table: a line [keys], and below it lines such as pick = ["p"]')
        given = {}
    changed: dict[str, tuple[str, ...]] = {}
    for action, value in given.items():
        if action not in usual:
            known = ", ".join(usual)
            close = suggestion(action, list(usual), ACTION_WORDS)
            faults.append(f"{path}: there is no action {action!r}{close or f'; the actions are {known}'}")
            continue
        keys, wrong = _keys(value, f"{path}: {action}")
        faults += wrong
        if not wrong:
            changed[action] = keys
    while clashes := _clashes(usual, changed, path):  # a restored default key may clash with another action
        faults += clashes.values()
        changed = {action: keys for action, keys in changed.items() if action not in clashes}
    return LoadedKeys({**usual, **changed}, tuple(faults))


def _keys(value: Any, where: str) -> tuple[tuple[str, ...], list[str]]:
    """Return the keys of an action, and the errors found in them."""
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


def _clashes(usual: Mapping[str, Sequence[str]], changed: Mapping[str, Sequence[str]], path: Path) -> dict[str, str]:
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
    for action, keys in usual.items():
        for key in keys:
            if action not in changed and key in owner:
                found[owner[key]] = (
                    f"{path}: {owner[key]}: {key!r} is the usual key of {action}; give {action} another key in this "
                    f"file, or none: {action} = []"
                )
    return found


def _read(path: Path) -> dict[str, Any] | None:
    try:
        if path.stat().st_size > MAX_FILE:
            raise SaveError(f"{path}: too large for a keys file (more than {MAX_FILE} bytes)")
        return parse_toml(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise SaveError(f"{path}: not UTF-8 text") from None
    except TomlError as error:
        raise SaveError(f"{path}: {error}") from None


def write_default_keys(default: Mapping[str, Sequence[str]], actions: Mapping[str, str], _: Translator) -> Path:
    """Write a keys file with the meaning and the default keys of every action. All lines are comments, ready to edit.

    ``actions`` explains each action in English. Returns the path of the file. Raises `SaveError`, for example if the
    file already exists, because it is never overwritten.
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
    for action, keys in default.items():
        shown = ", ".join(f'"{key}"' for key in keys)
        text += f"\n# {_(actions.get(action, ''))}\n# {action} = [{shown}]\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(path.parent, error, "cannot be created") from None
    write_atomically(path, text.encode())
    return path
