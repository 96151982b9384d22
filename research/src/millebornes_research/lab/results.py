"""Results of the strategy lab as records, with the meaning and unit of each field. Records convert to plain data."""

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
"""A cell of a table: a text, a number, or an estimate; None if unknown."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _AtTable(Record):
    """The table at which something was measured."""

    edition: str | None
    """The name of the edition, which may be a custom one; None if it has none."""
    seats: int
    """The number of seats at the table."""
    sides: int
    """The number of sides."""
    set: dict[str, Any]
    """Settings that differ from the edition; all settings if the edition is custom."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableResults(_AtTable):
    """Measurements at one table of seats."""

    experiment: str
    """The name of the experiment."""
    player: str
    """The player, on all seats that the experiment does not give to other players."""
    tables: dict[str, tuple[dict[str, Cell], ...]]
    """The rows of each table by its name. All rows of a table have the same keys, one for each column."""

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table, with four columns for each estimate.

        The columns are ``NAME``, ``NAME_stderr``, ``NAME_low`` and ``NAME_high``. Raises `KeyError` for an unknown
        table.
        """
        return [_flat(row) for row in self.tables[table]]

    def to_frame(self, table: str) -> Any:
        """Return `rows` as a data frame of pandas or polars, whichever is installed."""
        from millebornes.game.frames import to_frame

        return to_frame(self.rows(table))


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExperimentResults(TableResults):
    """Results of an experiment at one table of seats."""

    deals: tuple[int, ...]
    """The number of deals that each of its studies has played."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class LabResults(Record):
    """Results of a run of the lab so far."""

    experiments: tuple[ExperimentResults, ...]
    """Each experiment at each table, in the order in which they run."""
    seed: int | str
    """The seed of all decks."""
    complete: bool
    """Whether all requested deals have been played."""
    wall_s: float
    """The duration in seconds, over all runs."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class EquityResults(TableResults):
    """A match equity table, and its comparison with matches."""

    match_target: int
    """The target of matches, in points."""
    hands: int
    """The number of hands that the table was made from."""
    matches: int
    """The number of matches that checked it, for each starting position."""
    means: tuple[float, ...]
    """Average points a hand by place: for the side that goes first, the side that goes second, and so on."""
    bytes: int
    """The size of the file that holds it, in bytes; 0 before it is made."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TuneTrial(Record):
    """A change of one weight that was tried."""

    weight: str
    """The name of the weight."""
    value: int
    """Its new value."""
    edge: Figure
    """The gain: points a hand (or a match), or the share of matches from 0 to 1, depending on the objective."""
    kept: bool
    """Whether the change was kept."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FitStep(Record):
    """A part of a fitted change that was tried."""

    round: int
    """The number of the round, from 0."""
    size: float
    """The part of the change, from 0 to 1."""
    edge: Figure
    """Its gain over the previous weights, in points a hand."""
    kept: bool
    """Whether the change was kept."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchResults(_AtTable):
    """Results of a search for better weights so far."""

    start: str
    """The player that the search started from."""
    best: str
    """The best player found, as a name that works anywhere."""
    changed: dict[str, tuple[int, int]]
    """The old and new value of each weight that changed."""
    points: Figure
    """The lead of ``best`` over ``start``, in points a hand, on decks that the search did not use."""
    share: Figure
    """The share of hands that ``best`` wins minus an even share, from -1 to 1, on the same decks."""
    deals: int
    """The number of those decks."""
    seed: int | str
    """The seed of all decks."""
    complete: bool
    """Whether the search is finished and its result measured."""
    wall_s: float
    """The duration in seconds, over all runs."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TuneResults(SearchResults):
    """Results of trying one weight after another."""

    objective: str
    """The objective: ``points`` or ``match``."""
    match_target: int | None
    """The target of matches, in points; None if single hands were played."""
    trials: tuple[TuneTrial, ...]
    """All changes that were tried, in order."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FitResults(SearchResults):
    """Results of fitting all weights at once."""

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
