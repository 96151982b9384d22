"""Read the parts of a transcript from their JSON objects: the header, the hands and the result."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Final

from msgspec import UNSET

from millebornes.cards import Card
from millebornes.editions import EDITIONS, Rules, make_rules
from millebornes.editions.fields import suggestion
from millebornes.errors import EditionError, NotationError
from millebornes.game import DEFAULT_TARGET, check_deck, check_target
from millebornes.notation.lines import TranscriptPlace, read_objects
from millebornes.schema import FORMAT
from millebornes.schema.fields import MAX_NUMBER
from millebornes.schema.reading import check_number, check_numbers, other_fields, read
from millebornes.schema.strict import show
from millebornes.schema.transcript import HandLine, HeaderLine, ResultLine, ScoreObject

MAX_KEY: Final = 100


@dataclasses.dataclass(frozen=True, kw_only=True)
class Header:
    """The first line of a transcript, with the rules and the players.

    ``players`` is empty if the players have no names. ``extra`` contains the unknown keys.
    """

    place: TranscriptPlace
    rules: Rules
    players: tuple[str, ...] = ()
    match_target: int | None = DEFAULT_TARGET
    extra: Mapping[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RecordedHand:
    """The line of a hand in a transcript.

    ``moves`` and ``scores`` are as recorded and haven't been checked yet. ``info`` contains the notes on moves by ply,
    counted from 0.
    """

    place: TranscriptPlace
    number: int
    first: int
    deck: tuple[Card, ...]
    moves: list[Any]
    scores: tuple[ScoreObject, ...] | None
    """The score sheets of the sides, or None if the transcript has no scores for this hand."""
    info: Mapping[int, Any]
    extra: Mapping[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RecordedResult:
    """The last line of a transcript, not yet checked: the points of each side, and the winner (None for a draw)."""

    place: TranscriptPlace
    totals: tuple[int, ...]
    winner: int | None


def read_records(
    lines: BinaryIO | Iterable[str | bytes], where: str = "transcript"
) -> tuple[Header, Iterator[RecordedHand | RecordedResult]]:
    """Return the header of a transcript, and its other records in order. Each record is checked separately.

    ``where`` is the name of the file for error messages. `millebornes.notation.referee` checks that the moves are
    legal, and that the hands and scores follow from each other. Raises `TranscriptError`.
    """
    objects = read_objects(lines, where)
    header = _read_header(*next(objects))
    return header, (_read_record(place, data, header.rules) for place, data in objects)


def _read_record(place: TranscriptPlace, data: Mapping[str, Any], rules: Rules) -> RecordedHand | RecordedResult:
    if "result" in data:
        return _read_result(place, data, rules)
    if "hand" in data:
        return _read_hand(place, data, rules)
    key = "format" if "format" in data else next(iter(data), None)
    what = "an empty object" if key is None else f"an object with {show(key)}"
    raise place.fault(f'{what} needs the key "hand" or "result"')


# ---------------------------------------------------------------- the header


def _read_header(place: TranscriptPlace, data: Mapping[str, Any]) -> Header:
    if "format" not in data:
        raise place.fault(f'not a transcript: the first line must contain "format":"{FORMAT}"')
    name = data["format"]
    if name != FORMAT:
        newer = isinstance(name, str) and name.startswith("millebornes/")
        why = "this version of the program knows only" if newer else "a transcript has the format"
        raise place.fault(f'format: {show(name)} cannot be read; {why} "{FORMAT}"')
    line = read(HeaderLine, data, fault=place.fault)
    try:
        rules = _read_rules(place, line)
        target = check_target(DEFAULT_TARGET if line.match_target is UNSET else line.match_target)
    except (EditionError, NotationError) as error:
        raise place.fault(str(error)) from None
    except RecursionError:
        raise place.fault("set: nested too deeply for a setting (R9)") from None
    players = None if line.players is UNSET else line.players
    if players is not None and len(players) != rules.seats:
        raise place.wrong("players", list(players), f"a list of {rules.seats} names, one for each seat")
    extra = other_fields(HeaderLine, data)
    return Header(place=place, rules=rules, players=players or (), match_target=target, extra=extra)


def _read_rules(place: TranscriptPlace, line: HeaderLine) -> Rules:
    edition, settings = line.edition, {} if line.set is UNSET else line.set
    if edition is not None and edition not in EDITIONS:
        hint = suggestion(edition, list(EDITIONS)) if len(edition) < 100 else ""
        raise place.fault(
            f"edition: there is no {show(edition)}{hint}; "
            f"the editions are {', '.join(EDITIONS)}, and null for a custom one (R9)"
        )
    for key in (*settings, *(settings["deck"] if isinstance(settings.get("deck"), dict) else ())):
        if len(key) > MAX_KEY:
            raise place.fault(f"set: there is no setting or card {show(key)} (R9)")
    if settings.get("extension_goal") == "none":
        raise place.fault('extension_goal: in a transcript, write null instead of "none"')
    try:
        return make_rules(edition, line.seats, line.sides, settings)
    except EditionError as error:
        raise place.fault(f"{error} (R9)") from None


# ---------------------------------------------------------------- a hand


def _read_hand(place: TranscriptPlace, data: Mapping[str, Any], rules: Rules) -> RecordedHand:
    number = data["hand"]
    if type(number) is int and 1 <= number <= MAX_NUMBER:
        place = dataclasses.replace(place, hand=number)
    line = read(HandLine, data, fault=place.fault)
    first = check_number("first", line.first, rules.seats - 1, fault=lambda text: place.fault(f"{text} (R2.1)"))
    try:
        cards = check_deck(rules, line.deck)
    except NotationError as error:
        raise place.fault(f"deck: {error} (R1)") from None
    return RecordedHand(
        place=place,
        number=line.hand,
        first=first,
        deck=cards,
        moves=line.moves,
        scores=None if line.scores is UNSET else line.scores,
        info={} if line.info is UNSET else _read_info(place, line.info, len(line.moves)),
        extra=other_fields(HandLine, data),
    )


def _read_info(place: TranscriptPlace, data: Mapping[str, Mapping[str, Any]], moves: int) -> dict[int, Any]:
    info = {}
    for key, value in data.items():
        number = int(key) if key.isascii() and key.isdigit() and len(key) < 10 else -1
        if not 0 <= number < moves or str(number) != key:
            raise place.fault(f"info: there is no move {show(key)} in this hand, which has {moves} (numbered from 0)")
        info[number] = value
    return info


# ---------------------------------------------------------------- the result


def _read_result(place: TranscriptPlace, data: Mapping[str, Any], rules: Rules) -> RecordedResult:
    if "hand" in data:
        raise place.fault("a hand and the result share a line; each needs its own line")
    result = read(ResultLine, data, fault=place.fault).result
    totals = check_numbers("totals", result.totals, rules.sides, "side", place.fault)
    if result.winner is not None and result.winner >= rules.sides:
        raise place.wrong("winner", result.winner, f"a side from 0 to {rules.sides - 1}, or null for a draw")
    return RecordedResult(place=place, totals=totals, winner=result.winner)
