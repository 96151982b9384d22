"""Practice line by line: questions as in the game, answers with their reasons, and what is kept."""

from __future__ import annotations

import datetime
import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pexpect
import pytest

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.analysis.exercises.exercise_sets import write_exercise_set
from millebornes.analysis.exercises.practice_session import PracticeSession
from millebornes.analysis.exercises.schedule import Boxes
from millebornes.storage import load_preferences
from millebornes.storage.practise import PractiseProgress
from millebornes.storage.preferences import LINES
from millebornes.tui.plain import PlayOptions
from millebornes.tui.plain.practise import practise_plain
from tests.analysis.asked import asked_for_coup, exercises, without_origin
from tests.plain.inside import Home

START = datetime.datetime(2026, 5, 4, 12, tzinfo=datetime.UTC)


def ask(home: Home, asked: Iterable[Exercise], *lines: str, language: str = "en") -> str:
    """What the program says to these lines; the input ends after them."""
    out = io.StringIO()
    with home.monkeypatch.context() as patch, PractiseProgress.open() as progress:
        patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        patch.setattr(sys, "stdout", out)
        practice_session = PracticeSession(list(asked), progress, Boxes(), lambda: START)
        assert practise_plain(practice_session, PlayOptions(language=language)) == 0
    return out.getvalue()


def kept(exercise: Exercise) -> list[bool]:
    with PractiseProgress.open() as progress:
        return [answer.right for answer in progress.history(exercise.id)]


def test_right_wrong_and_shown(home: Home) -> None:
    a, b, c = exercises()[:3]
    said = ask(home, [a, b, c], str(a.best), str(b.moves[-1].move), "h")
    assert "Question 1 of 3." in said
    assert "From game.jsonl, hand 1, move 1." in said
    assert "Right! " in said
    first, second, third = said.split("Question ")[1:]
    lost = f"{b.moves[-1].loss:.1f} points ± 4.0. Better: "
    assert lost in second
    assert "mistake, losing" in second
    assert "complete the trip in 41% of simulations rather than 33%" in second
    assert "You'll see it again in 1 day." in first
    assert "You'll see it again in 10 minutes." in second
    assert "The best move: " in third
    assert "Repeated question 1 of 2." in third
    assert "1 of 3 questions right first time." in said
    assert (kept(a), kept(b), kept(c)) == ([True], [False], [False])


def test_what_is_as_good_is_right(home: Home) -> None:
    a = without_origin(exercises()[0])
    good = a.moves[1]._replace(loss=5.0)
    import dataclasses

    a = dataclasses.replace(a, moves=(a.moves[0], good, *a.moves[2:]))
    said = ask(home, [a], str(good.move))
    assert "is as good as the best" in said
    assert "1 of 1 question right first time." in said
    assert "From " not in said
    assert "Played at the time" not in said
    assert kept(a) == [True]


def test_nothing_gives_the_answer_away(home: Home) -> None:
    a = exercises()[0]
    said = ask(home, [a], "l", "hand", "log", "t", "r")
    assert "Best" not in said
    assert "lost" not in said
    assert kept(a) == []


def test_moves_and_commands_are_those_of_the_game(home: Home) -> None:
    a = exercises()[0]
    said = ask(home, [a], "u 1", "s", "b", "l", "?", "stats", "z", "d x", "q")
    assert "You can't do that" in said
    assert "Your answers are saved automatically" in said
    assert "announce only what has changed" in said
    assert "Here H shows the answer" in said
    assert "No questions answered." in said
    assert load_preferences(LINES).brief
    assert kept(a) == []


def test_a_coup_fourre_is_asked_for_as_in_the_game(home: Home) -> None:
    coup = asked_for_coup()
    said = ask(home, [coup], "d 1", "y")
    assert "(y/n)" in said
    assert "Decide about the coup fourré first: y calls it" in said
    assert "call a coup fourré with" in said
    assert len(kept(coup)) == 1


def test_in_french(home: Home) -> None:
    a, b = exercises()[:2]
    said = ask(home, [a, b], "h", str(b.best), language="fr")
    assert "Question 1 sur 2." in said
    assert "Le meilleur coup" in said
    for english in ("Question 1 of", "The best", "loses", "again", "From "):
        assert english not in said


def test_several_seats(home: Home) -> None:
    said = ask(home, exercises(2, 4), "h", "h")
    assert "Side 1, You and Player 3" in said or "Side 2, You and Player" in said


@pytest.mark.slow
def test_control_c_ends_with_the_summary_and_keeps_the_progress(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    asked = exercises()[:3]
    write_exercise_set(path, asked)
    env = {**os.environ, "MILLEBORNES_HOME": str(tmp_path), "TERM": "dumb", "LC_ALL": "C.UTF-8"}
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable, ["-m", "millebornes", "practise", "--plain", str(path)], env=env, encoding="utf-8", timeout=300
    )
    child.expect("Your move: ")
    child.sendline("h")
    child.expect("Enter: the next question")
    child.sendline("")
    child.expect(r"Question 2 of 3[\s\S]*Your move: ")
    child.sendintr()
    child.expect("0 of 1 question right first time")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    with PractiseProgress.open(tmp_path / "data" / "practise") as progress:
        assert len(progress.history(asked[0].id)) == 1
