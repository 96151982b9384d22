"""Two servers, each with one table, that differ in one hidden safety; asked over HTTP as people and programs ask.

`tests.web.twins` compares the tables themselves, thousands of times a second. This compares all that leaves the server
(answers with their headers and sizes, streams in their order, pages, a program's messages, metrics and log lines),
while both servers run in this process, on a clock that only the test moves on.
"""

import asyncio
import contextlib
import contextvars
import dataclasses
import logging
import math
import pickle
import random
import secrets
import selectors
import time
import zlib
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final, Literal, TypeVar, cast
from unittest.mock import patch
from urllib.parse import urlencode

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import StaticPool

from millebornes.cards import ANSWERS, Card
from millebornes.game import Action, Match, Move
from millebornes.table.messages import PHRASES
from millebornes.table.state import PASS, TableState
from millebornes.table.steps import Pace
from millebornes.web.app import App, make_app
from millebornes.web.store.backends import Backend, Conflict, Work
from millebornes.web.store.schema import METADATA
from millebornes.web.store.store import Store
from millebornes.web.tables.background import Background, Done, _Worker
from millebornes.web.tables.computer_players import ComputerPlayers
from millebornes.web.tables.limits import Limits
from millebornes.web.tables.service import ServerSettings, Service
from tests.session.twin_decks import BOTTOM, Secret, twin_decks
from tests.web.leaks import TRIED
from tests.web.twins import BODIES, TABLES, Apart, random_body

Value = TypeVar("Value")
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]
Kind = Literal["events", "stream", "bot"]

PACE: Final = Pace(entropy=1000, move=800, hand=4000, even=0)
KEY_BYTES: Final = 9
BEGUN: Final = 1_700_000_000_000
HEADERS: Final = {"host": "localhost", "origin": "http://localhost", "sec-fetch-site": "same-origin", "accept": "*/*"}
SHORT: Final = {"goal": 300, "extension_goal": None}
"""Settings with which some hands are finished."""

# ---------------------------------------------------------------- a server without threads, files and waiting


class Clock:
    """The time, which stands still until a test moves it on."""

    def __init__(self) -> None:
        self.ms = 0

    def patches(self) -> Iterator[Any]:
        """Replace all clocks of the module `time`."""
        found: dict[str, Callable[..., float]] = {
            "monotonic": lambda: self.ms / 1000,
            "perf_counter": lambda: self.ms / 1000,
            "time": lambda: (BEGUN + self.ms) / 1000,
            "monotonic_ns": lambda: self.ms * 1_000_000,
            "time_ns": lambda: (BEGUN + self.ms) * 1_000_000,
            "clock_gettime_ns": lambda _clock: self.ms * 1_000_000,
            # What the processor did isn't the same twice, so nothing is charged for it.
            "thread_time": lambda: 0,
            "process_time": lambda: 0,
        }
        for name, function in found.items():
            yield patch.object(time, name, function)
        # Their defaults were read before the clocks were replaced.
        yield patch.object(Limits.__init__, "__defaults__", (True, found["monotonic"]))
        yield patch.dict(Background.__init__.__kwdefaults__, clock=found["monotonic"])


