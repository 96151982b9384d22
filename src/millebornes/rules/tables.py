"""Tabulation: the clause functions evaluated for every status, once for each `Rules`."""

import functools
from typing import Final

import numpy as np

from millebornes.cards import DISTANCES, HAZARDS, MILES, REMEDIES, SAFETIES, SAFETY_OF, Card
from millebornes.editions import Rules
from millebornes.rules import clauses
from millebornes.rules.clauses import Status
from millebornes.rules.state import BATTLE_TOPS, KINDS, NOBODY, SEATS, TABLES, Record, Side

__all__ = [
    "EXTEND",
    "FINISH",
    "PASS",
    "battle_code",
    "coup_code",
    "discard_code",
    "play_code",
    "roll_200_code",
    "status_of",
    "tables_for",
]

PASS: Final = 60
EXTEND: Final = 61
FINISH: Final = 62
WORD: Final = (1 << 64) - 1
BATTLE_MASK: Final = 15 << Side.BATTLE
BATTLE_GOES: Final = 512
LIMIT_GOES: Final = 1024
GIVES_ROLL: Final = 2048


def discard_code(card: Card) -> int:
    """Move code of a discard."""
    return 3 * card.index


def play_code(card: Card) -> int:
    """Move code of an ordinary play; a hazard on the next side."""
    return 3 * card.index + 1


def coup_code(safety: Card) -> int:
    """Move code of a coup fourré."""
    return 3 * safety.index + 2


def roll_200_code() -> int:
    """Move code of a 200 in place of a roll (R4.7)."""
    return 3 * Card.D200.index + 2


def battle_code(top: Card | None) -> int:
    """Code of a battle pile's top in a side word."""
    return BATTLE_TOPS.index(top)


def status_of(word: int) -> Status:
    """The status in the lowest nine bits of a side word."""
    safeties = frozenset(safety for i, safety in enumerate(SAFETIES) if word >> Side.SAFETIES + i & 1)
    return Status(BATTLE_TOPS[word >> Side.BATTLE & 15], bool(word >> Side.LIMIT & 1), safeties)


def _status_word(status: Status) -> int:
    safeties = sum(1 << SAFETIES.index(safety) for safety in status.safeties)
    return safeties << Side.SAFETIES | status.limit_shown << Side.LIMIT | battle_code(status.battle) << Side.BATTLE


@functools.lru_cache(maxsize=64)
def tables_for(rules: Rules) -> Record:
    """The tables of these rules: one `TABLES` record, read only."""
    array = np.zeros(1, TABLES)
    tables = array[0]
    for word in range(512):
        _write_status_row(tables, word, rules)
    for extended, goal in enumerate((rules.goal, rules.extension_goal or rules.goal)):
        tables["goal"][extended] = goal // 25
        for index in range(512):
            miles, two_hundreds = 25 * (index & Side.MILES_MASK), index >> 7
            over = (card for card in DISTANCES if clauses.refuse_goal(card, miles, two_hundreds, goal))
            tables["miles"][extended, index] = WORD - sum(1 << play_code(card) for card in over)
    for code in range(64):
        effect = tables["effect"][code]
        effect["own_keep"] = effect["hit_keep"] = WORD
        effect["special"], effect["passes"], effect["card"], effect["safety"] = 1, 1, NOBODY, NOBODY
    for card in Card:
        _write_effects(tables, card)
    tables["discardable"] = sum(1 << discard_code(card) for card in Card if not clauses.refuse_discard(card, rules))
    _write_table(tables, rules)
    array.flags.writeable = False
    return array[0]


def _write_status_row(tables: Record, word: int, rules: Rules) -> None:
    side = status_of(word)
    own = sum(1 << play_code(card) for card in Card if not clauses.refuse_on_own_side(card, side))
    if not clauses.refuse_roll_200(side, rules):
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


def _write_effects(tables: Record, card: Card) -> None:
    for code in (discard_code(card), play_code(card), coup_code(card)):
        effect = tables["effect"][code]
        effect["hand"], effect["card"] = 1 << discard_code(card), card.index
    discard, play, other = (tables["effect"][code] for code in (discard_code(card), play_code(card), coup_code(card)))
    discard["discard"], discard["discards"], discard["special"] = card.index, 1, 0
    if card in SAFETIES:
        safety = SAFETIES.index(card)
        play["safety"] = other["safety"] = safety
        play["own_add"], play["passes"] = 1 << safety, 0
        play["special"] = bool((tables["after_safety"][0, safety] >= BATTLE_GOES).any())
    elif card in HAZARDS:
        hit = _status_word(clauses.after_hit(card, Status(None, False, frozenset())))
        play["special"] = 0
        play["parry"] = 1 << discard_code(SAFETY_OF[card])
        play["hit_keep"], play["hit_add"] = WORD - (1 << Side.LIMIT if card is Card.SPEED_LIMIT else BATTLE_MASK), hit
    else:
        play["special"] = 0
    if card in MILES:
        index = card.index
        play["own_add"] = (MILES[card] // 25 << Side.MILES) + (1 << Side.DISTANCES[index])
    elif card is Card.END_OF_LIMIT:
        play["own_keep"] = WORD - (1 << Side.LIMIT | 1 << Side.END_OF_LIMIT)
        play["own_add"] = 1 << Side.END_OF_LIMIT
    elif card in REMEDIES:
        play["own_keep"] = WORD - (BATTLE_MASK | 1 << Side.ROLL_IS_200)
        play["own_add"] = battle_code(card) << Side.BATTLE
    if card is Card.D200:
        other["special"] = 0
        other["own_keep"] = WORD - BATTLE_MASK
        other["own_keep"] &= np.uint64(WORD - (1 << Side.ROLL_IS_200))
        other["own_add"] = battle_code(Card.ROLL) << Side.BATTLE | 1 << Side.ROLL_IS_200


def _write_table(tables: Record, rules: Rules) -> None:
    tables["size"], tables["seats"], tables["sides"], tables["hand_size"] = (
        rules.cards,
        rules.seats,
        rules.sides,
        rules.hand_size,
    )
    tables["tests_end"] = rules.hand_end != "cards"
    tables["targets"] = clauses.targets_in_reach(rules)
    for seat in range(SEATS):
        tables["side_of"][seat] = rules.side_of(seat)
        tables["rival_of"][seat] = (seat + 1) % rules.sides
        for n in range(SEATS):
            tables["opponent"][seat, n] = (seat + n) % rules.sides
    tables["victims"], tables["holder_step"] = (0, 1) if rules.coup_by == "anyone" else (1, rules.sides)
    tables["single"] = rules.coup_by == "victim" and rules.seats == rules.sides
    tables["extendable"] = rules.extension_goal is not None
    tables["two_hundred_rolls"] = rules.roll_200
    tables["opening"], tables["bonus"] = rules.opening_right_of_way, rules.all_safeties_bonus
    tables["hand_end"] = ("cards", "plays", "points").index(rules.hand_end)
    tables["count"] = rules.deck
    tables["deck"][: rules.cards] = np.repeat(np.arange(KINDS), rules.deck)
