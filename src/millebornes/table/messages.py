"""The messages to seats and spectators: those of the bot protocol and a few others. Each sees only their part."""

import dataclasses
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Action, Hand, View
from millebornes.i18n import N_
from millebornes.players.external import protocol
from millebornes.schema.api import Event, ProposedEvent, ResumedEvent, UndoneEvent
from millebornes.table.facts import Proposed, SeatFact

PHRASES: Final = {
    "hello": N_("Hello!"),
    "good_luck": N_("Good luck!"),
    "well_played": N_("Well played!"),
    "good_game": N_("Good game!"),
    "thanks": N_("Thank you!"),
    "sorry": N_("Sorry!"),
    "ouch": N_("Ouch!"),
    "one_moment": N_("One moment, please."),
    "back": N_("I'm back."),
    "your_turn": N_("It's your turn."),
    "rematch": N_("Another match?"),
    "bye": N_("I have to go. Goodbye!"),
}
"""The phrases for the chat, in English and by name. `millebornes.i18n` translates them."""


_ENCODER: Final = msgspec.json.Encoder()

_OF_MOVES: Final = frozenset(("moved", "drew", "choose", "time_out"))
"""The messages that result from a move."""
_SECRET: Final = (b'{"type":"choose","phase":"coup"', b'{"type":"choose","phase":"opening"')


def settings_of(rules: Rules) -> dict[str, Any]:
    """Return all settings of a table, and the name of its edition, in the form in which the API shows them."""
    return {"edition": rules.edition, **rules.settings()}


def encode(data: Any) -> bytes:
    """Return plain data as JSON on one line."""
    return _ENCODER.encode(data)


def asks_in_secret(line: bytes) -> bool:
    """Return whether a message, as a viewer sees it, asks about a coup fourré. No one else may find out (R5.5)."""
    return line.startswith(_SECRET)


@dataclasses.dataclass(frozen=True, slots=True)
class Message:
    """One message of a table, with its version, its type, and its JSON for each viewer.

    ``private`` contains pairs of a seat and the JSON for that seat. All other viewers get ``public``, or nothing if it
    is None. Questions are compressed, because they are long and many are kept.

    ``ply`` is the number of moves in the hand at this moment, passes included, if all players can see that the game has
    reached it. It isn't the hand itself, which would take much more memory.
    """

    version: int
    event: str
    public: bytes | None
    private: tuple[tuple[int, bytes], ...] = ()
    ply: int | None = None

    def seen_by(self, seat: int | None) -> bytes | None:
        """Return the part of the message for a seat, or for a spectator (None), if there is one."""
        for own, line in self.private:
            if own == seat:
                return zlib.decompress(line) if self.event == "choose" else line
        return self.public


def without_undone(messages: Iterable[Message], kept: int) -> list[Message]:
    """Return the messages without the moves that have been taken back. Versions don't change.

    In the latest hand, the first ``kept`` moves that all players have seen still count.
    """
    found, moves, is_undone = list(messages), 0, False
    begin = max((n for n, message in enumerate(found) if message.event == "hand"), default=0)
    for n in range(begin, len(found)):
        message = found[n]
        moves += message.event == "moved" and message.public is not None
        is_undone = is_undone or moves > kept
        if is_undone and message.event in _OF_MOVES:
            found[n] = Message(message.version, "", None)
    return found


