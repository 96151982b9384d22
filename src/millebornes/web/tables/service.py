"""All tables of a server. A service creates and finds tables, and takes over those that no process drives any more."""

import asyncio
import contextlib
import dataclasses
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from millebornes.game import InformationState
from millebornes.schema.api import LobbyObject
from millebornes.table.commands import cancel, create, deal_from
from millebornes.table.facts import Created, Fact, LogError, RulesChanged
from millebornes.table.seats import ME, OPEN
from millebornes.table.setup import GameSetup
from millebornes.table.state import TableState
from millebornes.table.steps import USUAL_PACE, Pace
from millebornes.web.store.backends import cause
from millebornes.web.store.clock import now, uptime, wall
from millebornes.web.store.repetition import error_location, repeat_forever
from millebornes.web.store.retention import Lifetimes
from millebornes.web.store.seekers import Sign, Sought
from millebornes.web.store.store import ANY, Key, Store, UploadsFull, Write
from millebornes.web.tables.analyses import HINTS, REVIEWS, Hints, Reviews
from millebornes.web.tables.archive import Archive, fold_in_thread
from millebornes.web.tables.computer_players import ComputerPlayers
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.fair_threads import FairThreads
from millebornes.web.tables.limits import Limits
from millebornes.web.tables.live import GRACE, LiveTable, write_of
from millebornes.web.tables.maintenance import Maintenance
from millebornes.web.tables.presence import sign_of
from millebornes.web.tables.seat_registry import (
    NOBODY,
    Claim,
    SeatAccess,
    Seated,
    SeatRegistry,
    check_name,
    hash_of,
    new_token,
)

POLL_EVERY: Final = 5.0
"""A poll after this many seconds finds events from another process if the notice about them was lost."""
POLL_SOON_EVERY: Final = 0.4
"""The seconds between polls while notices may be missed. They are short enough to notice a window of 3 s in time."""
SWEEP_EVERY: Final = 1.0
AHEAD_EVERY: Final = 10.0
"""The seconds between searches for tables whose events were written by a process with a fast clock."""
TIDY_EVERY: Final = 240.0
"""The seconds between searches for abandoned tables, less than `IDLE_AFTER` so that visits are in memory."""
LOOKED_AT: Final = 60.0
"""After a visit, a table is polled for this many seconds."""
IDLE_AFTER: Final = 300.0
"""A table without viewers is removed from memory after this many seconds."""
DAY: Final = 86_400
MAX_NAME: Final = 32
"""The maximum length of the name of a table."""

_log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """The settings of a server.

    ``public_url`` is the address that people use, or None for the address that the server listens on. ``hosts`` are the
    other names by which the server can be reached, or None for any name. ``beat`` is in seconds. ``window`` is the
    default length of the window for a coup fourré and ``least_window`` the shortest length that people can choose, both
    in milliseconds. ``limits`` turns the rate limits on. ``lifetimes`` determines how long abandoned tables are kept.
    ``log_requests`` turns on the logging of every request. ``metrics_token`` is the secret with which other machines
    can read the metrics. ``review_worlds`` is the maximum number of simulations for a decision in a review and for the
    luck in it. ``hint_bounds`` contains the maximum number of simulations for a hint and its maximum time in
    milliseconds. ``fill_after`` is how many milliseconds people who look for an opponent wait for a person before a
    computer plays.
    """

    allow_seeds: bool = False
    public_url: str | None = None
    hosts: tuple[str, ...] | None = None
    pace: Pace = USUAL_PACE
    beat: float = 5.0
    window: int = 7000
    least_window: int = 200
    limits: bool = True
    lifetimes: Lifetimes = dataclasses.field(default_factory=Lifetimes)
    log_requests: bool = False
    metrics_token: str | None = None
    review_worlds: tuple[int, int] = (512, 40)
    hint_bounds: tuple[int, int] = (2048, 1500)
    fill_after: int = 30_000


class Made(NamedTuple):
    """A table that has just been created.

    ``seat`` and ``token`` belong to ``me``, and are None if there is no ``me``. ``codes`` contains the invitation to
    each seat, and ``link`` is an invitation to any open seat.
    """

    table: str
    seat: int | None
    token: str | None
    codes: list[str | None]
    link: str | None


