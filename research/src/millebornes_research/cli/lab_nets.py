"""``millebornes lab nets``: compare the nets with the maxims, at tables with other settings and numbers of seats."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from millebornes.cli.common import rules_from
from millebornes.errors import EditionError
from millebornes_research.cli.lab_run import Asked, run_lab


def run_nets(editions: Iterable[str], params: Mapping[str, Any], asked: Asked) -> int:
    """Play at the requested table, or at tables of all sizes, and return the exit status.

    ``params`` contains the parameters of the command. Raises `click.UsageError` if a parameter is invalid.
    """
    from millebornes_research.lab.changes import SHAPES
    from millebornes_research.lab.nets import BASE, Nets

    if params["player"] != BASE:
        raise click.BadParameter(f"the nets are measured against {BASE}", param_hint="'--player'")
    matches, target = params["matches"], params["match_target"]
    if matches and target is None:
        raise click.BadParameter("a match without one never ends", param_hint="'--match-target'")
    asked_for = (params["seats"], params["sides"])
    tables: Sequence[tuple[int | None, int | None]] = SHAPES if asked_for == (None, None) else (asked_for,)
    numbers = {name: params[name] for name in ("hands", "matches", "mixed") if params[name] is not None}
    numbers |= {"target": target} if target else {}
    found = []
    for name in editions:
        for seats, sides in tables:
            rules = rules_from(name, seats, sides, params["settings"])
            try:
                found.append(Nets(rules, seed=asked.seed, **numbers))
            except EditionError as error:
                raise click.UsageError(str(error)) from None
    return run_lab(found, asked)
