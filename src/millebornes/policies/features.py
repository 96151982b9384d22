"""What kernel players decide by: the visible facts of a hand as whole numbers, written straight from a packed state.

The numbers are those of `millebornes.policies.heuristic`; the same rules read them from plain sequences and from
records.
"""

import functools
from typing import Final, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.editions import Rules
from millebornes.kernels.bits import lowest_bit
from millebornes.kernels.decorator import inner_kernel
from millebornes.kernels.memory import load_word, store_word
from millebornes.policies.tells import COUNTS, TELL
from millebornes.rules import clauses
from millebornes.rules.masks import legal_word
from millebornes.rules.moves import move_codes
from millebornes.rules.playout import GENERATOR
from millebornes.rules.state import KINDS, SEATS, TABLES, Record, Side, Word
from millebornes.rules.tables import status_of, tables_for
from millebornes.rules.words import count_cards

__all__ = [
    "FEATURES",
    "LOOKUPS",
    "WORKSPACE",
    "Features",
    "lookups_for",
    "spread",
    "write_codes",
    "write_features",
    "write_words",
]

FIELDS: Final = 7
FACTS: Final = 14

FEATURES: Final = np.dtype(
    [
        ("hand", "i1", COUNTS),  # one's own cards by kind
        ("unseen", "i1", COUNTS),  # cards by kind in other hands or the draw pile
        ("sides", "i8", FIELDS * SEATS),  # what lies before each side, one's own first (`heuristic`)
        # nine of `heuristic`; one's own total before the hand, the best other one, match target (0: none); only for
        # nets, in a match: the points that one's own side and the nearest other one would need if the hand ended now
        ("facts", "i8", FACTS),
        ("threats", "i8", SEATS),  # n-th next side -> how soon it may arrive (`heuristic.threat`)
        ("words", "i8", SEATS),  # legal move codes from 64 n on, as bits
        ("codes", "i8", 64),  # legal move codes, ascending: at most 7 discards and 7 cards on 7 sides
        ("count", "i8"),  # how many
        ("top", "i8"),  # kind on top of the discards, -1 for none (only for nets)
        ("worths", "i8", 64),  # what the maxims make of each of the codes (only for nets that ask for it)
        ("tells", TELL, SEATS),  # n-th next side -> what its past tells (only for nets)
        ("scores", "f4", 64),  # what a net, or who weighs all moves, makes of each of the codes: points
    ],
    align=True,
)
"""What a kernel player knows."""

LOOKUPS: Final = np.dtype(
    [
        ("count", "i1", COUNTS),  # cards of each kind in the deck
        ("moving", "i1", 512),  # status -> 0 or 1 (R3.3)
        ("under", "i1", 512),  # status -> kind of the hazard it is under (R3.1), -1 for none
        ("limited", "i1", 512),  # status -> 0 or 1 (R3.2)
        ("extended", "i8"),  # the extension goal in units of 25, 0 for none
        ("turns", "i8"),  # seats a side
        ("targets", "i8"),  # opposing sides that may be hit (R4.9)
        ("anyone", "i8"),  # 1 where any seat may call a coup (R5.1)
        ("gives_roll", "i8"),  # 1 where a safety that ends a hazard counts as a roll (R4.6)
        ("draw", "i8"),  # 1 where a match can be drawn (R8.2)
        ("rank", "u2", (SEATS, 64 * (SEATS - 1))),  # side, move code -> place of the move's text among all texts
    ],
    align=True,
)
"""What a table's rules mean for a player."""

WORKSPACE: Final = np.dtype(
    [
        ("tables", TABLES),  # of the rules
        ("lookups", LOOKUPS),
        ("chooser", "u8"),  # where the machine code lies that decides (`millebornes.policies.chooser`)
        ("generator", GENERATOR),  # the chance of a decision
        ("features", FEATURES),  # what the seat that decides can see
    ],
    align=True,
)
"""What a kernel player reads and writes beside the state and the deal, for one thread."""


class Features(NamedTuple):
    """`hand`, `unseen`, `sides`, `facts` and `threats` of `FEATURES` for rules that run uncompiled."""

    hand: list[int]
    unseen: list[int]
    sides: list[int]
    facts: list[int]
    threats: list[int]


