"""The game for OpenSpiel. Importing this module registers ``millebornes(edition=classic,seats=2)``.

Chance is explicit: whenever a card is dealt or drawn, there is a chance node whose outcomes are the remaining kinds of
card. Each seat is a player, and `millebornes.envs.actions` defines the actions. A player's return is the lead of its
side over the average of the other sides, in points, so the game is zero-sum.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"this needs the extra 'openspiel': pip install 'millebornes[openspiel]' ({error})", name=error.name
    ) from None

from millebornes.cards import Card
from millebornes.envs.observing import observation_of
from millebornes.envs.tree import TreeTable, table_of
from millebornes.errors import MilleBornesError
from millebornes.game import Hand, InformationState, Phase

__all__ = ["MilleBornesGame", "MilleBornesObserver", "MilleBornesState"]

MAX_UTILITY: Final = 20_000.0
DEFAULTS: Final = {"edition": "classic", "seats": 2, "sides": 0, "settings": "", "position": ""}
CARDS: Final = tuple(Card)
MAX_TRIES: Final = 1000
CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
OVER: Final = int(Phase.OVER)
QUESTIONS: Final = (int(Phase.COUP), int(Phase.OPENING))

GAME_TYPE: Final = pyspiel.GameType(
    short_name="millebornes",
    long_name="Mille Bornes, one hand",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=DEFAULTS,
)


class MilleBornesGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """One hand as an OpenSpiel game.

    The parameters are ``edition``, ``seats``, ``sides`` (0 for the default), ``settings`` (such as
    ``goal:100;hand_size:3``, with a deck written as ``deck:25*6+roll*4``) and ``position``. A position is the usual
    position text, but with ``;`` instead of ``,`` and, within the text of a game, ``~`` instead of ``=``. If a hand
    begins at a position, the cards hidden in its hands and draw pile are dealt again. Raises `MilleBornesError`.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given: dict[str, Any] = DEFAULTS | (params or {})
        if params and "position" in params:  # states are pickled as the text of the game, where "=" is reserved
            params = params | {"position": str(params["position"]).replace("=", "~")}
        self.table: TreeTable = table_of(
            str(given["edition"]), int(given["seats"]), int(given["sides"]), given["settings"], given["position"]
        )
        table = self.table
        info = pyspiel.GameInfo(
            num_distinct_actions=table.actions,
            max_chance_outcomes=len(CARDS),
            num_players=table.rules.seats,
            min_utility=-MAX_UTILITY,
            max_utility=MAX_UTILITY,
            utility_sum=0.0,
            max_game_length=table.most_moves,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> "MilleBornesState":
        """Return the state before the first card is dealt."""
        return MilleBornesState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of cards in the deck, because each card is dealt or drawn at most once."""
        return self.table.rules.cards

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "MilleBornesObserver":
        """Return an observer, which writes observations as tensors and as text."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return MilleBornesObserver(self.table, kind, params)


class MilleBornesState(pyspiel.State):  # type: ignore[misc]
    """A state of a hand, in the form that OpenSpiel requires."""

    def __init__(self, game: MilleBornesGame) -> None:
        super().__init__(game)
        self.table: TreeTable = game.table
        self._rest: list[int] = list(game.table.hidden)
        self._left = sum(self._rest)
        self._to_deal = len(game.table.seats_to_deal)
        self._to_draw = 0
        self._chosen: tuple[int, ...] = ()
        """The cards that chance has chosen so far during this deal or draw."""
        self._state = game.table.start
        """The engine's state. During a draw, it contains the top cards of the pile until chance has chosen other cards.
        """
        self._words: tuple[int, ...] = ()
        self._player = CHANCE
        self._pile = self._provisional = b""

    # ------------------------------------------------------------------ OpenSpiel

    def current_player(self) -> int:
        """Return the seat that has to decide, or OpenSpiel's number for chance or for the end of the game."""
        return self._player

    def is_terminal(self) -> bool:
        """Return whether the hand is over."""
        return self._player == TERMINAL

    def is_chance_node(self) -> bool:
        """Return whether chance has to choose the next card."""
        return self._player == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of the current player, or the possible outcomes of chance.

        Other players have none.
        """
        if self._player == CHANCE and player in (None, CHANCE):
            return [kind for kind, count in enumerate(self._rest) if count]
        return self.table.legal(self._words) if self._player >= 0 and player in (None, self._player) else []

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal(self._words)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the kinds of card that can come next, with their probabilities."""
        left = self._left
        return [(kind, count / left) for kind, count in enumerate(self._rest) if count]

    def _apply_action(self, action: int) -> None:
        if self._player != CHANCE:
            self._move(int(action))
            return
        self._chosen = (*self._chosen, action)
        if self._to_deal:
            self._rest[action] -= 1
            self._left -= 1
            self._to_deal -= 1
            if not self._to_deal:
                self._deal()
        else:
            self._draw(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"card {CARDS[action].value}"
        return str(self.table.texts[player][action])

    def returns(self) -> list[float]:
        """Return the lead of each seat's side in points. Before the end of the hand, all leads are zero."""
        rules = self.table.rules
        if not self.is_terminal():
            return [0.0] * rules.seats
        totals = [sum(lines) for lines in self.table.engine.scores(self._state)[: rules.sides]]
        leads = [(rules.sides * points - sum(totals)) / (rules.sides - 1) for points in totals]
        return [leads[rules.side_of(seat)] for seat in range(rules.seats)]

    def __str__(self) -> str:
        if self._to_deal:
            return "dealing " + ",".join(CARDS[kind].value for kind in self._chosen)
        return f"{self.hand()}" + (" drawing" if self._to_draw else "")

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "MilleBornesState":
        """Return a state that looks the same to a player, with random hidden cards (not all deals are equally likely).

        In the middle of a deal or a draw, chance has chosen the same number of cards in the new state. Raises
        `MilleBornesError` for a hand that began at a position.
        """
        chance = random.Random(int(sampler() * 2**53))
        if self._to_deal:
            return self._restored(self.table.deal_again(player, self._chosen, chance))
        if self._to_draw:
            return self._draw_again(player, sampler)
        hand = self.played_hand()
        seen = InformationState.of(hand, player)
        is_secret = hand.phase in QUESTIONS and hand.seat != player  # another seat is asked, so it must hold the safety
        for _ in range(MAX_TRIES):
            found: MilleBornesState = self.table.replayed(self.get_game(), seen.consistent_hand(chance))
            if not is_secret or found.hand().view(player) == hand.view(player):
                return found
        raise MilleBornesError(f"no other arrangement of the hidden cards was found in {MAX_TRIES} tries")

    def _draw_again(self, player: int, sampler: Callable[[], float]) -> "MilleBornesState":
        """Resample in the middle of a draw.

        This completes the draw, resamples, and takes back the cards that chance hasn't chosen yet.
        """
        drawn, ahead = self.clone(), 0
        while drawn.is_chance_node():
            kinds, weights = zip(*drawn.chance_outcomes(), strict=True)
            drawn.apply_action(random.Random(int(sampler() * 2**53)).choices(kinds, weights)[0])
            ahead += 1
        found = drawn.resample_from_infostate(player, sampler).history()
        if self._state[self.table.seat_at] == player:  # the player knows each card that it has drawn
            found[-ahead - len(self._chosen) :] = drawn.history()[-ahead - len(self._chosen) :]
        return self._restored(found[:-ahead])

    def _restored(self, actions: Sequence[int]) -> "MilleBornesState":
        state = MilleBornesState(self.get_game())
        for action in actions:
            state.apply_action(action)
        return state

    # ------------------------------------------------------------------ knowledge of players

    def hand(self) -> Hand:
        """Return the hand with all cards face up, but without its past moves.

        In the middle of a draw, the hand doesn't contain the cards that are still to be drawn.
        """
        state = self._state
        if self._to_draw:
            state = self.table.with_drawn(state, self._provisional, self._chosen, self._pile)
            at = (
                self.table.drawn_at
            )  # cards still to be drawn count as part of the pile, because no one knows yet which cards they will be
            state = state[:at] + bytes([state[at] - self._to_draw]) + state[at + 1 :]
        return self.table.hand(state)

    def played_hand(self) -> Hand:
        """Return the hand with all its past moves. Raises `MilleBornesError` for a hand that began at a position."""
        return self.table.played(self.full_history())

    def known(self, player: int) -> tuple[int, ...]:
        """Return what a player has seen, in order.

        The player's own cards appear as kinds + 1, and moves as 64 + 1024 * mover + action.
        """
        return self.table.known(player, self.full_history(), self._state[self.table.seat_at] if self._state else 0)

    def known_text(self, player: int) -> str:
        """Return the result of `known` as a string, which identifies the information state."""
        return self.table.text_of(player, self.known(player), self.is_asked(player))

    def is_asked(self, player: int) -> bool:
        """Return whether the player is being asked about a coup fourré (R5.1, R5.6)."""
        return self._player == player and self._state[self.table.phase_at] in QUESTIONS

    def is_dealt(self) -> bool:
        """Return whether the deal is complete."""
        return not self._to_deal

    # ------------------------------------------------------------------ playing

    def _settle(self) -> None:
        """Find the next player to move once chance has no more cards to choose for now."""
        state, table = self._state, self.table
        self._player = TERMINAL if state[table.phase_at] == OVER else state[table.seat_at]

    def _deal(self) -> None:
        (self._state, self._words), drawn = self.table.dealt(self._chosen, self._rest)
        if drawn:
            self._begin_draw(self.table.laid(self._rest), drawn)
        else:
            self._settle()

    def _move(self, action: int) -> None:
        table, state = self.table, self._state
        self._state, self._words = table.engine.apply(state, action)
        drawn = self._state[table.drawn_at] - state[table.drawn_at]
        if drawn:
            self._begin_draw(table.pile(state), drawn)
        else:
            self._settle()

    def _begin_draw(self, pile: bytes, count: int) -> None:
        """Start a draw.

        The engine has already drawn the top cards of the pile, which chance will replace with its choices.
        """
        self._pile, self._provisional, self._to_draw = pile, pile[:count], count
        self._chosen = ()
        self._player = CHANCE

    def _draw(self, kind: int) -> None:
        self._rest[kind] -= 1
        self._left -= 1
        self._to_draw -= 1
        pile = self._pile
        at = pile.index(kind)
        self._pile = pile[:at] + pile[at + 1 :]
        if not self._to_draw:
            table = self.table
            self._state = table.with_drawn(self._state, self._provisional, self._chosen, self._pile)
            self._words = table.engine.words(self._state)
            self._settle()


class MilleBornesObserver:
    """Writes what a player observes now or, with perfect recall, everything that the player has seen."""

    def __init__(self, table: TreeTable, kind: Any, params: Any) -> None:
        if params:
            raise MilleBornesError(f"observations take no parameters, but {params!r} was given")
        self.table = table
        self.is_history: Final = bool(kind.perfect_recall)
        self.dict: dict[str, Any] = {}
        sizes = {"observation": table.numbers} | ({"history": 2 * table.most_events} if self.is_history else {})
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        at = 0
        for name, size in sizes.items():
            self.dict[name] = self.tensor[at : at + size]
            at += size

    def set_from(self, state: MilleBornesState, player: int) -> None:
        """Write a player's observation to the tensor."""
        self.tensor.fill(0)
        if state.is_dealt():
            self.dict["observation"][:] = observation_of(state.hand().view(player))
        if self.is_history:
            history = self.dict["history"]
            for n, entry in enumerate(state.known(player)):
                mover, action = divmod(entry - 64, 1024) if entry >= 64 else (-1, entry)
                history[2 * n : 2 * n + 2] = mover + 1, action + 1

    def string_from(self, state: MilleBornesState, player: int) -> str:
        """Return a player's observation as a string."""
        if self.is_history:
            return state.known_text(player)
        return str(state.hand().view(player)) if state.is_dealt() else state.known_text(player)


def _register() -> None:
    if GAME_TYPE.short_name not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, MilleBornesGame)


_register()
