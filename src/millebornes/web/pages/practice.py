"""Practice on the web: questions from the shipped exercises, and about the mistakes in reviewed hands."""

import dataclasses
import datetime
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from millebornes.errors import NotationError
from millebornes.game import InformationState, Match, Move
from millebornes.markup.board import board_of
from millebornes.session.log import log_lines
from millebornes.storage import Preferences
from millebornes.storage.practise import Answer
from millebornes.web.http.requests import address_of
from millebornes.web.http.security import check_origin
from millebornes.web.pages.browser_progress import BrowserProgress
from millebornes.web.pages.forms import number_of, read_form
from millebornes.web.pages.hands import hand_address
from millebornes.web.pages.joining import JoinPages, owner_of
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.model import QUESTION_NAMES, answers_of, hand_cards
from millebornes.web.pages.site import Site
from millebornes.web.store.clock import wall
from millebornes.web.tables.analyses import HandName
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.words.moves import describe_move
from millebornes.words.words import TableWords

if TYPE_CHECKING:
    from millebornes.analysis.exercises.exercise import Exercise
    from millebornes.analysis.exercises.practice_session import AnswerOutcome, Candidate
    from millebornes.analysis.match_review import Review
    from millebornes.analysis.records import Decision

PROGRESS: Final = "practice"
"""The name of the cookie that stores a browser's answers. It is sent only to these pages."""
ROUNDS: Final = 2
"""Before a question, the page shows the moves of this many rounds."""
SHOWN: Final = "shown"
"""The answer in the address if the person has asked to see the best move."""
Value = TypeVar("Value")


def _mistakes_in(review: "Review", seat: int | None) -> "tuple[Exercise, ...]":
    """Return a seat's mistakes in a reviewed hand, or those of all seats for a spectator."""
    from millebornes.analysis.exercises.exercise import exercises_of  # loaded only if there is something to practise
    from millebornes.analysis.records import MISTAKES

    made = (decision for decision in review.decisions if decision.grade in MISTAKES)
    wanted = tuple(_with_state(decision, review.match) for decision in made if seat is None or decision.seat == seat)
    return exercises_of(dataclasses.replace(review, decisions=wanted))


def _with_state(decision: "Decision", match: Match) -> "Decision":
    """Return a decision with everything that the player had seen, which the server's reviews don't contain."""
    if decision.analysis is None:
        return decision
    state = InformationState.of_match(match.at(decision.hand, decision.ply), decision.seat)
    return dataclasses.replace(decision, analysis=dataclasses.replace(decision.analysis, state=state))


@dataclasses.dataclass(frozen=True)
class _Practisable:
    """The exercises that a browser can practise, with its answers: its ``own`` mistakes and the shipped set."""

    own: "tuple[Exercise, ...]"
    answers: Mapping[str, Sequence[Answer]]
    progress: BrowserProgress

    def history(self, exercise_id: str) -> Sequence[Answer]:
        own = self.answers.get(exercise_id)
        return self.progress.history(exercise_id) if own is None else own

    @property
    def candidates(self) -> "tuple[Candidate, ...]":
        from millebornes.analysis.exercises.practice_session import candidates
        from millebornes.analysis.exercises.schedule import Boxes

        return candidates(self.own, _shipped(), self, Boxes())

    def due(self, now: datetime.datetime) -> int:
        """Return how many questions should be asked now, without new questions from the shipped set."""
        from millebornes.analysis.exercises.practice_session import waiting
        from millebornes.analysis.exercises.schedule import Boxes

        asked = (history for exercise in _shipped() if (history := self.progress.history(exercise.id)))
        return waiting((*self.answers.values(), *asked), Boxes(), now)


