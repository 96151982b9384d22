"""Measure a player against each member of the pool: how strong it is against all of them, and against the worst.

The player meets each member on separate decks, so that luck in one result doesn't influence another. If kernels can run
the member, some of the games are also judged (`millebornes_research.pool.gains`): they show how much more the player
gains than a baseline in its seats would, without the luck of the cards.
"""

import contextlib
import dataclasses
import functools
import math
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from millebornes.arena.duplicate import play_rounds
from millebornes.arena.executors import Workers, in_order
from millebornes.arena.outcome import GameOutcome
from millebornes.arena.run import FileKind, Run
from millebornes.arena.schedule import Plan, rules_key, seed_value
from millebornes.arena.statistics import CONFIDENCE, Estimate, plain, ratio_estimate, share_estimate, t_quantile
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.policies.batch import KernelPlayer
from millebornes_research.pool.gains import GainPlan, estimate_gain, judge_games
from millebornes_research.pool.members import HALVES, Member

KIND: Final = FileKind("millebornes-pool/1", "file of a pool")
TURNS: Final = 8
"""The number of turns in a run.

In each turn, the player meets all members, so that there are results for all of them even if a run ends early.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolPlan:
    """The games of a run: ``player`` meets ``members`` at a table, in ``matches`` to ``match_target`` points each.

    ``judged`` additional matches against each member that kernels can run are judged against a ``baseline``. If the
    baseline is None, no matches are judged. ``time_ms`` is the time that a program has for each move, in milliseconds.
    """

    rules: Rules
    player: str
    members: tuple[Member, ...]
    matches: int
    judged: int = 0
    baseline: str | None = None
    match_target: int = 5000
    seed: str = "0"
    time_ms: int | None = None

    def __post_init__(self) -> None:
        """Raises `MilleBornesError` if these games can't be played."""
        if self.judged < 0:
            raise MilleBornesError(f"{self.judged} judged matches are not allowed; choose 0 or more")
        for member in self.members:
            self.games(member)
            self.gains(member)

    def games(self, member: Member) -> Plan:
        """Return the games against a member, which takes all sides except the player's."""
        return Plan(
            rules=self.rules,
            players=(self.player, *[member.player] * (self.rules.sides - 1)),
            games=self.matches,
            match_target=self.match_target,
            seed=f"{self.seed} {member.name}",
            time_ms=self.time_ms,
        )

    def gains(self, member: Member) -> GainPlan | None:
        """Return how games against a member are judged, or None if they aren't."""
        if self.baseline is None or not self.judged or not self._has_kernel(member):
            return None
        return GainPlan(
            rules=self.rules,
            player=self.player,
            baseline=self.baseline,
            rivals=(member.player,),
            match_target=self.match_target,
            seed=f"{self.seed} {member.name}",
        )

    def key(self) -> dict[str, Any]:
        """Return everything that determines the results, except for the numbers of matches, as plain data."""
        return {
            "rules": rules_key(self.rules),
            "player": self.player,
            "members": [[member.name, member.player] for member in self.members],
            "baseline": self.baseline,
            "match_target": self.match_target,
            "seed": self.seed,
            "time_ms": self.time_ms,
        }

    def _has_kernel(self, member: Member) -> bool:
        try:
            KernelPlayer.named(member.player, self.rules)
        except PlayerError:
            return False
        return True


class _Deal(NamedTuple):
    """The player's result on one deal: games, its part of the wins, finished hands, and its lead in these hands.

    ``lead`` is (sides - 1) times the player's points minus the points of all others. ``forfeits`` is the number of the
    player's forfeits, and ``given`` the number of forfeits by others.
    """

    games: int
    won: float
    hands: int
    lead: int
    forfeits: int
    given: int


