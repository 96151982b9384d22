"""The results of runs as records. Each field has a meaning and a unit, and each record has plain data and a schema."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Self

import msgspec

__all__ = [
    "ArenaResults",
    "Figure",
    "ForfeitCount",
    "PairResult",
    "PlayerResult",
    "Rating",
    "TestResult",
]

Interval = tuple[float | None, float | None]
"""Both ends of a 95% interval, None if unknown."""


class Record:
    """Converts frozen dataclasses to plain data and back."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as the commands print it with ``--json``. Fields that don't apply are left out."""
        found: dict[str, Any] = _plain(msgspec.to_builtins(self))
        for name in _LEFT_OUT:
            if name in found and found[name] is None:
                del found[name]
        return found

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read a record from the data of `to_dict`, ignoring unknown keys. Raises `TypeError` for other data."""
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise TypeError(f"these are not {cls.__name__}: {error}") from None

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON schema of `to_dict`."""
        return msgspec.json.schema(cls)


_LEFT_OUT = ("ratings", "anchor", "sees_everything", "sprt")
"""The fields that a report contains only if they apply."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Figure(Record):
    """An estimate."""

    value: float | None
    """The mean, None if unknown."""
    stderr: float | None
    """Its standard error."""
    ci95: Interval
    """Its 95% interval."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ForfeitCount(Record):
    """The matches that a player lost by forfeit for the same reason."""

    reason: str
    """The player's error, in words that follow "it"."""
    count: int
    """The number of these matches."""
    clause: str | None = None
    """The clause that forbids the player's move (``"R4.1"``), None for any other error."""
    legal: tuple[str, ...] = ()
    """The legal moves the first time, if the player made an illegal one."""
    log: str | None = None
    """The file with the program's standard error the first time, None if it is empty."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayerResult(Record):
    """The results of one player."""

    player: str
    """The name that was used to ask for the player. A second player with the same name is ``name#2``."""
    name: str | None = None
    """The name that a program or a class from a file gives itself, None if there isn't one."""
    matches: int
    """The games that it played: matches or single hands."""
    matches_won: int
    """The games that it won alone."""
    matches_drawn: int
    """The games that it shared with others."""
    match_share: float | None
    """Its share of the games, from 0 to 1. Shared games count in part. None before its first game."""
    match_share_ci95: Interval
    """The interval of ``match_share``."""
    mean_score: float | None
    """Its points per finished hand, on average."""
    mean_score_ci95: Interval
    """The interval of ``mean_score``."""
    forfeits: int
    """The games that it lost by forfeit."""
    forfeit_reasons: dict[str, int]
    """The number of forfeits for each reason."""
    forfeit_list: tuple[ForfeitCount, ...] = ()
    """The same with all details, the most frequent reason first."""
    ms_per_move: float | None
    """The milliseconds per move, everything included. None before its second move."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PairResult(Record):
    """The results of two players against each other."""

    a: str
    """The first player, as in `PlayerResult.player`."""
    b: str
    """The second player."""
    matches: int
    """The games in which both took part."""
    mean_difference: float | None
    """The lead of ``a`` in points per hand."""
    ci95: Interval
    """The interval of ``mean_difference``."""
    share: float | None
    """The share of the games in which ``a`` did better than ``b``, from 0 to 1. Equal results count as a half."""
    share_ci95: Interval
    """The interval of ``share``."""
    elo: float | None
    """The same in Elo, None if one player won all games."""
    elo_ci95: Interval
    """The interval of ``elo``."""
    duplicate_gain: float | None = None
    """The number of independent hands that show as much as one duplicate hand, None if unknown."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rating(Record):
    """The strength of a player, from its games against all others."""

    player: str
    """The player, as in `PlayerResult.player`."""
    elo: float | None
    """Its Elo above the anchor, None if unknown."""
    elo_ci95: Interval
    """The interval of ``elo``."""
    matches: int
    """The games that it played."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TestResult(Record):
    """The state of a sequential test."""

    __test__ = False  # not a test for pytest

    elo0: float
    """The first of the two strengths to compare: the Elo of the first player above the second."""
    elo1: float
    """The second of the two strengths."""
    llr: float
    """How much more likely ``elo1`` is than ``elo0``, as a natural logarithm."""
    bounds: tuple[float, float]
    """The values of ``llr`` at which the test stops: for ``elo0`` and for ``elo1``."""
    decision: str | None
    """``"elo0"`` or ``"elo1"`` once the test is decided, else None."""
    pairs: tuple[int, ...]
    """The number of deals for each mean score, from the lowest score to the highest."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ArenaResults(Record):
    """The results of an arena so far."""

    players: tuple[str, ...]
    """All players, by the names that were used to ask for them, in the same order."""
    edition: str | None
    """The name of the edition, which may be a custom one. None if it has no name."""
    seats: int
    """The number of seats at the table."""
    sides: int
    """The number of sides."""
    match_target: int | None
    """The points that end a match, None for single hands."""
    duplicate: bool
    """Whether all games of a round had the same decks."""
    ladder: bool
    """Whether only neighbours on a ladder met."""
    matches: int
    """The number of games: matches or single hands."""
    hands: int
    """The number of finished hands."""
    deals: int
    """The number of rounds."""
    results: tuple[PlayerResult, ...]
    """The results of each player, in the order of ``players``."""
    pairs: tuple[PairResult, ...]
    """The results of each pair of players."""
    ratings: tuple[Rating, ...] | None = None
    """All players by strength, if there are three or more."""
    anchor: str | None = None
    """The player whose rating is 0."""
    sees_everything: tuple[str, ...] | None = None
    """The players that see all cards, if there are any. Their results are only a bound."""
    sprt: TestResult | None = None
    """The sequential test, if there was one."""
    set: dict[str, Any]
    """The settings that differ from the edition, or all settings of a custom edition."""
    seed: int | str
    """The seed of all decks and of the players' random choices."""
    complete: bool
    """Whether everything that was asked for has been played."""
    wall_s: float
    """The seconds that it took, in all runs together."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row of plain data for each player, with the two ends of each interval in separate columns."""
        return [_flat(each.to_dict()) for each in self.results]

    def to_frame(self) -> Any:
        """Return `rows` as a data frame of pandas or polars, whichever is installed.

        See `millebornes.game.frames.to_frame`.
        """
        from millebornes.game.frames import to_frame

        return to_frame(self.rows())


def _plain(value: Any) -> Any:
    """Return plain data with lists instead of tuples, as in JSON."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for a table: intervals become two columns, and lists and mappings are left out."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if name.endswith("ci95"):
            found[f"{name}_low"], found[f"{name}_high"] = value
        elif not isinstance(value, list | tuple | dict):
            found[name] = value
    return found
