"""The end of hands and matches: the score sheet, the match so far, and the question whether to play another."""

from collections.abc import Callable, Sequence
from typing import Final

from millebornes.commands.table import Command
from millebornes.errors import MilleBornesError
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.prompts import Prompts
from millebornes.tui.common.plot import plot_lines, plot_sentence, running_totals
from millebornes.tui.plain.answers import answer
from millebornes.tui.plain.brief import switch_brief
from millebornes.tui.plain.commands import LineKind, parse
from millebornes.tui.plain.console import Console, Interrupted
from millebornes.tui.plain.sheet import sheet_lines, sheet_sentences

__all__ = ["Ends"]

STEPS: Final = 4
"""The number of times that a review reports its progress."""


class Ends:
    """Shows how a session's hands and matches end."""

    def __init__(
        self, console: Console, session: GameSession, latest: Callable[[int | None], Sequence[str]], _: Translator
    ) -> None:
        """Prepare the display. ``latest`` is a function that returns the events since a seat's latest move."""
        self._console = console
        self._latest = latest
        self._session = session
        self._ = _

    @property
    def _viewer(self) -> int | None:
        """The seat of the reader if one person plays alone, or None if several people look at the screen."""
        participants = self._session.participants
        return None if participants.is_shared else next(iter(participants.people), None)

    def show(self) -> None:
        """Show the result when a hand is over or a forfeit has ended the match."""
        _, session, console = self._, self._session, self._console
        loss = session.loss
        heading, *told = Prompts(session).end()
        console.heading(heading)
        if loss is None:
            told.append(session.narrator.hand_over(session.hand)(self._viewer))
        for text in told:
            console.say(text)
        self.show_score()
        if session.is_over:
            console.heading(session.narrator.result(session.winner, loss)(self._viewer))
            if session.can_review:
                console.say(_("Type review to have every decision of the match judged."))

    def show_score(self, *, in_words: bool = False) -> None:
        """Show the score sheet with the sides side by side, and the match so far. In brief mode, use sentences."""
        session = self._session
        match, totals = session.match, running_totals(session.match)
        if in_words or session.preferences.brief:
            lines = sheet_sentences(session, self._viewer, self._)
            if len(totals) > 1:
                lines.append(plot_sentence(totals, session.participants, self._viewer, self._))
        else:
            lines = sheet_lines(session, self._viewer, self._)
            if len(totals) > 1:
                lines += ["", *plot_lines(totals, match.match_target, self._)]
        for line in lines:
            self._console.say(line)

    def _review(self) -> None:
        """Review the match while reporting the progress. Ctrl-C ends the review."""
        from millebornes.tui.common.review import report_lines, review_sitting

        _, console = self._, self._console
        told = 0

        def tell(done: int, total: int) -> None:
            nonlocal told
            console.check()
            if done * STEPS // max(1, total) > told:
                told = done * STEPS // total
                console.say(_("{percent}% of the decisions judged…").format(percent=100 * told // STEPS))
                console.flush()

        console.say(_("Judging every decision. Ctrl-C stops it."))
        console.flush()
        try:
            found, trouble = review_sitting(self._session, tell)
        except Interrupted:
            console.say(_("The review was stopped."))
            return
        except MilleBornesError as error:
            console.say(str(error))
            return
        for line in report_lines(found, self._session, _, console.width, ascii_only=not console.has_symbols):
            console.say(line)
        if trouble:
            console.say(trouble)

    def ask_another(self, game: Callable[[str], None]) -> bool:
        """Ask whether to play another hand or game. Meanwhile, the player can look at the score and save the game.

        ``game`` runs ``quit``, ``save``, ``statistics`` and ``undo``. If ``undo`` takes effect, it doesn't return.
        """
        _, session, console = self._, self._session, self._console
        question = Prompts(session).another()
        while True:
            text = console.ask(f"{question} " + _("(Y/n)"), careful=True)
            command = parse(text, session.participants, session.rules.hand_size, _, seat=self._viewer, answering=True)
            match command.kind:
                case Command.YES | LineKind.NOTHING:
                    return True
                case Command.NO:
                    return False
                case Command.QUIT:
                    game("quit")
                case Command.SAVE:
                    game("save")
                case Command.STATISTICS:
                    game("statistics")
                case Command.REVIEW if session.can_review:
                    self._review()
                case Command.REVIEW:
                    console.say(_("A match can be reviewed once it is over."))
                case Command.UNDO if session.practice:
                    game("undo")
                case Command.WINDOW | Command.REDRAW | Command.SCORES:
                    self.show_score(in_words=bool(command.topic))
                case Command.BRIEF:
                    console.say(switch_brief(session, _))
                    game("preferences")
                case Command() if command.kind.value.is_question:
                    for line in answer(command, session, self._viewer, self._latest(self._viewer), _):
                        console.say(line)
                case Command.HELP:
                    console.say(
                        _(
                            "Enter continues, N ends the game, S saves it, T repeats the score, log shows what "
                            "happened, stats shows the statistics, Q quits."
                        )
                    )
                    if session.can_review:
                        console.say(_("review judges every decision of the match and separates luck from skill."))
                case _other:
                    console.say(_("Please answer yes or no."))
