"""Ways in which a seat may play, and how likely a move is in each of them.

A style is a policy at a temperature: a move that the policy thinks worse by x points than its best one is made
exp(-x / temperature) times as often. At the lowest temperature a style plays as the policy does; the highest one stands
for players who agree with it only by and large. One more style makes every move as likely: of who plays so, moves say
nothing.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from millebornes.kernels.decorator import kernel
from millebornes.policies.dispatch import choose_code
from millebornes.rules.state import Floats, Record, Records, Word

__all__ = ["CACHED", "MAX_STYLES", "MIN_POLICY_SHARE", "MIN_PROBABILITY", "TEMPERATURES", "Model", "weigh_move"]

U = np.uint64
ZERO, ONE = U(0), U(1)
TEMPERATURES: Final = (2.0, 8.0, 32.0)
"""In points: each is four times the one before, so that one exponential serves all of them."""
MAX_STYLES: Final = 4 * len(TEMPERATURES) + 1
MAX_TEMPERATURE: Final = TEMPERATURES[-1]
MAX_TEMPERATURES_BEHIND: Final = 20.0
"""What is worse by so many times the highest temperature is never done in any style."""
MIN_PROBABILITY: Final = 0.01
"""So often anything is done, each move as likely: no play, however odd, makes a hand impossible."""
MIN_POLICY_SHARE: Final = 0.02
"""A policy whose styles have less than this share in all is not asked."""

CACHED: Final = np.dtype(
    [
        ("event", "i8"),  # the number of a decision of somebody (`millebornes.search.beliefs.EVENT`), 0 for none …
        ("hand", "u8"),  # … had the seat held this hand
        ("asked", "u8"),  # the policies that have been asked, as bits
        ("count", "i8"),  # legal moves
        ("chances", "f8", MAX_STYLES),  # style -> how likely the move is; 0 in those of policies not asked
    ],
    align=True,
)
"""What is known of how likely a move is in each style: policies do not change, only how likely a seat plays by them."""


class Model(NamedTuple):
    """How the seats are taken to play.

    ``policies`` are `SEATED` records that leave scores (`millebornes.policies.dispatch.decide_in_search`);
    ``shares[seat, style]`` says how likely a seat plays in a style. Policy p has the styles 3 p, 3 p + 1 and 3 p + 2,
    one for each of the `TEMPERATURES`; in the last style anything is as likely.
    """

    policies: Records
    shares: Floats


@kernel
def fill_chances(code: Word, f: Record, chances: Floats, place: Word) -> None:
    """Write from ``place`` on how likely a move is at each temperature, by the scores that a policy left in ``f``."""
    count = f["count"]
    if count == 1:
        chances[place] = chances[place + 1] = chances[place + 2] = 1.0
        return
    best = f["scores"][0]
    for i in range(1, count):
        best = max(best, f["scores"][i])
    narrow = middle = wide = 0.0
    chances[place] = chances[place + 1] = chances[place + 2] = 0.0
    for i in range(count):
        gap = np.float64(best - f["scores"][i]) / MAX_TEMPERATURE
        if gap < MAX_TEMPERATURES_BEHIND:
            often = math.exp(-gap)
            less = often * often * often * often
            least = less * less * less * less
            wide += often
            middle += less
            narrow += least
            if f["codes"][i] == code:
                chances[place], chances[place + 1], chances[place + 2] = least, less, often
    chances[place] /= narrow
    chances[place + 1] /= middle
    chances[place + 2] /= wide


@kernel
def weigh_move(
    code: Word, state: Record, deal: Record, model: Model, few: float, cached: Record, work: Record
) -> float:
    """How likely the seat that decides in the state makes a move.

    A policy counts if it has at least a share ``few``, or none has. It is asked if it has not been asked before:
    ``cached`` (a `CACHED` record of this very decision) tells, and takes what is found out.
    """
    policies, shares = model
    seat = np.int64(state["seat"])
    chances = cached["chances"]
    anything = 3 * len(policies)
    total = 0.0
    whole = shares[seat, anything]
    for policy in range(len(policies)):
        place = 3 * policy
        share = shares[seat, place] + shares[seat, place + 1] + shares[seat, place + 2]
        if share < few and (policy + 1 < len(policies) or whole > shares[seat, anything]):
            continue
        if cached["asked"] >> U(policy) & ONE == ZERO:
            choose_code(state, deal, policies[policy], work)
            fill_chances(code, work["features"], chances, place)
            cached["asked"] |= ONE << U(policy)
            cached["count"] = work["features"]["count"]
        whole += share
        for style in range(place, place + 3):
            total += shares[seat, style] * chances[style]
    chances[anything] = 1.0 / cached["count"]
    total += shares[seat, anything] * chances[anything]
    return float((1.0 - MIN_PROBABILITY) * total / whole + MIN_PROBABILITY * chances[anything])
