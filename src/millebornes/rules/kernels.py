"""Kernels that deal, tell legal moves and apply a move. They know no rule: all answers come from the tables.

State and tables are records, passed as plain pointers; integers are unsigned 64-bit throughout (mixing signed and
unsigned ones would silently give floats). ``is_`` functions answer and change nothing, ``write_`` functions fill a
buffer that they are given, ``apply_`` functions change the state that they are given. A state always stands *after* the
draws of the seat that decides.
"""

import numpy as np
from numpy import uint64

from millebornes.cards import DISTANCES, SAFETIES, Card
from millebornes.rules.bits import count_bits, high_product
from millebornes.rules.clauses import Status, refuse_distance
from millebornes.rules.jit import inner_kernel, kernel
from millebornes.rules.state import BATTLE_TOPS, KINDS, NOBODY, Phase, Record, Side, Word
from millebornes.rules.tables import BATTLE_GOES, EXTEND, FINISH, GIVES_ROLL, LIMIT_GOES, PASS, discard_code

__all__ = [
    "apply_move",
    "count_cards",
    "is_any_score_left",
    "legal_word",
    "random_word",
    "start_hand",
    "turn_word",
    "write_shuffled",
]

U = np.uint64
ZERO, ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN = (U(n) for n in range(8))
CODE_MASK, WORD_SHIFT = U(63), U(6)
HELD = U(sum(1 << 3 * kind for kind in range(KINDS)))
"""The lowest bit of each kind in a hand word."""
LIMITED = Status(Card.ROLL, True, frozenset())
DISTANCE_CARDS = U(sum(1 << discard_code(card) for card in DISTANCES))
FAST_CARDS = U(sum(1 << discard_code(card) for card in DISTANCES if refuse_distance(card, LIMITED)))
SAFETY_CARDS = U(sum(1 << discard_code(card) for card in SAFETIES))
ROLL_CARD, END_OF_LIMIT_CARD, CARD_200, RIGHT_OF_WAY_CARD = (
    U(1 << discard_code(card)) for card in (Card.ROLL, Card.END_OF_LIMIT, Card.D200, Card.RIGHT_OF_WAY)
)
PLACE_200 = U(discard_code(Card.D200))
STATUS = U(Side.STATUS_MASK)
NOT_STATUS = ~STATUS
MILES, MILES_MASK, DISTANCE_INDEX = U(Side.MILES), U(Side.MILES_MASK), U(Side.DISTANCE_INDEX_MASK)
COUPS, BATTLE, BATTLE_MASK = U(Side.COUPS), U(Side.BATTLE), U(15)
NOT_200_ROLL = ~U(1 << Side.ROLL_IS_200)
HIT_BATTLE, HIT_LIMIT, HIT_ROLL = U(BATTLE_GOES), U(LIMIT_GOES), U(GIVES_ROLL)
PASS_BIT, CHOICE_BITS = U(1 << PASS), U(1 << EXTEND | 1 << FINISH)
PASS_CODE, EXTEND_CODE = U(PASS), U(EXTEND)
SPEED_LIMIT_KIND = np.uint8(Card.SPEED_LIMIT.index)
NO = np.uint8(NOBODY)
PLAY, COUP, OPENING, CHOICE, OVER = (np.uint8(phase) for phase in Phase)
INCREMENT, MIX = U(0xA0761D6478BD642F), U(0xE7037ED1A0B428DB)
TOP_KIND = np.array([NOBODY if top is None else top.index for top in BATTLE_TOPS], np.uint8)
"""Kind of the card on the battle pile by its code in a side word."""


@inner_kernel
def random_word(generator: Record) -> Word:
    """The next 64 random bits of a one-field record (wyrand): the same on every machine."""
    generator["word"] += INCREMENT
    x = generator["word"]
    return high_product(x, x ^ MIX) ^ (x * (x ^ MIX))


@kernel
def write_shuffled(state: Record, tables: Record, generator: Record) -> None:
    """Shuffle the deck into the state (Fisher-Yates; five bounded numbers from one random word, bias below 2^-25)."""
    deck = state["deck"]
    size = tables["size"]
    for i in range(size):
        deck[i] = tables["deck"][i]
    left = size
    while left > FIVE:
        word = random_word(generator)
        for _ in range(5):
            j = high_product(word, left)
            word = word * left
            left -= ONE
            deck[left], deck[j] = deck[j], deck[left]
    word = random_word(generator)
    while left > ONE:
        j = high_product(word, left)
        word = word * left
        left -= ONE
        deck[left], deck[j] = deck[j], deck[left]


