"""The game loop, which decides whom to ask, what to announce, when to save and what to do next."""

import datetime
from collections.abc import Generator, Sequence
from typing import Final

from millebornes.cards import Card
from millebornes.errors import AnswerError, PlayerError, SaveError
from millebornes.game import Action, Move, Phase
from millebornes.players import PLAYERS
from millebornes.players.table import Forfeit
from millebornes.session import requests
from millebornes.session.game_session import NOW, GameSession
from millebornes.session.record import keep_results
from millebornes.session.requests import EventKind
from millebornes.session.saving import Saver
from millebornes.table import commands
from millebornes.table.refusal import CommandError
from millebornes.table.state import PASS
from millebornes.words.narration import Narration
from millebornes.words.troubles import why

Steps = Generator[requests.Request, requests.Answer, None]
"""The loop as a generator, which yields requests and receives the answers."""


class _TakenBack(Exception):
    """Raised when a move is taken back. Any open question is withdrawn."""

    def __init__(self, answer: requests.TakeBack) -> None:
        self.answer = answer


class GameLoop:
    """Plays a session for as long as it gets answers. `millebornes.session` explains how to drive it.

    ``saver`` saves the session; with None, nothing is saved.
    """

    def __init__(self, session: GameSession, saver: Saver | None = None) -> None:
        self.session: Final = session
        self._saver = saver
        self._people: Final = session.participants.people
        self._holder: int | None = None
        """The seat whose player has the keyboard, if several people share it."""
        self._announced: tuple[int, int] | None = None
        self._lost: Forfeit | None = None
        """The forfeit that the loop has announced."""
        self._unsaved = True
        self._steps = self._run()
        self.request: requests.Request = next(self._steps)
        """The request that the loop is waiting for."""

    def answer(self, answer: requests.Answer = None) -> requests.Request:
        """Answer the current request and return the next one. An `Event` or `Trouble` needs no answer.

        Raises `AnswerError` if the answer is illegal or doesn't fit the request. The current request then stays open.
        """
        _check_answer(answer, self.request, self.session)
        self.request = self._steps.send(answer)
        return self.request

    @property
    def viewer(self) -> int | None:
        """The seat whose player is looking at the screen, or None while anyone may look at it."""
        return self._people[0] if len(self._people) == 1 else self._holder

    # ------------------------------------------------------------------ the loop

    def _run(self) -> Steps:
        yield from self._save()
        while True:
            try:
                yield from self._go_on()
            except _TakenBack as back:
                yield from self._undo(back.answer)

    def _go_on(self) -> Steps:
        session = self.session
        yield from self._announce()
        if session.loss is not self._lost:
            self._lost = session.loss
            if session.loss is not None:
                yield self._event(EventKind.FORFEIT, [session.narrator.forfeit(session.loss)], session.loss.seat)
        if session.loss is None and (yield from self._offer_coup()):
            return
        if session.is_over or session.hand.is_over:
            yield from self._end_hand()
            return
        seat = session.hand.seat
        assert seat is not None
        drawn = yield from self._begin_turn(seat)
        if session.computers.player is not None:
            move = yield from self._compute(seat)
            if move is not None:
                yield from self._play(move)
            return
        yield from self._save()
        yield from self._pass_keyboard(seat, seat)
        question = requests.Extension(seat) if session.hand.phase is Phase.EXTEND else requests.Turn(seat, drawn)
        decision = yield from self._ask(question, seat)
        assert isinstance(decision, requests.PersonMove)
        yield from self._play(decision.move, decision.place)

    def _begin_turn(self, seat: int) -> Generator[requests.Request, requests.Answer, tuple[Card, ...]]:
        """Announce a seat's turn, after the turns missed by others (R2.6), once no coup fourré is possible."""
        session = self.session
        if session.is_settled:
            return ()
        passed = session.narrator.passed_over(session.hand)
        if passed:
            session.log += passed
            yield self._event(EventKind.PASSED_OVER, passed)
        drawn = session.settle()
        yield self._event(EventKind.TURN, (), seat)
        return drawn

    def _announce(self) -> Steps:
        session = self.session
        if session.hand.is_over or session.is_over or self._announced == (session.number, session.match.hand_number):
            return
        self._announced = (session.number, session.match.hand_number)
        yield self._event(EventKind.HAND, [session.narrator.hand_begins(session.hand, session.match.hand_number)])

    def _event(
        self, kind: EventKind, narrations: Sequence[Narration] = (), seat: int | None = None, move: Move | None = None
    ) -> requests.Event:
        hand = self.session.hand
        turn = None if hand.is_over or self.session.is_over else hand.apparent_seat
        return requests.Event(kind, turn, tuple(narrations), seat, move)

    def _ask(
        self, question: requests.Question, turn: int | None
    ) -> Generator[requests.Request, requests.Answer, requests.PersonMove | requests.Continue]:
        answer = yield requests.Ask(question, turn)
        if isinstance(answer, requests.TakeBack):
            raise _TakenBack(answer)
        assert isinstance(answer, requests.PersonMove | requests.Continue)
        return answer

    # ------------------------------------------------------------------ moves

    def _play(self, move: Move, place: int | None = None) -> Steps:
        """Make a move for the current player. A pass causes no event (R5.5)."""
        session = self.session
        mover, before = session.hand.seat, len(session.log)
        session.play(move, place)
        self._unsaved = True
        if mover in session.slots:
            yield from self._save()
        if move.action is not Action.PASS:
            narrations = session.log[before:] if session.loss is None else session.log[before:-1]
            yield self._event(EventKind.MOVE, narrations, mover, move)

    def _compute(self, seat: int) -> Generator[requests.Request, requests.Answer, Move | None]:
        """Return the move of the computer player who has to decide, or None if it forfeits the match."""
        session = self.session

        def run() -> requests.ComputerMove:
            try:
                return requests.ComputerMove(session.computers.choose())
            except Exception as error:  # a player from another package may raise any exception, and forfeits if it does
                if not isinstance(error, PlayerError) and session.seats[seat] in PLAYERS:
                    raise
                return requests.ComputerMove(None, error)

        choice = yield requests.Compute(seat, run)
        if isinstance(choice, requests.TakeBack):
            raise _TakenBack(choice)
        assert isinstance(choice, requests.ComputerMove)
        if choice.error is None:
            return choice.move
        session.lose(choice.error)
        self._unsaved = True
        yield from self._save()
        return None

    def _undo(self, back: requests.TakeBack) -> Steps:
        before = len(self.session.log)
        self.session.undo(back.seat)
        self._unsaved = True
        yield from self._save()
        yield self._event(EventKind.TAKEN_BACK, self.session.log[before:], back.seat)

    def _pass_keyboard(self, seat: int, turn: int | None) -> Steps:
        """Ask people to pass the keyboard to a seat. They must not see each other's hands."""
        if self.viewer != seat:
            self._holder = None
            yield from self._ask(requests.PassKeyboard(seat), turn)
            self._holder = seat

    # ------------------------------------------------------------------ coups fourrés

    def _offer_coup(self) -> Generator[requests.Request, requests.Answer, bool]:
        """R5.1, R5.5, R5.6: ask about a coup fourré, even if it can't be called. Return whether it was."""
        session = self.session
        safety, entitled, holder = session.hand.coup_question, session.hand.entitled, session.state.asked
        if session.state.window is None or safety is None:
            return False
        if holder is not None and session.computers.player is not None:
            move = yield from self._compute(holder)
            if move is None:
                return True
            if move.action is Action.COUP:
                yield from self._play(move)
                return True
        called = yield from self._ask_coup(entitled, safety, holder)
        if called is not None:
            yield from self._play(called.move, called.place)
            return True
        session.close_window()
        self._unsaved = True  # also without a pass, or else a game that is resumed would tell (R5.5)
        if holder in session.slots:
            yield from self._save()
        if session.participants.is_shared:
            yield from self._save()
        yield self._event(EventKind.WINDOW_CLOSES)
        return holder is not None

    def _ask_coup(
        self, entitled: Sequence[int], safety: Card, holder: int | None
    ) -> Generator[requests.Request, requests.Answer, requests.PersonMove | None]:
        """Ask the people who are entitled to the call (if others play, whether they can or not). Return the call."""
        session = self.session
        asks_all, humans = session.participants.is_shared, session.participants.humans
        waiting = [seat for seat in entitled if humans[seat] and (asks_all or seat == holder)]
        if waiting:
            yield from self._save()
        turn = session.hand.apparent_seat
        for seat in waiting:
            yield from self._pass_keyboard(seat, turn)
            answer = yield from self._ask(requests.Coup(seat, safety, seat == holder), turn)
            assert isinstance(answer, requests.PersonMove)
            if answer.move.action is Action.COUP:
                return answer
        return None

    # ------------------------------------------------------------------ ends

    def _end_hand(self) -> Steps:
        session = self.session
        self._holder = None  # everyone may look at the screen now, so it must not show a hand
        yield from self._save()
        yield from self._work(requests.RecordResult(self._record))
        over = (
            session.narrator.hand_over(session.hand) if session.loss is None else session.narrator.forfeit(session.loss)
        )
        yield self._event(EventKind.END, [over])
        yield from self._ask(requests.Another(), None)
        session.next_hand()
        self._unsaved = True
        yield from self._save()

    def _record(self) -> str | None:
        """Add the finished hand or match to the statistics. The game continues even if their file can't be written."""
        try:
            keep_results(self.session, datetime.datetime.now(datetime.UTC).astimezone())
        except SaveError as error:
            _ = self.session.translate
            return _("The result is missing from the statistics: {reason}.").format(reason=why(error, _))
        return None

    def _save(self) -> Steps:
        """Save any unsaved changes, after a person's move or before a question.

        There is no need to save between the moves of computer players. After a restart, they would make the same moves
        again (or equally good moves, if they play by the clock), so no decision that a person made can be lost.
        """
        if self._unsaved:
            self._unsaved = False
            if self._saver is not None:
                yield from self._work(requests.Save(self._saver.auto))

    def _work(self, work: requests.Save | requests.RecordResult) -> Steps:
        trouble = yield work
        if trouble:
            assert isinstance(trouble, str)
            yield requests.Trouble(trouble)


