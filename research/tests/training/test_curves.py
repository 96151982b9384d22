from pathlib import Path

import pytest

from millebornes_research.training.curves import write_curves


def test_a_plot_of_five_rivals_names_no_folder(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    told = {"value": 1.0, "ci95": [0.0, 2.0]}
    names = ["maxims", "basic", "skilled", "instant:/home/ann/nets/old.npz", "instant"]
    strength = {"edition": "classic", "table": "2x2", **{name: {"points": told, "share": told} for name in names}}
    entry = {"generation": 1, "decisions": 1000, "seconds": 1.5, "spread": 1, "missed": 1, "missed_value": 1}
    write_curves(tmp_path / "c.svg", [entry | {"strength": [strength]}])
    text = (tmp_path / "c.svg").read_text()
    for name in (*names[:3], "instant:old.npz"):
        assert f"against {name}" in text
    assert "ann" not in text
