"""What runs have found out, as records: each field with its meaning and unit, plain data on demand, and a schema."""

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
"""Both ends of an interval of 95 %; None where nothing is known."""


class Record:
    """Plain data both ways, for frozen dataclasses."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as the commands print it with ``--json``; what does not apply is left out."""
        found: dict[str, Any] = _plain(msgspec.to_builtins(self))
        for name in _LEFT_OUT:
            if name in found and found[name] is None:
                del found[name]
        return found

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The record that `to_dict` gave; unknown keys are ignored. Raises `TypeError` for data of another form."""
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise TypeError(f"no {cls.__name__}: {error}") from None

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """The JSON schema of `to_dict`."""
        return msgspec.json.schema(cls)


_LEFT_OUT = ("ratings", "anchor", "sees_everything", "sprt")
"""Fields that a report has only where they apply."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Figure(Record):
    """An estimate."""

    value: float | None
    """The mean; None where nothing is known."""
    stderr: float | None
    """Its standard error."""
    ci95: Interval
    """Its interval."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ForfeitCount(Record):
    """Matches that a player lost by forfeit in the same way."""

    reason: str
    """What it did, in words; "it" goes before it."""
    count: int
    """How often."""
    clause: str | None = None
    """The clause that forbids what it played (``"R4.1"``); None where it was something else."""
    legal: tuple[str, ...] = ()
    """The moves that were legal the first time, where it made another one."""
    log: str | None = None
    """The file with what the program wrote to standard error the first time; None where it wrote nothing."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayerResult(Record):
    """How one player did."""

    player: str
    """Its name as it was asked for; a second player of a name is ``name#2``."""
    name: str | None = None
    """What a program, or a class out of a file, calls itself; None where it does not, or for other players."""
    matches: int
    """Games that it played: matches, or single hands."""
    matches_won: int
    """Games that it won alone."""
    matches_drawn: int
    """Games that it shared."""
    match_share: float | None
    """Its part of the games, from 0 to 1; shared games count as parts. None before its first game."""
    match_share_ci95: Interval
    """The interval of that."""
    mean_score: float | None
    """Points a hand, from finished hands."""
    mean_score_ci95: Interval
    """The interval of that."""
    forfeits: int
    """Games that it lost by forfeit."""
    forfeit_reasons: dict[str, int]
    """How often for which reason."""
    forfeit_list: tuple[ForfeitCount, ...] = ()
    """The same with all that is known, the most frequent first."""
    ms_per_move: float | None
    """Milliseconds that a move took, everything included; None before its second move."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PairResult(Record):
    """Two players against each other."""

    a: str
    """The first player, as in `PlayerResult.player`."""
    b: str
    """The second."""
    matches: int
    """Games in which both took part."""
    mean_difference: float | None
    """By how many points a hand ``a`` was ahead."""
    ci95: Interval
    """The interval of that."""
    share: float | None
    """The part of the games in which ``a`` did better than ``b``, from 0 to 1; equal ones count a half."""
    share_ci95: Interval
    """The interval of that."""
    elo: float | None
    """The same in Elo; None where one won all games."""
    elo_ci95: Interval
    """The interval of that."""
    duplicate_gain: float | None = None
    """How many times as many hands of independent deals would show as much; None where it is not known."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rating(Record):
    """The strength of a player, over all whom it met."""

    player: str
    """As in `PlayerResult.player`."""
    elo: float | None
    """Elo above the anchor; None where it is not known."""
    elo_ci95: Interval
    """The interval of that."""
    matches: int
    """Games that it played."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TestResult(Record):
    """Where a sequential test stands."""

    __test__ = False  # no test of pytest

    elo0: float
    """The one strength in question, in Elo of the first player above the second."""
    elo1: float
    """The other one."""
    llr: float
    """How much more likely ``elo1`` is, as a natural logarithm."""
    bounds: tuple[float, float]
    """Where it stops: for ``elo0``, and for ``elo1``."""
    decision: str | None
    """``"elo0"`` or ``"elo1"`` once it is decided."""
    pairs: tuple[int, ...]
    """How many deals ended with which mean score, from the lowest to the highest."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ArenaResults(Record):
    """What an arena has found out so far."""

    players: tuple[str, ...]
    """All players as they were asked for, in that order."""
    edition: str | None
    """The name of the edition, one of one's own too; None where it has none."""
    seats: int
    """Seats at the table."""
    sides: int
    """Sides that they form."""
    match_target: int | None
    """Points that end a match; None where single hands were played."""
    duplicate: bool
    """Whether all games of a round had the same decks."""
    ladder: bool
    """Whether only neighbours met."""
    matches: int
    """Games: matches, or single hands."""
    hands: int
    """Finished hands."""
    deals: int
    """Rounds of games."""
    results: tuple[PlayerResult, ...]
    """Each player, in the order of ``players``."""
    pairs: tuple[PairResult, ...]
    """Each pair of players."""
    ratings: tuple[Rating, ...] | None = None
    """All players by strength, where there are three or more."""
    anchor: str | None = None
    """The player from whom ratings count."""
    sees_everything: tuple[str, ...] | None = None
    """Players that see all cards, where there are any: what they get is a bound."""
    sprt: TestResult | None = None
    """The sequential test, where there was one."""
    set: dict[str, Any]
    """Settings that differ from the edition; all settings where it is one of one's own."""
    seed: int | str
    """The seed of all decks and of the players' chance."""
    complete: bool
    """Whether all was played that was asked for."""
    wall_s: float
    """Seconds that it took, in all runs."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player, as plain data, with both ends of intervals in columns of their own."""
        return [_flat(each.to_dict()) for each in self.results]

    def to_frame(self) -> Any:
        """`rows` as a data frame of pandas or polars, whichever is installed (`millebornes.game.frames.to_frame`)."""
        from millebornes.game.frames import to_frame

        return to_frame(self.rows())


def _plain(value: Any) -> Any:
    """Plain data with lists for tuples, as JSON has it."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what no column of a table holds: intervals in two columns, lists and mappings left out."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if name.endswith("ci95"):
            found[f"{name}_low"], found[f"{name}_high"] = value
        elif not isinstance(value, list | tuple | dict):
            found[name] = value
    return found
