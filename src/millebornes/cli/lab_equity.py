"""``millebornes lab equity``: match equity tables, made and checked."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from millebornes.editions import EDITIONS, Rules

__all__ = ["run_equity", "tables_asked"]


def tables_asked(edition: str | None, seats: int | None, sides: int | None, settings: Mapping[str, Any]) -> list[Rules]:
    """The tables: the one that is asked for, or else all that an edition was made for; ``all``: of each edition.

    Raises `click.UsageError`.
    """
    from millebornes.cli.common import DEFAULT_EDITION, rules_from
    from millebornes.cli.lab import ALL
    from millebornes.editions import load_edition

    found = []
    for name in EDITIONS if edition == ALL else (edition or DEFAULT_EDITION,):
        own = load_edition(name).tables if seats is None and sides is None else [(seats, sides)]
        found += [rules_from(name, *table, settings) for table in own]
    return found


def run_equity(
    tables: list[Rules],
    player: str,
    *,
    hands: int | None,
    matches: int | None,
    match_target: int | None,
    out: Path | None,
    seed: str,
    jobs: int,
    cluster: str | None,
    plot: Path | None,
    markdown: bool,
    as_json: bool,
) -> int:
    """Make the equity of each table, print it, and return the exit status.

    With ``out`` each is stored in that folder, as the package stores its own. Raises `click.UsageError`.
    """
    from millebornes.cli.lab import plot_run, progress, told
    from millebornes.errors import PlayerError
    from millebornes.simulation.executors import open_workers
    from millebornes.simulation.lab_equity import EquityRun
    from millebornes.simulation.seeds import seed_value
    from millebornes.storage.atomic import write_atomically

    if match_target is None:
        raise click.BadParameter("equity is of matches, which must end", param_hint="'--match-target'")
    asked = {"hands": hands, "matches": matches}
    given = {name: number for name, number in asked.items() if number is not None}
    try:
        runs = [EquityRun(rules, player, target=match_target, seed=seed, **given) for rules in tables]
    except PlayerError as error:
        raise click.UsageError(str(error)) from None
    if plot is not None:
        from millebornes.simulation.lab_plot import check_plots

        check_plots()
    stopped = False
    done = 0
    try:
        with (
            open_workers(jobs or os.cpu_count() or 1, cluster) as workers,
            progress(sum(r.total for r in runs)) as show,
        ):
            for run in runs:
                before = done
                run.run(workers, lambda run, before=before: show(before + run.done, run.line()))  # type: ignore[misc]
                done = before + run.done
                if out is not None:
                    write_atomically(out / run.file_name, run.data)
    except KeyboardInterrupt:
        stopped = True
        click.echo("millebornes: interrupted; only the tables before are complete", err=True)
    complete = [run for run in runs if run.done == run.total]
    found = [(run, run.sheets()) for run in complete]
    if as_json:
        report = {"experiments": [run.report() for run in complete], "seed": seed_value(seed), "complete": not stopped}
        click.echo(json.dumps(report))
    elif found:
        click.echo("\n".join(told(found, markdown=markdown)).rstrip("\n"))
        if not markdown:
            click.echo(f"\nseed {seed}")
    if plot is not None and found:
        plot_run(plot, found)
    return 1 if stopped else 0
