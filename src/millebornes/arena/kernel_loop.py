"""The loop that plays an arena's games in kernels, without running any Python code.

The loop plays the same games as `millebornes.arena.duplicate`. The decks, the cards each seat draws and the random
numbers in every decision are the same, and so is every move.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.kernels.decorator import kernel
from millebornes.policies.deal import start_seen
from millebornes.policies.dispatch import choose_code, is_watching
from millebornes.policies.games import decision_word, hand_word, is_decided
from millebornes.policies.streams import begin_draw, lay_streams, make_streamed, redraw, take
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import write_shuffled
from millebornes.rules.state import Phase, Record, Word
from millebornes.rules.turns import start_hand

U = np.uint64
OVER = np.uint8(Phase.OVER)


@kernel
def start_arena_hand(
    state: Record, tables: Record, first: Word, duplicate: Word, deal: Record, streams: Record
) -> None:
    """Deal the deck in the state (R2.4). With ``duplicate``, each seat gets its own share of the cards."""
    seats = np.int64(tables["seats"])
    dealt = seats * np.int64(tables["hand_size"])
    start_seen(deal)
    if duplicate:
        lay_streams(state, tables, streams)
        for i in range(dealt):
            begin_draw(streams, seats)
            state["deck"][i] = np.uint8(take(streams, (np.int64(first) + i) % seats, seats))
    for i in range(np.int64(tables["size"])):
        deal["pile"][i] = state["deck"][i]
    start_hand(state, tables, U(first))
    if duplicate:
        redraw(state, seats, dealt, deal, streams)


class DealtGames(NamedTuple):
    """The games to continue.

    ``lineups[game, seat]`` is the number of the player in a seat. ``decks[rows[game], hand]`` is the number that
    shuffles the deck of a hand. ``seeds[game]`` is the seed of the random numbers in decisions. Matches end at
    ``target`` points; 0 means single hands. If ``duplicate`` is 1 rather than 0, each seat draws from its own share of
    the cards.
    """

    lineups: Any
    decks: Any
    rows: Any
    seeds: Any
    target: int
    duplicate: int


class GameSums(NamedTuple):
    """Running totals: ``totals[game, side]`` in points, ``hands[game]`` and ``moves[game, side]``.

    When a game ends, its number of hands is replaced by the complement, which is negative.
    """

    totals: Any
    hands: Any
    moves: Any


class Notes(NamedTuple):
    """The records of finished hands, one after another for all games, until the arrays are full.

    For record n, ``codes[n]`` contains the moves and ``plies[n]`` the number of moves. ``piles[n]`` contains the cards
    in the order they were drawn, followed by the cards that weren't drawn. ``places[n]`` contains the game and the
    number of the hand in that game (from 1).
    """

    codes: Any
    plies: Any
    piles: Any
    places: Any


@kernel
def play_arena(workspace: Any, streams: Record, players: Any, games: Any, scores: Any, notes: Any) -> None:
    """Continue each game until it is over or no deck is left for it.

    ``players`` are `SEATED` records. The other arguments are a `Workspace`, `DealtGames`, `GameSums` and `Notes`.
    """
    work, state, deal = workspace.work[0], workspace.states[0], workspace.deals[0]
    tables, generator = work["tables"], work["generator"]
    lineups, decks, rows, seeds, target, duplicate = games
    totals, hands, moves = scores
    codes, plies, piles, places = notes
    seats = np.int64(tables["seats"])
    sides = np.int64(tables["sides"])
    recorded = 0
    deal["watched"] = is_watching(players)
    deal["target"] = target
    for game in range(len(lineups)):
        number = hands[game]
        while 0 <= number < decks.shape[1]:
            generator["word"] = decks[rows[game], number]
            write_shuffled(state, tables, generator)
            start_arena_hand(state, tables, U(number % seats), duplicate, deal, streams)
            number += 1
            deal["chance"] = hand_word(seeds[game], number)
            for side in range(sides):
                deal["totals"][side] = totals[game, side]
            ply = 0
            while state["phase"] != OVER:
                generator["word"] = decision_word(deal["chance"], U(ply))
                player = players[lineups[game, np.int64(state["seat"])]]
                moves[game, np.int64(state["own"])] += 1
                code = choose_code(state, deal, player, work)
                if recorded < len(codes):
                    codes[recorded, ply] = code
                ply += 1
                make_streamed(state, tables, U(code), deal, streams, duplicate)
            if recorded < len(codes):
                write_pile(state, tables, duplicate, deal, streams, piles[recorded])
                plies[recorded] = ply
                places[recorded, 0], places[recorded, 1] = game, number
                recorded += 1
            for side in range(sides):
                totals[game, side] += side_score(state, tables, uint64(side))
            if is_decided(totals[game], sides, target, work["lookups"]):
                number = ~number
        hands[game] = number


@kernel
def write_pile(state: Record, tables: Record, duplicate: Word, deal: Record, streams: Record, pile: Any) -> None:
    """Write the cards in the order they were drawn, followed by the cards left, seat by seat."""
    size = np.int64(tables["size"])
    drawn = np.int64(state["drawn"]) if duplicate else size
    for i in range(drawn):
        pile[i] = deal["pile"][i]
    if duplicate:
        for seat in range(np.int64(tables["seats"])):
            for place in range(streams["front"][seat], streams["back"][seat]):
                pile[drawn] = streams["card"][seat, place]
                drawn += np.int64(1)
