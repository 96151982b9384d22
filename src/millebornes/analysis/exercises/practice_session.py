"""A practice session: choose the exercises, judge the answers and record them."""

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

__all__ = [
    "AnswerHistory",
    "AnswerOutcome",
    "AnswerResult",
    "Candidate",
    "Clock",
    "PracticeSession",
    "candidates",
    "choose_exercises",
    "judge",
    "next_due",
    "utc_now",
]

Clock = Callable[[], datetime.datetime]
"""Returns the current time in UTC."""


def utc_now() -> datetime.datetime:
    """Return the current time, as the default clock."""
    return datetime.datetime.now(datetime.UTC)


class Candidate(NamedTuple):
    """An exercise to choose from: whether it is the player's own mistake, and when it is due (None if never asked)."""

    exercise: Exercise
    is_own: bool
    due: datetime.datetime | None


class AnswerResult(enum.Enum):
    """The result of an answer: the ``best`` move, an equally ``good`` one, a ``wrong`` one, or no answer at all."""

    BEST = "best"
    GOOD = "good"
    WRONG = "wrong"
    SHOWN = "shown"


class AnswerOutcome(NamedTuple):
    """The result of a question: the ``move`` (None if the player asked for the answer), and when it is due again."""

    exercise: Exercise
    move: Move | None
    result: AnswerResult
    due: datetime.datetime

    @property
    def is_right(self) -> bool:
        """Whether the answer was right."""
        return self.result in {AnswerResult.BEST, AnswerResult.GOOD}


def judge(exercise: Exercise, move: Move | None) -> AnswerResult:
    """Return how good an answer is. None means that the player asked for the answer.

    Raises `KeyError` if the move is not legal in the exercise.
    """
    if move is None:
        return AnswerResult.SHOWN
    if move == exercise.best:
        return AnswerResult.BEST
    return AnswerResult.GOOD if exercise.is_right(move) else AnswerResult.WRONG


class AnswerHistory(Protocol):
    """The answers so far: a file of the program, or a browser's cookie."""

    def history(self, exercise_id: str) -> Sequence[Answer]:
        """Return the answers to an exercise, oldest first."""


def candidates(
    own: Iterable[Exercise], shipped: Iterable[Exercise], progress: AnswerHistory, schedule: Schedule
) -> tuple[Candidate, ...]:
    """Return all exercises with the player's progress, their own mistakes first, each exercise once."""
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
    """Return the exercises of a session in order: due ones first, longest overdue first, and then new ones.

    Among new exercises, the player's own mistakes come before the rest, and blunders before smaller mistakes.
    ``everything`` adds the exercises that are not due yet, the soonest first.
    """
    known = list(found)
    asked = sorted((candidate for candidate in known if candidate.due is not None), key=_due)
    due = [candidate for candidate in asked if _due(candidate) <= now]
    new = [candidate for candidate in known if candidate.due is None]
    new.sort(key=lambda candidate: (not candidate.is_own, -_weight(candidate.exercise)))
    later = [candidate for candidate in asked if _due(candidate) > now] if everything else []
    return tuple(candidate.exercise for candidate in (*due, *new, *later))


def _weight(exercise: Exercise) -> int:
    """Return how bad the mistake was, or 0 if the exercise is not a mistake."""
    return MISTAKES.index(exercise.grade) + 1 if exercise.grade in MISTAKES else 0


def _due(candidate: Candidate) -> datetime.datetime:
    assert candidate.due is not None
    return candidate.due


def next_due(found: Iterable[Candidate]) -> datetime.datetime | None:
    """Return when the next exercise is due, or None if none has been asked."""
    return min((candidate.due for candidate in found if candidate.due is not None), default=None)


class PracticeSession:
    """A practice session: each exercise once, then every missed exercise a second time.

    `exercise` is the current question. `answer` returns its outcome and moves to the next one. If the progress can't be
    saved, ``trouble`` says so once.
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
        """The outcomes of the first answers, in order."""
        self.made_good: Final[list[AnswerOutcome]] = []
        """The outcomes of the missed questions when they were asked again."""
        self.trouble = progress.trouble

    def __len__(self) -> int:
        """Return the number of exercises, each counted once."""
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
        """The number of the current question in this round, from 1. Repeated questions are a separate round."""
        return self._at + 1 if not self.is_again else self._at - len(self._queue) + 1

    @property
    def of(self) -> int:
        """The number of questions in this round."""
        return len(self._again) if self.is_again else len(self._queue)

    @property
    def is_again(self) -> bool:
        """Whether this is the round that repeats missed questions."""
        return self._at >= len(self._queue)

    @property
    def now(self) -> datetime.datetime:
        """The current time (UTC)."""
        return self._clock()

    def judge(self, move: Move | None) -> AnswerResult:
        """Return how good an answer to the current question is. None means that the player asked for the answer."""
        assert self.exercise is not None
        return judge(self.exercise, move)

    def answer(self, move: Move | None) -> AnswerOutcome:
        """Answer the current question (None gives up), record the answer, and move to the next question."""
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
