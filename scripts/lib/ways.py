"""Follows a person's command through the files of the package: a move on the web and in each terminal, and a hint.

Each way is made in this process, with settings and saves in a temporary folder. Every function of the package that runs
meanwhile is counted. A hand never changes (`millebornes.game`), so whoever follows a move needn't open the files below
it: they are one stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "millebornes"
sys.path.insert(0, str(ROOT / "src"))
HOME = tempfile.TemporaryDirectory()
os.environ |= {f"XDG_{kind}_HOME": HOME.name for kind in ("CONFIG", "DATA", "STATE")} | {"LANGUAGE": "en"}
os.environ |= {"MILLEBORNES_COMPILE": "here", "TERM": "xterm-256color"}  # kernels in Python would be counted

import httpx  # noqa: E402
from textual.app import App  # noqa: E402

from millebornes.cli import main as command  # noqa: E402
from millebornes.tui.plain.console import Console  # noqa: E402
from millebornes.web.app import make_app  # noqa: E402
from millebornes.web.tables.service import ServerSettings  # noqa: E402

ONE_STOP = ("cards.py", "editions", "engine", "game", "kernels", "notation", "rules", "schema", "shown.py")
"""The rooms below a hand, and the types of data."""
HAND = "game: a Hand, its view and its rules"
REPEATS = 3
"""How many moves are followed where timers run beside them."""
PATIENCE = 120
"""Seconds to wait for a text on the full screen. On a busy machine, kernels may be compiled meanwhile."""
SEEN = 0.5
"""Seconds for which a question has to be visible before keys for it are pressed. Earlier ones don't count."""
TABLE = ("--player", "human", "--player", "human", "--seed", "1", "--match-target", "none")

Way = dict[str, int]
"""The number of calls into each stop, in the order of the first one."""


class Tracer:
    """Counts the calls into the package while it is on, in this thread and those that begin meanwhile."""

    def __init__(self) -> None:
        self._ways: list[Way] = []

    @property
    def way(self) -> Way:
        """The latest way, without stops that weren't on all ways: some timer of the program woke up there."""
        return {stop: calls for stop, calls in self._ways[-1].items() if all(stop in way for way in self._ways)}

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Count a new way in this block."""
        self._ways.append({})
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _see(self, frame: FrameType, event: str, _argument: Any) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(str(SOURCE)):
            return
        file = Path(name).relative_to(SOURCE).as_posix()
        stop = HAND if file.split("/")[0] in ONE_STOP else file
        way = self._ways[-1]
        way[stop] = way.get(stop, 0) + 1


def web_way() -> Way:
    """Move by the API at a table of two people, in a process of its own."""
    return asyncio.run(_web_way())


async def _web_way() -> Way:
    tracer = Tracer()
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(f"sqlite:///{folder}/tables.db", ServerSettings(allow_seeds=True, limits=False))
        async with app.asgi.router.lifespan_context(app.asgi):
            transport = httpx.ASGITransport(app.asgi)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
                wanted = {"places": ["me", "open"], "name": "Ann", "edition": "classic", "seed": "1"}
                made = (await http.post("/api/tables", json=wanted)).json()
                http.cookies.clear()  # another person
                joined = (await http.post(f"/api{made['invitations'][1]}", json={"name": "Bo"})).json()
                table, tokens = f"/api/tables/{made['table']}", [made["token"], joined["token"]]
                left = REPEATS
                while True:
                    for token in tokens:
                        headers = {"Authorization": f"Bearer {token}"}
                        seen = (await http.get(table, headers=headers)).json()
                        if seen.get("phase") == "play":
                            body = {"move": seen["legal"][0], "version": seen["version"]}
                            with tracer.on():
                                answer = await http.post(f"{table}/moves", json=body, headers=headers)
                            assert answer.status_code == 200, answer.text
                            left -= 1
                            if not left:
                                return tracer.way
                    await asyncio.sleep(0.01)


def plain_way(*lines: str) -> Way:
    """Type lines at a table of two people, and follow the last one to the next question."""
    tracer, ask, wanted = Tracer(), Console.ask, list(lines)
    with contextlib.ExitStack() as stack:

        def asking(console: Console, prompt: str, **more: Any) -> str:
            stack.close()
            line = ask(console, prompt, **more)
            if wanted and line == wanted[0]:
                del wanted[0]
                if not wanted:
                    stack.enter_context(tracer.on())
            return line

        with (
            mock.patch.object(Console, "ask", asking),
            mock.patch("sys.stdin", io.StringIO("\n".join(["", *lines, ""]))),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            command(["play", "--plain", *TABLE])
    assert not wanted, f"{wanted[0]!r} was not asked for"
    return tracer.way


def full_way() -> Way:
    """Discard a card at a table of two people on the whole screen: from its key to the next question."""
    tracer = Tracer()

    async def play(app: App[Any]) -> None:
        async with app.run_test(size=(80, 24)) as pilot:

            async def shows(text: str) -> None:
                until = time.monotonic() + PATIENCE
                while text not in app.export_screenshot().replace("&#160;", " "):
                    assert time.monotonic() < until, f"the full screen never showed {text!r}"
                    await pilot.pause(0.05)
                await pilot.pause(SEEN)

            await shows("Pass the keyboard to")
            for _n in range(REPEATS):
                await pilot.press("enter")
                await shows("your turn.")
                await pilot.press("d", "1")
                await shows("Discard card 1")
                with tracer.on():
                    await pilot.press("enter")
                    await shows("Pass the keyboard to")
            app.exit()

    def run(app: App[Any], **_options: Any) -> None:
        asyncio.run(play(app))

    with mock.patch.object(App, "run", run), mock.patch("millebornes.cli.play.play.is_screen", return_value=True):
        command(["play", *TABLE])
    return tracer.way


WAYS: dict[str, Callable[[], Way]] = {
    "A move on the web": web_way,
    "A move in the line game": lambda: plain_way("d 1"),
    "A move on the full screen": full_way,
    "A hint in the line game": lambda: plain_way("h", "d 1", "", "h"),
}
"""What is followed. The first hint of a process imports modules, so the second one is followed."""
