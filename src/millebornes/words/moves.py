"""Moves in words, for lists of choices and for recorded matches."""

from collections.abc import Sequence

from millebornes.cards import Card
from millebornes.game import Action, Move
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
