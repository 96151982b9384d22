"""Print a hint for the terminal: all moves in a table, and the reasons in sentences."""

from typing import Final

from rich.console import Console
from rich.text import Text

from millebornes.analysis.records import Analysis, Comparison
from millebornes.schema.exercises import Objective
from millebornes.tui.common.printing import fitting, table_of
from millebornes.tui.common.wrapping import keep_no_break_spaces
from millebornes.words.figures import chance, move_figures, number
from millebornes.words.hints import hint_sentence
from millebornes.words.moves import describe_move
from millebornes.words.reasons import explain
from millebornes.words.score_sheet import LABELS
from millebornes.words.words import TableWords

BEST: Final = "*"


def hint_rows(analysis: Analysis, words: TableWords) -> list[list[str]]:
    """Return the table of moves, best move first: the lead in points, the loss, and the chances to win."""
    _, rows = words.translate, []
    for known in analysis.moves:
        loss, lead, *chances = move_figures(known, analysis.objective.value, _)
        rows.append([describe_move(known.move, None, words), lead, loss, *chances])
    return rows


def hint_text(analysis: Analysis, viewer: int, console: Console, words: TableWords) -> None:
    """Print a hint: one sentence, all moves with the best first, the reasons, and the number of simulations."""
    _ = words.translate
    keep_no_break_spaces()
    _say(hint_sentence(analysis, viewer, words), console, style="bold")
    console.print()
    in_match = analysis.objective is Objective.MATCH
    heads = [_("move"), _("lead"), _("loss"), _("win the hand")] + ([_("win the match")] if in_match else [])
    best, *others = hint_rows(analysis, words)
    marked = [Text(fitting(cell, console), style="bold") for cell in (BEST, *best)]
    console.print(table_of(["", *heads], [marked, *(["", *row] for row in others)], console, words=2))
    console.print()
    if analysis.comparison is not None:
        _print_comparison(analysis.comparison, console, words)
    for line in explain(analysis, words):
        _say(line, console)
    first = analysis.moves[0].worlds
    text = _.plural("{n} simulation", "{n} simulations", first).format(n=first)
    seconds = number(analysis.seconds, 1, _)
    _say(_("{worlds}, {rollouts} hands in all, {seconds} s.").format(
        worlds=text, rollouts=analysis.rollouts, seconds=seconds
    ), console, style="dim")  # fmt: skip


def _print_comparison(found: Comparison, console: Console, words: TableWords) -> None:
    _ = words.translate
    heads = [_("points ahead"), *(describe_move(move, None, words) for move in found.moves)]
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
