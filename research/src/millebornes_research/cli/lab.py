"""``millebornes lab``: measure how much a way of playing is worth, by playing it."""

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from millebornes.cli.common import (
    DEFAULT_EDITION,
    EditionType,
    cluster_option,
    file_option,
    jobs_option,
    json_option,
    match_target_option,
    rules_from,
    seats_option,
    seed_option,
    set_option,
    sides_option,
)
from millebornes.editions import EDITIONS, Rules
from millebornes_research.cli.lab_run import Asked, run_lab, seed_for

if TYPE_CHECKING:
    from millebornes_research.lab.experiment import Experiment

NAMES: Final = {
    "maxims": "each maxim's worth, measured by switching it off",
    "objective": "playing for the match against playing for every point",
}
"""The experiments, repeated here so that the help and completion needn't import them."""
FIT: Final = "fit"
EQUITY: Final = "equity"
NETS: Final = "nets"
ALONE: Final = {
    FIT: "fit all weights to moves played out",
    EQUITY: "the chance to win a match from any totals, made into tables and checked",
    NETS: "the nets against the maxims at tables with other settings and other seats",
}
"""Other names, which aren't experiments and can't be combined with other names."""
ALL: Final = "all"
MAX_DECKS: Final = 100_000_000
ONLY_FIT: Final = {"weights": "--weight", "rounds": "--rounds", "output": "--output"}


class ExperimentType(click.ParamType):  # type: ignore[type-arg] # generic only in newer versions
    """The click type for the name of an experiment, or ``fit``, ``equity`` or ``nets``."""

    name = "experiment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name if it is known. If it isn't, a usage error lists all names."""
        if value not in NAMES and value not in ALONE:
            self.fail(
                f"there is no experiment {value!r}; the experiments are {', '.join((*NAMES, *ALONE))}", param, ctx
            )
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin with the text."""
        known = {**NAMES, **ALONE}
        return [CompletionItem(name, help=line) for name, line in known.items() if name.startswith(incomplete)]


class EditionOrAll(EditionType):
    """The click type for an edition, or ``all`` for all known editions."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name or path of an edition after checking that it can be loaded."""
        return ALL if value == ALL else super().convert(value, param, ctx)


_HELP: Final = """\
Measure what each piece of advice is worth, with all experiments or the named ones.

Everything that is compared plays the same decks, with each side in every seat. All intervals are for 95%. The same
--seed gives the same result, with any number of --jobs. 'millebornes lab fit' looks for better
weights. 'millebornes lab equity' makes tables of the chance to win
a match, for all tables of an edition unless --seats is given. 'millebornes lab nets' plays the nets at tables with
other settings, and at tables of all sizes unless --seats is given."""


