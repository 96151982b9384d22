"""Compiles what devices run for a processor of today, without one: run as a program of its own.

Numba's target for CUDA asks the device what to compile for, so this program answers in its place. Where the extra
brings NVIDIA's assembler too, machine code is made of the result.
"""

import subprocess
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import cuda
from numba.cuda import dispatcher
from numba.cuda.np.numpy_support import from_dtype

from millebornes.policies.choosing import SEATED
from millebornes.policies.features import LOOKUPS
from millebornes.policies.random_play import RANKS
from millebornes.rules.state import STATE, STATE_LARGE, TABLES
from millebornes.simulation.gpu_kernels import BATCH, kernels_for

HOPPER = (9, 0)


def array(dtype: np.dtype[Any], dimensions: int = 1) -> Any:
    return numba.types.Array(from_dtype(dtype), dimensions, "C")


NUMBERS = np.dtype(np.int64)
BEFORE, AFTER = (array(BATCH), array(TABLES)), (array(NUMBERS, 2), array(NUMBERS))
RANKED = (*BEFORE, array(RANKS), *AFTER)
ANY = (*BEFORE, array(LOOKUPS), array(SEATED), array(NUMBERS, 2), *AFTER)


def compile_for_hopper(kernel: Any, arguments: tuple[Any, ...]) -> str:
    """The assembler text of a kernel."""
    text, _ = cuda.compile(kernel.py_func, numba.void(*arguments), device=False, abi="numba", cc=HOPPER)
    return str(text)


def assemble(text: str, assembler: Path) -> str:
    """Make machine code of it; what the assembler tells."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "kernel.ptx")
        source.write_text(text, encoding="utf-8")
        command = [str(assembler), "-arch=sm_90", "-v", "-o", str(source.with_suffix(".cubin")), str(source)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        assert source.with_suffix(".cubin").stat().st_size
    return str(ran.stderr)


def main() -> None:
    setattr(dispatcher, "get_current_device", lambda: types.SimpleNamespace(compute_capability=HOPPER))  # noqa: B010
    found = [path for folder in sys.path for path in Path(folder).glob("nvidia/*/bin/ptxas")]
    plain, streams = kernels_for(STATE, False), kernels_for(STATE, True)
    large = kernels_for(STATE_LARGE, False)
    for name, kernel, arguments in (
        ("random players", plain.play_ranked, RANKED),
        ("random players, streams", streams.play_ranked, RANKED),
        ("random players, a large deck", large.play_ranked, RANKED),
        ("all players", streams.play_any, ANY),
    ):
        text = compile_for_hopper(kernel, arguments)
        assert ".target sm_90" in text
        assert "mul.hi.u64" in text  # of the generator
        assert "popc.b64" in text
        used = [line for line in assemble(text, found[0]).splitlines() if "registers" in line] if found else []
        print(name, len(text), *used, flush=True)
    print("all compiled")


if __name__ == "__main__":
    main()
