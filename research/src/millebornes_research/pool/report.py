"""Results of a run against the pool, as records."""

import dataclasses

from millebornes.arena.report import Figure, Record

__all__ = ["PoolMean", "PoolMember", "PoolResults", "PoolWorst", "WorstFigure"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolMember(Record):
    """The player's results against one member."""

    member: str
    """The member's name in the pool."""
    half: str
    """``tune``, or ``test`` for members that are never used for tuning."""
    player: str
    """The name used to create the member."""
    matches: int
    """The number of matches played."""
    share: Figure
    """The player's part of the matches, from 0 to 1. Shared matches count as parts."""
    points: Figure
    """The player's lead over the average of the others, in points a hand."""
    judged: int
    """The number of matches that were judged move by move."""
    gain: Figure | None
    """The gain over the baseline in the same seats, in chances to win the match; None if no match was judged."""
    problem: str | None
    """The reason why no more matches are judged, if the player failed in one."""
    forfeits: int
    """The number of matches that the player lost by forfeit."""
    forfeits_of_member: int
    """The number of matches that the member lost by forfeit."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolMean(Record):
    """The average over members with equal weights."""

    half: str | None
    """The half of the members; None for both."""
    members: int
    """The number of members met."""
    share: Figure
    """The average part of the matches, from 0 to 1."""
    points: Figure
    """The average lead in points a hand."""
    judged_members: int
    """The number of members against which matches were judged."""
    gain: Figure | None
    """The average gain over these members; None if there are none."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorstFigure(Figure):
    """The lowest of several estimates, with an interval that accounts for this choice."""

    member: str
    """The name of the member."""
    members: int
    """The number of members compared."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolWorst(Record):
    """The player's worst results."""

    share: WorstFigure
    """The worst part of the matches."""
    gain: WorstFigure | None = None
    """The worst gain in judged matches; None if no match was judged."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolResults(Record):
    """Results of a player that meets the pool."""

    player: str
    """The player, under the name that was given."""
    edition: str | None
    """The edition's name; None for settings of an unknown edition."""
    seats: int
    """The number of seats at the table."""
    sides: int
    """The number of sides at the table."""
    match_target: int
    """The target of matches, in points."""
    seed: int | str
    """The seed for the decks and all random choices of the players."""
    baseline: str | None
    """The baseline of judged matches; None if it is the player itself."""
    members: tuple[PoolMember, ...]
    """The results by member, in the order of the pool."""
    means: tuple[PoolMean, ...]
    """The averages of each half and of both."""
    worst: PoolWorst | None
    """The worst results; None before the first match."""
    complete: bool
    """Whether all requested games have been played."""
    wall_s: float
    """The duration in seconds, on the wall clock."""