class _Met:
    """The results against one member: ``deals`` in order, and the gains in judged games."""

    def __init__(self, member: Member, plan: PoolPlan) -> None:
        self.member: Final = member
        self.plan: Final = plan.games(member)
        self.gain_plan: Final = plan.gains(member)
        self.wanted = plan.judged if self.gain_plan is not None else 0
        self.problem: str | None = None
        """The reason why no more matches are judged, or None. It is set if the player failed in one of them."""
        self.deals: Final[list[_Deal]] = []
        self.gains: Final[list[float]] = []

    @property
    def complete(self) -> bool:
        return len(self.deals) >= self.plan.deals and len(self.gains) >= self.wanted

    def share(self, confidence: float = CONFIDENCE) -> Estimate:
        return share_estimate([deal.won for deal in self.deals], [deal.games for deal in self.deals], confidence)

    def points(self) -> Estimate:
        others = self.plan.rules.sides - 1
        return ratio_estimate([deal.lead / others for deal in self.deals], [deal.hands for deal in self.deals])

    def gain(self, confidence: float = CONFIDENCE) -> Estimate:
        return estimate_gain(self.gains, self.plan.rules.sides, confidence)


class Pool(Run):
    """A run of a plan. You can call `report` at any time.

    ``minutes`` is the time that this run may take, or None for no limit.
    """

    kind: ClassVar[FileKind] = KIND

    def __init__(self, plan: PoolPlan, *, minutes: float | None = None, resume: Path | None = None) -> None:
        """Raises `SaveError` if the file is damaged or belongs to another plan."""
        super().__init__(resume)
        self.plan: Final = plan
        self.minutes: Final = minutes
        self.met: Final = [_Met(member, plan) for member in plan.members]
        self.load()

    @property
    def complete(self) -> bool:
        """Whether all requested games have been played."""
        return all(met.complete for met in self.met)

    @property
    def total(self) -> float:
        """The amount of work, in deals and judged matches."""
        return float(sum(met.plan.deals + met.wanted for met in self.met))

    @property
    def progress(self) -> float:
        """The amount of work done."""
        return float(sum(min(len(met.deals), met.plan.deals) + min(len(met.gains), met.wanted) for met in self.met))

    def line(self) -> str:
        """Return the average so far, for a progress bar."""
        known = _mean([met.share() for met in self.met if met.deals])
        return f"mean {known.value:.1%} ± {(known.high - known.low) / 2:.1%}" if math.isfinite(known.low) else ""

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Play against all members, in several turns."""
        until = math.inf if self.minutes is None else time.monotonic() + 60 * self.minutes
        for turn in range(1, TURNS + 1):
            for met in self.met:
                for _ in self._meet(met, workers, turn):
                    yield
                    if time.monotonic() > until:
                        return

    def report(self) -> dict[str, Any]:
        """Return the results so far as plain data (notebook/strength.md)."""
        plan = self.plan
        members = [
            {
                "member": met.member.name,
                "half": met.member.half,
                "player": met.member.player,
                "matches": sum(deal.games for deal in met.deals),
                "share": plain(met.share()),
                "points": plain(met.points()),
                "judged": len(met.gains),
                "gain": plain(met.gain()) if met.gains else None,
                "problem": met.problem,
                "forfeits": sum(deal.forfeits for deal in met.deals),
                "forfeits_of_member": sum(deal.given for deal in met.deals),
            }
            for met in self.met
        ]
        known = [met for met in self.met if met.deals]
        means: list[dict[str, Any]] = []
        for half in (*HALVES, None):
            some = [met for met in known if half in (None, met.member.half)]
            if some and (half is None or len({met.member.half for met in known}) > 1):
                means.append(_mean_of(half, some))
        return {
            "player": plan.player,
            "edition": plan.rules.edition_name,
            "seats": plan.rules.seats,
            "sides": plan.rules.sides,
            "match_target": plan.match_target,
            "seed": seed_value(plan.seed),
            "baseline": plan.baseline,
            "members": members,
            "means": means,
            "worst": _worst(known),
            "complete": self.complete,
            "wall_s": round(self.seconds, 3),
        }

    # ------------------------------------------------------------------ the work

    def _meet(self, met: _Met, workers: Workers, turn: int) -> Generator[None, None, None]:
        """Play all games against a member up to and including this turn."""
        end = math.ceil(met.plan.deals * turn / TURNS)
        task = functools.partial(play_rounds, met.plan, records=False)
        with contextlib.closing(in_order(workers, task, len(met.deals), end)) as work:
            for _, batch in work:
                met.deals.extend(_deals_of(batch.outcomes))
                yield
        if met.gain_plan is None:
            return
        end = math.ceil(met.wanted * turn / TURNS)
        judging = functools.partial(judge_games, met.gain_plan)
        try:
            with contextlib.closing(in_order(workers, judging, len(met.gains), end)) as work_judged:
                for _, gains in work_judged:
                    met.gains.extend(gains)
                    yield
        except PlayerError as error:  # The player failed, which would be a forfeit. The other games continue.
            met.problem, met.wanted = str(error), len(met.gains)

    # ------------------------------------------------------------------ the file

    def key(self) -> dict[str, Any]:
        """Return the settings of the plan."""
        return self.plan.key()

    def state(self) -> dict[str, Any]:
        """Return the results of each deal and the gains in judged games, by member."""
        return {"met": [{"deals": [list(deal) for deal in met.deals], "told": met.gains} for met in self.met]}

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the state. Raises `ValueError` or `TypeError` if the data is malformed."""
        super().restore(data)
        for met, kept in zip(self.met, data["met"], strict=True):
            for row in kept["deals"]:
                games, won, hands, lead, forfeits, given = row
                met.deals.append(_Deal(int(games), float(won), int(hands), int(lead), int(forfeits), int(given)))
            met.gains.extend(float(gain) for gain in kept["told"])
            if not all(map(math.isfinite, [*met.gains, *(deal.won for deal in met.deals)])):
                raise ValueError("a result isn't a number")


