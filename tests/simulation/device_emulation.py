"""Runs on this processor the code that Numba makes for a device: a program of its own, for where there is no device.

What Numba hands on to NVIDIA's compiler is LLVM's language, in the form that it had when pointers had types. Brought
into today's form, with the numbers of thread and block read from variables, LLVM compiles it for any processor. So all
that is not NVIDIA's is tried on as many hands as one likes.
"""

import ctypes
import functools
import math
import re
import sys
import types
from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.cuda import compiler, dispatcher
from numba.cuda.np.numpy_support import from_dtype

from millebornes.simulation import gpu, gpu_kernels
from tests.simulation import device_batches

HOPPER = (9, 0)
NAME = "this processor, by Numba's code for devices"
REGISTERS = {"tid": 0, "ntid": 1, "ctaid": 0, "nctaid": 1}
TYPED_POINTER = re.compile(r"(?:i\d+|float|double|ptr|\[[^][]*\]|\{[^{}]*\})( addrspace\(\d+\))?\*")


class OnDevice(np.ndarray[Any, np.dtype[Any]]):
    """An array as if it lay on a device."""

    def copy_to_host(self, target: Any) -> None:
        target[...] = self


class EmulatedCuda:
    """What `millebornes.simulation.gpu` uses of `numba.cuda`."""

    @staticmethod
    def to_device(array: Any) -> OnDevice:
        return np.array(array).view(OnDevice)

    @staticmethod
    def device_array(shape: Any, dtype: Any) -> OnDevice:
        return np.full(shape, -1, dtype).view(OnDevice)

    @staticmethod
    def get_current_device() -> Any:
        return types.SimpleNamespace(compute_capability=HOPPER, name=NAME)


def modern(text: str) -> str:
    """LLVM's language without types of pointers, metadata, and what is said about the target."""
    text = re.sub(r"^(target|!).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r", !\w+ !\d+", "", text)
    text = re.sub(r'"?llvm\.nvvm\.read\.ptx\.sreg\.(\w+)\.x"?', r"register_\1", text)
    while (changed := TYPED_POINTER.sub(r"ptr\1", text)) != text:
        text = changed
    return text


class EmulatedKernel:
    """A kernel, compiled when it is first launched; threads run one after the other."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._grid = (0, 0)
        self._engine: Any = None

    def __getitem__(self, grid: tuple[int, int]) -> "EmulatedKernel":
        self._grid = grid
        return self

    def __call__(self, *arrays: Any) -> None:
        if self._engine is None:
            self._compile(arrays)
        values = [value for array in arrays for value in flat(array)]
        run = ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * len(values))(self._engine.get_function_address(self._name))
        blocks, threads = self._grid
        self._set(nctaid=blocks, ntid=threads)
        for block in range(blocks):
            for thread in range(threads):
                self._set(ctaid=block, tid=thread)
                run(*values)

    def _set(self, **registers: int) -> None:
        for name, value in registers.items():
            ctypes.c_int32.from_address(self._engine.get_global_value_address(f"value_{name}")).value = value

    def _compile(self, arrays: Sequence[Any]) -> None:
        kinds = [numba.types.Array(from_dtype(array.dtype), array.ndim, "C") for array in arrays]
        library, _ = compiler._compile_pyfunc_with_fixup(
            self._function, numba.void(*kinds), device=False, abi="numba", cc=HOPPER
        )
        self._name = library._entry_name
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
        whole = llvm.parse_assembly("\n".join(register(name, value) for name, value in REGISTERS.items()))
        for text in library.llvm_strs:
            whole.link_in(llvm.parse_assembly(modern(text)))
        whole.triple, whole.data_layout = llvm.get_default_triple(), str(machine.target_data)
        whole.verify()
        self._engine = llvm.create_mcjit_compiler(whole, machine)
        self._engine.finalize_object()


def register(name: str, value: int) -> str:
    """A variable, and a function that reads it, in LLVM's language."""
    return (
        f"@value_{name} = global i32 {value}\n"
        f"define i32 @register_{name}() {{\n  %x = load i32, ptr @value_{name}\n  ret i32 %x\n}}"
    )


def flat(array: Any) -> list[int]:
    """An array as kernels take it."""
    assert array.flags.c_contiguous
    return [0, 0, math.prod(array.shape), array.itemsize, array.ctypes.data, *array.shape, *array.strides]


def main(games: int) -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cuda = EmulatedCuda()
    made = gpu_kernels.kernels_for

    @functools.cache
    def emulated(dtype: Any, streams: bool) -> gpu_kernels.DeviceKernels:
        return gpu_kernels.DeviceKernels(*(EmulatedKernel(kernel.py_func) for kernel in made(dtype, streams)))

    for module, name, value in (
        (dispatcher, "get_current_device", cuda.get_current_device),
        (gpu, "_cuda", lambda: cuda),
        (gpu_kernels, "kernels_for", emulated),
    ):
        setattr(module, name, value)
    device_batches.main(games)


if __name__ == "__main__":
    main(int(sys.argv[1]))
