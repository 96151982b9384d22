"""Turn what a player wants into a move: find the legal move that the player means, or explain why there isn't one."""

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

from millebornes.cards import HAZARDS, Card, sorted_cards
from millebornes.game import Action, Move, Reason, View
from millebornes.i18n import Translator
from millebornes.texts.moves import describe_move
from millebornes.texts.participants import Participants
from millebornes.themes import Theme


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


def legal_lines(
    view: View, participants: Participants, theme: Theme, _: Translator, *, typed: bool = False
) -> list[str]:
    """Return all legal moves, and then for each other card in the hand the reason why it can't be used or discarded.

    If moves are ``typed``, what to type follows in brackets.
    """
    lines = [_("You can:")]
    discards: list[Card] = []
    for move in view.legal_moves:
        if move.action is Action.DISCARD and move.card is not None:
            discards.append(move.card)
            continue
        code = f"  [{move}]" if typed else ""
        lines.append(f"  {describe_move(move, participants, view.seat, theme, _)}{code}")
    if discards:
        names = ", ".join(theme.name_of(card) for card in sorted_cards(discards))
        lines.append("  " + _("discard {cards}").format(cards=names))
    refused = []
    for card in Card:
        if card not in view.hand:
            continue
        for move in _moves_with(card, view):
            reason = view.why_not(move)
            if reason is not None:
                text = describe_move(move, participants, view.seat, theme, _)
                told = _("{head}: {text}").format(head=text, text=theme.worded(_(reason.text)))
                refused.append(f"  {told} ({reason.clause})")
    if refused:
        lines += [_("You can't:"), *refused]
    return lines


def _moves_with(card: Card, view: View) -> list[Move]:
    """Return the moves that a player might try to make with a card."""
    if card in HAZARDS:
        moves = [Move(Action.PLAY, card, side) for side in range(view.rules.sides) if side != view.side]
    else:
        moves = [Move(Action.PLAY, card)]
    if card is Card.D200 and view.rules.roll_200:
        moves.append(Move(Action.AS_ROLL, card))
    return [*moves, Move(Action.DISCARD, card)]