@functools.lru_cache(maxsize=64)
def lookups_for(rules: Rules) -> Record:
    """One `LOOKUPS` record of these rules, read only."""
    array = np.zeros(1, LOOKUPS)
    lookups = array[0]
    for word in range(512):
        side = status_of(word)
        hazard = clauses.under(side)
        lookups["moving"][word] = clauses.is_moving(side)
        lookups["under"][word] = -1 if hazard is None else hazard.index
        lookups["limited"][word] = clauses.is_limited(side)
    lookups["count"][:KINDS] = tables_for(rules)["count"]
    lookups["extended"] = (rules.extension_goal or 0) // 25
    lookups["turns"] = rules.seats // rules.sides
    lookups["targets"] = clauses.targets_in_reach(rules)
    lookups["anyone"] = clauses.may_others_answer(rules)
    lookups["gives_roll"] = rules.safety_gives_roll
    lookups["draw"] = clauses.may_be_drawn(rules.tie)
    for own in range(rules.sides):
        codes = move_codes(rules, own)
        for place, text in enumerate(sorted(codes)):
            lookups["rank"][own, codes[text]] = place
    array.flags.writeable = False
    return array[0]


U = np.uint64
ONE = U(1)
THREES_24, THREES_12, THREES_6, THREES_3 = U(0xFFFFFF), U(0xFFF00000FFF), U(0x3F003F003F003F), U(0x0707070707070707)
SHIFT_20, SHIFT_10, SHIFT_5 = U(20), U(10), U(5)
STATUS, SAFETY_BITS = U(Side.STATUS_MASK), U(15)
MILES, MILES_MASK, TWO_HUNDREDS, TWO = U(Side.MILES), U(Side.MILES_MASK), U(Side.TWO_HUNDREDS), U(3)


@inner_kernel
def spread(word: Word) -> Word:
    """Eight kinds of a hand word, from three bits each to a byte each."""
    word &= THREES_24
    word = (word | word << SHIFT_20) & THREES_12
    word = (word | word << SHIFT_10) & THREES_6
    return (word | word << SHIFT_5) & THREES_3


@inner_kernel
def write_features(state: Record, tables: Record, lookups: Record, deal: Record, f: Record) -> None:
    """Fill ``f`` for the seat that decides. ``deal["public"]`` counts by kind the cards that everybody saw.

    Of hidden parts of the state nothing is read but how many cards each hand holds (R2.3).
    """
    seat = state["seat"]
    own = state["own"]
    word = state["hand"][seat]
    for i in range(3):
        held = spread(word >> uint64(24 * i))
        store_word(f["hand"], i, held)
        store_word(f["unseen"], i, load_word(lookups["count"], i) - load_word(deal["public"], i) - held)
    sides = tables["sides"]
    for n in range(sides):
        side = tables["opponent"][own, n]
        at = FIELDS * n
        word = state["side"][side]
        status = word & STATUS
        f["sides"][at] = np.int64(word >> MILES & MILES_MASK)
        f["sides"][at + 1] = np.int64(word >> TWO_HUNDREDS & TWO)
        f["sides"][at + 2] = lookups["moving"][status]
        f["sides"][at + 3] = lookups["under"][status]
        f["sides"][at + 4] = lookups["limited"][status]
        f["sides"][at + 5] = np.int64(word & SAFETY_BITS)
        cards = np.int64(0)
        other = side
        while other < tables["seats"]:
            if other != seat:
                cards += np.int64(count_cards(state["hand"][other]))
            other += sides
        f["sides"][at + 6] = cards
    facts = f["facts"]
    facts[0] = np.int64(tables["goal"][state["extended"]])
    facts[1] = 0 if state["extended"] else lookups["extended"]
    facts[2] = np.int64(tables["size"] - state["drawn"])
    facts[3] = lookups["turns"]
    facts[4] = np.int64(sides)
    facts[5] = lookups["targets"]
    facts[6] = lookups["anyone"]
    facts[7] = lookups["gives_roll"]


@inner_kernel
def write_words(state: Record, tables: Record, f: Record) -> None:
    """Fill in the legal moves of the seat that decides, as bits."""
    for n in range(tables["targets"]):
        f["words"][n] = np.int64(legal_word(state, tables, uint64(n)))


@inner_kernel
def write_codes(state: Record, tables: Record, f: Record) -> None:
    """Fill in the legal move codes of the seat that decides."""
    count = 0
    for n in range(tables["targets"]):
        word = legal_word(state, tables, uint64(n))
        while word:
            f["codes"][count] = np.int64(lowest_bit(word)) + 64 * np.int64(n)
            count += 1
            word &= word - ONE
    f["count"] = count
