"""Tables and text on a console that may lack some symbols."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from millebornes.shown import in_ascii


def fitting(text: str, console: Console) -> str:
    """Return the text, in ASCII if the console can't show everything."""
    return in_ascii(text) if console.options.ascii_only else text


def table_of(heads: Sequence[str], rows: Iterable[Sequence[str | Text]], console: Console, *, words: int = 1) -> Table:
    """Return a table without frames. The first columns, as many as ``words``, contain words, and the others figures."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for place, head in enumerate(heads):
        table.add_column(Text(fitting(head, console)), justify="left" if place < words else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(fitting(cell, console)) if isinstance(cell, str) else cell for cell in row))
    return table
