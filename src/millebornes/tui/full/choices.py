"""The choices of the person who has to answer a question, which are on the last line of the table."""

import enum
from typing import NamedTuple

from millebornes.game import Action
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.tui.common.moves import Unclear

__all__ = ["Mode", "Typed", "choices_for"]


class Mode(enum.Enum):
    """The kind of question that a person has to answer."""

    WATCH = "watch"
    TURN = "turn"
    TARGET = "target"
    COUP = "coup"
    EXTENSION = "extension"
    KEYBOARD = "keyboard"


class Typed(NamedTuple):
    """What the person has typed so far: use or discard, the place of a card, and the sides that a hazard could hit.

    ``usable`` is false if the card at the place can only be discarded.
    """

    verb: Action | None
    place: int | None
    must_pick: bool
    unclear: Unclear | None
    usable: bool = True


def choices_for(mode: Mode, typed: Typed, session: GameSession, seat: int, _: Translator) -> list[tuple[str, str]]:
    """Return the choices of a seat in words, the most likely first, each with the name of its action in the key map."""
    usual = [(_("keys"), "help"), (_("quit"), "quit")]
    match mode:
        case Mode.COUP:
            safety = session.hand.coup_question
            name = "" if safety is None else session.theme.name_of(safety)
            return [
                (_("coup fourré with {safety}").format(safety=name), "yes"),
                (_("pass"), "no"),
                *usual,
            ]
        case Mode.EXTENSION:
            return [(_("extend the trip"), "yes"), (_("finish the hand"), "no"), *usual]
        case Mode.TURN if typed.must_pick:
            return [(_("pick a card"), "pick"), *usual]
        case Mode.TURN if typed.verb is None and typed.place is not None and not typed.usable:
            return [(_("discard"), "discard"), (_("take back"), "back"), (_("legal moves"), "legal")]
        case Mode.TURN if typed.verb is not None or typed.place is not None:
            choices = [(_("do it"), "confirm"), (_("take back"), "back")]
            if typed.verb is Action.DISCARD:
                return [*choices, (_("use instead"), "use")]
            return [*choices, (_("discard instead"), "discard")]
        case Mode.TURN:
            choices = [(_("use"), "use"), (_("discard"), "discard"), (_("legal moves"), "legal"), (_("hint"), "hint")]
            if session.practice:
                choices.append((_("undo"), "undo"))
            return [*choices, *usual]
        case Mode.TARGET:
            sides = [move.target or 0 for move in typed.unclear.moves] if typed.unclear else []
            named = [(session.participants.side(side, seat), f"card_{side + 1}") for side in sides]
            return [*named, (_("take back"), "back")]
        case _other:
            return [(_("faster"), "confirm"), *usual]
