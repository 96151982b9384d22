"""Compares how fast this checkout and an earlier commit are. The two alternate, each figure in a fresh process.

The earlier commit is checked out into a temporary folder. Both run in the same environment: PYTHONPATH says whose
sources are imported. Each has a folder of its own for compiled code. Run as a program, this module measures one figure
within a process, with names that both commits have.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
QUESTION = ("play", "--plain", "--player", "human", "--player", "basic", "--seed", "1")
TABLE = ("play", "--player", "human", "--player", "random", "--seed", "1")
HINT = ("hint", "--worlds", "32", "--at", "1:12", "tests/data/examples/classic-2x2.jsonl")
WARMING = 4
"""Moves at a table on the web before its memory is measured."""
TABLES = 200
"""Tables whose memory is measured."""
PASSES = 4
"""Passes of which the fastest counts."""


# ---------------------------------------------------------------- within a process


def _random_hands(count: int, seed: int = 1) -> Iterator[Any]:
    from millebornes.editions import make_rules
    from millebornes.game import Hand

    rng, rules = random.Random(seed), make_rules()
    for number in range(count):
        hand = Hand.deal(rules, seed, number % 2, number + 1)
        while not hand.is_over:
            moves = hand.legal_moves
            hand = hand.play(moves[rng.randrange(len(moves))])
        yield hand


def _cpu_ms(work: Callable[[], None]) -> float:
    """Return the CPU milliseconds of the fastest of several passes: other programs disturb the processor's caches."""
    passes = []
    for _pass in range(PASSES):
        begun = time.process_time()
        work()
        passes.append(1000 * (time.process_time() - begun))
    return min(passes)


def replay_short() -> float:
    """CPU milliseconds to replay a transcript of one hand."""
    return _replay_ms([1] * 80)


def replay_long() -> float:
    """CPU milliseconds to replay a hand of a long transcript."""
    return _replay_ms([400])


def _replay_ms(lengths: list[int]) -> float:
    from millebornes.editions import make_rules
    from millebornes.notation import hand_line, header_line, replay_lines

    head = header_line(make_rules(), ("a", "b"), None)
    files = [
        [f"{head}\n", *(f"{hand_line(hand, n)}\n" for n, hand in enumerate(_random_hands(size, seed), 1))]
        for seed, size in enumerate(lengths)
    ]

    def replay() -> None:
        for file in files:
            for _line in replay_lines(iter(file)):
                pass

    return _cpu_ms(replay) / sum(lengths)


def play() -> float:
    """CPU microseconds of `Hand.play`, without the choice of the move."""
    games = [(hand.at(0), hand.moves) for hand in _random_hands(300)]

    def again() -> None:
        for hand, moves in games:
            for move in moves:
                hand = hand.play(move)

    return 1000 * _cpu_ms(again) / sum(len(moves) for _hand, moves in games)


def view() -> float:
    """CPU microseconds of `Hand.view`, and of the view's legal moves and cards."""
    hands = [hand.at(ply) for hand in _random_hands(100) for ply in range(hand.ply)]

    def look() -> None:
        for hand in hands:
            found = hand.view(hand.seat)
            len(found.legal_moves), found.hand, found.tableaux  # each is made when it is asked for

    return 1000 * _cpu_ms(look) / len(hands)


def web_move() -> float:
    """CPU milliseconds of a move by the API, and of the table that is asked for after it."""
    return asyncio.run(_web(tables=12, moves=40))[0]


def web_memory() -> float:
    """Kilobytes that the process grows by for each table on the web at which a few moves have been made."""
    return asyncio.run(_web(tables=TABLES, moves=WARMING))[1]


