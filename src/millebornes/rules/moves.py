"""The kinds of move: the action and card of each, its canonical text, and its code in kernels."""

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
    """The action of a move."""

    PLAY = "play"
    DISCARD = "discard"
    AS_ROLL = "as_roll"
    COUP = "coup"
    PASS = "pass"
    EXTEND = "extend"
    FINISH = "finish"


class MoveKind(NamedTuple):
    """A kind of move.

    ``pattern`` is its canonical text, with ``{}`` for the target side. ``code`` is its code for the first side in
    reach. Each further side adds 64.
    """

    action: Action
    card: Card | None
    pattern: str
    code: int

    @property
    def is_aimed(self) -> bool:
        """Whether it is aimed at a side (R4.9)."""
        return self.action is Action.PLAY and self.card in HAZARDS

    def text(self, target: int | None = None) -> str:
        """Return the canonical text of the move, with its target side if it has one."""
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
    """Return the kind of move for a code, whatever its target side. Raises `KeyError` if the code doesn't exist."""
    return _BY_CODE[code % 64]


@functools.cache
def absolute_codes(sides: int) -> Mapping[str, int]:
    """Return a code for each move, by its canonical text, that doesn't depend on the seat that makes it.

    They are the kernels' move codes, except that a hazard counts its target from side 0 and adds 64 for each side.
    """
    return {
        kind.text(side): kind.code + 64 * side
        for kind in KINDS_OF_MOVE
        for side in range(sides if kind.is_aimed else 1)
    }


@functools.lru_cache(maxsize=256)
def move_codes(rules: Rules, side: int) -> Mapping[str, int]:
    """Return the code of each move for a seat of ``side``, by its canonical text. Hazards count from the next side.

    Hazards on sides out of reach (R4.9) are left out, so every code fits in the masks.
    """
    return {
        kind.text((side + 1 + n) % rules.sides): kind.code + 64 * n
        for kind in KINDS_OF_MOVE
        for n in range(targets_in_reach(rules) if kind.is_aimed else 1)
    }
