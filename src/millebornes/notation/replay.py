"""The lines of ``millebornes replay --json``: every decision of a transcript, put together from pieces of JSON."""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final

import msgspec
import numpy as np

from millebornes.cards import DISTANCES, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.game import Phase, Tableau
from millebornes.game.move import move_codes
from millebornes.notation.referee import Outcome, Referee
from millebornes.notation.transcript import Header, RecordedHand, read_records
from millebornes.rules.follow import MOST_MOVES, Follower
from millebornes.rules.moves import absolute_codes
from millebornes.rules.printing import PIECES, print_decisions
from millebornes.rules.state import BATTLE_TOPS, Side

__all__ = ["DecisionWriter", "outcome_line", "replay_lines", "replay_pieces", "totals_line"]

_encode: Final = msgspec.json.encode


class _Pieces:
    """Pieces of text, each known by its number."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}

    def number(self, piece: bytes | str) -> int:
        """The number of a piece, which is kept if it is new."""
        data = piece.encode() if isinstance(piece, str) else piece
        return self._numbers.setdefault(data, len(self._numbers))

    def text(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """All pieces, one after the other."""
        return np.frombuffer(b"".join(self._numbers), np.uint8)

    def starts(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Where each piece starts, and where the last one ends."""
        return np.cumsum([0, *map(len, self._numbers)])

    @property
    def longest(self) -> int:
        """Bytes of the longest piece."""
        return max(map(len, self._numbers))


class DecisionWriter:
    """Encodes the decisions of one table."""

    def __init__(self, rules: Rules) -> None:
        pieces = _Pieces()
        where = np.zeros(1, PIECES)
        self._where: Final = where[0]
        self._size: Final = rules.cards
        self._write_table(pieces, rules)
        self._write_side(pieces)
        self._moves: Final = {text: pieces.number(text) for text in absolute_codes(rules.sides)}
        self._text: Final = pieces.text()
        self._starts: Final = pieces.starts()
        # A line has fewer pieces than this: some thirty, seven cards a hand, some thirty a side, the legal moves.
        most = 40 + 16 * rules.seats + 40 * rules.sides + 2 * int(max(where[0]["legal_count"]))
        self._longest: Final = most * pieces.longest
        self._out = np.empty(0, np.uint8)

    def _write_table(self, pieces: _Pieces, rules: Rules) -> None:
        where = self._where
        where["phase"] = [pieces.number(f',"phase":"{phase.name.lower()}","seat":') for phase in Phase]
        where["hands"], where["next_hand"] = pieces.number(',"hands":[['), pieces.number("],[")
        where["order"] = [card.index for card in sorted(Card)]
        where["card"] = [pieces.number(f'"{card.value}"') for card in Card]
        where["pile"], where["sides"] = pieces.number(']],"draw_pile":'), pieces.number(',"sides":[')
        where["legal"], where["move"] = pieces.number('],"legal":['), pieces.number('],"move":"')
        where["end"], where["comma"] = pieces.number('"}\n'), pieces.number(",")
        for side in range(rules.sides):
            moves = sorted(move_codes(rules, side).codes.items(), key=lambda item: item[0].text)
            where["legal_count"][side] = len(moves)
            where["legal_code"][side, : len(moves)] = [code for _, code in moves]
            where["legal_text"][side, : len(moves)] = [pieces.number(f'"{move.text}"') for move, _ in moves]

    def _write_side(self, pieces: _Pieces) -> None:
        where = self._where
        tops = [*BATTLE_TOPS, *(Card.D200 if top is Card.ROLL else top for top in BATTLE_TOPS)]
        where["battle"] = [pieces.number(b'{"battle":' + _encode(top)) for top in tops]
        speeds = (None, Card.SPEED_LIMIT, Card.END_OF_LIMIT)
        where["speed"] = [pieces.number(b',"speed":%b,"distance":' % _encode(speed)) for speed in speeds]
        opening = [',"cards":{', *[","] * (len(DISTANCES) - 1)]
        where["count"] = [
            pieces.number(f'{before}"{card.value}":') for before, card in zip(opening, DISTANCES, strict=True)
        ]
        where["safeties"], where["coups"] = pieces.number('},"safeties":['), pieces.number('],"coups_fourres":[')
        where["safety"] = [pieces.number(f'"{safety.value}"') for safety in SAFETIES]
        for status in range(Side.STATUS_MASK + 1):
            side = Tableau(status)
            told = {"moving": side.is_moving, "under": side.under, "limited": side.is_limited}
            where["status"][status] = pieces.number(b"]," + _encode(told)[1:])

    def lines(self, number: int, follower: Follower, moves: Sequence[str]) -> bytes:
        """The lines, with their ends, of the decisions ``moves`` of hand ``number`` (from 1), just followed."""
        head = b'{"hand":%d,"ply":' % number
        wanted = min(len(moves), MOST_MOVES) * (self._longest + len(head))
        if len(self._out) < wanted:
            self._out = np.empty(wanted, np.uint8)
        size = print_decisions(
            self._out,
            np.frombuffer(head, np.uint8),
            self._size,
            follower.small,
            follower.hands,
            follower.sides,
            follower.words,
            np.array([self._moves[move] for move in moves], np.uint16),
            self._text,
            self._starts,
            self._where,
        )
        return self._out[:size].tobytes()


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
    for piece in replay_pieces(lines, where):
        yield from piece.splitlines(keepends=True)


def replay_pieces(lines: BinaryIO | Iterable[str | bytes], where: str = "transcript") -> Iterator[bytes]:
    """`replay_lines` in pieces of several whole lines, which is quicker."""
    referee: Referee | None = None
    for record in read_records(lines, where, extras=False):
        if isinstance(record, Header):
            referee = Referee(record)
            writer = DecisionWriter(record.rules)
            continue
        assert referee is not None  # the first record is a header
        if isinstance(record, RecordedHand):
            played = referee.follow(record)
            yield writer.lines(record.number, referee.follower, record.moves[:played])
            referee.conclude(record, played)
            if referee.outcome is not None:
                yield outcome_line(record.number, referee.outcome)
        else:
            referee.check_result(record)
    assert referee is not None  # an empty file is an error already
    yield totals_line(referee)
