"""Players as kernels: whole hands and matches in batches, without Python in the loop.

The rules are those of the Python faces, compiled from the same functions. A kernel player decides by a `FEATURES`
record, which holds only what its seat can see.
"""

import functools
import types
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numpy import uint64

from millebornes.policies import handicaps, heuristic
from millebornes.policies.features import (
    FEATURES,
    LOOKUPS,
    load_word,
    store_word,
    write_codes,
    write_features,
    write_words,
)
from millebornes.policies.handicaps import Handicap
from millebornes.policies.heuristic_weights import Weights
from millebornes.policies.maxims import extension, keeping, values, waiting
from millebornes.policies.maxims.weights import Advice
from millebornes.policies.net import best_by_net, weights_at
from millebornes.policies.tells import COUNTS, TELL, forget, note_act, write_tells
from millebornes.rules import clauses
from millebornes.rules.bits import lowest_bit
from millebornes.rules.declared import intrinsic
from millebornes.rules.jit import callback, inner_kernel, kernel
from millebornes.rules.kernels import apply_move, random_word, start_hand, write_shuffled
from millebornes.rules.playout import GENERATOR
from millebornes.rules.scoring import side_score
from millebornes.rules.state import LARGE_DECK, NOBODY, SEATS, TABLES, Phase, Record, Word

__all__ = [
    "ADVICE_RECORD",
    "BASIC",
    "DEAL",
    "LEVEL",
    "MAXIMS",
    "MIX_HAND",
    "MIX_PLY",
    "NET",
    "RANDOM",
    "SEATED",
    "WEIGHTS_RECORD",
    "choose_code",
    "chooser_address",
    "compile_rules",
    "is_watching",
    "make_move",
    "play_games",
    "play_hand",
    "play_near",
    "start_deal",
    "start_seen",
    "worth_by_maxims",
    "write_cases",
    "write_net_facts",
]

RANDOM: Final = 0
BASIC: Final = 1
MAXIMS: Final = 2
NET: Final = 3
LEVEL: Final = 4

WEIGHTS_RECORD: Final = np.dtype([(name, "i8") for name in Weights._fields])
"""`Weights` as kernels read them."""

ADVICE_RECORD: Final = np.dtype(
    [
        *((name, "i8") for name in Advice._fields),
        ("distance_cases", "i4", keeping.DISTANCE_CASES),  # case -> what a card is worth by this advice
        ("hazard_cases", "i4", keeping.HAZARD_CASES),
        ("remedy_cases", "i4", keeping.REMEDY_CASES),
        ("cheapest_distance", "i8"),  # the least of its cases with up to three cards of a kind, or a safety if less
        ("cheapest_hazard", "i8"),
        ("cheapest_remedy", "i8"),
    ]
)
"""`Advice` as kernels read it, with all cases of `millebornes.policies.maxims.keeping` weighed (`write_cases`)."""

HABITS_RECORD: Final = np.dtype([(name, "i8") for name in Handicap._fields])
"""`Handicap` as kernels read them."""

SEATED: Final = np.dtype(
    [
        ("who", "i8"),  # `RANDOM`, `BASIC`, `MAXIMS`, `NET` or `LEVEL`
        ("weights", WEIGHTS_RECORD),
        ("advice", ADVICE_RECORD),
        ("net", "u8"),  # where its numbers lie
        ("habits", HABITS_RECORD),
    ]
)
"""A kernel player, what it weighs by, and how far it falls short of that."""

DEAL: Final = np.dtype(
    [
        ("public", "i1", COUNTS),  # cards by kind that everybody has seen
        ("watched", "i8"),  # 1 where tells are kept up to date
        ("tells", TELL, SEATS),  # what the past of each seat tells
        ("totals", "i8", SEATS),  # points by side before this hand
        ("next", "i8", SEATS),  # seat -> where its stream goes on
        ("order", "u1", LARGE_DECK),  # the shuffled deck
        ("pile", "u1", LARGE_DECK),  # the cards in the order really drawn; beyond them as the rules would draw
        ("taken", "u1", LARGE_DECK),  # 1 where a card of `order` has gone
    ],
    align=True,
)
"""Beside a state: what has been seen, and where everybody's cards come from."""