class PracticePages:
    """The pages that ask questions.

    `Boxes` decides when to repeat a question. A cookie stores the answers to shipped exercises. When someone presses
    the button under the mistakes in a hand, the database begins to store the browser's own mistakes and its answers to
    them. The mistakes in a hand are asked in the order in which they were made.
    """

    def __init__(self, site: Site, joining: JoinPages) -> None:
        self.site: Final = site
        self.service: Final = site.service
        self._joining: Final = joining

    async def _work(self, request: Request, work: Callable[[], Value]) -> Value:
        """Do something in a thread, when it is the turn of the address that asks for it."""
        return await self.service.threads.run(address_of(request), work)

    async def _known(self, request: Request) -> _Practisable:
        owner, progress = owner_of(request), BrowserProgress(request.cookies.get(PROGRESS, ""))
        kept = [] if owner is None else await self.service.store.mistakes.of(owner)
        own = await self._work(request, lambda: tuple(filter(None, (_exercise_in(mistake.line) for mistake in kept))))
        return _Practisable(own, {mistake.id: mistake.answers for mistake in kept}, progress)

    # ------------------------------------------------------------------ all exercises

    async def next(self, request: Request) -> Response:
        """Redirect to the next question that is due, or show when it will be due."""
        known = await self._known(request)
        return await self._work(request, lambda: self._next(request, known))

    def _next(self, request: Request, known: _Practisable) -> Response:
        from millebornes.analysis.exercises.practice_session import choose_exercises, next_due
        from millebornes.words.practice import when_text

        now, words, found = _now(), words_of(request), known.candidates
        due = choose_exercises(found, now, everything="all" in request.query_params)
        if due:
            return RedirectResponse(f"/practice/{due[0].id}", 303)
        soonest = next_due(found)
        assert soonest is not None  # all exercises have been answered
        when = when_text(soonest, now, words.translate)
        return self.site.page(request, "practised.html", when=when, total=len(found))

    async def question(self, request: Request) -> Response:
        """Show an exercise and, if the person has answered, the right answer."""
        known = await self._known(request)
        return await self._work(request, lambda: self._question(request, known))

    def _question(self, request: Request, known: _Practisable) -> Response:
        found = known.candidates
        exercise = _named(request, [candidate.exercise for candidate in found])
        answered = sum(candidate.due is not None for candidate in found)
        context: dict[str, Any] = {
            "on": "/practice",
            "place": (answered, len(found)),
            "hand": "",
            "is_own": exercise.id in known.answers,
            "due": known.due(_now()),
        }
        return self._page(request, exercise, known.history(exercise.id), context)

    async def seen(self, request: Request) -> InformationState:
        """Return everything that the player in an exercise had seen."""
        known = await self._known(request)
        return (await self._work(request, lambda: _asked(request, known))).state

    async def answer(self, request: Request) -> Response:
        """Judge an answer, record the result, and show the right answer."""
        form, known = await read_form(request), await self._known(request)
        outcome = await self._work(request, lambda: _outcome(_asked(request, known), form.get("move", "")))
        made, exercise = _answered(request, outcome), outcome.exercise
        if exercise.id in known.answers:
            return await self._record(request, outcome, made)
        known.progress.record(exercise.id, Answer(_now(), outcome.is_right))
        self.site.keep(made, PROGRESS, known.progress.text, path="/practice")
        return made

    async def _record(self, request: Request, outcome: "AnswerOutcome", made: Response) -> Response:
        """Record the answer to a mistake if the mistake is stored, and extend the life of the browser's cookie."""
        owner = owner_of(request)
        if owner is None:
            return made
        answer = Answer(_now(), outcome.is_right)
        await self.service.store.mistakes.record(owner, outcome.exercise.id, answer)
        return self._joining.set_browser_cookie(request, made)

    # ------------------------------------------------------------------ the mistakes of a hand

    def _mistakes(self, name: HandName, seat: int | None) -> "tuple[Exercise, ...]":
        review = self.service.reviews.result(name)
        return () if review is None else _mistakes_in(review, seat)

    async def first_mistake(self, request: Request, who: SeatAccess) -> Response:
        """Redirect to the first mistake in a hand, or to the hand if there is none. Nothing is stored."""
        name = _hand_name(request)
        return _to_first(request, await self._work(request, lambda: self._mistakes(name, who.seat)))

    async def store_mistakes(self, request: Request, who: SeatAccess) -> Response:
        """Redirect to the first mistake in a hand, and store all mistakes of the browser's own seat.

        From then on, they are repeated together with the other exercises.
        """
        check_origin(request.scope, self.service.settings, by_cookie=True)
        name = _hand_name(request)
        found = await self._work(request, lambda: self._mistakes(name, who.seat))
        made, owner = _to_first(request, found), owner_of(request)
        if not found or owner is None or who.seat is None:
            return made
        from millebornes.analysis.exercises.exercise_sets import exercise_line

        kept = self.service.store.mistakes
        known = await kept.histories(owner)
        new = [exercise for exercise in found if exercise.id not in known]
        lines = await self._work(request, lambda: {exercise.id: exercise_line(exercise) for exercise in new})
        size, address = sum(map(len, lines.values())), address_of(request)
        self.site.limits.check("bytes", address, size)
        self.site.limits.charge("bytes", address, size)
        await kept.add(owner, lines, wall())
        return self._joining.set_browser_cookie(request, made)

    async def mistake(self, request: Request, who: SeatAccess) -> Response:
        """Show a mistake in a hand as an exercise and, if the person has answered, the right answer."""
        owner = None if who.seat is None else owner_of(request)
        answers = {} if owner is None else await self.service.store.mistakes.histories(owner)
        return await self._work(request, lambda: self._mistake(request, who, answers))

    def _mistake(self, request: Request, who: SeatAccess, answers: Mapping[str, Sequence[Answer]]) -> Response:
        name = _hand_name(request)
        found = self._mistakes(name, who.seat)
        if not found:  # the review is no longer in memory; the page of the hand makes it again
            return RedirectResponse(hand_address(name), 303)
        exercise = _named(request, found)
        place = [other.id for other in found].index(exercise.id)
        on = ""
        if place + 1 < len(found):
            on = f"{request.url.path.rpartition('/')[0]}/{found[place + 1].id}?match={name.match}"
        context: dict[str, Any] = {
            "on": on,
            "place": (place + 1, len(found)),
            "hand": hand_address(name),
            "is_own": False,
            "due": 0,
        }
        return self._page(request, exercise, answers.get(exercise.id, ()), context)

    async def answer_mistake(self, request: Request, who: SeatAccess) -> Response:
        """Judge the answer to a mistake, record the result if the mistake is stored, and show the right answer."""
        form = await read_form(request)
        found = await self._work(request, lambda: self._mistakes(_hand_name(request), who.seat))
        outcome = _outcome(_named(request, found), form.get("move", ""))
        made = _answered(request, outcome)
        return made if who.seat is None else await self._record(request, outcome, made)

    # ------------------------------------------------------------------ one exercise

    def _page(
        self, request: Request, exercise: "Exercise", history: Sequence[Answer], context: dict[str, Any]
    ) -> Response:
        from millebornes.session.puzzle import session_of
        from millebornes.words.practice import setting_line

        seat, session = exercise.seat, session_of(exercise, Preferences(), words_of(request))
        try:
            view, words = session.view(seat), session.words
            story = log_lines(session, seat)[-1].lines[-ROUNDS * view.rules.seats :]
        finally:
            session.close()
        outcome = None
        if "answer" in request.query_params:
            text = request.query_params["answer"]
            outcome = _outcome(exercise, "" if text == SHOWN else text, history)
        asked, legal = QUESTION_NAMES[view.phase], () if outcome else tuple(view.legal_moves)
        cards = hand_cards(view, legal if asked == "turn" else (), (), words)
        context |= {
            "action": request.url.path + (f"?match={request.query_params['match']}" if context["hand"] else ""),
            "setting": setting_line(exercise, words),
            "story": story,
            "board": board_of(view, seat, {seat}, words),
            "hand_cards": cards,
            "wanted": [card.id for card in cards if outcome and card.card is exercise.best.card][:1],
            "answers": answers_of(legal, seat, words) if asked in {"coup", "extend"} else (),
            "asked": asked,
            "outcome": _told(outcome, words) if outcome else None,
        }
        return self.site.page(request, "practice.html", **context)


