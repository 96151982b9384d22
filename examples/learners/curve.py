"""Draws what `masked_ppo.py` wrote: how far a net led its opponent after how many decisions.

python examples/learners/curve.py mine.csv mine.svg
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt


def draw(source: Path, target: Path) -> None:
    """Draw the leads of a CSV file with their 95 % intervals as an SVG file."""
    with source.open(newline="", encoding="utf-8") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    plt.rcParams.update({"svg.hashsalt": "millebornes", "svg.fonttype": "none", "font.size": 9})
    figure, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.errorbar(
        [row["decisions"] / 1e6 for row in rows],
        [row["lead"] for row in rows],
        [1.96 * row["stderr"] for row in rows],
        marker="o",
        markersize=3,
        capsize=2,
        linewidth=1,
    )
    axes.set_xlabel("million decisions learned from")
    axes.set_ylabel("lead in points a hand")
    minutes = rows[-1]["cpu_s"] / 60 / (rows[-1]["decisions"] / 1e6)
    upper = axes.secondary_xaxis("top", functions=(lambda x: x * minutes, lambda y: y / minutes))
    upper.set_xlabel("minutes of one core, about")
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    draw(Path(sys.argv[1]), Path(sys.argv[2]))