def compile_rules(module: types.ModuleType, known: dict[Any, Any]) -> None:
    """Add the kernels of a module of plain rules to ``known``, which maps plain functions to kernels.

    They call kernels of each other and of what is known, not the plain functions; what is known already stays.
    """
    names = dict(vars(module))
    for name, function in vars(module).items():
        if isinstance(function, types.FunctionType):
            if function not in known and function.__module__ == module.__name__:
                plain = types.FunctionType(function.__code__, names, name, function.__defaults__)
                known[function] = inner_kernel(plain)
            names[name] = known.get(function, function)


@inner_kernel
def lowest_place(word: Word) -> Word:
    """`millebornes.policies.heuristic.lowest` in one instruction."""
    return np.int64(lowest_bit(uint64(word)))


FOUR_OF_A_KIND: Final = np.uint64(0x0404040404040404)
_kernels: dict[Any, Any] = {heuristic.lowest: lowest_place}
compile_rules(heuristic, _kernels)
compile_rules(waiting, _kernels)
compile_rules(keeping, _kernels)
weigh_distance: Final = _kernels[keeping.keeping_distance]
weigh_hazard: Final = _kernels[keeping.keeping_hazard]
weigh_remedy: Final = _kernels[keeping.keeping_remedy]
least_distance: Final = _kernels[waiting.least_distance_to_come]
least_hazard: Final = _kernels[waiting.least_hits_to_come]
least_remedy: Final = _kernels[waiting.least_remedies_to_come]


@kernel
def write_cases(advice: Record) -> None:
    """Weigh all cases of cards in hand by an advice."""
    advice["cheapest_distance"] = advice["cheapest_hazard"] = advice["cheapest_remedy"] = advice["keep_safety"]
    for case in range(keeping.DISTANCE_CASES):
        worth = weigh_distance(case, advice)
        advice["distance_cases"][case] = worth
        if 0 < case & 7 < 4:
            advice["cheapest_distance"] = min(advice["cheapest_distance"], worth)
    for case in range(keeping.HAZARD_CASES):
        worth = weigh_hazard(case, advice)
        advice["hazard_cases"][case] = worth
        if 0 < case & 7 < 4:
            advice["cheapest_hazard"] = min(advice["cheapest_hazard"], worth)
    for case in range(keeping.REMEDY_CASES):
        worth = weigh_remedy(case, advice)
        advice["remedy_cases"][case] = worth
        if 0 < case & 7 < 4:
            advice["cheapest_remedy"] = min(advice["cheapest_remedy"], worth)


@inner_kernel
def weighed_distance(case: Word, advice: Record) -> Word:
    """`keeping.keeping_distance`, looked up."""
    return np.int64(advice["distance_cases"][case])


@inner_kernel
def weighed_hazard(case: Word, advice: Record) -> Word:
    """`keeping.keeping_hazard`, looked up."""
    return np.int64(advice["hazard_cases"][case])


@inner_kernel
def weighed_remedy(case: Word, advice: Record) -> Word:
    """`keeping.keeping_remedy`, looked up."""
    return np.int64(advice["remedy_cases"][case])


@inner_kernel
def most_for_a_discard(f: Record, advice: Record) -> Word:
    """`keeping.worth_discarding` for a hand with at most three cards of any kind."""
    many = load_word(f["hand"], 0) | load_word(f["hand"], 1)
    distance = advice["cheapest_distance"] + min(0, least_distance(f, advice))
    hazard = advice["cheapest_hazard"] + min(0, least_hazard(f, advice))
    remedy = advice["cheapest_remedy"] + least_remedy(f, advice)
    return heuristic.CALL if many & FOUR_OF_A_KIND else -min(distance, hazard, remedy)


_kernels |= {
    keeping.worth_discarding: most_for_a_discard,
    keeping.keeping_distance: weighed_distance,
    keeping.keeping_hazard: weighed_hazard,
    keeping.keeping_remedy: weighed_remedy,
}
compile_rules(extension, _kernels)
compile_rules(values, _kernels)
best_by_thumb: Final = _kernels[heuristic.best_code]
best_by_maxims: Final = _kernels[values.best_move]
worth_by_maxims: Final = _kernels[values.move_value]
greatest_threat: Final = _kernels[values.greatest_threat]
arrives: Final = _kernels[values.arrives]
compile_rules(handicaps, _kernels)
decide_by_level: Final = _kernels[handicaps.decide]
highest_total: Final = inner_kernel(clauses.highest_total)
is_match_over: Final = inner_kernel(clauses.is_match_over)
is_won: Final = inner_kernel(clauses.is_won)
threat: Final = _kernels[heuristic.threat]