@functools.lru_cache(maxsize=256)
def _exercise_in(line: str) -> "Exercise | None":
    """Return the exercise in a line from the database, or None if the rules have changed since then."""
    from millebornes.analysis.exercises.exercise_sets import read_exercise

    try:
        return read_exercise(line)
    except NotationError:
        return None


def _to_first(request: Request, found: "Sequence[Exercise]") -> Response:
    """Return a redirect to the first mistake in a hand, or to the hand if there is none."""
    name = _hand_name(request)
    there = f"{request.url.path}/{found[0].id}?match={name.match}" if found else hand_address(name)
    return RedirectResponse(there, 303)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _shipped() -> "Sequence[Exercise]":
    from millebornes.analysis.exercises.exercise_sets import shipped_exercises

    return shipped_exercises()


def _named(request: Request, exercises: "Sequence[Exercise]") -> "Exercise":
    wanted = str(request.path_params["exercise"])
    for exercise in exercises:
        if exercise.id == wanted:
            return exercise
    raise ApiError(404, "no_exercise", "there is no such exercise")


def _asked(request: Request, known: _Practisable) -> "Exercise":
    """Return the exercise that an address names. The first call reads all exercises, so it belongs in a thread."""
    return _named(request, (*known.own, *_shipped()))


def _outcome(exercise: "Exercise", text: str, history: Sequence[Answer] = ()) -> "AnswerOutcome":
    """Return how good an answer is. An empty text means that the person gives up."""
    from millebornes.analysis.exercises.practice_session import AnswerOutcome, judge
    from millebornes.analysis.exercises.schedule import Boxes

    try:
        move = Move.parse(text) if text else None
        result = judge(exercise, move)
    except (NotationError, KeyError):
        raise ApiError(400, "malformed", "move: it is not one of the legal moves of this exercise") from None
    return AnswerOutcome(exercise, move, result, Boxes().due(history) if history else _now())


