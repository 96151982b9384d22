"""A seat's memory of a hand: what all seats did, and how the table looked before each action."""

import itertools
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.kernels.python_fallback import NET, with_fallback
from millebornes.policies.deal import DEAL
from millebornes.policies.opponent_features import COUNTS, OPPONENT_FEATURES, clear_opponent_features, note_act
from millebornes.rules.clauses import answer_to, is_entitled
from millebornes.rules.engine import engine_for
from millebornes.rules.moves import Action, kind_of_code
from millebornes.rules.state import SEATS, Phase
from millebornes.rules.tables import tables_for
from millebornes.search.beliefs import CALLED, EVENT, EVENTS, NO_COUP, TURN

Records = npt.NDArray[np.void]
_numbers: Final = itertools.count(1)
"""Numbers for events, unique in this process."""
_clear_opponent_features: Final = with_fallback(clear_opponent_features, NET)
_note_act: Final = with_fallback(note_act, NET)


class Past(NamedTuple):
    """The actions of some seats: `EVENT` records by seat, oldest first, states and deals before them, and their number.

    ``fresh`` is the number of latest events that have not been asked for before.
    """

    events: Records
    states: Records
    deals: Records
    counts: npt.NDArray[np.int64]
    fresh: npt.NDArray[np.int64]


class Hazard(NamedTuple):
    """A hazard that can still be answered (R5.1), the side hit, the seat that played it, and the side's word before."""

    card: Card
    side: int
    by: int
    saved: int


class _SeenEvent(NamedTuple):
    event: Records
    state: Records
    deal: Records


def _renumbered(known: _SeenEvent) -> _SeenEvent:
    event = known.event.copy()
    event["number"] = next(_numbers)
    return known._replace(event=event)


