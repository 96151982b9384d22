"""The Gymnasium environment `millebornes/Hand-v0`, in which you play one seat against any of our players."""

import pickle
from collections.abc import Sequence
from typing import Any, Final, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt

from millebornes.envs.actions import action_count, move_of
from millebornes.envs.arguments import brief, checked_index, checked_seed, whole
from millebornes.envs.batch import HandBatch, why_illegal
from millebornes.envs.observing import observation_of
from millebornes.envs.pictures import RENDER_MODES, check_render_mode, render
from millebornes.envs.spaces import observation_space
from millebornes.envs.stepping import DISABLED, FORFEIT, MIX_LINE
from millebornes.envs.table import DRAWN_SEEDS, TableOptions, opponents_of, options_of
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import InformationState, Match, View
from millebornes.players import Player, player
from millebornes.players.table import Table, decision_seed
from millebornes.policies.batch import KernelRandom, hand_chance
from millebornes.rules.clauses import highest_total

Observation = npt.NDArray[np.float32]
Seated = tuple[int, str]
"""The number of a seat, and the name of the player in it."""


class HandEnv(gymnasium.Env[Observation, np.int64]):
    """A hand or a match, seen from one seat.

    ``opponent`` is the player in all other seats. The opponent can be any player that ``millebornes players`` lists, or
    a list of names from which one is drawn for each seat and each hand. If all opponents have kernels, the environment
    is many times faster. `millebornes.envs.table.TableOptions` describes the other options. A seed is the seed of a
    match. If episodes are single hands, they are the hands of that match, in order. If they are matches, every match
    after the first gets a random seed.

    ``info["action_mask"]`` contains 1 for each legal action, and `action_masks` returns the same array. Once the
    episode is over, the mask is all ones. An illegal action ends the episode with -1000 points (-1 for the reward
    ``match``), and ``info`` then contains ``illegal`` and the ``reason``. Raises `MilleBornesError`.

    You can copy or pickle an environment at any time. The copy is independent and continues exactly as the original
    would. Programs (``cmd:``) are started again in the copy and receive the moves so far.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012  # as in Gymnasium

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
        self.options = options_of(type(self), edition=edition, seats=seats, **options)
        self.rules = self.options.rules()
        self.seat = seat = checked_index("seat", seat, self.rules.seats)
        self.opponents = opponents_of(opponent)
        if not self.opponents:
            raise MilleBornesError("opponent: someone must play the other seats")
        self.observation_space = observation_space(self.rules, self.options.history)
        self.action_space = gymnasium.spaces.Discrete(action_count(self.rules))
        self._table: _KernelTable | _PlayerTable
        try:
            self._table = _KernelTable(self.options, self.opponents, seat)
        except PlayerError:  # an opponent has no kernel or doesn't exist
            self._table = _PlayerTable(self.options, self.opponents, seat)
        self._is_begun = False
        _ = self.np_random  # create the generator now, so that copies have the same one

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode: the first hand of a new seed or, without a seed, the next hand of the same seed."""
        chosen = None if seed is None else checked_seed(seed)
        super().reset(seed=chosen)
        if chosen is None and (not self._is_begun or self.options.match_target is not None):
            chosen = int(self.np_random.integers(DRAWN_SEEDS))
        self._table.begin(chosen)
        self._is_begun = True
        return self._table.observation, self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, and let the others play until your seat decides again."""
        table = self._table
        if not self._is_begun or table.is_over:
            raise MilleBornesError("the episode is over; call reset()")
        number = whole(action)
        if number is None:
            raise MilleBornesError(f"an action must be a whole number, not {brief(action)}")
        reason = table.step(number)
        info = self._info()
        if reason is not None:
            info["illegal"], info["reason"] = True, reason
        return table.observation, table.reward, table.is_over, False, info

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the action mask as sb3-contrib expects it: 1 for each legal action, and all ones after the episode."""
        if not self._is_begun:
            raise MilleBornesError("call reset() first")
        return self._table.mask

    def render(self) -> Any:
        """Print the table as your seat sees it, or return it as text or pixels, depending on the render mode."""
        shown = render(self.render_mode, [self._table.view]) if self.render_mode and self._is_begun else None
        return shown and shown[0]

    def close(self) -> None:
        """Close the players."""
        self._table.close()
        self._is_begun = False

    def _info(self) -> dict[str, Any]:
        table = self._table
        info: dict[str, Any] = {"action_mask": table.mask, "hand_number": table.hand_number}
        if table.is_over and (scores := table.scores) is not None:
            info["scores"] = np.array(scores, np.int64)
        return info


