"""Bit operations on unsigned 64-bit words that Numba doesn't offer.

Each operation is a plain LLVM instruction. `select_bit` uses the BMI2 instructions if the processor has them, and a
portable search otherwise. Below each operation is a function that does the same in plain Python (see
`millebornes.kernels.python_fallback`).
"""

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numpy import uint64

from millebornes.kernels.decorator import inner_kernel, instruction

WORD = ir.IntType(64)
HAS_BMI2 = bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


@instruction("uint64", "uint64")
def count_bits(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """Return the number of set bits in a word."""
    return builder.ctpop(args[0])


@count_bits.in_python
def _count(word: Any) -> Any:
    return uint64(int(word).bit_count())


@instruction("uint64", "uint64")
def lowest_bit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """Return the position of the lowest set bit, or 64 if the word is zero."""
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))


@lowest_bit.in_python
def _lowest(word: Any) -> Any:
    return uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


@instruction("uint64", "uint64", "uint64")
def high_product(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """Return the upper 64 bits of the 128-bit product, which is a uniform number below b if a is a random word."""
    wide = ir.IntType(128)
    product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
    return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), WORD)


@high_product.in_python
def _high(a: Any, b: Any) -> Any:
    return uint64(int(a) * int(b) >> 64)


@instruction("uint64", "uint64", "uint64")
def _deposit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    """Return a word with the low bits of a word moved to the positions of the set bits of a mask (pdep in BMI2)."""
    kind = ir.FunctionType(WORD, [WORD, WORD])
    return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=kind), args)


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