class Service:
    """The tables of a server. Call `start` before you use it, and `close` at the end."""

    def __init__(self, store: Store, settings: ServerSettings) -> None:
        self.store: Final = store
        self.settings: Final = settings
        self.live: dict[str, LiveTable] = {}
        self.is_closing = asyncio.Event()
        """An event that is set when the server ends. It ends all streams."""
        self._computers: Final = ComputerPlayers()
        self.seating: Final = SeatRegistry(store, self.table)
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._life = contextlib.AsyncExitStack()
        self._tasks: set[asyncio.Task[None]] = set()
        self._broken: set[str] = set()
        self.limits: Final = Limits(settings.limits)
        """The limits per address and per seat, which the API and the pages share."""
        self.threads: Final = FairThreads(self.limits)
        self.reviews: Final = Reviews("review", self.limits, REVIEWS)
        self.hints: Final = Hints("hint", self.limits, HINTS)
        self.maintenance: Final = Maintenance(store, self.live, settings.lifetimes)
        self.archive: Final = Archive(store, self.threads)
        self._ahead_at = self._exchange_at = 0.0

    async def start(self) -> None:
        """Start driving the tables."""
        await self._life.enter_async_context(self.store.notices(self._hear))
        for what, work, pause in (
            ("taking over tables", self._sweep, lambda: asyncio.sleep(SWEEP_EVERY)),
            ("fetching new events", self._poll, self._until_poll),
            ("deleting old tables", self._tidy, lambda: asyncio.sleep(TIDY_EVERY)),
        ):
            task = asyncio.create_task(repeat_forever(what, work, pause))
            self._life.push_async_callback(_cancelled, task)

    def end_streams(self) -> None:
        """End all streams, because no more messages will follow."""
        self.is_closing.set()
        for table in self.live.values():
            table.presence.wake()

    async def close(self) -> None:
        """Stop driving the tables. Events that are being written are completed."""
        self.end_streams()
        await self._life.aclose()
        for table in list(self.live.values()):
            await table.close()
        self._computers.close()
        self.threads.close()
        await self.reviews.close()
        await self.hints.close()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self.store.close()

    # ------------------------------------------------------------------ tables

    async def create(self, setup: GameSetup, claim: Claim = NOBODY, begins: InformationState | None = None) -> Made:
        """Create a table and return its invitations.

        If there is a ``begins``, the first hand continues from what the seat ``me`` has seen in another hand.
        """
        made, created, keys = self._make(setup, claim)
        log = [created] if begins is None else [created, deal_from(created, begins)]
        await self.keep(log, keys, goes_on=True)
        return made

    async def find(self, setup: GameSetup, claim: Claim) -> Made | Seated:
        """Return the seat of a person who looks for an opponent.

        It is opposite the person who has waited longest at such a table. If no one waits, it is at a new table with
        this ``setup``, which is created in the same step. A browser that asks again keeps its table.
        """
        made, created, keys = self._make(setup, claim)
        browser, state = hash_of(claim.browser or new_token()), TableState(created)
        state.apply(created)
        write = dataclasses.replace(write_of(state, created, self.settings.pace), keys=keys)
        others: list[str] = []
        for entry in await self.lobby():
            if (entry.edition, entry.seats, entry.set) == (state.rules.edition, len(setup.places), {}):
                held = await self.seating.holder(entry.table, claim) if claim.held(entry.table) else None
                if held is not None and (await self.table(entry.table)).state.created.fill is None:
                    return held
                live = self.live.get(entry.table)
                sign = None if live is None else sign_of(live.state, live.presence, now())
                if held is None and (sign is None or sign.is_here):
                    others.append(entry.table)
        while True:
            sought = await self.store.seek(browser, write, others, self._signs())
            if sought.table == made.table:
                self._add_live(made.table, state).plan()
                return made
            seated = await self._sit_opposite(sought, created.name, claim)
            if seated is not None and seated.table == sought.table:
                return seated
            await self.store.stop_seeking(browser, sought.table, None if seated is None else seated.table)
            if seated is not None:
                return seated

    def _make(self, setup: GameSetup, claim: Claim) -> tuple[Made, Created, tuple[Key, ...]]:
        """Return a new table's invitations, its first event and its keys. Raises `ApiError` (name)."""
        created = create(setup, now(), self.settings.window)
        name, mine = created.table, created.places.index(ME) if ME in created.places else None
        if mine is not None:
            check_name(created.name)
        token = None if mine is None else claim.token(created.secret, "")
        link = new_token() if OPEN in created.places else None
        codes = [new_token() if place == OPEN else None for place in created.places]
        keys = [Key(hash_of(code), name, seat, "join") for seat, code in enumerate(codes) if code is not None]
        if link is not None:
            keys.append(Key(hash_of(link), name, ANY, "link"))
        if mine is not None and token is not None:
            keys.append(Key(hash_of(token), name, mine, "seat"))
        return Made(name, mine, token, codes, link), created, tuple(keys)

    async def _sit_opposite(self, sought: Sought, name: str, claim: Claim) -> Seated | None:
        """Take a seat at the table that a person was sent to. Return None if that isn't possible any more.

        If the person has waited at another table, cancel that one. If someone has come there in the meantime, return
        the person's seat there.
        """
        try:
            if sought.left is not None:
                held = await self.seating.holder(sought.left, claim)
                left = await self.table(sought.left)
                if held is not None:
                    seat = held.seat
                    name = left.state.names[seat] or name
                    await left.do(seat, lambda state: None if state.is_full else cancel(state, seat, now()))
                    if not left.state.is_cancelled:
                        return held
            table = await self.table(sought.table)
            await table.refresh()
            held = await self.seating.holder(sought.table, claim)
            if held is None:
                return await self.seating.join_listed(sought.table, None, name, claim)
        except ApiError as error:
            if error.error not in {"cancelled", "dealt", "no_table", "not_open", "taken"}:
                raise
            return None
        return None if held.seat in table.state.away or table.state.is_cancelled else held

    def _signs(self) -> dict[str, Sign]:
        """Return the latest signs of the people who wait for an opponent, as far as this process knows."""
        time_ = now()
        waiting = {name: table for name, table in self.live.items() if table.state.created.fill is not None}
        found = {name: sign_of(table.state, table.presence, time_) for name, table in waiting.items()}
        return {name: sign for name, sign in found.items() if sign is not None}

    async def _update_waiting(self) -> None:
        """Let people who wait for an opponent look again if another person has begun to wait."""
        signs = self._signs()
        waiting = [self.live[name] for name in signs]
        again = await self.store.update_waiting(signs) if signs else set()
        for table in waiting:
            before, table.can_pair_again = table.can_pair_again, table.name in again
            if table.can_pair_again and not before:
                table.presence.refresh_pages(table.state.creator)

    async def keep(
        self,
        log: Sequence[Fact],
        keys: tuple[Key, ...] = (),
        *,
        goes_on: bool = False,
        uploaded: int | None = None,
    ) -> TableState:
        """Save a log as a new table, and return its state. Unless it ``goes_on``, it never continues by itself.

        ``uploaded`` is the size of an uploaded match in bytes. Raises `ApiError` if there is no room for it.
        """
        created = log[0]
        assert isinstance(created, Created)
        state = TableState(created)

        def writes() -> list[Write]:
            found = []
            for fact in log:
                state.apply(fact)
                write = write_of(state, fact, self.settings.pace)
                found.append(write if goes_on else dataclasses.replace(write, due=None))
            return found

        first, *others = writes() if goes_on else await asyncio.to_thread(writes)
        try:
            await self.store.create(dataclasses.replace(first, keys=keys, uploaded=uploaded))
        except UploadsFull:
            raise ApiError(
                503, "uploads", "this server has no room for another match; try again tomorrow", DAY
            ) from None
        for write in others:
            await self.store.add(write)
        self._add_live(created.table, state).plan()
        return state

    async def lobby(self) -> list[LobbyObject]:
        """Return the tables that anyone can join, newest first, as `millebornes.web.tables.snapshot` describes them."""
        return [msgspec.json.decode(entry, type=LobbyObject) for entry in await self.store.lobby()]

    async def table(self, name: str) -> LiveTable:
        """Return the table with this name. Raises `ApiError` if it doesn't exist or can't be continued."""
        found = self.live.get(name)
        if found is None and len(name) > MAX_NAME:
            raise _no_table()
        return found if found is not None else await self._load(name, GRACE if self.store.is_shared else 0.0)

    async def seat(self, name: str, token: str | None, *, strict: bool = True) -> SeatAccess:
        """Return the access that a token gives to a table. Without a token, the caller is a spectator.

        Raises `ApiError` if the table allows no spectators, or if the token isn't valid at the table. Unless ``strict``
        is true, an invalid token is treated as no token.
        """
        table = await self.table(name)
        key = None if token is None else await self.store.key(hash_of(token))
        if key is not None and key.purpose == "seat" and key.table == name:
            return SeatAccess(table, key.seat, key.hash)
        if token is not None and strict:
            raise ApiError(401, "token", "this token opens no seat at this table")
        if not table.state.created.spectators:
            raise ApiError(403, "no_spectators", "only the players at this table can watch it")
        return SeatAccess(table, None)

    async def is_over(self, who: SeatAccess) -> bool:
        """Return whether a token has lost its seat, because the seat was resumed elsewhere, freed or swapped."""
        if who.hash is None:
            return False
        key = await self.store.key(who.hash)
        return key is None or key.seat != who.seat

    async def past(
        self, table: LiveTable, number: int, owner: str = "", reading: Callable[[], object] = lambda: None
    ) -> TableState:
        """Return the state of a table at the end of match ``number`` (from 1), or its state now if this isn't over.

        ``reading`` is called before a log is read for ``owner``, an address. Raises `ApiError` if the table hasn't
        begun such a match.
        """
        if number > _match_number(table) and self.store.is_shared:
            await table.refresh()  # another process may have dealt that match
        latest = _match_number(table)
        if not 1 <= number <= latest:
            raise ApiError(404, "no_match", f"there is no match {number} at this table")
        if number == latest:
            return table.state
        if not self.archive.has(table.name, number):
            reading()
        return await self.archive.past(table.name, number, owner)

    def _add_live(self, name: str, state: TableState) -> LiveTable:
        found = self.live[name] = LiveTable(name, state, self.store, self._computers, self.settings.pace)
        return found

    async def _load(self, name: str, grace: float) -> LiveTable:
        loading = self._loading.get(name)
        if loading is None:
            loading = self._loading[name] = asyncio.create_task(self._read(name, grace))
            loading.add_done_callback(lambda _task: self._loading.pop(name, None))
        return await asyncio.shield(loading)

    async def _read(self, name: str, grace: float) -> LiveTable:
        log = await self.store.facts(name)
        if not log:
            raise _no_table()
        if self.store.is_shared:
            self.store.forget(name)  # another process may have changed seats since this one had the table
        try:
            state = await fold_in_thread(log)
        except RulesChanged as error:
            raise ApiError(409, "rules", str(error)) from None
        table = self._add_live(name, state)
        table.auto_pass_seats = await self.store.auto_pass_seats(name)
        table.plan(grace)
        return table

    # ------------------------------------------------------------------ many processes

    def _hear(self, name: str, seq: int) -> None:
        table = self.live.get(name)
        if table is not None and table.state.seq < seq:
            self.run_in_background(_refresh(table))

    async def _sweep(self) -> None:
        time_ = wall()
        names = await self.store.due(time_ - int(1000 * GRACE))
        if time.monotonic() >= self._ahead_at:
            names += await self.store.tables_ahead(time_ + int(1000 * AHEAD_EVERY))
            self._ahead_at = time.monotonic() + AHEAD_EVERY
        for name in names:
            await self._take_over(name)
        await self.maintenance.update_presence(now())
        await self._update_waiting()
        before = time.monotonic() - IDLE_AFTER
        for name, table in list(self.live.items()):
            if table.touched < before and table.is_idle:
                del self.live[name]

    async def _take_over(self, name: str) -> None:
        """Drive a table whose next step is overdue. If that fails, log the error once."""
        if name in self._broken:
            return
        try:
            if name in self.live:
                await self.live[name].take_over()
            else:
                await self._load(name, 0.0)
        except (SQLAlchemyError, OSError):
            raise
        except Exception as error:
            is_known = isinstance(error, ApiError | LogError)
            _log.error("table %s cannot continue: %s", name, error if is_known else error_location(error))
            self._broken.add(name)

    async def _poll(self) -> None:
        """Fetch the events that other processes have added, in case a notice about them was lost."""
        # This includes tables that are viewed without a stream, on pages that refresh themselves.
        since = time.monotonic() - LOOKED_AT
        names = [name for name, table in self.live.items() if table.presence.listeners or table.touched > since]
        for name, length in (await self.store.lengths(names)).items():
            self._hear(name, length)
        if time.monotonic() < self._exchange_at:
            return
        self._exchange_at = time.monotonic() + POLL_EVERY
        await self.maintenance.exchange(now())
        for name in await self.store.listed():  # to notice whether the creator is present
            if name not in self.live:
                await self._take_over(name)

    async def _until_poll(self) -> None:
        """Wait until the next poll is due. While notices may be missed and when they return, the wait is short."""
        until, heard = time.monotonic() + POLL_EVERY, self.store.is_listening
        await asyncio.sleep(POLL_SOON_EVERY)
        while heard and self.store.is_listening and time.monotonic() < until:
            await asyncio.sleep(POLL_SOON_EVERY)

    def run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in the background, and log an error of the database."""
        task = asyncio.get_running_loop().create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tidy(self) -> None:
        await self.maintenance.tidy(now(), wall(), uptime())

    def counts(self) -> dict[str, Any]:
        """Return the number of streams and the number of tables with a stream, for the metrics.

        Tables in memory aren't counted, because a question about a coup fourré can load a table (R5.5).
        """
        streams = [len(table.presence.listeners) for table in self.live.values() if table.presence.listeners]
        return {"tables": len(streams), "streams": sum(streams)}


async def _logged(work: Awaitable[None]) -> None:
    try:
        await work
    except (SQLAlchemyError, OSError) as error:
        _log.warning("the database isn't responding: %s", cause(error))


async def _refresh(table: LiveTable) -> None:
    try:
        await table.refresh()
    except (SQLAlchemyError, OSError):
        raise
    except Exception as error:
        _log.error("table %s cannot be read: %s", table.name, error_location(error))


def _match_number(table: LiveTable) -> int:
    state = table.state
    return 0 if state.match is None else state.number


def _no_table() -> ApiError:
    return ApiError(404, "no_table", "there is no such table")


async def _cancelled(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
