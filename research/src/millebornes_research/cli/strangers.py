"""``millebornes strangers``: measure a player against random players, and at random tables."""

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.cli.common import json_option, match_target_option, rules_from, seed_option, table_options
from millebornes.cli.interruption import interruptible
from millebornes_research.cli.lab_run import progress

if TYPE_CHECKING:
    from millebornes_research.lab.sheets import Sheet
    from millebornes_research.training.meetings import Meeting, Summary

__all__ = ["strangers"]

DECKS: Final = 400
COUNT: Final = 100
MAX_COUNT: Final = 100_000


@click.command()
@click.argument("player", metavar="PLAYER")
@click.option(
    "--part",
    type=click.Choice(["learn", "choose", "report"]),
    default="report",
    show_default=True,
    help="Set of strangers: nets learn from the first set and are chosen with the second.",
)
@click.option(
    "--count",
    type=click.IntRange(1, MAX_COUNT),
    default=COUNT,
    show_default=True,
    metavar="N",
    help="Number of strangers to meet.",
)
@click.option(
    "--random-tables",
    "tables",
    type=click.IntRange(1, MAX_COUNT),
    metavar="N",
    help="Meet the baseline at this many tables with random settings and 2 to 6 seats, instead of strangers.",
)
@click.option(
    "--baseline",
    default="maxims",
    show_default=True,
    metavar="PLAYER",
    help="Player that plays the same decks against the strangers, or opposes PLAYER at random tables.",
)
@click.option(
    "--decks",
    type=click.IntRange(2, 10_000_000),
    default=DECKS,
    show_default=True,
    metavar="N",
    help="Number of decks of hands or matches for each stranger or table; PLAYER plays each side once.",
)
@table_options
@match_target_option
@seed_option
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@json_option
def strangers(
    player: str,
    part: str,
    count: int,
    tables: int | None,
    baseline: str,
    decks: int,
    edition: str | None,
    seats: int | None,
    sides: int | None,
    settings: Mapping[str, Any],
    match_target: int | None,
    seed: str | None,
    markdown: bool,
    as_json: bool,
) -> int:
    """Measure a player against strangers or at random tables: its average result, and that of the worst quarter.

    Strangers are kernel players drawn at random from wide ranges. PLAYER and the baseline must play in kernels, such as
    instant, maxims or instant:FILE.npz. Shares are differences from an equal share, in percentage points. Intervals are
    for 95% and treat strangers or tables as the random sample.
    """
    from millebornes.errors import MilleBornesError
    from millebornes_research.lab.changes import random_tables
    from millebornes_research.pool.strangers import Stranger
    from millebornes_research.seeds import seed_word
    from millebornes_research.training.meetings import strangers_met, tables_met

    rules = rules_from(edition, seats, sides, settings)
    if tables is not None and (edition or seats or sides or settings):
        raise click.UsageError("--random-tables draws the tables; leave out --edition, --seats, --sides and --set")
    seed = seed if seed is not None else str(secrets.randbelow(2**53))
    word, target, begun = seed_word(seed, "strangers"), match_target or 0, time.perf_counter()
    if tables is not None:
        games = tables_met(random_tables(tables, seed), player, baseline, decks, seed=word, target=target)
    else:
        met = [Stranger(part, number) for number in range(count)]
        games = strangers_met(rules, player, baseline, met, decks, seed=word, target=target)
    total, found = tables or count, list["Meeting"]()
    with interruptible() as interruption, progress(total) as show:
        try:
            for meeting in games:
                found.append(meeting)
                show(len(found), meeting.name)
        except MilleBornesError as error:
            raise click.UsageError(str(error)) from None
    seconds, stopped = time.perf_counter() - begun, interruption.happened
    where = "random tables" if tables is not None else f"{rules.edition or 'an edition of your own'} {rules.table}"
    if as_json:
        report = {
            "player": player,
            "baseline": baseline,
            "table": where,
            "match_target": match_target,
            "decks": decks,
            "meetings": [meeting.plain() for meeting in found],
            "seed": seed,
            "wall_s": round(seconds, 3),
        }
        click.echo(json.dumps(report, ensure_ascii=False))
    else:
        from millebornes_research.lab.sheets import as_markdown, as_text

        if found:
            games_text = f"{decks:,} decks of " + (f"matches to {match_target}" if match_target else "hands")
            against = baseline if tables is not None else f"strangers ({part})"
            title = f"{where}, {len(found)} times against {against}, {games_text} each"
            sheet = [(player, _sheet(title, player, baseline, found))]
            click.echo("\n".join(as_markdown(sheet) if markdown else as_text(sheet)))
        click.echo(f"seed {seed}, {seconds:.1f} s" + (", not complete" * stopped))
    return 1 if stopped else 0


def _sheet(title: str, player: str, baseline: str, found: "Sequence[Meeting]") -> "Sheet":
    from millebornes.arena.statistics import mean_estimate
    from millebornes_research.lab.counts import plain
    from millebornes_research.lab.sheets import Column, Sheet
    from millebornes_research.training.meetings import summary_of

    def row(name: str, summary: "Summary") -> dict[str, Any]:
        edge, points = plain(summary.edge), plain(summary.points)
        return {"player": name, "edge": edge, "worst": summary.worst, "points": points}

    own = summary_of(found)
    rows = [row(player, own)]
    if found[0].baseline is not None:
        other = summary_of(found, of_baseline=True)
        apart = mean_estimate([meeting.edge() - meeting.edge(of_baseline=True) for meeting in found])
        rows += [
            row(baseline, other),
            {"player": "difference", "edge": plain(apart), "worst": own.worst - other.worst, "points": None},
        ]
    columns = (
        Column("player", "player", "text"),
        Column("edge", "share", "edge"),
        Column("worst", "worst quarter", "edge"),
        Column("points", "points a hand", "gain"),
    )
    return Sheet("strangers", title, columns, rows)
