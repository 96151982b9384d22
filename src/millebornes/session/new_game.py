"""A game that is about to begin, as it would be saved then."""

from collections.abc import Sequence

from millebornes.editions import Rules
from millebornes.game import Match
from millebornes.storage import Preferences, SavedGame
from millebornes.storage.saves import match_seed

__all__ = ["new_game"]


def new_game(
    rules: Rules,
    seats: Sequence[str],
    names: Sequence[str],
    match_target: int | None,
    seed: str,
    preferences: Preferences,
    *,
    practice: bool = False,
) -> SavedGame:
    """A game that is about to begin; ``seed`` is that of the whole sitting, ``practice`` lets moves be taken back."""
    match = Match.start(rules, match_seed(seed, 1), players=names, match_target=match_target)
    return SavedGame(
        match=match,
        seats=tuple(seats),
        seed=seed,
        games=(0,) * rules.sides,
        slots=((),) * rules.seats,
        preferences=preferences,
        practice=practice,
    )
