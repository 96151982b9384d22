"""The kinds of moves: their actions and cards, their canonical notation, and their codes in kernels."""

import enum
import functools
from collections.abc import Mapping
from typing import Final, NamedTuple

from millebornes.cards import HAZARDS, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.rules.clauses import targets_in_reach
from millebornes.rules.tables import EXTEND, FINISH, PASS, coup_code, discard_code, play_code, roll_200_code


class Action(enum.Enum):
    """The action of a move, such as playing or discarding a card."""

    PLAY = "play"
    DISCARD = "discard"
    AS_ROLL = "as_roll"
    COUP = "coup"
    PASS = "pass"
    EXTEND = "extend"
    FINISH = "finish"


class MoveKind(NamedTuple):
    """A kind of move.

    ``pattern`` is its canonical notation, with ``{}`` in place of the target side. ``code`` is its code if the target
    is the first side in reach. Each side after that adds 64.
    """

    action: Action
    card: Card | None
    pattern: str
    code: int

    @property
    def is_aimed(self) -> bool:
        """Whether the move has a target side (R4.9)."""
        return self.action is Action.PLAY and self.card in HAZARDS

    def text(self, target: int | None = None) -> str:
        """Return the move in canonical notation, including its target side if it has one."""
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
"""All kinds of moves, without repetition."""
_BY_CODE: Final = {kind.code: kind for kind in KINDS_OF_MOVE}


def kind_of_code(code: int) -> MoveKind:
    """Return the kind of move for a code, regardless of the target side. Raises `KeyError` if there is no such code."""
    return _BY_CODE[code % 64]


@functools.cache
def absolute_codes(sides: int) -> Mapping[str, int]:
    """Return a code for each move in canonical notation. The code doesn't depend on the seat that makes the move.

    These are the kernels' move codes, except that the target of a hazard is counted from side 0, and each side adds 64.
    """
    return {
        kind.text(side): kind.code + 64 * side
        for kind in KINDS_OF_MOVE
        for side in range(sides if kind.is_aimed else 1)
    }


@functools.lru_cache(maxsize=256)
def move_codes(rules: Rules, side: int) -> Mapping[str, int]:
    """Return the move codes for a seat of ``side``, by the moves in canonical notation.

    The targets of hazards are counted from the next side. Hazards on sides out of reach (R4.9) are left out, so all
    codes fit in the masks.
    """
    return {
        kind.text((side + 1 + n) % rules.sides): kind.code + 64 * n
        for kind in KINDS_OF_MOVE
        for n in range(targets_in_reach(rules) if kind.is_aimed else 1)
    }
