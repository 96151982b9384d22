"""Turn what a player wants into a move: find the legal move that the player means, or explain why there isn't one."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from millebornes.cards import HAZARDS, Card
from millebornes.game import Action, Move, Reason, View


@dataclasses.dataclass(frozen=True)
class Wish:
    """The part of a move that the player has described: the ``place`` (from 1) or the ``card``, and the side to hit."""

    action: Action
    card: Card | None = None
    place: int | None = None
    side: int | None = None


class Unclear(NamedTuple):
    """The player has to say which of several sides to hit with the card at ``place`` or, if that is None, any place."""

    moves: tuple[Move, ...]
    place: int | None = None


def resolve(wish: Wish, card: Card | None, view: View) -> Move | Reason | Unclear:
    """Return the legal move that the player means, or the reason why there is none.

    ``card`` is the card that the wish names, or None for answers.
    """
    legal = view.legal_moves
    if card is None or wish.action is not Action.PLAY:
        move = Move(wish.action, card)
        return move if move in legal else _refused(view, [move])
    if card in HAZARDS:
        sides = [side for side in range(view.rules.sides) if side != view.side] if wish.side is None else [wish.side]
        moves = [Move(Action.PLAY, card, side) for side in sides]
        found = tuple(move for move in moves if move in legal)
        if len(found) == 1:
            return found[0]
        return Unclear(found) if found else _refused(view, moves)
    move = Move(Action.PLAY, card)
    if move in legal:
        return move
    as_roll = Move(Action.AS_ROLL, Card.D200)
    if card is Card.D200 and as_roll in legal:  # R4.7: the player can't mean anything else
        return as_roll
    return _refused(view, [move])


def _refused(view: View, moves: Sequence[Move]) -> Reason:
    reasons = [reason for move in moves if (reason := view.why_not(move)) is not None]
    # If the hazard can't hit any of several sides, the most useful reason is about a side that could be a target.
    telling = [reason for reason in reasons if reason not in {Reason.NOT_LEFT, Reason.OWN_SIDE}]
    return (telling or reasons)[0]
