"""Kernels are compiled with documented features of Numba alone, and kept in its cache."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import cast

import pytest

from millebornes.kernels.compiler import Kernel
from millebornes.kernels.store import KernelStore

SOURCES = Path(__file__).parents[2] / "src" / "millebornes"


def one_more(x: int) -> int:
    return x + 1


@pytest.mark.parametrize("place", ["", "kernels", "file/kernels"])
def test_a_kernel_is_kept_where_it_can_be(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    made = Kernel(cast(FunctionType, one_more), {"nogil": True}, KernelStore(tmp_path / place if place else None))
    assert made(3) == 4
    assert [path.suffix for path in sorted(tmp_path.rglob("*.nb?"))] == [".nbc", ".nbi"] * (place == "kernels")


PROGRAM = """
import sys
from pathlib import Path
from millebornes.kernels.compiler import Kernel
from millebornes.kernels.notice import on_compiling
from millebornes.kernels.store import KernelStore
from tests.kernels.test_compiler import one_more
with on_compiling(lambda: print("compiling")):
    print(Kernel(one_more, {}, KernelStore(Path(sys.argv[1])))(3))
"""

DAMAGES: list[tuple[str, Callable[[bytes], bytes]]] = [
    (".nbi", lambda data: b""),
    (".nbi", lambda data: data[: len(data) // 2]),
    (".nbc", lambda data: data[: len(data) // 2]),
    (".nbc", lambda data: bytes(len(data))),
]


@pytest.mark.slow  # Numba takes long to import
def test_damaged_files_of_the_cache_are_compiled_again(tmp_path: Path) -> None:
    def play() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", PROGRAM, str(tmp_path)],
            env=os.environ,
            cwd=SOURCES.parents[1],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return done.stdout.split()

    assert play() == ["compiling", "4"]
    assert play() == ["4"]
    for suffix, damage in DAMAGES:
        (file,) = tmp_path.rglob(f"*{suffix}")
        file.write_bytes(damage(file.read_bytes()))
        assert play() == ["compiling", "4"], suffix
    assert play() == ["4"]


def test_no_private_parts_of_numba_are_used() -> None:
    """That other packages do not use Numba at all is a contract of `lint-imports`."""
    documented = {"numba", "numba.extending", "numba.core.event", "numba.core.cgutils"}
    found = set()
    for path in sorted((SOURCES / "kernels").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
                names = {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
                if not names & documented:
                    found.add(path.name)
    assert found == set()