U = np.uint64
ZERO, ONE, CODE_MASK, FULL = U(0), U(1), U(63), U(64)
THREE = U(3)
MIX_GAME, MIX_DECK = U(0x8CB92BA72F3D8DD7), U(0xA0761D6478BD642F)
MIX_HAND, MIX_PLY = U(0x9E3779B97F4A7C15), U(0xD1B54A32D192ED03)
EXTEND_PHASE, OVER = np.uint8(Phase.EXTEND), np.uint8(Phase.OVER)
NO = np.uint8(NOBODY)
NOUGHT = np.float32(0)


@inner_kernel
def decision_word(seed: Word, hand: Word, ply: Word) -> Word:
    """Where the chance of one decision starts: it depends on the seed, the hand (from 1) and the ply alone."""
    return seed + hand * MIX_HAND + ply * MIX_PLY


@inner_kernel
def is_won_by_finishing(state: Record, tables: Record, deal: Record, target: Word) -> bool:
    """Whether the match is won when the hand ends now with one's own trip completed (R7, R8)."""
    own = state["own"]
    before = state["completed"]
    state["completed"] = np.uint8(own)
    mine = deal["totals"][own] + side_score(state, tables, uint64(own))
    best = -1
    for n in range(1, tables["sides"]):
        side = tables["opponent"][own, n]
        best = max(best, deal["totals"][side] + side_score(state, tables, uint64(side)))
    state["completed"] = before
    return bool(target > 0 and is_won(mine, best, target))


@inner_kernel
def random_place(f: Record, lookups: Record, own: Word, generator: Record) -> Word:
    """A legal move, each as likely as any other: the n-th by text, as `RandomPlayer` with the same numbers picks it."""
    count = f["count"]
    bits = ZERO
    while count >> np.int64(bits):
        bits += ONE
    pick = np.int64(random_word(generator) >> (FULL - bits))
    while pick >= count:
        pick = np.int64(random_word(generator) >> (FULL - bits))
    chosen = f["codes"][0]
    for i in range(count):
        code = f["codes"][i]
        before = 0
        for j in range(count):
            if lookups["rank"][own, f["codes"][j]] < lookups["rank"][own, code]:
                before += 1
        if before == pick:
            chosen = code
    return chosen


@inner_kernel
def write_stake(state: Record, tables: Record, deal: Record, target: Word, f: Record) -> None:
    """Fill in what the match is about: whether finishing wins it, and how far everybody is."""
    facts = f["facts"]
    facts[8] = 0
    if state["phase"] == EXTEND_PHASE and is_won_by_finishing(state, tables, deal, target):
        facts[8] = 1
    own = state["own"]
    facts[9] = deal["totals"][own]
    best = deal["totals"][tables["opponent"][own, 1]]
    for n in range(2, tables["sides"]):
        best = max(best, deal["totals"][tables["opponent"][own, n]])
    facts[10] = best
    facts[11] = target


@inner_kernel
def write_threats(tables: Record, f: Record) -> None:
    """Fill in how soon each other side may arrive."""
    for n in range(1, tables["sides"]):
        f["threats"][n] = threat(n, f["unseen"], f["sides"], f["facts"])


@kernel
def weigh_codes(codes: Any, f: Record, advice: Record, worths: Any) -> None:
    """Write down what the maxims make of each of the legal moves, in points; ``f`` is as `choose_code` leaves it."""
    danger = greatest_threat(f)
    finishing = arrives(codes, f)
    for i in range(len(codes)):
        worths[i] = worth_by_maxims(codes[i], danger, finishing, f, advice)


@kernel
def write_net_facts(
    state: Record, tables: Record, lookups: Record, deal: Record, target: Word, seated: Record, f: Record
) -> None:
    """Fill in what nets ask for beside the codes (`write_codes`)."""
    write_features(state, tables, lookups, deal, f)
    write_stake(state, tables, deal, target, f)
    write_threats(tables, f)
    write_tells(np.int64(state["seat"]), tables, deal["tells"], f["tells"])
    f["top"] = np.int64(state["deck"][state["discarded"] - ONE]) if state["discarded"] else np.int64(-1)
    if weights_at(seated["net"])[0] != NOUGHT:
        weigh_codes(f["codes"][: f["count"]], f, seated["advice"], f["worths"])


