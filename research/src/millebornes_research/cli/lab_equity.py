"""``millebornes lab equity``: make and check match equity tables."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from millebornes.cli.common import rules_from
from millebornes.editions import Rules, load_edition
from millebornes_research.cli.lab_run import Asked, carry_out, show

if TYPE_CHECKING:
    from millebornes_research.lab.equity import EquityRun


def _tables(editions: Iterable[str], params: Mapping[str, Any]) -> list[Rules]:
    """Return the requested table or, by default, all tables that the editions were made for.

    Raises `click.UsageError` if there is no such table.
    """
    asked: tuple[int | None, int | None] = params["seats"], params["sides"]
    found = []
    for name in editions:
        own = load_edition(name).tables if asked == (None, None) else [asked]
        found += [rules_from(name, *table, params["settings"]) for table in own]
    return found


def run_equity(editions: Iterable[str], params: Mapping[str, Any], asked: Asked) -> int:
    """Make the equity table for each table and print it, and return the exit status.

    ``params`` contains the parameters of the command. If ``out`` is one of them, each result is written to this folder,
    in the format of the data files in the package. Raises `click.UsageError` if a parameter is invalid.
    """
    from millebornes.arena.schedule import seed_value
    from millebornes.errors import PlayerError
    from millebornes.storage.files import write_atomically
    from millebornes_research.lab.equity import EquityRun

    tables = _tables(editions, params)
    if params["match_target"] is None:
        raise click.BadParameter("equity is about matches, which must end", param_hint="'--match-target'")
    given = {name: params[name] for name in ("hands", "matches") if params[name] is not None}
    target, out = params["match_target"], params["out"]
    try:
        runs = [EquityRun(rules, params["player"], target=target, seed=asked.seed, **given) for rules in tables]
    except PlayerError as error:
        raise click.UsageError(str(error)) from None

    def store(run: "EquityRun") -> None:
        if out is not None:
            write_atomically(out / run.file_name, run.data)

    stopped = carry_out(runs, asked, known="only the tables before are complete", on_end=store)
    complete = [run for run in runs if run.complete]
    report = {
        "experiments": [run.report() for run in complete],
        "seed": seed_value(asked.seed),
        "complete": not stopped,
    }
    show([(run, run.sheets()) for run in complete], report, f"seed {asked.seed}", asked)
    return 1 if stopped else 0
