"""R4, R5: how a card changes the status of a side."""

from typing import NamedTuple

from millebornes.cards import ANSWERS, REMEDIES, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.rules.clauses.status import Status


class SafetyEffect(NamedTuple):
    """The effect of a safety on its owner's tableau: the new status, and the cards to discard in order."""

    status: Status
    discarded: tuple[Card, ...]
    gives_roll: bool


def after_play(card: Card, side: Status, *, as_roll: bool = False) -> Status:
    """R4.1-R4.3, R4.7: return the status of a side after it has played a distance card or a remedy.

    ``as_roll`` is true if the card is a 200 played as a roll.
    """
    if as_roll:
        return side._replace(battle=Card.ROLL)
    if card is Card.END_OF_LIMIT:
        return side._replace(limit_shown=False)
    return side._replace(battle=card) if card in REMEDIES else side


def after_hit(hazard: Card, side: Status) -> Status:
    """R4.4, R4.5: return the status of a side after a hazard has been played on it."""
    return side._replace(limit_shown=True) if hazard is Card.SPEED_LIMIT else side._replace(battle=hazard)


def after_safety(safety: Card, side: Status, rules: Rules, *, coup: bool) -> SafetyEffect:
    """R4.6, R4.10, R5.2: return the effect of a safety on its owner's tableau, in a turn or as a coup fourré.

    For a coup by the side that was hit, ``side`` is its status without the hazard, which R5.2 has already discarded.
    """
    discarded: list[Card] = []
    gives_roll = False
    battle, limit = side.battle, side.limit_shown
    if rules.safety_gives_roll and not coup and battle in ANSWERS[safety]:  # R4.6
        discarded.append(battle)
        battle, gives_roll = Card.ROLL, True
    if safety is Card.RIGHT_OF_WAY and rules.right_of_way_clears:  # R4.10
        if battle is Card.STOP:
            discarded.append(battle)
            battle = Card.ROLL  # if `hazard_on` is `rolling`, a stop is always on top of a roll
        if limit:
            discarded.append(Card.SPEED_LIMIT)
            limit = False
    return SafetyEffect(Status(battle, limit, side.safeties | {safety}), tuple(discarded), gives_roll)


def gives_another_turn(card: Card) -> bool:
    """R4.6: return whether the seat that plays this card gets another turn."""
    return card in SAFETIES
