"""What is to be played: the table, who sits where, and under which names. Knows editions but not the game."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from millebornes.editions import Rules
from millebornes.i18n import Translator
from millebornes.player_names import HUMAN
from millebornes.shown import clean_name, distinct

if TYPE_CHECKING:
    from millebornes.storage import AutosaveSlot, SavedGame

__all__ = [
    "DEFAULT_TARGET",
    "HUMAN",
    "MAX_TARGET",
    "GameSetup",
    "Start",
    "new_seed",
    "seat_names",
    "simply_text",
    "target_problem",
    "target_text",
]

DEFAULT_TARGET = 5000
MAX_TARGET = 1_000_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class GameSetup:
    """What is to be played: rules, the players (`HUMAN` or a computer player's name) and the names by seat.

    ``practice``: moves may be taken back and unseen cards are counted; never in a match that counts.
    """

    rules: Rules
    seats: tuple[str, ...]
    names: tuple[str, ...]
    match_target: int | None
    seed: str
    practice: bool = False


@dataclasses.dataclass(kw_only=True)
class Start:
    """How a session begins: with a saved game and its slot, or with a new one; ``file`` is what S saves on."""

    setup: GameSetup | None = None
    game: "SavedGame | None" = None
    slot: "AutosaveSlot | None" = None
    file: Path | None = None

    @classmethod
    def resumed(cls, game: "SavedGame", path: Path, slot: "AutosaveSlot | None") -> "Start":
        """Going on with a game that was read from a path; one from a slot stays in it."""
        if slot is None:
            return cls(game=game, file=path)
        return cls(game=game, slot=slot, file=None if game.file is None else Path(game.file))

    @property
    def table(self) -> tuple[Rules, int | None]:
        """The rules, and the target of the match."""
        if self.setup is not None:
            return self.setup.rules, self.setup.match_target
        assert self.game is not None
        return self.game.match.rules, self.game.match.match_target

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits where (`HUMAN` or a computer player's name)."""
        if self.setup is not None:
            return self.setup.seats
        return () if self.game is None else self.game.seats


def target_text(target: int | None, _: Translator) -> str:
    """How far a match goes, in a few words."""
    if target is None:
        return _("single hands")
    return _.plural("to {target} point", "to {target} points", target).format(target=target)


def target_problem(text: str, _: Translator) -> str:
    """What is wrong with a typed number of points that ends a match (0: single hands); empty if nothing is."""
    if text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= MAX_TARGET:
        return ""
    return _("Please type a whole number from {low} to {high}.").format(low=0, high=MAX_TARGET)


def simply_text(players: tuple[str, ...], _: Translator) -> str:
    """That these computer players do not play as they can yet."""
    text = _("Until all of it is compiled (first time only), this computer player plays more simply: {players}.")
    return text.format(players=", ".join(players))


def new_seed() -> str:
    """A seed that nobody has seen; short enough to tell a friend."""
    import secrets  # which loads much, and is wanted only once a game begins

    return str(secrets.randbelow(10**9))


def seat_names(seats: tuple[str, ...], people: list[str], _: Translator) -> tuple[str, ...]:
    """Names by seat: those given for people in order, then ``Player 1`` and so on; computer players have their own."""
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
