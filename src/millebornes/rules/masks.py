"""What is legal: masks of move codes, looked up in the tables and laid over a hand. No rule stands here."""

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
    """The n-th 64 legal move codes of the seat that decides; n below ``tables["targets"]``."""
    if state["phase"] != PLAY:
        return question_word(state, tables) if n == ZERO else ZERO
    if n == ZERO:
        return turn_word(state, tables)
    return further_hits(state, tables, state["own"], held_kinds(state["hand"][state["seat"]]), n)


@inner_kernel
def turn_word(state: Record, tables: Record) -> Word:
    """Legal move codes 0-63 in an ordinary turn."""
    held = held_kinds(state["hand"][state["seat"]])
    return held & tables["discardable"] | own_plays(state, tables, state["own"], state["rival"], held)


@inner_kernel
def own_plays(state: Record, tables: Record, side: Word, rival: Word, held: Word) -> Word:
    """Move codes 0-63 of the plays (not discards) of a seat of ``side`` with these kinds, as if it were its turn."""
    own = state["side"][side]
    other = state["side"][rival]
    playable = tables["own"][own & STATUS] & tables["miles"][state["extended"], own >> MILES & DISTANCE_INDEX]
    return (playable | tables["hit"][other & STATUS]) & (held * SIX)


@inner_kernel
def further_hits(state: Record, tables: Record, side: Word, held: Word, n: Word) -> Word:
    """Hazards that a seat of ``side`` may play on the side ``n + 1`` places after it, at the places of codes 0-63."""
    target = tables["opponent"][side, n + ONE]
    return tables["hit"][state["side"][target] & STATUS] & held << ONE


@kernel
def question_word(state: Record, tables: Record) -> Word:
    """R5.1, R5.6, R6.2: the answers to the question that is being asked; none when the hand is over."""
    phase = state["phase"]
    if phase == COUP:
        answer = tables["effect"][THREE * uint64(state["hazard"]) + ONE]["parry"]
        return PASS_BIT | answer << TWO  # a card's coup stands two places after its lowest bit in a hand word
    if phase == OPENING:
        return PASS_BIT | OPENING_CARD << TWO
    return CHOICE_BITS if phase == CHOICE else ZERO


@inner_kernel
def held_kinds(hand: Word) -> Word:
    """The lowest bit of each kind that a hand word holds."""
    return (hand | hand >> ONE | hand >> TWO) & HELD
