"""``millebornes practise --plain``: decisions as questions, line by line."""

import contextlib
import dataclasses
import functools
from collections.abc import Callable
from typing import Final

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.analysis.exercises.practice_session import AnswerOutcome, PracticeSession
from millebornes.analysis.reports.practice_text import (
    again_line,
    answer_lines,
    origin_line,
    question_line,
    session_of,
    setting_line,
    summary_lines,
    verdict,
)
from millebornes.commands.table import Command
from millebornes.errors import SaveError
from millebornes.game import Move, Phase
from millebornes.i18n import Translator, translator
from millebornes.session.game_session import GameSession
from millebornes.session.troubles import not_kept
from millebornes.storage import Preferences, load_results, save_preferences
from millebornes.themes import Theme
from millebornes.tui.common.statistics import statistics_lines
from millebornes.tui.plain.app import PlayOptions, chosen_theme, line_preferences
from millebornes.tui.plain.commands import TypedLine, help_lines
from millebornes.tui.plain.console import Console, Interrupted, Leave
from millebornes.tui.plain.seat import Decided, SeatDialogue

__all__ = ["practise_plain"]

LATELY: Final = 2
"""The log before a question goes back this many rounds."""


class _Enough(Exception):
    """Raised when the person doesn't want any more questions."""


class _AnswerShown(Exception):
    """Raised when the person wants to see the answer."""


class _Asked(SeatDialogue):
    """Asks the question of a game. The only differences are that H shows the answer and that nothing is saved."""

    def _ask(self, prompt: str, seat: int, *, answering: bool = False) -> TypedLine:
        command = super()._ask(prompt, seat, answering=answering)
        if command.kind is Command.HINT:
            raise _AnswerShown
        if command.kind is Command.HELP and not command.topic:
            _ = self._
            told = _(
                "Here H shows the answer, and Q ends with a summary. S does nothing, because your answers are saved "
                "automatically."
            )
            for line in (*help_lines(_), told):
                self._console.say(line)
            return self._ask(prompt, seat, answering=answering)
        return command

    def ask(self, commands: Callable[[str], None]) -> Decided:
        """Ask the question of the session. Raises `_AnswerShown`, or the exception with which ``commands`` quits."""
        session = self._session
        seat, hand = session.participants.people[0], session.hand
        self._screen._reminded = True  # the commands are different from those of a game
        if hand.phase in {Phase.COUP, Phase.OPENING}:
            self._screen.show(seat)
            return self.coup(seat, commands)
        if hand.phase is Phase.EXTEND:
            return self.extension(seat, commands)
        return self.turn(seat, (), commands)


class _Questions:
    """Asks the questions of a practice session, one after another."""

    def __init__(
        self, console: Console, practice_session: PracticeSession, words: Theme, preferences: Preferences, _: Translator
    ) -> None:
        self._console = console
        self._practice_session = practice_session
        self._theme = words
        self._preferences = preferences
        self._ = _

    def run(self) -> None:
        """Ask until there are no more questions or the person wants to stop (`_Enough`)."""
        console, practice_session, _ = self._console, self._practice_session, self._
        console.say(_("U uses a card and D discards one, as in the game; H shows the answer, Q ends, ? lists all."))
        while (exercise := practice_session.exercise) is not None:
            self._put(exercise)
            if practice_session.exercise is not None:
                self._pause()

    def _pause(self) -> None:
        """Wait until the person has read the answer."""
        if not self._console.is_terminal:
            return
        text = self._console.ask(self._("Enter: the next question; Q: stop."))
        if text.casefold().startswith(("q", "quit")):
            raise _Enough

    def _put(self, exercise: Exercise) -> None:
        console, practice_session, _ = self._console, self._practice_session, self._
        session = session_of(exercise, self._preferences, self._theme, _)
        console.heading(question_line(practice_session, _) + ".")
        console.say(setting_line(exercise, session.participants, _))
        if origin := origin_line(exercise, _):
            console.say(origin)
        asked = _Asked(console, session, _)
        lately = asked.latest(exercise.seat)
        for line in lately[-LATELY * exercise.state.rules.seats :]:
            console.say("  " + line)
        move: Move | None
        try:
            move = asked.ask(functools.partial(self._command, session))[0]
        except _AnswerShown:
            move = None
        self._tell(exercise, session, practice_session.answer(move))

    def _tell(self, exercise: Exercise, session: GameSession, outcome: AnswerOutcome) -> None:
        console, _ = self._console, self._
        console.say()
        console.say(console.paint(verdict(outcome, session.participants, self._theme, _), bold=True))
        for line in answer_lines(outcome, session.participants, self._theme, _):
            console.say("  " + line)
        console.say("  " + again_line(outcome, self._practice_session.now, _))
        if self._practice_session.trouble:
            console.say(self._practice_session.trouble)
            self._practice_session.trouble = ""

    def _command(self, session: GameSession, kind: str) -> None:
        console, _ = self._console, self._
        if kind == "quit":
            raise _Enough
        if kind == "save":
            console.say(_("Your answers are saved automatically."))
        elif kind == "statistics":
            try:
                lines = statistics_lines(load_results(), _)
            except SaveError as error:
                lines = [str(error)]
            for line in lines:
                console.say(line)
        elif kind == "preferences":
            # In practice, the cards have already been drawn, whatever the preferences say.
            manual = self._preferences.manual_pick
            self._preferences = dataclasses.replace(session.preferences, manual_pick=manual)
            try:
                save_preferences(self._preferences)
            except SaveError as error:
                console.say(not_kept(error, _))


def practise_plain(practice_session: PracticeSession, options: PlayOptions) -> int:
    """Ask the questions of a practice session in this terminal, save each answer, and return the exit status."""
    _ = translator(options.language)
    console = Console()
    preferences = line_preferences(console)
    words = chosen_theme(options, preferences, _)
    try:
        with console.signals():
            with contextlib.suppress(_Enough, Interrupted, Leave):
                _Questions(console, practice_session, words, preferences, _).run()
            console.say()
            for line in summary_lines(practice_session, practice_session.now, _):
                console.say(line)
    except OSError:
        return 0  # the terminal has disappeared, but every answer has been saved
    return 0
