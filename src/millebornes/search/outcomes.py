"""Play hands to the end after a move, as `millebornes.search.rollouts.roll_out` does, and record what happened."""

from typing import Final

import numpy as np
from numpy import uint64

from millebornes.cards import Card
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.policies.card_worth import WORTH_BY_KIND
from millebornes.policies.deal import make_move
from millebornes.policies.dispatch import Workspace, choose_code
from millebornes.policies.games import decision_word, worth_of_hand
from millebornes.policies.match_equity import Stakes
from millebornes.rules.clauses import SCORE_SHEET
from millebornes.rules.scoring import side_counts
from millebornes.rules.state import NOBODY, SEATS, Integers, Phase, Record, Records, Side, Word
from millebornes.search.rollouts import RolloutSeats, SeatKnowledge, make_world

__all__ = ["OUTCOME", "follow_up"]

U = np.uint64
LINES: Final = len(SCORE_SHEET)

OUTCOME: Final = np.dtype(
    [
        ("lead", "f8"),  # points of the deciding side minus the average of the other sides
        ("chance", "f8"),  # chance to win the match after the hand; 0 without a target
        ("won", "f8"),  # 1 if the deciding side has the most points in the hand, divided equally between tied sides
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
ONE, STATUS, CODE_MASK = U(1), U(Side.STATUS_MASK), U(63)
DRIVES: Final = U(3 * Card.D25.index + 1)
"""The move code for playing a 25. Every side that can play any distance card can play a 25."""


@inner_kernel
def note_pile(world: Record, tables: Record, notes: Record) -> None:
    """Reset the counters, and record the contents of the draw pile."""
    for side in range(SEATS):
        notes["held_up"][side] = notes["suffered"][side] = 0
        notes["luck"][side] = 0.0
    notes["worth"], notes["left"] = 0.0, 0
    for place in range(np.int64(world["drawn"]), np.int64(tables["size"])):
        notes["worth"] += WORTH_BY_KIND[np.int64(world["deck"][place])]
        notes["left"] += 1


@inner_kernel
def make_counted_move(state: Record, tables: Record, code: Word, deal: Record, notes: Record) -> None:
    """Make a move, and update the counters for this move and for the draw after it."""
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
    before = np.int64(state["drawn"])
    make_move(state, tables, code, deal)
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
def follow_up(
    workspace: Workspace,
    known: SeatKnowledge,
    seating: RolloutSeats,
    stakes: Stakes,
    begin: Word,
    seed: Word,
    codes: Integers,
    out: Records,
) -> None:
    """Play each of several moves out like `roll_out`, and write the outcomes to ``out[world, move]``.

    The first deal of the `Workspace` contains the totals before the hand. The chance to win the match is only written
    if the stakes have a goal.
    """
    work, worlds, deals = workspace.work[0], workspace.states, workspace.deals
    tables = work["tables"]
    players, far, near, net_plies = seating
    side, seat = np.int64(known.base["own"]), np.int64(known.base["seat"])
    after = np.zeros(SEATS, np.int64)
    notes = np.zeros(2, NOTES)
    for w in range(len(out)):
        worlds[0] = known.base
        make_world(worlds[0], known, begin + w, seed, deals[0], work)
        note_pile(worlds[0], tables, notes[0])
        if worlds[0]["phase"] == COUP:  # the hazard has already been played
            notes[0]["suffered"][np.int64(worlds[0]["target"])] = 1
        row = (begin + w) % len(far)
        for m in range(len(codes)):
            state, deal, counts = worlds[1], deals[1], notes[1]
            worlds[1], deals[1], notes[1] = worlds[0], deals[0], notes[0]
            make_counted_move(state, tables, U(codes[m]), deal, counts)
            moves: Word = net_plies
            ply = 0
            while moves > 0 and state["phase"] != OVER:
                work["generator"]["word"] = decision_word(~deal["chance"], U(ply))
                ply += 1
                code = choose_code(state, deal, players[near[row][np.int64(state["seat"])]], work)
                moves -= np.int64(np.int64(state["seat"]) == seat)
                make_counted_move(state, tables, U(code), deal, counts)
            if net_plies > 0:
                deal["watched"] = 0
            ply = 0
            while state["phase"] != OVER:
                work["generator"]["word"] = decision_word(deal["chance"], U(ply))
                ply += 1
                code = choose_code(state, deal, players[far[row][np.int64(state["seat"])]], work)
                make_counted_move(state, tables, U(code), deal, counts)
            write_outcome(state, tables, side, counts, out[w, m])
            out[w, m]["chance"] = 0.0
            if stakes.goal != 0:
                out[w, m]["chance"] = worth_of_hand(state, tables, deals[0]["totals"], side, stakes, after)
