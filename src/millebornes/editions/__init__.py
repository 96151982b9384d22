"""R9: editions as data, five known ones in TOML files beside this module, and anybody's own."""

import dataclasses
import functools
import importlib.resources
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from millebornes.editions.fields import FIELDS, Field, parse_setting, read_setting, suggestion
from millebornes.editions.model import Edition, Rules, check_table, default_sides
from millebornes.editions.toml import TomlError, parse_toml
from millebornes.errors import EditionError

__all__ = [
    "EDITIONS",
    "FIELDS",
    "Edition",
    "Field",
    "Rules",
    "check_table",
    "default_sides",
    "edition",
    "load_edition",
    "make_rules",
    "parse_setting",
    "read_edition",
]

EDITIONS: Final = ("classic", "bsd", "mille2", "wikibooks", "house")
"""The names of the built-in editions."""

MAX_FILE: Final = 1 << 20


@functools.cache
def edition(name: str) -> Edition:
    """A built-in edition by name. Raises `EditionError` with the known names."""
    if name not in EDITIONS:
        raise EditionError(
            f"there is no edition {name!r}{suggestion(name, list(EDITIONS))}; "
            f"the editions are {', '.join(EDITIONS)}, or the path of a .toml file",
            "edition",
        )
    text = importlib.resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return dataclasses.replace(read_edition(tomllib.loads(text), f"{name}.toml"), known=True)


def load_edition(name_or_path: str) -> Edition:
    """A built-in edition by name, or an edition of one's own from a TOML file. Raises `EditionError`."""
    if not name_or_path.endswith(".toml"):
        return edition(name_or_path)
    if "\0" in name_or_path:
        raise EditionError(f"{name_or_path!r} is no path of a file", "edition")
    path = Path(name_or_path)
    try:
        if path.stat().st_size > MAX_FILE:
            raise EditionError(f"{path}: too large for an edition (more than {MAX_FILE} bytes)", "edition")
        data = parse_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EditionError(f"{path}: cannot be read ({error.strerror or error})", "edition") from None
    except UnicodeDecodeError:
        raise EditionError(f"{path}: not a UTF-8 text", "edition") from None
    except TomlError as error:
        raise EditionError(f"{path}: {error}", "edition") from None
    return read_edition(data, str(path))


def read_edition(data: Mapping[str, Any], where: str) -> Edition:
    """An edition from parsed TOML.

    The documentation describes the layout. ``where`` names the file in errors (`EditionError`).
    """
    try:
        return _read(data)
    except EditionError as error:
        raise EditionError(f"{where}: {error}", error.field) from None


def _read(data: Mapping[str, Any]) -> Edition:
    known = ["name", "title", "summary", "source", "like", "tables", "rules", "seats"]
    for key in data:
        if key not in known:
            raise EditionError(f"unknown key {key!r}{suggestion(key, known)}; the keys are {', '.join(known)}", key)
    texts = {key: data.get(key, "") for key in known[:5]}
    for key, value in texts.items():
        if not isinstance(value, str):
            raise EditionError(f"{key}: must be a text", key)
    if not texts["name"]:
        raise EditionError("name: an edition needs a name", "name")
    parent = edition(texts["like"]) if texts["like"] else None
    base = dict(parent.base) if parent else {}
    base.update(_settings(data.get("rules", {}), "rules"))
    missing = [name for name in FIELDS if name not in base]
    if missing:
        raise EditionError(
            f'rules: {", ".join(missing)} missing; give every setting, or say like = "classic"', missing[0]
        )
    by_seats = {seats: dict(settings) for seats, settings in parent.by_seats.items()} if parent else {}
    groups = data.get("seats", {})
    if not isinstance(groups, Mapping):
        raise EditionError("seats: must be tables such as [seats.4]", "seats")
    for key, group in groups.items():
        if key not in {str(n) for n in range(2, 9)}:
            raise EditionError(f"seats: [seats.{key}] must be a number of seats from 2 to 8", "seats")
        by_seats[int(key)] = _settings(group, f"seats.{key}")
    tables = _tables(data["tables"]) if "tables" in data else parent.tables if parent else ((2, 2),)
    result = Edition(
        texts["name"], texts["title"] or texts["name"], texts["summary"], texts["source"], tables, base, by_seats
    )
    for seats, sides in tables:
        result.rules(seats, sides)
    return result


def _settings(data: Any, where: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise EditionError(f"{where}: must be a table of settings", where)
    return {name: read_setting(name, value) for name, value in data.items()}


def _tables(data: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(data, list) or not data:
        raise EditionError('tables: must be a list such as ["2x2", "4x2"]', "tables")
    tables = []
    for text in data:
        seats, x, sides = text.partition("x") if isinstance(text, str) else ("", "", "")
        if not x or not seats.isdecimal() or not sides.isdecimal() or len(text) > 5:
            raise EditionError(f"tables: {text!r} is no table; write seats and sides as in 4x2", "tables")
        check_table(int(seats), int(sides))
        tables.append((int(seats), int(sides)))
    return tuple(tables)


def make_rules(
    name: str | None = "classic", seats: int = 2, sides: int | None = None, settings: Mapping[str, Any] | None = None
) -> Rules:
    """The rules of an edition (a name, a TOML file, or None for one that ``settings`` give in full) at a table.

    ``settings`` are data, as in a transcript's ``set``. Raises `EditionError`.
    """
    if name is not None:
        return load_edition(name).rules(seats, sides, settings)
    if sides is None:
        check_table(seats, seats)
        sides = default_sides(seats)
    given = _settings(settings or {}, "set")
    missing = [field for field in FIELDS if field not in given]
    if missing:
        raise EditionError(f"set: without an edition every setting is needed; {', '.join(missing)} missing", missing[0])
    return Rules(edition=None, seats=seats, sides=sides, **given)
