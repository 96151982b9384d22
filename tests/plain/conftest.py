from pathlib import Path

import pytest

from millebornes.tui.plain import seat
from tests.plain.inside import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(seat, "THOUGHT", 0.0)  # the first thought will do
    monkeypatch.setattr(seat, "PATIENCE", (600.0, 600.0))
    return Home(tmp_path, monkeypatch)
