"""What others may hold, by what they have done: hands sampled by a Markov chain (Metropolis-Hastings).

A seat's past turns show little of its hand but say much: who discards has nothing better to do, who is hit and does not
call a coup has no safety. A chain walks over all ways in which the others may have come by their cards, from any such
way to another that differs in one card or in the order of two, and goes there by chance as the moves made seem more or
less likely on that way (`millebornes.search.styles`).
"""

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.kernels.bits import high_product
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules.shuffling import random_word
from millebornes.rules.state import Floats, Integers, Record, Records, Word, Words
from millebornes.search.styles import CACHED, MAX_STYLES, MIN_POLICY_SHARE, MIN_PROBABILITY, Model, weigh_move

__all__ = [
    "CALLED",
    "EVENT",
    "EVENTS",
    "NO_COUP",
    "TRAIL",
    "TURN",
    "Chain",
    "new_cache",
    "sample_hands",
    "weigh_styles",
]

EVENTS: Final = 24
"""As many events of each seat count, the latest ones."""
SLOTS: Final = EVENTS * 7 + 8
"""Cards that a seat may have held in that time: there are at most seven draws between two events."""
PLACES: Final = 1024
"""Hands, a power of two, whose likelihoods are remembered for each event."""
CACHE_BITS: Final = 17
"""Events with some hand before them, as a power of two, that are remembered from decision to decision."""

TURN, NO_COUP, CALLED = 0, 1, 2
EVENT: Final = np.dtype(
    [
        ("what", "i8"),  # TURN: a decision, NO_COUP: could have called a coup fourré and did not, CALLED: did
        ("code", "i8"),  # the move's code; for NO_COUP the kind of the safety that would have answered
        ("card", "i8"),  # the kind that left the hand, -1 for none
        ("cards", "i8"),  # cards in hand before
        ("number", "i8"),  # that no other event has, from 1 on
    ],
    align=True,
)
"""Something that a seat did, or did not do; state and deal before it stand beside it, with nobody's cards in them."""

STEP: Final = np.dtype(
    [
        ("a", "i8"),  # the slot of a card …
        ("b", "i8"),  # … that is exchanged with this slot, or where that is -1 …
        ("j", "i8"),  # … with this card of the pool
        ("first", "i8"),  # the events from this one on, -1 where the step leads nowhere …
        ("last", "i8"),  # … and before this one see another hand
        ("change", "u8"),  # what is added to the hand word there
        ("likely", "f8", EVENTS),  # event -> logarithm of how likely the move would be
    ],
    align=True,
)
"""A step from one way in which a seat may have come by its cards to another."""

TRAIL: Final = np.dtype(
    [
        ("seat", "i8"),
        ("cards", "i8"),  # in hand now
        ("count", "i8"),  # events
        ("kind", "i8", SLOTS),  # slot (a draw, in order) -> the card
        ("came", "i8", SLOTS),  # slot -> the first event at which it was in hand
        ("left", "i8", SLOTS),  # slot -> the event at which it left the hand, STILL for a card in hand now
        ("slots", "i8"),
        ("hands", "u8", EVENTS),  # event -> the hand before it
        ("likely", "f8", EVENTS),  # event -> logarithm of how likely the move was
        ("weighed", "u8", EVENTS * PLACES),  # event and place by hash -> a hand that has been weighed there
        ("found", "f8", EVENTS * PLACES),  # … and how likely the move was with it
        ("step", STEP),  # to another way
    ],
    align=True,
)
"""One way in which a seat may have come by its cards, and what has been found out on the way there."""

U = np.uint64
ZERO, ONE, THREE, SEVEN = U(0), U(1), U(3), U(7)
STILL: Final = 1 << 20
OVERLOOKED: Final = math.log(0.03)
"""Logarithm of how likely a coup fourré that could be called is not."""
MIX_CASE, PLACE_SHIFT = U(0x9E3779B97F4A7C15), U(64 - PLACES.bit_length() + 1)
MIX_EVENT, CACHE_SHIFT = U(0xD1B54A32D192ED03), U(64 - CACHE_BITS)
EXCHANGES, HELD = 4, 6
"""Of eight steps four change a card in hand; of the others two let one in hand have come before or after another."""
WORDS: Final = 2.0**64
"""How many random words there are."""


@inner_kernel
def below(generator: Record, bound: Word) -> Word:
    """A random whole number below ``bound``."""
    return np.int64(high_product(random_word(generator), U(bound)))


def new_cache() -> npt.NDArray[np.void]:
    """Room for what policies think of events, for a `Chain`: `CACHED` records, in which nothing is known yet."""
    return np.zeros(1 << CACHE_BITS, CACHED)


