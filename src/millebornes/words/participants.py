"""The names of the seats and sides, as each player should read them."""

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Final

from millebornes.editions import Rules
from millebornes.i18n import LANGUAGES, Translator, translator
from millebornes.roster import ROSTER, level_word
from millebornes.shown import clean_name

COMPUTER_NAMES: Final = ("Sam", "Alex", "Robin", "Kim", "Charlie", "Noa", "Max", "Lou")
"""The names that computer players use at a table with people, in seat order."""


@functools.cache
def _nameless() -> frozenset[str]:
    """Return the name for a person who hasn't entered one, in each language."""
    return frozenset(translator(language)("You") for language in LANGUAGES)


def levels_of(players: Iterable[str]) -> list[str]:
    """Return the level of each computer player, given the players' names from a file or a setup. People get "".

    >>> levels_of(["Ann", "casual", "casual#2", "champion:ms=100", "cmd:./mybot"])
    ['', 'casual', 'casual', 'champion', '']
    """
    names = (re.split("[:#]", player, maxsplit=1)[0] for player in players)
    return [name if name in ROSTER else "" for name in names]


def with_computer_names(names: Sequence[str], levels: Sequence[str]) -> list[str]:
    """Return the names at a table. Each unnamed computer player gets a person's name that no one else at the table has.

    ``levels`` contains the level of the computer player in each seat, or "" for a person.

    >>> with_computer_names(["Sam", "casual", "champion", "Bo"], ["", "casual", "champion", "basic"])
    ['Sam', 'Alex', 'Robin', 'Bo']
    """
    nameless = [bool(level and own) for level, own in zip(levels, levels_of(names), strict=True)]
    taken = {name.casefold() for name, is_nameless in zip(names, nameless, strict=True) if not is_nameless}
    free = (name for name in COMPUTER_NAMES if name.casefold() not in taken)
    return [next(free, name) if is_nameless else name for name, is_nameless in zip(names, nameless, strict=True)]


def names_with_levels(names: Sequence[str], players: Sequence[str], _: Translator) -> list[str]:
    """Return the names at a table as lists show them, from the names of the seats in a file and the players there.

    >>> names_with_levels(["Ann", "casual", "maxims"], ["human", "casual", "maxims"], translator("en"))
    ['Ann', 'Sam · Easy', 'Alex · maxims']
    """
    levels = levels_of(players)
    return [_beside(name, level, _) for name, level in zip(with_computer_names(names, levels), levels, strict=True)]


def _beside(name: str, level: str, _: Translator) -> str:
    return f"{name} · {level_word(level, _)}" if level else name


def listed(names: Sequence[str], _: Translator) -> str:
    """Return names as a list in a sentence, with "and" before the last."""
    *first, last = names
    return _("{names} and {last}").format(names=", ".join(first), last=last) if first else last


class Participants:
    """The names at a table. In the methods, ``viewer`` is the seat of the reader, or None if the text is for everyone.

    ``levels`` contains the level of the computer player in each seat, if screens show it beside the name. The method
    `level` returns the word that screens show.
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
        """Return the name to show for a seat. A person alone without a name is "You" in every language."""
        if self.humans[seat] and sum(self.humans) == 1 and name in _nameless():
            return self._("You")
        return clean_name(name) or f"{seat + 1}"

    @property
    def people(self) -> tuple[int, ...]:
        """The seats in which people play."""
        return tuple(seat for seat, human in enumerate(self.humans) if human)

    @property
    def is_shared(self) -> bool:
        """Whether two or more people play at this table."""
        return sum(self.humans) > 1

    def seat(self, seat: int, viewer: int | None = None) -> str:
        """Return the name of a seat, or ``You`` if it is the viewer's own seat."""
        return self._("You") if seat == viewer else self.names[seat]

    def pair(self, one: int, other: int, viewer: int | None = None) -> str:
        """Return the names of two seats, with the viewer's first."""
        return listed(
            [self.seat(seat, viewer) for seat in sorted((one, other), key=lambda seat: seat != viewer)], self._
        )

    def side(self, side: int, viewer: int | None = None) -> str:
        """Return the name of a side, made from the names of its players."""
        return listed(self.partners(side, viewer), self._)

    def level(self, seat: int) -> str:
        """Return the level of a computer player as a word (`millebornes.roster.level_word`), or "" for a person."""
        return level_word(self.levels[seat], self._) if self.levels[seat] else ""

    def side_levels(self, side: int, viewer: int | None = None) -> str:
        """Return the levels of a side's computer players, each once in the order of `partners`, or an empty text."""
        return " · ".join(dict.fromkeys(filter(None, map(self.level, self._seats(side, viewer)))))

    def side_with_levels(self, side: int, viewer: int | None = None) -> str:
        """Return the name of a side, with the level beside the name of each computer player."""
        return listed([self.seat_with_level(seat, viewer) for seat in self._seats(side, viewer)], self._)

    def seat_with_level(self, seat: int, viewer: int | None = None) -> str:
        """Return the name of a seat, with the level beside it if a computer player sits there."""
        return _beside(self.seat(seat, viewer), self.levels[seat], self._)

    def own_first(self, viewer: int | None) -> list[int]:
        """Return the numbers of all sides, the viewer's side first."""
        own = None if viewer is None else self.rules.side_of(viewer)
        return sorted(range(self.rules.sides), key=lambda side: side != own)

    def partners(self, side: int, viewer: int | None = None) -> list[str]:
        """Return the names of the players on a side, the viewer first."""
        return [self.seat(seat, viewer) for seat in self._seats(side, viewer)]

    def _seats(self, side: int, viewer: int | None) -> list[int]:
        return sorted(self.rules.seats_of(side), key=lambda seat: seat != viewer)

    def target(self, side: int, viewer: int | None = None) -> str:
        """Return the name of the side on which a card is played, or ``you`` if it is the viewer's side."""
        _ = self._
        if viewer is not None and self.rules.side_of(viewer) == side:
            return _("you") if len(self.rules.seats_of(side)) == 1 else _("your side")
        return self.side(side, viewer)


class SideNames(Participants):
    """Names for the sides if the players' names are unknown: "your rivals", or the numbers of the sides from 1."""

    def __init__(self, rules: Rules, seat: int, _: Translator) -> None:
        super().__init__(rules, [f"{number + 1}" for number in range(rules.seats)], [False] * rules.seats, _)
        self._own: Final = rules.side_of(seat)

    def target(self, side: int, viewer: int | None = None) -> str:
        """Return the name of the side on which a card is played. ``viewer`` makes no difference here."""
        if side == self._own:
            return self._("you")
        if self.rules.sides == 2:
            return self._("the others")
        return self._("side {number}").format(number=side + 1)

    def side(self, side: int, viewer: int | None = None) -> str:
        """Return the name of a side as the subject of a sentence. ``viewer`` makes no difference here."""
        is_rival = self.rules.sides == 2 and side != self._own and len(self.rules.seats_of(side)) == 1
        return self._("your rival") if is_rival else self.target(side)