def _deals_of(outcomes: Sequence[GameOutcome]) -> list[_Deal]:
    """Return the results of the player (number 0) for each deal."""
    found: dict[int, _Deal] = {}
    for outcome in outcomes:
        own = outcome.order.index(0)
        lost = None if outcome.forfeit is None else outcome.forfeit.side
        hands = outcome.hands if lost is None else 0
        lead = len(outcome.order) * outcome.totals[own] - sum(outcome.totals) if hands else 0
        before = found.get(outcome.deal, _Deal(0, 0.0, 0, 0, 0, 0))
        found[outcome.deal] = _Deal(
            games=before.games + 1,
            won=before.won + outcome.shares[own],
            hands=before.hands + hands,
            lead=before.lead + lead,
            forfeits=before.forfeits + (lost == own),
            given=before.given + (lost not in (None, own)),
        )
    return list(found.values())


def _mean_of(half: str | None, met: Sequence[_Met]) -> dict[str, Any]:
    judged = [each.gain() for each in met if each.gains]
    return {
        "half": half,
        "members": len(met),
        "share": plain(_mean([each.share() for each in met])),
        "points": plain(_mean([each.points() for each in met])),
        "judged_members": len(judged),
        "gain": plain(_mean(judged)) if judged else None,
    }


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    """Return the average of independent estimates with equal weights.

    The standard error is computed from the widths of their intervals, because the interval of a share has a width even
    if every game was won.
    """
    count = len(estimates)
    if not count:
        return Estimate(math.nan, math.nan, -math.inf, math.inf)
    value = math.fsum(each.value for each in estimates) / count
    reach = math.sqrt(math.fsum(((each.high - each.low) / 2) ** 2 for each in estimates)) / count
    return Estimate(value, reach / t_quantile(CONFIDENCE, 1_000_000), value - reach, value + reach)


def _worst(met: Sequence[_Met]) -> dict[str, Any] | None:
    """Return the member against which the share is lowest, and an interval for the lowest true share.

    The lowest of many figures tends to be too low because of luck. Each interval is therefore widened until all of them
    contain the true values at the same time with 95% confidence (Bonferroni; Dunn, 1961). In this case, the lowest true
    share is between the lowest of the lower ends and the lowest of the upper ends. The gains in judged games are
    treated in the same way.
    """
    if not met:
        return None
    found: dict[str, Any] = {}
    shares = {each.member.name: each.share(_at_once(len(met))) for each in met}
    judged = [each for each in met if each.gains]
    gains = {each.member.name: each.gain(_at_once(len(judged))) for each in judged}
    for name, estimates in (("share", shares), ("gain", gains)):
        if estimates:
            member = min(estimates, key=lambda each: estimates[each].value)
            low, high = (min(getattr(each, end) for each in estimates.values()) for end in ("low", "high"))
            known = Estimate(estimates[member].value, estimates[member].stderr, low, high)
            found[name] = {"member": member, "members": len(estimates), **plain(known)}
    return found


def _at_once(count: int) -> float:
    """Return the confidence of each upper end with which ``count`` intervals all hold with 95% confidence."""
    return 1 - (1 - CONFIDENCE) / count
