"""The styles in which a seat may play, and the probability of a move in each style.

A style is a policy at a temperature. If the policy judges a move x points worse than its best one, the move is played
exp(-x / temperature) times as often. At the lowest temperature, a style plays like the policy. The highest one
describes players who only roughly agree with it. In one more style, all moves are equally likely, so moves reveal
nothing about the hand.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from millebornes.kernels.decorator import kernel
from millebornes.policies.dispatch import choose_code
from millebornes.rules.state import Floats, Record, Records, Word

U = np.uint64
ZERO, ONE = U(0), U(1)
TEMPERATURES: Final = (2.0, 8.0, 32.0)
"""In points. Each is four times the previous one, so that one exponential is enough for all of them."""
MAX_STYLES: Final = 4 * len(TEMPERATURES) + 1
MAX_TEMPERATURE: Final = TEMPERATURES[-1]
MAX_TEMPERATURES_BEHIND: Final = 20.0
"""A move that is worse than the best by this many times the highest temperature is never played in any style."""
MIN_PROBABILITY: Final = 0.01
"""How often a random move is played, so that no move, however odd, makes a hand impossible."""
MIN_POLICY_SHARE: Final = 0.02
"""A policy isn't asked if its styles have a total share below this."""

CACHED: Final = np.dtype(
    [
        ("event", "i8"),  # the number of a seat's event (`millebornes.search.beliefs.EVENT`), 0 for none …
        ("hand", "u8"),  # … and the hand that the seat is assumed to hold
        ("asked", "u8"),  # policies asked so far, as bits
        ("count", "i8"),  # legal moves
        ("chances", "f8", MAX_STYLES),  # style -> probability of the move; 0 in styles of policies not asked
    ],
    align=True,
)
"""The probabilities of a move in each style. They never change, unlike the probability that a seat plays in a style."""


class Model(NamedTuple):
    """A model of how the seats play.

    ``policies`` holds `SEATED` records that leave scores (`millebornes.policies.dispatch.decide_in_search`).
    ``shares[seat, style]`` is the probability that a seat plays in a style. Policy p has the styles 3 p, 3 p + 1 and 3
    p + 2, one for each of the `TEMPERATURES`. In the last style, all moves are equally likely.
    """

    policies: Records
    shares: Floats


@kernel
def fill_chances(code: Word, f: Record, chances: Floats, place: Word) -> None:
    """Write a move's probability at each temperature from ``place`` on, by the scores that a policy left in ``f``."""
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
    """Return the probability that the seat to decide makes a move.

    A policy counts if its share is at least ``few``, or if no other policy counts. It is only asked if ``cached`` (a
    `CACHED` record of this decision) doesn't contain its answer, and the answer is then stored there.
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
