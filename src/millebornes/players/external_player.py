"""Other programs as players: ``cmd:…`` starts a child process and communicates with it through lines of JSON."""

import random
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.errors import NotationError, PlayerError
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.scoresheet import Scoresheet
from millebornes.game.view import View
from millebornes.player_names import COMMAND_PREFIX
from millebornes.players.base import Player
from millebornes.players.external import protocol
from millebornes.players.external.process import Child, ChildError, EndedError, find_program, split_command
from millebornes.players.external.program_log import last_line
from millebornes.schema.strict import read_object, show
from millebornes.shown import clean_text

DEFAULT_TIME_MS: Final = 1000
READY_SECONDS: Final = 10.0
GRACE_SECONDS: Final = 1.0
QUIET_SECONDS: Final = 0.01
SECOND_LOOK: Final = 1.0
"""Seconds to wait for another answer after a wrong one that may have been meant for something else."""
MAX_NAME_LENGTH: Final = 80
MAX_GATHERED_BYTES: Final = 1 << 15
"""The maximum number of bytes that can wait for the next question. A pipe can hold more than this."""


class ForfeitError(PlayerError):
    """Raised for a player whose side loses the match because the player broke the protocol or the rules.

    ``seat`` is the seat of the player, and ``player`` is its name. ``reason`` describes what the player did, in words
    that can follow "the player …". ``log`` is the file with its standard error, or None. For an illegal move,
    ``clause`` is the clause that forbids it, and ``legal`` contains the legal moves.
    """

    def __init__(
        self,
        player: str,
        seat: int,
        reason: str,
        log: Path | None = None,
        clause: str | None = None,
        legal: tuple[str, ...] = (),
    ) -> None:
        details = f"; legal: {', '.join(legal)}" if legal else ""
        details += f"; what it wrote to standard error is in {_plain(str(log))}" if log else ""
        super().__init__(f"the player {_shown(player)} on seat {seat} forfeits: it {reason}{details}")
        self.player = player
        self.seat = seat
        self.reason = reason
        self.log = log
        self.clause = clause
        self.legal = legal

    def __reduce__(self) -> tuple[object, tuple[str, int, str, Path | None, str | None, tuple[str, ...]]]:
        return ForfeitError, (self.player, self.seat, self.reason, self.log, self.clause, self.legal)


class _WrongMoveError(ChildError):
    """An answer that isn't a legal move, with the clause that forbids it (None if not a move) and the legal moves."""

    def __init__(self, said: str, legal: LegalMoves, clause: str | None = None) -> None:
        super().__init__(said)
        self.clause = clause
        self.legal = legal.texts


def _plain(path: str) -> str:
    return path if path.isprintable() else repr(path)


def _shown(name: str) -> str:
    text = repr(name)
    return text if len(text) <= MAX_NAME_LENGTH else f"{text[: MAX_NAME_LENGTH - 4]}...'"


