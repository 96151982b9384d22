"""Kernels that derive decks from seeds as `millebornes.game.decks.deck_word` does, using SHA-256 (FIPS 180-4)."""

import itertools
from decimal import Context, Decimal, localcontext
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numpy import uint32, uint64

from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules.state import Record, Word


def _root_bits(root: int, count: int) -> npt.NDArray[np.uint32]:
    """Return the first 32 bits after the point of these roots of the first primes."""
    primes = itertools.islice((n for n in itertools.count(2) if all(n % divisor for divisor in range(2, n))), count)
    with localcontext(Context(prec=28)):  # whatever precision the program has set
        return np.array([int(Decimal(prime) ** (1 / Decimal(root)) % 1 * 2**32) for prime in primes], np.uint32)


ROUNDS: Final = _root_bits(3, 64)
START: Final = _root_bits(2, 8)
PREFIX: Final = np.frombuffer(b"millebornes deck ", np.uint8)
BLOCK: Final = 64
TEN: Final = np.uint64(10)
SPACE, ZERO_DIGIT, END = np.uint8(32), np.uint64(48), np.uint8(0x80)


@inner_kernel
def turned(x: Word, n: Word) -> Word:
    return uint32(x >> uint32(n)) | uint32(x << uint32(32 - n))


@inner_kernel
def write_decimal(number: Word, block: Any, at: Word) -> Word:
    """Write the decimal digits of a number to a block from position ``at``, and return the next free position."""
    digits = 1
    left = uint64(number) // TEN
    while left:
        digits += 1
        left //= TEN
    left = uint64(number)
    for i in range(digits):
        block[at + digits - 1 - i] = np.uint8(left % TEN + ZERO_DIGIT)
        left //= TEN
    return at + digits


HASHING: Final = np.dtype([("block", "u1", BLOCK), ("words", "u4", 64)], align=True)  # working memory


@kernel
def deck_word(seed: Word, hand: Word, room: Record) -> Word:
    """Return the 64 bits that shuffle a hand (from 1) in the match with this seed. ``room`` is a `HASHING` record."""
    block, w = room["block"], room["words"]
    for i in range(BLOCK):
        block[i] = np.uint8(0)
    at = len(PREFIX)
    for i in range(at):
        block[i] = PREFIX[i]
    at = write_decimal(uint64(hand), block, at)
    block[at] = SPACE
    at = write_decimal(uint64(seed), block, at + 1)
    block[at] = END
    block[62], block[63] = np.uint8(at * 8 >> 8), np.uint8(at * 8 & 255)
    for i in range(16):
        word = uint32(0)
        for j in range(4):
            word = uint32(word << uint32(8)) | uint32(block[4 * i + j])
        w[i] = word
    for i in range(16, 64):
        x, y = w[i - 15], w[i - 2]
        s0 = turned(x, 7) ^ turned(x, 18) ^ (x >> uint32(3))
        s1 = turned(y, 17) ^ turned(y, 19) ^ (y >> uint32(10))
        w[i] = uint32(w[i - 16] + s0 + w[i - 7] + s1)
    a, b, c, d = START[0], START[1], START[2], START[3]
    e, f, g, h = START[4], START[5], START[6], START[7]
    for i in range(64):
        s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
        t1 = uint32(h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i])
        s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
        t2 = uint32(s0 + ((a & b) ^ (a & c) ^ (b & c)))
        h, g, f, e = g, f, e, uint32(d + t1)
        d, c, b, a = c, b, a, uint32(t1 + t2)
    first = uint64(uint32(a + START[0]))
    second = uint64(uint32(b + START[1]))
    return swapped(first) | swapped(second) << uint64(32)


@inner_kernel
def swapped(word: Word) -> Word:
    """Return the lowest four bytes of a word in reverse order, because digests are read as little-endian numbers."""
    reversed_word = uint64(0)
    for i in range(4):
        reversed_word |= (word >> uint64(8 * i) & uint64(255)) << uint64(24 - 8 * i)
    return reversed_word
