"""Instructions that let kernels read or write several numbers at once, or call code by its address."""

from typing import Any, Final

from llvmlite import ir
from numpy import uint64

from millebornes.kernels.decorator import LazyObject, instruction, intrinsic

BYTE: Final = ir.IntType(8)
WORD: Final = ir.IntType(64)
SINGLE: Final = ir.FloatType()


def _place(context: Any, builder: Any, kind: Any, args: Any, unit: Any) -> Any:
    """Return a pointer to a word of the array ``args[0]``, ``args[1]`` units after its beginning."""
    data = context.make_array(kind)(context, builder, args[0]).data
    place = builder.gep(builder.bitcast(data, unit.as_pointer()), [args[1]])
    return builder.bitcast(place, WORD.as_pointer())


@instruction("uint64", "", "")
def load_word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Return eight one-byte numbers as one word: the elements 8 i to 8 i + 7 of an array, given the array and i."""
    return builder.load(_place(context, builder, signature.args[0], args, WORD), align=1)


@load_word.in_python
def _load(bytes_: Any, i: Any) -> Any:
    return sum((uint64(int(bytes_[8 * i + n]) & 255) << uint64(8 * n) for n in range(8)), uint64(0))


@instruction("void", "", "", "")
def store_word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Write eight one-byte numbers at once, to the elements 8 i to 8 i + 7 of an array, given these three."""
    builder.store(args[2], _place(context, builder, signature.args[0], args, WORD), align=1)
    return context.get_dummy_value()


@store_word.in_python
def _store(bytes_: Any, i: Any, word: Any) -> None:
    for n in range(8):
        byte = int(word) >> 8 * n & 255
        bytes_[8 * i + n] = byte - 256 * (byte > 127)


@instruction("void", "", "int64", "uint64")
def store_at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Write eight bytes to an array, given the array, the place of the first byte, and a word."""
    builder.store(args[2], _place(context, builder, signature.args[0], args, BYTE), align=1)
    return context.get_dummy_value()


@instruction("void", "int64", "int64", "uint64")
def put_word(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """Write eight bytes to memory, given an address, a number of bytes after it, and a word."""
    builder.store(args[2], builder.inttoptr(builder.add(args[0], args[1]), WORD.as_pointer()), align=1)
    return context.get_dummy_value()


@instruction("void", "int64", "int64", "float32")
def put_float(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """Write a float32 number to memory, given an address, a number of floats after it, and the number."""
    builder.store(args[2], builder.gep(builder.inttoptr(args[0], SINGLE.as_pointer()), [args[1]]), align=4)
    return context.get_dummy_value()


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


carray: Final = LazyObject(_make_carray)
"""`numba.carray`, which returns the array of a given shape at a pointer."""


@instruction("int64", "uint64", "", "", "", "")
def call_at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Call a function declared with `millebornes.kernels.decorator.callback`, given its address and four records."""
    values = [context.get_value_type(kind) for kind in signature.args[1:]]
    function = ir.FunctionType(WORD, values).as_pointer()
    return builder.call(builder.inttoptr(args[0], function), args[1:])
