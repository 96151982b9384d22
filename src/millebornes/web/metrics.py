"""What a server counts, in Prometheus' text."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from millebornes.web.service import Service

__all__ = ["Metrics"]


class Metrics:
    """The counts of one server; nothing in them tells who plays, or what."""

    def __init__(self) -> None:
        self._registry: Final = CollectorRegistry()
        self._answers: Final = Counter(
            "millebornes_requests", "Answers by their status", ["status"], registry=self._registry
        )
        self._seconds: Final = Histogram(
            "millebornes_request_seconds", "Time until an answer begins", registry=self._registry
        )
        self._tables: Final = Gauge("millebornes_tables", "Tables in memory", registry=self._registry)
        self._streams: Final = Gauge("millebornes_streams", "Open streams", registry=self._registry)

    def count(self, status: int, seconds: float) -> None:
        """An answer has begun."""
        self._answers.labels(str(status)).inc()
        self._seconds.observe(seconds)

    def text(self, service: Service) -> bytes:
        """All counts."""
        counts = service.counts()
        self._tables.set(counts["tables"])
        self._streams.set(counts["streams"])
        return generate_latest(self._registry)