@kernel
def count_cards(hand: Word) -> Word:
    """Cards in a hand word."""
    return count_bits(hand & HELD) + TWO * count_bits(hand >> ONE & HELD) + FOUR * count_bits(hand >> TWO & HELD)


@kernel
def start_hand(state: Record, tables: Record, first: Word) -> None:
    """Deal the deck that lies in the state (R2.4) and start: the opening call (R5.6) or the first turn."""
    seats = tables["seats"]
    for place in range(8):
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
            if state["hand"][seat] & RIGHT_OF_WAY_CARD:
                set_seat(state, tables, uint64(seat))
                state["phase"] = OPENING
                return
    begin_turn(state, tables, uint64(first))


@inner_kernel
def set_seat(state: Record, tables: Record, seat: Word) -> None:
    """This seat decides next."""
    state["seat"] = seat
    state["own"] = tables["side_of"][seat]
    state["rival"] = tables["rival_of"][seat]


@kernel
def clear_question(state: Record) -> None:
    """No hazard is pending."""
    state["phase"] = PLAY
    state["attacker"] = NO
    state["target"] = NO
    state["hazard"] = NO
    state["saved"] = ZERO


@kernel
def begin_turn(state: Record, tables: Record, seat: Word) -> None:
    """Begin the turn of the first seat from ``seat`` on that has cards.

    The tests of R6.3, then the draws (R2.5, R2.6).
    """
    seats = tables["seats"]
    size = tables["size"]
    state["phase"] = PLAY
    if state["drawn"] >= size:
        if is_hand_over(state, tables):
            state["phase"] = OVER
            return
        while state["hand"][seat] == ZERO:
            seat += ONE
            if seat == seats:
                seat = ZERO
        set_seat(state, tables, seat)
        return
    set_seat(state, tables, seat)
    hand = state["hand"][seat]
    missing = tables["hand_size"] + ONE - count_cards(hand)
    drawn = state["drawn"]
    while missing > ZERO and drawn < size:
        hand += ONE << (THREE * uint64(state["deck"][drawn]))
        state["deck"][drawn] = np.uint8(0)
        drawn += ONE
        missing -= ONE
    state["hand"][seat] = hand
    state["drawn"] = drawn


@kernel
def is_hand_over(state: Record, tables: Record) -> bool:
    """R6.3, the draw pile being empty: can nobody go on?"""
    end = tables["hand_end"]
    cards = ZERO
    for seat in range(tables["seats"]):
        cards |= state["hand"][seat]
    if cards == ZERO or end == 0:
        return bool(cards == ZERO)
    if end == 1:
        for seat in range(tables["seats"]):
            if is_any_play(state, tables, uint64(seat)):
                return False
        return True
    for side in range(tables["sides"]):
        if is_any_score_left(state, tables, uint64(side)):
            return False
    return True


@kernel
def is_any_play(state: Record, tables: Record, seat: Word) -> bool:
    """R6.3 `plays`: could the seat play a card of its hand, other than by discarding it, if it were its turn?"""
    held = held_kinds(state["hand"][seat])
    side = tables["side_of"][seat]
    if own_plays(state, tables, side, tables["rival_of"][seat], held) != ZERO:
        return True
    for n in range(ONE, tables["targets"]):
        if further_hits(state, tables, side, held, n) != ZERO:
            return True
    return False


@kernel
def is_any_score_left(state: Record, tables: Record, side: Word) -> bool:
    """R6.4: can the side still score with the cards in its seats' hands, opponents left out of account?"""
    held = ZERO
    two_hundreds = ZERO
    seat = side
    while seat < tables["seats"]:
        hand = state["hand"][seat]
        held |= held_kinds(hand)
        two_hundreds += hand >> PLACE_200 & SEVEN
        seat += tables["sides"]
    if held & SAFETY_CARDS:
        return True
    own = state["side"][side]
    status = own & STATUS
    remedy = tables["remedy"][status]
    if held & remedy != remedy:
        return False
    playable = tables["miles"][state["extended"], own >> MILES & DISTANCE_INDEX] >> ONE
    usable = held & DISTANCE_CARDS & playable
    if tables["slow"][status] and not held & END_OF_LIMIT_CARD:
        usable &= ~FAST_CARDS
    if usable == ZERO:
        return False
    if not tables["needs_roll"][status] or held & ROLL_CARD:
        return True
    # R4.7: another 200 may serve as the roll
    another = two_hundreds > ONE or (two_hundreds == ONE and usable != CARD_200)
    return bool(tables["two_hundred_rolls"] and another)


