"""The features of a hand: the information that a seat can see and players use to decide, taken from a packed state.

Functions read it from `Features` in plain Python, and from `FEATURES` records when they are compiled as kernels.
"""

import functools
from typing import Final, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.editions import Rules
from millebornes.kernels.bits import lowest_bit
from millebornes.kernels.decorator import inner_kernel
from millebornes.kernels.memory import load_word, store_word
from millebornes.policies.opponent_features import COUNTS, OPPONENT_FEATURES
from millebornes.rules import clauses
from millebornes.rules.masks import legal_word
from millebornes.rules.moves import move_codes
from millebornes.rules.shuffling import GENERATOR
from millebornes.rules.state import KINDS, SEATS, TABLES, Record, Side, Word
from millebornes.rules.tables import status_of, tables_for
from millebornes.rules.words import count_cards


class SideFeatures(NamedTuple):
    """The tableau of a side."""

    distance: int  # the distance driven, in units of 25 miles
    two_hundreds: int  # the number of 200s that the side has played
    moving: int  # 1 if the side is moving (R3.3), else 0
    under: int  # the kind of the hazard that stops the side (R3.1), or -1
    limited: int  # 1 if the side is limited (R3.2), else 0
    safeties: int  # four bits, one for each safety that the side owns
    cards: int  # the number of cards in the hands of the side, not counting the viewer's hand


class Features(NamedTuple):
    """Everything that a seat knows about a hand, in the form for functions in plain Python.

    Kernels read the same data from `FEATURES` records. Kinds of cards are in the order of `millebornes.cards.Card`,
    distances are in units of 25 miles, and scores are in points.
    """

    hand: list[int]  # kind -> number of such cards in the viewer's hand
    unseen: list[int]  # kind -> number of such cards in other hands and the draw pile
    sides: list[SideFeatures]  # all sides clockwise, beginning with the viewer's side
    threats: list[int]  # n-th next side -> how soon it could complete the trip (`heuristic.threat`)
    goal: int  # the goal in force (R6.1)
    extended_goal: int  # the goal after an extension, or 0 if the trip can't be extended any more (R6.2)
    draw_pile: int  # the number of cards left in the draw pile
    seats_a_side: int  # the number of seats on each side
    side_count: int  # the number of sides at the table
    targets: int  # the number of opposing sides that may be hit (R4.9)
    anyone: int  # 1 if any seat may call a coup (R5.1), else 0
    gives_roll: int  # 1 if a safety that ends a hazard counts as a roll (R4.6), else 0
    wins: int  # 1 if finishing now wins the match, else 0
    own_total: int  # the points of the viewer's side before this hand
    other_total: int  # the most points of any other side before this hand
    match_target: int  # the target of the match, or 0 for a single hand


NUMBERS: Final = Features._fields[Features._fields.index("goal") :]
"""The features that consist of a single number."""

SIDE_FEATURES: Final = np.dtype([(name, "i8") for name in SideFeatures._fields])

FEATURES: Final = np.dtype(
    [
        ("hand", "i1", COUNTS),
        ("unseen", "i1", COUNTS),
        ("sides", SIDE_FEATURES, SEATS),
        ("threats", "i8", SEATS),
        *((name, "i8") for name in NUMBERS),
        # only for nets, in a match: the points that the viewer's side would need if the hand ended now …
        ("own_need", "i8"),
        ("other_need", "i8"),  # … and those of the other side that needs the fewest
        ("words", "i8", SEATS),  # the legal move codes from 64 n on, as bits
        ("codes", "i8", 64),  # the legal move codes in ascending order: at most 7 discards, and 7 cards on 7 sides
        ("count", "i8"),  # the number of legal moves
        ("top", "i8"),  # the kind of card on top of the discard pile, -1 for none (only for nets)
        ("worths", "i8", 64),  # the maxims' value of each legal move (only for nets that use it)
        ("opponents", OPPONENT_FEATURES, SEATS),  # n-th next side -> what its past reveals (only for nets)
        ("scores", "f4", 64),  # the value of each legal move in points, from a net or a player that values all moves
    ],
    align=True,
)
"""`Features` in the form that kernels read, with additional information for kernel players."""

LOOKUPS: Final = np.dtype(
    [
        ("count", "i1", COUNTS),  # number of cards of each kind in the deck
        ("moving", "i1", 512),  # status -> 1 if moving (R3.3), else 0
        ("under", "i1", 512),  # status -> kind of the hazard that stops the side (R3.1), or -1
        ("limited", "i1", 512),  # status -> 1 if limited (R3.2), else 0
        ("extended_goal", "i8"),  # the goal after an extension in units of 25 miles, 0 for none
        ("seats_a_side", "i8"),  # number of seats on each side
        ("targets", "i8"),  # number of opposing sides that may be hit (R4.9)
        ("anyone", "i8"),  # 1 if any seat may call a coup (R5.1), else 0
        ("gives_roll", "i8"),  # 1 if a safety that ends a hazard counts as a roll (R4.6), else 0
        ("draw", "i8"),  # 1 if a match can be drawn (R8.2), else 0
        ("rank", "u2", (SEATS, 64 * (SEATS - 1))),  # side, move code -> place of the move in alphabetical order
    ],
    align=True,
)
"""What the rules of a table mean for a player, in the form that kernels read."""