async def _web(tables: int, moves: int) -> tuple[float, float]:
    import httpx

    import millebornes.web.app as web

    settings: Any = web.ServerSettings(allow_seeds=True, limits=False)  # type: ignore[attr-defined] # its home has moved
    spent = made = 0.0
    with tempfile.TemporaryDirectory() as folder:
        app = web.make_app(f"sqlite:///{folder}/tables.db", settings)
        async with (
            app.asgi.router.lifespan_context(app.asgi),
            httpx.AsyncClient(transport=httpx.ASGITransport(app.asgi), base_url="http://127.0.0.1") as http,
        ):
            await _web_table(http, "warm", moves)
            before = _resident_kb()
            for n in range(tables):
                ms, count = await _web_table(http, str(n), moves)
                spent, made = spent + ms, made + count
            return spent / made, (_resident_kb() - before) / tables


async def _web_table(http: Any, seed: str, moves: int) -> tuple[float, int]:
    """Make moves at a new table of two people, without hazards, which would wait for a coup fourré."""
    rng, wanted = random.Random(seed), {"places": ["me", "open"], "name": "Ann", "edition": "classic", "seed": seed}
    made = (await http.post("/api/tables", json=wanted)).json()
    http.cookies.clear()  # another person
    joined = (await http.post(f"/api{made['invitations'][1]}", json={"name": "Bo"})).json()
    http.cookies.clear()
    table = f"/api/tables/{made['table']}"
    headers = [{"Authorization": f"Bearer {token}"} for token in (made["token"], joined["token"])]

    async def asked() -> tuple[dict[str, str], dict[str, Any]]:
        while True:
            for one in headers:
                seen = (await http.get(table, headers=one)).json()
                if seen.get("legal"):
                    return one, seen
            await asyncio.sleep(0.005)

    (one, seen), spent = await asked(), 0.0
    for count in range(moves):
        choices = [move for move in seen["legal"] if ">" not in move]
        body = {"move": rng.choice(choices), "version": seen["version"]}
        begun = time.process_time()
        answer = await http.post(f"{table}/moves", json=body, headers=one)
        if answer.status_code != 200:
            raise RuntimeError(f"{answer.status_code} {answer.text}")
        await http.get(table, headers=one)
        spent += 1000 * (time.process_time() - begun)
        if count + 1 < moves:
            one, seen = await asked()
    return spent, moves


def _resident_kb() -> float:
    from millebornes_research.bench.base import memory_of_process

    return memory_of_process(os.getpid(), "VmRSS") / 1024


INSIDE: dict[str, Callable[[], float]] = {
    "replay, a transcript of one hand (ms)": replay_short,
    "replay, a hand of 400 (ms)": replay_long,
    "Hand.play (us)": play,
    "a view (us)": view,
    "a move on the web (CPU ms)": web_move,
    "a table on the web (kB)": web_memory,
}


# ---------------------------------------------------------------- from outside