@inner_kernel
def place_in(cache: Records, event: Record, hand: Word) -> np.int64:
    """The place of an event with some hand before it; if something else was there, it is forgotten."""
    place = np.int64((hand * MIX_CASE ^ U(event["number"]) * MIX_EVENT) >> CACHE_SHIFT)
    cached = cache[place]
    if cached["event"] != event["number"] or cached["hand"] != hand:
        cached["event"], cached["hand"], cached["asked"] = event["number"], hand, ZERO
        for style in range(MAX_STYLES):
            cached["chances"][style] = 0.0
    return place


@kernel
def likelihood(chain: "Chain", n: int, e: int, hand: Word, model: Model, work: Record) -> float:
    """Logarithm of how likely the n-th seat did what it did at event e, with just this card, had it held this hand.

    A way says which of several equal cards left the hand; as any of them may have, each has its part of the move.
    """
    event, state = chain.events[n, e], chain.states[n, e]
    if event["what"] == NO_COUP:
        return OVERLOOKED if hand >> (THREE * U(event["code"])) & SEVEN else 0.0
    copies = 1.0
    if event["card"] >= 0:
        copies = np.float64(np.int64(hand >> (THREE * U(event["card"])) & SEVEN))
    if event["what"] == CALLED:
        return -math.log(copies)
    state["hand"][chain.trails[n]["seat"]] = hand
    cached = chain.cache[place_in(chain.cache, event, hand)]
    return math.log(weigh_move(event["code"], state, chain.deals[n, e], model, MIN_POLICY_SHARE, cached, work) / copies)


@inner_kernel
def hand_at(trail: Record, event: Word) -> Word:
    """The hand word of a trail at an event."""
    hand = ZERO
    for slot in range(trail["slots"]):
        if trail["came"][slot] <= event <= trail["left"][slot]:
            hand += ONE << (THREE * U(trail["kind"][slot]))
    return hand


@inner_kernel
def start_trail(events: Records, trail: Record, generator: Record) -> None:
    """Some way in which what is known to have left the hand may have come to it; what is in hand now is left open.

    The slots of the cards in hand now are those whose ``left`` is `STILL`.
    """
    count = trail["count"]
    slots = np.int64(0)
    held = np.int64(0)  # slots in hand
    for e in range(count + 1):
        size = trail["cards"] if e == count else events[e]["cards"]
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


@kernel
def weigh_step(chain: "Chain", n: int, least: float, model: Model, work: Record) -> bool:
    """Whether the events that a step of the n-th trail changes become likelier by ``least`` at least.

    That is a difference of logarithms. Where it is so, the step holds the new ones.
    """
    trail = chain.trails[n]
    step = trail["step"]
    first, last, change = step["first"], step["last"], step["change"]
    most = 0.0  # how much likelier it can become at best: nothing is likelier than sure
    for e in range(first, last):
        most -= trail["likely"][e]
    for e in range(first, last):
        if most < least:
            return False
        hand = trail["hands"][e] + change
        place = PLACES * e + np.int64(hand * MIX_CASE >> PLACE_SHIFT)
        if trail["weighed"][place] != hand:
            trail["weighed"][place] = hand
            trail["found"][place] = likelihood(chain, n, e, hand, model, work)
        step["likely"][e] = trail["found"][place]
        most += step["likely"][e]
    return bool(most >= least)


@inner_kernel
def held_slot(trail: Record, generator: Record) -> Word:
    """The slot of one of the cards in hand now, each as likely; there has to be one."""
    slots = trail["slots"]
    slot = below(generator, slots)
    while trail["left"][slot] != STILL:
        slot = below(generator, slots)
    return slot


@inner_kernel
def propose(trail: Record, pool: Integers, used: Word, generator: Record) -> None:
    """Write down a step to another way, for `exchange`, and the events from where on and up to where it matters.

    It puts a card that is in nobody's hand (of ``pool`` from ``used`` on) in place of one of the cards in hand, or
    lets two cards have come in the other order. Where the first event is -1 it leads nowhere. The way back is as
    likely to be proposed.
    """
    step, kinds, size = trail["step"], trail["kind"], len(pool)
    step["a"] = step["b"] = step["j"] = step["first"] = step["last"] = -1
    slots, cards = trail["slots"], trail["cards"]
    if slots == 0:
        return
    chance = below(generator, 8)
    if cards > 0 and used < size and chance < EXCHANGES:
        a = held_slot(trail, generator)
        j = used + below(generator, size - used)
        step["a"], step["j"] = a, j
        if pool[j] != kinds[a]:
            step["first"], step["last"] = trail["came"][a], trail["count"]
            step["change"] = (ONE << THREE * U(pool[j])) - (ONE << THREE * U(kinds[a]))
        return
    a = held_slot(trail, generator) if cards > 0 and chance < HELD else below(generator, slots)
    b = below(generator, slots)
    if trail["came"][a] > trail["came"][b]:
        a, b = b, a
    step["a"], step["b"] = a, b
    early, late = trail["came"][a], trail["came"][b]
    if early < late <= trail["left"][a] and kinds[a] != kinds[b]:
        step["first"], step["last"] = early, min(late, trail["count"])
        step["change"] = (ONE << THREE * U(kinds[b])) - (ONE << THREE * U(kinds[a]))


