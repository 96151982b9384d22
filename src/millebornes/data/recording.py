"""Record the games of a plan, and follow the recorded moves. The rows of a data set are made from both."""

import dataclasses
import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.arena.duplicate import may_use_kernels, play_game
from millebornes.arena.kernel_games import kernel_games_of
from millebornes.arena.outcome import GameOutcome, RecordedHands, names_of
from millebornes.arena.programs import seated
from millebornes.arena.schedule import Game, Plan
from millebornes.editions import Rules
from millebornes.envs.recording import NOT_LEGAL, OVER_NOW, follow_hands
from millebornes.envs.seen import SEEN
from millebornes.errors import TranscriptError
from millebornes.game import Hand
from millebornes.game.move import move_codes
from millebornes.notation import Transcript, read_transcript
from millebornes.policies.deal import DEAL
from millebornes.rules.clauses import targets_in_reach
from millebornes.rules.engine import engine_for
from millebornes.rules.replay import most_moves
from millebornes.rules.state import TABLES
from millebornes.rules.tables import tables_for


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recording:
    """The hands of the games of a plan with these ``numbers``, and everything else that the rules don't determine.

    The ``hands`` number their games from 1, as files do. ``info`` contains any information that players added to their
    moves, as JSON, by the index of the hand and the ply. ``lost`` describes the games that ended in a forfeit, by their
    number.
    """

    plan: Plan
    numbers: range
    hands: RecordedHands
    info: Mapping[tuple[int, int], str]
    lost: Mapping[int, Mapping[str, Any]]

    @functools.cached_property
    def games(self) -> list[Game]:
        """The games, in the order in which an arena plays them."""
        return _games_in(self.plan, self.numbers)

    @functools.cached_property
    def seating(self) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
        """The player in each seat (hands, seats), as an index into a list of names, and this list."""
        by_order: dict[tuple[int, ...], tuple[str, ...]] = {}
        lineups = []
        for game in self.games:
            names = by_order.get(game.order) if self.plan.turns == 1 else None
            if names is None:
                names = by_order[game.order] = names_of(self.plan, game)
            lineups.append(names)
        number = {name: n for n, name in enumerate(dict.fromkeys(name for names in lineups for name in names))}
        rows = np.array([[number[name] for name in names] for names in lineups], np.int64)
        return rows.reshape(-1, self.plan.rules.seats)[self.hands.game - self.numbers.start], tuple(number)


def _games_in(plan: Plan, numbers: range) -> list[Game]:
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
    games = _games_in(plan, numbers)
    parts, quick = [RecordedHands.none(plan.rules.cards, most_moves(plan.rules))], _kernel_places(plan, games)
    if quick:
        _, recorded = kernel_games_of(plan).record([games[place] for place in quick])
        parts.append(recorded._replace(game=np.array(quick, np.int64)[recorded.game] + numbers.start))
    notes_by_place: dict[tuple[int, int, int], str] = {}
    lost: dict[int, dict[str, Any]] = {}
    for place in sorted(set(range(len(games))).difference(quick)):
        game, outcome = numbers[place], _play(plan, games[place])
        transcript = read_transcript([f"{line}\n" for line in outcome.lines]) if outcome.lines else None
        if outcome.forfeit is not None:
            lost[game] = _loss(outcome.forfeit.side, transcript)
        if transcript is not None:
            for number, (hand, info) in enumerate(zip(transcript.match.hands, transcript.info, strict=True), 1):
                parts.append(_recorded_hand(hand, game, number))
                notes_by_place |= {
                    (game, number, ply): json.dumps(note, ensure_ascii=False) for ply, note in info.items()
                }
    hands = RecordedHands.joined(parts)
    places = zip(hands.game.tolist(), hands.number.tolist(), strict=True)
    hand_of = {place: n for n, place in enumerate(places)} if notes_by_place else {}
    notes = {(hand_of[game, number], ply): text for (game, number, ply), text in notes_by_place.items()}
    return Recording(plan=plan, numbers=numbers, hands=hands, info=notes, lost=lost)


