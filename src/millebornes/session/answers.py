"""Validation of the answers that a driver gives to the game loop."""

from millebornes.errors import AnswerError
from millebornes.session import requests
from millebornes.session.game_session import NOW, GameSession
from millebornes.table import commands
from millebornes.table.refusal import CommandError
from millebornes.table.state import PASS


def check_answer(answer: requests.Answer, request: requests.Request, session: GameSession) -> None:
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