def _check_answer(answer: requests.Answer, request: requests.Request, session: GameSession) -> None:
    """Raise `AnswerError` if the answer is illegal or doesn't fit the request."""
    match request:
        case requests.Ask() | requests.Compute() if isinstance(answer, requests.TakeBack):
            if session.undo_point(answer.seat) is None:
                raise AnswerError(f"seat {answer.seat} has no move in this hand that can be taken back")
        case requests.Ask(question):
            _check_question(answer, question, session)
        case requests.Compute() if not isinstance(answer, requests.ComputerMove):
            raise AnswerError(f"the answer to Compute must be ComputerMove, not {answer!r}")
        case requests.Event() | requests.Trouble() if answer is not None:
            raise AnswerError(f"the answer to {type(request).__name__} must be None, not {answer!r}")
        case requests.Save() | requests.RecordResult() if not isinstance(answer, str | None):
            raise AnswerError(f"the answer to {type(request).__name__} must be str or None, not {answer!r}")


def _check_question(answer: requests.Answer, question: requests.Question, session: GameSession) -> None:
    if not isinstance(answer, requests.PersonMove | requests.Continue):
        raise AnswerError(f"the answer to a question must be PersonMove, Continue or TakeBack, not {answer!r}")
    if question.seat != answer.seat:
        raise AnswerError(f"seat {answer.seat} is not asked; open question: {question}")
    if isinstance(question, requests.PassKeyboard | requests.Another):
        if not isinstance(answer, requests.Continue):
            raise AnswerError(f"the answer to {question} must be Continue, not {answer}")
        return
    if isinstance(answer, requests.Continue):
        raise AnswerError(f"the answer to {question} must be a PersonMove, not {answer}")
    if isinstance(question, requests.Coup) and not question.holds:  # the table asks only those who hold the safety
        if answer.move != PASS:
            raise AnswerError(f"seat {answer.seat} can't call a coup fourré (R2.5); possible: {PASS}")
        return
    if session.unpicked:
        raise AnswerError("first pick the cards that are ready (R2.5)")
    try:
        commands.move(session.state, answer.seat, answer.move.text, NOW)
    except CommandError as error:
        possible = ", ".join(error.more.get("legal", ()))
        raise AnswerError(f"{error}; possible: {possible}" if possible else str(error)) from None
    if answer.place is not None and session.slots[answer.seat].card_at(answer.place) is not answer.move.card:
        raise AnswerError(f"seat {answer.seat} has no {answer.move.card} in place {answer.place}")
