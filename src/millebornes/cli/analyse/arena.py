"""``millebornes arena``: let players play each other, and report which is better and how certain the result is."""

import contextlib
import json
import secrets
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.cli.common import (
    ChosenTable,
    check_teams,
    cluster_option,
    columns,
    cost_text,
    counted,
    file_option,
    jobs_option,
    json_option,
    match_target_option,
    seed_option,
    table_options,
    time_option,
)
from millebornes.cli.interruption import interruptible
from millebornes.cli.working import console_for_progress

if TYPE_CHECKING:
    from millebornes.arena.arena import Arena
    from millebornes.arena.schedule import Plan

SPRT_GAMES: Final = 1_000_000
"""A sequential test stops after this many games if you don't set a number."""
ESTIMATE_PART: Final = 20
"""The time between two estimates is at least this many times as long as an estimate, which grows with the games."""


_HELP: Final = """\
Play a tournament between players and report who is better, with confidence intervals.

All players play each deal in every rotation through the seats, and each seat draws from its own part of the deck.
Luck is therefore shared out evenly, and you need fewer games to see a difference. All intervals are 95% intervals.
The same --seed gives the same result with any number of --jobs, unless a player's moves depend on the clock."""


@click.command(help=_HELP)
@click.option(
    "--player",
    "players",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Player for all seats of a side: one listed by 'millebornes players', or your own program (cmd:COMMAND), "
    "class (py:FILE.py[:CLASS]) or net (onnx:FILE); A+B for partners. Repeat the option for each side. With more "
    "players than sides, everyone plays everyone.",
)
@click.option(
    "--matches", type=click.IntRange(min=1), metavar="N", help="Number of matches to play, rounded up to whole rounds."
)
@click.option(
    "--hands", type=click.IntRange(min=1), metavar="N", help="Number of single hands to play instead of matches."
)
@table_options
@match_target_option()
@seed_option
@time_option
@jobs_option()
@cluster_option
@click.option(
    "--ladder",
    is_flag=True,
    help="Pair only neighbours in the ranking, which is worked out along the way; name the strongest player first.",
)
@click.option(
    "--anchor",
    metavar="NAME",
    help="Player rated 0, by the name shown or the name it gives itself.  [default: the first player]",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="Write a transcript of each game, to FILE-000001 and so on or into an existing folder.",
)
@file_option("--resume", "Save progress in this file, and continue from it if it exists.")
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="Stop as soon as a sequential test decides whether the first player leads the second by ELO0 or ELO1.",
)
@click.option(
    "--no-duplicate", is_flag=True, help="Shuffle again for every game, instead of playing each deal in every rotation."
)
@json_option
@click.pass_context
def arena(
    ctx: click.Context,
    players: tuple[str, ...],
    matches: int | None,
    hands: int | None,
    table: ChosenTable,
    match_target: int | None,
    seed: str | None,
    time_ms: int,
    jobs: int,
    cluster: str | None,
    ladder: bool,
    anchor: str | None,
    record: Path | None,
    resume: Path | None,
    sprt: tuple[float, float] | None,
    no_duplicate: bool,
    as_json: bool,
) -> int:
    """Run the command ``arena``."""
    target = _target(ctx, matches, hands, match_target)
    if matches is None and hands is None and sprt is None:
        raise click.UsageError("choose how long to play: --matches N, --hands N or --sprt ELO0 ELO1")
    rules = table.rules()
    check_teams(players, rules, at_table=True)

    from millebornes.arena.arena import Arena
    from millebornes.arena.executors import open_workers
    from millebornes.arena.schedule import Plan
    from millebornes.arena.sprt import Sprt
    from millebornes.errors import MilleBornesError

    try:
        plan = Plan(
            rules=rules,
            players=players,
            games=matches or hands or SPRT_GAMES,
            match_target=target,
            seed=seed if seed is not None else str(secrets.randbelow(2**53)),
            duplicate=not no_duplicate,
            time_ms=time_ms,
            ladder=ladder,
        )
        test = None if sprt is None else Sprt(*sprt, games=1 if no_duplicate else 2)
        if test is not None and (len(players) != 2 or rules.sides != 2):
            raise click.BadParameter("it needs exactly two players and a table with two sides", param_hint="'--sprt'")
        place = 0 if anchor is None else _place_of(anchor, plan)
    except MilleBornesError as error:
        raise click.UsageError(str(error)) from None
    if resume is not None and seed is None and not resume.exists():
        click.echo(f"millebornes: the seed is {plan.seed}; use --seed {plan.seed} to continue from {resume}", err=True)
    run = Arena(plan, sprt=test, record=record, resume=resume, anchor=place)
    with (
        interruptible() as interruption,
        open_workers(jobs, cluster) as workers,
        _progress(run) as show,
    ):
        run.run(workers, show)
    report = run.report()
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else "\n".join(_table_lines(report)))
    return 1 if interruption.happened else 0


