"""The names of seats and sides, from the point of view of each viewer."""

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Final

from millebornes.editions import Rules
from millebornes.i18n import LANGUAGES, Translator, translator
from millebornes.roster import ROSTER
from millebornes.shown import clean_name

__all__ = ["COMPUTER_NAMES", "Participants", "levels_of", "names_with_levels", "with_computer_names"]

COMPUTER_NAMES: Final = ("Sam", "Alex", "Robin", "Kim", "Charlie", "Noa", "Max", "Lou")
"""The names that computer players go by among people, in the order of their seats."""


@functools.cache
def _nameless() -> frozenset[str]:
    """Return the name, in each language, of a person who gave none."""
    return frozenset(translator(language)("You") for language in LANGUAGES)


def levels_of(players: Iterable[str]) -> list[str]:
    """Return the level of each computer player, from its name in a file or a setup, and an empty text for all others.

    >>> levels_of(["Ann", "casual", "casual#2", "champion:ms=100", "cmd:./mybot"])
    ['', 'casual', 'casual', 'champion', '']
    """
    names = (re.split("[:#]", player, maxsplit=1)[0] for player in players)
    return [name if name in ROSTER else "" for name in names]


def with_computer_names(names: Sequence[str], levels: Sequence[str]) -> list[str]:
    """Return the names at a table. Each computer player without a name gets a person's name that no one else there has.

    ``levels`` holds the level of the computer player by seat, and an empty text for people.

    >>> with_computer_names(["Sam", "casual", "champion", "Bo"], ["", "casual", "champion", "basic"])
    ['Sam', 'Alex', 'Robin', 'Bo']
    """
    nameless = [bool(level and own) for level, own in zip(levels, levels_of(names), strict=True)]
    taken = {name.casefold() for name, is_nameless in zip(names, nameless, strict=True) if not is_nameless}
    free = (name for name in COMPUTER_NAMES if name.casefold() not in taken)
    return [next(free, name) if is_nameless else name for name, is_nameless in zip(names, nameless, strict=True)]


def names_with_levels(names: Sequence[str], players: Sequence[str]) -> list[str]:
    """Return the names at a table as lists show them, from the names of the seats in a file and the players there.

    >>> names_with_levels(["Ann", "casual"], ["human", "casual"])
    ['Ann', 'Sam · casual']
    """
    levels = levels_of(players)
    return [_beside(name, level) for name, level in zip(with_computer_names(names, levels), levels, strict=True)]


def _beside(name: str, level: str) -> str:
    return f"{name} · {level}" if level else name


class Participants:
    """The names at a table. ``viewer`` is the seat that reads a text, or None if everyone reads it.

    ``levels`` holds the level of the computer player by seat, where screens show it beside the name.
    """

    def __init__(
        self, rules: Rules, names: Sequence[str], humans: Sequence[bool], _: Translator, levels: Sequence[str] = ()
    ) -> None:
        self.rules = rules
        self.humans = tuple(humans)
        self.levels = tuple(levels) or ("",) * len(self.humans)
        self._ = _
        self.names = tuple(self._name(seat, name) for seat, name in enumerate(names))

    def _name(self, seat: int, name: str) -> str:
        """Return a name that can be shown. A lone person who gave none is "You" in the language of the screen."""
        if self.humans[seat] and sum(self.humans) == 1 and name in _nameless():
            return self._("You")
        return clean_name(name) or f"{seat + 1}"

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, human in enumerate(self.humans) if human)

    @property
    def is_shared(self) -> bool:
        """Whether more than one person plays at this table."""
        return sum(self.humans) > 1

    def seat(self, seat: int, viewer: int | None = None) -> str:
        """Return the name of a seat, or ``You`` for the viewer's seat."""
        return self._("You") if seat == viewer else self.names[seat]

    def side(self, side: int, viewer: int | None = None) -> str:
        """Return the name of a side: that of its only seat, or those of all partners."""
        return self._listed(self.partners(side, viewer))

    def side_levels(self, side: int, viewer: int | None = None) -> str:
        """Return the levels of a side's computer players, each once in the order of `partners`, or an empty text."""
        return " · ".join(dict.fromkeys(self.levels[seat] for seat in self._seats(side, viewer) if self.levels[seat]))

    def side_with_levels(self, side: int, viewer: int | None = None) -> str:
        """Return the name of a side, with the level of each computer player beside its name."""
        return self._listed([self.seat_with_level(seat, viewer) for seat in self._seats(side, viewer)])

    def seat_with_level(self, seat: int, viewer: int | None = None) -> str:
        """Return the name of a seat, with the level beside it if a computer player sits there."""
        return _beside(self.seat(seat, viewer), self.levels[seat])

    def _listed(self, names: Sequence[str]) -> str:
        if len(names) == 1:
            return names[0]
        return self._("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])

    def own_first(self, viewer: int | None) -> list[int]:
        """Return the sides in order, but with the viewer's side first."""
        own = None if viewer is None else self.rules.side_of(viewer)
        return sorted(range(self.rules.sides), key=lambda side: side != own)

    def partners(self, side: int, viewer: int | None = None) -> list[str]:
        """Return the names of a side's seats, with the viewer's seat first."""
        return [self.seat(seat, viewer) for seat in self._seats(side, viewer)]

    def _seats(self, side: int, viewer: int | None) -> list[int]:
        return sorted(self.rules.seats_of(side), key=lambda seat: seat != viewer)

    def target(self, side: int, viewer: int | None = None) -> str:
        """Return the name of a side on which a card is played: ``you`` in a sentence for the viewer's side."""
        _ = self._
        if viewer is not None and self.rules.side_of(viewer) == side:
            return _("you") if len(self.rules.seats_of(side)) == 1 else _("your side")
        return self.side(side, viewer)
