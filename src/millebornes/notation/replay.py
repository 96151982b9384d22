"""Write the output of ``millebornes replay --json``: all decisions of a transcript, assembled from pieces of JSON."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Phase, Tableau
from millebornes.notation.referee import Referee
from millebornes.rules.moves import move_codes
from millebornes.rules.replay import HandReplayer
from millebornes.schema.transcript import OutcomeLine, TotalsLine

KEPT: Final = 20_000
"""The maximum number of cached strings of each kind, so that a long transcript doesn't fill the memory."""

_encode: Final = msgspec.json.encode


class _Texts(dict[int, str]):
    """A cache of recently used strings, by the words from which they were written."""

    def __init__(self, write: Callable[[int], str]) -> None:
        super().__init__()
        self._write: Final = write

    def __missing__(self, word: int) -> str:
        if len(self) >= KEPT:
            self.clear()
        self[word] = text = self._write(word)
        return text


class _Field(NamedTuple):
    place: int
    mask: int
    texts: list[str]


def _listing(fields: Sequence[_Field]) -> Callable[[int], str]:
    """Return a function that writes the fields of a word, in three parts of which most are found in the cache."""
    size = len(fields) // 3 + 1
    (first, one), (second, two), (third, three) = (_part(fields[n * size : (n + 1) * size]) for n in range(3))
    return lambda word: (one[word & first] + two[word & second] + three[word & third])[1:]


def _part(fields: Sequence[_Field]) -> tuple[int, _Texts]:
    def write(word: int) -> str:
        return "".join([texts[word >> place & mask] for place, mask, texts in fields])

    return sum(mask << place for place, mask, _texts in fields), _Texts(write)


class _DecisionWriter:
    def __init__(self, rules: Rules) -> None:
        self._rules: Final = rules
        self._phases: Final = [f',"phase":"{phase.name.lower()}","seat":' for phase in Phase]
        cards = [(3 * card.index, f',"{card.value}"') for card in sorted(Card)]
        self._hands: Final = _listing([_Field(place, 7, [text * n for n in range(8)]) for place, text in cards])
        self._sides: Final = _Texts(lambda word: _encode(Tableau(word).to_object()).decode())
        self._moves: Final = [
            _listing([_Field(code, 1, ["", f',"{text}"']) for text, code in sorted(move_codes(rules, side).items())])
            for side in range(rules.sides)
        ]

    def lines(self, number: int, replayer: HandReplayer, moves: Sequence[str]) -> bytes:
        """Return a line with a line break for each decision of ``moves`` in hand ``number``, counted from 1.

        ``replayer`` must have just followed this hand.
        """
        count = len(moves)
        phases, cards, legal_texts = self._phases, self._rules.cards, self._moves
        followed = zip(
            range(count),
            moves,
            *replayer.small[:count].T.tolist(),
            _rows(self._hands, replayer.hands[:count], "],["),
            _rows(self._sides.__getitem__, replayer.sides[:count], ","),
            _long_words(replayer.words[:count]),
            strict=True,
        )
        sides = self._rules.sides
        return "".join(
            [
                f'{{"hand":{number},"ply":{ply}{phases[phase]}{seat},"hands":[[{hands}]],"draw_pile":{cards - drawn}'
                f',"sides":[{tableaux}],"legal":[{legal_texts[seat % sides](legal)}],"move":"{move}"}}\n'
                for ply, move, phase, seat, drawn, hands, tableaux, legal in followed
            ]
        ).encode()


def _rows(write: Callable[[int], str], words: npt.NDArray[np.uint64], between: str) -> Iterable[str]:
    texts = map(write, words.ravel().tolist())
    return map(between.join, zip(*[texts] * words.shape[1], strict=True))


def _long_words(words: npt.NDArray[np.uint64]) -> list[int]:
    """Return each row of 64-bit words as a single integer, with the first word in the lowest bits."""
    long: list[int] = words[:, 0].tolist()
    for n in range(1, words.shape[1]):
        long = [low | high << 64 * n for low, high in zip(long, words[:, n].tolist(), strict=True)]
    return long


def replay_lines(lines: BinaryIO | Iterable[str | bytes], where: str = "transcript") -> Iterator[bytes]:
    """Check a transcript and yield its replay line by line, including line breaks, in bounded memory.

    Raises `TranscriptError` at the first error. All lines yielded before the error are valid.
    """
    for piece in replay_pieces(lines, where):
        yield from piece.splitlines(keepends=True)


def replay_pieces(lines: BinaryIO | Iterable[str | bytes], where: str = "transcript") -> Iterator[bytes]:
    """Yield the same text as `replay_lines`, but several whole lines at a time, which is faster."""
    referee = Referee(lines, where)
    writer = _DecisionWriter(referee.rules)
    for hand in referee.hands():
        yield writer.lines(hand.number, referee.replayer, hand.moves[: referee.played])
        referee.conclude()
        outcome = referee.outcome
        if outcome is not None:
            scores = tuple([sheet.to_object() for sheet in outcome.scores])
            line = OutcomeLine(
                hand=hand.number, completed_by=outcome.completed_by, extended=outcome.extended, scores=scores
            )
            yield _encode(line) + b"\n"
    yield _encode(TotalsLine(totals=referee.standing.totals, winner=referee.winner)) + b"\n"