class Tree:
    """A checkout of the sources, with its own folders for compiled code and settings."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.cache, self.home = root, folder / "cache", folder / "home"
        (self.home / "config").mkdir(parents=True)
        (self.home / "config" / "preferences.json").write_text('{"pace": 0, "bell": false}', encoding="utf-8")

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment in which Python imports these sources."""
        kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}}
        own = {"PYTHONPATH": str(self.root / "src"), "MILLEBORNES_CACHE": str(self.cache)}
        return {**kept, **own, "MILLEBORNES_HOME": str(self.home), "LANGUAGE": "en", "TERM": "xterm-256color", **more}

    def run(self, *command: str, **more: str) -> str:
        """Run Python with these sources, and return what it prints. Raises `RuntimeError` if it fails."""
        done = subprocess.run(
            [sys.executable, *command],
            env=self.environment(**more),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with status {done.returncode} in {self.root}: {done.stderr}")
        return done.stdout

    def inside(self, name: str) -> list[float]:
        """Measure a figure of `INSIDE` in a fresh process."""
        return [float(self.run(str(Path(__file__).resolve()), name, MILLEBORNES_COMPILE="here"))]

    def version(self) -> list[float]:
        """Return the CPU and wall-clock seconds of ``--version``, in milliseconds."""
        return _timed(lambda: self.run("-m", "millebornes", "--version"))

    def question(self) -> list[float]:
        """Return CPU and wall-clock milliseconds until the line game asks for the first move."""
        from millebornes_research.bench.startup import COMMAND, seconds_to_prompt

        return _timed(lambda: seconds_to_prompt([*COMMAND, *QUESTION], self.environment(PYTHONUNBUFFERED="1")))

    def frame(self) -> list[float]:
        """Return CPU and wall-clock milliseconds until the table is on the whole screen."""
        from millebornes_research.bench.screen import seconds_to_paint
        from millebornes_research.bench.startup import COMMAND

        return _timed(lambda: seconds_to_paint([*COMMAND, *TABLE], self.environment(), "Your turn."))

    def first_hint(self) -> list[float]:
        """Return the CPU and wall-clock milliseconds of a hint with an empty cache."""
        shutil.rmtree(self.cache, ignore_errors=True)
        return _timed(lambda: self.run("-m", "millebornes", *HINT, MILLEBORNES_COMPILE="here"))


OUTSIDE: dict[str, Callable[[Tree], list[float]]] = {
    "millebornes --version": Tree.version,
    "first question of play --plain": Tree.question,
    "first table on the full screen": Tree.frame,
}
LONG: dict[str, Callable[[Tree], list[float]]] = {"first hint, empty cache": Tree.first_hint}


def _timed(work: Callable[[], object]) -> list[float]:
    """Return the CPU milliseconds of the processes that ``work`` starts, and how long it takes.

    If it returns a number, this is how many seconds passed until what was waited for.
    """
    from millebornes_research.bench.base import cpu_of_children

    cpu, begun = cpu_of_children(), time.perf_counter()
    said = work()
    seconds = said if isinstance(said, float) else time.perf_counter() - begun
    return [1000 * (cpu_of_children() - cpu), 1000 * seconds]


@contextlib.contextmanager
def checked_out(revision: str, folder: Path) -> Iterator[Path]:
    """Provide a checkout of a commit within this block."""
    place, git = folder / "checkout", ["git", "-C", str(ROOT), "worktree"]
    done = subprocess.run([*git, "add", "--detach", str(place), revision], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"scripts/figures: {revision} can't be checked out: {done.stderr.strip()}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the checkout is removed then, too
    try:
        yield place
    finally:
        subprocess.run([*git, "remove", "--force", str(place)], check=True)


def compare(revision: str, rounds: int, only: str, *, with_hint: bool) -> None:
    """Measure each figure ``rounds`` times with both trees in turn, and print medians and the median ratio."""
    with tempfile.TemporaryDirectory(prefix="millebornes-figures-") as name:
        folder = Path(name)
        with checked_out(revision, folder) as place:
            trees = [Tree(place, folder / "before"), Tree(ROOT, folder / "now")]
            print(f"\n{f'against {revision}, {rounds} rounds':<42} {'before':>9} {'now':>9} {'ratio':>6}")
            for tree in trees:  # compile, and write the bytecode
                tree.inside(next(iter(INSIDE)))
                for measure in OUTSIDE.values():
                    measure(tree)
            rows: dict[str, Callable[[Tree], list[float]]] = {}
            rows |= {name: functools.partial(Tree.inside, name=name) for name in INSIDE} | OUTSIDE
            for name, measure in rows.items():
                if only in name:
                    _print_row(name, [(measure(trees[0]), measure(trees[1])) for _round in range(rounds)])
            for name, measure in LONG.items() if with_hint else ():
                _print_row(name, [(measure(trees[0]), measure(trees[1]))])


def _print_row(name: str, pairs: list[tuple[list[float], list[float]]]) -> None:
    units = [""] if len(pairs[0][0]) == 1 else [", CPU ms", ", wall ms"]
    for n, unit in enumerate(units):
        before, now = ([pair[side][n] for pair in pairs] for side in (0, 1))
        ratio = statistics.median(new / old for old, new in zip(before, now, strict=True))
        medians = f"{statistics.median(before):>9.4g} {statistics.median(now):>9.4g}"
        print(f"{name + unit:<42} {medians} {ratio:>6.2f}", flush=True)


if __name__ == "__main__":
    print(INSIDE[sys.argv[1]]())
