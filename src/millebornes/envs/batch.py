"""Step thousands of hands at once with your policy. All environments build on this."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.envs.actions import action_count, move_of
from millebornes.envs.arguments import brief, checked_index, checked_mask, checked_seed, checked_seeds
from millebornes.envs.fields import layout_for
from millebornes.envs.seen import form_for
from millebornes.envs.stepping import (
    CONTROL,
    DISABLED,
    EVERY_SEAT,
    GAME,
    NEXT_STEP,
    REWARDS,
    SAME_STEP,
    begin_games,
    observe_seat,
    step_games,
)
from millebornes.envs.table import TableOptions
from millebornes.errors import MilleBornesError
from millebornes.game import Hand
from millebornes.players.table import decision_seed
from millebornes.policies.batch import KernelPlayer, KernelSeats
from millebornes.policies.deal import DEAL
from millebornes.policies.dispatch import Workspace, is_watching, workspace_for
from millebornes.policies.random_play import ranks_for
from millebornes.rules.engine import Position, engine_for
from millebornes.rules.state import Phase


class HandBatch:
    """Many games at the same kind of table, which take their steps together.

    Each game is a single hand, or a match if the options contain a ``match_target``. If you seed a batch with ``seed``,
    game ``i`` plays the hands of the match with seed ``seed + i``, in order. Hand h of that match is ``Hand.deal(rules,
    seed + i, (h - 1) % seats, h)``.

    Your policy plays ``seat``, and ``opponents`` play the other seats. Opponents are names of players that have kernels
    (``random``, ``basic``, ``maxims``, ``instant`` and the levels). If you name several, one of them is drawn for each
    seat and each hand. Without opponents, your policy plays all seats in turn.

    Each step writes to the same arrays: ``observations`` (n, numbers) and ``masks`` (n, actions). While a game is
    waiting for its next episode, its action is ignored and its mask is all ones. In the mode in which the next episode
    begins during the same step, ``final_observations`` contains the last observations of the episodes that have ended.

    You can copy or pickle a batch at any time. The copy is independent and continues exactly as the original would.
    Raises `MilleBornesError`, or `PlayerError` for opponents without kernels.
    """

    def __init__(
        self,
        options: TableOptions,
        games: int,
        opponents: Sequence[str] = (),
        *,
        seat: int = 0,
        mode: int = NEXT_STEP,
    ) -> None:
        rules, history = options.rules(), options.history
        if type(mode) is not int or mode not in (NEXT_STEP, SAME_STEP, DISABLED):
            raise MilleBornesError(f"mode: {brief(mode)} isn't a mode; see millebornes.envs.stepping")
        if type(games) is not int or games < 1:
            raise MilleBornesError(f"games: {brief(games)} is not allowed; it must be a whole number of at least 1")
        seat = checked_index("seat", seat, rules.seats)
        self.options: Final = options
        self.rules: Final = rules
        self.games: Final = games
        self.layout: Final = layout_for(rules, history)
        self._players: Final = KernelSeats([KernelPlayer.named(name, rules) for name in opponents or ("random",)])
        control = np.zeros(1, CONTROL)
        control["mode"], control["reward"] = mode, REWARDS.index(options.reward)
        control["seat"], control["mixture"] = seat if opponents else EVERY_SEAT, len(opponents)
        self._states: Final = np.zeros(games, engine_for(rules).dtype)
        self._deals: Final = np.zeros(games, DEAL)
        self._workspace: Final = Workspace(workspace_for(rules).work, self._states, self._deals)
        self._deals["target"], self._deals["watched"] = options.match_target or 0, is_watching(self._players.records)
        self._games: Final = np.zeros(games, GAME)
        self.observations: Final[npt.NDArray[np.float32]] = np.zeros((games, self.layout.size), np.float32)
        self.final_observations: Final[npt.NDArray[np.float32]] = np.zeros_like(
            self.observations[: games if mode == SAME_STEP else 0]
        )
        self.masks: Final[npt.NDArray[np.int8]] = np.zeros((games, action_count(rules)), np.int8)
        control["numbers"], control["actions"] = 4 * self.layout.size, action_count(rules)
        control["form"], control["ranks"] = form_for(rules, history), ranks_for(rules)
        self._left: Final = np.zeros(games if mode == SAME_STEP else 0, self._states.dtype)
        outputs = self.observations, self.final_observations, self.masks, self._left
        self._records: Final = (self._workspace.work, control, self._states, self._deals, self._games)
        self._stepped: Final = (*self._records, outputs)
        self._own: Final = int(control["seat"][0])
        self._is_begun = False
        self._mover: npt.NDArray[np.int64] = self._games["seat"]

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """The reward of the latest step in each game, for the side of the seat that moved."""
        side = self._mover % self.rules.sides
        return np.asarray(self._games["rewards"][np.arange(self.games), side])

    @property
    def rewards_by_side(self) -> npt.NDArray[np.float32]:
        """The reward of the latest step in each game, for each side."""
        return np.asarray(self._games["rewards"][:, : self.rules.sides])

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        """The points of each side in the latest finished hand of each game."""
        return np.asarray(self._games["points"][:, : self.rules.sides])

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Whether the latest step ended the episode of each game."""
        return np.asarray(self._games["done"] != 0)

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """Whether the episode of each game is over. The next action of such a game is ignored."""
        return np.asarray(self._games["ended"] != 0)

    @property
    def illegal(self) -> npt.NDArray[np.bool_]:
        """Whether the latest step ended the episode of each game because the action was illegal."""
        return np.asarray(self._games["illegal"] != 0)

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat that has to decide in each game. If there are opponents, it is always your seat."""
        return np.asarray(self._games["seat"])

    def seed(self, seeds: int | Sequence[int | None] | npt.NDArray[Any]) -> None:
        """Let game ``i`` play the match with seed ``seeds + i``, or ``seeds[i]`` if it is a list, from its first hand.

        If ``seeds[i]`` is None, that game continues with its next hand. Raises `MilleBornesError` for an invalid seed.
        """
        row = checked_seeds(seeds, self.games)
        if row is None:
            first = checked_seed(seeds)
            row = [checked_seed(first + game) for game in range(self.games)]
        for game, seed in enumerate(row):
            if seed is not None:
                chosen = self._games[game]
                chosen["seed"], chosen["key"], chosen["hand"] = seed, decision_seed(seed), 0

    def reset(self, which: npt.NDArray[np.bool_] | None = None) -> None:
        """Begin a new episode in every game, or in the games that ``which`` selects."""
        chosen = np.ones(self.games, np.bool_) if which is None else checked_mask(which, self.games)
        begin_games(chosen, self._players.records, *self._stepped)
        self._is_begun = True
        self._mover = self._games["seat"]

    def step(self, actions: npt.ArrayLike) -> int:
        """Make a move in each game, and let the others play until you decide again.

        Returns the number of illegal actions. An illegal action ends the episode with a reward of -1000 points, or -1
        in matches. If the episode of a game is over, its action is ignored. Raises `MilleBornesError` before the first
        `reset`, and for actions that aren't integers.
        """
        if not self._is_begun:
            raise MilleBornesError("call reset() before step()")
        try:
            given = np.asarray(actions)
        except ValueError:  # rows of different lengths
            raise MilleBornesError(f"actions must be whole numbers, not {brief(actions)}") from None
        if given.shape != (self.games,):
            raise MilleBornesError(f"actions must have the shape ({self.games},), not {given.shape}")
        if given.dtype.kind not in "iu":
            raise MilleBornesError(f"actions must be whole numbers, not {given.dtype}")
        if self._own == EVERY_SEAT:
            self._mover = self._games["seat"].copy()
        chosen = given if given.dtype == np.int64 and given.flags.c_contiguous else np.array(given, np.int64)
        return int(step_games(chosen, self._players.records, *self._stepped))

    def observe(self, game: int, seat: int) -> npt.NDArray[np.float32]:
        """Return the observation of any seat in a game, even if another seat has to decide.

        Raises `MilleBornesError` before the first `reset`, or if the game or the seat doesn't exist.
        """
        out = np.zeros(self.layout.size, np.float32)
        observe_seat(self._begun(game), checked_index("seat", seat, self.rules.seats), out, *self._records)
        return out

    def hand(self, game: int) -> Hand:
        """Return the current hand of a game with all cards face up, but without its past moves."""
        return self._hand_of(self._states[self._begun(game)])

    def why_illegal(self, game: int, action: int) -> str:
        """Return why the action that just ended an episode was illegal, with the clause and the legal moves."""
        records = self._left if len(self._left) else self._states
        return why_illegal(self._hand_of(records[self._begun(game)]), action)

    def _begun(self, game: int) -> int:
        number = checked_index("game", game, self.games)
        if not self._is_begun:
            raise MilleBornesError("call reset() first")
        return number

    def _hand_of(self, record: np.void) -> Hand:
        state = record.tobytes()
        return Hand(self.rules, Position(state, engine_for(self.rules).words(state)))

    def is_over(self, game: int) -> bool:
        """Return whether the latest hand of a game has ended."""
        return bool(self._states["phase"][checked_index("game", game, self.games)] == Phase.OVER)

    def totals(self, game: int) -> tuple[int, ...]:
        """Return the points that each side had before the current hand."""
        return tuple(self._deals["totals"][checked_index("game", game, self.games), : self.rules.sides].tolist())

    def hand_number(self, game: int) -> int:
        """Return the number of the current hand (from 1) among the hands that belong to the game's seed."""
        return int(self._games["hand"][checked_index("game", game, self.games)])


def why_illegal(hand: Hand, action: int) -> str:
    """Return why an action is illegal for the current player, with the clause and the legal moves."""
    legal = f"legal: {', '.join(hand.legal_moves.texts)}"
    try:
        move = move_of(hand.rules, hand.seat or 0, action)
    except MilleBornesError:
        return f"{brief(action)} isn't a move at this table; {legal}"
    why = hand.why_not(move)
    return f"{move} is not legal{f': {why.text} ({why.clause})' if why else ''}; {legal}"
