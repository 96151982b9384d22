"""The commands that aren't moves: help, hints, legal moves, and how the table is shown."""

import time
from collections.abc import Callable, Generator, Sequence
from typing import Final

from millebornes.analysis.records import Analysis
from millebornes.commands.table import Command
from millebornes.errors import NotationError, SaveError
from millebornes.game import Move
from millebornes.i18n import Translator
from millebornes.players.hint import hint as hint_of_player
from millebornes.players.kernel_parts import is_compiled
from millebornes.session.game_session import GameSession
from millebornes.session.invocation import play_command
from millebornes.session.prompts import Prompts
from millebornes.session.tutorial import Tutorial
from millebornes.tui.common.counts import unseen_lines
from millebornes.tui.common.hints import hint_lines, maxims_lines, seen_by, thoughts
from millebornes.tui.common.moves import legal_lines
from millebornes.tui.common.settings import changed, settings_lines, switched
from millebornes.tui.plain.answers import answer
from millebornes.tui.plain.brief import switch_brief
from millebornes.tui.plain.commands import LineKind, TypedLine, clause_lines, help_lines, reminder
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.screen import Screen

__all__ = ["Asides", "GameCommand"]

THOUGHT: Final = 0.5
"""How many seconds to think before the first hint …"""
FURTHER: Final = 1.5
"""… and how many more seconds to think for each repeated request."""
PATIENCE: Final = (0.5, 10.0)
"""How many seconds to wait for code that has to be compiled, and for code that only has to be loaded.

Loading usually takes two.
"""

GameCommand = Callable[[str], None]
"""A function that runs ``quit``, ``save``, ``preferences``, ``statistics`` or ``undo``.

If ``quit`` or ``undo`` takes effect, it doesn't return.
"""


