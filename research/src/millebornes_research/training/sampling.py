"""Create training data for nets: decisions in a hand, with several moves each played to the end over the same cards."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.kernels.bits import high_product
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.deal import make_move
from millebornes.policies.dispatch import is_watching, workspace_for, write_net_features
from millebornes.policies.equity_tables import UNIT, win_chance
from millebornes.policies.features import write_codes
from millebornes.policies.games import (
    Seating,
    deal_hand,
    decision_word,
    game_key,
    hand_word,
    is_decided,
    next_code,
    play_hand,
    play_moves,
    worth_of_hand,
)
from millebornes.policies.match_equity import SPAN, Stakes, stakes_of
from millebornes.policies.net import INPUTS, MAX_INPUTS, MAX_OPINION, OUTPUTS, score_moves, weights_at, write_inputs
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import random_word
from millebornes.rules.state import SEATS, Integers, Phase, Record, Records, Word

ENTRY: Final = np.dtype(
    [
        ("row", "i4"),  # number of the row of inputs that the net read
        ("decision", "i4"),  # moves with the same number are compared with each other
        ("code", "i4"),  # the output of the net
        ("far", "i4"),  # number of sides between the net's side and the opponent in view
        ("best", "i4"),  # 1 if the move seemed best
        ("worth", "f4"),  # the value of the move according to the maxims, in units of 100 points
        ("points", "f4"),  # gain in the lead of the net's side at the end, in units of 100 points
    ]
)
"""A move that was played out."""

U = np.uint64
WORD: Final = (1 << 64) - 1
ZERO = U(0)
MILLION: Final = U(1_000_000)
MORE_CHANCE: Final = 1 << 32
"""Hands with numbers this much greater are never played, so their random numbers serve for strays and shuffles."""
MIN_WORTH: Final = 0.25
"""A point always counts for at least this fraction of its value at the start of a match."""
MAX_PLIES: Final = 1 << 16
"""A number that is greater than the number of decisions in any hand."""
PLAY_PHASE, OVER = np.uint8(Phase.PLAY), np.uint8(Phase.OVER)


class Settings(NamedTuple):
    """The settings that determine which decisions and moves are played out.

    About one turn in ``every`` is chosen, and every answer to a question. A move is played out if its value seems less
    than ``near`` points below the best move. In addition, ``far`` in a million other moves are played out. ``stray`` in
    a million moves are random. A move is played out ``times`` times, and the undrawn cards are shuffled again each
    time. In these hands, the net makes the seat's next ``ahead`` moves. The result of a move is the result of the hand,
    except for a fraction ``bootstrap`` (0 to 1) that comes from the net's estimate at the seat's turn after these
    moves. A larger fraction reduces the influence of luck later in the hand, but increases that of errors in the net's
    estimate.
    """

    every: int = 6
    near: int = 60
    far: int = 50_000
    stray: int = 30_000
    times: int = 4
    ahead: int = 0
    bootstrap: float = 0.0


class Samples(NamedTuple):
    """Rows of inputs (the positions of ones, filled up with `INPUTS`), and moves that were played out (`ENTRY`)."""

    rows: npt.NDArray[np.uint16]
    entries: npt.NDArray[np.void]
    decisions: int


@kernel
def shuffle_rest(deal: Record, size: Word, generator: Record) -> None:
    """Shuffle the cards in the streams of all seats that haven't been drawn yet."""
    left = np.int64(0)
    for i in range(size):
        left += 1 - deal["taken"][i]
    last = size - 1
    while left > 1:
        while deal["taken"][last]:
            last -= 1
        pick = np.int64(high_product(random_word(generator), U(left)))
        other = np.int64(0)
        while deal["taken"][other] or pick > 0:
            pick -= 1 - deal["taken"][other]
            other += 1
        deal["order"][last], deal["order"][other] = deal["order"][other], deal["order"][last]
        last -= 1
        left -= 1


class Room(NamedTuple):
    """The arrays to which samples are written.

    ``counts`` contains the numbers of rows, entries, decisions and hands.
    """

    rows: Any
    entries: Any
    counts: Any


class Lines(NamedTuple):
    """The roles of players in each match, as arrays of shape (matches, seats).

    ``plays``, ``near`` and ``rest`` contain numbers of players. The player ``plays`` makes the moves of the hand. In
    hands that are played out, ``near`` plays while the deciding seat has moves of ``Settings.ahead`` left (that seat
    itself uses the net), and ``rest`` plays all later moves. ``learns`` is 1 for the seats whose decisions are sampled.
    Matches use these rows in turn.
    """

    plays: npt.NDArray[np.int64]
    near: npt.NDArray[np.int64]
    rest: npt.NDArray[np.int64]
    learns: npt.NDArray[np.int64]


class Seated(NamedTuple):
    """The players as `SEATED` records, the `Lines` that refer to them by number, and the stakes of a match."""

    players: npt.NDArray[np.void]
    lines: Lines
    stakes: Stakes


