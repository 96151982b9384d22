"""Play whole hands and matches between kernel players, without Python in the loop."""

from typing import Any, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.kernels.decorator import higher_order_kernel, inner_kernel, kernel
from millebornes.policies.compiled import highest_total, is_match_over
from millebornes.policies.deal import make_move, start_deal
from millebornes.policies.dispatch import Workspace, choose_code, is_watching
from millebornes.policies.equity_tables import Stakes, win_chance
from millebornes.rules.replay import MOST_MOVES
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import write_shuffled
from millebornes.rules.state import Integers, Phase, Record, Records, Word

U = np.uint64
MIX_GAME, MIX_DECK = U(0x8CB92BA72F3D8DD7), U(0xA0761D6478BD642F)
MIX_HAND, MIX_PLY = U(0x9E3779B97F4A7C15), U(0xD1B54A32D192ED03)
OVER = np.uint8(Phase.OVER)
MANY_HANDS = 1 << 62
"""A number of hands for matches of any length."""


@inner_kernel
def game_key(seed: Word, game: Word) -> Word:
    """Return the key from which all random numbers for one game of a seed are derived."""
    return seed + uint64(game) * MIX_GAME


@inner_kernel
def hand_word(key: Word, hand: Word) -> Word:
    """Return the word from which the random numbers for a hand's decisions are derived."""
    return key + uint64(hand) * MIX_HAND


@inner_kernel
def decision_word(chance: Word, ply: Word) -> Word:
    """Return the word from which the random numbers for a decision are derived. ``ply`` is its number, from 0."""
    return chance + uint64(ply) * MIX_PLY


@inner_kernel
def deck_word(key: Word, hand: Word) -> Word:
    """Return the word from which the shuffle of a hand (from 1) is derived, given the `game_key` of the game."""
    return key + uint64(hand) * MIX_DECK


@inner_kernel
def shuffle_for(state: Record, key: Word, hand: Word, work: Record) -> None:
    """Shuffle the deck for one hand (from 1) of a game."""
    work["generator"]["word"] = deck_word(key, hand)
    write_shuffled(state, work["tables"], work["generator"])


@inner_kernel
def deal_hand(state: Record, deal: Record, work: Record, key: Word, hand: Word, first: Word) -> None:
    """Shuffle and deal a hand (from 1) of a game, given its `game_key`. Seat ``first`` begins."""
    shuffle_for(state, key, hand, work)
    start_deal(state, work["tables"], first, deal)
    deal["chance"] = hand_word(key, hand)


@inner_kernel
def next_code(state: Record, deal: Record, players: Records, line: Integers, work: Record, word: Word) -> Word:
    """Return the move that the player ``players[line[seat]]`` (a `SEATED` record) makes for the seat to decide.

    The random numbers for the decision are derived from ``word``.
    """
    work["generator"]["word"] = word
    return choose_code(state, deal, players[line[np.int64(state["seat"])]], work)


class Seating(NamedTuple):
    """The players of a hand, and how long they play: until ``seat`` has made ``moves`` decisions.

    ``line[seat]`` is the index in ``players`` (`SEATED` records) of the player at that seat. The random numbers for
    decisions are derived from ``chance``.
    """

    players: Records
    line: Integers
    chance: Word
    seat: Word
    moves: Word


@higher_order_kernel
def play_moves(state: Record, deal: Record, seating: Seating, work: Record, make: Any, notes: Any) -> Word:
    """Play until the decisions of the `Seating` have been made or the hand is over. Return the number of all moves.

    The kernel ``make`` makes every move. Its arguments are those of `make_move`, followed by those in the tuple
    ``notes``.
    """
    players, line, chance, seat, moves = seating
    ply = 0
    while moves > 0 and state["phase"] != OVER:
        code = next_code(state, deal, players, line, work, decision_word(chance, U(ply)))
        ply += 1
        moves -= np.int64(np.int64(state["seat"]) == seat)
        make(state, work["tables"], U(code), deal, *notes)
    return ply


@kernel
def play_hand(state: Record, deal: Record, players: Records, line: Integers, work: Record) -> Word:
    """Play a hand that `start_deal` has dealt to its end, and return the number of moves.

    ``players`` are `SEATED` records, and ``line[seat]`` is the index of the player at that seat. ``deal`` contains the
    target of the match, the totals before the hand, and the word from which the random numbers for the hand's decisions
    are derived.
    """
    return play_moves(state, deal, Seating(players, line, deal["chance"], 0, MOST_MOVES), work, make_move, ())


