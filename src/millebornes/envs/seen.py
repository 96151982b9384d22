"""Everything that a player sees during a hand, as a record.

Kernels fill it from the state, and observations use nothing else.

Sides and seats are counted from your own. Of hidden cards, the record contains only the number (R2.3).
"""

import functools
from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.cards import HAZARDS, SAFETIES
from millebornes.editions import Rules
from millebornes.envs.fields import BATTLE, EACH_SIDE, STATUS_NUMBERS, layout_for
from millebornes.kernels.bits import count_bits
from millebornes.kernels.decorator import inner_kernel
from millebornes.kernels.memory import load_word, put_float, put_word, store_at, store_word
from millebornes.policies.features import spread
from millebornes.policies.opponent_features import COUNTS
from millebornes.rules import clauses
from millebornes.rules.state import KINDS, NOBODY, SEATS, Phase, Record, Side, Word
from millebornes.rules.tables import status_of

SEEN: Final = np.dtype(
    [
        ("hand", "u8"),  # the word that encodes your hand
        ("public", "i1", COUNTS),  # how many cards of each kind everyone has seen
        ("side", "u8", SEATS),  # a word for each side, yours first
        ("sizes", "u1", SEATS),  # number of cards in each hand, by steps after your seat; yours is left empty
        ("seat", "u1"),  # the seat whose view this is
        ("deciding", "u1"),  # 1 if the decision is yours
        ("phase", "u1"),  # Phase, as far as you may know it (R5.5)
        ("hazard", "u1"),  # the hazard that you can answer, or NOBODY; it was played ...
        ("on", "u1"),  # ... on this side
        ("by", "u1"),  # ... by this seat
        ("first", "u1"),  # nominal first seat (R2.7)
        ("extended", "u1"),
        ("top", "u1"),  # latest discard, or NOBODY
        ("draw_pile", "u1"),  # number of cards left to draw
    ],
    align=True,
)

BYTES: Final = 384
STATUS_WORDS: Final = (STATUS_NUMBERS + 7) // 8

FORM: Final = np.dtype(
    [
        ("scale", "f4", BYTES),  # a factor for each integer
        ("expand", "u8", 256),  # expands eight bits to eight bytes
        ("status", "u8", (512, STATUS_WORDS)),  # expands the status to the first numbers of a side, eight in each word
        ("count", "i1", COUNTS),  # number of cards of each kind in the deck
        ("goal", "i8", 2),  # in units of 25 miles, before and after an extension
        ("sides", "i8"),
        ("seats", "i8"),
        ("sides_at", "i8"),  # index of the first number in each group (`millebornes.envs.fields.Layout`)
        ("phase_at", "i8"),
        ("pending_at", "i8"),
        ("seats_at", "i8"),
        ("table_at", "i8"),
        ("totals_at", "i8"),
        ("history_at", "i8"),
        ("history", "i8"),  # number of public events in an observation
        ("bytes", "u1", BYTES),  # working memory for the integers
    ],
    align=True,
)
"""The layout that kernels use to write the observations at a table."""

U = np.uint64
ZERO, ONE, EIGHT, LOW_BYTE, FOUR_BITS = U(0), U(1), U(8), U(255), U(15)
STATUS, MILES, MILES_MASK = U(Side.STATUS_MASK), U(Side.MILES), U(Side.MILES_MASK)
TWO_HUNDREDS, TWO_BITS, COUPS = U(Side.TWO_HUNDREDS), U(3), U(Side.COUPS)
END_OF_LIMIT, ROLL_IS_200 = U(Side.END_OF_LIMIT), U(Side.ROLL_IS_200)
NO = np.uint8(NOBODY)
PLAY, COUP, OPENING, OVER = (np.uint8(phase) for phase in (Phase.PLAY, Phase.COUP, Phase.OPENING, Phase.OVER))
HELD, TWO, FOUR = U(sum(1 << 3 * kind for kind in range(KINDS))), U(2), U(4)
HELD_TWO, HELD_FOUR = HELD << ONE, HELD << TWO
FIRST_HAZARD: Final = HAZARDS[0].index
AFTER_COUPS: Final = STATUS_NUMBERS + len(SAFETIES)
HAZARD_COUNT: Final = len(HAZARDS)


