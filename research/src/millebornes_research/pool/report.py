"""The results of a run against the pool as records."""

import dataclasses

from millebornes.arena.report import Figure, Record

__all__ = ["PoolMean", "PoolMember", "PoolResults", "PoolWorst", "WorstFigure"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolMember(Record):
    """The player's results against one member of the pool."""

    member: str
    """The name of the member in the pool."""
    half: str
    """``tune``, or ``test`` for members that are never used for tuning."""
    player: str
    """The name that creates the member."""
    matches: int
    """The number of matches played."""
    share: Figure
    """The player's part of the matches, from 0 to 1. A shared match counts partly."""
    points: Figure
    """The player's lead over the average of the others, in points per hand."""
    judged: int
    """The number of matches that were judged move by move."""
    gain: Figure | None
    """The gain over the baseline in the same seats, as a chance to win the match, or None if no match was judged."""
    problem: str | None
    """The reason why no more matches are judged, if the player failed in one of them."""
    forfeits: int
    """The number of matches that the player lost by forfeit."""
    forfeits_of_member: int
    """The number of matches that the member lost by forfeit."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolMean(Record):
    """The average over members, all with the same weight."""

    half: str | None
    """The half to which the members belong, or None for both halves."""
    members: int
    """The number of members that the player met."""
    share: Figure
    """The average part of the matches, from 0 to 1."""
    points: Figure
    """The average lead in points per hand."""
    judged_members: int
    """The number of members against which matches were judged."""
    gain: Figure | None
    """The average gain over these members, or None if there are none."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorstFigure(Figure):
    """The lowest of several estimates, with an interval that allows for choosing the lowest."""

    member: str
    """The name of the member."""
    members: int
    """The number of members that were compared."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolWorst(Record):
    """The player's worst results."""

    share: WorstFigure
    """The worst part of the matches."""
    gain: WorstFigure | None = None
    """The worst gain in judged matches, or None if no match was judged."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PoolResults(Record):
    """The results of a player against the pool."""

    player: str
    """The name of the player as it was given."""
    edition: str | None
    """The name of the edition, or None if the settings belong to no edition."""
    seats: int
    """The number of seats at the table."""
    sides: int
    """The number of sides at the table."""
    match_target: int
    """The target of the matches, in points."""
    seed: int | str
    """The seed for the decks and for all random choices of the players."""
    baseline: str | None
    """The baseline of judged matches, or None if the player itself is the baseline."""
    members: tuple[PoolMember, ...]
    """The results by member, in the order of the pool."""
    means: tuple[PoolMean, ...]
    """The averages over each half and over both."""
    worst: PoolWorst | None
    """The worst results, or None before the first match."""
    complete: bool
    """Whether all requested games have been played."""
    wall_s: float
    """The duration in wall-clock seconds."""