@inner_kernel
def salt_of_deal(state: Record, tables: Record, deal: Record) -> Word:
    """What a seat's memory depends on throughout a hand: the cards that it was dealt (`levels.salt_of_cards`)."""
    seats = np.int64(tables["seats"])
    dealt = ZERO
    place = (np.int64(state["seat"]) - np.int64(state["first"]) + seats) % seats
    for _ in range(tables["hand_size"]):
        dealt += ONE << THREE * uint64(deal["pile"][place])
        place += seats
    return np.int64((dealt ^ dealt >> U(31)) & U(handicaps.MASK))


@kernel
def choose_at_level(
    state: Record,
    tables: Record,
    lookups: Record,
    deal: Record,
    target: Word,
    seated: Record,
    word: Word,
    generator: Record,
    f: Record,
) -> Word:
    """As `choose_code`, for a `LEVEL`; of the ``deal``, the cards dealt to the seat are read too."""
    write_codes(state, tables, f)
    if f["count"] == 1:
        return f["codes"][0]
    write_features(state, tables, lookups, deal, f)
    write_stake(state, tables, deal, target, f)
    generator["word"] = word
    luck = np.int64(random_word(generator) >> U(2))
    codes = f["codes"][: f["count"]]
    salt = salt_of_deal(state, tables, deal)
    return decide_by_level(codes, lookups["count"], salt, luck, f, seated["advice"], seated["habits"])


def decide_code(
    state: Record,
    tables: Record,
    lookups: Record,
    deal: Record,
    target: Word,
    seated: Record,
    word: Word,
    generator: Record,
    f: Record,
) -> Word:
    """What `choose_code` answers."""
    if seated["who"] == LEVEL:
        return choose_at_level(state, tables, lookups, deal, target, seated, word, generator, f)
    if seated["who"] != MAXIMS:
        write_codes(state, tables, f)
        if f["count"] == 1:
            return f["codes"][0]
        if seated["who"] == RANDOM:
            generator["word"] = word
            return random_place(f, lookups, state["own"], generator)
        if seated["who"] == NET:
            write_net_facts(state, tables, lookups, deal, target, seated, f)
            return best_by_net(f, weights_at(seated["net"]))
        write_features(state, tables, lookups, deal, f)
        write_stake(state, tables, deal, target, f)
        codes = f["codes"][: f["count"]]
        return best_by_thumb(codes, f["hand"], f["unseen"], f["sides"], f["facts"], seated["weights"])
    write_words(state, tables, f)
    write_features(state, tables, lookups, deal, f)
    write_stake(state, tables, deal, target, f)
    write_threats(tables, f)
    return best_by_maxims(f["words"], f, seated["advice"])


def decide_in_search(
    state: Record,
    tables: Record,
    lookups: Record,
    deal: Record,
    target: Word,
    seated: Record,
    word: Word,
    generator: Record,
    f: Record,
) -> Word:
    """As `decide_code` for `MAXIMS` and `NET` alone, which is half as much to compile."""
    if seated["who"] == NET:
        write_codes(state, tables, f)
        if f["count"] == 1:
            return f["codes"][0]
        write_net_facts(state, tables, lookups, deal, target, seated, f)
        return best_by_net(f, weights_at(seated["net"]))
    write_words(state, tables, f)
    write_features(state, tables, lookups, deal, f)
    write_stake(state, tables, deal, target, f)
    write_threats(tables, f)
    return best_by_maxims(f["words"], f, seated["advice"])


def decide_anyhow(
    state: Record,
    tables: Record,
    lookups: Record,
    deal: Record,
    target: Word,
    seated: Record,
    word: Word,
    generator: Record,
    f: Record,
) -> Word:
    """Any legal move: for compiling what asks players while these are compiled elsewhere."""
    write_codes(state, tables, f)
    return f["codes"][0]


DECIDERS: Final = {"all": decide_code, "search": decide_in_search, "none": decide_anyhow}
"""Who decides, by which players are to be there."""


@functools.lru_cache(maxsize=6)
def chooser_address(state: np.dtype[np.void], players: str = "all") -> int:
    """Where the machine code of one of `DECIDERS` lies in this process, for one of the two kinds of states."""
    from numba import from_dtype
    from numba.core import types as kinds

    records = [state, TABLES, LOOKUPS, DEAL, SEATED, GENERATOR, FEATURES]
    here, tables, lookups, deal, seated, generator, f = (from_dtype(record) for record in records)
    signature = kinds.int64(here, tables, lookups, deal, kinds.int64, seated, kinds.uint64, generator, f)
    return callback(signature, DECIDERS[players])


