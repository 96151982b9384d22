"""Kernels for the flow of a hand: they deal, apply moves, ask the questions, and begin the next turn.

The tables, which are filled by the clause functions, contain the effect of each card on a side and the seats that may
answer it. The clause functions themselves, compiled, decide whose turn it is, how many cards are drawn, what follows
from an answer, and when the hand ends. This module only adds the order of events: the deal (R2.4), the hazard, question
and answer (R5.1, R5.6), the choice at the goal (R6.2), and the tests and draws before a turn (R2.5, R6.3). `next_turn`
is a fast version of `begin_turn` for ordinary turns.

States and tables are records, which kernels receive as plain pointers. All integers are unsigned and have 64 bits,
because mixing signed and unsigned integers would silently produce floats. A state always shows a moment *after* the
draws of the seat to decide.
"""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules import clauses
from millebornes.rules.hand_end import is_hand_over
from millebornes.rules.state import SEATS, Record, Word
from millebornes.rules.words import (
    BATTLE,
    BATTLE_MASK,
    CHOICE,
    CODE_MASK,
    COUP,
    COUPS,
    EXTEND_CODE,
    HIT_BATTLE,
    HIT_LIMIT,
    HIT_ROLL,
    MILES,
    MILES_MASK,
    NO,
    NOT_200_ROLL,
    NOT_STATUS,
    ONE,
    OPENING,
    OPENING_CARD,
    OVER,
    PASS_CODE,
    PLAY,
    SPEED_LIMIT_KIND,
    STATUS,
    THREE,
    TOP_KIND,
    WORD_SHIFT,
    ZERO,
    count_cards,
)

_cards_to_draw: Final[Any] = inner_kernel(clauses.cards_to_draw)
_is_hazard_taken_back: Final[Any] = inner_kernel(clauses.is_hazard_taken_back)
_is_trip_complete: Final[Any] = inner_kernel(clauses.is_trip_complete)
_turn_after_answer: Final[Any] = inner_kernel(clauses.turn_after_answer)
_turn_goes_to: Final[Any] = inner_kernel(clauses.turn_goes_to)


@kernel
def start_hand(state: Record, tables: Record, first: Word) -> None:
    """R2.4, R5.6: deal from the deck in the state, and start with the opening call or the first turn."""
    seats = tables["seats"]
    for place in range(SEATS):
        state["hand"][place] = ZERO
        state["side"][place] = ZERO
    seat: Word = uint64(first)
    dealt = seats * tables["hand_size"]
    for i in range(dealt):
        state["hand"][seat] += ONE << (THREE * uint64(state["deck"][i]))
        state["deck"][i] = np.uint8(0)
        seat += ONE
        if seat == seats:
            seat = ZERO
    state["drawn"] = dealt
    state["first"] = np.uint8(first)
    state["extended"] = np.uint8(0)
    state["completed"] = NO
    state["discarded"] = ZERO
    clear_question(state)
    if tables["opening"]:
        for seat in range(seats):
            if state["hand"][seat] & OPENING_CARD:
                set_seat(state, tables, uint64(seat))
                state["phase"] = OPENING
                return
    begin_turn(state, tables, uint64(first))