class ExternalPlayer(Player):
    """A player that runs another program and uses the bot protocol (docs/bots.md).

    The program is started when its first match begins. ``command`` is split into words as in a shell, but no shell runs
    it. ``time_ms`` is the time that the program has for each move, in milliseconds (None for no limit). If it takes
    more than a second longer, it forfeits the match. It has ten seconds to get ready. The process is kept for more
    matches until `close` is called.

    The methods that report events never raise errors. Only `choose` raises errors, which are always a `ForfeitError`.
    After an error, the process is ended, and the next match starts a new one.
    """

    summary: ClassVar[str] = "your own program, which answers lines of JSON"

    def __init__(self, command: str, *, time_ms: int | None = DEFAULT_TIME_MS) -> None:
        """Raises `PlayerError` if ``command`` isn't valid.

        A program that doesn't exist is only noticed when it is started.
        """
        split_command(command)
        if time_ms is not None and (type(time_ms) is not int or time_ms < 1):
            raise PlayerError(f"{time_ms!r} isn't a time for a move; give a whole number of milliseconds, at least 1")
        self.command: Final = command
        self.time_ms = time_ms
        self.bot_name: str | None = None
        """The name that the program reports for itself once it is ready, or None."""
        self.gathers = False
        """Whether events wait for the next question or the end of the match, because each write wakes a process."""
        self._unsent = bytearray()
        self.name = COMMAND_PREFIX + command
        self._child: Child | None = None
        self._log: Path | None = None
        self._fault: str | None = None
        self._seat = 0
        self._ready_until: float | None = None
        """The time by which `ready` must arrive, or None after it has been read."""
        self._latest = b""
        self._asked = 0
        """The number of moves that this process has been asked for."""
        self._info: Mapping[str, object] = {}

    def check(self) -> None:
        """Raise `PlayerError` if the program doesn't exist or can't be run. The program isn't started."""
        find_program(self.command)

    # ------------------------------------------------------------------ playing

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Ask the program for a move.

        ``rng`` isn't used. Raises `ForfeitError` if the answer isn't a legal move or arrives too late.
        """
        self._info = {}
        try:
            if self._fault is not None:
                raise ChildError(self._fault)
            child = self._child
            if child is None:
                raise ChildError("was asked for a move before its match began")
            self._await_ready(child)
            return self._ask(child, view, legal)
        except _WrongMoveError as error:
            raise self._forfeit(str(error), error.clause, error.legal) from None
        except ChildError as error:
            self._fail(error)
            raise self._forfeit(self._fault or "") from None

    def _ask(self, child: Child, view: View, legal: LegalMoves) -> Move:
        # A program that prints without being asked gets the events before the question, and time to finish printing. At
        # its first moves, it isn't known yet whether it does.
        if child.is_chatty or self._asked < 3:
            child.send(self._gathered())
            child.drop(QUIET_SECONDS)
        else:
            child.drop()
        self._asked += 1
        child.send(self._gathered() + protocol.choose_line(view, legal, self.time_ms))
        seconds = None if self.time_ms is None else self.time_ms / 1000 + GRACE_SECONDS
        deadline = None if seconds is None else time.monotonic() + seconds
        line = child.receive(deadline, asked=True)
        if line is None:
            raise ChildError(
                f"gave no answer within {seconds:g} s (an answer must end with a line break and be flushed)"
            )
        until = time.monotonic() + SECOND_LOOK
        until = until if deadline is None else min(until, deadline)
        while True:
            try:
                move, answer = _read_move(line, view, legal)
                break
            except ChildError:
                # A wrong answer that only repeats the last one, too late, or that was printed without being asked isn't
                # the answer to this question.
                again = child.receive(until) if child.is_chatty or line == self._latest else None
                if again is None:
                    raise
                line = again
        child.accept(line)
        self._latest = line
        if len(answer) > 1:
            self._info = _info(answer)
        return move

    def _await_ready(self, child: Child) -> None:
        if self._ready_until is None:
            return
        line = child.receive(self._ready_until)
        if line is None:
            raise ChildError(f"was not ready within {READY_SECONDS:g} s (it must answer hello with ready)")
        answer = _read(line)
        name = answer.get("name")
        if answer.get("type") != "ready":
            raise ChildError(f'answered hello with {show(line)}, not with {{"type":"ready","name":...}}')
        if not isinstance(name, str | None):
            raise ChildError(f"gave {show(name)} as its name, which isn't text")
        child.accept(line)
        self.bot_name = None if name is None else clean_text(name[: 10 * MAX_NAME_LENGTH]) or None
        self._ready_until = None

    def explain(self) -> Mapping[str, object]:
        """Return the rest of the latest answer: the entries of its ``info``, and all its other keys except the move."""
        return self._info

    def _forfeit(self, reason: str, clause: str | None = None, legal: tuple[str, ...] = ()) -> ForfeitError:
        """Return the error that forfeits the match. The program isn't used again in this match."""
        self._fault = reason
        self._end(patience=0)
        log = self._log if self._log is not None and self._log.exists() else None
        return ForfeitError(COMMAND_PREFIX + self.command, self._seat, reason, log, clause, legal)

    def _fail(self, error: ChildError) -> None:
        self._end(patience=0)  # after this, the log is complete
        last_words = last_line(self._log) if isinstance(error, EndedError) and self._log is not None else ""
        self._fault = f"{error}; its last line on standard error: {last_words}" if last_words else str(error)

    # ------------------------------------------------------------------ reporting events

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Start the program, or send `hello` to a program that is already running.

        Its reply is only read before its first move.
        """
        self._seat = seat
        self._fault = None
        self._info = {}
        try:
            self._make_ready()
        except ChildError as error:
            self._fail(error)
            return
        self._ready_until = time.monotonic() + READY_SECONDS
        self._tell(protocol.hello_line(seat, rules, players, match_target), at_once=True)

    def greet(self, rules: Rules) -> str | None:
        """Start the program, wait until it is ready, and return its name for itself, or None if it fails."""
        self.match_started(0, rules, (), None)
        try:
            if self._child is not None:
                self._await_ready(self._child)
        except ChildError as error:
            self._fail(error)
        return self.bot_name

    def _make_ready(self) -> None:
        if self._child is not None:
            try:
                self._await_ready(self._child)  # left from a match in which it was never asked for a move
                self._child.begin()
            except ChildError:
                self._end(patience=0)
        if self._child is None:
            self._latest = b""
            self._asked = 0
            self._child = Child(self.command)
            self._log = self._child.log

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Report the deal to the program."""
        self._tell(protocol.hand_line(number, first, totals, hand))

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        """Report the draw to the program."""
        self._tell(protocol.drew_line(seat, count, None if cards is None else tuple(cards)))

    def moved(self, seat: int, move: Move) -> None:
        """Report the move to the program."""
        self._tell(protocol.moved_line(seat, move.text))

    def hand_over(
        self, completed_by: int | None, extended: bool, scores: Sequence[Scoresheet], totals: Sequence[int]
    ) -> None:
        """Report the end of the hand to the program."""
        self._tell(protocol.hand_over_line(completed_by, extended, scores, totals))

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        """Report the end of the match to the program."""
        self._tell(protocol.match_over_line(totals, winner, reason), at_once=True)

    def _tell(self, line: bytes, *, at_once: bool = False) -> None:
        if self._child is None or self._fault is not None:
            return
        if self.gathers and not at_once and len(self._unsent) < MAX_GATHERED_BYTES:
            self._unsent += line
        else:
            self._child.send(self._gathered() + line)

    def _gathered(self) -> bytes:
        lines = bytes(self._unsent)
        self._unsent.clear()
        return lines

    # ------------------------------------------------------------------ the end

    def close(self) -> None:
        """Ask the program to quit. After a second, the program and all its child processes are killed."""
        self._end(patience=1.0)

    def _end(self, patience: float) -> None:
        child, self._child = self._child, None
        self._unsent.clear()
        self._ready_until = None
        if child is not None:
            child.close(protocol.QUIT, patience)


