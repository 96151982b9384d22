"""Run the C program with which the kernels are compared. It is compiled in a temporary folder when it is needed."""

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from millebornes.errors import MilleBornesError

SOURCE = "limit.c"


class LimitRun(NamedTuple):
    """A run of the C program: hands, decisions, hands per CPU-second, mean scores, and their standard errors."""

    hands: int
    decisions_per_cpu_s: float
    hands_per_cpu_s: float
    decisions_per_hand: float
    scores: tuple[float, float]
    stderrs: tuple[float, float]


@contextlib.contextmanager
def compiled_limit() -> Iterator[Path]:
    """Provide the path of the compiled program within this block.

    Raises `MilleBornesError` if gcc or BMI2 is missing.
    """
    gcc = shutil.which("gcc")
    if gcc is None:
        raise MilleBornesError("limit.c cannot be compiled: there is no gcc")
    with tempfile.TemporaryDirectory(prefix="millebornes-bench-") as folder:
        source, program = Path(folder, SOURCE), Path(folder, "limit")
        source.write_bytes(resources.files(__package__).joinpath(SOURCE).read_bytes())
        command = [gcc, "-O3", "-march=native", "-std=gnu99", "-o", str(program), str(source), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            what = next((line for line in done.stderr.splitlines() if "error" in line), "gcc failed")
            raise MilleBornesError(
                f"limit.c cannot be compiled here (it needs an x86 processor with BMI2): {what.strip()}"
            )
        yield program


def run_limit(program: Path, hands: int, seed: int) -> LimitRun:
    """Run the C program and return its figures. Raises `MilleBornesError` if it can't run on this processor."""
    done = subprocess.run([program, str(hands), str(seed)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise MilleBornesError(f"limit.c does not run here (it ended with status {done.returncode})")
    values: dict[str, list[float]] = {}
    for line in done.stdout.splitlines():
        name, *rest = line.split()
        values[name] = [float(word) for word in rest if word.replace(".", "").isdigit()]
    return LimitRun(
        int(values["hands"][0]),
        values["decisions/s"][0],
        values["hands/s"][0],
        values["mean_decisions_per_hand"][0],
        (values["mean_score_0"][0], values["mean_score_1"][0]),
        (values["mean_score_0"][1], values["mean_score_1"][1]),
    )
