"""Programs as players that stay from game to game: to start one may take longer than the game."""

import atexit
import contextlib
import os
import threading
from collections.abc import Iterator, Sequence
from typing import Final

from millebornes.editions import Rules
from millebornes.player_names import COMMAND_PREFIX, FILE_PREFIX
from millebornes.players import ExternalPlayer, Player, player
from millebornes.shown import clean_text

__all__ = ["Programs", "called", "called_names", "end_programs", "name_of", "seated"]

MAX_NAME_LENGTH: Final = 40


class Programs:
    """The programs of one process, lent to one game at a time and kept between games.

    As a game takes each program once for each seat where it sits, and gives all back, there are never more of one than
    seats in a game (times the threads that play games at a time).
    """

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._idle: Final[dict[str, list[ExternalPlayer]]] = {}
        self._lent: Final[set[ExternalPlayer]] = set()
        self._process = os.getpid()

    def take(self, name: str, time_ms: int | None) -> ExternalPlayer:
        """A program that is not in use, or a new one. Raises `PlayerError` when its command is none."""
        with self._lock:
            if self._process != os.getpid():  # a copy made by fork: the children are those of the other process
                self._idle.clear()
                self._lent.clear()
                self._process = os.getpid()
            idle = self._idle.get(name)
            found = idle.pop() if idle else None
            if found is None:
                found = ExternalPlayer(name.removeprefix(COMMAND_PREFIX), time_ms=time_ms)
                found.gathers = True
            self._lent.add(found)
        found.time_ms = time_ms
        return found

    def give_back(self, program: ExternalPlayer) -> None:
        """The game is over; if `close` was called meanwhile, so is the program."""
        with self._lock:
            stays = program in self._lent
            if stays:
                self._lent.remove(program)
                self._idle.setdefault(program.name, []).append(program)
        if not stays:
            program.close()

    def close(self) -> None:
        """End all programs, those that are in use as soon as they are given back."""
        with self._lock:
            idle = [program for programs in self._idle.values() for program in programs]
            self._idle.clear()
            self._lent.clear()
            mine = self._process == os.getpid()
        if mine:
            for program in idle:
                program.close()


_PROGRAMS: Final = Programs()
atexit.register(_PROGRAMS.close)


def end_programs() -> None:
    """End the programs of this process; the next game starts them anew."""
    _PROGRAMS.close()


@contextlib.contextmanager
def seated(names: Sequence[str], time_ms: int | None = None) -> Iterator[list[Player]]:
    """Players of these names for one game: new ones, so that no game depends on those before it.

    Only programs stay, which are slow to start; a ``hello`` announces the next game to them. ``time_ms`` is their time
    for a move. Players that see everything are made too. Raises `PlayerError` for a player that there is not.
    """
    players: list[Player] = []
    try:
        for name in names:
            if name.startswith(COMMAND_PREFIX):
                players.append(_PROGRAMS.take(name, time_ms))
            else:
                players.append(player(name, time_ms=time_ms, sees_everything=True))
        yield players
    finally:
        for one in reversed(players):  # so that the next game finds each program where it was
            if isinstance(one, ExternalPlayer):
                _PROGRAMS.give_back(one)
            else:
                one.close()


def called(seat: Player) -> str | None:
    """What a program, or a class out of a file, calls itself; None for others, and where nothing has been said."""
    if isinstance(seat, ExternalPlayer):
        said = seat.bot_name
    else:
        said = type(seat).name if seat.name.startswith(FILE_PREFIX) else None
    shown = "" if said is None else clean_text(said)
    if not shown:
        return None
    return shown if len(shown) <= MAX_NAME_LENGTH else f"{shown[: MAX_NAME_LENGTH - 1]}…"


def called_names(asked: Sequence[str], said: Sequence[str | None]) -> tuple[str, ...]:
    """What players are shown as, by the names that they were asked for by, and what they call themselves, if anything.

    The second of a name is ``name#2``, and so on; a name is left to whoever was asked for by it.
    """
    found: dict[str, str] = {}
    for name, own in zip(asked, said, strict=True):
        if name not in found:
            shown, n = own or name, 1
            while own is not None and shown in {*found.values(), *asked}:
                n += 1
                shown = f"{own}#{n}"
            found[name] = shown
    return tuple(found[name] for name in asked)


def name_of(name: str, rules: Rules, time_ms: int | None = None) -> str | None:
    """What a player of this name calls itself (`called`); a program is started for it, and stays for its first game.

    None where it does not say, or does not get ready. Raises `PlayerError` for a player that there is not.
    """
    with seated([name], time_ms) as (one,):
        if isinstance(one, ExternalPlayer):
            one.greet(rules)
        return called(one)