@inner_kernel
def exchange(trail: Record, pool: Integers) -> None:
    """Take the trail's step: exchange slot a with card j of the pool, or else with slot b."""
    step = trail["step"]
    a, b, j = step["a"], step["b"], step["j"]
    if j >= 0:
        trail["kind"][a], pool[j] = pool[j], trail["kind"][a]
    else:
        trail["kind"][a], trail["kind"][b] = trail["kind"][b], trail["kind"][a]
        trail["left"][a], trail["left"][b] = trail["left"][b], trail["left"][a]
    for e in range(step["first"], step["last"]):
        trail["hands"][e] += step["change"]
        trail["likely"][e] = step["likely"][e]


class Chain(NamedTuple):
    """What a chain walks over.

    ``events[n]`` are those of a seat, ``states[n]`` and ``deals[n]`` what was before them; ``trails[n]`` are zeros but
    for the seat, the cards that it holds and the number of its events. ``pool`` are all unseen cards as kinds, which
    are shuffled. The ``cache`` (`new_cache`) is for one set of policies; what it holds of an event stays true, as the
    totals of a match do not change within a hand.
    """

    events: Records
    states: Records
    deals: Records
    trails: Records
    pool: Integers
    cache: Records


@kernel
def sample_hands(work: Record, chain: Chain, model: Model, burn: Word, every: Word, out: Words, ways: Words) -> Word:
    """Walk a `Chain` and write down hands on its way: ``out[sample, n]`` is the hand word of its n-th seat.

    ``ways[way, n, event]`` is the hand that it held at that event, for some samples spread over the walk. The first
    ``burn`` steps are not counted, then each ``every``-th is. Returns how many steps were taken to another way.
    """
    generator = work["generator"]
    events, _, _, trails, pool, _ = chain
    number = len(trails)
    for i in range(len(pool) - 1, 0, -1):
        j = below(generator, i + 1)
        pool[i], pool[j] = pool[j], pool[i]
    used = np.int64(0)
    for n in range(number):
        trail = trails[n]
        start_trail(events[n], trail, generator)
        for slot in range(trail["slots"]):
            if trail["left"][slot] == STILL:
                trail["kind"][slot] = pool[used]
                used += 1
        for e in range(trail["count"]):
            hand = trail["hands"][e] = hand_at(trail, e)
            trail["likely"][e] = likelihood(chain, n, e, hand, model, work)
    moved = np.int64(0)
    taken = np.int64(0)
    step = np.int64(0)
    while taken < len(out):
        walking: int = below(generator, number)
        trail = trails[walking]
        propose(trail, pool, used, generator)
        if trail["step"]["first"] >= 0:
            least = math.log((np.float64(random_word(generator)) + 1.0) / WORDS)
            if weigh_step(chain, walking, least, model, work):
                exchange(trail, pool)
                moved += 1
        step += 1
        if step > burn and (step - burn) % every == 0:
            way = taken * len(ways) // len(out)
            for n in range(number):
                out[taken, n] = hand_at(trails[n], STILL)
                for e in range(trails[n]["count"]):
                    ways[way, n, e] = trails[n]["hands"][e]
            taken += 1
    return moved


@kernel
def weigh_styles(work: Record, chain: Chain, model: Model, fresh: Integers, ways: Words, out: Floats) -> None:
    """How much likelier each style makes the latest ``fresh[n]`` events of the n-th seat than the model does.

    ``out[n, style]`` takes the logarithm of it, all hands on the ``ways`` of a chain being as likely (`sample_hands`):
    a chain that has weighed those events itself makes this the ratio of how likely they were before they were seen.
    """
    events, states, deals, trails, _, cache = chain
    for n in range(len(trails)):
        trail = trails[n]
        for style in range(out.shape[1]):
            out[n, style] = 0.0
        for e in range(max(0, trail["count"] - fresh[n]), trail["count"]):
            if events[n, e]["what"] != TURN:
                continue
            sums = np.zeros(out.shape[1])
            for sample in range(len(ways)):
                states[n, e]["hand"][trail["seat"]] = ways[sample, n, e]
                cached = cache[place_in(cache, events[n, e], ways[sample, n, e])]
                likely = weigh_move(events[n, e]["code"], states[n, e], deals[n, e], model, 0.0, cached, work)
                floor = MIN_PROBABILITY / cached["count"]
                for style in range(out.shape[1]):
                    sums[style] += ((1.0 - MIN_PROBABILITY) * cached["chances"][style] + floor) / likely
            for style in range(out.shape[1]):
                out[n, style] += math.log(sums[style] / len(ways))
