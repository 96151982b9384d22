"""The results of runs as records, which can be converted to plain data and have a JSON schema."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Self

import msgspec

__all__ = [
    "ArenaResults",
    "ForfeitCount",
    "PairResult",
    "PlayerResult",
    "Rating",
    "TestResult",
]

Interval = tuple[float | None, float | None]
"""The two ends of a 95% interval. An unknown end is None."""


class Record:
    """The base class of frozen dataclasses that can be converted to plain data and back."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as the commands print it with ``--json``. Fields that don't apply are left out."""
        data = _plain(msgspec.to_builtins(self))
        return {name: value for name, value in data.items() if value is not None or name not in _LEFT_OUT}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the record for what `to_dict` returned. Unknown keys are ignored; other data raises `TypeError`."""
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise TypeError(f"these are not {cls.__name__}: {error}") from None

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON schema for the result of `to_dict`."""
        return msgspec.json.schema(cls)


_LEFT_OUT = ("ratings", "anchor", "sees_everything", "sprt")
"""Fields that a report contains only if they apply to the run."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ForfeitCount(Record):
    """The number of matches that a player lost by forfeit for the same reason."""

    reason: str
    """The player's error, worded to follow "it"."""
    count: int
    """The number of such matches."""
    clause: str | None = None
    """The clause that the move breaks (``"R4.1"``), or None for any other error."""
    legal: tuple[str, ...] = ()
    """The moves that were legal when the player made its first illegal move."""
    log: str | None = None
    """The file with the program's standard error from the first of these matches, or None if the file is empty."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayerResult(Record):
    """The results of one player in a tournament."""

    player: str
    """The name that was used to ask for the player. A second player with the same name is ``name#2``."""
    name: str | None = None
    """The name that a program or a class from a file gives itself, or None if it gives none."""
    matches: int
    """The number of games played, which are matches or single hands."""
    matches_won: int
    """The number of games that the player won alone."""
    matches_drawn: int
    """The number of games in which the player shared the win."""
    match_share: float | None
    """The player's share of the wins, from 0 to 1. A shared win counts in part. None before the first game."""
    match_share_ci95: Interval
    """The interval of ``match_share``."""
    mean_score: float | None
    """The average number of points in a finished hand."""
    mean_score_ci95: Interval
    """The interval of ``mean_score``."""
    forfeits: int
    """The number of games that the player lost by forfeit."""
    forfeit_reasons: dict[str, int]
    """The number of forfeits for each reason."""
    forfeit_list: tuple[ForfeitCount, ...] = ()
    """The same forfeits with all details, the most frequent reason first."""
    ms_per_move: float | None
    """The average time per move in milliseconds, everything included. None before the player's second move."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PairResult(Record):
    """The results of two players against each other."""

    a: str
    """The first player, as in `PlayerResult.player`."""
    b: str
    """The second player."""
    matches: int
    """The number of games in which both players took part."""
    mean_difference: float | None
    """The average lead of ``a`` over ``b``, in points per hand."""
    ci95: Interval
    """The interval of ``mean_difference``."""
    share: float | None
    """The share of the games in which ``a`` did better than ``b``. An equal result counts as half a game."""
    share_ci95: Interval
    """The interval of ``share``."""
    elo: float | None
    """The difference in strength that this share implies, in Elo. None if one player won all games."""
    elo_ci95: Interval
    """The interval of ``elo``."""
    duplicate_gain: float | None = None
    """How many independent hands are as informative as one duplicate hand, or None if unknown."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rating(Record):
    """A player's strength, estimated from its games against all others."""

    player: str
    """The player, as in `PlayerResult.player`."""
    elo: float | None
    """The player's Elo relative to the anchor, or None if it is unknown."""
    elo_ci95: Interval
    """The interval of ``elo``."""
    matches: int
    """The number of games that the player has played."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TestResult(Record):
    """The current state of a sequential test."""

    __test__ = False  # so that pytest doesn't take it for a test

    elo0: float
    """The first of the two strengths in the test: how much stronger than the second player the first one is, in Elo."""
    elo1: float
    """The second strength in the test, in the same unit."""
    llr: float
    """The natural logarithm of how much more likely the results are with ``elo1`` than with ``elo0``."""
    bounds: tuple[float, float]
    """The values of ``llr`` at which the test decides for ``elo0`` and for ``elo1``."""
    decision: str | None
    """``"elo0"`` or ``"elo1"`` once the test is decided, otherwise None."""
    pairs: tuple[int, ...]
    """How many deals had each possible average score, from the lowest score to the highest."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ArenaResults(Record):
    """The results of an arena, even if the run isn't finished."""

    players: tuple[str, ...]
    """The names that were used to ask for the players, in the same order."""
    edition: str | None
    """The name of the edition, which may be a custom edition, or None if it has no name."""
    seats: int
    """The number of seats at the table."""
    sides: int
    """The number of sides."""
    match_target: int | None
    """The number of points that end a match, or None for single hands."""
    duplicate: bool
    """Whether all games of a round used the same decks."""
    ladder: bool
    """Whether players met only their neighbours on a ladder."""
    matches: int
    """The number of games, which are matches or single hands."""
    hands: int
    """The number of finished hands."""
    deals: int
    """The number of rounds. Each round uses one deal."""
    results: tuple[PlayerResult, ...]
    """The results of each player, in the same order as ``players``."""
    pairs: tuple[PairResult, ...]
    """The results of each pair of players."""
    ratings: tuple[Rating, ...] | None = None
    """The ratings of all players, the strongest first, if there are at least three players."""
    anchor: str | None = None
    """The player whose rating is 0."""
    sees_everything: tuple[str, ...] | None = None
    """The players that see all cards, if there are any. Their results only show what is possible at best."""
    sprt: TestResult | None = None
    """The sequential test, if there was one."""
    set: dict[str, Any]
    """The settings that differ from the edition's, or all settings for a custom edition."""
    seed: int | str
    """The seed that determines all decks and the players' random choices."""
    complete: bool
    """Whether all requested games have been played, or the sequential test is decided."""
    wall_s: float
    """The total time of all runs, in seconds."""

    def rows(self) -> list[dict[str, Any]]:
        """Return each player's results as a row of plain data. The ends of an interval are separate columns."""
        return [_flat(each.to_dict()) for each in self.results]

    def to_frame(self) -> Any:
        """Return these rows as a data frame of pandas or polars (`millebornes.game.frames.to_frame`)."""
        from millebornes.game.frames import to_frame

        return to_frame(self.rows())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for a table. An interval becomes two columns, and lists and mappings are left out."""
    columns: dict[str, Any] = {}
    for name, value in row.items():
        if name.endswith("ci95"):
            columns[f"{name}_low"], columns[f"{name}_high"] = value
        elif not isinstance(value, list | tuple | dict):
            columns[name] = value
    return columns