@inner_kernel
def apply_move(state: Record, tables: Record, code: Word) -> Word:
    """Make a legal move, continue to the next decision, and draw the cards for it. Returns the new phase.

    The code must be legal (see `legal_word`), because it isn't checked. Even the effect of a card that leaves a side
    word unchanged is applied, because this is faster than an unpredictable branch.
    """
    effect = tables["effect"][code & CODE_MASK]
    if effect["special"]:
        apply_special(state, tables, code, effect)
        return state["phase"]
    seat = state["seat"]
    side = state["own"]
    target = state["rival"] if code <= CODE_MASK else tables["opponent"][side, (code >> WORD_SHIFT) + ONE]
    state["hand"][seat] -= effect["hand"]
    own = (state["side"][side] & effect["own_keep"]) + effect["own_add"]
    state["side"][side] = own
    before = state["side"][target]
    state["side"][target] = (before & effect["hit_keep"]) + effect["hit_add"]
    discarded = state["discarded"]
    state["deck"][discarded] = effect["discard"]
    state["discarded"] = discarded + effect["discards"]
    if entitled_hands(state, tables, target) & effect["parry"] != ZERO:  # R5.1
        ask_coup(state, tables, seat, target, before, effect)
        return COUP
    if _is_trip_complete(own >> MILES & MILES_MASK, tables["goal"][state["extended"]]):  # R6.1
        reach_goal(state, tables, side)
        return state["phase"]
    return next_turn(state, tables, seat + effect["passes"])


@inner_kernel
def entitled_hands(state: Record, tables: Record, target: Word) -> Word:
    """R5.1: return the cards held by all seats that may answer a hazard on the side ``target``.

    The result is the OR of their hand words.
    """
    if tables["single"]:
        return state["hand"][target]
    hands = ZERO
    seat = target * tables["victims"]
    while seat < tables["seats"]:
        hands |= state["hand"][seat]
        seat += tables["holder_step"]
    return hands


@kernel
def ask_coup(state: Record, tables: Record, seat: Word, target: Word, before: Word, effect: Record) -> None:
    """R5.1: ask the entitled seat that holds the safety against the hazard that ``seat`` has just played."""
    holder = target * tables["victims"]
    while state["hand"][holder] & effect["parry"] == ZERO:
        holder += tables["holder_step"]
    set_seat(state, tables, holder)
    state["phase"] = COUP
    state["attacker"] = np.uint8(seat)
    state["target"] = np.uint8(target)
    state["hazard"] = effect["card"]
    state["saved"] = before


@inner_kernel
def next_turn(state: Record, tables: Record, seat: Word) -> Word:
    """R2.1, R2.5: continue with an ordinary turn of ``seat``, which draws one card.

    The first seat follows after the last.

    If nothing can be drawn, `begin_turn` is called instead. Returns the new phase.
    """
    if seat == tables["seats"]:
        seat = ZERO
    drawn = state["drawn"]
    card = uint64(drawn < tables["size"])  # draw one card or none, without an unpredictable branch
    hand = state["hand"][seat] + (card << (THREE * uint64(state["deck"][drawn])))
    if (hand == ZERO) | (card < tables["tests_end"]):
        begin_turn(state, tables, seat)
        return state["phase"]
    state["hand"][seat] = hand
    state["deck"][drawn] = np.uint8(0)
    state["drawn"] = drawn + card
    set_seat(state, tables, seat)
    return PLAY


@kernel
def begin_turn(state: Record, tables: Record, seat: Word) -> None:
    """R2.5, R2.6, R6.3: begin the turn of ``seat``, or of the first seat after it that has cards or can draw.

    The tests for the end of the hand come before the draws.
    """
    size = tables["size"]
    state["phase"] = PLAY
    if state["drawn"] >= size:
        if is_hand_over(state, tables):
            state["phase"] = OVER
            return
        set_seat(state, tables, uint64(_turn_goes_to(np.int64(seat), state["hand"], 0, np.int64(tables["seats"]))))
        return
    set_seat(state, tables, seat)
    hand = state["hand"][seat]
    drawn = state["drawn"]
    left = np.int64(size) - np.int64(drawn)
    for _ in range(_cards_to_draw(np.int64(count_cards(hand)), left, np.int64(tables["hand_size"]))):
        hand += ONE << (THREE * uint64(state["deck"][drawn]))
        state["deck"][drawn] = np.uint8(0)
        drawn += ONE
    state["hand"][seat] = hand
    state["drawn"] = drawn


