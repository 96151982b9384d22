"""Write matches as transcripts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from millebornes.editions import EDITIONS, Rules
from millebornes.errors import NotationError
from millebornes.game import Hand, Match
from millebornes.schema import FORMAT
from millebornes.schema.reading import field_names
from millebornes.schema.transcript import HandLine, HeaderLine, ResultLine, ResultObject


def transcript_lines(
    match: Match,
    extra: Mapping[str, Any] | None = None,
    info: Sequence[Mapping[int, Any]] = (),
    hand_extra: Sequence[Mapping[str, Any]] = (),
) -> Iterator[str]:
    """Yield the transcript of a match line by line, without line breaks: the header, each hand, and any final result.

    ``extra`` contains additional keys for the header (such as ``save``). ``info`` and ``hand_extra`` have an entry for
    each hand, as in `millebornes.notation.reader.Transcript`. Raises `NotationError` if one of these keys belongs to
    the format itself, or if JSON can't represent a value.
    """
    yield header_line(match.rules, match.players, match.match_target, extra)
    for i, hand in enumerate(match.hands):
        yield hand_line(hand, i + 1, info[i] if i < len(info) else None, hand_extra[i] if i < len(hand_extra) else None)
    if match.is_over:
        yield result_line(match.totals, match.winner)


def header_line(
    rules: Rules, players: Sequence[str] = (), match_target: int | None = None, extra: Mapping[str, Any] | None = None
) -> str:
    """Return the first line of a transcript.

    Its key ``set`` contains the differences from the edition, or every setting of a custom edition.
    """
    line = HeaderLine(
        format=FORMAT,
        edition=rules.edition if rules.edition in EDITIONS else None,
        seats=rules.seats,
        sides=rules.sides,
        set=rules.changes() or UNSET,
        players=tuple(players) or UNSET,
        match_target=match_target,
    )
    return _line(line, extra)


def hand_line(
    hand: Hand, number: int, info: Mapping[int, Any] | None = None, extra: Mapping[str, Any] | None = None
) -> str:
    """Return the line of a hand, including its scores if the hand is over. ``number`` counts from 1."""
    line = HandLine(
        hand=number,
        first=hand.first,
        deck=hand.at(0).deck,
        moves=[move.text for move in hand.moves],
        scores=tuple([sheet.to_object() for sheet in hand.scores]) if hand.is_over else UNSET,
        info={str(ply): said for ply, said in sorted(info.items())} if info else UNSET,
    )
    return _line(line, extra, "result")


def result_line(totals: Sequence[int], winner: int | None) -> str:
    """Return the last line of a match that is over: the points of each side, and the winner (None for a draw)."""
    return _line(ResultLine(result=ResultObject(totals=tuple(totals), winner=winner)))


def _line(line: HeaderLine | HandLine | ResultLine, extra: Mapping[str, Any] | None = None, *reserved: str) -> str:
    for key in extra or ():
        if key in {*field_names(type(line)), *reserved}:
            raise NotationError(f"{key!r} is a key of the transcript format itself and cannot be added")
    try:
        data = {**msgspec.to_builtins(line), **(extra or {})}
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise NotationError(f"cannot be written as JSON: {error}") from None
    return text
