"""The members of the pool: players of all kinds, half of which may be used for tuning."""

import shlex
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.player_names import COMMAND_PREFIX
from millebornes.players import ExternalPlayer, player

HALVES: Final = ("tune", "test")
EXAMPLES: Final = Path(__file__).parents[4] / "examples"
"""The folder with bots and former nets in a checkout. An installed package has no such folder."""


class Member(NamedTuple):
    """A player in the pool: its name in tables of results, its ``half``, the name that creates it, and a description.

    ``seats`` is the number of seats that a table must have, or None for any number.
    """

    name: str
    half: str
    player: str
    about: str
    seats: int | None = None


class LeftOut(NamedTuple):
    """A member that can't play here or at this table, and the reason."""

    name: str
    reason: str


def pool_members() -> tuple[Member, ...]:
    """Return all members listed in ``pool.toml``, which also explains how the two halves are used."""
    listed = tomllib.loads(files(__package__).joinpath("pool.toml").read_text(encoding="utf-8"))["member"]
    return tuple(Member(**{**entry, "player": _with_places(entry["player"])}) for entry in listed)


def members_at(
    rules: Rules, half: str | None = None, names: tuple[str, ...] = ()
) -> tuple[list[Member], list[LeftOut]]:
    """Return the members that can play at a table, and those that can't.

    If ``half`` or ``names`` is given, only such members are included. Raises `MilleBornesError` if a name is unknown,
    or if no members are left.
    """
    pool = pool_members()
    for name in names:
        if name not in {member.name for member in pool}:
            raise MilleBornesError(
                f"the pool has no member {name!r}; its members are {', '.join(member.name for member in pool)}"
            )
    found: list[Member] = []
    left_out: list[LeftOut] = []
    for member in pool:
        if (half is not None and member.half != half) or (names and member.name not in names):
            continue
        if member.seats is not None and member.seats != rules.seats:
            left_out.append(LeftOut(member.name, f"it plays at tables of {member.seats} seats only"))
            continue
        try:
            _check(member)
            found.append(member)
        except PlayerError as error:
            left_out.append(LeftOut(member.name, str(error)))
    if not found:
        told = "; ".join(f"{name}: {reason}" for name, reason in left_out) or f"none of these is in the {half} half"
        raise MilleBornesError(f"no member of the pool can play: {told}")
    return found, left_out


def _with_places(name: str) -> str:
    """Return the name of a player with the paths of the examples and the Python interpreter filled in."""
    quoted = shlex.quote if name.startswith(COMMAND_PREFIX) else str
    return name.replace("{examples}", quoted(str(EXAMPLES))).replace("{python}", quoted(sys.executable))


def _check(member: Member) -> None:
    """Raise `PlayerError` if the member isn't available."""
    if str(EXAMPLES) in member.player and not EXAMPLES.is_dir():
        raise PlayerError("it is one of the examples, which come only with a checkout of the source")
    made = player(member.player)
    if isinstance(made, ExternalPlayer):
        made.check()
    made.close()
