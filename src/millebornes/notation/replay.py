"""The lines of ``millebornes replay --json``: every decision of a transcript, put together from pieces that repeat."""

import struct
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

import msgspec

from millebornes.editions import Rules
from millebornes.game import Phase, Tableau
from millebornes.game.move import move_codes
from millebornes.game.view import cards_of_word
from millebornes.notation.referee import Decision, Outcome, Referee
from millebornes.notation.transcript import Header, RecordedHand, read_records
from millebornes.rules.engine import engine_for

__all__ = ["DecisionWriter", "outcome_line", "replay_lines", "totals_line"]

MAX_PIECES: Final = 100_000
"""Pieces that a cache may hold before it is emptied, so that memory stays bounded."""

_encode: Final = msgspec.json.encode
_PHASES: Final = tuple(phase.name.lower().encode() for phase in Phase)


class _Cache(dict[object, bytes]):
    """A bounded cache of encoded pieces."""

    def keep(self, key: object, piece: bytes) -> bytes:
        if len(self) >= MAX_PIECES:
            self.clear()
        self[key] = piece
        return piece


class DecisionWriter:
    """Encodes decisions of one table. Hands, sides and legal moves repeat, so their JSON is kept and put together."""

    def __init__(self, rules: Rules) -> None:
        engine = engine_for(rules)
        self._size: Final = rules.cards
        self._hands: Final = struct.Struct(f"<{rules.seats}Q")
        self._sides: Final = struct.Struct(f"<{rules.sides}Q")
        self._offsets: Final = engine.offsets
        self._codes: Final = tuple(move_codes(rules, rules.side_of(seat)) for seat in range(rules.seats))
        self._hand_pieces: Final = _Cache()
        self._side_pieces: Final = _Cache()
        self._legal_pieces: Final = _Cache()

    def line(self, number: int, ply: int, decision: Decision) -> bytes:
        """The line of a decision, with its end: hand ``number`` (from 1), ``ply`` (from 0)."""
        state, words, move = decision
        offsets = self._offsets
        seat = state[offsets["seat"]]
        hand_pieces, side_pieces = self._hand_pieces, self._side_pieces
        hands = [
            hand_pieces.get(word) or hand_pieces.keep(word, _encode(cards_of_word(word)))
            for word in self._hands.unpack_from(state, offsets["hand"])
        ]
        sides = [
            side_pieces.get(word) or side_pieces.keep(word, _encode(Tableau(word).to_dict()))
            for word in self._sides.unpack_from(state, offsets["side"])
        ]
        key = (seat, words)
        legal = self._legal_pieces.get(key)
        if legal is None:
            legal = self._legal_pieces.keep(key, _encode([move.text for move in self._codes[seat].legal(words)]))
        return (
            b'{"hand":%d,"ply":%d,"phase":"%b","seat":%d,"hands":[%b],"draw_pile":%d,"sides":[%b],"legal":%b,"move":"%b"}\n'
            % (
                number,
                ply,
                _PHASES[state[offsets["phase"]]],
                seat,
                b",".join(hands),
                self._size - state[offsets["drawn"]],
                b",".join(sides),
                legal,
                move.encode(),
            )
        )


def outcome_line(number: int, outcome: Outcome) -> bytes:
    """The line of a finished hand, with its end."""
    scores = [sheet.to_dict() for sheet in outcome.scores]
    line = {"hand": number, "completed_by": outcome.completed_by, "extended": outcome.extended, "scores": scores}
    return _encode(line) + b"\n"


def totals_line(referee: Referee) -> bytes:
    """The last line, with its end."""
    return _encode({"totals": referee.standing.totals, "winner": referee.winner}) + b"\n"


def replay_lines(lines: BinaryIO | Iterable[str | bytes], where: str = "transcript") -> Iterator[bytes]:
    """Check a transcript and give its replay line by line (each with its end), in bounded memory.

    Raises `TranscriptError` at the first fault; what came before is good.
    """
    referee: Referee | None = None
    for record in read_records(lines, where):
        if isinstance(record, Header):
            referee = Referee(record)
            writer = DecisionWriter(record.rules)
            continue
        assert referee is not None  # the first record is a header
        if isinstance(record, RecordedHand):
            number = record.number
            line = writer.line
            for ply, decision in enumerate(referee.play(record)):
                yield line(number, ply, decision)
            if referee.outcome is not None:
                yield outcome_line(number, referee.outcome)
        else:
            referee.check_result(record)
    assert referee is not None  # an empty file is an error already
    yield totals_line(referee)
