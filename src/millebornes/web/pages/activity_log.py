"""The activity log of a table for one viewer, line by line, in the words of the plain game."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from millebornes.game import Action, Hand
from millebornes.i18n import N_
from millebornes.roster import ROSTER
from millebornes.schema.api import Wish
from millebornes.texts.narration import Narration, Narrator, heard
from millebornes.texts.participants import Participants, with_computer_names
from millebornes.web.pages.locale_text import Words, terms_text, with_swap
from millebornes.web.table.messages import PHRASES, Message
from millebornes.web.table.state import TableState

__all__ = ["REQUESTS", "LogLine", "activity_lines", "participants_of"]

REQUESTS: Final[dict[Wish, tuple[str, str]]] = {
    "undo": (N_("You ask to take your move back."), N_("{name} asks to take a move back.")),
    "end": (
        N_("You propose to end the match without a winner."),
        N_("{name} proposes to end the match without a winner."),
    ),
    "resign": (N_("You propose to resign."), N_("{name} proposes to resign.")),
}
"""The requests that need the other players' consent.

Each has one text for the person who makes it, and another for the others.
"""

_OF_SIDES: Final = frozenset(("moved", "chat"))
"""The types of message whose lines show the colour of a side."""


class LogLine(NamedTuple):
    """A line in the log, with the version of the table at which it appeared, its kind and its text.

    ``seat`` is the seat that wrote a chat message. For all other kinds of line, ``seat`` is None. ``side`` is the side
    that the line is about, or None if it is about the table.
    """

    version: int
    kind: str
    text: str
    seat: int | None = None
    side: int | None = None


def participants_of(state: TableState, words: Words) -> Participants:
    """Return the names at the table in a language. Open seats have numbers, and computer players have people's names.

    The API and the files use the names of the players themselves.
    """
    levels = [place if place in ROSTER else "" for place in state.places]
    names = with_computer_names([name or "" for name in state.shown_names], levels)
    return Participants(state.rules, names, state.humans, words.translate, levels)


def activity_lines(state: TableState, viewer: int | None, words: Words) -> list[LogLine]:
    """Return the lines that a viewer may read about this hand and the previous one, if the messages are still stored.

    Each line has the version of its message, so that a viewer who has read up to a version can see which lines are new.
    The lines don't mention passes on a coup fourré (R5.5).
    """
    return list(_Telling(state, viewer, words).lines())


class _Telling:
    def __init__(self, state: TableState, viewer: int | None, words: Words) -> None:
        self._state = state
        self._viewer = viewer
        self._words = words
        self._participants = participants_of(state, words)
        self._narrator = Narrator(self._participants, words.theme, words.translate)
        self._moments: tuple[Hand, ...] = ()
        self._at = 0
        """How many plies of this hand have been described."""
        self._over = 0
        """The ply up to which missed turns have been described."""
        self._freed = _freed(state)

    def lines(self) -> Iterator[LogLine]:
        messages = list(self._state.messages)
        latest_match = max((n for n, message in enumerate(messages) if message.event == "hello"), default=-1)
        for n, message in enumerate(messages):
            following = messages[n + 1] if n + 1 < len(messages) else None
            kind = _kind_of(message)
            for text in self._texts(message, following, is_past=n < latest_match):
                yield LogLine(message.version, kind, text, self._speaker(message), self._side(message))

    @staticmethod
    def _speaker(message: Message) -> int | None:
        if message.event != "chat" or message.public is None:
            return None
        return int(msgspec.json.decode(message.public)["seat"])

    def _side(self, message: Message) -> int | None:
        if message.event not in _OF_SIDES or message.public is None:
            return None
        return self._state.rules.side_of(int(msgspec.json.decode(message.public)["seat"]))

    def _texts(self, message: Message, following: Message | None, is_past: bool) -> Sequence[str]:
        data = {} if message.public is None else msgspec.json.decode(message.public)
        session = self._state.session
        match message.event:
            case "hand" if not is_past and session is not None:
                hand = session.match.hands[data["number"] - 1]
                self._moments, self._at, self._over = hand.moments, 0, 0
                return self._heard(self._narrator.hand_begins(hand, data["number"]))
            case "moved" if data and self._moments:
                return self._move()
            case "drew":
                return self._passed_over()
            case "choose":
                return () if self._is_window(following) else self._passed_over()
            case "hand_over" if self._moments:
                return self._heard(self._narrator.hand_over(self._moments[-1]))
            case "match_over" if not is_past:
                return self._result()
            case "match_over" | "hand_over" | "hand" | "hello":
                self._moments = ()
                return ()
            case _:
                return self._around(message.event, data, message.version)

    def _move(self) -> Sequence[str]:
        """Describe the next move that all players have seen. Any passes on a coup fourré before it remain secret."""
        moments = self._moments
        self._skip_passes()
        if self._at + 1 >= len(moments):
            return ()
        self._at += 1
        return self._heard(*self._narrator.move(moments[self._at]))

    def _skip_passes(self) -> None:
        while self._at + 1 < len(self._moments):
            move = self._moments[self._at + 1].move
            if move is None or move.action is not Action.PASS:
                return
            self._at += 1

    def _passed_over(self) -> Sequence[str]:
        """Describe once, when the next turn begins, which seats miss a turn because they have no cards (R2.6)."""
        if not self._moments or self._at == 0:
            return ()
        self._skip_passes()
        if self._over == self._at:
            return ()
        self._over = self._at
        return self._heard(*self._narrator.passed_over(self._moments[self._at]))

    def _is_window(self, following: Message | None) -> bool:
        """Return whether a question belongs to a window. If it does, a call or a hidden message follows."""
        if following is None:
            return self._state.window is not None
        return following.event == "moved" and (following.public is None or b'!"' in following.public)

    def _heard(self, *events: Narration) -> Sequence[str]:
        return heard(events, self._viewer)

    def _result(self) -> Sequence[str]:
        session, ended, _ = self._state.session, self._state.ended, self._words.translate
        if session is None:
            return ()
        if ended is not None and ended.what == "end":
            return [_("You all agree to end the match. Nobody wins it.")]
        forfeit = () if session.loss is None else (self._narrator.forfeit(session.loss),)
        return self._heard(*forfeit, self._narrator.result(self._state.winner, session.loss))

    def _around(self, event: str, data: dict[str, Any], version: int) -> Sequence[str]:
        """Describe what people do besides playing. Here, a person who has given up a seat keeps their name."""
        _, seat = self._words.translate, data.get("seat", -1)
        is_past = version <= self._freed.get(seat, 0)
        is_own = seat == self._viewer and not is_past
        match event:
            case "joined":
                own, other = _("You sit down."), _("{name} sits down.")
            case "swapped":
                return [self._swapped(data, is_past)]
            case "cancelled":
                own, other = _("You cancel the table."), _("{name} has cancelled the table.")
            case "left" if "free" in data:
                own, other = "", _("{name} has left; the seat is free again.")
            case "left" if "by" in data:
                own = _("You were away, so the computer is playing for you.")
                other = _("The computer is playing for {name}.")
            case "left":
                own = _("You've left the table. The computer will play for you until you come back.")
                other = _("{name} has left. The computer is playing for them.")
            case "away":
                own, other = _("You've been disconnected."), _("{name} has been disconnected.")
            case "wait":
                own, other = _("The others are waiting for you."), _("The table is waiting for {name}.")
            case "back":
                own, other = _("You're back."), _("{name} is back.")
            case "proposed":
                own, other = _("You propose a rematch: {terms}."), _("{name} proposes a rematch: {terms}.")
                swap = data.get("swap", ())
                pair = self._participants.pair(swap[0], swap[1], self._viewer) if swap else ""
                terms = with_swap(terms_text(data["rules"]["edition"], data["match_target"], _), pair, _)
                return [(own if is_own else other).format(name=self._participants.seat(seat), terms=terms)]
            case "agreed":
                own, other = _("You agree."), _("{name} agrees.")
            case "requested":
                own, other = map(_, REQUESTS[data["what"]])
            case "declined":
                own, other = _("You decline."), _("{name} declines.")
            case "resigned":
                own, other = _("You resign."), _("{name} resigns.")
            case "undone":
                own, other = _("You take your move back."), _("{name} takes a move back.")
            case "time_out":
                own = _("Your time is up, so the computer moves for you.")
                other = _("{name}'s time is up, so the computer moves for them.")
            case "chat":
                name = data["name"] if is_past else self._participants.seat(seat, self._viewer)
                phrase = PHRASES.get(data.get("phrase", ""))
                text = data["text"] if phrase is None else _(phrase)
                return [_("{head}: {text}").format(head=name, text=text)]
            case "shuffle":
                return [_("Hand {number} is being shuffled.").format(number=data["hand"])]
            case _other:
                return ()
        return [own if is_own else other.format(name=data["name"] if is_past else self._participants.seat(seat))]

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


def _kind_of(message: Message) -> str:
    if message.event != "moved" or message.public is None:
        return message.event
    move = str(msgspec.json.decode(message.public)["move"])
    if move.endswith("!"):
        return "coup"
    return "discarded" if move.startswith("-") else "hit" if ">" in move else "drove" if move.isdigit() else "moved"


def _freed(state: TableState) -> dict[int, int]:
    """Return, for each seat, the version until which another person had it, before it was last freed or swapped."""
    freed: dict[int, int] = {}
    for message in state.messages:
        if message.public is None or message.event not in {"left", "swapped"}:
            continue
        data = msgspec.json.decode(message.public)
        if message.event == "swapped":
            # The line that reports the change already uses the new names.
            freed |= dict.fromkeys((data["seat"], data["other"]), message.version - 1)
        elif "free" in data:
            freed[data["seat"]] = message.version
    return freed
