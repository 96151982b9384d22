"""The compiled rules behind the interface of the reference game: texts go in, plain values come out."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Hand, Pending, Tableau
from millebornes.rules.engine import engine_for
from millebornes.rules.state import NOBODY
from tests.reference.game import ReferenceGame

__all__ = ["PackedGame", "summary_of", "view_of"]

CARDS = tuple(Card)


class PackedGame:
    """A hand played by the compiled rules, with the interface of `ReferenceGame`."""

    def __init__(self, rules: Rules, deck: Iterable[Card | str], first: int = 0) -> None:
        self.rules = rules
        self._hand = Hand.from_deck(rules, deck, first)

    @property
    def phase(self) -> str:
        return self._hand.phase.name.lower()

    @property
    def seat(self) -> int:
        return int(self.state["seat"])

    @property
    def over(self) -> bool:
        return self._hand.is_over

    @property
    def completed_by(self) -> int | None:
        return self._hand.completed_by

    @property
    def extended(self) -> bool:
        return self._hand.extended

    @property
    def state(self) -> Any:
        """The record of the kernels."""
        return np.frombuffer(self._hand.state, engine_for(self.rules).dtype)[0]

    def legal(self) -> list[str]:
        return sorted(self._hand.legal_moves.texts)

    def play(self, text: str) -> None:
        self._hand = self._hand.play(text)

    def scores(self) -> list[dict[str, int]]:
        return [sheet.to_dict() for sheet in self._hand.scores]

    def summary(self) -> dict[str, Any]:
        """Everything in the state, in plain values."""
        state, rules, hand = self.state, self.rules, self._hand
        if self.phase != "coup":
            assert (state["hazard"], state["target"], state["attacker"]) == (NOBODY, NOBODY, NOBODY)
        assert not state["hand"][rules.seats :].any()
        assert not state["side"][rules.sides :].any()
        # Equal hands have equal states: nothing is left where drawn cards lay.
        assert not state["deck"][state["discarded"] : state["drawn"]].any()
        return {
            "phase": self.phase,
            "seat": self.seat,
            "first": hand.first,
            "extended": hand.extended,
            "completed_by": hand.completed_by,
            "pending": _plain(hand.pending),
            "hands": [_sorted(hand.cards(seat)) for seat in range(rules.seats)],
            "sides": _shown(hand.tableaux),
            "draw_pile": [CARDS[kind].value for kind in state["deck"][state["drawn"] : rules.cards]],
            "discard_top": hand.discard_top and hand.discard_top.value,
            "discards": _counted(hand.discards),
            "discard_pile": [card.value for card in hand.discard_pile],
        }

    def view(self, seat: int) -> dict[str, Any]:
        """What a hand tells a seat, in plain values."""
        view = self._hand.view(seat)
        return {
            "seat": view.seat,
            "phase": view.phase.name.lower(),
            "mover": view.mover,
            "first": view.first,
            "extended": view.extended,
            "completed_by": view.completed_by,
            "pending": _plain(view.pending),
            "hand": [card.value for card in view.hand],
            "hand_sizes": list(view.hand_sizes),
            "sides": _shown(view.tableaux),
            "draw_pile": view.draw_pile,
            "discard_top": view.discard_top and view.discard_top.value,
            "discards": _counted(view.discards),
            "played": _counted(view.played),
        }


def _plain(pending: Pending | None) -> tuple[str, int, int] | None:
    return None if pending is None else (pending.hazard.value, pending.side, pending.by)


def _sorted(cards: Iterable[Card]) -> list[str]:
    return sorted(card.value for card in cards)


def _counted(cards: Any) -> dict[str, int]:
    return {card.value: n for card, n in Counter(cards).items() if n}


def _shown(tableaux: Iterable[Tableau]) -> list[dict[str, Any]]:
    found = [tableau.to_dict() for tableau in tableaux]
    for side in found:
        side["safeties"].sort()
        side["coups_fourres"].sort()
    return found


def summary_of(game: ReferenceGame) -> dict[str, Any]:
    """What `PackedGame.summary` has to say about the same hand."""
    return {
        "phase": game.phase,
        "seat": game.seat,
        "first": game.first,
        "extended": game.extended,
        "completed_by": game.completed_by,
        "pending": None if game.pending is None else tuple(game.pending),
        "hands": [_sorted(cards) for cards in game.hands],
        "sides": [side.shown() for side in game.sides],
        "draw_pile": [card.value for card in game.pile],
        "discard_top": game.discards[-1].value if game.discards else None,
        "discards": _counted(game.discards),
        "discard_pile": [card.value for card in game.discards],
    }


def view_of(game: ReferenceGame, seat: int) -> dict[str, Any]:
    """What a seat may see of a hand (R2.3, R5.5), as `PackedGame.view` has to tell it."""
    hidden = game.phase in {"coup", "opening"} and game.seat != seat
    return {
        "seat": seat,
        "phase": "play" if hidden else game.phase,
        "mover": None if hidden or game.over else game.seat,
        "first": game.first,
        "extended": game.extended,
        "completed_by": game.completed_by,
        "pending": None if hidden or game.pending is None else tuple(game.pending),
        "hand": _sorted(game.hands[seat]),
        "hand_sizes": [len(cards) for cards in game.hands],
        "sides": [side.shown() for side in game.sides],
        "draw_pile": len(game.pile),
        "discard_top": game.discards[-1].value if game.discards else None,
        "discards": _counted(game.discards),
        "played": _counted([card for side in game.sides for card in side.cards().elements()]),
    }
