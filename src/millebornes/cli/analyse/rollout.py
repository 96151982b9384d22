"""``millebornes rollout``: simulate a position until the best move is clear."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from millebornes.cli.common import (
    NumberRange,
    announcing_compilation,
    cluster_option,
    columns,
    counted,
    jobs_option,
    json_option,
    opened,
    seed_option,
)
from millebornes.cli.interruption import interruptible
from millebornes.cli.working import at_work, console_for_progress

if TYPE_CHECKING:
    from millebornes.analysis.rollouts import Rollout, RolloutRun

MAX_FILE: Final = 1 << 16
"""At most this many bytes are read from a file that contains a position."""
PAUSE: Final = 0.2
"""The figures on the screen are updated after this many seconds."""


_HELP: Final = """\
Simulate the rest of the hand after each move in a position, many times, and report what each move is worth.

POSITION is a text in one line: a hand with all cards known, what a seat sees, or everything that it has seen (docs:
position text). POSITION can also be a file that contains such a text, or - for standard input. The rollout ends as
soon as it reaches one of the limits set by --worlds, --error, --sigmas and --time. The same --seed gives the same
figures with any number of --jobs, unless the rollout ends because of --time."""


@click.command(help=_HELP)
@click.argument("position", metavar="POSITION|FILE|-")
@click.option(
    "--worlds", type=click.IntRange(1, 1_000_000), metavar="N", help="Stop after N simulations.  [default: 8192]"
)
@click.option(
    "--error",
    type=NumberRange(min=0, min_open=True),
    metavar="X",
    help="Stop when the standard error of the difference between the two best moves is at most X points "
    "(or X hundredths of a match, with a match target).",
)
@click.option(
    "--sigmas",
    type=NumberRange(min=0, min_open=True),
    metavar="J",
    help="Stop when the best move is ahead of every other one by J standard errors of their difference.",
)
@click.option(
    "--time", "seconds", type=NumberRange(min=0, min_open=True), metavar="SECONDS", help="Stop after this many seconds."
)
@click.option(
    "--points", is_flag=True, help="Compare moves by the points of this hand, even if there is a match target."
)
@click.option("--hidden", is_flag=True, help="Treat the other hands as unknown, even if the position shows them.")
@click.option(
    "--player",
    metavar="NAME",
    help="Player that makes all later moves: random, basic, maxims, instant or a level.  "
    "[default: the champion's model of people]",
)
@click.option(
    "--no-variance-reduction", is_flag=True, help="Use separate simulations for each move, without variance reduction."
)
@seed_option
@jobs_option()
@cluster_option
@click.option("--no-cache", is_flag=True, help="Don't look up or save results in the cache.")
@json_option
def rollout(
    position: str,
    worlds: int | None,
    error: float | None,
    sigmas: float | None,
    seconds: float | None,
    points: bool,
    hidden: bool,
    player: str | None,
    no_variance_reduction: bool,
    seed: str | None,
    jobs: int,
    cluster: str | None,
    no_cache: bool,
    as_json: bool,
) -> int:
    """Run the command ``rollout``."""
    from millebornes.analysis.analyst import StopRules, view_of
    from millebornes.analysis.reading import read_position
    from millebornes.analysis.rollouts import RolloutCache, RolloutRun
    from millebornes.arena.executors import open_workers
    from millebornes.errors import NotationError, PlayerError
    from millebornes.game import Hand
    from millebornes.schema.exercises import Objective

    text, where = _text_of(position)
    try:
        found = read_position(text)
        if hidden and isinstance(found, Hand):
            found = view_of(found)
        with at_work("getting ready …"):
            run = RolloutRun(
                found,
                StopRules(worlds, error, sigmas, seconds),
                objective=Objective.POINTS if points else None,
                player=player,
                seed=seed if seed is not None else 0,
                variance_reduction=not no_variance_reduction,
            )
    except NotationError as problem:
        raise NotationError(f"{where}: {problem}") from None
    except PlayerError as problem:
        raise PlayerError(f"{where if player is None else '--player'}: {problem}") from None
    cache = None if no_cache else RolloutCache()
    result = None if cache is None else cache.find(run)
    interrupted = False
    if result is None:
        with (
            announcing_compilation(),
            interruptible() as interruption,
            open_workers(jobs, cluster) as workers,
            _progress() as show,
        ):
            run.run(workers, show)
        interrupted = interruption.happened
        if not run.worlds:
            return 1
        if cache is not None:
            cache.keep(run)
        result = run.current_result()
    click.echo(json.dumps(result.to_dict(), ensure_ascii=False) if as_json else "\n".join(_lines(result)))
    return 1 if interrupted else 0


def _text_of(position: str) -> tuple[str, str]:
    is_file = position == "-"
    with contextlib.suppress(OSError, ValueError):  # not a valid file name
        is_file = is_file or Path(position).is_file()
    if is_file:
        with opened(position) as (stream, where):
            return stream.read(MAX_FILE).decode("utf-8", "replace"), where
    if " " not in position.strip():
        raise click.BadParameter(f"{position!r} is neither a file nor a position", param_hint="POSITION")
    return position, "POSITION"


@contextlib.contextmanager
def _progress() -> Iterator["Callable[[RolloutRun], None] | None"]:
    console = console_for_progress()
    if console is None:
        yield None
        return
    from rich.status import Status

    with Status("getting ready …", console=console) as status:
        due = 0.0

        def show(run: "RolloutRun") -> None:
            nonlocal due
            if time.monotonic() >= due:
                found = run.current_result()
                best = found.moves[0]
                second = f", {found.moves[1].move.text} {_loss(found, 1)}" if len(found.moves) > 1 else ""
                status.update(f"{counted(found.worlds, 'simulation')}: {best.move.text} {best.value:+.1f}{second}")
                due = time.monotonic() + PAUSE

        yield show


def _loss(found: "Rollout", place: int) -> str:
    move = found.moves[place]
    if move.win_match is None or found.objective.value == "points":
        return f"-{move.loss:.1f}{_error(move.loss_stderr, 1)}"
    return f"-{100 * move.loss:.2f}{_error(100 * move.loss_stderr, 2)} %"


def _error(stderr: float, decimals: int) -> str:
    return f" ± {stderr:.{decimals}f}" if stderr else ""


def _lines(found: "Rollout") -> Iterator[str]:
    rows = [["move", "lead", "wins the hand", "wins the match", "behind the best", "simulations", "proven"]]
    is_match = found.objective.value == "match"
    for place, move in enumerate(found.moves):
        proven = "" if move.proven is None else f"{100 * move.proven:.2f} %" if is_match else f"{move.proven:+.0f}"
        rows.append(
            [
                move.move.text,
                f"{move.value:+.1f}" + _error(move.stderr, 1),
                f"{100 * move.win_hand:.1f}{_error(100 * (move.win_hand_stderr or 0), 1)} %",
                ""
                if move.win_match is None
                else f"{100 * move.win_match:.2f}{_error(100 * (move.win_match_stderr or 0), 2)} %",
                "" if place == 0 else _loss(found, place),
                f"{move.worlds:,}",
                proven,
            ]
        )
    shown = [n for n in range(len(rows[0])) if any(row[n] for row in rows[1:])]
    yield from columns([[row[n] for n in shown] for row in rows])
    yield ""
    why = {
        "worlds": "all simulations are done",
        "error": "the error is small enough",
        "sigmas": "the best move is sure",
    }
    ended = "interrupted" if found.stopped is None else why.get(found.stopped.value, "time is over")
    yield f"{counted(found.worlds, 'simulation')}, {found.seconds:.1f} s, seed {found.seed}: {ended}"
    if found.variance_ratio is not None:
        yield f"Separate simulations for each move would need to be {found.variance_ratio:.1f} times as many."
