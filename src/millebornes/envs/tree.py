"""A hand as a game tree, in which each card drawn is a chance node. `millebornes.envs.openspiel` uses it."""

import functools
import itertools
import random
from collections.abc import Sequence
from typing import Any, Final

from millebornes.cards import HAZARDS, Card
from millebornes.editions import Rules, make_rules, parse_setting
from millebornes.envs.actions import action_count, actions
from millebornes.envs.fields import layout_for
from millebornes.errors import EditionError, MilleBornesError
from millebornes.game import Hand
from millebornes.rules.engine import Position, engine_for
from millebornes.rules.tables import PASS

__all__ = ["TreeTable", "table_of"]

CARDS: Final = tuple(Card)
RUNS: Final = tuple(bytes([kind]) * 192 for kind in range(len(CARDS)))
EVENT: Final = 64
MOVERS: Final = 1024


class TreeTable:
    """The data and functions that all states of a game share. Copying the object returns the object itself."""

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
        self.actions: Final = action_count(rules)
        self.numbers: Final = layout_for(rules).size
        hazards = sum(rules.deck[hazard.index] for hazard in HAZARDS)
        self.most_moves: Final = rules.cards + hazards + 3
        self.most_events: Final = self.most_moves + rules.cards
        self._position: Final = position
        self._legal: dict[tuple[int, ...], list[int]] = {}
        if position is None:
            self.start = b""
            self.hidden: tuple[int, ...] = rules.deck
            self.seats_to_deal: tuple[int, ...] = tuple(n % rules.seats for n in range(rules.seats * rules.hand_size))
        else:
            self.start = position.state
            kinds = [card for cards in position.hands for card in cards]
            kinds += [CARDS[kind] for kind in self.pile(position.state)]
            self.hidden = tuple(kinds.count(card) for card in CARDS)
            self.seats_to_deal = tuple(seat for seat, cards in enumerate(position.hands) for _ in cards)

    def __deepcopy__(self, _: Any) -> "TreeTable":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return TreeTable, (self.rules, self._position)

    # ------------------------------------------------------------------ states

    def dealt(self, kinds: tuple[int, ...], rest: list[int]) -> tuple[Position, int]:
        """Return the state after the deal, in which seat 0 goes first, and the number of cards drawn since then."""
        if self._position is None:
            found = self.engine.start((*kinds, *self.laid(rest)), 0)
            return found, found.state[self.drawn_at] - len(kinds)
        state = self.start
        for seat in range(self.rules.seats):
            word = sum(1 << 3 * kind for kind, at in zip(kinds, self.seats_to_deal, strict=True) if at == seat)
            state = self._with_hand(state, seat, word)
        state = self.with_pile(state, rest)
        return Position(state, self.engine.words(state)), 0

    def deal_again(self, player: int, kinds: Sequence[int], chance: random.Random) -> list[int]:
        """Return the first cards of a deal in which a player has the same cards and the others have random cards.

        Raises `MilleBornesError` for a hand that began at a position.
        """
        if self._position is not None:
            raise MilleBornesError(
                "a hand that starts from a position has no recorded moves, so it can't be dealt again"
            )
        own = [kind for kind, seat in zip(kinds, self.seats_to_deal, strict=False) if seat == player]
        rest = [kind for kind, count in enumerate(self.rules.deck) for _ in range(count - own.count(kind))]
        chance.shuffle(rest)
        pairs = zip(kinds, self.seats_to_deal, strict=False)
        return [kind if seat == player else rest.pop() for kind, seat in pairs]

    def with_drawn(self, state: bytes, provisional: bytes, drawn: tuple[int, ...], pile: bytes) -> bytes:
        """Return the state in which the current player has drawn the cards in ``drawn`` and ``pile`` is left to draw.

        The cards in ``pile`` are sorted.
        """
        at = self._hand_at + 8 * state[self.seat_at]
        word = int.from_bytes(state[at : at + 8], "little")
        for kind in provisional:
            word -= 1 << 3 * kind
        for kind in drawn:
            word += 1 << 3 * kind
        end = self._deck_at + self.rules.cards
        start = end - len(pile)
        return state[:at] + word.to_bytes(8, "little") + state[at + 8 : start] + pile + state[end:]

    def laid(self, rest: list[int]) -> bytes:
        """Return as many cards of each kind as the counts say, sorted by kind."""
        return b"".join([kind[:count] for kind, count in zip(RUNS, rest, strict=True) if count])

    def pile(self, state: bytes) -> bytes:
        """Return the cards in the draw pile."""
        return state[self._deck_at + state[self.drawn_at] : self._deck_at + self.rules.cards]

    def legal(self, words: tuple[int, ...]) -> list[int]:
        """Return the actions contained in masks of legal move codes, in ascending order."""
        found = self._legal.get(words)
        if found is None:
            found = [64 * n + bit for n, word in enumerate(words) for bit in range(64) if word >> bit & 1]
            self._legal[words] = found
        return found[:]

    def with_pile(self, state: bytes, rest: list[int]) -> bytes:
        """Return the state with these cards as the draw pile, sorted."""
        at = self._deck_at + state[self.drawn_at]
        return state[:at] + self.laid(rest) + state[self._deck_at + self.rules.cards :]

    def _with_hand(self, state: bytes, seat: int, word: int) -> bytes:
        at = self._hand_at + 8 * seat
        return state[:at] + word.to_bytes(8, "little") + state[at + 8 :]

    # ------------------------------------------------------------------ hands

    def hand(self, state: bytes) -> Hand:
        """Return the hand that belongs to a state."""
        return Hand(self.rules, Position(state, self.engine.words(state)))

    def played(self, history: Any) -> Hand:
        """Return the hand with its moves, given the history of chance outcomes and actions.

        Raises `MilleBornesError` for a hand that began at a position.
        """
        if self._position is not None:
            raise MilleBornesError("a hand that starts from a position has no recorded moves, so it can't be replayed")
        kinds = [step.action for step in history if step.player < 0]
        left = list(self.rules.deck)
        for kind in kinds:
            left[kind] -= 1
        hand = Hand.from_deck(self.rules, [CARDS[kind] for kind in (*kinds, *self.laid(left))])
        for step in history:
            if step.player >= 0:
                hand = hand.play(str(self.texts[step.player][step.action]))
        return hand

    def replayed(self, game: Any, hand: Hand) -> Any:
        """Return the state of a game that corresponds to a hand, by replaying all its moves."""
        state = game.new_initial_state()
        cards = iter(hand.deck)
        for before, after in itertools.pairwise(hand.moments):
            while state.is_chance_node():
                state.apply_action(next(cards).index)
            assert after.move is not None
            assert before.seat is not None
            state.apply_action(self.texts[before.seat].index(after.move.text))
        while state.is_chance_node():
            state.apply_action(next(cards).index)
        return state

    def known(self, player: int, history: Any, deciding: int) -> tuple[int, ...]:
        """Return what a player has seen during a history (`MilleBornesState.known`). The ``deciding`` seat drew last.

        The order of the deal doesn't matter. States that differ only in that order belong to the same information
        state.
        """
        dealt = [step.action + 1 for step, seat in zip(history, self.seats_to_deal, strict=False) if seat == player]
        found = sorted(dealt)
        drawn: list[int] = []
        for step in history[len(self.seats_to_deal) :]:
            if step.player < 0:
                drawn.append(step.action + 1)
                continue
            if step.player == player:
                found += drawn
            drawn = []
            if step.action != PASS or step.player == player:  # R5.5
                found.append(EVENT + MOVERS * step.player + step.action)
        return tuple(found + drawn if deciding == player else found)

    def text_of(self, player: int, log: tuple[int, ...], is_asked: bool) -> str:
        """Return what a player has seen as a string: ``+25`` for a card, ``1:stop>0`` for a move, ``?`` if asked."""
        words = [str(player)]
        for entry in log:
            if entry < EVENT:
                words.append(f"+{CARDS[entry - 1].value}")
            else:
                mover, action = divmod(entry - EVENT, MOVERS)
                words.append(f"{mover}:{self.texts[mover][action]}")
        return " ".join(words + ["?"] * is_asked)


@functools.lru_cache(maxsize=32)
def table_of(edition: str, seats: int, sides: int, settings: str, position: str) -> TreeTable:
    """Return the table that the parameters of the OpenSpiel game describe.

    Raises `MilleBornesError` if they are invalid.
    """
    if position:
        hand = Hand.parse(position.replace(";", ",").replace("~", "="))
        return TreeTable(hand.rules, hand)
    chosen: dict[str, Any] = {}
    for part in settings.split(";") if settings else ():
        name, colon, value = part.partition(":")
        if not colon:
            raise EditionError(f"settings: {part!r} isn't a setting; write them as FIELD:VALUE, separated by ;")
        plain = value.replace("*", ":").replace("+", ",") if name == "deck" else value
        chosen |= dict([parse_setting(f"{name}={plain}")])
    return TreeTable(make_rules(edition, seats, sides or None, chosen), None)