class MessageWriter:
    """Writes messages that are numbered from a version on. ``made`` contains them in order."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.made: list[Message] = []

    def _add(
        self, event: str, public: bytes | None, private: Iterable[tuple[int, bytes]] = (), ply: int | None = None
    ) -> None:
        self.version += 1
        self.made.append(Message(self.version, event, public, tuple(private), ply))

    def skip(self) -> None:
        """Add a version without a message."""
        self._add("", None)

    def broadcast(self, event: Event) -> None:
        """Add a message that all viewers get in the same form."""
        self._add(str(event.__struct_config__.tag), encode(event))

    def announce(self, fact: SeatFact, event: type[Event], name: str | None) -> None:
        """Add a message with the fields of a fact and the name of its seat."""
        known = {key: value for key, value in msgspec.structs.asdict(fact).items() if value is not None}
        self.broadcast(msgspec.convert({**known, "name": name, "type": event.__struct_config__.tag}, event))

    def resumed(self, seat: int) -> None:
        """Add the message that a seat was resumed in another browser. Only the previous browser gets it."""
        self._add("resumed", None, [(seat, encode(ResumedEvent(seat=seat)))])

    def hello(self, rules: Rules, names: Sequence[str], match_target: int | None) -> None:
        """Add the messages that begin a match. The message to spectators contains no seat."""
        lines = {seat: protocol.hello_line(seat, rules, names, match_target).rstrip() for seat in range(rules.seats)}
        public = msgspec.json.decode(lines[0]) | {"seat": None}
        self._add("hello", encode(public), lines.items())

    def hand(self, number: int, start: Hand, totals: Sequence[int]) -> None:
        """Add the messages about a new deal. ``start`` is the hand before its first move."""
        lines = {
            seat: protocol.hand_line(number, start.first, totals, start.dealt(seat)).rstrip()
            for seat in range(start.rules.seats)
        }
        public = msgspec.json.decode(lines[0])
        del public["hand"]
        self._add("hand", encode(public), lines.items())

    def drew(self, seat: int, cards: Sequence[Card], ply: int) -> None:
        """Add the message about a draw. Only the player who draws sees the cards."""
        public, private = (protocol.drew_line(seat, len(cards), seen).rstrip() for seen in (None, cards))
        self._add("drew", public, [(seat, private)], ply)

    def moved(self, seat: int, move: str, ply: int) -> None:
        """Add the message about a move, which all viewers see. ``ply`` is the number of moves including this one."""
        self._add("moved", protocol.moved_line(seat, move).rstrip(), ply=ply)

    def proposed(self, event: Proposed, name: str | None) -> None:
        """Add the message that a seat proposes other settings for the next match."""
        rules = Rules.parse(event.rules)
        self.broadcast(
            ProposedEvent(
                seat=event.seat,
                name=name,
                rules=settings_of(rules),
                match_target=event.match_target,
                coup_window_ms=event.coup_window,
                swap=UNSET if event.swap is None else event.swap,
            )
        )

    def undone(self, seat: int, name: str | None, hand: Hand) -> None:
        """Add the message that a seat took back its latest decision. ``hand`` is the hand as it is afterwards."""
        moves = sum(move.action is not Action.PASS for move in hand.moves)
        self.broadcast(UndoneEvent(seat=seat, name=name, moves=moves))

    def passed(self, seat: int | None) -> None:
        """Add the message about a window that closed without a call. Only ``seat`` sees that it passed (R5.5)."""
        self._add("moved", None, () if seat is None else [(seat, protocol.moved_line(seat, "pass").rstrip())])

    def choose(self, view: View | None, ply: int | None = None) -> None:
        """Add a question to the seat that has this view. If it is None, no viewer sees a question.

        If all players can see which seat is asked, ``ply`` is the number of moves before the answer.
        """
        private: tuple[tuple[int, bytes], ...] = ()
        if view is not None:
            line = protocol.choose_line(view, view.legal_moves, None).rstrip()
            private = ((view.seat, zlib.compress(line, 1)),)
        self._add("choose", None, private, ply)

    def hand_over(self, hand: Hand, totals: Sequence[int]) -> None:
        """Add the message about the end of the hand."""
        line = protocol.hand_over_line(hand.completed_by, hand.extended, hand.scores, totals)
        self._add("hand_over", line.rstrip(), ply=hand.ply)

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        """Add the message about the end of the match."""
        self._add("match_over", protocol.match_over_line(totals, winner, reason).rstrip())
