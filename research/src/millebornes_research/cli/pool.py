"""``millebornes pool``: measure how strong a player is against many kinds of opponents."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.cli.common import (
    ChosenTable,
    NumberRange,
    blamed_on,
    check_player,
    cluster_option,
    counted,
    file_option,
    jobs_option,
    json_option,
    match_target_option,
    seed_option,
    table_options,
    time_option,
)
from millebornes_research.cli.lab_run import Asked, carry_out, seed_for, sheet_lines

if TYPE_CHECKING:
    from millebornes_research.lab.sheets import Sheet
    from millebornes_research.pool.members import LeftOut

DEFAULT_MATCHES: Final = 200
JUDGED_PART: Final = 4
"""By default, this number of matches are played for each match that is judged."""


_HELP: Final = """\
Measure a player against the pool: nets, heuristics, levels and strangers.

The player meets each member on duplicate decks, as in the arena. The results are its share of the matches and its
lead per hand against each member, their means, and the worst member. Judged matches show how much better it is than
a baseline in its place, without the luck of the cards. At tables with more than two sides, a member takes all other
sides. Without PLAYER, the members are listed. All intervals are for 95%. The interval for the worst member allows
for its being the worst of many."""


@click.command(help=_HELP)
@click.argument("player", required=False, metavar="[PLAYER]")
@click.option("--tune", "half", flag_value="tune", help="Play only the half of the pool that you may tune against.")
@click.option("--test", "half", flag_value="test", help="Play only the half that nothing is ever tuned against.")
@click.option("--all", "half", flag_value="all", default="all", help="Play both halves (the default).")
@click.option("--member", "members", multiple=True, metavar="NAME", help="Play only this member; may be repeated.")
@click.option(
    "--matches",
    type=click.IntRange(min=1),
    default=DEFAULT_MATCHES,
    show_default=True,
    metavar="N",
    help="Number of matches against each member, rounded up to whole rounds.",
)
@click.option(
    "--judged",
    type=click.IntRange(min=0),
    metavar="N",
    help="Number of further matches, judged without the luck of the cards, against each member that kernels can play; "
    "0 for none."
    f"  [default: 1 for each {JUDGED_PART} of --matches]",
)
@click.option(
    "--baseline",
    default="instant",
    show_default=True,
    metavar="NAME",
    help="Player that PLAYER is compared with in judged matches.",
)
@click.option(
    "--minutes",
    type=NumberRange(min=0, min_open=True),
    metavar="M",
    help="Stop after this many minutes, with the results so far.",
)
@table_options
@match_target_option()
@seed_option
@time_option
@jobs_option()
@cluster_option
@file_option("--resume", "Save progress in this file, and continue from it if it exists.")
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@json_option
def pool(
    player: str | None,
    half: str,
    members: tuple[str, ...],
    matches: int,
    judged: int | None,
    baseline: str,
    minutes: float | None,
    table: ChosenTable,
    match_target: int | None,
    seed: str | None,
    time_ms: int,
    jobs: int,
    cluster: str | None,
    resume: Path | None,
    markdown: bool,
    as_json: bool,
) -> int:
    """Run the command ``pool``."""
    if match_target is None:
        raise click.BadParameter("the pool plays matches, which need a target", param_hint="'--match-target'")
    rules = table.rules()

    from millebornes.errors import MilleBornesError, PlayerError
    from millebornes_research.pool.members import members_at
    from millebornes_research.pool.pool import Pool, PoolPlan

    with blamed_on("'--member'", MilleBornesError):
        found, left_out = members_at(rules, None if half == "all" else half, members)
    if player is None:
        _list(found, left_out, as_json)
        return 0
    with blamed_on("'PLAYER'", PlayerError):
        check_player(player, rules)
    try:
        plan = PoolPlan(
            rules=rules,
            player=player,
            members=tuple(found),
            matches=matches,
            judged=-(-matches // JUDGED_PART) if judged is None else judged,
            baseline=baseline if player != baseline else None,
            match_target=match_target,
            seed=seed_for(seed, resume),
            time_ms=time_ms,
        )
    except MilleBornesError as error:
        raise click.UsageError(str(error)) from None
    run = Pool(plan, minutes=minutes, resume=resume)
    stopped = carry_out([run], Asked(plan.seed, jobs, cluster, resume, None, markdown, as_json))
    report = {**run.report(), "left_out": [{"member": name, "reason": reason} for name, reason in left_out]}
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else "\n".join(_told(report, markdown=markdown)))
    return 1 if stopped else 0


def _list(found: list[Any], left_out: "list[LeftOut]", as_json: bool) -> None:
    if as_json:
        listed = [{"member": m.name, "half": m.half, "player": m.player, "about": m.about} for m in found]
        missing = [{"member": name, "reason": reason} for name, reason in left_out]
        click.echo(json.dumps({"members": listed, "left_out": missing}, ensure_ascii=False))
        return
    width = max(len(member.name) for member in found)
    for member in found:
        click.echo(f"{member.half}  {member.name:{width}}  {member.about}")
    for name, reason in left_out:
        click.echo(f"left out: {name}: {reason}")


def _told(report: Mapping[str, Any], *, markdown: bool) -> Iterator[str]:
    """Yield the lines of a report."""
    yield from sheet_lines([(report["player"], _sheet(report))], markdown=markdown)
    if report["worst"] is not None:
        yield from _worst(report)
    for row in report["members"]:
        if row["forfeits"]:
            lost = counted(row["forfeits"], "match", "matches")
            yield f"{report['player']} lost {lost} to {row['member']} by forfeit"
        if row["forfeits_of_member"]:
            yield f"{row['member']} lost {counted(row['forfeits_of_member'], 'match', 'matches')} by forfeit"
        if row["problem"] is not None:
            yield f"no more judged against {row['member']}: {row['problem']}"
    for row in report["left_out"]:
        yield f"left out: {row['member']}: {row['reason']}"
    yield f"seed {report['seed']}, {report['wall_s']:.1f} s" + ("" if report["complete"] else ", not complete")


def _sheet(report: Mapping[str, Any]) -> "Sheet":
    from millebornes_research.lab.sheets import Column, Sheet

    columns = [
        Column("member", "against", "text"),
        Column("half", "half", "text"),
        Column("matches", "matches", "count"),
        Column("share", "share", "share"),
        Column("points", "points a hand", "gain"),
    ]
    if any(row["judged"] for row in report["members"]):
        columns += [
            Column("judged", "judged", "count"),
            Column("gain", f"better than {report['baseline']}, % of matches", "edge"),
        ]
    rows = [row for row in report["members"] if row["matches"]]
    for mean in report["means"]:
        rows.append({**mean, "member": f"mean of {mean['members']}", "half": mean["half"] or "all"})
    name, table = report["edition"] or "an edition of your own", f"{report['seats']} seats, {report['sides']} sides"
    title = f"{name}, {table}, matches to {report['match_target']} on duplicate decks"
    return Sheet("pool", title, tuple(columns), rows)


def _worst(report: Mapping[str, Any]) -> Iterator[str]:
    from millebornes_research.lab.sheets import cell

    for name, kind, text in (
        ("share", "share", "worst: {} of the matches, against {}"),
        ("gain", "edge", f"least better than {report['baseline']}: {{}} of the matches, against {{}}"),
    ):
        found = report["worst"].get(name)
        if found is not None:
            low, high = (cell(end, kind) if end is not None else "?" for end in found["ci95"])
            shown = text.format(cell(found["value"], kind), found["member"])
            yield f"{shown} ({low} … {high}, as the worst of {found['members']})"