class _Selector(selectors.DefaultSelector):
    """Never waits for the clock."""

    def select(self, timeout: float | None = None) -> list[Any]:
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    """An event loop on a `Clock`, in which what threads would do is done at once."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(_Selector())
        self._clock = clock

    def time(self) -> float:
        return self._clock.ms / 1000

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    async def settle(self) -> None:
        """Wait until nothing more happens before the clock moves on."""
        ready = cast("Any", self)._ready
        while True:
            await asyncio.sleep(0)
            if not ready and self.next_due() > self._clock.ms:
                return

    def next_due(self) -> int:
        """When a timer is due next, in milliseconds."""
        timers = (timer.when() for timer in cast("Any", self)._scheduled if not timer.cancelled())
        return math.ceil(min(timers, default=1e9) * 1000 - 1e-3)

    async def advance(self, ms: int) -> None:
        """Let time go on from timer to timer, as if each of them had its own moment."""
        end = self._clock.ms + ms
        while self._clock.ms < end:
            self._clock.ms = max(self._clock.ms, min(end, self.next_due()))
            await self.settle()


def _loop() -> _Loop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, _Loop)
    return loop


class _Memory:
    """A database in memory, in the place of an SQLite file."""

    is_shared = False

    def __init__(self) -> None:
        self._engine = sa.create_engine("sqlite://", poolclass=StaticPool)
        METADATA.create_all(self._engine)

    async def write(self, work: Work) -> None:
        await asyncio.sleep(0)
        try:
            with self._engine.begin() as connection:
                work(connection)
        except IntegrityError:
            raise Conflict from None

    async def read(self, wanted: sa.Select[Any]) -> list[Any]:
        await asyncio.sleep(0)
        with self._engine.connect() as connection:
            return list(connection.execute(wanted))

    async def damage(self) -> None:
        return None

    async def close(self) -> None:
        """Keep everything, so that another server can go on with it."""

    def end(self) -> None:
        """Forget everything."""
        self._engine.dispose()


class _Twin:
    """One of the two servers."""

    def __init__(self, pair: "TwinServers", number: int, settings: ServerSettings) -> None:
        self.number, self.settings, self.memory = number, settings, _Memory()
        self.rng = random.Random(f"{pair.seed} server")
        self.pair = pair
        self.lines: list[str] = []
        self.context = contextvars.copy_context()
        self.context.run(_TWIN.set, self)
        self.app: App

    def task(self, work: Coroutine[Any, Any, Value]) -> "asyncio.Task[Value]":
        return asyncio.get_running_loop().create_task(work, context=self.context)

    async def start(self) -> None:
        self.app = make_app("sqlite:///none", self.settings)
        self.app.service = self.context.run(Service, Store(cast("Backend", self.memory), "secret"), self.settings)
        self._life = self.app.asgi.router.lifespan_context(self.app.asgi)
        await self.task(self._life.__aenter__())

    async def stop(self) -> None:
        await self.task(self._life.__aexit__(None, None, None))

    @property
    def state(self) -> TableState:
        assert self.app.service is not None
        return self.app.service.live[self.pair.table].state

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Answer:
        """The whole answer to a request."""
        status, head, parts = 0, list[tuple[bytes, bytes]](), list[bytes]()
        waiting = deque([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> dict[str, Any]:
            return waiting.popleft() if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, head
            if message["type"] == "http.response.start":
                status, head = message["status"], sorted(message["headers"])
            parts.append(message.get("body", b""))

        await self.app.asgi(_scope("http", method, path, headers), receive, send)
        return status, head, b"".join(parts)


_TWIN: contextvars.ContextVar[_Twin] = contextvars.ContextVar("twin")


def _scope(kind: str, method: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
    path, _, query = path.partition("?")
    raw = [(name.encode(), value.encode()) for name, value in (HEADERS | headers).items()]
    found = {"type": kind, "path": path, "query_string": query.encode(), "headers": raw, "root_path": ""}
    found |= {"client": ("127.0.0.1", 1), "http_version": "1.1", "subprotocols": []}
    return found | ({"scheme": "ws"} if kind == "websocket" else {"scheme": "http", "method": method})


class _Stream:
    """An open stream of a viewer, or the connection of a program, at one of the servers: all parts that it was sent."""

    def __init__(self, twin: _Twin, kind: Kind, path: str, headers: dict[str, str]) -> None:
        self.parts: list[Any] = []
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect" if kind == "bot" else "http.request", "body": b""})
        scope = _scope("websocket" if kind == "bot" else "http", "GET", path, headers)
        self.task = twin.task(twin.app.asgi(scope, self._inbox.get, self._send))

    async def _send(self, message: Any) -> None:
        self.parts.append((message["type"], message.get("status"), message.get("text"), message.get("body")))

    def say(self, text: str) -> None:
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    def end(self) -> None:
        self._inbox.put_nowait({"type": "http.disconnect"})
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})


class _Lines(logging.Handler):
    """Keeps the log lines of each server."""

    def emit(self, record: logging.LogRecord) -> None:
        twin = _TWIN.get(None)
        if twin is not None:
            twin.lines.append(f"{record.levelname} {record.name} {record.getMessage()}")


async def _choose(
    _players: ComputerPlayers, _kind: str, match: Match, seat: int, seed: str, _table: str | None = None
) -> Move:
    """Choose for a computer player by what all can see, and never the card in which the servers differ."""
    pair, hand = _TWIN.get().pair, match.hand
    shown = [move.text for move in hand.moves if move.action is not Action.PASS]
    legal = [move for move in hand.legal_moves if not pair.hides(seat, move)]
    if not legal or hand.draw_pile <= BOTTOM:  # the holder has nothing else left, or the safety would be drawn soon
        pair.is_done = True
        return hand.legal_moves[0]
    return pair.choice_of(legal, random.Random(f"{seed} {seat} {shown}"))


def _made_at_once(_worker: _Worker, _task: Any, _report: Any) -> Done:
    """In the place of a process that makes hints and reviews, which only the holder or everyone may see."""
    return Done(zlib.compress(pickle.dumps(None)), 0.1)


def _deck(state: TableState) -> tuple[Card, ...]:
    twin = _TWIN.get()
    return twin.pair.decks_of(state)[twin.number]


@contextlib.contextmanager
def twin_world() -> Iterator[asyncio.Runner]:
    """While the context lasts, servers run on a clock of their own, with random numbers and decks of their pair."""
    clock, lines, ours = Clock(), _Lines(), logging.getLogger("millebornes")
    level = ours.level
    with contextlib.ExitStack() as stack:
        for patched in clock.patches():
            stack.enter_context(patched)
        made = {
            "token_bytes": lambda n=32: _TWIN.get().rng.randbytes(n),
            "token_hex": lambda n=32: _TWIN.get().rng.randbytes(n).hex(),
            # Forms have a key each, also those that only the holder gets.
            "token_urlsafe": lambda n=32: "key" if n == KEY_BYTES else _TWIN.get().rng.randbytes(n).hex(),
        }
        for name, function in made.items():
            stack.enter_context(patch.object(secrets, name, function))
        stack.enter_context(patch.object(ComputerPlayers, "choose", _choose))
        stack.enter_context(patch.object(TableState, "deck", _deck))
        stack.enter_context(patch.object(_Worker, "do", _made_at_once))
        ours.addHandler(lines)
        ours.setLevel(logging.DEBUG)
        runner = stack.enter_context(asyncio.Runner(loop_factory=lambda: _Loop(clock)))
        runner.clock = clock  # type: ignore[attr-defined]
        try:
            yield runner
        finally:
            ours.removeHandler(lines)
            ours.setLevel(level)


# ---------------------------------------------------------------- the pair


@dataclasses.dataclass
class _Person:
    """Somebody with a token, who was given a seat with this number; seats can be swapped."""

    origin: int
    token: str


class TwinServers:
    """Two servers with a table each, made from a seed. `step` gives both the same request and compares the answers."""

    def __init__(self, seed: str, clock: Clock) -> None:
        self.seed, self.clock = seed, clock
        self.rng = rng = random.Random(seed)
        settings = ServerSettings(pace=PACE, least_window=1, limits=rng.random() < 0.3, log_requests=True)
        self.twins = tuple(_Twin(self, number, settings) for number in range(2))
        self.counts: Counter[str] = Counter()
        self.done: set[str] = set()
        """What was asked for, with the API or on a page, and not refused."""
        self.table = ""
        self.people: dict[int, _Person] = {}
        """Whoever has a seat, by the number that it had at first."""
        self.invitations: list[str | None] = []
        self.origin = 0
        """The holder's seat when the table was set up."""
        self.secret: Secret | None = None
        self.is_apart = 0
        """How often only one of the tables asked in secret."""
        self.is_done = False
        self._decks: dict[tuple[int, int], tuple[tuple[Card, ...], tuple[Card, ...]]] = {}
        self._streams: dict[tuple[str | None, Kind], tuple[_Stream, ...]] = {}

    # ------------------------------------------------------------------ what is hidden

    @property
    def state(self) -> TableState:
        return self.twins[0].state

    @property
    def holder(self) -> int:
        """The holder's seat now."""
        return self.state.origins.index(self.origin)

    def seat_of(self, person: _Person) -> int:
        return self.state.origins.index(person.origin)

    def hides(self, seat: int, move: Move) -> bool:
        """Whether a move would show the card in which the tables differ."""
        secret = self.secret
        return secret is not None and seat == self.holder and move.card in {secret.safety, secret.other}

    def may_differ(self, seat: int) -> bool:
        """Whether a move of a seat may be right at one of the tables alone: the holder decides, openly or in secret."""
        deciding = {twin.state.deciding() for twin in self.twins}
        return seat == self.holder and seat in deciding

    def decks_of(self, state: TableState) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """The decks of the next hand for both servers."""
        number, hand = state.next_hand
        if (number, hand) not in self._decks:
            rules, match = state.next_rules, state.match
            first = (number - 1) % rules.seats
            if hand > 1:
                assert match is not None
                first = (match.hand.first + 1) % rules.seats
            chance = random.Random(f"{self.seed} deck {number} {hand}")
            one, other, self.secret = twin_decks(rules, first, state.origins.index(self.origin), chance)
            self._decks[number, hand] = tuple(one), tuple(other)
        return self._decks[number, hand]

    def choice_of(self, legal: list[Move], rng: random.Random) -> Move:
        """A move, rather one that asks about the hidden safety."""
        assert self.secret is not None
        hazards = [move for move in legal if move.target is not None]
        parried = [move for move in hazards if move.card in ANSWERS[self.secret.safety]]
        uses = [move for move in legal if not move.text.startswith("-")]
        return rng.choice(rng.choice([legal, uses, hazards, parried, parried]) or uses or legal)

    # ------------------------------------------------------------------ asking both

    def same(self, what: str, found: tuple[Value, ...]) -> Value:
        """Return what both servers said. Raises `Apart`."""
        if found[0] != found[1]:
            one, other = map(repr, found)
            at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            parts = "\n".join(text[max(0, at - 300) : at + 300] for text in (one, other))
            raise Apart(f"seed {self.seed!r}, {self.counts.total()} commands, {what}, at {at}:\n{parts}")
        return found[0]

    async def both(
        self, what: str, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b""
    ) -> tuple[Answer, ...]:
        """Send both servers the same request, and compare what it leads to; the answers are for the caller."""
        self.counts[what] += 1
        tasks = [twin.task(twin.ask(method, path, headers or {}, body)) for twin in self.twins]
        await _loop().settle()
        while not all(task.done() for task in tasks):
            await _loop().advance(1000)  # a server holds up a flood of requests until time has passed
        found = tuple(task.result() for task in tasks)
        if all(status < 400 for status, _head, _body in found):
            self.done.add(what.removeprefix("page "))
        await self.compare(what)
        return found

    async def wait(self, ms: int) -> None:
        """Let time go on."""
        self.counts["wait"] += 1
        await _loop().advance(ms)
        await self.compare("time")

    async def compare(self, after: str) -> None:
        await _loop().settle()
        if self.is_done:
            return
        for (token, kind), pair in list(self._streams.items()):
            self.same(f"{kind} of {token} after {after}", tuple(stream.parts for stream in pair))
            for stream in pair:
                stream.parts = []
            if all(stream.task.done() for stream in pair):
                del self._streams[token, kind]
        # Streams that end together do so in any order.
        lines = self.same(f"log after {after}", tuple(sorted(twin.lines) for twin in self.twins))
        assert not any(line.startswith(("WARNING", "ERROR", "CRITICAL")) for line in lines), (self.seed, lines)
        for twin in self.twins:
            twin.lines = []
        asked = [twin.state.asked for twin in self.twins]
        self.is_apart += asked[0] != asked[1]

    async def command(
        self, name: str, person: _Person | None, body: dict[str, Any], *, page: bool = False, address: str = ""
    ) -> Answer:
        """Give a command with the API or with a form of the page. What the holder is answered isn't compared."""
        headers, path = self.headers(person, page=page), address or name
        if page:
            root, data = f"/t/{self.table}", urlencode(_form(body)).encode()
        else:
            root, data = f"/api/tables/{self.table}", msgspec.json.encode(body)
        found = await self.both(f"page {name}" if page else name, "POST", f"{root}/{path}", headers, data)
        if not self.is_done and (person is None or person.origin != self.origin):
            self.same(f"answer to {name} {body}", found)
        return found[0]

    def headers(self, person: _Person | None, *, page: bool = False) -> dict[str, str]:
        if person is None:
            return {}
        if page:
            return {"cookie": f"seat-{self.table}={person.token}"}
        return {"authorization": f"Bearer {person.token}"}

    # ------------------------------------------------------------------ a table

    async def begin(self) -> None:
        """Start both servers and set up a table at random."""
        rng = self.rng
        for twin in self.twins:
            await twin.start()
        edition, seats, sides = rng.choice(TABLES)
        people = rng.choice([0.0, 0.5, 1.0])
        places = ["me", *("open" if rng.random() < people else "basic" for _ in range(seats - 1))]
        rng.shuffle(places)
        settings: dict[str, Any] = {"coup_by": "anyone"} if rng.random() < 0.4 else {}
        body = {
            "name": "Ann",
            "edition": edition,
            "seats": seats,
            "sides": sides,
            "set": settings | (SHORT if rng.random() < 0.5 else {}),
            "places": places,
            "match_target": rng.choice([None, 300, 2000]),
            "coup_window_ms": rng.choice([200, 7000, 60_000]),
            "spectators": rng.random() < 0.8,
            "open": "open" in places and rng.random() < 0.3,
            "clock": rng.choice([None, None, {"initial_s": 60, "increment_s": 2}]),
        }
        answers = [
            await twin.task(twin.ask("POST", "/api/tables", {}, msgspec.json.encode(body))) for twin in self.twins
        ]
        status, _head, data = self.same("a new table", tuple(answers))
        assert status == 201, data
        made = msgspec.json.decode(data)
        self.table, self.invitations = made["table"], made["invitations"]
        self.origin = rng.choice([seat for seat, place in enumerate(places) if place != "basic"])
        self.people[made["seat"]] = _Person(made["seat"], made["token"])
        await _loop().settle()

    async def end(self) -> None:
        for pair in self._streams.values():
            for stream in pair:
                stream.end()
        await _loop().settle()
        for twin in self.twins:
            await twin.stop()

    def others(self) -> list[_Person | None]:
        """Everyone but the holder; None is a spectator."""
        found: list[_Person | None] = [person for person in self.people.values() if person.origin != self.origin]
        return [*found, None] if self.state.created.spectators or not found else found

    async def step(self) -> None:
        """Let something happen at both servers."""
        self._forget()
        if self.state.is_cancelled:
            self.is_done = True
        elif self.rng.random() < 0.5:
            await self.go_on()
        else:
            await self.anything()
        if not self.is_done and self.rng.random() < 0.4:
            await self.look()

    def _forget(self) -> None:
        """Forget people whose seats have become free."""
        names, origins = self.state.names, self.state.origins
        self.people = {
            origin: person for origin, person in self.people.items() if names[origins.index(origin)] is not None
        }

    async def go_on(self) -> None:
        """Do what the table is waiting for."""
        state, rng = self.state, self.rng
        people = list(self.people.values())
        if not state.is_full:
            origin = state.origins[state.names.index(None)]
            await self.join(origin)
        elif state.status == "waiting":
            await self.wait(rng.choice([20, 1000]))
        elif state.status == "playing":
            await self.play()
        elif people:
            await self.command("next", rng.choice(people), {"version": state.version}, page=rng.random() < 0.3)
        else:
            await self.wait(4000)

    async def join(self, origin: int) -> None:
        path = self.invitations[origin]
        if path is None:  # it was given to a computer player, and is free again
            self.is_done = True
            return
        name = msgspec.json.encode({"name": f"p{origin}"})
        answer = self.same("join", await self.both("join", "POST", f"/api{path}", {}, name))
        if answer[0] in {200, 201}:
            made = msgspec.json.decode(answer[2])
            self.people[origin] = _Person(origin, made["token"])

    async def play(self) -> None:
        rng, state = self.rng, self.state
        match = state.match
        assert match is not None
        assert self.secret is not None
        if state.window is not None:
            await self.in_window()
            return
        if match.hand.draw_pile <= BOTTOM:
            self.is_done = True  # soon someone would draw the card at the bottom
            return
        seat = match.hand.seat
        assert seat is not None
        person = self.people.get(state.origins[seat])
        if state.is_played_for(seat) or person is None:
            await self.wait(rng.choice([10, 800, 900]))
            return
        legal = [move for move in match.hand.legal_moves if not self.hides(seat, move)]
        if not legal:
            self.is_done = True
            return
        text = self.choice_of(legal, rng).text
        if ("bot" in {kind for token, kind in self._streams if token == person.token}) and rng.random() < 0.7:
            self.counts["bot move"] += 1
            for stream in self._streams[person.token, "bot"]:
                stream.say(msgspec.json.encode({"move": text}).decode())
            await self.compare("bot move")
            return
        body = {"move": text, "version": state.version}
        if rng.random() < 0.2:
            body["key"] = f"key {rng.randrange(20)}"
        await self.command("moves", person, body, page=rng.random() < 0.2)

    async def in_window(self) -> None:
        """The holder passes or does nothing; someone who holds another safety may call; time goes on."""
        rng, states = self.rng, [twin.state for twin in self.twins]
        state = states[0]
        assert state.match is not None
        assert state.window is not None
        holder = self.people.get(self.origin)
        asked = state.asked if states[0].asked == states[1].asked else None
        if asked is not None and rng.random() < 0.4 and (person := self.people.get(state.origins[asked])):
            call = next(move for move in state.match.hand.legal_moves if move != PASS)
            if not self.hides(asked, call):
                await self.command("moves", person, {"move": call.text, "version": state.version})
                return
        if holder is not None and rng.random() < 0.4:
            body = {"move": "pass", "version": state.version}
            await self.command("moves", holder, body, page=rng.random() < 0.3)
        else:
            await self.wait(rng.choice([20, state.window.until - state.window.opened]))

    # ------------------------------------------------------------------ anything, whether it makes sense or not

    async def anything(self) -> None:
        rng, state = self.rng, self.state
        people = list(self.people.values())
        if not people:
            await self.wait(1000)
            return
        person = rng.choice(people)
        name = rng.choice(COMMANDS)
        version = max(0, state.version - rng.choice([0, 0, 0, 1, 9]))
        page = rng.random() < 0.25
        seats = state.rules.seats
        body: dict[str, Any] = {}
        match name:
            case "moves":
                body = {"move": rng.choice(TRIED), "version": version}
                if self.may_differ(self.seat_of(person)):
                    return
            case "request":
                await self.command(name, person, {"what": rng.choice(["undo"] * 12 + ["end", "resign"])}, page=page)
                if rng.random() < 0.7:  # the next move would take the request back
                    await self.reply(page)
                return
            case "reply":
                await self.reply(page)
                return
            case "entropy":
                body = {"hand": state.next_hand[1], "bytes": rng.randbytes(16).hex()}
            case "chat":
                body = {"phrase": rng.choice(list(PHRASES))} if rng.random() < 0.5 else {"text": "hm"}
            case "absent":
                body = {"seat": rng.randrange(seats), "choice": rng.choice(["wait", "computer"])}
                page = False
            case "next":
                body = {"version": version, "settings": self._terms()}
                page = False
            case "cancel":
                if state.match is not None and rng.random() < 0.95:  # it is refused after the first deal
                    return
            case "resume-link":
                await self.resume(person)
                return
            case "seats":
                place = {"place": rng.choice(["open", "casual"])}
                other_seat = rng.randrange(seats)
                if state.origins[other_seat] != self.origin:
                    await self.command("seats", person, place, address=f"seats/{other_seat}")
                return
            case "rematch":
                body = {"version": version, "edition": rng.choice(["classic", "house"]), "target": "300", "key": ""}
                page = True
            case "hint" | "review":
                hand = rng.choice([1, 2])
                match = 1 if state.match is None else state.number
                address = "hint" if name == "hint" else f"hands/{hand}/review?match={match}"
                await self.command(name, person, {}, page=True, address=address)
                return
            case "away":
                await self.wait(rng.choice([5000, 20_000, 45_000]))
                return
            case "open":
                await self.open()
                return
            case "restart":
                await self.restart()
                return
            case _:
                body = msgspec.to_builtins(random_body(BODIES[name], state, rng)) | (
                    {"version": version} if "version" in BODIES[name].__struct_fields__ else {}
                )
        await self.command(name, person, body, page=page)

    async def reply(self, page: bool) -> None:
        """Let everyone answer a request, most of them with yes."""
        rng = self.rng
        for seat in sorted(self.state.concerned):
            person = self.people.get(self.state.origins[seat])
            if person is not None and rng.random() < 0.95:
                reply = {"agree": rng.random() < 0.9, "version": self.state.version}
                await self.command("reply", person, reply, page=page)

    def _terms(self) -> dict[str, Any] | None:
        rng, seats = self.rng, self.state.rules.seats
        if rng.random() < 0.3:
            return None
        found: dict[str, Any] = {"coup_window_ms": rng.choice([200, 7000]), "match_target": rng.choice([None, 300])}
        if rng.random() < 0.4:
            found["swap"] = rng.sample(range(seats), 2)
        if rng.random() < 0.3:
            found["edition"] = "house"
        return found

    async def resume(self, person: _Person) -> None:
        """Go on in another browser. The browser before has no seat any more."""
        answer = await self.command("resume-link", person, {})
        if answer[0] != 201:
            return
        link = msgspec.json.decode(answer[2])["link"]
        found = (await self.both("resume", "POST", f"/api{link}", {}, b"{}"))[0]
        if found[0] in {200, 201}:
            person.token = msgspec.json.decode(found[2])["token"]

    async def open(self) -> None:
        """Open a stream from any version on, or the connection of a program, unless it is open; or close one."""
        rng, viewer = self.rng, self.rng.choice(self.others())
        kind: Kind = rng.choice(["events", "events", "stream", "bot"])
        if viewer is None and kind == "bot":
            return
        key = (None if viewer is None else viewer.token), kind
        if key in self._streams:
            for stream in self._streams.pop(key):
                stream.end()
            await self.compare("a stream was closed")
            return
        self.counts[f"open {kind}"] += 1
        root = f"/t/{self.table}" if kind == "stream" else f"/api/tables/{self.table}"
        headers = self.headers(viewer, page=kind == "stream")
        if rng.random() < 0.7:
            headers["last-event-id"] = str(rng.randrange(self.state.version + 2))
        self._streams[key] = tuple(_Stream(twin, kind, f"{root}/{kind}", headers) for twin in self.twins)
        await self.compare("a stream was opened")

    async def restart(self) -> None:
        """Stop both servers, and start others on the same databases."""
        self.counts["restart"] += 1
        for pair in self._streams.values():
            for stream in pair:
                stream.end()
        for twin in self.twins:
            await twin.stop()
        await _loop().settle()
        self._streams.clear()
        for twin in self.twins:
            twin.lines = []
            await twin.start()
            assert twin.app.service is not None
            await twin.task(twin.app.service.table(self.table))
        await _loop().settle()

    async def look(self) -> None:
        """Let someone look at something, and compare it."""
        rng, viewer = self.rng, self.rng.choice(self.others())
        api, page = f"/api/tables/{self.table}", f"/t/{self.table}"
        what = rng.choice(LOOKS)
        if what == "reconnect":
            await self.reconnect(viewer)
            return
        is_page = what in {"table", "part", "hand", "deal", "home"}
        after = rng.randrange(self.state.version + 2)
        path = {
            "api": api,
            "table": page,
            "part": f"{page}/part?after={after}",
            "hand": f"{page}/hands/1",
            "deal": f"{page}/deals/1",
            "transcript": f"{api}/transcript",
            "lobby": "/api/lobby",
            "home": "/",
            "metrics": "/metrics",
            "health": "/healthz",
        }[what]
        found = await self.both(f"look at {what}", "GET", path, self.headers(viewer, page=is_page))
        if what in {"hand", "deal", "transcript"} and found[0][0] == 200:
            found = tuple((status, [], b"") for status, _head, _body in found)  # finished hands are open to all
        self.same(f"{what} for {viewer}", found)

    async def reconnect(self, viewer: _Person | None) -> None:
        """Open streams from every version of this hand on, and compare what each is sent at once."""
        state = self.state
        self.counts["reconnect"] += 1
        for after in range(max(0, state.floor - 1), state.version + 1):
            if self.rng.random() < 0.8:
                continue
            headers = self.headers(viewer) | {"last-event-id": str(after)}
            pair = tuple(_Stream(twin, "events", f"/api/tables/{self.table}/events", headers) for twin in self.twins)
            await _loop().settle()
            self.same(f"stream of {viewer} from {after} on", tuple(stream.parts for stream in pair))
            for stream in pair:
                stream.end()
            await _loop().settle()


