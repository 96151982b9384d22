"""What everybody can tell of a hand's latest move: who drew, who may be asked for a coup fourré, who was left out."""

from typing import Self

from millebornes.cards import Card
from millebornes.game.facts import HandFacts
from millebornes.game.move import Action, Move
from millebornes.game.parts import Pending
from millebornes.rules import clauses
from millebornes.rules.state import Phase

__all__ = ["HandQuestions"]


class HandQuestions(HandFacts):
    """What follows from the latest move, and from the hand as it was before it."""

    __slots__ = ()

    move: Move | None
    """The latest move."""

    _deck: bytes | None

    @property
    def parent(self) -> Self | None:
        """The hand before the latest move; None where there is none."""
        raise NotImplementedError

    @property
    def drawn(self) -> int:
        """How many cards the seat that decides has drawn for this decision (R2.5).

        Zero for a hand that was made from a position, where that is not known.

        >>> hand.drawn
        1
        """
        before = self.parent
        if before is not None:
            return before.draw_pile - self.draw_pile
        dealt = self.rules.seats * self.rules.hand_size
        return 0 if self._deck is None else self.rules.cards - dealt - self.draw_pile

    @property
    def latest_hazard(self) -> Pending | None:
        """The hazard that has just been played, whether or not somebody is asked to answer it (R5.1, R5.5).

        >>> hand.play_all(["-repairs", "speed_limit>0"]).latest_hazard
        Pending(hazard=Card('speed_limit'), side=0, by=1)
        """
        move, before = self.move, self.parent
        if move is None or before is None:
            return self.pending
        if move.card is None or move.target is None or before.seat is None:
            return None
        return Pending(move.card, move.target, before.seat)

    @property
    def coup_question(self) -> Card | None:
        """The safety that could be called now, for all that everybody can tell (R5.1, R5.5, R5.6), or None.

        It does not depend on who holds what, so it may be shown to everybody; who is really asked is `seat`.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).coup_question
        Card('right_of_way')
        """
        hazard = self.latest_hazard
        if hazard is not None:
            answer: Card | None = clauses.answer_to(hazard.hazard)
        else:
            starts = self.parent is None and (self._deck is not None or self.phase is Phase.OPENING)
            answer = clauses.opening_answer(self.rules) if starts else None
        if answer is None:
            return None
        seen = sum(answer in tableau.safeties for tableau in self.tableaux) + self.discards[answer]
        return answer if clauses.is_answer_hidden(answer, seen, self.rules) else None

    @property
    def entitled(self) -> tuple[int, ...]:
        """The seats that the `coup_question` goes to, in the order in which they are asked (R5.1, R5.5); or none.

        Whether they hold the safety makes no difference. Seats without cards are left out: everybody sees that they
        hold nothing.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).entitled
        (0,)
        """
        if self.coup_question is None:
            return ()
        hazard = self.latest_hazard
        target, after = (None, self.first - 1) if hazard is None else (hazard.side, hazard.by)
        drawn = {self.seat: self.drawn}
        return tuple(
            seat
            for seat in clauses.seats_to_ask(target, after, self.rules)
            if len(self.cards(seat)) > drawn.get(seat, 0)
        )

    @property
    def apparent_seat(self) -> int | None:
        """The seat that decides as far as everybody can tell: who is asked for a coup fourré stays hidden (R5.5).

        While the phase is COUP or OPENING it is the seat whose turn comes if nobody calls; None when the hand is over.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).apparent_seat
        0
        """
        if self.pending is not None:
            after = clauses.turn_after_answer(False, self._byte("seat"), self.pending.by, self.rules.seats)
            return clauses.turn_goes_to(after, self.hands, self.draw_pile, self.rules.seats)
        return self.first if self.phase is Phase.OPENING else self.seat

    @property
    def skipped(self) -> tuple[int, ...]:
        """The seats that were left out between the latest move and this turn, in order.

        They have no cards (R2.6), or a coup fourré cost them their turn (R5.3).

        >>> hand.play("-repairs").skipped
        ()
        """
        move, before = self.move, self.parent
        if move is None or before is None or before.seat is None:
            return ()
        pending, rules = before.pending, self.rules
        if move.action is Action.COUP:
            return () if pending is None else clauses.seats_between(pending.by, before.seat, rules)
        if self.seat is None or self.phase is not Phase.PLAY:
            return ()
        # Whoever let a coup fourré go has not moved: the turn passes on from the attacker (R5.4).
        mover = before.seat if pending is None else pending.by
        if move.action is Action.PLAY and move.card is not None and clauses.gives_another_turn(move.card):
            mover -= 1
        return tuple(seat for seat in clauses.seats_between(mover, self.seat, rules) if not self.cards(seat))
