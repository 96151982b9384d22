"""Practice sessions, which choose exercises, judge the answers and record them."""

import datetime
import enum
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, NamedTuple, Protocol

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.analysis.exercises.schedule import Schedule
from millebornes.analysis.records import MISTAKES
from millebornes.errors import SaveError
from millebornes.game import Move
from millebornes.storage.practise import Answer, PractiseProgress

Clock = Callable[[], datetime.datetime]
"""A function that returns the current time in UTC."""


def utc_now() -> datetime.datetime:
    """Return the current time in UTC. This is the default clock."""
    return datetime.datetime.now(datetime.UTC)


class Candidate(NamedTuple):
    """An exercise to choose from. ``is_own`` marks the player's own mistakes. ``due`` is None if it was never asked."""

    exercise: Exercise
    is_own: bool
    due: datetime.datetime | None


class AnswerResult(enum.Enum):
    """How good an answer is: the ``best`` move, an equally ``good`` move, a ``wrong`` move, or no answer at all."""

    BEST = "best"
    GOOD = "good"
    WRONG = "wrong"
    SHOWN = "shown"


RIGHT: Final = (AnswerResult.BEST, AnswerResult.GOOD)


class AnswerOutcome(NamedTuple):
    """How a question was answered: the ``move`` (None if the player gave up), its quality, and when it is due again."""

    exercise: Exercise
    move: Move | None
    result: AnswerResult
    due: datetime.datetime

    @property
    def is_right(self) -> bool:
        """Whether the player's answer was right."""
        return self.result in RIGHT


def judge(exercise: Exercise, move: Move | None) -> AnswerResult:
    """Return how good an answer is. A move of None means that the player asked for the answer.

    Raises `KeyError` if the move isn't legal.
    """
    if move is None:
        return AnswerResult.SHOWN
    if move == exercise.best:
        return AnswerResult.BEST
    return AnswerResult.GOOD if exercise.is_right(move) else AnswerResult.WRONG


class AnswerHistory(Protocol):
    """The answers so far, which may be stored in a file or in a browser's cookie."""

    def history(self, exercise_id: str) -> Sequence[Answer]:
        """Return all answers to an exercise so far, oldest first."""


def candidates(
    own: Iterable[Exercise], shipped: Iterable[Exercise], progress: AnswerHistory, schedule: Schedule
) -> tuple[Candidate, ...]:
    """Return each exercise once, with the player's progress. The player's own mistakes come first."""
    by_id: dict[str, Candidate] = {}
    for is_own, exercises in ((True, own), (False, shipped)):
        for exercise in exercises:
            history = progress.history(exercise.id)
            due = schedule.due(history) if history else None
            by_id.setdefault(exercise.id, Candidate(exercise, is_own, due))
    return tuple(by_id.values())


def choose_exercises(
    found: Iterable[Candidate], now: datetime.datetime, *, everything: bool = False
) -> tuple[Exercise, ...]:
    """Return the exercises for a session in order: those that are due, longest overdue first, and then new ones.

    Among the new exercises, the player's own mistakes come first, and blunders come before smaller mistakes. With
    ``everything``, the exercises that aren't due yet follow at the end, starting with those that are due soonest.
    """
    all_candidates = list(found)
    asked = sorted((candidate for candidate in all_candidates if candidate.due is not None), key=_due)
    due = [candidate for candidate in asked if _due(candidate) <= now]
    new = [candidate for candidate in all_candidates if candidate.due is None]
    new.sort(key=lambda candidate: (not candidate.is_own, -_weight(candidate.exercise)))
    later = [candidate for candidate in asked if _due(candidate) > now] if everything else []
    return tuple(candidate.exercise for candidate in (*due, *new, *later))


def _weight(exercise: Exercise) -> int:
    return MISTAKES.index(exercise.grade) + 1 if exercise.grade in MISTAKES else 0


def _due(candidate: Candidate) -> datetime.datetime:
    assert candidate.due is not None
    return candidate.due


def next_due(found: Iterable[Candidate]) -> datetime.datetime | None:
    """Return the time at which the next exercise is due, or None if none has been asked yet."""
    return min((candidate.due for candidate in found if candidate.due is not None), default=None)


def waiting(histories: Iterable[Sequence[Answer]], schedule: Schedule, now: datetime.datetime) -> int:
    """Return how many of a player's own mistakes should be asked now, because they are due or were never asked.

    ``histories`` contains the answers to each mistake, oldest first.
    """
    return sum(not history or schedule.due(history) <= now for history in histories)


class PracticeSession:
    """A practice session, which asks each exercise once and then repeats every exercise that was missed.

    `exercise` is the current question. `answer` returns its outcome and moves on to the next question. If the progress
    can't be saved, ``trouble`` contains a message once.
    """

    def __init__(
        self, exercises: Collection[Exercise], progress: PractiseProgress, schedule: Schedule, clock: Clock
    ) -> None:
        self._queue: Final = list(exercises)
        self._progress: Final = progress
        self._schedule: Final = schedule
        self._clock: Final = clock
        self._again: list[Exercise] = []
        self._at = 0
        self.outcomes: Final[list[AnswerOutcome]] = []
        """The outcomes of the first answer to each question, in order."""
        self.made_good: Final[list[AnswerOutcome]] = []
        """The outcomes of the questions that were missed at first and then repeated."""
        self.trouble = progress.trouble

    def __len__(self) -> int:
        """Return the number of different exercises in the session."""
        return len(self._queue)

    @property
    def exercise(self) -> Exercise | None:
        """The current question, or None when the session is over."""
        if self._at < len(self._queue):
            return self._queue[self._at]
        place = self._at - len(self._queue)
        return self._again[place] if place < len(self._again) else None

    @property
    def number(self) -> int:
        """The number of the current question in this round, from 1. The repeated questions are a round of their own."""
        return self._at + 1 if not self.is_again else self._at - len(self._queue) + 1

    @property
    def of(self) -> int:
        """The number of questions in the current round."""
        return len(self._again) if self.is_again else len(self._queue)

    @property
    def is_again(self) -> bool:
        """Whether the current round repeats questions that were missed."""
        return self._at >= len(self._queue)

    @property
    def now(self) -> datetime.datetime:
        """The current time in UTC."""
        return self._clock()

    def answer(self, move: Move | None) -> AnswerOutcome:
        """Answer the current question, record the answer, and move on to the next question.

        A move of None gives up.
        """
        exercise = self.exercise
        assert exercise is not None
        result = judge(exercise, move)
        right = result in RIGHT
        try:
            self._progress.record(exercise.id, Answer(self._clock(), right))
        except SaveError as error:
            self.trouble = self.trouble or str(error)
        due = self._schedule.due(self._progress.history(exercise.id))
        outcome = AnswerOutcome(exercise, move, result, due)
        if self.is_again:
            self.made_good.append(outcome)
        else:
            self.outcomes.append(outcome)
            if not right:
                self._again.append(exercise)
        self._at += 1
        return outcome
