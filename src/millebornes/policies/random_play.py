"""Choose random moves at the speed of the rules: the same moves as `RandomPlayer`, without a list of legal moves.

`RandomPlayer` picks one of the legal moves in alphabetical order. Here, tables convert the bits of legal move codes to
that order, eight bits at a time. This works only at tables with a single side to hit, where all moves fit in one word.
"""

import functools
from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.editions import Rules
from millebornes.kernels.bits import count_bits, select_bit
from millebornes.kernels.decorator import higher_order_kernel, inner_kernel, kernel
from millebornes.policies.deal import make_move
from millebornes.policies.dispatch import Workspace
from millebornes.policies.features import lookups_for
from millebornes.policies.games import deal_hand, decision_word, game_key, hand_word, shuffle_for
from millebornes.rules.masks import legal_word, turn_word
from millebornes.rules.moves import move_codes
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import random_word
from millebornes.rules.state import Integers, Phase, Record, Records, Word
from millebornes.rules.turns import apply_move, start_hand

LANES: Final = 4
"""The number of hands that are played in turn, so that their latencies overlap."""

RANKS: Final = np.dtype(
    [
        ("usable", "i8"),  # 1 if all moves fit in one word, else 0
        ("ranked", "u8", (8, 256)),  # position of eight codes, legal ones among them -> their bits in order
        ("shift", "u1", 65),  # number of moves -> the number of bits by which to shift a random word to pick a move
        ("code", "u1", 64),  # place in the alphabetical order -> move code
    ],
    align=True,
)
"""The alphabetical order of moves in the form that kernels read."""

U = np.uint64
ZERO, EIGHT, BYTE = U(0), U(8), U(255)
PLAY, OVER = np.uint8(Phase.PLAY), np.uint8(Phase.OVER)


@functools.lru_cache(maxsize=64)
def ranks_for(rules: Rules) -> Records:
    """Return a read-only array with the `RANKS` record for a table."""
    array = np.zeros(1, RANKS)
    ranks = array[0]
    ranks["shift"] = [64 - count.bit_length() for count in range(65)]
    codes = move_codes(rules, 0)
    if max(codes.values()) < 64:
        ranks["usable"] = 1
        for code in codes.values():
            rank = int(lookups_for(rules)["rank"][0, code])
            ranks["code"][rank] = code
            for byte in range(256):
                if byte >> code % 8 & 1:
                    ranks["ranked"][code // 8, byte] |= U(1 << rank)
    array.flags.writeable = False
    return array


@inner_kernel
def choose_ranked(state: Record, tables: Record, ranks: Record, generator: Record) -> Word:
    """Return the random legal move that `RandomPlayer` picks with the same random numbers."""
    word = turn_word(state, tables) if state["phase"] == PLAY else legal_word(state, tables, ZERO)
    return pick_ranked(word, ranks, generator)


@inner_kernel
def pick_ranked(word: Word, ranks: Record, generator: Record) -> Word:
    """Return the random move that `choose_ranked` would pick if ``word`` contained the legal moves."""
    ordered = ZERO
    for i in range(8):
        ordered |= ranks["ranked"][i, word >> EIGHT * uint64(i) & BYTE]
    count = count_bits(word)
    shift = uint64(ranks["shift"][count])
    # Try three times without a branch, which couldn't be predicted; the generator is set for each decision anyway.
    first = random_word(generator) >> shift
    second = random_word(generator) >> shift
    third = random_word(generator) >> shift
    pick = second if second < count else third
    pick = first if first < count else pick
    while pick >= count:
        pick = random_word(generator) >> shift
    return uint64(ranks["code"][select_bit(ordered, pick)])


@inner_kernel
def begin_lane(state: Record, deal: Record, work: Record, seed: Word, game: Word, is_seen: Word) -> None:
    """Deal the only hand of a game. If nothing in the deal is used, it isn't filled in."""
    key, first = game_key(seed, game), game % np.int64(work["tables"]["seats"])
    if is_seen:
        deal_hand(state, deal, work, key, 1, first)
    else:
        shuffle_for(state, key, 1, work)
        start_hand(state, work["tables"], uint64(first))
        deal["chance"] = hand_word(key, 1)


@higher_order_kernel
def play_lanes(
    workspace: Workspace, seed: Word, begin: Word, points: Integers, is_seen: Word, choose: Any, notes: Any
) -> Word:
    """Play a single hand in each game from ``begin`` on, several in turn, and return the number of moves.

    The hands are those of `millebornes.policies.games.play_games`, and the `Workspace` needs `LANES` states and deals.
    The kernel ``choose`` returns the code of the next move. Its arguments are a state, its deal, the `WORKSPACE`
    record, the number of the game, and those in the tuple ``notes``. ``is_seen`` is 0 if it doesn't read the deal.
    Points are written to ``points[game, side]``.
    """
    work = workspace.work[0]
    tables, generator = work["tables"], work["generator"]
    states, deals = workspace.states, workspace.deals
    is_seen |= deals[0]["streams"]
    sides = np.int64(tables["sides"])
    games = len(points)
    lanes = min(LANES, games)
    codes = np.zeros(LANES, np.uint64)
    plies = np.zeros(LANES, np.int64)
    numbers = np.zeros(LANES, np.int64)
    for i in range(lanes):
        begin_lane(states[i], deals[i], work, seed, begin + i, is_seen)
        numbers[i] = i
    started = lanes
    moves = 0
    while lanes:
        for i in range(lanes):
            generator["word"] = decision_word(deals[i]["chance"], U(plies[i]))
            codes[i] = choose(states[i], deals[i], work, begin + numbers[i], *notes)
            plies[i] += 1
        for i in range(lanes):
            state, deal = states[i], deals[i]
            if is_seen:
                make_move(state, tables, codes[i], deal)
            else:
                apply_move(state, tables, codes[i])
            if state["phase"] == OVER:
                moves += plies[i]
                for side in range(sides):
                    points[numbers[i], side] = side_score(state, tables, uint64(side))
                plies[i] = 0
                numbers[i] = -1
                if started < games:
                    numbers[i] = started
                    begin_lane(state, deal, work, seed, begin + started, is_seen)
                    started += 1
        i = 0
        while i < lanes:
            if numbers[i] < 0:  # no more hands to play: the last lane moves to this place
                lanes -= 1
                states[i], deals[i] = states[lanes], deals[lanes]
                plies[i], numbers[i] = plies[lanes], numbers[lanes]
            else:
                i += 1
    return moves


@inner_kernel
def choose_in_lane(state: Record, _deal: Record, work: Record, _game: Word, ranks: Record) -> Word:
    return choose_ranked(state, work["tables"], ranks, work["generator"])


@kernel
def play_random_games(workspace: Workspace, ranks: Records, seed: Word, begin: Word, points: Integers) -> Word:
    """Play single hands of random players with `play_lanes`, and return the number of moves."""
    return play_lanes(workspace, seed, begin, points, 0, choose_in_lane, (ranks[0],))
