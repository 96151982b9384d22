"""What one person sees: the table, their hand, and the window below it."""

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
    """Shows a session to one person at a time."""

    def __init__(self, console: Console, session: GameSession, _: Translator) -> None:
        self._console: Final = console
        self._session: Final = session
        self._: Final = _
        self._reminded = False
        self._known: dict[int, ToldTable] = {}
        """For each seat, the table as its player has last heard it described, for brief mode."""

    def new_hand(self) -> None:
        """Prepare for a new hand: show the commands again, and the whole table."""
        self._reminded = False
        self._known.clear()

    def forget(self) -> None:
        """Forget what players have heard, because a move was taken back. Each of them gets a full description again."""
        self._known.clear()

    def view(self, seat: int) -> View:
        """Return what the player in a seat sees."""
        return self._session.view(seat)

    def begin_turn(self, seat: int, drawn: Sequence[Card]) -> None:
        """Show the start of a turn: the cards drawn and the table or, in brief mode, only the changes."""
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
        """In brief mode, show what has changed since this player last looked.

        The first time, also show the player's hand.
        """
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
        """Show the table, the player's hand, and the window below it."""
        session, console, _ = self._session, self._console, self._
        for line in table_lines(self.view(seat), session.participants, seat, session.shown_pile, session.theme, _):
            console.say(line)
        self.show_hand(seat)
        if session.preferences.window == "scores":
            self.show_scores(seat)
        elif not self._reminded:
            console.say(reminder(_, picking=session.preferences.manual_pick))
        self._reminded = True

    def show_hand(self, seat: int) -> None:
        """Show only the player's hand."""
        session = self._session
        if session.preferences.brief:
            self._console.say(hand_sentence(session.slots[seat], not session.must_pick(seat), session.theme, self._))
            return
        for line in hand_lines(session.slots[seat], not session.must_pick(seat), session.theme, self._console, self._):
            self._console.say(line)

    def show_scores(self, seat: int, *, in_words: bool = False) -> None:
        """Show the score sheet so far. Use sentences in brief mode or if ``in_words`` is true."""
        session = self._session
        lines = sheet_sentences if in_words or session.preferences.brief else sheet_lines
        for line in lines(session, seat, self._):
            self._console.say(line)
