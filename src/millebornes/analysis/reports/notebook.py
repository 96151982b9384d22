"""Show a review in a notebook: the players' results, their luck and a small plot, without style sheets or scripts."""

from collections.abc import Sequence

from millebornes.analysis.records import Objective, SeatReview, SideReview
from millebornes.analysis.reports.curves import Curves
from millebornes.analysis.reports.figures import chance, luck_text, number, result_text, with_error
from millebornes.analysis.reports.page.markup import element, escaped
from millebornes.game import Match
from millebornes.i18n import translator

__all__ = ["summary_html"]

_WIDTH, _HEIGHT = 560, 120
_COLOURS = ("#2b6cb8", "#c8701c", "#1f8f80", "#b3363d", "#8455ac", "#6f7f22", "#b84a8f", "#66707a")


def summary_html(
    match: Match,
    players: Sequence[str],
    objective: Objective,
    seats: Sequence[SeatReview],
    sides: Sequence[SideReview],
    curves: Curves,
) -> str:
    """Return an HTML fragment with two tables and, if chances or luck are known, a plot. Names are escaped."""
    unit, _ = objective.value, translator()
    names = players or tuple(f"Seat {seat + 1}" for seat in range(match.rules.seats))
    seat_rows = [
        (
            names[seat.seat],
            f"{seat.decisions}",
            with_error(seat.loss_per_decision, seat.loss_stderr, unit, _),
            *(f"{count}" for count in seat.grades.values()),
            "–" if seat.rating is None else number(seat.rating, 0, _),
        )
        for seat in seats
    ]
    grades = [grade.value for grade in seats[0].grades] if seats else []
    side_rows = [
        (
            " + ".join(names[seat] for seat in match.rules.seats_of(side.side)),
            f"{side.points}",
            luck_text(side.luck, unit, _, side.luck_stderr),
            result_text(side.adjusted, unit, _),
        )
        for side in sides
    ]
    parts = [
        _table(("player", "decisions", "loss per decision", *grades, "rating"), seat_rows),
        _table(("side", "points", "luck", "without luck"), side_rows),
    ]
    if curves.main:
        title = "Chance of winning the match" if curves.chances else "Luck so far"
        shown = curves.main[:1] if len(curves.main) == 2 else curves.main
        named = " ".join(
            f'<tspan fill="{_COLOURS[side]}">{escaped(side_rows[side][0])}</tspan>' for side in range(len(shown))
        )
        parts.append(_plot(shown, title, named, bool(curves.chances)))
    return f"<div>{''.join(parts)}</div>"


def _table(heads: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    head = "".join(element("th", escaped(text)) for text in heads)
    rows = "".join(element("tr", "".join(element("td", escaped(cell)) for cell in row)) for row in body)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _plot(series: Sequence[Sequence[float]], title: str, named: str, are_chances: bool) -> str:
    """Return a line plot of a series, either on a scale from 0 to 1 or centred on zero."""
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
