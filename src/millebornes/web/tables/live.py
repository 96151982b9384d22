"""A table in memory: it takes commands one after another, stores their facts, and takes its own steps in time."""

import asyncio
import contextlib
import functools
import itertools
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from typing import Any, Final, TypeVar

import msgspec

from millebornes.schema.api import TableAnswer
from millebornes.table import commands
from millebornes.table.facts import Away, Back, Closed, Fact, MoveMade, Placed, Rekeyed, Returned, Swapped
from millebornes.table.log import apply_all
from millebornes.table.messages import Message, asks_in_secret, encode
from millebornes.table.questions import Coup, SeatQuestion
from millebornes.table.refusal import CommandError
from millebornes.table.state import TableState, check_room, has_room
from millebornes.table.steps import Pace, ScheduledStep, StepKind, due_of, steps_of
from millebornes.web.store.backends import Conflict
from millebornes.web.store.clock import now, wall
from millebornes.web.store.store import Store, Write
from millebornes.web.tables.archive import fold_in_thread
from millebornes.web.tables.computer_players import ComputerPlayers
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.presence import Presence, changes_of
from millebornes.web.tables.snapshot import entry_of, snapshot_of
from millebornes.web.tables.table_time import TableTime

GRACE: Final = 2.0
"""A process waits this many seconds for the process that drives a table before it takes over."""

_log = logging.getLogger(__name__)
Answer = dict[str, Any]
Shown = TypeVar("Shown")
KeyChanges = Callable[[Fact], dict[str, Any]]
"""A function that returns the keys which change with a fact, as fields of a `Write`."""
_REKEYING: Final = (Placed, Rekeyed, Swapped)
"""The facts after which a seat's previous tokens are invalid or belong to another seat."""
_AT_ONCE: Final[dict[StepKind, Callable[[TableState, int], Fact | None]]] = {
    StepKind.SHUFFLE: commands.begin,
    StepKind.FILL: commands.fill,
    StepKind.DEAL: commands.deal,
    StepKind.CLOSE: lambda _state, at: Closed(at=at),
}
"""The steps whose facts don't need a decision."""


def write_of(state: TableState, fact: Fact, pace: Pace, **more: Any) -> Write:
    """Return the `Write` that stores the fact that led to ``state``. ``more`` contains additional fields for it."""
    created, due = state.created, due_of(state, pace)
    entry = entry_of(state) if created.listed else None
    return Write(
        table=created.table,
        seq=state.seq,
        fact=fact,
        status=state.status,
        due=None if due is None else wall() + max(0, due - state.latest),
        listed=created.listed,
        lobby=None if entry is None else encode(entry).decode(),
        **more,
    )


