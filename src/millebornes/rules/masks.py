"""Find the legal moves by combining masks from the tables with the cards in a hand. This module defines no rules."""

from numpy import uint64

from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules.state import Record, Word
from millebornes.rules.words import (
    CHOICE,
    CHOICE_BITS,
    COUP,
    DISTANCE_INDEX,
    HELD,
    MILES,
    ONE,
    OPENING,
    OPENING_CARD,
    PASS_BIT,
    PLAY,
    SIX,
    STATUS,
    THREE,
    TWO,
    ZERO,
)


@kernel
def legal_word(state: Record, tables: Record, n: Word) -> Word:
    """Return the n-th mask of 64 legal move codes for the seat to decide. ``n`` is less than ``tables["targets"]``."""
    if state["phase"] != PLAY:
        return question_word(state, tables) if n == ZERO else ZERO
    if n == ZERO:
        return turn_word(state, tables)
    return further_hits(state, tables, state["own"], held_kinds(state["hand"][state["seat"]]), n)


@inner_kernel
def turn_word(state: Record, tables: Record) -> Word:
    """Return the legal move codes 0-63 for an ordinary turn."""
    held = held_kinds(state["hand"][state["seat"]])
    return held & tables["discardable"] | own_plays(state, tables, state["own"], state["rival"], held)


@inner_kernel
def own_plays(state: Record, tables: Record, side: Word, rival: Word, held: Word) -> Word:
    """Return the plays (not discards) that a seat of ``side`` could make on its turn, as a mask of the codes 0-63.

    ``held`` contains the kinds of cards in its hand.
    """
    own = state["side"][side]
    other = state["side"][rival]
    playable = tables["own"][own & STATUS] & tables["miles"][state["extended"], own >> MILES & DISTANCE_INDEX]
    return (playable | tables["hit"][other & STATUS]) & (held * SIX)


@inner_kernel
def further_hits(state: Record, tables: Record, side: Word, held: Word, n: Word) -> Word:
    """Return the hazards that ``side`` may play on the side ``n + 1`` places after it, as a mask of codes 0-63."""
    target = tables["opponent"][side, n + ONE]
    return tables["hit"][state["side"][target] & STATUS] & held << ONE


@kernel
def question_word(state: Record, tables: Record) -> Word:
    """R5.1, R5.6, R6.2: return a mask of the answers to the current question, which is empty if the hand is over."""
    phase = state["phase"]
    if phase == COUP:
        answer = tables["effect"][THREE * uint64(state["hazard"]) + ONE]["parry"]
        return PASS_BIT | answer << TWO  # the bit for a card's coup is two places above its lowest bit in a hand word
    if phase == OPENING:
        return PASS_BIT | OPENING_CARD << TWO
    return CHOICE_BITS if phase == CHOICE else ZERO


@inner_kernel
def held_kinds(hand: Word) -> Word:
    """Return a mask with the lowest bit of each kind that a hand word contains."""
    return (hand | hand >> ONE | hand >> TWO) & HELD
