"""The results of the strategy lab as records that describe the meaning and unit of each field.

Records can be converted to plain data.
"""

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
"""A cell of a sheet: a string, a number, an estimate, or None if it isn't known."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _AtTable(Record):
    """The table at which something was measured."""

    edition: str | None
    """The name of the edition, known or custom, or None if it has no name."""
    seats: int
    """The number of seats at the table."""
    sides: int
    """The number of sides."""
    set: dict[str, Any]
    """The settings that differ from the edition, or all settings if the edition is custom."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableResults(_AtTable):
    """Measurements at one table."""

    experiment: str
    """The name of the experiment."""
    player: str
    """The player in all seats to which the experiment doesn't give other players."""
    tables: dict[str, tuple[dict[str, Cell], ...]]
    """The rows of each sheet, by the name of the sheet. All rows of a sheet have the same keys, one for each column."""

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a sheet, with four columns for each estimate.

        The columns are ``NAME``, ``NAME_stderr``, ``NAME_low`` and ``NAME_high``. Raises `KeyError` if there is no such
        sheet.
        """
        return [_flat(row) for row in self.tables[table]]

    def to_frame(self, table: str) -> Any:
        """Return `rows` as a data frame of pandas or polars, whichever is installed."""
        from millebornes.game.frames import to_frame

        return to_frame(self.rows(table))


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExperimentResults(TableResults):
    """The results of an experiment at one table."""

    deals: tuple[int, ...]
    """The number of deals that each study of the experiment has played."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class LabResults(Record):
    """The results of a run of the lab so far."""

    experiments: tuple[ExperimentResults, ...]
    """The results of each experiment at each table, in the order in which they are run."""
    seed: int | str
    """The seed for all decks."""
    complete: bool
    """Whether all requested deals have been played."""
    wall_s: float
    """The total duration of all runs, in seconds."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class EquityResults(TableResults):
    """A match equity table, and its comparison with matches."""

    match_target: int
    """The target of the matches, in points."""
    hands: int
    """The number of hands from which the table was made."""
    matches: int
    """The number of matches that checked the table, for each starting position."""
    means: tuple[float, ...]
    """The average points per hand by place: for the side that goes first, the side that goes second, and so on."""
    bytes: int
    """The size of the table's file in bytes, or 0 before it has been made."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TuneTrial(Record):
    """A change of one weight that was tried."""

    weight: str
    """The name of the weight."""
    value: int
    """The new value of the weight."""
    edge: Figure
    """The gain in points per hand or match, or in the share of matches (0 to 1), depending on the objective."""
    kept: bool
    """Whether the change was kept."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FitStep(Record):
    """Part of a fitted change that was tried."""

    round: int
    """The number of the round, counted from 0."""
    size: float
    """The size of the part, from 0 to 1."""
    edge: Figure
    """The gain over the previous weights, in points per hand."""
    kept: bool
    """Whether this part of the change was kept."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchResults(_AtTable):
    """The results so far of a search for better weights."""

    start: str
    """The player from which the search started."""
    best: str
    """The best player found so far, as a name that can be used anywhere."""
    changed: dict[str, tuple[int, int]]
    """The old and new value of each weight that changed."""
    points: Figure
    """The lead of ``best`` over ``start`` in points per hand, on decks that the search didn't use."""
    share: Figure
    """The share of hands that ``best`` wins minus a fair share, from -1 to 1, on the same decks."""
    deals: int
    """The number of these decks."""
    seed: int | str
    """The seed for all decks."""
    complete: bool
    """Whether the search is finished and its result has been measured."""
    wall_s: float
    """The total duration of all runs, in seconds."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TuneResults(SearchResults):
    """The results of trying one weight after another."""

    objective: str
    """The objective: ``points`` or ``match``."""
    match_target: int | None
    """The target of matches in points, or None if single hands were played."""
    trials: tuple[TuneTrial, ...]
    """All changes that were tried, in order."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FitResults(SearchResults):
    """The results of fitting all weights at once."""

    decisions: int
    """The number of decisions that were played out."""
    steps: tuple[FitStep, ...]
    """All parts of changes that were tried, in order."""


def _flat(row: dict[str, Cell]) -> dict[str, Any]:
    """Return a row with four columns for each estimate."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Figure):
            low, high = value.ci95
            found |= {name: value.value, f"{name}_stderr": value.stderr, f"{name}_low": low, f"{name}_high": high}
        else:
            found[name] = value
    return found
