"""What the strategy lab has found out, as records: each field with its meaning and unit, plain data on demand."""

import dataclasses
from typing import Any, TypeAlias

from millebornes.arena.report import Figure, Record

__all__ = [
    "Cell",
    "EquityResults",
    "ExperimentResults",
    "FitResults",
    "FitStep",
    "LabResults",
    "SearchResults",
    "TableResults",
    "TuneResults",
    "TuneTrial",
]

Cell: TypeAlias = Figure | str | int | float | None
"""A cell of a table: a text, a number, or an estimate; None where nothing is known."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _AtTable(Record):
    """At which table something was measured."""

    edition: str | None
    """The name of the edition, one of one's own too; None where it has none."""
    seats: int
    """Seats at the table."""
    sides: int
    """Sides that they form."""
    set: dict[str, Any]
    """Settings that differ from the edition; all settings where it is one of one's own."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableResults(_AtTable):
    """What was measured at one table of seats."""

    experiment: str
    """The name of the experiment."""
    player: str
    """Who plays, on all seats that the experiment gives to nobody else."""
    tables: dict[str, tuple[dict[str, Cell], ...]]
    """The rows of each table by its name; their columns by their keys, the same in all rows of a table."""

    def rows(self, table: str) -> list[dict[str, Any]]:
        """The rows of a table, each estimate in four columns: ``NAME``, ``NAME_stderr``, ``NAME_low``, ``NAME_high``.

        Raises `KeyError` for a table that there is not.
        """
        return [_flat(row) for row in self.tables[table]]

    def to_frame(self, table: str) -> Any:
        """`rows` as a data frame of pandas or polars, whichever is installed (`millebornes.game.frames.to_frame`)."""
        from millebornes.game.frames import to_frame

        return to_frame(self.rows(table))


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExperimentResults(TableResults):
    """What an experiment has found at one table of seats."""

    deals: tuple[int, ...]
    """How many deals each of its studies has played."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class LabResults(Record):
    """What a run of the lab has found so far."""

    experiments: tuple[ExperimentResults, ...]
    """Each experiment at each table, in the order in which they are run."""
    seed: int | str
    """The seed of all decks."""
    complete: bool
    """Whether all was played that was asked for."""
    wall_s: float
    """Seconds that it took, in all runs."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class EquityResults(TableResults):
    """A match equity table, and the matches that it was held against."""

    match_target: int
    """Points that end a match."""
    hands: int
    """Hands that it was made from."""
    matches: int
    """Matches that it was held against, for each way to begin."""
    means: tuple[float, ...]
    """Points a hand by place: of who begins, of who comes second, and so on."""
    bytes: int
    """The size of the file that holds it; 0 before it is made."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TuneTrial(Record):
    """A change of one weight that was tried."""

    weight: str
    """Which weight."""
    value: int
    """What it was set to."""
    edge: Figure
    """What that gained: points a hand (or a match), or the part of the matches, from 0 to 1, by the objective."""
    kept: bool
    """Whether it stayed."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FitStep(Record):
    """A part of a fitted change that was tried."""

    round: int
    """In which round, from 0."""
    size: float
    """Which part of the change, from 0 to 1."""
    edge: Figure
    """What it gained on the weights before, in points a hand."""
    kept: bool
    """Whether it stayed."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchResults(_AtTable):
    """What a search for better weights has found so far."""

    start: str
    """The player whose weights it began with."""
    best: str
    """The best player found, as it may be named anywhere."""
    changed: dict[str, tuple[int, int]]
    """What each weight was and is, of those that changed."""
    points: Figure
    """What ``best`` leads ``start`` by, in points a hand, on decks that the search never saw."""
    share: Figure
    """By how much its part of the hands is above an even one, from -1 to 1, on the same decks."""
    deals: int
    """How many decks that were."""
    seed: int | str
    """The seed of all decks."""
    complete: bool
    """Whether the search is done and its result measured."""
    wall_s: float
    """Seconds that it took, in all runs."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TuneResults(SearchResults):
    """What was found by trying one weight after the other."""

    objective: str
    """What is played for: ``points``, or ``match``."""
    match_target: int | None
    """Points that end a match; None where single hands were played."""
    trials: tuple[TuneTrial, ...]
    """All changes that were tried, in order."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FitResults(SearchResults):
    """What was found by fitting all weights at once."""

    decisions: int
    """Decisions that were played out."""
    steps: tuple[FitStep, ...]
    """All parts of changes that were tried, in order."""


def _flat(row: dict[str, Cell]) -> dict[str, Any]:
    """A row with four columns for each estimate."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Figure):
            low, high = value.ci95
            found |= {name: value.value, f"{name}_stderr": value.stderr, f"{name}_low": low, f"{name}_high": high}
        else:
            found[name] = value
    return found
