"""The columns that docs/data.md lists are those that there are.

``MILLEBORNES_UPDATE=1`` writes the list anew.
"""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from millebornes.data import Column, data_columns
from millebornes.editions import make_rules

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
MARK = "|---|---|---|---|---|\n"


def alike(column: Column) -> tuple[str, str, str, bool]:
    return column.type, column.unit, column.meaning, column.is_optional


def named(columns: list[Column]) -> str:
    names = [f"`{column.name}`" for column in columns]
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"


def rows() -> Iterator[str]:
    """The rows of the table: neighbours that are alike share one, and so do the sides."""
    columns = [column for column in data_columns(make_rules("classic")) if not column.name.startswith("side1_")]
    for _, group in itertools.groupby(columns, alike):
        found = list(group)
        first = found[0]
        highs = [column.high for column in found if column.high is not None]
        high = max(highs, default=None)
        reach = first.range if high is None else first.range.replace(f"to {first.high}", f"to {high}")
        if first.values and len(first.values) < 12:
            reach = ", ".join(first.values) + (" or null" if first.is_optional else "")
        meaning = first.meaning.replace("|", "/")
        also = ", and for `side1_…`" if first.name.startswith("own_") else ""
        yield f"| {named(found)}{also} | {first.type} | {first.unit} | {reach} | {meaning} |\n"


def test_the_page_lists_the_columns() -> None:
    text = PAGE.read_text(encoding="utf-8")
    head, mark, listed = text.rpartition(MARK)
    if os.environ.get("MILLEBORNES_UPDATE"):
        PAGE.write_text(head + mark + "".join(rows()), encoding="utf-8")
        listed = "".join(rows())
    assert mark
    assert listed == "".join(rows()), "MILLEBORNES_UPDATE=1 pytest tests/data/test_page.py"
