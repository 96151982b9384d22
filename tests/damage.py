"""Damaged files for the tests of everything that reads binary data, and a process with little memory to read them."""

import random
import subprocess
import sys
from collections.abc import Callable, Iterator

from millebornes.errors import MilleBornesError

LITTLE = 2 << 30
"""The address space, in bytes, that is enough for the libraries and too little for a bomb."""


def damaged(data: bytes, seed: str, count: int) -> Iterator[bytes]:
    """Yield copies of a file, each with a fault: cut off, bits or bytes changed, parts missing, repeated or swapped."""
    rng = random.Random(seed)
    for _ in range(count):
        found = bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 5])):
            here, there = sorted(rng.randrange(len(found) + 1) for _ in range(2))
            there = min(there, here + rng.choice([1, 4, 64, 4096]))
            kind = rng.randrange(7)
            if kind == 0:
                del found[here:]
            elif kind == 1:
                del found[here:there]
            elif kind == 2:
                found[here:here] = found[here:there]
            elif kind == 3:
                found[here:there] = bytes(there - here)
            elif kind == 4:
                found[here:there] = rng.randbytes(there - here)
            elif kind == 5:
                found[here:there] = b"\xff" * (there - here)
            elif here < len(found):
                found[here] ^= 1 << rng.randrange(8)
        yield bytes(found)


def complaint(read: Callable[[], object]) -> str | None:
    """Return the sentence with which a reader refuses its file, or None if it accepts it. It may raise nothing else."""
    try:
        read()
    except MilleBornesError as error:
        told = str(error)
        assert told.isprintable(), told
        assert len(told) < 1000
        return told
    return None


def read_in_little_memory(code: str, *words: str) -> str:
    """Run Python code with arguments in a process with little memory, and return what it prints."""
    limit = f"import resource\nresource.setrlimit(resource.RLIMIT_AS, ({LITTLE}, {LITTLE}))\n"
    done = subprocess.run(
        [sys.executable, "-c", limit + code, *words], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


__all__ = ["complaint", "damaged", "read_in_little_memory"]