def _told(outcome: "AnswerOutcome", words: TableWords) -> dict[str, Any]:
    from millebornes.analysis.exercises.practice_session import AnswerResult
    from millebornes.words.hints import hint_sentence
    from millebornes.words.practice import again_line, answer_lines, cost_text

    exercise, _ = outcome.exercise, words.translate
    now = _now()
    verdict = {
        AnswerResult.BEST: _("Right!"),
        AnswerResult.GOOD: _("Right! It's as good as the best move."),
        AnswerResult.WRONG: _("Not quite: {move} loses {cost}."),
        AnswerResult.SHOWN: _("The best move"),
    }[outcome.result]
    if outcome.move is not None and outcome.result is AnswerResult.WRONG:
        move = describe_move(outcome.move, exercise.seat, words)
        verdict = verdict.format(move=move, cost=cost_text(exercise.estimate(outcome.move), exercise, _))
    return {
        "sign": {AnswerResult.WRONG: "warn", AnswerResult.SHOWN: "hint"}.get(outcome.result, "go"),
        "verdict": verdict,
        "reason": hint_sentence(exercise, exercise.seat, words),
        "lines": answer_lines(outcome, words),
        "again": again_line(outcome, now, _) if outcome.due > now + datetime.timedelta(minutes=1) else "",
    }


def _answered(request: Request, outcome: "AnswerOutcome") -> Response:
    """Return a redirect to the page with the right answer, so that people can reload it."""
    fields = {"answer": SHOWN if outcome.move is None else outcome.move.text}
    if "match" in request.query_params:
        fields["match"] = request.query_params["match"]
    return RedirectResponse(f"{request.url.path}?{urlencode(fields)}", 303)


def _hand_name(request: Request) -> HandName:
    match = number_of(request.query_params, "match")
    return HandName(str(request.path_params["table"]), match, int(request.path_params["hand"]))
