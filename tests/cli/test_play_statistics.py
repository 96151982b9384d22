"""`millebornes play --statistics`: what past games come to, without a game."""

import datetime
from pathlib import Path

import pytest

from millebornes.cli import main
from millebornes.storage import MatchResult, Preferences, keep_result, save_preferences, statistics_file

WON = MatchResult(
    id="1",
    date=datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC),
    edition="classic",
    seats=2,
    sides=2,
    players=("human", "basic"),
    names=("You", "basic"),
    match_target=1000,
    totals=(1200, 300),
    hands=((1200, 300),),
    winner=0,
)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def test_statistics_are_printed_and_no_game_begins(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--statistics"]) == 0
    assert capsys.readouterr() == ("No game has been finished yet.\n", "")
    keep_result(WON)
    assert main(["play", "--statistics"]) == 0
    assert capsys.readouterr().out == "Your games against computer players:\n  Matches: 1 won, 0 lost.\n"


def test_they_are_in_the_language_asked_for_or_kept(capsys: pytest.CaptureFixture[str]) -> None:
    keep_result(WON)
    assert main(["play", "--statistics", "--language", "fr"]) == 0
    french = capsys.readouterr().out
    assert "Parties : 1 gagnées, 0 perdues." in french
    save_preferences(Preferences(language="fr"))
    assert main(["play", "--statistics"]) == 0
    assert capsys.readouterr().out == french


@pytest.mark.parametrize(
    "words",
    [
        ["game.jsonl"],
        ["--player", "basic"],
        ["--edition", "bsd"],
        ["--name", "Ann"],
        ["--seed", "7"],
        ["--practice"],
        ["--tutorial"],
        ["--match-target", "1000"],
    ],
)
def test_they_go_with_nothing_that_begins_a_game(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--statistics", *words]) == 2
    assert "--statistics starts no game; leave out SAVE and all that says what to play" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    statistics_file().mkdir(parents=True)
    assert main(["play", "--statistics"]) == 1
    assert "the statistics cannot be read" in capsys.readouterr().err
