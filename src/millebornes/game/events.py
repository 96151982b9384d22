"""The events of a hand (draws and moves, in order), and the part of each event that a seat can see (R5.5)."""

import dataclasses
import itertools

from millebornes.cards import Card
from millebornes.game.hand import Hand
from millebornes.game.move import Move
from millebornes.rules.moves import Action
from millebornes.rules.state import Phase


@dataclasses.dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew ``count`` cards.

    ``cards`` contains the cards in the order in which they were drawn, or None for viewers who can't see them.
    """

    seat: int
    """The seat that drew."""
    count: int
    cards: tuple[Card, ...] | None = None

    def seen_by(self, seat: int) -> "Drew":
        """Return the part of the event that a seat can see. Only the seat that drew sees the cards.

        >>> Drew(1, 1, (Card("25"),)).seen_by(0)
        Drew(seat=1, count=1, cards=None)
        """
        return self if seat == self.seat else dataclasses.replace(self, cards=None)


@dataclasses.dataclass(frozen=True, slots=True)
class Moved:
    """A seat made a move."""

    seat: int
    """The seat that moved."""
    move: Move
    """The play, call or answer that the seat chose."""

    def seen_by(self, seat: int) -> "Moved | None":
        """Return the part of the event that a seat can see, or None.

        When another seat passes, neither its pass nor the question is visible (R5.5).

        >>> Moved(1, Move.parse("pass")).seen_by(0) is None
        True
        """
        return None if self.move.action is Action.PASS and seat != self.seat else self


Event = Drew | Moved
"""An event of a hand."""


def draw_after(pile: int, hand: Hand) -> Drew | None:
    """Return the draw of the seat to decide (R2.5), or None if it drew nothing.

    ``pile`` is the number of cards in the draw pile before the draw. Raises `MilleBornesError` if the deck of the hand
    isn't known.
    """
    count = pile - hand.draw_pile
    if not count or hand.seat is None:
        return None
    drawn = hand.rules.cards - hand.draw_pile
    return Drew(hand.seat, count, hand.cards_in_deck(drawn - count, drawn))


def events_after(before: Hand, after: Hand) -> tuple[Event, ...]:
    """Return the latest move, followed by the draw after it, if there was one. ``before`` is the hand before the move.

    >>> events_after(hand, hand.play("-repairs"))
    (Moved(seat=0, move=Move.parse('-repairs')), Drew(seat=1, count=1, cards=(Card('25'),)))
    """
    assert before.seat is not None
    assert after.move is not None
    moved = Moved(before.seat, after.move)
    drew = None if after.phase is Phase.OVER else draw_after(before.draw_pile, after)
    return (moved,) if drew is None else (moved, drew)


def events_of_deal(start: Hand) -> tuple[Event, ...]:
    """Return the draw that followed the deal (R2.5), if there was one.

    ``start`` is a hand in which no move has been made yet. Raises `MilleBornesError` if the hand was made from a
    position, because its past isn't known.
    """
    rules = start.rules
    start.cards_in_deck(0, 0)
    drew = draw_after(rules.cards - rules.seats * rules.hand_size, start)
    return () if drew is None else (drew,)


def events_of(hand: Hand) -> tuple[Event, ...]:
    """Return all events since the deal.

    Raises `MilleBornesError` if the hand was made from a position, because its past isn't known.

    >>> events_of(hand)
    (Drew(seat=0, count=1, cards=(Card('flat_tire'),)),)
    """
    moments = hand.moments
    events: list[Event] = list(events_of_deal(moments[0]))
    for before, after in itertools.pairwise(moments):
        events += events_after(before, after)
    return tuple(events)
