"""Rows as data frames, of pandas or polars, whichever is installed; neither is needed for anything else."""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from millebornes.errors import MilleBornesError

__all__ = ["to_frame"]


def to_frame(rows: Sequence[Mapping[str, Any]], library: str | None = None) -> Any:
    """A data frame with a row for each mapping: a ``pandas.DataFrame``, or a ``polars.DataFrame`` without pandas.

    ``library`` asks for one of them, ``"pandas"`` or ``"polars"``. Raises `MilleBornesError` where it is not there.
    """
    if library not in {None, "pandas", "polars"}:
        raise MilleBornesError(f"{library!r} is no library of data frames; say 'pandas' or 'polars'")
    for name in (library,) if library else ("pandas", "polars"):
        try:
            module: Any = importlib.import_module(name)
        except ImportError:
            continue
        plain = [dict(row) for row in rows]
        return module.DataFrame(plain, infer_schema_length=None) if name == "polars" else module.DataFrame(plain)
    wanted = library or "pandas or polars"
    raise MilleBornesError(f"a data frame needs {wanted}: pip install {library or 'pandas'}")
