"""Kernels that are named by others, and what replaces them there."""

from types import FunctionType, SimpleNamespace
from typing import Any, cast

from millebornes.kernels.decorator import LazyObject, higher_order_kernel, inner_kernel, kernel, rebind
from millebornes.kernels.python_fallback import in_python
from millebornes.kernels.store import cache_folder


@inner_kernel
def doubled(x: int) -> int:
    return 2 * x


def more(f: Any) -> int:
    return doubled(f.doubled)


def test_kernels_are_replaced_but_not_fields_of_the_same_name() -> None:
    replaced: list[LazyObject] = []

    def tripling(declared: LazyObject) -> Any:
        replaced.append(declared)
        return lambda x: 3 * x

    assert rebind(cast(FunctionType, more), tripling)(SimpleNamespace(doubled=5)) == 15
    assert replaced == [doubled]

    def safe(f: Any) -> Any:
        return f.doubled

    rebind(cast(FunctionType, safe), lambda _: replaced.clear())
    assert replaced == [doubled]


@inner_kernel
def tripled_and_more(x: int, more: int) -> int:
    return 3 * x + more


@higher_order_kernel
def applied(change: Any, x: int, further: Any) -> Any:
    return change(x, *further)


@kernel
def both(x: int) -> Any:
    return applied(doubled, x, ()), applied(tripled_and_more, x, (5,))


def test_a_kernel_is_compiled_anew_for_each_kernel_that_it_is_given() -> None:
    assert both(7) == (14, 26)
    assert in_python(cast(LazyObject, both))(7) == (14, 26)


def test_a_kernel_that_takes_kernels_is_not_stored() -> None:
    """Each process would store it once more, because it couldn't find it again."""
    assert both(7)
    assert cache_folder is not None
    stored = [name for path in cache_folder.rglob("*.nbi") if (name := path.name).startswith("test_decorator.")]
    assert any(name.startswith("test_decorator.both") for name in stored)
    assert not any(name.startswith("test_decorator.applied") for name in stored)
