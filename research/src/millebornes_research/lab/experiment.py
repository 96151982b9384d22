"""Experiments of the strategy lab: one question at one table, asked by studies and answered in tables."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from millebornes.editions import EDITIONS, Rules, edition
from millebornes.policies.batch import KernelPlayer
from millebornes_research.lab.counts import Counts, seed_word
from millebornes_research.lab.sheets import Sheet
from millebornes_research.lab.study import InstrumentedHands, Study

__all__ = ["Experiment", "HandExperiment", "about_rules", "title_of"]


class Experiment(ABC):
    """One question at one table; ``player`` is the name of who plays, as elsewhere."""

    name: ClassVar[str]
    summary: ClassVar[str]
    plots: ClassVar[tuple[str, str]]
    """The sheet and the column that a plot shows, against the sheet's first column."""
    line_of: ClassVar[int] = 0
    """The study whose counts `line` needs."""

    rules: Rules
    player: str
    studies: tuple[Study, ...]

    @abstractmethod
    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """The results so far from the counts of all studies, which are empty where nothing was played yet."""

    @abstractmethod
    def estimate(self, counts: Sequence[Counts]) -> str:
        """The estimate so far in a few words; only asked where there are counts of the study `line_of`."""

    def line(self, counts: Sequence[Counts]) -> str:
        """The estimate so far in a few words, or that there is none yet."""
        return self.estimate(counts) if counts[self.line_of] else "getting ready …"

    @property
    def title(self) -> str:
        """The table in words, such as ``classic 2x2``."""
        return title_of(self.rules)


class HandExperiment(Experiment):
    """An experiment with one study, of instrumented hands."""

    study: ClassVar[type[InstrumentedHands]]

    def __init__(self, rules: Rules, player: str, *, hands: int = 40_000, seed: str = "0") -> None:
        """Raises `PlayerError` for a player that has to be asked from outside."""
        KernelPlayer.named(player, rules)
        self.rules, self.player = rules, player
        self.studies = (self.study(rules=rules, player=player, deals=hands, seed=seed_word(seed, self.name)),)

    @property
    def hands(self) -> str:
        """The number of hands in words."""
        return f"{self.studies[0].deals:,} hands"

    def found(self, counts: Sequence[Counts]) -> Counts:
        """The counts so far, zeros where nothing was played yet."""
        return counts[0] or self.studies[0].count(range(0))


def about_rules(rules: Rules) -> dict[str, Any]:
    """An edition and its table as the fields of a report."""
    known = rules.edition in EDITIONS
    changed = edition(str(rules.edition)).differences(rules) if known else rules.settings()
    return {"edition": rules.edition_name, "seats": rules.seats, "sides": rules.sides, "set": changed}


def title_of(rules: Rules) -> str:
    """A table in words, such as ``classic 2x2``."""
    return f"{rules.edition_name or 'own rules'} {rules.table}"
