"""What seats and spectators are told: the messages of the bot protocol and a few more, each as its viewers see it."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Hand, View
from millebornes.players.external import protocol

__all__ = ["Message", "Telling", "encode"]

_ENCODER: Final = msgspec.json.Encoder()
_NOBODY: Final[Mapping[int, bytes]] = {}


def encode(data: Any) -> bytes:
    """Plain data as JSON on one line."""
    return _ENCODER.encode(data)


@dataclasses.dataclass(frozen=True, slots=True)
class Message:
    """One message of a table: its version, its type, and its JSON by viewer.

    ``public`` is what everybody gets who has nothing of their own in ``private`` (by seat); None is nothing at all.
    """

    version: int
    event: str
    public: bytes | None
    private: Mapping[int, bytes] = dataclasses.field(default_factory=dict)

    def seen_by(self, seat: int | None) -> bytes | None:
        """What a seat gets, or a spectator (None); None where that is nothing."""
        return self.public if seat is None else self.private.get(seat, self.public)


class Telling:
    """Makes messages, numbered on from a version. ``made`` holds them in order."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.made: list[Message] = []

    def _add(self, event: str, public: bytes | None, private: Mapping[int, bytes] = _NOBODY) -> None:
        self.version += 1
        self.made.append(Message(self.version, event, public, private))

    def nothing(self) -> None:
        """Something that nobody is told of, but for its version."""
        self._add("", None)

    def plain(self, event: str, **data: Any) -> None:
        """The same for everybody."""
        self._add(event, encode({"type": event, **data}))

    def resumed(self, seat: int) -> None:
        """A seat was taken up in another browser; only the one that it was in before is told."""
        self._add("resumed", None, {seat: encode({"type": "resumed", "seat": seat})})

    def hello(self, rules: Rules, names: Sequence[str], match_target: int | None) -> None:
        """A match begins. A spectator has no seat."""
        lines = {seat: protocol.hello_line(seat, rules, names, match_target).rstrip() for seat in range(rules.seats)}
        public = msgspec.json.decode(lines[0]) | {"seat": None}
        self._add("hello", encode(public), lines)

    def hand(self, number: int, start: Hand, totals: Sequence[int]) -> None:
        """A hand has been dealt; ``start`` is it before its first move."""
        lines = {
            seat: protocol.hand_line(number, start.first, totals, start.dealt(seat)).rstrip()
            for seat in range(start.rules.seats)
        }
        public = msgspec.json.decode(lines[0])
        del public["hand"]
        self._add("hand", encode(public), lines)

    def drew(self, seat: int, cards: Sequence[Card]) -> None:
        """A seat drew; only it is told what."""
        public = protocol.drew_line(seat, len(cards), None).rstrip()
        self._add("drew", public, {seat: protocol.drew_line(seat, len(cards), tuple(cards)).rstrip()})

    def moved(self, seat: int, move: str) -> None:
        """A seat made a move that everybody sees."""
        self._add("moved", protocol.moved_line(seat, move).rstrip())

    def passed(self, seat: int | None) -> None:
        """A window closed without a call; only who let the coup fourré go (None: nobody) learns of a pass (R5.5)."""
        self._add("moved", None, {} if seat is None else {seat: protocol.moved_line(seat, "pass").rstrip()})

    def choose(self, view: View | None) -> None:
        """A seat is asked, whose view this is; None: nobody who could see it is."""
        if view is None:
            self._add("choose", None)
        else:
            self._add("choose", None, {view.seat: protocol.choose_line(view, view.legal_moves, None).rstrip()})

    def hand_over(self, hand: Hand, totals: Sequence[int]) -> None:
        """A hand has ended."""
        line = protocol.hand_over_line(hand.completed_by, hand.extended, hand.scores, totals)
        self._add("hand_over", line.rstrip())

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        """The match has ended."""
        self._add("match_over", protocol.match_over_line(totals, winner, reason).rstrip())
