"""Solve the end of a hand for two seats, once the draw pile is empty.

Each seat then knows the other hand, which consists of all cards that the seat hasn't seen. The solution therefore
contains the exact value of each move if both sides play as well as possible.

The method is an alpha-beta search (Knuth and Moore, 1975) with a transposition table.

Two rules keep the tree small without changing any value. First, a card is *dead* for a seat that can never play it
again, whatever happens. All dead cards in a hand are equivalent, so they count as a single kind. Second, if only the
last card ends a hand (R6.3, `cards`), a player with a dead card needn't consider discarding any other card. Keeping the
other card and treating it as dead is at least as good.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import uint64

from millebornes.cards import ANSWERS, DISTANCES, HAZARDS, MAJOR_HAZARDS, REMEDY_OF, SAFETIES, SAFETY_OF, Card
from millebornes.editions import Rules
from millebornes.kernels.bits import count_bits, lowest_bit
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.policies.codes import UNITS
from millebornes.policies.games import worth_of_hand
from millebornes.policies.match_equity import Stakes, stakes_of
from millebornes.rules.engine import engine_for
from millebornes.rules.masks import legal_word
from millebornes.rules.scoring import count_lines, side_score, total_points
from millebornes.rules.state import KINDS, Integers, Phase, Record, Records, Side, Word
from millebornes.rules.tables import battle_code, discard_code, tables_for
from millebornes.rules.turns import apply_move
from millebornes.rules.words import count_cards
from millebornes.search.information_set import InformationSet

U = np.uint64
ZERO, ONE, THREE, SEVEN = U(0), U(1), U(3), U(7)
PLAY, COUP, OVER = np.uint8(Phase.PLAY), np.uint8(Phase.COUP), np.uint8(Phase.OVER)
DEPTH: Final = 64
"""The maximum number of positions on the way to the end. Each step except answers uses up one of at most 16 cards."""
PLACES: Final = 1 << 18
"""The number of positions that can be remembered, a power of two."""
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
PLAYS: Final = U(sum(1 << code for code in range(64) if code % 3 or code >= 3 * KINDS))
"""The codes of all moves except discards. Discards are tried after these."""
MIX_A, MIX_B, MIX_C = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)

DISTANCE_CARDS = U(sum(1 << discard_code(card) for card in DISTANCES))
CARD_200, ROLL_CARD, END_CARD = (U(1 << discard_code(card)) for card in (Card.D200, Card.ROLL, Card.END_OF_LIMIT))
HAZARD_CARDS = np.array([1 << discard_code(card) for card in HAZARDS], np.uint64)
HAZARD_SAFETY = np.array([SAFETIES.index(SAFETY_OF[card]) for card in HAZARDS], np.uint64)  # positions in a side word
ANSWERED = np.array([sum(1 << discard_code(card) for card in ANSWERS[safety]) for safety in SAFETIES], np.uint64)
"""The hazards that each safety answers, as bits in a hand word."""
REMEDY_CARDS = np.array([1 << discard_code(REMEDY_OF[card]) for card in MAJOR_HAZARDS], np.uint64)
HAZARD_TOPS = np.array([battle_code(card) for card in MAJOR_HAZARDS], np.uint64)
MAJORS: Final = len(MAJOR_HAZARDS)
SPEED_LIMIT: Final = HAZARDS.index(Card.SPEED_LIMIT)
ROLL_TOP = U(battle_code(Card.ROLL))
BATTLE, BATTLE_MASK, LIMIT, COUPS = U(Side.BATTLE), U(15), U(Side.LIMIT), U(Side.COUPS)
MILES, MILES_MASK, DISTANCE_INDEX = U(Side.MILES), U(Side.MILES_MASK), U(Side.DISTANCE_INDEX_MASK)
TWO_HUNDREDS, TWO_HUNDREDS_MASK = U(Side.TWO_HUNDREDS), U(3)
SAFETY_PLACE = U(discard_code(Card.DRIVING_ACE))

FRAME: Final = np.dtype(
    [
        ("left", "u8"),  # moves that haven't been tried
        ("first", "u8"),  # key of the position, in two parts
        ("second", "u8"),
        ("alpha", "f8"),  # side 0 can already get this much elsewhere
        ("beta", "f8"),  # … and side 1 can keep side 0 to this much elsewhere
        ("low", "f8"),  # alpha and beta at the start
        ("high", "f8"),
        ("best", "f8"),  # the value so far
    ],
    align=True,
)
"""A position on the way from the root. Values are from the viewpoint of side 0, which maximises them."""

ENTRY: Final = np.dtype(
    [("first", "u8"), ("second", "u8"), ("value", "f8"), ("kind", "i8")],
    align=True,
)
"""A position that has been searched: its value, whether the value is exact or a bound, and the search that found it."""


@inner_kernel
def mix(word: Word, more: Word) -> Word:
    """Return a hash that includes another word."""
    word = (word ^ more) * MIX_B
    word = (word ^ (word >> U(29))) * MIX_C
    return word ^ (word >> U(32))


@inner_kernel
def hash_state(state: Record, start: Word) -> Word:
    """Return a hash of everything on which the rest of the hand depends."""
    word = mix(start, state["hand"][0])
    word = mix(word, state["hand"][1])
    word = mix(word, state["side"][0])
    word = mix(word, state["side"][1])
    facts = uint64(state["seat"]) | uint64(state["phase"]) << U(8) | uint64(state["extended"]) << U(16)
    if state["phase"] == COUP:
        facts |= uint64(state["hazard"]) << U(24) | uint64(state["attacker"]) << U(32)
        word = mix(word, state["saved"])
    return mix(word, facts)


@inner_kernel
def dead_kinds(state: Record, tables: Record, side: Word) -> Word:
    """Return the kinds of cards that the seat of a side can never play again, as lowest bits in a hand word.

    Don't call this while a coup fourré can be called, because the card under the hazard may become visible again.
    """
    own, other = state["side"][side], state["side"][ONE - side]
    threats = state["hand"][ONE - side]
    goal = state["extended"] | tables["extendable"][0]
    dead = ~(tables["miles"][goal, own >> MILES & DISTANCE_INDEX] >> ONE) & DISTANCE_CARDS
    if tables["two_hundred_rolls"]:
        dead &= ~CARD_200
    top = own >> BATTLE & BATTLE_MASK
    is_threatened = ZERO
    for n in range(len(HAZARD_CARDS)):
        card = HAZARD_CARDS[n]
        if other >> HAZARD_SAFETY[n] & ONE:
            dead |= card
        is_answered = own >> HAZARD_SAFETY[n] & ONE != ZERO
        comes = not is_answered and threats & (card * SEVEN) != ZERO
        if n != SPEED_LIMIT and comes:
            is_threatened = ONE
        if n < MAJORS and not comes and (is_answered or top != HAZARD_TOPS[n]):
            dead |= REMEDY_CARDS[n]
        if n == SPEED_LIMIT and not comes and (is_answered or own >> LIMIT & ONE == ZERO):
            dead |= END_CARD
    if is_threatened == ZERO and top == ROLL_TOP:
        dead |= ROLL_CARD
    return dead


@inner_kernel
def merged_dead(hand: Word, dead: Word) -> Word:
    """Return a hand word in which all dead cards count as the first dead kind."""
    every = hand & (dead * SEVEN)
    return (hand ^ every) + count_cards(every) * (dead & (ZERO - dead))


@inner_kernel
def highest_score(state: Record, tables: Record, side: Word) -> Word:
    """Return an upper bound for the points of a side, ignoring the moves of the other side."""
    own, other = state["side"][side], state["side"][ONE - side]
    hand, threats = state["hand"][side], state["hand"][ONE - side]
    if not tables["single"] or state["phase"] == COUP:
        threats = ~ZERO
    extendable = tables["extendable"][state["extended"]]
    miles: Word = np.int64(own >> MILES & MILES_MASK)
    goal: Word = np.int64(tables["goal"][state["extended"]])
    most: Word = np.int64(tables["goal"][1]) if extendable else goal
    reach = np.int64(0)
    for kind in range(len(UNITS)):
        reach += np.int64(hand >> (THREE * U(kind)) & SEVEN) * UNITS[kind]
    safeties = own & U(15)
    coups: Word = np.int64(count_bits(own >> COUPS & U(15)))
    two_hundreds: Word = np.int64(own >> TWO_HUNDREDS & TWO_HUNDREDS_MASK)
    for n in range(len(ANSWERED)):
        if hand >> (SAFETY_PLACE + THREE * U(n)) & ONE:
            safeties |= ONE << U(n)
            if threats & (ANSWERED[n] * SEVEN):
                coups += 1
    owned: Word = np.int64(count_bits(safeties))
    counts = count_lines(
        25 * (miles + min(reach, most - miles)),
        owned,
        coups,
        miles + reach >= goal,
        True,
        two_hundreds,
        extendable != 0 or state["extended"] != 0,
        1 if other >> MILES & MILES_MASK == ZERO else 0,
    )
    return total_points(counts, tables)


@inner_kernel
def bounds(state: Record, tables: Record, stakes: Stakes) -> tuple[float, float]:
    """Return a lower and an upper bound for the value of the hand to side 0."""
    if stakes.goal != 0:
        return 0.0, 1.0
    least = np.float64(side_score(state, tables, ZERO) - highest_score(state, tables, ONE))
    return least, np.float64(highest_score(state, tables, ZERO) - side_score(state, tables, ONE))


@inner_kernel
def merge_dead_cards(state: Record, tables: Record) -> Word:
    """Merge the dead cards in each hand. Return the dead kinds of the seat to decide, or none during a question."""
    if state["phase"] == COUP:
        return ZERO
    one, two = dead_kinds(state, tables, ZERO), dead_kinds(state, tables, ONE)
    state["hand"][0] = merged_dead(state["hand"][0], one)
    state["hand"][1] = merged_dead(state["hand"][1], two)
    return one if state["own"] == ZERO else two


@inner_kernel
def recall(frame: Record, state: Record, entries: Records, age: Word) -> tuple[bool, float]:
    """Return whether the remembered value of a position is all that is needed here, and the remembered value."""
    first, second = hash_state(state, MIX_A), hash_state(state, MIX_C)
    frame["first"], frame["second"] = first, second
    frame["low"], frame["high"] = frame["alpha"], frame["beta"]
    entry = entries[np.int64(first & U(len(entries) - 1))]
    if entry["kind"] >> 2 != age or entry["first"] != first or entry["second"] != second:
        return False, 0.0
    kind, value = entry["kind"] & 3, entry["value"]
    high_enough = kind == AT_LEAST and value >= frame["beta"]
    low_enough = kind == AT_MOST and value <= frame["alpha"]
    return kind == EXACT or high_enough or low_enough, value


@inner_kernel
def remember(frame: Record, entries: Records, age: Word) -> None:
    """Remember the value of a position, with a note whether it is exact or a bound."""
    value = frame["best"]
    entry = entries[np.int64(frame["first"] & U(len(entries) - 1))]
    entry["first"], entry["second"], entry["value"] = frame["first"], frame["second"], value
    kind = AT_MOST if value <= frame["low"] else AT_LEAST if value >= frame["high"] else EXACT
    entry["kind"] = age << 2 | kind


@inner_kernel
def moves_to_try(state: Record, tables: Record, dead: Word) -> Word:
    """Return the legal moves, except discards that can't be better than discarding a dead card."""
    left = legal_word(state, tables, ZERO)
    thrown = left & dead
    if tables["tests_end"] == 0 and thrown != ZERO and state["phase"] == PLAY:
        left = left & PLAYS | thrown
    return left


