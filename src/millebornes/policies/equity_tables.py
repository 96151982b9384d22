"""Fill match equity tables from the scores of hands, and read chances from them in a few nanoseconds, inside kernels.

Tables are indexed by the points that sides still *need*, so one table works for its own target and all lower ones. The
first row contains other data. The layout depends on the number of sides:

* two sides: ``table[1 + i, j]`` is the chance of the side that begins if it needs ``step * (i + 1)`` points and the
  other side needs ``step * (j + 1)``. ``table[0]`` starts with the chances of the side that begins and of the other
  side, if both have reached the target with equal totals (R8.2).
* three and four sides: the needs are sorted in descending order and stored as levels. Level v stands for
  ``UNIT + step * v`` points. ``table[1 + rank, p]`` is the chance of the side at place p in this order, whichever side
  begins. Ranks number the sorted levels in lexicographic order. ``table[0, j]`` is the value in points of being j
  places to the left of the side that begins.
* five or more sides (`RACE_SIDES`): each side is treated separately. ``table[1 + hand * levels + i, x]`` is the chance
  that a side that needs ``step * (i + 1)`` points hasn't reached the target before hand ``hand`` (from 0), and doesn't
  exceed it by ``step * x`` points or more in that hand. ``table[0]`` contains the same numbers as elsewhere in the
  table, followed by the number of levels.

Chances between levels are interpolated. For three and four sides, this is done within the simplex of sorted levels
around the point (the Freudenthal triangulation, which permutations map to itself), and otherwise along each axis.
"""

import dataclasses
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.errors import PlayerError
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules.state import Floats, Integers, Word

Chances = npt.NDArray[np.float32]
"""A table of chances in the layout described above."""

UNIT: Final = 25
"""All scores in the known editions are multiples of this number of points."""

RACE_SIDES: Final = 5
"""With this many sides or more, there would be too many sorted needs, so sides are assumed to score independently."""

MIN_CHANCE: Final = 1e-3
"""A race is followed until its chance of still being undecided is no greater than this."""

MAX_LEVELS: Final = 128
CHOOSE: Final = np.array([[math.comb(n, k) for k in range(9)] for n in range(MAX_LEVELS + 9)], np.int64)
"""``CHOOSE[n, k]`` is the number of ways to choose k of n."""


