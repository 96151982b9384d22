"""``millebornes train`` from the outside."""

import builtins
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from millebornes.cli import cli
from millebornes.cli import main as run_main
from millebornes.policies.net_files import load_net

pytestmark = pytest.mark.slow  # the kernels take long to compile

TINY = ["--quick", "--generations", "1", "--hands", "12", "--decks", "4"]


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["train", *words], catch_exceptions=False)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--start", "no.npz"], "no.npz: cannot be read (No such file or directory)"),
        (["--start", "no.npz", "--from-nothing"], "--start names a net to start from; leave out --from-nothing"),
        (["--playouts", "nobody"], "'nobody' cannot play inside kernels"),
        (["--edition", "clasic"], "there is no edition 'clasic'"),
        (["--seats", "9"], "seats: 9 is not allowed"),
        (["--every-table", "--seats", "3"], "--every-table sets the numbers of seats and sides"),
        (["--generations", "2", "--refine", "3"], "--refine 3: there are only 2 generations"),
        (["--league", "--refine", "1"], "--refine 1 is for moves that another player plays out, not company"),
        (["--strangers", "3"], "--strangers 3 needs a league; add --league"),
        (["--itself", "30"], "--itself 30 needs a league; add --league"),
        (["--league", "--exploit", "basic"], "--exploit plays against one player, --league against many"),
        (["--exploit", "basic", "--rival", "maxims"], "with --exploit the only rival is that player"),
        (["--exploit", "champion"], "'champion' cannot play inside kernels"),
        (["--exploit", "instant:no.npz"], "no.npz: cannot be read (No such file or directory)"),
        (["--rival", "nobody"], "'nobody' cannot play inside kernels"),
        (["--playouts", "company"], "--playouts company needs --league or --exploit PLAYER"),
        (["--ahead", "3"], "--ahead 3 is for --playouts itself or company"),
        (["--league", "--ahead", "3", "--playouts", "basic"], "--ahead 3 is for --playouts itself or company"),
        (["--bootstrap", "0.5"], "--bootstrap 0.5 is for play-outs with --ahead"),
        (["--league", "--bootstrap", "nan"], "'nan' is not a number"),
        (["--bootstrap", "2"], "2.0 is not in the range 0<=x<=1"),
        (["--league", "--match-target", "0"], "'0' is neither a whole number from 1 to 1000000 nor none"),
    ],
)
def test_wrong_words(words: list[str], told: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_without_torch_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    real = builtins.__import__

    def missing(name: str, *words: Any, **named: Any) -> Any:
        if name == "torch":
            raise ImportError(name)
        return real(name, *words, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    assert run_main(["train", *TINY]) == 1
    told = "millebornes: training needs torch: pip install 'millebornes-research[train]'\n"
    assert capsys.readouterr().err == told


def test_curves_need_a_known_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main(["train", *TINY, "--curves", str(tmp_path / "c.txt")]) == 1
    assert "curves can be written only to files that end in .csv, .json, .svg" in capsys.readouterr().err


def test_a_tiny_run(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    net, curves, state = tmp_path / "net.npz", tmp_path / "c.csv", tmp_path / "state"
    files = ["--out", str(net), "--curves", str(curves), "--resume", str(state)]
    result = run(*TINY, "--seed", "1", "--json", *files)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["seed"] == "1"
    assert [entry["generation"] for entry in report["generations"]] == [1]
    assert len(curves.read_text().splitlines()) == 2
    load_net(net)
    curves.unlink()
    again = run(*TINY, "--seed", "1", *files)
    assert "generation 1: " in again.stdout
    assert len(curves.read_text().splitlines()) == 2  # there was nothing left to do, and they are written nevertheless
    assert "against basic: -" in again.stdout
    assert again.stdout.splitlines()[-1].startswith("seed 1, ")


def test_a_net_goes_on_learning_at_another_table(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    first, second = tmp_path / "one.npz", tmp_path / "two.npz"
    assert run(*TINY, "--seed", "1", "--out", str(first)).exit_code == 0
    words = ["--start", str(first), "--edition", "bsd", "--edition", "mille2", "--every-table", "--out", str(second)]
    result = run(*TINY, "--seed", "1", "--playouts", "itself", *words)
    assert result.exit_code == 0, result.output
    assert "bsd 2x2 against maxims" in result.stdout
    assert "mille2 2x2 against maxims" in result.stdout
    assert load_net(second).to_bytes() != load_net(first).to_bytes()


def test_a_league_and_an_exploiter(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    net, curves = tmp_path / "net.npz", tmp_path / "c.csv"
    words = ["--generations", "2", "--hands", "12", "--decks", "4", "--seed", "1"]
    result = run(*words, "--league", "--rival", "basic", "--out", str(net), "--curves", str(curves))
    assert result.exit_code == 0, result.output
    assert "classic 2x2 against basic: " in result.stdout
    assert "classic 2x2 against generation 1: " in result.stdout
    assert "% of matches" in result.stdout
    assert len(curves.read_text().splitlines()) == 3
    result = run(*words, "--exploit", f"instant:{net}", "--json")
    assert result.exit_code == 0, result.output
    (first, _) = json.loads(result.stdout)["generations"]
    assert set(first["strength"][0]) == {"edition", "table", f"instant:{net}"}
