"""Hands played to their ends, move against move, in worlds that a seat thinks possible."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.policies.deal import make_move
from millebornes.policies.equity_tables import win_chance
from millebornes.policies.features import load_word, store_word
from millebornes.policies.games import hand_word, lead, play_hand, play_near
from millebornes.rules.bits import high_product
from millebornes.rules.jit import inner_kernel, kernel
from millebornes.rules.kernels import random_word
from millebornes.rules.scoring import side_score
from millebornes.rules.state import KINDS, SEATS, Record, Word

__all__ = ["Known", "Seating", "roll_out"]

MIX_WORLD: Final = np.uint64(0xB5026F5AA96619E9)

U = np.uint64
ZERO, ONE, FIVE, THREE, SEVEN = U(0), U(1), U(5), U(3), U(7)


class Known(NamedTuple):
    """What a seat knows of a hand, and what it thinks possible.

    ``base`` is the state that it sees, whatever the others' hands in it; ``public`` counts by kind what everybody has
    seen, ``unseen`` what this seat has not; ``hands[i]`` are hand words of the seats ``others``.
    """

    base: Any
    public: Any
    unseen: Any
    hands: Any
    others: Any


class Seating(NamedTuple):
    """Who makes the moves: ``line[seat]`` is the number of one of ``players`` (`SEATED` records).

    The next ``ahead`` moves of the seat that searches, and the others' until then, are made by ``line_ahead``.
    """

    players: Any
    line: Any
    line_ahead: Any
    ahead: int


@inner_kernel
def lay_pile(world: Record, known: Any, hands: Any, deal: Record, work: Record) -> None:
    """Give the others their hands, and shuffle all other unseen cards into the draw pile and everybody's streams."""
    tables, generator = work["tables"], work["generator"]
    unseen, others = known.unseen, known.others
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
            world["deck"][place] = np.uint8(kind)
            place += 1
    left_over: Any = uint64(size - drawn)
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


@kernel
def roll_out(
    workspace: Any, known: Any, seating: Any, stakes: Any, begin: Word, seed: Word, codes: Any, out: Any
) -> None:
    """Play each of some moves out in the same worlds: ``out[world, move]`` takes what it brought.

    World number w (they count from ``begin``) has the hands number w of what is `Known`, round the end, and a draw pile
    by ``seed`` and w alone. Each seat draws from a stream of its own, so two moves differ in nothing but what follows
    from them. All moves after them are made by a `Seating`.

    Where the first deal of the `Workspace` (which has two of each) has a target, it is the chance to win the match by
    the `millebornes.policies.match_equity.Stakes`; without (0) the lead of one's side in points: its own less the mean
    of the others'.
    """
    work, worlds, deals = workspace.work[0], workspace.states, workspace.deals
    tables, base, hands = work["tables"], known.base, known.hands
    players, line, line_ahead, ahead = seating
    sides = np.int64(tables["sides"])
    own, seat = np.int64(base["own"]), np.int64(base["seat"])
    target = np.int64(deals[0]["target"])
    next_first = (np.int64(base["first"]) + 1) % np.int64(tables["seats"])  # R2.7
    totals, after = deals[0]["totals"], np.zeros(SEATS, np.int64)  # of the type that others call `win_chance` with
    log = np.zeros(0, np.int64)
    for w in range(len(out)):
        for i in range(3):
            store_word(deals[0]["public"], i, load_word(known.public, i))
        worlds[0] = base
        work["generator"]["word"] = seed + U(begin + w) * MIX_WORLD
        lay_pile(worlds[0], known, hands[(begin + w) % len(hands)], deals[0], work)
        deals[0]["chance"] = hand_word(random_word(work["generator"]), 1)
        for m in range(len(codes)):
            worlds[1] = worlds[0]
            deals[1] = deals[0]
            make_move(worlds[1], tables, U(codes[m]), deals[1])
            if ahead > 0:
                play_near(worlds[1], deals[1], players, line_ahead, work, seat, ahead)
                deals[1]["watched"] = 0  # the others ask nothing of the past
            play_hand(worlds[1], deals[1], players, line, work, log)
            if target > 0:
                for side in range(sides):
                    after[side] = totals[side] + np.int64(side_score(worlds[1], tables, uint64(side)))
                out[w, m] = win_chance(stakes.table, sides, stakes.step, target, after, own, next_first)
            else:
                out[w, m] = np.float64(lead(worlds[1], tables, own)) / (sides - 1)
