"""The game itself, question by question. This is the driver of the game loop for a terminal that shows lines."""

from typing import Final

from millebornes.commands.table import Command
from millebornes.errors import MilleBornesError, SaveError, printable
from millebornes.i18n import Translator, is_no, is_yes, words
from millebornes.session import requests
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.session.saving import Saver
from millebornes.session.tutorial import Tutorial
from millebornes.storage import AutosaveSlot, change_preferences, load_results, load_reviews, typed_path
from millebornes.storage.preferences import LINES
from millebornes.tui.common.career import career_lines
from millebornes.tui.common.plot import plot_lines, plot_sentence, running_totals
from millebornes.tui.plain.commands import LineKind
from millebornes.tui.plain.console import Console, Interrupted, Leave
from millebornes.tui.plain.seat import SeatDialogue
from millebornes.tui.plain.setup import confirm, never_fit
from millebornes.words import prompts
from millebornes.words.editions import rules_title
from millebornes.words.statistics import statistics_lines
from millebornes.words.troubles import not_kept, not_saved

STEPS: Final = 4
"""The number of times that a review reports its progress."""

_BACK: Final = frozenset({"-", "−", "–"})


class _GameLeft(Exception):
    """Raised when a person has left the game."""


class _TakenBackAtScreen(Exception):
    """Raised when a move of ``seat`` has been taken back, because the current question no longer makes sense."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Session(SeatDialogue):
    """A session at the terminal, from the first card to the question "Another game?"."""

    def __init__(
        self,
        console: Console,
        session: GameSession,
        slot: AutosaveSlot | None,
        _: Translator,
        lessons: Tutorial | None = None,
    ) -> None:
        """Prepare a session. ``slot`` is the slot for its autosave. A tutorial is never saved."""
        super().__init__(console, session, _, lessons)
        self._saver: Final = Saver(session, slot, _)
        self._loop: Final = GameLoop(session, self._saver)
        self.finished = False
        """Whether the player has completed the tutorial."""

    def run(self) -> int:
        """Play until someone leaves, and return the exit status."""
        loop, again = self._loop, False
        try:
            self._introduce()
            while True:
                try:
                    request = loop.request
                    loop.answer(self._answer(request, again))
                    again = False
                    if isinstance(request, requests.Ask):
                        self._console.advance()
                except Interrupted:
                    self._quit()
                    again = True
        except _GameLeft:
            return 0
        except Leave as left:
            stuck = left.why == "stuck"
            if stuck and self._controller.lessons is not None:
                raise  # no game follows the tutorial
            if stuck:
                self._console.say(never_fit(self._))
            return self._end() or int(stuck)
        except OSError:  # files raise SaveError, so this error means that the terminal has disappeared
            return self._end()
        finally:
            self._session.close()

    def _end(self) -> int:
        """Save in the best available place and report it, because the input or program is ending."""
        if self._controller.lessons is not None:
            return 0
        status, text = self._saver.end()
        try:
            if text:
                self._console.say(text)
            self._console.flush()
        except (OSError, ValueError):
            pass  # the terminal has disappeared, so no one would see the message
        return status

    def _introduce(self) -> None:
        _, session, say = self._, self._session, self._console.say
        if self._controller.lessons is not None:
            say(
                _(
                    "The tutorial: one hand, with a lesson before each of your decisions. To play a card, type its "
                    "name or U and its number, such as U 1. H repeats the lesson, and Enter then makes the move for "
                    "you. Q leaves."
                )
            )
            return
        rules, match = session.rules, session.match
        name = rules_title(rules, _, rules.edition_name or _("custom rules"))
        goal = session.theme.miles(rules.goal)
        say(_("Rules: {edition}. The trip: {goal}. Seed: {seed}.").format(edition=name, goal=goal, seed=session.seed))
        for side in range(rules.sides):
            head = _("Side {number}").format(number=side + 1)
            say(_("{head}: {text}").format(head=head, text=session.participants.side_with_levels(side)) + ".")
        if session.practice:
            say(
                _(
                    "Practice: “undo” takes a move back, and “count” counts the unseen cards. "
                    "Your statistics don't include practice."
                )
            )
        if match.match_target is None:
            say(_("Single hands; the points are added up."))
        else:
            target = match.match_target
            text = _.plural("The match goes to {target} point.", "The match goes to {target} points.", target)
            say(text.format(target=target))
        if session.participants.people:
            say(_("Type ? for the commands."))

    # ------------------------------------------------------------------ the requests of the game loop

    def _answer(self, request: requests.Request, again: bool) -> requests.Answer:
        """Do what the game loop requests. ``again`` is true if Ctrl-C has interrupted this request before."""
        match request:
            case requests.Event():
                self._happened(request)
            case requests.Trouble(text):
                self._console.say(text)
            case requests.Ask(question):
                try:
                    return self._answer_question(question, again)
                except _TakenBackAtScreen as back:
                    return requests.TakeBack(back.seat)
            case requests.Compute():
                self._console.check()
                return request.run()
            case _save:
                return request.run()
        return None

    def _answer_question(self, question: requests.Question, again: bool) -> requests.Answer:
        match question:
            case requests.PassKeyboard():
                self._keyboard(question.seat)
                return requests.Continue(question.seat)
            case requests.Another():
                if again:
                    self._show_end()
                if not self._ask_another():
                    self._quit()
                    self._console.say(self._("The game continues."))
                return requests.Continue()
            case requests.Turn() if again:
                question = question._replace(drawn=())
        return requests.PersonMove(question.seat, *self.ask(question))

    def _happened(self, event: requests.Event) -> None:
        match event.kind:
            case requests.EventKind.HAND:
                self._announce()
            case requests.EventKind.MOVE if event.seat in self._session.slots:
                self._since[event.seat] = len(self._session.log) - len(event.narrations)
            case requests.EventKind.TAKEN_BACK:
                self._last_described.clear()
            case requests.EventKind.END:
                self._close_hand()
                self._show_end()
                if self._controller.lessons is not None:
                    self._console.say_all(["", self._controller.lessons.closing])
                    self.finished = True
                    raise _GameLeft
                return
            case _other:
                pass
        if not self._session.participants.is_shared:
            self._tell(self._viewer)

    def _announce(self) -> None:
        session, number = self._session, self._session.match.hand_number
        begins = session.narrator.hand_begins(session.hand, number)(self._viewer)
        continues = self._("Hand {number} continues.").format(number=number)
        self._console.heading(continues if session.hand.ply else begins)
        self._reminded = False
        self._last_described.clear()
        self._since.clear()

    # ------------------------------------------------------------------ the end of a hand or a match

    def _show_end(self) -> None:
        """Show the result when a hand is over or a forfeit has ended the match."""
        session, console, loss = self._session, self._console, self._session.loss
        heading, *told = prompts.end(session.match.hand_number, loss, self._)
        console.heading(heading)
        if loss is None:
            told.append(session.narrator.hand_over(session.hand)(self._viewer))
        console.say_all(told)
        self._show_sheet()
        if session.is_over:
            console.heading(session.narrator.result(session.winner, loss)(self._viewer))
            if session.can_review:
                console.say(self._("Type “review” to have every decision of the match judged."))

    def _show_sheet(self, *, in_words: bool = False) -> None:
        """Show the score sheet with the sides side by side, and the match so far. In brief mode, use sentences."""
        session, console, _ = self._session, self._console, self._
        self._show_scores(self._viewer, in_words=in_words)
        totals = running_totals(session.match)
        if len(totals) < 2:
            return
        if in_words or session.preferences.brief:
            console.say(plot_sentence(totals, self._viewer, session.words))
        else:
            console.say_all(["", *plot_lines(totals, session.match.match_target, _)])

    def _ask_another(self) -> bool:
        """Ask whether to play another hand or game. Meanwhile, the player can look at the score and save the game."""
        _, session, console = self._, self._session, self._console
        question = f"{prompts.another(is_over=session.is_over, _=_)} " + _("(Y/n)")
        while True:
            command = self._ask(question, self._viewer, answering=True, careful=True)
            match command.kind:
                case Command.YES | LineKind.NOTHING:
                    return True
                case Command.NO:
                    return False
                case Command.REVIEW if session.can_review:
                    self._review()
                case Command.UNDO if session.practice:
                    self._show(self._controller.undo())
                case Command.WINDOW | Command.REDRAW | Command.SCORES:
                    self._show_sheet(in_words=bool(command.topic))
                case Command.HELP:
                    console.say(
                        _(
                            "Enter continues, N ends the game, S saves it, T repeats the score, “log” shows what "
                            "happened, “stats” shows the statistics, Q quits."
                        )
                    )
                    if session.can_review:
                        console.say(_("“review” judges every decision of the match and separates luck from skill."))
                case _other:
                    if not self._do_anytime(command, self._viewer):
                        console.wrong(_("Please answer yes or no."))

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
        console.say_all(report_lines(found, self._session, console.width, ascii_only=not console.has_symbols))
        if trouble:
            console.say(trouble)

    # ------------------------------------------------------------------ commands that concern the whole game

    def _undo(self, seat: int) -> None:
        raise _TakenBackAtScreen(seat)

    def _statistics(self) -> list[str]:
        results, ascii_only = load_results(), not self._console.has_symbols
        lines = statistics_lines(results, self._)
        return lines + career_lines(results, load_reviews(), self._, ascii_only=ascii_only)

    def _keep_preferences(self, name: str) -> None:
        """Save a preference that has changed. Others may come from the command line, so they stay as they were."""
        try:
            change_preferences({name: getattr(self._session.preferences, name)}, LINES)
        except SaveError as error:
            self._console.say(not_kept(error, self._))
        self._autosave()

    def _autosave(self) -> None:
        trouble = self._saver.auto()
        if trouble:
            self._console.say(trouble)

    def _save(self) -> bool:
        """Ask where to save. Enter accepts the suggested file. Return whether the game was saved."""
        _, console, saver = self._, self._console, self._saver
        if self._controller.lessons is not None:
            console.say(_("The tutorial isn't saved; it only takes a few minutes."))
            return False
        while True:
            suggested = saver.suggested()
            text = _("Type the name of a file. Enter chooses {path}; a hyphen goes back to the game.")
            prompt = _("File name (Enter: {path}; a hyphen goes back):").format(path=suggested)
            name = console.ask(prompt, help=[text.format(path=suggested)])
            if name in _BACK:
                console.say(_("Not saved."))
                return False
            try:
                path = typed_path(name or suggested)
            except SaveError as error:
                console.wrong(not_saved(error, _))
                continue
            question = saver.overwriting(path)
            if question is not None and not confirm(console, question, _, default=False):
                continue
            trouble = saver.save(path)
            if trouble is None:
                console.say(_("Saved in {path}.").format(path=printable(str(path))))
                self._autosave()
                return True
            console.wrong(trouble)

    def _quit(self) -> None:
        """For Q, DELETE or Ctrl-C, ask what to do with the game, and leave. Return if the game continues."""
        try:
            leaves = self._part()
        except Interrupted:  # a second Ctrl-C confirms it
            raise Leave("signal") from None
        if leaves:
            raise _GameLeft

    def _part(self) -> bool:
        """Ask what to do with the game. Return whether the player leaves, in which case everything is done."""
        _, console, saver = self._, self._console, self._saver
        if self._controller.lessons is not None:
            return confirm(console, _("Leave the tutorial?"), _, default=True)
        if saver.is_settled:
            saver.forget()
            return True
        trouble = saver.attempt_before_leaving()
        while True:
            if trouble:
                console.say(trouble)
            console.say(saver.outlook())
            ways = saver.ways_out
            if "save" not in ways:
                if confirm(console, _("Quit?"), _, default=True):
                    saver.forget()
                    return True
                return False
            answer = console.ask(self._ways_out(), help=[saver.outlook()]).casefold()
            if answer == "q":
                answer = "" if saver.keeps else "d"
            if "leave" in ways and (not answer or is_yes(answer)):
                status, trouble = saver.leave()
                if status == 0:
                    return True
            elif is_no(answer):
                return False
            elif answer == "s":
                if self._save():
                    console.say(saver.leave()[1])
                    return True
            elif answer == "d" or answer in words("delete"):
                if confirm(console, saver.deletion(), _, default=False):
                    saver.abandon()
                    return True
            else:
                console.wrong(_("Please type one of these letters."))

    def _ways_out(self) -> str:
        _, saver = self._, self._saver
        if not saver.keeps:
            if saver.can_save:
                return _(
                    "Enter tries again, S saves it to a file of your choice, Q quits without saving, N keeps playing:"
                )
            return _("S saves it to a file of your choice, Q quits without saving, N keeps playing:")
        if not saver.has_file:
            return _("Enter quits, S saves it to a file of your choice, D deletes it, N keeps playing:")
        return _("Enter quits, S saves it to another file, D quits without saving, N keeps playing:")
