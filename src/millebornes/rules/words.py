"""Constants for packed words (`millebornes.rules.state`) in the form that kernels use: unsigned 64-bit integers."""

import numpy as np

from millebornes.cards import SAFETIES, Card
from millebornes.kernels.bits import count_bits
from millebornes.kernels.decorator import kernel
from millebornes.rules.clauses import answer_to
from millebornes.rules.state import BATTLE_TOPS, KINDS, NOBODY, Phase, Side, Word
from millebornes.rules.tables import BATTLE_GOES, EXTEND, FINISH, GIVES_ROLL, LIMIT_GOES, PASS, discard_code

U = np.uint64
ZERO, ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN = (U(n) for n in range(8))

# move codes
CODE_MASK, WORD_SHIFT = U(63), U(6)
PASS_BIT, CHOICE_BITS = U(1 << PASS), U(1 << EXTEND | 1 << FINISH)
PASS_CODE, EXTEND_CODE = U(PASS), U(EXTEND)

# hand words
HELD = U(sum(1 << 3 * kind for kind in range(KINDS)))
"""A mask with the lowest bit of each kind."""
SAFETY_CARDS = U(sum(1 << discard_code(card) for card in SAFETIES))
ROLL_CARD, END_OF_LIMIT_CARD, CARD_200, OPENING_CARD = (
    U(1 << discard_code(card)) for card in (Card.ROLL, Card.END_OF_LIMIT, Card.D200, answer_to(None))
)
PLACE_200 = U(discard_code(Card.D200))

# side words
STATUS = U(Side.STATUS_MASK)
NOT_STATUS = ~STATUS
MILES, MILES_MASK, DISTANCE_INDEX = U(Side.MILES), U(Side.MILES_MASK), U(Side.DISTANCE_INDEX_MASK)
COUPS, BATTLE, BATTLE_MASK = U(Side.COUPS), U(Side.BATTLE), U(15)
NOT_200_ROLL = ~U(1 << Side.ROLL_IS_200)
HIT_BATTLE, HIT_LIMIT, HIT_ROLL = U(BATTLE_GOES), U(LIMIT_GOES), U(GIVES_ROLL)
TOP_KIND = np.array([NOBODY if top is None else top.index for top in BATTLE_TOPS], np.uint8)
"""The kind of the card on top of the battle pile, indexed by its code."""

# fields of one byte
SPEED_LIMIT_KIND = np.uint8(Card.SPEED_LIMIT.index)
NO = np.uint8(NOBODY)
PLAY, COUP, OPENING, CHOICE, OVER = (np.uint8(phase) for phase in Phase)


@kernel
def count_cards(hand: Word) -> Word:
    """Return the number of cards that a hand word contains."""
    return count_bits(hand & HELD) + TWO * count_bits(hand >> ONE & HELD) + FOUR * count_bits(hand >> TWO & HELD)
