"""``millebornes lab tune`` and ``millebornes lab fit``: search for better weights."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.editions import Rules
from millebornes_research.cli.lab_run import Asked, carry_out

if TYPE_CHECKING:
    from millebornes_research.lab.fit import Fitter
    from millebornes_research.lab.tune import Tuner

__all__ = ["run_search"]

DEALS_OF_HANDS: Final = 2000
DEALS_OF_MATCHES: Final = 800
FINAL: Final = 5
"""The number of decks that measure the result, as a multiple of those that measure a change."""
DEALS_TO_FIT: Final = 20_000
ROUNDS_TO_FIT: Final = 2
MIN_TRIALS: Final = 100


def run_search(search: str, rules: Rules, params: Mapping[str, Any], asked: Asked) -> int:
    """Tune or fit with the parameters of the command, print the result, and return the exit status.

    Raises `click.UsageError` if a parameter is invalid.
    """
    from millebornes.errors import MilleBornesError, SaveError

    if asked.plot or asked.markdown:
        raise click.UsageError(f"{search} draws no plots and prints no Markdown")
    if search == "fit" and (params["objective"] or params["matches"]):
        raise click.UsageError("fit counts points of single hands; it takes neither --objective nor --matches")
    make: Callable[[Rules, Mapping[str, Any], Asked], Tuner | Fitter] = _fitter if search == "fit" else _tuner
    try:
        run = make(rules, params, asked)
    except SaveError:
        raise
    except MilleBornesError as error:
        raise click.UsageError(str(error)) from None
    stopped = carry_out([run], asked)
    report = run.report()
    click.echo(json.dumps(report, ensure_ascii=False) if asked.as_json else "\n".join(_told(report)))
    return 1 if stopped else 0


def _plan(rules: Rules, params: Mapping[str, Any], asked: Asked) -> dict[str, Any]:
    """Return the settings that all searches have."""
    weights = (*params["maxims"], *params["weights"])
    return {"rules": rules, "player": params["player"], "weights": weights, "seed": asked.seed}


def _tuner(rules: Rules, params: Mapping[str, Any], asked: Asked) -> "Tuner":
    from millebornes_research.lab.tune import Tuner, Tuning

    target, objective = params["match_target"], params["objective"] or "points"
    deals = params["matches"] if objective == "match" and params["matches"] else params["hands"]
    deals = deals or (DEALS_OF_HANDS if target is None else DEALS_OF_MATCHES)
    steps: dict[str, Any] = {"deals": deals, "final": FINAL * deals, "rounds": params["rounds"] or 1}
    plan = Tuning(**_plan(rules, params, asked), **steps, objective=objective, match_target=target)
    return Tuner(plan, output=params["output"], resume=asked.resume)


def _fitter(rules: Rules, params: Mapping[str, Any], asked: Asked) -> "Fitter":
    from millebornes_research.lab.fit import Fitter, Fitting

    deals = params["hands"] or DEALS_TO_FIT
    trials = max(MIN_TRIALS, deals // 4)
    steps: dict[str, Any] = {"deals": deals, "rounds": params["rounds"] or ROUNDS_TO_FIT}
    plan = Fitting(**_plan(rules, params, asked), **steps, trials=trials, final=2 * trials)
    return Fitter(plan, output=params["output"], resume=asked.resume)


def _told(report: Mapping[str, Any]) -> Iterator[str]:
    from millebornes_research.lab.sheets import cell

    if "trials" in report:
        trials = report["trials"]
        yield f"{len(trials)} changes tried, {sum(trial['kept'] for trial in trials)} kept"
    else:
        yield f"{report['decisions']:,} decisions played out, {len(report['changed'])} weights changed"
        for step in report["steps"]:
            kept, edge = "kept" if step["kept"] else "not kept", cell(step["edge"], "gain")
            yield f"  round {step['round'] + 1}, {step['size']} of the change: {edge} points, {kept}"
    for name, (before, after) in report["changed"].items():
        yield f"  {name}: {before} -> {after}"
    if report["changed"] and report["deals"]:
        target = report.get("match_target")
        game = "a hand" if target is None else f"a match to {target}"
        yield (
            f"against what it began with, on {report['deals']:,} fresh decks: {cell(report['points'], 'gain')} points "
            f"{game}, {cell(report['share'], 'edge')} of wins"
        )
    yield f"best: {report['best']}"
    yield f"seed {report['seed']}, {report['wall_s']:.1f} s" + ("" if report["complete"] else ", not complete")
