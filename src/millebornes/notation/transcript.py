"""What a transcript holds: the match's header, the hands, the result; each read from its JSON object."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Final

from millebornes.cards import Card
from millebornes.editions import EDITIONS, Rules, make_rules
from millebornes.editions.fields import suggestion
from millebornes.errors import EditionError, NotationError
from millebornes.game import DEFAULT_TARGET, check_deck, check_target
from millebornes.notation.lines import Place, read_objects, show

__all__ = ["FORMAT", "HAND_KEYS", "HEADER_KEYS", "Header", "RecordedHand", "RecordedResult", "read_records"]

FORMAT: Final = "millebornes/1"
"""Name and number of the transcript format."""

MAX_KEY: Final = 100

HEADER_KEYS: Final = ("format", "edition", "seats", "sides", "set", "players", "match_target")
HAND_KEYS: Final = ("hand", "first", "deck", "moves", "scores", "info")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Header:
    """The first line: what is played. ``players`` is empty where none are named; ``extra`` holds unknown keys."""

    place: Place
    rules: Rules
    players: tuple[str, ...] = ()
    match_target: int | None = DEFAULT_TARGET
    extra: Mapping[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RecordedHand:
    """A line of a hand. ``moves`` and ``scores`` are as recorded, still unchecked; ``info`` is by ply (from 0)."""

    place: Place
    number: int
    first: int
    deck: tuple[Card, ...]
    moves: list[Any]
    scores: Any = None
    has_scores: bool = False
    info: Mapping[int, Any]
    extra: Mapping[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RecordedResult:
    """The last line: ``totals`` in points by side and the winning side (None for a draw), still unchecked."""

    place: Place
    totals: list[int]
    winner: int | None
    extra: Mapping[str, Any]


def read_records(
    lines: BinaryIO | Iterable[str | bytes], where: str = "transcript", *, extras: bool = True
) -> Iterator[Header | RecordedHand | RecordedResult]:
    """The records of a transcript in order, the header first, each checked for itself.

    ``where`` names the file in errors. That moves are legal, and that hands and scores follow from each other, is what
    `millebornes.notation.referee` checks. Where ``extras`` is False, unknown keys and what was said about moves are
    checked but let go, so that they take no memory. Raises `TranscriptError`.
    """
    rules: Rules | None = None
    for place, data in read_objects(lines, where):
        record: Header | RecordedHand | RecordedResult
        if rules is None:
            record = _read_header(place, data)
            rules = record.rules
        elif "result" in data:
            record = _read_result(place, data, rules)
        elif "hand" in data:
            record = _read_hand(place, data, rules)
        else:
            key = "format" if "format" in data else next(iter(data), None)
            what = "an empty object" if key is None else f"an object with {show(key)}"
            raise place.fault(f'{what} is neither a hand (with "hand") nor the result (with "result")')
        del data
        if not extras:
            record = _without_extras(record)
        yield record


def _without_extras(record: Header | RecordedHand | RecordedResult) -> Header | RecordedHand | RecordedResult:
    if isinstance(record, RecordedHand):
        return dataclasses.replace(record, extra={}, info={}) if record.extra or record.info else record
    return dataclasses.replace(record, extra={}) if record.extra else record


def _need(place: Place, data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise place.fault(f"{key} is missing")
    return data[key]


def _whole(place: Place, name: str, value: Any, low: int, high: int, clause: str = "") -> int:
    if type(value) is not int or not low <= value <= high:
        raise place.wrong(name, value, f"a whole number from {low} to {high}{clause}")
    return value


def _extra(data: Mapping[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in known}


# ---------------------------------------------------------------- the header


def _read_header(place: Place, data: Mapping[str, Any]) -> Header:
    if "format" not in data:
        raise place.fault(f'no transcript: the first line must say "format":"{FORMAT}"')
    name = data["format"]
    if name != FORMAT:
        newer = isinstance(name, str) and name.startswith("millebornes/")
        why = "this version of the program knows only" if newer else "a transcript's is"
        raise place.fault(f'format: {show(name)} cannot be read; {why} "{FORMAT}"')
    try:
        rules = _read_rules(place, data)
        target = _read_target(place, data)
    except (EditionError, NotationError) as error:
        raise place.fault(str(error)) from None
    except RecursionError:
        raise place.fault("set: nested too deeply for a setting (R9)") from None
    players: Any = []
    if "players" in data:
        players = data["players"]
        if (
            not isinstance(players, list)
            or len(players) != rules.seats
            or any(type(name) is not str for name in players)
        ):
            raise place.wrong("players", players, f"a list of {rules.seats} names, one for each seat")
    extra = _extra(data, HEADER_KEYS)
    return Header(place=place, rules=rules, players=tuple(players), match_target=target, extra=extra)


def _read_target(place: Place, data: Mapping[str, Any]) -> int | None:
    target = data.get("match_target", DEFAULT_TARGET)
    if target is not None and type(target) is not int:
        raise place.wrong("match_target", target, "a whole number, or null for single hands")
    return check_target(target)


def _read_rules(place: Place, data: Mapping[str, Any]) -> Rules:
    edition = _need(place, data, "edition")
    seats = _need(place, data, "seats")
    sides = _need(place, data, "sides")
    if edition is not None and (not isinstance(edition, str) or edition not in EDITIONS):
        hint = suggestion(edition, list(EDITIONS)) if isinstance(edition, str) and len(edition) < 100 else ""
        raise place.fault(
            f"edition: there is no {show(edition)}{hint}; "
            f"the editions are {', '.join(EDITIONS)}, and null for one of one's own (R9)"
        )
    for name, value in (("seats", seats), ("sides", sides)):
        if type(value) is not int:
            raise place.wrong(name, value, "a whole number (R2.2)")
    settings = data.get("set", {})
    if not isinstance(settings, dict):
        raise place.wrong("set", settings, "an object of settings (R9)")
    for key in (*settings, *(settings["deck"] if isinstance(settings.get("deck"), dict) else ())):
        if len(key) > MAX_KEY:
            raise place.fault(f"set: there is no setting or card {show(key)} (R9)")
    if settings.get("extension_goal") == "none":
        raise place.fault('extension_goal: "none" is null in a transcript')
    try:
        return make_rules(edition, seats, sides, settings)
    except EditionError as error:
        raise place.fault(f"{error} (R9)") from None


# ---------------------------------------------------------------- a hand


def _read_hand(place: Place, data: Mapping[str, Any], rules: Rules) -> RecordedHand:
    number = _whole(place, "hand", data["hand"], 1, 10**9)
    place = dataclasses.replace(place, hand=number)
    first = _whole(place, "first", _need(place, data, "first"), 0, rules.seats - 1, " (R2.1)")
    deck = _need(place, data, "deck")
    if not isinstance(deck, list):
        raise place.wrong("deck", deck, "the list of all cards in drawing order")
    for i, card in enumerate(deck):
        if type(card) is not str or card not in _CARDS:
            raise place.fault(f"deck: {show(card)} at place {i} is no card (R1)")
    try:
        cards = check_deck(rules, deck)
    except NotationError as error:
        raise place.fault(f"deck: {error} (R1)") from None
    moves = _need(place, data, "moves")
    if not isinstance(moves, list):
        raise place.wrong("moves", moves, "a list of moves")
    return RecordedHand(
        place=place,
        number=number,
        first=first,
        deck=cards,
        moves=moves,
        scores=data.get("scores"),
        has_scores="scores" in data,
        info=_read_info(place, data["info"], len(moves)) if "info" in data else {},
        extra=_extra(data, HAND_KEYS),
    )


_CARDS: Final = frozenset(card.value for card in Card)


def _read_info(place: Place, data: Any, moves: int) -> dict[int, Any]:
    if not isinstance(data, dict):
        raise place.wrong("info", data, 'an object such as {"17":{…}}')
    info = {}
    for key, value in data.items():
        number = int(key) if key.isascii() and key.isdigit() and len(key) < 10 else -1
        if not 0 <= number < moves or str(number) != key:
            raise place.fault(f"info: {show(key)} is the number of no move of this hand, which has {moves} (from 0)")
        if not isinstance(value, dict):
            raise place.fault(f"info: {show(value)} for move {key} is not allowed; it must be an object")
        info[number] = value
    return info


# ---------------------------------------------------------------- the result


def _read_result(place: Place, data: Mapping[str, Any], rules: Rules) -> RecordedResult:
    if "hand" in data:
        raise place.fault("a hand and the result stand on one line; each has a line of its own")
    result = data["result"]
    if not isinstance(result, dict):
        raise place.wrong("result", result, 'an object with "totals" and "winner"')
    totals = _need(place, result, "totals")
    if not isinstance(totals, list) or len(totals) != rules.sides or any(type(total) is not int for total in totals):
        raise place.wrong("totals", totals, f"a list of {rules.sides} whole numbers, one for each side")
    winner = _need(place, result, "winner")
    if winner is not None and (type(winner) is not int or not 0 <= winner < rules.sides):
        raise place.wrong("winner", winner, f"a side from 0 to {rules.sides - 1}, or null for a draw")
    return RecordedResult(place=place, totals=totals, winner=winner, extra=_extra(data, ("result",)))
