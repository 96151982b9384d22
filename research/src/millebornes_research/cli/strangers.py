"""``millebornes strangers``: measure a player against random players, and at random tables."""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.cli.common import (
    ChosenTable,
    counted,
    file_option,
    jobs_option,
    json_option,
    match_target_option,
    seed_option,
    table_options,
)
from millebornes.cli.interruption import interruptible
from millebornes_research.cli.lab_run import Asked, carry_out, progress, seed_for, sheet_lines

if TYPE_CHECKING:
    from millebornes_research.lab.sheets import Sheet
    from millebornes_research.training.judged_meetings import JudgedMeetings
    from millebornes_research.training.meetings import Meeting, Summary

DECKS: Final = 400
COUNT: Final = 100
MAX_COUNT: Final = 100_000


_HELP: Final = """\
Measure a player against strangers or at random tables: its average result, and that of the worst quarter.

Strangers are kernel players drawn at random from wide ranges. PLAYER and the baseline must play in kernels, such as
instant, maxims or instant:FILE.npz. Shares are differences from an equal share, in percentage points. Intervals are
for 95% and treat strangers or tables as the random sample.

Judged games show how much better PLAYER is than the baseline in its place, without most of the luck of the cards.
They are slow, but a few are enough, and PLAYER can be any player. The worst quarter of strangers is then the one
against which the baseline wins least, in as many decks as --decks says."""


@click.command(help=_HELP)
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
    metavar="PLAYER",
    help="Player that plays the same decks against the strangers, or opposes PLAYER at random tables. The default is "
    "maxims, or instant with --judged.",
)
@click.option(
    "--judged",
    type=click.IntRange(1, MAX_COUNT),
    metavar="N",
    help="Judge N games against each stranger or at each table instead. PLAYER can then be any player.",
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
@match_target_option()
@seed_option
@jobs_option()
@file_option("--resume", "Save the progress of judged games in this file, and continue from it if it exists.")
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@json_option
def strangers(
    player: str,
    part: str,
    count: int,
    tables: int | None,
    baseline: str | None,
    judged: int | None,
    decks: int,
    table: ChosenTable,
    match_target: int | None,
    seed: str | None,
    jobs: int,
    resume: Path | None,
    markdown: bool,
    as_json: bool,
) -> int:
    """Run the command ``strangers``."""
    from millebornes.errors import MilleBornesError
    from millebornes_research.lab.changes import random_tables
    from millebornes_research.pool.gains import GainPlan
    from millebornes_research.pool.strangers import Stranger
    from millebornes_research.seeds import seed_word
    from millebornes_research.training.judged_meetings import JudgedMeetings, judged_strangers, judged_tables
    from millebornes_research.training.meetings import strangers_met, tables_met

    rules = table.rules()
    if tables is not None and table.given:
        raise click.UsageError("--random-tables draws the tables; leave out --edition, --seats, --sides and --set")
    if judged is None and (resume is not None or jobs != 1):
        raise click.UsageError("--jobs and --resume are for judged games; add --judged")
    seed = seed_for(seed, resume)
    word, target, begun = seed_word(seed, "strangers"), match_target or 0, time.perf_counter()
    where = "random tables" if tables is not None else f"{rules.edition or 'an edition of your own'} {rules.table}"
    baseline = baseline or ("maxims" if judged is None else "instant")
    met = [Stranger(part, number) for number in range(count)]
    if judged is not None:
        try:
            plan = GainPlan(
                rules=rules,
                player=player,
                baseline=baseline,
                rivals=(baseline,),
                match_target=match_target,
                seed=seed,
            )
            meetings = (
                judged_strangers(plan, met) if tables is None else judged_tables(plan, random_tables(tables, seed))
            )
        except MilleBornesError as error:
            raise click.UsageError(str(error)) from None
        run = JudgedMeetings(meetings, judged, decks, seed=word, resume=resume)
        return _judge(run, where, Asked(seed, jobs, None, resume, None, markdown, as_json))
    if tables is not None:
        games = tables_met(random_tables(tables, seed), player, baseline, decks, seed=word, target=target)
    else:
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
        if found:
            games_text = f"{decks:,} decks of " + (f"matches to {match_target}" if match_target else "hands")
            against = baseline if tables is not None else f"strangers ({part})"
            title = f"{where}, {len(found)} times against {against}, {games_text} each"
            sheet = [(player, _sheet(title, player, baseline, found))]
            click.echo("\n".join(sheet_lines(sheet, markdown=markdown)))
        click.echo(f"seed {seed}, {seconds:.1f} s" + (", not complete" * stopped))
    return 1 if stopped else 0


def _judge(run: "JudgedMeetings", where: str, asked: Asked) -> int:
    """Play the judged games of a run, print the results, and return the exit status."""
    stopped = carry_out([run], asked)
    if asked.as_json:
        click.echo(json.dumps({**run.report(), "where": where, "seed": asked.seed}, ensure_ascii=False))
        return 1 if stopped else 0
    if run.gains:
        click.echo("\n".join(_judged_lines(where, run.report(), markdown=asked.markdown)))
    click.echo(f"seed {asked.seed}, {run.seconds:.1f} s" + (", not complete" * stopped))
    return 1 if stopped else 0


def _judged_lines(where: str, found: dict[str, Any], *, markdown: bool) -> Iterator[str]:
    """Yield the results of judged games: a table, and the strangers or tables where the player is clearly worse."""
    from millebornes_research.lab.sheets import Column, Sheet, cell

    target, baseline = found["match_target"], found["baseline"]
    kind, unit = ("gain", "points a hand") if target is None else ("edge", "share of matches")
    games = "hands" if target is None else f"matches to {target}"
    columns = (
        Column("player", "player", "text"),
        Column("games", f"judged {games}", "count"),
        Column("gain", f"better than {baseline}, {unit}", kind),
        Column("worst", "worst quarter", kind),
    )
    title = f"{where}, {counted(len(found['meetings']), 'meeting')} judged against {baseline} in the same seats"
    sheet = [(found["player"], Sheet("strangers", title, columns, [found]))]
    yield from sheet_lines(sheet, markdown=markdown)
    worse = [each for each in found["meetings"] if each["gain"]["ci95"][1] is not None and each["gain"]["ci95"][1] < 0]
    told = [f"{each['name']} ({each['table']}) {cell(each['gain'], kind)}" for each in worse]
    yield f"worse beyond the 95% interval: {', '.join(told) or 'none'}"


def _sheet(title: str, player: str, baseline: str, found: "Sequence[Meeting]") -> "Sheet":
    from millebornes.arena.statistics import mean_estimate, plain
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
