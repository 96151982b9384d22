"""A review for the terminal: tables, a small plot, and each seat's worst decisions with their reasons."""

from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from millebornes.analysis.curves import Curves, curves
from millebornes.analysis.figures import (
    chance,
    loss_text,
    luck_text,
    result_text,
    signed_in_unit,
    unit_name,
    with_error,
)
from millebornes.analysis.records import Decision, Grade, Review, SeatReview
from millebornes.analysis.scene import cards_text, cast_of, hand_before, rules_line, side_text, since_last
from millebornes.analysis.text_plot import Frame, plot_rows
from millebornes.analysis.words import MARKS, explain, grade_name, rating_text
from millebornes.i18n import Translator
from millebornes.session.cast import Cast
from millebornes.session.wording import describe_move
from millebornes.themes import Theme, theme_for
from millebornes.themes.wrapping import keep_no_break_spaces

__all__ = ["review_text"]

STYLES: Final = {
    Grade.BEST: "green",
    Grade.FINE: "green",
    Grade.INACCURACY: "yellow",
    Grade.MISTAKE: "dark_orange3",
    Grade.BLUNDER: "red",
}
WORST: Final = 3
HEIGHT: Final = 8
WIDEST: Final = 120
NARROWEST: Final = 10


def review_text(review: Review, console: Console, _: Translator, theme: Theme | None = None) -> None:
    """Print a review on a console of any width from some 60 columns on.

    Where the console is no terminal, rich leaves colours out; where its encoding is not a Unicode one, the plot and
    the lines are ASCII. ``theme`` names the cards (that of the language without it).
    """
    keep_no_break_spaces()
    _Printer(review, console, _, theme_for(_.language) if theme is None else theme).everything()


