"""One seat against any of our players, in plain Python. The single environment uses it if an opponent has no kernel."""

import pickle
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.envs.actions import action_count, move_of
from millebornes.envs.batch import why_illegal
from millebornes.envs.observing import observation_of
from millebornes.envs.stepping import FORFEIT, MIX_LINE
from millebornes.envs.table import TableOptions
from millebornes.game import InformationState, Match, View
from millebornes.players import Player, player
from millebornes.players.table import Table, decision_seed
from millebornes.policies.batch import KernelRandom, hand_chance
from millebornes.rules.clauses import highest_total

__all__ = ["PlayerTable"]

Seated = tuple[int, str]
"""The number of a seat, and the name of the player in it."""


class PlayerTable:
    """The episodes of one seat whose opponents are asked for their moves one by one.

    Copying the table, even into another process, also copies its players with everything they know, if possible.
    Players that can't be copied, such as programs, are started again and receive the moves so far.
    """

    def __init__(self, options: TableOptions, rules: Rules, opponents: Sequence[str], seat: int) -> None:
        self.options: Final = options
        self.rules: Final = rules
        self.opponents: Final = tuple(opponents)
        self.seat: Final = seat
        self.is_over = True
        self.reward = 0.0
        self._players: dict[Seated, Player] = {}
        self._table: Table | None = None
        for name in dict.fromkeys(opponents):
            player(name).close()

    # ------------------------------------------------------------------ playing

    def begin(self, seed: int | None) -> None:
        """Begin an episode: the first one of a new seed or, if ``seed`` is None, the next hand of the same seed."""
        match = self._next_hand() if seed is None else self._first_hand(seed)
        while True:
            self._sit_down(match)
            self.is_over = False
            self._go_on()
            if not self.is_over:
                return
            match = self._next_hand()

    def step(self, action: int) -> str | None:
        """Make a move, and let the others play until your seat decides again.

        Return the reason if the move is illegal.
        """
        table = self._seated()
        hand = table.match.hand
        move = None if not 0 <= action < action_count(self.rules) else self._legal().get(action)
        if move is None:
            self.is_over = True
            self.reward = -1.0 if self.options.reward == "match" else FORFEIT
            return why_illegal(hand, action)
        before = len(table.match.finished)
        table.play(move_of(self.rules, self.seat, action))
        self._go_on()
        self.reward = self._brought(before)
        return None

    def close(self) -> None:
        """Close the players and discard the table."""
        for seated in self._players.values():
            seated.close()
        self._players, self._table = {}, None

    # ------------------------------------------------------------------ observations

    @property
    def match(self) -> Match:
        """The current match, with all cards face up."""
        return self._seated().match

    @property
    def view(self) -> View:
        """The view that your seat has of the table."""
        match = self.match
        return match.hand.view(self.seat, self._totals(), match.hand_number, self.options.match_target)

    @property
    def hand_number(self) -> int:
        """The number of the current hand, from 1."""
        return self.match.hand_number

    @property
    def scores(self) -> list[int] | None:
        """The points of each side if the hand is over, otherwise None."""
        hand = self.match.hand
        return [sheet.total for sheet in hand.scores] if hand.is_over else None

    @property
    def observation(self) -> npt.NDArray[np.float32]:
        """The observation that your seat gets."""
        history, match = self.options.history, self.match
        if not history:
            return observation_of(self.view)
        target = self.options.match_target
        state = InformationState.of(match.hand, self.seat, self._totals(), match.hand_number, target)
        return observation_of(state, history)

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """The action mask: 1 for each legal action. The mask is all ones once the episode is over."""
        mask = np.full(action_count(self.rules), self.is_over, np.int8)
        if not self.is_over:
            mask[list(self._legal())] = 1
        return mask

    def _totals(self) -> tuple[int, ...]:
        return self.match.before.totals if self.options.match_target else ()

    def _legal(self) -> dict[int, str]:
        legal = self.match.hand.legal_moves
        return {code: move.text for move in legal if (code := legal.code(move)) is not None}

    # ------------------------------------------------------------------ hands and players

    def _seated(self) -> Table:
        assert self._table is not None
        return self._table

    def _first_hand(self, seed: int) -> Match:
        return Match.start(self.rules, seed, match_target=self.options.match_target)

    def _next_hand(self) -> Match:
        match = self._seated().match
        if not match.hand.is_over:  # a reset or an illegal action has interrupted the hand: play it to its end unseen
            hand = match.hand
            while not hand.is_over:
                hand = hand.play(hand.legal_moves[0])
            match = match.with_hand(hand)
        return match.next_hand()

    def _line(self, match: Match) -> list[Seated]:
        """Return the opponents' seats and names for a hand.

        The opponents are drawn at random exactly as in the kernels.
        """
        seats = range(self.rules.seats)
        drawn = [0] * self.rules.seats
        if len(self.opponents) > 1:
            chance = KernelRandom(hand_chance(decision_seed(match.seed or ""), match.hand_number) ^ MIX_LINE)
            drawn = [chance.getrandbits(64) * len(self.opponents) >> 64 for _seat in seats]
        return [(seat, self.opponents[drawn[seat]]) for seat in seats if seat != self.seat]

    def _sit_down(self, match: Match) -> None:
        line = self._line(match)
        for seated in line:
            if seated not in self._players:
                self._players[seated] = player(seated[1])
        by_seat: list[Player | None] = [None] * self.rules.seats
        for seated in line:
            by_seat[seated[0]] = self._players[seated]
        self._table = Table(match, by_seat)

    def _go_on(self) -> None:
        while True:
            table = self._seated()
            if table.match.hand.is_over:
                if self.options.match_target is None or table.match.is_over:
                    self.is_over = True
                    return
                if len(self.opponents) > 1:
                    self._sit_down(table.match.next_hand())
                else:
                    table.next_hand()
            elif table.match.hand.seat == self.seat:
                return
            else:
                table.step()

    def _brought(self, hands: int) -> float:
        """Return the reward for all hands after the first ``hands``, or for the match, depending on the options."""
        match, reward = self.match, self.options.reward
        side = self.rules.side_of(self.seat)
        if reward == "match":
            if not match.is_over:
                return 0.0
            best, leaders = highest_total(match.totals)
            return -1.0 if match.totals[side] < best else float(leaders == 1)
        worth = 0.0
        for hand in match.hands[hands:]:
            if hand.is_over:
                points = [sheet.total for sheet in hand.scores]
                others = 0.0 if reward == "points" else (sum(points) - points[side]) / (len(points) - 1)
                worth += points[side] - others
        return worth

    # ------------------------------------------------------------------ copies

    def __getstate__(self) -> dict[str, Any]:
        kept = {seated: _packed(one) for seated, one in self._players.items()}
        table = None if self._table is None else self._table.match
        return {**self.__dict__, "_players": kept, "_table": table}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kept: dict[Seated, bytes | None] = state["_players"]
        match: Match | None = state["_table"]
        self.__dict__.update(state, _players={seated: player(seated[1]) for seated in kept}, _table=None)
        if match is not None:
            self._sit_down(match)  # this shows the current hand to players that only listen
        for seated, packed in kept.items():
            if packed is not None:
                self._players[seated].__dict__.update(pickle.loads(packed))


def _packed(one: Player) -> bytes | None:
    """Return the memory of a player as bytes, or None if it can't be copied."""
    try:
        return pickle.dumps(one.__getstate__() or {})
    except Exception:  # any exception is possible, because a player can contain anything
        return None
