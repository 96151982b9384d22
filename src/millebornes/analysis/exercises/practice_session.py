"""A session of practice: which exercises come, what is answered, and what becomes of it."""

import datetime
import enum
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.analysis.exercises.schedule import Schedule
from millebornes.analysis.records import MISTAKES
from millebornes.errors import SaveError
from millebornes.game import Move
from millebornes.storage.practise import Answer, PractiseProgress

__all__ = [
    "AnswerOutcome",
    "AnswerResult",
    "Candidate",
    "Clock",
    "PracticeSession",
    "candidates",
    "choose_exercises",
    "next_due",
    "utc_now",
]

Clock = Callable[[], datetime.datetime]
"""Tells what time it is, in UTC."""


def utc_now() -> datetime.datetime:
    """The usual clock."""
    return datetime.datetime.now(datetime.UTC)


class Candidate(NamedTuple):
    """An exercise that might be asked: whether it is one's own mistake, and when it is due (None: never asked)."""

    exercise: Exercise
    is_own: bool
    due: datetime.datetime | None


class AnswerResult(enum.Enum):
    """How a question was answered: the ``best`` move, another that is as ``good``, a ``wrong`` one, or not at all."""

    BEST = "best"
    GOOD = "good"
    WRONG = "wrong"
    SHOWN = "shown"


class AnswerOutcome(NamedTuple):
    """What has come of a question: the ``move`` (None where the answer was asked for), and when it comes again."""

    exercise: Exercise
    move: Move | None
    result: AnswerResult
    due: datetime.datetime

    @property
    def is_right(self) -> bool:
        """Whether it was answered right."""
        return self.result in {AnswerResult.BEST, AnswerResult.GOOD}


def candidates(
    own: Iterable[Exercise], shipped: Iterable[Exercise], progress: PractiseProgress, schedule: Schedule
) -> tuple[Candidate, ...]:
    """All exercises with what is known of them, one's own first, each once."""
    found: dict[str, Candidate] = {}
    for is_own, exercises in ((True, own), (False, shipped)):
        for exercise in exercises:
            history = progress.history(exercise.id)
            due = schedule.due(history) if history else None
            found.setdefault(exercise.id, Candidate(exercise, is_own, due))
    return tuple(found.values())


def choose_exercises(
    found: Iterable[Candidate], now: datetime.datetime, *, everything: bool = False
) -> tuple[Exercise, ...]:
    """What comes, in this order: what is due, longest due first; then what was never asked.

    Of the latter one's own mistakes come before the rest, and blunders before lesser ones. ``everything`` adds what is
    not due yet, the next due first.
    """
    known = list(found)
    asked = sorted((candidate for candidate in known if candidate.due is not None), key=_due)
    due = [candidate for candidate in asked if _due(candidate) <= now]
    new = [candidate for candidate in known if candidate.due is None]
    new.sort(key=lambda candidate: (not candidate.is_own, -_weight(candidate.exercise)))
    later = [candidate for candidate in asked if _due(candidate) > now] if everything else []
    return tuple(candidate.exercise for candidate in (*due, *new, *later))


def _weight(exercise: Exercise) -> int:
    """How bad the mistake was; 0 where nobody made one."""
    return MISTAKES.index(exercise.grade) + 1 if exercise.grade in MISTAKES else 0


def _due(candidate: Candidate) -> datetime.datetime:
    assert candidate.due is not None
    return candidate.due


def next_due(found: Iterable[Candidate]) -> datetime.datetime | None:
    """When the next exercise is due; None where none has been asked."""
    return min((candidate.due for candidate in found if candidate.due is not None), default=None)


class PracticeSession:
    """A session of practice: each exercise once, and at the end those again that were missed, once more.

    `exercise` is the question that stands; `answer` gives its outcome and goes on. What the progress could not keep is
    told once, in ``trouble``.
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
        """What has come of the questions at their first time, in order."""
        self.made_good: Final[list[AnswerOutcome]] = []
        """What has come of those that were missed, when they came again."""
        self.trouble = progress.trouble

    def __len__(self) -> int:
        """How many exercises there are, each counted once."""
        return len(self._queue)

    @property
    def exercise(self) -> Exercise | None:
        """The question that stands; None when the session is over."""
        if self._at < len(self._queue):
            return self._queue[self._at]
        place = self._at - len(self._queue)
        return self._again[place] if place < len(self._again) else None

    @property
    def number(self) -> int:
        """Which exercise it is, from 1; those that come again are counted anew."""
        return self._at + 1 if not self.is_again else self._at - len(self._queue) + 1

    @property
    def of(self) -> int:
        """How many come in this round."""
        return len(self._again) if self.is_again else len(self._queue)

    @property
    def is_again(self) -> bool:
        """Whether what was missed comes again."""
        return self._at >= len(self._queue)

    @property
    def now(self) -> datetime.datetime:
        """What time it is (UTC)."""
        return self._clock()

    def judge(self, move: Move | None) -> AnswerResult:
        """How good an answer is to the question that stands; None: the answer was asked for."""
        exercise = self.exercise
        assert exercise is not None
        if move is None:
            return AnswerResult.SHOWN
        if move == exercise.best:
            return AnswerResult.BEST
        return AnswerResult.GOOD if exercise.is_right(move) else AnswerResult.WRONG

    def answer(self, move: Move | None) -> AnswerOutcome:
        """Answer the question that stands (None: give it up), keep that, and go on to the next."""
        exercise, result = self.exercise, self.judge(move)
        assert exercise is not None
        right = result in {AnswerResult.BEST, AnswerResult.GOOD}
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
