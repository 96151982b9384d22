"""What nets learn from: decisions of a hand, several of their moves played to the end over the same cards."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.chooser import choose_code
from millebornes.policies.choosing import is_watching, write_net_facts
from millebornes.policies.deal import make_move, start_deal
from millebornes.policies.features import write_codes
from millebornes.policies.games import (
    decision_word,
    game_key,
    hand_word,
    lead,
    play_hand,
    play_near,
    shuffle_for,
)
from millebornes.policies.net import FAR, INPUTS, MOST_INPUTS, OUTPUTS, score_moves, weights_at, write_inputs
from millebornes.policies.workspace import workspace_for
from millebornes.rules.bits import high_product
from millebornes.rules.jit import kernel
from millebornes.rules.kernels import random_word
from millebornes.rules.state import SEATS, Phase, Record, Word

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
ZERO = U(0)
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
    workspace: Any, players: Any, lines: Any, seed: Word, begin: Word, games: Word, settings: Any, room: Any
) -> None:
    """Play hands ``begin`` … of a seed and play out some of their decisions, as long as there is `Room`.

    ``players[0]`` is the net that says which moves come into question; ``lines[0]`` says who plays the hands,
    ``lines[1]`` who plays them to the end; ``lines[2]`` is written to. The `Workspace` has three of everything.
    """
    works, states, deals = workspace
    every, near, far, stray, times, ahead = settings
    rows, entries, counts = room
    log = np.zeros(0, np.int64)
    work, state, deal = works[0], states[0], deals[0]
    tables, f, generator = work["tables"], work["features"], work["generator"]
    net = weights_at(players[0]["net"])
    sides = np.int64(tables["sides"])
    deal["watched"] = deal["streams"] = 1
    scores = np.empty(OUTPUTS, np.float32)
    chosen = np.empty(OUTPUTS, np.int64)
    for game in range(begin, begin + games):
        key = game_key(seed, game)
        shuffle_for(state, key, 1, work)
        start_deal(state, tables, game % np.int64(tables["seats"]), deal)
        deal["chance"] = hand_word(key, 1)
        ply = 0
        while state["phase"] != OVER:
            generator["word"] = decision_word(deal["chance"], U(ply))
            code = choose_code(state, deal, players[lines[0][np.int64(state["seat"])]], work)
            generator["word"] = decision_word(hand_word(key, 2), U(ply))
            wanted = state["phase"] != PLAY_PHASE or random_word(generator) % U(every) == ZERO
            write_codes(state, tables, f)
            if wanted and f["count"] > 1 and counts[0] + SEATS < len(rows) and counts[1] + OUTPUTS < len(entries):
                write_net_facts(state, deal, players[0], work)
                score_moves(f, net, scores)
                best = 0
                for i in range(1, f["count"]):
                    if scores[i] > scores[best]:
                        best = i
                found = 0
                for i in range(f["count"]):
                    close = abs(scores[i]) < FAR and scores[i] > scores[best] - near
                    if close or (i != best and random_word(generator) % MILLION < U(far)):
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
                            shuffle_rest(deal, np.int64(tables["size"]), generator)
                        for j in range(found):
                            states[1], deals[1] = state, deal
                            make_move(states[1], tables, U(f["codes"][chosen[j]]), deals[1])
                            play_near(states[1], deals[1], players, lines[2], works[1], seat, ahead)
                            deals[1]["watched"] = is_watching(players[2:])
                            play_hand(states[1], deals[1], players, lines[1], works[1], log)
                            gained = (lead(states[1], tables, own) - before) / (100 * (sides - 1))
                            entries[begun + j]["points"] += gained / times
                    deals[0] = deals[2]
            if random_word(generator) % MILLION < U(stray):
                code = f["codes"][random_word(generator) % U(f["count"])]
            make_move(state, tables, U(code), deal)
            ply += 1
        counts[3] += 1


class Sampler:
    """Plays hands of a table and plays out some of their decisions; one sampler works for one thread."""

    def __init__(self, rules: Rules, hands: int) -> None:
        self.rules: Final = rules
        self._workspace: Final = workspace_for(rules, 3)
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
        sample_games(self._workspace, players, lines, U(seed & WORD), begin, hands, settings, room)
        rows, entries, decisions, _ = counts.tolist()
        return Samples(self._rows[:rows].copy(), self._entries[:entries].copy(), decisions)
