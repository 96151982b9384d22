"""Match equity: the chance to win a match from any totals, between equal players (R8).

Equity is the chance of a side to win the match, measured at the start of a hand. A drawn match is shared equally. The
hands are played by the player ``maxims``. research/notebook/equity.md describes how the tables are made and how
accurate they are.

>>> from millebornes import make_rules
>>> from millebornes.policies.match_equity import equity_for
>>> equity = equity_for(make_rules("classic"), 5000)
>>> round(equity.chance((3500, 2500), 0), 2)
0.68
"""

import dataclasses
import functools
import math
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import EDITIONS, Rules, edition
from millebornes.errors import PlayerError
from millebornes.policies.array_files import Arrays, read_arrays
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.equity_changes import (
    COARSE_KNOTS,
    Changes,
    at_levels,
    depends_on_totals,
    duel_changes,
    duel_needs,
    play_twice,
)
from millebornes.policies.equity_tables import (
    RACE_SIDES,
    UNIT,
    Equity,
    Stakes,
    fill_crowd,
    fill_duel,
    levels_of,
    win_chance,
)
from millebornes.rules.version import made_for

__all__ = [
    "DEFAULT_TARGET",
    "FINE",
    "SPAN",
    "Equity",
    "HandScores",
    "Stakes",
    "crowd_equity",
    "crowd_step",
    "duel_equity",
    "equity_for",
    "equity_stderr",
    "file_name",
    "is_stored",
    "race_equity",
    "rounded_target",
    "sample_scores",
    "stakes_of",
    "unpack_changes",
    "unpack_equity",
    "unpack_scores",
    "win_chance",
]

DEFAULT_TARGET: Final = 5000
"""The match target of all known editions, and the highest target in stored tables for more than two sides."""

HANDS: Final = 20_000
"""The number of hands to play for a table of two sides for which nothing is stored."""
CHANGED_HANDS: Final = 1_000
"""The number of these hands that are played in a match at each pair of needs in `COARSE_KNOTS`."""
CROWD_HANDS: Final = 1_000
"""The number of hands to play for a table of more than two sides."""
CROWD_STATES: Final = 2_000
"""The approximate number of sorted needs in a table of more than two sides that isn't stored."""
RACE_LEVELS: Final = 40
"""The maximum number of levels in a table for five or more sides."""
RACE_HANDS: Final = 120
"""The number of hands after which a match between five or more sides counts as over."""
DUEL_LEVELS: Final = 500
"""The maximum number of levels for two sides. For higher targets, they are more than `UNIT` points apart."""
CROWD_LEVELS: Final = 20
GROUPS: Final = 20
"""The number of groups into which hands are divided to compute a standard error."""
GROUP_LEVELS: Final = 50
"""The maximum number of levels in a table that only serves to compute a standard error."""
SEED: Final = 5000
SPAN: Final = 650
"""The greatest lead for which the value of a point is measured: half a standard deviation of the lead in a hand."""
FINE: Final = 65_535
"""The number in a file that stands for a chance of 1."""
Points = npt.NDArray[np.int64]


class HandScores(NamedTuple):
    """The different results ``points[n, place]`` of hands, and how many have each. Place 0 is the side that began."""

    points: Points
    counts: Points

    @property
    def hands(self) -> int:
        """The total number of hands."""
        return int(self.counts.sum())

    @property
    def means(self) -> npt.NDArray[np.float64]:
        """The average number of points at each place."""
        return np.asarray(self.counts @ self.points / self.hands)


