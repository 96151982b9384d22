"""Games of an arena played by kernels, with the same results but a thousand times as fast."""

import functools
import time
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from millebornes.arena.kernel_loop import DealtGames, GameSums, Notes, play_arena
from millebornes.arena.outcome import Columns, GameOutcome, RecordedHands, names_of, shares_of_win
from millebornes.arena.schedule import Game, Plan
from millebornes.errors import PlayerError
from millebornes.game.decks import deck_word
from millebornes.notation import transcript_lines
from millebornes.players import PLAYERS, Basic, RandomPlayer
from millebornes.players.instant import Instant
from millebornes.players.levels import LEVEL_PLAYERS
from millebornes.players.maxims import Maxims
from millebornes.players.table import decision_seed
from millebornes.policies.batch import KernelPlayer, KernelSeats
from millebornes.policies.dispatch import workspace_for
from millebornes.policies.streams import STREAMS
from millebornes.rules.replay import most_moves

HANDS: Final = 5
"""The number of hands for which decks are made first. The number doubles whenever a match needs more hands."""
WITH_KERNELS: Final = {"random": RandomPlayer, "basic": Basic, "maxims": Maxims, "instant": Instant, **LEVEL_PLAYERS}

Words = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]


@functools.lru_cache(maxsize=8)
def kernel_games_of(plan: Plan) -> "KernelGames":
    """Return the `KernelGames` of a plan. Each plan's object is created only once and then cached."""
    return KernelGames(plan)


class KernelGames:
    """Plays those games of a plan in which every player has a kernel."""

    def __init__(self, plan: Plan) -> None:
        rules = plan.rules
        self.plan: Final = plan
        self._places: Final[list[tuple[int | None, ...]]] = []  # player -> member -> number in `_players`
        made: dict[str, KernelPlayer] = {}
        for team in plan.teams:
            for name in team:
                if name not in made and (kernel := kernel_player(name, plan)) is not None:
                    made[name] = kernel
            self._places.append(tuple(list(made).index(name) if name in made else None for name in team))
        self._players: Final = KernelSeats(list(made.values()))
        self._workspace: Final = workspace_for(rules)
        self._streams: Final = np.zeros(1, STREAMS)

    def can_play(self, game: Game) -> bool:
        """Return whether all players of a game have kernels."""
        return all(None not in self._places[number] for number in game.order)

    def play(self, games: Sequence[Game]) -> Columns:
        """Play games for which `can_play` returns true."""
        return self._play(games, None)

    def record(self, games: Sequence[Game]) -> tuple[Columns, RecordedHands]:
        """Play games and record every hand. The recorded games are numbered from 0, in the given order."""
        parts: list[RecordedHands] = []
        columns = self._play(games, parts)
        return columns, RecordedHands.joined(parts)

    def play_recorded(self, game: Game) -> GameOutcome:
        """Play one game, and return its outcome together with its transcript."""
        columns, recorded = self.record([game])
        (outcome,) = columns.outcomes()
        about = {"arena": {"deal": game.deal, "turn": game.turn, "seed": self.plan.seed}}
        match = recorded.match(self.plan, names_of(self.plan, game))
        return outcome._replace(lines=tuple(transcript_lines(match, about)))

    def _play(self, games: Sequence[Game], parts: list[RecordedHands] | None) -> Columns:
        start = time.perf_counter()
        plan = self.plan
        target = plan.match_target
        deck_seeds: dict[str, int] = {}
        rows = np.array([deck_seeds.setdefault(plan.deck_seed(game), len(deck_seeds)) for game in games], np.int64)
        seeds = np.array([decision_seed(plan.play_seed(game)) for game in games], np.uint64)
        order = np.array([game.order for game in games], np.int64)
        lineups = self._lineups(games, order)
        totals, moves = np.zeros_like(order), np.zeros_like(order)
        hands = np.zeros(len(games), np.int64)
        decks: Words = np.zeros((len(deck_seeds), 0), np.uint64)
        while (hands >= 0).any():
            decks = _more_decks(decks, list(deck_seeds), set(rows[hands >= 0].tolist()), 1 if target is None else HANDS)
            room = 0 if parts is None else int(np.count_nonzero(hands >= 0)) * decks.shape[1]
            codes, plies = np.empty((room, most_moves(plan.rules)), np.int16), np.zeros(room, np.int64)
            piles, places = np.empty((room, plan.rules.cards), np.uint8), np.empty((room, 2), np.int64)
            games_left = DealtGames(lineups, decks, rows, seeds, target or 0, int(plan.duplicate))
            scores, notes = GameSums(totals, hands, moves), Notes(codes, plies, piles, places)
            play_arena(self._workspace, self._streams[0], self._players.records, games_left, scores, notes)
            if parts is not None:
                n = int(np.count_nonzero(plies))
                parts.append(RecordedHands(places[:n, 0], places[:n, 1], piles[:n], codes[:n], plies[:n]))
        a_move = (time.perf_counter() - start) / max(1, int(moves.sum()))
        deal, turn = (np.array(column, np.int64) for column in zip(*((g.deal, g.turn) for g in games), strict=True))
        return Columns(deal, turn, order, totals, ~hands, shares_of_win(totals), moves, np.asarray(a_move * moves))

    def _lineups(self, games: Sequence[Game], order: Counts) -> Counts:
        if self.plan.turns > 1:
            return np.array([[self._places[who][m] for who, m in self.plan.seated(game)] for game in games], np.int64)
        seats, sides = np.arange(self.plan.rules.seats), self.plan.rules.sides
        places = np.array([[-1 if place is None else place for place in team] for team in self._places], np.int64)
        return np.ascontiguousarray(places[order[:, seats % sides], seats // sides])


def kernel_player(name: str, plan: Plan) -> KernelPlayer | None:
    """Return a player's kernel, or None if it has none or another class has replaced the player of this name."""
    bare_name = name.partition(":")[0]
    if bare_name not in WITH_KERNELS or PLAYERS.get(bare_name) is not WITH_KERNELS[bare_name]:
        return None
    try:
        return KernelPlayer.named(name, plan.rules)
    except PlayerError:
        return None


def _more_decks(decks: Words, seeds: Sequence[str], wanted: set[int], least: int) -> Words:
    """Return the numbers that shuffle the decks of the ``wanted`` deals, for twice as many hands as before."""
    before = decks.shape[1]
    longer = np.zeros((len(seeds), max(least, 2 * before)), np.uint64)
    for row in wanted:
        longer[row, before:] = [deck_word(seeds[row], hand) for hand in range(before + 1, longer.shape[1] + 1)]
    return longer
