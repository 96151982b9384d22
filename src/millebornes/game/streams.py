"""Deal and draw from streams: a shuffled deck in which each seat draws from its own part.

`millebornes.rules.streams` defines the parts, and decides where a seat draws after its part is used up.
"""

from typing import Final

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.decks import shuffled_deck
from millebornes.game.hand import Hand
from millebornes.game.move import Move
from millebornes.rules.engine import Position, engine_for
from millebornes.rules.streams import lending_seat, part_of

_CARDS: Final = tuple(Card)


class Streams:
    """A shuffled deck in which each seat draws from its own part.

    The object changes during the hand, so create one for each hand. `deal` returns the hand at the start, and `play`
    returns the hand after a move. `recorded` returns the hand, finished or not, with the deck in the order in which the
    cards were drawn.
    """

    def __init__(self, rules: Rules, seed: int | str, hand: int = 1, first: int = 0) -> None:
        """Shuffle the deck for hand ``hand`` (from 1) of the match with this seed.

        ``first`` is the nominal first seat (R2.7).
        """
        self.rules: Final = rules
        self.first: Final = first
        kinds = bytes(card.index for card in shuffled_deck(rules, seed, hand))
        seats = range(rules.seats)
        self._cards: Final = [bytes(kinds[place] for place in part_of(len(kinds), len(seats), seat)) for seat in seats]
        self._fronts: Final = [0 for _ in seats]
        self._backs: Final = [len(cards) for cards in self._cards]
        self._drawn = b""
        engine = engine_for(rules)
        self._deck_offset: Final = engine.offsets["deck"]

    def deal(self) -> Hand:
        """Return the hand after each seat was dealt cards from its stream (R2.4) and the first seat has drawn."""
        seats, size = self.rules.seats, self.rules.hand_size
        for n in range(seats * size):
            self._take((self.first + n) % seats, 1)
        # Only the rules can decide which seat draws next. For this question, any card can be on top of the draw pile.
        hand = self._start(self.first)
        drawn = self.rules.cards - seats * size - hand.draw_pile
        if drawn:
            seat = hand.seat
            assert seat is not None
            if seat != self.first:
                hand = self._start(seat)
            self._take(seat, drawn)
        return hand

    def play(self, hand: Hand, move: Move | str) -> Hand:
        """Return the hand after a move.

        ``hand`` must be the latest hand returned by this object. Raises the same errors as `Hand.play`.
        """
        mover = hand.seat
        guess = ((mover or 0) + 1) % self.rules.seats
        after = self._with_pile_for(hand, guess).play(move)
        drawn = hand.draw_pile - after.draw_pile
        if drawn:
            seat = after.seat if after.seat is not None else _seat_that_drew(hand, after)
            if seat != guess:
                after = self._with_pile_for(hand, seat).play(move)
            self._take(seat, drawn)
        return after

    def recorded(self, hand: Hand) -> Hand:
        """Return the same hand with its deck in the order in which the cards were drawn, and then the undrawn cards."""
        order = self._drawn + b"".join(self._left_parts())
        position = engine_for(self.rules).start(tuple(order), self.first)
        return Hand(self.rules, position, deck=order).play_all(hand.moves)

    @property
    def left(self) -> tuple[tuple[Card, ...], ...]:
        """The cards left in the part of each seat, in the order in which the seat will draw them."""
        return tuple(tuple(_CARDS[kind] for kind in part) for part in self._left_parts())

    # ------------------------------------------------------------------ who gets which card

    def _left_parts(self) -> list[bytes]:
        return [cards[self._fronts[seat] : self._backs[seat]] for seat, cards in enumerate(self._cards)]

    def _next(self, seat: int) -> bytes:
        """Return the undrawn cards in the order in which a seat would draw them: its part, then the ends of others."""
        left = self._left_parts()
        fronts, lengths = [0] * len(left), [len(part) for part in left]
        backs, pile = lengths.copy(), left[seat]
        backs[seat] = 0
        while (other := lending_seat(len(left), lengths, fronts, backs)) >= 0:
            pile += left[other][::-1]
            backs[other] = 0
        return pile

    def _take(self, seat: int, count: int) -> None:
        self._drawn += self._next(seat)[:count]
        lengths = [back - front for front, back in zip(self._fronts, self._backs, strict=True)]
        for _ in range(count):
            if self._fronts[seat] < self._backs[seat]:
                self._fronts[seat] += 1
            else:
                self._backs[lending_seat(self.rules.seats, lengths, self._fronts, self._backs)] -= 1

    def _start(self, seat: int) -> Hand:
        order = self._drawn + self._next(seat)
        return Hand(self.rules, engine_for(self.rules).start(tuple(order), self.first), deck=order)

    def _with_pile_for(self, hand: Hand, seat: int) -> Hand:
        """Return the same hand with the draw pile in the order in which a seat would draw the cards."""
        pile = self._next(seat)
        start = self._deck_offset + len(self._drawn)
        state = hand.state[:start] + pile + hand.state[start + len(pile) :]
        return Hand(self.rules, Position(state, hand._words), hand.parent, hand.move, self._drawn + pile)


def _seat_that_drew(before: Hand, after: Hand) -> int:
    """Return the seat that drew after the latest move, which is the only one that has more cards than just after it."""
    moved = before.seat
    gained = [
        len(new) - len(old) + (seat == moved)
        for seat, (old, new) in enumerate(zip(before.hands, after.hands, strict=True))
    ]
    return gained.index(max(gained))
