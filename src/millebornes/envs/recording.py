"""Kernels that play whole hands, record every decision as a row, and turn such rows into observations."""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.envs.seen import write_mask, write_numbers, write_seen
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.kernels.memory import put_float
from millebornes.policies.deal import make_seen, start_seen
from millebornes.policies.dispatch import RANDOM, choose_code, is_watching
from millebornes.policies.random_play import pick_ranked, play_lanes
from millebornes.rules.masks import legal_word, turn_word
from millebornes.rules.scoring import side_score
from millebornes.rules.state import Phase, Record, Word
from millebornes.rules.turns import start_hand

U = np.uint64
ZERO, ONE = U(0), U(1)
PLAY, OVER = np.uint8(Phase.PLAY), np.uint8(Phase.OVER)
NO_REWARD = np.float32(0)
EACH, PLACE_MASK = 64, U(63)
IN_PLAY: Final = 0
OVER_NOW: Final = 1
NOT_LEGAL: Final = 2
"""The state in which `follow_hands` leaves a hand: still in play, over, or before an illegal move."""


@inner_kernel
def write_row(state: Record, tables: Record, deal: Record, word: Word, seen: Record, legal: Any) -> None:
    write_seen(state, tables, deal["public"], state["seat"], seen)
    legal[0] = word
    for n in range(1, np.int64(tables["targets"])):
        legal[n] = legal_word(state, tables, uint64(n))


@inner_kernel
def choose_recorded(
    state: Record, deal: Record, work: Record, game: Word, ranks: Record, seating: Any, rows: Any, count: Any
) -> Word:
    """Choose a move, and write a row for the decision. ``count`` contains the number of rows."""
    tables = work["tables"]
    seen, legal, codes, numbers = rows
    players, line, all_random = seating
    row = U(count[0])
    word = turn_word(state, tables) if state["phase"] == PLAY else legal_word(state, tables, ZERO)
    if all_random:
        code = pick_ranked(word, ranks, work["generator"])
    else:
        code = uint64(choose_code(state, deal, players[line[np.int64(state["seat"])]], work))
    write_row(state, tables, deal, word, seen[row], legal[row])
    codes[row] = np.int16(code)
    numbers[row] = np.int32(game)
    count[0] += 1
    return code


@kernel
def record_hands(
    workspace: Any, ranks: Any, players: Any, line: Any, seed: Word, begin: Word, rows: Any, points: Any
) -> Word:
    """Play one hand for each row of ``points`` (game, side), write ``rows``, and return the number of rows.

    ``rows`` contains arrays with one entry per decision: `SEEN` records, masks of legal move codes (row, word), the
    code of the move, and the number of the game. The kernel plays several hands side by side. The rows of a game are
    therefore in order, but rows of other games come between them.
    """
    all_random = ranks[0]["usable"] != 0
    for i in range(len(players)):
        all_random &= players[i]["who"] == RANDOM
    for i in range(len(workspace.deals)):
        workspace.deals[i]["watched"] = is_watching(players)
    notes = (ranks[0], (players, line, all_random), rows, np.zeros(1, np.int64))
    return play_lanes(workspace, seed, begin, points, 1, choose_recorded, notes)


@kernel
def follow_hands(records: Any, hands: Any, rows: Any, points: Any, ends: Any) -> Word:
    """Replay recorded hands one after another, write a row for each decision, and return the number of rows.

    ``records`` contains arrays with a single record each: the tables, a state and a deal. ``hands`` contains arrays
    with one entry per hand: the deck (hand, place) in the order it is drawn, the first seat, the codes of the moves
    (hand, ply), and the number of moves. ``rows`` is the same as in `record_hands`, but with the number of the hand
    instead of the game. The kernel writes the result of each hand to ``points`` (hand, side) and ``ends`` (`IN_PLAY`
    and so on). The replay stops at the first illegal move, which is the next decision in its hand.
    """
    all_tables, states, deals = records
    tables, state, deal = all_tables[0], states[0], deals[0]
    decks, firsts, codes, plies = hands
    seen, legal, actions, numbers = rows
    sides, most = np.int64(tables["sides"]), EACH * np.int64(tables["targets"])
    row = 0
    for hand in range(len(plies)):
        for i in range(decks.shape[1]):
            state["deck"][i] = decks[hand, i]
        start_seen(deal)
        start_hand(state, tables, U(firsts[hand]))
        for ply in range(plies[hand]):
            code = np.int64(codes[hand, ply])
            ends[hand] = NOT_LEGAL
            if state["phase"] == OVER or code < 0 or code >= most:
                return row
            word = turn_word(state, tables) if state["phase"] == PLAY else legal_word(state, tables, ZERO)
            write_row(state, tables, deal, word, seen[row], legal[row])
            if not legal[row, code >> 6] >> (U(code) & PLACE_MASK) & ONE:
                return row
            actions[row] = np.int16(code)
            numbers[row] = np.int32(hand)
            row += 1
            make_seen(state, tables, deal, U(code))
        ends[hand] = IN_PLAY
        if state["phase"] == OVER:
            ends[hand] = OVER_NOW
            for side in range(sides):
                points[hand, side] = side_score(state, tables, uint64(side))
    return row


@kernel
def write_observations(picks: Any, seen: Any, legal: Any, forms: Any, observations: Any, masks: Any) -> None:
    """Write the observations (row, number) and masks (row, action) of the rows that ``picks`` contains."""
    form = forms[0]
    last, numbers = form["totals_at"], observations.shape[1]
    out, mask = np.int64(observations.ctypes.data), np.int64(masks.ctypes.data)
    for i in range(len(picks)):
        row = picks[i]
        write_numbers(seen[row], form, out)
        for n in range(last, numbers):
            put_float(out, n, NO_REWARD)
        for n in range(legal.shape[1]):
            write_mask(legal[row, n], form, n, mask)
        out += 4 * numbers
        mask += masks.shape[1]