@functools.lru_cache(maxsize=64)
def equity_for(rules: Rules, match_target: int = DEFAULT_TARGET) -> Equity:
    """Return the equity at a table, for matches to ``match_target`` points. Raises `PlayerError` if that is below 1.

    For the known editions at their own tables, it comes from stored data: scores of hands for two sides, from which a
    table for any target is made, and otherwise a table for all targets up to 5000. In all other cases, hands are
    played, the same every time, which takes a second or two and is less accurate. With more than two sides, the players
    then act as if they didn't know the totals. Calls with the same arguments return the same object.
    """
    if match_target < 1:
        raise PlayerError(f"match_target: {match_target} is not allowed; it must be at least 1")
    stored = is_stored(rules)
    if rules.sides == 2:
        goal, plays_on = rounded_target(rules, match_target), rules.tie == "play_on"
        if stored:
            data = _stored(file_name(rules))
            return duel_equity(unpack_scores(data), goal, plays_on=plays_on, changes=unpack_changes(data))
        scores = sample_scores(rules, HANDS, SEED)
        return duel_equity(scores, goal, plays_on=plays_on, changes=_changes(rules, scores))
    target = rounded_target(rules, match_target)
    if stored and target <= DEFAULT_TARGET:
        return dataclasses.replace(unpack_equity(_stored(file_name(rules))), target=target)
    if rules.sides >= RACE_SIDES:
        return race_equity(sample_scores(rules, HANDS, SEED), target)
    some, many = (sample_scores(rules, hands, SEED) for hands in (CROWD_HANDS, HANDS // 2))
    return crowd_equity(some, target, crowd_step(rules.sides, target), means=many.means)


def equity_stderr(rules: Rules, match_target: int, totals: Sequence[int]) -> float | None:
    """Return the standard error of the chances of two sides, or None for more sides, whose tables don't contain hands.

    It is computed by the delete-a-group jackknife over the hands, and averaged over the sides that can begin.
    """
    if rules.sides != 2:
        return None
    goal, plays_on = rounded_target(rules, match_target), rules.tie == "play_on"
    scores = unpack_scores(_stored(file_name(rules))) if is_stored(rules) else sample_scores(rules, HANDS, SEED)
    rng = np.random.default_rng(SEED)
    left, chances = scores.counts.copy(), []
    for group in range(GROUPS):
        size = int(left.sum()) // (GROUPS - group)
        part = rng.multivariate_hypergeometric(left, size, method="marginals")
        left -= part
        rest = HandScores(scores.points, scores.counts - part)
        equity = duel_equity(rest, goal, plays_on=plays_on, most_levels=GROUP_LEVELS)
        chances.append((equity.chance(totals, 0, 0) + equity.chance(totals, 0, 1)) / 2)
    return math.sqrt((GROUPS - 1) / GROUPS * sum((one - sum(chances) / GROUPS) ** 2 for one in chances))


def _changes(rules: Rules, scores: HandScores) -> Changes | None:
    """Return the effect of knowing the totals, measured in only a few hands, or None if there is no effect."""
    if not depends_on_totals(rules, "maxims"):
        return None
    hands = range(CHANGED_HANDS)
    played = [play_twice(rules, "maxims", SEED, hands, needs) for needs in duel_needs(COARSE_KNOTS)]

    def solve(changes: Changes) -> Equity:
        return duel_equity(scores, DEFAULT_TARGET, plays_on=rules.tie == "play_on", changes=changes)

    return duel_changes(played, COARSE_KNOTS, solve)


def stakes_of(rules: Rules, target: int) -> Stakes:
    """Return the objective for a match to ``target`` points, or for single hands if ``target`` is 0."""
    if not target:
        return Stakes(np.zeros((1, 1), np.float32), 1, 0)
    equity = equity_for(rules, target)
    return Stakes(equity.table, equity.step, equity.target)


def rounded_target(rules: Rules, target: int) -> int:
    """Return ``target`` rounded up to a multiple of 25 if all scores are multiples, which changes no result."""
    return -(-target // UNIT) * UNIT if rules.all_safeties_bonus % UNIT == 0 else target


def file_name(rules: Rules) -> str:
    """Return the name of the data file for a table, such as ``classic-2x2.npz``."""
    return f"{rules.edition or 'own'}-{rules.table}.npz"


def is_stored(rules: Rules) -> bool:
    """Return whether data is stored for a table: one of a known edition's own, with no rule changed except R8.2.

    Data that was computed with other points or an earlier version of the rules doesn't count (`made_for`).
    """
    if rules.edition not in EDITIONS:
        return False
    own = edition(str(rules.edition)).rules(rules.seats, rules.sides)
    if dataclasses.replace(rules, tie=own.tie) != own or not _place(file_name(rules)).is_file():
        return False
    mark = _stored(file_name(rules)).get("made_for")
    return mark is not None and tuple(mark.tolist()) == made_for(rules)


def _place(name: str) -> Traversable:
    return files("millebornes.policies").joinpath("equities", name)


@functools.lru_cache(maxsize=32)
def _stored(name: str) -> Arrays:
    return read_arrays(_place(name).read_bytes(), name, "a table of match equity")


# ---------------------------------------------------------------- scores of hands


def sample_scores(rules: Rules, hands: int, seed: int, *, begin: int = 0, player: str = "maxims") -> HandScores:
    """Return the scores of hands ``begin`` to ``begin + hands`` of a seed, played by equal players.

    Raises `PlayerError` if kernels can't run the player.
    """
    played = play_batch(
        rules, [KernelPlayer.named(player, rules)], [[0] * rules.seats], hands, seed=seed, begin=begin, streams=False
    )
    firsts = (begin + np.arange(hands)) % rules.seats  # as in `play_games`, the seats take turns at beginning
    order = (firsts[:, None] + np.arange(rules.sides)) % rules.sides
    points, counts = np.unique(np.take_along_axis(played.points[:, 0], order, axis=1), axis=0, return_counts=True)
    return HandScores(points, counts.astype(np.int64))


def duel_equity(
    scores: HandScores, target: int, *, plays_on: bool, changes: Changes | None = None, most_levels: int = DUEL_LEVELS
) -> Equity:
    """Return the equity of two sides, computed from the scores of hands.

    ``plays_on`` is true if a match continues after equal totals (R8.2). ``changes`` is the effect of knowing the
    totals, if any. With fewer than ``most_levels`` levels, the result is exact if all scores and the target are
    multiples of 25.
    """
    step = UNIT * max(1, -(-target // (UNIT * most_levels)))
    levels = max(2, levels_of(2, step, target))
    joint = np.zeros(scores.points.max(axis=0) // step + 2)
    weights = scores.counts / scores.hands
    place, rest = np.divmod(scores.points, step)
    upper = rest / step
    for i in range(2):  # a score between two levels is divided between them so that the mean stays the same
        for j in range(2):
            share = (upper[:, 0] if i else 1 - upper[:, 0]) * (upper[:, 1] if j else 1 - upper[:, 1])
            np.add.at(joint, (place[:, 0] + i, place[:, 1] + j), weights * share)
    table = np.zeros((1 + levels, levels))
    if changes is not None:
        table[1:] = at_levels(changes, step, levels)
    fill_duel(table, joint, plays_on)
    return Equity(table.astype(np.float32), step, target, 2, scores.hands)


def crowd_step(sides: int, target: int, states: int = CROWD_STATES) -> int:
    """Return the number of points between levels in a table of more than two sides with about ``states`` rows."""
    levels = next(n for n in range(CROWD_LEVELS, 0, -1) if n <= 3 or math.comb(n + sides, sides) <= states)
    return UNIT * max(1, -(-(target - UNIT) // (UNIT * levels)))


def crowd_equity(
    scores: HandScores,
    target: int,
    step: int,
    *,
    means: npt.NDArray[np.float64] | None = None,
    changes: npt.NDArray[np.float64] | None = None,
) -> Equity:
    """Return the equity of more than two sides, computed from the scores of hands, with levels ``step`` points apart.

    The advantage of beginning is converted to points by the average score at each place (``means``, by default those of
    the scores). Sides with the same highest total share the win (R8.2). ``changes`` is the effect of knowing the totals
    by row.
    """
    sides = scores.points.shape[1]
    levels = levels_of(sides, step, target)
    table = np.zeros((1 + math.comb(levels + sides - 1, sides), sides))
    if changes is not None:
        table[1:] = changes
    hands = np.repeat(scores.points, scores.counts, axis=0)
    fill_crowd(table, step, levels, np.concatenate([np.roll(hands, turn, axis=1) for turn in range(sides)]))
    table[0] = _seat_worth(scores.means if means is None else means)
    return Equity(table.astype(np.float32), step, target, sides, scores.hands)


def race_equity(scores: HandScores, target: int) -> Equity:
    """Return the equity of five or more sides, as if sides scored independently. The rest is as in `crowd_equity`."""
    sides = scores.points.shape[1]
    step = UNIT * -(-target // (UNIT * RACE_LEVELS))
    levels = max(2, levels_of(2, step, target))
    place, rest = np.divmod(scores.points, step)
    wide = max(int(place.max()) + 2, sides)
    brings = np.zeros(wide)  # the probability of each number of steps of points in a hand
    for more, share in ((0, 1 - rest / step), (1, rest / step)):
        np.add.at(brings, place + more, share * scores.counts[:, None] / (scores.hands * sides))
    below = np.concatenate([[0.0], np.cumsum(brings), np.ones(levels)])
    have = np.zeros(levels)
    have[0] = 1.0
    rows = [np.zeros(wide + 1)]
    rows[0][: sides + 1] = [*_seat_worth(scores.means), levels]
    x = np.arange(wide + 1)
    while len(rows) <= RACE_HANDS * levels:
        rows += [have[: i + 1] @ below[(i + 1 - np.arange(i + 1))[:, None] + x] for i in range(levels)]
        have = np.convolve(have, brings)[:levels]
        if have.sum() < 1e-6:
            break
    return Equity(np.array(rows, np.float32), step, target, sides, scores.hands)


def _seat_worth(means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the value of each place to the left of the side that begins, in points from now on, with an average of 0.

    The side that begins plays last in the next hand, and all other sides move one place forward (R2.7). The value of a
    place is its points above the average in this hand, plus the value of the place in the next hand.
    """
    over = means - means.mean()
    worth = np.cumsum(over)
    return np.asarray(worth - worth.mean())


# ---------------------------------------------------------------- the files


def unpack_scores(found: Arrays) -> HandScores:
    """Return the scores in a file made by `millebornes lab equity`."""
    return HandScores(found["points"].T.astype(np.int64) * UNIT, found["counts"].astype(np.int64))


def unpack_changes(found: Arrays) -> Changes | None:
    """Return the changes in a file made by `millebornes lab equity`, or None if it has none."""
    if "knots" not in found:
        return None
    return Changes(tuple(int(need) for need in found["knots"]), found["change"] / FINE)


def unpack_equity(found: Arrays) -> Equity:
    """Return the equity in a file made by `millebornes lab equity`, with chances accurate to 1/65,535."""
    chances = found["chances"].T / FINE
    step, target, hands = (int(number) for number in found["facts"])
    table = np.vstack([found["worth"], np.column_stack([chances, 1 - chances.sum(axis=1)])])
    return Equity(np.ascontiguousarray(table, np.float32), step, target, table.shape[1], hands)
