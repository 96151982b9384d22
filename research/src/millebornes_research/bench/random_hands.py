"""Play whole hands at random inside kernels, to measure the speed of the rules."""

import numpy as np
from numpy import uint64

from millebornes.cards import HAZARDS
from millebornes.kernels.bits import count_bits, high_product, select_bit
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules.masks import further_hits, held_kinds, legal_word, turn_word
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import random_word, write_shuffled
from millebornes.rules.state import Record, Records, Word
from millebornes.rules.tables import play_code
from millebornes.rules.turns import apply_move, start_hand
from millebornes.rules.words import OVER, PLAY

TOTALS = np.dtype([("hands", "u8"), ("decisions", "u8"), ("score", "i8", 8), ("square", "f8", 8)])
"""Totals over all finished hands, with the scores of each side in points."""

ZERO, ONE, FOUR, FIFTEEN, SIXTEEN, HALF, SIXTY_FOUR = (np.uint64(n) for n in (0, 1, 4, 15, 16, 32, 64))
FIRST_HIT = np.uint64(min(play_code(card) for card in HAZARDS))
PACKED_TARGETS = np.uint64(5)


@inner_kernel
def random_code(state: Record, tables: Record, generator: Record) -> Word:
    """Return a random legal move code. All legal moves are equally likely."""
    if (state["phase"] != PLAY) | (tables["targets"] != ONE):
        return random_code_among(state, tables, generator)
    word = turn_word(state, tables)
    return select_bit(word, (random_word(generator) >> HALF) * count_bits(word) >> HALF)


@inner_kernel
def random_packed(state: Record, tables: Record, generator: Record) -> Word:
    """Return a random legal move code for an ordinary turn with up to `PACKED_TARGETS` sides to hit.

    The hits on all sides after the first share one word, with 16 bits for each side. This takes one branch instead of a
    loop over the words.
    """
    word = turn_word(state, tables)
    held = held_kinds(state["hand"][state["seat"]])
    further = ZERO
    for n in range(ONE, tables["targets"]):
        hits = further_hits(state, tables, state["own"], held, uint64(n))
        further |= hits >> FIRST_HIT << SIXTEEN * (uint64(n) - ONE)
    count = count_bits(word)
    pick = high_product(random_word(generator), count + count_bits(further))
    if pick < count:
        return select_bit(word, pick)
    place = select_bit(further, pick - count)
    return SIXTY_FOUR * (ONE + (place >> FOUR)) + FIRST_HIT + (place & FIFTEEN)


@kernel
def random_code_among(state: Record, tables: Record, generator: Record) -> Word:
    """Return a random legal move code for questions, and for tables with several sides to hit.

    This function is separate from `random_code` to keep the common case short.
    """
    if (state["phase"] == PLAY) & (tables["targets"] <= PACKED_TARGETS):
        return random_packed(state, tables, generator)
    count = ZERO
    for target in range(tables["targets"]):
        count += count_bits(legal_word(state, tables, target))
    pick = high_product(random_word(generator), count)
    n: Word = ZERO
    word = legal_word(state, tables, n)
    count = count_bits(word)
    while pick >= count:
        pick -= count
        n += ONE
        word = legal_word(state, tables, n)
        count = count_bits(word)
    return select_bit(word, pick) + SIXTY_FOUR * n


@kernel
def play_random_hands(hands: Word, states: Records, generators: Records, tables: Record, totals: Record) -> None:
    """Play random hands to the end until ``totals`` contains ``hands`` of them.

    Several hands run in turn, one in each lane, so that their latencies overlap.

    ``states`` and ``generators`` are arrays with a record for each lane. ``tables`` and ``totals`` are records.
    """
    lanes = len(states)
    codes = np.zeros(lanes, np.uint64)
    for i in range(lanes):
        write_shuffled(states[i], tables, generators[i])
        start_hand(states[i], tables, ZERO)
    decisions = ZERO
    while totals["hands"] < hands:
        for i in range(lanes):
            codes[i] = random_code(states[i], tables, generators[i])
        decisions += uint64(lanes)
        for i in range(lanes):
            state = states[i]
            if apply_move(state, tables, codes[i]) == OVER:
                for side in range(tables["sides"]):
                    score = side_score(state, tables, uint64(side))
                    totals["score"][side] += score
                    totals["square"][side] += float(score) * float(score)
                totals["hands"] += ONE
                write_shuffled(state, tables, generators[i])
                start_hand(state, tables, ZERO)
    totals["decisions"] += decisions
