"""``millebornes practise --plain``: decisions as questions, line by line."""

import dataclasses
from typing import Final

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.analysis.exercises.practice_session import AnswerOutcome, PracticeSession
from millebornes.commands.table import Command
from millebornes.errors import SaveError
from millebornes.game import Move
from millebornes.i18n import translator
from millebornes.session.puzzle import session_of
from millebornes.storage import Preferences, change_preferences, load_results
from millebornes.storage.preferences import LINES
from millebornes.table.questions import Coup, Turn
from millebornes.tui.plain.app import PlayOptions, chosen_theme, line_preferences
from millebornes.tui.plain.commands import TypedLine, help_lines
from millebornes.tui.plain.console import Console, Interrupted, Leave
from millebornes.tui.plain.seat import SeatDialogue
from millebornes.tui.plain.setup import never_fit
from millebornes.words.practice import (
    SAVED,
    again_line,
    answer_lines,
    origin_line,
    question_line,
    setting_line,
    summary_lines,
    verdict,
)
from millebornes.words.statistics import statistics_lines
from millebornes.words.troubles import not_kept
from millebornes.words.words import Words

LATELY: Final = 2
"""The log before a question goes back this many rounds."""


class _PracticeEnded(Exception):
    """Raised when the person doesn't want any more questions."""


class _AnswerWanted(Exception):
    """Raised when the person wants to see the answer."""


class _ExerciseDialogue(SeatDialogue):
    """Asks the question of an exercise. Unlike in a game, H shows the answer and nothing is saved."""

    def __init__(self, console: Console, exercise: Exercise, preferences: Preferences, words: Words) -> None:
        super().__init__(console, session_of(exercise, preferences, words), words.translate)
        self._exercise: Final = exercise
        self._manual_pick = preferences.manual_pick
        self._reminded = True  # the commands are different from those of a game

    def answer(self) -> Move | None:
        """Return the person's answer, or None to show the answer. Raises `_PracticeEnded`."""
        console, session, seat, _ = self._console, self._session, self._exercise.seat, self._
        console.say(setting_line(self._exercise, session.words))
        if origin := origin_line(self._exercise, _):
            console.say(origin)
        lately = self.latest(seat)[-LATELY * session.rules.seats :]
        console.say_all(f"  {line}" for line in lately)
        try:
            question = session.state.question(seat)
            assert question is not None
            if isinstance(question, Coup):
                self.show(seat)
            elif isinstance(question, Turn):
                question = question._replace(drawn=())  # the cards were drawn when the exercise was made
            return self.ask(question).move
        except _AnswerWanted:
            return None

    def tell(self, outcome: AnswerOutcome, practice_session: PracticeSession) -> None:
        """Say how good the answer was."""
        console, words, _ = self._console, self._session.words, self._
        console.say()
        console.say(console.paint(verdict(outcome, words), bold=True))
        console.say_all(f"  {line}" for line in answer_lines(outcome, words))
        console.say("  " + again_line(outcome, practice_session.now, _))
        if practice_session.trouble:
            console.say(practice_session.trouble)
            practice_session.trouble = ""

    @property
    def preferences(self) -> Preferences:
        """The person's preferences. The cards of an exercise have already been drawn, whatever they say."""
        return dataclasses.replace(self._session.preferences, manual_pick=self._manual_pick)

    def _ask(self, prompt: str, seat: int | None, *, answering: bool = False, careful: bool = False) -> TypedLine:
        command = super()._ask(prompt, seat, answering=answering, careful=careful)
        if command.kind is Command.HINT:
            raise _AnswerWanted
        if command.kind is Command.HELP and not command.topic:
            _ = self._
            told = _(
                "Here H shows the answer, and Q ends with a summary. S does nothing, because your answers are saved "
                "automatically."
            )
            self._console.say_all([*help_lines(self._session.words), told])
            return self._ask(prompt, seat, answering=answering, careful=careful)
        return command

    def _quit(self) -> None:
        raise _PracticeEnded

    def _save(self) -> bool:
        self._console.say(self._(SAVED))
        return True

    def _undo(self, _seat: int) -> None:
        raise AssertionError("exercises aren't practice games")

    def _statistics(self) -> list[str]:
        return statistics_lines(load_results(), self._)

    def _keep_preferences(self, name: str) -> None:
        try:
            change_preferences({name: getattr(self.preferences, name)}, LINES)
        except SaveError as error:
            self._console.say(not_kept(error, self._))


def practise_plain(practice_session: PracticeSession, options: PlayOptions) -> int:
    """Ask the questions of a practice session in this terminal, save each answer, and return the exit status."""
    _ = translator(options.language)
    console = Console()
    preferences = line_preferences(console)
    words = Words(_, chosen_theme(options, preferences, _))
    stuck = False
    try:
        with console.signals():
            try:
                console.say(
                    _("U uses a card and D discards one, as in the game; H shows the answer, Q ends, ? lists all.")
                )
                while (exercise := practice_session.exercise) is not None:
                    console.heading(question_line(practice_session, _) + ".")
                    asked = _ExerciseDialogue(console, exercise, preferences, words)
                    asked.tell(practice_session.answer(asked.answer()), practice_session)
                    preferences = asked.preferences
                    console.advance()
                    if practice_session.exercise is not None and console.is_terminal:
                        text = console.ask(_("Enter: the next question; Q: stop."))
                        if text.casefold().startswith("q"):
                            break
            except (_PracticeEnded, Interrupted):
                pass
            except Leave as left:
                stuck = left.why == "stuck"
            console.say()
            console.say_all(summary_lines(practice_session, practice_session.now, _))
            if stuck:
                console.say(never_fit(_))
    except OSError:
        return 0  # the terminal has disappeared, but every answer has been saved
    return int(stuck)
