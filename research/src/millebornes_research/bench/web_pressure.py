"""Measure what a person notices of the web game while another address asks for as much as it can."""

import asyncio
import contextlib
import itertools
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import httpx

from millebornes.errors import MilleBornesError
from millebornes_research.bench.base import Result, shown
from millebornes_research.bench.web_load import percentiles
from millebornes_research.bench.web_servers import Server

GREEDY: Final = "127.0.0.2"
PATIENT: Final = "127.0.0.3"
"""Every address in 127.0.0.0/8 belongs to this machine (on Linux)."""
TABLES: Final = 20
READERS: Final = 10
"""So many clients of the greedy address get pages of practice at the same time."""
PAUSE: Final = 0.02
"""The greedy address tries again after this many seconds if it is refused."""
PATIENCE: Final = 300.0
_NEW: Final = {"seats": 2, "places": ["me", "basic"], "match_target": None, "name": "Ann", "coup_window_ms": 200}


def measure_pressure(match: Path, hints: int = 12) -> Result:
    """Measure moves and hints of one address, first alone and then while another asks for everything at 20 tables.

    ``match`` is the transcript that the greedy address uploads to have its hands reviewed. Raises `MilleBornesError` if
    the server doesn't work.
    """
    with tempfile.TemporaryDirectory(prefix="millebornes-pressure-") as folder:
        database = f"sqlite:///{Path(folder, 'tables.db')}"
        options = ("--port", "0", "--database", database, "--no-browser")
        with Server((sys.executable, "-m", "millebornes", "serve", *options)) as server:
            figures = asyncio.run(_measure(f"http://127.0.0.1:{server.port}", match.read_bytes(), hints))
    return Result("pressure", figures)


async def _measure(url: str, match: bytes, hints: int) -> dict[str, Any]:
    refused = Counter[int]()
    async with _browser(url, PATIENT) as ann:
        await _play(ann, 1)  # the first hint waits for the compiler
        alone = await _play(ann, hints)
        address = await _reviewed(url, match)
        pressing = [asyncio.create_task(_for_ever(each)) for each in _greedy(url, match, address, refused)]
        try:
            pressed = await _play(ann, hints)
        finally:
            for task in pressing:
                task.cancel()
            await asyncio.wait(pressing)
    quiet, loud = (percentiles(waits)["50_ms"] for _moves, waits in (alone, pressed))
    return {
        "moves_alone": percentiles(alone[0]),
        "moves_pressed": percentiles(pressed[0]),
        "hints_alone": percentiles(alone[1]),
        "hints_pressed": percentiles(pressed[1]),
        "hint_ratio": shown(loud / quiet),
        "greedy_answers": {str(status): count for status, count in sorted(refused.items())},
    }


def _browser(url: str, address: str) -> httpx.AsyncClient:
    headers = {"origin": url, "sec-fetch-site": "same-origin", "accept": "text/html"}
    carrier = httpx.AsyncHTTPTransport(local_address=address)
    return httpx.AsyncClient(base_url=url, headers=headers, transport=carrier, timeout=PATIENCE)


async def _new_table(browser: httpx.AsyncClient) -> str:
    while (made := await browser.post("/api/tables", json=_NEW)).status_code == 429:
        await asyncio.sleep(1)
    return str(_checked(made).json()["table"])


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.status_code >= 400:
        raise MilleBornesError(f"{answer.url.path}: {answer.status_code} {answer.text[:200]}")
    return answer


async def _asked(browser: httpx.AsyncClient, table: str) -> dict[str, Any]:
    """Wait until a table asks for a move, or until its match is over."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        seen: dict[str, Any] = _checked(await browser.get(f"/api/tables/{table}")).json()
        if seen["legal"] or seen["status"] in {"hand_over", "match_over"}:
            return seen
        await asyncio.sleep(0.1)
    raise MilleBornesError(f"table {table} doesn't continue")


async def _play(browser: httpx.AsyncClient, count: int) -> tuple[list[float], list[float]]:
    """Ask for so many hints and follow with a move each. Return the seconds until moves and hints came."""
    moves, hints, table = list[float](), list[float](), ""
    while len(hints) < count:
        seen = await _asked(browser, table) if table else {"legal": ()}
        if not seen["legal"]:
            table = await _new_table(browser)
            continue
        begun = time.perf_counter()
        _checked(await browser.post(f"/t/{table}/hint", follow_redirects=True))
        until = time.monotonic() + PATIENCE
        while "<summary>Why?" not in _checked(await browser.get(f"/t/{table}")).text:
            if time.monotonic() > until:
                raise MilleBornesError("no hint came")
            await asyncio.sleep(0.1)
        hints.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        body = {"move": seen["legal"][0], "version": seen["version"]}
        answer = await browser.post(f"/api/tables/{table}/moves", json=body)
        if answer.status_code < 400:
            moves.append(time.perf_counter() - begun)
    return moves, hints


async def _reviewed(url: str, match: bytes) -> str:
    """Upload a match, and return the address of its first hand once that is reviewed."""
    async with _browser(url, GREEDY) as browser:
        answer = _checked(await browser.post("/upload", files={"file": ("match.jsonl", match)}))
        hand = answer.headers["location"].partition("?")
        _checked(await browser.post(f"{hand[0]}/review?{hand[2]}"))
        until = time.monotonic() + PATIENCE
        while "/practice?" not in (await browser.get(answer.headers["location"])).text:
            if time.monotonic() > until:
                raise MilleBornesError("no review came")
            await asyncio.sleep(0.5)
        return str(answer.headers["location"])


async def _for_ever(work: Callable[[], Awaitable[None]]) -> None:
    while True:
        with contextlib.suppress(httpx.HTTPError, MilleBornesError):
            await work()


def _greedy(url: str, match: bytes, hand: str, refused: Counter[int]) -> list[Callable[[], Awaitable[None]]]:
    """Return everything that the greedy address does at the same time, again and again."""

    async def ask(browser: httpx.AsyncClient, method: str, path: str, **more: Any) -> httpx.Response:
        answer = await browser.request(method, path, **more)
        refused[answer.status_code] += 1
        await asyncio.sleep(PAUSE)
        return answer

    async def hints() -> None:
        async with _browser(url, GREEDY) as browser:
            table = await _new_table(browser)
            while True:
                seen = (await ask(browser, "GET", f"/api/tables/{table}")).json()
                if seen.get("status") == "hand_over":
                    return
                if seen.get("legal"):
                    await ask(browser, "POST", f"/t/{table}/hint")
                    body = {"move": seen["legal"][0], "version": seen["version"]}
                    await ask(browser, "POST", f"/api/tables/{table}/moves", json=body)

    async def reviews() -> None:
        async with _browser(url, GREEDY) as browser:
            answer = await ask(browser, "POST", "/upload", files={"file": ("match.jsonl", match)})
            there = answer.headers.get("location")
            if there is None:
                return
            other = {int(n) for n in re.findall(r"/hands/(\d+)", (await ask(browser, "GET", there)).text)} | {1}
            start, _, query = there.partition("/hands/1?")
            for number in itertools.islice(itertools.cycle(sorted(other)), 200):
                await ask(browser, "POST", f"{start}/hands/{number}/review?{query}")

    async def pages() -> None:
        start, _, query = hand.partition("?")
        async with _browser(url, GREEDY) as browser:
            await ask(browser, "GET", "/practice", follow_redirects=True)
            await ask(browser, "GET", f"{start}/practice?{query}", follow_redirects=True)
            await ask(browser, "GET", hand)

    return [*[hints] * TABLES, *[reviews] * 5, *[pages] * READERS]
