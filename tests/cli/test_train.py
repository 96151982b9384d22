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
        (["--start", "no.npz", "--from-nothing"], "a net that --start names is not nothing; leave out --from-nothing"),
        (["--playouts", "nobody"], "'nobody' cannot play inside kernels"),
        (["--edition", "clasic"], "there is no edition 'clasic'"),
        (["--seats", "9"], "seats: 9 is not allowed"),
        (["--every-table", "--seats", "3"], "--every-table says how many seats and sides there are"),
        (["--generations", "2", "--refine", "3"], "--refine 3: there are only 2 generations"),
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
    told = "millebornes: to train, torch must be installed: pip install 'millebornes[train]'\n"
    assert capsys.readouterr().err == told


def test_curves_need_a_known_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main(["train", *TINY, "--curves", str(tmp_path / "c.txt")]) == 1
    assert "curves are written to files that end in .csv, .json, .svg" in capsys.readouterr().err


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
    again = run(*TINY, "--seed", "1", *files)
    assert "generation 1: " in again.stdout
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