OFTEN: Final = (
    *("moves", "undo", "undo", "request", "request", "request", "reply", "reply", "reply", "reply", "chat", "leave"),
    *("return", "return", "absent", "resume-link", "asking", "seats", "swap", "cancel", "entropy", "next", "rematch"),
    *("hint", "review", "away", "open", "open", "restart"),
)
COMMANDS: Final = (*OFTEN, *(name for name in BODIES if name not in OFTEN))
"""What anyone may do at any time."""
LOOKS: Final = (
    *("api", "api", "api", "table", "part", "reconnect", "hand", "deal", "transcript", "lobby", "home", "metrics"),
    "health",
)


def _form(body: dict[str, Any]) -> dict[str, Any]:
    return {name: ("yes" if value else "no") if isinstance(value, bool) else value for name, value in body.items()}


def drive_servers(seed: str, commands: int, steps: int = 250) -> tuple[Counter[str], set[str], int]:
    """Give so many commands at pairs of servers made from ``seed``.

    Return them, those that were carried out, and how often only one twin was asked. Raises `Apart` with the seed of the
    pair if what anyone gets differs.
    """
    given, done, apart, number = Counter[str](), set[str](), 0, 0
    with twin_world() as runner:
        while given.total() < commands:
            pair = TwinServers(f"{seed} {number}", runner.clock)  # type: ignore[attr-defined]
            number += 1
            runner.run(_whole(pair, steps))
            given += pair.counts
            done |= pair.done
            apart += pair.is_apart
    return given, done, apart


async def _whole(pair: TwinServers, steps: int) -> None:
    try:
        await pair.begin()
        for _ in range(steps):
            await pair.step()
            if pair.is_done:
                break
        await pair.end()
    finally:
        for twin in pair.twins:
            twin.memory.end()
