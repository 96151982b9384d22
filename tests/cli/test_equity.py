"""`millebornes equity`: chances of the match from totals."""

import json
from typing import Any

import pytest

from millebornes.cli import main


def found(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["equity", *words, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_the_chances_of_two_sides(capsys: pytest.CaptureFixture[str]) -> None:
    ahead = found(capsys, "3500", "2500")
    assert ahead["totals"] == [3500, 2500]
    assert (ahead["edition"], ahead["seats"], ahead["sides"], ahead["match_target"]) == ("classic", 2, 2, 5000)
    assert sum(ahead["win"]) == pytest.approx(1)
    assert 0.6 < ahead["win"][0] < 0.75
    assert 0 < ahead["stderr"][0] < 0.01
    behind = found(capsys, "2500", "3500")
    assert behind["win"] == pytest.approx(ahead["win"][::-1], abs=1e-6)


def test_a_match_that_is_over_is_certain(capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys, "5000", "4900")["win"] == [1, 0]
    assert found(capsys, "5000", "4900")["stderr"] == [0, 0]


def test_more_sides_and_teams(capsys: pytest.CaptureFixture[str]) -> None:
    three = found(capsys, "3500", "2500", "1000")
    assert three["sides"] == 3
    assert three["win"] == sorted(three["win"], reverse=True)
    assert sum(three["win"]) == pytest.approx(1, abs=1e-4)
    assert found(capsys, "0", "0", "--seats", "4")["sides"] == 2


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "3500", "2500"]) == 0
    shown = capsys.readouterr().out
    assert "chance of the match" in shown
    assert "4,500" in shown
    assert shown.startswith("classic, 2 seats, 2 sides: match to 5,000\n")
    assert main(["equity", "3500", "2500", "--set", "targets=left"]) == 0
    assert capsys.readouterr().out.startswith("classic, with targets = left, 2 seats, 2 sides: match to 5,000\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["100"], "2 to 8 numbers"),
        (["1", "2", "3", "--seats", "4"], "sides"),
        (["1", "2", "--match-target", "none"], "give a number"),
        (["1", "x"], "'x'"),
        (["-5", "100"], "-5"),
    ],
)
def test_wrong_words_are_usage_errors(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main(["equity", *words]) == 2
    assert said in capsys.readouterr().err
