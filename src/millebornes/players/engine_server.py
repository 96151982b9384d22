"""The player's end of the bot protocol, which lets one of our players play for another host."""

import contextlib
import random
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET

from millebornes.editions import Rules, make_rules
from millebornes.errors import EditionError, MilleBornesError, NotationError
from millebornes.game import DEFAULT_TARGET, LegalMoves, Match, Scoresheet
from millebornes.notation.view import read_view, view_of
from millebornes.players.base import Player
from millebornes.players.external import protocol
from millebornes.players.external.messages import read_deal, read_drew, read_hello, read_message, read_moved
from millebornes.players.kernel_parts import GAME
from millebornes.players.search_preparation import begin
from millebornes.schema.protocol import ChooseMessage, HandOverMessage, MatchOverMessage, MoveAnswer, ReadyAnswer
from millebornes.schema.reading import check_number, check_numbers, refusal
from millebornes.schema.strict import read_object, show

MAX_LINE: Final = 16 << 20
"""The maximum length in bytes of a line from the host."""

READY_WITHIN: Final = 7.0
"""Seconds within which `hello` must be answered.

The host waits ten seconds, and starting the process has already taken part of this time.
"""
LATE: Final = (
    "millebornes: {name} is not ready yet, so its first answer may come late. If it has to be compiled (first time "
    "only), that continues and is kept even if you end this process."
)


def _warm_up(player: Player, rules: Rules, match_target: int | None) -> None:
    """Load everything that the first move needs, by playing a private match until two moves have been real choices.

    If this fails, the first move of the real match fails in the same way.
    """
    with contextlib.suppress(Exception), contextlib.closing(player):
        match = Match.start(rules, "warm-up", match_target=match_target)
        player.match_started(match.hand.seat or 0, rules, (), match_target)
        choices = 0
        while choices < 2 and match.hand.seat is not None:
            data = match.view(match.hand.seat).to_dict()
            view = read_view(read_object(protocol.line_of(data)), rules)
            choices += len(match.hand.legal_moves) > 1
            match = match.play(player.choose(view, match.hand.legal_moves, random.Random(0)))


