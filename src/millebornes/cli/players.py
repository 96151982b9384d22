"""``millebornes players``: the computer players there are."""

import json
from typing import Any

import click

from millebornes.cli.common import json_option

__all__ = ["players"]


@click.command()
@json_option
def players(as_json: bool) -> None:
    """List the computer players: how each thinks, and what a move costs it on this machine.

    The cost is measured anew each time, in a few hands of the classic game for two. Players of other packages are
    listed too; what is wrong with one that cannot be loaded is told.
    """
    from millebornes.errors import PlayerError
    from millebornes.players import DEFAULT_PLAYER, available
    from millebornes.simulation.benchmarks import cost_of_moves

    found: list[dict[str, Any]] = []
    for info in available().values():
        cost, problem = None, info.problem
        if problem is None:
            try:
                cost = round(cost_of_moves(info.name), 4)
            except PlayerError as error:
                problem = str(error)
        found.append(
            {
                "name": info.name,
                "summary": info.summary,
                "source": info.source,
                "default": info.name == DEFAULT_PLAYER,
                "ms_per_move": cost,
                "problem": problem,
            }
        )
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    width = max(len(entry["name"]) for entry in found)
    for entry in found:
        if entry["problem"] is not None:
            click.echo(f"{entry['name']:{width}}  cannot play: {entry['problem']}")
            continue
        marks = [f"{entry['ms_per_move']:.2g} ms a move"]
        marks += ["the default"] if entry["default"] else []
        marks += [f"from {entry['source']}"] if entry["source"] != "built-in" else []
        click.echo(f"{entry['name']:{width}}  {entry['summary']} ({', '.join(marks)})")
