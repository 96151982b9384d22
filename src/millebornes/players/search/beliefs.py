"""What others may hold, by what they have done: hands sampled by a Markov chain (Metropolis-Hastings).

A seat's past turns show little of its hand but say much: who discards has nothing better to do, who is hit and does not
call a coup has no safety. A chain walks over all ways in which the others may have come by their cards, from any such
way to another that differs in one card or in the order of two, and goes there by chance as the moves made seem more or
less likely on that way. A move is the likelier the less worse it seems to the `maxims` than their best one; no play,
however odd, makes a hand impossible.
"""

import math
from typing import Any, Final

import numpy as np

from millebornes.players.features import load_word, store_word
from millebornes.players.native import choose_code, greatest_threat, worth_by_maxims
from millebornes.players.tells import COUNTS
from millebornes.players.thumb import ACCIDENT, GOAL, MILES, units
from millebornes.rules.bits import high_product
from millebornes.rules.jit import inner_kernel, kernel
from millebornes.rules.kernels import random_word
from millebornes.rules.state import Record, Word

__all__ = ["CALLED", "EVENT", "EVENTS", "NO_COUP", "TRAIL", "TURN", "sample_hands"]

EVENTS: Final = 24
"""As many events of each seat are looked at, the latest ones."""
SLOTS: Final = EVENTS * 7 + 8
"""Cards that a seat may have held in that time: there are at most seven draws between two events."""

TURN, NO_COUP, CALLED = 0, 1, 2
EVENT: Final = np.dtype(
    [
        ("what", "i8"),  # TURN: a decision, NO_COUP: could have called a coup fourré and did not, CALLED: did
        ("code", "i8"),  # the move's code; for NO_COUP the kind of the safety that would have answered
        ("card", "i8"),  # the kind that left the hand, -1 for none
        ("cards", "i8"),  # cards in hand before
        ("public", "i1", COUNTS),  # cards by kind that everybody had seen before
    ],
    align=True,
)
"""Something that a seat did, or did not do; the state before it stands beside it, with nobody's cards in it."""

TRAIL: Final = np.dtype(
    [
        ("kind", "i8", SLOTS),  # slot (a draw, in order) -> the card
        ("came", "i8", SLOTS),  # slot -> the first event at which it was in hand
        ("left", "i8", SLOTS),  # slot -> the event at which it left the hand, STILL for a card in hand now
        ("slots", "i8"),
        ("likely", "f8", EVENTS),  # event -> logarithm of how likely the move was
    ],
    align=True,
)
"""One way in which a seat may have come by its cards."""

U = np.uint64
ZERO, ONE, THREE, SEVEN = U(0), U(1), U(3), U(7)
STILL: Final = 1 << 20
DISTANCE_KINDS: Final = ACCIDENT
EXACT: Final = 0.8
CLOSE: Final = 1.0
LOOSE: Final = 0.19
ABOUT: Final = 10.0
DOUBT: Final = 0.01
"""Who plays like the maxims takes a move that seems worse by x points with exp(-x / 1) the chance of the best one, who
thinks otherwise with exp(-x / 10), and anything may be played for other reasons: these are the shares of the three."""
OVERLOOKED: Final = math.log(0.03)
"""Logarithm of how likely a coup fourré that could be called is not."""
WORDS: Final = 2.0**64
"""How many random words there are."""
distance: Final = inner_kernel(units)


@inner_kernel
def below(generator: Record, bound: Word) -> Word:
    """A random whole number below ``bound``."""
    return np.int64(high_product(random_word(generator), U(bound)))


@kernel
def worth_of(code: Word, f: Record, advice: Record) -> Word:
    """What the maxims make of a move; ``f`` is as `choose_code` has left it."""
    finishing = False
    for kind in range(DISTANCE_KINDS):
        if f["words"][0] >> (3 * kind + 1) & 1:
            finishing |= f["sides"][MILES] + distance(kind) == f["facts"][GOAL]
    return worth_by_maxims(code, greatest_threat(f), finishing, f, advice)


@kernel
def likelihood(
    event: Record,
    state: Record,
    hand: Word,
    seat: Word,
    tables: Record,
    looks: Record,
    deal: Record,
    target: Word,
    model: Record,
    generator: Record,
    f: Record,
) -> Any:
    """Logarithm of how likely the seat did what it did, had it held this hand."""
    if event["what"] == NO_COUP:
        return OVERLOOKED if hand >> (THREE * U(event["code"])) & SEVEN else 0.0
    if event["what"] == CALLED:
        return 0.0
    state["hand"][seat] = hand
    for i in range(3):
        store_word(deal["public"], i, load_word(event["public"], i))
    best = choose_code(state, tables, looks, deal, target, model, ZERO, generator, f)
    if best == event["code"]:
        return 0.0
    gap = max(0, worth_of(best, f, model["advice"]) - worth_of(event["code"], f, model["advice"]))
    return math.log(EXACT * math.exp(-gap / CLOSE) + LOOSE * math.exp(-gap / ABOUT) + DOUBT)


@inner_kernel
def hand_at(trail: Record, event: Word) -> Word:
    """The hand word of a trail at an event."""
    hand = ZERO
    for slot in range(trail["slots"]):
        if trail["came"][slot] <= event <= trail["left"][slot]:
            hand += ONE << (THREE * U(trail["kind"][slot]))
    return hand


