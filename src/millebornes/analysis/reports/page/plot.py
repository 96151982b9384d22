"""Plots of a match as inline SVG that stretches with the page: places are shares of its width and height."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.analysis.reports.page.markup import escaped, percent_of

__all__ = ["Axis", "Dot", "plot"]

COLOURS: Final = 8
"""Sides have colours of their own (classes ``s0`` to ``s7`` of the style sheet)."""


class Axis(NamedTuple):
    """What values a plot shows from the bottom to the top, and the labels of some of them."""

    low: float
    high: float
    labels: tuple[tuple[float, str], ...]

    def height(self, value: float) -> float:
        """How far down a value lies, as a share of the height."""
        return 1 - (value - self.low) / (self.high - self.low)


class Dot(NamedTuple):
    """A mark on the series of a side: its place among the figures, its class, and what it says."""

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
) -> str:
    """Lines through the series of each side (of two sides only the first, with what lies below it filled).

    ``hands`` are the places where hands begin, with their numbers where the plot ``names_hands``; ``label`` says in
    words what there is to see.
    """
    last = max(len(series[0]) - 1, 1)
    parts = []
    for value, said in axis.labels:
        down = axis.height(value)
        y = percent_of(down)
        parts.append(f'<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>')
        shift = "1em" if down < 0.15 else "-.35em"
        parts.append(f'<text x="100%" dx="-4" y="{y}" dy="{shift}" class="end">{escaped(said)}</text>')
    for number, place in enumerate(hands, 1):
        x = percent_of(place / last)
        parts.append(f'<line class="hand" x1="{x}" x2="{x}" y1="0" y2="100%"/>')
        if names_hands:
            parts.append(f'<text x="{x}" dx="4" y="0" dy="1.2em">{number}</text>')
    lines = []
    shown = series[:1] if len(series) == 2 else series
    for side, values in enumerate(shown):
        points = " ".join(f"{place},{100 * axis.height(value):.4g}" for place, value in enumerate(values))
        if len(series) == 2:
            base = 100 * axis.height(max(axis.low, 0.0))
            lines.append(f'<polygon class="area s{side}" points="0,{base:g} {points} {last},{base:g}"/>')
        lines.append(f'<polyline class="line s{side % COLOURS}" points="{points}"/>')
    parts.append(f'<svg viewBox="0 0 {last} 100" preserveAspectRatio="none">{"".join(lines)}</svg>')
    for dot in dots:
        x, y = percent_of(dot.place / last), percent_of(axis.height(series[dot.side][dot.place]))
        parts.append(
            f'<circle class="dot {dot.class_}" cx="{x}" cy="{y}" r="4.5"><title>{escaped(dot.title)}</title></circle>'
        )
    parts.append('<line class="cursor" x1="-9" x2="-9" y1="0" y2="100%"/>')
    class_ = "plot" if names_hands else "plot low"
    return f'<svg class="{class_}" role="img" aria-label="{escaped(label)}" data-last="{last}">{"".join(parts)}</svg>'
