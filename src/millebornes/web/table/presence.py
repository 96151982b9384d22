"""Who is at a table as far as connections tell: in this process, and as other processes have said."""

from collections import Counter
from typing import Any, Final

from millebornes.web.table.events import Away, Back, Returned
from millebornes.web.table.state import TableState

__all__ = ["AWAY_AFTER", "QUIET_AFTER", "QUIET_SHARED_AFTER", "Presence", "changes_of"]

AWAY_AFTER: Final = 40_000
"""Milliseconds without a sign of a seat after which the others may choose."""
QUIET_AFTER: Final = 15_000
"""Milliseconds without a sign of a seat after which the others see the time run."""
QUIET_SHARED_AFTER: Final = 25_000
"""The same where several processes serve the table, as they tell each other only every few seconds."""
STEP: Final = 5_000
"""The others learn of the time of the last sign in steps of so many milliseconds, and no more exactly."""


class Presence:
    """What is known of the seats of one table; times are those of `millebornes.web.server.moments.now`.

    A seat is there while a stream or a connection of a program is open. Otherwise the last request counts that a page
    or a program makes by itself, and each command that all can see; never that somebody lets a coup fourré go, as only
    who is asked does so (R5.5).
    """

    def __init__(self, begun: int) -> None:
        self._begun: Final = begun
        self._streams: Counter[int | None] = Counter()
        self._seen: dict[int, int] = {}
        self._elsewhere: dict[int, int] = {}
        self._spectators_elsewhere = 0

    def enter(self, seat: int | None) -> None:
        """A stream of a seat, or of a spectator (None), is opened."""
        self._streams[seat] += 1

    def leave(self, seat: int | None, time: int) -> None:
        """It is closed."""
        self._streams[seat] -= 1
        self.touch(seat, time)

    def touch(self, seat: int | None, time: int) -> None:
        """A request of a seat; spectators do not count."""
        if seat is not None:
            self._seen[seat] = time

    def heard(self, seat: int, time: int) -> int:
        """When there was a sign of a seat for the last time; the present ``time`` where it is there, 0 for never."""
        if self._streams[seat] > 0:
            return time
        return max(self._seen.get(seat, 0), self._elsewhere.get(seat, 0))

    def last(self, seat: int, time: int) -> int:
        """The same, but when this process began to attend where nothing was heard since: it may have been there."""
        return self.heard(seat, time) or self._begun

    def since(self, time: int) -> bool:
        """Whether any seat has been there since a time, in this process."""
        return any(at >= time for at in self._seen.values()) or any(n > 0 for n in self._streams.values())

    @property
    def spectators(self) -> int:
        """How many look on."""
        return self._streams[None] + self._spectators_elsewhere

    def to_list(self, time: int) -> list[Any] | None:
        """What other processes need to know: how long ago each seat was there, and spectators; None for nothing.

        No times, as each process has its own.
        """
        seats = dict(self._seen) | {seat: time for seat, n in self._streams.items() if seat is not None and n > 0}
        looking = max(0, self._streams[None])
        return (
            [[(seat, max(0, time - at)) for seat, at in sorted(seats.items())], looking] if seats or looking else None
        )

    def hear(self, reports: list[tuple[int, list[Any]]]) -> None:
        """What other processes have said, each as its `to_list`, and when that was heard."""
        self._elsewhere = {}
        self._spectators_elsewhere = sum(int(looking) for _time, (_seats, looking) in reports)
        for time, (seats, _looking) in reports:
            for seat, ago in seats:
                self._elsewhere[seat] = max(self._elsewhere.get(seat, 0), time - ago)


def changes_of(state: TableState, presence: Presence, time: int, is_shared: bool) -> list[Away | Back | Returned]:
    """What is to be noted about the seats of a table: who is away, and who is back.

    Nobody is noted as away for nobody: somebody else has to be there, but for who set up a table that stands in the
    lobby. Who is back takes the seat from the computer player that the others had sent.
    """
    quiet = QUIET_SHARED_AFTER if is_shared else QUIET_AFTER
    people = [seat for seat, human in enumerate(state.humans) if human and state.names[seat] is not None]
    last = {seat: presence.last(seat, time) for seat in people}
    there = {seat for seat in people if last[seat] >= time - quiet}
    heard = {seat for seat in people if presence.heard(seat, time) >= time - quiet}
    found: list[Away | Back | Returned] = [Back(at=time, seat=seat) for seat in state.absent if seat in heard]
    found += [Returned(at=time, seat=seat) for seat in state.sent_away if seat in heard]
    if state.status == "match_over":
        return found
    creator = state.creator if state.is_listed else None
    for seat in people:
        is_new = seat not in there and seat not in state.away and seat not in state.absent
        if is_new and (heard - state.away or seat == creator):
            until = max(last[seat] + AWAY_AFTER, time)
            found.append(Away(at=time, seat=seat, until=-(-until // STEP) * STEP))
    return found