def _target(ctx: click.Context, matches: int | None, hands: int | None, target: int | None) -> int | None:
    if matches is not None and hands is not None:
        raise click.UsageError("use either --matches or --hands, not both")
    given = ctx.get_parameter_source("match_target") is click.core.ParameterSource.COMMANDLINE
    if hands is not None:
        if given and target is not None:
            raise click.UsageError("--hands plays single hands, which have no --match-target")
        return None
    if target is None:
        raise click.UsageError("a match without a --match-target never ends; play single hands with --hands N")
    return target


def _place_of(anchor: str, plan: "Plan") -> int:
    """Return the index of the player with this name, either as it is shown or as the player calls itself.

    For the latter, programs have to be started. Raises `click.UsageError` unless exactly one player has this name.
    """
    if anchor in plan.names:
        return plan.names.index(anchor)
    from millebornes.arena.programs import name_of

    own = {place: name_of(team[0], plan.rules, plan.time_ms) for place, team in enumerate(plan.teams)}
    places = [place for place, own_name in own.items() if own_name == anchor]
    if len(places) != 1:
        shown = ", ".join(f"{own[place]} ({name})" if own[place] else name for place, name in enumerate(plan.names))
        how = "several" if places else "none"
        raise click.BadParameter(f"{anchor!r} matches {how} of {shown}", param_hint="'--anchor'")
    return places[0]


@contextlib.contextmanager
def _progress(run: "Arena") -> Iterator[Any]:
    console = console_for_progress()
    if console is None:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    standing = TextColumn("{task.fields[line]}", table_column=rest, markup=False)
    columns = (BarColumn(bar_width=12), MofNCompleteColumn(), TimeRemainingColumn(compact=True), standing)
    with Progress(*columns, console=console, transient=True, expand=True) as bar:
        total: int | None = run.plan.games if run.plan.ladder else run.plan.deals * run.plan.games_a_round
        if run.sprt is not None:
            total = None
        task = bar.add_task("", total=total, completed=run.tally.games, line="getting ready …")

        due = 0.0

        def show(run: "Arena") -> None:
            nonlocal due
            bar.update(task, completed=run.tally.games)
            start = time.monotonic()
            if start < due:
                return
            line = run.tally.line()
            if run.sprt is not None:
                low, high = run.sprt.bounds
                line += f", LLR {run.sprt.llr:.2f} ({low:.2f} to {high:.2f})"
            bar.update(task, line=line.replace("[", r"\["))
            now = time.monotonic()
            due = now + ESTIMATE_PART * (now - start)

        yield show


