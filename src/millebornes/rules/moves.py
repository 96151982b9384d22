"""The moves there are: what each is made with, its canonical text, and its code in kernels."""

import enum
import functools
from collections.abc import Mapping
from typing import Final, NamedTuple

from millebornes.cards import HAZARDS, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.rules.clauses import targets_in_reach
from millebornes.rules.tables import EXTEND, FINISH, PASS, coup_code, discard_code, play_code, roll_200_code

__all__ = ["KINDS_OF_MOVE", "Action", "MoveKind", "absolute_codes", "kind_of_code", "move_codes"]


class Action(enum.Enum):
    """What a move does."""

    PLAY = "play"
    DISCARD = "discard"
    AS_ROLL = "as_roll"
    COUP = "coup"
    PASS = "pass"
    EXTEND = "extend"
    FINISH = "finish"


class MoveKind(NamedTuple):
    """A kind of move.

    ``pattern`` is its canonical text, with ``{}`` for the side that it is aimed at. ``code`` is its code for the first
    side in reach; each further side counts 64 more.
    """

    action: Action
    card: Card | None
    pattern: str
    code: int

    @property
    def is_aimed(self) -> bool:
        """Whether it is made against a side (R4.9)."""
        return self.action is Action.PLAY and self.card in HAZARDS

    def text(self, target: int | None = None) -> str:
        """The canonical text of the move, aimed at a side where it is aimed at all."""
        return self.pattern.format(target)


def _kinds() -> list[MoveKind]:
    kinds = [
        MoveKind(Action.PASS, None, "pass", PASS),
        MoveKind(Action.EXTEND, None, "extend", EXTEND),
        MoveKind(Action.FINISH, None, "finish", FINISH),
        MoveKind(Action.AS_ROLL, Card.D200, "200=roll", roll_200_code()),
    ]
    for card in Card:
        kinds.append(MoveKind(Action.DISCARD, card, f"-{card.value}", discard_code(card)))
        if card in SAFETIES:
            kinds.append(MoveKind(Action.COUP, card, f"{card.value}!", coup_code(card)))
        aim = ">{}" if card in HAZARDS else ""
        kinds.append(MoveKind(Action.PLAY, card, card.value + aim, play_code(card)))
    return kinds


KINDS_OF_MOVE: Final = tuple(_kinds())
"""All kinds of moves, each once."""
_BY_CODE: Final = {kind.code: kind for kind in KINDS_OF_MOVE}


def kind_of_code(code: int) -> MoveKind:
    """The kind of move that a code stands for, whichever side it is aimed at. Raises `KeyError` for no code."""
    return _BY_CODE[code % 64]


@functools.cache
def absolute_codes(sides: int) -> Mapping[str, int]:
    """The code of each move's canonical text that does not depend on who makes it.

    It is the move code of kernels, but a hazard has 64 more for each side up to the one it is aimed at.
    """
    return {
        kind.text(side): kind.code + 64 * side
        for kind in KINDS_OF_MOVE
        for side in range(sides if kind.is_aimed else 1)
    }


@functools.lru_cache(maxsize=256)
def move_codes(rules: Rules, side: int) -> Mapping[str, int]:
    """The code of each move's canonical text for a seat of ``side``: hazards count their targets from the next side.

    Hazards on sides out of reach (R4.9) are not among them, so that each code has its place in the masks.
    """
    return {
        kind.text((side + 1 + n) % rules.sides): kind.code + 64 * n
        for kind in KINDS_OF_MOVE
        for n in range(targets_in_reach(rules) if kind.is_aimed else 1)
    }
