"""Convert rows to data frames of pandas or polars, whichever is installed.

Nothing else in this package needs either library.
"""

import importlib
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

from millebornes.errors import ArgumentError, MilleBornesError


def to_frame(rows: Any, library: str | None = None) -> Any:
    """Return a data frame that has a row for each dictionary.

    It is a pandas data frame if pandas is installed, and a polars data frame otherwise. ``rows`` contains dictionaries
    from names to plain values, or is an object with a method ``rows()``, such as a `Match`. ``library`` can be
    ``"pandas"`` or ``"polars"`` to choose one of them. Raises `MilleBornesError` if the library isn't installed, and
    `ArgumentError` if ``rows`` contains no rows.
    """
    plain = _plain(rows)
    if library not in {None, "pandas", "polars"}:
        raise MilleBornesError(f"{library!r} isn't a library for data frames; use 'pandas' or 'polars'")
    for name in (library,) if library else ("pandas", "polars"):
        try:
            module: Any = importlib.import_module(name)
        except ImportError:
            continue
        return module.DataFrame(plain, infer_schema_length=None) if name == "polars" else module.DataFrame(plain)
    wanted = library or "pandas or polars"
    raise MilleBornesError(f"a data frame needs {wanted}: pip install {library or 'pandas'}")


def _plain(rows: Any) -> list[dict[str, Any]]:
    made = getattr(rows, "rows", None)
    if callable(made) and not isinstance(rows, Mapping | Iterable):
        rows = made()
    found = list(rows) if isinstance(rows, Iterable) and not isinstance(rows, Mapping | str | bytes) else None
    if found is None or not all(isinstance(row, Mapping) for row in found):
        raise ArgumentError(
            f"rows: {reprlib.repr(rows)} contains no rows; give a list of dictionaries, or a match: to_frame(match) or "
            "match.to_frame()"
        )
    return [dict(row) for row in found]
