"""Play matches between equal players from any totals, hand by hand, to check equity tables."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy import uint64

from millebornes.editions import Rules
from millebornes.errors import PlayerError
from millebornes.kernels.decorator import kernel
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.dispatch import Workspace, is_watching, workspace_for
from millebornes.policies.games import deal_hand, game_key, is_decided, play_hand
from millebornes.rules.scoring import side_score
from millebornes.rules.state import Integers, Records

MAX_HANDS = 64
"""The maximum number of hands played in a match."""


class Course(NamedTuple):
    """The course of matches: ``totals[match, hand, side]`` contains the points before each hand, then the final points.

    ``hands[match]`` is the number of hands played, which is also the index of the final points. ``first[match]`` is the
    seat that begins the first hand.
    """

    totals: Integers
    hands: Integers
    first: Integers


class Matches(NamedTuple):
    """The matches of a seed from number ``begin`` on, which are played from the totals ``start`` to ``target`` points.

    Seat ``first`` begins the first hand. If ``first`` is negative, the seats take turns at beginning.
    """

    seed: np.uint64
    begin: int
    first: int
    target: int
    start: Integers


@kernel
def play_matches(workspace: Workspace, players: Records, matches: Matches, out: Integers, hands: Integers) -> None:
    """Play `Matches` in a `Workspace`.

    The results are written to ``out`` (the totals) and ``hands`` (the numbers of hands), as in `Course`.
    """
    work, state, deal = workspace.work[0], workspace.states[0], workspace.deals[0]
    tables, totals = work["tables"], deal["totals"]
    seed, begin, first, target, start = matches
    seats = np.int64(tables["seats"])
    sides = np.int64(tables["sides"])
    line = np.zeros(seats, np.int64)
    deal["watched"], deal["target"] = is_watching(players), target
    for match in range(len(out)):
        for side in range(sides):
            totals[side] = out[match, 0, side] = start[side]
        key = game_key(seed, begin + match)
        number = 0
        while number < out.shape[1] - 1:
            begins = (first if first >= 0 else begin + match) + number
            number += 1
            deal_hand(state, deal, work, key, number, begins % seats)
            play_hand(state, deal, players, line, work)
            for side in range(sides):
                totals[side] += side_score(state, tables, uint64(side))
                out[match, number, side] = totals[side]
            if is_decided(totals, sides, target, work["lookups"]):
                break
        hands[match] = number


def play_course(
    rules: Rules,
    matches: range,
    target: int,
    *,
    seed: int,
    start: Sequence[int] | None = None,
    first: int | None = None,
    player: str = "maxims",
    most_hands: int = MAX_HANDS,
) -> Course:
    """Play these matches of a seed between equal players, from the totals ``start`` (0 for all sides by default).

    Seat ``first`` begins. If it is None, the seats take turns at beginning. A match ends after ``most_hands`` hands at
    the latest. Raises `PlayerError` if kernels can't run the player, or if the totals don't fit the table.
    """
    if start is not None and len(start) != rules.sides:
        raise PlayerError(f"start: {list(start)} are not the totals of {rules.sides} sides")
    totals = np.zeros((len(matches), most_hands + 1, rules.sides), np.int64)
    hands = np.zeros(len(matches), np.int64)
    asked = Matches(
        np.uint64(seed),
        matches.start,
        -1 if first is None else first,
        target,
        np.array(start if start is not None else [0] * rules.sides, np.int64),
    )
    play_matches(workspace_for(rules), seats_of([KernelPlayer.named(player, rules)]), asked, totals, hands)
    begins = np.arange(matches.start, matches.stop) if first is None else np.full(len(matches), first)
    return Course(totals, hands, begins % rules.seats)
