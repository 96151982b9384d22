"""``millebornes train``: a net that learns to play by playing itself."""

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from millebornes.cli.common import (
    DEFAULT_EDITION,
    DEFAULT_SEATS,
    EditionType,
    file_option,
    jobs_option,
    json_option,
    rules_from,
    seed_option,
    set_option,
    sides_option,
)
from millebornes.cli.interruption import interruptible
from millebornes.editions import EDITIONS, load_edition

__all__ = ["train"]

GENERATIONS: Final = 9
REFINE: Final = 5
HANDS: Final = 110_000
BATCH: Final = 1024
QUICK: Final[Mapping[str, int]] = {"generations": 5, "hands": 45_000, "batch": 512}
CHUNK: Final = 1000
"""Hands that are learned from at once."""
MAX_JOBS: Final = 256
MAX_HANDS: Final = 1_000_000_000
FROM_NOTHING: Final = "itself"

Function = TypeVar("Function", bound=Callable[..., Any])


@click.command()
@click.option(
    "--edition",
    "editions",
    type=EditionType(),
    multiple=True,
    metavar="NAME|FILE.toml",
    help=f"Edition to learn: {', '.join(EDITIONS)}, or a file of your own; may be repeated.  [default: classic]",
)
@click.option(
    "--seats", type=int, multiple=True, metavar="N", help="Seats at the table, 2 to 8; may be repeated.  [default: 2]"
)
@sides_option
@click.option("--every-table", is_flag=True, help="Learn all tables that an edition is made for, and no others.")
@set_option
@click.option(
    "--from-nothing", is_flag=True, help="Learn from random play on, without the maxims: itself plays moves out."
)
@click.option("--quick", is_flag=True, help="Spend some ten minutes on two cores, on a net that begins with nothing.")
@file_option("--start", "Go on from this net instead of from the maxims or from nothing.", "FILE.npz")
@click.option(
    "--playouts",
    metavar="PLAYER",
    help="Who plays moves to the end: maxims, basic, or itself.  [default: maxims; from nothing: itself]",
)
@click.option("--generations", type=click.IntRange(1, 100_000), metavar="N", help="Times to play, learn and measure.")
@click.option(
    "--refine",
    type=click.IntRange(0, 100_000),
    metavar="N",
    help="So many of them, the last ones, it makes its next few moves itself where moves are played out.  "
    "[default: 5, or half if that is less; with --quick, and where it plays all moves out itself, none]",
)
@click.option("--hands", type=click.IntRange(1, MAX_HANDS), metavar="N", help="Hands to play in each generation.")
@click.option(
    "--decks",
    type=click.IntRange(2, MAX_HANDS),
    default=2000,
    show_default=True,
    metavar="N",
    help="Decks that measure.",
)
@seed_option
@jobs_option("threads beside the one that learns", MAX_JOBS)
@file_option("--out", "Write the net to this file after each generation; 'instant:FILE.npz' plays by it.", "FILE.npz")
@file_option("--resume", "Keep all that is known in this file, and go on from there if it exists.")
@file_option("--curves", "Write how strong it became: FILE.csv, FILE.json or FILE.svg.")
@json_option
def train(
    editions: tuple[str, ...],
    seats: tuple[int, ...],
    sides: int | None,
    every_table: bool,
    settings: Mapping[str, Any],
    from_nothing: bool,
    quick: bool,
    start: Path | None,
    playouts: str | None,
    generations: int | None,
    refine: int | None,
    hands: int | None,
    decks: int,
    seed: str | None,
    jobs: int,
    out: Path | None,
    resume: Path | None,
    curves: Path | None,
    as_json: bool,
) -> int:
    """Train a net: it plays, its decisions are played out, and it learns from what that brought.

    Every generation the net plays hands of each table; at some decisions each move in question is played to the end
    over the same cards. What it has learned then plays the next generation. It is measured against basic and maxims
    over fresh decks. The same --seed gives the same net, with any number of --jobs. Needs torch: pip install
    'millebornes[train]'.
    """
    from millebornes.cli.lab_run import progress
    from millebornes.errors import PlayerError
    from millebornes.policies.batch import KernelPlayer
    from millebornes.policies.net_files import load_net
    from millebornes.training.curves import check_curves, write_curves
    from millebornes.training.fitting import import_torch
    from millebornes.training.trainer import Course, Trainer

    if every_table and (seats or sides is not None):
        raise click.UsageError("--every-table says how many seats and sides there are; leave out --seats and --sides")
    tables = tuple(
        rules_from(edition, *table, settings)
        for edition in dict.fromkeys(editions or (DEFAULT_EDITION,))
        for table in (
            load_edition(edition).tables
            if every_table
            else ((number, sides) for number in dict.fromkeys(seats or (DEFAULT_SEATS,)))
        )
    )
    if start is not None and from_nothing:
        raise click.UsageError("a net that --start names is not nothing; leave out --from-nothing")
    try:
        begun = None if start is None else load_net(start)
        if playouts is None:
            playouts = FROM_NOTHING if from_nothing else "maxims"
        from_nothing = from_nothing or (quick and start is None)
        if playouts != FROM_NOTHING:
            KernelPlayer.named(playouts, tables[0])
    except PlayerError as error:
        raise click.UsageError(str(error)) from None
    generations = generations or (QUICK["generations"] if quick else GENERATIONS)
    if refine is None:
        refine = 0 if quick or playouts == FROM_NOTHING else min(REFINE, generations // 2)
    if refine > generations:
        raise click.UsageError(f"--refine {refine}: there are only {generations} generations")
    if curves is not None:
        check_curves(curves)  # before hours of play, not after
    import_torch()
    seed_given, seed = seed is not None, seed if seed is not None else str(secrets.randbelow(2**53))
    if resume is not None and not seed_given and not resume.exists():
        click.echo(f"millebornes: the seed is {seed}; say --seed {seed} to go on from {resume}", err=True)
    hands = hands or (QUICK["hands"] if quick else HANDS)
    chunk = min(CHUNK, hands)
    course = Course(
        rules=tables,
        seed=seed,
        generations=generations,
        refine=refine,
        chunks=-(-hands // chunk) * len(tables),
        hands=chunk,
        base=0.0 if from_nothing else 1.0,
        playouts=None if playouts == FROM_NOTHING else playouts,
        batch=QUICK["batch"] if quick else BATCH,
        decks=decks,
    )
    run = Trainer(course, start=begun, jobs=jobs or os.cpu_count() or 1, output=out, resume=resume)
    told = len(run.history)
    with interruptible() as interruption, progress(course.total) as show:

        def on_chunk(run: Trainer) -> None:
            nonlocal told
            show(run.place, run.line())
            if len(run.history) > told:
                told = len(run.history)
                if curves is not None:
                    write_curves(curves, run.history)

        run.run(on_chunk)
    stopped = interruption.happened
    if as_json:
        report = {"seed": seed, "decisions": run.decisions, "generations": run.history, "wall_s": round(run.seconds, 3)}
        click.echo(json.dumps(report, ensure_ascii=False))
    else:
        click.echo("\n".join(_told(run.history)))
        click.echo(f"seed {seed}, {run.decisions:,} decisions, {run.seconds:.1f} s" + (", not complete" * stopped))
    return 1 if stopped else 0


def _told(history: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for entry in history:
        yield f"generation {entry['generation']}: {entry['decisions']:,} decisions, {entry['seconds']:.0f} s"
        for strength in entry["strength"]:
            for rival in (name for name in strength if name not in ("edition", "table")):
                points, share = strength[rival]["points"], strength[rival]["share"]
                low, high = points["ci95"]
                table = f"{strength['edition'] or 'own edition'} {strength['table']}"
                yield (
                    f"  {table} against {rival}: {points['value']:+.1f} points a hand ({low:+.1f} to {high:+.1f}), "
                    f"{100 * share['value']:.1f} % of hands"
                )
