"""What is asked of a person, and what they can choose now: the last line of the table."""

import enum
from typing import NamedTuple

from millebornes.game import Action
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.tui.common.moves import Unclear

__all__ = ["Mode", "Typed", "choices_for"]


class Mode(enum.Enum):
    """What the person is asked for."""

    WATCH = "watch"
    TURN = "turn"
    TARGET = "target"
    COUP = "coup"
    EXTENSION = "extension"
    KEYBOARD = "keyboard"


class Typed(NamedTuple):
    """What has been typed so far: use or discard, a place, and between which sides a hazard has to choose."""

    verb: Action | None
    place: int | None
    must_pick: bool
    unclear: Unclear | None


def choices_for(mode: Mode, typed: Typed, session: GameSession, seat: int, _: Translator) -> list[tuple[str, str]]:
    """What a seat can choose, the likeliest first: in words, and the action of the key map that does it."""
    usual = [(_("keys"), "help"), (_("quit"), "quit")]
    match mode:
        case Mode.COUP:
            safety = session.hand.coup_question
            name = "" if safety is None else session.theme.name_of(safety)
            return [
                (_("coup fourré with {safety}").format(safety=name), "yes"),
                (_("let it go"), "no"),
                *usual,
            ]
        case Mode.EXTENSION:
            return [(_("extend the trip"), "yes"), (_("finish the hand"), "no"), *usual]
        case Mode.TURN if typed.must_pick:
            return [(_("pick a card"), "pick"), *usual]
        case Mode.TURN if typed.verb is not None or typed.place is not None:
            choices = [(_("do it"), "confirm"), (_("take back"), "back")]
            if typed.verb is Action.DISCARD:
                return [*choices, (_("use instead"), "use")]
            return [*choices, (_("discard instead"), "discard")]
        case Mode.TURN:
            choices = [(_("use"), "use"), (_("discard"), "discard"), (_("legal moves"), "legal"), (_("hint"), "hint")]
            if session.practice:
                choices.append((_("take a move back"), "undo"))
            return [*choices, *usual]
        case Mode.TARGET:
            sides = [move.target or 0 for move in typed.unclear.moves] if typed.unclear else []
            named = [(session.participants.side(side, seat), f"card_{side + 1}") for side in sides]
            return [*named, (_("take back"), "back")]
        case _other:
            return [(_("faster"), "confirm"), *usual]
