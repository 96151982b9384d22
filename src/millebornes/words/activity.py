"""The activity log of a table for one viewer, line by line, in the words of the plain game."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, get_args

import msgspec

from millebornes.editions import Rules, make_rules
from millebornes.game import Hand
from millebornes.i18n import N_
from millebornes.roster import ROSTER
from millebornes.schema.api import Event, Wish
from millebornes.table.messages import PHRASES, Message
from millebornes.table.state import TableState
from millebornes.words.editions import terms_text, with_swap
from millebornes.words.narration import Narration, Narrator, heard
from millebornes.words.participants import Participants, with_computer_names
from millebornes.words.words import TableWords, Words

REQUESTS: Final[dict[Wish, tuple[str, str]]] = {
    "undo": (N_("You ask to take your move back."), N_("{name} asks to take a move back.")),
    "end": (
        N_("You propose to end the match without a winner."),
        N_("{name} proposes to end the match without a winner."),
    ),
    "resign": (N_("You propose to resign."), N_("{name} proposes to resign.")),
}
"""The requests that need the other players' consent, for the person who makes one and for the others."""

ALL_AGREED: Final = N_("You all agree to end the match. Nobody wins it.")

_LINES: Final[dict[str, tuple[str, str] | None]] = {
    str(kind.__struct_config__.tag): kind.lines for kind in get_args(Event)
} | {
    "freed": ("", N_("{name} has left; the seat is free again.")),
    "sent_away": (
        N_("You were away, so the computer is playing for you."),
        N_("The computer is playing for {name}."),
    ),
}
"""What people do besides playing, for the person who does it and for the others."""


def line_of(event: str, *, is_own: bool) -> str:
    """Return the English text of what a person does, for the person or for the others. See `_LINES`."""
    texts = _LINES[event]
    assert texts is not None
    return texts[0 if is_own else 1]


class LogLine(NamedTuple):
    """A line in the log, with the version at which it appeared. ``side`` is who moved or wrote, or None."""

    version: int
    kind: str
    text: str
    side: int | None = None


def words_at(state: TableState, words: Words) -> TableWords:
    """Return words with the names at the table. Open seats have numbers, and computer players have people's names."""
    levels = [place if place in ROSTER else "" for place in state.places]
    names = with_computer_names([name or "" for name in state.shown_names], levels)
    return words.at(Participants(state.rules, names, state.humans, words.translate, levels))


def activity_lines(state: TableState, viewer: int | None, words: Words) -> list[LogLine]:
    """Return the lines that a viewer may read about this hand and the previous one, without any passes (R5.5)."""
    return list(_Telling(state, viewer, words).lines())


