"""What happens in a hand, draws and moves in order, and what of it a seat gets to know (R5.5)."""

import dataclasses
import itertools

from millebornes.cards import Card
from millebornes.game.hand import Hand
from millebornes.game.move import Action, Move
from millebornes.rules.state import Phase

__all__ = ["Drew", "Event", "Moved", "draw_after", "events_after", "events_of", "events_of_deal"]


@dataclasses.dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew ``count`` cards; ``cards`` in the order drawn, or None to whoever cannot see them."""

    seat: int
    """Who drew."""
    count: int
    cards: tuple[Card, ...] | None = None

    def seen_by(self, seat: int) -> "Drew":
        """What a seat gets to know of it: only its own cards.

        >>> Drew(1, 1, (Card("25"),)).seen_by(0)
        Drew(seat=1, count=1, cards=None)
        """
        return self if seat == self.seat else dataclasses.replace(self, cards=None)


@dataclasses.dataclass(frozen=True, slots=True)
class Moved:
    """A seat made a move."""

    seat: int
    """Who moved."""
    move: Move
    """What was played, called or answered."""

    def seen_by(self, seat: int) -> "Moved | None":
        """What a seat gets to know of it: another seat's pass stays hidden, and so does that it was asked (R5.5).

        >>> Moved(1, Move.parse("pass")).seen_by(0) is None
        True
        """
        return None if self.move.action is Action.PASS and seat != self.seat else self


Event = Drew | Moved
"""Something that happens in a hand."""


def draw_after(pile: int, hand: Hand) -> Drew | None:
    """What the seat that decides has just drawn (R2.5), where ``pile`` cards lay in the draw pile before.

    Raises `MilleBornesError` for a hand whose deck is not known.
    """
    count = pile - hand.draw_pile
    if not count or hand.seat is None:
        return None
    drawn = hand.rules.cards - hand.draw_pile
    return Drew(hand.seat, count, hand.cards_in_deck(drawn - count, drawn))


def events_after(before: Hand, after: Hand) -> tuple[Event, ...]:
    """The latest move, and the draw that followed it, if any; ``before`` is the hand before that move.

    >>> events_after(hand, hand.play("-repairs"))
    (Moved(seat=0, move=Move.parse('-repairs')), Drew(seat=1, count=1, cards=(Card('25'),)))
    """
    assert before.seat is not None
    assert after.move is not None
    moved = Moved(before.seat, after.move)
    drew = None if after.phase is Phase.OVER else draw_after(before.draw_pile, after)
    return (moved,) if drew is None else (moved, drew)


def events_of_deal(start: Hand) -> tuple[Event, ...]:
    """The draw that followed the deal (R2.5), if any; ``start`` is a hand before its first move.

    Raises `MilleBornesError` for a hand that was made from a position, where the past is not known.
    """
    rules = start.rules
    start.cards_in_deck(0, 0)
    drew = draw_after(rules.cards - rules.seats * rules.hand_size, start)
    return () if drew is None else (drew,)


def events_of(hand: Hand) -> tuple[Event, ...]:
    """Everything that has happened since the cards were dealt.

    Raises `MilleBornesError` for a hand that was made from a position, where the past is not known.

    >>> events_of(hand)
    (Drew(seat=0, count=1, cards=(Card('flat_tire'),)),)
    """
    moments = hand.moments
    found: list[Event] = list(events_of_deal(moments[0]))
    for before, after in itertools.pairwise(moments):
        found += events_after(before, after)
    return tuple(found)
