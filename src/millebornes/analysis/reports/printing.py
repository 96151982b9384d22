"""Tables and text on a console that may lack some symbols."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from millebornes.themes.spelling import respelled

__all__ = ["fitting", "table_of"]

_SYMBOLS: Final = str.maketrans({"±": "+-", "\u00a0": " ", "«": '"', "»": '"'})
"""The Latin-1 symbols of reports, in ASCII."""


def fitting(text: str, console: Console) -> str:
    """Return the text without any symbols and letters that the console can't show."""
    return respelled(text.translate(_SYMBOLS), console.encoding) if console.options.ascii_only else text


def table_of(heads: Sequence[str], rows: Iterable[Sequence[str | Text]], console: Console, *, words: int = 1) -> Table:
    """Return a table without frames. The first columns, as many as ``words``, contain words, and the others figures."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for place, head in enumerate(heads):
        table.add_column(Text(fitting(head, console)), justify="left" if place < words else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(fitting(cell, console)) if isinstance(cell, str) else cell for cell in row))
    return table