def _table_lines(report: Mapping[str, Any]) -> Iterator[str]:
    from millebornes.arena.programs import display_names
    from millebornes.editions import EDITIONS
    from millebornes.i18n import translator
    from millebornes.words.editions import title_with

    if report["match_target"] is None:
        played = counted(report["matches"], "hand")
    else:
        matches = counted(report["matches"], "match", "matches")
        played = f"{matches} to {report['match_target']} ({counted(report['hands'], 'hand')})"
    how = (
        f"on {counted(report['deals'], 'deal')}, each played in every rotation"
        if report["duplicate"]
        else "on fresh deals"
    )
    if report["ladder"]:
        how = f"between neighbours, {how}"
    changed = report["set"] if report["edition"] in EDITIONS else {}
    name = title_with(report["edition"] or "an edition of your own", changed, translator("en"))
    yield f"{name}, {report['seats']} seats, {report['sides']} sides: {played} {how}"
    yield f"seed {report['seed']}, {report['wall_s']:.1f} s" + ("" if report["complete"] else ", not complete")
    yield ""
    own = {entry["player"]: entry["name"] for entry in report["results"]}
    shown = dict(zip(own, display_names(list(own), list(own.values())), strict=True))
    rows = [("player", "won", "drawn", "share", "95 %", "points a hand", "95 %", "forfeits", "ms a move")]
    rows += [
        (
            shown[entry["player"]],
            f"{entry['matches_won']:,}",
            f"{entry['matches_drawn']:,}",
            _percent(entry["match_share"]),
            _range(entry["match_share_ci95"], _percent),
            _points(entry["mean_score"]),
            _range(entry["mean_score_ci95"], _points),
            str(entry["forfeits"]),
            "-" if entry["ms_per_move"] is None else cost_text(entry["ms_per_move"]),
        )
        for entry in report["results"]
    ]
    yield from columns(rows)
    yield ""
    if "ratings" in report:
        ratings = [("rating", f"Elo above {shown[report['anchor']]}", "95 %", "games")]
        ratings += [
            (
                f"{place}. {shown[entry['player']]}",
                _signed(entry["elo"]),
                _range(entry["elo_ci95"], _signed),
                f"{entry['matches']:,}",
            )
            for place, entry in enumerate(report["ratings"], 1)
        ]
        yield from columns(ratings)
        yield ""
    pairs = [("pair", "points a hand", "95 %", "Elo", "95 %", "worth of duplicate deals")]
    pairs += [
        (
            f"{shown[pair['a']]} - {shown[pair['b']]}",
            _signed(pair["mean_difference"]),
            _range(pair["ci95"], _signed),
            _signed(pair["elo"]),
            _range(pair["elo_ci95"], _signed),
            "-" if pair["duplicate_gain"] is None else f"{pair['duplicate_gain']:.2f} x as many hands",
        )
        for pair in report["pairs"]
        if pair["matches"]
    ]
    yield from columns(pairs)
    for name, label in shown.items():
        if label != name:
            yield f"{label} is {name}"
    for name in report.get("sees_everything", ()):
        yield f"{shown[name]} sees all cards: what it gets is a bound, not a result of play"
    for entry in report["results"]:
        for lost in entry["forfeit_list"]:
            legal = f"; legal: {', '.join(lost['legal'])}" if lost["legal"] else ""
            log = f"; what it wrote to standard error is in {lost['log']}" if lost["log"] else ""
            yield f"{shown[entry['player']]} lost {lost['count']} by forfeit: it {lost['reason']}{legal}{log}"
    if "sprt" in report:
        test = report["sprt"]
        low, high = test["bounds"]
        decisions = {"elo0": f"{test['elo0']:g} Elo it is", "elo1": f"{test['elo1']:g} Elo it is", None: "not decided"}
        yield ""
        yield (
            f"sequential test of {test['elo0']:g} against {test['elo1']:g} Elo: {decisions[test['decision']]} "
            f"(LLR {test['llr']:.2f}, decided at {low:.2f} or {high:.2f})"
        )


def _range(interval: list[float | None], show: Any) -> str:
    low, high = interval
    return f"{show(low)} … {show(high)}"


def _percent(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.2f} %"


def _points(value: float | None) -> str:
    return "?" if value is None else f"{value:.1f}"


def _signed(value: float | None) -> str:
    return "?" if value is None else f"{value:+.1f}"
