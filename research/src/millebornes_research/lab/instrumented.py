"""Instrumented runs of kernel players, which record the fate of each safety and try both answers to each question.

When a coup fourré or an extension can be called, the hand is continued both with and without it, over the same cards.
The value of the answer is therefore the difference between two hands that differ only in this answer.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import uint64

from millebornes.editions import Rules
from millebornes.errors import PlayerError
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.policies.batch import KernelPlayer, OneHand, hand_chance, seats_of
from millebornes.policies.deal import make_move, start_deal
from millebornes.policies.dispatch import Workspace, choose_code, is_watching, workspace_for
from millebornes.policies.games import decision_word, game_key, hand_word, lead, shuffle_for
from millebornes.rules.clauses import SCORE_SHEET, under
from millebornes.rules.engine import engine_for
from millebornes.rules.follow import MOST_MOVES
from millebornes.rules.scoring import side_counts, side_score
from millebornes.rules.state import NOBODY, SEATS, Integers, Phase, Record, Records, Side, Word
from millebornes.rules.tables import EXTEND, PASS, status_of
from millebornes_research.lab.playouts import play_on

__all__ = [
    "CHOICE",
    "FATES",
    "INSTRUMENTED",
    "Instrumented",
    "InstrumentedHand",
    "play_instrumented",
    "play_one_instrumented",
]

FATES: Final = ("not drawn", "in hand at the end", "played", "coup fourré", "discarded", "opening call")
"""The fates of a safety, by their index in `INSTRUMENTED`. The opening call (R5.6) counts as a coup fourré."""

CHOICE: Final = np.dtype(
    [
        ("side", "i4"),  # side of the seat that was asked whether to extend (R6.2), or -1 if no seat was asked
        ("own", "i4"),  # 1 if the player called the extension, else 0
        ("finish", "i4", SEATS),  # points of each side if the trip ends here
        ("extend", "i4", SEATS),  # points of each side if the extension is called and everyone then plays as usual
        ("safeties", "i4"),  # 4 bits: safeties that the side owns
        ("held", "i4"),  # 4 bits: safeties in the hand of the seat that was asked
        ("covered", "i4"),  # those of accident, out of gas, flat tyre and stop that this seat needn't fear (`covers`)
        ("miles", "i4"),  # distance in this hand that can be used for the extension, in units of 25
        ("exact", "i4"),  # 1 if some of it adds up exactly to the distance of the extension
        ("others", "i4"),  # distance of the other side that has driven furthest, in units of 25
        ("shut_out", "i4"),  # number of other sides that have driven no miles
        ("stuck", "i4"),  # number of other sides under a hazard (R3.1)
        ("pile", "i4"),  # number of cards left to draw
        ("ends", "i4"),  # how the extended hand ended: 1 if this side completed the trip, -1 if another did, else 0
    ],
    align=True,
)
"""An extension that could be called, and the results of both answers."""

INSTRUMENTED: Final = np.dtype(
    [
        ("lines", "i4", (SEATS, len(SCORE_SHEET))),  # points by side and line of R7
        ("dealt", "u8", SEATS),  # seat -> its hand word as dealt (R2.4)
        ("first", "i4"),  # the nominal first seat
        ("moves", "i4"),  # number of decisions
        ("turns", "i4", SEATS),  # seat -> number of decisions in its turns, including extra turns
        ("completed", "i4"),  # the side that completed the trip, or -1
        ("extended", "i4"),  # 1 if the extension was called
        ("holder", "i4", 4),  # safety -> the seat that drew it, or -1
        ("came", "i4", 4),  # safety -> number of turns that its holder had played when it was drawn
        ("gone", "i4", 4),  # safety -> the same when it left the hand or the hand ended
        ("fate", "i4", 4),  # safety -> an index in `FATES`
        ("asked", "i4", 4),  # safety -> how often its holder was asked about a coup fourré (R5.1)
        ("gain", "i4", 4),  # safety -> gain from calling when first asked (see `play_instrumented`)
        ("hazards", "i4", 5),  # number of hazards played, by kind
        ("met", "i4", 5),  # number of these that met a coup fourré
        ("choice", CHOICE),
    ],
    align=True,
)
"""The record of one hand."""

Instrumented = npt.NDArray[np.void]
"""An array of `INSTRUMENTED` records."""

U = np.uint64
WORD: Final = (1 << 64) - 1
ONE, SEVEN, CODE_MASK = U(1), U(7), U(63)
ACCIDENT, REPAIRS, SAFETY = 5, 10, 15
PLAY, COUP, OPENING, CHOOSE, OVER = (np.uint8(phase) for phase in Phase)
NO = np.uint8(NOBODY)
STOPPED = np.array([under(status_of(word)) is not None for word in range(512)], np.int64)  # status -> R3.1
HELD_AT_END, PLAYED, CALLED, DISCARDED, OPENED = range(1, 6)
PASS_CODE, EXTEND_CODE = U(PASS), U(EXTEND)
SAFETY_PLACE = U(3 * SAFETY)
THREE = U(3)
SAFETY_BITS, STATUS = U(15), U(Side.STATUS_MASK)
DISTANCE, DISTANCE_MASK, TWO_HUNDREDS = U(Side.MILES), U(Side.MILES_MASK), U(Side.TWO_HUNDREDS)


@inner_kernel
def note_draws(state: Record, tables: Record, seen: Record) -> None:
    """Record the holders of safeties that no seat has held before."""
    for i in range(4):
        if seen["holder"][i] < 0:
            for seat in range(tables["seats"]):
                if state["hand"][seat] >> (SAFETY_PLACE + THREE * uint64(i)) & SEVEN:
                    seen["holder"][i] = seat
                    seen["came"][i] = seen["turns"][seat]
                    seen["fate"][i] = HELD_AT_END


@inner_kernel
def note_move(state: Record, code: Word, seen: Record) -> None:
    """Record the effect of a move on safeties and hazards, before it is made."""
    phase = state["phase"]
    seat = np.int64(state["seat"])
    if phase == PLAY:
        seen["turns"][seat] += 1
    place = np.int64(code & CODE_MASK)
    kind = place // 3
    way = place % 3
    if phase == COUP and place != PASS:
        seen["met"][np.int64(state["hazard"]) - ACCIDENT] += 1
    if SAFETY <= kind < SAFETY + 4:
        seen["gone"][kind - SAFETY] = seen["turns"][seat]
        if way == 0:
            seen["fate"][kind - SAFETY] = DISCARDED
        elif way == 1:
            seen["fate"][kind - SAFETY] = PLAYED
        elif phase == OPENING:
            seen["fate"][kind - SAFETY] = OPENED
        else:
            seen["fate"][kind - SAFETY] = CALLED
    elif ACCIDENT <= kind < ACCIDENT + 5 and way == 1:
        seen["hazards"][kind - ACCIDENT] += 1


@inner_kernel
def held_count(state: Record, kind: Word) -> Word:
    """Return the number of cards of a kind in the hand of the seat to decide."""
    return np.int64(state["hand"][np.int64(state["seat"])] >> (THREE * uint64(kind)) & SEVEN)


@inner_kernel
def covers(state: Record, tables: Record, public: npt.NDArray[np.int8], i: Word) -> bool:
    """Return whether the seat needn't fear a hazard.

    This is the case if it has the safety or the remedy (a roll for a stop), or if no such hazard is left.
    """
    if state["side"][np.int64(state["own"])] >> uint64(i) & ONE or held_count(state, SAFETY + i) > 0:
        return True
    unseen = np.int64(tables["count"][ACCIDENT + i]) - public[ACCIDENT + i] - held_count(state, ACCIDENT + i)
    return bool(held_count(state, REPAIRS + i) > 0 or unseen == 0)


@inner_kernel
def note_choice(state: Record, tables: Record, public: npt.NDArray[np.int8], seen: Record) -> None:
    """Record the side that may extend, and the situation in the hand."""
    choice = seen["choice"]
    own = np.int64(state["own"])
    choice["side"] = own
    word = state["side"][own]
    choice["safeties"] = np.int64(word & SAFETY_BITS)
    held: Word = 0
    for i in range(4):
        held |= np.int64(held_count(state, SAFETY + i) > 0) << i
        choice["covered"] += covers(state, tables, public, i)
    choice["held"] = held
    more = np.int64(tables["goal"][1]) - np.int64(tables["goal"][0])
    miles: Word = 0
    sums: Word = U(1)  # a bit for each sum in units of 25
    for kind in range(5):
        count = held_count(state, kind)
        if kind == 4:
            count = min(count, 2 - np.int64(word >> TWO_HUNDREDS & THREE))
        units = kind + 1 if kind < 4 else 8
        miles += count * units
        for _ in range(count):
            sums |= sums << U(units)
    choice["miles"] = miles
    choice["exact"] = np.int64(sums >> U(more) & ONE) if more < 64 else 0
    for n in range(1, tables["sides"]):
        other = state["side"][tables["opponent"][own, n]]
        distance = np.int64(other >> DISTANCE & DISTANCE_MASK)
        choice["others"] = max(np.int64(choice["others"]), distance)
        choice["shut_out"] += distance == 0
        choice["stuck"] += STOPPED[other & STATUS]
    choice["pile"] = np.int64(tables["size"] - state["drawn"])
    before = state["completed"]
    state["completed"] = np.uint8(own)
    for side in range(tables["sides"]):
        choice["finish"][side] = side_score(state, tables, uint64(side))
    state["completed"] = before


@kernel
def note_hand(
    states: Records, deals: Records, players: Records, line: Integers, work: Record, log: Integers, seen: Record
) -> Word:
    """Play a hand that has been dealt to its end, record it, and return the number of moves.

    All fields of ``seen`` must be zero, except for ``holder``, ``completed`` and the choice's ``side``, which must be
    -1. The codes of the moves are written to ``log``. The second state and deal are used to play out the other answer.
    """
    tables, none = work["tables"], log[:0]
    state = states[0]
    ply = 0
    for i in range(tables["seats"] * tables["hand_size"]):
        seat = (np.int64(state["first"]) + i) % np.int64(tables["seats"])
        seen["dealt"][seat] += ONE << (THREE * uint64(deals[0]["pile"][i]))
    seen["first"] = state["first"]
    note_draws(state, tables, seen)
    while state["phase"] != OVER:
        work["generator"]["word"] = decision_word(deals[0]["chance"], U(ply))
        code = U(choose_code(state, deals[0], players[line[np.int64(state["seat"])]], work))
        if state["phase"] == CHOOSE:
            note_choice(state, tables, deals[0]["public"], seen)
            seen["choice"]["own"] = np.int64(code == EXTEND_CODE)
            play_on(states, deals, players, line, work, none, EXTEND_CODE)
            for side in range(tables["sides"]):
                seen["choice"]["extend"][side] = side_score(states[1], tables, uint64(side))
            if states[1]["completed"] != NO:
                seen["choice"]["ends"] = 1 if states[1]["completed"] == seen["choice"]["side"] else -1
        elif state["phase"] == COUP:
            answer: Word = min(np.int64(state["hazard"]) - ACCIDENT, 3)
            seen["asked"][answer] += 1
            if seen["asked"][answer] == 1:
                own = uint64(state["own"])
                call = U(3 * (SAFETY + answer) + 2)
                play_on(states, deals, players, line, work, none, call)
                value = lead(states[1], tables, own)
                play_on(states, deals, players, line, work, none, PASS_CODE)
                seen["gain"][answer] = value - lead(states[1], tables, own)
        if ply < len(log):
            log[ply] = np.int64(code)
        ply += 1
        note_move(state, code, seen)
        make_move(state, tables, code, deals[0])
        note_draws(state, tables, seen)
    for i in range(4):
        if seen["fate"][i] == HELD_AT_END:
            seen["gone"][i] = seen["turns"][seen["holder"][i]]
    seen["moves"] = ply
    seen["extended"] = state["extended"]
    if state["completed"] != NO:
        seen["completed"] = state["completed"]
    for side in range(tables["sides"]):
        counts = side_counts(state, tables, uint64(side))
        for i in range(len(counts)):
            seen["lines"][side, i] = counts[i] * tables["points"][i]
    return ply


@kernel
def note_games(
    workspace: Workspace, players: Records, lineups: Integers, firsts: Integers, seed: Word, begin: Word, out: Records
) -> None:
    """Play hands ``begin`` to ``begin + len(out)`` of a seed, with every line-up and its first seat."""
    work, states, deals = workspace.work[0], workspace.states, workspace.deals
    log = np.zeros(0, np.int64)
    deals[0]["watched"] = is_watching(players)
    for game in range(len(out)):
        key = game_key(seed, begin + game)
        deals[0]["chance"] = hand_word(key, 1)
        for line in range(len(lineups)):
            shuffle_for(states[0], key, 1, work)
            start_deal(states[0], work["tables"], firsts[line], deals[0])
            note_hand(states, deals, players, lineups[line], work, log, out[game, line])


def _empty(*shape: int) -> Instrumented:
    found = np.zeros(shape, INSTRUMENTED)
    found["holder"] = found["completed"] = found["choice"]["side"] = -1
    return found


def play_instrumented(
    rules: Rules,
    players: Sequence[KernelPlayer],
    lineups: Sequence[Sequence[int]],
    firsts: Sequence[int],
    games: int,
    *,
    seed: int,
    begin: int = 0,
) -> Instrumented:
    """Play single hands ``begin`` to ``begin + games`` of a seed, and return `INSTRUMENTED` records (game, line-up).

    A line-up contains the index in ``players`` for each seat, and ``firsts`` contains the first seat of each line-up.
    All line-ups of a game have the same deck, and each seat draws from its own stream. ``gain`` is the difference
    between calling and passing when first asked, with both played out: (sides - 1) times the caller's points minus the
    points of all others. Raises `PlayerError` if a line-up is invalid.
    """
    for line, first in zip(lineups, firsts, strict=True):
        seated = len(line) == rules.seats and all(0 <= who < len(players) for who in line)
        if not seated or not 0 <= first < rules.seats:
            raise PlayerError(f"the line-up {list(line)} from seat {first} on does not fit {rules.seats} seats")
    workspace = workspace_for(rules, 2)
    workspace.deals["streams"] = 1
    found = _empty(games, len(lineups))
    lines = np.array(lineups, np.int64).reshape(len(lineups), rules.seats)
    note_games(workspace, seats_of(players), lines, np.array(firsts, np.int64), U(seed & WORD), begin, found)
    return found


class InstrumentedHand(NamedTuple):
    """A hand as returned by `millebornes.policies.batch.play_one`, with its `INSTRUMENTED` record."""

    hand: OneHand
    seen: Record


def play_one_instrumented(
    rules: Rules, players: Sequence[KernelPlayer], *, seed: int, first: int = 0
) -> InstrumentedHand:
    """Return the instrumented run of the hand that `millebornes.policies.batch.play_one` plays without streams."""
    workspace = workspace_for(rules, 2)
    work, state, deal = workspace.work[0], workspace.states[0], workspace.deals[0]
    deck = engine_for(rules).shuffled(seed & WORD)
    state["deck"][: rules.cards] = deck
    seated = seats_of(players)
    deal["watched"], deal["chance"] = is_watching(seated), hand_chance(seed, 1)
    start_deal(state, work["tables"], first, deal)
    log = np.zeros(MOST_MOVES, np.int64)
    found = _empty(1)
    line = np.arange(rules.seats)
    count = note_hand(workspace.states, workspace.deals, seated, line, work, log, found[0])
    scores = found[0]["lines"][: rules.sides].sum(axis=1).tolist()
    return InstrumentedHand(OneHand(tuple(deck), log[:count].tolist(), scores), found[0])