@inner_kernel
def held_kinds(hand: Word) -> Word:
    """The lowest bit of each kind that a hand word holds."""
    return (hand | hand >> ONE | hand >> TWO) & HELD


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


@kernel
def question_word(state: Record, tables: Record) -> Word:
    """The answers to the question that is being asked (R5.1, R5.6, R6.2); none when the hand is over."""
    phase = state["phase"]
    if phase == COUP:
        answer = tables["effect"][THREE * uint64(state["hazard"]) + ONE]["parry"]
        return PASS_BIT | answer << TWO  # a card's coup stands two places after its lowest bit in a hand word
    if phase == OPENING:
        return PASS_BIT | RIGHT_OF_WAY_CARD << TWO
    return CHOICE_BITS if phase == CHOICE else ZERO


@inner_kernel
def apply_move(state: Record, tables: Record, code: Word) -> Word:
    """Make a legal move, go on to the next decision, and draw for it. Returns the new phase.

    The code must be legal (`legal_word`); nothing is checked here. Cards that do nothing to a word keep it as it is,
    which is quicker than a branch that nobody can predict.
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
    if own >> MILES & MILES_MASK == tables["goal"][state["extended"]]:  # R6.1, R6.2
        reach_goal(state, tables, side)
        return state["phase"]
    return next_turn(state, tables, seat + effect["passes"])


@inner_kernel
def entitled_hands(state: Record, tables: Record, target: Word) -> Word:
    """R5.1: which kinds the seats hold that may answer a hazard on the side ``target``, as hand words laid together."""
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
    """R5.1: somebody entitled holds the answer to the hazard that ``seat`` has just played, and is asked."""
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
    """Go on with an ordinary turn of ``seat``, which draws one card, or what R6.3 says.

    One seat beyond the last is the first.

    Returns the new phase.
    """
    if seat == tables["seats"]:
        seat = ZERO
    drawn = state["drawn"]
    card = uint64(drawn < tables["size"])  # one card to draw, or none; without a branch, which nobody could predict
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
def reach_goal(state: Record, tables: Record, side: Word) -> None:
    """R6.1, R6.2: the side stands at the goal in force, so the hand is over or its seat may extend it."""
    if tables["extendable"] and not state["extended"]:
        state["phase"] = CHOICE
    else:
        complete_trip(state, side)


@kernel
def complete_trip(state: Record, side: Word) -> None:
    """R6.1: the hand ends."""
    state["completed"] = np.uint8(side)
    state["phase"] = OVER


@kernel
def apply_special(state: Record, tables: Record, code: Word, effect: Record) -> None:
    """The answers to questions, and safeties that may clear something away."""
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
        after = uint64(state["attacker"])
        clear_question(state)
        if phase == OPENING:
            begin_turn(state, tables, uint64(state["first"]))  # R5.6
        else:
            next_turn(state, tables, after + ONE)  # R5.4
    else:
        apply_coup(state, tables, seat, uint64(effect["safety"]))


@kernel
def apply_coup(state: Record, tables: Record, seat: Word, safety: Word) -> None:
    """R5.2, R5.3, R5.6: the coup was called; the hazard goes where it was played on the caller's own side."""
    side = tables["side_of"][seat]
    if state["phase"] == COUP and side == uint64(state["target"]):
        state["side"][side] = state["saved"]
        discard(state, state["hazard"])
    clear_question(state)
    add_safety(state, tables, side, safety, ONE)
    begin_turn(state, tables, seat)


@kernel
def add_safety(state: Record, tables: Record, side: Word, safety: Word, coup: Word) -> None:
    """R4.6, R4.10: a safety goes before a side; ``coup`` is 1 for a coup fourré."""
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
    """A card that lay before a side goes to the discards."""
    state["deck"][state["discarded"]] = kind
    state["discarded"] += ONE
