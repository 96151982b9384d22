"""What nets learn from: decisions of a hand, several of their moves played to the end over the same cards."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.features import write_codes
from millebornes.policies.instrumented import lead
from millebornes.policies.native import (
    MIX_DECK,
    MIX_GAME,
    choose_code,
    decision_word,
    is_watching,
    make_move,
    play_hand,
    play_near,
    start_deal,
    write_net_facts,
)
from millebornes.policies.net import FAR, INPUTS, MOST_INPUTS, OUTPUTS, score_moves, weights_at, write_inputs
from millebornes.rules.bits import high_product
from millebornes.rules.jit import kernel
from millebornes.rules.kernels import random_word, write_shuffled
from millebornes.rules.state import SEATS, Phase, Record, Word
from millebornes.simulation.workspace import workspace_for

__all__ = ["ENTRY", "Sampler", "Samples", "Settings", "shuffle_rest"]

ENTRY: Final = np.dtype(
    [
        ("row", "i4"),  # what the net saw: number of a row of inputs
        ("decision", "i4"),  # moves of one decision are compared with each other
        ("code", "i4"),  # output of the net
        ("best", "i4"),  # 1 where it seemed best
        ("worth", "f4"),  # what the maxims make of it, in units of 100 points
        ("points", "f4"),  # by how much more its side led in the end, in units of 100 points
    ]
)
"""A move that was played out."""

U = np.uint64
WORD: Final = (1 << 64) - 1
ZERO, ONE, TWO = U(0), U(1), U(2)
MILLION: Final = U(1_000_000)
PLAY_PHASE, OVER = np.uint8(Phase.PLAY), np.uint8(Phase.OVER)


class Settings(NamedTuple):
    """How decisions are picked.

    One turn in ``every`` (and every answer) is played out; ``near``: moves that seem worth so many points less than
    the best are played out, and ``far`` of a million others; ``stray`` of a million moves are made by chance. A move is
    played out ``times`` times, the cards that nobody holds yet being shuffled anew each time; the net makes the seat's
    next ``ahead`` moves.
    """

    every: int = 6
    near: int = 60
    far: int = 50_000
    stray: int = 30_000
    times: int = 4
    ahead: int = 0


class Samples(NamedTuple):
    """Rows of inputs (places that hold ones; `INPUTS` stands for none), and moves that were played out (`ENTRY`)."""

    rows: npt.NDArray[np.uint16]
    entries: npt.NDArray[np.void]
    decisions: int


@kernel
def shuffle_rest(deal: Record, size: Word, generator: Record) -> None:
    """Shuffle the cards that nobody has drawn yet, in everybody's streams."""
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
    """Where samples are written to; ``counts`` takes rows, entries, decisions and hands."""

    rows: Any
    entries: Any
    counts: Any


