"""Infer the hidden hands from what the seats have done, by sampling with a Markov chain (Metropolis-Hastings).

A seat's past turns show few of its cards but say a lot about its hand. A player who discards has nothing better to do,
and a player who is hit and doesn't call a coup fourré doesn't hold the safety. The chain walks over the possible
histories of the hidden hands. Each step changes one card, or the order of two. It is accepted or rejected at random,
depending on how likely the new history makes the moves that were played (`millebornes.search.styles`).
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

EVENTS: Final = 24
"""The number of latest events of each seat that count."""
SLOTS: Final = EVENTS * 7 + 8
"""The maximum number of cards a seat can have held in that time. There are at most seven draws between two events."""
PLACES: Final = 1024
"""The number of hands whose likelihoods are remembered for each event, a power of two."""
CACHE_BITS: Final = 17
"""The number of pairs of an event and a hand that are remembered between decisions, as a power of two."""

TURN, NO_COUP, CALLED = 0, 1, 2
EVENT: Final = np.dtype(
    [
        ("what", "i8"),  # TURN: a decision, NO_COUP: did not call a possible coup fourré, CALLED: called one
        ("code", "i8"),  # the move's code; for NO_COUP the kind of the safety that could have answered
        ("card", "i8"),  # the kind that left the hand, -1 for none
        ("cards", "i8"),  # cards in hand before the event
        ("number", "i8"),  # a unique number from 1
    ],
    align=True,
)
"""An action of a seat, or a coup fourré it didn't call. State and deal before it are kept separately, without hands."""

STEP: Final = np.dtype(
    [
        ("a", "i8"),  # the slot of a card that changes places …
        ("b", "i8"),  # … with this slot or, if it is -1, …
        ("j", "i8"),  # … with this card of the pool
        ("first", "i8"),  # the first event with a different hand, -1 if the step changes nothing …
        ("last", "i8"),  # … and the event after the last one with a different hand
        ("change", "u8"),  # the number to add to the hand word there
        ("likely", "f8", EVENTS),  # event -> log-likelihood of the move with the new hand
    ],
    align=True,
)
"""A step from one history of a seat's hand to another."""

TRAIL: Final = np.dtype(
    [
        ("seat", "i8"),
        ("cards", "i8"),  # in hand now
        ("count", "i8"),  # events
        ("kind", "i8", SLOTS),  # slot (a draw, in order) -> kind of the card
        ("came", "i8", SLOTS),  # slot -> the first event with the card in hand
        ("left", "i8", SLOTS),  # slot -> the event at which the card left the hand, IN_HAND if it is in hand now
        ("slots", "i8"),
        ("hands", "u8", EVENTS),  # event -> the hand before it
        ("likely", "f8", EVENTS),  # event -> log-likelihood of the move
        ("weighed", "u8", EVENTS * PLACES),  # event and hash place -> a hand whose likelihood is known
        ("found", "f8", EVENTS * PLACES),  # … and the log-likelihood of the move with it
        ("step", STEP),  # to another history
    ],
    align=True,
)
"""A possible history of a seat's hand, and the likelihoods found so far."""

U = np.uint64
ZERO, ONE, THREE, SEVEN = U(0), U(1), U(3), U(7)
IN_HAND: Final = 1 << 20
MISSED_COUP: Final = math.log(0.03)
"""The log-likelihood of not calling a coup fourré that could be called."""
MIX_CASE, PLACE_SHIFT = U(0x9E3779B97F4A7C15), U(64 - PLACES.bit_length() + 1)
MIX_EVENT, CACHE_SHIFT = U(0xD1B54A32D192ED03), U(64 - CACHE_BITS)
EXCHANGES, HELD = 4, 6
"""Of eight steps, four change a card in hand. Two of the others move a card in hand before or after another card."""
WORDS: Final = 2.0**64
"""The number of different random words."""


@inner_kernel
def below(generator: Record, bound: Word) -> Word:
    return np.int64(high_product(random_word(generator), U(bound)))


def new_cache() -> npt.NDArray[np.void]:
    """Return an empty cache for a `Chain`, with room for `CACHED` probabilities of events."""
    return np.zeros(1 << CACHE_BITS, CACHED)


@inner_kernel
def place_in(cache: Records, event: Record, hand: Word) -> np.int64:
    """Return the place of an event and a hand in the cache. If it holds another entry, that entry is cleared."""
    place = np.int64((hand * MIX_CASE ^ U(event["number"]) * MIX_EVENT) >> CACHE_SHIFT)
    cached = cache[place]
    if cached["event"] != event["number"] or cached["hand"] != hand:
        cached["event"], cached["hand"], cached["asked"] = event["number"], hand, ZERO
        for style in range(MAX_STYLES):
            cached["chances"][style] = 0.0
    return place


