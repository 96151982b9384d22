"""The command `practise`: what it takes, what it prints as data, and whose mistakes it asks."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from millebornes.analysis.exercises.exercise_sets import write_exercise_set
from millebornes.cli import cli, main
from millebornes.errors import MilleBornesError
from millebornes.game import Match
from tests.analysis.asked import exercises
from tests.analysis.test_collection import Judge, played_hand, written


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")
    return tmp_path


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, ["practise", *words], input=typed)


def report(*words: str) -> dict[str, Any]:
    result = run("--json", *words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def a_set(folder: Path, count: int = 3) -> str:
    write_exercise_set(folder / "set.jsonl", exercises()[:count])
    return str(folder / "set.jsonl")


def test_a_set_is_asked_and_what_is_not_due_is_not(home: Path) -> None:
    path = a_set(home)
    result = run(path, "--count", "2", typed="".join(f"{found.best}\n" for found in exercises()[:2]))
    assert "2 of 2 questions right first time." in result.stdout
    told = report(path)
    assert told["schedule"] == "fsrs"
    assert [row["answers"] for row in told["exercises"]] == [1, 1, 0]
    assert told["next"] == min(row["due"] for row in told["exercises"] if row["due"])
    assert "Question 1 of 1." in run(path).stdout
    run(path, typed=f"{exercises()[2].best}\n")
    assert "Nothing is due yet" in run(path).stdout
    assert "Question 1 of 3." in run(path, "--all").stdout


def test_mistakes_of_people_are_found_once_and_collected(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Judge()
    monkeypatch.setattr("millebornes.analysis.reviews.review", lambda match, progress: judge(match))
    path = str(written(played_hand(("Ann", "basic")), home / "game.jsonl"))
    own = report(path)["exercises"]
    assert own
    assert all(row["own"] and row["from"]["file"] == "game.jsonl" for row in own)
    assert len(report(path, "--seat", "basic", "--seat", "1")["exercises"]) > len(own)
    assert judge.asked == 1
    everything = report()["exercises"]
    assert {row["id"] for row in own} < {row["id"] for row in everything if row["own"]}
    assert any(not row["own"] for row in everything)


def test_what_is_wrong_is_said(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    game = str(written(played_hand(("Ann", "Bo")), home / "game.jsonl"))
    (home / "empty.jsonl").touch()
    (home / "bad.jsonl").write_text('{"format":"millebornes-exercise/1"}\n')

    def fails(match: Match, progress: object) -> None:
        raise MilleBornesError("there is no finished hand to review; play one to the end first")

    monkeypatch.setattr("millebornes.analysis.reviews.review", fails)
    for words, status, says in [
        ([str(home / "absent.jsonl")], 2, "does not exist"),
        (["--seat", "Ann"], 2, "name a FILE"),
        (["--count", "0", game], 2, "--count"),
        ([str(home / "empty.jsonl")], 1, "the file is empty"),
        ([str(home / "bad.jsonl")], 1, "bad.jsonl: line 1: id is missing"),
        ([game, "--seat", "Cleo"], 1, "there is no seat 'Cleo'"),
        ([game], 1, "game.jsonl: there is no finished hand"),
    ]:
        assert main(["practise", *words]) == status
        error = capsys.readouterr().err.strip().splitlines()
        assert says in error[-1]
        assert "Traceback" not in "".join(error)