class _KernelTable:
    """The episodes of one seat, played as a batch of one game. Raises `PlayerError` for opponents without kernels."""

    def __init__(self, options: TableOptions, opponents: Sequence[str], seat: int) -> None:
        self.options: Final = options
        self.seat: Final = seat
        self.batch: Final = HandBatch(options, 1, opponents, seat=seat, mode=DISABLED)
        self._action: Final = np.zeros(1, np.int64)

    def begin(self, seed: int | None) -> None:
        """Begin an episode: the first one of a new seed or, if ``seed`` is None, the next hand of the same seed."""
        if seed is not None:
            self.batch.seed(seed)
        self.batch.reset()

    def step(self, action: int) -> str | None:
        self._action[0] = action if 0 <= action < self.batch.masks.shape[1] else -1
        return self.batch.why_illegal(0, action) if self.batch.step(self._action) else None

    def close(self) -> None:
        pass

    @property
    def is_over(self) -> bool:
        return bool(self.batch.ended[0])

    @property
    def reward(self) -> float:
        return float(self.batch.rewards_by_side[0, self.batch.rules.side_of(self.seat)])

    @property
    def observation(self) -> Observation:
        return np.array(self.batch.observations[0])

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        return np.array(self.batch.masks[0])

    @property
    def hand_number(self) -> int:
        return self.batch.hand_number(0)

    @property
    def scores(self) -> list[int] | None:
        return self.batch.scores[0].tolist() if self.batch.is_over(0) else None

    @property
    def view(self) -> View:
        totals = self.batch.totals(0) if self.options.match_target else ()
        return self.batch.hand(0).view(self.seat, totals, self.hand_number, self.options.match_target)


