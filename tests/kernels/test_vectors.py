"""Layers of nets: the sums are those of a plain loop, to the last bit."""

from typing import Any

import numpy as np
import pytest

from millebornes.kernels.decorator import kernel
from millebornes.kernels.vectors import add_rows, weigh_rows

WIDE, NARROW = 192, 32


@kernel
def added(net: Any, begin: int, rows: int, places: Any, count: int, out: Any) -> None:
    add_rows(net, begin, rows, WIDE, places, count, out)


@kernel
def weighed(net: Any, begin: int, rows: int, by: Any, count: int, out: Any) -> None:
    weigh_rows(net, begin, rows, NARROW, by, count, out)


@pytest.mark.parametrize("count", [0, 1, 7, 60])
def test_rows_are_added_in_their_order(count: int) -> None:
    chance = np.random.default_rng(count)
    net = chance.standard_normal(5 + WIDE + 100 * WIDE).astype(np.float32)
    places = chance.choice(100, 64, replace=False).astype(np.uint16)
    out = np.full(WIDE + 1, 7, np.float32)
    added(net, 5, 5 + WIDE, places, count, out)
    wanted = net[5 : 5 + WIDE].copy()
    for place in places[:count].tolist():
        wanted += net[5 + WIDE * (1 + place) :][:WIDE]
    assert out[:WIDE].tobytes() == wanted.tobytes()
    assert out[WIDE] == 7


@pytest.mark.parametrize("count", [0, 1, 7, 128])
def test_rows_count_by_what_is_above_zero(count: int) -> None:
    chance = np.random.default_rng(count)
    net = chance.standard_normal(3 + NARROW + 128 * NARROW).astype(np.float32)
    by = chance.standard_normal(128).astype(np.float32)
    out = np.full(NARROW + 1, 7, np.float32)
    weighed(net, 3, 3 + NARROW, by, count, out)
    wanted = net[3 : 3 + NARROW].copy()
    for i in range(count):
        wanted += np.maximum(by[i], np.float32(0)) * net[3 + NARROW * (1 + i) :][:NARROW]
    assert out[:NARROW].tobytes() == wanted.tobytes()
    assert out[NARROW] == 7
