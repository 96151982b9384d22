"""A session of practice by a clock of its own: what comes, what comes again, and when."""

import dataclasses
import datetime
from pathlib import Path

import pytest

from millebornes.analysis.exercises.practice_session import (
    AnswerResult,
    PracticeSession,
    candidates,
    choose_exercises,
    next_due,
    waiting,
)
from millebornes.analysis.exercises.schedule import RETRY_AFTER, Boxes, Fsrs, Schedule, usual_schedule
from millebornes.i18n import translator
from millebornes.schema.exercises import Grade
from millebornes.storage.practise import Answer, PractiseProgress
from millebornes.words.practice import nothing_due, summary_lines, when_text
from tests.analysis.asked import exercises

START = datetime.datetime(2026, 5, 4, 12, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)


class Clock:
    """Says what it is told to."""

    now = START

    def __call__(self) -> datetime.datetime:
        return self.now


def history(answers: str, schedule: Schedule) -> list[Answer]:
    """Answers (1: right), each given when the exercise was due."""
    found: list[Answer] = []
    moment = START
    for right in answers:
        found.append(Answer(moment, right == "1"))
        moment = schedule.due(found)
    return found


def interval(answers: str, schedule: Schedule) -> datetime.timedelta:
    found = history(answers, schedule)
    return schedule.due(found) - found[-1].moment


@pytest.mark.parametrize("schedule", [Boxes(), Fsrs()], ids=["boxes", "fsrs"])
def test_what_is_known_comes_later_and_what_is_missed_soon(schedule: Schedule) -> None:
    later = [interval("1" * n, schedule) for n in range(1, 10)]
    assert later[0] >= DAY
    assert later == sorted(later)
    assert later[3] > 10 * DAY
    assert later[-1] <= 365 * DAY
    assert interval("1110", schedule) == interval("0", schedule) == RETRY_AFTER
    assert interval("11101", schedule) < later[2]
    assert interval("111", schedule) == interval("111", schedule)


def test_how_many_mistakes_wait() -> None:
    """Those that are due, and those that were never asked."""
    histories: tuple[list[Answer], ...] = ([], history("1", Boxes()), history("11", Boxes()), history("0", Boxes()))
    counts = [waiting(histories, Boxes(), START + after) for after in (0 * DAY, RETRY_AFTER, DAY, 4 * DAY)]
    assert counts == [1, 2, 3, 4]


def test_the_library_is_taken_where_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usual_schedule().name == "fsrs"
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert usual_schedule().name == "boxes"


def test_due_ones_come_first_then_new_ones_ones_own_before_others(tmp_path: Path) -> None:
    a, b, c, d, e, f = exercises()
    schedule = Boxes()
    with PractiseProgress.open(tmp_path) as progress:
        progress.record(e.id, Answer(START - 9 * DAY, True))
        progress.record(b.id, Answer(START - 2 * DAY, True))
        progress.record(c.id, Answer(START, True))
        found = candidates([d, e], [a, b, c, d, f], progress, schedule)
    assert [candidate.exercise for candidate in found if candidate.is_own] == [d, e]
    assert len(found) == 6
    assert choose_exercises(found, START) == (e, b, d, a, f)
    assert choose_exercises(found, START, everything=True) == (e, b, d, a, f, c)
    assert next_due(found) == START - 8 * DAY
    assert next_due([]) is None


def test_ones_own_blunders_come_before_lesser_mistakes(tmp_path: Path) -> None:
    grades = (Grade.INACCURACY, Grade.BLUNDER, Grade.MISTAKE, Grade.BLUNDER)
    own = [dataclasses.replace(found, grade=grade) for found, grade in zip(exercises(), grades, strict=False)]
    with PractiseProgress.open(tmp_path) as progress:
        found = candidates(own, exercises()[4:], progress, Boxes())
    assert choose_exercises(found, START) == (own[1], own[3], own[2], own[0], *exercises()[4:])


def place(session: PracticeSession) -> tuple[object, int, int, bool]:
    return session.exercise, session.number, session.of, session.is_again


def test_what_was_missed_comes_again_once_and_every_answer_is_kept(tmp_path: Path) -> None:
    a, b, c = exercises()[:3]
    clock = Clock()
    with PractiseProgress.open(tmp_path) as progress:
        practice_session = PracticeSession([a, b, c], progress, Boxes(), clock)
        assert place(practice_session) == (a, 1, 3, False)
        assert practice_session.answer(a.best).result is AnswerResult.BEST
        outcome = practice_session.answer(b.moves[-1].move)
        assert (outcome.result, outcome.is_right, outcome.due) == (AnswerResult.WRONG, False, START + RETRY_AFTER)
        assert practice_session.answer(None).result is AnswerResult.SHOWN
        assert place(practice_session) == (b, 1, 2, True)
        clock.now += RETRY_AFTER
        assert practice_session.answer(b.best).due == START + RETRY_AFTER + DAY
        assert practice_session.exercise == c
        practice_session.answer(c.moves[-1].move)
        assert [outcome.exercise for outcome in practice_session.outcomes] == [a, b, c]
    with PractiseProgress.open(tmp_path) as progress:
        assert [answer.right for answer in progress.history(b.id)] == [False, True]
        assert [answer.right for answer in progress.history(c.id)] == [False, False]
    said = summary_lines(practice_session, clock.now, translator())
    assert said[0] == "1 of 3 questions right first time."
    assert said[2] == "1 of 2 repeated questions right."
    assert said[3] == "The first of them is due again in 10 minutes."


def test_a_folder_that_cannot_be_written_is_told_once_and_the_sitting_goes_on(tmp_path: Path) -> None:
    (tmp_path / "progress.json").mkdir()
    a, b = exercises()[:2]
    with pytest.raises(Exception, match="cannot be read"):
        PractiseProgress.open(tmp_path)
    (tmp_path / "progress.json").rmdir()
    with PractiseProgress.open(tmp_path) as progress:
        (tmp_path / "progress.json").mkdir()
        practice_session = PracticeSession([a, b], progress, Boxes(), Clock())
        assert practice_session.answer(a.best).is_right
        assert "progress.json" in practice_session.trouble
        practice_session.trouble = ""
        assert practice_session.answer(b.best).is_right
        assert practice_session.exercise is None


def test_times_in_words() -> None:
    _, fr = translator(), translator("fr")
    assert when_text(START, START, _) == "now"
    assert when_text(START + RETRY_AFTER, START, _) == "in 10 minutes"
    assert when_text(START + 3 * RETRY_AFTER * 6, START, _) == "in 3 hours"
    assert when_text(START + DAY, START, _) == "in 1 day"
    assert when_text(START + 46 * DAY, START, fr) == "dans 46 jours"
    assert "nothing to practise" in nothing_due(0, None, START, _)
    assert "in 2 days" in nothing_due(5, START + 2 * DAY, START, _)
