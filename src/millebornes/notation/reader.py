"""Read complete transcripts as matches."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

from millebornes.game import Hand, Match
from millebornes.notation.referee import Referee
from millebornes.notation.transcript import RecordedHand


@dataclasses.dataclass(frozen=True)
class Transcript:
    """A match read from a transcript, together with everything else that the transcript contains.

    ``extra`` contains the unknown keys of the header (such as ``save`` in a saved game). ``info`` and ``hand_extra``
    have an entry for each hand: the notes on its moves by ply (from 0), and its unknown keys.
    """

    match: Match
    extra: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    info: tuple[Mapping[int, Any], ...] = ()
    hand_extra: tuple[Mapping[str, Any], ...] = ()


def read_match(lines: BinaryIO | Iterable[str | bytes], where: str = "transcript") -> Match:
    """Return the match recorded in a transcript, with all its hands.

    ``where`` is the name of the file for error messages. ``lines`` is a binary stream or an iterable of lines as
    strings or bytes. The match has no seed. To play more hands, set a seed (``dataclasses.replace(match, seed=…)``) or
    pass a deck. Raises `TranscriptError` if the transcript is malformed, records something impossible, or contains no
    hand.
    """
    return read_transcript(lines, where).match


def read_transcript(lines: BinaryIO | Iterable[str | bytes], where: str = "transcript") -> Transcript:
    """Return the match that `read_match` returns, together with everything else in the transcript."""
    referee = Referee(lines, where)
    hands: list[Hand] = []
    records: list[RecordedHand] = []
    for record in referee.hands():
        referee.conclude()
        hands.append(Hand.from_deck(referee.rules, record.deck, record.first).play_all(record.moves))
        records.append(record)
    header = referee.header
    if not hands:
        raise header.place.fault("the transcript contains no hands")
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
    )
