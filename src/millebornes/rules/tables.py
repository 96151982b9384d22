"""Evaluate the clause functions for every status, once for each `Rules` object."""

import functools
from collections.abc import Callable
from typing import Final

import numpy as np

from millebornes.cards import DISTANCES, HAZARDS, MILES, REMEDIES, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.rules import clauses
from millebornes.rules.clauses import Status
from millebornes.rules.state import BATTLE_TOPS, EFFECT, KINDS, NOBODY, SEATS, TABLES, Record, Records, Side

PASS: Final = 60
EXTEND: Final = 61
FINISH: Final = 62
WORD: Final = (1 << 64) - 1
BATTLE_GOES: Final = 512
LIMIT_GOES: Final = 1024
GIVES_ROLL: Final = 2048
LIMITED: Final = Status(Card.ROLL, True, frozenset())
"""The status of a moving side that is under a speed limit."""
SAMPLE: Final = tuple(
    limit << Side.LIMIT | code << Side.BATTLE | safeties << Side.SAFETIES
    for limit in (0, 1)
    for code, top in enumerate(BATTLE_TOPS)
    if top is not None or not code
    for safeties in (0, 15)
)
"""Statuses among which each bit is set at least once and cleared at least once."""


def discard_code(card: Card) -> int:
    """Return the move code for discarding a card."""
    return 3 * card.index


def play_code(card: Card) -> int:
    """Return the move code for playing a card in the ordinary way, or a hazard on the next side."""
    return 3 * card.index + 1


def coup_code(safety: Card) -> int:
    """Return the move code for a coup fourré."""
    return 3 * safety.index + 2


def roll_200_code() -> int:
    """Return the move code for a 200 played as a roll (R4.7)."""
    return 3 * Card.D200.index + 2


def battle_code(top: Card | None) -> int:
    """Return the code that a side word uses for the card on top of the battle pile."""
    return BATTLE_TOPS.index(top)


def status_of(word: int) -> Status:
    """Return the status that is encoded in the lowest nine bits of a side word."""
    safeties = frozenset(safety for i, safety in enumerate(SAFETIES) if word >> Side.SAFETIES + i & 1)
    return Status(BATTLE_TOPS[word >> Side.BATTLE & 15], bool(word >> Side.LIMIT & 1), safeties)


def _status_word(status: Status) -> int:
    safeties = sum(1 << SAFETIES.index(safety) for safety in status.safeties)
    return safeties << Side.SAFETIES | status.limit_shown << Side.LIMIT | battle_code(status.battle) << Side.BATTLE


@functools.lru_cache(maxsize=64)
def tables_for(rules: Rules) -> Record:
    """Return the tables for these rules as a read-only `TABLES` record."""
    array = np.zeros(1, TABLES)
    tables = array[0]
    for word in range(512):
        _write_status_row(tables, word, rules)
    for extended in (False, True):
        goal = clauses.goal_in_force(rules, extended)
        tables["goal"][int(extended)] = goal // 25
        for index in range(512):
            miles, two_hundreds = 25 * (index & Side.MILES_MASK), index >> 7
            over = (card for card in DISTANCES if clauses.refuse_goal(card, miles, two_hundreds, goal))
            tables["miles"][int(extended), index] = WORD - sum(1 << play_code(card) for card in over)
    tables["effect"] = _effects()
    for i, safety in enumerate(SAFETIES):
        effect, after = tables["effect"][play_code(safety)], tables["after_safety"][0, i]
        effect["own_add"] = after[0]  # for a side that has driven no miles
        effect["special"] = (after >= BATTLE_GOES).any()  # R4.6, R4.10: whether the safety ever clears something away
    slow = {card for card in DISTANCES if not clauses.refuse_on_own_side(card, LIMITED, rules)}
    tables["slow_cards"] = sum(1 << discard_code(card) for card in slow)
    tables["fast_cards"] = sum(1 << discard_code(card) for card in DISTANCES if card not in {*slow, Card.D200})
    tables["discardable"] = sum(1 << discard_code(card) for card in Card if not clauses.refuse_discard(card, rules))
    _write_table(tables, rules)
    array.flags.writeable = False
    record: Record = array[0]
    return record


def _write_status_row(tables: Record, word: int, rules: Rules) -> None:
    side = status_of(word)
    own = sum(1 << play_code(card) for card in Card if not clauses.refuse_on_own_side(card, side, rules))
    if not clauses.refuse_on_own_side(Card.D200, side, rules, as_roll=True):
        own |= 1 << roll_200_code()
    tables["own"][word] = own
    tables["hit"][word] = sum(1 << play_code(card) for card in HAZARDS if not clauses.refuse_hit(card, side, rules))
    remedy = clauses.remedy_to_move(side)
    tables["remedy"][word] = 1 << discard_code(remedy) if remedy else 0
    tables["needs_roll"][word] = clauses.roll_to_move(side)
    tables["slow"][word] = clauses.is_limited(side)
    for coup in (0, 1):
        for i, safety in enumerate(SAFETIES):
            effect = clauses.after_safety(safety, side, rules, coup=bool(coup))
            tables["after_safety"][coup, i, word] = (
                _status_word(effect.status)
                | BATTLE_GOES * any(card is not Card.SPEED_LIMIT for card in effect.discarded)
                | LIMIT_GOES * (Card.SPEED_LIMIT in effect.discarded)
                | GIVES_ROLL * effect.gives_roll
            )