@intrinsic
def call_chooser(
    _: Any, at: Any, state: Any, tables: Any, lookups: Any, deal: Any, target: Any, seated: Any, word: Any,
    generator: Any, f: Any,
) -> Any:  # fmt: skip
    """Call the machine code that lies ``at`` an address."""
    from numba.core import types as kinds

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values = [context.get_value_type(kind) for kind in signature.args[1:]]
        kind = ir.FunctionType(ir.IntType(64), values).as_pointer()
        return builder.call(builder.inttoptr(args[0], kind), args[1:])

    given = (kinds.uint64, state, tables, lookups, deal, kinds.int64, seated, kinds.uint64, generator, f)
    return kinds.int64(*given), generate


@inner_kernel
def choose_code(
    state: Record,
    tables: Record,
    lookups: Record,
    deal: Record,
    target: Word,
    seated: Record,
    word: Word,
    generator: Record,
    f: Record,
) -> Word:
    """The move of the seat that decides, played by ``seated`` (a `SEATED` record).

    Of the ``deal`` only "public" and "totals" are read; ``target`` is that of the match, 0 for single hands; ``word``
    is where the chance of this decision starts; ``generator`` and ``f`` are buffers.

    All that it takes to decide is much code. It is called by its address, which the ``lookups`` hold, for otherwise
    each kernel that asks a player would be compiled with a copy of it.
    """
    return call_chooser(lookups["chooser"], state, tables, lookups, deal, target, seated, word, generator, f)


@inner_kernel
def next_free(taken: Any, place: Word, size: Word) -> Word:
    """The first place from ``place`` on, round the end, where a card still lies."""
    while taken[place]:
        place += 1
        if place == size:
            place = 0
    return place


@inner_kernel
def take(deal: Record, seat: Word, size: Word) -> Word:
    """The next card out of a seat's own stream."""
    place = next_free(deal["taken"], deal["next"][seat], size)
    deal["taken"][place] = 1
    deal["next"][seat] = place
    return uint64(deal["order"][place])


@kernel
def start_deal(state: Record, tables: Record, first: Word, streams: Word, deal: Record) -> None:
    """Deal the deck that lies in the state; with ``streams`` each seat gets its cards out of its own part of it.

    Seat s takes the cards from place s / seats of the deck on, skipping those that are gone. Which place comes next
    never depends on what the cards are, so a hand is as likely as with ordinary dealing; but what a seat draws no
    longer depends on extra turns of others.
    """
    size = np.int64(tables["size"])
    seats = np.int64(tables["seats"])
    start_seen(deal)
    if streams:
        for i in range(size):
            deal["order"][i] = state["deck"][i]
            deal["taken"][i] = 0
        for seat in range(seats):
            deal["next"][seat] = seat * size // seats
        seat = first
        for i in range(seats * np.int64(tables["hand_size"])):
            state["deck"][i] = np.uint8(take(deal, seat, size))
            seat += 1
            if seat == seats:
                seat = 0
    before = seats * np.int64(tables["hand_size"])
    for i in range(size):
        deal["pile"][i] = state["deck"][i]
    start_hand(state, tables, U(first))
    if streams:
        redraw(state, tables, before, deal)


@kernel
def is_watching(players: Any) -> Word:
    """1 where one of the players asks what the past tells (`DEAL`), else 0."""
    found = np.int64(0)
    for i in range(len(players)):
        found |= np.int64(players[i]["who"] == NET)
    return found


@inner_kernel
def start_seen(deal: Record) -> None:
    """A hand is dealt, and nobody has seen anything of it."""
    for i in range(3):
        store_word(deal["public"], i, ZERO)
    if deal["watched"]:
        forget(deal["tells"])


@inner_kernel
def make_seen(state: Record, tables: Record, deal: Record, code: Word) -> None:
    """Make a move, and count its card among those that everybody has seen."""
    card = tables["effect"][code & CODE_MASK]["card"]
    if card != NO:
        deal["public"][card] += 1
    if deal["watched"]:
        note_act(state, tables, deal["tells"], code)
    apply_move(state, tables, code)


@inner_kernel
def redraw(state: Record, tables: Record, before: Word, deal: Record) -> None:
    """Replace what the deciding seat has drawn since ``before`` by cards of its own stream."""
    seat = state["seat"]
    for i in range(before, np.int64(state["drawn"])):
        card = take(deal, np.int64(seat), np.int64(tables["size"]))
        state["hand"][seat] += (ONE << (THREE * card)) - (ONE << (THREE * uint64(deal["pile"][i])))
        deal["pile"][i] = np.uint8(card)


