"""The tutorial of the terminal game as a page. The address contains all moves, so nothing is stored."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from millebornes.errors import MilleBornesError
from millebornes.game import Move
from millebornes.markup.board import board_of
from millebornes.session.game_session import GameSession
from millebornes.session.tutorial import LEARNER, Tutorial
from millebornes.storage import Preferences
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.model import QUESTION_NAMES, answers_of, hand_cards, sheet_of
from millebornes.web.pages.site import Site
from millebornes.web.tables.errors import ApiError
from millebornes.words.narration import heard

MAX_MOVES: Final = 60


async def guide_page(site: Site, request: Request) -> Response:
    """Return the page with the lesson that follows the moves in the address (``made`` and the new ``move``).

    If the new move doesn't fit the lesson, the page explains why. Raises `ApiError` if the moves are impossible.
    """
    tutorial = Tutorial(words_of(request))
    session = tutorial.session(Preferences())
    made = [text for text in request.query_params.get("made", "").split(" ") if text][:MAX_MOVES]
    notice = ""
    before = 0
    try:
        _script(session)
        for text in made:
            _learn(session, tutorial, text)
        before = len(session.log)
        wanted = request.query_params.get("move")
        if wanted is not None:
            notice = _learn(session, tutorial, wanted) or ""
            made += [] if notice else [wanted]
    except (MilleBornesError, ValueError) as error:
        raise ApiError(400, "malformed", f"the guided hand cannot begin like this: {error}") from None
    finally:
        session.close()
    hand, words = session.hand, session.words
    view = session.view(LEARNER)
    legal = list(view.legal_moves)
    asked = QUESTION_NAMES.get(view.phase, "")
    answers = answers_of(legal, LEARNER, words) if asked in {"coup", "extend"} else ()
    step, steps = tutorial.progress(hand)
    cards = hand_cards(view, legal if asked == "turn" else (), (), words)
    wanted_moves = [] if hand.is_over else [move.text for move in legal if tutorial.accepts(hand, move) is None]
    context: dict[str, Any] = {
        "made": " ".join(made),
        "notice": notice,
        "lesson": tutorial.closing if hand.is_over else tutorial.lesson(hand),
        "step": step,
        "steps": steps,
        "board": board_of(view, LEARNER, {LEARNER} if legal else (), words),
        "hand": cards,
        "wanted": wanted_moves,
        "highlighted": [
            card.id
            for card in cards
            if any(way is not None and way.move in wanted_moves for way in (*card.plays, card.discard))
        ],
        "answers": answers,
        "asked": "" if hand.is_over else asked,
        "happened": heard(session.log[before:], LEARNER),
        "sheet": sheet_of(hand, session.overall, LEARNER, words) if hand.is_over else None,
        "is_over": hand.is_over,
    }
    return site.page(request, "guide.html", **context)


def _learn(session: GameSession, tutorial: Tutorial, text: str) -> str | None:
    """Make the learner's move and the other side's reply, or return why the move doesn't fit the lesson."""
    hand, move = session.hand, Move.parse(text)
    if hand.is_over or move not in hand.legal_moves:
        reason = None if hand.is_over else hand.why_not(move)
        raise ValueError("no legal move" if reason is None else tutorial.words.theme.worded(reason.text))
    nudge = tutorial.accepts(hand, move)
    if nudge is not None:
        return nudge
    session.play(move)
    _script(session)
    return None


def _script(session: GameSession) -> None:
    session.settle()
    while not session.hand.is_over and session.hand.seat != LEARNER:
        session.play(session.computers.choose())
        session.settle()