@inner_kernel
def make_logged(state: Record, tables: Record, code: Word, deal: Record, log: Integers) -> None:
    """Make a move, and add its code to ``log``, whose first number is the number of codes after it."""
    log[0] += 1
    log[log[0]] = code
    make_move(state, tables, code, deal)


@kernel
def log_hand(state: Record, deal: Record, players: Records, line: Integers, work: Record, log: Integers) -> None:
    """Play a hand like `play_hand`, and write the codes of its moves to ``log`` (see `make_logged`)."""
    play_moves(state, deal, Seating(players, line, deal["chance"], 0, MOST_MOVES), work, make_logged, (log,))


class Games(NamedTuple):
    """Games of a seed from number ``begin`` on, in which the sides start with the totals ``start``.

    Seat ``first`` begins the first hand. If ``first`` is negative, the seats take turns at beginning. A match ends
    after ``most_hands`` hands at the latest.
    """

    seed: np.uint64
    begin: int
    first: int
    start: Integers
    most_hands: int


@kernel
def play_games(
    workspace: Workspace, players: Records, lineups: Integers, games: Games, out: Integers, counts: Integers
) -> None:
    """Play as many `Games` as ``out`` has rows with every line-up, over the same decks.

    ``players`` are `SEATED` records, and ``lineups[line, seat]`` is the index of the player at that seat. The first
    deal in the `Workspace` contains the target of the match, and determines whether each seat draws from its own
    stream. Totals are written to ``out[game, line, side]``, and the numbers of hands and moves to ``counts``.
    """
    work, state, deal = workspace.work[0], workspace.states[0], workspace.deals[0]
    tables, totals = work["tables"], deal["totals"]
    seed, begin, first, start, most_hands = games
    seats = np.int64(tables["seats"])
    sides = np.int64(tables["sides"])
    deal["watched"] = is_watching(players)
    for game in range(len(out)):
        key = game_key(seed, begin + game)
        for line in range(len(lineups)):
            for side in range(sides):
                totals[side] = start[side]
            for number in range(1, most_hands + 1):
                begins = (first if first >= 0 else begin + game) + number - 1
                deal_hand(state, deal, work, key, number, begins % seats)
                counts[1] += play_hand(state, deal, players, lineups[line], work)
                counts[0] += 1
                for side in range(sides):
                    totals[side] += side_score(state, tables, uint64(side))
                if is_decided(totals, sides, deal["target"], work["lookups"]):
                    break
            for side in range(sides):
                out[game, line, side] = totals[side]


@kernel
def is_decided(totals: Integers, sides: Word, target: Word, lookups: Record) -> bool:
    """Return whether a match is over with these totals (R8). A single hand always counts as over."""
    best, leaders = highest_total(totals[:sides])
    return bool(target == 0 or is_match_over(best, leaders, target, lookups["draw"] != 0))


@inner_kernel
def worth_of_hand(
    state: Record, tables: Record, totals: Integers, side: Word, stakes: Stakes, after: Integers
) -> float:
    """Return the result of a side if the hand ends now: its lead over the average of the others, or its chance to win.

    With a goal, the points are added to ``totals``. ``after`` is an array that can hold a number for each side.
    """
    sides = np.int64(tables["sides"])
    if stakes.goal == 0:
        return np.float64(lead(state, tables, side)) / (sides - 1)
    for other in range(sides):
        after[other] = totals[other] + np.int64(side_score(state, tables, uint64(other)))
    next_first = (np.int64(state["first"]) + 1) % np.int64(tables["seats"])  # R2.7
    return np.float64(win_chance(stakes.table, sides, stakes.step, stakes.goal, after, side, next_first))


@inner_kernel
def lead(state: Record, tables: Record, side: Word) -> Word:
    """Return the lead of a side: (sides - 1) times its points, minus the points of all other sides."""
    value: Word = np.int64(0)
    for other in range(tables["sides"]):
        points = np.int64(side_score(state, tables, uint64(other)))
        if other == np.int64(side):
            value += (np.int64(tables["sides"]) - 1) * points
        else:
            value -= points
    return value
