"""``millebornes export``: write the decisions in games between computer players as training data."""

import contextlib
import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.cli.common import (
    ChosenTable,
    check_teams,
    cluster_option,
    counted,
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
    from millebornes.data.export import Export

RESUMABLE: Final = "the files written so far are kept; --resume continues from there"


_HELP: Final = """\
Play games and write every decision to FOLDER, as Parquet files with one row per decision.

A row contains everything that the player had seen, the legal moves, the move that the player made, and the results
of the hand and the game. 'millebornes replay FOLDER' reads the games back. The games are the same as those of
'millebornes arena' with the same players and seed (with --no-duplicate there, unless you use --duplicate here)."""


@click.command(help=_HELP)
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--player",
    "players",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Player, as for 'millebornes arena'. A single one plays itself; otherwise repeat the option for each side. "
    "With more players than sides, everyone plays everyone.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    required=True,
    metavar="N",
    help="Number of games to play, rounded up to whole rounds.",
)
@match_target_option("Play matches to this many points; 'none' plays single hands.", default="none")
@table_options
@seed_option
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play each deal in every rotation, with each seat drawing from its own part of the deck.",
)
@time_option
@click.option("--file-games", type=click.IntRange(min=1), metavar="N", help="Number of games in each file.")
@click.option(
    "--resume", is_flag=True, help="Continue the data set in FOLDER if it exists, even with a larger number of games."
)
@jobs_option()
@cluster_option
@json_option
def export(
    folder: Path,
    players: tuple[str, ...],
    games: int,
    match_target: int | None,
    table: ChosenTable,
    seed: str | None,
    duplicate: bool,
    time_ms: int,
    file_games: int | None,
    resume: bool,
    jobs: int,
    cluster: str | None,
    as_json: bool,
) -> int:
    """Run the command ``export``."""
    rules = table.rules()
    if len(players) == 1:
        players *= rules.sides
    check_teams(players, rules, ", or one for all")

    from millebornes.data import check_pyarrow
    from millebornes.errors import MilleBornesError

    check_pyarrow()
    from millebornes.arena.executors import open_workers
    from millebornes.arena.schedule import Plan
    from millebornes.data.export import Export, seed_of

    if seed is None and resume:
        seed = seed_of(folder)
    try:
        plan = Plan(
            rules=rules,
            players=players,
            games=games,
            match_target=match_target,
            seed=seed if seed is not None else str(secrets.randbelow(2**53)),
            duplicate=duplicate,
            time_ms=time_ms,
        )
    except MilleBornesError as error:
        raise click.UsageError(str(error)) from None
    run = Export(plan, folder, file_games=file_games, resume=resume)
    with (
        interruptible(RESUMABLE) as interruption,
        open_workers(jobs, cluster) as workers,
        _progress(run) as show,
    ):
        run.run(workers, show)
    report = run.report()
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _summary(report))
    return 1 if interruption.happened else 0


def _summary(report: Mapping[str, Any]) -> str:
    played = ", ".join(counted(report[f"{name}s"], name) for name in ("game", "hand", "decision"))
    size, each = f"{report['bytes'] / 1e6:,.1f} MB", report["bytes_a_decision"]
    rate = "" if each is None else f", {each} bytes a decision"
    return (
        f"{report['folder']}: {played}\n"
        f"  {counted(report['files'], 'file')}, {size}{rate}\n"
        f"  {' against '.join(report['players'])}, seed {report['seed']}, {report['wall_s']:.1f} s"
    )


@contextlib.contextmanager
def _progress(run: "Export") -> Iterator[Any]:
    console = console_for_progress()
    if console is None:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=run.games, completed=run.done)
        yield lambda run: bar.update(task, completed=run.done)