@kernel
def reach_goal(state: Record, tables: Record, side: Word) -> None:
    """R6.1, R6.2: the side has reached the goal in force, so end the hand or ask the seat whether to extend it."""
    if tables["extendable"][state["extended"]]:
        state["phase"] = CHOICE
    else:
        complete_trip(state, side)


@kernel
def complete_trip(state: Record, side: Word) -> None:
    """R6.1: record the side that has completed the trip, and end the hand."""
    state["completed"] = np.uint8(side)
    state["phase"] = OVER


@kernel
def apply_special(state: Record, tables: Record, code: Word, effect: Record) -> None:
    """R4.6, R5.4, R5.6, R6.2: apply an answer to a question, or a safety that may clear something away."""
    seat = state["seat"]
    state["hand"][seat] -= effect["hand"]
    phase = state["phase"]
    if phase == PLAY:
        add_safety(state, tables, tables["side_of"][seat], uint64(effect["safety"]), ZERO)
        begin_turn(state, tables, seat)  # R4.6
    elif phase == CHOICE:
        if code == EXTEND_CODE:  # R6.2
            state["extended"] = np.uint8(1)
            state["phase"] = PLAY
            next_turn(state, tables, seat + ONE)
        else:
            complete_trip(state, tables["side_of"][seat])
    elif code == PASS_CODE:
        after = turn_after_answer(state, tables, False)
        clear_question(state)
        if phase == OPENING:
            begin_turn(state, tables, uint64(state["first"]))  # R5.6
        else:
            next_turn(state, tables, after)
    else:
        apply_coup(state, tables, seat, uint64(effect["safety"]))


@inner_kernel
def turn_after_answer(state: Record, tables: Record, called: bool) -> Word:
    """R5.3, R5.4: return the seat with the next turn after the answer of the seat to decide."""
    seat, attacker = np.int64(state["seat"]), np.int64(state["attacker"])
    return uint64(_turn_after_answer(called, seat, attacker, np.int64(tables["seats"])))


@kernel
def apply_coup(state: Record, tables: Record, seat: Word, safety: Word) -> None:
    """R5.2, R5.3, R5.6: apply a coup that was called.

    If the hazard was played on the caller's own side, it is discarded.
    """
    side = tables["side_of"][seat]
    if _is_hazard_taken_back(side, uint64(state["target"])):  # the opening call has no target side
        state["side"][side] = state["saved"]
        discard(state, state["hazard"])
    after = turn_after_answer(state, tables, True)
    clear_question(state)
    add_safety(state, tables, side, safety, ONE)
    begin_turn(state, tables, after)


@kernel
def add_safety(state: Record, tables: Record, side: Word, safety: Word, coup: Word) -> None:
    """R4.6, R4.10: add a safety to the tableau of a side. ``coup`` is 1 for a coup fourré."""
    own = state["side"][side]
    after = uint64(tables["after_safety"][coup, safety, own & STATUS])
    if after & HIT_BATTLE:
        discard(state, TOP_KIND[own >> BATTLE & BATTLE_MASK])
    if after & HIT_LIMIT:
        discard(state, SPEED_LIMIT_KIND)
    if after & HIT_ROLL:
        own &= NOT_200_ROLL
    state["side"][side] = (own & NOT_STATUS) | (after & STATUS) | coup << (COUPS + safety)


@kernel
def discard(state: Record, kind: Word) -> None:
    """Move a card from the tableau of a side to the discard pile."""
    state["deck"][state["discarded"]] = kind
    state["discarded"] += ONE


@kernel
def clear_question(state: Record) -> None:
    """Clear the fields for a pending hazard."""
    state["phase"] = PLAY
    state["attacker"] = NO
    state["target"] = NO
    state["hazard"] = NO
    state["saved"] = ZERO


@inner_kernel
def set_seat(state: Record, tables: Record, seat: Word) -> None:
    """Make ``seat`` the seat to decide."""
    state["seat"] = seat
    state["own"] = tables["side_of"][seat]
    state["rival"] = tables["rival_of"][seat]
