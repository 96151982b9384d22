"""Everything that one seat has seen of a hand, in order: the cards it was dealt, its draws, and all public events.

Players, hints and reviews base their decisions on this alone. A `millebornes.game.view.View` shows the table at one
moment. An information state also shows what has happened before.
"""

import dataclasses
import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

from millebornes.cards import Card, sorted_cards
from millebornes.editions import Rules
from millebornes.errors import IllegalMoveError, NotationError
from millebornes.game.checks import check_seat
from millebornes.game.events import Drew, Event, Moved, events_of
from millebornes.game.hand import Hand
from millebornes.game.match import Match
from millebornes.game.move import Move
from millebornes.game.position import (
    NO_CARD,
    cards_text,
    match_text,
    read_cards,
    read_fields,
    read_match,
    read_totals,
    read_whole,
    shown,
)
from millebornes.game.view import View
from millebornes.rules.moves import Action
from millebornes.rules.state import Phase

FIELDS: Final = ("RULES", "SEAT", "MATCH", "TOTALS", "FIRST", "DEALT", "EVENTS")
MAX_TEXT: Final = 20_000
ASKED, OVER = "?", "."
"""The last entry in the text form: this seat is asked about a coup fourré, or the hand is over."""
QUESTIONS: Final = frozenset((Phase.COUP, Phase.OPENING))
PASS: Final = Move(Action.PASS)
TRIES: Final = 500
"""The number of layouts of the hidden cards that are tried if they decide when the hand ends (R6.3)."""


