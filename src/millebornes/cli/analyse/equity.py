"""``millebornes equity``: the chances to win a match, given its totals."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from millebornes.cli.common import ChosenTable, columns, json_option, match_target_option, table_options
from millebornes.cli.working import at_work
from millebornes.i18n import translator
from millebornes.table.setup import MAX_TARGET
from millebornes.words.editions import rules_title

if TYPE_CHECKING:
    from millebornes.editions import Rules
    from millebornes.policies.match_equity import Equity

MAX_SIDES: Final = 8
STEPS: Final = 10
"""The number of rows and columns in the table of chances."""


_HELP: Final = """\
Show each side's chance to win the match from these totals.

A B … are the totals of the sides before the next hand, for example: millebornes equity 3500 2500. The chances
assume that all sides play equally well, and that you don't know which side goes first. A drawn match counts as a
shared win."""


@click.command(help=_HELP)
@click.argument("totals", nargs=-1, required=True, metavar="A B …", type=click.IntRange(0, MAX_TARGET))
@table_options
@match_target_option("Points that end the match.", "N")
@json_option
def equity(
    totals: tuple[int, ...],
    table: ChosenTable,
    match_target: int | None,
    as_json: bool,
) -> None:
    """Run the command ``equity``."""
    if not 2 <= len(totals) <= MAX_SIDES:
        raise click.UsageError(f"give the total of each side: 2 to {MAX_SIDES} numbers, not {len(totals)}")
    if match_target is None:
        raise click.UsageError("--match-target: a match without a target is never won; give a number")
    rules = table.rules(len(totals), len(totals))
    if rules.sides != len(totals):
        raise click.UsageError(f"this table has {rules.sides} sides; give {rules.sides} totals, not {len(totals)}")

    with at_work("getting ready …"):
        from millebornes.policies.match_equity import equity_for, equity_stderr

        found = equity_for(rules, match_target)
        win = [_chance(found, totals, side) for side in range(rules.sides)]
        over = max(totals) >= match_target
        stderr = 0.0 if over else equity_stderr(rules, match_target, totals) if as_json else None
        lines = [] if as_json else list(_lines(rules, match_target, totals, win, found))
    if not as_json:
        click.echo("\n".join(lines))
        return
    shown = {
        "edition": rules.edition,
        "seats": rules.seats,
        "sides": rules.sides,
        "match_target": match_target,
        "totals": list(totals),
        "win": [round(chance, 6) for chance in win],
        "stderr": [None if stderr is None else round(stderr, 6)] * rules.sides,
    }
    click.echo(json.dumps(shown, ensure_ascii=False))


def _chance(found: "Equity", totals: Sequence[int], side: int) -> float:
    return sum(found.chance(totals, side, first) for first in range(found.sides)) / found.sides


def _lines(rules: "Rules", target: int, totals: Sequence[int], win: Sequence[float], found: "Equity") -> Iterator[str]:
    name = rules_title(rules, translator("en"), rules.edition or "an edition of your own")
    yield f"{name}, {rules.seats} seats, {rules.sides} sides: match to {target:,}"
    yield ""
    yield from columns(
        [
            ("side", "total", "chance of the match"),
            *(
                (str(side + 1), f"{total:,}", f"{100 * chance:.1f}%")
                for side, (total, chance) in enumerate(zip(totals, win, strict=True))
            ),
        ]
    )
    yield ""
    yield f"Worked out from {found.hands:,} hands between equal players."
    if rules.sides != 2:
        return
    marks = [round(target * step / STEPS) for step in range(STEPS)]
    yield ""
    yield "Chance of side 1 in %, by the totals of side 1 (down) and side 2 (across):"
    yield ""
    yield from columns(
        [
            ("", *(f"{mark:,}" for mark in marks)),
            *((f"{own:,}", *(f"{100 * _chance(found, (own, other), 0):.0f}" for other in marks)) for own in marks),
        ]
    )
