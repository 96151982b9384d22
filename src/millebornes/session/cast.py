"""Who sits where, in words: seats and sides as each viewer would call them."""

import functools
from collections.abc import Sequence

from millebornes.editions import Rules
from millebornes.i18n import LANGUAGES, Translator, translator
from millebornes.shown import clean_name

__all__ = ["Cast"]


@functools.cache
def _nameless() -> frozenset[str]:
    """What a person who gave no name is called, in every language."""
    return frozenset(translator(language)("You") for language in LANGUAGES)


class Cast:
    """The names at a table. A ``viewer`` is the seat that reads, None for a text that everybody reads."""

    def __init__(self, rules: Rules, names: Sequence[str], humans: Sequence[bool], _: Translator) -> None:
        self.rules = rules
        self.humans = tuple(humans)
        self._ = _
        self.names = tuple(self._name(seat, name) for seat, name in enumerate(names))

    def _name(self, seat: int, name: str) -> str:
        """A name that can be shown; a lone person who gave none is addressed in the language of the screen."""
        if self.humans[seat] and sum(self.humans) == 1 and name in _nameless():
            return self._("You")
        return clean_name(name) or f"{seat + 1}"

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, human in enumerate(self.humans) if human)

    @property
    def is_shared(self) -> bool:
        """Whether several people share the keyboard."""
        return sum(self.humans) > 1

    def seat(self, seat: int, viewer: int | None = None) -> str:
        """A seat's name; ``You`` for the viewer's own."""
        return self._("You") if seat == viewer else self.names[seat]

    def side(self, side: int, viewer: int | None = None) -> str:
        """A side's name: that of its only seat, or of all partners."""
        names = self.partners(side, viewer)
        if len(names) == 1:
            return names[0]
        return self._("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])

    def partners(self, side: int, viewer: int | None = None) -> list[str]:
        """The names of a side's seats, the viewer's own first."""
        seats = self.rules.seats_of(side)
        return [self.seat(seat, viewer) for seat in sorted(seats, key=lambda seat: seat != viewer)]

    def target(self, side: int, viewer: int | None = None) -> str:
        """A side as what something is played on: ``you`` within a sentence for the viewer's own."""
        _ = self._
        if viewer is not None and self.rules.side_of(viewer) == side:
            return _("you") if len(self.rules.seats_of(side)) == 1 else _("your side")
        return self.side(side, viewer)
