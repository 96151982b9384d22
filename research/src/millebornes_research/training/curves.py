"""Write the history of a training run, generation by generation, as CSV, as JSON, or as a plot."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final

from millebornes.errors import MilleBornesError
from millebornes.storage.files import write_atomically
from millebornes_research.lab.plot import INK, STYLE, check_plots, new_figure, svg_of

SUFFIXES: Final = (".csv", ".json", ".svg")
COLUMNS: Final = 3
"""The maximum number of plots in a row."""
COLOURS: Final = ("#2f8f4e", "#4a86c5", "#d1495b", "#8f6bb3", "#c98b2b", "#3aa6a0")

History = Sequence[Mapping[str, Any]]


def check_curves(path: Path) -> None:
    """Raise `MilleBornesError` if curves can't be written to this file."""
    if path.suffix not in SUFFIXES:
        raise MilleBornesError(f"{path}: curves can be written only to files that end in {', '.join(SUFFIXES)}")
    if path.suffix == ".svg":
        check_plots()


def write_curves(path: Path, history: History) -> None:
    """Write the generations to a file, in the format that its suffix indicates. Equal histories lead to equal files.

    Raises `MilleBornesError` if the suffix is unknown or a plot needs matplotlib and it isn't installed, and
    `SaveError` if the file can't be written.
    """
    check_curves(path)
    if path.suffix == ".json":
        data = json.dumps(list(history), ensure_ascii=False, indent=1).encode() + b"\n"
    elif path.suffix == ".csv":
        data = _csv(history).encode()
    else:
        data = _svg(history)
    write_atomically(path, data)


def _csv(history: History) -> str:
    text = io.StringIO(newline="")
    rivals = [name for name in (history[0]["strength"][0] if history else {}) if name not in ("edition", "table")]
    columns = ("generation", "decisions", "seconds", "spread", "missed", "missed_value")
    kinds = [
        f"{rival}_{kind}{end}" for rival in rivals for kind in ("points", "share") for end in ("", "_low", "_high")
    ]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*columns, "edition", "table", *kinds])
    for entry in history:
        for strength in entry["strength"]:
            found = [strength[rival][kind] for rival in rivals for kind in ("points", "share")]
            numbers = [number for one in found for number in (one["value"], *one["ci95"])]
            writer.writerow([*(entry[name] for name in columns), strength["edition"], strength["table"], *numbers])
    return text.getvalue()


def _without_folder(rival: str) -> str:
    """Return the name of a player without the folder of its file, which wouldn't fit and is private."""
    player, colon, path = rival.partition(":")
    return player + colon + PurePath(path).name


def _svg(history: History) -> bytes:
    import matplotlib

    if not history:
        raise MilleBornesError("there is nothing to plot yet")
    rivals = [name for name in history[0]["strength"][0] if name not in ("edition", "table")]
    places = [entry["decisions"] / 1e6 for entry in history]
    with matplotlib.rc_context(STYLE):
        columns = min(COLUMNS, len(rivals))
        rows = math.ceil(len(rivals) / columns)
        figure = new_figure(3.6 * columns, 3.2 * rows)
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        panels, spare = axes[: len(rivals)], axes[len(rivals) :]
        for panel in spare:
            panel.set_axis_off()
        for panel, rival in zip(panels, rivals, strict=True):
            panel.axhline(0, color=INK, linewidth=0.8)
            for number, table in enumerate(history[0]["strength"]):
                points = [entry["strength"][number][rival]["points"] for entry in history]
                colour = COLOURS[number % len(COLOURS)]
                label = f"{table['edition'] or 'own'} {table['table']}"
                panel.plot(places, [p["value"] for p in points], "o-", color=colour, markersize=2.5, label=label)
                low, high = ([p["ci95"][end] for p in points] for end in (0, 1))
                panel.fill_between(places, low, high, color=colour, alpha=0.2, linewidth=0)
            panel.set_title(f"against {_without_folder(rival)}", fontsize=9)
            panel.set_xlabel("decisions played out (millions)")
            panel.set_ylabel("points a hand")
            panel.grid(axis="y", color=INK, linewidth=0.3, alpha=0.5)
            for edge in ("top", "right"):
                panel.spines[edge].set_visible(False)
        panels[-1].legend(frameon=False, fontsize=8)
        return svg_of(figure, "millebornes train")
