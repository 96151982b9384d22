"""Read a decision that someone wants to analyse. The text may contain a view, a position or what a seat has seen."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from millebornes.analysis.analyst import Position, view_of
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, NotationError, TranscriptError
from millebornes.game import Hand, InformationState, Match, View
from millebornes.notation import read_view
from millebornes.notation.lines import read_objects
from millebornes.players.external.messages import read_information_state, read_rules
from millebornes.schema.strict import show

Situation = View | InformationState
RulesFor = Callable[[int, int], Rules]
"""A function that returns the rules for a number of seats and sides. It is used if a VIEW doesn't contain its rules."""

MAX_FILE: Final = 64 << 20
KINDS_BY_FIELDS: Final[dict[int, type[Hand] | type[View] | type[InformationState]]] = {
    9: Hand,
    12: View,
    7: InformationState,
}
FIELDS: Final = "fields separated by single spaces: 9 for a hand, 12 for a view, 7 for what a seat has seen"
KINDS: Final = (
    "a VIEW as JSON, the text of a position, a view or what a seat has seen (docs/positions.md), the messages of a "
    "host, or, with --at HAND:PLY, a transcript or a saved game"
)
BOM: Final = b"\xef\xbb\xbf"


def read_situation(data: bytes, where: str, rules_for: RulesFor) -> tuple[Situation, bool]:
    """Return the decision that a text describes, and whether the text contained its rules.

    Errors name the text as ``where``.

    The text can be a VIEW from the bot protocol (alone, or as the ``view`` in a ``choose`` message), all messages from
    a host since ``hello``, or a string for `View.parse`, `InformationState.parse` or `Hand.parse`. If it is a position
    with open cards, only the cards that the current player may see are used. Raises `MilleBornesError`, which names the
    text and the problem, for example that there is nothing to decide.
    """
    if not data.strip():
        raise NotationError(f"{where}: this is empty; give {KINDS}")
    if data.startswith(BOM):
        raise NotationError(f"{where}: this begins with a byte-order mark; use plain UTF-8 without one")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise NotationError(f"{where}: byte {error.start + 1} isn't UTF-8, so this isn't text; give {KINDS}") from None
    try:
        asked, has_rules = _read_json(data, where, rules_for) if text.lstrip()[0] in "{[" else (_read_text(text), True)
        return _checked(asked), has_rules
    except TranscriptError:
        raise  # the message already names the text
    except MilleBornesError as error:
        raise NotationError(f"{where}: {error}") from None


def read_position(text: str) -> Position:
    """Return the position in a text, which may be a hand, a view or an information state (docs/positions.md).

    Raises `NotationError`.
    """
    text = text.strip()
    fields = text.count(" ") + 1
    if fields not in KINDS_BY_FIELDS:
        raise NotationError(f"a position is one line of {FIELDS}; this has {fields}")
    return KINDS_BY_FIELDS[fields].parse(text)


def seen_at(match: Match, hand: int, ply: int) -> InformationState:
    """Return what a seat had seen when it decided at a ply (from 0) of a hand (from 1).

    If there was no decision at that point, raises `NotationError`, which lists the valid hands and plies.
    """
    hands = match.hands
    if not 1 <= hand <= len(hands):
        there = "only hand 1" if len(hands) == 1 else f"hands 1 to {len(hands)}"
        raise NotationError(f"hand {hand}: there is no such hand; the match has {there}")
    chosen = hands[hand - 1]
    last = chosen.ply if not chosen.is_over else chosen.ply - 1
    if not 0 <= ply <= last:
        why = ", after which it is over" if chosen.is_over else ", the last of which is still to be made"
        raise NotationError(f"hand {hand}, ply {ply}: there is no such decision; the hand has plies 0 to {last}{why}")
    moment = match.at(hand, ply)
    seat = moment.hand.seat
    assert seat is not None
    return InformationState.of_match(moment, seat)


# ---------------------------------------------------------------- the kinds of text


def _checked(asked: Situation) -> Situation:
    view = asked if isinstance(asked, View) else asked.view
    if view.phase.name == "OVER":
        raise NotationError("the hand is over, so there is nothing left to decide")
    if not view.legal_moves:
        whose = (
            "whose decision it is must stay hidden now (R5.5)"
            if view.mover is None
            else f"it is seat {view.mover}'s turn"
        )
        raise NotationError(f"seat {view.seat} has nothing to decide: {whose}")
    return asked


def _read_text(text: str) -> Situation:
    line = text.strip()
    if "\n" in line:
        raise NotationError(f"{len(line.splitlines())} lines that aren't JSON; give {KINDS}")
    fields = line.count(" ") + 1
    if fields not in KINDS_BY_FIELDS:
        raise NotationError(f"{show(line)} cannot be read: it needs {FIELDS}; this has {fields}. Give {KINDS}")
    position = read_position(line)
    return view_of(position) if isinstance(position, Hand) else position


def _read_json(data: bytes, where: str, rules_for: RulesFor) -> tuple[Situation, bool]:
    lines = data.strip(b" \t\r\n").splitlines(keepends=True)
    first = _object(data, where) if len(lines) > 1 else None
    objects = [first] if first is not None else [found for _place, found in read_objects(lines, where)]
    head = objects[0]
    if "format" in head:
        raise NotationError("this is a transcript or a saved game; choose a decision with --at HAND:PLY")
    if head.get("type") == "hello":
        return read_information_state(objects), True
    if len(objects) > 1:
        raise NotationError(
            f"{len(objects)} lines of JSON that begin with neither the header of a transcript nor a hello"
        )
    data_of_view = head.get("view") if head.get("type") == "choose" else head
    if not isinstance(data_of_view, Mapping):
        raise NotationError(f"view: {show(data_of_view)} isn't an object")
    seats, sides = _table_of(data_of_view)
    fields = data_of_view.get("rules", head.get("rules"))
    rules = rules_for(seats, sides) if fields is None else read_rules(fields, seats, sides)
    return read_view(data_of_view, rules), fields is not None


def _object(data: bytes, where: str) -> dict[str, Any] | None:
    """Return a single object spread over several lines, as people write it, or None if each line is an object."""
    try:
        return next(found for _place, found in read_objects([data.strip().replace(b"\n", b" ")], where))
    except TranscriptError:
        return None


def _table_of(data: Mapping[str, Any]) -> tuple[int, int]:
    if data.get("partial") is not True:
        return _length(data, "hand_sizes"), _length(data, "sides")
    shown = {key: _length(data, key) for key in ("hand_sizes", "sides") if key in data}
    seats = shown.get("hand_sizes", shown.get("sides", 2))
    return seats, shown.get("sides", seats)


def _length(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    if value is None:
        raise NotationError(f"{key} is missing; a VIEW needs it (docs/formats.md, bot protocol)")
    if not isinstance(value, list) or not 2 <= len(value) <= 8:
        raise NotationError(f"{key}: {show(value)} is not allowed; it must be a list with 2 to 8 entries")
    return len(value)