def _kernel_places(plan: Plan, games: Sequence[Game]) -> list[int]:
    if not may_use_kernels(plan):
        return []
    kernel_games = kernel_games_of(plan)
    return [place for place, game in enumerate(games) if kernel_games.can_play(game)]


def _play(plan: Plan, game: Game) -> GameOutcome:
    wanted = [plan.teams[number][member] for number, member in plan.seated(game)]
    with seated(wanted, plan.time_ms) as players:
        return play_game(plan, game, players, records=True)


def _loss(side: int, transcript: Transcript | None) -> dict[str, Any]:
    """Return what restores the transcript of a forfeited game. A hand without decisions has no row for its deck."""
    if transcript is None:
        return {"side": side, "dealt": False}
    loss = {"side": side, "forfeit": transcript.extra["arena"]["forfeit"]}
    hand = transcript.match.hand
    if not hand.moves:
        loss["undecided"] = {"hand": len(transcript.match.hands), "deck": [card.index for card in hand.at(0).deck]}
    return loss


def _recorded_hand(hand: Hand, game: int, number: int) -> RecordedHands:
    rules = hand.rules
    codes = np.zeros((1, most_moves(rules)), np.int16)
    for ply, move in enumerate(hand.moves):
        seat = hand.at(ply).seat
        assert seat is not None  # there is a move, so a seat decided
        codes[0, ply] = move_codes(rules, rules.side_of(seat)).codes[move]
    pile = np.array([[card.index for card in hand.at(0).deck]], np.uint8)
    one = np.ones(1, np.int64)
    return RecordedHands(game * one, number * one, pile, codes, len(hand.moves) * one)


class ReplayedHands(NamedTuple):
    """The decisions in a number of hands, hand after hand, as arrays like those of `millebornes.envs.Trajectories`.

    ``hand`` (rows) contains the index of each row's hand. ``points`` (hands, sides) and ``is_over`` (hands) describe
    the results of the hands, and ``starts`` (hands) contains the index of each hand's first row.
    """

    seen: npt.NDArray[np.void]
    legal: npt.NDArray[np.uint64]
    actions: npt.NDArray[np.int16]
    hand: npt.NDArray[np.int32]
    points: npt.NDArray[np.int64]
    is_over: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.int64]

    @property
    def ply(self) -> npt.NDArray[np.int64]:
        """The number of each row's decision within its hand, from 0."""
        return np.asarray(np.arange(len(self.hand)) - self.starts[self.hand])


def replay_hands(rules: Rules, hands: RecordedHands) -> ReplayedHands:
    """Replay recorded hands and return their decisions. Raises `TranscriptError` if a move is illegal."""
    rows = int(hands.plies.sum())
    written: tuple[Any, ...] = (
        np.zeros(rows + 1, SEEN),  # leave room for one illegal move
        np.zeros((rows + 1, targets_in_reach(rules)), np.uint64),
        np.zeros(rows + 1, np.int16),
        np.zeros(rows + 1, np.int32),
    )
    points, ends = np.zeros((hands.size, rules.sides), np.int64), np.zeros(hands.size, np.uint8)
    tables = np.zeros(1, TABLES)
    tables[0] = tables_for(rules)
    records = tables, np.zeros(1, engine_for(rules).dtype), np.zeros(1, DEAL)
    firsts = (hands.number - 1) % rules.seats  # R2.7
    done = int(follow_hands(records, (hands.piles, firsts, hands.codes, hands.plies), written, points, ends))
    seen, legal, actions, numbers = (part[:done] for part in written)
    starts = np.cumsum(hands.plies) - hands.plies
    if (ends == NOT_LEGAL).any():
        hand = int(np.argmax(ends == NOT_LEGAL))
        where = f"game {hands.game[hand]}, hand {hands.number[hand]}, ply {done - starts[hand]}"
        raise TranscriptError(f"{where}: action {hands.codes[hand, done - starts[hand]]} is not legal")
    return ReplayedHands(seen, legal, actions, numbers, points, ends == OVER_NOW, starts)
