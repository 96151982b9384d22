"""The options that all environments share: the table, who plays, what is rewarded."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from millebornes.editions import Rules, make_rules
from millebornes.envs.fields import MAX_HISTORY
from millebornes.envs.stepping import REWARDS
from millebornes.errors import MilleBornesError
from millebornes.game import check_target

__all__ = ["DRAWN_SEEDS", "TableOptions", "opponents_of"]

DRAWN_SEEDS: Final = 1 << 31
"""A seed that an environment draws itself is below this."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableOptions:
    """A table as environments are asked for it.

    ``edition`` is a name or a TOML file, ``settings`` change some of its fields. An episode is a single hand, or a
    match where there is a ``match_target``. ``reward`` is ``points`` (of one's side, at the end of each hand), ``lead``
    (the same, less the mean of the other sides) or ``match`` (1, 0 or -1 at its end). ``history`` is how many public
    events an observation shows. Raises `MilleBornesError`.
    """

    edition: str = "classic"
    seats: int = 2
    sides: int | None = None
    settings: Mapping[str, Any] | None = None
    match_target: int | None = None
    reward: str = "points"
    history: int = 0

    def __post_init__(self) -> None:
        check_target(self.match_target)
        if self.reward not in REWARDS:
            raise MilleBornesError(f"reward: {self.reward!r} is none; there are {', '.join(REWARDS)}")
        if self.reward == "match" and self.match_target is None:
            raise MilleBornesError("reward: 'match' needs a match_target; single hands have no winner of a match")
        if type(self.history) is not int or not 0 <= self.history <= MAX_HISTORY:
            raise MilleBornesError(f"history: {self.history!r} must be a whole number from 0 to {MAX_HISTORY}")

    def rules(self) -> Rules:
        """The rules of the table. Raises `EditionError`."""
        return make_rules(self.edition, self.seats, self.sides, self.settings)


def opponents_of(opponent: str | Sequence[str] | None) -> tuple[str, ...]:
    """The names of opponents: one, several to draw from, or none. Raises `MilleBornesError` for anything else."""
    if opponent is None:
        return ()
    names = (opponent,) if isinstance(opponent, str) else tuple(opponent)
    if not names or not all(isinstance(name, str) for name in names):
        raise MilleBornesError(f"opponent: {opponent!r} must be the name of a player, or several names")
    return names
