"""Masks of legal moves, looked up in the tables and combined with a hand. No rule is defined here."""

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

__all__ = ["further_hits", "held_kinds", "legal_word", "own_plays", "turn_word"]


@kernel
def legal_word(state: Record, tables: Record, n: Word) -> Word:
    """Return the n-th mask of 64 legal move codes of the seat to decide. ``n`` is less than ``tables["targets"]``."""
    if state["phase"] != PLAY:
        return question_word(state, tables) if n == ZERO else ZERO
    if n == ZERO:
        return turn_word(state, tables)
    return further_hits(state, tables, state["own"], held_kinds(state["hand"][state["seat"]]), n)


@inner_kernel
def turn_word(state: Record, tables: Record) -> Word:
    """Return legal move codes 0-63 in an ordinary turn."""
    held = held_kinds(state["hand"][state["seat"]])
    return held & tables["discardable"] | own_plays(state, tables, state["own"], state["rival"], held)


@inner_kernel
def own_plays(state: Record, tables: Record, side: Word, rival: Word, held: Word) -> Word:
    """Return the codes 0-63 of the plays (not discards) that a seat of ``side`` could make on its turn.

    ``held`` holds the kinds in its hand.
    """
    own = state["side"][side]
    other = state["side"][rival]
    playable = tables["own"][own & STATUS] & tables["miles"][state["extended"], own >> MILES & DISTANCE_INDEX]
    return (playable | tables["hit"][other & STATUS]) & (held * SIX)


@inner_kernel
def further_hits(state: Record, tables: Record, side: Word, held: Word, n: Word) -> Word:
    """Return the hazards that a seat of ``side`` may play on the side ``n + 1`` places after it, as codes 0-63."""
    target = tables["opponent"][side, n + ONE]
    return tables["hit"][state["side"][target] & STATUS] & held << ONE


@kernel
def question_word(state: Record, tables: Record) -> Word:
    """R5.1, R5.6, R6.2: return the answers to the current question, or none if the hand is over."""
    phase = state["phase"]
    if phase == COUP:
        answer = tables["effect"][THREE * uint64(state["hazard"]) + ONE]["parry"]
        return PASS_BIT | answer << TWO  # the bit of a card's coup is two above its lowest bit in a hand word
    if phase == OPENING:
        return PASS_BIT | OPENING_CARD << TWO
    return CHOICE_BITS if phase == CHOICE else ZERO


@inner_kernel
def held_kinds(hand: Word) -> Word:
    """Return the lowest bit of each kind that a hand word contains."""
    return (hand | hand >> ONE | hand >> TWO) & HELD
