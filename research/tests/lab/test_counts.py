"""Sums of whole numbers, the estimates that follow from them, and how they are shown."""

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.arena.statistics import Estimate, plain, ratio_estimate
from millebornes.errors import MilleBornesError
from millebornes_research.lab.counts import add, mean, moments, pair_moments, ratio, win_parts
from millebornes_research.lab.plot import plot_sheets
from millebornes_research.lab.sheets import Column, Sheet, as_markdown, as_text, cell, verdict
from millebornes_research.seeds import seed_word


def test_a_mean_from_sums_is_that_of_the_numbers() -> None:
    values = np.random.default_rng(1).integers(-3000, 5000, 700)
    found = mean(moments(values), 0.5)
    assert found.value == pytest.approx(values.mean() / 2)
    assert found.stderr == pytest.approx(values.std(ddof=1) / math.sqrt(700) / 2)
    # Student's t with 699 degrees of freedom, from a table
    assert found.high - found.value == pytest.approx(1.9634 * found.stderr, rel=1e-4)
    assert found.value - found.low == pytest.approx(found.high - found.value)


def test_sums_lose_nothing_however_large_they_are() -> None:
    found = moments([1_000_000_000, 1_000_000_001] * 2)
    assert mean(found).stderr == pytest.approx(math.sqrt(1 / 3) / 2)


def test_the_interval_of_a_mean_holds_the_truth_as_often_as_it_says() -> None:
    values = np.random.default_rng(2).integers(0, 7, (25, 2000))
    found = moments(values)
    inside = sum((e := mean(found[:, i])).low <= 3 <= e.high for i in range(2000))
    assert 0.935 < inside / 2000 < 0.965


def test_parts_add_up_to_the_whole() -> None:
    values = np.random.default_rng(3).integers(-9, 9, (40, 3))
    parts = [{"x": moments(values[a:b])} for a, b in ((0, 7), (7, 30), (30, 40))]
    whole = add(add(parts[0], parts[1]), parts[2])
    assert (whole["x"] == moments(values)).all()
    assert add({}, whole) == whole
    assert add(whole, {}) == whole


def test_a_ratio_from_sums_is_that_of_the_clusters() -> None:
    chance = np.random.default_rng(4)
    sizes = chance.integers(0, 6, 300)
    values = chance.integers(0, 9, 300) * sizes
    found, expected = ratio(pair_moments(values, sizes)), ratio_estimate(values.tolist(), sizes.tolist())
    assert found == pytest.approx(expected)


def test_nothing_is_known_of_nothing() -> None:
    for found in (mean(np.zeros(3, np.int64)), ratio(np.zeros(6, np.int64))):
        assert plain(found) == {"value": None, "stderr": None, "ci95": [None, None]}
    for found in (mean(moments([4])), ratio(pair_moments([8], [2]))):
        assert plain(found) == {"value": 4.0, "stderr": None, "ci95": [None, None]}


def test_wins_are_shared_out() -> None:
    parts, whole = win_parts(np.array([[5, 5, 3], [1, 2, 3], [4, 4, 4]], np.int64))
    assert whole == 6
    assert parts.tolist() == [[3, 3, 0], [0, 0, 6], [2, 2, 2]]


def test_seeds_differ_by_what_they_are_for() -> None:
    assert len({seed_word("1", "a"), seed_word("1", "b"), seed_word("2", "a"), seed_word("1", "a", 0)}) == 4
    assert seed_word("1", "a") == seed_word("1", "a") < 1 << 64


# ---------------------------------------------------------------- tables and plots


def estimate(value: float, stderr: float) -> dict[str, Any]:
    return plain(Estimate(value, stderr, value - 2 * stderr, value + 2 * stderr))


def test_cells() -> None:
    assert cell(estimate(3.21, 1), "gain") == "+3.2 ± 2.0"
    assert cell(estimate(0.1234, 0.01), "share") == "12.3 ± 2.0 %"
    assert cell(estimate(-0.1234, 0.01), "edge") == "-12.34 ± 2.00 %"
    assert cell(plain(Estimate(0.025, 0.02, 0.004, 0.134)), "share") == "2.5 % (0.4 … 13.4)"
    assert cell(plain(mean(moments([4]))), "points") == "4.0 ± ?"
    assert cell(plain(mean(np.zeros(3, np.int64))), "share") == "?"
    assert [cell(12345, "count"), cell("a", "text"), cell(2, "number"), cell(None, "number")] == [
        "12,345",
        "a",
        "2.00",
        "-",
    ]


def test_a_verdict_wants_more_than_an_interval() -> None:
    assert verdict(estimate(3.2, 1)) == "unclear"
    assert verdict(estimate(3.4, 1)) == "pays"
    assert verdict(estimate(-3.4, 1)) == "costs"
    assert verdict(estimate(0, 0)) == "nothing"
    assert verdict(plain(mean(moments([4])))) == "unclear"


def sheet(*values: float) -> Sheet:
    rows = [{"who": f"row {i}", "gain": estimate(value, 1), "n": i} for i, value in enumerate(values)]
    columns = (Column("who", "who", "text"), Column("n", "times", "count"), Column("gain", "points", "gain"))
    return Sheet("some", "what it is", columns, rows, ("gain",))


def test_one_table_as_text() -> None:
    assert list(as_text([("classic", sheet(1, -20))])) == [
        "classic: what it is",
        "who    times       points",
        "row 0      0   +1.0 ± 2.0",
        "row 1      1  -20.0 ± 2.0",
        "",
    ]


def test_several_tables_side_by_side_as_markdown() -> None:
    assert list(as_markdown([("classic", sheet(1, -20)), ("bsd", sheet(4))])) == [
        "*what it is: points*",
        "",
        "| who | classic | bsd |",
        "|---|---:|---:|",
        "| row 0 | +1.0 ± 2.0 | **+4.0 ± 2.0** |",
        "| row 1 | **-20.0 ± 2.0** | - |",
        "",
    ]


def test_a_plot_is_the_same_for_the_same_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    files = [tmp_path / name for name in ("a.svg", "b.svg")]
    for file in files:
        plot_sheets(file, [("classic", sheet(1, -20)), ("bsd", sheet(4))], "gain", "What it is")
    text = files[0].read_text()
    assert text == files[1].read_text()
    for told in ("<svg", "row 0", "row 1", "classic", "bsd", "What it is", "points"):
        assert told in text
    assert "#ffffff" not in text  # no background of its own


def test_a_plot_of_nothing_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(MilleBornesError, match="nothing to plot"):
        plot_sheets(tmp_path / "a.svg", [("classic", sheet())], "gain", "What it is")


def test_plots_ask_for_what_they_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MilleBornesError, match=r"millebornes-research\[plots\]"):
        plot_sheets(tmp_path / "a.svg", [("classic", sheet(1))], "gain", "What it is")
