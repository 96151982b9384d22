"""Studies, which play and count many deals of one kind, and the loop that runs them on any workers.

The counts are sums of integers, so they depend neither on how the deals were divided nor on interruptions.
"""

import contextlib
import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Final

from millebornes.arena.executors import Workers, in_order
from millebornes.editions import Rules
from millebornes_research.lab.counts import Counts, Whole, add

HANDS_TO_5000: Final = 4.3
"""The approximate number of hands in a match to 5000 points, used only for the progress bar."""


def hands_a_match(target: int) -> float:
    """Return the approximate number of hands in a match to ``target`` points."""
    return max(1.0, HANDS_TO_5000 * target / 5000)


def leads_of(values: Whole, axis: int = -1) -> Whole:
    """Return leads, given a number for each side: (sides - 1) times a side's number, minus those of all others."""
    found: Whole = values.shape[axis] * values - values.sum(axis=axis, keepdims=True)
    return found


class Study(ABC):
    """A study of ``deals`` deals of one kind. Studies are frozen dataclasses, so that they can be sent to workers."""

    deals: int

    @abstractmethod
    def count(self, deals: range) -> Counts:
        """Play these deals (numbered from 0) and return the counts. A deal is played in the same way in every batch."""

    @property
    @abstractmethod
    def weight(self) -> float:
        """The approximate number of hands that are played for a deal. Progress is measured in such hands."""

    def key(self) -> dict[str, Any]:
        """Return everything that determines the counts, except for the number of deals, as plain data."""
        found = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type] # every study is a dataclass
            value = getattr(self, field.name)
            if field.name != "deals":
                found[field.name] = value.settings() | {"table": value.table} if isinstance(value, Rules) else value
        return {"study": type(self).__name__, **found}


def counted(workers: Workers, study: Study, first: int = 0) -> Iterator[tuple[int, Counts]]:
    """Play the deals of a study, beginning with ``first``. Yields the end of each batch and its counts."""
    with contextlib.closing(in_order(workers, study.count, first, study.deals)) as work:
        for deals, counts in work:
            yield deals.stop, counts


def summed(workers: Workers, study: Study, total: Counts, first: int = 0) -> Iterator[int]:
    """Play the deals of a study, add all counts to ``total``, and yield the number of deals done so far."""
    for done, counts in counted(workers, study, first):
        total.update(add(total, counts))
        yield done
