"""``millebornes train``: train a net by letting it play against itself."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from millebornes.cli.common import (
    DEFAULT_EDITION,
    DEFAULT_SEATS,
    EditionType,
    MatchTargetType,
    NumberRange,
    file_option,
    jobs_option,
    json_option,
    rules_from,
    seed_option,
    set_option,
    sides_option,
)
from millebornes.cli.interruption import interruptible
from millebornes.editions import EDITIONS, Rules, load_edition
from millebornes.table.setup import DEFAULT_TARGET

if TYPE_CHECKING:
    from millebornes.policies.net_files import Net

GENERATIONS: Final = 9
REFINE: Final = 5
HANDS: Final = 110_000
BATCH: Final = 1024
QUICK: Final[Mapping[str, int]] = {"generations": 5, "hands": 45_000, "batch": 512}
CHUNK: Final = 1000
"""The number of hands in each chunk of training data."""
MAX_JOBS: Final = 256
MAX_HANDS: Final = 1_000_000_000
ITSELF, COMPANY = "itself", "company"
LEAGUE: Final[Mapping[str, int]] = {"generations": 14, "hands": 15_000, "ahead": 6, "itself": 60, "former": 6}
BOOTSTRAP: Final = 0.67
"""The default of the option in a league, if the net can already play."""
RATE, SMALL_RATE = 1e-3, 2e-4
"""The default learning rates.

The smaller rate is for a net that has already been trained and continues against others, so that it forgets less.
"""
RIVALS: Final = ("basic", "maxims")
LEAGUE_RIVALS: Final = ("instant", "maxims", "basic", "skilled", "casual")

Function = TypeVar("Function", bound=Callable[..., Any])


_HELP: Final = """\
Train a net: it plays, its decisions are played out, and it learns from the results.

