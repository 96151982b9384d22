"""The setup of a game: its table, players and names. This module knows editions but doesn't import the game."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from millebornes.editions import Rules
from millebornes.i18n import Translator
from millebornes.player_names import HUMAN
from millebornes.shown import clean_name, distinct
from millebornes.words.editions import number_wanted

if TYPE_CHECKING:
    from millebornes.storage import AutosaveSlot, SavedGame

DEFAULT_TARGET = 5000
MAX_TARGET = 1_000_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class GameSetup:
    """The setup of a game: its rules, and the player and the name for each seat. ``practice`` doesn't count."""

    rules: Rules
    seats: tuple[str, ...]
    names: tuple[str, ...]
    match_target: int | None
    seed: str
    practice: bool = False


@dataclasses.dataclass(kw_only=True)
class Start:
    """The start of a session: either a saved game with its slot, or a new setup. The command S saves to ``file``."""

    setup: GameSetup | None = None
    game: "SavedGame | None" = None
    slot: "AutosaveSlot | None" = None
    file: Path | None = None

    @property
    def table(self) -> tuple[Rules, int | None]:
        """The rules and the target of the match."""
        if self.setup is not None:
            return self.setup.rules, self.setup.match_target
        assert self.game is not None
        return self.game.match.rules, self.game.match.match_target

    @property
    def seats(self) -> tuple[str, ...]:
        """The player in each seat: `HUMAN` or the name of a computer player."""
        if self.setup is not None:
            return self.setup.seats
        return () if self.game is None else self.game.seats


def target_problem(text: str, _: Translator) -> str:
    """Return what is wrong with a typed match target, or "" if it is valid. A target of 0 means single hands."""
    if text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= MAX_TARGET:
        return ""
    return number_wanted(0, MAX_TARGET, _)


def simply_text(players: tuple[str, ...], _: Translator) -> str:
    """Return a sentence saying that these computer players can't play at full strength yet."""
    text = _("Until it is fully compiled (first time only), this computer player plays a simpler game: {players}.")
    return text.format(players=", ".join(players))


def new_seed() -> str:
    """Return a new random seed that is short enough to share with a friend."""
    import secrets  # a slow import, needed only when a game begins

    return str(secrets.randbelow(10**9))


def seat_names(seats: tuple[str, ...], people: list[str], _: Translator) -> tuple[str, ...]:
    """Return the names of all seats: the given ones in order, ``Player 1`` and so on, and the computer players'."""
    given = iter(people)
    alone = seats.count(HUMAN) == 1
    names, number = [], 0
    for kind in seats:
        if kind != HUMAN:
            names.append(kind)
            continue
        number += 1
        name = clean_name(next(given, ""))
        names.append(name or (_("You") if alone else _("Player {number}").format(number=number)))
    return distinct(names)