@inner_kernel
def next_code(frame: Record) -> Word:
    """Return the next move that hasn't been tried, with plays before discards."""
    left = frame["left"]
    tried = left & PLAYS
    if tried == ZERO:
        tried = left
    bit = tried & (ZERO - tried)
    frame["left"] = left ^ bit
    return uint64(lowest_bit(bit))


@inner_kernel
def add_move(frame: Record, state: Record, value: float) -> None:
    if state["own"] == ZERO:
        frame["best"] = max(frame["best"], value)
        frame["alpha"] = max(frame["alpha"], value)
    else:
        frame["best"] = min(frame["best"], value)
        frame["beta"] = min(frame["beta"], value)


@kernel
def solve(
    states: Records,
    tables: Records,
    frames: Records,
    entries: Records,
    totals: Integers,
    stakes: Stakes,
    limit: Word,
    age: Word,
) -> tuple[float, Word]:
    """Return the value of ``states[0]`` to side 0 with best play on both sides, and the number of positions visited.

    If more than ``limit`` positions were visited, the value has no meaning. ``states`` and ``frames`` have `DEPTH`
    elements, and ``totals`` contains the points of each side before the hand. Entries with another ``age`` are ignored.
    """
    rules = tables[0]
    room = np.zeros(2, np.int64)
    depth, nodes = np.int64(0), np.int64(0)
    value = 0.0
    frames[0]["alpha"], frames[0]["beta"] = -np.inf, np.inf
    entering = True
    while True:
        frame, state = frames[depth], states[depth]
        is_done = False
        if not entering:
            add_move(frame, state, value)
        else:
            nodes += 1
            if nodes > limit:
                return 0.0, nodes
            if state["phase"] == OVER:
                is_done, value = True, worth_of_hand(state, rules, totals, 0, stakes, room)
            else:
                dead = merge_dead_cards(state, rules)
                least, most = bounds(state, rules, stakes)
                if most <= frame["alpha"] or most == least:
                    is_done, value = True, most
                elif least >= frame["beta"]:
                    is_done, value = True, least
                else:
                    is_done, value = recall(frame, state, entries, age)
                frame["left"] = moves_to_try(state, rules, dead)
                frame["best"] = -np.inf if state["own"] == ZERO else np.inf
        if not is_done and (frame["left"] == ZERO or frame["alpha"] >= frame["beta"]):
            remember(frame, entries, age)
            is_done, value = True, frame["best"]
        if is_done:
            if depth == 0:
                return value, nodes
            depth -= 1
            entering = False
            continue
        below = frames[depth + 1]
        below["alpha"], below["beta"] = frame["alpha"], frame["beta"]
        states[depth + 1] = state
        apply_move(states[depth + 1], rules, next_code(frame))
        depth += 1
        entering = True


