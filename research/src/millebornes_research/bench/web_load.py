"""Create load for the web game: tables with two seats, an open stream for each seat, and moves at a steady rate."""

import asyncio
import random
import statistics
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from millebornes.errors import MilleBornesError
from millebornes_research.bench.web_servers import Server
from millebornes_research.bench.web_wire import Events, Lines, request

AT_ONCE: Final = 32
"""The number of simultaneous requests while the tables are set up."""
PATIENCE: Final = 120.0
_TOO_LATE: Final = frozenset((403, 409))


class Moves(NamedTuple):
    """The timing of moves: seconds until each move was acknowledged, and from then until the other seat received it."""

    acknowledged: list[float]
    told: list[float]
    seconds: float
    refused: int = 0


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Return the median, the 95th and the 99th percentile of times in seconds, converted to milliseconds."""
    if len(values) < 2:
        return {}
    cuts = statistics.quantiles(values, n=100, method="inclusive")
    return {f"{n}_ms": round(1000 * cuts[n - 1], 2) for n in (50, 95, 99)}


class _Table:
    """A table as its two players see it."""

    def __init__(self, load: "Load", number: int, name: str, tokens: list[str]) -> None:
        self.load: Final = load
        self.number: Final = number
        self.name: Final = name
        self.tokens: Final = tokens
        self.version = 0
        self.asked: tuple[int, list[str]] | None = None
        """The seat to move, and its legal moves."""
        self.is_over = False
        self.told: list[tuple[int, asyncio.Future[float]]] = []
        """Moves that haven't reached the other seat yet: the seat, and a future for the time when this happens.

        There can be several of them, because a safety gives another turn.
        """

    def hear(self, seat: int, event: str, number: int, data: bytes) -> None:
        """Handle an event of a stream."""
        self.version = max(self.version, number)
        if event == "choose":
            question = msgspec.json.decode(data, type=_Question)
            if question.phase in {"play", "extend"}:
                self.asked, self.is_over = (seat, question.legal), False
                self.load.ready.append(self)
        elif event == "moved":
            if self.told and self.told[0][0] != seat:
                self.told.pop(0)[1].set_result(time.perf_counter())
        elif event == "hand_over" and seat == 0:
            self.is_over = True
            self.load.ready.append(self)


class _Question(msgspec.Struct):
    phase: str
    legal: list[str]


class Load:
    """Tables on one or more servers.

    Both seats of a table use the same server, or different servers if ``apart`` is true.
    """

    def __init__(self, servers: Sequence[Server], seed: int = 1, *, apart: bool = False, window_ms: int = 7000) -> None:
        self.ready: Final[deque[_Table]] = deque()
        """The tables that have a seat to move, in the order in which they started to wait."""
        self.streams: Final[list[Events]] = []
        self._tables: Final[list[_Table]] = []
        self._lines: Final = [Lines("127.0.0.1", server.port) for server in servers]
        self._servers: Final = servers
        self._rng: Final = random.Random(seed)
        self._apart: Final = apart
        self._window: Final = window_ms
        self._busy: Final[set[asyncio.Task[None]]] = set()
        self.failed: BaseException | None = None

    # ------------------------------------------------------------------ setting up

    async def open(self, tables: int) -> None:
        """Set up the tables, seat two players at each of them, and open their streams.

        Raises `MilleBornesError` if this fails.
        """
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(n: int) -> None:
            async with gate:
                await self._open(n)

        await asyncio.gather(*(one(n) for n in range(tables)))

    def _at(self, table: int, seat: int) -> int:
        return (table + (seat if self._apart else 0)) % len(self._servers)

    async def _post(self, where: int, path: str, body: dict[str, Any], token: str | None = None) -> tuple[int, Any]:
        status, found = await self._lines[where].ask(request("POST", path, msgspec.json.encode(body), token))
        return status, msgspec.json.decode(found)

    async def _made(self, where: int, path: str, body: dict[str, Any]) -> Any:
        status, found = await self._post(where, path, body)
        if status != 201:
            raise MilleBornesError(f"{path.rpartition('/')[0]}: {status} {found}")
        return found

    async def _open(self, n: int) -> None:
        body = {"name": "Ann", "places": ["me", "open"], "match_target": None, "coup_window_ms": self._window}
        made = await self._made(self._at(n, 0), "/api/tables", body)
        other = await self._made(self._at(n, 1), f"/api{made['invitations'][1]}", {"name": "Bo"})
        table = _Table(self, n, made["table"], [made["token"], other["token"]])
        self._tables.append(table)
        for seat in (0, 1):
            await self._listen(n, table, seat)

    async def _listen(self, n: int, table: _Table, seat: int) -> None:
        wanted = request("GET", f"/api/tables/{table.name}/events", token=table.tokens[seat])
        port = self._servers[self._at(n, seat)].port
        stream = Events(wanted, lambda event, number, data: table.hear(seat, event, number, data))
        await asyncio.get_running_loop().create_connection(lambda: stream, "127.0.0.1", port)
        async with asyncio.timeout(PATIENCE):
            await stream.opened
        self.streams.append(stream)

    async def dealt(self) -> None:
        """Wait until every table has a seat to move."""
        until = time.monotonic() + PATIENCE
        while len(self.ready) < len(self._tables):
            if time.monotonic() > until:
                raise MilleBornesError("the hands are not dealt")
            await asyncio.sleep(0.05)

    # ------------------------------------------------------------------ playing

    async def play(self, rate: float, seconds: float, at_once: int = 200) -> Moves:
        """Make ``rate`` moves per second in total for ``seconds``. If it is 0, keep ``at_once`` moves under way.

        When the hand at a table is over, the next one is dealt. Any error is raised.
        """
        moves = Moves([], [], seconds)
        refused = [0]
        begun = time.perf_counter()
        made = 0
        while (spent := time.perf_counter() - begun) < seconds:
            wanted = rate * spent - made if rate else at_once - len(self._busy)
            while wanted >= 1 and self.ready:
                table = self.ready.popleft()
                if table.is_over:
                    self._start(self._next(table))
                elif table.asked is not None:
                    self._start(self._move(table, moves, refused))
                    made += 1
                    wanted -= 1
            if rate and wanted > rate:
                made += int(wanted - rate)  # no seat could move, so don't try to catch up later
            if self.failed is not None:
                raise self.failed
            await asyncio.sleep(0.002)
        while self._busy:
            await asyncio.wait(self._busy)
        if self.failed is not None:
            raise self.failed
        return moves._replace(refused=refused[0], seconds=time.perf_counter() - begun)

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._busy.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._busy.discard(task)
        self.failed = self.failed or task.exception()

    def _where(self, table: _Table, seat: int) -> int:
        return self._at(table.number, seat)

    async def _next(self, table: _Table) -> None:
        table.is_over = False
        body = {"version": table.version}
        await self._post(self._where(table, 0), f"/api/tables/{table.name}/next", body, table.tokens[0])

    async def _move(self, table: _Table, moves: Moves, refused: list[int]) -> None:
        assert table.asked is not None
        (seat, legal), table.asked = table.asked, None
        uses = [text for text in legal if not text.startswith("-")]
        body = {"move": self._rng.choice(uses or legal), "version": table.version, "key": f"{self._rng.random()}"}
        told: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        table.told.append((seat, told))
        begun = time.perf_counter()
        path = f"/api/tables/{table.name}/moves"
        status, found = await self._post(self._where(table, seat), path, body, table.tokens[seat])
        ended = time.perf_counter()
        if status in _TOO_LATE:
            refused[0] += 1
            table.told.remove((seat, told))
            return
        if status != 200:
            raise MilleBornesError(f"a move was refused: {status} {found}")
        try:
            async with asyncio.timeout(PATIENCE):
                heard = await told
        except TimeoutError:
            raise MilleBornesError("the other seat was never told of a move") from None
        moves.acknowledged.append(ended - begun)
        moves.told.append(max(0.0, heard - ended))

    def close(self) -> None:
        """Close all connections."""
        for stream in self.streams:
            stream.close()
        for lines in self._lines:
            lines.close()


async def echo(server: Server, tables: int, rate: float, seconds: float, opened: Callable[[], None]) -> Moves:
    """Return the same measurements for the yardstick server, with the same number of streams and posts.

    ``opened`` is called after all streams have been opened.
    """
    told: dict[int, asyncio.Future[float]] = {}
    streams: list[Events] = []
    lines, loop = Lines("127.0.0.1", server.port), asyncio.get_running_loop()

    def hear(table: int, seat: int) -> Callable[[str, int, bytes], None]:
        def heard(event: str, _number: int, _data: bytes) -> None:
            if seat and event == "moved":
                told[table].set_result(time.perf_counter())

        return heard

    for table in range(tables):
        for seat in (0, 1):
            stream = Events(request("GET", f"/api/tables/{table}/events"), hear(table, seat))
            await loop.create_connection(lambda made=stream: made, "127.0.0.1", server.port)  # type: ignore[misc]
            await stream.opened
            streams.append(stream)
    opened()
    moves = Moves([], [], seconds)
    body = msgspec.json.encode({"type": "moved", "seat": 0, "move": "-25", "version": 1, "key": "0.123456789"})

    async def post(table: int) -> None:
        told[table] = loop.create_future()
        begun = time.perf_counter()
        await lines.ask(request("POST", f"/api/tables/{table}/moves", body, "x" * 32))
        ended = time.perf_counter()
        moves.acknowledged.append(ended - begun)
        moves.told.append(max(0.0, await told[table] - ended))
        free.append(table)

    free, busy, made, begun = deque(range(tables)), set[asyncio.Task[None]](), 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        while made < rate * spent and free:
            task = asyncio.ensure_future(post(free.popleft()))
            busy.add(task)
            task.add_done_callback(busy.discard)
            made += 1
        await asyncio.sleep(0.002)
    if busy:
        await asyncio.wait(busy)
    for stream in streams:
        stream.close()
    lines.close()
    return moves
