from collections.abc import Iterator
from pathlib import Path

import pytest

from millebornes.storage import let_go
from millebornes.tui.full.terminal import early_input
from tests.full.idle import short_waits


@pytest.fixture(scope="session", autouse=True)
def idle() -> Iterator[None]:
    with short_waits():
        yield


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own for every test, and no wishes of the environment; no saved game stays locked."""
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    for name in ("NO_COLOR", "COLORFGBG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(early_input, "QUIET", 0.0)  # a test presses a key again at once, and means it
    yield tmp_path
    let_go()  # as `millebornes play` does when the app has ended
