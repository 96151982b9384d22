"""Validation of the answers that a driver gives to the game loop."""

from millebornes.errors import AnswerError
from millebornes.game import Action, Move
from millebornes.session import requests
from millebornes.session.game_session import GameSession


def moves_for(question: requests.Question, session: GameSession) -> tuple[Move, ...]:
    """Return the legal moves with which a player can answer a question, or none if the question doesn't ask for a move.

    Show them only to the seat that is asked. If that seat doesn't hold the safety, its only answer to a coup fourré is
    to pass (R5.5). If people pick cards by hand, there are no moves until they have picked them (R2.5).
    """
    if isinstance(question, requests.PassKeyboard | requests.Another):
        return ()
    if isinstance(question, requests.Coup) and not question.holds:
        return (Move(Action.PASS),)
    return () if session.unpicked else tuple(session.view(question.seat).legal_moves)


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
    moves = moves_for(question, session)
    if answer.move not in moves:
        allowed = ", ".join(map(str, moves)) or "first pick the cards that are ready (R2.5)"
        raise AnswerError(f"{answer.move} isn't an answer for seat {answer.seat}; possible: {allowed}")
    if answer.place is not None and session.slots[answer.seat].card_at(answer.place) is not answer.move.card:
        raise AnswerError(f"seat {answer.seat} has no {answer.move.card} in place {answer.place}")
