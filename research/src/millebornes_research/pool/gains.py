"""What a player's moves are worth, without the luck of the cards.

A player's lead on its opponents scatters by more than a thousand points a hand. But how much more it expects than a
baseline player in its place is also the sum, over its own moves, of what each of them brings more than the baseline's
move would have, all going on from there: the baseline in its place, the rivals on all other seats (the performance
difference lemma; Kakade and Langford, 2002). The hidden cards are known to who watches, so each term can be played out
as often as one likes, and most moves are those of the baseline and count for nothing. What is left scatters by some 300
points a hand: a twentieth of the hands tell as much. In matches the same holds of the chance to win, as far as the
table of match equity is right (`millebornes_research.pool.pair_equity`).

The lemma asks for play-outs by exactly the players that sit there. So baseline and rivals must be players that kernels
can play; who is judged may be anybody.
"""

import dataclasses
import functools
import itertools
import math
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from millebornes.arena.executors import Workers, in_order
from millebornes.arena.programs import seated
from millebornes.arena.report import Interval, Record
from millebornes.arena.run import FileKind, Run
from millebornes.arena.schedule import rules_key
from millebornes.arena.statistics import CONFIDENCE, Estimate, ratio_estimate
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game.match import Match
from millebornes.players import player
from millebornes.players.external.player import DEFAULT_TIME_MS
from millebornes.players.table import Table
from millebornes.policies.batch import KernelPlayer
from millebornes_research.pool.evaluated import Company, Judged

__all__ = ["GainPlan", "GainResults", "Gains", "Judgement", "estimate_gain", "gains", "judge_games"]

KIND: Final = FileKind("millebornes-gain/1", "file of gains")


