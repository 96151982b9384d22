"""``millebornes lab fit``: fit the weights of maxims."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.editions import Rules
from millebornes_research.cli.lab_run import Asked, carry_out

if TYPE_CHECKING:
    from millebornes_research.lab.fit import Fitter

DEALS_TO_FIT: Final = 20_000
ROUNDS_TO_FIT: Final = 2
MIN_TRIALS: Final = 100


def run_fit(rules: Rules, params: Mapping[str, Any], asked: Asked) -> int:
    """Fit with the parameters of the command, print the result, and return the exit status.

    Raises `click.UsageError` if a parameter is invalid.
    """
    from millebornes.errors import MilleBornesError, SaveError

    if asked.plot or asked.markdown:
        raise click.UsageError("fit draws no plots and prints no Markdown")
    if params["matches"]:
        raise click.UsageError("fit counts points of single hands; it doesn't take --matches")
    try:
        run = _fitter(rules, params, asked)
    except SaveError:
        raise
    except MilleBornesError as error:
        raise click.UsageError(str(error)) from None
    stopped = carry_out([run], asked)
    report = run.report()
    click.echo(json.dumps(report, ensure_ascii=False) if asked.as_json else "\n".join(_told(report)))
    return 1 if stopped else 0


def _fitter(rules: Rules, params: Mapping[str, Any], asked: Asked) -> "Fitter":
    from millebornes_research.lab.fit import Fitter, Fitting

    deals = params["hands"] or DEALS_TO_FIT
    trials = max(MIN_TRIALS, deals // 4)
    plan = Fitting(
        rules=rules,
        player=params["player"],
        weights=(*params["maxims"], *params["weights"]),
        deals=deals,
        rounds=params["rounds"] or ROUNDS_TO_FIT,
        seed=asked.seed,
        trials=trials,
        final=2 * trials,
    )
    return Fitter(plan, output=params["output"], resume=asked.resume)


def _told(report: Mapping[str, Any]) -> Iterator[str]:
    from millebornes_research.lab.sheets import cell

    yield f"{report['decisions']:,} decisions played out, {len(report['changed'])} weights changed"
    for step in report["steps"]:
        kept, edge = "kept" if step["kept"] else "not kept", cell(step["edge"], "gain")
        yield f"  round {step['round'] + 1}, {step['size']} of the change: {edge} points, {kept}"
    for name, (before, after) in report["changed"].items():
        yield f"  {name}: {before} -> {after}"
    if report["changed"] and report["deals"]:
        yield (
            f"against what it began with, on {report['deals']:,} fresh decks: {cell(report['points'], 'gain')} points "
            f"a hand, {cell(report['share'], 'edge')} of wins"
        )
    yield f"best: {report['best']}"
    yield f"seed {report['seed']}, {report['wall_s']:.1f} s" + ("" if report["complete"] else ", not complete")
