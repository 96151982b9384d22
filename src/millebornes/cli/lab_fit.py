"""``millebornes lab fit``: all weights at once, fitted to what moves bring when they are played out."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from millebornes.editions import Rules

__all__ = ["run_fit"]

DEALS: Final = 20_000
ROUNDS: Final = 2
LEAST_TRIALS: Final = 100


def run_fit(
    rules: Rules,
    player: str,
    weights: Sequence[str],
    *,
    rounds: int | None,
    output: Path | None,
    deals: int | None,
    seed: str,
    jobs: int,
    cluster: str | None,
    resume: Path | None,
    as_json: bool,
) -> int:
    """Fit, print what was found, and return the exit status. Raises `click.UsageError` for what is wrong."""
    from millebornes.cli.lab import progress
    from millebornes.errors import MilleBornesError, SaveError
    from millebornes.lab.fit import Fitter
    from millebornes.simulation.executors import open_workers

    decks = deals or DEALS
    trials = max(LEAST_TRIALS, decks // 4)
    try:
        run = Fitter(
            rules,
            player,
            weights,
            deals=decks,
            trials=trials,
            final=2 * trials,
            rounds=rounds or ROUNDS,
            seed=seed,
            output=output,
            resume=resume,
        )
    except SaveError:
        raise
    except MilleBornesError as error:
        raise click.UsageError(str(error)) from None
    stopped = False
    try:
        with open_workers(jobs or os.cpu_count() or 1, cluster) as workers, progress(run.rounds + 1) as show:
            run.run(workers, lambda run: show(run.progress, run.line()))
    except KeyboardInterrupt:
        stopped = True
        click.echo("millebornes: interrupted; this is what is known so far", err=True)
    report = run.report()
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else "\n".join(_told(report)))
    return 1 if stopped else 0


def _told(report: Mapping[str, Any]) -> Iterator[str]:
    from millebornes.lab.sheets import cell

    yield f"{report['decisions']:,} decisions played out, {len(report['changed'])} weights changed"
    for step in report["steps"]:
        kept = "kept" if step["kept"] else "not kept"
        yield f"  round {step['round'] + 1}, {step['size']} of the change: {cell(step['edge'], 'gain')} points, {kept}"
    for name, (before, after) in report["changed"].items():
        yield f"  {name}: {before} -> {after}"
    if report["changed"] and report["deals"]:
        yield (
            f"against what it began with, on {report['deals']:,} fresh decks: {cell(report['points'], 'gain')} points "
            f"a hand, {cell(report['share'], 'edge')} of wins"
        )
    yield f"best: {report['best']}"
    yield f"seed {report['seed']}, {report['wall_s']:.1f} s" + ("" if report["complete"] else ", not complete")