class _PlayerTable:
    """The episodes of one seat against players that have no kernels, in plain Python.

    Copying the table, even into another process, also copies its players with everything they know, if possible.
    Players that can't be copied, such as programs, are started again and receive the moves so far.
    """

    def __init__(self, options: TableOptions, opponents: Sequence[str], seat: int) -> None:
        self.options: Final = options
        self.rules: Final = options.rules()
        self.opponents: Final = tuple(opponents)
        self.seat: Final = seat
        self.is_over = True
        self.reward = 0.0
        self._players: dict[Seated, Player] = {}
        self._table: Table | None = None
        for name in dict.fromkeys(opponents):
            player(name).close()

    def begin(self, seed: int | None) -> None:
        match = (
            self._next_hand() if seed is None else Match.start(self.rules, seed, match_target=self.options.match_target)
        )
        while True:
            self._seat_players(match)
            self.is_over = False
            self._play_to_decision()
            if not self.is_over:
                return
            match = self._next_hand()

    def step(self, action: int) -> str | None:
        table = self._seated
        hand = table.match.hand
        if action not in self._legal():
            self.is_over = True
            self.reward = -1.0 if self.options.reward == "match" else FORFEIT
            return why_illegal(hand, action)
        before = len(table.match.finished)
        table.play(move_of(self.rules, self.seat, action))
        self._play_to_decision()
        self.reward = self._reward_since(before)
        return None

    def close(self) -> None:
        for seated in self._players.values():
            seated.close()
        self._players, self._table = {}, None

    @property
    def view(self) -> View:
        match = self._seated.match
        return match.hand.view(self.seat, self._totals(), match.hand_number, self.options.match_target)

    @property
    def hand_number(self) -> int:
        return self._seated.match.hand_number

    @property
    def scores(self) -> list[int] | None:
        hand = self._seated.match.hand
        return [sheet.total for sheet in hand.scores] if hand.is_over else None

    @property
    def observation(self) -> Observation:
        history, match, target = self.options.history, self._seated.match, self.options.match_target
        if not history:
            return observation_of(self.view)
        state = InformationState.of(match.hand, self.seat, self._totals(), match.hand_number, target)
        return observation_of(state, history)

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        mask = np.full(action_count(self.rules), self.is_over, np.int8)
        if not self.is_over:
            mask[list(self._legal())] = 1
        return mask

    def _totals(self) -> tuple[int, ...]:
        return self._seated.match.before.totals if self.options.match_target else ()

    def _legal(self) -> set[int]:
        legal = self._seated.match.hand.legal_moves
        return {code for move in legal if (code := legal.code(move)) is not None}

    @property
    def _seated(self) -> Table:
        assert self._table is not None
        return self._table

    def _next_hand(self) -> Match:
        match = self._seated.match
        hand = match.hand
        while not hand.is_over:  # a reset or an illegal action has interrupted the hand: play it to its end unseen
            hand = hand.play(hand.legal_moves[0])
        return match.with_hand(hand).next_hand()

    def _draw_lineup(self, match: Match) -> list[Seated]:
        """Return the opponents' seats and names for a hand, drawn at random exactly as in the kernels."""
        seats = range(self.rules.seats)
        drawn = [0] * self.rules.seats
        if len(self.opponents) > 1:
            chance = KernelRandom(hand_chance(decision_seed(match.seed or ""), match.hand_number) ^ MIX_LINE)
            drawn = [chance.getrandbits(64) * len(self.opponents) >> 64 for _seat in seats]
        return [(seat, self.opponents[drawn[seat]]) for seat in seats if seat != self.seat]

    def _seat_players(self, match: Match) -> None:
        by_seat: list[Player | None] = [None] * self.rules.seats
        for seated in self._draw_lineup(match):
            if seated not in self._players:
                self._players[seated] = player(seated[1])
            by_seat[seated[0]] = self._players[seated]
        self._table = Table(match, by_seat)

    def _play_to_decision(self) -> None:
        while True:
            table = self._seated
            if table.match.hand.is_over:
                if self.options.match_target is None or table.match.is_over:
                    self.is_over = True
                    return
                if len(self.opponents) > 1:
                    self._seat_players(table.match.next_hand())
                else:
                    table.next_hand()
            elif table.match.hand.seat == self.seat:
                return
            else:
                table.step()

    def _reward_since(self, hands: int) -> float:
        """Return the reward for all hands after the first ``hands``, or for the match, depending on the options."""
        match, reward = self._seated.match, self.options.reward
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

    def __getstate__(self) -> dict[str, Any]:
        players = {seated: _packed(one) for seated, one in self._players.items()}
        table = None if self._table is None else self._table.match
        return {**self.__dict__, "_players": players, "_table": table}

    def __setstate__(self, state: dict[str, Any]) -> None:
        players: dict[Seated, bytes | None] = state["_players"]
        match: Match | None = state["_table"]
        self.__dict__.update(state, _players={seated: player(seated[1]) for seated in players}, _table=None)
        if match is not None:
            self._seat_players(match)  # this shows the current hand to players that only listen
        for seated, packed in players.items():
            if packed is not None:
                self._players[seated].__dict__.update(pickle.loads(packed))


def _packed(one: Player) -> bytes | None:
    """Return the memory of a player as bytes, or None if it can't be copied."""
    try:
        return pickle.dumps(one.__getstate__() or {})
    except Exception:  # any exception is possible, because a player can contain anything
        return None