class _OverEarlyError(Exception):
    """Raised if the hand would have ended too early with this layout of the hidden cards."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class InformationState:
    """Everything that a seat knows about a hand. It doesn't contain any hidden cards.

    ``dealt`` contains the cards dealt to the seat, sorted. ``events`` contains all events that the seat has seen since
    then: `Drew`, with the cards only if the seat itself drew them, and `Moved`, except for passes by other seats.
    ``is_asked`` is true if the seat is now asked about a coup fourré, and ``is_over`` is true if the hand is over. The
    events alone don't show either. ``first`` is the nominal first seat (R2.7). ``totals`` (points by side),
    ``hand_number`` and ``match_target`` describe the match.

    ``str`` returns the information state as one line, and `parse` reads that line.
    """

    rules: Rules
    """The rules of the table."""
    seat: int
    """The seat that has this knowledge."""
    first: int
    dealt: tuple[Card, ...]
    events: tuple[Event, ...] = ()
    is_asked: bool = False
    is_over: bool = False
    totals: tuple[int, ...] = ()
    hand_number: int = 1
    match_target: int | None = None

    def __post_init__(self) -> None:
        if not self.totals:
            object.__setattr__(self, "totals", (0,) * self.rules.sides)

    @classmethod
    def of(
        cls,
        hand: Hand,
        seat: int | None,
        totals: Sequence[int] = (),
        hand_number: int = 1,
        match_target: int | None = None,
    ) -> "InformationState":
        """Return everything that a seat has seen of a hand.

        Raises `SeatError` if the table doesn't have this seat, and `MilleBornesError` if the past of the hand isn't
        known.

        >>> str(InformationState.of(hand, 1))
        'classic/2x2 1 1/none 0|0 0 50,75*2,LIM,SPR,EOL 0+1'
        """
        rules = hand.rules
        seat = check_seat(rules, seat)
        seen = (event.seen_by(seat) for event in events_of(hand))
        return cls(
            rules=rules,
            seat=seat,
            first=hand.first,
            dealt=tuple(sorted(hand.dealt(seat))),
            events=tuple(event for event in seen if event is not None),
            is_asked=hand.phase in QUESTIONS and hand.seat == seat,
            is_over=hand.is_over,
            totals=tuple(totals),
            hand_number=hand_number,
            match_target=match_target,
        )

    @classmethod
    def of_match(cls, match: Match, seat: int | None) -> "InformationState":
        """Return everything that a seat has seen of the current hand of a match. Raises the same errors as `of`.

        >>> InformationState.of_match(match, 0).match_target
        5000
        """
        return cls.of(match.hand, seat, match.before.totals, match.hand_number, match.match_target)

    def after(self, *events: Event, is_asked: bool = False, is_over: bool = False) -> "InformationState":
        """Return a copy with ``events`` added, without the parts that the seat can't see.

        >>> state = InformationState.of(hand, 1)
        >>> state.after(Moved(0, Move.parse("-repairs")), Drew(1, 1, (Card("25"),))).view == hand.play("-repairs").view(
        ...     1
        ... )
        True
        """
        seen = (event.seen_by(self.seat) for event in events)
        more = tuple(event for event in seen if event is not None)
        return dataclasses.replace(self, events=self.events + more, is_asked=is_asked, is_over=is_over)

    # ------------------------------------------------------------------ how the table looks now

    @property
    def view(self) -> View:
        """The table as the seat sees it now.

        Raises a `NotationError` that names the event if these events can't occur in any hand.

        >>> InformationState.of(hand, 1).view == hand.view(1)
        True
        """
        hand = self.consistent_hand()
        view = hand.view(self.seat, self.totals, self.hand_number, self.match_target)
        sizes, pile = self._sizes()
        own = list(self.dealt)
        for event in self.events:
            if event.seat == self.seat:
                own += (event.cards or ()) if isinstance(event, Drew) else ()
                if isinstance(event, Moved) and event.move.card is not None:
                    own.remove(event.move.card)
        view = dataclasses.replace(view, hand=tuple(sorted(own)), hand_sizes=sizes, draw_pile=pile)
        if self.is_over:
            return dataclasses.replace(view, phase=Phase.OVER, mover=None, pending=None)
        if hand.phase is Phase.OVER or (not self.is_asked and (hand.phase in QUESTIONS or hand.draw_pile != pile)):
            return dataclasses.replace(view, phase=Phase.PLAY, mover=None, pending=None)  # R5.5
        return view

    def consistent_hand(self, rng: random.Random | None = None) -> Hand:
        """Return a complete hand that would have looked the same to this seat, with the hidden cards filled in.

        With ``rng``, they are filled in at random, although some layouts are more likely than others. Without ``rng``,
        the layout is always the same. If another seat may be answering a question, the hand can be either before or
        after the answer. Raises a `NotationError` that names the event if these events can't occur in any hand.

        >>> other = InformationState.of(hand, 1).consistent_hand()
        >>> other == hand, other.view(1) == hand.view(1)
        (False, True)
        """
        chance = random.Random(0) if rng is None else rng
        for number in range(TRIES):
            try:
                return self._replayed(self._deck(chance if rng is not None or number else None))
            except _OverEarlyError:
                continue
        raise NotationError(f"EVENTS: in all {TRIES} tries, the hand was over before its last event (R6.3)")

    def _sizes(self) -> tuple[tuple[int, ...], int]:
        rules = self.rules
        sizes, pile = [rules.hand_size] * rules.seats, rules.cards - rules.seats * rules.hand_size
        for event in self.events:
            if isinstance(event, Drew):
                sizes[event.seat] += event.count
                pile -= event.count
            elif event.move.card is not None:
                sizes[event.seat] -= 1
        return tuple(sizes), pile

    def _deck(self, chance: random.Random | None) -> list[Card]:
        """Return a deck in drawing order with which each seat could have held the cards that it has played."""
        rules, seats = self.rules, self.rules.seats
        deck: list[Card | None] = [None] * rules.cards
        held = [
            [place for place in range(seats * rules.hand_size) if (place + self.first) % seats == s]
            for s in range(seats)
        ]
        left = Counter(dict(zip(Card, rules.deck, strict=True)))
        drawn = seats * rules.hand_size

        def place_card(place: int, card: Card, what: str) -> None:
            if not left[card]:
                raise NotationError(f"{what}: the deck does not have that many {card} cards")
            left[card] -= 1
            deck[place] = card

        if len(self.dealt) != rules.hand_size:
            raise NotationError(f"DEALT: {len(self.dealt)} cards instead of {rules.hand_size}")
        for place, card in zip(held[self.seat], self.dealt, strict=True):
            place_card(place, card, "DEALT")
        for number, event in enumerate(self.events, 1):
            what = f"EVENTS, number {number}"
            places = held[event.seat]
            if isinstance(event, Drew):
                if drawn + event.count > rules.cards:
                    raise NotationError(f"{what}: {event.count} cards are drawn, but {rules.cards - drawn} are left")
                for i in range(event.count):
                    if event.seat == self.seat and event.cards is not None:
                        place_card(drawn + i, event.cards[i], what)
                    places.append(drawn + i)
                drawn += event.count
            elif event.move.card is not None:
                if event.seat == self.seat:
                    mine = [place for place in places if deck[place] is event.move.card]
                    if not mine:
                        raise NotationError(f"{what}: seat {self.seat} has no {event.move.card}")
                    places.remove(mine[0])
                elif places:
                    place_card(places.pop(chance.randrange(len(places)) if chance else -1), event.move.card, what)
                else:
                    raise NotationError(f"{what}: seat {event.seat} has no cards left")
        rest = [card for card in Card for _ in range(left[card])]
        if chance:
            chance.shuffle(rest)
        return [rest.pop() if card is None else card for card in deck]

    def _replayed(self, deck: list[Card]) -> Hand:
        """Return the hand in which all events have been replayed with a deck.

        Whenever a seat's answer isn't known, it passes.
        """
        hand = Hand.from_deck(self.rules, deck, self.first)
        pile = self.rules.cards - self.rules.seats * self.rules.hand_size
        for number, event in enumerate(self.events, 1):
            answers = isinstance(event, Moved) and event.move.action in (Action.COUP, Action.PASS)
            hand = self._after_passes(hand, event.seat if answers else None, number)
            if hand.phase is Phase.OVER:
                raise _OverEarlyError
            what = f"EVENTS, number {number}"
            if hand.seat != event.seat:
                raise NotationError(f"{what}: it is seat {hand.seat}'s turn, not seat {event.seat}'s")
            if isinstance(event, Drew):
                if event.count != pile - hand.draw_pile:
                    raise NotationError(
                        f"{what}: seat {hand.seat} draws {pile - hand.draw_pile}, not {event.count} (R2.5)"
                    )
                pile -= event.count
                continue
            if hand.draw_pile != pile:
                raise NotationError(f"{what}: seat {hand.seat} draws {pile - hand.draw_pile} before that (R2.5)")
            try:
                hand = hand.play(event.move)
            except IllegalMoveError as error:
                raise NotationError(f"{what}: {error}") from None
        if self.is_asked:
            hand = self._after_passes(hand, self.seat, len(self.events) + 1)
            if hand.phase not in QUESTIONS:
                raise NotationError(f"EVENTS: seat {self.seat} cannot be asked for a coup fourré now (R5.1, R5.5)")
        elif not self.is_over and hand.draw_pile == pile == 0:
            hand = self._after_passes(hand, None, len(self.events) + 1)
            if hand.phase is Phase.OVER:
                raise _OverEarlyError
        return hand

    def _after_passes(self, hand: Hand, seat: int | None, number: int) -> Hand:
        """Return the hand after other seats have passed on all questions that come before one for ``seat``."""
        while hand.phase in QUESTIONS and hand.seat != seat:
            if hand.seat == self.seat:
                if number > len(self.events):
                    return hand  # the rules may ask another seat first
                raise NotationError(
                    f"EVENTS, number {number}: seat {self.seat} was asked before this and did not answer"
                )
            hand = hand.play(PASS)
        return hand

    # ------------------------------------------------------------------ as a text

    @classmethod
    def parse(cls, text: str) -> "InformationState":
        """Return the information state described by its text form (docs/positions.md).

        Raises a `NotationError` that names the field and the problem if the text is invalid or these events can't occur
        in any hand, and an `EditionError` if the rules are invalid.

        >>> state = InformationState.of(hand, 1)
        >>> InformationState.parse(str(state)) == state
        True
        """
        fields = read_fields(text, FIELDS, "an information state", MAX_TEXT)
        rules = Rules.parse(fields["RULES"])
        seat = read_whole("SEAT", fields["SEAT"], rules.seats - 1)
        number, target = read_match(fields["MATCH"])
        events = [] if fields["EVENTS"] == NO_CARD else fields["EVENTS"].split(";")
        end = events.pop() if events and events[-1] in (ASKED, OVER) else ""
        state = cls(
            rules=rules,
            seat=seat,
            first=read_whole("FIRST", fields["FIRST"], rules.seats - 1),
            dealt=tuple(sorted(read_cards("DEALT", fields["DEALT"]))),
            events=tuple(_read_event(n, part, rules, seat) for n, part in enumerate(events, 1)),
            is_asked=end == ASKED,
            is_over=end == OVER,
            totals=read_totals(fields["TOTALS"], rules.sides),
            hand_number=number,
            match_target=target,
        )
        state.consistent_hand()
        return state

    def __str__(self) -> str:
        events = [_event_text(event) for event in self.events]
        events += [ASKED] if self.is_asked else [OVER] if self.is_over else []
        return " ".join(
            (
                str(self.rules),
                str(self.seat),
                match_text(self.hand_number, self.match_target),
                "|".join(map(str, self.totals)),
                str(self.first),
                cards_text(sorted_cards(self.dealt)),
                ";".join(events) or NO_CARD,
            )
        )

    def __repr__(self) -> str:
        return f"InformationState.parse({str(self)!r})"


def _event_text(event: Event) -> str:
    """Return an event as text: ``0+25,ROL`` or ``1+2`` for draws, ``1:stop>0`` for moves."""
    if isinstance(event, Moved):
        return f"{event.seat}:{event.move}"
    return f"{event.seat}+{event.count if event.cards is None else cards_text(event.cards)}"


def _read_event(number: int, text: str, rules: Rules, seat: int) -> Event:
    field = f"EVENTS, number {number}"
    sign = ":" if ":" in text else "+"
    who, found, what = text.partition(sign)
    if not found:
        raise NotationError(
            f"{field}: {shown(text)} isn't an event; write SEAT:MOVE, SEAT+CARDS, or SEAT+NUMBER for others"
        )
    by = read_whole(field, who, rules.seats - 1)
    if sign == ":":
        try:
            move = Move.parse(what)
        except NotationError as error:
            raise NotationError(f"{field}: {error}") from None
        if move == PASS and by != seat:
            raise NotationError(f"{field}: no one can see that seat {by} passed (R5.5)")
        return Moved(by, move)
    if by != seat:
        return Drew(by, read_whole(field, what, rules.cards, 1))
    cards = read_cards(field, what)
    if not cards:
        raise NotationError(f"{field}: nothing was drawn")
    return Drew(by, len(cards), cards)
