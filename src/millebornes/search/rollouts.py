"""Hands played to their ends, move against move, in worlds that a seat thinks possible."""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.policies.equity_tables import win_chance
from millebornes.policies.features import load_word, store_word
from millebornes.policies.instrumented import lead
from millebornes.policies.native import make_move, play_hand, play_near
from millebornes.rules.bits import high_product
from millebornes.rules.jit import inner_kernel, kernel
from millebornes.rules.kernels import random_word
from millebornes.rules.scoring import side_score
from millebornes.rules.state import KINDS, Record, Word

__all__ = ["roll_out"]

MIX_WORLD: Final = np.uint64(0xB5026F5AA96619E9)

U = np.uint64
ZERO, ONE, FIVE, THREE, SEVEN = U(0), U(1), U(5), U(3), U(7)


@inner_kernel
def lay_pile(
    world: Record, tables: Record, unseen: Any, hands: Any, others: Any, generator: Record, deal: Record
) -> None:
    """Give the others their hands, and shuffle all other unseen cards into the draw pile and everybody's streams."""
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
    seats = np.int64(tables["seats"])
    for seat in range(seats):
        deal["next"][seat] = seat * pile // seats


@kernel
def roll_out(
    base: Record,
    public: Any,
    unseen: Any,
    hands: Any,
    others: Any,
    begin: Word,
    seed: Word,
    worlds: Any,
    deals: Any,
    tables: Record,
    lookups: Record,
    players: Any,
    line: Any,
    line_ahead: Any,
    ahead: Word,
    totals: Any,
    target: Word,
    equity: Any,
    step: Word,
    next_first: Word,
    generators: Any,
    f: Record,
    log: Any,
    codes: Any,
    out: Any,
) -> None:
    """Play each of some moves out in the same worlds: ``out[world, move]`` takes what it brought.

    ``base`` is the state that the seat sees, whatever the others' hands in it; ``public`` counts by kind what everybody
    has seen, ``unseen`` what this seat has not; ``hands[i]`` are hand words of the seats ``others``. World number w
    (they count from ``begin``) has the hands number w, round the end, and a draw pile by ``seed`` and w alone. Each
    seat draws from a stream of its own, so two moves differ in nothing but what follows from them. The seat's next
    ``ahead`` moves, and the others' until then, are made by ``line_ahead``, all others by ``line``.

    With a match ``target`` it is the chance to win the match (`millebornes.policies.match_equity`; ``next_first``
    begins the next hand), without (0) the lead of one's side in points: its own less the mean of the others'. Two of
    ``worlds``, ``deals`` and ``generators`` each are buffers.
    """
    sides = np.int64(tables["sides"])
    own, seat = np.int64(base["own"]), np.int64(base["seat"])
    after = np.zeros(8, np.int64)
    for w in range(len(out)):
        for i in range(3):
            store_word(deals[0]["public"], i, load_word(public, i))
        worlds[0] = base
        generators[0]["word"] = seed + U(begin + w) * MIX_WORLD
        lay_pile(worlds[0], tables, unseen, hands[(begin + w) % len(hands)], others, generators[0], deals[0])
        key = random_word(generators[0])
        for m in range(len(codes)):
            worlds[1] = worlds[0]
            deals[1] = deals[0]
            make_move(worlds[1], tables, U(codes[m]), 1, deals[1])
            if ahead > 0:
                play_near(
                    worlds[1], tables, lookups, totals, target, players, line_ahead, seat, ahead, deals[1],
                    generators[1], f,
                )  # fmt: skip
                deals[1]["watched"] = 0  # the others do not look at the past
            play_hand(
                worlds[1], tables, lookups, totals, target, players, line, key, 1, 1, deals[1], generators[1], f, log
            )
            if target > 0:
                for side in range(sides):
                    after[side] = totals[side] + np.int64(side_score(worlds[1], tables, uint64(side)))
                out[w, m] = win_chance(equity, sides, step, target, after, own, next_first)
            else:
                out[w, m] = np.float64(lead(worlds[1], tables, own)) / (sides - 1)
