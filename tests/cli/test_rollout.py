"""`millebornes rollout`: a position played out."""

import io
import json
import sys
from pathlib import Path

import pytest

from millebornes import Match, make_rules
from millebornes.analysis.analyst import StopRules
from millebornes.analysis.rollouts import rollout
from millebornes.cli import main

pytestmark = pytest.mark.slow  # real browsers, servers and compiling take long

MATCH = Match.start(make_rules(), "rollout", match_target=5000)
VIEW = str(MATCH.view(MATCH.hand.seat or 0))
HAND = str(MATCH.hand)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results in a folder of their own; the kernels' was chosen before."""
    monkeypatch.setenv("MILLEBORNES_CACHE", str(tmp_path / "cache"))


def test_it_prints_what_the_library_finds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rollout", HAND, "--worlds", "64", "--seed", "s", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = rollout(MATCH.hand, StopRules(worlds=64), seed="s").to_dict()
    assert {**told, "seconds": 0} == {**found, "seconds": 0}


def test_a_table_is_printed_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rollout", VIEW, "--worlds", "64"]) == 0
    head, *rows, _, ended, _ = capsys.readouterr().out.splitlines()
    assert head.split("  ")[0] == "move"
    assert "wins the match" in head
    assert len(rows) == len(MATCH.hand.legal_moves)
    assert ended.startswith("64 simulations, ")
    assert main(["rollout", VIEW, "--worlds", "64", "--points"]) == 0
    assert "wins the match" not in capsys.readouterr().out


def test_files_and_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--worlds", "64", "--json", "--hidden"]
    (tmp_path / "position").write_text(f"{HAND}\n")
    assert main(["rollout", str(tmp_path / "position"), *options]) == 0
    told = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HAND.encode())))
    assert main(["rollout", "-", *options]) == 0
    assert capsys.readouterr().out == told  # the cache has it, seconds and all
    assert json.loads(told)["position"] == str(MATCH.hand.view(MATCH.hand.seat or 0))


def test_the_cache_can_be_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rollout", HAND, "--worlds", "64", "--no-cache"]) == 0
    assert not (tmp_path / "cache" / "rollouts").exists()
    assert main(["rollout", HAND, "--worlds", "64"]) == 0
    assert len(list((tmp_path / "cache" / "rollouts").iterdir())) == 1


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["nonsense"], 2, "'nonsense' is neither a file nor a position"),
        (["a b c"], 1, "POSITION: a position is one line"),
        ([HAND.replace("play:", "over:")], 1, "POSITION: "),
        ([HAND, "--worlds", "0"], 2, "--worlds"),
        ([HAND, "--error", "0"], 2, "--error"),
        ([HAND, "--player", "champion"], 1, "--player: 'champion' cannot play inside kernels"),
        ([HAND, "--player", "nobody"], 1, "--player: 'nobody' cannot play inside kernels"),
    ],
)
def test_what_is_wrong_is_told(words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rollout", *words]) == status
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""
