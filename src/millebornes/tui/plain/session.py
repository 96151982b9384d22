"""The game itself, question by question."""

from pathlib import Path

from millebornes.errors import SaveError
from millebornes.game import Action, Move, Phase
from millebornes.i18n import Translator
from millebornes.storage import AutosaveSlot, SavedGame, save_preferences
from millebornes.themes import theme, theme_for
from millebornes.tui.plain.commands import Kind, parse
from millebornes.tui.plain.console import Console, Interrupted, Leave
from millebornes.tui.plain.saving import Saving
from millebornes.tui.plain.seat import Seat
from millebornes.tui.plain.setup import confirm
from millebornes.tui.plain.sheet import sheet_lines
from millebornes.tui.sitting.sitting import Sitting

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
        game: SavedGame,
        slot: AutosaveSlot | None,
        file: Path | None,
        _: Translator,
        theme_name: str | None = None,
    ) -> None:
        self._console = console
        self._ = _
        words = theme(theme_name) if theme_name else theme_for(_.language)
        self._sitting = Sitting(game, file, words, _)
        self._saving = Saving(console, self._sitting, slot, _)
        self._seat = Seat(console, self._sitting, _)
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
            return self._saving.leave()
        finally:
            self._sitting.close()

    def _introduce(self) -> None:
        _, sitting, say = self._, self._sitting, self._console.say
        rules, match = sitting.rules, sitting.match
        name = _("rules of one's own") if rules.edition is None else rules.edition
        goal = sitting.theme.miles(rules.goal)
        say(_("Rules: {edition}. The trip: {goal}. Seed: {seed}.").format(edition=name, goal=goal, seed=sitting.seed))
        for side in range(rules.sides):
            say(_("Side {number}").format(number=side + 1) + f": {sitting.cast.side(side)}.")
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
        if self._answer():
            return
        if sitting.hand.is_over:
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
        if self._announced == (sitting.number, sitting.match.hand_number) or hand.is_over:
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
        self._sitting.play(move, place)
        self._unsaved = True
        if mover in self._sitting.slots:
            self._autosave()
        self._seat.tell_all()

    def _autosave(self) -> None:
        """Save what has not been saved: after a person's move, and before a question.

        Computer players would make the same moves again, so between these nothing can be lost.
        """
        if self._unsaved:
            self._unsaved = False
            self._saving.auto()

    def _play_computer(self) -> None:
        self._play(self._sitting.table.choose(), None)

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
            answer = sitting.table.choose()
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
        elif kind == "save":
            self._saving.ask()
        elif kind == "undo":
            self._undo(self._seat.holder)
        else:
            self._keep_preferences()

    def _undo(self, seat: int | None) -> None:
        """Take back a person's latest move. Does not return when there was one."""
        sitting = self._sitting
        if seat is not None and sitting.undo(seat):
            self._unsaved = True
            self._autosave()
            self._seat.tell_all()
            raise _TakenBack

    def _keep_preferences(self) -> None:
        try:
            save_preferences(self._sitting.preferences)
        except SaveError as error:
            self._console.say(str(error))
        self._saving.auto()

    def _quit(self) -> None:
        """Q, DELETE or Ctrl-C: ask, offer to save, leave."""
        _, console = self._, self._console
        try:
            if not confirm(console, _("Really quit?"), _, default=False):
                return
        except Interrupted:  # Ctrl-C again means it
            raise Leave("signal") from None
        self._part()

    def _part(self) -> None:
        """Save? Then leave; returns when saving was asked for and did not happen."""
        _ = self._
        try:
            wanted = confirm(self._console, _("Save the game?"), _, default=True)
            if wanted and not self._saving.ask():
                return
        except Interrupted:
            raise Leave("signal") from None
        self._saving.forget()
        raise _Over

    # ------------------------------------------------------------------ ends

    def score_sheet(self) -> list[str]:
        """The score sheet as the table stands."""
        sitting = self._sitting
        match = sitting.match
        viewer = None if sitting.cast.is_shared else next(iter(sitting.cast.people), None)
        return sheet_lines(match.hand.scores, match.totals, sitting.games, sitting.cast, viewer, self._)

    def _end_of_hand(self) -> None:
        _, sitting, console = self._, self._sitting, self._console
        self._seat.close_hand()
        console.heading(_("Hand {number}: the score").format(number=sitting.match.hand_number))
        viewer = None if sitting.cast.is_shared else next(iter(sitting.cast.people), None)
        console.say(sitting.teller.hand_over(sitting.hand)(viewer))
        for line in self.score_sheet():
            console.say(line)
        self._autosave()
        over = sitting.match.is_over
        if over:
            self._end_of_match(viewer)
        if not self._ask_another(_("Another game?") if over else _("Another hand?")):
            self._part()
            console.say(_("The game goes on."))
        if over:
            sitting.next_match()
        else:
            sitting.next_hand()
        self._unsaved = True
        self._autosave()

    def _ask_another(self, question: str) -> bool:
        """The question after a hand; until it is answered the score can be seen again, and the game be saved."""
        _, sitting, console = self._, self._sitting, self._console
        while True:
            text = console.ask(f"{question} " + _("(Y/n)"))
            command = parse(text, sitting.cast, sitting.rules.hand_size, _, answering=True)
            match command.kind:
                case Kind.YES | Kind.NOTHING:
                    return True
                case Kind.NO:
                    return False
                case Kind.QUIT:
                    self._quit()
                case Kind.SAVE:
                    self._saving.ask()
                case Kind.WINDOW | Kind.REDRAW:
                    for line in self.score_sheet():
                        console.say(line)
                case Kind.UNDO if sitting.practice:
                    self._undo(self._latest_person())
                case Kind.HELP:
                    console.say(_("Enter goes on, N ends the game, S saves it, W shows the score again, Q quits."))
                case _other:
                    console.say(_("Please answer yes or no."))

    def _latest_person(self) -> int | None:
        """Who of the people at the keyboard decided last in this hand."""
        hand = self._sitting.hand.parent
        while hand is not None and hand.seat not in self._sitting.slots:
            hand = hand.parent
        return None if hand is None else hand.seat

    def _end_of_match(self, viewer: int | None) -> None:
        _, sitting = self._, self._sitting
        winner = sitting.match.winner
        if winner is None:
            text = _("The match is drawn.")
        elif viewer is not None and sitting.rules.side_of(viewer) == winner:
            text = _("You win the match.")
        else:
            text = _("{side} wins the match.").format(side=sitting.cast.side(winner))
        self._console.heading(text)
