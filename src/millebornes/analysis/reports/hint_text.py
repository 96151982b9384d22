"""Print a hint for the terminal: all moves in a table, and the reasons in sentences."""

from typing import Final

from rich.console import Console
from rich.text import Text

from millebornes.analysis.records import Analysis, Comparison, MoveEstimate
from millebornes.analysis.reports.figures import chance, move_figures, number, with_error
from millebornes.analysis.reports.hint_sentence import NamedSides, hint_sentence
from millebornes.analysis.reports.printing import fitting, table_of
from millebornes.analysis.reports.reasons import explain
from millebornes.editions import Rules
from millebornes.i18n import Translator
from millebornes.schema.exercises import Objective
from millebornes.texts.moves import Targets, describe_move
from millebornes.texts.score_sheet import LABELS
from millebornes.themes import Theme
from millebornes.themes.wrapping import keep_no_break_spaces

BEST: Final = "*"
MIN_ERRORS_OF_LOSSES: Final = 2.0
"""A loss smaller than this many standard errors may be due to chance."""


class SideNames:
    """Names for the sides if the players' names are unknown: "your rivals", or the numbers of the sides from 1."""

    def __init__(self, rules: Rules, seat: int, _: Translator) -> None:
        self.rules = rules
        self._own: Final = rules.side_of(seat)
        self._ = _

    def target(self, side: int, viewer: int | None = None) -> str:
        """Return the name of the side on which a card is played. ``viewer`` makes no difference here."""
        if side == self._own:
            return self._("you")
        if self.rules.sides == 2:
            return self._("the others")
        return self._("side {number}").format(number=side + 1)

    def side(self, side: int, viewer: int | None = None) -> str:
        """Return the name of a side as the subject of a sentence. ``viewer`` makes no difference here."""
        is_rival = self.rules.sides == 2 and side != self._own and len(self.rules.seats_of(side)) == 1
        return self._("your rival") if is_rival else self.target(side)


def _is_certain(known: MoveEstimate) -> bool:
    return not known.loss_stderr or known.loss > MIN_ERRORS_OF_LOSSES * known.loss_stderr


def loss_with_error(known: MoveEstimate, analysis: Analysis, _: Translator) -> str:
    """Return the loss of a move with its unit. If it may be due to chance, add the standard error."""
    stderr = 0.0 if _is_certain(known) else known.loss_stderr
    return with_error(known.loss, stderr, analysis.objective.value, _)


def loss_column(known: MoveEstimate, analysis: Analysis, _: Translator) -> str:
    """Return the loss of a move for a narrow column: "12" or "1.2%".

    If it may be due to chance: "12±7" or "1.2±0.7".
    """
    in_match = analysis.objective is Objective.MATCH
    if _is_certain(known):
        return chance(known.loss, _, 1) if in_match else number(known.loss, 0, _)
    figures = [100 * x if in_match else x for x in (known.loss, known.loss_stderr)]
    return "±".join(number(figure, int(in_match), _) for figure in figures)


def hint_rows(analysis: Analysis, targets: Targets, theme: Theme, _: Translator) -> list[list[str]]:
    """Return the table of moves, best move first: the lead in points, the loss, and the chances to win."""
    rows = []
    for known in analysis.moves:
        loss, lead, *chances = move_figures(known, analysis.objective.value, _)
        rows.append([describe_move(known.move, targets, None, theme, _), lead, loss, *chances])
    return rows


def hint_text(
    analysis: Analysis, participants: NamedSides, viewer: int, console: Console, theme: Theme, _: Translator
) -> None:
    """Print a hint: one sentence, all moves with the best first, the reasons, and the number of simulations."""
    keep_no_break_spaces()
    _say(hint_sentence(analysis, participants, viewer, theme, _), console, style="bold")
    console.print()
    in_match = analysis.objective is Objective.MATCH
    heads = [_("move"), _("lead"), _("loss"), _("win the hand")] + ([_("win the match")] if in_match else [])
    best, *others = hint_rows(analysis, participants, theme, _)
    marked = [Text(fitting(cell, console), style="bold") for cell in (BEST, *best)]
    console.print(table_of(["", *heads], [marked, *(["", *row] for row in others)], console, words=2))
    console.print()
    if analysis.comparison is not None:
        _print_comparison(analysis.comparison, participants, console, theme, _)
    for line in explain(analysis, theme, _, participants):
        _say(line, console)
    first = analysis.moves[0].worlds
    text = _.plural("{n} simulation", "{n} simulations", first).format(n=first)
    seconds = number(analysis.seconds, 1, _)
    _say(_("{worlds}, {rollouts} hands in all, {seconds} s.").format(
        worlds=text, rollouts=analysis.rollouts, seconds=seconds
    ), console, style="dim")  # fmt: skip


def _print_comparison(found: Comparison, targets: Targets, console: Console, theme: Theme, _: Translator) -> None:
    heads = [_("points ahead"), *(describe_move(move, targets, None, theme, _) for move in found.moves)]
    lines = [(_(LABELS[line]), number(one, 1, _), number(other, 1, _)) for line, one, other in found.lines]
    rows = [row for row in lines if row[1] != row[2]]
    for head, chances in ((_("win the hand"), found.win_hand), (_("win the match"), found.win_match)):
        if chances is not None:
            rows.append((head, chance(chances[0], _, 1), chance(chances[1], _, 1)))
    console.print(table_of(heads, rows, console))
    console.print()


def _say(text: str, console: Console, style: str = "") -> None:
    for line in Text(fitting(text, console), style=style).wrap(console, console.width):
        line.rstrip()
        console.print(line, soft_wrap=True)
