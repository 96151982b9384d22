"""Read whole transcripts into matches."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

from millebornes.game import Hand, Match
from millebornes.notation.lines import TranscriptPlace
from millebornes.notation.referee import Referee
from millebornes.notation.transcript import Header, RecordedHand, read_records

__all__ = ["Transcript", "read_match", "read_transcript"]


@dataclasses.dataclass(frozen=True)
class Transcript:
    """A match read from a transcript, and everything else the transcript contains.

    ``extra`` holds the header's unknown keys (such as the ``save`` of a saved game). ``info`` and ``hand_extra`` have
    an entry for each hand: the notes on its moves (by ply, from 0), and its unknown keys. ``has_result`` is true if the
    transcript ends with a result.
    """

    match: Match
    extra: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    info: tuple[Mapping[int, Any], ...] = ()
    hand_extra: tuple[Mapping[str, Any], ...] = ()
    has_result: bool = False


def read_match(lines: BinaryIO | Iterable[str | bytes], where: str = "transcript") -> Match:
    """Return the match that a transcript records, with all its hands. ``where`` names the file in errors.

    ``lines`` is a binary stream or any lines of text or bytes. The match has no seed, so further hands need one
    (``dataclasses.replace(match, seed=…)``) or a deck. Raises `TranscriptError` if the transcript is malformed, records
    something impossible, or contains no hand.
    """
    return read_transcript(lines, where).match


def read_transcript(lines: BinaryIO | Iterable[str | bytes], where: str = "transcript") -> Transcript:
    """Return the match that `read_match` would return, and everything else in the transcript."""
    referee: Referee | None = None
    hands: list[Hand] = []
    records: list[RecordedHand] = []
    has_result = False
    for record in read_records(lines, where):
        if isinstance(record, Header):
            referee = Referee(record)
            continue
        assert referee is not None  # the first record is a header
        if isinstance(record, RecordedHand):
            for _ in referee.play(record):
                pass
            hands.append(Hand.from_deck(referee.rules, record.deck, record.first).play_all(record.moves))
            records.append(record)
        else:
            referee.check_result(record)
            has_result = True
    assert referee is not None  # an empty file has raised an error already
    header = referee.header
    if not hands:
        raise TranscriptPlace(where, header.place.line).fault("the transcript contains no hands")
    match = Match(
        header.rules,
        hands[-1],
        finished=tuple(hands[:-1]),
        players=header.players,
        match_target=header.match_target,
    )
    return Transcript(
        match,
        header.extra,
        tuple(record.info for record in records),
        tuple(record.extra for record in records),
        has_result,
    )