ROUNDING: Final = 1e-9
"""Values that differ by less than this count as equal."""
MOST_NODES: Final = 3_000_000
"""The number of positions that a search may visit."""


class Solved(NamedTuple):
    """The value of each move for the seat to decide, as points of lead or as a chance to win the match."""

    values: npt.NDArray[np.float64]
    nodes: int


def is_endgame(rules: Rules, seen: InformationSet) -> bool:
    """Return whether no cards are hidden any more, because there are two seats and the other holds all unseen cards."""
    return rules.seats == 2 and seen.drawn >= rules.cards and int(seen.unseen.sum()) == seen.cards_of_others


class EndgameSolver:
    """Solves the ends of hands at one table with two seats. Only one thread can use an instance."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self._states: Final = np.zeros(DEPTH, engine_for(rules).dtype)
        self._tables: Final = np.zeros(1, tables_for(rules).dtype)
        self._tables[0] = tables_for(rules)
        self._frames: Final = np.zeros(DEPTH, FRAME)
        self._entries: Final = np.zeros(PLACES, ENTRY)
        self._age = 0

    def prepare(self) -> None:
        """Load the solver, or compile it if necessary."""
        state = np.frombuffer(bytearray(engine_for(self.rules).pack(phase=Phase.OVER)), engine_for(self.rules).dtype)
        self._value(state, np.zeros(2, np.int64), stakes_of(self.rules, 0), 1)

    def _value(
        self, state: npt.NDArray[np.void], totals: npt.NDArray[np.int64], stakes: Stakes, limit: int
    ) -> tuple[float, int]:
        self._states[:1] = state
        return solve(self._states, self._tables, self._frames, self._entries, totals, stakes, limit, self._age)

    def solve(
        self,
        state: npt.NDArray[np.void],
        codes: npt.NDArray[np.int64],
        stakes: Stakes,
        totals: tuple[int, ...] = (0, 0),
        most_nodes: int = MOST_NODES,
    ) -> Solved | None:
        """Return the values of the moves of the seat to decide.

        ``state`` is an array of shape (1,) with a state that contains both hands, and whose draw pile is empty. Returns
        None if the search would visit more than ``most_nodes`` positions.
        """
        engine = engine_for(self.rules)
        own = int(state["own"][0])
        before = np.array(totals, np.int64)
        self._age += 1
        values = np.zeros(len(codes))
        nodes = 0
        for i, code in enumerate(codes.tolist()):
            after = np.frombuffer(engine.apply(state[0].tobytes(), code).state, engine.dtype)
            value, looked = self._value(after, before, stakes, most_nodes - nodes)
            nodes += looked
            if nodes > most_nodes:
                return None
            values[i] = value if own == 0 else (1.0 - value if stakes.goal else -value)
        return Solved(values, nodes)

    def leads(
        self,
        state: npt.NDArray[np.void],
        codes: npt.NDArray[np.int64],
        stakes: Stakes,
        totals: tuple[int, ...] = (0, 0),
    ) -> npt.NDArray[np.float64] | None:
        """Return the lead in points after each move if both play for the stakes, and for points between equal moves."""
        engine = engine_for(self.rules)
        own = int(state["own"][0])
        points = stakes_of(self.rules, 0)
        leads = np.zeros(len(codes))
        for i, code in enumerate(codes.tolist()):
            now = engine.apply(state[0].tobytes(), code)
            while any(now.words):
                legal = np.array([64 * n + bit for n, word in enumerate(now.words) for bit in _bits(word)], np.int64)
                if len(legal) > 1:
                    then = np.frombuffer(bytearray(now.state), engine.dtype)
                    solved = self.solve(then, legal, stakes, totals)
                    if solved is None:
                        return None
                    legal = legal[solved.values >= solved.values.max() - ROUNDING]
                    solved = self.solve(then, legal, points, totals) if len(legal) > 1 else solved
                    if solved is None:
                        return None
                    legal = legal[[int(np.argmax(solved.values)) if len(legal) > 1 else 0]]
                now = engine.apply(now.state, int(legal[0]))
            scores = [sum(lines) for lines in engine.scores(now.state)]
            leads[i] = scores[own] - scores[1 - own]
        return leads


def _bits(word: int) -> list[int]:
    return [bit for bit in range(word.bit_length()) if word >> bit & 1]
