"""One decision of a review as a piece of the page: the table as its seat saw it, all moves with their figures, why."""

import dataclasses
from typing import NamedTuple

from millebornes.analysis.figures import chance, expected_lead, loss_text, with_error
from millebornes.analysis.page.cards import back_row, face_row, marked, side_rows
from millebornes.analysis.page.markup import bar, element, escaped, items
from millebornes.analysis.records import MISTAKES, Analysis, Decision, MoveEstimate, Review
from millebornes.analysis.scene import cards_text, hand_before, side_text, since_last, view_of
from millebornes.analysis.words import MARKS, explain, grade_name
from millebornes.cards import Card
from millebornes.game import Phase, View
from millebornes.i18n import Translator
from millebornes.texts.moves import describe_move
from millebornes.texts.participants import Participants
from millebornes.themes import Theme

__all__ = ["Article", "Setting", "article", "figures_of", "heads_of", "is_mistake", "name_of", "open_text"]


@dataclasses.dataclass(frozen=True)
class Setting:
    """What all parts of a page are made from: the review, the names, the words, and whose own seat it is, if known."""

    review: Review
    cast: Participants
    theme: Theme
    _: Translator
    viewer: int | None = None

    @property
    def unit(self) -> str:
        """The value of the review's objective."""
        return self.review.objective.value

    def seat(self, seat: int) -> str:
        """The name of a seat; ``You`` for the viewer's own."""
        return self.cast.seat(seat, self.viewer)

    def side(self, side: int) -> str:
        """The name of a side."""
        return self.cast.side(side, self.viewer)

    def move(self, decision: Decision, best: bool = False) -> str:
        """The move that was made, or the best one, in words."""
        move = decision.best if best else decision.move
        return describe_move(move, self.cast, decision.seat, self.theme, self._)

    def place(self, decision: Decision) -> str:
        """Where in the match, in words."""
        return self._("hand {hand}, move {ply}").format(hand=decision.hand, ply=decision.ply + 1)


def name_of(decision: Decision) -> str:
    """The anchor of a decision."""
    return f"m{decision.hand}-{decision.ply + 1}"


def is_mistake(decision: Decision) -> bool:
    """Whether a decision is one to learn from."""
    return decision.grade in MISTAKES


class Article(NamedTuple):
    """The piece of a decision: its opening tag, and what is in it."""

    tag: str
    inside: str

    def __str__(self) -> str:
        return f"{self.tag}{self.inside}</article>"


def article(setting: Setting, decision: Decision) -> Article:
    """The whole piece; what tells the answer has the class ``a``, what shows hidden cards ``opn``."""
    _ = setting._
    heading = f"{setting.place(decision)} · {setting.seat(decision.seat)}"
    head = element("h3", escaped(heading[0].upper() + heading[1:]) + _badge(setting, decision))
    told = since_last(hand_before(setting.review, decision), decision.seat, setting.cast, setting.theme, _)
    before = f'<p class="before">{escaped(_.join(told))}</p>' if told else ""
    inside = f'<div class="board">{_board(setting, decision)}</div><div class="told">{_told(setting, decision)}</div>'
    classes = "d x" if is_mistake(decision) else "d"
    tag = (
        f'<article class="{classes}" id="{name_of(decision)}" data-seat="{decision.seat}" '
        f'data-grade="{decision.grade.value}"{" data-forced" if decision.forced else ""}>'
    )
    return Article(tag, f"{head}{before}{inside}")


def _badge(setting: Setting, decision: Decision) -> str:
    """The grade and the loss."""
    _ = setting._
    if decision.forced:
        return " " + element("span", escaped(_("the only move")), class_="badge forced")
    words = f"{grade_name(decision.grade, _)} {MARKS[decision.grade]}".rstrip()
    text = f'<span class="badge a g-{decision.grade.value}">{escaped(words)}</span>'
    if decision.loss > 0:
        loss = with_error(-decision.loss, decision.stderr, setting.unit, _, is_signed=True)
        text += f'<span class="loss a">{escaped(loss)}</span>'
    return f" {text}"


