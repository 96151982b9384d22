"""Kernels that generate random words and shuffle the deck of a state. This module defines no rules."""

import numpy as np

from millebornes.kernels.bits import high_product
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules.state import Record, Word
from millebornes.rules.words import FIVE, ONE

GENERATOR = np.dtype([("word", "u8")], align=True)
"""The state of the random number generator `random_word`."""
INCREMENT, MIX = np.uint64(0xA0761D6478BD642F), np.uint64(0xE7037ED1A0B428DB)


@inner_kernel
def random_word(generator: Record) -> Word:
    """Return the next 64 random bits from a record with a single field (wyrand).

    The bits are the same on every machine.
    """
    generator["word"] += INCREMENT
    x = generator["word"]
    return high_product(x, x ^ MIX) ^ (x * (x ^ MIX))


@kernel
def write_shuffled(state: Record, tables: Record, generator: Record) -> None:
    """Shuffle the deck into the state (Fisher-Yates; five bounded numbers from each random word, bias below 2^-25)."""
    deck = state["deck"]
    size = tables["size"]
    for i in range(size):
        deck[i] = tables["deck"][i]
    left = size
    while left > FIVE:
        word = random_word(generator)
        for _ in range(5):
            j = high_product(word, left)
            word = word * left
            left -= ONE
            deck[left], deck[j] = deck[j], deck[left]
    word = random_word(generator)
    while left > ONE:
        j = high_product(word, left)
        word = word * left
        left -= ONE
        deck[left], deck[j] = deck[j], deck[left]
