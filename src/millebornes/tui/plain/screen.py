"""What one person sees: the table, their hand, and the window below."""

from collections.abc import Sequence
from typing import Final

from millebornes.cards import Card
from millebornes.game import View
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.prompts import Prompts
from millebornes.tui.plain.brief import ToldTable, changes, known_of
from millebornes.tui.plain.commands import reminder
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.sheet import sheet_lines, sheet_sentences
from millebornes.tui.plain.table import hand_lines, hand_sentence, table_lines

__all__ = ["Screen"]


class Screen:
    """Shows a session to one seat at a time."""

    def __init__(self, console: Console, session: GameSession, _: Translator) -> None:
        self._console: Final = console
        self._session: Final = session
        self._: Final = _
        self._reminded = False
        self._known: dict[int, ToldTable] = {}
        """What each seat has been told of the table, where only changes are told."""

    def new_hand(self) -> None:
        """A hand begins: the commands are told again, and the table is laid anew."""
        self._reminded = False
        self._known.clear()

    def forget(self) -> None:
        """A move has been taken back: everybody is told again how the table stands."""
        self._known.clear()

    def view(self, seat: int) -> View:
        """What a seat sees."""
        return self._session.view(seat)

    def begin_turn(self, seat: int, drawn: Sequence[Card]) -> None:
        """What a turn begins with: the cards drawn, then the table, or in brief what has changed there."""
        session, console, _ = self._session, self._console, self._
        cards = [session.theme.name_of(card) for card in drawn]
        text = Prompts(session).turn(seat)
        if not session.preferences.brief:
            console.heading(text)
            for card in cards:
                console.say(_("You draw {card}.").format(card=card))
            self.show(seat)
            return
        if cards:
            text += " " + _("You draw {card}.").format(card=", ".join(cards))
        console.say(console.paint(text, bold=True))
        self.show_changes(seat)

    def show_changes(self, seat: int) -> None:
        """In brief: what has changed on the table since a seat was told last; at first also its hand."""
        session, view = self._session, self.view(seat)
        known = self._known.get(seat)
        for line in changes(known, view, session.shown_pile, session.participants, session.theme, self._):
            self._console.say(line)
        if known is None:
            self.show_hand(seat)
        elif session.must_pick(seat):
            self._console.say(self._("P picks a card."))
        self._known[seat] = known_of(view, session.shown_pile)

    def show(self, seat: int) -> None:
        """The table, the hand, and the window below."""
        session, console, _ = self._session, self._console, self._
        for line in table_lines(self.view(seat), session.participants, seat, session.shown_pile, session.theme, _):
            console.say(line)
        self.show_hand(seat)
        if session.preferences.window == "scores":
            self.show_scores(seat)
        elif not self._reminded:
            console.say(reminder(_))
        self._reminded = True

    def show_hand(self, seat: int) -> None:
        """The hand alone."""
        session = self._session
        if session.preferences.brief:
            self._console.say(hand_sentence(session.slots[seat], not session.must_pick(seat), session.theme, self._))
            return
        for line in hand_lines(session.slots[seat], not session.must_pick(seat), session.theme, self._console, self._):
            self._console.say(line)

    def show_scores(self, seat: int, *, in_words: bool = False) -> None:
        """The score sheet as the table stands; as sentences in brief, or where ``in_words`` asks for them."""
        session = self._session
        lines = sheet_sentences if in_words or session.preferences.brief else sheet_lines
        for line in lines(session, seat, self._):
            self._console.say(line)
