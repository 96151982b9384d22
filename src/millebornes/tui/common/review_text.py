"""A review for the terminal, with tables, a small plot, and each player's worst decisions with the reasons."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from millebornes.analysis.curves import Curves
from millebornes.analysis.match_review import Review
from millebornes.schema.exercises import Grade
from millebornes.tui.common.printing import fitting, table_of
from millebornes.tui.common.text_plot import plot_rows
from millebornes.tui.common.wrapping import keep_no_break_spaces
from millebornes.words.figures import chance, signed_in_unit, with_error
from millebornes.words.review import (
    DecisionModel,
    ReviewModel,
    ReviewTable,
    SeatFigures,
    side_text,
    words_for,
)
from millebornes.words.words import Words

STYLES: Final = {
    Grade.BEST: "green",
    Grade.FINE: "green",
    Grade.INACCURACY: "yellow",
    Grade.MISTAKE: "dark_orange3",
    Grade.BLUNDER: "red",
}
MAX_WORST: Final = 3
PLOT_HEIGHT: Final = 8
MAX_WIDTH: Final = 120
MIN_WIDTH: Final = 10


def review_text(review: Review, console: Console, words: Words) -> None:
    """Print a review on a console. A table that is wider than the console becomes a list.

    If the console isn't a terminal, rich leaves out colours. If the console's encoding isn't Unicode, the plot and the
    lines are drawn in ASCII.
    """
    keep_no_break_spaces()
    _Printer(ReviewModel(review, words_for(review, words)), console).everything()


class _Printer:
    def __init__(self, model: ReviewModel, console: Console) -> None:
        self.model = model
        self.console = console
        self._ = model.words.translate
        self.ascii = console.options.ascii_only

    # ------------------------------------------------------------------ output

    def say(self, text: str | Text = "", indent: int = 0, style: str = "") -> None:
        """Print a paragraph with a hanging indent of two columns.

        The text may contain names, so it isn't interpreted as markup.
        """
        shown = Text(text, style=style) if isinstance(text, str) else text
        if self.ascii:
            shown.plain = fitting(shown.plain, self.console)
        for place, line in enumerate(shown.wrap(self.console, self.console.width - indent - 2)):
            line.rstrip()
            margin = " " * (indent + (2 if place else 0)) if line.plain else ""
            self.console.print(Text(margin) + line, soft_wrap=True)

    def draw(self, row: str) -> None:
        self.console.print(Text(f"  {row}".rstrip()), soft_wrap=True)

    def heading(self, text: str) -> None:
        self.say()
        self.say(text, style="bold")

    def table(self, table: ReviewTable, styles: Sequence[str] = ()) -> None:
        """Print a table. ``styles`` lists the styles for the columns of figures, in which zeros are dimmed."""
        rows: Iterable[Sequence[str | Text]] = table.rows
        if self._width_of(table) > self.console.width:
            self._listed(table)
            return
        if styles:
            rows = (
                [
                    name,
                    *(Text(cell, "dim" if cell == "0" else style) for cell, style in zip(cells, styles, strict=True)),
                ]
                for name, *cells in table.rows
            )
        self.console.print(Padding(table_of(table.heads, rows, self.console), (0, 0, 0, 2), expand=False))

    def _width_of(self, table: ReviewTable) -> int:
        """Return the number of columns that a table needs without breaking a line."""
        columns = zip(table.heads, *table.rows, strict=True)
        return sum(2 + max(cell_len(fitting(cell, self.console)) for cell in column) for column in columns)

    def _listed(self, table: ReviewTable) -> None:
        """Print each row of a table that is too wide as a list: the name, and then a line for each figure."""
        for name, *cells in table.rows:
            self.say(name, 2)
            for head, cell in zip(table.heads[1:], cells, strict=True):
                self.say(self.model.headed(head, cell), 4)

    # ------------------------------------------------------------------ parts

    def everything(self) -> None:
        _, model = self._, self.model
        self.say(model.title, style="bold")
        self.say(model.played_line)
        self.say(model.unit_line)
        self.heading(_("How everyone played"))
        self.table(model.seat_table())
        self.say()
        self.table(model.grade_table, [STYLES[grade] for grade in Grade])
        self.heading(_("Luck and the result"))
        self.table(model.side_table)
        self.plot()
        for seat in model.seats:
            self.worst(seat)

    def plot(self) -> None:
        _, found = self._, self.model.curves
        low, high = 0.0, 1.0
        if not found.chances:
            high = max(max(map(abs, series)) for series in found.luck) or 1.0
            low = -high
        labels = [
            chance(value, _) if found.chances else signed_in_unit(value, self.model.unit, _) for value in (high, low)
        ]
        margin = max(map(len, labels))
        height = PLOT_HEIGHT if len(found.main) == 2 else PLOT_HEIGHT // 2
        width = min(self.console.width - margin - 4, MAX_WIDTH)
        if width < MIN_WIDTH:
            return
        self.heading(self.model.course_title(of_chances=bool(found.chances)))
        shown = range(1) if len(found.main) == 2 else range(len(found.main))  # one of two lines mirrors the other
        edge = "|" if self.ascii else "│"
        for side in shown:
            self.say(self.model.side(side), 2)
            rows = plot_rows(found.main[side], width, height, low, high, ascii_only=self.ascii)
            scale = [labels[0], *[""] * (height - 2), labels[1]]
            for label, row in zip(scale, rows, strict=True):
                self.draw(f"{fitting(label, self.console):>{margin}}{edge}{row}")
        self._turning_points(found, width, margin)

    def _turning_points(self, found: Curves, width: int, margin: int) -> None:
        _ = self._
        last = len(found.main[0]) - 1
        line = [" "] * width
        for place in found.hands:
            line[round(place * (width - 1) / last)] = "'"
        for place in found.turns:
            line[round(place * (width - 1) / last)] = "^"
        self.draw(f"{'':>{margin}} {''.join(line)}")
        self.say(_("' a hand begins   ^ a turning point"), margin + 3, style="dim")
        for text in self.model.turning_points:
            self.say(text, 2)

    def worst(self, seat: SeatFigures) -> None:
        _ = self._
        whose = _("Your worst decisions") if self.model.is_reader(seat.name) else _("{name}'s worst decisions")
        self.heading(whose.format(name=seat.name))
        decisions = self.model.worst(seat.seat, MAX_WORST)
        if not decisions:
            self.say(self.model.no_mistakes, 2)
        for place, decision in enumerate(decisions, 1):
            self._mistake(place, decision)

    def _mistake(self, place: int, judged: DecisionModel) -> None:
        _, model, decision = self._, self.model, judged.decision
        title = Text(f"{place}. {judged.place}: ")
        title.append(judged.verdict, STYLES[decision.grade])
        title.append(f", {with_error(decision.loss, decision.stderr, model.unit, _)}")
        self.say(title, 2)
        self.say(model.headed(_("hand"), judged.cards(judged.hand.cards(decision.seat))), 5)
        for side, tableau in enumerate(judged.hand.tableaux):
            self.say(model.headed(model.side(side), side_text(tableau, model.words)), 5)
        for told in judged.before[-2:]:
            self.say(model.headed(_("before"), told), 5)
        self.say(model.headed(_("played"), judged.played), 5)
        self.say(model.headed(_("best"), judged.best), 5)
        for line in judged.why:
            self.say(f"- {line}", 7)