@functools.lru_cache(maxsize=64)
def form_for(rules: Rules, history: int = 0) -> Any:
    """Return the layout of a table's observations as an array with one `FORM` record.

    Make a copy for each thread, because kernels use part of the record as working memory.
    """
    layout = layout_for(rules, history)
    array = np.zeros(1, FORM)
    form = array[0]
    end = layout.starts["totals"]
    form["scale"][:end] = layout.scale[:end]
    for byte in range(256):
        form["expand"][byte] = sum(1 << 8 * i for i in range(8) if byte >> i & 1)
    for word in range(512):
        numbers = bytes(_status_numbers(word)).ljust(8 * STATUS_WORDS, b"\0")
        form["status"][word] = np.frombuffer(numbers, np.uint64)
    form["count"][:KINDS] = rules.deck
    form["goal"] = [clauses.goal_in_force(rules, extended) // 25 for extended in (False, True)]
    form["sides"], form["seats"], form["history"] = rules.sides, rules.seats, history
    for name in ("sides", "phase", "pending", "seats", "table", "totals", "history"):
        form[f"{name}_at"] = layout.starts[name]
    return array


def _status_numbers(word: int) -> list[int]:
    side = status_of(word)
    return [
        clauses.is_moving(side),
        clauses.is_limited(side),
        side.limit_shown,
        clauses.under(side) is not None,
        *(word >> Side.SAFETIES + i & 1 for i in range(4)),
        *(side.battle is not None and side.battle.value == top for top in BATTLE),
    ]


@inner_kernel
def cards_in(hand: Word) -> Word:
    """Do the same as `millebornes.rules.words.count_cards`, but compiled into the callers."""
    return count_bits(hand & HELD) + TWO * count_bits(hand & HELD_TWO) + FOUR * count_bits(hand & HELD_FOUR)


@inner_kernel
def steps_after(place: Word, own: Word, count: Word) -> Word:
    """Return how many steps a place comes after ``own`` on a circle of ``count`` places, without a slow division."""
    ahead = place + count - own
    return ahead - count if ahead >= count else ahead


@inner_kernel
def write_seen(state: Record, tables: Record, public: Any, seat: Word, seen: Record) -> None:
    """R2.3, R5.5: fill a `SEEN` record with what ``seat`` may know. `millebornes.policies.deal` explains ``public``."""
    phase = state["phase"]
    asked = (phase == COUP) | (phase == OPENING)
    deciding = (state["seat"] == seat) & (phase != OVER)
    seen["hand"] = state["hand"][seat]
    for i in range(3):
        store_word(seen["public"], i, uint64(load_word(public, i)))
    own = tables["side_of"][seat]
    for n in range(tables["sides"]):
        seen["side"][n] = state["side"][tables["opponent"][own, n]]
    seats = tables["seats"]
    place: Word = uint64(seat)
    for n in range(1, seats):
        place += ONE
        if place == seats:
            place = ZERO
        seen["sizes"][n] = np.uint8(cards_in(state["hand"][place]))
    seen["seat"] = np.uint8(seat)
    seen["deciding"] = np.uint8(deciding)
    seen["phase"] = PLAY if asked and not deciding else phase
    seen["hazard"] = NO
    if phase == COUP and deciding:
        seen["hazard"] = state["hazard"]
        seen["on"] = np.uint8(steps_after(uint64(state["target"]), own, uint64(tables["sides"])))
        seen["by"] = np.uint8(steps_after(uint64(state["attacker"]), seat, seats))
    seen["first"] = np.uint8(steps_after(uint64(state["first"]), seat, seats))
    seen["extended"] = state["extended"]
    discarded = state["discarded"]
    seen["top"] = state["deck"][discarded - ONE] if discarded else NO
    seen["draw_pile"] = np.uint8(tables["size"] - state["drawn"])


@inner_kernel
def write_numbers(seen: Record, form: Record, out: Word) -> None:
    """Write the numbers of an observation from a `SEEN` record, up to the match totals. ``out`` is an address."""
    room, expand = form["bytes"], form["expand"]
    for i in range(3):
        held = spread(seen["hand"] >> uint64(24 * i))
        store_at(room, 8 * i, held)
    for i in range(3):
        held = spread(seen["hand"] >> uint64(24 * i))
        left = uint64(load_word(form["count"], i)) - uint64(load_word(seen["public"], i)) - held
        store_at(room, KINDS + 8 * i, left)
    at = form["sides_at"]
    goal = form["goal"][seen["extended"]]
    for n in range(form["sides"]):
        word = seen["side"][n]
        status = word & STATUS
        miles = np.int64(word >> MILES & MILES_MASK)
        for i in range(STATUS_WORDS):
            store_at(room, at + 8 * i, form["status"][status, i])
        store_at(room, at + STATUS_NUMBERS, expand[word >> COUPS & FOUR_BITS])
        room[at + AFTER_COUPS] = np.uint8(word >> END_OF_LIMIT & ONE)
        room[at + AFTER_COUPS + 1] = np.uint8(word >> ROLL_IS_200 & ONE)
        room[at + AFTER_COUPS + 2] = np.uint8(miles)
        room[at + AFTER_COUPS + 3] = np.uint8(goal - miles)
        room[at + AFTER_COUPS + 4] = np.uint8(word >> TWO_HUNDREDS & TWO_BITS)
        at += EACH_SIDE
    end = form["totals_at"]
    while at < end:
        store_at(room, at, ZERO)
        at += 8
    at = form["phase_at"]
    room[at] = seen["deciding"]
    room[at + 1 + np.int64(seen["phase"])] = np.uint8(1)
    if seen["hazard"] != NO:
        at = form["pending_at"]
        room[at + np.int64(seen["hazard"]) - FIRST_HAZARD] = np.uint8(1)
        at += HAZARD_COUNT
        room[at + np.int64(seen["on"])] = np.uint8(1)
        room[at + form["sides"] + np.int64(seen["by"])] = np.uint8(1)
    at = form["seats_at"]
    room[at] = np.uint8(cards_in(seen["hand"]))
    for n in range(1, form["seats"]):
        room[at + n] = seen["sizes"][n]
    room[at + form["seats"] + np.int64(seen["first"])] = np.uint8(1)
    at = form["table_at"]
    room[at] = seen["draw_pile"]
    room[at + 1] = np.uint8(goal)
    room[at + 2] = seen["extended"]
    if seen["top"] != NO:
        room[at + 3 + np.int64(seen["top"])] = np.uint8(1)
    scale = form["scale"]
    for i in range(end):
        put_float(out, i, np.float32(room[i]) * scale[i])


@inner_kernel
def write_mask(word: Word, form: Record, n: Word, mask: Word) -> None:
    """Write the n-th group of 64 legal move codes as bytes, 1 for legal and 0 for illegal. ``mask`` is an address."""
    expand = form["expand"]
    for i in range(8):
        put_word(mask, 64 * n + 8 * i, expand[word >> uint64(8 * i) & LOW_BYTE])
