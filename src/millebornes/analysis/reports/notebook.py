"""What a notebook shows of a review: who played how well, luck, and a small plot; without styles or scripts."""

from typing import TYPE_CHECKING

from millebornes.analysis.reports.curves import curves
from millebornes.analysis.reports.figures import chance, luck_text, number, result_text, with_error
from millebornes.analysis.reports.page.markup import element, escaped
from millebornes.i18n import translator

if TYPE_CHECKING:  # the record itself asks for its own summary
    from collections.abc import Sequence

    from millebornes.analysis.records import Review

__all__ = ["summary_html"]

_WIDTH, _HEIGHT = 560, 120
_COLOURS = ("#2b6cb8", "#c8701c", "#1f8f80", "#b3363d", "#8455ac", "#6f7f22", "#b84a8f", "#66707a")


def summary_html(review: "Review") -> str:
    """Two tables and, where chances or luck are known, a plot, as a piece of HTML; names are escaped."""
    unit, _ = review.objective.value, translator()
    rules = review.match.rules
    names = review.players or tuple(f"Seat {seat + 1}" for seat in range(rules.seats))
    seats = [
        (
            names[seat.seat],
            f"{seat.decisions}",
            with_error(seat.loss_per_decision, seat.loss_stderr, unit, _),
            *(f"{count}" for count in seat.grades.values()),
            "–" if seat.rating is None else number(seat.rating, 0, _),
        )
        for seat in review.seats
    ]
    grades = [grade.value for grade in review.seats[0].grades] if review.seats else []
    sides = [
        (
            " + ".join(names[seat] for seat in rules.seats_of(side.side)),
            f"{side.points}",
            luck_text(side.luck, unit, _, side.luck_stderr),
            result_text(side.adjusted, unit, _),
        )
        for side in review.sides
    ]
    parts = [
        _table(("player", "decisions", "loss per decision", *grades, "rating"), seats),
        _table(("side", "points", "luck", "without luck"), sides),
    ]
    found = curves(review)
    if found.main:
        title = "The chance to win the match" if found.chances else "Luck so far"
        shown = found.main[:1] if len(found.main) == 2 else found.main
        named = " ".join(
            f'<tspan fill="{_COLOURS[side]}">{escaped(sides[side][0])}</tspan>' for side in range(len(shown))
        )
        parts.append(_plot(shown, title, named, bool(found.chances)))
    return f"<div>{''.join(parts)}</div>"


def _table(heads: "Sequence[str]", body: "Sequence[Sequence[str]]") -> str:
    head = "".join(element("th", escaped(text)) for text in heads)
    rows = "".join(element("tr", "".join(element("td", escaped(cell)) for cell in row)) for row in body)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _plot(series: "Sequence[Sequence[float]]", title: str, named: str, are_chances: bool) -> str:
    """Lines on a scale of 0 to 1, or around zero."""
    high = 1.0 if are_chances else max(max(map(abs, values)) for values in series) or 1.0
    low = 0.0 if are_chances else -high
    lines = []
    for side, values in enumerate(series):
        step = _WIDTH / max(len(values) - 1, 1)
        points = " ".join(
            f"{step * place:.1f},{20 + _HEIGHT * (high - value) / (high - low):.1f}"
            for place, value in enumerate(values)
        )
        lines.append(f'<polyline points="{points}" fill="none" stroke="{_COLOURS[side]}" stroke-width="2"/>')
    middle = 20 + _HEIGHT / 2
    scale = f"{chance(0, translator())} – {chance(1, translator())}" if are_chances else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT + 24}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>{escaped(title)}</title>'
        f'<text x="0" y="13" fill="#808080">{escaped(title)} {scale} {named}</text>'
        f'<rect y="20" width="{_WIDTH}" height="{_HEIGHT}" fill="#80808018"/>'
        f'<path d="M0,{middle:g}h{_WIDTH}" stroke="#80808080"/>{"".join(lines)}</svg>'
    )
