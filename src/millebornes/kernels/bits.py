"""Bit operations on unsigned 64-bit words that Numba doesn't offer.

Each operation is a plain LLVM instruction. `select_bit` uses the BMI2 instructions if the processor has them, and a
portable search otherwise. Below each operation is a function that does the same in plain Python (see
`millebornes.kernels.meanwhile`).
"""

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numpy import uint64

from millebornes.kernels.decorator import inner_kernel, intrinsic

__all__ = ["count_bits", "high_product", "lowest_bit", "select_bit"]

WORD = ir.IntType(64)
HAS_BMI2 = bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


@intrinsic
def count_bits(_: Any, word: Any) -> Any:
    """Return the number of set bits in a word."""
    from numba import types

    return types.uint64(types.uint64), lambda context, builder, signature, args: builder.ctpop(args[0])


@count_bits.in_python
def _count(word: Any) -> Any:
    return uint64(int(word).bit_count())


@intrinsic
def lowest_bit(_: Any, word: Any) -> Any:
    """Return the position of the lowest set bit, or 64 if the word is zero."""
    from numba import types

    return types.uint64(types.uint64), lambda context, builder, signature, args: builder.cttz(
        args[0], ir.Constant(ir.IntType(1), 0)
    )


@lowest_bit.in_python
def _lowest(word: Any) -> Any:
    return uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


@intrinsic
def high_product(_: Any, a: Any, b: Any) -> Any:
    """Return the upper 64 bits of the 128-bit product, which is a uniform number below b if a is a random word."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), WORD)

    return types.uint64(types.uint64, types.uint64), generate


@high_product.in_python
def _high(a: Any, b: Any) -> Any:
    return uint64(int(a) * int(b) >> 64)


@intrinsic
def _deposit(_: Any, bits: Any, mask: Any) -> Any:
    """Return a word with the low bits of ``bits`` moved to the positions of the set bits of the mask (pdep in BMI2)."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(WORD, [WORD, WORD]))
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), generate


def _select_with_pdep(mask: Any, n: Any) -> Any:
    return lowest_bit(_deposit(uint64(1) << n, mask))


def _select_portable(mask: Any, n: Any) -> Any:
    """Find the n-th set bit by halving the word six times, each time keeping the half that contains the bit."""
    place = uint64(0)
    width = uint64(32)
    while width != uint64(0):
        low = count_bits((mask >> place) & ((uint64(1) << width) - uint64(1)))
        if n >= low:
            n -= low
            place += width
        width >>= uint64(1)
    return place


select_bit = inner_kernel(_select_with_pdep if HAS_BMI2 else _select_portable, portable=_select_portable)
"""select_bit(mask, n): the position of the n-th set bit, counted from 0. The mask must have more than n set bits."""
