"""``millebornes arena``: players against each other, and how sure it is who is better."""

import contextlib
import json
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.cli.common import json_option, match_target_option, rules_from, seed_option, table_options

if TYPE_CHECKING:
    from millebornes.simulation.arena import Arena

__all__ = ["arena"]

SPRT_GAMES: Final = 1_000_000
"""Where a sequential test without a number of games gives up."""
DEFAULT_TIME_MS: Final = 1000
MAX_JOBS: Final = 1024


@click.command()
@click.option(
    "--player",
    "players",
    multiple=True,
    required=True,
    metavar="NAME",
    help="A player, for all seats of a side: one of 'millebornes players', or cmd:COMMAND, a program of your own. "
    "Repeat it for each side; with more players than sides, all meet all.",
)
@click.option("--matches", type=click.IntRange(min=1), metavar="N", help="Play so many matches, rounded up to rounds.")
@click.option("--hands", type=click.IntRange(min=1), metavar="N", help="Play so many single hands instead of matches.")
@table_options
@match_target_option
@seed_option
@click.option(
    "--time",
    "time_ms",
    type=click.IntRange(min=1),
    default=DEFAULT_TIME_MS,
    show_default=True,
    metavar="MS",
    help="Time for a move of a program, in milliseconds.",
)
@click.option(
    "--jobs",
    type=click.IntRange(0, MAX_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="Play in so many processes; 0 for one on each core.",
)
@click.option("--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler, such as tcp://host:8786.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="Write transcripts: one after the other into a file, or a file each into a folder.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep what has been played in this file, and go on from there if it exists.",
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="Stop as soon as it is clear whether the first player is rather ELO0 or ELO1 stronger than the second.",
)
@click.option("--no-duplicate", is_flag=True, help="Shuffle anew for every game.")
@json_option
@click.pass_context
def arena(
    ctx: click.Context,
    players: tuple[str, ...],
    matches: int | None,
    hands: int | None,
    edition: str | None,
    seats: int | None,
    sides: int | None,
    settings: Mapping[str, Any],
    match_target: int | None,
    seed: str | None,
    time_ms: int,
    jobs: int,
    cluster: str | None,
    record: Path | None,
    resume: Path | None,
    sprt: tuple[float, float] | None,
    no_duplicate: bool,
    as_json: bool,
) -> int:
    """Let players play each other, and tell who is better and how sure that is.

    Each deal is played by all, in every rotation through the seats, every seat drawing from a part of the deck of its
    own; so luck is shared out evenly, and differences show after fewer games. All intervals are for 95 %. The same
    --seed gives the same result, with any number of --jobs.
    """
    target = _target(ctx, matches, hands, match_target)
    if matches is None and hands is None and sprt is None:
        raise click.UsageError("say how long to play: --matches N, --hands N or --sprt ELO0 ELO1")
    rules = rules_from(edition, seats, sides, settings)
    _check_players(players, rules.sides)

    from millebornes.errors import MilleBornesError
    from millebornes.simulation.arena import Arena
    from millebornes.simulation.executors import open_workers
    from millebornes.simulation.schedule import Plan
    from millebornes.simulation.sprt import Sprt

    try:
        plan = Plan(
            rules=rules,
            players=players,
            games=matches or hands or SPRT_GAMES,
            match_target=target,
            seed=seed if seed is not None else str(secrets.randbelow(2**53)),
            duplicate=not no_duplicate,
            time_ms=time_ms,
        )
        test = None if sprt is None else Sprt(*sprt, games=1 if no_duplicate else 2)
        if test is not None and (len(players) != 2 or rules.sides != 2):
            raise click.BadParameter("it compares two players at a table of two sides", param_hint="'--sprt'")
    except MilleBornesError as error:
        raise click.UsageError(str(error)) from None
    if resume is not None and seed is None and not resume.exists():
        click.echo(f"millebornes: the seed is {plan.seed}; say --seed {plan.seed} to go on from {resume}", err=True)
    run = Arena(plan, sprt=test, record=record, resume=resume)
    stopped = False
    try:
        with open_workers(jobs or os.cpu_count() or 1, cluster) as workers, _progress(run) as show:
            run.run(workers, show)
    except KeyboardInterrupt:
        stopped = True
        click.echo("millebornes: interrupted; this is what is known so far", err=True)
    report = run.report()
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else "\n".join(_table(report)))
    return 1 if stopped else 0


def _target(ctx: click.Context, matches: int | None, hands: int | None, target: int | None) -> int | None:
    """The points that end a match; None for single hands. Raises `click.UsageError` for what cannot be both."""
    if matches is not None and hands is not None:
        raise click.UsageError("--matches and --hands: say one of them")
    given = ctx.get_parameter_source("match_target") is click.core.ParameterSource.COMMANDLINE
    if hands is not None:
        if given and target is not None:
            raise click.UsageError("--hands plays single hands, which have no --match-target")
        return None
    if target is None:
        raise click.UsageError("a match without a --match-target never ends; play single hands with --hands N")
    return target


