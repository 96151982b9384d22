"""Human weaknesses of the levels: they forget, misjudge and overlook things, and play on impulse (also as kernels).

All numbers are integers. ``h`` is a `Handicap`, and ``f`` contains what the seat knows
(`millebornes.policies.features`). Random numbers are derived from ``luck``, an integer of 62 random bits. The same
functions run in plain Python and, compiled, in kernels (`millebornes.policies.compiled`).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.policies.codes import ACCIDENT, EXTEND, FINISH, PASS, ROLL, ROLL_200, SAFETY, SPEED_LIMIT, units
from millebornes.policies.features import Features
from millebornes.policies.heuristic import CALL, WORST, arrives, greatest_threat, threat
from millebornes.policies.maxim_values import move_value
from millebornes.policies.maxim_weights import Advice


class Handicap(NamedTuple):
    """The weaknesses of a level. A level without weaknesses has 100 for ``memory`` and 0 for all other numbers."""

    memory: int = 100  # chance to remember a card that has just been played, in hundredths
    fading: int = 0  # how much this chance decreases with every ten cards played since then
    noise: int = 0  # standard error of the level's judgement of a move, in points
    impulse: int = 0  # chance to play the move that seems good at first sight, in hundredths
    blindness: int = 0  # chance to overlook a card, or the point of a question, in hundredths


NO_HANDICAP: Final = Handicap()
"""The handicap of a player who forgets nothing, misjudges nothing, and thinks before every move."""

PART: Final = (1 << 15) - 1
MIDDLE: Final = 2 * PART
OVERLOOKED: Final = 4 * WORST
"""Overlooked cards are ranked below all others by this amount."""

DEVIATION: Final = 18919
"""The mean and the standard deviation of the sum of four numbers of 15 bits."""

MASK: Final = (1 << 31) - 1


# ---------------------------------------------------------------- memory


def forget(count: Sequence[int], salt: int, f: Features, h: Handicap) -> None:
    """Mark the played cards that the player has forgotten as unseen.

    ``count`` contains the number of cards of each kind. The older a card is, the more likely it is forgotten, and it is
    never remembered again. ``salt`` stays the same during the hand and determines which cards are forgotten. Safeties
    and face-up cards are never forgotten.
    """
    if h.memory >= 100 and h.fading == 0:
        return
    gone = 0
    for kind in range(SAFETY):
        gone += count[kind] - f.hand[kind] - f.unseen[kind]
    for kind in range(SAFETY):
        seen = count[kind] - f.hand[kind] - f.unseen[kind]
        known = 0
        for n in range(seen):
            age = gone * (2 * (seen - n) - 1) // (2 * seen)
            known += hundredths(salt + 40503 * kind + 9973 * n) < h.memory - h.fading * age // 10
        f.unseen[kind] += seen - max(known, visible_copies(kind, f))


def visible_copies(kind: int, f: Features) -> int:
    """Return the number of cards of a kind that are certainly face up: 200s, and the hazards that stop a side."""
    value = 0
    for n in range(f.side_count):
        side = f.sides[n]
        if kind == 4:
            value += side.two_hundreds
        elif kind == SPEED_LIMIT:
            value += side.limited > 0
        else:
            value += side.under == kind
    return int(value)


# ---------------------------------------------------------------- random numbers


def mixed(x: int) -> int:
    """Return 31 bits that appear unrelated to the 31 bits of ``x``."""
    x &= MASK
    for _ in range(3):
        x = (x ^ x >> 15) * 1103515245 + 12345 & MASK
    return x ^ x >> 16


def hundredths(x: int) -> int:
    """Return a number from 0 to 99 that is computed from ``x``."""
    return mixed(x) * 100 >> 31


def misjudgement(luck: int, code: int, h: Handicap) -> int:
    """Return the error in the judgement of a move, in points. Its distribution is approximately normal."""
    one = mixed(luck + 7919 * code)
    other = mixed((luck >> 31) + 104729 * code)
    total = (one >> 1 & PART) + (one >> 16) + (other >> 1 & PART) + (other >> 16)
    return int((total - MIDDLE) * h.noise // DEVIATION)


# ---------------------------------------------------------------- decisions


def decide(
    codes: Sequence[int], count: Sequence[int], salt: int, luck: int, f: Features, w: Advice, h: Handicap
) -> int:
    """Return a level's choice among ``codes`` (two or more, ascending). ``luck`` differs for every decision."""
    if is_missed(codes, luck, h):
        return int(codes[-1])
    forget(count, salt, f, h)
    for n in range(1, f.side_count):
        f.threats[n] = threat(n, f)
    danger, finishing = greatest_threat(f), arrives(codes, f)
    impulsive = is_impulsive(luck, h)
    best = codes[0]
    highest = 2 * OVERLOOKED
    for code in codes:
        if impulsive:
            value = first_impression(code, f)
        else:
            value = move_value(code, danger, finishing, f, w) + misjudgement(luck, code, h)
        if is_overlooked(code, luck, h):
            value += OVERLOOKED
        if value > highest:
            best = code
            highest = value
    return int(best)


def is_missed(codes: Sequence[int], luck: int, h: Handicap) -> bool:
    """Return whether the player overlooks the chance to call a coup fourré or an extension."""
    return bool(codes[-1] in (PASS, FINISH) and hundredths(luck >> 7) < h.blindness)


def is_impulsive(luck: int, h: Handicap) -> bool:
    return bool(hundredths(luck >> 17) < h.impulse)


def is_overlooked(code: int, luck: int, h: Handicap) -> bool:
    place = code % 64
    return bool(place < PASS and place % 3 < 2 and hundredths((luck >> 23) + 15485863 * (place // 3)) < h.blindness)


def first_impression(code: int, f: Features) -> int:
    """Return how good a move looks at first sight: distance, then remedies, safeties and hazards, without planning."""
    place = code % 64
    kind = place // 3
    way = place % 3
    if code in (PASS, EXTEND):
        return 0
    if code == FINISH:
        return 1
    if place == ROLL_200:
        return 1
    if way == 2:
        return CALL
    if way == 0:
        return discard_impression(kind, f)
    if kind < ACCIDENT:
        return int(600 + 10 * units(kind) + 200 * (f.sides[0].distance + units(kind) == f.goal))
    if kind <= SPEED_LIMIT:
        n = code // 64
        stands = f.sides[n + 1].moving == 0
        return int(500 - kind - n - 300 * ((kind == SPEED_LIMIT) & stands))
    if kind >= SAFETY:
        return 550
    return 900 if kind != ROLL or f.sides[0].moving == 0 else WORST // 2


def discard_impression(kind: int, f: Features) -> int:
    """Return how likely a card is discarded at first sight: useless cards, then small distances, and safeties last."""
    if kind < ACCIDENT:
        return -110 - 10 * units(kind)
    if kind >= SAFETY:
        return -400
    if kind <= SPEED_LIMIT:
        return int(-120 + 15 * f.hand[kind])
    return int(-130 + 30 * f.hand[kind] - 150 * (kind == ROLL))
