"""Play hands to the end in simulations that a seat considers possible, the same for all moves."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import uint64

from millebornes.kernels.bits import high_product
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.kernels.memory import load_word, store_word
from millebornes.policies.deal import make_move
from millebornes.policies.dispatch import Workspace
from millebornes.policies.games import hand_word, play_hand, play_near, worth_of_hand
from millebornes.policies.match_equity import Stakes
from millebornes.rules.shuffling import random_word
from millebornes.rules.state import KINDS, SEATS, Floats, Integers, Record, Records, Word, Words

__all__ = ["RolloutSeats", "SeatKnowledge", "roll_out"]

MIX_WORLD: Final = np.uint64(0xB5026F5AA96619E9)

U = np.uint64
ZERO, ONE, FIVE, THREE, SEVEN = U(0), U(1), U(5), U(3), U(7)


class SeatKnowledge(NamedTuple):
    """Everything that a seat knows about a hand, and the hidden hands that it considers possible.

    ``base`` is the state as the seat sees it, with arbitrary cards in the other hands. ``public`` contains the number
    of cards of each kind that everyone has seen, and ``unseen`` those that this seat hasn't seen. ``hands[i]`` contains
    the hand words of ``other_seats``.
    """

    base: Record
    public: npt.NDArray[np.int8]
    unseen: Integers
    hands: Words
    other_seats: Integers


class RolloutSeats(NamedTuple):
    """The players in simulations: ``far[row, seat]`` is the index of one of ``players`` (`SEATED` records).

    Simulations use the rows in turn. The players in ``near[row]`` make all moves until the searching seat has made its
    next ``net_plies`` moves.
    """

    players: Records
    far: Integers
    near: Integers
    net_plies: int


@inner_kernel
def lay_pile(world: Record, known: SeatKnowledge, hands: Words, deal: Record, work: Record) -> None:
    """Give the other seats their hands, and shuffle the other unseen cards, or as many as there are left to draw."""
    tables, generator = work["tables"], work["generator"]
    unseen, others = known.unseen, known.other_seats
    drawn = np.int64(world["drawn"])
    size = np.int64(tables["size"])
    for n in range(len(others)):
        world["hand"][others[n]] = hands[n]
    place = drawn
    for kind in range(KINDS):
        left = unseen[kind]
        for n in range(len(others)):
            left -= np.int64(hands[n] >> (THREE * U(kind)) & SEVEN)
        for _ in range(left):
            slot = place
            if place >= size:  # each card is equally likely to be in the draw pile
                slot = drawn + np.int64(high_product(random_word(generator), uint64(place - drawn + 1)))
            if slot < size:
                world["deck"][slot] = np.uint8(kind)
            place += 1
    left_over: Word = uint64(size - drawn)
    start = uint64(drawn)
    while left_over > ONE:
        word = random_word(generator)
        for _ in range(5):
            if left_over > ONE:
                j = start + high_product(word, left_over)
                word = word * left_over
                left_over -= ONE
                i = start + left_over
                world["deck"][i], world["deck"][j] = world["deck"][j], world["deck"][i]
    pile = size - drawn
    for i in range(pile):
        card = world["deck"][drawn + i]
        deal["pile"][drawn + i] = card
        deal["order"][i] = card
        deal["taken"][i] = 0
    for i in range(pile, size):
        deal["taken"][i] = 1
    deal["streams"] = 1
    seats = np.int64(tables["seats"])
    for seat in range(seats):
        deal["next"][seat] = seat * pile // seats


@inner_kernel
def make_world(world: Record, known: SeatKnowledge, number: Word, seed: Word, deal: Record, work: Record) -> None:
    """Complete a simulation, which is a copy of the base, and its deal, including the start of its random numbers."""
    for i in range(3):
        store_word(deal["public"], i, load_word(known.public, i))
    work["generator"]["word"] = seed + U(number) * MIX_WORLD
    lay_pile(world, known, known.hands[number % len(known.hands)], deal, work)
    deal["chance"] = hand_word(random_word(work["generator"]), 1)


@kernel
def roll_out(
    workspace: Workspace,
    known: SeatKnowledge,
    seating: RolloutSeats,
    stakes: Stakes,
    begin: Word,
    seed: Word,
    codes: Integers,
    out: Floats,
) -> None:
    """Play each of several moves out in the same simulations, and write the results to ``out[world, move]``.

    Simulation w (counted from ``begin``) uses the hand w in ``known``, starting again after the last, and a draw pile
    that depends only on ``seed`` and w. Each seat draws from its own stream. The players in ``seating`` make all later
    moves. Results are those of `worth_of_hand` with the totals in the first of the two deals of the `Workspace`.
    """
    work, worlds, deals = workspace.work[0], workspace.states, workspace.deals
    tables = work["tables"]
    players, far, near, net_plies = seating
    own, seat = np.int64(known.base["own"]), np.int64(known.base["seat"])
    after = np.zeros(SEATS, np.int64)  # must have the same type as in other calls of `win_chance`
    for w in range(len(out)):
        worlds[0] = known.base
        make_world(worlds[0], known, begin + w, seed, deals[0], work)
        row = (begin + w) % len(far)
        for m in range(len(codes)):
            worlds[1] = worlds[0]
            deals[1] = deals[0]
            make_move(worlds[1], tables, U(codes[m]), deals[1])
            if net_plies > 0:
                play_near(worlds[1], deals[1], players, near[row], work, seat, net_plies)
                deals[1]["watched"] = 0  # the other kinds of players don't use the past
            play_hand(worlds[1], deals[1], players, far[row], work)
            out[w, m] = worth_of_hand(worlds[1], tables, deals[0]["totals"], own, stakes, after)
