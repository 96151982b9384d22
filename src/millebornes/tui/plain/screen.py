"""What one person sees: the table, their hand, and the window below."""

from collections.abc import Sequence
from typing import Final

from millebornes.cards import Card
from millebornes.game import View
from millebornes.i18n import Translator
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.help import reminder
from millebornes.tui.plain.sheet import sheet_lines
from millebornes.tui.plain.table import hand_lines, table_lines
from millebornes.tui.sitting.sitting import Sitting

__all__ = ["Screen"]


class Screen:
    """Shows a sitting to one seat at a time."""

    def __init__(self, console: Console, sitting: Sitting, _: Translator) -> None:
        self._console: Final = console
        self._sitting: Final = sitting
        self._: Final = _
        self._reminded = False

    def new_hand(self) -> None:
        """A hand begins: the commands are told again."""
        self._reminded = False

    def view(self, seat: int) -> View:
        """What a seat sees."""
        return self._sitting.view(seat)

    def unpicked(self, seat: int) -> Sequence[Card]:
        """The cards that lie ready for a seat to be picked."""
        return self._sitting.unpicked if self._sitting.hand.seat == seat and self._sitting.is_settled else ()

    def show(self, seat: int) -> None:
        """The table, the hand, and the window below."""
        sitting, console, _ = self._sitting, self._console, self._
        for line in table_lines(self.view(seat), sitting.cast, seat, sitting.shown_pile, sitting.theme, _):
            console.say(line)
        self.show_hand(seat)
        if sitting.preferences.window == "scores":
            self.show_scores(seat)
        elif not self._reminded:
            console.say(reminder(_))
        self._reminded = True

    def show_hand(self, seat: int) -> None:
        """The hand alone."""
        sitting = self._sitting
        for line in hand_lines(sitting.slots[seat], not self.unpicked(seat), sitting.theme, self._console, self._):
            self._console.say(line)

    def show_scores(self, seat: int) -> None:
        """The score sheet as the table stands."""
        sitting = self._sitting
        match = sitting.match
        for line in sheet_lines(match.hand.scores, match.totals, sitting.games, sitting.cast, seat, self._):
            self._console.say(line)
