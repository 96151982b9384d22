"""The metrics of a server, in the text format of Prometheus. No figure depends on hidden cards (R5.5)."""

import hmac
import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.requests import HTTPConnection
from starlette.types import Scope

from millebornes.web.tables.limits import is_loopback
from millebornes.web.tables.live import LiveTable
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.web.tables.service import Service

_TABLE: Final = "millebornes-table"
_ANSWERS: Final = "millebornes-answers"
_SAFE: Final = frozenset(("GET", "HEAD"))
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")


def note_seat(connection: HTTPConnection, who: SeatAccess) -> None:
    """Record that a request comes from a seat with a valid token."""
    if who.seat is not None:
        connection.scope[_TABLE] = who.table


def note_answer(connection: HTTPConnection, move: str = "pass") -> None:
    """Record that a request makes a move. The move may answer the question about a coup fourré."""
    connection.scope[_ANSWERS] = "pass" in move or "!" in move


def is_private(scope: Scope, seconds: float) -> bool:
    """Return whether a request is left out of the metrics and the log.

    The reason is that its duration could reveal who was asked (R5.5). This applies to all requests from seats while a
    coup fourré can be called, all requests to look at the table shortly afterwards, and all answers to the question,
    however late they arrive. All other moves are public.
    """
    table: LiveTable | None = scope.get(_TABLE)
    if table is None:
        return False
    answers: bool | None = scope.get(_ANSWERS)
    if answers is None:
        return table.time.was_secret(time.monotonic() - seconds, looks=scope.get("method") in _SAFE)
    return answers


def may_read(connection: HTTPConnection, token: str | None) -> bool:
    """Return whether a client may read the metrics. This machine may, and so may any client with the secret ``token``.

    A request from a proxy doesn't count as coming from this machine, even if the proxy runs on it.
    """
    scheme, _, given = connection.headers.get("authorization", "").partition(" ")
    own = given.strip().encode("utf-8", "replace")
    if token is not None and scheme.lower() == "bearer" and hmac.compare_digest(own, token.encode()):
        return True
    is_forwarded = any(name in connection.headers for name in _FORWARDED)
    return not is_forwarded and connection.client is not None and is_loopback(connection.client.host)


class Metrics:
    """The counters of one server. The counters don't reveal who plays or which moves are made."""

    def __init__(self) -> None:
        self._registry: Final = CollectorRegistry()
        self._answers: Final = Counter(
            "millebornes_requests",
            "Answers by their status, without what seats ask for around a coup fourré",
            ["status"],
            registry=self._registry,
        )
        self._seconds: Final = Histogram(
            "millebornes_request_seconds", "Time until such an answer begins", registry=self._registry
        )
        self._tables: Final = Gauge("millebornes_tables", "Tables with an open stream", registry=self._registry)
        self._streams: Final = Gauge("millebornes_streams", "Open streams", registry=self._registry)

    def count(self, status: int, seconds: float) -> None:
        """Count a response, once the server has started sending it."""
        self._answers.labels(str(status)).inc()
        self._seconds.observe(seconds)

    def text(self, service: Service) -> bytes:
        """Return all metrics as text."""
        counts = service.counts()
        self._tables.set(counts["tables"])
        self._streams.set(counts["streams"])
        return generate_latest(self._registry)