class Asides:
    """Runs commands that aren't moves, for the person at the keyboard."""

    def __init__(
        self,
        console: Console,
        session: GameSession,
        screen: Screen,
        latest: Callable[[int], Sequence[str]],
        _: Translator,
        tutorial: Tutorial | None,
    ) -> None:
        """Prepare the commands. ``latest`` is a function that returns the events since a seat's latest move."""
        self._console: Final = console
        self._session: Final = session
        self._screen: Final = screen
        self._: Final = _
        self._latest: Final = latest
        self._tutorial: Final = tutorial
        self._prompts: Final = Prompts(session)
        self.hinted: Move | None = None
        """The move that a hint has suggested for this decision. If the player presses Enter, it is played."""
        self._thoughts: Generator[Analysis | None, None, None] | None = None
        """A generator of hints for this decision. The hints get better the longer it runs."""
        self._found: Analysis | None = None

    def forget(self) -> None:
        """Forget the hint, because another decision follows."""
        self.hinted = self._found = None
        if self._thoughts is not None:
            self._thoughts.close()
            self._thoughts = None

    def do(self, command: TypedLine, seat: int, game: GameCommand) -> None:
        """Run a command for a seat. ``game`` runs those commands that concern the whole game."""
        session, console, _ = self._session, self._console, self._
        match command.kind:
            case Command.QUIT:
                game("quit")
            case Command.SAVE:
                game("save")
            case Command.REDRAW:
                self._screen.show(seat)
            case Command.HELP:
                self._help(command.topic)
            case Command.LEGAL:
                for line in legal_lines(self._screen.view(seat), session.participants, session.theme, _):
                    console.say(line)
            case Command.HINT:
                self._hint(seat, command.number)
            case Command.SETTINGS:
                self._settings(command.topic, game)
            case Command.STATISTICS:
                game("statistics")
            case Command.REVIEW:
                console.say(_("A match can be reviewed once it is over."))
            case Command.UNDO | Command.COUNTS:
                self._practise(command.kind, seat, game)
            case Command.ORDER:
                session.change(switched(session.preferences, "sort"))
                console.say(self._prompts.sorts(session.preferences.sort))
                self._screen.show_hand(seat)
                game("preferences")
            case Command.WINDOW:
                session.preferences = switched(session.preferences, "window")
                if session.preferences.window == "scores":
                    self._screen.show_scores(seat)
                else:
                    console.say(reminder(_, picking=session.preferences.manual_pick))
                game("preferences")
            case Command.SCORES:
                self._screen.show_scores(seat, in_words=bool(command.topic))
            case Command() if command.kind.value.is_question:
                for line in answer(command, session, seat, self._latest(seat), _):
                    console.say(line)
            case Command.BRIEF:
                console.say(switch_brief(session, _))
                game("preferences")
            case Command.ONE_KEY:
                off = _("A number alone now does nothing. U and a number use a card.")
                self._switch("one_key", _("Typing a card's number now uses the card right away."), off)
                game("preferences")
            case Command.MANUAL:
                on = _("From your next turn on, you pick cards yourself, with P.")
                self._switch("manual_pick", on, _("From your next turn on, cards are picked for you."))
                game("preferences")
            case LineKind.NOTHING:
                console.say(_("Type a command; ? lists them, L lists what you can do."))
            case _other:
                console.say(command.message or _("Type a command; ? lists them, L lists what you can do."))

    def _switch(self, name: str, on: str, off: str) -> None:
        """Switch a preference on or off, and print its new value."""
        self._session.preferences = switched(self._session.preferences, name)
        self._console.say(on if getattr(self._session.preferences, name) else off)

    def _hint(self, seat: int, seconds: int | None) -> None:
        """Suggest a move and explain it, using only what this person has seen."""
        session, _ = self._session, self._
        view = self._screen.view(seat)
        trouble = self._prompts.no_hint(seat, view.legal_moves)
        if self._tutorial is not None and not session.must_pick(seat):
            lines = [self._tutorial.lesson(session.hand), self._tutorial.advice(session.hand)]
            self.hinted = self._tutorial.next_move(session.hand)
        elif trouble:
            lines = [trouble]
        else:
            if self.hinted is None:
                session.count_hint(seat)
            found = self._think(seat, seconds)
            if found is None:
                advice = hint_of_player(view)
                self.hinted = advice.best
                lines = maxims_lines(advice, session.participants, seat, session.theme, _)
            else:
                self.hinted = found.best
                lines = hint_lines(found, session.participants, seat, session.theme, _)
        for line in lines:
            self._console.say(line)

    def _think(self, seat: int, seconds: int | None) -> Analysis | None:
        """Think for ``seconds`` more and return the hint, or None if its code is still being compiled.

        By default, the time is `THOUGHT` for the first hint and `FURTHER` for each later one.
        """
        if self._thoughts is None:
            self._thoughts = thoughts(seen_by(self._session.match, seat))
        limit = seconds or (THOUGHT if self._found is None else FURTHER)
        patience = PATIENCE[is_compiled(self._session.rules, self._session.match.match_target)]
        asked, begun = time.monotonic(), None
        for found in self._thoughts:
            self._console.check()
            now = time.monotonic()
            if found is None:
                if now - asked >= patience:
                    break
                continue
            self._found = found
            begun = now if begun is None else begun
            if now - begun >= limit:
                break
        return self._found

    def _practise(self, kind: Command, seat: int, game: GameCommand) -> None:
        session, console, _ = self._session, self._console, self._
        if not session.practice:
            text = _("You can take moves back and count cards only in practice: {command} --practice.")
            console.say(text.format(command=play_command()))
        elif kind is Command.UNDO:
            if trouble := self._prompts.no_undo(seat):
                console.say(trouble)
            else:
                game("undo")
        elif session.must_pick(seat):
            console.say(self._prompts.pick_first())
        else:
            for line in unseen_lines(self._screen.view(seat), session.theme, _):
                console.say(line)

    def _settings(self, topic: str, game: GameCommand) -> None:
        """List the preferences for the input ``set``, or change one for the input ``set NAME VALUE``."""
        if not topic:
            lines = settings_lines(self._session.preferences, self._)
        else:
            try:
                self._session.change(changed(self._session.preferences, topic, self._))
            except SaveError as error:
                lines = [str(error)]
            else:
                lines = [self._("Saved. Language and theme change when the next game starts.")]
                game("preferences")
        for line in lines:
            self._console.say(line)

    def _help(self, topic: str) -> None:
        _ = self._
        if not topic:
            lines = help_lines(_, practice=self._session.practice, picking=self._session.preferences.manual_pick)
        else:
            try:
                lines = clause_lines(topic, _)
            except NotationError as error:
                lines = [str(error)]
        for line in lines:
            self._console.say(line)