class LiveTable:
    """A table that has viewers or that continues by itself."""

    def __init__(self, name: str, state: TableState, store: Store, computers: ComputerPlayers, pace: Pace) -> None:
        self.name: Final = name
        self.state = state
        self.time: Final = TableTime(state, even=pace.even / 1000, alone=not store.is_shared)
        self.published = state.version
        """The version up to which everything is on disk. Viewers don't get any later messages."""
        self.touched = time.monotonic()
        self.auto_pass_seats: set[int] = set()
        self.can_pair_again = False
        """Whether the creator looks for an opponent and should look again, because another person has begun to wait."""
        self.presence: Final = Presence(now())
        self.store: Final = store
        self._computers: Final = computers
        self._pace: Final = pace
        self._lock: Final = asyncio.Lock()
        self._timers: dict[ScheduledStep, asyncio.TimerHandle] = {}
        self._running: set[tuple[ScheduledStep, int]] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False
        self._is_ahead = False
        """Whether the state may contain facts that aren't in the log, because the storage failed."""

    # ------------------------------------------------------------------ commands

    async def move(self, seat: int, text: str, version: int, key: str | None) -> Answer:
        """Make a move for a person or a program. Raises `ApiError` if it isn't possible."""

        async def answer(state: TableState) -> Answer | None:
            """Store a pass on a coup fourré outside the log."""
            if isinstance(state.question(seat), Coup):
                assert state.window is not None
                if seat in await self.store.answered(self.name, state.window.seq):
                    raise ApiError(403, "turn", "it isn't your decision now")
                if commands.move(state, seat, text, self.time.now) is None:
                    answer = {"version": state.version}
                    command = None if key is None else (key, encode(answer).decode())
                    await self.store.answer(self.name, state.window.seq, seat, command)
                    return answer
            return None

        def build(state: TableState) -> Fact:
            fact = commands.move(state, seat, text, self.time.now)
            assert fact is not None
            self.presence.touch(seat, now())  # not for a pass, which the others would notice (R5.5)
            return fact

        return await self.do(seat, build, answer, version=version, key=key, is_seen=False)

    async def update_presence(self, time: int) -> None:
        """Record which seats are away at ``time`` and which are back."""
        if not has_room(self.state) or self.state.is_cancelled:
            return

        def changes(state: TableState) -> list[Away | Back | Returned]:
            return changes_of(state, self.presence, time, self.store.is_shared)

        def build(state: TableState, fact: Away | Back | Returned) -> Fact | None:
            return self.time.of(fact) if fact in changes(state) else None  # the table may have changed since then

        for fact in changes(self.state):
            await self.do(fact.seat, functools.partial(build, fact=fact), is_seen=False)

    async def do(
        self,
        seat: int | None,
        build: Callable[[TableState], Fact | None],
        first: Callable[[TableState], Awaitable[Answer | None]] | None = None,
        key_changes: KeyChanges | None = None,
        *,
        version: int | None = None,
        key: str | None = None,
        is_seen: bool = True,
    ) -> Answer:
        """Run a command to its end, even if the caller is cancelled. Raises `ApiError`.

        ``build`` returns its fact, or None if there is nothing to do. If ``first`` returns an answer, it is used
        instead. ``key_changes`` returns the keys that change with the fact. ``seat`` is None for a person who doesn't
        have a seat yet. If there is a ``version``, the question must be the same as then. With a ``key``, which only
        seats have, the command is carried out only once. If all viewers can see it (``is_seen``), its seat is present.
        """
        begun = asyncio.get_running_loop().time()
        if is_seen:
            self.presence.touch(seat, now())
        once = None if seat is None or key is None else (seat, key)

        async def attempt() -> Answer:
            self.touched = time.monotonic()
            if version is not None:
                if version > self.state.version:
                    await self._catch_up()  # another process has sent later messages
                commands.check_version(self.state, version)
            answer = None if first is None else await first(self.state)
            if answer is not None:
                return answer
            if self.state.is_cancelled:
                raise ApiError(409, "cancelled", "this table has been cancelled; set up another one")
            fact = build(self.state)
            if fact is not None:
                check_room(self.state, fact)
                stamped = msgspec.structs.replace(fact, at=self.time.now)
                await self._add(stamped, once, {} if key_changes is None else key_changes(stamped))
            return {"version": self.state.version}

        async def run() -> Answer:
            async with self._held():
                while True:
                    failed: ApiError | None = None
                    try:
                        return await attempt()
                    except Conflict:
                        await self._reload()
                    except CommandError as error:
                        failed = ApiError.of(error)
                    except ApiError as error:
                        failed = error
                    # If a command with the same key was carried out before, its answer only has to be looked up.
                    text = None if once is None else await self.store.command(self.name, *once)
                    if text is not None:
                        answer: Answer = msgspec.json.decode(text)
                        return answer
                    if failed is not None:
                        raise failed from None

        try:
            return await asyncio.shield(self._task(run()))
        finally:
            if self.state.window is not None:
                await self.time.wait_evenly(begun)

    async def _add(self, fact: Fact, command: tuple[int, str] | None = None, keys: Mapping[str, Any] = {}) -> None:
        """Add a fact to the state, which checks it, and to the log. Then notify the viewers. Raises `Conflict`."""
        state, begun = self.state, asyncio.get_running_loop().time()
        is_secret, proposal = state.window is not None, state.adopted_proposal(fact)
        swapped = None if proposal is None else proposal.swap
        if isinstance(fact, Swapped):
            swapped = fact.seat, fact.other
        freed = fact.seat if isinstance(fact, Placed) else None
        for seat in swapped or ():
            self.presence.touch(seat, now())  # a new seat number doesn't make anyone away
        try:
            state.apply(fact)
            self.time.follow(self.state)
            answered = None if command is None else (*command, encode({"version": state.version}).decode())
            more = {"command": answered, "freed": freed, "swapped": swapped, **keys}
            await self.store.add(write_of(state, fact, self._pace, **more))
        except BaseException:
            self._is_ahead = True
            raise
        if isinstance(fact, _REKEYING) or swapped is not None:
            self.store.forget(self.name)
            self.auto_pass_seats -= {freed}
            if swapped is not None:
                self.auto_pass_seats = await self.store.auto_pass_seats(self.name)
        try:
            if is_secret or state.window is not None:
                await self.time.wait_evenly(begun)
        finally:
            self._publish()

    @contextlib.asynccontextmanager
    async def _held(self) -> AsyncIterator[None]:
        """Hold the lock while the state contains exactly the facts in the log. Raises any error from the storage."""
        async with self._lock:
            if self._is_ahead:
                await self._reload()
            yield

    async def _reload(self) -> None:
        log = await self.store.facts(self.name)
        if not log:
            raise ApiError(404, "no_table", "this table is gone; nobody came back to it in time")
        self.store.forget(self.name)
        self.state = await fold_in_thread(log)
        self._is_ahead = False
        self._publish(GRACE)

    async def _catch_up(self) -> None:
        new, origins = await self.store.facts(self.name, self.state.seq), list(self.state.origins)
        apply_all(self.state, new)
        if any(isinstance(fact, _REKEYING) for fact in new) or self.state.origins != origins:
            self.store.forget(self.name)
        if new:
            self.auto_pass_seats = await self.store.auto_pass_seats(self.name)
            self._publish(GRACE)

    async def refresh(self) -> None:
        """Apply the facts of other processes, after a notice, at regular times, and if a viewer is ahead."""
        async with self._held():
            await self._catch_up()

    async def take_over(self) -> None:
        """Drive a table whose next step is overdue, unless this process is already driving it."""
        await self.refresh()
        if not self._timers and not self._running:
            self.plan()

    def _publish(self, grace: float = 0.0) -> None:
        self.time.follow(self.state)
        self.touched = time.monotonic()  # as late as after a pass on a coup fourré (R5.5)
        self.published = self.state.version
        self.presence.wake()
        self.plan(grace)

    # ------------------------------------------------------------------ viewing

    def messages(self, after: int) -> Iterator[Message] | None:
        """Return the messages after a version, or None if some are no longer kept or it is in the future."""
        state = self.state
        if after < state.floor or after > self.published:
            return None
        found = itertools.islice(state.messages, after - state.floor, max(0, self.published - state.floor))
        return iter(tuple(found))

    def seen_by(self, message: Message, seat: int | None) -> bytes | None:
        """Return what a viewer gets of a message. A seat that passes on every coup fourré isn't asked."""
        data = message.seen_by(seat)
        return None if data is not None and seat in self.auto_pass_seats and asks_in_secret(data) else data

    async def look(self, seat: int | None) -> TableAnswer:
        """Return the table as a seat sees it, or as a spectator does if ``seat`` is None."""
        return await self.show(
            seat, lambda state, question: snapshot_of(state, seat, question, self.time.now, self.presence.spectators)
        )

    async def show(self, seat: int | None, make: Callable[[TableState, SeatQuestion | None], Shown]) -> Shown:
        """Return the result of ``make`` for the state on disk and the question that the seat can still answer."""
        begun = asyncio.get_running_loop().time()
        async with self._held():
            self.touched = time.monotonic()
            state = self.state
            question = None if seat is None else state.question(seat)
            if isinstance(question, Coup) and seat is not None:
                assert state.window is not None
                if seat in self.auto_pass_seats or seat in await self.store.answered(self.name, state.window.seq):
                    question = None
            shown, is_secret = make(state, question), state.window is not None
        if is_secret:
            await self.time.wait_evenly(begun)
        return shown

    # ------------------------------------------------------------------ continuing

    def plan(self, grace: float = 0.0) -> None:
        """Schedule the next steps, ``grace`` seconds late if another process should carry them out first."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        if self._is_closed:
            return
        loop, time_ = asyncio.get_running_loop(), self.time.now
        for step in steps_of(self.state, self._pace):
            due = time_ if step.task is StepKind.THINK else step.due  # think now, and make the move when it is due
            delay = max(0, due - time_) / 1000 + grace
            self._timers[step] = loop.call_later(delay, self._start, step, self.state.game_seq)

    @property
    def is_idle(self) -> bool:
        """Whether the table can leave memory, because it has no viewers, no next step and no creator to watch for."""
        if self.state.is_listed:
            return False
        return not self.presence.listeners and not self._timers and not self._tasks and not self._lock.locked()

    def _start(self, step: ScheduledStep, seq: int) -> None:
        self._timers.pop(step, None)
        if (step, seq) not in self._running:
            self._running.add((step, seq))
            self._task(self._run(step, seq)).add_done_callback(lambda _task: self._running.discard((step, seq)))

    def _task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, step: ScheduledStep, seq: int) -> None:
        try:
            await self._step(step, seq)
        except Conflict:
            pass  # another process has done it
        except Exception:
            _log.exception("table %s: %s failed", self.name, step.task.value)
            self._running.discard((step, seq))
            if self.state.game_seq == seq:
                self.plan(GRACE)

    async def _step(self, step: ScheduledStep, seq: int) -> None:
        make = _AT_ONCE.get(step.task)
        if make is not None:
            await self._go_on(seq, lambda: make(self.state, self.time.now))
            return
        fact = await self._computers.decide(self.name, self.state, step) if self.state.game_seq == seq else None
        if fact is None or (step.task is not StepKind.THINK and not isinstance(fact, MoveMade)):
            return
        due, window = step.due, self.state.window
        if step.task is StepKind.CALL:
            if window is None or self.state.game_seq != seq:
                return
            due = window.call_at
        late = {"late": True} if step.task is StepKind.FLAG else {}
        await asyncio.sleep(max(0, due - self.time.now) / 1000)
        await self._go_on(seq, lambda: msgspec.structs.replace(fact, at=self.time.now, **late))

    async def _go_on(self, seq: int, make: Callable[[], Fact | None]) -> None:
        async with self._held():
            if self.state.game_seq == seq and not self._is_closed:
                fact = make()
                if fact is None:
                    return
                if isinstance(fact, MoveMade):  # a computer player can't move for a person who is back
                    seat, state = fact.seat, self.state
                    if not (state.is_late(seat, fact.at) if fact.late else state.is_played_for(seat)):
                        return
                try:
                    await self._add(fact)
                except Conflict:
                    await self._reload()

    async def close(self) -> None:
        """Stop driving the table. Events that are being written are completed."""
        self._is_closed = True
        self.plan()
        self.presence.wake()
        async with self._lock:
            for task in self._tasks:
                task.cancel()
