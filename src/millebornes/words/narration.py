"""Sentences that describe the events of a game. A sentence contains only what its reader could see at the table."""

from collections.abc import Callable, Iterable
from typing import Final

from millebornes.cards import HAZARDS, Card, Group
from millebornes.game import Action, Hand, Phase
from millebornes.players.table import Forfeit
from millebornes.words.words import TableWords

Narration = Callable[[int | None], str]
"""Returns the sentence about an event for a viewer (a seat, or None for everyone), or "" if they learn nothing."""


def heard(events: Iterable[Narration], viewer: int | None) -> list[str]:
    """Return the sentences that describe the events to a viewer."""
    return [text for event in events if (text := event(viewer))]


class Narrator:
    """Turns the events of a match into sentences. With ``brief``, the numbers of cards drawn are left out."""

    def __init__(self, words: TableWords) -> None:
        self.brief = False
        self._participants: Final = words.participants
        self._theme: Final = words.theme
        self._ = words.translate

    def move(self, after: Hand) -> list[Narration]:
        """Return the events of the latest move in a hand."""
        move, before = after.move, after.parent
        seat = None if before is None else before.seat
        if move is None or before is None or seat is None or move.action is Action.PASS:  # R5.5: a pass is secret
            return []
        if move.action is Action.COUP:
            own, other = self._("You lose your turn."), self._("{name} loses a turn.")  # R5.3
            return [self._coup(before, after, seat), *(self._about(lost, own, other) for lost in after.skipped)]
        if move.action in {Action.EXTEND, Action.FINISH}:
            return [self._choice(after, seat, move.action)]
        return [self._play(before, after, seat)]

    def passed_over(self, hand: Hand) -> list[Narration]:
        """R2.6: return the events for turns missed by seats without cards, once no coup fourré is possible."""
        if hand.move is not None and hand.move.action is Action.COUP:  # R5.3: seats in between lose their turns
            return []
        own = self._("You have no cards left, so you miss your turn.")
        other = self._("{name} has no cards left and misses a turn.")
        return [self._about(seat, own, other) for seat in hand.skipped]

    def _about(self, seat: int, own: str, other: str, **words: object) -> Narration:
        """Return an event of a seat in two sentences, for its player and for others, with ``words`` filled in."""

        def text(viewer: int | None) -> str:
            return (own if viewer == seat else other).format(name=self._participants.seat(seat, viewer), **words)

        return text

    def _play(self, before: Hand, after: Hand, seat: int) -> Narration:
        move, _, theme = after.move, self._, self._theme
        assert move is not None
        assert move.card is not None
        card = theme.name_of(move.card)
        side, drawn = before.rules.side_of(seat), before.drawn if before.phase is Phase.PLAY else 0
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
            aimed = "" if target is None else self._participants.target(target, viewer)
            shown = what.format(card=card, roll=theme.name_of(Card.ROLL), side=aimed)
            if move.action is Action.PLAY and move.card is not None and move.card.group is Group.DISTANCE:
                shown += ", " + _("now at {miles}").format(miles=miles)
            if own:
                return f"{shown}."
            if drawn and not self.brief:
                shown = _.plural("draws a card", "draws {n} cards", drawn).format(n=drawn) + ", " + shown
            return _("{name} {events}.").format(name=self._participants.seat(seat, viewer), events=shown)

        return text

    def _coup(self, before: Hand, after: Hand, seat: int) -> Narration:
        move, pending, _ = after.move, before.pending, self._
        assert move is not None
        assert move.card is not None
        safety = self._theme.name_of(move.card)
        if pending is None:  # R5.6
            own = _("Coup fourré! You open with {card} and have the first turn.")
            other = _("Coup fourré! {name} opens with {card} and has the first turn.")
            return self._about(seat, own, other, card=safety)
        own, other = (
            _("Coup fourré! You answer {hazard} with {card}."),
            _("Coup fourré! {name} answers {hazard} with {card}."),
        )
        return self._about(seat, own, other, hazard=self._theme.name_of(pending.hazard), card=safety)

    def _choice(self, after: Hand, seat: int, action: Action) -> Narration:
        _ = self._
        if action is Action.FINISH:
            return self._about(seat, _("You finish the hand."), _("{name} reaches the goal and finishes the hand."))
        own, other = _("You extend the trip to {goal}."), _("{name} reaches the goal and extends the trip to {goal}.")
        return self._about(seat, own, other, goal=self._theme.miles(after.goal))

    def hand_begins(self, hand: Hand, number: int) -> Narration:
        """Return the event that announces a hand and the player who goes first."""
        own, other = self._("Hand {number}. You begin."), self._("Hand {number}. {name} begins.")
        return self._about(hand.first, own, other, number=number)

    def taken_back(self, seat: int) -> Narration:
        """Return the event for a decision that a seat has taken back in a practice game."""
        return self._about(seat, self._("You take your move back."), self._("{name} takes a move back."))

    def forfeit(self, loss: Forfeit) -> Narration:
        """Return the event for a computer player that forfeits because it broke the protocol or the rules."""
        text = self._("{name} forfeits the match: it {reason}.")
        return self._about(loss.seat, text, text, reason=loss.reason.rstrip("."))

    def hand_over(self, hand: Hand) -> Narration:
        """Return the event that announces the end of the hand and the reason for it."""
        _, side = self._, hand.completed_by

        def text(viewer: int | None) -> str:
            if side is None:
                return _("The hand is over: the draw pile is empty, and no one has completed the trip.")
            if viewer is not None and hand.rules.side_of(viewer) == side:
                return _("The hand is over: you have completed the trip.")
            text = _.plural(  # French needs a different verb here
                "The hand is over: {side} completed the trip.",
                "The hand is over: {side} completed the trip.",
                len(hand.rules.seats_of(side)),
            )
            return text.format(side=self._participants.side(side, viewer))

        return text

    def result(self, winner: int | None, loss: Forfeit | None) -> Narration:
        """Return the event that announces the result of the match. After a forfeit, several sides may share the win."""
        _ = self._

        def text(viewer: int | None) -> str:
            if winner is None:
                return _("The match is a draw.") if loss is None else _("The other sides share the win.")
            rules = self._participants.rules
            if viewer is not None and rules.side_of(viewer) == winner:
                alone = len(rules.seats_of(winner)) == 1
                return _("You win the match.") if alone else _("Your team wins the match.")
            text = _.plural("{side} wins the match.", "{side} win the match.", len(rules.seats_of(winner)))
            return text.format(side=self._participants.side(winner))

        return text
