"""One seat against any of our players: the Gymnasium environment `millebornes/Hand-v0`."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from millebornes.envs.actions import action_count, actions, move_of
from millebornes.envs.observing import observation_of
from millebornes.envs.pictures import RENDER_MODES, check_render_mode, pixels_of, text_of
from millebornes.envs.spaces import action_space, observation_space
from millebornes.envs.stepping import FORFEIT
from millebornes.envs.table import TableOptions, opponents_of
from millebornes.errors import MilleBornesError
from millebornes.game import InformationState, Match, View
from millebornes.players import Player, player
from millebornes.players.table import Table
from millebornes.rules.clauses import highest_total

__all__ = ["HandEnv"]

Observation = npt.NDArray[np.float32]
MOST_SEED = 1 << 31


class HandEnv(gymnasium.Env[Observation, np.int64]):
    """A hand, or a match, from the view of one seat.

    ``opponent`` names who plays all other seats: any player of ``millebornes players``, or several names, of which each
    seat gets one by chance in each episode. The other options are those of `millebornes.envs.table.TableOptions`. A
    seed is that of a match: episodes that are single hands are its hands, one after the other; a further match gets a
    seed by chance. ``info["action_mask"]`` tells which actions are legal; another one ends the episode with -1000
    points (-1 for the reward ``match``). Raises `MilleBornesError`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        edition: str = "classic",
        seats: int = 2,
        opponent: str | Sequence[str] = "basic",
        render_mode: str | None = None,
        *,
        seat: int = 0,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.options = TableOptions(edition=edition, seats=seats, **options)
        self.rules = self.options.rules()
        if type(seat) is not int or not 0 <= seat < self.rules.seats:
            raise MilleBornesError(f"seat: {seat!r} is none; the seats are 0 to {self.rules.seats - 1}")
        self.seat = seat
        self.opponents = opponents_of(opponent)
        if not self.opponents:
            raise MilleBornesError("opponent: somebody must play the other seats")
        for name in self.opponents:
            player(name).close()
        self.observation_space = observation_space(self.rules, self.options.history)
        self.action_space = action_space(self.rules)
        self._actions = actions(self.rules, self.rules.side_of(seat))
        self._table: Table | None = None
        self._players: list[Player | None] = []
        self._ended = True

    # ------------------------------------------------------------------ Gymnasium

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal: the first hand of a seed, or without one the next."""
        super().reset(seed=seed)
        match = self._next_match(seed)
        while True:
            self._sit_down(match)
            self._go_on()
            if not self._ended:
                break
            match = self._next_match(None)
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, and let the others play until one's own seat decides again."""
        table = self._table
        if table is None or self._ended:
            raise MilleBornesError("the episode is over; call reset()")
        text = self._actions[int(action)] if 0 <= int(action) < len(self._actions) else None
        if text is None or text not in table.match.hand.legal_moves:
            self._ended = True
            punishment = -1.0 if self.options.reward == "match" else FORFEIT
            return self._observe(), punishment, True, False, self._info() | {"illegal": True}
        before = len(table.match.finished)
        table.play(move_of(self.rules, self.seat, int(action)))
        self._go_on()
        return self._observe(), self._reward(before), self._ended, False, self._info()

    def render(self) -> Any:
        """The table as one's own seat sees it: printed, as a text, or as pixels."""
        if self.render_mode is None or self._table is None:
            return None
        if self.render_mode == "rgb_array":
            return pixels_of(self.view)
        text = text_of(self.view)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Let the players go."""
        for seated in self._players:
            if seated is not None:
                seated.close()
        self._players, self._table = [], None

    # ------------------------------------------------------------------ what is seen

    @property
    def match(self) -> Match:
        """The match that is being played, all cards open. Raises `MilleBornesError` before the first `reset`."""
        if self._table is None:
            raise MilleBornesError("call reset() first")
        return self._table.match

    @property
    def view(self) -> View:
        """What one's own seat sees."""
        match = self.match
        totals = match.before.totals if self.options.match_target else ()
        return match.hand.view(self.seat, totals, match.hand_number, self.options.match_target)

    def _observe(self) -> Observation:
        history = self.options.history
        if not history:
            return observation_of(self.view)
        match = self.match
        totals = match.before.totals if self.options.match_target else ()
        target = self.options.match_target
        return observation_of(InformationState.of(match.hand, self.seat, totals, match.hand_number, target), history)

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(action_count(self.rules), np.int8)
        hand = self.match.hand
        if not self._ended:
            legal = hand.legal_moves
            mask[[code for move in legal if (code := legal.code(move)) is not None]] = 1
        found: dict[str, Any] = {"action_mask": mask, "hand_number": self.match.hand_number}
        if hand.is_over:
            found["scores"] = np.array([sheet.total for sheet in hand.scores], np.int64)
        return found

    # ------------------------------------------------------------------ playing

    def _next_match(self, seed: int | None) -> Match:
        target = self.options.match_target
        if seed is None and self._table is not None and target is None:
            match = self._table.match
            if not match.hand.is_over:  # left by a reset or an illegal action: play it out of sight
                hand = match.hand
                while not hand.is_over:
                    hand = hand.play(hand.legal_moves[0])
                match = match.with_hand(hand)
            return match.next_hand()
        number = int(self.np_random.integers(MOST_SEED)) if seed is None else seed
        return Match.start(self.rules, number, match_target=target)

    def _sit_down(self, match: Match) -> None:
        seats = [seat for seat in range(self.rules.seats) if seat != self.seat]
        names = dict.fromkeys(seats, self.opponents[0])
        if len(self.opponents) > 1:
            chosen = self.np_random.integers(len(self.opponents), size=len(seats))
            names = {seat: self.opponents[int(n)] for seat, n in zip(seats, chosen, strict=True)}
        if not self._players or len(self.opponents) > 1:
            self.close()
            self._players = [player(names[seat]) if seat in names else None for seat in range(self.rules.seats)]
        self._table = Table(match, self._players)
        self._ended = False

    def _go_on(self) -> None:
        table = self._table
        assert table is not None
        while True:
            if table.match.hand.is_over:
                if self.options.match_target is None or table.match.is_over:
                    self._ended = True
                    return
                table.next_hand()
            elif table.match.hand.seat == self.seat:
                return
            else:
                table.step()

    def _reward(self, hands: int) -> float:
        """What the hands that have ended since then brought."""
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
