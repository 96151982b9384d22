"""The lines of ``millebornes replay --json``: every decision of a transcript, put together from pieces that repeat."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

import msgspec

from millebornes.cards import DISTANCES, Card
from millebornes.editions import Rules
from millebornes.game import Phase, Tableau
from millebornes.game.move import move_codes
from millebornes.game.view import cards_of_word
from millebornes.notation.referee import Decision, Outcome, Referee
from millebornes.notation.transcript import Header, RecordedHand, read_records
from millebornes.rules.tables import discard_code

__all__ = ["DecisionWriter", "outcome_line", "replay_lines", "totals_line"]

MAX_PIECES: Final = 100_000
"""Pieces that a cache may hold before it is emptied, so that memory stays bounded."""

DISCARD_CODES: Final = sum(1 << discard_code(card) for card in Card)
_DISTANCE_CARDS: Final = sum(7 << 3 * card.index for card in DISTANCES)

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
        self._size: Final = rules.cards
        self._side_of: Final = tuple(rules.side_of(seat) for seat in range(rules.seats))
        self._codes: Final = tuple(move_codes(rules, side) for side in range(rules.sides))
        self._hand_pieces: Final = _Cache()
        self._side_pieces: Final = _Cache()
        self._card_pieces: Final = _Cache()
        self._move_pieces: Final = _Cache()

    def line(self, number: int, ply: int, decision: Decision) -> bytes:
        """The line of a decision, with its end: hand ``number`` (from 1), ``ply`` (from 0)."""
        phase, seat, drawn, hand_words, side_words, words, move = decision
        hand_pieces, side_pieces = self._hand_pieces, self._side_pieces
        hands = [hand_pieces.get(word) or self._hand(word) for word in hand_words]
        sides = [
            side_pieces.get(word) or side_pieces.keep(word, _encode(Tableau(word).to_dict())) for word in side_words
        ]
        return (
            b'{"hand":%d,"ply":%d,"phase":"%b","seat":%d,"hands":[%b],"draw_pile":%d,"sides":[%b],"legal":[%b],"move":"%b"}\n'
            % (
                number,
                ply,
                _PHASES[phase],
                seat,
                b",".join(hands),
                self._size - drawn,
                b",".join(sides),
                self._legal(self._side_of[seat], words),
                move.encode(),
            )
        )

    def _hand(self, word: int) -> bytes:
        """A hand's list. Distance cards sort before all others, so the two parts can be kept apart."""
        near = word & _DISTANCE_CARDS
        piece = b"[%b]" % _join(self._cards(near), self._cards(word ^ near))
        return self._hand_pieces.keep(word, piece)

    def _cards(self, word: int) -> bytes:
        pieces = self._card_pieces
        piece = pieces.get(word)
        return pieces.keep(word, _encode(cards_of_word(word))[1:-1]) if piece is None else piece

    def _legal(self, side: int, words: list[int]) -> bytes:
        """The legal moves without brackets. Discards sort before all others, so the two parts can be kept apart."""
        discards = words[0] & DISCARD_CODES
        others = (words[0] ^ discards, *words[1:])
        return _join(self._moves(side, (discards,)), self._moves(side, others))

    def _moves(self, side: int, words: tuple[int, ...]) -> bytes:
        pieces = self._move_pieces
        piece = pieces.get((side, words))
        if piece is None:
            piece = _encode([move.text for move in self._codes[side].legal(words)])[1:-1]
            pieces.keep((side, words), piece)
        return piece


def _join(first: bytes, second: bytes) -> bytes:
    return b"%b,%b" % (first, second) if first and second else first or second


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
    for record in read_records(lines, where, extras=False):
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
