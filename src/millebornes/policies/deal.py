"""The data that kernels keep beside a state: the cards seen, the situation in the match, and the cards of each seat."""

from typing import Final

import numpy as np
import numpy.typing as npt
from numpy import uint64

from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.kernels.memory import store_word
from millebornes.policies.opponent_features import COUNTS, OPPONENT_FEATURES, clear_opponent_features, note_act
from millebornes.rules.state import LARGE_DECK, NOBODY, SEATS, Record, Word
from millebornes.rules.turns import apply_move, start_hand

DEAL: Final = np.dtype(
    [
        ("public", "i1", COUNTS),  # number of cards of each kind that all players have seen
        ("watched", "i8"),  # 1 if "opponents" is kept up to date, else 0
        ("opponents", OPPONENT_FEATURES, SEATS),  # what the past of each seat reveals about its hand
        ("target", "i8"),  # number of points that ends the match, 0 for single hands
        ("totals", "i8", SEATS),  # points of each side before this hand
        ("chance", "u8"),  # the word from which the random numbers for this hand's decisions are derived
        ("streams", "i8"),  # 1 if each seat draws from its own part of the deck, else 0
        ("next", "i8", SEATS),  # seat -> the next position in its stream
        ("order", "u1", LARGE_DECK),  # the shuffled deck
        ("pile", "u1", LARGE_DECK),  # the drawn cards in order, then the undrawn cards in the order of the rules
        ("taken", "u1", LARGE_DECK),  # 1 if a card of `order` has been taken, else 0
    ],
    align=True,
)
"""The data beside a state: the cards seen, the situation in the match, and the order of each seat's cards."""

U = np.uint64
ZERO, ONE, THREE, CODE_MASK = U(0), U(1), U(3), U(63)
NO = np.uint8(NOBODY)


@inner_kernel
def next_free(taken: npt.NDArray[np.uint8], place: Word, size: Word) -> Word:
    """Return the first position from ``place`` on, wrapping around, whose card hasn't been taken."""
    while taken[place]:
        place += 1
        if place == size:
            place = 0
    return place


@inner_kernel
def take(deal: Record, seat: Word, size: Word) -> Word:
    place = next_free(deal["taken"], deal["next"][seat], size)
    deal["taken"][place] = 1
    deal["next"][seat] = place
    return uint64(deal["order"][place])


@kernel
def start_deal(state: Record, tables: Record, first: Word, deal: Record) -> None:
    """Deal from the deck in the state. If "streams" is set, each seat gets its cards from its own part of the deck.

    The stream of seat s begins at the fraction s / seats of the deck, and skips cards that have been taken, so every
    hand is as likely as usual. Unlike those of `millebornes.rules.streams`, they are quick to copy for rollouts.
    """
    size = np.int64(tables["size"])
    seats = np.int64(tables["seats"])
    start_seen(deal)
    if deal["streams"]:
        for i in range(size):
            deal["order"][i] = state["deck"][i]
            deal["taken"][i] = 0
        for seat in range(seats):
            deal["next"][seat] = seat * size // seats
        seat = first
        for i in range(seats * np.int64(tables["hand_size"])):
            state["deck"][i] = np.uint8(take(deal, seat, size))
            seat += 1
            if seat == seats:
                seat = 0
    before = seats * np.int64(tables["hand_size"])
    for i in range(size):
        deal["pile"][i] = state["deck"][i]
    start_hand(state, tables, U(first))
    if deal["streams"]:
        redraw(state, tables, before, deal)


@inner_kernel
def start_seen(deal: Record) -> None:
    """Reset the seen cards at the start of a hand."""
    for i in range(3):
        store_word(deal["public"], i, ZERO)
    if deal["watched"]:
        clear_opponent_features(deal["opponents"])


@inner_kernel
def make_seen(state: Record, tables: Record, deal: Record, code: Word) -> None:
    """Make a move, and add its card to those that all players have seen."""
    card = tables["effect"][code & CODE_MASK]["card"]
    if card != NO:
        deal["public"][card] += 1
    if deal["watched"]:
        note_act(state, tables, deal["opponents"], code)
    apply_move(state, tables, code)


@inner_kernel
def replace_drawn(state: Record, deal: Record, place: Word, card: Word) -> None:
    """Replace the card in the draw pile at ``place``, which the deciding seat has drawn, with ``card``."""
    seat = state["seat"]
    state["hand"][seat] += (ONE << (THREE * card)) - (ONE << (THREE * uint64(deal["pile"][place])))
    deal["pile"][place] = np.uint8(card)


@inner_kernel
def redraw(state: Record, tables: Record, before: Word, deal: Record) -> None:
    """Replace all cards that the deciding seat has drawn since ``before`` with cards from its own stream."""
    for i in range(before, np.int64(state["drawn"])):
        replace_drawn(state, deal, i, take(deal, np.int64(state["seat"]), np.int64(tables["size"])))


@inner_kernel
def make_move(state: Record, tables: Record, code: Word, deal: Record) -> None:
    """Make a move, and update both the seen cards and the streams."""
    before = np.int64(state["drawn"])
    make_seen(state, tables, deal, code)
    if deal["streams"]:
        redraw(state, tables, before, deal)
