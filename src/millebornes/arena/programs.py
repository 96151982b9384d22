"""External programs as players, which are kept from game to game, because starting one can take longer than a game."""

import atexit
import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

from millebornes.editions import Rules
from millebornes.errors import shortened
from millebornes.player_names import COMMAND_PREFIX, FILE_PREFIX
from millebornes.players import ExternalPlayer, Player, player
from millebornes.shown import clean_text

MAX_NAME_LENGTH: Final = 40


_idle: dict[str, list[ExternalPlayer]] = {}
"""The programs of this process that aren't in a game, by the name that was used to ask for them.

A game takes a program for each of its seats and returns all of them. There are therefore never more copies of a program
than one game has seats (times the number of threads that play games).
"""


@atexit.register
def end_programs() -> None:
    """End all programs of this process. One that is in a game ends after it. The next game starts new programs."""
    global _idle
    ended, _idle = _idle, {}
    for name in list(ended):
        for program in ended[name]:
            program.close()


def _take(name: str, time_ms: int | None, idle: dict[str, list[ExternalPlayer]]) -> ExternalPlayer:
    try:
        program = idle.get(name, []).pop()
    except IndexError:
        program = ExternalPlayer(name.removeprefix(COMMAND_PREFIX), time_ms=time_ms)
        program.gathers = True
    program.time_ms = time_ms
    return program


@contextlib.contextmanager
def seated(names: Sequence[str], time_ms: int | None = None) -> Iterator[list[Player]]:
    """Yield players with these names for one game. All players are new, so no game depends on earlier ones.

    Only programs are kept between games, because they are slow to start. Programs learn from the message ``hello`` that
    a new game begins. ``time_ms`` is their time limit for a move. Players that see all cards are also allowed. Raises
    `PlayerError` if a player doesn't exist.
    """
    players: list[Player] = []
    idle = _idle
    try:
        for name in names:
            if name.startswith(COMMAND_PREFIX):
                players.append(_take(name, time_ms, idle))
            else:
                players.append(player(name, time_ms=time_ms, sees_everything=True))
        yield players
    finally:
        for one in reversed(players):  # so that each program gets the same seat again in the next game
            if isinstance(one, ExternalPlayer) and idle is _idle:
                idle.setdefault(one.name, []).append(one)
            else:
                one.close()


def given_name(seat: Player) -> str | None:
    """Return the name that a program or a class from a file gives itself, or None if it gives none."""
    if isinstance(seat, ExternalPlayer):
        own_name = seat.bot_name
    else:
        own_name = type(seat).name if seat.name.startswith(FILE_PREFIX) else None
    return shortened(clean_text(own_name or ""), MAX_NAME_LENGTH) or None


def display_names(asked: Sequence[str], said: Sequence[str | None]) -> tuple[str, ...]:
    """Return the names to show for players. ``asked`` are the names used to ask for them, ``said`` the names they give.

    If two players have the same name, the second becomes ``name#2``, and so on. A name that was used to ask for a
    player always belongs to that player.
    """
    names: dict[str, str] = {}
    for name, own in zip(asked, said, strict=True):
        if name not in names:
            shown, n = own or name, 1
            while own is not None and shown in {*names.values(), *asked}:
                n += 1
                shown = f"{own}#{n}"
            names[name] = shown
    return tuple(names[name] for name in asked)


def name_of(name: str, rules: Rules, time_ms: int | None = None) -> str | None:
    """Return the name that a player gives itself (see `given_name`), or None if it gives none or fails to start.

    If the player is a program, it is started for this and kept for a game. Raises `PlayerError` if the player doesn't
    exist.
    """
    with seated([name], time_ms) as (one,):
        if isinstance(one, ExternalPlayer):
            one.greet(rules)
        return given_name(one)
