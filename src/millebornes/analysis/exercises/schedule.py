"""When an exercise comes again: by the library `fsrs` where it is installed, else by boxes.

Both are functions of the answers so far and of nothing else, so one may take the place of the other at any time.
"""

import datetime
import importlib.util
from collections.abc import Sequence
from typing import Final, Protocol

from millebornes.storage.practise import Answer

__all__ = ["BOX_DAYS", "RETRY_AFTER", "Boxes", "Fsrs", "Schedule", "usual_schedule"]

RETRY_AFTER: Final = datetime.timedelta(minutes=10)
"""After this time what was missed is due again."""

BOX_DAYS: Final = (1, 3, 7, 16, 35, 80, 180, 365)
"""Days after which an exercise is due again that lies in the first box, the second, and so on."""

MAX_INTERVAL_DAYS: Final = 365
"""Days after which everything is due again."""


class Schedule(Protocol):
    """Says when an exercise is due again."""

    name: str

    def due(self, history: Sequence[Answer]) -> datetime.datetime:
        """When an exercise with these answers, the oldest first and at least one, is due again (UTC)."""


class Boxes:
    """Leitner's boxes: a right answer moves an exercise a box on, a wrong one takes it out of all boxes."""

    name = "boxes"

    def due(self, history: Sequence[Answer]) -> datetime.datetime:
        """When it is due again: days later by its box; what was missed after some minutes."""
        box = 0
        for answer in history:
            box = box + 1 if answer.right else 0
        if not box:
            return history[-1].moment + RETRY_AFTER
        return history[-1].moment + datetime.timedelta(days=BOX_DAYS[min(box, len(BOX_DAYS)) - 1])


class Fsrs:
    """The Free Spaced Repetition Scheduler, with its usual parameters. Raises `ImportError` where it is not there."""

    name = "fsrs"

    def __init__(self) -> None:
        import fsrs

        self._card = fsrs.Card
        self._again, self._good = fsrs.Rating.Again, fsrs.Rating.Good
        # Without fuzz: the same answers give the same day.
        self._scheduler = fsrs.Scheduler(
            learning_steps=(RETRY_AFTER,),
            relearning_steps=(RETRY_AFTER,),
            maximum_interval=MAX_INTERVAL_DAYS,
            enable_fuzzing=False,
        )

    def due(self, history: Sequence[Answer]) -> datetime.datetime:
        """When it is due again."""
        card = self._card(card_id=0, due=history[0].moment)  # without an id, making one waits a millisecond
        for answer in history:
            rating = self._good if answer.right else self._again
            card, _log = self._scheduler.review_card(card, rating, answer.moment)
        return card.due


def usual_schedule() -> Schedule:
    """The schedule to go by: `Fsrs` where the library is installed, else `Boxes`."""
    return Boxes() if importlib.util.find_spec("fsrs") is None else Fsrs()