@kernel
def likelihood(chain: "Chain", n: int, e: int, hand: Word, model: Model, work: Record) -> float:
    """Return the log-likelihood of event e of the n-th seat, with that one of its equal cards, if it held this hand."""
    event, state = chain.events[n, e], chain.states[n, e]
    if event["what"] == NO_COUP:
        return MISSED_COUP if hand >> (THREE * U(event["code"])) & SEVEN else 0.0
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
    """Return the hand word of a trail at an event."""
    hand = ZERO
    for slot in range(trail["slots"]):
        if trail["came"][slot] <= event <= trail["left"][slot]:
            hand += ONE << (THREE * U(trail["kind"][slot]))
    return hand


@inner_kernel
def start_trail(events: Records, trail: Record, generator: Record) -> None:
    """Start with a possible history of the cards known to have left the hand. The cards in hand now are not chosen yet.

    Their slots are those whose ``left`` is `IN_HAND`.
    """
    count = trail["count"]
    slots = np.int64(0)
    held = np.int64(0)  # slots in hand
    for e in range(count + 1):
        size = trail["cards"] if e == count else events[e]["cards"]
        while held < size and slots < SLOTS:
            trail["came"][slots] = e
            trail["left"][slots] = IN_HAND
            slots += 1
            held += 1
        if e < count and events[e]["card"] >= 0:
            pick = below(generator, held)
            for slot in range(slots):
                if trail["left"][slot] == IN_HAND:
                    if pick == 0:
                        trail["left"][slot] = e
                        trail["kind"][slot] = events[e]["card"]
                    pick -= 1
            held -= 1
    trail["slots"] = slots


@kernel
def weigh_step(chain: "Chain", n: int, least: float, model: Model, work: Record) -> bool:
    """Return whether the step of the n-th trail raises the log-likelihood of the changed events by at least ``least``.

    If so, the step holds their new log-likelihoods.
    """
    trail = chain.trails[n]
    step = trail["step"]
    first, last, change = step["first"], step["last"], step["change"]
    most = 0.0  # the most that the likelihood can still rise: no event is more than certain
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
    """Return the slot of a random card in hand. There must be at least one."""
    slots = trail["slots"]
    slot = below(generator, slots)
    while trail["left"][slot] != IN_HAND:
        slot = below(generator, slots)
    return slot


@inner_kernel
def propose(trail: Record, pool: Integers, used: Word, generator: Record) -> None:
    """Prepare a step to another history for `exchange`, with the events that it changes.

    The step replaces a card in hand with one that no seat holds (from ``pool``, starting at ``used``), or exchanges two
    cards of the history. If ``first`` is -1, the step changes nothing. The reverse step has the same probability.
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
    """Take the trail's step: exchange slot a with card j of the pool or, if there is none, with slot b."""
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
    """The data of a Markov chain: ``events[n]`` of a seat, and ``states[n]`` and ``deals[n]`` before them.

    ``trails[n]`` is all zeros except for the seat, its number of cards and its number of events. ``pool`` holds the
    kinds of all unseen cards, and is shuffled. The ``cache`` (`new_cache`) is for one set of policies, and valid for
    the hand.
    """

    events: Records
    states: Records
    deals: Records
    trails: Records
    pool: Integers
    cache: Records


@kernel
def sample_hands(
    work: Record, chain: Chain, model: Model, burn: Word, every: Word, out: Words, histories: Words
) -> Word:
    """Walk a `Chain` and write hands along the way: ``out[sample, n]`` is the hand word of its n-th seat.

    ``histories[sample, n, event]`` is the hand that this seat held at that event, for some samples spread over the
    walk. The first ``burn`` steps are not sampled, then every ``every``-th step is. Returns the number of accepted
    steps.
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
            if trail["left"][slot] == IN_HAND:
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
            place = taken * len(histories) // len(out)
            for n in range(number):
                out[taken, n] = hand_at(trails[n], IN_HAND)
                for e in range(trails[n]["count"]):
                    histories[place, n, e] = trails[n]["hands"][e]
            taken += 1
    return moved


@kernel
def weigh_styles(work: Record, chain: Chain, model: Model, fresh: Integers, histories: Words, out: Floats) -> None:
    """Compare how well each style and the whole model predict the latest ``fresh[n]`` events of the n-th seat.

    ``out[n, style]`` takes the log of the likelihood ratio, averaged over the ``histories`` (`sample_hands`).
    If the chain has already weighed these events, the ratio is that of the likelihoods before they were seen.
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
            for sample in range(len(histories)):
                states[n, e]["hand"][trail["seat"]] = histories[sample, n, e]
                cached = cache[place_in(cache, events[n, e], histories[sample, n, e])]
                likely = weigh_move(events[n, e]["code"], states[n, e], deals[n, e], model, 0.0, cached, work)
                floor = MIN_PROBABILITY / cached["count"]
                for style in range(out.shape[1]):
                    sums[style] += ((1.0 - MIN_PROBABILITY) * cached["chances"][style] + floor) / likely
            for style in range(out.shape[1]):
                out[n, style] += math.log(sums[style] / len(histories))