@dataclasses.dataclass(frozen=True, kw_only=True)
class GainPlan:
    """Whose moves are judged, against whose, and in whose company.

    Games are hands, and the worth is in points by which the side leads the mean of the others; or, with a
    ``match_target``, matches, and the worth is in chances to win. Players of the name ``player`` take all seats of one
    side, every side in turn with the same decks, and one of the ``rivals`` all other seats; with several of them, each
    in turn. Each move in question is played out in so many ``worlds``.
    """

    rules: Rules
    player: str
    baseline: str = "maxims"
    rivals: tuple[str, ...] = ("maxims",)
    match_target: int | None = None
    worlds: int = 256
    seed: str = "0"

    def __post_init__(self) -> None:
        """Raises `PlayerError` for players that there are not, or a company that kernels cannot play."""
        if not self.rivals:
            raise PlayerError("no rivals are named; name at least one")
        player(self.player).close()
        for role, name in [("baseline", self.baseline), *(("rival", name) for name in self.rivals)]:
            player(name).close()
            try:
                KernelPlayer.named(name, self.rules)
            except PlayerError as error:
                raise PlayerError(f"the {role} must be a player whose moves can be played out: {error}") from None

    def key(self) -> dict[str, Any]:
        """All that decides the results, as plain data."""
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {**plain, "rules": rules_key(self.rules), "rivals": list(self.rivals)}

    def company(self, game: int) -> Company:
        """The baseline and the rival of a game, by its number."""
        return Company(self.baseline, self.rivals[game // self.rules.sides % len(self.rivals)])


@dataclasses.dataclass(frozen=True, kw_only=True)
class GainResults(Record):
    """How much more a player's moves bring than those of a baseline in its place."""

    player: str
    """Whose moves are judged."""
    baseline: str
    """Against whose moves."""
    rivals: tuple[str, ...]
    """Who sits on the other seats, in turn."""
    match_target: int | None
    """Points that end a match; None where games are single hands."""
    games: int
    """Games that were judged."""
    gain: float
    """Points a hand; with a ``match_target`` the chance to win a match, from 0 to 1."""
    ci95: Interval
    """The interval of that."""
    complete: bool
    """Whether all games were judged that were asked for."""


def gains(plan: GainPlan, begin: int = 0) -> Iterator[float]:
    """How much a side of the player is worth more than one of the baseline: what each game says, from ``begin`` on.

    It goes on for as long as it is asked; the mean of what it says is the estimate. Raises `PlayerError` where a player
    fails in a game.
    """
    rules = plan.rules
    for number in itertools.count(begin):
        own, deal = number % rules.sides, f"gain {plan.seed} {number // rules.sides}"
        company = plan.company(number)
        own_seats = [seat for seat in range(rules.seats) if rules.side_of(seat) == own]
        names = [plan.player if seat in own_seats else company.rival for seat in range(rules.seats)]
        with seated(names, DEFAULT_TIME_MS) as players:
            judges = {seat: Judged(players[seat], rules, company, plan.worlds, f"{deal} {own}") for seat in own_seats}
            try:
                match = Match.start(rules, seed=deal, match_target=plan.match_target)
                table = Table(match, [judges.get(seat, one) for seat, one in enumerate(players)], number)
                while not table.play_hand().is_over and plan.match_target:
                    table.next_hand()
            except Exception as error:  # a player may fail in any way of its own
                said = " ".join(str(error).split()) or type(error).__name__
                raise PlayerError(
                    f"{plan.player} against {company.rival} failed in judged game {number}: {said}"
                ) from error
            finally:
                for judge in judges.values():
                    judge.close()
        yield sum(judge.gained for judge in judges.values())


class Judgement(NamedTuple):
    """What some games said, and the seconds that they took."""

    gains: list[float]
    seconds: float


def judge_games(plan: GainPlan, games: range) -> Judgement:
    """What these games of a plan say."""
    start = time.perf_counter()
    found = list(itertools.islice(gains(plan, games.start), len(games)))
    return Judgement(found, time.perf_counter() - start)


def estimate_gain(gains: Sequence[float], sides: int, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of what the first games of a plan said; games of the same decks, one for each side, count as one."""
    step = sides if len(gains) > sides else 1
    deals = [gains[at : at + step] for at in range(0, len(gains), step)]
    return ratio_estimate([math.fsum(deal) for deal in deals], [len(deal) for deal in deals], confidence)


class Gains(Run):
    """A run of so many ``games`` of a plan; ``gains`` are those of the games so far."""

    kind: ClassVar[FileKind] = KIND

    def __init__(self, plan: GainPlan, games: int, *, resume: Path | None = None) -> None:
        """Raises `SaveError` for a file that is damaged or of another plan, `MilleBornesError` for too few games."""
        super().__init__(resume)
        if games < 1:
            raise MilleBornesError(f"{games} games are not allowed; play at least one")
        self.plan: Final = plan
        self.games: Final = games
        self.gains: Final[list[float]] = []
        self.load()

    @property
    def complete(self) -> bool:
        """Whether all games have been played."""
        return len(self.gains) >= self.games

    @property
    def estimate(self) -> Estimate:
        """The mean of a game with its interval."""
        return estimate_gain(self.gains, self.plan.rules.sides)

    def results(self) -> GainResults:
        """The estimate so far."""
        return GainResults.from_dict(self.report())

    def report(self) -> dict[str, Any]:
        """The estimate so far as plain data: points a hand, or chances to win a match."""
        plan, known = self.plan, self.estimate
        return {
            "player": plan.player,
            "baseline": plan.baseline,
            "rivals": list(plan.rivals),
            "match_target": plan.match_target,
            "games": len(self.gains),
            "gain": known.value,
            "ci95": [known.low, known.high],
            "complete": self.complete,
        }

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Play one batch of games after the other, in their order."""
        task = functools.partial(judge_games, self.plan)
        for _, batch in in_order(workers, task, len(self.gains), self.games):
            self.gains.extend(batch.gains)
            yield

    def key(self) -> dict[str, Any]:
        """What the plan says."""
        return self.plan.key()

    def state(self) -> dict[str, Any]:
        """What each game said."""
        return {"told": self.gains}

    def restore(self, data: dict[str, Any]) -> None:
        """Take over what games have said. Raises `ValueError` or `TypeError` for what is none of that."""
        super().restore(data)
        gains: Sequence[Any] = data["told"]
        if not all(isinstance(gain, int | float) and math.isfinite(gain) for gain in gains):
            raise ValueError("a gain is no number")
        self.gains.extend(float(gain) for gain in gains)
