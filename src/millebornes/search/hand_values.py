"""Estimate the value of a hand to each side at each of its decisions, given the cards that all seats really held.

Only the draw pile counts as unknown. Each simulation starts with a random order of the cards that weren't dealt, in
which each seat has its own stream. As the hand continues, each card that was really drawn changes places with the card
that the seat would have drawn in the simulation. All orders of the remaining cards stay equally likely. Since a
simulation changes very little from one decision to the next, the effect of chance between decisions has less noise.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import uint64

from millebornes.editions import Rules
from millebornes.kernels.bits import high_product
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.deal import make_move, next_free, start_deal
from millebornes.policies.dispatch import MAXIMS, Workspace, choose_code, workspace_for
from millebornes.policies.games import hand_word, play_hand, worth_of_hand
from millebornes.policies.match_equity import Stakes, stakes_of
from millebornes.policies.maxim_weights import tuned
from millebornes.rules.shuffling import random_word
from millebornes.rules.state import LARGE_DECK, SEATS, Floats, Integers, Record, Records, Word

U = np.uint64
MIX_WORLD: Final = U(0xD6E8FEB86659FD93)
WAYS: Final = 3
"""The number of moves played out at each decision: the real move, the move that the maxims would make, and a third."""


class HandValues(NamedTuple):
    """The values by decision and side: points of lead over the average of other sides, or chances to win the match.

    ``made[k, side]`` is the value of the move that was made at decision k, ``usual`` of the move that the maxims would
    make, and ``other`` of the third move. ``end[side]`` is the result at the end of the hand.
    """

    made: npt.NDArray[np.float64]
    usual: npt.NDArray[np.float64]
    other: npt.NDArray[np.float64]
    end: npt.NDArray[np.float64]


@inner_kernel
def lay_streams(
    state: Record, deal: Record, number: Word, seed: Word, drawers: Integers, at: Integers, work: Record
) -> None:
    """Arrange the streams of a simulation from the cards that haven't really been drawn yet.

    ``drawers[place]`` is the seat that drew the card at this place in the draw pile. ``at`` is working memory for the
    places of the cards.
    """
    tables, generator = work["tables"], work["generator"]
    size, seats = np.int64(tables["size"]), np.int64(tables["seats"])
    dealt = seats * np.int64(tables["hand_size"])
    generator["word"] = seed + U(number) * MIX_WORLD
    deal["chance"] = hand_word(random_word(generator), 1)
    for i in range(size):
        deal["order"][i] = np.uint8(i)  # at first, these are places in the draw pile
        deal["taken"][i] = np.uint8(i < dealt)
    left: Word = size - dealt
    while left > 1:
        word = random_word(generator)
        j = dealt + np.int64(high_product(word, uint64(left)))
        left -= 1
        i = dealt + left
        deal["order"][i], deal["order"][j] = deal["order"][j], deal["order"][i]
    for i in range(size):
        at[deal["order"][i]] = i
    for seat in range(seats):
        deal["next"][seat] = (dealt + seat * (size - dealt) // seats) % size
    for place in range(dealt, np.int64(state["drawn"])):
        stream = next_free(deal["taken"], deal["next"][drawers[place]], size)
        other = at[place]
        deal["order"][other] = deal["order"][stream]
        at[deal["order"][stream]] = other
        deal["taken"][stream] = 1
        deal["next"][drawers[place]] = stream
    for i in range(size):
        deal["order"][i] = deal["pile"][deal["order"][i]]
    deal["streams"] = 1


@kernel
def write_values(
    workspace: Workspace,
    players: Records,
    line: Integers,
    codes: Integers,
    alternatives: Integers,
    stakes: Stakes,
    seed: Word,
    out: Floats,
) -> None:
    """Follow a dealt hand, whose deck is in the first state, and play it out in simulations before each move.

    ``codes`` contains all moves that were made, and ``alternatives`` contains additional moves to try (-1 for none).
    The values are written to ``out[k, world, way, side]``, and the results of the hand to its last row.
    """
    work, states, deals = workspace.work[0], workspace.states, workspace.deals
    tables = work["tables"]
    sides = np.int64(tables["sides"])
    after = np.zeros(SEATS, np.int64)
    drawers = np.zeros(LARGE_DECK, np.int64)
    at = np.zeros(LARGE_DECK, np.int64)
    before = np.int64(tables["seats"]) * np.int64(tables["hand_size"])
    for k in range(len(codes)):
        for place in range(before, np.int64(states[0]["drawn"])):
            drawers[place] = states[0]["seat"]
        before = np.int64(states[0]["drawn"])
        usual = np.int64(choose_code(states[0], deals[0], players[line[np.int64(states[0]["seat"])]], work))
        for w in range(out.shape[1]):
            for way in range(WAYS):
                code = codes[k]
                if way == 1:
                    code = usual
                elif way == 2 and alternatives[k] >= 0:
                    code = alternatives[k]
                same = 0 if code == codes[k] else 1 if code == usual else way
                if same < way:
                    for side in range(sides):
                        out[k, w, way, side] = out[k, w, same, side]
                    continue
                states[1], deals[1] = states[0], deals[0]
                lay_streams(states[1], deals[1], w, seed, drawers, at, work)
                make_move(states[1], tables, U(code), deals[1])
                play_hand(states[1], deals[1], players, line, work)
                for side in range(sides):
                    worth = worth_of_hand(states[1], tables, deals[0]["totals"], side, stakes, after)
                    out[k, w, way, side] = worth
        make_move(states[0], tables, U(codes[k]), deals[0])
    for side in range(sides):
        out[len(codes), 0, 0, side] = worth_of_hand(states[0], tables, deals[0]["totals"], side, stakes, after)


class HandDone(NamedTuple):
    """A finished hand: its deck (kinds in drawing order), first seat, codes of moves, and the totals before it."""

    deck: tuple[int, ...]
    first: int
    codes: tuple[int, ...]
    totals: tuple[int, ...]


def values_of_hand(
    rules: Rules, hand: HandDone, alternatives: npt.NDArray[np.int64], target: int, worlds: int, seed: int
) -> HandValues:
    """Return the value of a finished hand at each of its decisions, estimated in ``worlds`` simulations.

    ``target`` is the match target, or 0 for points. ``alternatives[k]`` is the code of an additional move to evaluate
    at decision k, or -1.
    """
    workspace = workspace_for(rules, 2, "search")
    work, states, deals = workspace.work[0], workspace.states, workspace.deals
    states[0]["deck"][: rules.cards] = hand.deck
    stakes = stakes_of(rules, target)
    deals["totals"][:, : len(hand.totals)] = hand.totals
    deals["target"] = stakes.goal
    start_deal(states[0], work["tables"], hand.first, deals[0])
    codes = np.array(hand.codes, np.int64)
    out = np.zeros((len(codes) + 1, worlds, WAYS, rules.sides))
    players = seats_of([KernelPlayer(MAXIMS, advice=tuned(rules))])
    line = np.zeros(rules.seats, np.int64)
    write_values(workspace, players, line, codes, alternatives, stakes, U(seed & 0xFFFFFFFFFFFFFFFF), out)
    made, usual, other = (out[:-1, :, way].mean(1) for way in range(WAYS))
    return HandValues(made, usual, other, out[-1, 0, 0])
