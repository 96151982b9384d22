"""Moves in words, for lists of choices and for recorded matches."""

from collections.abc import Sequence

from millebornes.cards import HAZARDS, Card, sorted_cards
from millebornes.game import Action, Move, View
from millebornes.words.words import TableWords, Words


def describe_move(move: Move, viewer: int | None, words: TableWords) -> str:
    """Return a short description of a move, as in a list of choices."""
    _, theme = words.translate, words.theme
    name = "" if move.card is None else theme.name_of(move.card)
    match move.action:
        case Action.PLAY if move.target is not None:
            return _("play {card} on {side}").format(card=name, side=words.participants.target(move.target, viewer))
        case Action.PLAY:
            return _("play {card}").format(card=name)
        case Action.DISCARD:
            return _("discard {card}").format(card=name)
        case Action.AS_ROLL:
            return _("play {card} as {roll}").format(card=name, roll=theme.name_of(Card.ROLL))
        case Action.COUP:
            return _("call a coup fourré with {card}").format(card=name)
        case Action.PASS:
            return _("continue without a coup fourré")
        case Action.EXTEND:
            return _("extend the trip")
        case _other:
            return _("finish the hand")


def recorded_move(move: Move, distance: int, sides: Sequence[str], words: Words) -> str:
    """Return a recorded move, to follow the mover's name. ``distance`` is the side's miles before it."""
    _, theme = words.translate, words.theme
    name = "" if move.card is None else theme.name_of(move.card)
    match move.action:
        case Action.PASS:
            return _("lets the coup fourré pass")
        case Action.EXTEND:
            return _("extends the trip")
        case Action.FINISH:
            return _("finishes the hand")
        case Action.DISCARD:
            return _("discards {card}").format(card=name)
        case Action.COUP:
            return _("calls a coup fourré with {card}!").format(card=name)
        case Action.AS_ROLL:
            return _("{card} as {roll}").format(card=name, roll=theme.name_of(Card.ROLL))
        case _other if move.target is not None:
            return _("{card} on {side}").format(card=name, side=sides[move.target])
        case _other if move.card is not None and move.card.miles:
            return _("{card}, now at {distance}").format(card=name, distance=distance + move.card.miles)
        case _other:
            return name


def legal_lines(view: View, words: TableWords, *, typed: bool = False) -> list[str]:
    """Return all legal moves, and then for each other card in the hand the reason why it can't be used or discarded.

    If moves are ``typed``, what to type follows in brackets.
    """
    _, theme = words.translate, words.theme
    lines = [_("You can:")]
    discards: list[Card] = []
    for move in view.legal_moves:
        if move.action is Action.DISCARD and move.card is not None:
            discards.append(move.card)
            continue
        code = f"  [{move}]" if typed else ""
        lines.append(f"  {describe_move(move, view.seat, words)}{code}")
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
                text = describe_move(move, view.seat, words)
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