@click.command(
    help=_HELP,
    epilog="Experiments: " + "; ".join(f"{name} - {line}" for name, line in NAMES.items()) + ". "
    "'fit' fits the weights of maxims, 'equity' makes tables of the chance to "
    "win a match from any totals, and 'nets' measures the nets that come with the program. Each of these runs alone.",
)
@click.argument("names", nargs=-1, type=ExperimentType(), metavar="[EXPERIMENT]...")
@click.option(
    "--edition",
    type=EditionOrAll(),
    metavar="NAME|FILE.toml|all",
    help=f"Edition of the rules: {', '.join(EDITIONS)}, or a file of your own; 'all' for all of them.  "
    "[default: classic]",
)
@seats_option
@sides_option
@set_option
@click.option(
    "--player",
    default="maxims",
    show_default=True,
    metavar="NAME",
    help="Player to measure: maxims, with any options.",
)
@click.option(
    "--maxim",
    "maxims",
    multiple=True,
    metavar="NAME",
    help="For maxims and fit: use only this maxim; may be repeated.",
)
@click.option(
    "--hands", type=click.IntRange(1, MAX_DECKS), metavar="N", help="Number of decks to play single hands with."
)
@click.option(
    "--matches",
    type=click.IntRange(0, MAX_DECKS),
    metavar="N",
    help="Number of decks to play matches with; 0 for none.",
)
@click.option(
    "--mixed",
    type=click.IntRange(0, 10_000),
    metavar="N",
    help="For nets: number of tables with several settings changed.",
)
@match_target_option()
@seed_option
@jobs_option()
@cluster_option
@file_option("--resume", "Save progress in this file, and continue from it if it exists.")
@file_option("--plot", "Draw the result of one experiment.", "FILE.svg")
@click.option("--markdown", is_flag=True, help="Print the tables as Markdown.")
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="NAME",
    help="For fit: change only this weight; may be repeated.",
)
@click.option(
    "--rounds", type=click.IntRange(min=1), metavar="N", help="For fit: number of passes through all weights."
)
@file_option(
    "--output",
    "For fit: write the name of the best player found to FILE; FILE.toml gets all its weights.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="FOLDER",
    help="For equity: store the tables in this folder.",
)
@json_option
@click.pass_context
def lab(
    ctx: click.Context,
    names: tuple[str, ...],
    edition: str | None,
    seats: int | None,
    sides: int | None,
    settings: Mapping[str, Any],
    player: str,
    maxims: tuple[str, ...],
    hands: int | None,
    matches: int | None,
    mixed: int | None,
    match_target: int | None,
    seed: str | None,
    jobs: int,
    cluster: str | None,
    resume: Path | None,
    plot: Path | None,
    markdown: bool,
    weights: tuple[str, ...],
    rounds: int | None,
    output: Path | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Run the command ``lab``."""
    seed = seed_for(seed, resume)
    asked = Asked(seed, jobs, cluster, resume, plot, markdown, as_json)
    if EQUITY in names:
        return _equity(ctx.params, asked)
    if out is not None:
        raise click.UsageError("--out is for equity: millebornes lab equity --out …")
    if NETS in names:
        return _nets(ctx.params, asked)
    if mixed is not None:
        raise click.UsageError("--mixed is for nets: millebornes lab nets --mixed …")
    tables = [rules_from(name, seats, sides, settings) for name in (EDITIONS if edition == ALL else (edition,))]
    if FIT in names:
        from millebornes_research.cli.lab_fit import run_fit

        if len(set(names)) > 1 or len(tables) > 1:
            raise click.UsageError(f"{FIT} runs alone, for one edition")
        return run_fit(tables[0], ctx.params, asked)
    for name, option in ONLY_FIT.items():
        if ctx.params[name]:
            raise click.UsageError(f"{option} is for fit: millebornes lab fit {option} …")
    chosen = tuple(dict.fromkeys(names)) or tuple(NAMES)
    if plot is not None and len(chosen) != 1:
        raise click.BadParameter("name the one experiment to draw", param_hint="'--plot'")
    if match_target is None and matches != 0:
        raise click.BadParameter("a match without one never ends; use --matches 0 too", param_hint="'--match-target'")
    numbers = {"maxims": maxims or None, "hands": hands, "matches": matches, "target": match_target}
    experiments = _experiments(chosen, tables, player, seed, numbers)
    return run_lab(experiments, asked)


def _nets(params: Mapping[str, Any], asked: Asked) -> int:
    """Run ``nets`` with the parameters of the command. Raises `click.UsageError` if a parameter doesn't apply."""
    from millebornes_research.cli.lab_nets import run_nets

    if set(params["names"]) != {NETS}:
        raise click.UsageError(f"{NETS} runs alone")
    for name, option in {"maxims": "--maxim", **ONLY_FIT}.items():
        if params[name]:
            raise click.UsageError(f"{option} is not for {NETS}")
    editions = EDITIONS if params["edition"] == ALL else (params["edition"] or DEFAULT_EDITION,)
    return run_nets(editions, params, asked)


def _equity(params: Mapping[str, Any], asked: Asked) -> int:
    """Run ``equity`` with the parameters of the command. Raises `click.UsageError` if a parameter doesn't apply."""
    from millebornes_research.cli.lab_equity import run_equity

    if set(params["names"]) != {EQUITY}:
        raise click.UsageError(f"{EQUITY} runs alone")
    for name in ("maxims", "resume", *ONLY_FIT):
        if params[name]:
            option = {"maxims": "--maxim", "resume": "--resume", **ONLY_FIT}[name]
            raise click.UsageError(f"{option} is not for {EQUITY}" + ("; use --out" if name == "output" else ""))
    editions = EDITIONS if params["edition"] == ALL else (params["edition"] or DEFAULT_EDITION,)
    return run_equity(editions, params, asked)


def _experiments(
    chosen: Sequence[str], tables: Sequence[Rules], player: str, seed: str, numbers: Mapping[str, Any]
) -> "list[Experiment]":
    """Return the experiments for all requested tables. Experiments that are impossible at a table are left out.

    Raises `click.UsageError` if the player or an option is invalid, or if no experiments are left.
    """
    from millebornes.errors import MilleBornesError, PlayerError
    from millebornes_research.lab.experiments import EXPERIMENTS

    found: list[Experiment] = []
    for name in chosen:
        kind = EXPERIMENTS[name]
        takes = inspect.signature(kind).parameters
        given = {key: value for key, value in numbers.items() if value is not None and key in takes}
        if numbers["maxims"] and "maxims" not in takes and len(chosen) == 1:
            raise click.UsageError(f"--maxim is for maxims and fit, not for {name}")
        for rules in tables:
            try:
                found.append(kind(rules, player, seed=seed, **given))  # type: ignore[call-arg] # each its own
            except PlayerError as error:
                raise click.UsageError(str(error)) from None
            except MilleBornesError as error:
                if len(tables) * len(chosen) == 1:
                    raise click.UsageError(str(error)) from None
    if not found:
        raise click.UsageError("none of these experiments is possible at such a table")
    return found
