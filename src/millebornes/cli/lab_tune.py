"""``millebornes lab tune``: a search for better weights."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from millebornes.editions import Rules

__all__ = ["run_tune"]

DEALS_OF_HANDS = 2000
DEALS_OF_MATCHES = 800
FINAL = 5
"""So many times the decks of one change measure the result."""


def run_tune(
    rules: Rules,
    player: str,
    weights: Sequence[str],
    *,
    objective: str | None,
    rounds: int | None,
    output: Path | None,
    deals: int | None,
    match_target: int | None,
    seed: str,
    jobs: int,
    cluster: str | None,
    resume: Path | None,
    as_json: bool,
) -> int:
    """Search, print what was found, and return the exit status. Raises `click.UsageError` for what is wrong."""
    from millebornes.cli.lab import progress
    from millebornes.errors import MilleBornesError, SaveError
    from millebornes.lab.tune import Tuner
    from millebornes.simulation.executors import open_workers

    decks = deals or (DEALS_OF_HANDS if match_target is None else DEALS_OF_MATCHES)
    try:
        run = Tuner(
            rules,
            player,
            weights,
            objective=objective or "points",
            deals=decks,
            final=FINAL * decks,
            rounds=rounds or 1,
            match_target=match_target,
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
        with open_workers(jobs or os.cpu_count() or 1, cluster) as workers, progress(run.total + 1) as show:
            run.run(workers, lambda run: show(run.place + run.checked / run.final, run.line()))
    except KeyboardInterrupt:
        stopped = True
        click.echo("millebornes: interrupted; this is what is known so far", err=True)
    report = run.report()
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else "\n".join(_told(report)))
    return 1 if stopped else 0


def _told(report: Mapping[str, Any]) -> Iterator[str]:
    from millebornes.lab.sheets import cell

    trials = report["trials"]
    yield f"{len(trials)} changes tried, {sum(trial['kept'] for trial in trials)} kept"
    for name, (before, after) in report["changed"].items():
        yield f"  {name}: {before} -> {after}"
    if report["changed"] and report["deals"]:
        game = "a hand" if report["match_target"] is None else f"a match to {report['match_target']}"
        yield (
            f"against what it began with, on {report['deals']:,} fresh decks: {cell(report['points'], 'gain')} points "
            f"{game}, {cell(report['share'], 'edge')} of wins"
        )
    yield f"best: {report['best']}"
    yield f"seed {report['seed']}, {report['wall_s']:.1f} s" + ("" if report["complete"] else ", not complete")
