"""A load of twenty seconds: nothing grows, no stream is lost, every move is told."""

import sys

import pytest

from millebornes_research.bench.web import Wanted, measure_load, measure_soak

pytestmark = [pytest.mark.once, pytest.mark.skipif(sys.platform != "linux", reason="reads what servers cost in /proc")]


def test_nothing_grows() -> None:
    """Twenty seconds of what `research/scripts/load --soak` does for as long as one likes (3 s CPU)."""
    figures = measure_soak(Wanted(tables=20, rate=20, seconds=20, window_ms=500), samples=5).figures
    assert figures["streams_lost"] == 0
    assert len(figures["memory_mb"]) == 5
    assert max(figures["handles"][1:]) <= figures["handles"][0] + 10
    assert figures["memory_mb"][-1] < figures["memory_mb"][1] + 20


def test_a_load_is_measured() -> None:
    result = measure_load(Wanted(tables=10, rate=20, seconds=3, window_ms=500))
    assert result.figures["streams"] == 20
    for figures in (result.figures, result.baselines["echo"] or {}):
        assert figures["acknowledged"]["50_ms"] > 0
        assert figures["moves_per_s"] > 0
        assert figures["kb_per_table"] >= 0