def _read(line: bytes) -> dict[str, Any]:
    try:
        return read_object(line)
    except NotationError as error:
        raise ChildError(f"answered with {error}") from None


def _read_move(line: bytes, view: View, legal: LegalMoves) -> tuple[Move, dict[str, Any]]:
    answer = _read(line)
    if "move" not in answer:
        raise ChildError(f'answered without a move: {show(line)}; an answer is {{"move":...}}')
    text = answer["move"]
    try:
        move = Move.parse(text) if isinstance(text, str) else None
    except NotationError:
        move = None
    if move is None:
        raise _WrongMoveError(f"answered with {show(text)}, which isn't a move", legal)
    if move not in legal:
        why = view.why_not(move)
        problem = f"made the illegal move {move.text}"
        raise _WrongMoveError(f"{problem}: {why.text} ({why.clause})" if why else problem, legal, why and why.clause)
    return move, answer


def _info(answer: Mapping[str, Any]) -> dict[str, object]:
    rest = {key: value for key, value in answer.items() if key != "move"}
    info = rest.pop("info", {})
    return {**info, **rest} if isinstance(info, dict) else {"info": info, **rest}


_greeted: Final[dict[str, list[ExternalPlayer]]] = {}
_lock: Final = threading.Lock()


def greet(name: str, rules: Rules) -> None:
    """Start the program with this name, and wait until it has sent its own name or isn't ready in time.

    The program then waits until `greeted` is called. If it isn't ready in time, it is ended, and the game reports the
    reason later.
    """
    made = ExternalPlayer(name.removeprefix(COMMAND_PREFIX))
    if made.greet(rules) is None:
        made.close()
        return
    with _lock:
        _greeted.setdefault(name, []).append(made)


def greeted(name: str) -> Player | None:
    """Return the program with this name that `greet` has started.

    Returns None if there is no such program, or if it has already been returned.
    """
    with _lock:
        waiting = _greeted.get(name)
        return waiting.pop() if waiting else None
