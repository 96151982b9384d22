"""``millebornes hint``: the best move in a situation, and the reasons for it."""

import json
import re
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.cli.common import ChosenTable, json_option, language_option, objective_option, opened, table_options
from millebornes.cli.working import at_work
from millebornes.errors import NotationError
from millebornes.i18n import choose_language, translator

if TYPE_CHECKING:
    from millebornes.analysis.reading import Situation
    from millebornes.analysis.records import Analysis
    from millebornes.game import Move
    from millebornes.schema.exercises import Objective

DEFAULT_WORLDS: Final = 2048
"""This many simulations take about half a second."""
MAX_WORLDS: Final = 1_000_000


class MomentType(click.ParamType):  # type: ignore[type-arg] # generic only in newer versions
    """``HAND:PLY``: the number of a hand (from 1) and of a move (from 0). The value is a pair of integers."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return the two numbers of a value, as click asks for them."""
        if isinstance(value, tuple):
            return value
        numbers = re.fullmatch(r"(\d{1,9}):(\d{1,9})", str(value), re.ASCII)
        if numbers is None:
            self.fail(f"{value!r} is not HAND:PLY, such as 1:0 for the first decision of the first hand", param, ctx)
        return int(numbers[1]), int(numbers[2])


_HELP: Final = """\
Compare all legal moves of a decision, and show which is best and why.

FILE (- for standard input) contains one of these: a VIEW of the bot protocol as JSON, with its own rules or with
the rules that you choose by options; or the text of a position, of a view, or of what a seat has seen. With --at,
FILE is a transcript or a saved game, and the hint uses everything that the player had seen in the hand. The rest of
the hand is simulated after each move, with hidden cards that are consistent with what the player knows."""


@click.command(help=_HELP)
@click.argument("file", metavar="[FILE|-]", default="-")
@click.option(
    "--at",
    "moment",
    type=MomentType(),
    metavar="HAND:PLY",
    help="Decision to analyse if FILE is a transcript or saved game: hand (from 1) and move (from 0).",
)
@click.option(
    "--worlds",
    type=click.IntRange(1, MAX_WORLDS),
    metavar="N",
    help=f"Run this many simulations.  [default: {DEFAULT_WORLDS} if there is no --time]",
)
@click.option(
    "--time", "milliseconds", type=click.IntRange(1, 3_600_000), metavar="MS", help="Think for this many milliseconds."
)
@objective_option
@click.option(
    "--compare",
    "compared",
    nargs=2,
    metavar="MOVE MOVE",
    help="Compare two moves side by side, such as --compare 100 -25.",
)
@click.option("--seed", default="0", show_default=True, metavar="S", help="Random seed for the simulations.")
@table_options
@json_option
@language_option
def hint(
    file: str,
    moment: tuple[int, int] | None,
    worlds: int | None,
    milliseconds: int | None,
    objective: str | None,
    compared: tuple[str, str] | None,
    as_json: bool,
    language: str | None,
    table: ChosenTable,
    seed: str,
) -> None:
    """Run the command ``hint``."""
    from millebornes.schema.exercises import Objective

    asked = _asked(file, moment, table)
    weighed = None if objective is None else Objective(objective)
    analysis = _think(asked, worlds, milliseconds, weighed, _compared(asked, compared), seed)
    _ = translator(choose_language(language))
    if as_json:
        from millebornes.words.report_json import hint_json

        click.echo(json.dumps(hint_json(analysis, _=_), ensure_ascii=False, allow_nan=False))
        return
    from rich.console import Console

    from millebornes.cli.analyse.hint_text import hint_text
    from millebornes.words.participants import SideNames
    from millebornes.words.words import Words

    names = SideNames(asked.rules, asked.seat, _)
    hint_text(analysis, asked.seat, Console(), Words.of(_.language).at(names))


def _asked(file: str, moment: tuple[int, int] | None, table: ChosenTable) -> "Situation":
    from millebornes.analysis.reading import MAX_FILE, read_situation, seen_at
    from millebornes.notation import read_match

    if file == "-" and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError("name a FILE, or give the position on standard input")
    with opened(file) as (stream, where):
        data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise NotationError(f"{where}: longer than {MAX_FILE >> 20} MiB, the most that this command reads")
    if moment is not None:
        match, has_rules = read_match(data.splitlines(keepends=True), where), True
        try:
            asked: Situation = seen_at(match, *moment)
        except NotationError as error:
            raise NotationError(f"{where}: {error}") from None
    else:
        asked, has_rules = read_situation(data, where, table.rules)
    if has_rules and table.given:
        raise click.UsageError(f"{where} already contains its rules; leave out {', '.join(table.given)}")
    return asked


def _compared(asked: "Situation", texts: tuple[str, str] | None) -> "tuple[Move, Move] | None":
    from millebornes.game import View

    if not texts:
        return None
    view = asked if isinstance(asked, View) else asked.view
    legal = {move.text: move for move in view.legal_moves}
    for text in texts:
        if text not in legal:
            raise click.UsageError(
                f"--compare: {text!r} isn't a legal move here; the legal moves are {', '.join(legal)}"
            )
    if texts[0] == texts[1]:
        raise click.UsageError("--compare: name two different moves")
    return legal[texts[0]], legal[texts[1]]


def _think(
    asked: "Situation",
    worlds: int | None,
    milliseconds: int | None,
    objective: "Objective | None",
    compared: "tuple[Move, Move] | None",
    seed: str,
) -> "Analysis":
    most = worlds or (DEFAULT_WORLDS if milliseconds is None else MAX_WORLDS)
    with at_work("simulating …") as work:
        from millebornes.analysis.hints import refined_hints

        hints = refined_hints(
            asked, worlds=most, milliseconds=milliseconds, objective=objective, compared=compared, seed=seed
        )
        for latest in hints:
            if milliseconds is None:
                work.show(latest.moves[0].worlds, most)
    return latest