class _Telling:
    def __init__(self, state: TableState, viewer: int | None, words: Words) -> None:
        self._state = state
        self._viewer = viewer
        self._words = words_at(state, words)
        self._participants = self._words.participants
        self._narrator = Narrator(self._words)
        self._moments: tuple[Hand, ...] = ()
        self._over = 0
        """The ply up to which missed turns have been described."""
        self._freed = _freed(state)

    def lines(self) -> Iterator[LogLine]:
        messages = list(self._state.messages)
        latest_match = max((n for n, message in enumerate(messages) if message.event == "hello"), default=-1)
        for n, message in enumerate(messages):
            data = _data_of(message)
            side = self._state.rules.side_of(data["seat"]) if data and message.event in {"moved", "chat"} else None
            for text in self._texts(message, data, is_past=n < latest_match):
                yield LogLine(message.version, _kind_of(message.event, data), text, side)

    def _texts(self, message: Message, data: dict[str, Any], is_past: bool) -> Sequence[str]:
        match, moments, ply = self._state.match, self._moments, message.ply
        # A pass that was taken back leaves messages about a moment that the hand hasn't reached again.
        then = moments[ply] if ply is not None and ply < len(moments) else None
        match message.event:
            case "hand" if not is_past and match is not None:
                hand = match.hands[data["number"] - 1]
                self._moments, self._over = hand.moments, 0
                return self._heard(self._narrator.hand_begins(hand, data["number"]))
            case "moved" if then is not None:
                return self._heard(*self._narrator.move(then))
            case "drew" | "choose" if then is not None:
                return self._passed_over(then)
            case "hand_over" if then is not None:
                return self._heard(self._narrator.hand_over(then))
            case "match_over" if not is_past:
                return self._result()
            case _:
                return self._around(message.event, data, message.version)

    def _passed_over(self, hand: Hand) -> Sequence[str]:
        """Describe once, when the next turn begins, which seats miss a turn because they have no cards (R2.6)."""
        if hand.ply <= self._over:
            return ()
        self._over = hand.ply
        return self._heard(*self._narrator.passed_over(hand))

    def _heard(self, *events: Narration) -> Sequence[str]:
        return heard(events, self._viewer)

    def _result(self) -> Sequence[str]:
        loss, ended, _ = self._state.loss, self._state.ended, self._words.translate
        if self._state.match is None:
            return ()
        if ended is not None and ended.what == "end":
            return [_(ALL_AGREED)]
        forfeit = () if loss is None else (self._narrator.forfeit(loss),)
        return self._heard(*forfeit, self._narrator.result(self._state.winner, loss))

    def _around(self, event: str, data: dict[str, Any], version: int) -> Sequence[str]:
        """Describe what people do besides playing. Here, a person who has given up a seat keeps their name."""
        _, seat = self._words.translate, data.get("seat", -1)
        is_past = version <= self._freed.get(seat, 0)
        is_own = seat == self._viewer and not is_past
        terms = ""
        match event:
            case "swapped":
                return [self._swapped(data, is_past)]
            case "chat":
                name = data["name"] if is_past else self._participants.seat(seat, self._viewer)
                phrase = PHRASES.get(data.get("phrase", ""))
                text = data["text"] if phrase is None else _(phrase)
                return [_("{head}: {text}").format(head=name, text=text)]
            case "shuffle":
                return [_("Hand {number} is being shuffled.").format(number=data["hand"])]
            case "left" if data.keys() & {"free", "by"}:
                event = "freed" if "free" in data else "sent_away"
            case "proposed":
                swap = data.get("swap", ())
                pair = self._participants.pair(swap[0], swap[1], self._viewer) if swap else ""
                terms = with_swap(terms_text(self._proposed(data["rules"]), data["match_target"], _), pair, _)
        texts = REQUESTS[data["what"]] if event == "requested" else _LINES.get(event)
        if texts is None:
            return ()
        text = texts[0] if is_own else texts[1]
        return [_(text).format(name=data["name"] if is_past else self._participants.seat(seat), terms=terms)]

    def _proposed(self, settings: dict[str, Any]) -> Rules:
        """Return the rules in a message. A rematch has as many seats and sides as the match before it."""
        rules = self._state.rules
        return make_rules(settings.pop("edition"), rules.seats, rules.sides, settings)

    def _swapped(self, data: dict[str, Any], is_past: bool) -> str:
        """Describe who has changed places. The viewer comes last. Open seats aren't named."""
        _, seats = self._words.translate, [(data["seat"], data["name"]), (data["other"], data["other_name"])]
        people = sorted(
            (seat == self._viewer and not is_past, name if is_past else self._participants.seat(seat))
            for seat, name in seats
            if name is not None
        )
        (is_own, name), first = people[-1], people[0][1]
        if len(people) == 1:
            return _("You change seats.") if is_own else _("{name} changes seats.").format(name=name)
        both = _("You and {name} swap seats.") if is_own else _("{other} and {name} swap seats.")
        return both.format(name=first, other=name)


def _data_of(message: Message) -> dict[str, Any]:
    data: dict[str, Any] = {} if message.public is None else msgspec.json.decode(message.public)
    return data


def _kind_of(event: str, data: dict[str, Any]) -> str:
    if event != "moved" or not data:
        return event
    move = str(data["move"])
    if move.endswith("!"):
        return "coup"
    return "discarded" if move.startswith("-") else "hit" if ">" in move else "drove" if move.isdigit() else "moved"


def _freed(state: TableState) -> dict[int, int]:
    """Return, for each seat, the version until which another person had it, before it was last freed or swapped."""
    freed: dict[int, int] = {}
    for message in state.messages:
        data = _data_of(message) if message.event in {"left", "swapped"} else {}
        if message.event == "swapped":
            # The line that reports the change already uses the new names.
            freed |= dict.fromkeys((data["seat"], data["other"]), message.version - 1)
        elif "free" in data:
            freed[data["seat"]] = message.version
    return freed
