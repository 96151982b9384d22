"""The viewers of a table: their open streams, and which players are present, also at other processes."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from millebornes.table.facts import Away, Back, Returned
from millebornes.table.seats import AWAY_AFTER
from millebornes.table.state import TableState
from millebornes.web.store.clock import now
from millebornes.web.store.seekers import Sign

QUIET_AFTER: Final = 15_000
"""If there is no sign of a seat for this many milliseconds, the others see a countdown."""
QUIET_SHARED_AFTER: Final = 25_000
"""The same time if several processes serve the table, because these exchange reports only every few seconds."""
STEP: Final = 5_000
"""The others see the time of a seat's last sign rounded to this many milliseconds."""


SIGNS_FOR: Final = 20_000
"""For this many milliseconds, a process reports the latest sign of a person who waits for an opponent."""


class Listener(asyncio.Event):
    """A stream of a viewer. The event is set when there is news, and so is ``wakes``. ``beat`` is in seconds."""

    def __init__(self, seat: int | None, beat: float, wakes: asyncio.Event | None = None) -> None:
        super().__init__()
        self._wakes: Final = wakes
        self.seat: Final = seat
        self.is_refreshed = False
        """Whether the viewer has to see the table again although nothing has happened."""
        self._beat: Final = beat
        self._beat_at = asyncio.get_running_loop().time() + beat

    def set(self) -> None:
        """Wake those who wait for news."""
        super().set()
        if self._wakes is not None:
            self._wakes.set()

    async def news(self) -> bool:
        """Wait for news, and return True. At regular times, return False without news."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._beat_at:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._beat_at):
                    return await self.wait()
        self._beat_at = loop.time() + self._beat
        return False


class Presence:
    """The viewers of a table, and which players are present. All times come from `millebornes.web.store.clock.now`.

    A seat is present while it has an open stream. Otherwise, its last sign is the latest request that a page or program
    made by itself, or the latest command that all viewers could see. A pass on a coup fourré is never a sign (R5.5).
    """

    def __init__(self, begun: int) -> None:
        self._begun: Final = begun
        self.listeners: Final[set[Listener]] = set()
        """The open streams in this process."""
        self.programs: Final[set[int]] = set()
        """The seats that programs connected to this process play."""
        self._streams: Counter[int | None] = Counter()
        self._seen: dict[int, int] = {}
        self._left: dict[int, int] = {}
        self._elsewhere: dict[int, int] = {}
        self._spectators_elsewhere = 0

    @contextlib.contextmanager
    def listening(self, seat: int | None, beat: float, wakes: asyncio.Event | None = None) -> Iterator[Listener]:
        """While a ``with`` block runs, a viewer has an open stream."""
        listener = Listener(seat, beat, wakes)
        self.listeners.add(listener)
        self.enter(seat)
        try:
            yield listener
        finally:
            self.listeners.discard(listener)
            self.leave(seat, now())

    def wake(self) -> None:
        """Let all streams look for news."""
        for listener in self.listeners:
            listener.set()

    def refresh_pages(self, seat: int | None) -> None:
        """Let all pages of a seat show the table again, because a pass has no version that notifies them (R5.5)."""
        for listener in self.listeners:
            if listener.seat == seat:
                listener.is_refreshed = True
                listener.set()

    def enter(self, seat: int | None) -> None:
        """Record that a seat, or a spectator (None), has opened a stream."""
        self._streams[seat] += 1

    def leave(self, seat: int | None, time: int) -> None:
        """Record that a stream has been closed."""
        self._streams[seat] -= 1
        self.touch(seat, time)
        if seat is not None:
            self._left[seat] = time

    def touch(self, seat: int | None, time: int) -> None:
        """Record a request from a seat. Requests from spectators don't count."""
        if seat is not None:
            self._seen[seat] = time

    def last_sign(self, seat: int, time: int) -> int:
        """Return the time of the last sign of a seat: ``time`` if it is present, and 0 if there was none."""
        if self._streams[seat] > 0:
            return time
        return max(self._seen.get(seat, 0), self._elsewhere.get(seat, 0))

    def last_sign_or_start(self, seat: int, time: int) -> int:
        """Return the time of the last sign of a seat. Without one, it may have been present when this process began."""
        return self.last_sign(seat, time) or self._begun

    def local_sign(self, seat: int, time: int) -> tuple[bool, int] | None:
        """Return the latest sign of a seat in this process, if there was one, and how many milliseconds ago it was.

        The sign is true for a page that was there, and false for a stream that was closed without any request since.
        """
        if self._streams[seat] > 0:
            return True, 0
        seen = self._seen.get(seat)
        return None if seen is None else (self._left.get(seat) != seen, max(0, time - seen))

    def was_active_since(self, time: int) -> bool:
        """Return whether any seat has been present in this process since a time."""
        return any(at >= time for at in self._seen.values()) or any(n > 0 for n in self._streams.values())

    @property
    def spectators(self) -> int:
        """The number of spectators."""
        return self._streams[None] + self._spectators_elsewhere

    def to_list(self, time: int) -> list[Any] | None:
        """Return how long ago each seat was present, and the number of spectators, for processes with other clocks."""
        seats = dict(self._seen) | {seat: time for seat, n in self._streams.items() if seat is not None and n > 0}
        looking = max(0, self._streams[None])
        return (
            [[(seat, max(0, time - at)) for seat, at in sorted(seats.items())], looking] if seats or looking else None
        )

    def receive_reports(self, reports: list[tuple[int, list[Any]]]) -> None:
        """Receive the reports of other processes, each as the time it arrived and the result of `to_list`."""
        self._elsewhere = {}
        self._spectators_elsewhere = sum(int(looking) for _time, (_seats, looking) in reports)
        for time, (seats, _looking) in reports:
            for seat, ago in seats:
                self._elsewhere[seat] = max(self._elsewhere.get(seat, 0), time - ago)


def changes_of(state: TableState, presence: Presence, time: int, is_shared: bool) -> list[Away | Back | Returned]:
    """Return the changes to record at a table: which players have gone away, and which are back.

    A player is recorded as away only if another player is there to notice it, or if the player is the creator of a
    table in the lobby. A returning player takes the seat back from a computer player that the others have chosen.
    """
    quiet = QUIET_SHARED_AFTER if is_shared else QUIET_AFTER
    people = [seat for seat, human in enumerate(state.humans) if human and state.names[seat] is not None]
    last = {seat: presence.last_sign_or_start(seat, time) for seat in people}
    there = {seat for seat in people if last[seat] >= time - quiet}
    heard = {seat for seat in people if presence.last_sign(seat, time) >= time - quiet}
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


def sign_of(state: TableState, presence: Presence, time: int) -> Sign | None:
    """Return the latest sign of a creator who waits in the lobby, if this process has had one lately."""
    if not state.is_listed or state.creator is None:
        return None
    found = presence.local_sign(state.creator, time)
    return None if found is None or found[1] > SIGNS_FOR else Sign(*found)
