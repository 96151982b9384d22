"""Play hands to the end after each of several moves, in the same simulations, and record what happened."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import uint64

from millebornes.cards import Card
from millebornes.kernels.bits import high_product
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.kernels.memory import load_word, store_word
from millebornes.policies.card_worth import WORTH_BY_KIND
from millebornes.policies.deal import make_move
from millebornes.policies.dispatch import Workspace
from millebornes.policies.games import Seating, hand_word, play_moves, worth_of_hand
from millebornes.policies.match_equity import Stakes
from millebornes.rules.clauses import SCORE_SHEET
from millebornes.rules.replay import MOST_MOVES
from millebornes.rules.scoring import side_counts
from millebornes.rules.shuffling import random_word
from millebornes.rules.state import KINDS, NOBODY, SEATS, Integers, Phase, Record, Records, Side, Word, Words

MIX_WORLD: Final = np.uint64(0xB5026F5AA96619E9)

U = np.uint64
ZERO, ONE, FIVE, THREE, SEVEN = U(0), U(1), U(5), U(3), U(7)
LINES: Final = len(SCORE_SHEET)

OUTCOME: Final = np.dtype(
    [
        ("lead", "f8"),  # points of the deciding side minus the average of the other sides
        ("won", "f8"),  # 1 if the deciding side has the most points in the hand, divided equally between tied sides
        ("chance", "f8"),  # chance to win the match after the hand; 0 without a target
        ("luck", "f8"),  # value of the side's draws relative to the average possible card, minus that of the others
        ("lines", "f8", (2, LINES)),  # score sheet in points: of the deciding side, and the average of the others
        ("held_up", "f8", 2),  # number of turns in which a side couldn't drive
        ("suffered", "f8", 2),  # number of hazards that weren't answered with a coup fourré
    ],
    align=True,
)
"""The outcome of a move. Pairs contain the number for the deciding side, then the average of the other sides."""

NOTES: Final = np.dtype(
    [
        ("counting", "i8"),  # 1 if the other numbers are counted, else 0
        ("held_up", "i8", SEATS),  # for each side
        ("suffered", "i8", SEATS),
        ("luck", "f8", SEATS),
        ("worth", "f8"),  # total value of the cards in the draw pile
        ("left", "i8"),  # number of cards in the draw pile
    ],
    align=True,
)
"""The numbers that are counted during a hand."""

OVER, PLAY, COUP = np.uint8(Phase.OVER), np.uint8(Phase.PLAY), np.uint8(Phase.COUP)
NO: Final = np.uint8(NOBODY)
STATUS, CODE_MASK = U(Side.STATUS_MASK), U(63)
DRIVES: Final = U(3 * Card.D25.index + 1)
"""The move code for playing a 25. Every side that can play any distance card can play a 25."""


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


class Simulations(NamedTuple):
    """The simulations of a decision: what the seat knows, who plays, for which stakes, and the ``seed``."""

    known: SeatKnowledge
    seating: RolloutSeats
    stakes: Stakes
    seed: np.uint64


@inner_kernel
def deal_hidden_cards(world: Record, known: SeatKnowledge, hands: Words, deal: Record, work: Record) -> None:
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
def complete_simulation(
    world: Record, known: SeatKnowledge, number: Word, seed: Word, deal: Record, work: Record
) -> None:
    """Complete a simulation, which is a copy of the base, and its deal, including the start of its random numbers."""
    for i in range(3):
        store_word(deal["public"], i, load_word(known.public, i))
    work["generator"]["word"] = seed + U(number) * MIX_WORLD
    deal_hidden_cards(world, known, known.hands[number % len(known.hands)], deal, work)
    deal["chance"] = hand_word(random_word(work["generator"]), 1)


@inner_kernel
def start_counters(world: Record, tables: Record, notes: Record) -> None:
    """Reset the counters, and record the contents of the draw pile and a hazard that has already been played."""
    for side in range(SEATS):
        notes["held_up"][side] = notes["suffered"][side] = 0
        notes["luck"][side] = 0.0
    notes["worth"], notes["left"] = 0.0, 0
    for place in range(np.int64(world["drawn"]), np.int64(tables["size"])):
        notes["worth"] += WORTH_BY_KIND[np.int64(world["deck"][place])]
        notes["left"] += 1
    if world["phase"] == COUP:
        notes["suffered"][np.int64(world["target"])] = 1


@inner_kernel
def count_move(state: Record, tables: Record, code: Word, notes: Record) -> None:
    own = np.int64(state["own"])
    effect = tables["effect"][code & CODE_MASK]
    if state["phase"] == PLAY:
        status = state["side"][own] & STATUS
        if tables["own"][status] >> DRIVES & ONE == U(0):
            notes["held_up"][own] += 1
        if effect["parry"] != U(0) and effect["discards"] == 0:
            notes["suffered"][(own + 1 + np.int64(code >> U(6))) % np.int64(tables["sides"])] += 1
    elif state["phase"] == COUP and effect["safety"] != NO:
        notes["suffered"][np.int64(state["target"])] -= 1


@inner_kernel
def make_counted_move(state: Record, tables: Record, code: Word, deal: Record, notes: Record) -> None:
    """Make a move, and update the counters for this move and for the draw after it."""
    if notes["counting"]:
        count_move(state, tables, code, notes)
    before = np.int64(state["drawn"])
    make_move(state, tables, code, deal)
    if notes["counting"]:
        side = np.int64(state["own"])
        for place in range(before, np.int64(state["drawn"])):
            worth = WORTH_BY_KIND[np.int64(deal["pile"][place])]
            notes["luck"][side] += worth - notes["worth"] / notes["left"]
            notes["worth"] -= worth
            notes["left"] -= 1


@inner_kernel
def write_outcome(state: Record, tables: Record, side: Word, notes: Record, out: Record) -> None:
    sides = np.int64(tables["sides"])
    for i in range(LINES):
        out["lines"][0, i] = out["lines"][1, i] = 0.0
    for i in range(2):
        out["held_up"][i] = out["suffered"][i] = 0.0
    own_luck = other_luck = 0.0
    own_total = best = 0.0
    leaders = 0
    for other in range(sides):
        is_own = other == side
        place = 0 if is_own else 1
        share = 1.0 if is_own else 1.0 / (sides - 1)
        counts = side_counts(state, tables, uint64(other))
        total = 0.0
        for i in range(LINES):
            points = counts[i] * tables["points"][i]
            total += points
            out["lines"][place, i] += share * points
        out["held_up"][place] += share * notes["held_up"][other]
        out["suffered"][place] += share * notes["suffered"][other]
        if is_own:
            own_luck, own_total = notes["luck"][other], total
        else:
            other_luck += share * notes["luck"][other]
        if other == 0 or total > best:
            best, leaders = total, 1
        elif total == best:
            leaders += 1
    out["lead"] = 0.0
    for i in range(LINES):
        out["lead"] += out["lines"][0, i] - out["lines"][1, i]
    out["luck"] = own_luck - other_luck
    out["won"] = 1.0 / leaders if own_total == best else 0.0


@kernel
def roll_out(
    workspace: Workspace, simulations: Simulations, begin: Word, codes: Integers, is_counted: bool, out: Records
) -> None:
    """Play each of several moves out in the same simulations, and write the results to ``out[world, move]``.

    Simulation w (counted from ``begin``) uses the hand w in `SeatKnowledge`, starting again after the last, and a draw
    pile that depends only on the seed and w. Each seat draws from its own stream. The first deal of the `Workspace`
    contains the totals before the hand.

    With ``is_counted``, the whole `OUTCOME` is written, except that the chance to win the match is 0 if the stakes have
    no goal. Otherwise only the lead or, if the stakes have a goal, the chance is written.
    """
    work, worlds, deals = workspace.work[0], workspace.states, workspace.deals
    tables = work["tables"]
    known, seating, stakes, seed = simulations
    players, far, near, net_plies = seating
    side, seat = np.int64(known.base["own"]), np.int64(known.base["seat"])
    after = np.zeros(SEATS, np.int64)  # must have the same type as in other calls of `win_chance`
    notes = np.zeros(2, NOTES)
    notes[0]["counting"] = np.int64(is_counted)
    for w in range(len(out)):
        worlds[0] = known.base
        complete_simulation(worlds[0], known, begin + w, seed, deals[0], work)
        if is_counted:
            start_counters(worlds[0], tables, notes[0])
        row = (begin + w) % len(far)
        for m in range(len(codes)):
            state, deal, counts = worlds[1], deals[1], notes[1]
            worlds[1], deals[1], notes[1] = worlds[0], deals[0], notes[0]
            make_counted_move(state, tables, U(codes[m]), deal, counts)
            if net_plies > 0:
                near_by = Seating(players, near[row], ~deal["chance"], seat, net_plies)
                play_moves(state, deal, near_by, work, make_counted_move, (counts,))
                deal["watched"] = 0  # the other kinds of players don't use the past
            to_the_end = Seating(players, far[row], deal["chance"], 0, MOST_MOVES)
            play_moves(state, deal, to_the_end, work, make_counted_move, (counts,))
            worth = worth_of_hand(state, tables, deals[0]["totals"], side, stakes, after)
            if is_counted:
                write_outcome(state, tables, side, counts, out[w, m])
                out[w, m]["chance"] = 0.0
            if stakes.goal != 0:
                out[w, m]["chance"] = worth
            elif not is_counted:
                out[w, m]["lead"] = worth
