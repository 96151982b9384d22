"""What happened, in words for each viewer, and never more than that viewer could see."""

from collections.abc import Callable
from typing import Final

from millebornes.cards import HAZARDS, Card, Group
from millebornes.game import Action, Hand
from millebornes.i18n import Translator
from millebornes.players.table import Loss
from millebornes.session.cast import Cast
from millebornes.themes import Theme

__all__ = ["News", "Teller"]

News = Callable[[int | None], str]
"""An event as a text for a viewer (a seat, or None for everybody); an empty text is no news."""


class Teller:
    """Turns moves into events. ``drawn`` counts are public, the cards drawn are not.

    ``brief``: where there is little room, what nearly every turn begins with is left out: how many cards were drawn.
    """

    def __init__(self, cast: Cast, theme: Theme, _: Translator, *, brief: bool = False) -> None:
        self.brief = brief
        self._cast: Final = cast
        self._theme: Final = theme
        self._ = _

    def in_brief(self) -> "Teller":
        """The same, told in brief."""
        return Teller(self._cast, self._theme, self._, brief=True)

    def move(self, before: Hand, after: Hand, drawn: int) -> list[News]:
        """The events of a move, from the hands before and after it; ``drawn`` is what the mover drew in this turn."""
        move, seat = after.move, before.seat
        if move is None or seat is None or move.action is Action.PASS:  # R5.5: a pass is nobody's business
            return []
        if move.action is Action.COUP:
            own, other = self._("You lose your turn."), self._("{name} loses a turn.")  # R5.3
            return [self._coup(before, after, seat), *(self._about(lost, own, other) for lost in after.skipped)]
        if move.action in {Action.EXTEND, Action.FINISH}:
            return [self._choice(after, seat, move.action)]
        return [self._play(before, after, seat, drawn)]

    def passed_over(self, hand: Hand) -> list[News]:
        """R2.6: the seats without cards between two turns, once it is known that nobody calls a coup."""
        if hand.move is not None and hand.move.action is Action.COUP:  # R5.3: whoever sits between has lost a turn
            return []
        _ = self._
        own, other = _("You have no cards left and are passed over."), _("{name} has no cards left and is passed over.")
        return [self._about(seat, own, other) for seat in hand.skipped]

    def _about(self, seat: int, own: str, other: str) -> News:
        def text(viewer: int | None) -> str:
            return own if viewer == seat else other.format(name=self._cast.seat(seat, viewer))

        return text

    def _play(self, before: Hand, after: Hand, seat: int, drawn: int) -> News:
        move, _, theme = after.move, self._, self._theme
        assert move is not None
        assert move.card is not None
        card = theme.name_of(move.card)
        side = before.rules.side_of(seat)
        miles = after.tableaux[side].distance
        target = move.target

        def text(viewer: int | None) -> str:
            own = viewer == seat
            if move.action is Action.DISCARD:
                what = _("You discard {card}") if own else _("discards {card}")
            elif move.action is Action.AS_ROLL:
                what = _("You play {card} as {roll}") if own else _("plays {card} as {roll}")
            elif move.card in HAZARDS:
                what = _("You play {card} on {side}") if own else _("plays {card} on {side}")
            else:
                what = _("You play {card}") if own else _("plays {card}")
            aimed = "" if target is None else self._cast.target(target, viewer)
            shown = what.format(card=card, roll=theme.name_of(Card.ROLL), side=aimed)
            if move.action is Action.PLAY and move.card is not None and move.card.group is Group.DISTANCE:
                shown += ", " + _("now at {miles}").format(miles=miles)
            if own:
                return f"{shown}."
            if drawn and not self.brief:
                shown = _.plural("draws a card", "draws {n} cards", drawn).format(n=drawn) + ", " + shown
            return _("{name} {events}.").format(name=self._cast.seat(seat, viewer), events=shown)

        return text

    def _coup(self, before: Hand, after: Hand, seat: int) -> News:
        move, pending, _ = after.move, before.pending, self._
        assert move is not None
        assert move.card is not None
        safety = self._theme.name_of(move.card)
        if pending is None:  # R5.6
            return self._about(
                seat,
                _("Coup fourré! You open with {card} and have the first turn.").format(card=safety),
                _("Coup fourré! {name} opens with {card} and has the first turn.").replace("{card}", safety),
            )
        hazard = self._theme.name_of(pending.hazard)
        return self._about(
            seat,
            _("Coup fourré! You answer {hazard} with {card}.").format(hazard=hazard, card=safety),
            _("Coup fourré! {name} answers {hazard} with {card}.")
            .replace("{hazard}", hazard)
            .replace("{card}", safety),
        )

    def _choice(self, after: Hand, seat: int, action: Action) -> News:
        _ = self._
        if action is Action.EXTEND:
            goal = self._theme.miles(after.goal)
            return self._about(
                seat,
                _("You extend the trip to {goal}.").format(goal=goal),
                _("{name} reaches the goal and extends the trip to {goal}.").replace("{goal}", goal),
            )
        return self._about(seat, _("You finish the hand."), _("{name} reaches the goal and finishes the hand."))

    def hand_begins(self, hand: Hand, number: int) -> News:
        """Which hand of the match begins, and with whom; ``hand`` is any moment of it."""
        return self._about(
            hand.first,
            self._("Hand {number}. You begin.").format(number=number),
            self._("Hand {number}. {name} begins.").replace("{number}", str(number)),
        )

    def taken_back(self, seat: int) -> News:
        """A seat has gone back to its latest decision (in practice)."""
        _ = self._
        return self._about(seat, _("You take your move back."), _("{name} takes a move back."))

    def forfeit(self, loss: Loss) -> News:
        """A computer player has lost the match by breaking the protocol or the rules."""
        _ = self._

        def text(viewer: int | None) -> str:
            name = self._cast.seat(loss.seat, viewer)
            return _("{name} forfeits the match: it {reason}.").format(name=name, reason=loss.reason.rstrip("."))

        return text

    def hand_over(self, hand: Hand) -> News:
        """Why the hand is over."""
        _, side = self._, hand.completed_by

        def text(viewer: int | None) -> str:
            if side is None:
                return _("The hand is over: the draw pile is empty, and no one has completed the trip.")
            if viewer is not None and hand.rules.side_of(viewer) == side:
                return _("The hand is over: you have completed the trip.")
            text = _.plural(  # the verb differs in French
                "The hand is over: {side} completed the trip.",
                "The hand is over: {side} completed the trip.",
                len(hand.rules.seats_of(side)),
            )
            return text.format(side=self._cast.side(side, viewer))

        return text
