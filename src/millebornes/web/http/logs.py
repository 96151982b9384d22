"""The log of a server, with one line per record on standard error, as text or as JSON."""

import logging
import sys
import time
import traceback
from collections.abc import Hashable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

MAX_BURST: Final = 10
"""At most this many lines of the same kind are written in a period of `BURST_WITHIN`."""
BURST_WITHIN: Final = 30.0
"""The length of such a period in seconds."""
MAX_KINDS: Final = 1000
_MAX_CHAIN: Final = 10
"""At most this many chained exceptions are included in a trace."""

_log = logging.getLogger(__name__)
_encode: Final = msgspec.json.Encoder().encode


class Throttle(logging.Filter):
    """Drops lines if too many of the same kind occur in a period. The next line written says how many were dropped.

    Records are of the same kind if they differ only in their arguments. Records of refused requests must also have the
    same status and address.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kinds: Final[dict[Hashable, tuple[float, int]]] = {}
        """For each kind, the start of the current period and the number of lines in it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a line."""
        kind = _kind_of(record)
        if kind is None:
            return True
        time_ = time.monotonic()
        since, count = self._kinds.pop(kind, (time_, 0))
        left_out = 0
        if time_ - since >= BURST_WITHIN:
            since, count, left_out = time_, 0, max(0, count - MAX_BURST)
        self._kinds[kind] = (since, count + 1)
        if len(self._kinds) > MAX_KINDS:
            del self._kinds[next(iter(self._kinds))]
        if left_out:
            record.left_out = left_out
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like this were left out)", None
        return count < MAX_BURST


def _kind_of(record: logging.LogRecord) -> Hashable | None:
    """Return the kind of a line, or None if the line is always written."""
    asked = getattr(record, "asked", None)
    if asked is not None:
        return (asked.status, asked.address) if asked.status >= 400 else None
    failed = record.exc_info[0] if record.exc_info else None
    return record.name, record.levelno, str(record.msg), failed


class LoggedRequest(NamedTuple):
    """An answered request, in the form in which the log shows it.

    ``route`` is the address with the names of parameters instead of their values. ``table`` is the name of the table,
    which doesn't give access to a seat. ``ms`` is the duration of the request or, for a stream, the time for which it
    was open. The log contains no headers, no request bodies and no answers.
    """

    method: str
    route: str
    table: str | None
    status: int
    ms: float
    address: str


def route_of(path: str, parameters: Mapping[str, Any] | None) -> str:
    """Return an address in the form in which it is logged.

    The values of its ``parameters`` are replaced by their names.

    An unknown address has no parameters (None) and isn't logged at all, because it could contain an invitation.
    """
    if parameters is None:
        return "unknown"
    named = {str(value): name for name, value in parameters.items()}
    return "/".join(f"{{{named[part]}}}" if part in named else part for part in path.split("/"))


def log_request(asked: LoggedRequest) -> None:
    """Write a request to the log."""
    _log.info("%s %s %d %.0f ms", asked.method, asked.route, asked.status, asked.ms, extra={"asked": asked})


def trace_of(error: BaseException) -> str:
    """Return the frames and types of an exception without messages, which could contain hidden cards.

    Messages from the operating system, for example about a full disk or a missing file, are included.
    """
    parts: list[str] = []
    following: BaseException | None = error
    while following is not None and len(parts) < _MAX_CHAIN:
        said = f": {following}" if isinstance(following, OSError) else ""
        frames = "".join(traceback.format_tb(following.__traceback__))
        parts.append(f"{frames}{type(following).__module__}.{type(following).__qualname__}{said}")
        hides = following.__suppress_context__
        following = following.__cause__ or (None if hides else following.__context__)
    return "\n\n".join(reversed(parts))


class _TextLines(logging.Formatter):
    """Formats each record as a line, followed by the trace of an exception if there is one."""

    def formatException(self, ei: Any) -> str:
        return trace_of(ei[1])


class _Json(_TextLines):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        data: dict[str, Any] = {"at": at, "level": record.levelname.lower()}
        asked = getattr(record, "asked", None)
        if isinstance(asked, LoggedRequest):
            data |= {"event": "request", **asked._asdict(), "ms": round(asked.ms, 1)}
        else:
            data |= {"event": "note", "logger": record.name, "text": record.getMessage()}
            if record.exc_info and record.exc_info[1] is not None:
                data["trace"] = self.formatException(record.exc_info)
        if hasattr(record, "left_out"):
            data["left_out"] = record.left_out
        return _encode(data).decode()


def _without_trace(record: logging.LogRecord) -> bool:
    """Remove the trace from a record about invalid data from a client.

    Otherwise, clients could fill the log with traces.
    """
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, (UnicodeError, ConnectionError, EOFError)):
        record.exc_info = record.exc_text = None
    return True


def configure(style: str | None) -> None:
    """Write a log as ``text`` or ``json``, including every request. If ``style`` is None, write only warnings, as text.

    Records from asyncio and all other packages have the same format.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if style == "json" else _TextLines("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(_without_trace)
    handler.addFilter(Throttle())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    for logger in (root, logging.getLogger("millebornes"), logging.getLogger("uvicorn")):
        logger.setLevel(logging.WARNING)
    for name in ("millebornes", "uvicorn"):
        logging.getLogger(name).handlers.clear()
    logging.captureWarnings(True)
    _log.setLevel(logging.WARNING if style is None else logging.INFO)
