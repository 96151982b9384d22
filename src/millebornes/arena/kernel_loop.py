"""Games of an arena in kernels: as `millebornes.arena.duplicate` plays them, without Python in the loop.

Decks, streams and the chance of each decision are the same as there, and so is every move.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.kernels.decorator import kernel
from millebornes.policies.deal import make_seen, start_seen
from millebornes.policies.dispatch import choose_code, is_watching
from millebornes.policies.games import decision_word, hand_word, is_decided
from millebornes.policies.streams import begin_draw, lay_streams, redraw, take
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import write_shuffled
from millebornes.rules.state import Phase, Record, Word
from millebornes.rules.turns import start_hand

__all__ = ["GameSums", "Games", "Notes", "play_arena"]

U = np.uint64
OVER = np.uint8(Phase.OVER)


@kernel
def start_arena_hand(
    state: Record, tables: Record, first: Word, duplicate: Word, deal: Record, streams: Record
) -> None:
    """Deal the deck that lies in the state (R2.4), with ``duplicate`` each seat out of its own stream."""
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


class Games(NamedTuple):
    """Games to be played on.

    ``lineups[game, seat]`` says which player sits there, ``decks[rows[game], hand]`` is the word that shuffles a hand's
    deck, and ``seeds[game]`` is where the chance of its decisions starts. Matches go to ``target``, 0 for single hands;
    with ``duplicate`` (1 or 0) each seat draws from its own stream.
    """

    lineups: Any
    decks: Any
    rows: Any
    seeds: Any
    target: int
    duplicate: int


class GameSums(NamedTuple):
    """What is added to: ``totals[game, side]`` (points), ``hands[game]`` and ``moves[game, side]``.

    A game that is over has its hands below zero, as their complement.
    """

    totals: Any
    hands: Any
    moves: Any


class Notes(NamedTuple):
    """What is recorded of the first hands of all games in turn, as many as there is room for.

    ``codes[n]`` takes the moves, ``plies[n]`` their number, ``piles[n]`` the cards in the order drawn, then the rest;
    ``places[n]`` which game it is, and which hand of it (from 1).
    """

    codes: Any
    plies: Any
    piles: Any
    places: Any


@kernel
def play_arena(workspace: Any, streams: Record, players: Any, games: Any, scores: Any, notes: Any) -> None:
    """Play games on, each until it is over or the words for its decks are used up.

    ``players`` are `SEATED` records, the others a `Workspace`, `Games`, `GameSums` and `Notes`.
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
                before = np.int64(state["drawn"])
                make_seen(state, tables, deal, U(code))
                if duplicate:
                    redraw(state, seats, before, deal, streams)
            if recorded < len(codes):
                note_pile(state, tables, duplicate, deal, streams, piles[recorded])
                plies[recorded] = ply
                places[recorded, 0], places[recorded, 1] = game, number
                recorded += 1
            for side in range(sides):
                totals[game, side] += side_score(state, tables, uint64(side))
            if is_decided(totals[game], sides, target, work["lookups"]):
                number = ~number
        hands[game] = number


@kernel
def note_pile(state: Record, tables: Record, duplicate: Word, deal: Record, streams: Record, pile: Any) -> None:
    """Write the cards in the order really drawn, and then the rest: by seat, in the order of the streams."""
    size = np.int64(tables["size"])
    drawn = np.int64(state["drawn"]) if duplicate else size
    for i in range(drawn):
        pile[i] = deal["pile"][i]
    if duplicate:
        for seat in range(np.int64(tables["seats"])):
            for place in range(streams["front"][seat], streams["back"][seat]):
                pile[drawn] = streams["card"][seat, place]
                drawn += np.int64(1)
