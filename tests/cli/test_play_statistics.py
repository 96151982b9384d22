"""`millebornes play --statistics`: what past games come to, without a game."""

import datetime
import json
from pathlib import Path

import msgspec
import pytest

from millebornes.cli import main
from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.notation import transcript_lines
from millebornes.players import play_match, player
from millebornes.storage import MatchResult, Preferences, keep_match, keep_result, save_preferences, statistics_file
from millebornes.storage.past_matches import reviews_file

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
    assert capsys.readouterr() == ("You haven't finished a game yet.\n", "")
    keep_result(WON)
    assert main(["play", "--statistics"]) == 0
    assert capsys.readouterr().out == "Your games against computer players:\n  Matches: 1 won, 0 lost.\n"


def test_they_can_be_read_by_programs(capsys: pytest.CaptureFixture[str]) -> None:
    keep_result(WON)
    assert main(["play", "--statistics", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (own,) = found["people"]
    assert own["name"] is None
    assert own["matches"] == {"won": 1, "lost": 0, "drawn": 0}
    assert own["by_table"] == [{"seats": 2, "sides": 2, "matches": {"won": 1, "lost": 0, "drawn": 0}}]
    assert found["dropped"] == 0
    assert main(["play", "--json"]) == 2
    assert "--statistics" in capsys.readouterr().err


def test_they_are_in_the_language_asked_for_or_kept(capsys: pytest.CaptureFixture[str]) -> None:
    keep_result(WON)
    assert main(["play", "--statistics", "--language", "fr"]) == 0
    french = capsys.readouterr().out
    assert "Parties : gagnées 1, perdues 0." in french
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
    assert (
        "--statistics doesn't start a game; leave out SAVE and any options that say what to play"
        in capsys.readouterr().err
    )


def test_a_file_that_cannot_be_read_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    statistics_file().mkdir(parents=True)
    assert main(["play", "--statistics"]) == 1
    assert "the statistics cannot be read" in capsys.readouterr().err


def finish_a_match(number: int) -> None:
    """A match of one hand that is kept with its transcript."""
    rules = make_rules("classic").replace({"goal": 200, "extension_goal": None})
    start = Match.start(rules, number, players=("You", "basic"), match_target=1)
    match = play_match(start, [player("basic"), player("basic")])
    keep_result(msgspec.structs.replace(WON, id=f"{number:032x}"))
    keep_match(f"{number:032x}", transcript_lines(match))


@pytest.mark.slow
def test_past_matches_are_reviewed_once(capsys: pytest.CaptureFixture[str]) -> None:
    finish_a_match(1)
    assert main(["play", "--statistics"]) == 0
    assert "1 finished match hasn't been reviewed yet. To review it, type: " in capsys.readouterr().out
    assert main(["play", "--statistics", "--review"]) == 0
    told = capsys.readouterr().out
    assert "Your reviewed matches:\n  Error rate: " in told
    assert "not been reviewed" not in told
    before = reviews_file().read_bytes()
    assert main(["play", "--statistics", "--review"]) == 0
    assert capsys.readouterr().out == told
    assert reviews_file().read_bytes() == before


def test_what_cannot_be_reviewed_is_told_and_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    keep_result(msgspec.structs.replace(WON, id="0" * 32))
    keep_match("0" * 32, ["nonsense"])
    assert main(["play", "--statistics", "--review"]) == 0
    told = capsys.readouterr()
    assert "0.jsonl" in told.err
    assert "1 finished match hasn't been reviewed yet" in told.out


def test_review_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--review"]) == 2
    assert "--review needs --statistics" in capsys.readouterr().err
