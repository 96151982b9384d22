"""The players of a side: one for all its seats, or a different one for each, as in ``maxims+basic``."""

import re
from typing import Final

from millebornes.errors import PlayerError
from millebornes.player_names import OWN_PREFIXES
from millebornes.players import available

__all__ = ["members_of", "team_of"]

_PLUS: Final = re.compile(r"\+(?![0-9])")
"""What separates players: but no sign before a number (``maxims:lone_75=+3``)."""


def members_of(name: str) -> tuple[str, ...]:
    """The names that a name joins by ``+``; most join none.

    A command or a path may hold a ``+`` of its own: after ``cmd:``, ``py:`` or ``onnx:``, only one before another of
    these or before the whole name of a player that there is begins a new name.
    """
    first, *rest = _PLUS.split(name)
    found = [first]
    for piece in rest:
        begins = piece.startswith(OWN_PREFIXES) or not found[-1].startswith(OWN_PREFIXES) or _is_player(piece)
        if begins:
            found.append(piece)
        else:
            found[-1] += f"+{piece}"
    return tuple(found)


def team_of(name: str, seats: int) -> tuple[str, ...]:
    """Who sits on the seats of a side (there are so many of them): a name for each.

    Raises `PlayerError` when the name joins another number of players than one or ``seats``.
    """
    members = members_of(name)
    if len(members) == 1 or (seats == 1 and name.startswith(OWN_PREFIXES)):
        return (name,) * seats
    if len(members) != seats:
        right = f"name one or {seats}" if seats > 1 else "name one; partners sit at tables such as --seats 4"
        raise PlayerError(f"{name!r} joins {len(members)} players, but a side has {seats} of the seats: {right}")
    return members


def _is_player(text: str) -> bool:
    return text.partition(":")[0] in available()
