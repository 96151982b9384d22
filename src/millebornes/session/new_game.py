"""New games, in the form in which they are saved."""

import dataclasses
from collections.abc import Sequence

from millebornes.editions import Rules
from millebornes.game import Match
from millebornes.session.setup import Start
from millebornes.storage import Preferences, SavedGame
from millebornes.storage.saves import match_seed


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
    """Return a new game. All matches follow from ``seed``. With ``practice``, you can take back moves."""
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


def game_of(start: Start, preferences: Preferences) -> SavedGame:
    """Return the new or saved game that ``start`` describes, with the preferences of the person who plays it now."""
    if start.game is not None:
        return dataclasses.replace(start.game, preferences=preferences.at_table(start.game.preferences))
    assert start.setup is not None
    return new_game(**vars(start.setup), preferences=preferences)