@inner_kernel
def worth_of_point(totals: Any, sides: Word, side: Word, stakes: Any, after: Any) -> Any:
    """Return the value of a point of lead with these totals, like `millebornes.policies.match_equity.Equity.slope`.

    The array ``after`` is overwritten. If the match is almost decided, the result is raised to a minimum, so that tiny
    chances aren't magnified.
    """
    target = np.int64(stakes.goal)
    if target == 0:
        return 1.0
    found = np.zeros(2)
    for start in range(2):
        highest: Any = np.int64(0)
        for other in range(sides):
            after[other] = 0 if start else totals[other]
            highest = max(highest, after[other])
        lower = max(0, highest + SPAN - (target - UNIT))
        for other in range(sides):
            after[other] = max(0, after[other] - lower)
        after[side] += SPAN
        found[start] = np.float64(win_chance(stakes.table, sides, stakes.step, target, after, side, 0))
        for other in range(sides):
            after[other] += -SPAN if other == side else SPAN
        found[start] -= np.float64(win_chance(stakes.table, sides, stakes.step, target, after, side, 0))
    return max(found[0], MIN_WORTH * found[1]) / (2 * SPAN)


@kernel
def sample_games(workspace: Any, seated: Any, seed: Word, begin: Word, hands: Word, settings: Any, room: Any) -> None:
    """Play matches of a seed from ``begin`` on, with ``hands`` hands in total, and play out some of their decisions.

    The first player in ``seated`` is the net that chooses candidate moves. Its `Lines` contain the players for
    everything else. Without stakes, each match is a single hand. Sampling stops when the arrays in ``room`` are full.
    The `Workspace` must have three of each record.
    """
    work, state, deal = workspace.work[0], workspace.states[0], workspace.deals[0]
    tables, totals = work["tables"], deal["totals"]
    sides = np.int64(tables["sides"])
    counts = room.counts
    deal["watched"] = deal["streams"] = 1
    deal["target"] = seated.stakes.goal
    match = np.int64(begin)
    while counts[3] < hands:
        key = game_key(seed, match)
        totals[:] = 0
        number = 0
        while counts[3] < hands:
            number += 1
            deal_hand(state, deal, work, key, number, (match + number - 1) % np.int64(tables["seats"]))
            place = (match - np.int64(begin)) % len(seated.lines.plays)
            sample_hand(workspace, seated, place, hand_word(key, number + MORE_CHANCE), settings, room)
            counts[3] += 1
            for side in range(sides):
                totals[side] += np.int64(side_score(state, tables, U(side)))
            if is_decided(totals, sides, deal["target"], work["lookups"]):
                break
        match += 1


@kernel
def sample_hand(workspace: Any, seated: Any, place: Word, chance: Word, settings: Any, room: Any) -> None:
    """Play a hand that `start_deal` has dealt to its end, and play out some of its decisions (see `sample_games`)."""
    work, state, deal = workspace.work[0], workspace.states[0], workspace.deals[0]
    players, lines, _ = seated
    every, near, far, stray, _, _, _ = settings
    rows, entries, counts = room
    tables, f, generator = work["tables"], work["features"], work["generator"]
    net = weights_at(players[0]["net"])
    scores = np.empty(OUTPUTS, np.float32)
    chosen = np.empty(OUTPUTS, np.int64)
    ply = 0
    while state["phase"] != OVER:
        seat = np.int64(state["seat"])
        code = next_code(state, deal, players, lines.plays[place], work, decision_word(deal["chance"], U(ply)))
        generator["word"] = decision_word(chance, U(ply))
        wanted = state["phase"] != PLAY_PHASE or random_word(generator) % U(every) == ZERO
        wanted &= lines.learns[place, seat] != 0
        write_codes(state, tables, f)
        if wanted and f["count"] > 1 and counts[0] + SEATS < len(rows) and counts[1] + OUTPUTS < len(entries):
            write_net_features(state, deal, players[0], work)
            score_moves(f, net, scores)
            best = 0
            for i in range(1, f["count"]):
                if scores[i] > scores[best]:
                    best = i
            found = 0
            for i in range(f["count"]):
                close = scores[i] > scores[best] - near
                if abs(scores[i]) < MAX_OPINION and (
                    close or (i != best and random_word(generator) % MILLION < U(far))
                ):
                    chosen[found] = i
                    found += 1
            if abs(scores[best]) < MAX_OPINION and found > 1:
                begun = counts[1]
                note_moves(f, chosen[:found], best, room)
                play_out(workspace, seated, place, settings, entries[begun : begun + found])
        if random_word(generator) % MILLION < U(stray):
            code = f["codes"][random_word(generator) % U(f["count"])]
        make_move(state, tables, U(code), deal)
        ply += 1


@kernel
def note_moves(f: Record, chosen: Any, best: Word, room: Any) -> None:
    """Record the inputs of the net in a decision, and the moves that were chosen."""
    rows, entries, counts = room
    seen = -1
    for j in range(len(chosen)):
        code = f["codes"][chosen[j]]
        n = code // 64
        if n != seen:  # codes are in ascending order, so each side appears once
            seen = n
            row = rows[counts[0]]
            row[:] = INPUTS
            write_inputs(f, n + 1, row)
            counts[0] += 1
        entry = entries[counts[1]]
        entry["row"] = counts[0] - 1
        entry["decision"] = counts[2]
        entry["code"] = code % 64
        entry["far"] = n
        entry["best"] = 1 if chosen[j] == best else 0
        entry["worth"] = f["worths"][chosen[j]] / 100
        entry["points"] = 0
        counts[1] += 1
    counts[2] += 1


