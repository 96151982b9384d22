"""The options for the table and the rewards, which all environments share."""

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from millebornes.editions import Rules, make_rules
from millebornes.envs.arguments import brief
from millebornes.envs.fields import MAX_HISTORY
from millebornes.envs.stepping import REWARDS
from millebornes.errors import MilleBornesError
from millebornes.game import check_target

DRAWN_SEEDS: Final = 1 << 31
"""A seed that an environment draws at random is less than this number."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableOptions:
    """The table of an environment.

    ``edition`` is a name or the path of a TOML file, and ``settings`` contains changes to it. An episode is a single
    hand, or a match if there is a ``match_target``. ``reward`` is ``points`` (your side's points at the end of each
    hand), ``lead`` (these points minus the average of the other sides) or ``match`` (1, 0 or -1 at the end of the
    match). ``history`` is the number of public events in an observation. Raises `MilleBornesError`.
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
        if not (type(self.reward) is str and self.reward in REWARDS):
            raise MilleBornesError(
                f"reward: {brief(self.reward)} is not allowed; it must be one of {', '.join(REWARDS)}"
            )
        if self.reward == "match" and self.match_target is None:
            raise MilleBornesError("reward: 'match' needs a match_target; a single hand has no match winner")
        if type(self.history) is not int or not 0 <= self.history <= MAX_HISTORY:
            raise MilleBornesError(
                f"history: {brief(self.history)} is not allowed; it must be a whole number from 0 to {MAX_HISTORY}"
            )

    def rules(self) -> Rules:
        """Return the rules of the table. Raises `EditionError`."""
        return make_rules(self.edition, self.seats, self.sides, self.settings)


def options_of(environment: Callable[..., Any], **options: Any) -> TableOptions:
    """Return keyword arguments as table options. Raises `MilleBornesError` for those ``environment`` does not take."""
    fields = [field.name for field in dataclasses.fields(TableOptions)]
    unknown = [name for name in options if name not in fields]
    if unknown:
        named = inspect.signature(environment).parameters.values()
        names = dict.fromkeys([*(each.name for each in named if each.kind != each.VAR_KEYWORD), *fields])
        raise MilleBornesError(f"{unknown[0]!r} isn't an option; the options are {', '.join(names)}")
    return TableOptions(**options)


def opponents_of(opponent: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the opponents: one, several to draw from, or none. Raises `MilleBornesError`."""
    if opponent is None:
        return ()
    if isinstance(opponent, str):
        return (opponent,)
    try:
        names = tuple(opponent)
    except TypeError:
        names = ()
    if not names or not all(isinstance(name, str) for name in names):
        raise MilleBornesError(
            f"opponent: {brief(opponent)} is not allowed; it must be the name of a player, or several names"
        )
    return names