@inner_kernel
def levels_of(sides: Word, step: Word, target: Word) -> Word:
    """Return the number of levels that a table needs on each axis to reach the target."""
    reach = target if sides == 2 else target - UNIT + step
    return max(1, (reach + step - 1) // step)


@inner_kernel
def duel_chance(table: Chances, step: Word, mine: Word, theirs: Word) -> float:
    """Return the chance of the side that begins, for two sides, given the points that both need (more than 0)."""
    last = table.shape[1] - 1
    x = min(max(mine - step, 0), last * step)
    y = min(max(theirs - step, 0), last * step)
    i, j = x // step, y // step
    u, v = (x - i * step) / step, (y - j * step) / step
    i_next, j_next = min(i + 1, last), min(j + 1, last)
    low = (1.0 - v) * table[1 + i, j] + v * table[1 + i, j_next]
    high = (1.0 - v) * table[1 + i_next, j] + v * table[1 + i_next, j_next]
    return float((1.0 - u) * low + u * high)


@inner_kernel
def height(table: Chances, sides: Word, step: Word, target: Word, totals: Integers, side: Word, first: Word) -> float:
    """Return how much more a side needs than the lowest level, in points and adjusted for its seat (for a crowd)."""
    place = (side - first) % sides
    most = (levels_of(sides, step, target) - 1) * step
    return float(min(max(target - totals[side] - UNIT - table[0, place], 0.0), float(most)))


@inner_kernel
def crowd_chance(
    table: Chances, sides: Word, step: Word, target: Word, totals: Integers, side: Word, first: Word
) -> float:
    """Return the chance of a side, for more than two sides, if the match isn't over."""
    own_place = 0
    rank = 0
    mine = height(table, sides, step, target, totals, side, first)
    # the corner below: its rank is a sum over the sides in the order of their needs
    for s in range(sides):
        x = height(table, sides, step, target, totals, s, first)
        place = 0
        for other in range(sides):
            y = height(table, sides, step, target, totals, other, first)
            if y > x or (y == x and other < s):
                place += 1
        if s == side:
            own_place = place
        rank += CHOOSE[int(x) // step + sides - 1 - place, sides - place]
    # go from corner to corner of the simplex: each side moves up one level, starting with the largest remainder
    chance = 0.0
    weight_left = 1.0
    passed = 0
    before, before_x, before_side = 2.0, mine, sides
    while True:
        best, best_x, best_side = -1.0, 0.0, sides
        for s in range(sides):
            x = height(table, sides, step, target, totals, s, first)
            rest = x / step - int(x) // step
            # largest remainder, then greatest need, then lowest number, and after the side that moved previously
            after = rest < before or (
                rest == before and (x < before_x or (x == before_x and s > before_side and before_side < sides))
            )
            better = rest > best or (rest == best and (x > best_x or (x == best_x and s < best_side)))
            if after and better:
                best, best_x, best_side = rest, x, s
        if passed == sides or best <= 0.0:
            return float(chance + weight_left * table[1 + rank, own_place])
        chance += (weight_left - best) * table[1 + rank, own_place]
        weight_left = best
        place = 0
        for other in range(sides):
            y = height(table, sides, step, target, totals, other, first)
            if y > best_x or (y == best_x and other < best_side):
                place += 1
        rank += CHOOSE[int(best_x) // step + sides - 1 - place, sides - place - 1]
        before, before_x, before_side = best, best_x, best_side
        passed += 1


@inner_kernel
def race_chance(
    table: Chances, sides: Word, step: Word, target: Word, totals: Integers, side: Word, first: Word
) -> float:
    """Return a side's chance to pass the target first or by the most, for five or more sides in an unfinished match."""
    wide = table.shape[1] - 1
    levels = int(table[0, sides])
    every = (table.shape[0] - 1) // levels
    scale = 1.0 / step
    won, all_won = 0.0, 0.0
    for hand in range(every):
        on = 1.0
        row = 1 + hand * levels
        for x in range(wide):
            # for all sides so far: all are less than x steps past the target; or one is there and the others are behind
            behind, one, mine = 1.0, 0.0, 1.0
            for s in range(sides):
                place = s - first if s >= first else s - first + sides
                high = max((target - totals[s] - table[0, place]) * scale - 1.0, 0.0)
                level = min(int(high), levels - 2)
                part = min(high - level, 1.0)
                low = table[row + level, x]
                low += part * (table[row + level + 1, x] - low)
                up = table[row + level, x + 1]
                up += part * (table[row + level + 1, x + 1] - up)
                there, less = up - low, 0.5 * (up + low)  # sides with equal totals share the win, approximately
                one = one * less + there * behind
                behind *= less
                mine *= there if s == side else less
                if x == 0:
                    on *= low
            won += mine
            all_won += one
            if behind > 0.999:
                break
        if on < MIN_CHANCE:
            break
    return won / all_won if all_won > 0.0 else 1.0 / sides


@inner_kernel
def win_chance(
    table: Chances, sides: Word, step: Word, target: Word, totals: Integers, side: Word, first: Word
) -> float:
    """Return a side's chance to win the match (1, 0 or a share if it is over) if a hand has ended with these totals.

    ``table``, ``step`` and ``target`` belong to an `Equity`, and ``first`` is the seat (or its side) that begins the
    next hand (R2.7). All integers are signed.
    """
    best = totals[0]
    equal = 1
    for s in range(1, sides):
        if totals[s] > best:
            best = totals[s]
            equal = 1
        elif totals[s] == best:
            equal += 1
    begins = first % sides
    if best >= target:
        if totals[side] < best:
            return 0.0
        if equal == 1:
            return 1.0
        if sides == 2:
            return float(table[0, 0 if side == begins else 1])
        return 1.0 / equal
    if sides == 2:
        chance = duel_chance(table, step, target - totals[begins], target - totals[1 - begins])
        return chance if side == begins else 1.0 - chance
    if sides < RACE_SIDES:
        return crowd_chance(table, sides, step, target, totals, side, begins)
    return race_chance(table, sides, step, target, totals, side, begins)


@kernel
def fill_duel(table: Floats, joint: Floats, plays_on: Word) -> None:
    """Fill the table for two sides from the scores of hands.

    All rows except the first must contain 0, or the change in the chance of the side that begins if players know the
    totals. ``joint[f, o]`` is the probability that a hand gives f steps of points to the side that begins and o steps
    to the other side (their sum is 1). ``plays_on`` is true if a match continues after equal totals (R8.2).
    """
    levels = table.shape[1]
    high, wide = joint.shape
    nothing = joint[0, 0]
    # the probabilities that the lead grows by each number of steps, and by more than that
    equal = np.zeros(high + wide + 2 * levels + 1)
    middle = wide + levels
    for f in range(high):
        for o in range(wide):
            equal[middle + f - o] += joint[f, o]
    more = np.zeros(len(equal))
    for d in range(len(equal) - 2, -1, -1):
        more[d] = more[d + 1] + equal[d + 1]
    # the side that began plays second when the match continues: t = wins + equal * (1 - t)
    table[0, 0] = (more[middle] + equal[middle]) / (1.0 + equal[middle]) if plays_on else 0.5
    table[0, 1] = 1.0 - table[0, 0]
    # hands that end the match: those that would decide it if they ended it, minus those that don't end it
    upto = np.zeros((high, wide + 1))
    for f in range(high):
        for o in range(wide):
            upto[f, o + 1] = upto[f, o] + joint[f, o]
    for lead in range(1 - levels, levels):
        wins, ties = more[middle + lead], equal[middle + lead]
        i, j = max(lead, 0), max(-lead, 0)
        while i < levels and j < levels:
            if i < high:  # in these hands, the lead needs at most j - 1 steps of the other side
                wins -= upto[i, min(j, wide)]
                if j < wide:
                    ties -= joint[i, j]
            table[1 + i, j] += wins + ties * table[0, 1]
            i += 1
            j += 1
    # all others continue from lower needs: once known, each is added to all needs from which a hand leads to it
    for together in range(2 * levels - 1):
        least = max(0, together - levels + 1)
        for i in range(least, together // 2 + 1):
            # hands without points lead back to the same needs, with the other side beginning
            one, two = table[1 + i, together - i], table[1 + together - i, i]
            if nothing < 1.0:
                table[1 + i, together - i] = (one + nothing * (1.0 - two - nothing)) / (1.0 - nothing * nothing)
                table[1 + together - i, i] = (two + nothing * (1.0 - one - nothing)) / (1.0 - nothing * nothing)
            else:
                table[1 + i, together - i] = table[1 + together - i, i] = 0.5
            table[1 + i, together - i] = min(max(table[1 + i, together - i], 0.0), 1.0)
            table[1 + together - i, i] = min(max(table[1 + together - i, i], 0.0), 1.0)
        for i in range(least, min(together, levels - 1) + 1):
            j = together - i
            second = 1.0 - table[1 + j, i]
            for f in range(min(high, levels - i)):
                for o in range(1 if f == 0 else 0, min(wide, levels - j)):
                    table[1 + i + f, j + o] += joint[f, o] * second


@kernel
def fill_crowd(table: Floats, step: Word, levels: Word, scores: Integers) -> None:
    """Fill all rows except the first of a table for more than two sides, from the scores of hands.

    The rows must contain 0, or the change in the chance of each place if players know the totals. ``scores[hand,
    side]`` is in points. The scores should include each hand several times, with its sides rotated to every place.
    """
    sides = scores.shape[1]
    level = np.zeros(sides, np.int64)
    need = np.zeros(sides, np.int64)
    left = np.zeros(sides, np.int64)
    order = np.zeros(sides, np.int64)
    places = np.zeros(sides, np.int64)
    rest = np.zeros(sides, np.int64)
    found = np.zeros(sides)
    state = 0
    while level[0] < levels:
        for i in range(sides):
            need[i] = UNIT + step * level[i]
            found[i] = 0.0
        again = 0.0
        for a in range(len(scores)):
            least, equal = need[0] - scores[a, 0], 0
            for i in range(sides):
                left[i] = need[i] - scores[a, i]
                if left[i] < least:
                    least, equal = left[i], 1
                elif left[i] == least:
                    equal += 1
            if least <= 0:  # R8.1: the match is over and the highest total wins; sides with equal totals share the win
                for i in range(sides):
                    if left[i] == least:
                        found[i] += 1.0 / equal
                continue
            for i in range(sides):  # the greatest need comes first
                place = i
                while place > 0 and left[order[place - 1]] < left[i]:
                    order[place] = order[place - 1]
                    place -= 1
                order[place] = i
            rank = 0
            for place in range(sides):
                above = max(0, left[order[place]] - UNIT)
                rest[place] = above % step
                rank += CHOOSE[above // step + sides - 1 - place, sides - place]
                at = place
                while at > 0 and rest[places[at - 1]] < rest[place]:
                    places[at] = places[at - 1]
                    at -= 1
                places[at] = place
            before = step
            for n in range(sides + 1):
                now = rest[places[n]] if n < sides else 0
                weight = (before - now) / step
                if weight > 0.0:
                    if rank == state:
                        again += weight
                    else:
                        for place in range(sides):
                            found[order[place]] += weight * table[1 + rank, place]
                if n < sides:
                    place = places[n]
                    above = max(0, left[order[place]] - UNIT)
                    if now > 0:
                        rank += CHOOSE[above // step + sides - 1 - place, sides - place - 1]
                before = now
        sure = len(scores) - again
        for i in range(sides):
            found[i] = max(0.0, found[i] + len(scores) * table[1 + state, i])
        begin = 0
        for i in range(sides):  # sides with the same need have the same chance
            if i + 1 == sides or level[i + 1] != level[begin]:
                together = 0.0
                for k in range(begin, i + 1):
                    together += found[k]
                for k in range(begin, i + 1):
                    table[1 + state, k] = together / (i + 1 - begin) / sure if sure > 0.0 else 1.0 / sides
                begin = i + 1
        state += 1
        at = sides - 1
        while at > 0 and level[at] == level[at - 1]:
            level[at] = 0
            at -= 1
        level[at] += 1


@kernel
def write_chances(
    table: Chances, sides: Word, step: Word, target: Word, totals: Integers, first: Integers, out: Floats
) -> None:
    """Write the chances of all sides to ``out[n, side]``, given totals ``totals[n, side]`` and the first seat."""
    for n in range(len(totals)):
        for side in range(sides):
            out[n, side] = win_chance(table, sides, step, target, totals[n], side, first[n])


@dataclasses.dataclass(frozen=True, eq=False)
class Equity:
    """The chances to win a match to ``target`` points between equal players, made from a number of ``hands``.

    ``table`` (float32), ``step``, ``target`` and ``sides`` are the arguments of `win_chance`, in the layout above.
    """

    table: Chances
    step: int
    target: int
    sides: int
    hands: int

    def chance(self, totals: Sequence[int], side: int, first: int = 0) -> float:
        """Return the chance of a side to win the match if a hand has ended with these totals (in points, by side).

        ``first`` is the seat (or its side) that begins the next hand (R2.7). If the match is over (R8), the chance is
        1, 0 or a share. Raises `PlayerError` if no match can have these totals, or if the side doesn't exist.
        """
        if len(totals) != self.sides or min(totals) < 0:
            raise PlayerError(f"totals: {list(totals)} must be {self.sides} numbers of points, each 0 or more")
        if not 0 <= side < self.sides:
            raise PlayerError(f"side: there is no side {side}; sides are 0 to {self.sides - 1}")
        if first < 0:
            raise PlayerError(f"first: there is no seat {first}")
        points = np.array(totals, np.int64)
        return float(win_chance(self.table, self.sides, self.step, self.target, points, side, first))

    def chances(self, totals: Integers, first: Integers) -> Floats:
        """Return the chances of all sides for many totals (rows), and for each of them the seat that begins."""
        out = np.zeros(totals.shape)
        write_chances(self.table, self.sides, self.step, self.target, totals, first, out)
        return out

    def gain(self, totals: Sequence[int], side: int, points: int, first: int = 0) -> float:
        """Return how much a side's chance changes if it gets ``points`` more, or fewer. Totals never fall below 0."""
        changed = list(totals)
        changed[side] = max(0, changed[side] + points)
        return self.chance(changed, side, first) - self.chance(totals, side, first)

    def slope(self, totals: Sequence[int], side: int, first: int = 0, *, span: int = 100) -> float:
        """Return the value of one point of lead as a chance to win the match, or 0 if the match is over.

        It is the average over leads from ``span`` points less to ``span`` more than now: this side's total is raised,
        or those of all others. All totals are lowered to stay below the target, so the last points are valued like
        earlier ones.
        """
        if max(totals) >= self.target:
            return 0.0
        lower = max(0, max(totals) + span - (self.target - UNIT))
        ahead, behind = ([max(0, total - lower) for total in totals] for _ in range(2))
        for s in range(self.sides):
            (ahead if s == side else behind)[s] += span
        return (self.chance(ahead, side, first) - self.chance(behind, side, first)) / (2 * span)


class Stakes(NamedTuple):
    """The objective in kernels: a match to ``goal`` points, by an equity table, or points if ``goal`` is 0."""

    table: Chances
    step: int
    goal: int
