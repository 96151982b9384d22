"""Decide when to repeat an exercise, either with the library `fsrs`, if it is installed, or with Leitner's boxes.

Both methods depend only on the past answers, so you can switch from one to the other at any time.
"""

import datetime
import importlib.util
from collections.abc import Sequence
from typing import Final, Protocol

from millebornes.storage.practise import Answer

RETRY_AFTER: Final = datetime.timedelta(minutes=10)
"""The time after which a missed exercise is due again."""

BOX_DAYS: Final = (1, 3, 7, 16, 35, 80, 180, 365)
"""The number of days after which an exercise in the first box, the second box, and so on is due again."""

MAX_INTERVAL_DAYS: Final = 365
"""An exercise is due again after at most this many days."""


class Schedule(Protocol):
    """A method that decides when an exercise is due again."""

    name: str

    def due(self, history: Sequence[Answer]) -> datetime.datetime:
        """Return the time (UTC) at which an exercise is due again.

        ``history`` has at least one answer, oldest first.
        """


class Boxes:
    """Leitner's boxes.

    A right answer moves an exercise to the next box, and a wrong answer takes it out of all boxes.
    """

    name = "boxes"

    def due(self, history: Sequence[Answer]) -> datetime.datetime:
        """Return the time at which the exercise is due: minutes later after a wrong answer, otherwise days later.

        The number of days depends on the exercise's box.
        """
        box = 0
        for answer in history:
            box = box + 1 if answer.right else 0
        if not box:
            return history[-1].moment + RETRY_AFTER
        return history[-1].moment + datetime.timedelta(days=BOX_DAYS[min(box, len(BOX_DAYS)) - 1])


class Fsrs:
    """The Free Spaced Repetition Scheduler with its default parameters.

    Raises `ImportError` if the library isn't installed.
    """

    name = "fsrs"

    def __init__(self) -> None:
        import fsrs

        self._card = fsrs.Card
        self._again, self._good = fsrs.Rating.Again, fsrs.Rating.Good
        # Fuzz is off, so that the same answers always lead to the same day.
        self._scheduler = fsrs.Scheduler(
            learning_steps=(RETRY_AFTER,),
            relearning_steps=(RETRY_AFTER,),
            maximum_interval=MAX_INTERVAL_DAYS,
            enable_fuzzing=False,
        )

    def due(self, history: Sequence[Answer]) -> datetime.datetime:
        """Return the time at which the exercise is due again."""
        card = self._card(card_id=0, due=history[0].moment)  # a card created without an id waits a millisecond
        for answer in history:
            rating = self._good if answer.right else self._again
            card, _log = self._scheduler.review_card(card, rating, answer.moment)
        return card.due


def usual_schedule() -> Schedule:
    """Return the default schedule: `Fsrs` if the library is installed, otherwise `Boxes`."""
    return Boxes() if importlib.util.find_spec("fsrs") is None else Fsrs()
