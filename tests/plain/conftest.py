from pathlib import Path

import pytest

from tests.plain.inside import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Home(tmp_path, monkeypatch)
