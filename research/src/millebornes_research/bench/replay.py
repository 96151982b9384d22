"""Measure how long ``millebornes replay --json`` takes for a long transcript."""

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError
from millebornes.game import Hand
from millebornes.notation import hand_line, header_line
from millebornes_research.bench.base import Result, cpu_of_children, shown


def write_random_match(file: Path, hands: int, seed: int = 1) -> int:
    """Write a transcript of single hands of random play (classic, two seats).

    Return the number of decisions in the transcript.
    """
    rules, rng = make_rules(), random.Random(seed)
    decisions = 0
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(header_line(rules, ("random", "random#2"), None) + "\n")
        for number in range(1, hands + 1):
            hand = Hand.deal(rules, seed, (number - 1) % rules.seats, number)
            while not hand.is_over:
                moves = hand.legal_moves
                hand = hand.play(moves[rng.randrange(len(moves))])
            decisions += hand.ply
            stream.write(hand_line(hand, number) + "\n")
    return decisions


def measure_replay(quick: bool = False) -> Result:
    """Check and replay recorded hands with the command: 10,000 hands, or 1,000 if ``quick`` is true."""
    return replay_hands(1_000 if quick else 10_000)


def replay_hands(hands: int) -> Result:
    """Check and replay ``hands`` recorded hands in a separate process, as a user would.

    Raises `MilleBornesError` if the command fails.
    """
    with tempfile.TemporaryDirectory(prefix="millebornes-bench-") as folder:
        file = Path(folder, "match.jsonl")
        decisions = write_random_match(file, hands)
        size = file.stat().st_size
        command = [sys.executable, "-m", "millebornes", "replay", str(file), "--json"]
        cpu, start = cpu_of_children(), time.perf_counter()
        with Path(folder, "replay.jsonl").open("wb") as out:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, check=False)
        seconds, cpu = time.perf_counter() - start, cpu_of_children() - cpu
        if done.returncode:
            raise MilleBornesError(f"replay ended with status {done.returncode}")
        written = Path(folder, "replay.jsonl").stat().st_size
    return Result(
        "replay",
        {
            "hands": hands,
            "decisions": decisions,
            "seconds": shown(seconds),
            "cpu_s": shown(cpu),
            "hands_per_s": shown(hands / seconds),
            "decisions_per_s": shown(decisions / seconds),
            "read_mb": shown(size / 1e6),
            "written_mb": shown(written / 1e6),
        },
    )
