"""Record the games of a plan.

Kernels play the games if all players have kernels, and otherwise the arena's loop does.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from millebornes.arena.duplicate import may_use_kernels, play_game
from millebornes.arena.kernel_games import kernel_games_of
from millebornes.arena.outcome import GameOutcome, RecordedHands, names_of
from millebornes.arena.programs import seated
from millebornes.arena.schedule import Game, Plan
from millebornes.data.recording import Recording
from millebornes.editions import Rules
from millebornes.game import Hand
from millebornes.game.move import move_codes
from millebornes.notation import Transcript, read_transcript
from millebornes.rules.follow import most_moves

__all__ = ["first_seats", "games_in", "record_games", "seats_named"]


def games_in(plan: Plan, numbers: range) -> list[Game]:
    """Return the games with these numbers (from 1), in the order in which an arena plays them."""
    if not numbers:
        return []
    size = plan.games_a_round
    first = (numbers.start - 1) // size
    games = [game for deal in range(first, (numbers[-1] - 1) // size + 1) for game in plan.games_of(deal)]
    skipped = numbers.start - 1 - first * size
    return games[skipped : skipped + len(numbers)]


def record_games(plan: Plan, numbers: range) -> Recording:
    """Play the games with these numbers and record them. There must be at least one number.

    The games are the same as those that `millebornes.arena.arena` plays with this plan. Raises `PlayerError` if a
    player doesn't exist.
    """
    games = games_in(plan, numbers)
    shares = np.zeros((len(games), plan.rules.sides), np.float32)
    parts, quick = [RecordedHands.none(plan.rules.cards, most_moves(plan.rules))], _quick(plan, games)
    if quick:
        columns, recorded = kernel_games_of(plan).record([games[place] for place in quick])
        parts.append(recorded._replace(game=np.array(quick, np.int64)[recorded.game]))
        shares[quick] = columns.shares()
    said: dict[tuple[int, int, int], str] = {}
    lost: dict[int, dict[str, Any]] = {}
    for place in sorted(set(range(len(games))).difference(quick)):
        outcome = _play(plan, games[place])
        shares[place] = outcome.shares
        transcript = read_transcript([f"{line}\n" for line in outcome.lines]) if outcome.lines else None
        if outcome.forfeit is not None:
            lost[numbers[place]] = _loss(outcome.forfeit.side, transcript)
        for number, hand in enumerate(transcript.match.hands if transcript is not None else (), 1):
            parts.append(_noted(hand, place, number))
        for number, info in enumerate(transcript.info if transcript is not None else (), 1):
            said.update({(place, number, ply): json.dumps(told, ensure_ascii=False) for ply, told in info.items()})
    hands = RecordedHands.joined(parts)
    lineups, names = seats_named(plan, games)
    places = zip(hands.game.tolist(), hands.number.tolist(), strict=True)
    hand_of = {place: n for n, place in enumerate(places)} if said else {}
    return Recording(
        rules=plan.rules,
        hands=hands._replace(game=hands.game + numbers.start),
        firsts=first_seats(plan.rules, hands.number),
        names=names,
        lineups=lineups[hands.game],
        shares=shares[hands.game],
        info={(hand_of[game, number], ply): text for (game, number, ply), text in said.items()},
        lost=lost,
    )


def first_seats(rules: Rules, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """R2.7: return the nominal first seat of each hand, given the number of the hand in its game."""
    return (numbers - 1) % rules.seats


def seats_named(plan: Plan, games: Sequence[Game]) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
    """Return the player in each seat (games, seats) as an index into the list of names, which is also returned."""
    known: dict[tuple[int, ...], tuple[str, ...]] = {}
    found = []
    for game in games:
        names = known.get(game.order) if plan.turns == 1 else None
        if names is None:
            names = known[game.order] = names_of(plan, game)
        found.append(names)
    texts = tuple(dict.fromkeys(name for names in known.values() for name in names))
    if plan.turns > 1:
        texts = tuple(dict.fromkeys(name for names in found for name in names))
    number = {name: n for n, name in enumerate(texts)}
    rows = [[number[name] for name in names] for names in found]
    return np.array(rows, np.int64).reshape(len(games), plan.rules.seats), texts


def _quick(plan: Plan, games: Sequence[Game]) -> list[int]:
    """Return the indices of the games in which all players have kernels."""
    if not may_use_kernels(plan):
        return []
    kernel_games = kernel_games_of(plan)
    return [place for place, game in enumerate(games) if kernel_games.can_play(game)]


def _play(plan: Plan, game: Game) -> GameOutcome:
    wanted = [plan.teams[number][member] for number, member in plan.seated(game)]
    with seated(wanted, plan.time_ms) as players:
        return play_game(plan, game, players, records=True)


def _loss(side: int, transcript: Transcript | None) -> dict[str, Any]:
    """Return the details of a game that ended in a forfeit, from which its transcript can be restored.

    A hand without decisions has no row in the data set, so its deck is stored here.
    """
    if transcript is None:
        return {"side": side, "dealt": False}
    found = {"side": side, "forfeit": transcript.extra["arena"]["forfeit"]}
    hand = transcript.match.hand
    if not hand.moves:
        found["undecided"] = {"hand": len(transcript.match.hands), "deck": [card.index for card in hand.at(0).deck]}
    return found


def _noted(hand: Hand, place: int, number: int) -> RecordedHands:
    rules = hand.rules
    codes = np.zeros((1, most_moves(rules)), np.int16)
    for ply, move in enumerate(hand.moves):
        seat = hand.at(ply).seat
        assert seat is not None  # there is a move, so a seat decided
        codes[0, ply] = move_codes(rules, rules.side_of(seat)).codes[move]
    pile = np.array([[card.index for card in hand.at(0).deck]], np.uint8)
    one = np.ones(1, np.int64)
    return RecordedHands(place * one, number * one, pile, codes, len(hand.moves) * one)