class Memory:
    """Follow a hand using only what a seat observes (`millebornes.players.base.Player`).

    The state that it keeps contains no real hands: all cards in hand are 25s, except for the card that is moved.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self._engine: Final = engine_for(rules)
        self._tables: Final = tables_for(rules)
        self.opponents: Final = np.zeros(SEATS, OPPONENT_FEATURES)
        """Features of each seat's hand inferred from its past."""
        self.shares: npt.NDArray[np.float64] | None = None
        """How likely each seat is to play in each style, as far as is known (`millebornes.search.styles`)."""
        self.start(0)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_engine", "_tables")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # In another process, these numbers may belong to other events.
        events = [deque(map(_renumbered, seen), maxlen=EVENTS) for seen in state["_events"]]
        uncalled = [(seat, _renumbered(one)) for seat, one in state["_uncalled"]]
        tables = {"_engine": engine_for(state["rules"]), "_tables": tables_for(state["rules"])}
        self.__dict__.update(state | tables | {"_events": events, "_uncalled": uncalled})

    def start(self, first: int) -> None:
        """Start a new hand after the deal (R2.4)."""
        rules = self.rules
        self.hazard: Hazard | None = None
        _clear_opponent_features(self.opponents)
        self._cards = [rules.hand_size] * rules.seats
        self._drawn = rules.seats * rules.hand_size
        self._public = np.zeros(COUNTS, np.int8)
        self._events: list[deque[_SeenEvent]] = [deque(maxlen=EVENTS) for _seat in range(rules.seats)]
        self._fresh = [0] * rules.seats
        self._uncalled: list[tuple[int, _SeenEvent]] = []
        self._state = np.frombuffer(bytearray(self._engine.pack(seat=first, first=first)), self._engine.dtype)

    def drew(self, seat: int, count: int) -> None:
        """Record that a seat drew cards."""
        self._cards[seat] += count
        self._drawn += count

    def moved(self, seat: int, code: int) -> None:
        """Record the move that a seat made, given by its code (`millebornes.rules.moves.move_codes`)."""
        kind = kind_of_code(code)
        if kind.action is Action.PASS:  # a pass by this seat, which is nothing new
            return
        card = kind.card
        if kind.action is Action.COUP:
            self._prepare(seat, Phase.OPENING if self.hazard is None else Phase.COUP, card)
            self._add(seat, self._event(seat, CALLED, code, card))
            self.hazard, self._uncalled = None, []
        else:
            self.record_no_coup()
            self._prepare(seat, Phase.PLAY if card else Phase.EXTEND, card)
            self._add(seat, self._event(seat, TURN, code, card))
            _note_act(self._state[0], self._tables, self.opponents, np.uint64(code))
            if kind.is_aimed and card is not None:
                target = (self.rules.side_of(seat) + 1 + code // 64) % self.rules.sides
                self.hazard = Hazard(card, target, seat, int(self._state["side"][0, target]))
        after = self._engine.apply(self._state.tobytes(), code).state  # the engine is loaded anyway
        self._state = np.frombuffer(bytearray(after), self._engine.dtype)
        if card is not None:
            self._cards[seat] -= 1
            self._public[card.index] += 1
        if self.hazard is not None:
            safety, hit = answer_to(self.hazard.card).index, self.hazard.side
            entitled = [s for s in range(self.rules.seats) if s != seat and is_entitled(s, hit, self.rules)]  # R5.1
            self._uncalled = [(other, self._event(other, NO_COUP, safety, None)) for other in entitled]

    def record_no_coup(self) -> None:
        """Record that play continues because no seat called a coup fourré against the latest hazard."""
        for seat, event in self._uncalled:
            self._add(seat, event)
        self.hazard, self._uncalled = None, []

    def fork(self) -> "Memory":
        """Return a copy that can learn (`past`, ``shares``) without changing the original, but not follow the hand."""
        copy = object.__new__(Memory)
        copy.__dict__.update(self.__dict__)
        copy._fresh = list(self._fresh)
        copy.shares = None if self.shares is None else self.shares.copy()
        return copy

    def past(self, seats: Sequence[int]) -> Past:
        """Return what each of these seats did recently (at most `EVENTS` actions each)."""
        shape = (len(seats), EVENTS)
        counts = np.array([len(self._events[seat]) for seat in seats], np.int64)
        fresh = np.array([min(self._fresh[seat], EVENTS) for seat in seats], np.int64)
        events, states, deals = (np.zeros(shape, kind) for kind in (EVENT, self._engine.dtype, DEAL))
        past = Past(events, states, deals, counts, fresh)
        for n, seat in enumerate(seats):
            self._fresh[seat] = 0
            for i, event in enumerate(self._events[seat]):
                past.events[n, i], past.states[n, i], past.deals[n, i] = (part[0] for part in event)
        return past

    def _add(self, seat: int, event: _SeenEvent) -> None:
        self._events[seat].append(event)
        self._fresh[seat] += 1

    def _prepare(self, seat: int, phase: Phase, card: Card | None) -> None:
        state, rules = self._state, self.rules
        state["seat"], state["phase"] = seat, phase
        state["own"], state["rival"] = rules.side_of(seat), (rules.side_of(seat) + 1) % rules.sides
        state["drawn"] = min(self._drawn, rules.cards)
        for other, cards in enumerate(self._cards):
            spare = 1 if other == seat and card is not None else 0
            state["hand"][0, other] = max(0, cards - spare) + (spare << 3 * card.index if card else 0)
        if phase is Phase.COUP and self.hazard is not None:
            state["attacker"], state["target"] = self.hazard.by, self.hazard.side
            state["hazard"], state["saved"] = self.hazard.card.index, self.hazard.saved

    def _event(self, seat: int, what: int, code: int, card: Card | None) -> _SeenEvent:
        event = np.zeros(1, EVENT)
        event["what"], event["code"], event["cards"] = what, code, self._cards[seat]
        event["card"] = -1 if card is None else card.index
        event["number"] = next(_numbers)
        deal = np.zeros(1, DEAL)
        deal["public"], deal["opponents"] = self._public, self.opponents
        return _SeenEvent(event, self._state.copy(), deal)
