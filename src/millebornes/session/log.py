"""The log of a whole match, hand by hand, as a seat may read it; made from the match, so a saved one has its own.

It is made from what was played and not kept beside it: a game that is taken up again has all of it at once.
"""

import dataclasses

from millebornes.game import Hand
from millebornes.session.game_session import GameSession
from millebornes.texts.narration import Moment, Narration, Narrator, heard

__all__ = ["HandLog", "MatchLog", "log_lines"]


@dataclasses.dataclass(frozen=True)
class HandLog:
    """What happened in a hand: its ``number`` from 1, a ``heading`` that says who begins, and a text for each event."""

    number: int
    heading: str
    lines: tuple[str, ...]


def log_lines(session: GameSession, viewer: int | None) -> tuple[HandLog, ...]:
    """The log of the match being played, its first hand first.

    ``viewer`` is the seat that reads (None: everyone); what it could not see at the table is not told.
    Who needs the log again and again keeps a `MatchLog` instead, which makes each event once.
    """
    return MatchLog(session).hands(viewer)


class MatchLog:
    """Makes the log of a session's match; what it made once it keeps. ``brief`` is as in `Narrator`."""

    def __init__(self, session: GameSession, *, brief: bool = False) -> None:
        self._session = session
        self._brief = brief
        self._source: Narrator | None = None
        self._narrator = session.narrator
        self._number = session.number
        self._made: dict[int, list[Moment]] = {}

    def hands(self, viewer: int | None) -> tuple[HandLog, ...]:
        """The log of all hands, the one being played last."""
        last = self._session.match.hand_number
        return tuple(self._hand(number, viewer) for number in range(self._first, last + 1))

    @property
    def _first(self) -> int:
        """The number of the first hand that is known: 1, unless what went before is not (`PuzzleMatch`)."""
        match = self._session.match
        return match.hand_number - len(match.hands) + 1

    def latest(self, viewer: int | None, most: int) -> list[str]:
        """The last lines, headings among them, at most ``most``; older hands than these take are not looked at."""
        lines: list[str] = []
        number = self._session.match.hand_number
        while number >= self._first and len(lines) < most:
            hand = self._hand(number, viewer)
            lines = [hand.heading, *hand.lines, *lines]
            number -= 1
        return lines[-most:]

    def _hand(self, number: int, viewer: int | None) -> HandLog:
        session = self._session
        if session.narrator is not self._source or session.number != self._number:
            self._source, self._number = session.narrator, session.number
            self._narrator = session.narrator.in_brief() if self._brief else session.narrator
            self._made.clear()
        hand, is_current = session.match.hands[number - self._first], number == session.match.hand_number
        events: list[Narration] = []
        for moment in self._moments(number, hand):
            events += moment.played
            if moment.hand is not hand or session.is_settled:  # R5.5: until then a coup could still be called
                events += moment.passed
            events += session.notes.get((number, moment.hand.ply), ())
        if hand.is_over:
            events.append(session.narrator.hand_over(hand))
        if is_current and session.loss is not None:
            events.append(session.narrator.forfeit(session.loss))
        heading = session.narrator.hand_begins(hand, number)(viewer)
        return HandLog(number, heading, tuple(heard(events, viewer)))

    def _moments(self, number: int, hand: Hand) -> list[Moment]:
        """The moments of a hand up to now; those that were known before, and have not been taken back, are kept."""
        made, narrator = self._made.setdefault(number, []), self._narrator
        new: list[Hand] = []
        moment: Hand | None = hand
        while moment is not None and not (moment.ply < len(made) and made[moment.ply].hand is moment):
            new.append(moment)
            moment = moment.parent
        del made[0 if moment is None else moment.ply + 1 :]
        made += [narrator.moment(moment) for moment in reversed(new)]
        return made
