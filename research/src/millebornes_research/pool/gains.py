"""The worth of a player's moves without the luck of the cards.

A player's lead over its opponents varies by more than a thousand points a hand. But the difference in expectation
between the player and a baseline at the same seats is also a sum over the player's own moves: for each move, its gain
over the baseline's move if play continues from there with the baseline at the player's seats and the rivals on all
other seats (the performance difference lemma; Kakade and Langford, 2002). An observer knows the hidden cards, so each
term can be played out as often as you like, and most moves equal the baseline's and count for nothing. The remaining
variation is about 300 points a hand, so a twentieth of the hands gives the same precision. In matches the same is true
of the chance to win, as far as the match equity table is right (`millebornes_research.pool.pair_equity`).

The lemma requires play-outs by exactly the players at the table. So the baseline and the rivals must be players that
the kernels can play. Any player can be judged.
"""

import contextlib
import dataclasses
import functools
import itertools
import math
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from millebornes.arena.executors import Workers, in_order
from millebornes.arena.programs import seated
from millebornes.arena.run import FileKind, Run
from millebornes.arena.schedule import rules_key
from millebornes.arena.statistics import CONFIDENCE, Estimate, ratio_estimate
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game.match import Match
from millebornes.players import Player, player
from millebornes.players.external_player import DEFAULT_TIME_MS
from millebornes.players.table import Table
from millebornes.policies.batch import KernelPlayer
from millebornes_research.pool.evaluated import Company, Judged
from millebornes_research.pool.strangers import Stranger, StrangerPlayer

KIND: Final = FileKind("millebornes-gain/1", "file of gains")


