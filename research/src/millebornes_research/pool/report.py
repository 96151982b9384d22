"""What a run against the pool has found out, as records."""

import dataclasses

from millebornes.arena.report import Figure, Record

__all__ = ["PoolMean", "PoolMember", "PoolResults", "PoolWorst", "WorstFigure"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolMember(Record):
    """How the player did against one member."""

    member: str
    """The member's name in the pool."""
    half: str
    """``tune``, or ``test`` for those that nothing is ever tuned against."""
    player: str
    """The name by which the member is seated."""
    matches: int
    """Matches that were played."""
    share: Figure
    """The player's part of them, from 0 to 1; shared matches count as parts."""
    points: Figure
    """Its lead on the mean of the others, in points a hand."""
    judged: int
    """Matches that were judged move by move."""
    gain: Figure | None
    """What it is better than the baseline in its place, in chances to win the match; None where none was judged."""
    problem: str | None
    """Why no more matches are judged, where the player failed in one."""
    forfeits: int
    """Matches that the player lost by forfeit."""
    forfeits_of_member: int
    """Matches that the member lost by forfeit."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolMean(Record):
    """The mean over members, all counting alike."""

    half: str | None
    """Of which half; None for both."""
    members: int
    """How many have been met."""
    share: Figure
    """The mean part of the matches, from 0 to 1."""
    points: Figure
    """The mean lead in points a hand."""
    judged_members: int
    """Against how many matches were judged."""
    gain: Figure | None
    """The mean of what these said; None where there are none."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorstFigure(Figure):
    """The least of several estimates; its interval holds although it is the least."""

    member: str
    """Against whom."""
    members: int
    """Of how many."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolWorst(Record):
    """Where the player does worst."""

    share: WorstFigure
    """By its part of the matches."""
    gain: WorstFigure | None = None
    """By what judged matches said; None where none was judged."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolResults(Record):
    """What is known of a player that meets the pool."""

    player: str
    """The player, as it was asked for."""
    edition: str | None
    """The edition's name; None for settings of no known edition."""
    seats: int
    """Seats of the table."""
    sides: int
    """Sides of the table."""
    match_target: int
    """Points that end a match."""
    seed: int | str
    """What decides the decks and all chance of the players."""
    baseline: str | None
    """Whom judged matches compare it with; None where it is the player itself."""
    members: tuple[PoolMember, ...]
    """By member, in the order of the pool."""
    means: tuple[PoolMean, ...]
    """The means of each half and of both."""
    worst: PoolWorst | None
    """Where it does worst; None before the first match."""
    complete: bool
    """Whether all has been played that was asked for."""
    wall_s: float
    """Seconds that it took, on the wall clock."""
