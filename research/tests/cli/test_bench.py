import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from millebornes.cli import cli
from millebornes.errors import MilleBornesError
from millebornes_research.bench import BENCHMARKS
from millebornes_research.bench.startup import seconds_to_prompt, seconds_to_run

pytestmark = pytest.mark.slow  # benchmarks take seconds each


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["bench", *words], catch_exceptions=False)


def figures_of(*words: str) -> tuple[dict[str, object], dict[str, object]]:
    result = run(*words, "--quick", "--json")
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    data = json.loads(line)
    assert set(data) == {"name", "figures", "baselines"}
    assert data["name"] == words[0]
    return data["figures"], data["baselines"]


def test_the_list_is_whole() -> None:
    lines = run("--list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(BENCHMARKS)
    data = [json.loads(line) for line in run("--list", "--json", "tables").stdout.splitlines()]
    assert data == [{"name": "tables", "summary": BENCHMARKS["tables"].summary}]


def test_an_unknown_benchmark_is_refused() -> None:
    result = run("kernel")
    assert result.exit_code == 2
    assert "there is no benchmark 'kernel'; the benchmarks are kernels, tables" in result.stderr


def test_kernels_agree_with_the_c_program_where_it_can_be_compiled() -> None:
    figures, baselines = figures_of("kernels")
    wanted = {"decisions_per_cpu_s", "hands_per_cpu_s", "mean_decisions_per_hand", "mean_scores", "mean_scores_stderr"}
    assert wanted <= set(figures)
    assert 104 < float(str(figures["mean_decisions_per_hand"])) < 105.5
    limit = baselines["limit_c"]
    if limit is None:
        return
    assert isinstance(limit, dict)
    assert wanted <= set(limit)
    apart = figures["mean_scores_apart_in_stderrs"]
    assert isinstance(apart, list)
    assert max(apart) < 4.5


def test_without_gcc_there_is_no_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    result = run("kernels", "--quick")
    assert result.exit_code == 0
    assert re.search(r"^  limit_c \(baseline\) +none here$", result.stdout, re.MULTILINE)
    assert "there is no gcc" in result.stderr


def test_a_compiler_that_fails_makes_the_baseline_null(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gcc = tmp_path / "gcc"
    gcc.write_text("#!/bin/sh\necho 'limit.c:9: error: no such instruction' >&2\nexit 1\n")
    gcc.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    result = run("kernels", "--quick", "--json")
    assert json.loads(result.stdout)["baselines"] == {"limit_c": None}
    assert "BMI2): limit.c:9: error: no such instruction" in result.stderr


def test_tables_are_ratios_to_two_seats() -> None:
    figures, _ = figures_of("tables")
    ratios = figures["ratio_to_2x2"]
    assert isinstance(ratios, dict)
    assert {"classic 4x2", "classic 6x2", "classic 6x3", "bsd 2x2", "house 2x2"} <= set(ratios)
    assert all(0.01 < ratio < 10 for ratio in ratios.values())


def test_a_prompt_is_a_line_that_does_not_end() -> None:
    asks = "import time; print('getting ready', flush=True); time.sleep(0.6); print('? ', end='', flush=True); input()"
    assert 0.6 < seconds_to_prompt([sys.executable, "-c", asks], dict(os.environ)) < 20
    with pytest.raises(MilleBornesError, match="ended before it asked anything"):
        seconds_to_prompt([sys.executable, "-c", "print('no question')"], dict(os.environ))


def test_a_command_that_fails_is_told_of() -> None:
    assert seconds_to_run([sys.executable, "-c", "pass"]) < 20
    with pytest.raises(MilleBornesError, match="status 3"):
        seconds_to_run([sys.executable, "-c", "raise SystemExit(3)"])


@pytest.mark.once
@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals on Windows")
def test_the_full_screen_is_measured() -> None:
    figures, baselines = figures_of("screen")
    assert set(figures) >= {"first_screen_s", "table_s", "key_p50_ms", "key_p95_ms", "move_p50_ms", "move_p95_ms"}
    assert all(float(str(value)) >= 0 for value in figures.values())
    assert set(baselines) == {"python", "empty_app"}
