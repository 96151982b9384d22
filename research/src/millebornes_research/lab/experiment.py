"""The base class of experiments in the strategy lab, each of which answers one question at one table.

Studies collect the data, and sheets show them.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from millebornes.editions import EDITIONS, Rules, edition
from millebornes_research.lab.counts import Counts
from millebornes_research.lab.sheets import Sheet
from millebornes_research.lab.study import Study


class Experiment(ABC):
    """A question about one table. ``player`` is a player's name, as in the rest of the program."""

    name: ClassVar[str]
    plots: ClassVar[tuple[str, str]]
    """The name of the sheet and the key of the column to plot against the first column."""
    line_of: ClassVar[int] = 0
    """The index of the study whose counts `line` needs."""

    rules: Rules
    player: str
    studies: tuple[Study, ...]

    @abstractmethod
    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return the results so far as sheets, computed from the counts of all studies.

        The counts of a study that hasn't started are empty.
        """

    @abstractmethod
    def estimate(self, counts: Sequence[Counts]) -> str:
        """Return the estimate so far in a few words. This method is only called if the study `line_of` has counts."""

    def line(self, counts: Sequence[Counts]) -> str:
        """Return the estimate so far in a few words, or a text that says that there is none yet."""
        return self.estimate(counts) if counts[self.line_of] else "getting ready …"

    @property
    def title(self) -> str:
        """The table in words, such as ``classic 2x2``."""
        return title_of(self.rules)


def about_rules(rules: Rules) -> dict[str, Any]:
    """Return an edition and its table as the fields of a report."""
    known = rules.edition in EDITIONS
    changed = edition(str(rules.edition)).differences(rules) if known else rules.settings()
    return {"edition": rules.edition_name, "seats": rules.seats, "sides": rules.sides, "set": changed}


def title_of(rules: Rules) -> str:
    """Return a table in words, such as ``classic 2x2``."""
    return f"{rules.edition_name or 'own rules'} {rules.table}"