In every generation, the net plays hands at each table. At some decisions, each candidate move is played to the end
over the same cards. The net learns from this, and the improved net plays the next generation. It is measured
against its rivals on fresh decks. The same --seed gives the same net, with any number of --jobs. This needs torch:
pip install 'millebornes-research[train]'."""


@click.command(help=_HELP)
@click.option(
    "--edition",
    "editions",
    type=EditionType(),
    multiple=True,
    metavar="NAME|FILE.toml",
    help=f"Edition to learn: {', '.join(EDITIONS)}, or a file of your own; may be repeated.  [default: classic]",
)
@click.option(
    "--seats",
    type=int,
    multiple=True,
    metavar="N",
    help="Number of seats at the table, 2 to 8; may be repeated.  [default: 2]",
)
@sides_option
@click.option("--every-table", is_flag=True, help="Learn every table that an edition is made for, and no others.")
@set_option
@click.option(
    "--from-nothing",
    is_flag=True,
    help="Start from random play, without the maxims; by default, the net plays moves out itself.",
)
@click.option(
    "--quick", is_flag=True, help="Train for about ten minutes on two cores, with a net that starts from nothing."
)
@click.option(
    "--league",
    is_flag=True,
    help="Learn in a league: play some of the matches against the rivals and earlier versions of the net.",
)
@click.option(
    "--strangers",
    type=click.IntRange(0, 1000),
    default=0,
    metavar="N",
    help="With --league, add this many players, drawn at random, for every thousand hands.  [default: 0]",
)
@click.option(
    "--itself",
    type=click.IntRange(0, 100),
    metavar="PERCENT",
    help=f"With --league, percentage of matches in which the net has all seats.  [default: {LEAGUE['itself']}]",
)
@click.option(
    "--random-tables",
    type=click.IntRange(0, 10_000),
    default=0,
    metavar="N",
    help="Play half of the hands at this many tables with random settings.  [default: 0]",
)
@click.option(
    "--exploit",
    metavar="PLAYER",
    help="Learn to beat only this player, which has all other seats and never learns. The net's winnings are a lower "
    "bound on what can be won from that player.",
)
@click.option(
    "--rival",
    "rivals",
    multiple=True,
    metavar="PLAYER",
    help=f"Measure the net against this player; may be repeated.  [default: {', '.join(RIVALS)}; with --league: "
    f"{', '.join(LEAGUE_RIVALS)}]",
)
@click.option(
    "--match-target",
    type=MatchTargetType(),
    metavar="N|none",
    help="Learn to win matches to this many points; 'none' learns to score points in single hands.  "
    f"[default: none; with --league or --exploit: {DEFAULT_TARGET}]",
)
@file_option(
    "--start",
    "Start from this net.  [default: with --league or --exploit, the net of instant; otherwise the maxims]",
    "FILE.npz",
)
@click.option(
    "--playouts",
    metavar="PLAYER",
    help="Player that plays moves out to the end: maxims, basic, itself (the net in all seats) or company (the players "
    "at the table).  [default: maxims; with --from-nothing: itself; with --league or --exploit: company]",
)
@click.option(
    "--ahead",
    type=click.IntRange(0, 1000),
    metavar="N",
    help="With --playouts itself or company, let the maxims take over after the seat's next N moves, which is quicker; "
    f"0 for never.  [default: 0; with --league: {LEAGUE['ahead']}]",
)
@click.option(
    "--bootstrap",
    type=NumberRange(0, 1),
    metavar="PART",
    help="Weight (0-1) of the net's own value estimate after --ahead moves versus the final score (bootstrapping): "
    "reduces luck, but adds the net's own errors.  [default: 0; with --league: "
    f"{BOOTSTRAP}]",
)
@click.option(
    "--generations",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Number of generations; each one plays, learns and is measured.",
)
@click.option(
    "--refine",
    type=click.IntRange(0, 100_000),
    metavar="N",
    help="In the last N generations, let the net make its own next few moves when moves are played out.  "
    "[default: 5, or half the generations if that is fewer; 0 with --quick or --playouts itself or company]",
)
@click.option(
    "--hands",
    type=click.IntRange(1, MAX_HANDS),
    metavar="N",
    help="Number of hands to play at each table in each generation.",
)
@click.option(
    "--decks",
    type=click.IntRange(2, MAX_HANDS),
    default=2000,
    show_default=True,
    metavar="N",
    help="Number of decks to measure each generation with.",
)
@seed_option
@jobs_option("threads that play hands, besides the one that learns", MAX_JOBS)
@file_option("--out", "Write the net to this file after each generation; 'instant:FILE.npz' plays with it.", "FILE.npz")
@file_option("--resume", "Save progress in this file, and continue from it if it exists.")
@file_option("--curves", "Write the learning curve to this file: FILE.csv, FILE.json or FILE.svg.")
@json_option
def train(
    editions: tuple[str, ...],
    seats: tuple[int, ...],
    sides: int | None,
    every_table: bool,
    settings: Mapping[str, Any],
    from_nothing: bool,
    quick: bool,
    league: bool,
    strangers: int,
    itself: int | None,
    random_tables: int,
    exploit: str | None,
    rivals: tuple[str, ...],
    match_target: int | None,
    start: Path | None,
    playouts: str | None,
    ahead: int | None,
    bootstrap: float | None,
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
    """Run the command ``train``."""
    from millebornes_research.cli.lab_run import progress, seed_for
    from millebornes_research.lab.changes import random_tables as tables_drawn
    from millebornes_research.training.curves import check_curves, write_curves
    from millebornes_research.training.fitting import import_torch
    from millebornes_research.training.trainer import Course, Trainer

    if strangers and not league:
        raise click.UsageError(f"--strangers {strangers} needs a league; add --league")
    if itself is None:
        itself = LEAGUE["itself"] if league else 0 if exploit is not None else 100
    elif not league:
        raise click.UsageError(f"--itself {itself} needs a league; add --league")
    tables = _tables(editions, seats, sides, settings, every_table=every_table)
    in_company = league or exploit is not None
    asked = Asked(league, exploit, rivals, start, playouts, ahead, from_nothing, quick)
    asked.check(tables)
    begun = asked.net(tables)
    if playouts is None:
        playouts = ITSELF if from_nothing else COMPANY if in_company else "maxims"
    from_nothing = from_nothing or (quick and start is None)
    sizes = QUICK if quick else LEAGUE if in_company else {"generations": GENERATIONS, "hands": HANDS}
    generations = generations or sizes["generations"]
    hands = hands or sizes["hands"]
    if refine and playouts in (ITSELF, COMPANY):
        raise click.UsageError(f"--refine {refine} is for moves that another player plays out, not {playouts}")
    if refine is None:
        refine = 0 if quick or playouts in (ITSELF, COMPANY) else min(REFINE, generations // 2)
    if refine > generations:
        raise click.UsageError(f"--refine {refine}: there are only {generations} generations")
    if ahead is None:
        ahead = LEAGUE["ahead"] if league and playouts == COMPANY else 0
    if bootstrap and not ahead:
        raise click.UsageError(f"--bootstrap {bootstrap} is for play-outs with --ahead")
    if bootstrap is None:  # the estimates of an untrained net are worthless
        bootstrap = BOOTSTRAP if league and ahead and begun is not None else 0.0
    given = click.get_current_context().get_parameter_source("match_target")
    if in_company and given is click.core.ParameterSource.DEFAULT:
        match_target = DEFAULT_TARGET
    if curves is not None:
        check_curves(curves)  # report this now instead of after hours of training
    import_torch()
    seed = seed_for(seed, resume)
    chunk = min(CHUNK, hands)
    drawn = tables_drawn(random_tables, seed)
    course = Course(
        rules=tables,
        seed=seed,
        generations=generations,
        refine=refine,
        chunks=-(-hands // chunk) * len(tables) * (2 if drawn else 1),
        hands=chunk,
        base=0.0 if from_nothing else 1.0,
        playouts=playouts,
        ahead=ahead,
        bootstrap=bootstrap,
        rate=SMALL_RATE if in_company and begun is not None else RATE,
        batch=QUICK["batch"] if quick else BATCH,
        decks=decks,
        rivals=asked.rivals_met,
        target=match_target or 0,
        itself=itself,
        former=LEAGUE["former"] if league else 0,
        strangers=strangers,
        drawn=drawn,
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
    if curves is not None and run.history:
        write_curves(curves, run.history)  # including the generations of a previous run
    stopped = interruption.happened
    if as_json:
        report = {"seed": seed, "decisions": run.decisions, "generations": run.history, "wall_s": round(run.seconds, 3)}
        click.echo(json.dumps(report, ensure_ascii=False))
    else:
        click.echo("\n".join(_told(run.history, course.target)))
        click.echo(f"seed {seed}, {run.decisions:,} decisions, {run.seconds:.1f} s" + (", not complete" * stopped))
    return 1 if stopped else 0


def _tables(
    editions: tuple[str, ...],
    seats: tuple[int, ...],
    sides: int | None,
    settings: Mapping[str, Any],
    *,
    every_table: bool,
) -> tuple[Rules, ...]:
    """Return the tables on which the net is trained."""
    if every_table and (seats or sides is not None):
        raise click.UsageError("--every-table sets the numbers of seats and sides; leave out --seats and --sides")
    return tuple(
        rules_from(edition, *table, settings)
        for edition in dict.fromkeys(editions or (DEFAULT_EDITION,))
        for table in (
            load_edition(edition).tables
            if every_table
            else ((number, sides) for number in dict.fromkeys(seats or (DEFAULT_SEATS,)))
        )
    )


class Asked(NamedTuple):
    """The options of the command that determine who plays and who learns."""

    league: bool
    exploit: str | None
    rivals: tuple[str, ...]
    start: Path | None
    playouts: str | None
    ahead: int | None
    from_nothing: bool
    quick: bool

    @property
    def rivals_met(self) -> tuple[str, ...]:
        """The players against which the net is measured."""
        if self.exploit is not None:
            return (self.exploit,)
        return tuple(dict.fromkeys(self.rivals)) or (LEAGUE_RIVALS if self.league else RIVALS)

    def check(self, tables: Sequence[Rules]) -> None:
        """Raise `click.UsageError` if options conflict, or if kernels can't run one of the players."""
        from millebornes.errors import PlayerError
        from millebornes.policies.batch import KernelPlayer

        in_company = self.league or self.exploit is not None
        if self.league and self.exploit is not None:
            raise click.UsageError("--exploit plays against one player, --league against many; leave out one of them")
        if self.exploit is not None and self.rivals:
            raise click.UsageError("with --exploit the only rival is that player; leave out --rival")
        if self.playouts == COMPANY and not in_company:
            raise click.UsageError("--playouts company needs --league or --exploit PLAYER")
        if self.ahead and self.playouts not in (ITSELF, COMPANY) and (self.playouts or not in_company):
            raise click.UsageError(f"--ahead {self.ahead} is for --playouts itself or company")
        if self.start is not None and self.from_nothing:
            raise click.UsageError("--start names a net to start from; leave out --from-nothing")
        players = {*self.rivals_met, *({self.playouts} - {None, ITSELF, COMPANY})}
        try:
            for name in players:
                for rules in tables:
                    KernelPlayer.named(str(name), rules)
        except PlayerError as error:
            raise click.UsageError(str(error)) from None

    def net(self, tables: Sequence[Rules]) -> "Net | None":
        """Return the net to train, or None to start with an untrained net.

        Raises `click.UsageError` if the file is invalid.
        """
        from millebornes.errors import PlayerError
        from millebornes.policies.net_files import load_net
        from millebornes.policies.shipped_nets import net_named, shipped_net

        try:
            if self.start is not None:
                return load_net(self.start)
        except PlayerError as error:
            raise click.UsageError(str(error)) from None
        if not (self.league or self.exploit is not None) or self.from_nothing or self.quick:
            return None
        kind, _, options = (self.exploit or "").partition(":")
        return net_named(options) if kind == "instant" and options else shipped_net().of(tables[0])


def _told(history: Sequence[Mapping[str, Any]], target: int) -> Iterator[str]:
    for entry in history:
        yield f"generation {entry['generation']}: {entry['decisions']:,} decisions, {entry['seconds']:.0f} s"
        former = entry.get("former") or [{}] * len(entry["strength"])
        for strength, by_former in zip(entry["strength"], former, strict=True):
            table = f"{strength['edition'] or 'own edition'} {strength['table']}"
            for rival, found in {**strength, **by_former}.items():
                if rival in ("edition", "table"):
                    continue
                points, share = found["points"], found["share"]
                low, high = points["ci95"]
                yield (
                    f"  {table} against {rival}: {points['value']:+.1f} points a hand ({low:+.1f} to {high:+.1f}), "
                    f"{100 * share['value']:.1f} % of {'matches' if target else 'hands'}"
                )
