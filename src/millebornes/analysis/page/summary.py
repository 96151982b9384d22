"""The top of the page: how each seat played, luck and the result, the course of the match, the list of mistakes."""

from collections.abc import Callable

from millebornes.analysis.curves import Curves, curves
from millebornes.analysis.figures import chance, loss_text, luck_text, result_text, with_error
from millebornes.analysis.page.decision import Setting, is_mistake, name_of
from millebornes.analysis.page.markup import bar, element, escaped
from millebornes.analysis.page.plot import Axis, Dot, plot
from millebornes.analysis.records import Grade, SeatReview
from millebornes.analysis.words import MARKS, grade_name, rating_text

__all__ = ["courses", "mistakes", "plots", "seats"]


def seats(setting: Setting) -> str:
    """A panel for each seat, and one for luck."""
    panels = "".join(_seat(setting, seat) for seat in setting.review.seats)
    return f'<section class="seats">{panels}{_sides(setting)}</section>'


def _seat(setting: Setting, seat: SeatReview) -> str:
    _ = setting._
    loss = with_error(seat.loss_per_decision, seat.loss_stderr, setting.unit, _)
    counts = [(grade, seat.grades.get(grade, 0)) for grade in Grade]
    whole = sum(count for _grade, count in counts) or 1
    drawn = bar([(f"g-{grade.value}", count / whole) for grade, count in counts], "grades")
    listed = "".join(
        f'<li><span class="key g-{grade.value}"></span>{escaped(grade_name(grade, _))} <b>{count}</b></li>'
        for grade, count in counts
    )
    side = setting.review.match.rules.side_of(seat.seat)
    rows = [
        (_("rating"), rating_text(seat, _)),
        (_("loss per decision"), loss),
        (_("loss in all"), loss_text(seat.loss_total, setting.unit, _)),
        (_("decisions"), str(seat.decisions)),
    ]
    told = "".join(f"<dt>{escaped(head)}</dt><dd>{escaped(text)}</dd>" for head, text in rows)
    name = f'<span class="key s{side}"></span>{escaped(setting.seat(seat.seat))}'
    return f'<div class="panel"><h2>{name}</h2><dl>{told}</dl>{drawn}<ul class="counts">{listed}</ul></div>'


def _sides(setting: Setting) -> str:
    """Points, luck, and the result without luck."""
    _, unit = setting._, setting.unit
    body = ""
    for side in setting.review.sides:
        adjusted = result_text(side.adjusted, unit, _)
        cells = [str(side.points), luck_text(side.luck, unit, _, side.luck_stderr), adjusted]
        name = f'<span class="key s{side.side}"></span>{escaped(setting.side(side.side))}'
        body += f'<tr><th scope="row">{name}</th>{"".join(f"<td>{escaped(cell)}</td>" for cell in cells)}</tr>'
    heads = [_("side"), _("points"), _("luck"), _("without luck")]
    head = "".join(f'<th scope="col">{escaped(text)}</th>' for text in heads)
    table = f'<table class="sides"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return element("div", element("h2", escaped(_("Luck and the result"))) + table, class_="panel")


def plots(setting: Setting) -> str:
    """The `courses` of the match in a panel; empty where there are none."""
    parts = courses(setting)
    return f'<section class="panel plots spoil" {_hidden(setting)}>{"".join(parts)}</section>' if parts else ""


def courses(setting: Setting) -> list[str]:
    """Figures of the chances to win the match and of the luck so far, over all decisions, as far as they are known."""
    _, found = setting._, curves(setting.review)
    parts = []
    if found.chances:
        parts.append(_titled(setting, _("The chance to win the match"), _chances(setting, found), found.chances))
    if found.luck:
        parts.append(_titled(setting, _("Luck so far"), _luck(setting, found), found.luck))
    return parts


def _titled(setting: Setting, title: str, drawn: str, series: list[list[float]]) -> str:
    """A plot with its title and who is shown in which colour."""
    shown = range(1) if len(series) == 2 else range(len(series))
    names = "".join(f'<span><span class="key s{side}"></span>{escaped(setting.side(side))}</span>' for side in shown)
    return f"<figure><figcaption>{escaped(title)} {names}</figcaption>{drawn}</figure>"


def _chances(setting: Setting, found: Curves) -> str:
    _ = setting._
    decisions = setting.review.decisions
    labels = tuple((value, chance(value, _)) for value in (0.0, 0.5, 1.0))
    dots = [
        Dot(
            _shown(setting, decision.seat),
            place,
            f"g-{decision.grade.value}",
            f"{setting.place(decision)}, {setting.seat(decision.seat)}: {setting.move(decision)}",
        )
        for place, decision in enumerate(decisions)
        if is_mistake(decision)
    ]
    dots += [Dot(0, place, "turn", setting.place(decisions[place])) for place in found.turns]
    label = _in_words(setting, found, found.chances, lambda value: chance(value, _))
    return plot(found.chances, Axis(0.0, 1.0, labels), label, found.hands, dots)


def _luck(setting: Setting, found: Curves) -> str:
    _, unit = setting._, setting.unit
    most = max(max(map(abs, values)) for values in found.luck) or 1.0
    labels = tuple((value, luck_text(value, unit, _)) for value in (-most, 0.0, most))
    label = _in_words(setting, found, found.luck, lambda value: luck_text(value, unit, _))
    return plot(found.luck, Axis(-1.08 * most, 1.08 * most, labels), label, found.hands, names_hands=False)


def _shown(setting: Setting, seat: int) -> int:
    """The series on which a seat's decision is marked: of two sides only the first is drawn."""
    rules = setting.review.match.rules
    return 0 if rules.sides == 2 else rules.side_of(seat)


def _in_words(setting: Setting, found: Curves, series: list[list[float]], said: Callable[[float], str]) -> str:
    """What a plot shows, for who cannot see it: the figures at the start of each hand and at the end."""
    _, told = setting._, []
    for side, values in enumerate(series[:1] if len(series) == 2 else series):
        figures = ", ".join(said(values[place]) for place in (*found.hands, len(values) - 1))
        told.append(_("{head}: {text}").format(head=setting.side(side), text=figures))
    return _("At the start of each hand, and at the end: {figures}.").format(figures=_.join(told))


def mistakes(setting: Setting) -> str:
    """All decisions that are at least inaccuracies, in order, each a link to its place."""
    _ = setting._
    listed = ""
    for decision in setting.review.decisions:
        if not is_mistake(decision):
            continue
        grade = decision.grade
        loss = with_error(-decision.loss, decision.stderr, setting.unit, _, is_signed=True)
        words = f"{grade_name(grade, _)} {MARKS[grade]}"
        moves = _("{played}; best: {best}").format(
            played=setting.move(decision), best=setting.move(decision, best=True)
        )
        listed += (
            f'<li data-seat="{decision.seat}"><a href="#{name_of(decision)}">{escaped(setting.place(decision))}</a>'
            f" <b>{escaped(setting.seat(decision.seat))}</b>"
            f' <span class="badge g-{grade.value}">{escaped(words)}</span>'
            f' <span class="loss">{escaped(loss)}</span> <span class="what">{escaped(moves)}</span></li>'
        )
    none = element("p", escaped(_("No clear mistakes.")))
    body = element("h2", escaped(_("All mistakes"))) + (f'<ol class="list">{listed}</ol>' if listed else none)
    return f'<section class="panel spoil" {_hidden(setting)}>{body}</section>'


def _hidden(setting: Setting) -> str:
    """What stands in place of a part that would tell too much while a question stands open."""
    _ = setting._
    text = _("Hidden until you have picked a move.")
    return f'data-hidden="{escaped(text)}"'