def _check_players(players: tuple[str, ...], sides: int) -> None:
    """Raises `click.UsageError` unless there are enough players, and all can be had."""
    if len(players) < sides:
        raise click.BadParameter(f"{len(players)} of at least {sides}: name one for each side", param_hint="'--player'")
    from millebornes.errors import PlayerError
    from millebornes.players import ExternalPlayer, player

    for name in dict.fromkeys(players):
        try:
            made = player(name)
            if isinstance(made, ExternalPlayer):
                made.check()
            made.close()
        except PlayerError as error:
            raise click.BadParameter(str(error), param_hint="'--player'") from None


@contextlib.contextmanager
def _progress(run: "Arena") -> Iterator[Any]:
    """A bar on standard error with the running estimate, where that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    told = TextColumn("{task.fields[line]}", table_column=rest)
    columns = (BarColumn(bar_width=12), MofNCompleteColumn(), TimeRemainingColumn(compact=True), told)
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        size = run.plan.games_a_round
        total = None if run.sprt is not None else run.plan.deals * size
        task = bar.add_task("", total=total, completed=run.tally.games, line="getting ready …")

        def show(run: "Arena") -> None:
            line = run.tally.line()
            if run.sprt is not None:
                low, high = run.sprt.bounds
                line += f", LLR {run.sprt.llr:.2f} ({low:.2f} to {high:.2f})"
            bar.update(task, completed=run.tally.games, line=line.replace("[", r"\["))

        yield show


# ---------------------------------------------------------------- the table


def _table(report: Mapping[str, Any]) -> Iterator[str]:
    what = "hands" if report["match_target"] is None else "matches"
    played = f"{report['matches']:,} {what}"
    if what == "matches":
        played += f" to {report['match_target']} ({report['hands']:,} hands)"
    how = f"on {report['deals']:,} deals, each played in every rotation" if report["duplicate"] else "on fresh deals"
    name = report["edition"] or "an edition of your own"
    yield f"{name}, {report['seats']} seats, {report['sides']} sides: {played} {how}"
    yield f"seed {report['seed']}, {report['wall_s']:.1f} s" + ("" if report["complete"] else ", not complete")
    yield ""
    rows: list[tuple[str, ...]] = [
        ("player", "won", "drawn", "share", "95 %", "points a hand", "95 %", "forfeits", "ms a move")
    ]
    for entry in report["results"]:
        rows.append(
            (
                entry["player"],
                f"{entry['matches_won']:,}",
                f"{entry['matches_drawn']:,}",
                _percent(entry["match_share"]),
                _range(entry["match_share_ci95"], _percent),
                _points(entry["mean_score"]),
                _range(entry["mean_score_ci95"], _points),
                str(entry["forfeits"]),
                "-" if entry["ms_per_move"] is None else f"{entry['ms_per_move']:.2g}",
            )
        )
    yield from _columns(rows)
    yield ""
    pairs: list[tuple[str, ...]] = [("pair", "points a hand", "95 %", "Elo", "95 %", "worth of duplicate deals")]
    for pair in report["pairs"]:
        gain = pair["duplicate_gain"]
        pairs.append(
            (
                f"{pair['a']} - {pair['b']}",
                _signed(pair["mean_difference"]),
                _range(pair["ci95"], _signed),
                _signed(pair["elo"]),
                _range(pair["elo_ci95"], _signed),
                "-" if gain is None else f"{gain:.2f} x as many hands",
            )
        )
    yield from _columns(pairs)
    for entry in report["results"]:
        for reason, count in entry["forfeit_reasons"].items():
            yield f"{entry['player']} lost {count} by forfeit: it {reason}"
    if "sprt" in report:
        test = report["sprt"]
        low, high = test["bounds"]
        said = {"elo0": f"{test['elo0']:g} Elo it is", "elo1": f"{test['elo1']:g} Elo it is", None: "not decided"}
        yield ""
        yield (
            f"sequential test of {test['elo0']:g} against {test['elo1']:g} Elo: {said[test['decision']]} "
            f"(LLR {test['llr']:.2f}, decided at {low:.2f} or {high:.2f})"
        )


def _columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Rows as text, the first column to the left and all others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            f"{row[0]:{widths[0]}}",
            *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()


def _range(interval: list[float | None], show: Any) -> str:
    low, high = interval
    return f"{show(low)} … {show(high)}"


def _percent(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.2f} %"


def _points(value: float | None) -> str:
    return "?" if value is None else f"{value:.1f}"


def _signed(value: float | None) -> str:
    return "?" if value is None else f"{value:+.1f}"
