"""Studies: so many deals of one kind, played and counted; and the loop that does so on any workers.

Counts are sums of whole numbers, so they depend neither on how the deals were shared out nor on interruptions.
"""

import contextlib
import dataclasses
import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from millebornes.arena.executors import Workers, in_order
from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer
from millebornes_research.lab.counts import Counts, Whole, add
from millebornes_research.lab.instrumented import Instrumented, play_instrumented

__all__ = [
    "Batch",
    "InstrumentedHands",
    "Study",
    "count_batch",
    "counted",
    "hands_a_match",
    "instrumented",
    "leads_of",
    "summed",
]

HANDS_TO_5000: Final = 4.3
"""About how many hands a match to 5000 takes; for the progress bar only."""


def hands_a_match(target: int) -> float:
    """About how many hands a match to so many points takes."""
    return max(1.0, HANDS_TO_5000 * target / 5000)


def leads_of(values: Whole, axis: int = -1) -> Whole:
    """Numbers by side as leads: (sides - 1) times one's own, less all others'."""
    found: Whole = values.shape[axis] * values - values.sum(axis=axis, keepdims=True)
    return found


class Study(ABC):
    """So many ``deals`` of one kind. A frozen dataclass, so that it can be sent to workers."""

    deals: int

    @abstractmethod
    def count(self, deals: range) -> Counts:
        """Play these deals (numbers from 0) and count; equal deals are played alike in any batch."""

    @property
    @abstractmethod
    def weight(self) -> float:
        """About how many hands a deal takes: how far a run has come is told by it."""

    def key(self) -> dict[str, Any]:
        """All that decides the counts but the number of deals, as plain data."""
        found = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type] # every study is a dataclass
            value = getattr(self, field.name)
            if field.name != "deals":
                found[field.name] = value.settings() | {"table": value.table} if isinstance(value, Rules) else value
        return {"study": type(self).__name__, **found}


class Batch(NamedTuple):
    """What a worker returns: what it counted, and the seconds that took."""

    counts: Counts
    seconds: float


def count_batch(study: Study, deals: range) -> Batch:
    """Play some deals of a study; what an executor runs."""
    start = time.perf_counter()
    counts = study.count(deals)
    return Batch(counts, time.perf_counter() - start)


def counted(workers: Workers, study: Study, first: int = 0) -> Iterator[tuple[int, Counts]]:
    """Play the deals of a study from ``first`` on: counts of one batch after the other, and where each ends."""
    with contextlib.closing(in_order(workers, functools.partial(count_batch, study), first, study.deals)) as work:
        for deals, batch in work:
            yield deals.stop, batch.counts


def summed(workers: Workers, study: Study, total: Counts, first: int = 0) -> Iterator[int]:
    """As `counted`, all counts being added to ``total``: says how many deals are done."""
    for done, counts in counted(workers, study, first):
        total.update(add(total, counts))
        yield done


def instrumented(rules: Rules, player: str, deals: range, seed: int, firsts: Sequence[int] = (0,)) -> Instrumented:
    """Instrumented hands in which one player has all seats: records by (deal, first seat)."""
    seated = [KernelPlayer.named(player, rules)]
    lineups = [[0] * rules.seats] * len(firsts)
    return play_instrumented(rules, seated, lineups, firsts, len(deals), seed=seed, begin=deals.start)


@dataclasses.dataclass(frozen=True, kw_only=True)
class InstrumentedHands(Study):
    """Instrumented single hands in which one player has all seats; a subclass says what is counted of them."""

    rules: Rules
    player: str
    deals: int
    seed: int

    hands: ClassVar[float] = 3.0
    """About how many hands one takes, with all that is played on both ways."""

    @property
    def weight(self) -> float:
        """About how many hands a deal takes."""
        return self.hands

    def count(self, deals: range) -> Counts:
        """Play these deals."""
        return self.measure(instrumented(self.rules, self.player, deals, self.seed)[:, 0], deals)

    @abstractmethod
    def measure(self, records: Instrumented, deals: range) -> Counts:
        """What is counted of the records (`millebornes_research.lab.instrumented.INSTRUMENTED`) of some deals."""

    def points(self, records: Instrumented) -> Whole:
        """Points by deal and side."""
        found: Whole = records["lines"][:, : self.rules.sides].sum(axis=2, dtype="i8")
        return found
