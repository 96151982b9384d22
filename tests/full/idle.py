"""When the app has nothing more to do: what Textual's pilot waits for after each key and each click."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from unittest import mock

__all__ = ["short_waits", "wait_for_idle"]

SLICE = 0.004
"""Seconds looked at together."""


async def wait_for_idle(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until nothing in the event loop can go on, and this process has mostly slept for a moment.

    Textual looks at the time of the processor alone, in slices of 20 ms, so that a test of many keys mostly sleeps, and
    an app that a busy machine does not let run looks idle. With the event loop looked at too, short slices do.
    """
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    end = time.monotonic() + max_sleep
    while True:
        begun, used = time.monotonic(), time.process_time()
        await asyncio.sleep(max(SLICE, min_sleep))
        is_busy = time.process_time() - used > (time.monotonic() - begun) / 4
        if not (ready or is_busy) or time.monotonic() >= end:
            return


@contextlib.contextmanager
def short_waits() -> Iterator[None]:
    """Let pilots wait by this module, and nothing be animated; in real terminals it is (`tests/screen`)."""
    with (
        mock.patch("textual.app.wait_for_idle", wait_for_idle),
        mock.patch("textual.pilot.wait_for_idle", wait_for_idle),
        mock.patch("textual.constants.TEXTUAL_ANIMATIONS", "none"),
    ):
        yield
