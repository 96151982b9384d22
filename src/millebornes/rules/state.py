"""Define the packed state of a hand and the tables of an edition, as NumPy records that kernels receive as pointers.

A *hand word* has three bits for each kind of card, which contain the number of such cards that a seat holds (at most
seven).

A *move code* is a bit position in a 64-bit mask of legal moves: 3c discards the card c, 3c + 1 plays it, and 3c + 2
plays it in its other way (a 200 as a roll, or a safety as a coup fourré). `PASS`, `EXTEND` and `FINISH` answer
questions. The target of a hazard is the next side clockwise after the mover's. Each side after that adds 64 to the
code.

A *side word* contains everything in the tableau of a side (see the fields of `Side`). Its lowest nine bits are the
*status* on which the clauses R3 and R4 depend.
"""

import enum
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from millebornes.cards import MAJOR_HAZARDS, REMEDY_OF, Card
from millebornes.rules.clauses import SCORE_SHEET

Record: TypeAlias = np.void
"""A NumPy record (``np.void``), such as a state, tables or a view, that kernels receive as a pointer."""

Records: TypeAlias = npt.NDArray[np.void]
"""An array of records that Python passes to a kernel. Inside, the kernel passes single records to other kernels."""

Words: TypeAlias = npt.NDArray[np.uint64]
"""An array of unsigned 64-bit integers, such as hand words."""

Integers: TypeAlias = npt.NDArray[np.int64]
"""An array of signed integers, such as codes, totals and positions."""

Floats: TypeAlias = npt.NDArray[np.float64]
"""An array of floats, such as chances and average points."""

Word: TypeAlias = Any
"""A 64-bit integer inside kernels, unsigned unless the kernel says otherwise.

NumPy and Numba use different types for it.
"""


class Phase(enum.IntEnum):
    """The kind of decision.

    It is an ordinary turn, a coup fourré (R5.1), the opening call (R5.6), the extension (R6.2), or none because the
    hand is over.
    """

    PLAY = 0
    COUP = 1
    OPENING = 2
    EXTEND = 3
    OVER = 4


NOBODY: Final = 255
"""The value that means no seat, no card or no side in fields of one byte."""

COMPACT_DECK: Final = 111
"""The number of cards that fit in `STATE`, which is enough for every known edition."""
LARGE_DECK: Final = 192

SEATS: Final = 8
KINDS: Final = len(Card)

_REMEDIES: Final = dict.fromkeys(REMEDY_OF[hazard] for hazard in MAJOR_HAZARDS)  # one remedy may end several hazards
_TOPS: Final = (None, Card.ROLL, *MAJOR_HAZARDS, *_REMEDIES, Card.STOP)
BATTLE_TOPS: Final = _TOPS + (None,) * (16 - len(_TOPS))
"""The card on top of the battle pile, indexed by its code in a side word. A 200 played as a roll counts as a roll."""


class Side:
    """The fields of a side word: the position of the first bit, and the mask at that position."""

    SAFETIES: Final = 0  # 4 bits, in the order of cards.SAFETIES
    LIMIT: Final = 4  # 1 bit: a speed limit is on top of the speed pile
    BATTLE: Final = 5  # 4 bits: index into BATTLE_TOPS
    MILES: Final = 9  # 7 bits: distance in units of 25
    TWO_HUNDREDS: Final = 16  # 2 bits: 200s among the distance cards
    COUPS: Final = 18  # 4 bits: safeties called as a coup fourré
    END_OF_LIMIT: Final = 22  # 1 bit: an end of limit is in the speed pile (shown when no speed limit covers it)
    ROLL_IS_200: Final = 23  # 1 bit: the roll on the battle pile is a 200 (R4.7)
    DISTANCES: Final = (24, 31, 37, 42, 16)  # counts of 25, 50, 75, 100 (7, 6, 5, 5 bits) and the 200s above
    DISTANCE_BITS: Final = (7, 6, 5, 5, 2)

    STATUS_MASK: Final = (1 << 9) - 1
    DISTANCE_INDEX_MASK: Final = (1 << 9) - 1  # miles and 200s together, after a shift by MILES
    MILES_MASK: Final = (1 << 7) - 1


BEFORE_DECK: Final = 8 * (2 * SEATS + 6) + 7
"""Bytes of a state before its deck."""