class EngineServer:
    """Answers the lines of a host with the moves of a player. Each `hello` begins a new match, with a new player.

    ``make`` creates a player (one for each match, and another to load the code). ``seed`` determines the random
    numbers: the same seed and view always lead to the same numbers.
    """

    def __init__(self, make: Callable[[], Player], name: str, seed: int | str) -> None:
        self._make: Final = make
        self._name: Final = name
        self._seed: Final = seed
        self._player: Player | None = None
        self._rules: Rules | None = None
        self._seat = 0
        self._warm: dict[Rules, threading.Thread] = {}
        self.done = False
        """Whether the host has sent `quit`."""

    def prepare(self) -> None:
        """Stop waiting for machine code, and start to load or compile the code that most tables need."""
        made = self._make()
        try:
            if not made.prepare_behind(make_rules(), DEFAULT_TARGET):
                begin(GAME, make_rules())
        finally:
            made.close()

    def answer(self, line: bytes) -> bytes | None:
        """Return the answer to a line, or None if the line needs no answer.

        Raises a `MilleBornesError` (usually a `NotationError`) that says what is wrong with the line.
        """
        try:
            message = read_object(line)
        except NotationError as error:
            raise NotationError(f"not a message of the bot protocol: {error}") from None
        kind = message.get("type")
        if not isinstance(kind, str):
            raise NotationError('a message has no "type", or one that isn\'t text')
        try:
            return self._answer(kind, message)
        except NotationError as error:
            raise NotationError(f"{kind}: {error}") from None
        except EditionError as error:
            raise NotationError(f"{kind}: rules: {error}") from None

    def close(self) -> None:
        """Close the player."""
        if self._player is not None:
            self._player.close()
            self._player = None

    def _answer(self, kind: str, message: Mapping[str, Any]) -> bytes | None:
        if kind == "quit":
            self.done = True
            return None
        if kind == "hello":
            return self._hello(message)
        if kind not in _KINDS:
            return None  # a message from a later version, which needs no answer
        if self._player is None or self._rules is None:
            raise NotationError("there was no hello before this; the host must send hello first")
        if kind == "choose":
            return self._choose(message, self._player, self._rules)
        _report(kind, message, self._player, self._rules)
        return None

    # ------------------------------------------------------------------ hello and choose

    def _hello(self, message: Mapping[str, Any]) -> bytes:
        hello = read_hello(message)
        rules, target = hello.rules, hello.match_target
        self.close()
        self._player, self._rules, self._seat = self._make(), rules, hello.seat
        if self._player.prepare_behind(rules, target):
            self._player.is_prepared_behind(rules, target, READY_WITHIN)
        elif rules not in self._warm:
            # Loading can take longer than the time for a move. More time is available before `ready` has to be sent. If
            # even this isn't enough, loading continues while the host deals.
            warm = threading.Thread(target=_warm_up, args=(self._make(), rules, target), daemon=True)
            self._warm[rules] = warm
            warm.start()
            warm.join(READY_WITHIN)
            if warm.is_alive():
                print(LATE.format(name=self._name), file=sys.stderr, flush=True)
        self._player.match_started(hello.seat, rules, hello.players, target)
        return protocol.line_of(ReadyAnswer(name=self._name))

    def _choose(self, message: Mapping[str, Any], player: Player, rules: Rules) -> bytes:
        if rules in self._warm:
            self._warm[rules].join()
        asked = read_message(ChooseMessage, message)
        view = view_of(asked.view, rules)
        if view.seat != self._seat:
            raise NotationError(f"view, seat: {view.seat}, but hello gave seat {self._seat}")
        legal = view.legal_moves
        if not len(legal):
            raise NotationError("this seat has nothing to decide in this view")
        if isinstance(asked.legal, tuple):
            _compare(asked.legal, legal)
        rng = random.Random(f"millebornes engine {self._seed} {view.hand_number} {view.totals} {view}")
        move = player.choose(view, legal, rng)
        if move not in legal:
            raise MilleBornesError(f"the player {self._name!r} chose {move}, which is not legal")
        info = player.explain()
        return protocol.line_of(MoveAnswer(move=move.text, info=dict(info) if info else UNSET))


_KINDS: Final = frozenset(("hand", "drew", "moved", "choose", "hand_over", "match_over"))
"""The types of messages that concern the player, after ``hello``."""


def _report(kind: str, message: Mapping[str, Any], player: Player, rules: Rules) -> None:
    match kind:
        case "hand":
            dealt = read_deal(message, rules)
            player.hand_started(dealt.number, dealt.first, dealt.totals, dealt.hand)
        case "drew":
            drew = read_drew(message, rules)
            player.drew(drew.seat, drew.count, drew.cards)
        case "moved":
            moved = read_moved(message, rules)
            player.moved(moved.seat, moved.move)
        case "hand_over":
            ended = read_message(HandOverMessage, message)
            if len(ended.scores) != rules.sides:
                right = f"a list of {rules.sides} score sheets, one for each side"
                raise NotationError(refusal("scores", list(ended.scores), right))
            completed = _check_side("completed_by", ended.completed_by, rules)
            sheets = [Scoresheet.of_object(sheet) for sheet in ended.scores]
            totals = check_numbers("totals", ended.totals, rules.sides, "side")
            player.hand_over(completed, ended.extended, sheets, totals)
        case "match_over":
            over = read_message(MatchOverMessage, message)
            totals = check_numbers("totals", over.totals, rules.sides, "side")
            player.match_over(totals, _check_side("winner", over.winner, rules), over.reason)


def _check_side(place: str, side: int | None, rules: Rules) -> int | None:
    return None if side is None else check_number(place, side, rules.sides - 1)


def _compare(said: tuple[str, ...], legal: LegalMoves) -> None:
    own = set(legal.texts)
    for text in said:
        if text not in own:
            why = f"{show(text)} is not legal by these rules"
            raise NotationError(f"legal: {why}; legal: {', '.join(legal.texts)}")
    missing = sorted(own - set(said))
    if missing:
        raise NotationError(f"legal: missing moves that these rules allow: {', '.join(missing)}")
