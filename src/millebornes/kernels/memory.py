"""Instructions that let kernels read or write several numbers at once, or call code by its address."""

from typing import Any, Final

from llvmlite import ir
from numpy import uint64

from millebornes.kernels.decorator import Declared, intrinsic

__all__ = ["call_at", "carray", "float_pointer", "load_word", "put_float", "put_word", "store_at", "store_word"]

BYTE: Final = ir.IntType(8)
WORD: Final = ir.IntType(64)
SINGLE: Final = ir.FloatType()


def _place(context: Any, builder: Any, kind: Any, array: Any, unit: Any, number: Any) -> Any:
    """Return a pointer to a word of an array, ``number`` units after its beginning."""
    data = context.make_array(kind)(context, builder, array).data
    place = builder.gep(builder.bitcast(data, unit.as_pointer()), [number])
    return builder.bitcast(place, WORD.as_pointer())


@intrinsic
def load_word(_: Any, bytes_: Any, i: Any) -> Any:
    """Return eight one-byte numbers as one word: the elements 8 i to 8 i + 7 of an array."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, signature.args[0], args[0], WORD, args[1]), align=1)

    return types.uint64(bytes_, i), generate


@load_word.in_python
def _load(bytes_: Any, i: Any) -> Any:
    return sum((uint64(int(bytes_[8 * i + n]) & 255) << uint64(8 * n) for n in range(8)), uint64(0))


@intrinsic
def store_word(_: Any, bytes_: Any, i: Any, word: Any) -> Any:
    """Write eight one-byte numbers at once, to the elements 8 i to 8 i + 7 of an array."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, signature.args[0], args[0], WORD, args[1]), align=1)
        return context.get_dummy_value()

    return types.void(bytes_, i, word), generate


@store_word.in_python
def _store(bytes_: Any, i: Any, word: Any) -> None:
    for n in range(8):
        byte = int(word) >> 8 * n & 255
        bytes_[8 * i + n] = byte - 256 * (byte > 127)


@intrinsic
def store_at(_: Any, bytes_: Any, place: Any, word: Any) -> Any:
    """Write eight bytes to an array, starting at the byte ``place``."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, signature.args[0], args[0], BYTE, args[1]), align=1)
        return context.get_dummy_value()

    return types.void(bytes_, types.int64, types.uint64), generate


@intrinsic
def put_word(_: Any, address: Any, place: Any, word: Any) -> Any:
    """Write eight bytes to memory, ``place`` bytes after an address."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = builder.inttoptr(builder.add(args[0], args[1]), WORD.as_pointer())
        builder.store(args[2], at, align=1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.uint64), generate


@intrinsic
def put_float(_: Any, address: Any, place: Any, value: Any) -> Any:
    """Write a float32 number to memory, ``place`` numbers after an address."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = builder.gep(builder.inttoptr(args[0], SINGLE.as_pointer()), [args[1]])
        builder.store(args[2], at, align=4)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.float32), generate


@intrinsic
def float_pointer(_: Any, address: Any) -> Any:
    """Return a pointer to the float32 numbers at an address, for use with `carray`."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], SINGLE.as_pointer())

    return types.CPointer(types.float32)(types.uint64), generate


def _make_carray() -> Any:
    from numba import carray

    return carray


carray: Final = Declared(_make_carray)
"""`numba.carray`, which returns the array of a given shape at a pointer."""


@intrinsic
def call_at(_: Any, address: Any, one: Any, two: Any, three: Any, four: Any) -> Any:
    """Call a function declared with `millebornes.kernels.decorator.callback` by its address, passing four records."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values = [context.get_value_type(kind) for kind in signature.args[1:]]
        kind = ir.FunctionType(WORD, values).as_pointer()
        return builder.call(builder.inttoptr(args[0], kind), args[1:])

    return types.int64(types.uint64, one, two, three, four), generate
