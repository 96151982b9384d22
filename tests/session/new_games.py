"""New games whose seats all have the names that a test gives them, even those of computer players."""

import dataclasses
from collections.abc import Sequence

from millebornes.editions import Rules
from millebornes.i18n import translator
from millebornes.session.new_game import new_game
from millebornes.storage import Preferences, SavedGame
from millebornes.table.setup import GameSetup


def named_game(
    rules: Rules,
    seats: Sequence[str],
    names: Sequence[str],
    match_target: int | None = 5000,
    seed: str = "7",
    preferences: Preferences | None = None,
    *,
    practice: bool = False,
) -> SavedGame:
    setup = GameSetup(rules=rules, places=tuple(seats), match_target=match_target, seed=seed, practice=practice)
    game = new_game(setup, preferences or Preferences(), translator("en"))
    return dataclasses.replace(game, match=dataclasses.replace(game.match, players=tuple(names)))
