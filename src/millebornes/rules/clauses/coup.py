"""R5: who can call a coup fourré, who is asked, and what the other players learn from it."""

from millebornes.cards import SAFETY_OF, Card
from millebornes.editions import Rules
from millebornes.rules.clauses.turns import next_seat


def answer_to(hazard: Card | None) -> Card:
    """R5.1, R5.6: return the safety that answers a hazard, or that opens the hand if ``hazard`` is None."""
    return Card.RIGHT_OF_WAY if hazard is None else SAFETY_OF[hazard]


def opening_answer(rules: Rules) -> Card | None:
    """R5.6: return the safety whose holder is asked before the first draw of a hand, or None if no one is asked."""
    return answer_to(None) if rules.opening_right_of_way else None


def is_entitled(seat: int, target: int | None, rules: Rules) -> bool:
    """R5.1, R5.6: return whether a seat with the safety may answer a hazard on ``target``, or open the hand (None)."""
    return target is None or rules.coup_by == "anyone" or rules.side_of(seat) == target


def may_others_answer(rules: Rules) -> bool:
    """R5.1: return whether a seat may answer a hazard on a side other than its own."""
    return is_entitled(0, rules.side_of(next_seat(0, rules)), rules)


def seats_to_ask(target: int | None, after: int, rules: Rules) -> tuple[int, ...]:
    """R5.1, R5.5, R5.6: return the seats that are entitled to call, in the order in which they are asked.

    ``after`` is the attacker, or the seat before the first one for the opening call. Its left neighbour is asked first.
    The order is the order of play. Asking in this order reveals nothing, because there is only one safety of each kind.
    """
    seats = (seat % rules.seats for seat in range(after + 1, after + 1 + rules.seats))
    return tuple(seat for seat in seats if is_entitled(seat, target, rules))


def is_hazard_taken_back(side: int, target: int) -> bool:
    """R5.2: return whether a call by this side removes the hazard from the side ``target``, so that it is discarded."""
    return side == target


def turn_after_answer(called: bool, caller: int, attacker: int, seats: int) -> int:
    """R5.3, R5.4: return the seat with the next turn: the caller or, if there is none, the seat after the attacker."""
    return caller if called else (attacker + 1) % seats


def is_answer_hidden(answer: Card, seen: int, rules: Rules) -> bool:
    """R5.5: return whether some seat could still hold this safety, given what every player can see.

    ``seen`` is the number of cards of this kind in tableaux and among the discards. No one is asked if no seat can hold
    the safety.
    """
    return seen < rules.deck[answer.index]
