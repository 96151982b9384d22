"""Work for other processes."""

import multiprocessing.connection
import os
import signal
import time
from pathlib import Path
from typing import Any, NamedTuple


class Done(NamedTuple):
    numbers: list[int]
    process: int


def squares(numbers: range) -> Done:
    time.sleep(0.03 * len(numbers))
    return Done([number * number for number in numbers], os.getpid())


def is_first(folder: Path) -> bool:
    """Whether nobody has had the accident yet that happens once; from now on somebody has."""
    try:
        (folder / "accident").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def squares_with_an_accident(folder: Path, numbers: range) -> Done:
    """Its process is killed once, in the middle of the work."""
    if 7 in numbers and is_first(folder):
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(numbers)


def squares_told_by_half(folder: Path, numbers: range) -> Done:
    """Its process is killed once, when half of a result has been handed over."""
    if 7 in numbers and is_first(folder):
        connection: Any = multiprocessing.connection.Connection
        send = connection._send

        def half(self: Any, data: bytes) -> None:
            send(self, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)

        connection._send = half
    return squares(numbers)


def deadly(numbers: range) -> Done:
    os._exit(3)


def faulty(numbers: range) -> Done:
    if 3 in numbers:
        raise LookupError("number 3")
    return squares(numbers)