def _state(deck: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("hand", "u8", SEATS),  # hand words, with 3 bits for each kind; 0 for seats that the table doesn't have
            ("side", "u8", SEATS),  # side words; 0 for sides that the table doesn't have
            ("saved", "u8"),  # in phase COUP: the word of the side that was hit, from before the hazard
            ("seat", "u8"),  # the seat to decide (in phase OVER: the seat that moved last)
            ("own", "u8"),  # the side of that seat, and …
            ("rival", "u8"),  # … the next side after it, kept here so that moves need no lookup
            ("drawn", "u8"),  # number of cards of the deck that have been dealt or drawn
            ("discarded", "u8"),  # cards in the discard pile, which grows into the space of the drawn cards
            ("phase", "u1"),  # the `Phase`
            ("first", "u1"),  # nominal first seat (R2.7)
            ("extended", "u1"),  # 0 or 1: the extension has been called (R6.2)
            ("completed", "u1"),  # side that completed the trip, NOBODY until then
            ("attacker", "u1"),  # in phase COUP: the seat that played the hazard, else NOBODY
            ("target", "u1"),  # in phase COUP: the side that was hit, else NOBODY
            ("hazard", "u1"),  # in phase COUP: the kind of the hazard, else NOBODY
            # The kinds of cards: the discards in order, from 0 to discarded; the draw pile in order, from drawn on; 0
            # elsewhere. This field fills up the record, because states are compared as bytes, and a copy could change
            # unused bytes.
            ("deck", "u1", deck + 1 + -(BEFORE_DECK + deck + 1) % 8),
        ],
        align=True,
    )


STATE: Final = _state(COMPACT_DECK)
STATE_LARGE: Final = _state(LARGE_DECK)

EFFECT: Final = np.dtype(
    [
        ("hand", "u8"),  # subtracted from the mover's hand word
        ("own_keep", "u8"),  # own side word = word & own_keep + own_add
        ("own_add", "u8"),
        ("hit_keep", "u8"),  # the same for the side word of the target of a hazard
        ("hit_add", "u8"),
        ("parry", "u8"),  # hazards: the answering safety in a hand word; otherwise 0
        ("card", "u1"),  # the kind of card
        ("discard", "u1"),  # discards: the kind of card; otherwise 0
        ("discards", "u1"),  # discards: 1; otherwise 0
        ("passes", "u1"),  # 1 if the turn passes; 0 for safeties, which give another turn (R4.6)
        ("special", "u1"),  # 1 if this record isn't enough: answers, and safeties that may clear something away
        ("safety", "u1"),  # safeties: 0-3; otherwise NOBODY
        ("pad", "u8"),  # fills the record up to 64 bytes
    ],
    align=True,
)

TABLES: Final = np.dtype(
    [
        ("own", "u8", 512),  # status -> the plays on the side itself that it allows, as move codes
        ("hit", "u8", 512),  # status -> the hazards on that side that it allows
        ("miles", "u8", (2, 512)),  # extended, miles and 200s -> plays that the goal and the limit of 200s allow
        ("effect", EFFECT, 64),
        # coup, safety, status -> new status | 512 battle top goes | 1024 limit goes | 2048 counts as a roll
        ("after_safety", "u2", (2, 4, 512)),
        ("remedy", "u8", 512),  # R6.4: status -> remedy needed to move, in a hand word, or 0
        ("needs_roll", "u1", 512),  # R6.4: status -> 1 if the side needs a roll too
        ("slow", "u1", 512),  # R6.4: status -> 1 if the side is limited
        ("discardable", "u8"),  # the kinds that may be discarded, as lowest bits in a hand word
        ("goal", "u8", 2),  # the goal in units of 25, before and after an extension
        ("size", "u8"),  # number of cards in the deck
        ("seats", "u8"),
        ("sides", "u8"),
        ("targets", "u8"),  # number of opposing sides that may be hit, from the next one on (R4.9)
        ("hand_size", "u8"),
        ("tests_end", "u8"),  # R6.3: 1 if the test for an empty draw pile depends on more than the cards in hands
        ("single", "u8"),  # 1 if only one seat may call a coup, which is the seat of the side that was hit
        ("victims", "u8"),  # R5.1: the seats that may call a coup, starting with this times the side that was hit …
        ("holder_step", "u8"),  # … in steps of this (0 and 1 if coup_by = anyone)
        ("side_of", "u8", SEATS),  # seat -> its side (R2.2)
        ("rival_of", "u8", SEATS),  # seat -> the next side after its own
        ("opponent", "u8", (SEATS, SEATS)),  # side, n -> the n-th side after it
        ("extendable", "u1", 2),  # extended -> 1 if the trip may be extended (R6.2)
        ("two_hundred_rolls", "u1"),  # roll_200
        ("opening", "u1"),  # opening_right_of_way
        ("hand_end", "u1"),  # 0 for cards, 1 for plays, 2 for points
        ("points", "i8", len(SCORE_SHEET)),  # points of each line of the score sheet for each thing that it counts (R7)
        ("slow_cards", "u8"),  # R4.1: the distance cards that may be played under a speed limit, in a hand word …
        ("fast_cards", "u8"),  # … and those that may not, except 200s
        ("count", "u1", KINDS),  # number of cards of each kind in the deck
        ("deck", "u1", LARGE_DECK),  # the sorted deck
    ],
    align=True,
)
