"""The game itself, question by question. This is the driver of the game loop for a terminal that shows lines."""

from millebornes.errors import SaveError
from millebornes.i18n import Translator
from millebornes.session import requests
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.session.troubles import not_kept
from millebornes.session.tutorial import Tutorial
from millebornes.storage import AutosaveSlot, load_results, load_reviews, save_preferences
from millebornes.tui.common.career import career_lines
from millebornes.tui.common.statistics import statistics_lines
from millebornes.tui.plain.console import Console, Interrupted, Leave
from millebornes.tui.plain.ends import Ends
from millebornes.tui.plain.saving import Saving
from millebornes.tui.plain.seat import SeatDialogue
from millebornes.tui.plain.setup import confirm

__all__ = ["Session"]


class _Over(Exception):
    """Raised when a person has left the game."""


class _TakenBackAtScreen(Exception):
    """Raised when a move of ``seat`` has been taken back, because the current question no longer makes sense."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Session:
    """A session at the terminal, from the first card to the question "Another game?"."""

    def __init__(
        self,
        console: Console,
        session: GameSession,
        slot: AutosaveSlot | None,
        _: Translator,
        tutorial: Tutorial | None = None,
    ) -> None:
        """Prepare a session. ``slot`` is the slot for its autosave.

        ``tutorial`` provides the lessons; it is never saved.
        """
        self._console = console
        self._ = _
        self._session = session
        self._tutorial = tutorial
        self._saving = Saving(console, session, slot, _)
        self._loop = GameLoop(session, self._saving.saver)
        self._seat = SeatDialogue(console, session, _, tutorial)
        self._ends = Ends(console, session, self._seat.latest, _)
        self.finished = False
        """Whether the player has completed the tutorial."""

    def run(self) -> int:
        """Play until someone leaves, and return the exit status."""
        loop, again = self._loop, False
        try:
            self._introduce()
            while True:
                try:
                    loop.answer(self._answer(loop.request, again))
                    again = False
                except Interrupted:
                    self._quit()
                    again = True
        except _Over:
            return 0
        except (Leave, OSError):  # files raise SaveError, so this error means that the terminal has disappeared
            return self._saving.leave() if self._tutorial is None else 0
        finally:
            self._session.close()

    def _introduce(self) -> None:
        _, session, say = self._, self._session, self._console.say
        if self._tutorial is not None:
            say(
                _(
                    "The tutorial: one hand, with a lesson before each of your decisions. To play a card, type its "
                    "name or U and its number, such as U 1. H repeats the lesson, and Enter then makes the move for "
                    "you. Q leaves."
                )
            )
            return
        rules, match = session.rules, session.match
        name = rules.edition_name or _("custom rules")
        goal = session.theme.miles(rules.goal)
        say(_("Rules: {edition}. The trip: {goal}. Seed: {seed}.").format(edition=name, goal=goal, seed=session.seed))
        for side in range(rules.sides):
            head = _("Side {number}").format(number=side + 1)
            say(_("{head}: {text}").format(head=head, text=session.participants.side_with_levels(side)) + ".")
        if session.practice:
            say(
                _(
                    "Practice: undo takes a move back, and count counts the unseen cards. "
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
                self._tell(request)
            case requests.Trouble(text):
                self._console.say(text)
            case requests.Ask(questions):
                try:
                    return self._ask(questions[0], again)
                except _TakenBackAtScreen as back:
                    return requests.TakeBack(back.seat)
            case requests.Compute():
                self._console.check()
                return request.run()
            case _save:
                return request.run()
        return None

    def _ask(self, question: requests.Question, again: bool) -> requests.Answer:
        seat = self._seat
        match question:
            case requests.PassKeyboard():
                seat.keyboard(question.seat)
                return requests.Continue(question.seat)
            case requests.Turn():
                decided = seat.turn(question.seat, () if again else question.drawn, self._command)
            case requests.Coup():
                decided = seat.coup(question.seat, self._command, holds=question.holds)
            case requests.Another():
                self._ask_another(again)
                return requests.Continue()
            case _extension:
                decided = seat.extension(question.seat, self._command)
        return requests.PersonMove(question.seat, *decided)

    def _tell(self, event: requests.Event) -> None:
        match event.kind:
            case requests.EventKind.HAND:
                self._announce()
            case requests.EventKind.MOVE if event.seat in self._session.slots:
                self._seat.decided(event.seat, len(event.narrations))
            case requests.EventKind.END:
                self._seat.close_hand()
                self._ends.show()
                if self._tutorial is not None:
                    self._console.say()
                    self._console.say(self._tutorial.closing)
                    self.finished = True
                    raise _Over
                return
            case _other:
                pass
        self._seat.tell_all()
        if event.kind is requests.EventKind.TAKEN_BACK:
            self._seat.taken_back()

    def _announce(self) -> None:
        session, _ = self._session, self._
        hand = session.hand
        viewer, number = self._loop.viewer(), session.match.hand_number
        begins = session.narrator.hand_begins(hand, number)(None if session.participants.is_shared else viewer)
        self._console.heading(_("Hand {number} continues.").format(number=number) if hand.ply else begins)
        self._seat.new_hand()

    # ------------------------------------------------------------------ commands that concern the whole game

    def _command(self, kind: str) -> None:
        if kind == "quit":
            self._quit()
        elif kind == "save" and self._tutorial is not None:
            self._console.say(self._("The tutorial isn't saved; it only takes a few minutes."))
        elif kind == "save":
            self._saving.ask()
        elif kind == "statistics":
            self._show_statistics()
        elif kind == "undo":
            self._undo()
        else:
            self._keep_preferences()

    def _undo(self) -> None:
        """Take back the latest move of the person at the keyboard or, between turns, of the last person to move.

        If there is such a move, this method doesn't return.
        """
        seat = self._loop.latest_person()
        if seat is not None and self._session.undo_point(seat) is not None:
            raise _TakenBackAtScreen(seat)

    def _show_statistics(self) -> None:
        try:
            results, ascii_only = load_results(), not self._console.has_symbols
            lines = statistics_lines(results, self._)
            lines += career_lines(results, load_reviews(), self._, ascii_only=ascii_only)
        except SaveError as error:
            lines = [str(error)]
        for line in lines:
            self._console.say(line)

    def _keep_preferences(self) -> None:
        try:
            save_preferences(self._session.preferences)
        except SaveError as error:
            self._console.say(not_kept(error, self._))
        self._saving.auto()

    def _quit(self) -> None:
        """For Q, DELETE or Ctrl-C, ask what to do with the game, and leave. Return if the game continues."""
        _ = self._
        try:
            if self._tutorial is not None:
                leaves = confirm(self._console, _("Leave the tutorial?"), _, default=True)
            else:
                leaves = self._saving.part()
        except Interrupted:  # a second Ctrl-C confirms it
            raise Leave("signal") from None
        if leaves:
            raise _Over

    def _ask_another(self, again: bool) -> None:
        """Return when the players want another hand or game, or when they have decided not to leave."""
        if again:
            self._ends.show()
        if not self._ends.ask_another(self._command):
            self._quit()
            self._console.say(self._("The game continues."))