@kernel
def sample_games(
    work: Any, players: Any, lines: Any, seed: Word, begin: Word, games: Word, settings: Any, room: Any
) -> None:
    """Play hands ``begin`` … of a seed and play out some of their decisions, as long as there is `Room`.

    ``players[0]`` is the net that says which moves come into question; ``lines[0]`` says who plays the hands,
    ``lines[1]`` who plays them to the end; ``lines[2]`` is written to. The `Workspace` has three of everything.
    """
    tables, facts, states, deals, generators, buffers = work
    every, near, far, stray, times, ahead = settings
    rows, entries, counts = room
    totals, log = np.zeros(SEATS, np.int64), np.zeros(0, np.int64)
    state, deal, f = states[0], deals[0], buffers[0]
    net = weights_at(players[0]["net"])
    sides = np.int64(tables["sides"])
    deal["watched"] = 1
    scores = np.empty(OUTPUTS, np.float32)
    chosen = np.empty(OUTPUTS, np.int64)
    for game in range(begin, begin + games):
        key = seed + U(game) * MIX_GAME
        generators[0]["word"] = key + ONE * MIX_DECK
        write_shuffled(state, tables, generators[0])
        start_deal(state, tables, game % np.int64(tables["seats"]), 1, deal)
        for side in range(len(totals)):
            deal["totals"][side] = totals[side]
        ply = 0
        while state["phase"] != OVER:
            word = decision_word(key, ONE, U(ply))
            code = choose_code(
                state, tables, facts, deal, 0, players[lines[0][np.int64(state["seat"])]], word, generators[0], f
            )
            generators[0]["word"] = decision_word(key, TWO, U(ply))
            wanted = state["phase"] != PLAY_PHASE or random_word(generators[0]) % U(every) == ZERO
            write_codes(state, tables, f)
            if wanted and f["count"] > 1 and counts[0] + SEATS < len(rows) and counts[1] + OUTPUTS < len(entries):
                write_net_facts(state, tables, facts, deal, 0, players[0], f)
                score_moves(f, net, scores)
                best = 0
                for i in range(1, f["count"]):
                    if scores[i] > scores[best]:
                        best = i
                found = 0
                for i in range(f["count"]):
                    close = abs(scores[i]) < FAR and scores[i] > scores[best] - near
                    if close or (i != best and random_word(generators[0]) % MILLION < U(far)):
                        chosen[found] = i
                        found += 1
                if abs(scores[best]) < FAR and found > 1:
                    own = np.int64(state["own"])
                    before = lead(state, tables, own)
                    begun = counts[1]
                    seat = np.int64(state["seat"])
                    lines[2] = lines[1]
                    lines[2][seat] = 0
                    seen = -1
                    for j in range(found):
                        code_there = f["codes"][chosen[j]]
                        n = code_there // 64
                        if n != seen:  # codes ascend, so each side opposite comes once
                            seen = n
                            row = rows[counts[0]]
                            row[:] = INPUTS
                            write_inputs(f, n + 1, row)
                            counts[0] += 1
                        entry = entries[counts[1]]
                        entry["row"] = counts[0] - 1
                        entry["decision"] = counts[2]
                        entry["code"] = code_there % 64
                        entry["best"] = 1 if chosen[j] == best else 0
                        entry["worth"] = f["worths"][chosen[j]] / 100
                        entry["points"] = 0
                        counts[1] += 1
                    counts[2] += 1
                    deals[2] = deal
                    for time in range(times):
                        if time:
                            shuffle_rest(deal, np.int64(tables["size"]), generators[0])
                        for j in range(found):
                            states[1], deals[1] = state, deal
                            make_move(states[1], tables, U(f["codes"][chosen[j]]), 1, deals[1])
                            play_near(
                                states[1], tables, facts, totals, 0, players, lines[2], seat, ahead, deals[1],
                                generators[1], buffers[1],
                            )  # fmt: skip
                            deals[1]["watched"] = is_watching(players[2:])
                            play_hand(
                                states[1], tables, facts, totals, 0, players, lines[1], key, 1, 1, deals[1],
                                generators[1], buffers[1], log,
                            )  # fmt: skip
                            gained = (lead(states[1], tables, own) - before) / (100 * (sides - 1))
                            entries[begun + j]["points"] += gained / times
                    deals[0] = deals[2]
            if random_word(generators[0]) % MILLION < U(stray):
                code = f["codes"][random_word(generators[0]) % U(f["count"])]
            make_move(state, tables, U(code), 1, deal)
            ply += 1
        counts[3] += 1


class Sampler:
    """Plays hands of a table and plays out some of their decisions; one sampler works for one thread."""

    def __init__(self, rules: Rules, hands: int) -> None:
        self.rules: Final = rules
        self._work: Final = workspace_for(rules, 3)
        room = hands * 24 * rules.seats
        self._rows = np.zeros((room, MOST_INPUTS), np.uint16)
        self._entries = np.zeros(4 * room, ENTRY)

    def sample(
        self,
        net: KernelPlayer,
        plays: KernelPlayer,
        plays_on: KernelPlayer,
        begin: int,
        hands: int,
        *,
        seed: int,
        settings: Settings,
    ) -> Samples:
        """Play hands ``begin`` to ``begin + hands`` of a seed by ``plays``, and play out moves by ``plays_on``.

        The net says which moves come into question.
        """
        players = seats_of([net, plays, plays_on])
        lines = np.repeat(np.array([[1], [2], [2]]), self.rules.seats, axis=1)
        counts = np.zeros(4, np.int64)
        room = Room(self._rows, self._entries, counts)
        sample_games(self._work, players, lines, U(seed & WORD), begin, hands, settings, room)
        rows, entries, decisions, _ = counts.tolist()
        return Samples(self._rows[:rows].copy(), self._entries[:entries].copy(), decisions)
