"""Measure how many tables the web game can serve, and how soon each seat sees the moves of the other."""

import asyncio
import dataclasses
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from millebornes_research.bench.base import Result, shown
from millebornes_research.bench.web_load import Load, Moves, echo, percentiles
from millebornes_research.bench.web_servers import ECHO, Server, serve_command

WARMING: Final = 2.0
"""Seconds of play before the measurement starts."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Wanted:
    """The settings of a load: ``rate`` is the number of moves per second at all tables (0 for as many as possible).

    ``database`` is the URL of a database, by default a separate SQLite file. ``servers`` is the number of server
    processes. If ``apart`` is true, the seats of a table connect to different servers. ``window_ms`` is the time for
    calling a coup fourré, in milliseconds.
    """

    tables: int = 1000
    rate: float = 250.0
    seconds: float = 20.0
    database: str | None = None
    servers: int = 1
    apart: bool = False
    window_ms: int = 7000


def measure_load(wanted: Wanted) -> Result:
    """Measure the load on the yardstick server, and then on the web game.

    Raises `MilleBornesError` if a server fails.
    """
    _allow_handles()
    with Server(ECHO) as yardstick:
        baseline = asyncio.run(_echo(yardstick, wanted))
    with ExitStack() as stack:
        servers = _servers(stack, wanted)
        figures = asyncio.run(_load(servers, wanted))
    return Result("web", figures, {"echo": baseline})


def measure_soak(wanted: Wanted, samples: int = 10, tell: Callable[[str], None] = lambda _line: None) -> Result:
    """Run the load for a long time, and measure memory, handles and times in ``samples`` parts.

    ``tell`` is called with each line of the report.
    """
    _allow_handles()
    with ExitStack() as stack:
        servers = _servers(stack, wanted)
        figures = asyncio.run(_soak(servers, wanted, samples, tell))
    return Result("soak", figures)


def _servers(stack: ExitStack, wanted: Wanted) -> list[Server]:
    database = wanted.database
    if database is None:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="millebornes-load-"))
        database = f"sqlite:///{Path(folder, 'tables.db')}"
    return [stack.enter_context(Server(serve_command(database))) for _ in range(wanted.servers)]


def _allow_handles() -> None:
    """Raise the limit of open connections as far as the system permits. Child processes inherit this limit."""
    import resource  # this module is missing on Windows

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _echo(server: Server, wanted: Wanted) -> dict[str, Any]:
    before, begun = server.memory(), (0, 0.0)

    def opened() -> None:
        nonlocal begun
        begun = server.memory(), server.cpu_seconds()

    moves = await echo(server, wanted.tables, wanted.rate or 250.0, wanted.seconds, opened)
    cpu = server.cpu_seconds() - begun[1]
    return {**_times(moves), **_cost(moves, cpu), "kb_per_table": shown((begun[0] - before) / wanted.tables / 1000)}


async def _load(servers: Sequence[Server], wanted: Wanted) -> dict[str, Any]:
    load = Load(servers, apart=wanted.apart, window_ms=wanted.window_ms)
    try:
        await load.open(1)
        await load.dealt()  # the fixed costs of the first table shouldn't count towards the cost per table
        before = sum(server.memory() for server in servers)
        begun = time.perf_counter()
        await load.open(wanted.tables - 1)
        opened = time.perf_counter() - begun
        await load.dealt()
        held = sum(server.memory() for server in servers)
        await load.play(wanted.rate, WARMING)
        cpu = sum(server.cpu_seconds() for server in servers)
        moves = await load.play(wanted.rate, wanted.seconds)
        cpu = sum(server.cpu_seconds() for server in servers) - cpu
        after = sum(server.memory() for server in servers)
        return {
            "tables": wanted.tables,
            "streams": sum(not stream.is_lost for stream in load.streams),
            "tables_opened_per_s": shown(wanted.tables / opened),
            **_times(moves),
            **_cost(moves, cpu),
            "kb_per_table": shown((held - before) / wanted.tables / 1000),
            "kb_per_table_at_end": shown((after - before) / wanted.tables / 1000),
        }
    finally:
        load.close()


async def _soak(servers: Sequence[Server], wanted: Wanted, samples: int, tell: Callable[[str], None]) -> dict[str, Any]:
    load = Load(servers, apart=wanted.apart, window_ms=wanted.window_ms)
    memory, handles, slowest = list[float](), list[int](), list[float]()
    try:
        await load.open(wanted.tables)
        await load.dealt()
        for n in range(samples):
            moves = await load.play(wanted.rate, wanted.seconds / samples)
            memory.append(shown(sum(server.memory() for server in servers) / 1e6))
            handles.append(sum(server.handles() for server in servers))
            slowest.append(percentiles(moves.told).get("95_ms", 0.0))
            tell(f"{n + 1} of {samples}: {memory[-1]} MB, {handles[-1]} handles, p95 {slowest[-1]} ms")
        lost = sum(stream.is_lost for stream in load.streams)
    finally:
        load.close()
    return {"memory_mb": memory, "handles": handles, "told_95_ms": slowest, "streams_lost": lost}


def _times(moves: Moves) -> dict[str, Any]:
    return {"acknowledged": percentiles(moves.acknowledged), "then_told": percentiles(moves.told)}


def _cost(moves: Moves, cpu: float) -> dict[str, Any]:
    count = len(moves.acknowledged)
    return {
        "moves_per_s": shown(count / moves.seconds),
        "refused": moves.refused,
        "cpu_ms_per_move": shown(1000 * cpu / max(1, count)),
        "cpu_share": shown(cpu / moves.seconds),
    }
