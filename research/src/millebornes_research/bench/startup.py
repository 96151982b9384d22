"""Measure how long a user waits for the help, and for the first prompt of a game."""

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError
from millebornes.game import Match
from millebornes.players.external.protocol import line_of
from millebornes.schema import FORMAT
from millebornes_research.bench.base import Result, alternate, median

COMMAND: Final = (sys.executable, "-m", "millebornes")
"""The command that starts the program."""
ASKING: Final = ("play", "--plain")
DEALING: Final = ("play", "--plain", "--edition", "classic", "--player", "human", "--player", "basic", "--seed", "1")
CHAMPION: Final = ("play", "--plain", "--player", "champion", "--player", "human", "--seed", "1")
"""A game in which the champion begins, so the first prompt follows its first move."""
ENGINE: Final = ("engine", "--player", "champion")
QUIET: Final = 0.3
"""Seconds without output after which an unfinished line counts as a prompt."""
BETWEEN: Final = 0.1
"""Seconds between two checks whether the champion already uses its search."""
PATIENCE: Final = 120.0
"""The maximum number of seconds to wait for anything."""


def _environment(home: Path, cache: Path | None) -> dict[str, str]:
    """Return an environment with a separate folder for settings and saves. ``cache`` is the folder for compiled rules.

    If it is None, the usual folder is used.
    """
    changed = {name: str(home) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "APPDATA")}
    changed |= {"PYTHONUNBUFFERED": "1", "NO_COLOR": "1", "LANGUAGE": "en"}
    return {**os.environ, **changed, **({} if cache is None else {"MILLEBORNES_CACHE": str(cache)})}


def _emptied(home: Path, cache: Path) -> dict[str, str]:
    """Return the same environment as `_environment`, with an empty cache."""
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir()
    return _environment(home, cache)


def seconds_to_run(command: Sequence[str]) -> float:
    """Return the wall-clock seconds that a command takes. Raises `MilleBornesError` if it fails."""
    start = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise MilleBornesError(f"{' '.join(command[1:])} ended with status {done.returncode}")
    return seconds


def seconds_to_prompt(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return the wall-clock seconds until a command shows a prompt, which is an unfinished line with nothing after it.

    Raises `MilleBornesError` if the command ends before that, or prints nothing for too long.
    """
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment)
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        last, latest = b"", start
        try:
            while True:
                ready, _, _ = select.select([process.stdout], [], [], QUIET)
                now = time.perf_counter()
                if ready:
                    text = os.read(process.stdout.fileno(), 1 << 16)
                    if not text:
                        raise MilleBornesError(f"{' '.join(command[1:])} ended before it asked anything")
                    last, latest = text, now
                elif last and not last.endswith(b"\n"):
                    return latest - start
                elif now - start > PATIENCE:
                    raise MilleBornesError(f"{' '.join(command[1:])} asked nothing for {PATIENCE:.0f} s")
        finally:
            process.kill()


def seconds_to_ready(environment: Mapping[str, str]) -> tuple[float, float]:
    """Return the wall-clock seconds until the champion is ready as an engine, and until its first move from a search.

    Raises `MilleBornesError` if the engine ends before that.
    """
    match = Match.start(make_rules(), "ready")
    assert match.hand.seat is not None
    view = match.view(match.hand.seat)
    table = {"seats": match.rules.seats, "sides": match.rules.sides, "seat": match.hand.seat}
    hello = {"type": "hello", "protocol": FORMAT, **table, "match_target": match.match_target}
    rules = {"edition": match.rules.edition, **match.rules.settings()}
    start = time.perf_counter()
    with subprocess.Popen(
        [*COMMAND, *ENGINE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environment),
    ) as process:
        try:
            _ask(process, {**hello, "rules": rules})
            ready = time.perf_counter() - start
            question = {"type": "choose", "view": view.to_dict()}
            while _ask(process, question).get("info", {}).get("compiling"):
                if time.perf_counter() - start > PATIENCE:
                    raise MilleBornesError(f"{' '.join(ENGINE)} did not search within {PATIENCE:.0f} s")
                time.sleep(BETWEEN)
            return ready, time.perf_counter() - start
        finally:
            process.kill()


def _ask(process: "subprocess.Popen[bytes]", message: Mapping[str, object]) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(line_of(message))
        process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise MilleBornesError(f"{' '.join(ENGINE)} ended before it answered")
    answer: dict[str, Any] = json.loads(line)
    return answer


def measure_startup(quick: bool = False) -> Result:
    """Time ``--help``, and ``play --plain`` until it shows a prompt, both with compiled rules and with an empty cache.

    ``prompt`` is the first question of the game. ``hand`` is the first move of a hand that is dealt immediately,
    because the options determine the game. This needs compiled rules. ``champion`` is the same after the first move of
    the champion, with an empty cache. With the champion as an engine, ``ready`` is the time when it reports that it is
    ready, and ``full`` is the time of its first move from a search. The baseline is the bare Python interpreter. This
    benchmark needs a system that can wait for pipes (any except Windows).
    """
    runs = 3 if quick else 11
    helps, bare = alternate(
        runs,
        lambda _: seconds_to_run([*COMMAND, "--help"]),
        lambda _: seconds_to_run([sys.executable, "-c", "pass"]),
    )
    figures: dict[str, float] = {"help_ms": median([1000 * seconds for seconds in helps])}
    baselines = {"python": {"nothing_ms": median([1000 * seconds for seconds in bare])}}
    if os.name == "nt":
        return Result("startup", figures, baselines, ("the first prompt is not measured on Windows",))
    with tempfile.TemporaryDirectory(prefix="millebornes-bench-") as folder:
        home = Path(folder, "home")
        for name, words in (("prompt", ASKING), ("hand", DEALING)):
            cold = []
            for i in range(1 if quick else 3):
                empty = Path(folder, f"{name}{i}")
                empty.mkdir()
                cold.append(seconds_to_prompt([*COMMAND, *words], _environment(home, empty)))
            compiled = _environment(home, Path(folder, "hand"))
            Path(folder, "hand").mkdir(exist_ok=True)
            seconds_to_prompt([*COMMAND, *DEALING], compiled)
            warm = [seconds_to_prompt([*COMMAND, *words], compiled) for _ in range(runs)]
            figures |= {f"{name}_warm_s": median(warm), f"{name}_cold_s": median(cold)}
        places = [Path(folder, f"champion{i}") for i in range(1 if quick else 3)]
        starts, engines = [], []
        for place in places:
            starts.append(seconds_to_prompt([*COMMAND, *CHAMPION], _emptied(home, place)))
            engines.append(seconds_to_ready(_emptied(home, place)))
        figures |= {"champion_cold_s": median(starts)}
        figures |= {"engine_ready_cold_s": median([ready for ready, _ in engines])}
        figures |= {"engine_full_cold_s": median([full for _, full in engines])}
        ready, full = seconds_to_ready(_environment(home, places[0]))
        figures |= {"engine_ready_warm_s": ready, "engine_full_warm_s": full}
    return Result("startup", figures, baselines)
