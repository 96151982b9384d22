"""Instructions for the layers of a net, which add up rows of numbers, several numbers at a time.

For a plain loop, the compiler would write to memory after every number. Here, part of the sum stays in registers until
it is complete. The numbers are added in the same order as in a plain loop, so the results are identical to the last
bit.
"""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir

from millebornes.kernels.decorator import intrinsic

LANES: Final = 64
"""The number of sums that are kept in registers."""
SINGLE: Final = ir.FloatType()


def _at(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, array).data, [place])


def _summing(net: Any, width: Any, source: Any, out: Any, row: Callable[..., Any]) -> Any:
    """Return the signature and the code of an intrinsic that adds the constants and ``count`` rows of a net.

    The sums are computed in groups of `LANES`. ``row`` returns one row as a vector. Its arguments are the builder, the
    number of the row, the element of ``source`` with that number, and a function that loads a row of the net by its
    number.
    """
    from numba import types
    from numba.core import cgutils

    if not isinstance(width, types.IntegerLiteral):
        return None
    size = width.literal_value
    vector = ir.VectorType(SINGLE, min(size, LANES))

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        net_kind, _, _, _, source_kind, _, out_kind = signature.args
        net_, begin, rows, _, source_, count, out_ = args
        for lane in range(0, size, vector.count):
            offset = ir.Constant(begin.type, lane)

            def vector_at(kind: Any, array: Any, start: Any, offset: Any = offset) -> Any:
                place = _at(context, builder, kind, array, builder.add(start, offset))
                return builder.bitcast(place, vector.as_pointer())

            def loaded(number: Any, vector_at: Callable[..., Any] = vector_at) -> Any:
                start = builder.add(rows, builder.mul(number, ir.Constant(begin.type, size)))
                return builder.load(vector_at(net_kind, net_, start), align=4)

            total = cgutils.alloca_once_value(builder, builder.load(vector_at(net_kind, net_, begin), align=4))
            with cgutils.for_range(builder, count) as loop:
                given = builder.load(_at(context, builder, source_kind, source_, loop.index))
                found = builder.fadd(builder.load(total), row(builder, loop.index, given, loaded))
                builder.store(found, total)
            target = vector_at(out_kind, out_, ir.Constant(begin.type, 0))
            builder.store(builder.load(total), target, align=4)
        return context.get_dummy_value()

    return types.void(net, types.int64, types.int64, width, source, types.int64, out), generate


@intrinsic
def add_rows(_: Any, net: Any, begin: Any, rows: Any, width: Any, places: Any, count: Any, out: Any) -> Any:
    """Write a sum of rows: ``out[j] = net[begin + j] + net[rows + width * places[i] + j] + …``, for i below ``count``.

    ``width`` is a literal integer, either at most 64 or a multiple of 64.
    """

    def row(builder: Any, number: Any, place: Any, loaded: Any) -> Any:
        return loaded(builder.zext(place, number.type))

    return _summing(net, width, places, out, row)


@add_rows.in_python
def _add_rows(net: Any, begin: Any, rows: Any, width: Any, places: Any, count: Any, out: Any) -> None:
    total = net[begin : begin + width].copy()
    for place in places[:count].tolist():
        total += net[rows + width * place : rows + width * (place + 1)]
    out[:width] = total


@intrinsic
def weigh_rows(_: Any, net: Any, begin: Any, rows: Any, width: Any, by: Any, count: Any, out: Any) -> Any:
    """Write a weighted sum of rows: ``out[j] = net[begin + j] + max(by[i], 0) * net[rows + width * i + j] + …``.

    The sum is over all i below ``count``. ``width`` is a literal integer, either at most 64 or a multiple of 64.
    """

    def row(builder: Any, number: Any, weight: Any, loaded: Any) -> Any:
        numbers, zero = loaded(number), ir.Constant(SINGLE, 0.0)
        weight = builder.select(builder.fcmp_ordered(">", weight, zero), weight, zero)
        one = builder.insert_element(ir.Constant(numbers.type, ir.Undefined), weight, ir.Constant(ir.IntType(32), 0))
        first = ir.Constant(ir.VectorType(ir.IntType(32), numbers.type.count), [0] * numbers.type.count)
        return builder.fmul(builder.shuffle_vector(one, one, first), numbers)

    return _summing(net, width, by, out, row)


@weigh_rows.in_python
def _weigh_rows(net: Any, begin: Any, rows: Any, width: Any, by: Any, count: Any, out: Any) -> None:
    total = net[begin : begin + width].copy()
    for i in range(count):
        if by[i] > 0:
            total += by[i] * net[rows + width * i : rows + width * (i + 1)]
    out[:width] = total