@inner_kernel
def make_move(state: Record, tables: Record, code: Word, streams: Word, deal: Record) -> None:
    """Make a move and what belongs to it: what all have seen, and cards from the streams."""
    before = np.int64(state["drawn"])
    make_seen(state, tables, deal, code)
    if streams:
        redraw(state, tables, before, deal)


@kernel
def play_hand(
    state: Record,
    tables: Record,
    lookups: Record,
    totals: Any,
    target: Word,
    players: Any,
    line: Any,
    seed: Word,
    number: Word,
    streams: Word,
    deal: Record,
    generator: Record,
    f: Record,
    log: Any,
) -> Word:
    """Play a hand that `start_deal` has dealt to its end, and return the number of moves; ``log`` takes their codes.

    ``players`` are `SEATED` records, ``line[seat]`` says who sits where, ``totals`` are points by side before.
    """
    ply = 0
    for side in range(tables["sides"]):
        deal["totals"][side] = totals[side]
    while state["phase"] != OVER:
        word = decision_word(seed, U(number), U(ply))
        player = players[line[np.int64(state["seat"])]]
        code = choose_code(state, tables, lookups, deal, target, player, word, generator, f)
        if ply < len(log):
            log[ply] = code
        ply += 1
        make_move(state, tables, U(code), streams, deal)
    return ply


@kernel
def play_near(
    state: Record,
    tables: Record,
    lookups: Record,
    totals: Any,
    target: Word,
    players: Any,
    line: Any,
    seat: Word,
    moves: Word,
    deal: Record,
    generator: Record,
    f: Record,
) -> None:
    """Play on until a seat has made so many decisions, or the hand is over; each seat draws from its own stream.

    ``line[seat]`` says which of ``players`` sits where; none may use chance.
    """
    for side in range(tables["sides"]):
        deal["totals"][side] = totals[side]
    while moves > 0 and state["phase"] != OVER:
        code = choose_code(
            state, tables, lookups, deal, target, players[line[np.int64(state["seat"])]], ZERO, generator, f
        )
        moves -= np.int64(np.int64(state["seat"]) == seat)
        make_move(state, tables, U(code), 1, deal)


@kernel
def play_games(
    state: Record,
    tables: Record,
    lookups: Record,
    players: Any,
    lineups: Any,
    seed: Word,
    begin: Word,
    target: Word,
    streams: Word,
    deal: Record,
    generator: Record,
    f: Record,
    out: Any,
    counts: Any,
) -> None:
    """Play games ``begin`` … ``begin + len(out)`` of a seed with every line-up, over the same decks.

    ``players`` are `SEATED` records, ``lineups[line, seat]`` says which of them sits where, ``target`` is 0 for single
    hands. ``out[game, line, side]`` takes points; ``counts`` hands and moves.
    """
    totals = np.zeros(8, np.int64)
    seats = np.int64(tables["seats"])
    sides = np.int64(tables["sides"])
    log = np.zeros(0, np.int64)
    deal["watched"] = is_watching(players)
    for game in range(len(out)):
        for line in range(len(lineups)):
            totals[:] = 0
            number = 0
            while True:
                number += 1
                key = seed + uint64(begin + game) * MIX_GAME
                generator["word"] = key + uint64(number) * MIX_DECK
                write_shuffled(state, tables, generator)
                first = (begin + game + number - 1) % seats
                start_deal(state, tables, first, streams, deal)
                counts[1] += play_hand(
                    state,
                    tables,
                    lookups,
                    totals,
                    target,
                    players,
                    lineups[line],
                    key,
                    number,
                    streams,
                    deal,
                    generator,
                    f,
                    log,
                )
                counts[0] += 1
                for side in range(sides):
                    totals[side] += side_score(state, tables, uint64(side))
                if is_decided(totals, sides, target, lookups):
                    break
            for side in range(sides):
                out[game, line, side] = totals[side]


@kernel
def is_decided(totals: Any, sides: Word, target: Word, lookups: Record) -> bool:
    """Whether a match is over with these totals (R8); a single hand always is."""
    best, leaders = highest_total(totals[:sides])
    return bool(target == 0 or is_match_over(best, leaders, target, lookups["draw"] != 0))
