"""When Python looks for garbage in a server: seldom, as it stops everything while it does."""

import asyncio
import gc
from typing import Final

__all__ = ["collect_seldom"]

YOUNG: Final = 20_000
"""New objects after which the newest are looked through."""
BETWEEN: Final = 300.0
"""Seconds between looks through everything: a third of a second at a thousand tables."""


async def collect_seldom() -> None:
    """Until cancelled: look through everything by the clock and not whenever the tables have grown by a quarter.

    What is there already, the program itself, is never looked through again.
    """
    gc.collect()
    gc.freeze()
    thresholds = gc.get_threshold()
    gc.set_threshold(YOUNG, 20, 1_000_000)
    try:
        while True:
            await asyncio.sleep(BETWEEN)
            gc.collect()
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