@inner_kernel
def start_trail(events: Any, count: Word, cards: Word, trail: Record, generator: Record) -> None:
    """Some way in which what is known to have left the hand may have come to it; what is in hand now is left open.

    ``cards`` are in hand now; their slots are those whose ``left`` is `STILL`.
    """
    slots = np.int64(0)
    held = np.int64(0)  # slots in hand
    for e in range(count + 1):
        size = cards if e == count else events[e]["cards"]
        while held < size and slots < SLOTS:
            trail["came"][slots] = e
            trail["left"][slots] = STILL
            slots += 1
            held += 1
        if e < count and events[e]["card"] >= 0:
            pick = below(generator, held)
            for slot in range(slots):
                if trail["left"][slot] == STILL:
                    if pick == 0:
                        trail["left"][slot] = e
                        trail["kind"][slot] = events[e]["card"]
                    pick -= 1
            held -= 1
    trail["slots"] = slots


@inner_kernel
def weigh_trail(
    events: Any,
    states: Any,
    first: Word,
    last: Word,
    trail: Record,
    likely: Any,
    seat: Word,
    tables: Record,
    looks: Record,
    deal: Record,
    target: Word,
    model: Record,
    generator: Record,
    f: Record,
) -> Any:
    """Write down how likely events ``first`` to ``last`` - 1 are; returns how much likelier that makes it all."""
    gain = 0.0
    for e in range(first, last):
        found = likelihood(
            events[e], states[e], hand_at(trail, e), seat, tables, looks, deal, target, model, generator, f
        )
        likely[e] = found
        gain += found - trail["likely"][e]
    return gain


@inner_kernel
def propose(trail: Record, pool: Any, used: Word, size: Word, count: Word, generator: Record) -> Any:
    """A step to another way, for `exchange`, and the events from where on and up to where it makes a difference.

    It puts a card that is in nobody's hand (of ``pool`` from ``used`` on) in place of one in hand, or lets two cards
    have come in the other order. Where the first event is -1 it leads nowhere.
    """
    a = b = j = first = last = np.int64(-1)
    slots = trail["slots"]
    if slots == 0:
        return a, b, j, first, last
    a = below(generator, slots)
    if trail["left"][a] == STILL and used < size and below(generator, 2) == 0:
        j = used + below(generator, size - used)
        if pool[j] != trail["kind"][a]:
            first, last = trail["came"][a], count
        return a, b, j, first, last
    b = below(generator, slots)
    if trail["came"][a] > trail["came"][b]:
        a, b = b, a
    early, late = trail["came"][a], trail["came"][b]
    if early < late <= trail["left"][a] and trail["kind"][a] != trail["kind"][b]:
        first, last = early, min(late, count)
    return a, b, j, first, last


@inner_kernel
def exchange(trail: Record, pool: Any, a: Word, b: Word, j: Word) -> None:
    """Take a step, or take it back: exchange slot ``a`` with card ``j`` of the pool, or else with slot ``b``."""
    if j >= 0:
        trail["kind"][a], pool[j] = pool[j], trail["kind"][a]
    else:
        trail["kind"][a], trail["kind"][b] = trail["kind"][b], trail["kind"][a]
        trail["left"][a], trail["left"][b] = trail["left"][b], trail["left"][a]


@kernel
def sample_hands(
    events: Any,
    counts: Any,
    states: Any,
    others: Any,
    cards: Any,
    pool: Any,
    size: Word,
    trails: Any,
    tables: Record,
    looks: Record,
    deal: Record,
    target: Word,
    model: Record,
    generator: Record,
    f: Record,
    burn: Word,
    every: Word,
    out: Any,
) -> Word:
    """Walk the chain and write down hands on its way: ``out[sample, n]`` is the hand word of seat ``others[n]``.

    ``events[n]`` are those of that seat, ``counts[n]`` of them, ``states[n]`` the states before them; ``cards[n]`` it
    holds now. ``pool`` are all ``size`` unseen cards as kinds, which are shuffled. ``deal["totals"]`` are to be those
    before the hand, ``target`` is that of the match (0: none). The first ``burn`` steps are not looked at, then each
    ``every``-th is. Returns how many steps were taken to another way.
    """
    likely = np.zeros(EVENTS, np.float64)
    number = len(others)
    for i in range(size - 1, 0, -1):
        j = below(generator, i + 1)
        pool[i], pool[j] = pool[j], pool[i]
    used = np.int64(0)
    for n in range(number):
        start_trail(events[n], counts[n], cards[n], trails[n], generator)
        for slot in range(trails[n]["slots"]):
            if trails[n]["left"][slot] == STILL:
                trails[n]["kind"][slot] = pool[used]
                used += 1
        weigh_trail(
            events[n], states[n], 0, counts[n], trails[n], likely, others[n], tables, looks, deal, target, model,
            generator, f,
        )  # fmt: skip
        for e in range(counts[n]):
            trails[n]["likely"][e] = likely[e]
    moved = np.int64(0)
    taken = np.int64(0)
    step = np.int64(0)
    while taken < len(out):
        n = below(generator, number)
        trail = trails[n]
        a, b, j, first, last = propose(trail, pool, used, size, counts[n], generator)
        if first >= 0:
            exchange(trail, pool, a, b, j)
            gain = weigh_trail(
                events[n], states[n], first, last, trail, likely, others[n], tables, looks, deal, target, model,
                generator, f,
            )  # fmt: skip
            if gain >= 0.0 or math.exp(gain) * WORDS > random_word(generator):
                for e in range(first, last):
                    trail["likely"][e] = likely[e]
                moved += 1
            else:
                exchange(trail, pool, a, b, j)
        step += 1
        if step > burn and (step - burn) % every == 0:
            for n in range(number):
                out[taken, n] = hand_at(trails[n], STILL)
            taken += 1
    return moved