@dataclasses.dataclass(frozen=True, kw_only=True)
class GainPlan:
    """The player whose moves are judged, the baseline, and the rivals at the table.

    Games are single hands, and the result is the lead of the side over the average of the others, in points. With a
    ``match_target``, games are matches, and the result is in chances to win. The ``player`` takes all seats of one
    side, every side in turn with the same decks. One of the ``rivals`` takes all other seats; several rivals take
    turns. Each move that differs from the baseline's is played out ``worlds`` times.
    """

    rules: Rules
    player: str
    baseline: str = "maxims"
    rivals: tuple[str | Stranger, ...] = ("maxims",)
    match_target: int | None = None
    worlds: int = 256
    seed: str = "0"

    def __post_init__(self) -> None:
        """Raises `PlayerError` for unknown players, or a baseline or rivals that the kernels cannot play."""
        if not self.rivals:
            raise PlayerError("no rivals are named; name at least one")
        player(self.player).close()
        for role, name in [("baseline", self.baseline), *(("rival", name) for name in self.rivals)]:
            if isinstance(name, Stranger):
                continue
            player(name).close()
            try:
                KernelPlayer.named(name, self.rules)
            except PlayerError as error:
                raise PlayerError(f"the {role} must be a player whose moves can be played out: {error}") from None

    def key(self) -> dict[str, Any]:
        """Return everything that determines the results, as plain data."""
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {**plain, "rules": rules_key(self.rules), "rivals": list(map(str, self.rivals))}

    def company(self, game: int) -> Company:
        """Return the baseline and the rival of a game, by its number."""
        return Company(self.baseline, self.rivals[game // self.rules.sides % len(self.rivals)])


def gains(plan: GainPlan, begin: int = 0) -> Iterator[float]:
    """Yield the gain of a side of the player over a side of the baseline in each game, from game ``begin`` on.

    The iterator never ends, and the average of its gains is the estimate. Raises `PlayerError` if a player fails in a
    game.
    """
    rules = plan.rules
    for number in itertools.count(begin):
        own, deal = number % rules.sides, f"gain {plan.seed} {number // rules.sides}"
        company = plan.company(number)
        own_seats = [seat for seat in range(rules.seats) if rules.side_of(seat) == own]
        with _seated(plan.player, company.rival, own_seats, rules) as players:
            judges = {seat: Judged(players[seat], rules, company, plan.worlds, f"{deal} {own}") for seat in own_seats}
            try:
                match = Match.start(rules, seed=deal, match_target=plan.match_target)
                Table(match, [judges.get(seat, one) for seat, one in enumerate(players)], number).play_match()
            except Exception as error:  # players can fail in any way
                said = " ".join(str(error).split()) or type(error).__name__
                raise PlayerError(
                    f"{plan.player} against {company.rival} failed in judged game {number}: {said}"
                ) from error
            finally:
                for judge in judges.values():
                    judge.close()
        yield sum(judge.gained for judge in judges.values())


@contextlib.contextmanager
def _seated(own: str, rival: str | Stranger, own_seats: Sequence[int], rules: Rules) -> Iterator[list[Player]]:
    """Yield the players of a game: ``own`` in its seats, and the rival in all others."""
    seats = range(rules.seats)
    if not isinstance(rival, Stranger):
        with seated([own if seat in own_seats else rival for seat in seats], DEFAULT_TIME_MS) as players:
            yield players
        return
    with seated([own] * len(own_seats), DEFAULT_TIME_MS) as found:
        owners = iter(found)
        yield [next(owners) if seat in own_seats else StrangerPlayer(rival) for seat in seats]


def judge_games(plan: GainPlan, games: range) -> list[float]:
    """Play these games of a plan and return their gains."""
    return list(itertools.islice(gains(plan, games.start), len(games)))


def estimate_gain(gains: Sequence[float], sides: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return the average gain of the first games of a plan.

    Games with the same decks, one for each side, count as one.
    """
    step = sides if len(gains) > sides else 1
    deals = [gains[at : at + step] for at in range(0, len(gains), step)]
    return ratio_estimate([math.fsum(deal) for deal in deals], [len(deal) for deal in deals], confidence)


class JudgedRun(Run):
    """A run of ``total`` judged games. ``gains`` contains the gains so far, in the order of play."""

    def __init__(self, total: int, resume: Path | None) -> None:
        super().__init__(resume)
        self.total: Final = total
        self.gains: Final[list[float]] = []

    @property
    def complete(self) -> bool:
        """Whether all games have been played."""
        return len(self.gains) >= self.total


class Gains(JudgedRun):
    """A run of a plan over ``games`` games."""

    kind: ClassVar[FileKind] = KIND

    def __init__(self, plan: GainPlan, games: int, *, resume: Path | None = None) -> None:
        """Raises `SaveError` for a file that is damaged or of another plan, `MilleBornesError` for too few games."""
        super().__init__(games, resume)
        if games < 1:
            raise MilleBornesError(f"{games} games are not allowed; play at least one")
        self.plan: Final = plan
        self.load()

    @property
    def estimate(self) -> Estimate:
        """Return the average gain of a game, with its interval."""
        return estimate_gain(self.gains, self.plan.rules.sides)

    def report(self) -> dict[str, Any]:
        """Return the estimate so far as plain data: points a hand, or chances to win a match."""
        plan, known = self.plan, self.estimate
        return {
            "player": plan.player,
            "baseline": plan.baseline,
            "rivals": list(map(str, plan.rivals)),
            "match_target": plan.match_target,
            "games": len(self.gains),
            "gain": known.value,
            "ci95": [known.low, known.high],
            "complete": self.complete,
        }

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Play one batch of games after another, in order."""
        task = functools.partial(judge_games, self.plan)
        for _, batch in in_order(workers, task, len(self.gains), self.total):
            self.gains.extend(batch)
            yield

    def key(self) -> dict[str, Any]:
        """Return the settings of the plan."""
        return self.plan.key()

    def state(self) -> dict[str, Any]:
        """Return the gain of each game."""
        return {"told": self.gains}

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the gains of games. Raises `ValueError` or `TypeError` for malformed data."""
        super().restore(data)
        gains: Sequence[Any] = data["told"]
        if not all(isinstance(gain, int | float) and math.isfinite(gain) for gain in gains):
            raise ValueError("a gain isn't a number")
        self.gains.extend(float(gain) for gain in gains)
