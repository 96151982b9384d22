"""Plots as inline SVG that adapts to the width of the page. All positions are percentages of width and height.

All text from outside the program is escaped.
"""

import html
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from millebornes.shown import visible


def _escaped(text: str) -> str:
    return html.escape(visible(text))


def _percent_of(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.2f}".rstrip("0").rstrip(".") + "%"


def bar(parts: Iterable[tuple[str, float]], class_: str) -> Markup:
    """Return an SVG bar that consists of several parts, each with its class and its share of the whole."""
    drawn, at = [], 0.0
    for name, share in parts:
        if share > 0:
            drawn.append(f'<rect class="{name}" x="{_percent_of(at)}" width="{_percent_of(share)}" height="100%"/>')
        at += share
    return Markup(f'<svg class="{class_}" aria-hidden="true">{"".join(drawn)}</svg>')


class Axis(NamedTuple):
    """The range of values in a plot, from bottom to top, with labels for some values."""

    low: float
    high: float
    labels: tuple[tuple[float, str], ...]

    def height(self, value: float) -> float:
        """Return the distance of a value from the top, as a share of the height."""
        return 1 - (value - self.low) / (self.high - self.low)


class Dot(NamedTuple):
    """A mark on the line of a side: the index of its figure, its class and its label."""

    side: int
    place: int
    class_: str
    title: str


def plot(
    series: Sequence[Sequence[float]],
    axis: Axis,
    label: str,
    hands: Sequence[int],
    dots: Sequence[Dot] = (),
    names_hands: bool = True,
) -> Markup:
    """Return an SVG plot with a line for each side. With two sides, only the first has a line, above a filled area.

    ``hands`` contains the index of each hand's first figure. If ``names_hands`` is true, the hands are numbered.
    ``label`` describes the plot in words.
    """
    last = max(len(series[0]) - 1, 1)
    parts = []
    for value, text in axis.labels:
        down = axis.height(value)
        y = _percent_of(down)
        parts.append(f'<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>')
        shift = "1em" if down < 0.15 else "-.35em"
        parts.append(f'<text x="100%" dx="-4" y="{y}" dy="{shift}" class="end">{_escaped(text)}</text>')
    for number, place in enumerate(hands, 1):
        x = _percent_of(place / last)
        parts.append(f'<line class="hand" x1="{x}" x2="{x}" y1="0" y2="100%"/>')
        if names_hands:
            parts.append(f'<text x="{x}" dx="4" y="0" dy="1.2em">{number}</text>')
    lines = []
    shown = series[:1] if len(series) == 2 else series
    for side, values in enumerate(shown):
        points = " ".join(f"{place},{100 * axis.height(value):.4g}" for place, value in enumerate(values))
        if len(series) == 2:
            base = 100 * axis.height(max(axis.low, 0.0))
            lines.append(f'<polygon class="area c{side + 1}" points="0,{base:g} {points} {last},{base:g}"/>')
        lines.append(f'<polyline class="line c{side + 1}" points="{points}"/>')
    parts.append(f'<svg viewBox="0 0 {last} 100" preserveAspectRatio="none">{"".join(lines)}</svg>')
    for dot in dots:
        x, y = _percent_of(dot.place / last), _percent_of(axis.height(series[dot.side][dot.place]))
        parts.append(
            f'<circle class="dot {dot.class_}" cx="{x}" cy="{y}" r="4.5"><title>{_escaped(dot.title)}</title></circle>'
        )
    parts.append('<line class="cursor" x1="-9" x2="-9" y1="0" y2="100%"/>')
    class_ = "plot" if names_hands else "plot low"
    tag = f'<svg class="{class_}" role="img" aria-label="{_escaped(label)}" data-last="{last}">'
    return Markup(f"{tag}{''.join(parts)}</svg>")
