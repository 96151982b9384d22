from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for every test, and no wishes of the environment."""
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    for name in ("NO_COLOR", "COLORFGBG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.chdir(tmp_path)
    return tmp_path
