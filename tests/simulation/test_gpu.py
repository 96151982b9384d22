import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from millebornes import KernelPlayer, make_rules, play_batch_gpu
from millebornes.cli import cli
from millebornes.errors import DeviceError, PlayerError

ROOT = Path(__file__).parents[2]
HERE = "tests.simulation"


def run(module: str, *words: str, simulated: bool) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, where Numba simulates a device or does not."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": str(int(simulated)), "PYTHONWARNINGS": "ignore:overflow"}
    command = [sys.executable, "-m", f"{HERE}.{module}", *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1800, check=False)


def has_device() -> bool:
    return shutil.which("nvidia-smi") is not None


@pytest.mark.slow
def test_a_simulated_device_plays_the_same_hands() -> None:
    """Some 6 s of CPU: every edition and table, streams, line-ups, a match, and the benchmark."""
    ran = run("device_batches", "1", simulated=True)
    assert ran.returncode == 0, ran.stderr
    assert "hands are the same on Numba's simulator" in ran.stdout


@pytest.mark.once
@pytest.mark.skipif(not has_device(), reason="no CUDA device is here")
def test_a_device_plays_the_same_hands() -> None:
    ran = run("device_batches", "2000", simulated=False)
    assert ran.returncode == 0, ran.stderr
    assert "hands are the same on" in ran.stdout


@pytest.mark.once
def test_the_code_for_devices_plays_the_same_hands_on_a_processor() -> None:
    """Some 40 s of CPU, where the extra `gpu` is installed."""
    pytest.importorskip("numba_cuda", exc_type=ImportError)
    ran = run("device_emulation", "300", simulated=False)
    assert ran.returncode == 0, ran.stderr
    assert "hands are the same on this processor, by Numba's code for devices" in ran.stdout


@pytest.mark.once
def test_everything_compiles_for_a_device_without_one() -> None:
    """Some 30 s of CPU, where the extra `gpu` is installed."""
    pytest.importorskip("numba_cuda", exc_type=ImportError)
    ran = run("device_code", simulated=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == "all compiled"


@pytest.mark.skipif(has_device(), reason="a CUDA device is here")
def test_without_a_device_a_sentence_tells_what_is_missing() -> None:
    rules = make_rules()
    with pytest.raises(DeviceError, match=r"pip install 'millebornes\[gpu\]'|there is no CUDA device to play on: ."):
        play_batch_gpu(rules, [KernelPlayer.named("random", rules)])


def test_what_no_device_can_play_is_refused_before_one_is_asked_for() -> None:
    rules = make_rules()
    with pytest.raises(PlayerError, match="nets do not play on a device"):
        play_batch_gpu(rules, [KernelPlayer.named("instant", rules)])
    with pytest.raises(PlayerError, match="line-up"):
        play_batch_gpu(rules, [KernelPlayer.named("random", rules)], [[0]])


@pytest.mark.skipif(has_device(), reason="a CUDA device is here")
def test_the_benchmark_says_what_is_missing_and_shows_no_figures() -> None:
    result = CliRunner().invoke(cli, ["bench", "gpu", "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "name": "gpu",
        "figures": {"decisions_per_s": None},
        "baselines": {"play_batch": None},
    }
    assert "CUDA device" in result.stderr
    assert "decisions per s" in (shown := CliRunner().invoke(cli, ["bench", "gpu"]).stdout)
    assert "none here" in shown
