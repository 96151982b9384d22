"""Generate the tables of fields in the documentation, and the JSON Schema of all objects, from the Structs."""

import importlib
from inspect import cleandoc
from typing import Any, Final

import msgspec
from msgspec import inspect

MODULES: Final = ("view", "transcript", "protocol", "api", "exercises", "reports", "saves", "statistics")
"""The modules of this package whose Structs are documented."""


def kinds(*modules: str) -> dict[str, type[msgspec.Struct]]:
    """Return the documented Structs of the given modules, or of all modules, by name."""
    structs = {}
    for name in modules or MODULES:
        module = importlib.import_module(f"millebornes.schema.{name}")
        for public, kind in sorted(vars(module).items()):
            is_own = isinstance(kind, type) and kind.__module__ == module.__name__ and not public.startswith("_")
            if is_own and issubclass(kind, msgspec.Struct):
                structs[public] = kind
    return structs


def field_notes(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Return the description of each field of a Struct, by its key.

    The description is an empty string if the field has none.
    """
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: _note(field.type) for field in info.fields}


def _note(info: inspect.Type) -> str:
    extra = info.extra_json_schema if isinstance(info, inspect.Metadata) else None
    return str((extra or {}).get("description", ""))


def field_table(kind: type[msgspec.Struct]) -> str:
    """Return the fields of a Struct as a Markdown table."""
    rows = [f"| `{key}` | {note} |\n" for key, note in field_notes(kind).items()]
    return "| key | |\n|---|---|\n" + "".join(rows)


def event_table() -> str:
    """Return the events of the web API, with what each means and its fields, as a Markdown table."""
    rows = {kind.__struct_config__.tag: _meaning(kind) for kind in kinds("api").values()}
    lines = [f"| `{tag}` | {meaning} |\n" for tag, meaning in rows.items() if tag is not None]
    return "| event | what happened |\n|---|---|\n" + "".join(lines)


def _meaning(event: type[msgspec.Struct]) -> str:
    first = cleandoc(event.__doc__ or "").partition("\n\n")[0]
    notes = field_notes(event).items()
    return " ".join([first, *(f"`{key}`: {note}." for key, note in notes if key not in {"seat", "name"})])


def json_schema() -> dict[str, Any]:
    """Return a single JSON Schema that contains each object under its name in ``$defs``."""
    _shapes, components = msgspec.json.schema_components(kinds().values(), ref_template="#/$defs/{name}")
    for component in components.values():
        if "description" in component:  # before Python 3.13, docstrings keep their indentation
            component["description"] = cleandoc(component["description"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "millebornes", "$defs": components}
