"""The Gymnasium environment `millebornes/Hand-v0`, in which you play one seat against any of our players."""

import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt

from millebornes.envs.batch import checked_seed
from millebornes.envs.kernel_table import KernelTable
from millebornes.envs.pictures import RENDER_MODES, check_render_mode, pixels_of, text_of
from millebornes.envs.player_table import PlayerTable
from millebornes.envs.spaces import action_space, observation_space
from millebornes.envs.table import DRAWN_SEEDS, opponents_of, options_of
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import Match, View

__all__ = ["HandEnv"]

Observation = npt.NDArray[np.float32]


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
        if type(seat) is not int or not 0 <= seat < self.rules.seats:
            raise MilleBornesError(f"seat: there is no seat {seat!r}; the seats are 0 to {self.rules.seats - 1}")
        self.seat = seat
        self.opponents = opponents_of(opponent)
        if not self.opponents:
            raise MilleBornesError("opponent: someone must play the other seats")
        self.observation_space = observation_space(self.rules, self.options.history)
        self.action_space = action_space(self.rules)
        self._table: KernelTable | PlayerTable
        try:
            self._table = KernelTable(self.options, self.opponents, seat)
        except PlayerError:  # an opponent has no kernel or doesn't exist
            self._table = PlayerTable(self.options, self.rules, self.opponents, seat)
        self._is_begun = False
        assert self.np_random is not None  # create the generator now, so that copies have the same one

    # ------------------------------------------------------------------ Gymnasium

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
        try:
            number = operator.index(action)
        except TypeError:
            raise MilleBornesError(f"an action must be a whole number, not {action!r}") from None
        reason = table.step(number)
        info = self._info()
        if reason is not None:
            info["illegal"], info["reason"] = True, reason
        return table.observation, table.reward, table.is_over, False, info

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the action mask in the form that sb3-contrib expects: 1 for each legal action.

        Once the episode is over, it is all ones.
        """
        self._check_begun()
        return self._table.mask

    def render(self) -> Any:
        """Print the table as your seat sees it, or return it as text or pixels, depending on the render mode."""
        if self.render_mode is None or not self._is_begun:
            return None
        if self.render_mode == "rgb_array":
            return pixels_of(self.view)
        text = text_of(self.view)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Close the players."""
        self._table.close()
        self._is_begun = False

    # ------------------------------------------------------------------ observations

    @property
    def match(self) -> Match:
        """The current match, with all cards face up. Raises `MilleBornesError` before the first `reset`.

        Against players with kernels, the match is replayed in Python from its seed when you ask for it.
        """
        self._check_begun()
        return self._table.match

    @property
    def view(self) -> View:
        """The view that your seat has of the table. Raises `MilleBornesError` before the first `reset`."""
        self._check_begun()
        return self._table.view

    def _check_begun(self) -> None:
        if not self._is_begun:
            raise MilleBornesError("call reset() first")

    def _info(self) -> dict[str, Any]:
        table = self._table
        found: dict[str, Any] = {"action_mask": table.mask, "hand_number": table.hand_number}
        if table.is_over and (scores := table.scores) is not None:
            found["scores"] = np.array(scores, np.int64)
        return found