# ---------------------------------------------------------------- the table


def _board(setting: Setting, decision: Decision) -> str:
    """The sides, the piles and the hands; other hands face down, and once more face up for who asks for it."""
    _, cast, theme = setting._, setting.cast, setting.theme
    view = view_of(setting.review, decision)
    parts = [_side(setting, view, side) for side in range(view.rules.sides)]
    hands = hand_before(setting.review, decision).hands
    others = [
        _other_seat(cast.seat(seat), _back(setting, seat, count), _open(setting, seat, hands[seat]))
        for seat, count in enumerate(view.hand_sizes)
        if seat != decision.seat
    ]
    top = (view.discard_top,) if view.discard_top is not None else ()
    thrown = cards_text(top, theme, _)
    drawn = _("{head}: {text}").format(head=theme.pile("draw"), text=view.draw_pile)
    heap = _("{head}: {text}").format(head=theme.pile("discard"), text=sum(view.discards.values()))
    lying = _("{head}: {text}").format(head=theme.pile("discard"), text=thrown)
    piles = _other_seat(drawn, back_row(min(view.draw_pile, 3), drawn, 0.5), "")
    piles += _other_seat(heap, face_row(top, lying, {}, 0.5), "")
    parts.append(f'<div class="others">{piles}{"".join(others)}</div>')
    marks = {} if decision.forced else marked(decision.best.card, decision.move.card)
    own = _("{head}: {text}").format(head=cast.seat(decision.seat), text=cards_text(view.hand, theme, _))
    parts.append(
        f'<div class="own"><span class="name">{escaped(cast.seat(decision.seat))}</span>'
        f"{face_row(view.hand, own, marks, 0.9)}</div>"
    )
    return "".join(parts)


def _side(setting: Setting, view: View, side: int) -> str:
    tableau, theme = view.tableaux[side], setting.theme
    lit = " on" if side == view.side else ""
    name = f'<span class="key s{side}"></span>{escaped(setting.side(side))}'
    miles = f"{tableau.distance} / {view.goal} {theme.unit_short}"
    rows = side_rows(tableau, side_text(tableau, theme, setting._))
    road = bar([(f"s{side}", tableau.distance / view.goal)], "road")
    points = setting._("{points} points").format(points=view.totals[side])
    return (
        f'<div class="side{lit}"><div class="sh"><b>{name}</b><span class="pts">{escaped(points)}</span>'
        f'<span>{escaped(miles)}</span></div>{road}<div class="rows">{rows}</div></div>'
    )


def _other_seat(name: str, hidden: str, shown: str) -> str:
    return f'<div class="seat"><span>{escaped(name)}</span>{hidden}{shown}</div>'


def _back(setting: Setting, seat: int, count: int) -> str:
    _ = setting._
    text = _.plural("{n} card", "{n} cards", count).format(n=count)
    label = _("{head}: {text}").format(head=setting.seat(seat), text=text)
    return f'<span class="hid">{back_row(count, label, 0.5)}</span>'


def _open(setting: Setting, seat: int, cards: tuple[Card, ...]) -> str:
    text = cards_text(cards, setting.theme, setting._)
    label = setting._("{head}: {text}").format(head=setting.seat(seat), text=text)
    return f'<span class="opn">{face_row(cards, label, {}, 0.5)}</span>'


# ---------------------------------------------------------------- the figures


