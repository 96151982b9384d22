"""Fixed tasks on which you can measure policies, so that results from different projects can be compared."""

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Final

from millebornes._version import __version__
from millebornes.arena.duplicate import play_game, play_rounds
from millebornes.arena.outcome import GameOutcome
from millebornes.arena.report import Interval, Record
from millebornes.arena.schedule import Plan
from millebornes.arena.statistics import plain, ratio_estimate, share_estimate
from millebornes.editions import Rules, make_rules
from millebornes.envs.arguments import brief
from millebornes.envs.policy_player import Policy, PolicyPlayer
from millebornes.errors import MilleBornesError
from millebornes.players import player

PREFIX: Final = "millebornes/"
"""The prefix of the tasks' names, which Gymnasium calls a namespace."""

TARGET: Final = 5000
"""The target of matches. It is fixed here, because a task must not change with the package's default."""

BATCH_GAMES: Final = 256
"""The approximate number of games to play before the finished hands are counted again."""

HANDS_A_MATCH: Final = 8
"""Few matches take more hands than this. A high estimate avoids playing many games that aren't needed."""

MAX_HANDS: Final = 100_000_000

MAX_FORFEITS: Final = 1000
"""A policy that has lost this many matches by forfeit isn't measured any further."""

OWN: Final = "policy"
"""The name of a policy at the table if it is a function."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Task:
    """A table with fixed opponents. A task never changes; a different table or opponent gets a new version number.

    The tests hold the moves of the opponents, so that a change of a player doesn't change a task unnoticed.
    """

    id: str
    """The name of the task, such as ``"millebornes/Classic2-v1"``, which is also its Gymnasium id."""
    edition: str = "classic"
    seats: int = 2
    sides: int | None = None
    """The number of sides, or None for the default at a table with this many seats."""
    opponent: str = "maxims"
    """The player in all seats of the other sides. `evaluate` gives the policy all seats of its own side."""

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
"""All tasks, by name."""


def task(name: str) -> Task:
    """Return the task with this name, with or without the prefix ``millebornes/``. Raises `MilleBornesError`."""
    chosen = TASKS.get(str(name)) or TASKS.get(f"{PREFIX}{name}")
    if chosen is None:
        raise MilleBornesError(f"there is no task {brief(name)}; the tasks are {', '.join(TASKS)}")
    return chosen


@dataclasses.dataclass(frozen=True, kw_only=True)
class TaskReport(Record):
    """The results of a policy on a task, and everything needed to repeat the measurement."""

    task: str
    """The name of the task."""
    policy: str
    """The name of the player or of the function that was measured."""
    opponent: str
    """The player in all seats of the other sides."""
    edition: str
    seats: int
    sides: int
    match_target: int
    """The number of points that end a match."""
    matches: int
    """The number of finished matches."""
    hands: int
    """The number of finished hands, which is at least the number you asked for."""
    deals: int
    """The number of different deals. Each deal was played in every rotation with the same cards."""
    mean_lead: float | None
    """The average lead of the policy's side over the average of the other sides, in points per hand."""
    mean_lead_ci95: Interval
    match_share: float | None
    """The policy's share of the match wins, from 0 to 1. A drawn match counts in part."""
    match_share_ci95: Interval
    forfeits: int
    """The number of matches that the policy lost because of an illegal move or an error."""
    forfeit_reasons: dict[str, int]
    """The number of these matches for each reason."""
    seed: str
    version: str
    """The version of this package."""


def evaluate(policy: str | Policy, task_name: str, hands: int = 1000, seed: int | str = 0) -> TaskReport:
    """Measure a policy on a task.

    ``policy`` is the name of a player (``py:FILE``, ``onnx:FILE`` and ``cmd:…`` are allowed), or a function from an
    observation and an action mask to an action (`millebornes.envs.PolicyPlayer`). With partners, the policy plays every
    seat of its side. Whole matches are played until at least ``hands`` hands are finished. Each deal is played in every
    rotation with the same cards, and the confidence intervals treat each deal as one observation. The same seed gives
    the same result if the policy is deterministic.

    Raises `MilleBornesError` if the task or the player doesn't exist, if the policy is neither a name nor a function,
    or if the number of hands is out of range.

    >>> found = evaluate("basic", "millebornes/Classic2-v1", hands=20, seed=1)
    >>> found.hands >= 20, found.opponent
    (True, 'maxims')
    """
    chosen = task(task_name)
    if type(hands) is not int or not 1 <= hands <= MAX_HANDS:
        raise MilleBornesError(
            f"hands: {brief(hands)} is not allowed; it must be a whole number from 1 to {MAX_HANDS:,}"
        )
    if not (isinstance(policy, str) or callable(policy)):
        raise MilleBornesError(
            f"policy: {brief(policy)} is not allowed; it must be the name of a player, or a function"
        )
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
    reasons: Counter[str] = Counter()
    for _, round_ in itertools.groupby(_outcomes(plan, policy), lambda outcome: outcome.deal):
        sums = [0.0, 0.0, 0.0, 0.0]
        for outcome in round_:
            side = outcome.order.index(0)
            others = (sum(outcome.totals) - outcome.totals[side]) / (rules.sides - 1)
            found = (1, outcome.shares[side], outcome.hands, outcome.totals[side] - others)
            sums = [old + new for old, new in zip(sums, found, strict=True)]
            if outcome.forfeit is not None and outcome.forfeit.side == side:
                reasons[outcome.forfeit.reason] += 1
        for column, value in zip((games, won, played, leads), sums, strict=True):
            column.append(value)
        if sum(played) >= hands or reasons.total() > MAX_FORFEITS:
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
        forfeits=reasons.total(),
        forfeit_reasons=dict(reasons),
        seed=str(seed),
        version=__version__,
    )


def _outcomes(plan: Plan, policy: str | Policy) -> Iterator[GameOutcome]:
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
