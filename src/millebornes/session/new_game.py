"""The start of a session: a new game or a saved one. To be quick, this module doesn't import the game."""

import dataclasses
from pathlib import Path

from millebornes.i18n import Translator
from millebornes.shown import clean_name, distinct
from millebornes.storage import AutosaveSlot, Preferences, SavedGame
from millebornes.storage.saves import match_seed
from millebornes.table.setup import GameSetup


@dataclasses.dataclass(frozen=True)
class Start:
    """The start of a session: a new or a saved game, and the slot of a saved one. The command S saves to ``file``."""

    game: GameSetup | SavedGame
    slot: AutosaveSlot | None = None
    file: Path | None = None


def game_of(start: Start, preferences: Preferences, _: Translator) -> SavedGame:
    """Return the game that a session starts from, with the preferences of the person who plays it now."""
    if isinstance(start.game, GameSetup):
        return new_game(start.game, preferences, _)
    return dataclasses.replace(start.game, preferences=preferences.at_table(start.game.preferences))


def new_game(setup: GameSetup, preferences: Preferences, _: Translator) -> SavedGame:
    """Return a new game, in the form in which it is saved. All its matches follow from the seed."""
    from millebornes.game import Match

    rules, seed = setup.rules, new_seed() if setup.seed is None else setup.seed
    match = Match.start(rules, match_seed(seed, 1), players=seat_names(setup, _), match_target=setup.match_target)
    return SavedGame(
        match=match,
        seats=setup.places,
        seed=seed,
        games=(0,) * rules.sides,
        slots=((),) * rules.seats,
        preferences=preferences,
        practice=setup.practice,
    )


def new_seed() -> str:
    """Return a new random seed that is short enough to share with a friend."""
    import secrets  # a slow import, needed only when a game begins

    return str(secrets.randbelow(10**9))


def seat_names(setup: GameSetup, _: Translator) -> tuple[str, ...]:
    """Return the names in all seats, all different: people's own, ``Player 1`` and so on, and computer players'."""
    names = list(setup.places)
    for number, seat in enumerate(setup.people, 1):
        unnamed = _("You") if len(setup.people) == 1 else _("Player {number}").format(number=number)
        names[seat] = clean_name(setup.names[seat]) or unnamed
    return distinct(names)