@functools.cache
def _effects() -> Records:
    """Return the effects of all move codes on side words and discards: the `EFFECT` records that all rules share."""
    effects = np.zeros(64, EFFECT)
    effects["own_keep"] = effects["hit_keep"] = WORD
    effects["special"] = effects["passes"] = 1
    effects["card"] = effects["safety"] = NOBODY
    for card in Card:
        for code in (discard_code(card), play_code(card), coup_code(card)):
            effects[code]["hand"], effects[code]["card"] = 1 << discard_code(card), card.index
        discard, play = effects[discard_code(card)], effects[play_code(card)]
        discard["discard"], discard["discards"], discard["special"] = card.index, 1, 0
        play["passes"] = not clauses.gives_another_turn(card)
        if card in SAFETIES:
            play["safety"] = effects[coup_code(card)]["safety"] = SAFETIES.index(card)
            continue
        play["special"] = 0
        if card in HAZARDS:
            play["parry"] = 1 << discard_code(clauses.answer_to(card))
            play["hit_keep"], play["hit_add"] = _change(functools.partial(clauses.after_hit, card))
        else:
            play["own_keep"], play["own_add"] = _change(functools.partial(clauses.after_play, card))
        if card in MILES:
            play["own_add"] += (MILES[card] // 25 << Side.MILES) + (1 << Side.DISTANCES[card.index])
        elif card is Card.END_OF_LIMIT:
            play["own_keep"] &= np.uint64(WORD - (1 << Side.END_OF_LIMIT))
            play["own_add"] += 1 << Side.END_OF_LIMIT
        elif card in REMEDIES:
            play["own_keep"] &= np.uint64(WORD - (1 << Side.ROLL_IS_200))
    roll = effects[roll_200_code()]
    roll["own_keep"], roll["own_add"] = _change(functools.partial(clauses.after_play, Card.D200, as_roll=True))
    roll["own_keep"] &= np.uint64(WORD - (1 << Side.ROLL_IS_200))
    roll["own_add"] += 1 << Side.ROLL_IS_200
    roll["special"] = 0
    return effects


def _change(after: Callable[[Status], Status]) -> tuple[int, int]:
    """Return the effect of a clause function on a status as ``keep`` and ``add``, for the formula word & keep + add.

    ``add`` contains the bits that are set in every new status. ``keep`` doesn't contain these bits, nor any bit that is
    set in no new status.
    """
    add = _status_word(after(Status(None, False, frozenset())))
    keep = WORD
    for word in SAMPLE:
        new = _status_word(after(status_of(word)))
        keep &= ~word | (new & ~add) | ~Side.STATUS_MASK
    return keep & WORD, add


def _write_table(tables: Record, rules: Rules) -> None:
    tables["size"], tables["seats"], tables["sides"], tables["hand_size"] = (
        rules.cards,
        rules.seats,
        rules.sides,
        rules.hand_size,
    )
    test = clauses.end_test(rules)
    tables["tests_end"], tables["hand_end"] = test is not clauses.EndTest.CARDS, test
    tables["targets"] = clauses.targets_in_reach(rules)
    for seat in range(SEATS):
        tables["side_of"][seat] = rules.side_of(seat)
        tables["rival_of"][seat] = (seat + 1) % rules.sides
        for n in range(SEATS):
            tables["opponent"][seat, n] = (seat + n) % rules.sides
    _write_entitled(tables, rules)
    tables["extendable"] = [clauses.may_extend(rules, extended) for extended in (False, True)]
    tables["two_hundred_rolls"] = rules.roll_200
    tables["opening"] = clauses.opening_answer(rules) is not None
    tables["points"] = clauses.points_of(rules)
    tables["count"] = rules.deck
    tables["deck"][: rules.cards] = np.repeat(np.arange(KINDS), rules.deck)


def _write_entitled(tables: Record, rules: Rules) -> None:
    """R5.1: write the seats that may answer for kernels: every ``holder_step`` seats from ``victims`` × side."""
    one, other = ([seat for seat in range(rules.seats) if clauses.is_entitled(seat, side, rules)] for side in (0, 1))
    tables["victims"] = other[0] - one[0]
    tables["holder_step"] = one[1] - one[0] if len(one) > 1 else rules.seats
    tables["single"] = len(one) == 1
