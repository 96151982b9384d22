"""Where private parts of Numba are missing or different, its own decorator and cache do the same."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np
import pytest

from millebornes.editions import make_rules
from millebornes.kernels.decorator import Declared
from millebornes.kernels.numba_cache import CachedKernel
from millebornes.kernels.store import KernelStore
from millebornes.rules.playout import GENERATOR, TOTALS, play_random_hands
from millebornes.rules.state import STATE
from millebornes.rules.tables import tables_for

SOURCES = Path(__file__).parents[2] / "src" / "millebornes"

CHANGES = {
    "missing": "del codegen.JITCodeLibrary",
    "another signature": "done = compiler.compile_extra; compiler.compile_extra = lambda *a, **b: done(*a, **b)",
}
"""What another version of Numba could have changed, and still work."""

PROGRAM = """
import sys
from numba.core import codegen, compiler
{change}
from tests.kernels.test_numba_cache import play, made_by
from millebornes.kernels.notice import on_compiling
with on_compiling(lambda: print("compiling")):
    print(play())
print(made_by())
"""


def play() -> str:
    """The totals of some random hands, as text."""
    states, generators, totals = np.zeros(4, STATE), np.zeros(4, GENERATOR), np.zeros(1, TOTALS)
    generators["word"] = range(1, 5)
    play_random_hands(np.uint64(100), states, generators, tables_for(make_rules()), totals[0])
    return totals.tobytes().hex()


def made_by() -> str:
    """Which compiler made the kernel that plays."""
    kernel: Any = play_random_hands
    assert isinstance(kernel, Declared)
    return type(kernel.made).__name__


def play_with(change: str, cache: Path) -> list[str]:
    """What a process prints that plays with such a Numba."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM.format(change=change)],
        env={**os.environ, "MILLEBORNES_CACHE": str(cache)},
        cwd=SOURCES.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.once  # compiles the rules anew
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_without_private_parts_the_same_is_played_and_kept(change: str, tmp_path: Path) -> None:
    assert made_by() == "Kernel"
    assert play_with(change, tmp_path) == ["compiling", play(), "CachedKernel"]
    assert play_with(change, tmp_path) == [play(), "CachedKernel"]
    assert [path.name.partition("-")[0] for path in tmp_path.iterdir()] == ["kernels"]


def one_more(x: int) -> int:
    return x + 1


@pytest.mark.parametrize("place", ["", "kernels", "file/kernels"])
def test_a_kernel_is_kept_where_it_can_be(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    made = CachedKernel(cast(FunctionType, one_more), {"nogil": True}, KernelStore(tmp_path / place if place else None))
    assert made(3) == 4
    assert [path.suffix for path in sorted(tmp_path.rglob("*.nb?"))] == [".nbc", ".nbi"] * (place == "kernels")


def test_private_parts_of_numba_are_used_in_one_module() -> None:
    """That other packages do not use Numba at all is a contract of `lint-imports`."""
    documented = {"numba", "numba.extending", "numba.core.event", "numba.core.cgutils"}
    found = set()
    for path in sorted((SOURCES / "kernels").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
                names = {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
                if not names & documented:
                    found.add(path.name)
    assert found == {"compiler.py"}
