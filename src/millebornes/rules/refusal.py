"""Explain why a move is illegal, using the same clause functions from which the tables are made."""

from typing import NamedTuple

from millebornes.cards import DISTANCES, HAZARDS, Card
from millebornes.editions import Rules
from millebornes.rules import clauses
from millebornes.rules.clauses import Reason
from millebornes.rules.moves import Action
from millebornes.rules.state import Phase, Side
from millebornes.rules.tables import status_of


class Seen(NamedTuple):
    """The facts that are needed to judge a move.

    These facts include only what the seat can see. ``sides`` contains side words, and ``hand`` contains cards.
    """

    rules: Rules
    phase: Phase
    seat: int
    hand: tuple[Card, ...]
    sides: tuple[int, ...]
    extended: bool
    hazard: Card | None


def refusal(seen: Seen, action: Action, card: Card | None, target: int | None) -> Reason | None:
    """Return the reason why the seat to decide can't make this move, or None if it can.

    ``target`` is the side at which a hazard is aimed.
    """
    if seen.phase is Phase.OVER:
        return Reason.HAND_OVER
    if seen.phase is not Phase.PLAY:
        return _refuse_answer(seen, action, card)
    if action is Action.COUP or action is Action.PASS:
        return Reason.NOT_ASKED
    if action is Action.EXTEND or action is Action.FINISH or card is None:
        return Reason.NOT_AT_GOAL
    if card not in seen.hand:
        return Reason.NOT_HELD
    if action is Action.DISCARD:
        return clauses.refuse_discard(card, seen.rules)
    own = seen.sides[seen.rules.side_of(seen.seat)]
    if card in HAZARDS:
        return _refuse_hit(seen, card, target)
    is_roll = action is Action.AS_ROLL
    reason = clauses.refuse_on_own_side(card, status_of(own & Side.STATUS_MASK), seen.rules, as_roll=is_roll)
    if reason is None and card in DISTANCES and not is_roll:
        goal = clauses.goal_in_force(seen.rules, seen.extended)
        reason = clauses.refuse_goal(
            card, 25 * (own >> Side.MILES & Side.MILES_MASK), own >> Side.TWO_HUNDREDS & 3, goal
        )
    return reason


def _refuse_hit(seen: Seen, card: Card, target: int | None) -> Reason | None:
    if target is None:
        return Reason.OWN_SIDE
    reason = clauses.refuse_target(seen.seat, target, seen.rules)
    return reason or clauses.refuse_hit(card, status_of(seen.sides[target] & Side.STATUS_MASK), seen.rules)


def _refuse_answer(seen: Seen, action: Action, card: Card | None) -> Reason | None:
    """R5.1, R5.6, R6.2: return the reason why this move doesn't answer the current question, or None if it does."""
    if seen.phase is Phase.EXTEND:
        return None if action in {Action.EXTEND, Action.FINISH} else Reason.EXTENSION_FIRST
    if action is Action.PASS:
        return None
    if action is Action.COUP and card is clauses.answer_to(seen.hazard):
        return None
    return Reason.COUP_FIRST if seen.phase is Phase.COUP else Reason.OPENING_FIRST
