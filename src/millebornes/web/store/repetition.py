"""Tasks that a server repeats for as long as it runs, even after errors."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from millebornes.web.store.backends import cause

_log = logging.getLogger(__name__)


def error_location(error: BaseException) -> str:
    """Return the type and the place of an error for the log.

    The message is left out, because it may name hidden cards.
    """
    frames = traceback.extract_tb(error.__traceback__)
    return type(error).__name__ + (f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "")


async def repeat_forever(what: str, work: Callable[[], Awaitable[None]], pause: Callable[[], Awaitable[None]]) -> None:
    """Alternate between work and a pause until cancelled.

    Errors are logged, with ``what`` as a description of the work.
    """
    task = asyncio.current_task()
    assert task is not None
    while True:
        try:
            await work()
        except (SQLAlchemyError, OSError) as error:
            _log.warning("%s: the database isn't responding: %s", what, cause(error))
        except (Exception, asyncio.CancelledError) as error:
            if task.cancelling():
                raise
            _log.error("%s failed and will be tried again: %s", what, error_location(error))
        await pause()
