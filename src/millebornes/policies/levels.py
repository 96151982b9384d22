"""The levels from beginner to expert: the maxims that each level knows, and its weaknesses."""

import functools
from collections.abc import Mapping
from typing import Final, NamedTuple

from millebornes.editions import Rules
from millebornes.policies.handicaps import Handicap
from millebornes.policies.maxim_catalogue import without
from millebornes.policies.maxim_weights import Advice, tuned

CROWD_NOISE: Final = 40
"""With more than two sides, values of moves differ less, so misjudgements are scaled to this number of hundredths."""


class Level(NamedTuple):
    """A level: its weaknesses, and the maxims that it doesn't know. `millebornes.roster.ROSTER` has the rest."""

    name: str
    handicap: Handicap
    ignores: tuple[str, ...] = ()


_COUNTING: Final = ("remedies_will_come", "remedies_beside_a_safety", "scarce_remedies")
_WAITING: Final = (*_COUNTING, "distance_will_come", "drive_from_behind", "idle_hazards", "mind_their_coup")
_PLANNING: Final = (*_WAITING, "hazards_wait", "hold_for_the_coup", "extend_for_a_coup", "keep_for_the_extension")
_EXACTNESS: Final = (
    *_PLANNING,
    "even_finish",
    "no_lone_odd_card",
    "safeties_before_the_end",
    "hope_for_the_shut_out",
)
_OTHERS: Final = (
    *_EXACTNESS,
    "one_of_each_remedy",
    "keep_rolls",
    "end_a_limit_for_large_cards",
    "no_limit_on_the_stopped",
    "hit_who_leads",
    "extend_with_distance",
    "extend_when_protected",
    "extend_against_the_stuck",
)

LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level("beginner", Handicap(memory=30, fading=25, noise=65, impulse=50, blindness=16), _OTHERS),
        Level("novice", Handicap(memory=45, fading=20, noise=56, impulse=35, blindness=11), _EXACTNESS),
        Level("casual", Handicap(memory=60, fading=15, noise=46, impulse=22, blindness=7), _PLANNING),
        Level("regular", Handicap(memory=75, fading=12, noise=45, impulse=12, blindness=4), _WAITING),
        Level("skilled", Handicap(memory=85, fading=8, noise=37, impulse=5, blindness=2), _COUNTING),
        Level("advanced", Handicap(memory=95, fading=5, noise=25, impulse=2, blindness=1)),
    )
}
"""The levels by name, from the weakest to the strongest."""


@functools.lru_cache(maxsize=256)
def advice_at(level: Level, rules: Rules) -> Advice:
    """Return the advice tuned for a table, without the maxims that a level doesn't know."""
    return without(tuned(rules), *level.ignores)


def handicap_at(level: Level, rules: Rules) -> Handicap:
    """Return the weaknesses of a level at a table."""
    handicap = level.handicap
    return handicap if rules.sides == 2 else handicap._replace(noise=handicap.noise * CROWD_NOISE // 100)
