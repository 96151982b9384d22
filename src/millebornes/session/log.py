"""The log of a match, hand by hand, with only what one player could see.

The log isn't saved. It is made from the moves of the match, so a resumed game has its whole log again.
"""

import dataclasses

from millebornes.game import Hand
from millebornes.session.game_session import GameSession
from millebornes.texts.narration import Moment, Narration, Narrator, heard

__all__ = ["HandLog", "MatchLog", "log_lines"]


@dataclasses.dataclass(frozen=True)
class HandLog:
    """The log of one hand. ``number`` counts from 1, and ``heading`` names the first player.

    Each event has a sentence.
    """

    number: int
    heading: str
    lines: tuple[str, ...]


def log_lines(session: GameSession, viewer: int | None) -> tuple[HandLog, ...]:
    """Return the lines of the current match's log, starting with its first hand.

    ``viewer`` is the seat of the reader, or None for everyone. The log contains only what that seat could see at the
    table. To read the log repeatedly, keep a `MatchLog`, which writes each event only once.
    """
    return MatchLog(session).hands(viewer)


class MatchLog:
    """Writes the log of a session's match and caches it. ``brief`` works as in `Narrator`."""

    def __init__(self, session: GameSession, *, brief: bool = False) -> None:
        self._session = session
        self._brief = brief
        self._source: Narrator | None = None
        self._narrator = session.narrator
        self._number = session.number
        self._made: dict[int, list[Moment]] = {}

    def hands(self, viewer: int | None) -> tuple[HandLog, ...]:
        """Return the log of every hand so far, ending with the current hand."""
        last = self._session.match.hand_number
        return tuple(self._hand(number, viewer) for number in range(self._first, last + 1))

    @property
    def _first(self) -> int:
        """The number of the earliest known hand, which is 1 unless the earlier hands are unknown (`PuzzleMatch`)."""
        match = self._session.match
        return match.hand_number - len(match.hands) + 1

    def latest(self, viewer: int | None, most: int) -> list[str]:
        """Return up to ``most`` of the last lines, including headings. Only the hands that contain them are read."""
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
            if moment.hand is not hand or session.is_settled:  # R5.5: until then, a coup fourré was possible
                events += moment.passed
            events += session.notes.get((number, moment.hand.ply), ())
        if hand.is_over:
            events.append(session.narrator.hand_over(hand))
        if is_current and session.loss is not None:
            events.append(session.narrator.forfeit(session.loss))
        heading = session.narrator.hand_begins(hand, number)(viewer)
        return HandLog(number, heading, tuple(heard(events, viewer)))

    def _moments(self, number: int, hand: Hand) -> list[Moment]:
        """Return the moments of a hand so far. Cached moments are reused unless their moves have been taken back."""
        made, narrator = self._made.setdefault(number, []), self._narrator
        new: list[Hand] = []
        moment: Hand | None = hand
        while moment is not None and not (moment.ply < len(made) and made[moment.ply].hand is moment):
            new.append(moment)
            moment = moment.parent
        del made[0 if moment is None else moment.ply + 1 :]
        made += [narrator.moment(moment) for moment in reversed(new)]
        return made
