"""Layers of a net in machine words: sums of rows of numbers, several of them at a time.

What a compiler makes of such loops goes back to memory after every number. Here a part of the sum stays in registers
until it is done. Each number is added in the same order as in a plain loop, so the sums are the same to the last bit.
"""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["add_rows", "weigh_rows"]

LANES: Final = 64
"""Numbers of a sum that are kept in registers."""
SINGLE: Final = ir.FloatType()


def _at(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Where a number of an array lies."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [place])


def _loaded(builder: Any, pointer: Any, vector: ir.VectorType) -> Any:
    return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=4)


def _summed(builder: Any, begin: Any, rows: Any, vector: ir.VectorType, row: Callable[[Any], Any]) -> Any:
    """``begin`` and so many rows; ``row`` gives the vector of one of them."""
    total = cgutils.alloca_once_value(builder, begin)
    with cgutils.for_range(builder, rows) as loop:
        builder.store(builder.fadd(builder.load(total), row(loop.index)), total)
    return builder.load(total)


@intrinsic  # type: ignore[untyped-decorator]
def add_rows(_: Any, net: Any, begin: Any, rows: Any, width: Any, places: Any, count: Any, out: Any) -> Any:
    """Write a sum of rows: ``out[j] = net[begin + j] + net[rows + width * places[i] + j] + …``, for i below ``count``.

    ``width`` is a literal whole number, a multiple of 64.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        net_, begin_, rows_, _width, places_, count_, out_ = args
        kinds, vector = signature.args, ir.VectorType(SINGLE, LANES)
        size = width.literal_value
        for lane in range(0, size, LANES):
            offset = ir.Constant(begin_.type, lane)

            def row(i: Any, offset: Any = offset) -> Any:
                place = builder.zext(builder.load(_at(context, builder, kinds[4], places_, i)), begin_.type)
                start = builder.add(builder.add(rows_, offset), builder.mul(place, ir.Constant(begin_.type, size)))
                return _loaded(builder, _at(context, builder, kinds[0], net_, start), vector)

            first = _loaded(builder, _at(context, builder, kinds[0], net_, builder.add(begin_, offset)), vector)
            found = _summed(builder, first, count_, vector, row)
            target = builder.bitcast(_at(context, builder, kinds[6], out_, offset), vector.as_pointer())
            builder.store(found, target, align=4)
        return context.get_dummy_value()

    if not isinstance(width, types.IntegerLiteral):
        return None
    given = (net, types.int64, types.int64, width, places, types.int64, out)
    return types.void(*given), generate


@intrinsic  # type: ignore[untyped-decorator]
def weigh_rows(_: Any, net: Any, begin: Any, rows: Any, width: Any, by: Any, count: Any, out: Any) -> Any:
    """Write a weighed sum of rows: ``out[j] = net[begin + j] + max(by[i], 0) * net[rows + width * i + j] + …``.

    i goes up to a ``count``; ``width`` is a literal whole number, at most 64 or a multiple of it.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        net_, begin_, rows_, _width, by_, count_, out_ = args
        kinds, size = signature.args, width.literal_value
        lanes = min(size, LANES)
        vector = ir.VectorType(SINGLE, lanes)
        nowhere = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
        nought = ir.Constant(SINGLE, 0.0)
        for lane in range(0, size, lanes):
            offset = ir.Constant(begin_.type, lane)

            def row(i: Any, offset: Any = offset) -> Any:
                weight = builder.load(_at(context, builder, kinds[4], by_, i))
                weight = builder.select(builder.fcmp_ordered(">", weight, nought), weight, nought)
                one = builder.insert_element(ir.Constant(vector, ir.Undefined), weight, ir.Constant(ir.IntType(32), 0))
                start = builder.add(builder.add(rows_, offset), builder.mul(i, ir.Constant(begin_.type, size)))
                numbers = _loaded(builder, _at(context, builder, kinds[0], net_, start), vector)
                return builder.fmul(builder.shuffle_vector(one, one, nowhere), numbers)

            first = _loaded(builder, _at(context, builder, kinds[0], net_, builder.add(begin_, offset)), vector)
            found = _summed(builder, first, count_, vector, row)
            target = builder.bitcast(_at(context, builder, kinds[6], out_, offset), vector.as_pointer())
            builder.store(found, target, align=4)
        return context.get_dummy_value()

    if not isinstance(width, types.IntegerLiteral):
        return None
    given = (net, types.int64, types.int64, width, by, types.int64, out)
    return types.void(*given), generate