class _Printer:
    """Prints one review."""

    def __init__(self, review: Review, console: Console, _: Translator, theme: Theme) -> None:
        self.review = review
        self.console = console
        self.theme = theme
        self._ = _
        self.cast: Cast = cast_of(review, _)
        self.objective = review.objective.value
        self.ascii = console.options.ascii_only

    # ------------------------------------------------------------------ output

    def say(self, text: str | Text = "", indent: int = 0, style: str = "") -> None:
        """A paragraph, its further lines two columns further in; no markup is looked for in it, as in a name."""
        shown = Text(text, style=style) if isinstance(text, str) else text
        if self.ascii:
            shown.plain = _in_ascii(shown.plain)
        for place, line in enumerate(shown.wrap(self.console, self.console.width - indent - 2)):
            line.rstrip()
            margin = " " * (indent + (2 if place else 0)) if line.plain else ""
            self.console.print(Text(margin) + line, soft_wrap=True)

    def draw(self, row: str) -> None:
        """A row of a plot, whose blanks count."""
        self.console.print(Text(f"  {row}".rstrip()), soft_wrap=True)

    def heading(self, text: str) -> None:
        """A heading, with a blank line before it."""
        self.say()
        self.say(text, style="bold")

    def table(self, heads: list[str], body: list[list[str | Text]]) -> None:
        """A table whose first column is text and the others figures."""
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for place, head in enumerate(heads):
            table.add_column(Text(self.fit(head)), justify="right" if place else "left", overflow="fold")
        for row in body:
            table.add_row(*(Text(self.fit(cell)) if isinstance(cell, str) else cell for cell in row))
        self.console.print(Padding(table, (0, 0, 0, 2), expand=False))

    def fit(self, text: str) -> str:
        """A text that the console can show."""
        return _in_ascii(text) if self.ascii else text

    # ------------------------------------------------------------------ parts

    def everything(self) -> None:
        """The whole report."""
        _, review = self._, self.review
        sides = " – ".join(self.cast.side(side) for side in range(review.match.rules.sides))
        self.say(_("{head}: {text}").format(head=_("Review"), text=sides), style="bold")
        self.say(rules_line(review, _))
        self.say(_("Losses are given in: {unit}.").format(unit=unit_name(self.objective, _)))
        self.seats()
        self.sides()
        self.plot()
        for seat in review.seats:
            self.worst(seat)

    def seats(self) -> None:
        """Decisions, losses, ratings; then the counts by grade."""
        _ = self._
        self.heading(_("How everyone played"))
        heads = [_("player"), _("decisions"), _("loss per decision"), _("loss in all"), _("rating")]
        body: list[list[str | Text]] = []
        for seat in self.review.seats:
            loss = with_error(seat.loss_per_decision, seat.loss_stderr, self.objective, _)
            total = loss_text(seat.loss_total, self.objective, _)
            body.append([self.cast.seat(seat.seat), f"{seat.decisions}", loss, total, rating_text(seat, _)])
        self.table(heads, body)
        self.say()
        body = []
        for seat in self.review.seats:
            counts = [seat.grades.get(grade, 0) for grade in Grade]
            cells = [Text(f"{n}", style=STYLES[grade] if n else "dim") for grade, n in zip(Grade, counts, strict=True)]
            body.append([self.cast.seat(seat.seat), *cells])
        self.table([_("player"), *(grade_name(grade, _) for grade in Grade)], body)

    def sides(self) -> None:
        """Points, luck, and the result without luck."""
        _ = self._
        self.heading(_("Luck and the result"))
        body: list[list[str | Text]] = []
        for side in self.review.sides:
            luck = luck_text(side.luck, self.objective, _, side.luck_stderr)
            shown = result_text(side.adjusted, self.objective, _)
            body.append(
                [
                    self.cast.side(side.side),
                    f"{side.points}",
                    luck,
                    shown,
                ]
            )
        self.table([_("side"), _("points"), _("luck"), _("without luck")], body)

    def plot(self) -> None:
        """The course of the match, with its turning points."""
        _, found = self._, curves(self.review)
        if not found.main:
            return
        low, high = 0.0, 1.0
        if not found.chances:
            high = max(max(map(abs, series)) for series in found.luck) or 1.0
            low = -high
        labels = [
            chance(value, _) if found.chances else signed_in_unit(value, self.objective, _) for value in (high, low)
        ]
        margin = max(map(len, labels))
        height = HEIGHT if len(found.main) == 2 else HEIGHT // 2
        frame = Frame(min(self.console.width - margin - 4, WIDEST), height, low, high)
        if frame.width < NARROWEST:
            return
        self.heading(_("The chance to win the match") if found.chances else _("Luck so far"))
        shown = range(1) if len(found.main) == 2 else range(len(found.main))  # of two, the other is its mirror image
        edge = "|" if self.ascii else "│"
        for side in shown:
            self.say(self.cast.side(side), 2)
            rows = plot_rows(found.main[side], frame, ascii_only=self.ascii)
            scale = [labels[0], *[""] * (height - 2), labels[1]]
            for label, row in zip(scale, rows, strict=True):
                self.draw(f"{self.fit(label):>{margin}}{edge}{row}")
        self._turning_points(found, frame.width, margin)

    def _turning_points(self, found: Curves, width: int, margin: int) -> None:
        """Marks below the plot for where hands begin and where the chances turned, and what the marks mean."""
        _ = self._
        last = max(found.length - 1, 1)
        line = [" "] * width
        for place in found.hands:
            line[round(place * (width - 1) / last)] = "'"
        for place in found.turns:
            line[round(place * (width - 1) / last)] = "^"
        self.draw(f"{'':>{margin}} {''.join(line)}")
        self.say(_("' a hand begins   ^ a turning point"), margin + 3, style="dim")
        for point in self.review.turning_points:
            text = _("{place}: {swing} for {name}").format(
                place=self.place(point.hand, point.ply),
                swing=signed_in_unit(point.swing, self.objective, _),
                name=self.cast.side(0),
            )
            self.say(text, 2)

    def place(self, hand: int, ply: int) -> str:
        """Where in the match."""
        return self._("hand {hand}, move {ply}").format(hand=hand, ply=ply + 1)

    def worst(self, seat: SeatReview) -> None:
        """What cost this seat most, with the table, what was played, what was best, and why."""
        _ = self._
        name = self.cast.seat(seat.seat)
        self.heading(_("The worst decisions of {name}").format(name=name))
        decisions = self.review.worst(seat.seat, WORST)
        if not decisions:
            self.say(_("No clear mistakes."), 2)
        for place, decision in enumerate(decisions, 1):
            self._mistake(place, decision)

    def _mistake(self, place: int, decision: Decision) -> None:
        _, theme = self._, self.theme
        hand = hand_before(self.review, decision)
        title = Text(f"{place}. {self.place(decision.hand, decision.ply)}: ")
        loss = with_error(decision.loss, decision.stderr, self.objective, _)
        title.append(f"{grade_name(decision.grade, _)} {MARKS[decision.grade]}".rstrip(), STYLES[decision.grade])
        title.append(f", {loss}")
        self.say(title, 2)
        cards = cards_text(hand.cards(decision.seat), theme, _)
        self.say(_("{head}: {text}").format(head=_("hand"), text=cards), 5)
        for side, tableau in enumerate(hand.tableaux):
            text = side_text(tableau, theme, _)
            self.say(_("{head}: {text}").format(head=self.cast.side(side), text=text), 5)
        for told in since_last(hand, decision.seat, self.cast, theme, _)[-2:]:
            self.say(_("{head}: {text}").format(head=_("before"), text=told), 5)
        played = describe_move(decision.move, self.cast, decision.seat, theme, _)
        best = describe_move(decision.best, self.cast, decision.seat, theme, _)
        self.say(_("{head}: {text}").format(head=_("played"), text=played), 5)
        self.say(_("{head}: {text}").format(head=_("best"), text=best), 5)
        if decision.analysis is not None:
            for line in explain(decision.analysis, theme, _, self.cast):
                self.say(f"- {line}", 7)


_ASCII: Final = str.maketrans(
    {
        "±": "+-",
        "–": "-",
        "−": "-",
        "\u00a0": " ",
        "\u202f": " ",
        "’": "'",
        "«": '"',
        "»": '"',
        "„": '"',
        "“": '"',
        "”": '"',
    }
)


def _in_ascii(text: str) -> str:
    """The signs of this report in ASCII; letters stay, whoever writes the stream replaces what it cannot show."""
    return text.translate(_ASCII)
