"""The sheets of the strategy lab: named columns and plain rows, as text or Markdown, for one or more editions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

CERTAIN: Final = 3.3
"""Results at least this number of standard errors away from 0 count as certain.

Among hundreds of comparisons, intervals of 95% would often be wrong.
"""


class Column(NamedTuple):
    """A column: the key of its cells in the rows, its heading, and the way its cells are shown.

    ``kind`` is ``text``, ``count``, ``number``, ``points``, ``gain`` (points with a sign), ``share`` (a fraction shown
    as a percentage) or ``edge`` (a difference of shares, shown in percentage points with a sign).
    """

    key: str
    heading: str
    kind: str


class Sheet(NamedTuple):
    """A sheet with results. ``across`` contains the columns that are shown side by side for several editions.

    Rows contain plain data: strings, numbers, or estimates in the form of `millebornes_research.lab.counts.plain`.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: list[dict[str, Any]]
    across: tuple[str, ...] = ()


def edge_columns(*, matches: bool) -> tuple[Column, ...]:
    """Return the columns for the edge of a player: in hands and, if ``matches`` is true, also in matches."""
    hands = (Column("points", "points a hand", "gain"), Column("hand_share", "share of hands", "edge"))
    if not matches:
        return hands
    return (*hands, Column("match_points", "points a match", "gain"), Column("match_share", "share of matches", "edge"))


def describe_games(hands: int, matches: str = "") -> str:
    """Return the number of games in words for a title: decks of single hands, followed by ``matches``."""
    return f"{hands:,} decks of hands" + (f" and {matches}" if matches else "")


def verdict(found: Mapping[str, Any]) -> str:
    """Return a word for an estimated value: ``pays``, ``costs``, ``nothing`` (exactly 0) or ``unclear``."""
    value, stderr = found["value"], found["stderr"]
    if value is None or stderr is None:
        return "unclear"
    if value == 0 and stderr == 0:
        return "nothing"
    if abs(value) <= CERTAIN * stderr:
        return "unclear"
    return "pays" if value > 0 else "costs"


def cell(value: Any, kind: str) -> str:
    """Return the text of a cell: a number, or an estimate with its 95% interval."""
    if value is None:
        return "-"
    if isinstance(value, Mapping):
        return _estimate(value, kind)
    if kind == "text":
        return str(value)
    if kind == "count":
        return f"{value:,}"
    return _number(float(value), kind)


def _number(value: float, kind: str, *, bare: bool = False) -> str:
    sign = "" if bare or kind not in ("gain", "edge") else "+"
    if kind in ("share", "edge"):
        return f"{100 * value:{sign}.{2 if kind == 'edge' else 1}f}" + ("" if bare else " %")
    return f"{value:{sign}.{2 if kind == 'number' else 1}f}"


def _estimate(found: Mapping[str, Any], kind: str) -> str:
    value, (low, high) = found["value"], found["ci95"]
    if value is None:
        return "?"
    if low is None or high is None:
        return f"{_number(value, kind)} ± ?"
    below, above = value - low, high - value
    if abs(below - above) <= 0.06 * (above + below):
        text = f"{_number(value, kind).removesuffix(' %')} ± {_number((above + below) / 2, kind, bare=True)}"
        return f"{text} %" if kind in ("share", "edge") else text
    return f"{_number(value, kind)} ({_number(low, kind, bare=True)} … {_number(high, kind, bare=True)})"


def as_text(sheets: Sequence[tuple[str, Sheet]]) -> Iterator[str]:
    """Yield the lines of a sheet, or of the same sheet for several editions, given as pairs of a name and a sheet."""
    for title, headings, rows in _shown(sheets):
        yield title
        yield from _columns([headings, *rows])
        yield ""


def as_markdown(sheets: Sequence[tuple[str, Sheet]]) -> Iterator[str]:
    """Yield the lines of a sheet in Markdown, with certain results (see `CERTAIN`) in bold."""
    for title, headings, rows in _shown(sheets, mark="**"):
        yield f"*{title}*"
        yield ""
        yield "| " + " | ".join(headings) + " |"
        yield "|---|" + "---:|" * (len(headings) - 1)
        for row in rows:
            yield "| " + " | ".join(text.replace("|", "\\|") for text in row) + " |"
        yield ""


def _shown(sheets: Sequence[tuple[str, Sheet]], mark: str = "") -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield titles, headings and rows as strings, side by side for several editions if the sheet has ``across``."""
    first = sheets[0][1]
    if len(sheets) == 1 or not first.across:
        for name, sheet in sheets:
            headings = [column.heading for column in sheet.columns]
            rows = [[_marked(row.get(c.key), c.kind, mark) for c in sheet.columns] for row in sheet.rows]
            yield (f"{name}: {sheet.title}", headings, rows)
        return
    label = first.columns[0]
    for key in first.across:
        column = next(column for column in first.columns if column.key == key)
        labels = list(dict.fromkeys(row[label.key] for _, sheet in sheets for row in sheet.rows))
        found = [{row[label.key]: row.get(key) for row in sheet.rows} for _, sheet in sheets]
        rows = [
            [cell(name, label.kind), *(_marked(by.get(name), column.kind, mark) if name in by else "-" for by in found)]
            for name in labels
        ]
        yield f"{first.title}: {column.heading}", [label.heading, *(name for name, _ in sheets)], rows


def _marked(value: Any, kind: str, mark: str) -> str:
    text = cell(value, kind)
    if mark and kind in ("gain", "edge") and isinstance(value, Mapping) and verdict(value) in ("pays", "costs"):
        return f"{mark}{text}{mark}"
    return text


def _columns(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            f"{row[0]:{widths[0]}}",
            *(f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()
