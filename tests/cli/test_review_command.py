"""``millebornes review`` of several matches: a folder is summed up, and each match gets a page of its own."""

import json
from pathlib import Path

import pytest

from millebornes.cli import main
from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.notation import transcript_lines
from millebornes.players import Table, player

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile


@pytest.fixture(autouse=True)
def _little(monkeypatch: pytest.MonkeyPatch) -> None:
    from millebornes.analysis.reviews import Effort

    monkeypatch.setattr("millebornes.analysis.reviews.QUICK", Effort(32, 4))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two matches of one hand, one without a finished hand, and something else."""
    found = tmp_path / "games"
    found.mkdir()
    for name in ("one", "two"):
        match = Match.start(make_rules(), name, players=("Ann", "Bo"))
        played = Table(match, [player("maxims"), player("basic")], name).play_hand()
        (found / f"{name}.jsonl").write_text("\n".join(transcript_lines(played)) + "\n")
    begun = Match.start(make_rules(), "three", players=("Ann", "Bo"))
    (found / "three.jsonl").write_text("\n".join(transcript_lines(begun)) + "\n")
    (found / "notes.txt").write_text("nothing")
    return found


@pytest.mark.once
def test_a_folder_is_summed_up(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = tmp_path / "pages"
    assert main(["review", str(folder), "--quick", "--json", "--html", str(pages), "--jobs", "1"]) == 0
    told = capsys.readouterr()
    assert "three.jsonl: there is no finished hand" in told.err
    found = json.loads(told.out)
    assert (found["matches"], found["objective"]) == (2, "match")
    assert [entry["name"] for entry in found["players"]] == ["Ann", "Bo"]
    ann, bo = found["players"]
    assert (ann["matches"], ann["rating"], ann["rating_ci95"]) == (2, None, None)
    assert ann["luck"] == pytest.approx(-bo["luck"], abs=1e-6)
    assert ann["decisions"] > 10
    assert set(ann["by_kind"]) <= {
        *("coup", "extension", "endgame", "hazard", "safety", "discard", "remedy", "distance")
    }
    assert sorted(path.name for path in pages.iterdir()) == ["one.html", "two.html"]
    assert main(["review", str(folder), "--quick", "--jobs", "1"]) == 0
    assert "luck per match" in capsys.readouterr().out


def test_several_pages_go_into_a_folder(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(folder / "one.jsonl"), str(folder / "two.jsonl")]
    (tmp_path / "page.html").write_text("mine")
    assert main(["review", *files, "--quick", "--html", str(tmp_path / "page.html")]) == 2
    assert "is a file; for several matches, name a folder" in capsys.readouterr().err
    assert (tmp_path / "page.html").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    assert main(["review", str(tmp_path / "empty")]) == 1
    assert "no transcript (*.jsonl) with a finished hand" in capsys.readouterr().err