WORKSPACE: Final = np.dtype(
    [
        ("tables", TABLES),  # the tables of the rules
        ("lookups", LOOKUPS),
        ("chooser", "u8"),  # the address of the machine code that chooses moves (`millebornes.policies.dispatch`)
        ("generator", GENERATOR),  # the generator of random numbers for a decision
        ("features", FEATURES),  # everything that the deciding seat can see
    ],
    align=True,
)
"""All data besides the state and the deal that kernel players read and write, for one thread."""


@functools.lru_cache(maxsize=64)
def lookups_for(rules: Rules) -> Record:
    """Return the read-only `LOOKUPS` record for these rules."""
    array = np.zeros(1, LOOKUPS)
    lookups = array[0]
    for word in range(512):
        side = status_of(word)
        hazard = clauses.under(side)
        lookups["moving"][word] = clauses.is_moving(side)
        lookups["under"][word] = -1 if hazard is None else hazard.index
        lookups["limited"][word] = clauses.is_limited(side)
    lookups["count"][:KINDS] = tables_for(rules)["count"]
    lookups["extended_goal"] = (rules.extension_goal or 0) // 25
    lookups["seats_a_side"] = rules.seats // rules.sides
    lookups["targets"] = clauses.targets_in_reach(rules)
    lookups["anyone"] = clauses.may_others_answer(rules)
    lookups["gives_roll"] = rules.safety_gives_roll
    lookups["draw"] = clauses.may_be_drawn(rules.tie)
    for own in range(rules.sides):
        codes = move_codes(rules, own)
        for place, text in enumerate(sorted(codes)):
            lookups["rank"][own, codes[text]] = place
    array.flags.writeable = False
    record: Record = array[0]
    return record


U = np.uint64
ONE = U(1)
THREES_24, THREES_12, THREES_6, THREES_3 = U(0xFFFFFF), U(0xFFF00000FFF), U(0x3F003F003F003F), U(0x0707070707070707)
SHIFT_20, SHIFT_10, SHIFT_5 = U(20), U(10), U(5)
STATUS, SAFETY_BITS = U(Side.STATUS_MASK), U(15)
MILES, MILES_MASK, TWO_HUNDREDS, TWO = U(Side.MILES), U(Side.MILES_MASK), U(Side.TWO_HUNDREDS), U(3)


@inner_kernel
def spread(word: Word) -> Word:
    """Return eight kinds of a hand word with a byte for each kind instead of three bits."""
    word &= THREES_24
    word = (word | word << SHIFT_20) & THREES_12
    word = (word | word << SHIFT_10) & THREES_6
    return (word | word << SHIFT_5) & THREES_3


@inner_kernel
def write_features(state: Record, tables: Record, lookups: Record, deal: Record, f: Record) -> None:
    """Write the features for the seat to decide to ``f``. Of hidden hands, only the number of cards is read (R2.3)."""
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
        word = state["side"][side]
        status = word & STATUS
        cards = np.int64(0)
        other = side
        while other < tables["seats"]:
            if other != seat:
                cards += np.int64(count_cards(state["hand"][other]))
            other += sides
        seen = f["sides"][n]
        seen["distance"] = np.int64(word >> MILES & MILES_MASK)
        seen["two_hundreds"] = np.int64(word >> TWO_HUNDREDS & TWO)
        seen["moving"] = lookups["moving"][status]
        seen["under"] = lookups["under"][status]
        seen["limited"] = lookups["limited"][status]
        seen["safeties"] = np.int64(word & SAFETY_BITS)
        seen["cards"] = cards
    f["goal"] = np.int64(tables["goal"][state["extended"]])
    f["extended_goal"] = 0 if state["extended"] else lookups["extended_goal"]
    f["draw_pile"] = np.int64(tables["size"] - state["drawn"])
    f["seats_a_side"] = lookups["seats_a_side"]
    f["side_count"] = np.int64(sides)
    f["targets"] = lookups["targets"]
    f["anyone"] = lookups["anyone"]
    f["gives_roll"] = lookups["gives_roll"]


@inner_kernel
def write_words(state: Record, tables: Record, f: Record) -> None:
    """Write the legal moves of the seat to decide to the features, as bits."""
    for n in range(tables["targets"]):
        f["words"][n] = np.int64(legal_word(state, tables, uint64(n)))


@inner_kernel
def write_codes(state: Record, tables: Record, f: Record) -> None:
    """Write the legal move codes of the seat to decide to the features."""
    count = 0
    for n in range(tables["targets"]):
        word = legal_word(state, tables, uint64(n))
        while word:
            f["codes"][count] = np.int64(lowest_bit(word)) + 64 * np.int64(n)
            count += 1
            word &= word - ONE
    f["count"] = count
