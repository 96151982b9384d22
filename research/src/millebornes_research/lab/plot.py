"""Draw plots for the strategy lab: estimates with their intervals, one in each row, as SVG."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from millebornes.errors import MilleBornesError
from millebornes.storage.files import write_atomically
from millebornes_research.lab.sheets import Column, Sheet, verdict

INK: Final = "#7f7f7f"
"""The colour of lines and letters, which can be read on white and on black."""
STYLE: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "millebornes",
    "font.family": "sans-serif",
    "font.size": 9,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
}
"""The settings of matplotlib for all plots."""
COLOURS: Final = {"pays": "#2f8f4e", "costs": "#d1495b", "unclear": "#4a86c5", "nothing": INK}
UNITS: Final = {"gain": "points", "points": "points", "edge": "percentage points", "share": "%", "number": ""}


def check_plots() -> None:
    """Raise `MilleBornesError` if matplotlib isn't installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MilleBornesError("plots need matplotlib: pip install 'millebornes-research[plots]'") from None


def plot_sheets(path: Path, sheets: Sequence[tuple[str, Sheet]], key: str, title: str) -> None:
    """Write an SVG file with a panel for each pair of a name and a sheet, and a row for each row of the sheet.

    The column ``key`` is plotted against the first column. The file has a transparent background, and its colours can
    be seen on light and on dark pages. Equal figures lead to equal files. Raises `MilleBornesError` if matplotlib isn't
    installed or there is nothing to plot, and `SaveError` if the file can't be written.
    """
    check_plots()
    import matplotlib

    column = next((column for column in sheets[0][1].columns if column.key == key), None)
    label = sheets[0][1].columns[0].key
    labels = list(dict.fromkeys(str(row[label]) for _, sheet in sheets for row in sheet.rows if row.get(key)))
    if column is None or not labels:
        raise MilleBornesError("there is nothing to plot yet")
    with matplotlib.rc_context(STYLE):
        figure = new_figure(3.4 + 2.1 * len(sheets), 1.2 + 0.19 * len(labels))
        figure.suptitle(title, fontsize=10)
        panels = figure.subplots(1, len(sheets), sharex=True, sharey=True, squeeze=False)[0]
        for panel, (name, sheet) in zip(panels, sheets, strict=True):
            _draw(panel, {str(row[label]): row.get(key) for row in sheet.rows}, labels, column)
            panel.set_title(name, fontsize=9)
        write_atomically(path, svg_of(figure, "millebornes lab"))


def new_figure(width: float, height: float) -> Any:
    """Return an empty figure with a size in inches.

    Draw on it with the settings `STYLE`, and write it with `svg_of`.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def svg_of(figure: Any, creator: str) -> bytes:
    """Return a figure as SVG with a transparent background. Equal figures lead to equal bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": creator})
    lines = buffer.getvalue().decode().splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines).encode()


def _draw(panel: Any, found: Mapping[str, Any], labels: list[str], column: Column) -> None:
    scale = 100 if column.kind in ("edge", "share") else 1
    signed = column.kind in ("gain", "edge")
    if signed:
        panel.axvline(0, color=INK, linewidth=0.8)
    for place, name in enumerate(labels):
        value = found.get(name)
        if not isinstance(value, Mapping) or value["value"] is None:
            continue
        low, high = value["ci95"]
        colour = COLOURS[verdict(value) if signed else "unclear"]
        if low is not None and high is not None:
            panel.plot([scale * low, scale * high], [place, place], color=colour, linewidth=1.6)
        panel.plot([scale * value["value"]], [place], "o", color=colour, markersize=3.5)
    panel.set_yticks(range(len(labels)), labels)
    panel.set_ylim(len(labels) - 0.4, -0.6)
    panel.set_xlabel(f"{column.heading} ({UNITS[column.kind]})" if column.kind in ("edge", "share") else column.heading)
    panel.grid(axis="y", color=INK, linewidth=0.3, alpha=0.5)
    panel.set_axisbelow(True)
    for edge in ("top", "right", "left"):
        panel.spines[edge].set_visible(False)
    panel.tick_params(axis="y", length=0)
