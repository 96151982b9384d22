"""The game for OpenSpiel. Importing this module registers ``millebornes(edition=classic,seats=2)``.

Chance is explicit: whenever a card is dealt or drawn, there is a chance node whose outcomes are the remaining kinds of
card. Each seat is a player, and `millebornes.envs.actions` defines the actions. A player's return is the lead of its
side over the average of the other sides, in points, so the game is zero-sum.
"""

import functools
import itertools
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

from millebornes.cards import HAZARDS, Card
from millebornes.editions import Rules, make_rules, parse_setting
from millebornes.envs.actions import action_count, actions
from millebornes.envs.arguments import brief, checked_index, whole
from millebornes.envs.fields import layout_for
from millebornes.envs.observing import observation_of
from millebornes.errors import EditionError, MilleBornesError
from millebornes.game import Hand, InformationState, Phase
from millebornes.rules.engine import Position, engine_for
from millebornes.rules.tables import PASS

MAX_UTILITY: Final = 20_000.0
DEFAULTS: Final = {"edition": "classic", "seats": 2, "sides": 0, "settings": "", "position": ""}
CARDS: Final = tuple(Card)
RUNS: Final = tuple(bytes([kind]) * 192 for kind in range(len(CARDS)))
EVENT: Final = 64
MOVERS: Final = 1024
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
        given = _checked(params)
        if params and "position" in params:  # states are pickled as the text of the game, where "=" is reserved
            params = params | {"position": given["position"].replace("=", "~")}
        self.table = _table_of(given["edition"], given["seats"], given["sides"], given["settings"], given["position"])
        info = pyspiel.GameInfo(
            num_distinct_actions=action_count(self.table.rules),
            max_chance_outcomes=len(CARDS),
            num_players=self.table.rules.seats,
            min_utility=-MAX_UTILITY,
            max_utility=MAX_UTILITY,
            utility_sum=0.0,
            max_game_length=self.table.most_moves,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> "_State":
        """Return the state before the first card is dealt."""
        return _State(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of cards in the deck, because each card is dealt or drawn at most once."""
        return self.table.rules.cards

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        """Return an observer, which writes observations as tensors and as text."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return _Observer(self.table, kind, params)


class _Table:
    """The data and functions that all states of a game share. Copying the object returns the object itself.

    States are bytes of the engine. ``rest`` always counts the cards of each kind that chance can still choose.
    """

    def __init__(self, rules: Rules, position: Hand | None) -> None:
        self.rules: Final = rules
        self.engine: Final = engine_for(rules)
        offsets = self.engine.offsets
        self.phase_at: Final = offsets["phase"]
        self.seat_at: Final = offsets["seat"]
        self.drawn_at: Final = offsets["drawn"]  # the lowest byte is enough, because no deck has more than 192 cards
        self._hand_at: Final = offsets["hand"]
        self._deck_at: Final = offsets["deck"]
        self.texts: Final = [actions(rules, rules.side_of(seat)) for seat in range(rules.seats)]
        self.most_moves: Final = rules.cards + sum(rules.deck[hazard.index] for hazard in HAZARDS) + 3
        self.position: Final = position
        self._legal: dict[tuple[int, ...], list[int]] = {}
        if position is None:
            self.hidden: tuple[int, ...] = rules.deck
            self.seats_to_deal: tuple[int, ...] = tuple(n % rules.seats for n in range(rules.seats * rules.hand_size))
        else:
            state = position.state
            kinds = [card for cards in position.hands for card in cards]
            kinds += [CARDS[kind] for kind in state[self._deck_at + state[self.drawn_at] : self._deck_at + rules.cards]]
            self.hidden = tuple(kinds.count(card) for card in CARDS)
            self.seats_to_deal = tuple(seat for seat, cards in enumerate(position.hands) for _ in cards)

    def __deepcopy__(self, _: Any) -> "_Table":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _Table, (self.rules, self.position)

    def dealt(self, kinds: tuple[int, ...], rest: list[int]) -> tuple[Position, int]:
        """Return the state after the deal, in which seat 0 goes first, and the number of cards drawn since then."""
        if self.position is None:
            start = self.engine.start((*kinds, *self.sorted_pile(rest)), 0)
            return start, start.state[self.drawn_at] - len(kinds)
        state = self.position.state
        for seat in range(self.rules.seats):
            word = sum(1 << 3 * kind for kind, at in zip(kinds, self.seats_to_deal, strict=True) if at == seat)
            at = self._hand_at + 8 * seat
            state = state[:at] + word.to_bytes(8, "little") + state[at + 8 :]
        at = self._deck_at + state[self.drawn_at]
        state = state[:at] + self.sorted_pile(rest) + state[self._deck_at + self.rules.cards :]
        return Position(state, self.engine.words(state)), 0

    def with_drawn(self, state: bytes, provisional: bytes, drawn: tuple[int, ...], rest: list[int]) -> bytes:
        """Return the state in which the current player has drawn the cards in ``drawn`` instead of ``provisional``."""
        at = self._hand_at + 8 * state[self.seat_at]
        word = int.from_bytes(state[at : at + 8], "little")
        for kind in provisional:
            word -= 1 << 3 * kind
        for kind in drawn:
            word += 1 << 3 * kind
        pile = self.sorted_pile(rest)
        end = self._deck_at + self.rules.cards
        start = end - len(pile)
        return state[:at] + word.to_bytes(8, "little") + state[at + 8 : start] + pile + state[end:]

    def sorted_pile(self, rest: list[int]) -> bytes:
        return b"".join([kind[:count] for kind, count in zip(RUNS, rest, strict=True) if count])

    def legal(self, words: tuple[int, ...]) -> list[int]:
        actions_ = self._legal.get(words)
        if actions_ is None:
            actions_ = [64 * n + bit for n, word in enumerate(words) for bit in range(64) if word >> bit & 1]
            self._legal[words] = actions_
        return actions_[:]


def _checked(params: Any) -> dict[str, Any]:
    if not isinstance(params, dict | None):
        raise MilleBornesError(f"the parameters must be a dictionary, so {brief(params)} is not allowed")
    checked: dict[str, Any] = dict(DEFAULTS)
    for name, value in (params or {}).items():
        if name not in DEFAULTS:
            raise MilleBornesError(f"there is no parameter {brief(name)}; the parameters are {', '.join(DEFAULTS)}")
        is_text = isinstance(DEFAULTS[name], str)
        usable = (value if isinstance(value, str) else None) if is_text else whole(value)
        if usable is None:
            raise MilleBornesError(
                f"{name}: {brief(value)} is not allowed; it must be {'text' if is_text else 'a whole number'}"
            )
        checked[name] = usable
    return checked


@functools.lru_cache(maxsize=32)
def _table_of(edition: str, seats: int, sides: int, settings: str, position: str) -> _Table:
    if position:
        hand = Hand.parse(position.replace(";", ",").replace("~", "="))
        return _Table(hand.rules, hand)
    chosen: dict[str, Any] = {}
    for part in settings.split(";") if settings else ():
        name, colon, value = part.partition(":")
        if not colon:
            raise EditionError(f"settings: {part!r} isn't a setting; write them as FIELD:VALUE, separated by ;")
        plain = value.replace("*", ":").replace("+", ",") if name == "deck" else value
        chosen |= dict([parse_setting(f"{name}={plain}")])
    return _Table(make_rules(edition, seats, sides or None, chosen), None)


class _State(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: MilleBornesGame) -> None:
        super().__init__(game)
        self.table: _Table = game.table
        self._rest: list[int] = list(game.table.hidden)
        self._to_deal = len(game.table.seats_to_deal)
        self._to_draw = 0
        self._chosen: tuple[int, ...] = ()
        """The cards that chance has chosen so far during this deal or draw."""
        self._state = b""
        """The engine's state. During a draw, it has the top cards of the pile in place of those that chance chooses."""
        self._words: tuple[int, ...] = ()
        self._player = CHANCE
        self._provisional = b""

    # ------------------------------------------------------------------ OpenSpiel

    def current_player(self) -> int:
        return self._player

    def is_terminal(self) -> bool:
        return self._player == TERMINAL

    def is_chance_node(self) -> bool:
        return self._player == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        if self._player == CHANCE and player in (None, CHANCE):
            return [kind for kind, count in enumerate(self._rest) if count]
        return self.table.legal(self._words) if self._player >= 0 and player in (None, self._player) else []

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal(self._words)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = sum(self._rest)
        return [(kind, count / left) for kind, count in enumerate(self._rest) if count]

    def apply_action(self, action: Any) -> None:
        number = whole(action)
        if number is None or not 0 <= number < MOVERS:
            raise self._not_legal(action)
        super().apply_action(number)

    def _not_legal(self, action: Any) -> MilleBornesError:
        if self._player == TERMINAL:
            return MilleBornesError("the hand is over, so there are no more actions")
        return MilleBornesError(f"{brief(action)} isn't a legal action here; choose one from legal_actions()")

    def _apply_action(self, action: int) -> None:
        table, state = self.table, self._state
        if action not in self.legal_actions():  # the engine doesn't check it
            raise self._not_legal(action)
        if self._player != CHANCE:
            self._state, self._words = table.engine.apply(state, int(action))
            self._continue(self._state[table.drawn_at] - state[table.drawn_at])
            return
        self._chosen = (*self._chosen, action)
        self._rest[action] -= 1
        if self._to_deal:
            self._to_deal -= 1
            if not self._to_deal:
                (self._state, self._words), drawn = table.dealt(self._chosen, self._rest)
                self._continue(drawn)
        else:
            self._to_draw -= 1
            if not self._to_draw:
                self._state = table.with_drawn(state, self._provisional, self._chosen, self._rest)
                self._words = table.engine.words(self._state)
                self._continue(0)

    def _continue(self, drawn: int) -> None:
        """Let chance choose the cards that the engine has drawn from the top of the pile, or a player decide."""
        state, table = self._state, self.table
        if drawn:
            self._provisional, self._to_draw, self._chosen = table.sorted_pile(self._rest)[:drawn], drawn, ()
            self._player = CHANCE
        else:
            self._player = TERMINAL if state[table.phase_at] == OVER else state[table.seat_at]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"card {CARDS[checked_index('action', action, len(CARDS))].value}"
        texts = self.table.texts[checked_index("player", player, self.table.rules.seats)]
        return str(texts[checked_index("action", action, len(texts))])

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

    # ------------------------------------------------------------------ other states that look the same

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "_State":
        """Return a state that looks the same to a player, with random hidden cards (not all deals are equally likely).

        In the middle of a deal or a draw, chance has chosen the same number of cards in the new state. Raises
        `MilleBornesError` for a hand that began at a position.
        """
        checked_index("player", player, self.table.rules.seats)
        chance = random.Random(int(sampler() * 2**53))
        if self._to_deal:
            return self._deal_again(player, chance)
        if self._to_draw:
            return self._draw_again(player, sampler)
        hand = self.played_hand()
        seen = InformationState.of(hand, player)
        is_secret = hand.phase in QUESTIONS and hand.seat != player  # another seat is asked, so it must hold the safety
        for _ in range(MAX_TRIES):
            found = self._replayed(seen.consistent_hand(chance))
            if not is_secret or found.hand().view(player) == hand.view(player):
                return found
        raise MilleBornesError(f"no other arrangement of the hidden cards was found in {MAX_TRIES} tries")

    def _deal_again(self, player: int, chance: random.Random) -> "_State":
        self._check_start("dealt again")
        rules, dealt = self.table.rules, list(zip(self._chosen, self.table.seats_to_deal, strict=False))
        own = [kind for kind, seat in dealt if seat == player]
        rest = [kind for kind, count in enumerate(rules.deck) for _ in range(count - own.count(kind))]
        chance.shuffle(rest)
        return self._restored([kind if seat == player else rest.pop() for kind, seat in dealt])

    def _draw_again(self, player: int, sampler: Callable[[], float]) -> "_State":
        """Complete the draw, resample, and take back the cards that chance hasn't chosen yet."""
        drawn, ahead = self.clone(), 0
        while drawn.is_chance_node():
            kinds, weights = zip(*drawn.chance_outcomes(), strict=True)
            drawn.apply_action(random.Random(int(sampler() * 2**53)).choices(kinds, weights)[0])
            ahead += 1
        found = drawn.resample_from_infostate(player, sampler).history()
        if self._state[self.table.seat_at] == player:  # the player knows each card that it has drawn
            found[-ahead - len(self._chosen) :] = drawn.history()[-ahead - len(self._chosen) :]
        return self._restored(found[:-ahead])

    def _restored(self, steps: Sequence[int]) -> "_State":
        state = _State(self.get_game())
        for action in steps:
            state.apply_action(action)
        return state

    def _replayed(self, hand: Hand) -> "_State":
        state, cards = _State(self.get_game()), iter(hand.deck)
        for before, after in itertools.pairwise((*hand.moments, None)):
            while state.is_chance_node():
                state.apply_action(next(cards).index)
            if after is not None and after.move is not None:
                assert before is not None
                state.apply_action(self.table.texts[before.seat or 0].index(after.move.text))
        return state

    def _check_start(self, what: str) -> None:
        if self.table.position is not None:
            raise MilleBornesError(f"a hand that starts from a position has no recorded moves, so it can't be {what}")

    # ------------------------------------------------------------------ knowledge of players

    def hand(self) -> Hand:
        """Return the hand with all cards face up, but without its past moves.

        In the middle of a draw, the hand doesn't contain the cards that are still to be drawn. They count as part of
        the pile, because no one knows yet which cards they will be.
        """
        state, table = self._state, self.table
        if self._to_draw:
            state = table.with_drawn(state, self._provisional, self._chosen, self._rest)
            at = table.drawn_at
            state = state[:at] + bytes([state[at] - self._to_draw]) + state[at + 1 :]
        return Hand(table.rules, Position(state, table.engine.words(state)))

    def played_hand(self) -> Hand:
        self._check_start("replayed")
        rules, history = self.table.rules, self.full_history()
        kinds = [step.action for step in history if step.player < 0]
        left = list(rules.deck)
        for kind in kinds:
            left[kind] -= 1
        hand = Hand.from_deck(rules, [CARDS[kind] for kind in (*kinds, *self.table.sorted_pile(left))])
        for step in history:
            if step.player >= 0:
                hand = hand.play(str(self.table.texts[step.player][step.action]))
        return hand

    def seen_so_far(self, player: int) -> list[int]:
        """Return what a player has seen, in order: its own cards as kinds + 1, and moves as 64 + 1024 * mover + action.

        The order of the deal doesn't matter. States that differ only in that order belong to the same information
        state.
        """
        history, seats = self.full_history(), self.table.seats_to_deal
        found = sorted(step.action + 1 for step, seat in zip(history, seats, strict=False) if seat == player)
        drawn: list[int] = []
        for step in history[len(seats) :]:
            if step.player < 0:
                drawn.append(step.action + 1)
                continue
            if step.player == player:
                found += drawn
            drawn = []
            if step.action != PASS or step.player == player:  # R5.5
                found.append(EVENT + MOVERS * step.player + step.action)
        is_drawing = self._state and self._state[self.table.seat_at] == player  # the current player drew last
        return found + drawn if is_drawing else found

    def seen_text(self, player: int) -> str:
        """Return the result of `seen_so_far` as a string, which identifies the information state.

        It has ``+25`` for a card, ``1:stop>0`` for a move, and ``?`` at the end if the player is being asked about a
        coup fourré (R5.1, R5.6).
        """
        words = [str(player)]
        for entry in self.seen_so_far(player):
            if entry < EVENT:
                words.append(f"+{CARDS[entry - 1].value}")
            else:
                mover, action = divmod(entry - EVENT, MOVERS)
                words.append(f"{mover}:{self.table.texts[mover][action]}")
        if self._player == player and self._state[self.table.phase_at] in QUESTIONS:
            words.append("?")
        return " ".join(words)

    def is_dealt(self) -> bool:
        return not self._to_deal


class _Observer:
    """Writes what a player observes now or, with perfect recall, everything that the player has seen."""

    def __init__(self, table: _Table, kind: Any, params: Any) -> None:
        if params:
            raise MilleBornesError(f"observations take no parameters, but {brief(params)} was given")
        self.is_history: Final = bool(kind.perfect_recall)
        self.dict: dict[str, Any] = {}
        most_events = table.most_moves + table.rules.cards
        sizes = {"observation": layout_for(table.rules).size} | (
            {"history": 2 * most_events} if self.is_history else {}
        )
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        at = 0
        for name, size in sizes.items():
            self.dict[name] = self.tensor[at : at + size]
            at += size

    def set_from(self, state: _State, player: int) -> None:
        self.tensor.fill(0)
        if state.is_dealt():
            self.dict["observation"][:] = observation_of(state.hand().view(player))
        if self.is_history:
            history = self.dict["history"]
            for n, entry in enumerate(state.seen_so_far(player)):
                mover, action = divmod(entry - EVENT, MOVERS) if entry >= EVENT else (-1, entry)
                history[2 * n : 2 * n + 2] = mover + 1, action + 1

    def string_from(self, state: _State, player: int) -> str:
        return state.seen_text(player) if self.is_history or not state.is_dealt() else str(state.hand().view(player))


if GAME_TYPE.short_name not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, MilleBornesGame)
