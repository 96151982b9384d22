"""The game itself, question by question."""

import datetime

from millebornes.errors import PlayerError, SaveError
from millebornes.game import Action, Move, Phase
from millebornes.i18n import Translator
from millebornes.players import PLAYERS
from millebornes.session.record import Recorder
from millebornes.session.sitting import Sitting
from millebornes.storage import AutosaveSlot, load_results, save_preferences
from millebornes.tui.common.statistics import statistics_lines
from millebornes.tui.common.tutorial import Tutorial
from millebornes.tui.plain.console import Console, Interrupted, Leave
from millebornes.tui.plain.ends import Ends
from millebornes.tui.plain.saving import Saving
from millebornes.tui.plain.seat import Seat
from millebornes.tui.plain.setup import confirm

__all__ = ["Session"]


class _Over(Exception):
    """The person has quit."""


class _TakenBack(Exception):
    """A move has been taken back: whatever was being asked is no question any more."""


class Session:
    """One sitting at the terminal, from the first card to "Another game?"."""

    def __init__(
        self,
        console: Console,
        sitting: Sitting,
        slot: AutosaveSlot | None,
        _: Translator,
        tutorial: Tutorial | None = None,
    ) -> None:
        """``slot`` is where the game saves itself, ``tutorial`` what it teaches; a lesson is not saved."""
        self._console = console
        self._ = _
        self._sitting = sitting
        self._tutorial = tutorial
        self._recorder = Recorder(sitting)
        self._saving = Saving(console, sitting, slot, _)
        self._seat = Seat(console, sitting, _, tutorial)
        self._ends = Ends(console, sitting, self._seat.latest, _)
        self.finished = False
        """Whether the tutorial has been followed to its end."""
        self._asked: tuple[int, int] | None = None
        """The moment whose question has been put to everybody (R5.5)."""
        self._announced: tuple[int, int] | None = None
        self._unsaved = True

    def run(self) -> int:
        """Play until somebody leaves; the exit status."""
        try:
            self._introduce()
            self._autosave()
            while True:
                try:
                    self._go_on()
                except Interrupted:
                    self._quit()
                except _TakenBack:
                    self._asked = None
        except _Over:
            return 0
        except (Leave, OSError):  # files raise SaveError, so that it is the terminal that has gone away
            return self._saving.leave() if self._tutorial is None else 0
        finally:
            self._sitting.close()

    def _introduce(self) -> None:
        _, sitting, say = self._, self._sitting, self._console.say
        if self._tutorial is not None:
            say(_("The tutorial: one hand, with a lesson before each of your decisions. H repeats it, Q leaves."))
            return
        rules, match = sitting.rules, sitting.match
        name = _("rules of one's own") if rules.edition is None else rules.edition
        goal = sitting.theme.miles(rules.goal)
        say(_("Rules: {edition}. The trip: {goal}. Seed: {seed}.").format(edition=name, goal=goal, seed=sitting.seed))
        for side in range(rules.sides):
            head = _("Side {number}").format(number=side + 1)
            say(_("{head}: {text}").format(head=head, text=sitting.cast.side(side)) + ".")
        if sitting.practice:
            say(_("Practice: undo takes a move back, count counts the unseen cards; the game does not count."))
        if match.match_target is None:
            say(_("Single hands; the points are added up."))
        else:
            say(_("The match goes to {target} points.").format(target=match.match_target))
        if sitting.cast.people:
            say(_("Type ? for the commands."))

    # ------------------------------------------------------------------ the loop

    def _go_on(self) -> None:
        """Do whatever comes next: a question, a move of a computer player, a person's turn, the end of a hand."""
        sitting = self._sitting
        self._console.check()
        self._announce()
        if sitting.loss is None and self._answer():
            return
        if sitting.is_over or sitting.hand.is_over:
            self._end_of_hand()
            return
        if not sitting.is_settled and sitting.hand.parent is not None:
            sitting.log += sitting.teller.passed_over(sitting.hand.parent, sitting.hand)
        drawn = sitting.settle()
        seat = sitting.hand.seat
        assert seat is not None
        if sitting.table.player is not None:
            self._play_computer()
            return
        self._autosave()
        if sitting.hand.phase is Phase.EXTEND:
            self._play(*self._seat.extension(seat, self._command))
        else:
            self._play(*self._seat.turn(seat, drawn, self._command))

    def _announce(self) -> None:
        """Say which hand begins, once."""
        sitting, _ = self._sitting, self._
        hand = sitting.hand
        if self._announced == (sitting.number, sitting.match.hand_number) or hand.is_over or sitting.is_over:
            return
        self._announced = (sitting.number, sitting.match.hand_number)
        own = not sitting.cast.is_shared and sitting.cast.humans[hand.first]
        text = _("Hand {number}. You begin.") if own else _("Hand {number}. {name} begins.")
        if hand.ply:
            text = _("Hand {number} goes on.")
        first = sitting.cast.names[hand.first]
        self._console.heading(text.format(number=sitting.match.hand_number, name=first))
        self._seat.new_hand()

    def _play(self, move: Move, place: int | None) -> None:
        mover = self._sitting.hand.seat
        if mover in self._sitting.slots and move.action is not Action.PASS:
            self._seat.decided(mover)
        self._sitting.play(move, place)
        self._unsaved = True
        if mover in self._sitting.slots:
            self._autosave()
        self._seat.tell_all()

    def _autosave(self) -> None:
        """Save what has not been saved: after a person's move, and before a question.

        Computer players would make the same moves again (or, if they go by the clock, moves as good), so between these
        nothing of a person's can be lost.
        """
        if self._unsaved:
            self._unsaved = False
            self._saving.auto()

    def _play_computer(self) -> None:
        move = self._choose()
        if move is not None:
            self._play(move, None)

    def _choose(self) -> Move | None:
        """What the computer player to move chooses; None when it forfeits the match instead."""
        sitting = self._sitting
        seat = sitting.hand.seat
        try:
            return sitting.table.choose()
        except Exception as error:  # whatever a player of another package raises, it is its own fault
            if not isinstance(error, PlayerError) and seat is not None and sitting.seats[seat] in PLAYERS:
                raise
            sitting.lose(error)
        self._unsaved = True
        self._autosave()
        self._seat.tell_all()
        return None

    def _answer(self) -> bool:
        """R5.1, R5.5, R5.6: put the question of a coup fourré to whom it concerns. Returns whether a move was made."""
        sitting = self._sitting
        hand = sitting.hand
        real = hand.phase in {Phase.COUP, Phase.OPENING}
        if self._asked == sitting.moment or not (real or sitting.cast.is_shared):
            return False
        if not sitting.cast.is_shared:
            if sitting.table.player is not None:
                self._play_computer()
            else:
                self._autosave()
                assert hand.seat is not None
                self._play(*self._seat.coup(hand.seat, self._command))
            return True
        return self._answer_shared(real)

    def _answer_shared(self, real: bool) -> bool:
        """People share the screen: everybody entitled gets the same question, whether they hold the safety or not."""
        sitting = self._sitting
        safety = sitting.question
        if safety is None:
            return False
        self._autosave()
        holder = sitting.hand.seat if real else None
        answer = None
        if holder is not None and sitting.table.player is not None:
            answer = self._choose()
            if answer is None:
                return True
            if answer.action is Action.COUP:
                self._play(answer, None)
                return True
        for seat in sitting.entitled():
            if not sitting.cast.humans[seat]:
                continue
            move, place = self._seat.coup(seat, self._command, holds=seat == holder)
            if seat == holder:
                answer = move
                if move.action is Action.COUP:
                    self._play(move, place)
                    return True
        self._asked = sitting.moment
        if answer is None:
            return False
        self._play(answer, None)
        return True

    # ------------------------------------------------------------------ commands that concern the whole game

    def _command(self, kind: str) -> None:
        """Commands of a seat that are not about its cards."""
        if kind == "quit":
            self._quit()
        elif kind == "save" and self._tutorial is not None:
            self._console.say(self._("The tutorial is not saved; it takes a few minutes only."))
        elif kind == "save":
            self._saving.ask()
        elif kind == "statistics":
            self._show_statistics()
        elif kind == "undo":
            self._undo()
        else:
            self._keep_preferences()

    def _undo(self) -> None:
        """Take back the latest move of the person at the keyboard, or of the one who made the latest at all.

        Does not return when there was one.
        """
        sitting = self._sitting
        seat = sitting.latest_person if self._seat.holder is None else self._seat.holder
        if seat is not None and sitting.undo(seat):
            self._unsaved = True
            self._autosave()
            self._seat.tell_all()
            self._seat.taken_back()
            raise _TakenBack

    def _show_statistics(self) -> None:
        try:
            lines = statistics_lines(load_results(), self._)
        except SaveError as error:
            lines = [str(error)]
        for line in lines:
            self._console.say(line)

    def _record(self) -> None:
        """Keep what is over for the statistics; a file that cannot be written is no reason to stop."""
        try:
            self._recorder.keep(datetime.datetime.now(datetime.UTC).astimezone())
        except SaveError as error:
            self._console.say(str(error))

    def _keep_preferences(self) -> None:
        try:
            save_preferences(self._sitting.preferences)
        except SaveError as error:
            self._console.say(str(error))
        self._saving.auto()

    def _quit(self) -> None:
        """Q, DELETE or Ctrl-C: ask what becomes of the game, and leave; returns where it goes on."""
        _ = self._
        try:
            if self._tutorial is not None:
                leaves = confirm(self._console, _("Leave the tutorial?"), _, default=True)
            else:
                leaves = self._saving.part()
        except Interrupted:  # Ctrl-C again means it
            raise Leave("signal") from None
        if leaves:
            raise _Over

    def _end_of_hand(self) -> None:
        """The score, then another hand or game, or the end of the sitting."""
        sitting = self._sitting
        over = sitting.is_over
        self._seat.close_hand()
        self._ends.show()
        if self._tutorial is not None:
            self._console.say()
            self._console.say(self._tutorial.closing)
            self.finished = True
            raise _Over
        self._autosave()
        self._record()
        if not self._ends.ask_another(self._command):
            self._quit()
            self._console.say(self._("The game goes on."))
        if over:
            sitting.next_match()
        else:
            sitting.next_hand()
        self._unsaved = True
        self._autosave()