@kernel
def play_to_turn(state: Record, deal: Record, players: Any, line: Any, work: Record, seat: Word) -> None:
    """Play until it is the seat's turn or the hand is over, with random numbers that aren't used anywhere else."""
    ply = MAX_PLIES
    while state["phase"] != OVER and (state["phase"] != PLAY_PHASE or np.int64(state["seat"]) != seat):
        code = next_code(state, deal, players, line, work, decision_word(~deal["chance"], U(ply)))
        make_move(state, work["tables"], U(code), deal)
        ply += 1


@kernel
def play_near(
    state: Record, deal: Record, players: Records, line: Integers, work: Record, seat: Word, moves: Word
) -> None:
    """Play until ``seat`` has made ``moves`` decisions, or the hand is over.

    ``line[seat]`` is the index in ``players`` of the player at that seat. The random numbers differ from those in
    `play_hand`, because both functions number the decisions from zero.
    """
    play_moves(state, deal, Seating(players, line, ~deal["chance"], seat, moves), work, make_move, ())


@kernel
def play_out(workspace: Any, seated: Any, place: Word, settings: Any, entries: Any) -> None:
    """Play the recorded moves of a decision to the end over the same cards, and add up their results."""
    players, lines, stakes = seated
    works, states, deals = workspace
    state, deal, generator = states[0], deals[0], works[0]["generator"]
    tables = works[0]["tables"]
    own, seat = np.int64(state["own"]), np.int64(state["seat"])
    after = np.zeros(SEATS, np.int64)
    scores = np.empty(OUTPUTS, np.float32)
    line = lines.near[place].copy()
    line[seat] = 0
    watched = np.int64(0)
    for other in lines.rest[place]:
        watched |= is_watching(players[other : other + 1])
    before = worth_of_hand(state, tables, deal["totals"], own, stakes, after)
    unit = 100 * worth_of_point(deal["totals"], np.int64(tables["sides"]), own, stakes, after)
    deals[2] = deal
    for time in range(settings.times):
        if time:
            shuffle_rest(deal, np.int64(tables["size"]), generator)
        for j in range(len(entries)):
            entry = entries[j]
            states[1], deals[1] = state, deal
            make_move(states[1], tables, U(entry["code"] + 64 * entry["far"]), deals[1])
            play_near(states[1], deals[1], players, line, works[1], seat, settings.ahead)
            expected = 0.0
            if settings.bootstrap > 0:
                play_to_turn(states[1], deals[1], players, line, works[1], seat)
                expected = worth_of_hand(states[1], tables, deals[1]["totals"], own, stakes, after) - before
                if states[1]["phase"] != OVER:
                    write_codes(states[1], tables, works[1]["features"])
                    write_net_features(states[1], deals[1], players[0], works[1])
                    value = score_moves(works[1]["features"], weights_at(players[0]["net"]), scores)
                    expected += unit * np.float64(value) / 100
            deals[1]["watched"] = watched
            play_hand(states[1], deals[1], players, lines.rest[place], works[1])
            brought = worth_of_hand(states[1], tables, deals[1]["totals"], own, stakes, after) - before
            brought += settings.bootstrap * (expected - brought)
            entry["points"] += brought / (unit * settings.times)
    deals[0] = deals[2]


class Company(NamedTuple):
    """The players that create samples: ``net`` chooses the candidate moves, and `Lines` name the others by number."""

    net: KernelPlayer
    others: tuple[KernelPlayer, ...]
    lines: Lines


class Sampler:
    """Plays hands at one table and plays out some of their decisions. Only one thread can use a sampler.

    With a ``target``, the hands belong to matches to this number of points, and the results of moves are converted to
    the number of points that would change the chance to win the match by the same amount.
    """

    def __init__(self, rules: Rules, hands: int, target: int = 0) -> None:
        self.rules: Final = rules
        self._workspace: Final = workspace_for(rules, 3)
        self._stakes: Final = stakes_of(rules, target)
        room = hands * 24 * rules.seats
        self._rows = np.zeros((room, MAX_INPUTS), np.uint16)
        self._entries = np.zeros(4 * room, ENTRY)

    def sample(self, company: Company, begin: int, hands: int, *, seed: int, settings: Settings) -> Samples:
        """Play ``hands`` hands of a seed from match ``begin`` on, play out some decisions, and return the samples."""
        seated = Seated(seats_of([company.net, *company.others]), company.lines, self._stakes)
        counts = np.zeros(4, np.int64)
        room = Room(self._rows, self._entries, counts)
        sample_games(self._workspace, seated, U(seed & WORD), begin, hands, settings, room)
        rows, entries, decisions, _ = counts.tolist()
        return Samples(self._rows[:rows].copy(), self._entries[:entries].copy(), decisions)
