"""Kernels that are named by others, and what replaces them there."""

from types import FunctionType, SimpleNamespace
from typing import Any, cast

from millebornes.kernels.decorator import Declared, inner_kernel, rebind


@inner_kernel
def doubled(x: int) -> int:
    return 2 * x


def more(f: Any) -> int:
    return doubled(f.doubled)


def test_kernels_are_replaced_but_not_fields_of_the_same_name() -> None:
    replaced: list[Declared] = []

    def tripling(declared: Declared) -> Any:
        replaced.append(declared)
        return lambda x: 3 * x

    assert rebind(cast(FunctionType, more), tripling)(SimpleNamespace(doubled=5)) == 15
    assert replaced == [doubled]

    def safe(f: Any) -> Any:
        return f.doubled

    rebind(cast(FunctionType, safe), lambda _: replaced.clear())
    assert replaced == [doubled]
