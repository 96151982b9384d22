"""Fixed tasks to measure policies on, so that results from different places can be compared."""

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Final

from millebornes._version import __version__
from millebornes.arena.duplicate import play_game, play_rounds
from millebornes.arena.outcome import GameOutcome
from millebornes.arena.report import Interval, Record
from millebornes.arena.schedule import Plan
from millebornes.arena.statistics import plain, ratio_estimate, share_estimate
from millebornes.editions import Rules, make_rules
from millebornes.envs.policy_player import Policy, PolicyPlayer
from millebornes.errors import MilleBornesError
from millebornes.players import player

__all__ = ["TASKS", "Task", "TaskReport", "evaluate", "task"]

PREFIX: Final = "millebornes/"
"""The namespace of the tasks, as Gymnasium writes it."""

TARGET: Final = 5000
"""The points that end a match. A task never changes, so it doesn't follow the package's default."""

BATCH_GAMES: Final = 256
"""The approximate number of games that are played before the finished hands are counted again."""

HANDS_A_MATCH: Final = 8
"""More hands than most matches take, so that few games are played unnecessarily."""

MAX_HANDS: Final = 100_000_000

MAX_FORFEITS: Final = 1000
"""A policy that loses this many matches by forfeit is not measured any further."""

OWN: Final = "policy"
"""The name that a policy has at the table if it is a function."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Task:
    """A table with fixed opponents. A task never changes: a different table or opponent gets a new version."""

    id: str
    """Its name, such as ``"millebornes/Classic2-v1"``. Gymnasium knows the same name."""
    edition: str = "classic"
    seats: int = 2
    sides: int | None = None
    """The number of sides, or None for the usual number at a table with this many seats."""
    opponent: str = "maxims"
    """The player at all other seats. `evaluate` gives the policy all seats of its own side."""

    def rules(self) -> Rules:
        """Return the rules of the table."""
        return make_rules(self.edition, self.seats, self.sides)


TASKS: Final = {
    f"{PREFIX}{one.id}": dataclasses.replace(one, id=f"{PREFIX}{one.id}")
    for one in (
        Task(id="Classic2-v1"),
        Task(id="Classic3-v1", seats=3),
        Task(id="Classic4-v1", seats=4, sides=4),
        Task(id="ClassicTeams4-v1", seats=4, sides=2),
        Task(id="ClassicTeams6-v1", seats=6, sides=3),
        Task(id="Bsd2-v1", edition="bsd"),
    )
}
"""All tasks by their names."""


def task(name: str) -> Task:
    """Return the task with this name, with or without ``millebornes/``. Raises `MilleBornesError`."""
    found = TASKS.get(name) or TASKS.get(f"{PREFIX}{name}")
    if found is None:
        raise MilleBornesError(f"there is no task {name!r}; the tasks are {', '.join(TASKS)}")
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class TaskReport(Record):
    """How well a policy plays a task, and everything that the result was measured with."""

    task: str
    """The name of the task."""
    policy: str
    """The policy: a player's name, or the name of a function."""
    opponent: str
    """The player on all other sides."""
    edition: str
    seats: int
    sides: int
    match_target: int
    """The points that end a match."""
    matches: int
    """The finished matches."""
    hands: int
    """The finished hands: at least the number you asked for."""
    deals: int
    """The number of different deals. Each was played in every rotation, with the same cards."""
    mean_lead: float | None
    """The points of the policy's side minus the average of the other sides, per hand."""
    mean_lead_ci95: Interval
    match_share: float | None
    """The share of the matches that the policy won, from 0 to 1. A drawn match counts in part."""
    match_share_ci95: Interval
    forfeits: int
    """The matches that the policy lost by an illegal move or an error."""
    seed: str
    version: str
    """The version of this package."""


def evaluate(policy: str | Policy, task_name: str, hands: int = 1000, seed: int | str = 0) -> TaskReport:
    """Measure a policy on a task.

    ``policy`` is the name of a player (including ``py:FILE``, ``onnx:FILE`` and ``cmd:…``), or a function from an
    observation and an action mask to an action (`millebornes.envs.PolicyPlayer`). With partners, it plays every seat of
    its side. Whole matches are played until at least ``hands`` hands are finished. Each deal is played in every
    rotation with the same cards, and the intervals count deals. The same seed gives the same result if the policy is
    deterministic.

    Raises `MilleBornesError` for an unknown task or player, and for a number of hands that isn't allowed.

    >>> found = evaluate("basic", "millebornes/Classic2-v1", hands=20, seed=1)
    >>> found.hands >= 20, found.opponent
    (True, 'maxims')
    """
    chosen = task(task_name)
    if type(hands) is not int or not 1 <= hands <= MAX_HANDS:
        raise MilleBornesError(f"hands: {hands!r} is not allowed; it must be a whole number from 1 to {MAX_HANDS:,}")
    rules = chosen.rules()
    name = policy if isinstance(policy, str) else getattr(policy, "__name__", type(policy).__name__)
    plan = Plan(
        rules=rules,
        players=(name if isinstance(policy, str) else OWN, *[chosen.opponent] * (rules.sides - 1)),
        games=hands,
        match_target=TARGET,
        seed=str(seed),
    )
    games: list[float] = []
    won: list[float] = []
    played: list[float] = []
    leads: list[float] = []
    forfeits = 0
    for _, round_ in itertools.groupby(_outcomes(plan, policy), lambda outcome: outcome.deal):
        sums = [0.0, 0.0, 0.0, 0.0]
        for outcome in round_:
            side = outcome.order.index(0)
            others = (sum(outcome.totals) - outcome.totals[side]) / (rules.sides - 1)
            found = (1, outcome.shares[side], outcome.hands, outcome.totals[side] - others)
            sums = [old + new for old, new in zip(sums, found, strict=True)]
            forfeits += outcome.forfeit is not None and outcome.forfeit.side == side
        for column, value in zip((games, won, played, leads), sums, strict=True):
            column.append(value)
        if sum(played) >= hands or forfeits > MAX_FORFEITS:
            break
    lead, share = plain(ratio_estimate(leads, played)), plain(share_estimate(won, games))
    return TaskReport(
        task=chosen.id,
        policy=name,
        opponent=chosen.opponent,
        edition=chosen.edition,
        seats=rules.seats,
        sides=rules.sides,
        match_target=TARGET,
        matches=int(sum(games)),
        hands=int(sum(played)),
        deals=len(games),
        mean_lead=lead["value"],
        mean_lead_ci95=tuple(lead["ci95"]),
        match_share=share["value"],
        match_share_ci95=tuple(share["ci95"]),
        forfeits=forfeits,
        seed=str(seed),
        version=__version__,
    )


def _outcomes(plan: Plan, policy: str | Policy) -> Iterator[GameOutcome]:
    """Yield the outcomes of a plan's games without end, deal by deal."""
    size = max(1, min(plan.games // HANDS_A_MATCH, BATCH_GAMES) // plan.games_a_round)
    for deal in itertools.count():
        if isinstance(policy, str):
            if deal % size == 0:
                yield from play_rounds(plan, range(deal, deal + size), records=False).outcomes
            continue
        for game in plan.games_of(deal):
            players = [
                player(plan.players[number]) if number else PolicyPlayer(policy) for number, _ in plan.seated(game)
            ]
            yield play_game(plan, game, players)