def _told(setting: Setting, decision: Decision) -> str:
    """What was played and what was best, all moves, the reasons."""
    _, analysis = setting._, decision.analysis
    played = _("{head}: {text}").format(head=_("played"), text=setting.move(decision))
    if analysis is None:
        return f'<p class="verdict">{escaped(played)}</p>'
    best = _("{head}: {text}").format(head=_("best"), text=setting.move(decision, best=True))
    same = decision.move == decision.best
    if same:
        both = _("{head}: {text}").format(head=_("played, and best"), text=setting.move(decision))
        lines = f'<p class="verdict a"><span class="b">{escaped(both)}</span></p>'
    else:
        lines = (
            f'<p class="verdict a"><span class="p">{escaped(played)}</span><span class="b">{escaped(best)}</span></p>'
        )
    question = _question(view_of(setting.review, decision).phase, _)
    asked = f'<p class="ask q">{escaped(question)}</p>'
    why = items(explain(analysis, setting.theme, _, setting.cast), "why a")
    told = open_text(setting, decision)
    opened = f'<p class="opn a">{escaped(told)}</p>' if told else ""
    return f"{asked}{lines}{_moves(setting, decision, analysis)}{why}{opened}"


def open_text(setting: Setting, decision: Decision) -> str:
    """What all open cards say of a move that was not the best; nothing of others."""
    _ = setting._
    if decision.open_loss is None or decision.move == decision.best:
        return ""
    text = (
        _("With all cards known, the move that was played brought {loss} less than the best one.")
        if decision.open_loss >= 0
        else _("With all cards known, the move that was played brought {loss} more than the best one.")
    )
    return text.format(loss=loss_text(abs(decision.open_loss), setting.unit, _))


def _question(phase: Phase, _: Translator) -> str:
    if phase in {Phase.COUP, Phase.OPENING}:
        return _("A coup fourré could be called. What would you do?")
    if phase is Phase.EXTEND:
        return _("The goal is reached. Would you extend the trip?")
    return _("What would you play?")


def _moves(setting: Setting, decision: Decision, analysis: Analysis) -> str:
    """All legal moves, the best first; ``data-o`` is the place of each in the order of their texts."""
    _ = setting._
    order = sorted(known.move.text for known in analysis.moves)
    heads = heads_of(setting, analysis)
    body = []
    for known in analysis.moves:
        name = describe_move(known.move, setting.cast, decision.seat, setting.theme, _)
        classes = " ".join(
            mark for mark, is_it in (("b", known.move == decision.best), ("p", known.move == decision.move)) if is_it
        )
        class_ = f' class="{classes}"' if classes else ""
        cells = "".join(f"<td>{_split(cell)}</td>" for cell in figures_of(setting, known, analysis))
        body.append(f'<tr{class_} data-o="{order.index(known.move.text)}"><td>{escaped(name)}</td>{cells}</tr>')
    head = f"<th>{escaped(heads[0])}</th>" + "".join(f"<th>{escaped(text)}</th>" for text in heads[1:])
    return f'<table class="moves"><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def _split(cell: str) -> str:
    """A figure, its error apart, which stands below it on a narrow screen."""
    figure, sign, error = escaped(cell).partition("±")
    return f"{figure}<i>{sign}{error}</i>" if sign else figure


def heads_of(setting: Setting, analysis: Analysis) -> list[str]:
    """The heads of the table of moves: the move and what `figures_of` gives."""
    _ = setting._
    return [_("move"), _("loss"), _("lead"), _("wins hand")] + ([_("wins match")] if _in_match(analysis) else [])


def _in_match(analysis: Analysis) -> bool:
    return any(known.win_match is not None for known in analysis.moves)


def figures_of(setting: Setting, known: MoveEstimate, analysis: Analysis) -> list[str]:
    """What is known of a move: its loss, the lead and the chances after it."""
    _ = setting._
    if not known.loss:
        loss = "–"
    elif analysis.is_proven:
        loss = loss_text(known.loss, setting.unit, _)
    else:
        loss = with_error(known.loss, known.loss_stderr, setting.unit, _)
    cells = [loss, expected_lead(known.value, known.stderr, _), chance(known.win_hand, _)]
    if _in_match(analysis):
        cells.append("–" if known.win_match is None else chance(known.win_match, _, 1))
    return cells
