"""``millebornes evaluate``: measure a policy on one of the fixed tasks."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from millebornes.cli.common import blamed_on, check_player, json_option, seed_option
from millebornes.cli.interruption import as_interrupts
from millebornes.cli.working import at_work
from millebornes.errors import MilleBornesError, PlayerError, printable

if TYPE_CHECKING:
    from millebornes.envs import TaskReport

MAX_REASONS: Final = 5
"""At most this many reasons for forfeits are printed. The JSON contains all."""


_HELP: Final = """\
Measure a policy on a fixed task, so that you can compare it with others.

POLICY is the name of a player, a net (onnx:mine.onnx), a class of your own (py:mine.py) or a program ('cmd:python3
mine.py'). Each deal is played in every rotation with the same cards. All intervals are 95% intervals."""


@click.command(help=_HELP)
@click.argument("policy", metavar="POLICY")
@click.option("--task", "task_name", required=True, metavar="ID", help="Task to run, such as millebornes/Classic2-v1.")
@click.option(
    "--hands",
    type=click.IntRange(1, 100_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Play matches until N hands are finished.",
)
@seed_option
@json_option
def evaluate(policy: str, task_name: str, hands: int, seed: str | None, as_json: bool) -> None:
    """Run the command ``evaluate``."""
    from millebornes.envs.suite import evaluate as measure
    from millebornes.envs.suite import task

    with blamed_on("'--task'", MilleBornesError):
        chosen = task(task_name)
    with blamed_on("POLICY", PlayerError):
        check_player(policy, chosen.rules(), sees_everything=True)
    with at_work("playing …"), as_interrupts("SIGTERM", "SIGHUP"):  # so that programs that play are ended
        report = measure(policy, chosen.id, hands, seed if seed is not None else 0)
    click.echo(json.dumps(report.to_dict(), ensure_ascii=False) if as_json else "\n".join(_lines(report)))


def _lines(found: "TaskReport") -> Iterator[str]:
    yield f"{found.policy} on {found.task}, against {found.opponent}"
    played = f"{found.matches:,} matches, {found.hands:,} hands, {found.deals:,} deals"
    yield f"{played}, seed {found.seed}, millebornes {found.version}"
    yield ""
    yield f"lead per hand   {_range(found.mean_lead, found.mean_lead_ci95, 1, '+.1f', '')}"
    yield f"matches won     {_range(found.match_share, found.match_share_ci95, 100, '.1f', '%')}"
    if found.forfeits:
        yield f"forfeits        {found.forfeits:,} matches were lost by an illegal move or an error"
    reasons = Counter(found.forfeit_reasons).most_common(MAX_REASONS)
    for reason, count in reasons:
        yield f"                {count:,} because it {printable(reason)}"
    if others := found.forfeits - sum(count for _reason, count in reasons):
        yield f"                {others:,} for other reasons"


def _range(value: float | None, ends: tuple[float | None, float | None], scale: int, style: str, unit: str) -> str:
    if value is None:
        return "?"
    low, high = ("?" if end is None else f"{scale * end:{style}}{unit}" for end in ends)
    return f"{scale * value:{style}}{unit} ({low} to {high})"
